# What the runners of guests share (tests/vm/run.sh, tests/arm/run.sh), which
# source it with W set: the folder where they build and unpack.

die() { echo "check-${W##*/build-}: $*" >&2; exit 1; }

# What is not here is installed: PROGRAM PACKAGE pairs.
tools() {
	wanted=
	while [ $# -gt 0 ]; do
		command -v "$1" >/dev/null || wanted="$wanted $2"
		shift 2
	done
	[ -z "$wanted" ] && return
	[ "$(id -u)" -eq 0 ] || die "these are missing: apt-get install$wanted"
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq && apt-get install -y -qq --no-install-recommends \
		$wanted >"$W/apt.log" 2>&1 || die "cannot install$wanted ($W/apt.log)"
}

# kernel ARCH [APT OPTION...]: Debian's, in $W/kernel.  It is unpacked there and
# never installed: no hooks, no boot loader.
kernel() {
	meta=linux-image-$1
	shift
	name=$(apt-cache "$@" depends "$meta" | sed -n 's/.*Depends: \(linux-image-[^ ]*\)/\1/p' | head -1)
	[ -n "$name" ] || die "apt knows no $meta"
	(cd "$W" && rm -f linux-image-*.deb &&
		apt-get -qq -o APT::Sandbox::User=root "$@" download "$name") >"$W/apt.log" 2>&1 ||
		die "cannot download $name ($W/apt.log)"
	rm -rf "$W/kernel.new"
	dpkg-deb -x "$W"/linux-image-*.deb "$W/kernel.new" && rm -rf "$W/kernel" &&
		mv "$W/kernel.new" "$W/kernel" || die "cannot unpack the kernel"
	rm -f "$W"/linux-image-*.deb
}

unpacked() { ls "$W"/kernel/boot/vmlinuz-* >/dev/null 2>&1; }

# $W/root, as the kernel takes it
pack() { (cd "$W/root" && find . | cpio -o -H newc --quiet) | gzip -1 >"$W/initramfs.gz"; }
