# The cases of `make check-vm`.  A case is a function called BOOT_what_is_true;
# it runs in the guest of that boot (see run.sh), as root, in an empty folder,
# under `sh -eux`: the first command that fails fails it.  They run in the order
# of this file, with the msr driver loaded unless the name has no_driver in it.
# `skip REASON` ends a case that cannot be tried.

cpu=/sys/devices/system/cpu

skip() { echo "$*"; exit 77; }

# no COMMAND...: it fails; a bare `!` is not looked at by `sh -e`
no() { if "$@"; then return 1; fi; }

# says STATUS TEXT COMMAND...: it ends with that status and says TEXT, somewhere
says() {
	want=$1 text=$2 got=0; shift 2
	"$@" >said 2>&1 || got=$?
	cat said
	[ "$got" -eq "$want" ]
	grep -qF -- "$text" said
}

# clear STATUS TEXT COMMAND...: the same, and it is all that is said: one line
clear() { says "$@"; [ "$(wc -l <said)" -eq 1 ]; }

# soon COMMAND...: it succeeds in the end; how long that takes is the machine's
# affair, and what never comes is ended by `init`
soon() {
	until "$@"; do sleep 0.1; done
}

# stored PATTERN [STORE]: how many lines of what the daemon $p has sampled so far
stored() { tally dump "${2:-$(store)}" 2>/dev/null | grep -c "$1"; }

# The store of the daemon $p: in its own folder of /run, where a daemon has made
# that, else where anybody's are.
store() { ls /run/tallyd/tallyd-$p-*.store /dev/shm/tallyd-$p-*.store 2>/dev/null; }

# taken [STORE]: how many samples the daemon $p has taken: nrow of struct file_head
# (config/dump/store_int.h).  A dump of them all takes an emulated CPU so long that
# more samples come meanwhile than were waited for.
taken() { set -- $(od -An -tu8 -j104 -N8 "${1:-$(store)}" 2>/dev/null); echo ${1:-0}; }

# began [STORE]: it has taken one
began() { [ "$(taken "${1:-}")" -gt 0 ]; }

# more N [STORE]: the daemon $p has taken N samples more
more() {
	want=$(($(taken "${2:-}") + $1))
	until [ "$(taken "${2:-}")" -ge $want ]; do
		kill -0 "$p"
		sleep 0.1
	done
}

# Columns of all lprocs: the emulated machine has no PMU, but knows PPERF as it
# knows every number (0), and that is enough to see who is read.
per_lproc() {
	printf 'read pperf\nread smi_count rapl_pkg_energy\n' >lprocs.conf
	printf -- '-q -c lprocs.conf --overwrite -o d.lua'
}

# Where pid files are: a folder of root's, also where the case's own is not.
pids=.

# start OPTIONS...: sampling in the background of this shell, pid in $p; returns
# when the first row is in
start() {
	tallyd "$@" --pidfile "$pids/pid" -b
	p=$(cat "$pids/pid")
}

# The daemon of start has ended, and has tidied up.
ended() {
	soon gone
	[ ! -e "$pids/pid" ]
	[ -z "$(ls /dev/shm)" ]
}
gone() { ! kill -0 "$p" 2>/dev/null; }

# conted: a SIGCONT to the daemon $p in the foreground; another one until it ends, as one
# that comes in a sample that took long passes for the end of a stop
conted() {
	kill -CONT "$p"
	while grep -q '^State:	[^Z]' "/proc/$p/status" 2>/dev/null; do
		sleep 0.1
		kill -CONT "$p" 2>/dev/null || true
	done
}

# Every line of a dump is an assignment, and tsc increases without a hole.
# dump_of N FILE: it has N samples (N+ for at least)
dump_of() {
	[ -s "$2" ]
	no grep -vE '^[A-Za-z_][A-Za-z_0-9]*(\[("[^"]*"|[0-9]+)\])* = (\{\}|-?[0-9.]+|0x[0-9a-f]+|"[^"]*")$' "$2"
	rows=$(grep -c '^tsc\[[0-9]*\] = ' "$2")
	case $1 in
	*+) [ "$rows" -ge "${1%+}" ] ;;
	*) [ "$rows" -eq "$1" ] ;;
	esac
	grep -qx "samples = $rows" "$2"
	grep '^tsc\[' "$2" | tr -c '0-9\n' ' ' | awk '
		$1 != NR - 1 || $2 <= last { exit 1 } { last = $2 }'
}

# has NAME FILE: the samples in which a value is there, in one line
has() { grep -F "$1[" "$2" | sed -n 's/.*\[\([0-9]*\)\] = .*/\1/p' | tr '\n' ' '; }

# holes NAME FILE: how many samples between the first and the last lack it
holes() { has "$1" "$2" | tr ' ' '\n' | awk 'NF { if (n++) h += $1 - last - 1; last = $1 } END { print h + 0 }'; }

# A tree that says that this machine has a PMU, version 3 as Skylake has it, so
# that tallyd sets out to write: everything else in it is the real thing.
pmu_tree() {
	mkdir -p tree/dev/cpu tree/sys tree/proc tree/run
	mount -o bind /sys tree/sys
	mount -o bind /proc tree/proc
	mount -o bind /sys/kernel/security tree/sys/kernel/security
	mknod tree/dev/mem c 1 1
	for n in $(seq 0 $(($(nproc) - 1))); do
		mkdir tree/dev/cpu/$n
		mknod tree/dev/cpu/$n/msr c 202 $n
		# EAX: version 3, 4 counters of 48 bits; EDX: 3 fixed of 48 bits
		{ printf 'xxxxxxxxxx'; printf '\003\004\060\007'; printf '\0\0\0\0\0\0\0\0'
			printf '\003\006\0\0'; } >tree/dev/cpu/$n/cpuid
	done
}

no_pmu_tree() { umount tree/sys/kernel/security tree/sys tree/proc; }

# ---- before the msr driver is there

plain_no_driver_files_are_sampled_and_it_says_modprobe() {
	no grep '^msr ' /proc/modules
	says 0 'modprobe msr' tallyd -n 1 -o no_driver.lua
	says 0 'modprobe msr' tallyd --check
	says 0 'software' tallyd --list columns
	modprobe msr
	says 0 'sampling would work' tallyd --check
}

# ---- what this node has

plain_the_node_is_recognised() {
	modprobe cpuid
	says 0 '2 packages, 8 of 8 lprocs online' tallyd --check
	grep -q '^node  *vmnode, .*Skylake.* (family 6 model 0x55 stepping ' said
	grep -q '^model  *skx ' said
	grep -q '^core PMU none by CPUID' said
	grep -q ' 0 control registers, ' said
}

