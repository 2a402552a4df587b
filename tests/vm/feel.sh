# What applications feel: run by the guest of the boot "feel", a part of `make
# bench-vm`.  feel.c does fixed work on every lproc, without tallyd and beside
# it, at 1 and at 10 samples a second in every way to read.
. /cases.sh
. /cases_live.sh
cd /tmp
modprobe msr
live >/dev/null
rounds=$(feel)
# felt HZ WAY: a line of feel
felt() {
	if [ $2 = none ]; then feel 12 $rounds; return; fi
	tallyd -q -i $(awk "BEGIN { print 1 / $1 }") --read $2 --overwrite -o d.lua -b --pidfile pid
	feel 12 $rounds
	kill "$(cat pid)"
	soon test ! -e pid
}

echo "# feel: $(nproc) lprocs; default-skx: $(tallyd --dry-run | grep -c '^read ') registers"
printf '%-9s %3s %8s %8s %9s %9s %9s %8s\n' way Hz pieces 'us each' 'lost us/s' 'waited' '99.9 % us' 'put off'
for hz in 1 10; do for w in none $modes; do
	printf '%-9s %3d %s\n' $w $hz "$(felt $hz $w)"
done; done
echo "# end"
