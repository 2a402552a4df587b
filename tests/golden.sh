#!/bin/sh
# Everything that the two programs print of all simulated machines, before and
# after a change that is to change nothing.
#
#   tests/golden.sh REV        builds REV beside this tree and compares
#   tests/golden.sh BUILD DIR  writes the outputs of the programs in BUILD to DIR
#
# Prints the files that differ, with their first differences; fails if any do.
# What differs between two runs of one program is left out: the CPU time that a
# sample took, and pids.
set -u

outputs() {
	B=$(cd "$1" && pwd) O=$2
	rm -rf "$O" && mkdir -p "$O" && cd "$O" || exit 1
	# run FILE COMMAND...: what it prints on both streams, and its status
	run() {
		file=$1; shift
		"$@" >"$file" 2>&1 </dev/null; echo "status $?" >>"$file"
	}
	# what is built in was once called by the names of the files
	at=@ conf= machine=
	"$B/tallyd" --list texts >/dev/null 2>&1 ||
		at= conf=.conf machine=.machine
	for m in skx-8160-2s icx-8358-2s hsx-2699-2s grace-2s grace-hopper \
	    c2758 skx-locked; do
		sim="$B/tallyd --sim $at$m$machine --virtual-time"
		run $m.check $sim --check
		run $m.dry-run $sim --dry-run
		for l in boxes events columns registers models; do
			run $m.$l $sim --list $l
		done
		configs=default
		case $m in
		skx-8160-2s) configs="default io-skx software" ;;
		icx*) configs="default io-icx" ;;
		c2758) configs="default memory all snoops" ;;
		skx-locked) configs="default io-skx" ;;
		esac
		for c in $configs; do
			d=$m.$c option=
			[ $c = default ] || option="-c $at$c$conf"
			run $d.start $sim $option -n 30 -o $d.lua
			[ -s $d.lua ] || continue
			sed -i '/^sample_cpu_ns/d' $d.lua
			run $d.replay $B/tallyd -q --replay $d.lua \
				--virtual-time -o $d.again.lua
			for t in totals deltas metrics head report "report --io" \
			    platform check; do
				for f in text csv json; do
					format="-f $f"
					case $t-$f in
					platform-text) format= ;;
					platform-*) continue ;;
					esac
					run "$d.$t.$f" $B/tally $t $format $d.lua
				done
			done
			run $d.window $B/tally report -s 3:17 $d.lua
			run $d.convert.csv $B/tally convert --wide-csv $d.lua
			run $d.each $B/tally metrics -e -f csv $d.lua
			run $d.histogram $B/tally histogram --metric dram_read $d.lua
		done
	done
	run merge $B/tally merge [a-r]*.lua skx-8*.lua
	run merge.csv $B/tally merge -f csv [a-r]*.lua skx-8*.lua
	original=${RECORDING##*/}
	ln -s "$RECORDING" .
	for t in totals deltas metrics report platform check; do
		run "recording.$t" $B/tally $t $original
	done
	run recording.replay $B/tallyd -q --replay $original \
		--virtual-time -o recording.lua
	rm $original
	for c in totals deltas metrics report histogram platform merge check \
	    convert dump; do
		run help.$c $B/tally $c --help
	done
	sed -i '/^sample_cpu_ns/d; /a tallyd that died left/d; s/-CONT [0-9]*/-CONT PID/' ./*
}

cd "$(dirname "$0")/.." || exit 1
RECORDING=build-golden/tests/data/original/c591-803.first30.perfcounts.lua
${MAKE:-make} -s B=build-golden $RECORDING || exit 1
RECORDING=$PWD/$RECORDING
if [ $# -eq 2 ]; then
	outputs "$1" "$2"
	exit
fi
rev=${1:?a revision to compare with} W=$PWD/build-golden
rm -rf "$W/tree" && mkdir -p "$W/tree" &&
	git archive "$rev" | tar -x -C "$W/tree" || exit 1
${MAKE:-make} -s -C "$W/tree" >/dev/null && ${MAKE:-make} -s >/dev/null || exit 1
(outputs "$W/tree/build" "$W/before")
(outputs build "$W/after")
echo "$(ls "$W/before" | wc -l) outputs, $(cat "$W/before"/* | wc -l) lines"
diff -rU0 "$W/before" "$W/after" >"$W/diff"
status=$?
head -60 "$W/diff" | cut -c1-160
exit $status