plain_without_the_cpuid_driver_the_pmu_is_not_invented() {
	modprobe -r cpuid
	says 0 'core PMU none' tallyd --check
}

plain_absent_boxes_are_listed_with_the_reason() {
	tallyd --list boxes >boxes
	[ "$(grep -c '^CHA	' boxes)" -eq 56 ]
	[ -z "$(awk -F'\t' '$4 != "absent" || $5 == ""' boxes)" ]
	grep -q 'virtual machine' boxes
}

plain_there_are_no_phantom_columns() {
	tallyd --list columns >columns
	cat columns
	grep -q '^smi_count\[1\]' columns
	no grep -E '^(core|cha|imc|upi|iio|irp|m2m|m3upi|pcu|ubox|aperf|mperf)' columns
	[ -z "$(grep '\[2\]' columns | grep -vE '^lproc_')" ]
}

plain_the_topology_is_that_of_sysfs() {
	tallyd -q -n 1 -o d.lua
	for n in 0 1 2 3 4 5 6 7; do
		t=$cpu/cpu$n/topology
		grep -qx "lproc_package\[$n\] = $(cat $t/physical_package_id)" d.lua
		grep -qx "lproc_core\[$n\] = $(cat $t/core_id)" d.lua
		grep -qx "lproc_thread\[$n\] = $((n % 2))" d.lua
		grep -qx "lproc_node\[$n\] = 0" d.lua
	done
	grep -qx 'packages = 2' d.lua
}

plain_the_window_that_the_kernel_denies_is_said_to_be() {
	says 0 'iomem=relaxed' tallyd --check
	grep '^pci .*sysfs config files.*/dev/mem' said
}

# ---- rights

plain_an_ordinary_user_is_told_to_be_root() {
	clear 1 'run tallyd as root' su user -c 'tallyd -n 1'
	says 1 'run tallyd as root' su user -c 'tallyd --check'
}

plain_root_without_rawio_is_told_so() {
	clear 1 'CAP_SYS_RAWIO' without_cap 17 tallyd -n 1
	says 1 'CAP_SYS_RAWIO' without_cap 17 tallyd --check
}

plain_a_node_open_to_all_is_not_enough() {
	chmod 666 /dev/cpu/*/msr
	clear 1 'CAP_SYS_RAWIO' su user -c 'tallyd -n 1'
	chmod 600 /dev/cpu/*/msr
}

plain_too_few_descriptors_are_told_with_the_limit() {
	conf=$(per_lproc)
	says 1 'ulimit -n' without_cap 24 sh -c "ulimit -n 9; exec tallyd $conf -n 1"
}

plain_rights_are_dropped_although_some_were_never_there() {
	# no CAP_CHOWN (0), which it would have kept
	without_cap 0 tallyd -b -q -i 0.2 -o d.lua --pidfile pid
	p=$(cat pid)
	grep '^CapPrm' "/proc/$p/status"
	[ $((0x$(sed -n 's/^CapPrm:[^0-9a-f]*//p' "/proc/$p/status") & 0x230000)) -eq 0 ]
	kill -TERM "$p"
	ended
}

plain_without_priority_or_locked_memory_it_samples() {
	without_cap 23 tallyd -q -i 0.1 -n 3 -o d.lua
	dump_of 3 d.lua
	grep -qx 'scheduling = "no priority"' d.lua
	without_cap 14 without_cap 24 sh -c 'ulimit -l 0; tallyd -q -i 0.1 -n 3 -o e.lua'
	dump_of 3 e.lua
}

plain_a_cpuset_is_no_obstacle() {
	conf=$(per_lproc)
	mkdir -p /cgroup
	mount -t cgroup2 cgroup /cgroup
	echo +cpuset >/cgroup/cgroup.subtree_control
	mkdir -p /cgroup/few
	echo 0-2 >/cgroup/few/cpuset.cpus
	# "sh -c" is in it, and what it becomes
	few='echo $$ >/cgroup/few/cgroup.procs; exec'
	for mode in visit remote auto; do
		sh -c "$few tallyd $conf -i 0.1 -n 3 --read $mode"
		dump_of 3 d.lua
		for n in 0 2 3 7; do there "pperf[$n]"; done
	done
	clear 1 '--cpu 6' sh -c "$few tallyd $conf -n 3 --cpu 6"
	rmdir /cgroup/few
	umount /cgroup
}

plain_a_store_that_a_control_group_has_no_room_for_is_refused() {
	mount -t cgroup2 cgroup /sys/fs/cgroup
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	mkdir /sys/fs/cgroup/small
	echo 32M >/sys/fs/cgroup/small/memory.max
	small='echo $$ >/sys/fs/cgroup/small/cgroup.procs; exec'
	clear 1 'memory.max of /small' sh -c "$small tallyd -q -n 1000000"
	[ -z "$(ls /dev/shm)" ]
	echo max >/sys/fs/cgroup/small/memory.max
	echo 32M >/sys/fs/cgroup/small/memory.high
	clear 1 'memory.high of /small' sh -c "$small tallyd -q -n 1000000"
	echo 32M >/sys/fs/cgroup/small/memory.max
	sh -c "$small tallyd -q -i 0.1 -n 3 -o d.lua"
	dump_of 3 d.lua
	rmdir /sys/fs/cgroup/small
	umount /sys/fs/cgroup
}

plain_a_store_that_its_control_group_has_no_more_room_for_ends_whole() {
	mount -t cgroup2 cgroup /sys/fs/cgroup
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	mkdir /sys/fs/cgroup/small
	echo 64M >/sys/fs/cgroup/small/memory.max
	small='echo $$ >/sys/fs/cgroup/small/cgroup.procs; exec'
	# all files here are memory: the dump is no file of this group
	mkfifo f
	cat f >d.lua & c=$!
	sh -c "$small tallyd $(per_lproc) -i 0.001 -n 80000 -o f --pidfile pid" 2>err & q=$!
	soon test -s pid
	p=$(cat pid)
	soon began
	# nobody is killed for it: less than what is in use, and one segment
	echo $(($(cat /sys/fs/cgroup/small/memory.current) + 1500000)) \
		>/sys/fs/cgroup/small/memory.max
	status=0; wait $q || status=$?
	cat err
	wait $c
	[ "$status" -eq 1 ]
	grep -q 'no room for another sample: .*memory.max of /small' err
	dump_of 100+ d.lua
	ended
	grep -q 'oom_kill 0' /sys/fs/cgroup/small/memory.events
	rmdir /sys/fs/cgroup/small
	umount /sys/fs/cgroup
}

