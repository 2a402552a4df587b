#!/bin/sh
# What sampling, dumping and reading cost: each figure with its target and the
# ratio of the two.  Ratios are of things measured one after the other in this
# run; times are the best of a few.  Needs 2.5 GB of /dev/shm for a minute.
# SCRIPT names the original tool's post-process.lua, to be timed beside ours.
set -u
B=${B:-build}
case $B in /*) ;; *) B=$PWD/$B ;; esac
RECORDING=$B/tests/data/original/c591-803.first30.perfcounts.lua
SAMPLES=${SAMPLES:-10000}
bench=$B/tests/bench
dir=$(mktemp -d /dev/shm/tallyd-bench.XXXXXX) || exit 1
started=
trap '[ -z "$started" ] || kill $started; rm -rf "$dir" "${tree:-}"' EXIT
trap 'exit 1' INT TERM HUP
missed=0

# figure WHAT VALUE UNIT TARGET [least]: at most the target; or at least
figure() {
	r=$(awk -v v="$2" -v t="$4" 'BEGIN { printf "%.2f", t != 0 ? v / t : 0 }')
	ok=$(awk -v v="$2" -v t="$4" -v least="${5:-}" \
	    'BEGIN { print (least != "" ? v >= t : v <= t) ? "" : "MISSED" }')
	[ -n "$ok" ] && missed=$((missed + 1))
	printf '%-52s %10s %-12s target %s %-7s ratio %-6s %s\n' "$1" "$2" "$3" \
	    "$([ -n "${5:-}" ] && echo '>=' || echo '<=')" "$4" "$r" "$ok"
}
note() { printf '%-52s %10s %s\n' "$1" "$2" "$3"; }
calc() { awk "BEGIN { printf \"%.${2:-2}f\", $1 }"; }
word() { shift "$1"; echo "$1"; }
# best N COMMAND...: the shortest of N runs, in seconds
best() {
	n=$1; shift
	i=0
	while [ $i -lt "$n" ]; do "$bench" run "$@"; i=$((i + 1)); done |
	    awk 'NR == 1 || $1 < m { m = $1 } END { print m }'
}
# instructions OUT COMMAND...: user-space instructions, by callgrind
instructions() {
	out=$1; shift
	valgrind --tool=callgrind --callgrind-out-file="$out" "$@" 2>&1 >/dev/null |
	    sed -n 's/.*Collected : *//p'
}

echo "--- sampling (a Xeon 8160 node, default configuration)"
set -- $("$bench" rows 20000)
values=$1
figure "user time a value, null backend" "$2" ns 5
note "with the kernel's copy into the store's file" "$3" "ns a value"
figure "memory a value kept" "$4" bytes 8
set -- $("$bench" sim 300)
note "the same with the simulated machine behind it" "$2" "ns a value"
if command -v valgrind >/dev/null; then
	a=$(instructions "$dir/a" "$bench" rows 100)
	b=$(instructions "$dir/b" "$bench" rows 600)
	# of FILE: what the functions took whose names begin so, exclusive of callees
	self() {
		callgrind_annotate --auto=no --threshold=100 "$1" | tr -d ',' |
		    awk -v name=":($2)" '$0 ~ name { n += $1 } END { print n + 0 }'
	}
	a_value() { calc "($1) / 500 / $values"; }
	null=$(($(self "$dir/b" 'null_(read|tsc|now)') - $(self "$dir/a" 'null_(read|tsc|now)')))
	# callgrind counts each 32 bytes of a `rep stosb`, one instruction, as one
	zeroing=$(($(self "$dir/b" __memset) - $(self "$dir/a" __memset)))
	figure "instructions a value, outside the backend" \
	    "$(a_value "$b - $a - $null - $zeroing")" "" 25
	note "callgrind's count of the row's zeroing, beside it" \
	    "$(a_value $zeroing)" "a value"
else
	echo "SKIPPED instructions: valgrind is not installed"
