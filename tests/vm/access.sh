# Raw registers and perf on the same columns: run by the guest of the boot
# "access", the second half of `make bench-vm`.
#
# This guest has the msr driver, and the kernel's msr and C-state PMUs, so that
# PPERF, the residencies and the SMI count are there in both.  Ways take turns;
# each is tallyd itself.  System calls are counted by the kernel (the tracepoint
# raw_syscalls), in runs of their own: 100 samples more, divided by 100.
. /cases.sh
cd /tmp
modprobe msr
modprobe intel-cstate
mount -t tracefs tracefs /sys/kernel/tracing
cat >same.conf <<'C'
read pperf core_c1_residency core_c6_residency
read smi_count pkg_c2_residency pkg_c6_residency
C
ways='raw/visit raw/remote perf/visit perf/remote'
families='pperf|core_c._residency|smi_count|pkg_c._residency'
# run WAY OPTIONS...: it samples into d.lua, or leaves none
run() {
	rm -f d.lua
	way=$1; shift
	tallyd -q -c same.conf --access ${way%/*} --read ${way#*/} -o d.lua "$@" && [ -s d.lua ]
}

# Calls of functions on other CPUs, since boot.
cal() { sed -n 's/^ *CAL: *//p' /proc/interrupts | awk '{
	for (i = 1; $i ~ /^[0-9]+$/; i++) n += $i; print n }'; }

# counted WAY N: what a run of N samples took, NAME COUNT a line: the system
# calls, and functions called on other CPUs
counted() {
	t=/sys/kernel/tracing/events/raw_syscalls/sys_enter
	hist='hist:keys=id.syscall if comm == "tallyd"'
	echo "$hist" >$t/trigger
	from=$(cal)
	run "$1" -i 0.05 -n "$2"
	echo "calls $(($(cal) - from))"
	sed -n 's/{ id: sys_\([a-z0-9_]*\).*hitcount: */\1 /p' $t/hist
	echo "!$hist" >$t/trigger
}

# quantiles FILE: median, mean and nine in ten, of numbers
quantiles() { sort -n "$1" | awk '{ v[NR] = $1; sum += $1 } END {
	printf "%8.0f %8.0f %8.0f", v[int((NR + 1) / 2)], sum / NR, v[int(NR * 0.9)] }'; }

# measured LOAD ROUNDS: what tallyd says of its samples, every way in turn
measured() {
	rm -f *.us *.cpu
	for round in $(seq "$2"); do for w in $ways; do
		file=$(echo $w | tr / _)
		# where the host is busy, too, a daemon may not live through it
		run $w -i 0.05 -n 61 || continue
		sed -n 's/^sample_duration_ns\[[0-9]*\] = \(.*\)...$/\1/p' d.lua >>$file.us
		sed -n 's/^sample_cpu_ns\[[0-9]*\] = //p' d.lua | awk 'NR == 1 { first = $1 }
			END { print ($1 - first) / 1000 / (NR - 1) }' >>$file.cpu
	done; done
	echo "# access: $lprocs lprocs, $1"
	printf '%-12s %8s %8s %8s %8s %8s\n' way 'wall us' mean '90 %' 'cpu us' runs
	for w in $ways; do
		file=$(echo $w | tr / _)
		printf '%-12s %s %8.0f %8d\n' $w "$(quantiles $file.us)" \
			"$(sort -n $file.cpu | sed -n $((($(wc -l <$file.cpu) + 1) / 2))p)" \
			"$(wc -l <$file.cpu)"
	done
}

lprocs=$(nproc)
echo "# access: $lprocs lprocs, idle: system calls a sample, functions called on other CPUs"
from=$(cal)
sleep 5         # as long as 100 samples
none=$(($(cal) - from))
for w in $ways; do
	counted $w 1 >one
	counted $w 101 >more
	printf '%-12s %s columns: ' $w "$(grep -cE "^($families)\[[0-9]+\]\[20\] = " d.lua)"
	# what occurs less than once in ten samples is not the samples'
	awk -v none=$none 'NR == FNR { had[$1] = $2; next }
		{ d = ($2 - had[$1]) / 100 }
		$1 == "calls" { calls = d - none / 100; next }
		d > 0.1 { n += d; list = list sprintf(", %g %s", d, $1) }
		END { printf "%g:%s; %.1f functions\n", n, substr(list, 2), calls }' one more
done
measured idle 5
spinners=
for n in $(seq 0 $((lprocs - 1))); do
	taskset -c $n sh -c 'while :; do :; done' &
	renice -n 19 -p $! >/dev/null       # so that this script gets on
	spinners="$spinners $!"
done
measured 'a busy loop on each' 5
kill $spinners
echo "# access: what --read auto measures at start"
for a in raw perf; do
	run $a/auto -i 0.1 -n 1
	printf '%-12s ' $a
	grep -h '^read_mode\|^read_us\[' d.lua | tr '\n' ' '
	echo
done
echo "# end"