# where nothing has used version 2 yet
relaxed_a_limit_of_version_1_is_seen_too() {
	mkdir -p /cgroup
	mount -t cgroup -o memory cgroup /cgroup || skip "no version 1"
	mkdir /cgroup/small
	echo 32M >/cgroup/small/memory.limit_in_bytes
	small='echo $$ >/cgroup/small/cgroup.procs; exec'
	clear 1 'memory.limit_in_bytes of /small' sh -c "$small tallyd -q -n 1000000"
	sh -c "$small tallyd -q -i 0.1 -n 3 -o d.lua"
	dump_of 3 d.lua
	rmdir /cgroup/small
	umount /cgroup
}

plain_an_lproc_without_its_device_is_told_and_left_out() {
	conf=$(per_lproc)
	rm /dev/cpu/3/msr
	says 0 '/dev/cpu/3/msr: No such file' tallyd $conf -i 0.1 -n 3
	says 0 '/dev/cpu/3/msr: No such file' tallyd --check -c lprocs.conf
	mkdir /dev/cpu/3/msr
	says 0 '/dev/cpu/3/msr: Is a directory' tallyd $conf -i 0.1 -n 3
	rmdir /dev/cpu/3/msr
	mknod -m 600 /dev/cpu/3/msr c 202 3
	dump_of 3 d.lua
	there 'pperf[2]'
	[ -z "$(has 'pperf[3]' d.lua)" ]
}

plain_without_proc_it_says_so() {
	umount /proc
	got=0; tallyd -n 1 >said 2>&1 || got=$?
	mount -t proc proc /proc
	cat said
	[ "$got" -eq 1 ]
	grep -q 'is /proc mounted?' said
}

# ---- sampling

plain_five_samples() {
	tallyd -i 0.2 -n 5 -o d.lua 2>err
	cat err
	dump_of 5 d.lua
	there 'smi_count[1]'
	grep '^tsc_hz = [1-9]' d.lua
	# none is missed, unless it took as long as an interval
	grep '^sample_late_ns\|^sample_duration_ns\|^missed' d.lua
	tr '[]' '  ' <d.lua | awk '/^sample_(late|duration)_ns / { if ((t[$2] += $4) > 2e8) late = 1 }
		/^missed_deadlines/ { n = $3 } END { exit n > 0 && !late }'
}

plain_samples_are_at_whole_intervals_of_the_wall_clock() {
	tallyd -q -i 0.5 -n 6 -o d.lua
	# row 0 is taken at once, wherever in the interval that is; each other one
	# as late after a whole one as it says.  A busy host may stop the guest
	# between the two looks at the clock, but hardly each time
	tr '[]' '  ' <d.lua | awk '$1 == "walltime" && $2 == 1 && $3 + 0 > 0 { usec[$3] = $5 }
		$1 == "sample_late_ns" { late[$2] = $4 / 1000 }
		END { for (i in usec) { off = (usec[i] - late[i] + 1e6) % 500000; print i, usec[i], late[i], off
			rows++; n += off < 20000 || off > 480000 }
			exit rows != 5 || n < 3 }'
}

plain_every_way_to_read() {
	conf=$(per_lproc)
	for mode in visit remote auto; do
		tallyd $conf -i 0.2 -n 4 --read $mode
		dump_of 4 d.lua
		grep 'reading\|schedul' d.lua
		for n in 0 1 2 3 4 5 6 7; do there "pperf[$n]"; done
	done
	clear 1 'msr-safe' tallyd $conf -n 1 --read batch
}

plain_it_sleeps_where_it_is_told_to() {
	start $(per_lproc) -i 0.2 --read visit --cpu 6
	: >where
	# field 39 of the line, here without the first two: the processor, which
	# is the one that it sleeps on while its state is S
	until [ "$(wc -l <where)" -ge 20 ]; do
		sed 's/.*) //' "/proc/$p/stat" | cut -d' ' -f1,37 >>where
		sed -i '/^S/!d' where
		sleep 0.05
	done
	sort where | uniq -c
	[ "$(grep -c ' 6$' where)" -ge 15 ]
	kill -TERM "$p"
	ended
	dump_of 3+ d.lua
	there 'lproc_tsc[7]'
}

plain_without_standard_files_no_register_is_printed_to() {
	# the first files that are opened take their numbers: msr devices
	tallyd -i 0.2 -n 3 -o d.lua <&- >&- 2>&-
	dump_of 3 d.lua
	dmesg >messages
	no grep 'Write to unrecognized MSR' messages
	tallyd -b -q -i 0.2 -o e.lua --pidfile pid <&- >&- 2>&-
	p=$(cat pid)
	kill -TERM "$p"
	ended
}

plain_an_lproc_to_sleep_on_that_is_not_there_is_refused() {
	clear 1 '--cpu 99' tallyd -q -n 1 --cpu 99
	echo 0 >$cpu/cpu3/online
	clear 1 '--cpu 3' tallyd -q -n 1 --cpu 3
	echo 1 >$cpu/cpu3/online
}

plain_two_samples_with_an_hour_between_them_by_the_clock() {
	for hours in 0 1; do
		start -q -i 3600 -o $hours.lua
		date -s "@$(($(date +%s) + hours * 3600))"
		sleep 3
		kill -TERM "$p"
		ended
		date -s "@$(($(date +%s) - hours * 3600))"
		dump_of 2 $hours.lua
	done
	grep '^tsc_hz' *.lua
	hz=$(sed -n 's/^tsc_hz = //p' 0.lua)
	sed -n 's/^tsc_hz = //p' 1.lua | awk -v hz="$hz" '{ exit $1 < hz * 0.9 || $1 > hz * 1.1 }'
	tally report 1.lua >report
	cat report
	no grep ' 36[0-9][0-9]\.[0-9]* s$' report
	says 1 'times are by the TSC, as fast as tallyd measured it' tally check 1.lua
}

plain_a_long_dump_is_written_whole() {
	# longer than a thread with real-time priority may run at a stretch: 64
	# columns of InfiniBand counters, which cost little to read
	mkdir -p tree/dev tree/proc tree/run tree/sys/devices
	mount -o bind /dev tree/dev
	mount -o bind /proc tree/proc
	mount -o bind /sys/devices tree/sys/devices
	for n in $(seq 10 41); do
		ib=tree/sys/class/infiniband/hfi1_0/ports/$n/counters
		mkdir -p $ib
		echo 1234567890123456789 | tee $ib/port_rcv_data >$ib/port_xmit_data
	done
	echo 'read ib' >ib.conf
	start --root tree -q -c ib.conf -o d.lua -i 0.001 -n 6000
	soon gone
	umount tree/dev tree/proc tree/sys/devices
	ls -l
	grep '^sample_duration_ns\[5999\]' d.lua
	ended
	dump_of 6000 d.lua
	there 'ib_xmit_bytes[31]'
}

