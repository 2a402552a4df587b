#!/bin/sh
# What engines make of tally's files: `make check-scale`.  DuckDB, Polars and
# hyparquet, from npm, once, into build/scale, read every Parquet file of the
# simulated machines and of the recording: all values, in both shapes, are those
# of tally deltas and metrics.  The recipes of doc/scale.md are run as they stand
# there.  Wants nodejs, npm; python3-dask, python3-distributed for one of them.
set -u
cd "$(dirname "$0")/../.." || exit 2
B=$(realpath "${B:-build}") d=$B/scale here=$PWD
PATH=$B:$PATH
for program in node npm; do
	command -v $program >/dev/null ||
		{ echo "skipped check-scale: no $program"; exit 0; }
done
mkdir -p "$d"
[ -d "$d/node_modules/hyparquet" ] || {
	npm install --silent --no-save --prefix "$d" @duckdb/node-api@latest \
		nodejs-polars@0 hyparquet@1 &&
	# the compiled part of it, where npm leaves that out
	{ [ "$(uname -m)" != x86_64 ] ||
	  [ -d "$d/node_modules/nodejs-polars-linux-x64-gnu" ] ||
	  npm install --silent --no-save --prefix "$d" @duckdb/node-api@latest \
		nodejs-polars@0 hyparquet@1 nodejs-polars-linux-x64-gnu@0; }
} >"$d/npm.log" 2>&1 || {
	cat "$d/npm.log"
	rm -rf "$d/node_modules"
	echo "skipped check-scale: npm cannot install the engines"
	exit 0
}
fail() { echo "check-scale: $*"; exit 1; }
must() { "$@" >"$d/said" 2>&1 || { cat "$d/said"; fail "$*"; }; }

cd "$d" || exit 2
rm -rf ./*.lua ./*.csv ./*.parquet ./*.machine lake metrics npy ./*.s
mkdir lake metrics npy
cp "$B/tests/data/original/c591-803.first30.perfcounts.lua" recording.lua
sample() { # NAME SAMPLES OPTION...
	name=$1 n_samples=$2; shift 2
	must tallyd -q --virtual-time -n "$n_samples" -o "$name.lua" "$@"
}
# Of each machine what it counts by default; sets that take turns; more rows than a
# page of a wide file has; the same twice, with jobs, which two nodes shared for a
# while.
for m in "$here"/config/machines/*.machine; do
	name=$(basename "$m" .machine)
	[ "$name" = skx-locked ] ||
		sample "$name" 6 --sim "@$name.machine"
done
sample turns 12 --sim @skx-8160-2s.machine -c @flops-skx.conf
echo 'read aperf mperf' >few.conf
sample pages 1100 --sim @c2758.machine -c few.conf
for n in 1 2; do
	{
		echo 'like @skx-8160-2s.machine'
		echo "host n$n"
		[ $n = 1 ] || printf '%s\n' 'phase none' 'phase stream'
	} >n$n.machine
	sample n$n 12 --sim n$n.machine
	{
		sed -n 1p n$n.lua
		cat <<-'EOF'
		mark_sample = {}
		mark_time = {}
		mark_text = {}
		mark_sample[0] = 3
		mark_time[0] = 1500000003.000000
		mark_text[0] = "job=17 begin user=ann"
		mark_sample[1] = 9
		mark_time[1] = 1500000009.000000
		mark_text[1] = "job=17 end"
		EOF
		sed 1d n$n.lua
	} >n$n.marked && mv n$n.marked n$n.lua
done
for f in *.lua; do
	name=${f%.lua} scopes=package,node
	[ $name != skx-8160-2s ] || scopes=all
	must tally deltas -f csv -o "$name.deltas.csv" "$f"
	must tally totals -f csv -o "$name.totals.csv" "$f"
	must tally metrics -S $scopes -e -f csv -o \
		"$name.metrics.csv" "$f"
	must tally metrics -S $scopes -e -f parquet -o \
		"$name.metrics.parquet" "$f"
	must tally convert --parquet -o "$name.wide.parquet" "$f"
	must tally convert --parquet-long -o "$name.long.parquet" "$f"
	must tally convert --parquet-long -o lake/ "$f"
	must tally convert --npy -o "npy/$name/" "$f"
done
for n in n1 n2; do
	must tally metrics -e -f parquet -o metrics/$n.parquet $n.lua
done
# every other dump at the same time as those between
compare() { # 0 or 1
	# shellcheck disable=SC2046 # names without blanks
	NODE_PATH=$d/node_modules node "$here/tests/scale/compare.js" \
		$(ls ./*.lua | awk -v odd="$1" 'NR % 2 == odd')
}
compare 0 >others.log 2>&1 & others=$!
compare 1; first=$?
wait $others; second=$?
cat others.log
[ $first = 0 ] && [ $second = 0 ] || fail "engines read something else"

# block LANGUAGE NUMBER: a recipe of doc/scale.md
block() {
	awk -v want="\`\`\`$1" -v n="$2" '
	$0 == want { in_it = ++k == n; next }
	/^```/ { in_it = 0 }
	in_it' "$here/doc/scale.md"
}
block sql 1 >bandwidth.sql
block sql 2 >energy.sql
block python 1 >totals.py
block sh 1 >array.sh
printf '%s\n' 'JobID|User|Elapsed' '17|ann|00:00:06' '18|bob|00:00:01' >sacct.txt
NODE_PATH=$d/node_modules node "$here/tests/scale/recipes.js" bandwidth.sql \
	energy.sql || fail "recipes of doc/scale.md"
if /usr/bin/python3 -c 'import distributed, numpy' 2>/dev/null; then
	timeout 300 /usr/bin/python3 totals.py >dask.csv 2>dask.log ||
		{ cat dask.log; fail "Dask: totals.py"; }
	node "$here/tests/scale/totals.js" dask.csv ./*.totals.csv ||
		fail "Dask adds up something else"
else
	echo "skipped Dask: no python3-distributed"
fi
rm -rf lake metrics && mkdir lake
ls "$d"/n1.lua "$d"/n2.lua >dumps
for SLURM_ARRAY_TASK_ID in 0 1; do
	export SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT=2
	must sh array.sh
done
[ "$(find lake -name '*.parquet' | wc -l)" = 2 ] &&
	[ "$(find metrics -name '*.parquet' | wc -l)" = 2 ] ||
	fail "the array of doc/scale.md has not made four files"
echo "check-scale: all files are as tally has them"
