#!/bin/bash
# What applications feel of tallyd on this machine: fixed work on every lproc
# (tests/vm/feel.c), without it and beside it, at 1 and at 10 samples a second in
# every way to read.  What there is to sample here: the kernel's software events
# (root's), and a directory tree of 8 lprocs, whose files take longer to read than
# registers do.  Ways take turns; each figure is the median of ROUNDS rounds of
# SECONDS, with the least and the most of "lost" behind it: what other work on this
# machine takes is in it, and what differs by less than without tallyd from round
# to round says nothing.
#
#   lost      us a second that pieces took beyond what undisturbed ones take
#   waited    us a second that the kernel let the work wait for another thread
#   99.9 %    of the pieces, of about 1 ms, took no longer, us
set -u
B=${B:-build} ROUNDS=${ROUNDS:-7} SECONDS_OF=${SECONDS_OF:-4}
case $B in /*) ;; *) B=$PWD/$B ;; esac
dir=$(mktemp -d /tmp/tallyd-feel.XXXXXX) tree=$("$B/tests/bench" tree)
trap '[ ! -s "$dir/pid" ] || kill $(cat "$dir/pid") 2>/dev/null; rm -rf "$dir" "$tree"' EXIT
trap 'exit 1' INT TERM HUP
rounds=$("$B/tests/feel") ways='none files/visit files/remote files/pinned'
"$B/tallyd" -q -c @software --access perf -n 1 --overwrite -o "$dir/d.lua" 2>/dev/null &&
	ways="$ways software/visit software/remote software/pinned"

# one HZ WAY: a line of feel, as in its table
one() {
	case $2 in
	files/*) set -- "$1" "$2" env LD_PRELOAD="$B/tests/msr_shim.so" "$B/tallyd" --root "$tree" ;;
	software/*) set -- "$1" "$2" "$B/tallyd" -c @software --access perf ;;
	*) set -- "$1" "$2" ;;
	esac
	hz=$1 way=$2
	shift 2
	[ $# -eq 0 ] || "$@" -q -i "$(awk "BEGIN { print 1 / $hz }")" --read "${way#*/}" \
		--overwrite -o "$dir/d.lua" -b --pidfile "$dir/pid" || return
	"$B/tests/feel" "$SECONDS_OF" "$rounds"
	[ $# -eq 0 ] || { kill "$(cat "$dir/pid")"; while [ -e "$dir/pid" ]; do sleep 0.1; done; }
}

for round in $(seq "$ROUNDS"); do for hz in 1 10; do for way in $ways; do
	line=$(one $hz $way) && [ -n "$line" ] && echo "$way $hz $line"
done; done; done >"$dir/felt"
echo "$(nproc) lprocs, pieces of $(sort -k4n "$dir/felt" | awk 'NR == 1 { print $4 }') us; medians of $ROUNDS rounds of $SECONDS_OF s"
printf '%-16s %3s %9s %19s %9s %9s %8s\n' way Hz 'lost us/s' '(least to most)' waited '99.9 % us' 'put off'
# column WAY HZ N: sorted
column() { awk -v w="$1" -v hz="$2" -v n="$3" '$1 == w && $2 == hz { print $n }' "$dir/felt" | sort -n; }
middle() { awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
for hz in 1 10; do for way in $ways; do
	[ -n "$(column $way $hz 5)" ] || continue
	printf '%-16s %3d %9.0f %19s %9.1f %9.0f %8.2f\n' $way $hz "$(column $way $hz 5 | middle)" \
		"($(column $way $hz 5 | sed -n '1p') to $(column $way $hz 5 | tail -1))" "$(column $way $hz 6 | middle)" \
		"$(column $way $hz 7 | middle)" "$(column $way $hz 8 | middle)"
done; done
