# `tests/vm/run.sh bench peers`: tallyd beside other programs that sample counters, in
# one guest with live registers, each once a second.  Of each the whole guest is
# measured, less what it does by itself: CPU time (what its lprocs were not idle),
# context switches, interrupts (reschedule and function calls), a sample; the CPU time
# of its own threads, with which a value is told (aim: 10 us); the memory of
# all its processes (PSS); and the control registers that are not as they were found
# after SIGKILL.  Wall time is by tallyd's own dumps and bench_read.  A value is what one
# sample has of one register: counted from the output, or known from the columns.
# likwid 5.2 and pcm 202302 ask the instruction CPUID for counters of the cores, which
# an emulated CPU has none of: there they end at once, and that is said.
. /cases.sh
. /cases_live.sh
cd /tmp
modprobe msr
# without msr-safe: what a stock kernel has
modprobe cpuid
insmod /live.ko batch=0
live >/dev/null
lprocs=$(nproc)
seconds=8 rounds=5

# what Linux lets everybody read of a core: five registers of each lproc
cat >core.conf <<'C'
core fixed
read aperf mperf
C

# busy us of all lprocs, switches, RES, CAL since boot; us of uptime
counts() {
	awk -v lprocs=$lprocs '/^cpu / { print ($2 + $3 + $4 + $7 + $8) * 10000 } /^ctxt/ { print $2 }' /proc/stat
	for line in RES CAL; do
		sed -n "s/^ *$line: *//p" /proc/interrupts | awk '{
			for (i = 1; $i ~ /^[0-9]+$/; i++) n += $i; print n }'
	done
	awk '{ print $1 * 1000000, $2 * 1000000 }' /proc/uptime
}

# own NAME: CPU time in ns of all threads of that name's processes
own() {
	for p in $(pidof "$1"); do cat /proc/$p/task/*/schedstat; done 2>/dev/null |
		awk '{ n += $1 } END { printf "%.0f\n", n }'
}

# over FILE [NAME]: what they go up by in $seconds, a line more of the file: seconds,
# busy us by what is not idle, switches, interrupts; us of that name's own
over() {
	name_of=${2:-none} began=$(own ${2:-none})
	set -- "$1" $(counts)
	sleep $seconds
	ended=$(own $name_of)
	echo "$*" $(counts) | awk -v own=$(((ended - began) / 1000)) -v lprocs=$lprocs '{ s = ($12 - $6) / 1e6
		print s, ($12 - $6) * lprocs - ($13 - $7), $9 - $3, $10 + $11 - $4 - $5, own }' >>"$1"
}

# memory NAME: PSS in kB of all processes of that name, and how many threads
memory() {
	for p in $(pidof "$1"); do
		sed -n 's/^Pss: *\([0-9]*\) kB/\1/p' /proc/$p/smaps_rollup
		sed -n 's/^Threads:[^0-9]*/threads /p' /proc/$p/status
	done | awk '/threads/ { t += $2; next } { n += $1 } END { print n, t }'
}

# middle FILE: the median a second of each of its figures
middle() {
	for k in 2 3 4 5; do
		awk -v k=$k '{ print $k / $1 }' $1 | sort -n |
			awk '{ v[NR] = $1 } END { printf "%.2f ", v[int((NR + 1) / 2)] }'
	done
}

# sampled LABEL PROGRAM VALUES COMMAND...: it runs in the background meanwhile; in the
# last round it is killed in the end: how many lines of /proc/live, which has the
# control registers, are not as they were
sampled() {
	label=$1 program=$2 values=$3
	shift 3
	cat /proc/live >before
	# what did not start once is not tried again
	[ ! -e $label.out ] || [ -e $label.counts ] || return
	"$@" >$label.out 2>&1 & started=$!
	sleep 4
	over $label.counts $program
	if ! kill -0 $started 2>/dev/null; then
		wait $started
		echo "SKIPPED $label: it does not start, status $?: $(grep . $label.out | tail -1)"
		rm $label.counts
		return
	fi
	memory $program >$label.memory
	echo $values >$label.values
	if [ $round = $rounds ]; then
		kill -9 $started
		sleep 2
		cat /proc/live >after
		diff before after | grep -c '^>' >$label.left
	fi
	kill $(pidof $program) 2>/dev/null
	sleep 2
	kill -9 $(pidof $program) 2>/dev/null
	wait 2>/dev/null
	[ $round != $rounds ] || { tallyd -q --restore; rm -f /run/tallyd*; } >/dev/null 2>&1
}

