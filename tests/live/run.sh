#!/usr/bin/env bash
# Real monitoring systems read a simulated node that runs in real time, and have
# the rates of its machine file within 1 %, through a wrap of 48 bits and one of
# 32.  Called by `make check-live`, as root (a network of its own, so that no
# port is taken), with what Debian has of: prometheus, prometheus-node-exporter,
# victoria-metrics, influxdb, collectd-core (libprotobuf-c1 libmicrohttpd12),
# snmpd, snmp; and `tally live` under tmux (tests/live/screen.sh).  What
# is not installed is named, and skipped.
#
#   SECONDS_OF=30   that the rates are over
set -u
cd "$(dirname "$0")/../.." || exit 2
B=$(realpath "${B:-build}") window=${SECONDS_OF:-30}
if [ "${1:-}" != inside ]; then
	unshare -n true 2>/dev/null &&
		exec unshare -n -m --propagation slave "$0" inside
	echo "no network of its own here: in this one's ports 9100 to 9106, 1161"
	for port in 9100 9101 9102 9103 9104 9105 9106; do
		(: <>/dev/tcp/127.0.0.1/$port) 2>/dev/null || continue
		echo "skipped check-live: somebody listens at port $port"
		exit 0
	done
	exec "$0" inside
fi
ip link set lo up 2>/dev/null || ifconfig lo up
d=$(mktemp -d /tmp/tallyd-live.XXXXXX)
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$d"' EXIT
chmod 755 "$d"
cp "$B/tally" "$d/tally"        # where a user who may do nothing finds it
passed=0 failed=0
. tests/live/systems.sh

# The node: STREAM from the first second on; the counters of DRAM wrap after
# some seven seconds, and so do those of energy.
sed -e '/^phase idle$/d' -e 's/^phase idle .*/phase idle 1/' \
	-e 's/^phase stream .*/phase stream/' \
	-e '/^msr 0x611 /s/init=0x[0-9a-f]*/init=0xff000000/' \
	config/machines/skx-8160-2s.machine >"$d/node.machine"
# what that file says of package 0: 6 channels of 64 bytes, 2^-14 J
read_bytes=$(awk '/^event imc 0x0304/ && /pkg=0/ { sub(/.*stream=/, "")
	printf "%.0f", $1 * 6 * 64 }' "$d/node.machine")
watts=$(awk '/^msr 0x611 / && /pkg=0/ { sub(/.*stream=/, "")
	printf "%.4f", $1 / 16384 }' "$d/node.machine")

# within VALUE EXPECTED: by 1 %?
within() {
	awk -v v="$1" -v e="$2" 'BEGIN { exit !(v != "" && v / e > 0.99 &&
	    v / e < 1.01) }'
}

# close SYSTEM WHAT EXPECTED COMMAND...: is what it prints that, within 1 %?  Who
# is held up by a busy machine takes a value for one of another time, and a gap
# for a window's end: in three minutes there are windows without.
close() {
	local who=$1 what=$2 expected=$3 value looks=0
	shift 3
	until value=$("$@") && within "$value" "$expected"; do
		looks=$((looks + 1))
		if [ $looks -ge 90 ]; then
			echo "FAIL  $who: $what is '$value', the machine's $expected"
			failed=$((failed + 1))
			return
		fi
		sleep 2
	done
	echo "ok    $who: $what is $value, the machine's $expected"
	passed=$((passed + 1))
}

# holds SYSTEM WHAT COMMAND...
holds() {
	local who=$1 what=$2
	shift 2
	if "$@" >"$d/said" 2>&1; then
		echo "ok    $who: $what"
		passed=$((passed + 1))
	else
		echo "FAIL  $who: $what"
		sed 's/^/      /' "$d/said" | tail -5 | cut -c 1-300
		failed=$((failed + 1))
	fi
}

# until_true COMMAND...: until it succeeds; what takes five minutes never will
until_true() {
	local looks=0
	until "$@" >/dev/null 2>&1; do
		looks=$((looks + 1))
		[ $looks -lt 1500 ] || return 1
		sleep 0.2
	done
}

"$B/tallyd" -q --sim "$d/node.machine" -i 0.1 -n 36000 --share \
	--store "$d/store" -o "$d/node.lua" 2>"$d/tallyd.log" &
daemon=$!
until_true "$B/tally" export prometheus --once "$d/store" || {
	cat "$d/tallyd.log"
	echo "tallyd does not sample"
	exit 1
}
"$B/tally" export prometheus --listen 9100 "$d/store" 2>"$d/export.log" &

chosen=
for system in $systems; do
	if missing=$("${system}_missing"); then
		"${system}_start"
		chosen="$chosen $system"
	else
		echo "skipped $system: not installed: $missing"
	fi
done
# every one has a first value; then a window, and a second one
have=
for system in $chosen; do
	if until_true "${system}_ready"; then
		have="$have $system"
	else
		echo "FAIL  $system: has no value after five minutes"
		failed=$((failed + 1))
	fi
done
chosen=$have
from=$(date +%s)
for system in $chosen; do until_true "${system}_first"; done
sleep "$window"
for system in $chosen; do "${system}_check"; done
echo "a window of $(($(date +%s) - from)) s"
wraps
kill $daemon
wait $daemon
ended
tests/live/screen.sh || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ $failed = 0 ]
