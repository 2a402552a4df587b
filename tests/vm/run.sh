#!/bin/sh
# Debian's kernel under QEMU, emulated in software: two packages, the real msr
# driver, sysfs, ACPI MCFG and /dev/mem.  Runs the cases of tests/vm/cases.sh
# there, a boot for each kernel or machine that they need.
#
#   tests/vm/run.sh               all; what `make check-vm` does
#   tests/vm/run.sh BOOT...       the boots named
#   tests/vm/run.sh BOOT/WORD     its cases with WORD in the name, and all they say
#   VM_KILLS=200 tests/vm/run.sh live/kill_9     what CI does with fewer
#   tests/vm/run.sh bench         figures instead; what `make bench-vm` does
#   tests/vm/run.sh bench feel    what applications feel alone; `access`: raw and
#                                 perf on the same columns; `peers`: turbostat, likwid
#                                 and pcm of Debian beside tallyd, not in `bench`;
#                                 `turns`: what a turn of event sets takes, beside
#                                 VM_OLD=FILE, a static tallyd; not in `bench`
#
# Prints a line a case; ends with "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/../.." || exit 1
W=$PWD/build-vm B=${B:-build}
TIMEOUT=${VM_TIMEOUT:-3600}     # seconds a boot may take: for one that hangs
threads=multi                   # of QEMU: single where instructions are the clock
KILLS=${VM_KILLS:-8}            # how often tallyd is killed at random; 200 in all
LPROCS=${VM_LPROCS:-24}         # of the guest that is measured
MACHINE="-M q35 -cpu Skylake-Server -smp 8,sockets=2,cores=2,threads=2"

. tests/guest.sh

programs() {
	${MAKE:-make} -s B="$B" "$B/static/tallyd" "$B/static/tally" 2>"$W/make.log" ||
		{ cat "$W/make.log"; die "the programs do not build statically"; }
	build without_cap
	build planted_check $(objects lib regs topology config)
}

# objects FOLDER...: of all programs, as they were built
objects() {
	find "$@" -name '*.c' | sed '/\/main\.c$/d; s|\(.*\)\.c$|'"$B"'/\1.o|'
}

# build NAME [OBJECT...]: a program of this folder
build() {
	name=$1; shift
	${CC:-cc} -std=c11 -D_GNU_SOURCE -I. -O2 -Wall -Wextra -static \
		-o "$W/$name" "tests/vm/$name.c" "$@" -lm 2>"$W/make.log" ||
		{ cat "$W/make.log"; die "tests/vm/$name.c does not build"; }
}

# The module that gives registers contents; where there are no headers for a
# kernel that was unpacked long ago, for one that is got now.
module() {
	headers || { apt-get update -qq && headers; } ||
		{ kernel amd64 && headers; } ||
		die "no headers for the guest's kernel ($W/apt.log)"
	cp tests/vm/live/* "$W/live/" &&
		${MAKE:-make} -s -C "$W/headers/usr/src/linux-headers-$version" \
			M="$W/live" modules >"$W/make.log" 2>&1 ||
		{ cat "$W/make.log"; die "tests/vm/live does not build"; }
}

initramfs() {
	version=$(cd "$W/kernel/lib/modules" && echo *)
	R=$W/root M=$W/root/lib/modules/$version
	rm -rf "$R"
	mkdir -p "$R/bin" "$M"
	cp "$(command -v busybox)" "$B/static/tallyd" "$B/static/tally" "$R/bin/" || exit 1
	[ -z "${VM_OLD:-}" ] || cp "$VM_OLD" "$R/bin/tallyd.old" || exit 1
	cp "$W/without_cap" "$W/planted_check" "$R/bin/"
	strip -g -o "$R/live.ko" "$W/live/live.ko" || exit 1
	for p in bench_read feel least; do
		[ ! -e "$W/$p" ] || cp "$W/$p" "$R/bin/"
	done
	# none of these needs another module
	for m in msr cpuid intel-cstate; do
		ko=$(find "$W/kernel/lib/modules" -name "$m.ko*")
		case $ko in
		*.xz) xz -dc "$ko" >"$M/$m.ko" ;;
		*) cp "$ko" "$M/" ;;
		esac || die "no module $m"
		echo "$m.ko:"
	done >"$M/modules.dep"
	cp tests/vm/init tests/vm/*.sh "$R/"
	chmod 755 "$R/init"
	pack
}

# peer PROGRAM PACKAGE [PATTERN...]: a program of Debian's, with its libraries and the
# files and folders that it reads; where apt has it not, a word
peer() {
	program=$1 package=$2; shift 2
	command -v "$program" >/dev/null || { [ "$(id -u)" -eq 0 ] &&
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
			--no-install-recommends "$package" >"$W/apt.log" 2>&1; } ||
		{ echo "SKIPPED $program: apt cannot install $package ($W/apt.log)"; return; }
	found=$(command -v "$program")
	[ $# -eq 0 ] || set -- $(find $* ! -type d)     # now that they are there
	(cd / && for f in "$found" "$@" $(ldd "$found" "$@" 2>/dev/null |
		sed -n 's/.*[ \t]\(\/[^ ]*\) (0x.*/\1/p'); do echo "${f#/}"; done |
		sort -u | cpio -pdmuL --quiet "$W/root") || die "cannot copy $program"
}

# the programs of other projects that have been unpacked for `bench peers`
peer_programs() {
	peer bash bash          # likwid starts programs with it
	peer turbostat linux-cpupower
	peer lua5.3 likwid /usr/bin/likwid-perfctr /usr/sbin/likwid-accessD /usr/share/lua/likwid.lua \
		'/usr/lib/*/liblikwid*.so*' \
		/usr/share/likwid/perfgroups/skylakeX
	peer pcm-core pcm
}

