#!/usr/bin/env bash
# usage: tests/many/run.sh [DUMPS]
# Ten thousand dumps of 60 samples, of nodes whose figures are known: merged at
# once, in bounded memory and with few descriptors, and as summaries in ten groupings
# by chance, which have to say the same to the byte.
set -u
cd "$(dirname "$0")/../.." || exit 1
tally=$PWD/${B:-build}/tally
n=${1:-10000}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
bad=0
fail() { echo "tests/many: $*"; bad=1; }

# Node i reads 10 + i % 100 / 100 GB a second, and writes half of that for the
# first half of its time, nothing after it; node 77 reads 20.
mkdir d
awk -v n="$n" 'BEGIN {
	for (i = 0; i < n; i++) {
		f = sprintf("d/n%05d.lua", i)
		gb = i == 77 ? 20 : 10 + i % 100 / 100
		printf "host = \"n%05d\"\ncpu = \"made up %d\"\n" \
		    "TSC_ratio = 20\nnr_cpus = 2\n", i, i % 2 >f
		for (k = 0; k < 60; k++)
			printf "tsc[%d] = %d\nwalltime[0][%d] = %d\n" \
			    "walltime[1][%d] = %d\n" \
			    "imc_counts[0][0][\"CAS_COUNT.READS\"][%d] = %.0f\n" \
			    "imc_counts[0][0][\"CAS_COUNT.WRITES\"][%d] = %.0f\n", \
			    k, 2000000000 * k, k, 1700000000 + k, k, i, \
			    k, gb * 15625000 * k, \
			    k, gb * 7812500 * (k < 30 ? k : 30) >f
		close(f)
	}
}'

few() { ( ulimit -n 40; ulimit -v 600000; exec "$@" ); }
at=$(date +%s%N)
few "$tally" merge d/*.lua >whole 2>whole.said || fail "merge: status $?"
few "$tally" merge -q d/*.lua >whole.q 2>/dev/null || fail "merge -q: status $?"
echo "tests/many: $n dumps in $((($(date +%s%N) - at) / 1000000)) ms, twice"
few "$tally" merge --jobs 1 d/*.lua >alone 2>/dev/null
cmp -s whole alone || fail "--jobs 1 says something else"

# what is known of them, of any multiple of 1000
grep -qE "^dram_read +GB/s +$n +10.000 +10.495 +20.000 +n00077 *$" whole ||
	fail "$(grep '^dram_read ' whole)"
grep -q 'nodes differ in CPU: made up 0 (n00000 n00002 n00004 n00006 and' \
	whole.said || fail "CPUs: $(cat whole.said)"
# 59 intervals: 29 or 30 with writes
grep -E "^dram_write +GB/s +node +made up 1 +$((n / 2 * 59)) +0 +0.000 +0.000 +5\.[0-9]+ +5\.[0-9]+ +5\.[0-9]+ +10.000$" whole.q \
	>/dev/null || fail "$(grep '^dram_write ' whole.q)"

few "$tally" summarize -o all d/*.lua 2>/dev/null || fail "summarize: status $?"
echo "tests/many: a summary of all has $(wc -c <all) bytes, the dumps $(cat d/* | wc -c)"
"$tally" merge all >parts 2>/dev/null
cmp -s whole parts || fail "a summary of all says something else"

# A hundred pieces by chance, which go into two to thirty groups by chance, ten
# times; some groups into one more.
mkdir pieces
ls d/*.lua | awk 'BEGIN { srand(11) } { print >sprintf("pieces/%d", int(rand() * 100)) }'
for list in pieces/*; do
	xargs "$tally" summarize -o "$list.s" <"$list" 2>/dev/null ||
		fail "summarize: status $?"
done
"$tally" merge all >whole 2>whole.said
for seed in 1 2 3 4 5 6 7 8 9 10; do
	rm -rf g; mkdir g
	ls pieces/*.s | awk -v seed=$seed 'BEGIN { srand(seed); g = 2 + int(rand() * 29) }
	    { print >sprintf("g/%d", int(rand() * g)) }'
	for list in g/*; do
		xargs "$tally" summarize -o "$list.s" <"$list" 2>/dev/null ||
			fail "summarize of summaries: status $?"
	done
	some=$(ls g/*.s | head -n $((seed % 3 + 1)))
	"$tally" summarize -o g/more $some 2>/dev/null
	rm $some
	"$tally" merge $(ls g/*.s g/more | sort -R --random-source=pieces/1) \
		>parts 2>parts.said || fail "merge of summaries: status $?"
	"$tally" merge -q g/*.s g/more >parts.q 2>/dev/null
	cmp -s whole parts || fail "grouping $seed: other figures"
	cmp -s whole.q parts.q || fail "grouping $seed: other quantiles"
	cmp -s whole.said parts.said || fail "grouping $seed: other words"
done

# what is broken is named and left out, and all else is there
mkdir few
mv d/n0000*.lua few
"$tally" merge few/* >whole 2>/dev/null
d=few
: >$d/empty.lua
echo 'tally_summary = 1' >$d/cut.s; echo 'text[0] = "a' >>$d/cut.s
cp $d/n00004.lua $d/twice.lua
"$tally" merge $d/* >broken 2>broken.said && fail "broken files: status 0"
cmp -s whole broken || fail "broken files changed the figures"
for f in $d/empty.lua $d/cut.s:2; do
	grep -q "^tally: $f: " broken.said || fail "$f is not named"
done
grep -qE '^tally: few/(twice|n00004).lua: left out: the same samples' broken.said ||
	fail "what is there twice is not named"
[ $bad = 0 ] && echo "tests/many: passed"
exit $bad