plain_a_large_store_is_made_in_time() {
	# 300 MB of pages at the end: not one after the other at the start
	echo 'read smi_count' >package.conf
	tallyd -c package.conf -i 0.2 -n 2500000 -o d.lua --pidfile pid 2>err & p=$!
	soon test -s pid || { cat err; wait "$p"; }
	soon began
	more 2
	kill -TERM "$p"
	wait "$p"
	cat err
	dump_of 3+ d.lua
}

plain_root_keeps_few_rights() {
	start -q -i 0.2 -o d.lua
	grep -i cap "/proc/$p/status"
	# no CAP_SYS_RAWIO (17), no CAP_SYS_ADMIN (21), no CAP_SYS_MODULE (16)
	[ $((0x$(sed -n 's/^CapPrm:[^0-9a-f]*//p' "/proc/$p/status") & 0x230000)) -eq 0 ]
	kill -TERM "$p"
	ended
	dump_of 2+ d.lua
}

plain_the_daemon_can_become_a_user() {
	chmod 777 .
	pids=/run
	start $(per_lproc) -i 0.2 --user user
	cat "/proc/$p/status"
	grep -q '^Uid:	1000	1000	1000	1000$' "/proc/$p/status"
	grep -q '^CapPrm:	0*$' "/proc/$p/status"
	more 4
	kill -TERM "$p"
	soon gone
	dump_of 5+ d.lua
	there 'pperf[7]'
	[ "$(stat -c %u d.lua)" -eq 1000 ]
	clear 1 'no such user' tallyd -n 1 --user nobody-here
}

plain_the_store_is_its_owners_alone() {
	start -q -i 0.2 -o d.lua --store s
	[ "$(stat -c %a s)" = 600 ]
	kill -TERM "$p"
	ended
	start -q -i 0.2 -o e.lua --store s --share
	stat s
	su user -c 'cat s' >/dev/null
	kill -TERM "$p"
	ended
}

plain_background_returns_with_the_first_row() {
	start -q -i 5 -o d.lua
	kill -0 "$p"
	kill -USR1 "$p"
	soon test -s d.lua
	dump_of 1+ d.lua
	kill -TERM "$p"
	ended
	dump_of 2+ d.lua
}

plain_background_that_fails_says_so_and_fails() {
	clear 1 /nowhere tallyd -b --pidfile pid -n 5 -o /nowhere/d.lua
	[ ! -e pid ]
	clear 1 /nowhere tallyd -b --pidfile pid -n 5 -o d.lua --store /nowhere/s
	[ ! -e pid ]
}

stop_with() {
	tallyd -q -i 0.2 -o d.lua --pidfile pid 2>err & p=$!
	soon began
	more 1
	if [ "$1" = CONT ]; then conted; else kill -"$1" "$p"; fi
	wait "$p"
	cat err
	ended
	dump_of 3+ d.lua
	# and from the background
	start -q -i 30 -o b.lua
	kill -"$1" "$p"
	ended
	dump_of 2 b.lua
}

plain_SIGCONT_ends_with_a_last_row() { stop_with CONT; }
plain_SIGTERM_ends_with_a_last_row() { stop_with TERM; }
plain_SIGINT_ends_with_a_last_row() { stop_with INT; }
plain_SIGHUP_ends_with_a_last_row() { stop_with HUP; }

plain_SIGUSR1_dumps_and_goes_on() {
	start -q -i 0.2 -o d.lua
	more 2
	kill -USR1 "$p"
	soon test -s d.lua
	dump_of 3+ d.lua
	first=$rows
	more 3
	kill -TERM "$p"
	ended
	dump_of "$((first + 3))+" d.lua
}

plain_SIGUSR2_marks_a_phase() {
	start -q -i 0.2 -o d.lua
	for mark in 0 1; do
		more 1
		kill -USR2 "$p"
		soon stored "^phase_mark\[$mark\] = "
	done
	kill -TERM "$p"
	ended
	[ "$(grep -c '^phase_mark\[[0-9]*\] = ' d.lua)" -eq 2 ]
}

plain_signals_while_it_starts_are_not_lost() {
	for sig in USR1 USR2 CONT; do
		tallyd -q -i 30 -n 1000 -o $sig.lua & p=$!
		# it has begun
		until grep -q '^SigBlk:.*[1-9a-f]' "/proc/$p/status"; do :; done
		kill -$sig $p
		case $sig in
		USR1) soon test -s USR1.lua; kill -TERM $p ;;
		USR2) soon stored '^phase_mark\[0\] = 1$'; kill -TERM $p ;;
		esac
		wait $p
		dump_of 2 $sig.lua
	done
	grep -q '^phase_mark\[0\] = 1$' USR2.lua
}

plain_nohup_is_heeded() {
	(trap '' HUP; exec tallyd -b -q -i 0.2 -o d.lua --pidfile pid)
	p=$(cat pid)
	kill -HUP "$p"
	more 3
	kill -TERM "$p"
	ended
	dump_of 4+ d.lua
}

plain_background_that_is_interrupted_does_not_go_on() {
	# a start that takes its time
	tallyd -b -q -i 30 --measure-dram-bandwidth -o d.lua --pidfile pid & q=$!
	p=
	until [ -n "$p" ]; do p=$(cat /proc/$q/task/$q/children); done
	kill -KILL $q
	wait $q || true
	ended
}

plain_limits_of_a_user_do_not_kill_it() {
	conf=$(per_lproc)
	# 1 KiB blocks in ash: 512 bytes, 4 KiB
	says 1 '--store' sh -c 'ulimit -f 8; exec tallyd -n 3 -i 0.1 -o d.lua'
	[ -z "$(ls /dev/shm)" ]
	sh -c "ulimit -t 1; exec tallyd $conf -i 0.001 -n 6000"
	dump_of 6000 d.lua
	# the store is written, not mapped: any number of samples has room
	# beside the program itself, which is over 4,000 kB of this
	sh -c "ulimit -v 9000; exec tallyd $conf -i 0.1 -n 2"
	dump_of 2 d.lua
	sh -c "ulimit -v 9000; exec tallyd $conf -i 0.001 -n 6000"
	dump_of 6000 d.lua
	[ -z "$(ls /dev/shm)" ]
}

plain_standard_output_that_is_full_is_an_error() {
	says 1 'No space left' sh -c 'tallyd --list columns >/dev/full'
	says 1 'No space left' sh -c 'tallyd --check >/dev/full'
}

