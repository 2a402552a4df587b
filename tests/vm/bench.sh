# The first figures of `make bench-vm`: run by the guest of the boot "bench",
# which has live registers.  Every way to read is tallyd itself, with its default
# configuration; ways take turns.  Per sample: wall time (median, and nine in ten
# stay below), skew (the last stamp less the first, median) and CPU time of the
# process, by what the dump says; and, of the whole guest beyond what it does by
# itself, context switches, and an lproc reschedule interrupts (RES) and calls of
# functions (CAL).  "original" is the order of the program that tallyd replaces
# (bench_read.c), which stamps nothing.  What is not begun after 40 minutes, where the
# host gives the guest little time, is left out, and said.
. /cases.sh
. /cases_live.sh
cd /tmp
modprobe msr
live >/dev/null
lprocs=$(nproc)

# numbers of the whole guest since boot: seconds, switches, RES, CAL
counts() {
	cut -d' ' -f1 /proc/uptime
	sed -n 's/^ctxt //p' /proc/stat
	for line in RES CAL; do
		sed -n "s/^ *$line: *//p" /proc/interrupts | awk '{
			for (i = 1; $i ~ /^[0-9]+$/; i++) n += $i; print n }'
	done
}

# over SECONDS FILE: what they go up by meanwhile, a line more of the file
over() {
	set -- "$1" "$2" $(counts)
	sleep "$1"
	echo "$3 $4 $5 $6" $(counts) | awk '{ print $5 - $1, $6 - $2, $7 - $3, $8 - $4 }' >>"$2"
}

# one WAY INTERVAL SECONDS ROUND: with a loop on each lproc where $load says so,
# begun when tallyd samples already: a start takes minutes there
one() {
	case $1 in
	none) loops; over $3 none.counts; no_loops ;;
	original) bench_read / @default-skx $(awk "BEGIN { print int($3 / $2) }") 1 \
		$(awk "BEGIN { print $2 * 1000 }") original >>original.said ;;
	*)	tallyd -q -i $2 --read $1 --overwrite -o $1.$4.lua -b --pidfile pid
		loops
		sleep 2
		kill -USR2 "$(cat pid)"
		over $3 $1.counts
		kill -USR2 "$(cat pid)"
		no_loops
		kill "$(cat pid)"
		soon test ! -e pid ;;
	esac
}

# late: is it too late to begin anything?
late() { [ "$(cut -d. -f1 /proc/uptime)" -gt 2400 ]; }

# A loop on each lproc, nice enough for this script to get on beside it.
spinners=
loops() {
	[ "$load" != idle ] || return 0
	for n in $(seq 0 $((lprocs - 1))); do
		taskset -c $n sh -c 'while :; do :; done' &
		renice -n 19 -p $! >/dev/null
		spinners="$spinners $!"
	done
}
no_loops() { [ -z "$spinners" ] || kill $spinners; spinners=; }

# dumps WAY: of its samples between the two marks, microseconds of wall time, skew
# and CPU of each, a line each
dumps() {
	for f in $1.*.lua; do
		hz=$(sed -n 's/^tsc_hz = //p' $f)
		from=$(sed -n 's/^phase_mark\[0\] = //p' $f)
		to=$(sed -n 's/^phase_mark\[1\] = //p' $f)
		grep -E '^(lproc_tsc|pkg_tsc|sample_cpu_ns|sample_duration_ns)\[' $f |
			tr '[]' '  ' | awk -v hz=$hz -v from=$from -v to=$to '
			/_tsc / { if (!base) base = $5
				t = $5 - base
				if (!($3 in lo) || t < lo[$3]) lo[$3] = t
				if (!($3 in hi) || t > hi[$3]) hi[$3] = t }
			/^sample_cpu/ { cpu[$2] = $4 }
			/^sample_dur/ { wall[$2] = $4 }
			END { for (i = from; i < to; i++) print wall[i] / 1e3,
				(hi[i] - lo[i]) / hz * 1e6, (cpu[i] - cpu[i - 1]) / 1e3 }'
	done
}