# Has the guest said anything of a case?
begun() {
	grep -qaE '^(ok|FAILED|SKIPPED|# (bench|feel|access|turns|peers):|[0-9]+ passed)' "$log"
}

# boot NAME PARAMETERS MACHINE...: the guest runs the cases called NAME_*
boot() {
	name=$1 parameters=$2 log=$W/$1.log
	shift 2
	for try in 1 2 3; do
		: >"$log"
		timeout "$TIMEOUT" qemu-system-x86_64 -nodefaults -no-user-config \
			-no-reboot -accel tcg,thread=$threads "$@" -m 1G \
			-display none -serial "file:$log" \
			-kernel "$W"/kernel/boot/vmlinuz-* \
			-initrd "$W/initramfs.gz" -append "console=ttyS0 panic=-1 \
			no_timer_check mitigations=off vm.boot=$name vm.only=$only vm.kills=$KILLS \
			$parameters" \
			</dev/null 2>"$W/$name.qemu" & guest=$!
		# now and then an emulated guest hangs before its first word,
		# which the kernel says within a second or so
		for i in $(seq 120); do
			sleep 1
			[ ! -s "$log" ] && kill -0 $guest 2>/dev/null || break
		done
		[ -s "$log" ] || kill $guest 2>/dev/null
		# or while its CPUs wait for each other, which it says itself
		while kill -0 $guest 2>/dev/null && ! begun; do
			grep -qa 'soft lockup' "$log" && kill $guest
			sleep 2
		done
		wait $guest
		# nor is a kernel that panics before a case is begun a case's
		# fault: emulated timers are late where the host is busy
		! begun || break
	done
	sed -i 's/\r//g' "$log"
}

# Count the lines that the guest of one boot printed.
tally_up() {
	grep -aE '^(ok|FAILED|SKIPPED|  \|) ' "$log"
	end=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)
	case $end in
	'0 passed, 0 failed, 0 skipped')
		failed=$((failed + 1))
		echo "FAILED $name: no case is called ${name}_*$only*" ;;
	esac
	passed=$((passed + $(grep -ac '^ok ' "$log")))
	failed=$((failed + $(grep -ac '^FAILED ' "$log")))
	skipped=$((skipped + $(grep -ac '^SKIPPED ' "$log")))
	[ -n "$end" ] && return
	failed=$((failed + 1))
	echo "FAILED $name: the guest did not come to its end, for which it had $TIMEOUT s"
	tail -n 20 "$log" "$W/$name.qemu" | grep -av "TCG doesn't support" | sed 's/^/  | /'
}

# What each boot is for: the machine and the kernel's parameters.
plain()    { boot plain "" $MACHINE; }
relaxed()  { boot relaxed "iomem=relaxed" $MACHINE; }
lockdown() { boot lockdown "lockdown=integrity" $MACHINE; }
nowrites() { boot nowrites "msr.allow_writes=off" $MACHINE; }
live()     { boot live "" $MACHINE; }
sparse()   { boot sparse "maxcpus=6 cpu0_hotplug" $MACHINE; }
nomcfg()   { boot nomcfg "" -M pc -cpu Skylake-Server -smp 2,sockets=2; }
# what a sweep over a node's lprocs is; more than the host has CPUs to run them
bench()    { n=$(($LPROCS / 4))
             boot bench "" -M q35 -cpu Skylake-Server -smp $((4 * n)),sockets=2,cores=$n,threads=2; }
peers()    { n=$(($LPROCS / 4))
             boot peers "" -M q35 -cpu Skylake-Server -smp $((4 * n)),sockets=2,cores=$n,threads=2; }
# one lproc, whose clock is the instructions that it has executed, a nanosecond each:
# what else the host does is not felt
feel()     { threads=single
             boot feel "" -M q35 -cpu Skylake-Server -smp 1 -icount shift=0,sleep=off
             threads=multi; }
# the kernel gives a guest no PMU of C-states: this one does not know it is one
access()   { n=$((($(nproc) + 1) / 2))
             boot access "" -M q35 -cpu Icelake-Server,model=106,-hypervisor \
		-smp $((2 * n)),sockets=2,cores=$n; }
turns()    { boot turns "" -M q35 -cpu Skylake-Server -smp 4,sockets=2,cores=2; }
unknown()  { boot unknown "" -M q35 -cpu Westmere -smp 2,sockets=1,cores=2; }
epyc()     { boot epyc "" -M q35 -cpu EPYC-Milan -smp 8,sockets=2,cores=2,threads=2; }

mkdir -p "$W/live"
tools qemu-system-x86_64 qemu-system-x86 busybox busybox-static cpio cpio \
	dpkg-deb dpkg cc gcc
if ! unpacked; then
	[ -n "$(apt-cache show linux-image-amd64 2>/dev/null)" ] || apt-get update -qq
	kernel amd64
fi
programs
module
passed=0 failed=0 skipped=0 only=
if [ "${1:-}" = bench ]; then
	build feel
	build least
	build bench_read $(objects lib regs topology config daemon)
	initramfs
	shift
	case " $* " in *' peers '*) peer_programs; pack ;; esac
	for b in ${*:-bench feel access}; do
		$b
		sed -n "/^# $b/,\$p" "$log" | grep -av '^\['
		grep -aq '^# end' "$log" ||
			die "the guest did not come to its end (build-vm/$b.log)"
	done
	exit
fi
initramfs
[ $# -gt 0 ] || set -- plain relaxed lockdown nowrites sparse nomcfg unknown epyc live
for b; do
	start=$(date +%s)
	case $b in
	*/*) only=${b#*/} b=${b%%/*} ;;
	*) only= ;;
	esac
	$b
	tally_up
	echo "       $b: $(($(date +%s) - start)) s, log in build-vm/$b.log"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
