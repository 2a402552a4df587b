#!/bin/bash
# The service under a systemd that runs: a root like that of run.sh, booted in
# namespaces of its own, with systemd as its first process and no network.
#
#   boot.sh FOLDER        which has old.deb, new.deb; booted.sh puts out the lines
#
# What cannot be had here (namespaces, cgroup2, an overlay, systemd) is named, and
# all is skipped.
set -u
cd "$(dirname "$0")/../.." || exit 1
to=$1

skip() { echo "SKIPPED the service under systemd: $*"; exit 0; }

if [ "${2:-}" != inside ]; then
	[ -x /lib/systemd/systemd ] || skip "there is none here"
	unshare -mpfuinC --kill-child true 2>/dev/null || skip "no namespace can be made here"
	rm -rf "$to/boot" && mkdir -p "$to"/boot/{over,root,check} || exit 1
	cp "$to"/{old,new}.deb tests/package/{booted.sh,probe.sh} "$to/boot/check" || exit 1
	# it ends by itself; what hangs is shown
	timeout -s KILL 900 unshare -mpfuinC --kill-child --propagation private \
		"$0" "$to" inside >"$to/boot/console" 2>&1 </dev/null
	[ ! -e "$to/boot/why-not" ] || skip "$(cat "$to/boot/why-not")"
	grep -vx 'all is done' "$to/boot/check/lines"
	grep -qx 'all is done' "$to/boot/check/lines" && exit "$(grep -c '^FAILED' "$to/boot/check/lines")"
	echo "FAILED systemd did not come to the end; its console:"
	tail -n 40 "$to/boot/console"
	exit 1
fi

root=$to/boot/root
cannot() { echo "$*" >"$to/boot/why-not"; exit 1; }
hostname node1
mount -t tmpfs -o mode=755 tallyd-boot "$to/boot/over" && mkdir "$to"/boot/over/{upper,work} &&
	mount -t overlay -o "lowerdir=/,upperdir=$to/boot/over/upper,workdir=$to/boot/over/work" overlay "$root" ||
	cannot "no overlay can be mounted here"
mount -t proc proc "$root/proc" && mount -t sysfs -o ro sysfs "$root/sys" || cannot "no /proc or /sys can be mounted here"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup" || cannot "no cgroup2 can be mounted here"
for place in run dev tmp; do mount -t tmpfs -o mode=755 tallyd-boot "$root/$place"; done
chmod 1777 "$root/tmp"
for node in null zero full random urandom tty; do
	touch "$root/dev/$node" && mount --bind /dev/$node "$root/dev/$node" || cannot "no /dev/$node here"
done
mkdir -p "$root"/dev/{pts,shm} "$root/check"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs tallyd-boot "$root/dev/shm" && mount --bind "$to/boot/check" "$root/check" || exit 1

# Of all that this system has installed, nothing but systemd's own is started.
rm -f "$root/usr/sbin/policy-rc.d"
units=$root/etc/systemd/system
rm -rf "$units"/{sysinit,basic,sockets,timers}.target.wants
ln -sf /dev/null "$units/tmp.mount"
mkdir -p "$units"
cat >"$units/check.target" <<END
[Unit]
Requires=basic.target
Wants=check.service
END
cat >"$units/check.service" <<END
[Unit]
After=basic.target
[Service]
Type=oneshot
Environment=LC_ALL=C DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin
ExecStart=/bin/bash /check/booted.sh
ExecStopPost=/bin/systemctl exit 0
StandardOutput=file:/check/lines
StandardError=file:/check/errors
END
exec env -i container=tallyd PATH=/usr/sbin:/usr/bin:/sbin:/bin \
	chroot "$root" /lib/systemd/systemd --system --unit=check.target --log-target=journal-or-kmsg --show-status=no
