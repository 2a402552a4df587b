#!/bin/sh
# usage: FB=DIR FUZZ_SECONDS=60 [FUZZ_RUNS=FILE] [FUZZ_SEED=N] tests/fuzz/fuzz.sh NAME
# One fuzzer, tests/fuzz/fuzz_NAME.c, from its seeds and what earlier runs found in
# DIR/corpus-NAME.  FUZZ_SEED: of the same code from the same corpus nearly the
# same inputs; without it, others each time.  FUZZ_RUNS: no more inputs than
# NAME's line there says.  Prints how fast it went, by seconds
# of CPU; fails on any artifact: a crash, a leak, an input that takes a minute or
# 2 GB.  They are in DIR/artifacts-NAME.
name=${1#fuzz_}
corpus=$FB/corpus-$name artifacts=$FB/artifacts-$name log=$FB/fuzz_$name.log
rm -rf "$artifacts"
mkdir -p "$corpus" "$artifacts"
# addresses become words of inputs: with a seed they stay where they are
fixed=
[ -z "${FUZZ_SEED:-}" ] || ! setarch -R true 2>/dev/null || fixed='setarch -R'
seconds=${FUZZ_SECONDS:-20} limit=
if [ -n "${FUZZ_RUNS:-}" ]; then
	limit=-runs=$(awk -v name="$name" '$1 == name { print $2 }' "$FUZZ_RUNS")
	[ "$limit" != -runs= ] || { echo "fuzz_$name: FAILED: $FUZZ_RUNS has no line of it"; exit 1; }
fi
$fixed "$FB/fuzz_$name" -max_total_time="$seconds" $limit \
	-seed="${FUZZ_SEED:-0}" -timeout=60 -report_slow_units=60 \
	-rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
	-artifact_prefix="$artifacts/" "$corpus" "tests/fuzz/seeds/$name" >"$log" 2>&1
rc=$?
if [ $rc -ne 0 ] || [ -n "$(ls "$artifacts")" ]; then
	cat "$log"
	ls "$artifacts"/*
	echo "fuzz_$name: FAILED"
	exit 1
fi
# "0m1.23s 0m0.45s": what this shell's children used
times >"$log.cpu"
cpu=$(tail -1 "$log.cpu")
awk -v name="$name" -v cpu="$cpu" '
/^stat::number_of_executed_units:/ { n = $2 }
/^stat::peak_rss_mb:/ { rss = $2 }
END {
	k = split(cpu, t, /[ms ]+/)
	s = t[1] * 60 + t[2] + t[3] * 60 + t[4]
	printf "fuzz_%-10s %9d runs  %7d/s  %5d MB\n", name, n,
		n / (s > 0 ? s : 1), rss
}' "$log"