plain_a_configuration_without_end_is_refused() {
	clear 1 '/dev/zero: neither a file nor a pipe' tallyd -q -n 1 -c /dev/zero
}

plain_a_storm_of_signals_stops_nothing() {
	start -q -i 0.1 -o d.lua
	for i in $(seq 1000); do kill -USR2 "$p"; done
	kill -0 "$p"
	more 4
	kill -TERM "$p"
	ended
	dump_of 5+ d.lua
}

plain_stopped_and_continued_in_the_foreground_it_goes_on() {
	tallyd -q -i 0.2 -o d.lua --pidfile pid & q=$!
	soon test -s pid
	p=$(cat pid)
	for stop in STOP TSTP TTIN TTOU; do
		more 2
		kill -$stop "$p"
		# a shell without job control is in its own, orphaned group
		[ $stop != STOP ] || soon grep '^State:	T' "/proc/$p/status"
		# in the midst of a sample it shows in that one's time
		[ $stop != STOP ] || { sleep 0.2; kill -CONT "$p"; }
	done
	more 3
	conted
	wait $q
	dump_of 9+ d.lua
}

plain_stopped_and_continued_in_the_background_it_ends_whole() {
	# SIGCONT is also what stops it, as in the original
	start -q -i 0.2 -o d.lua
	kill -STOP "$p"
	soon grep '^State:	T' "/proc/$p/status"
	sleep 1
	kill -CONT "$p"
	ended
	dump_of 2+ d.lua
}

plain_the_wall_clock_may_step_by_an_hour_both_ways() {
	start -q -i 0.2 -o d.lua
	now=$(date +%s)
	more 3
	date -s "@$((now + 3600))"
	more 3
	date -s "@$((now + 2))"
	more 3
	kill -TERM "$p"
	ended
	dump_of 10+ d.lua
	# not those of an hour
	[ "$(sed -n 's/^missed_deadlines = //p' d.lua)" -lt 5000 ]
}

# ---- CPU hotplug

plain_offline_at_start_is_left_out() {
	conf=$(per_lproc)
	echo 0 >$cpu/cpu3/online
	says 0 '7 of 8 lprocs online' tallyd --check
	tallyd $conf -i 0.2 -n 3
	echo 1 >$cpu/cpu3/online
	dump_of 3 d.lua
	grep -qx 'lproc_online\[3\] = 0' d.lua
	[ -z "$(has 'pperf[3]' d.lua)" ]
	there 'pperf[2]'
	there 'pperf[7]'
}

plain_a_whole_package_may_be_offline_at_start() {
	for n in 4 5 6 7; do echo 0 >$cpu/cpu$n/online; done
	says 0 '1 package, 4 of 8 lprocs online' tallyd --check
	tallyd -q -i 0.2 -n 3 -o d.lua
	for n in 4 5 6 7; do echo 1 >$cpu/cpu$n/online; done
	dump_of 3 d.lua
	there 'smi_count[0]'
	[ -z "$(has 'smi_count[1]' d.lua)" ]
}

# away "OPTIONS" LPROC...: they go offline for a while in the middle of sampling
away() {
	start $(per_lproc) -i 0.2 $1
	shift
	more 3
	for n; do echo 0 >$cpu/cpu$n/online; done
	more 5
	for n; do echo 1 >$cpu/cpu$n/online; done
	more 5
	kill -TERM "$p"
	soon gone
	dump_of 10+ d.lua
	last=$((rows - 1))
}

# A thread an lproc reads: one that is late, as on a slow machine, leaves a hole.
threads() { grep -q '^read_mode = "pinned"' d.lua; }

# there NAME: in every sample, with threads in half of them; few_holes NAME: at
# most one; gone_a_while NAME: missing in some, back at the end
there() {
	present=$(has "$1" d.lua | wc -w)
	[ "$present" -eq "$rows" ] ||
		{ threads && [ $((2 * present)) -ge "$rows" ]; }
}
few_holes() { [ "$(holes "$1" d.lua)" -le 1 ] || threads; }
gone_a_while() {
	[ "$(holes "$1" d.lua)" -ge 3 ]
	has "$1" d.lua | grep -q "^0 .* $last \$" ||
		{ threads && [ "$(has "$1" d.lua | awk '{ print $NF }')" -gt $((last - 3)) ]; }
}

# lproc 5 alone was gone
but_5() {
	gone_a_while 'pperf[5]'
	for n in 0 1 2 3 4 6 7; do there "pperf[$n]"; done
	there 'smi_count[0]'
	there 'smi_count[1]'
}

plain_an_lproc_goes_offline_and_returns() { away "" 5; but_5; }
plain_the_same_where_the_thread_visits() { away "--read visit" 5; but_5; }
plain_the_same_where_it_reads_from_afar() { away "--read remote" 5; but_5; }
plain_the_same_for_the_lproc_that_it_sleeps_on() {
	away "--read visit --cpu 5" 5
	but_5
}
plain_the_same_without_any_rights() {
	chmod 777 .
	pids=/run
	away "--user user" 5
	but_5
}

plain_the_lproc_that_its_package_is_read_from_goes_and_returns() {
	away "" 4
	gone_a_while 'pperf[4]'
	for n in 0 1 2 3 5 6 7; do there "pperf[$n]"; done
	there 'smi_count[0]'
	# another lproc of the package takes over
	few_holes 'smi_count[1]'
	has 'smi_count[1]' d.lua | grep -q "^0 .* $last \$" || threads
}

plain_a_reader_that_was_never_opened_takes_over_too() {
	# nothing but package registers: lprocs 0 and 4 alone have been read
	echo 'read smi_count rapl_pkg_energy' >package.conf
	start -q -c package.conf -o d.lua -i 0.2
	more 3
	echo 0 >$cpu/cpu4/online
	more 5
	echo 1 >$cpu/cpu4/online
	more 2
	kill -TERM "$p"
	ended
	dump_of 10+ d.lua
	there 'smi_count[0]'
	few_holes 'smi_count[1]'
}

plain_all_lprocs_of_a_package_go_and_return() {
	away "" 4 5 6 7
	for n in 4 5 6 7; do gone_a_while "pperf[$n]"; done
	for n in 0 1 2 3; do there "pperf[$n]"; done
	there 'smi_count[0]'
	gone_a_while 'smi_count[1]'
}

plain_an_lproc_that_comes_and_goes_ten_times() {
	start $(per_lproc) -i 0.1
	for i in $(seq 10); do
		echo 0 >$cpu/cpu6/online
		echo 1 >$cpu/cpu6/online
	done
	more 10
	kill -TERM "$p"
	ended
	dump_of 10+ d.lua
	last=$((rows - 1))
	there 'pperf[2]'
	has 'pperf[6]' d.lua | grep -q " $last \$" || threads
}

