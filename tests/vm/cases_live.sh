# The cases of the boot "live": registers with contents under the real msr
# driver (tests/vm/live).  planted_check compares every difference of a dump
# with the rate that is planted there; what it allows is what can be, so that
# nothing here depends on how fast the machine is.

modes='visit remote batch pinned'
kills=$(sed -n 's/.*vm\.kills=\([0-9]*\).*/\1/p' /proc/cmdline)

# live: the module, and what is counted: all that Skylake-SP has
live() {
	modprobe cpuid
	[ -e /proc/live ] || insmod /live.ko batch=1
	cat >live.conf <<'E'
read  aperf mperf pperf smi_count iio_bytes
read  rapl_pkg_energy rapl_dram_energy rapl_pkg_throttled rapl_dram_throttled
read  pkg_c2_residency pkg_c6_residency
core  fixed
core  E_3c_00 event=0x3c
core  E_c0_00 event=0xc0
core  E_b0_10 event=0xb0,umask=0x10
core  E_24_e1 event=0x24,umask=0xe1
cha   E_32_81 event=0x32,umask=0x81
cha   E_3d_01 event=0x3d,umask=0x01
cha   E_3d_02 event=0x3d,umask=0x02
cha   E_50_03 event=0x50,umask=0x03
iio   E_83_01 event=0x83,umask=0x01,ch_mask=0x0f,fc_mask=0x07
iio   E_83_04 event=0x83,umask=0x04,ch_mask=0x0f,fc_mask=0x07
iio   E_c0_01 event=0xc0,umask=0x01,ch_mask=0x0f,fc_mask=0x07
irp   E_01_00 event=0x01
irp   E_0f_04 event=0x0f,umask=0x04
pcu   E_04_00 event=0x04
pcu   E_05_00 event=0x05
ubox  fixed
ubox  E_42_01 event=0x42,umask=0x01
imc   fixed
imc   E_04_03 event=0x04,umask=0x03
imc   E_04_0c event=0x04,umask=0x0c
imc   E_01_0b event=0x01,umask=0x0b
imc   E_02_01 event=0x02,umask=0x01
m2m   E_01_00 event=0x01
m2m   E_20_01 event=0x20,umask=0x01
upi   E_01_00 event=0x01
upi   E_02_0f event=0x02,umask=0x0f
m3upi E_01_00 event=0x01
m2pcie E_01_00 event=0x01
E
	cat /proc/live >before
	echo "-q -c live.conf --overwrite -o d.lua"
}

# Counted by hand: 8 lprocs with 10 columns; packages with 12 and 9 CHAs, 4 each,
# and 6 IIO stacks with 3, 6 IRP 2, 2 + 2 of PCU and UBox, 6 channels 5, 2 M2M
# 2, 3 UPI 2, 3 M3UPI, 4 M2PCIe, 48 ports of IIO and 7 scalars.
columns=$((8 * 10 + 21 * 4 + 2 * (18 + 12 + 4 + 30 + 4 + 6 + 3 + 4 + 48 + 7)))

# every SECONDS: the interval in $mode; a pinned thread that is late by half of it
# is left out, and here all are late now and then
every() { if [ $mode = pinned ]; then echo 1; else echo $1; fi; }

# planted [MODE]: the rates of d.lua are those planted, nothing is absent, and all
# registers are back.  A pinned thread that is late leaves its cells absent.
planted() {
	planted_check d.lua $columns | tee said
	[ "${1:-}" = pinned ] || grep -q ' 0 absent;' said
	grep -q ': 0 wrong, ' said
	back
}
back() { cat /proc/live >after; cmp before after; }

