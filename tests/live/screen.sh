#!/usr/bin/env bash
# tally live under a real tmux, of a node that is simulated in real time: what is
# on the screen at 60, 80, 132 and 200 columns (tests/data/live/node-*.txt, all
# numbers as N), that a storm of sizes leaves nothing wrong on it, and that
# whatever ends the program leaves the terminal as it was.
#
#   B=build tests/live/screen.sh [--keep]   --keep: screens become the expected
set -u
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/../.." || exit 2
B=$(realpath "${B:-build}")
command -v tmux >/dev/null || { echo "skipped screen: not installed: tmux"; exit 0; }
d=$(mktemp -d /tmp/tallyd-screen.XXXXXX)
mux() { tmux -u -S "$d/tmux" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null; kill $daemon 2>/dev/null; wait; rm -rf "$d"' EXIT
daemon= passed=0 failed=0

verdict() {     # STATUS WHAT [FILE]: and the file where it failed
	if [ "$1" = 0 ]; then
		echo "ok    tally live: $2"
		passed=$((passed + 1))
	else
		echo "FAIL  tally live: $2"
		[ $# -lt 3 ] || sed 's/^/      /' "$3" | head -30
		failed=$((failed + 1))
	fi
}

# until_true COMMAND...: until it succeeds; what takes three minutes never will
until_true() {
	local looks=0
	until "$@" >/dev/null 2>&1; do
		looks=$((looks + 1))
		[ $looks -lt 1800 ] || return 1
		sleep 0.1
	done
}

screen() { mux capture-pane -p >"$d/now"; }
shows() { screen; grep -q -e "$1" "$d/now"; }
keys() { mux send-keys "$@"; }
size() { mux resize-window -x "$1" -y "$2"; }

first_screen() {
	[ "$(mux display-message -p '#{alternate_on} #{cursor_flag}')" = '0 1' ]
}
live() { keys "$B/tally live $d/store" Enter; }
ended() { until_true first_screen; }

# ---- a node -------------------------------------------------------------------

sed -e '/^phase idle$/d' -e 's/^phase idle .*/phase idle 1/' \
	-e 's/^phase stream .*/phase stream/' \
	config/machines/skx-8160-2s.machine >"$d/node.machine"
# of both packages: 6 channels of 64 bytes each
read_gb=$(awk '/^event imc 0x0304/ && /pkg=/ { sub(/.*stream=/, "")
	sum += $1 } END { printf "%.3f", sum * 6 * 64 / 1e9 }' "$d/node.machine")
node() {
	"$B/tallyd" -q --sim "$d/node.machine" -i 0.2 -n 36000 --share \
		--store "$d/store" --overwrite -o "$d/node.lua" \
		>"$d/tallyd.log" 2>&1 </dev/null &
	daemon=$!
}
node
# until idle is out of the last interval, and of the last minute's noise
until_true "$B/tally" live --once "$d/store" || {
	cat "$d/tallyd.log"
	echo "tallyd does not sample"
	exit 1
}
mux new-session -d -x 80 -y 60 "env -u NO_COLOR LC_ALL=C.UTF-8 bash --norc" \
	</dev/null
sleep 3

# ---- what is on it ------------------------------------------------------------

# Numbers as N, spans as T, a past as nothing: what is left is the same each time.
masked() {
	sed -E -e 's/[▁▂▃▄▅▆▇█]+//g' -e 's/ +-?[0-9]+(\.[0-9]+)?/ N/g' \
		-e 's/^[0-9:]+ UTC/TIME/' -e 's/ N (s|min)\>/ T/g' -e 's/  *$//'
}

as_expected() { # WIDTH
	screen
	masked <"$d/now" >"$d/masked"
	[ "$keep" = "" ] || cp "$d/masked" "tests/data/live/node-$1.txt"
	diff "tests/data/live/node-$1.txt" "$d/masked" >"$d/differ"
}
keep=${1:-}

keys "stty -a >$d/before; clear; echo here before" Enter
until_true shows '^here before$'
live
until_true shows 'last 3 min'
for width in 60 80 132 200; do
	size $width 60
	[ "$keep" = "" ] || sleep 2
	until_true as_expected $width
	verdict $? "the screen of $width columns" "$d/differ"
	! grep -q "^.\{$((width + 1))\}" "$d/now"
	verdict $? "nothing is wider than $width columns" "$d/now"
done
keep=
# between two samples of which neither was held up by a busy machine
reads() {
	screen
	grep 'read bandwidth' "$d/now" | awk -v e="$read_gb" '
		{ good = $4 / e > 0.99 && $4 / e < 1.01 } END { exit !good }'
}
until_true reads
verdict $? "read bandwidth is the machine's $read_gb GB/s" "$d/now"
for view in c l d n; do
	size 132 60
	keys $view
	case $view in
	c) want='^Cores .*busy %.*Ginst/s' ;;
	l) want='^Lprocs .*busy %' ;;
	d) want='^PCIe ports, MB/s' ;;
	n) want='^Memory .*numa 1' ;;
	esac
	until_true shows "$want"
	verdict $? "key $view: $want" "$d/now"
done
keys p f
until_true shows '^FROZEN'
head -1 "$d/now" >"$d/frozen"
sleep 1
screen
head -1 "$d/now" | cmp -s - "$d/frozen"
verdict $? "a frozen page stands still" "$d/now"
keys f

# ---- sizes --------------------------------------------------------------------