# ---- nothing lost

plain_kill_9_leaves_a_store_that_can_be_dumped() {
	mkdir t; mount -t tmpfs t t
	start -q -i 0.2 -o d.lua --store t/s
	more 4 t/s
	kill -9 "$p"
	soon gone
	[ ! -e d.lua ]
	tally dump t/s >d.lua
	dump_of 5+ d.lua
	there 'smi_count[1]'
	rm t/s; umount t
}

plain_what_a_dead_daemon_left_is_said_at_the_next_start() {
	start -q -i 0.2 -o d.lua
	kill -9 "$p"
	soon gone
	tallyd -n 1 -o e.lua >said 2>&1
	cat said
	grep -q "a tallyd that died left .* /dev/shm/tallyd-$p-.*\.store" said
	ls /dev/shm/tallyd-$p-*.store
}

plain_twenty_kills_lose_no_row() {
	for i in $(seq 20); do
		start -q -i 0.02 --read visit --overwrite -o d.lua --store s
		# $i, and whatever the machine adds
		usleep $((i * 17000))
		kill -9 "$p"
		soon gone
		tally dump s >d.lua
		dump_of 1+ d.lua
		[ "$(has 'smi_count[0]' d.lua | wc -w)" -eq "$rows" ]
		rm s pid
	done
}

plain_a_store_that_is_there_is_not_overwritten() {
	start -q -i 0.2 -o d.lua --store s
	sum=$(ls -i s)
	clear 1 's:' tallyd -q -n 1 -o e.lua --store s
	[ "$(ls -i s)" = "$sum" ]
	kill -0 "$p"
	kill -TERM "$p"
	ended
	[ ! -e s ]
	dump_of 2+ d.lua
}

plain_a_store_on_a_full_tmpfs_is_an_error_before_sampling() {
	mkdir t; mount -t tmpfs -o size=64k t t
	clear 1 '--store' tallyd -q -n 10000 -o d.lua --store t/s
	[ ! -e d.lua ]
	[ -z "$(ls t)" ]
	umount t
}

plain_a_store_larger_than_memory_is_refused() {
	mkdir t; mount -t tmpfs -o size=3g t t
	clear 1 'of memory that are available' tallyd -q -n 9000000 -o d.lua --store t/s
	[ -z "$(ls t)" ]
	umount t
}

plain_a_disk_full_at_dump_time_loses_nothing() {
	mkdir t; mount -t tmpfs -o size=16k t t
	start -i 0.2 -n 10 -o t/d.lua --store s 2>err
	soon gone
	cat err
	[ -e s ]
	[ -z "$(ls t)" ]
	umount t
	tally dump s >d.lua
	dump_of 10 d.lua
}

plain_where_the_samples_are_is_said_when_the_folder_is_gone() {
	mkdir t
	tallyd -i 0.2 -o t/d.lua --store s 2>err & p=$!
	soon began s
	rm -r t
	kill -TERM "$p"
	status=0; wait "$p" || status=$?
	cat err
	[ "$status" -eq 1 ]
	grep -q 'tally dump.* s ' err
	[ -e s ]
}

plain_a_device_or_a_pipe_is_written_to_and_stays() {
	ln -s /proc/self/fd/1 /dev/stdout
	for f in /dev/null /dev/stdout; do
		ls -l $f >before
		tallyd -q -i 0.1 -n 2 -o $f >$(basename $f).lua
		ls -l $f >after
		cmp before after
	done
	dump_of 2 stdout.lua
	mkfifo f
	cat f >got.lua & c=$!
	tallyd -q -i 0.1 -n 2 -o f
	wait $c
	dump_of 2 got.lua
	# nobody reads: not waited for
	says 1 'samples are safe' tallyd -q -i 0.1 -n 2 -o f --store s
	tally dump s >d.lua
	dump_of 2 d.lua
	ln -s there.lua link
	tallyd -q -i 0.1 -n 2 -o link
	dump_of 2 there.lua
	ls -l /dev/null >before
	tallyd -q -n 1 -o n.lua --pidfile /dev/null
	pmu_tree
	says 1 'another kind' tallyd --root tree -q -n 1 --journal /dev/null
	no_pmu_tree
	ls -l /dev/null >after
	cmp before after
}

plain_an_output_that_cannot_be_is_refused_before_sampling() {
	mkdir folder
	clear 64 '--output' tallyd -q -i 0.1 -n 2 -o ''
	for name in folder folder/ nowhere/ $(head -c 300 /dev/zero | tr '\0' x); do
		clear 1 '-o' tallyd -q -i 0.1 -n 2 -o "$name"
	done
	chmod 755 .
	clear 1 'as user 1000: Permission denied' tallyd -q -i 0.1 -n 2 --user user -o d.lua
	[ -z "$(ls /dev/shm)" ]
}

plain_a_dump_is_as_private_as_umask_says() {
	(umask 077; tallyd -q -n 1 -o d.lua)
	[ "$(stat -c %a d.lua)" = 600 ]
	tallyd -q -n 1 --overwrite -o d.lua
	[ "$(stat -c %a d.lua)" = 640 ]
}

plain_what_another_daemon_has_by_now_is_left_to_it() {
	start -q -i 0.2 -o d.lua --store s
	first=$p
	rm s pid
	start -q -i 0.2 -o e.lua --store s
	kill -TERM "$first"
	p=$first
	soon gone
	dump_of 2+ d.lua
	p=$(cat pid)
	[ "$p" != "$first" ]
	[ -e s ]
	kill -TERM "$p"
	ended
	[ ! -e s ]
	dump_of 2+ e.lua
}

plain_a_pidfile_that_cannot_be_removed_is_emptied() {
	mkdir out
	chmod 777 out
	chmod 755 .
	start -q -i 0.2 -o out/d.lua --user user
	kill -TERM "$p"
	soon gone
	[ -e pid ]
	[ ! -s pid ]
	dump_of 2+ out/d.lua
}

plain_a_pipe_among_the_stores_holds_nothing_up() {
	mkfifo /dev/shm/tallyd-1.store
	tallyd -q -n 1 -o d.lua
	rm /dev/shm/tallyd-1.store
	dump_of 1 d.lua
}

plain_a_read_only_folder_is_refused_before_sampling() {
	mkdir t; mount -t tmpfs t t; mount -o remount,ro t
	clear 1 'Read-only' tallyd -n 1 -o t/d.lua
	umount t
}

# ---- writing: the emulated CPU takes a write to a counter's control register
# and does not keep it, so that each start ends in the error path

