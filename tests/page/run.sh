#!/bin/sh
# Pages of simulated machines and of the recording in real headless Chromium
# (tests/page/look.js): `make check-page`.  Wants Debian's chromium and nodejs;
# playwright-core and axe-core come from npm, once, into build/page.
#   SHOTS=DIR   screenshots of each page, at 400, 1280 and 2560 pixels
set -u
cd "$(dirname "$0")/../.." || exit 2
B=$(realpath "${B:-build}") d=$B/page
for program in chromium node npm; do
	command -v $program >/dev/null ||
		{ echo "skipped check-page: no $program"; exit 0; }
done
mkdir -p "$d"
[ -d "$d/node_modules/axe-core" ] && [ -d "$d/node_modules/playwright-core" ] ||
	npm install --silent --no-save --prefix "$d" playwright-core@1 \
		axe-core@4 >"$d/npm.log" 2>&1 || {
		cat "$d/npm.log"
		echo "skipped check-page: npm cannot install playwright-core"
		exit 0
	}
for m in skx-8160-2s icx-8358-2s hsx-2699-2s grace-2s grace-hopper c2758; do
	"$B/tallyd" -q --sim @$m.machine --virtual-time -n 40 --overwrite \
		-o "$d/$m.lua" >"$d/$m.log" 2>&1 || { cat "$d/$m.log"; exit 1; }
done
"$B/tallyd" -q --sim @c2758.machine --virtual-time -n 40 --overwrite \
	-c @all-requests --site @c2758 -o "$d/c2758-soc.lua" \
	>"$d/c2758-soc.log" 2>&1 || { cat "$d/c2758-soc.log"; exit 1; }
# phases, as SIGUSR2 marks them
sed -i '1a phase_mark = {}\nphase_mark[0] = 5\nphase_mark[1] = 14\nphase_mark[2] = 30' \
	"$d/skx-8160-2s.lua"
"$B/tallyd" -q --sim @icx-8358-2s.machine --virtual-time -n 40 --overwrite \
	-c @flops-icx.conf -o "$d/roofline.lua" >"$d/flops.log" 2>&1 ||
	{ cat "$d/flops.log"; exit 1; }
# Of two event sets: a bucket is a round of two intervals, and one is left over.
mkdir -p "$d/rounds"
"$B/tallyd" -q --sim @skx-8160-2s.machine --virtual-time -n 40 --overwrite \
	-c @flops-skx.conf -o "$d/rounds/flops-skx.lua" >"$d/flops.log" 2>&1 &&
	"$B/tally" page --overwrite -o "$d/rounds/flops-skx.html" \
	"$d/rounds/flops-skx.lua" || { cat "$d/flops.log"; exit 1; }
# Each sample of two metrics is a point, of others four are one.
ln -f "$d/icx-8358-2s.lua" "$d/rounds/every.lua" &&
	"$B/tally" page --overwrite --buckets 10 --all ipc,dram_read \
	-o "$d/rounds/every.html" "$d/rounds/every.lua" || exit 1
cp "$B/tests/data/original/c591-803.first30.perfcounts.lua" "$d/recording.lua"
for f in "$d"/*.lua; do
	"$B/tally" page --overwrite -o "${f%.lua}.html" "$f" || exit 1
done
# Many nodes: of six alike one reads less; others are of other kinds, one is empty.
rm -rf "$d/many"
mkdir "$d/many"
: >"$d/many/empty.lua"
ln -s "$d/grace-2s.lua" "$d/c2758.lua" "$d/many/"
for n in 1 2 3 4 5 6; do
	{
		echo 'like @skx-8160-2s.machine'
		echo "host n$n"
		[ $n != 3 ] || printf '%s\n' 'phase none' 'phase idle 30' \
			'phase stream 5' 'phase idle'
	} >"$d/many/n$n.machine"
	"$B/tallyd" -q --sim "$d/many/n$n.machine" --virtual-time -n $((36 + n)) \
		-o "$d/many/n$n.lua" >"$d/many/n$n.log" 2>&1 ||
		{ cat "$d/many/n$n.log"; exit 1; }
done
for o in run.html out/; do
	"$B/tally" page -o "$d/many/$o" "$d"/many/*.lua 2>"$d/many/said"
	[ $? = 1 ] && [ "$(cat "$d/many/said")" = "tally: $d/many/empty.lua: empty" ] ||
		{ cat "$d/many/said"; exit 1; }
done
"$B/tally" diff -f html --all -o "$d/many/diff.html" "$d/many/n1.lua" \
	"$d/many/n3.lua" || exit 1
NODE_PATH=$d/node_modules TALLY=$B/tally exec node tests/page/look.js "$d"/*.html
