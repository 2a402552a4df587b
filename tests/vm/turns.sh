# What a turn of event sets takes: run by the guest of the boot "turns".  Two sets of
# four core events on each lproc, ten turns of 20 ms in a sample, in ways that take
# turns; microseconds of a turn and lproc, by sample_rotate_ns, of each sample the
# median of all.  /bin/tallyd.old, where VM_OLD named one, is another revision.
. /cases.sh
. /cases_live.sh
cd /tmp
modprobe msr
live >/dev/null
lprocs=$(nproc)
cat >sets.conf <<'C'
set a
core A event=0x3c
core B event=0x2e,umask=0x41
core C event=0xc0
core D event=0xc2
set b
core E event=0xc4
core F event=0xc5
core G event=0x2e,umask=0x4f
core H event=0xd1,umask=0x01
C
# turns PROGRAM WAY OPTION...: a line a sample
turns() {
	program=$1 way=$2
	shift 2
	$program -q -c sets.conf -i 0.2 --turn 0.02 -n 21 --read $way "$@" --overwrite -o d.lua
	sed -n 's/^sample_rotate_ns\[[0-9]*\] = //p' d.lua |
		awk -v l=$lprocs 'NR > 1 { print ($1 - was) / 1e4 / l } { was = $1 }'
}
echo "# turns: $lprocs lprocs; us of a turn and lproc"
for round in 1 2 3; do
	for way in remote visit pinned; do
		for program in tallyd tallyd.old; do
			[ -e /bin/$program ] || continue
			turns $program $way >>$way.$program.us
		done
		turns tallyd $way --keep-writing >>$way.keep.us
	done
done
for f in *.us; do
	sort -n $f | awk -v f=${f%.us} '{ v[NR] = $1 } END { printf "%-18s %7.1f, half of them %.1f to %.1f\n",
		f, v[int((NR + 1) / 2)], v[int((NR + 3) / 4)], v[int((3 * NR + 1) / 4)] }'
done
echo "# end"
