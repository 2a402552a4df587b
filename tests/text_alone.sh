#!/bin/sh
# A page, a row on the first page, a view of one's own and a metric are added by
# text alone, as doc/contributing.md says: on copies of the texts, with everything
# else as it was built.  B: the folder of what was built.
set -u
cd "$(dirname "$0")/.." || exit 1
B=${B:-build}
W=$(mktemp -d "${TMPDIR:-/tmp}/text_alone.XXXXXX") || exit 1
trap 'rm -rf "$W"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# holds WHAT FILE LINE: does the file have a line with these words?
holds() {
	grep -qF -- "$3" "$2" && return
	echo "$1: no line with \"$3\" in:"
	head -40 "$2"
	failed=1
}

mkdir -p "$W/config/page" "$W/config/metrics"
cp config/page/*.view "$W/config/page" && cp config/metrics/*.metrics \
	"$W/config/metrics" || exit 1

# a metric
printf '%s\n' 'metric two_thirds node "kHz" "two thirds of the TSC"' \
	'	= tsc / time / 1500' >>"$W/config/metrics/skx.metrics"
# a row on the first page
sed 's/^heading "Floating point"/row two_thirds 1 "TSC, two thirds"\n&/' \
	config/page/node.view >"$W/config/page/node.view"
# a page
cat >"$W/config/page/small.view" <<'END'
heading "In short"
row utilisation 0 "busy"
row two_thirds 0 "two thirds"
table core core "Cores"
	two_thirds 1 "2/3"
END
# a view of one's own
printf '%s\n' 'include "@small"' 'heading "Mine"' \
	'row dram_read 1 "read from DRAM"' >"$W/own.view"

# the texts as they are now, built in
awk -v at="$W" -F '"' '{ copy = at "/" $4
	if ((getline line < copy) > 0) { close(copy); sub(/"config\//, "\"" at "/config/") }
	print; n++ }
END { printf "TEXT(%d, \"small.view\", \"%s/config/page/small.view\")\n", n, at }' \
	"$B/texts.inc" >"$W/texts.inc"
flags="-std=c11 -D_GNU_SOURCE -I$W -I. ${SAN:+-fsanitize=$SAN}"
objects=$(find lib regs topology config postproc -name '*.c' ! -path config/texts.c |
	sed "s|^|$B/|; s|c\$|o|")
${CC:-cc} $flags -c -o "$W/texts.o" config/texts.c &&
	${CC:-cc} $flags ${LDFLAGS-} -pthread -o "$W/tally" $objects \
	"$W/texts.o" ${LDLIBS-} -lm || exit 1

"$B/tallyd" -q --virtual-time --sim @skx-8160-2s -n 5 -o "$W/run.lua" || exit 1
"$W/tally" report "$W/run.lua" >"$W/report"
holds 'a row on the first page' "$W/report" '  TSC, two thirds             kHz'
holds 'the other rows' "$W/report" '  utilisation                 %'
"$W/tally" report --view @small "$W/run.lua" >"$W/small"
holds 'a page' "$W/small" 'In short'
holds 'its row' "$W/small" '  two thirds                  kHz'
"$W/tally" report --view "$W/own.view" "$W/run.lua" >"$W/own"
holds 'a view of one'"'"'s own' "$W/own" '  read from DRAM              GB/s'
holds 'what it includes' "$W/own" 'In short'
"$W/tally" metrics -m two_thirds "$W/run.lua" >"$W/metrics"
holds 'a metric' "$W/metrics" two_thirds
"$W/tally" page -o "$W/page.html" "$W/run.lua"
holds 'the row in the table of the page' "$W/page.html" 'TSC, two thirds'
"$W/tally" page --view "$W/own.view" -o "$W/own.html" "$W/run.lua"
holds 'a page of one'"'"'s own view' "$W/own.html" 'read from DRAM'
exit $failed