fi
set -- $("$bench" drift)
figure "drift of 60 samples of 0.1 s with 10 ms of work" "${1#-}" us 1000
note "the original's way (work, then sleep)" "$2" us
set -- $("$bench" memory 400)
# Its own memory: code and constants, given back before the first sample, are mapped again
# page by page as they are needed, and stay in the page cache meanwhile.
note "memory of its own at the first sample (RssAnon)" "$1" KiB
note "400 samples later" "$2" KiB
figure "growth" "$(($2 - $1))" KiB 64
figure "resident, without the rows, which are in a file" "$3" KiB 8192
# Both processes on a node of files of 8 lprocs: their part of what is mapped by
# several, and all of what is theirs alone.
tree=$("$bench" tree)
for way in visit pinned; do
	rm -f "$dir/tree.lua"
	LD_PRELOAD=$B/tests/msr_shim.so "$B/tallyd" --root "$tree" -q -i 0.1 --read $way \
		-o "$dir/tree.lua" --store "$dir/tree.store" </dev/null >"$dir/log" 2>&1 &
	daemon=$! started=$!
	until "$B/tally" export prometheus --once "$dir/tree.store" >/dev/null 2>&1; do
		kill -0 $daemon || { cat "$dir/log"; exit 1; }
		sleep 0.1
	done
	sleep 1
	both=$(for p in $daemon $(cat /proc/$daemon/task/*/children); do
		sed -n 's/^Pss: *\([0-9]*\) kB/\1/p' /proc/$p/smaps_rollup
	done | awk '{ n += $1 } END { print n }')
	figure "memory of the sampler and the writer, $way (PSS)" "$both" KiB 2560
	kill $daemon
	wait $daemon
	started=
done
rm -rf "$tree"

echo "--- dumping $SAMPLES samples (tmpfs)"
ours=999 user=999
for i in 1 2 3 4 5; do
	set -- $("$bench" dump "$dir/dump.lua" "$SAMPLES")
	columns=$1
	ours=$(calc "$2 < $ours ? $2 : $ours" 3)
	user=$(calc "$3 < $user ? $3 : $user" 3)
done
set -- $("$bench" fprintf "$dir/fprintf.lua" "$SAMPLES")
theirs=$2 theirs_user=$3
cmp "$dir/dump.lua" "$dir/fprintf.lua" || exit 1
rm "$dir/fprintf.lua"
bytes=$(wc -c <"$dir/dump.lua")
note "$columns columns, a file of" "$(calc "$bytes / 1e6" 0)" MB
note "dump" "$(calc "$bytes / 1e6 / $ours" 0)" MB/s
note "fprintf a value, the same file" "$(calc "$bytes / 1e6 / $theirs" 0)" MB/s
figure "times as fast as fprintf, user time alone" \
    "$(calc "$theirs_user / $user")" "" 10 least
figure "times as fast as fprintf, with the kernel's writing" \
    "$(calc "$theirs / $ours")" "" 10 least
# a new file each time, as the dump is
copy() { rm -f "$dir/copy"; "$bench" run "$@" | cut -d' ' -f1; }
dd=999
for i in 1 2 3; do
	t=$(copy dd if="$dir/dump.lua" of="$dir/copy" bs=256k status=none)
	dd=$(calc "$t < $dd ? $t : $dd" 3)
done
cat=$(copy sh -c "cat '$dir/dump.lua' >'$dir/copy'")
rm -f "$dir/copy"
note "dd of the same size" "$(calc "$bytes / 1e6 / $dd" 0)" MB/s
note "cat of the same size" "$(calc "$bytes / 1e6 / $cat" 0)" MB/s
note "dd is, times as fast as fprintf" "$(calc "$theirs / $dd")" ""
figure "time of dd" "$(calc "$ours / $dd")" "" 1.5

# times_wc WHAT N FILE TARGET [OPTION]...: tally report of it, beside wc -l; the
# two by turns, since what else the machine does comes and goes.  Where it does a
# lot, CPU time says more than the clock.
times_wc() {
	what=$1 n=$2 file=$3 target=$4; shift 4
	ours=999 wc=999 cpu=999 wc_cpu=999
	while [ "$n" -gt 0 ]; do
		n=$((n - 1))
		t=$("$bench" run wc -l "$file")
		wc=$(calc "$(word 1 $t) < $wc ? $(word 1 $t) : $wc" 3)
		wc_cpu=$(calc "$(word 3 $t) < $wc_cpu ? $(word 3 $t) : $wc_cpu" 3)
		t=$("$bench" run "$B/tally" report "$@" "$file")
		ours=$(calc "$(word 1 $t) < $ours ? $(word 1 $t) : $ours" 3)
		cpu=$(calc "$(word 3 $t) < $cpu ? $(word 3 $t) : $cpu" 3)
	done
	figure "tally report $what, times wc -l" "$(calc "$ours / $wc")" "" "$target"
	note "by CPU time" "$(calc "$cpu / $wc_cpu")" ""
}
# both WHAT N TARGET TARGET: one thread, and all of them
both() {
	times_wc "of $1, one thread" "$2" "$dir/dump.lua" "$3" --jobs 1
	times_wc "of $1, $(nproc) threads" "$2" "$dir/dump.lua" "$4"
}

echo "--- reading that dump ($columns columns, $SAMPLES samples)"
wc=$(best 5 wc -l "$dir/dump.lua")
note "wc -l" "$(calc "$bytes / 1e6 / $wc" 0)" MB/s
both "a clean dump" 9 1.3 0.8
# lprocs are judged by one another, and are most of the columns; boxes are few
for metric in ipc dram_read; do
	figure "tally metrics -m $metric, times wc -l" \
	    "$(calc "$(best 5 "$B/tally" metrics -m $metric \
	    "$dir/dump.lua") / $wc")" "" 1
done
for c in report totals check; do
	[ $c = report ] || figure "tally $c, times wc -l" \
	    "$(calc "$(best 5 "$B/tally" $c "$dir/dump.lua") / $wc")" "" 2
	set -- $("$bench" run "$B/tally" $c --jobs 1 "$dir/dump.lua")
	figure "tally $c, resident at most, one thread" "$2" KiB 8192
	set -- $("$bench" run "$B/tally" $c "$dir/dump.lua")
	note "with $(nproc) threads" "$2" KiB
done
note "tally report of its last ten samples" \
    "$(calc "1000 * $(best 5 "$B/tally" report -s -10: "$dir/dump.lua")" 0)" ms
echo "--- a page about it"
rm -f "$dir/page.html"
page=$(best 3 "$B/tally" page --overwrite -o "$dir/page.html" "$dir/dump.lua")
figure "tally page, times tally report" \
    "$(calc "$page / $(best 3 "$B/tally" report "$dir/dump.lua")")" "" 2
note "tally page" "$page" s
figure "its size" "$(calc "$(wc -c <"$dir/page.html") / 1e6" 2)" MB 5
opened=
if command -v node >/dev/null && [ -d "$B/page/node_modules" ]; then
	opened=$(NODE_PATH=$B/page/node_modules node tests/page/opens.js \
	    "$dir/page.html")
fi
if [ -n "$opened" ]; then
	figure "first paint in Chromium" "$(word 1 $opened)" ms 1000
	figure "its lines drawn" "$(word 2 $opened)" ms 2000
else
	echo "SKIPPED opening it: no Chromium (make check-page gets what it needs)"
fi
rm "$dir/page.html"
echo "--- files for other programs"
# seconds of tally convert, the best of three
converts() {
	best 3 "$B/tally" convert "$1" --overwrite -o "$dir/out" "$dir/dump.lua"
}
# times_report OPTION: tally convert, beside tally report, CPU time; by turns, ten
# of each, as with wc -l
times_report() {
	ours=999 report=999
	for i in 1 2 3 4 5 6 7 8 9 10; do
		t=$("$bench" run "$B/tally" report "$dir/dump.lua")
		report=$(calc "$(word 3 $t) < $report ? $(word 3 $t) : $report" 3)
		t=$("$bench" run "$B/tally" convert "$1" --overwrite \
		    -o "$dir/out" "$dir/dump.lua")
		ours=$(calc "$(word 3 $t) < $ours ? $(word 3 $t) : $ours" 3)
	done
	figure "tally convert $1, times tally report" \
	    "$(calc "$ours / $report")" "by CPU time" 3
}
csv=$(converts --wide-csv) wide=$(converts --parquet)
figure "tally convert --parquet, times --wide-csv" "$(calc "$wide / $csv")" "" 1
times_report --parquet
note "tally convert --parquet" "$wide" s
note "its size, a value" \
    "$(calc "$(wc -c <"$dir/out") / $SAMPLES / $columns")" bytes
long=$(converts --parquet-long)
figure "tally convert --parquet-long, times --wide-csv" \
    "$(calc "$long / $csv")" "" 1
times_report --parquet-long
note "tally convert --parquet-long" "$long" s
note "its size, a value" \
    "$(calc "$(wc -c <"$dir/out") / $SAMPLES / $columns")" bytes
rm "$dir/out"
# 30 samples of 1191 columns
recorded() {
	"$B/tally" convert "$1" --overwrite -o "$dir/out" "$RECORDING" &&
		calc "$(wc -c <"$dir/out") / 30 / 1191"
}
note "the recording as a dump" \
    "$(calc "$(wc -c <"$RECORDING") / 30 / 1191")" "bytes a value"
note "CSV" "$(recorded --wide-csv)" "bytes a value"
note "CSV, gzip" "$(calc "$(gzip -c "$dir/out" | wc -c) / 30 / 1191")" \
    "bytes a value"
note "npy" "$(recorded --npy)" "bytes a value"
figure "Parquet, long" "$(recorded --parquet-long)" "bytes a value" 3
note "Parquet, wide" "$(recorded --parquet)" "bytes a value"
# where they are, and what longer runs come to
kinds="names, bounds, footer, page heads, levels, values"
note "$kinds" "$("$bench" parquet "$dir/out")" "bytes a column"
for n in 300 2000; do
	awk -v samples=$n -f tests/redraw.awk "$RECORDING" >"$dir/drawn.lua"
	"$B/tally" convert --parquet --overwrite -o "$dir/out" "$dir/drawn.lua"
	figure "Parquet, wide, of $n samples of such intervals" \
	    "$(calc "$(wc -c <"$dir/out") / $n / 1191")" "bytes a value" 3
	note "$kinds" "$("$bench" parquet "$dir/out")" "bytes a column"
done
rm "$dir/drawn.lua"
rm -f "$dir"/out*
rm "$dir/dump.lua"
"$bench" wrapping "$dir/dump.lua" "$SAMPLES" >/dev/null
both "a dump that wraps" 9 1.3 0.8
"$bench" shuffled "$dir/dump.lua" "$SAMPLES" >/dev/null
both "a shuffled dump" 3 12 12
rm "$dir/dump.lua"
if command -v valgrind >/dev/null; then
	figure "instructions of tally report on the recording" \
	    "$(calc "$(instructions "$dir/r" "$B/tally" report --jobs 1 "$RECORDING") / 1e6" 1)" \
	    million 16
else
	echo "SKIPPED report on the recording: valgrind is not there"
fi
if [ -r "${SCRIPT:-}" ] && command -v lua5.1 >/dev/null; then
	note "the original's script on the recording" \
	    "$(best 2 lua5.1 "$SCRIPT" "$RECORDING")" s
else
	echo "SKIPPED the original's own script: not shipped"
fi

echo "--- readers of a running daemon (the same node, 10 samples a second)"
# ns that a process has run so far
cpu() { read -r ns rest <"/proc/$1/schedstat" && echo "$ns"; }
samples() {
	"$B/tally" export prometheus --once "$dir/store" 2>/dev/null |
	    sed -n 's/^tallyd_samples_total //p'
}
# us of CPU a sample of the daemon, of twenty
a_sample() {
	from=$(cpu $daemon) n=$(samples)
	sleep 2
	to=$(cpu $daemon) m=$(samples)
	calc "($to - $from) / 1000 / ($m - $n)"
}
scrape() { curl -s --unix-socket "$dir/socket" http://node/metrics; }
"$B/tallyd" -q --sim @skx-8160-2s -i 0.1 -n 6000 --share \
	--store "$dir/store" -o "$dir/node.lua" </dev/null >"$dir/log" 2>&1 &
daemon=$! started=$!
until "$B/tally" export prometheus --once "$dir/store" >/dev/null 2>&1; do
	kill -0 $daemon || { cat "$dir/log"; exit 1; }
	sleep 0.1
done
if command -v curl >/dev/null; then
	"$B/tally" export prometheus --listen "$dir/socket" \
		-S box,package,node "$dir/store" 2>"$dir/log" &
	exporter=$! started="$started $!"
	until scrape >"$dir/page" && [ -s "$dir/page" ]; do sleep 0.1; done
	from=$(cpu $exporter)
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		sleep 0.11              # a page is kept for 0.1 s
		scrape >"$dir/page"
	done
	to=$(cpu $exporter)
	note "series of a page (box, package, node)" \
	    "$(grep -c '^tallyd' "$dir/page")" ""
	figure "CPU of a scrape, with a sample that came since" \
	    "$(calc "($to - $from) / 20e6")" ms 5
	from=$to
	i=0
	while [ $i -lt 200 ]; do scrape; i=$((i + 1)); done >/dev/null
	note "of one of 200 scrapes at once" \
	    "$(calc "($(cpu $exporter) - $from) / 200e6")" ms
	figure "memory of the exporter, at most" \
	    "$(calc "$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' \
	    "/proc/$exporter/status") / 1024" 1)" MB 10
else
	echo "SKIPPED scrapes: curl is not installed"
fi
alone=999999 read=999999
for turn in 1 2 3; do
	t=$(a_sample)
	alone=$(calc "$t < $alone ? $t : $alone")
	readers=
	for i in 1 2 3 4 5 6 7 8 9 10; do
		"$B/tally" export influx "$dir/store" >/dev/null 2>&1 &
		readers="$readers $!"
	done
	started="$started $readers"
	t=$(a_sample)
	read=$(calc "$t < $read ? $t : $read")
	kill $readers
	started="$daemon ${exporter:-}"
	wait $readers
done
note "CPU of a sample, with nobody who reads" "$alone" us
note "with ten who read each sample" "$read" us
figure "the one, times the other" "$(calc "$read / $alone")" "" 1.1

echo "bench: $missed targets missed"