# The check itself: a count of the last row that is wrong by half of the run, and two
# lprocs for each other.  No row is held up for that long.
live_a_wrong_value_is_found() {
	tallyd $(live) -i 0.3 -n 20 --read visit
	planted
	n=$(sed -n 's/^core_counts\[3\]\["E_c0_00"\]\[19\] = //p' d.lua)
	for wrong in $((n / 2)) $((n + n / 2)); do
		sed "s/^\(core_counts.3...E_c0_00...19. = \).*/\1$wrong/" d.lua >wrong.lua
		no planted_check wrong.lua $columns >said
		grep 'core_counts\[3\]\["E_c0_00"\]' said
	done
	sed 's/^\(mperf\[\)2\(\]\[.*\)/\1x\2/; s/^\(mperf\[\)4\(\]\[.*\)/\12\2/; s/^mperf.x/mperf[4/' d.lua >swapped.lua
	no planted_check swapped.lua $columns >said
	cat said
	grep 'mperf' said
}

live_what_is_counted_is_what_is_planted() {
	o=$(live)
	for mode in $modes; do
		tallyd $o -i $(every 0.3) -n 8 --read $mode
		grep "^read_mode = \"$mode\"" d.lua
		dump_of 8 d.lua
		planted $mode
	done
}

live_rates_hold_while_lprocs_come_and_go() {
	o=$(live)
	for mode in $modes; do
		start $o -i $(every 0.2) --read $mode
		more 3
		# 4: its package is read from it
		for n in 5 4; do
			echo 0 >$cpu/cpu$n/online
			more 3
			echo 1 >$cpu/cpu$n/online
			more 3
		done
		kill -TERM "$p"
		ended
		dump_of 15+ d.lua
		last=$((rows - 1))
		planted_check d.lua $columns
		back
		# there again after a hole
		for n in 4 5; do [ "$(holes "aperf[$n]" d.lua)" -ge 3 ]; done
		[ $mode != pinned ] || continue
		for n in 4 5; do gone_a_while "aperf[$n]"; done
		for n in 0 1 2 3 6 7; do there "aperf[$n]"; done
		there 'ubox_uclk[0]'
		few_holes 'ubox_uclk[1]'
	done
}

live_a_package_without_a_thread_is_read_by_one_of_another() {
	o=$(live)
	# auto tries threads, too, whichever way it takes in the end
	for read in pinned auto; do
		for cpus in 0-3 4-7 2; do
			tallyd $o -i 1 -n 5 --read $read --cpus $cpus
			dump_of 5 d.lua
			planted pinned
		done
	done
}

# As a batch system narrows and widens what a node's own may run on: no lproc is
# left out meanwhile.
live_rates_hold_while_a_cpuset_gets_smaller_and_larger() {
	groups=/sys/fs/cgroup
	[ -e $groups/cgroup.controllers ] || mount -t cgroup2 cgroup2 $groups
	echo +cpuset >$groups/cgroup.subtree_control
	mkdir $groups/site
	echo 0-7 >$groups/site/cpuset.cpus
	o=$(live)
	for mode in visit pinned; do
		start $o -i $(every 0.2) --read $mode
		echo "$p" >$groups/site/cgroup.procs
		for lprocs in 2,5 0-7; do
			more 3
			echo $lprocs >$groups/site/cpuset.cpus
		done
		more 3
		[ $mode != pinned ] || for t in /proc/$p/task/*; do
			read -r name <$t/comm
			case $name in tallyd/*) soon at_home $t ${name#*/} ;; esac
		done
		kill -TERM "$p"
		ended
		dump_of 9+ d.lua
		planted $mode
	done
}
# at_home THREAD N: it runs on lproc N.  Older kernels let each thread of a cpuset
# that changes run on all of it; one that is at home all the same stays there.
at_home() { [ "$(cut -d' ' -f39 $1/stat)" = "$2" ]; }

# Three sets in turn: on cores, on a package's MSRs and in config space.
sets() {
	for set in a b c; do
		echo "set $set"
		for box in core cha imc upi; do
			for n in 1 2 3; do
				case $box in core|cha) [ $n -lt 3 ] ;; *) [ $n -lt 2 ] ;; esac || continue
				echo "$box ${set}_${1}_$(printf '%02x' $n) event=0x$1,umask=$n"
			done
			set -- $(printf '%02x' $((0x$1 + 1)))
		done
	done
}