plain_so_far_no_register_was_written() {
	# the driver warns, and marks the kernel, at the first such write
	dmesg >messages
	no grep -i 'unrecognized MSR' messages
	[ "$(($(cat /proc/sys/kernel/tainted) & 4))" -eq 0 ]
}

plain_registers_that_do_not_keep_a_value_end_the_start() {
	pmu_tree
	says 0 'core PMU version 3, 4 general counters of 48 bits, 3 fixed of 48' \
		tallyd --root tree --check
	# its first line says whether the kernel is tainted
	tallyd --root tree --dry-run | grep -v '^#' >before
	grep -q '^write CORE of lproc 7 ' before
	says 1 'does not keep its value' tallyd --root tree -q -n 1 -o d.lua
	grep -q 'CORE of lproc' said
	[ ! -e d.lua ]
	[ -z "$(ls /dev/shm)" ]
	[ ! -e tree/run/tallyd.journal ]
	tallyd --root tree --dry-run | grep -v '^#' >after
	no_pmu_tree
	cmp before after
	# it was the real driver
	dmesg | grep -i 'write to unrecognized MSR'
}

plain_an_lproc_gone_between_plan_and_write_is_told() {
	pmu_tree
	echo 0 >$cpu/cpu3/online
	says 1 'does not keep its value' tallyd --root tree -q -n 1 -o d.lua
	echo 1 >$cpu/cpu3/online
	no_pmu_tree
}

plain_restore_without_a_journal_says_so() {
	clear 0 'no journal' tallyd --restore
}

# summed TEXT: it and its checksum, which is that of gzip
summed() {
	printf '%s #%s\n' "$1" "$(printf %s "$1" | gzip -c | tail -c 8 |
		hexdump -n 4 -e '1/4 "%08x"')"
}

# journal LINE...: a journal as a daemon that died leaves it
journal() {
	n=0
	for line; do summed "$n $line"; n=$((n + 1)); done >records
	head=$(printf '%-149s' "tallyd-journal 2 pid 1 boot - registers $n bytes \
$((2 * 160 + 2 * $(wc -c <records)))")
	{ summed "$head"; cat records records; summed "$head"; } >tree/run/tallyd.journal
	chmod 600 tree/run/tallyd.journal
}

plain_an_unfinished_journal_stops_the_next_start() {
	pmu_tree
	# what lproc 2 holds (0) is what the journal wants back
	journal 'msr 2 0x186 8 0x0 0x5300c0 0xffffffff CORE of lproc 2 ctl0'
	says 1 'tallyd --restore' tallyd --root tree -q -n 1 -o d.lua
	says 0 '0 registers put back' tallyd --root tree --restore
	[ ! -e tree/run/tallyd.journal ]
	no_pmu_tree
}

plain_a_journal_that_somebody_cut_is_no_success() {
	pmu_tree
	journal 'msr 2 0x186 8 0x0 0x5300c0 0xffffffff CORE of lproc 2 ctl0'
	head -c 200 tree/run/tallyd.journal >cut
	cat cut >tree/run/tallyd.journal
	says 1 'it was cut, and names 0 of 1 register:' tallyd --root tree --restore
	[ -s tree/run/tallyd.journal ]
	journal 'msr 2 0x186 8 garbage CORE of lproc 2 ctl0'
	says 1 'no record of a register' tallyd --root tree --restore
	[ -s tree/run/tallyd.journal ]
	no_pmu_tree
}

plain_a_daemon_that_starts_has_a_pid() {
	pmu_tree
	tallyd --root tree -q -n 300000 -o d.lua & q=$!
	until [ -e tree/run/tallyd.journal ]; do :; done
	got=0
	tallyd --root tree -q -n 1 -o e.lua >said 2>&1 || got=$?
	wait $q || true
	no_pmu_tree
	cat said
	[ $got -eq 1 ]
	no grep 'CONT 0' said
}

plain_check_tells_of_an_unfinished_journal() {
	pmu_tree
	journal 'msr 2 0x186 8 0x0 0x5300c0 0xffffffff CORE of lproc 2 ctl0'
	says 1 'tallyd --restore' tallyd --root tree --check
	grep -q 'sampling would not work' said
	no_pmu_tree
}

plain_restore_without_the_right_or_the_driver_says_so() {
	pmu_tree
	journal 'msr 2 0x186 8 0x430000 0x5300c0 0xffffffff CORE of lproc 2 ctl0'
	clear 1 'CAP_SYS_RAWIO' without_cap 17 tallyd --root tree --restore
	rmmod msr
	got=0
	tallyd --root tree --restore >said 2>&1 || got=$?
	modprobe msr
	no_pmu_tree
	cat said
	[ $got -eq 1 ]
	grep -q 'modprobe msr' said
}

plain_an_lproc_without_a_device_is_left_out_where_it_writes() {
	pmu_tree
	rm tree/dev/cpu/3/msr
	tallyd --root tree -q -n 1 -o d.lua >said 2>&1 || true
	no_pmu_tree
	cat said
	grep -q '/dev/cpu/3/msr' said
	no grep 'cannot save' said
}

plain_a_dangling_output_link_is_refused_at_once() {
	ln -s /nowhere/x dead
	ln -s l2 l1
	ln -s l1 l2
	for l in dead l1; do
		says 1 'name another place with -o' tallyd -n 2 -i 0.1 -o $l
		no grep 'samples are safe' said
	done
}

plain_restore_writes_no_register_that_the_tables_do_not_name() {
	pmu_tree
	# IA32_PAT: kept by the emulated CPU, and none of ours
	journal 'msr 2 0x277 8 0x7040600070406 0x0 0xffffffffffffffff something'
	says 1 'none of this node' tallyd --root tree --restore
	[ -e tree/run/tallyd.journal ]
	no_pmu_tree
}

plain_restore_tells_what_is_not_back() {
	pmu_tree
	journal 'msr 2 0x186 8 0x430000 0x5300c0 0xffffffff CORE of lproc 2 ctl0'
	says 1 'does not keep its old value' tallyd --root tree --restore
	[ -e tree/run/tallyd.journal ]
	no_pmu_tree
}

# ---- iomem=relaxed

relaxed_the_window_is_used_and_said_to_be() {
	says 0 'ECAM window at 0xb0000000 through /dev/mem (ACPI MCFG)' tallyd --check
	no grep 'iomem=relaxed' said
}

relaxed_sampling_works() {
	tallyd -q -i 0.2 -n 3 -o d.lua
	dump_of 3 d.lua
}

