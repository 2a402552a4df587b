#!/bin/sh
# A service's life in segments, by virtual time: MONTH seconds of one sample each
# (two days; a month is 2592000), an hour a segment, 48 kept.
#
#   each segment's first sample is the last one of the segment before, line by line
#   no more than 48 are left, and tally takes them as one run, without a seam
#   the daemon's memory at the end is what it was after the first segments
#
#   MONTH=2592000 tests/month.sh
set -u
B=${B:-build}
case $B in /*) ;; *) B=$PWD/$B ;; esac
month=${MONTH:-172800}
dir=$(mktemp -d "${TMPDIR:-/tmp}/tallyd-month.XXXXXX") || exit 1
[ -n "${KEEP:-}" ] || trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
cd "$dir" || exit 1
status=0
ok() { echo "ok $1"; }
failed() { echo "FAILED $1"; status=1; }

printf 'core fixed\n' >few.conf
# The lines of a sample, without its number; of the daemon, what it takes.
cat >each.sh <<'END'
export LC_ALL=C
last=$(($(sed -n 's/^samples = //p;/^tsc\[0\]/q' "$1") - 1))
sample() {
	grep -F "[$1] = " "$2" |
	sed -nE "/^(tsc|lproc_tsc|pkg_tsc|walltime|core_fixed|sample_)/{
		/= \{/d; s/\[$1\] = / /p; }"
}
sample 0 "$1" >first
[ ! -e seam ] || cmp first seam >>differ 2>&1
sample $last "$1" >seam
wc -l <seam >>seen
grep VmRSS /proc/$(cat pid)/status 2>/dev/null | awk '{ print $2 }' >>rss
cat >"$1.kept"
END
"$B/tallyd" -q --sim @c2758 --virtual-time -c few.conf -i 1 -n "$month" \
	--segment 1h --keep 48 --pipe "sh each.sh %s" -o run.lua >log 2>&1 \
	</dev/null &
pid=$!
echo $pid >pid
wait $pid || { cat log; failed the_run_ends_well; }
# a daemon does not wait for ever for a program that a slow machine holds up
looks=0
while [ $looks -lt 6000 ] && { ls run.0*.lua >/dev/null 2>&1 ||
	[ "$(ls run.0*.kept | wc -l)" -gt 48 ]; }; do
	looks=$((looks + 1))
	sleep 0.1
done

hours=$(wc -l <seen)
[ "$hours" -ge $((month / 3600)) ] && [ ! -s differ ] &&
	ok each_of_"$hours"_segments_begins_with_the_last_sample_of_the_one_before ||
	failed each_segment_begins_with_the_last_sample_of_the_one_before
left=$(ls run.0*.kept | wc -l)
[ "$left" -le 48 ] && [ "$left" -ge $((hours < 48 ? hours : 48)) ] && [ "$(ls run.0*.lua 2>/dev/null | wc -l)" = 0 ] &&
	ok no_more_than_48_segments_are_left ||
	failed "no_more_than_48_segments_are_left: $left"
"$B/tally" check run.0*.kept >check 2>&1
grep -q "sound" check && ! grep -q "seam" check &&
	ok those_that_are_left_are_one_run_without_a_seam ||
	{ cat check; failed those_that_are_left_are_one_run_without_a_seam; }
# of the first quarter and of the last: the largest
quarter=$(($(wc -l <rss) / 4))
early=$(head -n $((quarter + 2)) rss | sort -n | tail -n 1)
late=$(tail -n $((quarter + 1)) rss | sort -n | tail -n 1)
[ -n "$early" ] && [ "$late" -le $((early + early / 10 + 256)) ] &&
	ok "memory_is_flat: $early kB, then $late kB" ||
	failed "memory_is_flat: $early kB, then $late kB"
exit $status