# turned: what three sets counted in the turns that they had
turned() {
	sed -i '/E_24_e1/d; /E_b0_10/d; /E_3d_02/d; /E_50_03/d; /E_02_01/d; /m2m/d' live.conf
	sets 60 >>live.conf
}

live_rates_hold_where_sets_take_turns() {
	o=$(live)
	turned
	rotated=0
	for mode in $modes; do
		tallyd $o -i $(every 0.2) -n 10 --read $mode --rotate $((1 + (rotated = !rotated)))
		dump_of 10 d.lua
		grep -c '^set_running\["c"\]\[9\] = [1-9]' d.lua
		# per lproc 8 and 3 sets of 2, and so on: see columns
		planted_check d.lua $((8 * 14 + 21 * 8 + 2 * (18 + 12 + 4 + 6 * 7 + 3 * 5 + 3 + 4 + 48 + 7)))
		back
	done
}

live_rates_hold_while_lprocs_come_and_go_between_turns() {
	o=$(live)
	turned
	for mode in visit pinned remote; do
		start $o -i 0.6 --turn 0.03 --read $mode
		more 2
		for away in 5 4 '4 5 6 7'; do
			for n in $away; do echo 0 >$cpu/cpu$n/online; done
			more 2
			for n in $away; do echo 1 >$cpu/cpu$n/online; done
			more 2
		done
		kill -TERM "$p"
		ended
		dump_of 14+ d.lua
		grep -c '^lproc_set_tsc\[5\]\["c"\]' d.lua
		planted_check d.lua $columns
		back
	done
}

live_a_watch_finds_what_somebody_writes() {
	o=$(live)
	for mode in $modes; do
		tallyd $o -i $(every 0.3) -n 5 --watch 1 --read $mode
		no grep '^tamper_' d.lua
		planted $mode
		start $o -i $(every 0.3) --watch 1 --read $mode
		more 2
		# 0x188 of lproc 6: another event, by somebody with the same driver
		printf '\012\013\103\0\0\0\0\0' | dd of=/dev/cpu/6/msr bs=8 seek=49 conv=notrunc
		more 3
		kill -TERM "$p"
		ended
		grep '^tamper_' d.lua
		grep -q '^tamper_column\[0\] = .core_counts\[6\]\[.*E_b0_10' d.lua
		grep -q '^tamper_found\[0\] = 0x430b0a$' d.lua
		# that column alone counted something else, between two samples
		planted_check d.lua $columns >said || true
		cat said
		sed -i '/^wrong: core_counts\[6\]\["E_b0_10"\] /d' said
		no grep '^wrong' said
		grep "^$columns columns" said
		back
	done
}

# in_group FILE=VALUE COMMAND...: in a control group with that limit
in_group() {
	groups=/sys/fs/cgroup limit=$1; shift
	[ -e $groups/cgroup.controllers ] || mount -t cgroup2 cgroup2 $groups
	echo "+${limit%%.*}" >$groups/cgroup.subtree_control
	mkdir -p $groups/limited
	echo "${limit#*=}" >"$groups/limited/${limit%=*}"
	sh -c 'echo $$ >/sys/fs/cgroup/limited/cgroup.procs; exec "$@"' sh "$@"
}

live_a_limit_of_threads_costs_time_alone() {
	o=$(live)
	turned
	# two processes, and threads for some of the lprocs
	for most in 2 4 7 12; do
		in_group pids.max=$most tallyd $o -i 0.3 -n 6 --read visit
		dump_of 6 d.lua
		planted_check d.lua 0
		back
	done
	says 1 'pids.max' in_group pids.max=1 tallyd $o -n 2 --read visit
	says 1 'pids.max' in_group pids.max=5 tallyd $o -n 2 --read pinned
	back
}

