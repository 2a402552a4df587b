# What applications feel: run by the guest of the boot "feel", a part of `make
# bench-vm`.  feel.c does fixed work on every lproc, without tallyd and beside
# it, at 1 and at 10 samples a second in every way to read.  This guest has one
# lproc, and its clock counts instructions, a nanosecond each: what is lost is what
# the kernel and tallyd execute there, the same in every run.  "package" is
# default-skx, all of a package's registers read on this lproc; "core" what the
# other lprocs of a package read.
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
echo "# end"