size 20 5
until_true shows '^20 columns: needs 60$'
verdict $? "20 columns: one line" "$d/now"
RANDOM=7
for i in $(seq 80); do
	size $((RANDOM % 220 + 10)) $((RANDOM % 70 + 2))
	sleep 0.02
done
size 80 60
until_true as_expected 80
verdict $? "after a storm of 80 sizes the screen of 80 columns" "$d/differ"

# ---- the daemon ---------------------------------------------------------------

kill -KILL $daemon
wait $daemon 2>/dev/null
until_true shows 'its tallyd has ended'
verdict $? "a daemon that was killed is said" "$d/now"
rm -f "$d/store"
node
until_true shows '^sound: sample'
verdict $? "the next one is found" "$d/now"

# ---- endings ------------------------------------------------------------------

as_it_was() {   # WHAT STATUS
	ended
	verdict $? "$1: its first screen, and a cursor"
	until_true shows '^here before$'
	verdict $? "$1: what was on the screen is there again" "$d/now"
	rm -f "$d/status"
	keys "echo \$? >$d/status" Enter
	until_true test -s "$d/status"
	[ "$(cat "$d/status" 2>/dev/null)" = "$2" ]
	verdict $? "$1: status $2" "$d/status"
	rm -f "$d/after"
	keys "stty -a >$d/after" Enter
	until_true test -s "$d/after"
	# a line of it has the size
	diff <(sed 's/rows [0-9]*; columns [0-9]*;//' "$d/before") \
		<(sed 's/rows [0-9]*; columns [0-9]*;//' "$d/after") >"$d/differ"
	verdict $? "$1: stty -a as before" "$d/differ"
}
pid() { pgrep -n -f "^$B/tally live $d/store"; }
again() {
	keys "clear; echo here before" Enter
	until_true shows '^here before$'
	live
	until_true shows 'q quit'
}
keys C-c
as_it_was '^C' 130
for end in 'TERM 143' 'HUP 129' 'QUIT 131' 'INT 130'; do
	set -- $end
	again
	kill -"$1" "$(pid)"
	as_it_was "SIG$1" "$2"
done
again
keys q
as_it_was q 0
again
keys C-z
until_true shows Stopped
verdict $? "^Z stops it, and the shell is there" "$d/now"
keys fg Enter
until_true shows 'q quit'
verdict $? "fg: it is back" "$d/now"
size 100 30
until_true shows '^.\{90\}'
keys q
ended
verdict $? "and ends as ever"

# ---- colours, and no screen ---------------------------------------------------

again
mux capture-pane -e -p | grep -q "$(printf '\033')\\["
verdict $? "colours where the terminal has them"
keys q
ended
keys "export NO_COLOR=1" Enter
again
! mux capture-pane -e -p | grep -q "$(printf '\033')\\[[0-9;]*[1-9]m"
verdict $? "none with NO_COLOR"
keys q
ended
keys "export LC_ALL=C" Enter
again
until_true shows 'temperature .* ##*$'
verdict $? "ASCII where the locale is no UTF-8" "$d/now"
keys q
ended

said() {        # WHAT WORDS COMMAND...: one line of such words, no success
	local what=$1 words=$2
	shift 2
	! "$@" >"$d/said" 2>&1 </dev/null && [ "$(wc -l <"$d/said")" = 1 ] &&
		grep -q -e "$words" "$d/said"
	verdict $? "$what: one line" "$d/said"
}
said 'no terminal' 'is no terminal' "$B/tally" live "$d/store"
said 'no such store' 'No such file' "$B/tally" live "$d/none"
printf 'x' >"$d/junk"
said 'no store' 'junk' "$B/tally" live --once "$d/junk"
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	in_shm() {      # with a /dev/shm of its own, where $1 daemons sample
		unshare -m --propagation private sh -c '
			mount -t tmpfs none /dev/shm && mount -t tmpfs none /run
			B=$1 daemons=
			for i in $(seq $2); do
				$B/tallyd -q --sim @skx-8160-2s -i 0.2 -n 900 \
					--share -o /dev/shm/$i.lua \
					>/dev/null 2>&1 </dev/null &
				daemons="$daemons $!"
			done
			looks=0
			until [ "$(ls -d /dev/shm/*.store /run/tallyd/*.store \
				2>/dev/null | wc -l)" -ge $2 ] ||
				[ $looks -ge 1800 ]; do
				looks=$((looks + 1))
				sleep 0.1
			done
			$B/tally live --once
			rc=$?
			[ -z "$daemons" ] || kill $daemons
			wait
			exit $rc' sh "$B" "$1"
	}
	said 'nowhere a store' 'store' in_shm 0
	said 'two stores' 'store' in_shm 2
fi

# ---- scripts ------------------------------------------------------------------

"$B/tally" live --csv -n 3 -v core "$d/store" >"$d/csv"
awk -F, 'NR == 1 { n = NF } NF != n || n < 100 { bad = 1 }
	NR > 1 && $1 != last + 1 && NR > 2 { bad = 1 }
	{ last = $1 } END { exit bad || NR != 4 }' "$d/csv"
verdict $? "--csv -n 3: a header, and a line a sample" "$d/csv"
"$B/tally" live -n 2 "$d/store" >"$d/text"
[ "$(grep -c 'read bandwidth' "$d/text")" = 2 ] &&
	! grep -q "$(printf '\033')" "$d/text"
verdict $? "-n 2: two pages of plain text" "$d/text"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