live_a_register_that_faults_costs_its_box_alone() {
	o=$(live)
	fault=/sys/module/live/parameters/fault
	sed -i 's/^cha /optional cha /; s/^pcu /optional pcu /' live.conf
	# a control of CHA 3, a filter of CHA 5, a control of the PCU
	for gone in 0xe31=8 0xe55=8 0x712=4; do
		echo ${gone%=*} >$fault
		says 0 'absent   2 boxes are left out' tallyd --check -c live.conf
		says 0 "msr ${gone%=*} lproc 0: no such register" tallyd $o -i 0.3 -n 5
		echo 0 >$fault
		dump_of 5 d.lua
		planted_check d.lua $((columns - ${gone#*=})) | tee said
		grep -q ': 0 wrong, ' said
		back
	done
	echo 0x712 >$fault
	sed -i 's/^optional //' live.conf
	clear 1 'no such PCU: msr 0x712' tallyd $o -n 2
	echo 0 >$fault
	back
}

live_what_an_lproc_that_has_left_holds_is_told() {
	o=$(live)
	for mode in visit pinned remote; do
		tallyd $o -i $(every 0.2) --read $mode --pidfile pid 2>err & p=$!
		soon began
		more 1
		echo 0 >$cpu/cpu5/online
		more 1
		kill -TERM "$p"
		status=0; wait "$p" || status=$?
		cat err
		[ "$status" -eq 1 ]
		grep 'lproc 5 is offline' err | grep 'echo 1 > /sys/devices/system/cpu/cpu5/online'
		dump_of 2+ d.lua
		clear 1 'lproc 5 is offline' tallyd --restore
		echo 1 >$cpu/cpu5/online
		tallyd --restore
		back
	done
}

# killed WHAT: after a SIGKILL of the sampler, or of all of tallyd: registers are
# back, by the writer or by --restore, and what was sampled is there and right
killed() {
	[ "$1" = sampler ] || tallyd --restore
	soon back
	soon gone
	had=$(cat had)
	[ ! -e s ] || tally dump s >d.lua || [ "$had" -eq 0 ]
	if grep -q '^tsc\[' d.lua; then
		dump_of "$had+" d.lua
		# of a few samples each thread may be late in all
		if [ $mode = pinned ]; then planted_check d.lua 0; else planted_check d.lua $columns; fi
	else
		[ "$had" -eq 0 ]        # killed before the first
	fi
	rm -f s pid d.lua
}

live_kill_9_at_random_loses_no_row_and_no_register() {
	o=$(live)
	cp live.conf plain.conf
	{ sed '/E_24_e1/d; /E_b0_10/d; /E_3d_02/d; /E_50_03/d; /E_02_01/d' plain.conf; sets 60; } >sets.conf
	set -- $modes
	sampled=0
	for i in $(seq $kills); do
		eval "mode=\$$(((i + 3) % $# + 1))"
		# in turn: with sets and a watch; of all processes; while it starts
		case $((i % 8)) in 2|4|6|7) cp sets.conf live.conf ;; *) cp plain.conf live.conf ;; esac
		what=sampler; [ $((i % 4)) -ne 3 ] || what=all
		echo 0 >had
		every=0.02
		[ $mode != pinned ] || every=0.5
		tallyd $o -i $every --watch 2 --read $mode --store s --pidfile pid &
		p=$!
		[ $((i % 8)) -eq 7 ] || soon began s
		usleep $(((RANDOM * 32768 + RANDOM) % 700000))
		[ ! -e s ] || taken s >had
		case $what in all) killall -9 tallyd ;; *) kill -9 $p ;; esac
		wait $p || true
		sampled=$((sampled + ($(cat had) > 0)))
		killed $what
		echo "killed $i: $mode, $what, $(cat had) samples"
	done
	[ $sampled -ge $((kills / 2)) ]
}