# A register of one's own at a physical address: the host bridge's vendor and device,
# where the ECAM window begins.
relaxed_a_physical_address_is_read() {
	echo 'read mmio=0xb0000000 as BRIDGE gauge' >own.conf
	tallyd -q -i 0.2 -n 3 -c own.conf -o d.lua
	grep -Fx 'raw_mmio_BRIDGE[2] = 700481670' d.lua      # 29c0:8086
}

relaxed_root_without_rawio_is_still_told_so() {
	clear 1 'CAP_SYS_RAWIO' without_cap 17 tallyd -n 1
}

# ---- lockdown=integrity

lockdown_is_in_force() {
	grep -q '\[integrity\]' /sys/kernel/security/lockdown
}

lockdown_what_is_only_read_works() {
	says 0 'sampling would work' tallyd --check
	grep '^pci .*sysfs config files.*/dev/mem' said
	tallyd -q -i 0.2 -n 3 -o d.lua
	dump_of 3 d.lua
}

lockdown_writing_is_refused_in_words() {
	pmu_tree
	says 1 'locked down' tallyd --root tree --check
	grep -q 'sampling would not work' said
	clear 1 'lockdown' tallyd --root tree -q -n 1 -o d.lua
	grep -q 'the kernel refuses' said
	[ ! -e d.lua ]
	[ -z "$(ls /dev/shm)" ]
	no_pmu_tree
}

lockdown_confidentiality_is_no_worse() {
	echo confidentiality >/sys/kernel/security/lockdown
	says 0 'sampling would work' tallyd --check
	tallyd -q -i 0.2 -n 3 -o d.lua
	dump_of 3 d.lua
	pmu_tree
	says 1 'locked down' tallyd --root tree --check
	no_pmu_tree
}

# ---- msr.allow_writes=off

nowrites_is_in_force() {
	grep -qx off /sys/module/msr/parameters/allow_writes
}

nowrites_what_is_only_read_works() {
	says 0 'sampling would work' tallyd --check
	tallyd -q -i 0.2 -n 3 -o d.lua
	dump_of 3 d.lua
}

nowrites_writing_is_refused_in_words() {
	pmu_tree
	says 1 'allow_writes' tallyd --root tree --check
	grep -q 'sampling would not work' said
	clear 1 'allow_writes' tallyd --root tree -q -n 1 -o d.lua
	[ ! -e d.lua ]
	[ -z "$(ls /dev/shm)" ]
	no_pmu_tree
}

# ---- lprocs that were never there, and one 0 that can go

sparse_lprocs_and_no_zero() {
	echo 0 >$cpu/cpu0/online
	echo 0 >$cpu/cpu3/online
	says 0 '2 packages, 4 of 8 lprocs online' tallyd --check
	conf=$(per_lproc)
	for mode in visit remote auto; do
		tallyd $conf -i 0.1 -n 3 --read $mode
		dump_of 3 d.lua
		for n in 1 2 4 5; do there "pperf[$n]"; done
		for n in 0 3 6; do [ -z "$(has "pperf[$n]" d.lua)" ]; done
		there 'smi_count[0]'
		there 'smi_count[1]'
	done
	echo 1 >$cpu/cpu0/online
	echo 1 >$cpu/cpu3/online
}

sparse_lproc_0_goes_and_returns() {
	for mode in visit remote; do
		away "--read $mode" 0
		gone_a_while 'pperf[0]'
		for n in 1 2 3 4 5; do there "pperf[$n]"; done
		few_holes 'smi_count[0]'
	done
}

# ---- a machine without an ECAM window

nomcfg_its_absence_is_said() {
	[ ! -e /sys/firmware/acpi/tables/MCFG ]
	says 0 'no ECAM window' tallyd --check
	grep -q '2 packages, 2 of 2 lprocs online' said
}

nomcfg_sampling_works() {
	tallyd -q -i 0.2 -n 3 -o d.lua
	dump_of 3 d.lua
}

# ---- another CPU

unknown_cpu_is_sampled_by_what_it_announces() {
	says 0 'model    any-x86 ' tallyd --check
	tallyd -q -i 0.2 -n 3 -o unknown.lua
	dump_of 3 unknown.lua
}

# ---- AMD: QEMU's Milan has none of its counters; registers that QEMU does not know
# read 0, and forget what is written

# leaf BYTE TEXT: what CPUID has from there on, of every lproc of the tree: a leaf's
# number is where it stands in the device, four bytes a register
leaf() {
	for n in tree/dev/cpu/*; do
		printf "$2" | dd of=$n/cpuid bs=1 seek=$(($1)) conv=notrunc
	done
}

# A tree whose CPU says that it is a Genoa with all of its counters.
genoa_tree() {
	pmu_tree
	sed 's/^\(cpu family\t*: \).*/\125/; s/^\(model\t*: \).*/\117/' \
		/proc/cpuinfo >cpuinfo
	mount -o bind cpuinfo tree/proc/cpuinfo
	rm tree/dev/cpu/*/cpuid
	leaf 0x80000000 '\050\0\0\200'                      # the highest: 8000_0028
	leaf 0x80000009 '\377\067\302\165'                  # 8000_0001 ECX: all counters
	leaf 0x80000022 '\007\0\0\0\006\101\060\0\377\017\0\0\0\0\0\0'
}

epyc_without_counters_is_a_problem_that_is_told() {
	says 1 'nothing that is asked for can be counted here' tallyd --check
	grep -qx 'model    zen3 (AMD Zen 3)' said
	grep -qx 'ccx      package 0: 0 = 0-3' said
	grep -qx 'ccx      package 1: 0 = 4-7' said
	grep -q '^core PMU none' said
	grep -q 'boxes    none: CPUID announces no counters of it' said
	clear 1 'rapl_pkg_energy' tallyd -n 1
}

epyc_counts_what_the_kernel_counts() {
	tallyd -q -c @software -n 3 -i 0.2 --overwrite -o d.lua
	dump_of 3 d.lua
	grep -q '^model = "zen3"' d.lua
	no grep '^core_counts\[' d.lua
	tally report d.lua
}

epyc_that_forgets_what_is_written_has_no_counters() {
	genoa_tree
	printf '%s\n' 'optional core instr_retired' 'optional l3 l3_lookups' \
		'optional df dram_rd_local_0' 'optional umc umc_cas_rd' \
		'software on' >all.conf
	says 0 'sampling would work' tallyd --root tree --check -c all.conf
	grep -qx 'model    zen4 (AMD Zen 4)' said
	tallyd -q --root tree -c all.conf -n 3 -i 0.2 --overwrite -o d.lua
	dump_of 3 d.lua
	no grep -E '^(core|l3|df|umc)_counts\[' d.lua
	tally report d.lua
	umount tree/proc/cpuinfo
	no_pmu_tree
}
