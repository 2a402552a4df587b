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

# headers: what a module for that kernel is built with, in $W/headers.  Prints
# nothing; the folder to build in is $W/headers/usr/src/linux-headers-VERSION.
headers() {
	version=$(cd "$W/kernel/lib/modules" && echo *)
	[ -e "$W/headers/usr/src/linux-headers-$version/Makefile" ] && return
	rm -rf "$W/headers" && mkdir -p "$W/headers"
	names=$(apt-cache depends "linux-headers-$version" | sed -n \
		's/.*Depends: \(linux-headers-[^ ]*-common\|linux-kbuild-[^ ]*\).*/\1/p')
	(cd "$W/headers" && apt-get -qq -o APT::Sandbox::User=root download \
		"linux-headers-$version" $names && for deb in *.deb; do
			dpkg-deb -x "$deb" . && rm "$deb" || exit 1
		done) >"$W/apt.log" 2>&1 || return 1
	# the packages expect to be unpacked at /
	sed -i "s|/usr/src/|$W/headers/usr/src/|" \
		"$W/headers/usr/src/linux-headers-$version/Makefile"
}

unpacked() { ls "$W"/kernel/boot/vmlinuz-* >/dev/null 2>&1; }

# $W/root, as the kernel takes it
pack() { (cd "$W/root" && find . | cpio -o -H newc --quiet) | gzip -1 >"$W/initramfs.gz"; }