# ours LABEL CONFIG WAY
ours() {
	rm -f $1.lua
	sampled $1 tallyd "$(tallyd --dry-run -c $2 | grep -c '^read ')" \
		tallyd -q -i 1 --read $3 -c $2 --overwrite -o $1.lua
	[ -e $1.lua ] || return
	sed -n 's/^sample_duration_ns\[[0-9]*\] = //p' $1.lua | sed 1d >>$1.wall
	sed -n 's/^read_mode = //p' $1.lua >>$1.mode
	grep '^read_' $1.lua >$1.read
}

for round in $(seq $rounds); do
	over none.counts
	for set in core.conf @default-skx; do
		name=${set#@} name=${name%%[.-]*}
		[ $name = core ] || name=all
		values=$(tallyd --dry-run -c $set | grep -c '^read ')
		sampled original-$name bench_read $values bench_read / $set 1000 1 1000 original
		for way in auto visit pinned; do ours tallyd-$name-$way $set $way; done
	done
	# what no program that reads by pread(2) goes below
	sampled least-core least $((lprocs * 5)) least
	grep '^[0-9]' least-core.out | sed 1d >>least-core.wall
	# TSC, IRQ, SMI, C1, C6: what this guest's CPUID lets it have
	command -v turbostat >/dev/null && sampled turbostat turbostat $((lprocs * 5)) \
		turbostat -q -i 1 --show Busy%,Bzy_MHz,TSC_MHz,IRQ,SMI,CPU%c1,CPU%c6
	[ -e /usr/bin/likwid-perfctr ] && sampled likwid likwid-perfctr \
		$((lprocs * 3)) likwid-perfctr -M 0 -c 0-$((lprocs - 1)) -g CLOCK -t 1s sleep 1000
	command -v pcm-core >/dev/null && sampled pcm-core pcm-core \
		$((lprocs * 7)) env PCM_IGNORE_ARCH_PERFMON=1 pcm-core 1
done
echo "# peers: $lprocs lprocs, a sample a second, $rounds rounds of $seconds s"
printf '%-22s %7s %9s %8s %9s %8s %8s %9s %8s %7s %5s\n' program values 'own, us' 'a value' \
	'guest, us' switches RES+CAL 'wall, us' 'PSS, kB' threads left
for f in original-core.counts original-all.counts least-core.counts tallyd-*.counts turbostat.counts likwid.counts pcm-core.counts; do
	n=${f%.counts}
	[ -e $f ] && [ -e $n.values ] || continue
	wall=-
	[ ! -e $n.wall ] || wall=$(sort -n $n.wall | awk '{ v[NR] = $1 } END { printf "%.0f", v[int((NR + 1) / 2)] / 1000 }')
	awk -v n=$n -v values=$(cat $n.values) -v wall=$wall -v memory="$(cat $n.memory)" \
		-v left="$(cat $n.left 2>/dev/null)" -v quiet="$(middle none.counts)" \
		-v all="$(middle $f)" 'BEGIN {
		split(quiet, q, " "); split(all, a, " "); split(memory, m, " ")
		for (i = 1; i <= 3; i++) d[i] = a[i] - q[i]
		printf "%-22s %7d %9.0f %8.1f %9.0f %8.1f %8.1f %9s %8d %7d %5s\n", n, values, a[4],
			a[4] / values, d[1], d[2], d[3], wall, m[1], m[2], left }'
done
for f in *auto.mode; do echo "${f%.mode}: $(tr '\n' ' ' <$f)"; done
grep '' tallyd-*-auto.read
# the way that auto takes, of 20 looks
echo 'read aperf' >small.conf
for set in core.conf @default-skx small.conf; do
	for n in $(seq 20); do tallyd --check -v -c $set | sed -n 's/^read  *\([a-z]*\),.*/\1/p'; done |
		sort | uniq -c | awk -v set=$set '{ printf "%s: auto takes %s in %d of 20 starts\n", set, $2, $1 }'
done
for f in turbostat likwid pcm-core; do
	[ ! -e $f.out ] || { echo "# $f"; { head -3; tail -5; } <$f.out | cut -c1-100; }
done
echo "# end"