# at COLUMN PART FILE: the value that so many of its numbers do not exceed
at() { awk "{ print \$$1 }" "$3" | sort -n | awk "{ v[NR] = \$1 } END { print v[int((NR - 1) * $2) + 1] }"; }

# measured LOAD INTERVAL SECONDS ROUNDS WAY...
measured() {
	load=$1 interval=$2 seconds=$3 rounds=$4
	shift 4
	rm -f *.lua *.counts *.us original.said
	for round in $(seq $rounds); do for w; do
		if late; then echo "# no time was left for: $load, $w, round $round"
		else one $w $interval $seconds $round; fi
	done; done
	[ -e none.counts ] || return 0
	echo "# bench: $lprocs lprocs, $load, a sample every $interval s"
	printf '%-9s %9s %9s %9s %9s %9s %8s %8s %8s\n' way 'wall us' '90 %' 'skew us' \
		'cpu us' switches 'RES' 'CAL' samples
	# what goes on by itself a second
	quiet=$(awk '{ for (i = 1; i <= 4; i++) n[i] += $i }
		END { print n[2] / n[1], n[3] / n[1], n[4] / n[1] }' none.counts)
	[ ! -e original.said ] ||
		awk -v l=$lprocs -v i=$interval -v quiet="$quiet" '/^original/ { split(quiet, q, " "); n++
		wall += $2; high += $3; cpu += $5; cal += $7; res += $8; sw += $9 }
		END { printf "%-9s %9.0f %9.0f %9s %9.0f %9.1f %8.2f %8.2f\n", "original", wall / n,
		high / n, "-", cpu / n, sw / n - q[1] * i, (res / n - q[2] * i) / l, (cal / n - q[3] * i) / l }' original.said
	for w in $modes; do
		[ -e $w.counts ] || continue
		dumps $w >$w.us
		[ -s $w.us ] || { printf '%-9s no sample was taken in that time\n' $w; continue; }
		printf '%-9s %9.0f %9.0f %9.0f %9.0f' $w $(at 1 0.5 $w.us) $(at 1 0.9 $w.us) \
			$(at 2 0.5 $w.us) $(awk '{ n += $3 } END { print n / NR }' $w.us)
		awk -v l=$lprocs -v i=$interval -v quiet="$quiet" '{ for (k = 1; k <= 4; k++) n[k] += $k }
			END { split(quiet, q, " "); printf " %9.1f %8.2f %8.2f", (n[2] / n[1] - q[1]) * i,
			(n[3] / n[1] - q[2]) * i / l, (n[4] / n[1] - q[3]) * i / l }' $w.counts
		printf ' %8d\n' $(wc -l <$w.us)
	done
}

# took COMMAND...: seconds, of the quickest of three
took() {
	for k in 1 2 3; do
		began=$(cut -d' ' -f1 /proc/uptime)
		"$@" >/dev/null 2>&1
		echo $began $(cut -d' ' -f1 /proc/uptime)
		[ ! -e pid ] || { kill "$(cat pid)"; soon test ! -e pid; }
	done | awk '!n++ || $2 - $1 < least { least = $2 - $1 } END { printf "%.2f", least }'
}
# -b is back when the first sample is in
first_row() { tallyd -q --overwrite -o b.lua -b --pidfile pid --read $1; }
echo "# bench: $lprocs lprocs, seconds to the first sample: visit $(took first_row visit), pinned" \
	"$(took first_row pinned), auto $(took first_row auto); --check $(took tallyd --check)"
echo "# bench: default-skx: $(tallyd --dry-run | grep -c '^read ') registers"
measured idle 0.25 5 3 none original $modes
echo "# bench: what --read auto measures at start"
tallyd -q -i 0.1 -n 1 --overwrite -o b.lua
grep -h '^read_mode\|^read_us\[' b.lua
# not in the original's order: a sample takes a minute there
measured 'a busy loop on each' 1 40 1 none $modes
echo "# end"
