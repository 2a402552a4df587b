# The figures of `make bench-vm`: run by the guest of the boot "bench".  Per
# sample: wall time (median, and nine in ten stay below), skew, CPU time of the
# process, time that the CPUs of the guest were not idle (less that of `none` is
# what the sample costs), calls of functions on other CPUs, wake-ups sent to
# other CPUs, and context switches.
. /cases.sh
cd /tmp
modprobe msr
pmu_tree
# what the original reads of each lproc: 4 programmable counters, 3 fixed ones
# and those that run freely (PPERF alone: here APERF and MPERF stay 0)
cat >bench.conf <<'C'
core fixed
core CPU_CLK_UNHALTED.KERNEL    event=0x3c,os=1,usr=0,counter=0
core CPU_CLK_UNHALTED.REF_XCLK  event=0x3c,umask=0x01,any=1,counter=1
core INST_RETIRED.KERNEL        event=0xc0,os=1,usr=0,counter=2
core OFFCORE_REQUESTS.L3_MISS_DEMAND_DATA_READ  event=0xb0,umask=0x10,counter=3
read pperf
read smi_count pkg_therm_status pkg_core_perf_limit_reasons
C
lprocs=$(nproc)
echo "# bench: $lprocs lprocs, idle"
bench_read tree bench.conf 40 4 50
echo "# bench: $lprocs lprocs, a busy loop on each"
spinners=
for n in $(seq 0 $((lprocs - 1))); do
	taskset -c $n sh -c 'while :; do :; done' &
	spinners="$spinners $!"
done
bench_read tree bench.conf 20 3 100
kill $spinners
# the daemon itself, its default, on what this guest has
per_lproc >/dev/null
echo "# bench: tallyd, by what it says of itself (lprocs.conf)"
for mode in remote visit auto; do
	tallyd -q -c lprocs.conf -i 0.1 -n 50 --read $mode --overwrite -o b.lua
	for f in sample_duration_ns sample_late_ns; do
		printf '%-7s %-19s median ' "$mode" "$f"
		sed -n "s/^$f\[[0-9]*\] = //p" b.lua | sort -n | sed -n 25p
	done
	grep -h '^read_mode\|^read_us\[\|^scheduling' b.lua | sed "s/^/$mode    /"
done
echo "# end"
