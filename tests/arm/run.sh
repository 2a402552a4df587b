#!/bin/sh
# Debian's arm64 kernel under QEMU with -icount: there the emulated PMUv3 counts
# instructions exactly, so a loop of known length checks the whole way from
# perf_event_open to a column.  What `make check-arm` does.
#
# The programs are cross-compiled statically; kernel and tools come from Debian,
# and the kernel is unpacked, never installed.
set -u
cd "$(dirname "$0")/../.." || exit 1
W=$PWD/build-arm
CROSS=${CROSS:-aarch64-linux-gnu-}
TIMEOUT=${VM_TIMEOUT:-300}

. tests/guest.sh

# Package lists of arm64 beside those of this machine, which stay as they are.
kernel_arm64() {
	mkdir -p "$W/apt/lists/partial" "$W/apt/cache/archives/partial"
	: >"$W/apt/status"
	set -- -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 \
		-o Dir::State="$W/apt" -o Dir::State::lists="$W/apt/lists" \
		-o Dir::State::status="$W/apt/status" -o Dir::Cache="$W/apt/cache" \
		-o APT::Sandbox::User=root
	apt-get "$@" update >"$W/apt.log" 2>&1 || die "apt-get update (build-arm/apt.log)"
	kernel arm64 "$@"
}

programs() {
	${MAKE:-make} -s B=build-arm/static CC="${CROSS}gcc" LDFLAGS=-static \
		build-arm/static/tallyd >"$W/make.log" 2>&1 ||
		{ cat "$W/make.log"; die "tallyd does not build for arm64"; }
	"${CROSS}gcc" -std=c11 -D_GNU_SOURCE -I. -O2 -Wall -Wextra -static \
		-o "$W/init" tests/arm/init.c build-arm/static/lib/*.o build-arm/static/regs/*.o build-arm/static/regs/linux/*.o -lm \
		>"$W/make.log" 2>&1 || { cat "$W/make.log"; die "init does not build"; }
}

initramfs() {
	rm -rf "$W/root"
	mkdir -p "$W/root/dev"
	cp "$W/init" build-arm/static/tallyd "$W/root/" || exit 1
	pack
}

mkdir -p "$W"
tools qemu-system-aarch64 qemu-system-arm "${CROSS}gcc" \
	"gcc-aarch64-linux-gnu libc6-dev-arm64-cross" cpio cpio dpkg-deb dpkg
unpacked || kernel_arm64
programs
initramfs
# one instruction is one nanosecond
timeout "$TIMEOUT" qemu-system-aarch64 -nodefaults -no-user-config -no-reboot \
	-M virt -cpu cortex-a72 -smp 2 -m 512M -icount shift=0,sleep=off \
	-display none -serial stdio -kernel "$W"/kernel/boot/vmlinuz-* \
	-initrd "$W/initramfs.gz" \
	-append "console=ttyAMA0 quiet panic=-1 mitigations=off" \
	</dev/null 2>"$W/qemu.log" | tr -d '\r' >"$W/guest.log"
grep -aE '^(ok|FAILED|#) ' "$W/guest.log"
grep -aq '^end$' "$W/guest.log" || { tail -20 "$W/guest.log" "$W/qemu.log"
	die "the guest did not come to its end"; }
! grep -aq '^FAILED ' "$W/guest.log" && grep -aq '^ok .*0.1 %' "$W/guest.log"
