# What applications feel: run by the guest of the boot "feel", a part of `make
# bench-vm`.  feel.c does fixed work on every lproc, without tallyd and beside
# it, at 1 and at 10 samples a second in every way to read.  This guest has one
# lproc, and its clock counts instructions, a nanosecond each: what is lost is what
# the kernel and tallyd execute there, the same in every run.  "package" is
# default-skx, all of a package's registers read on this lproc; "core" what the
# other lprocs of a package read.  In the end, for five registers alone: what each thread of
# tallyd executes a sample, and what least.c does, which cannot be done without.
. /cases.sh
. /cases_live.sh
cd /tmp
modprobe msr
live >/dev/null
rounds=$(feel)
cat >core.conf <<'C'
core fixed
read aperf mperf
core A event=0x3c,os=1,usr=0
core B event=0x2e,umask=0x41
core C event=0xc0
core D event=0xc2
C
# felt HZ WAY CONFIG: a line of feel
felt() {
	if [ $2 = none ]; then feel 2 $rounds; return; fi
	tallyd -q -c $3 -i $(awk "BEGIN { print 1 / $1 }") --read $2 --overwrite -o d.lua -b --pidfile pid
	feel 2 $rounds
	kill "$(cat pid)"
	soon test ! -e pid
}
# registers CONFIG: that it reads
registers() { tallyd --dry-run -c $1 | grep -c '^read '; }

echo "# feel: package $(registers @default-skx) registers, core $(registers core.conf); clock of instructions"
printf '%-8s %-9s %3s %8s %8s %9s %9s %9s %8s\n' reads way Hz pieces 'us each' 'lost us/s' waited '99.9 % us' 'put off'
printf '%-8s %-9s %3s %s\n' - none - "$(felt 1 none)"
for what in package core; do
	config=core.conf
	[ $what = core ] || config=@default-skx
	for hz in 1 10; do for w in $modes; do
		printf '%-8s %-9s %3d %s\n' $what $w $hz "$(felt $hz $w $config)"
	done; done
done
printf '%-8s %-9s %3s %s\n' - none - "$(felt 1 none)"

# ns_of PROGRAM: ns of each of its threads so far, NAME NS
ns_of() {
	for p in $(pidof $1); do
		for t in /proc/$p/task/*; do
			echo "$(cat $t/comm)-${t##*/} $(cut -d' ' -f1 $t/schedstat)"
		done
	done
}
# executed PROGRAM HZ COMMAND...: instructions of each of its threads a sample
executed() {
	program=$1 hz=$2
	shift 2
	"$@" >/dev/null & started=$!
	sleep 3
	ns_of $program >was
	sleep 20
	ns_of $program | paste -d' ' was - | awk -v n=$((20 * hz)) '$4 - $2 > n * 100 {
		sub(/-[0-9]*$/, "", $1); printf "  %s %.0f", $1, ($4 - $2) / n }'
	kill $started
	wait $started
}
printf 'core fixed\nread aperf mperf\n' >five.conf
echo "# feel: instructions of each thread a sample, five registers of this lproc"
echo "least: $(executed least 1 least)"
for w in $modes; do
	echo "$w: $(executed tallyd 10 tallyd -q -c five.conf -i 0.1 --read $w --overwrite -o d.lua)"
done
echo "# end"
