#!/bin/bash
# The packages, as root on Debian: both are built, twice, to the same bytes and
# with the same files; lintian has nothing to say; the .deb is installed in a
# clean root (inside.sh), and its service runs under a systemd (boot.sh).  The root is this system under an overlay, and where
# that cannot be mounted, one of debootstrap's; it and all that runs in it goes
# with a namespace of its own, however this ends.  A line a test.
cd "$(dirname "$0")/../.." || exit 1
B=${B:-build} status=0
to=$B/check-package
ok() {
	local name=$1 from=$SECONDS; shift
	if "$@" >"$to/out" 2>&1; then echo "ok $name ($((SECONDS - from)) s)"
	else echo "FAILED $name: $*"; sed 's/^/    /' "$to/out"; status=1; fi
}
silent() { "$@" >"$to/said" 2>&1; cat "$to/said"; ! grep -v 'running with root privileges' "$to/said"; }

# The inner half: $to is the folder, this process has namespaces of its own.
if [ "${1:-}" = inside ]; then
	root=$to/root UPPER=
	if mount -t tmpfs -o mode=755 tallyd-check "$to/over" && mkdir "$to"/over/{upper,work} &&
		mount -t overlay -o "lowerdir=/,upperdir=$to/over/upper,workdir=$to/over/work" overlay "$root"
	then UPPER=/tmp/p/upper
	else
		echo "no overlay can be mounted here: a root of debootstrap's" >&2
		debootstrap --variant=minbase --include=systemd,libpam-runtime bookworm "$root" >"$to/debootstrap.log" 2>&1 ||
			{ tail "$to/debootstrap.log"; exit 1; }
	fi
	mount -t tmpfs -o mode=1777 tallyd-tmp "$root/tmp" && mkdir "$root/tmp/p" &&
		cp "$to"/*.deb tests/package/{inside.sh,systemctl} "$root/tmp/p" || exit 1
	if [ -n "$UPPER" ]; then mkdir "$root$UPPER" && mount --bind "$to/over/upper" "$root$UPPER" || exit 1; fi
	mount -t proc proc "$root/proc"
	mount -t sysfs -o ro sysfs "$root/sys" 2>/dev/null
	mount --rbind /dev "$root/dev" && mount -t tmpfs tallyd-shm "$root/dev/shm"
	mount -t tmpfs -o mode=755 tallyd-run "$root/run"
	exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive \
		UPPER="$UPPER" chroot "$root" /bin/bash /tmp/p/inside.sh
fi

rm -rf "$to" && mkdir -p "$to"/{over,root,again}
ok "make deb" doc/packaging/build.sh deb "$to/one"
ok "lintian has nothing to say, whatever it is asked" silent lintian --pedantic -I "$to"/one/deb/*.changes
ok "nor of Debian's source package" silent lintian --pedantic -I "$to"/one/deb/*.dsc
ok "the tests that Debian runs, as its control file has them" sh -c 'mkdir -p "$0/autopkgtest" && dpkg -x "$0"/one/deb/tallyd_*_*.deb "$0/autopkgtest/root" &&
	sed -n "s/^Test-Command: //p" doc/packaging/debian/tests/control >"$0/autopkgtest/tests" && cd "$0/autopkgtest" && [ "$(grep -c . tests)" = 2 ] &&
	while read -r test; do PATH=$PWD/root/usr/sbin:$PWD/root/usr/bin:$PATH AUTOPKGTEST_TMP=$PWD sh -ec "$test" || exit 1; done <tests' "$(realpath "$to")"
# elsewhere, with another mask of files and in another time zone
mkdir "$to/again/place"
ok "make dist" doc/packaging/build.sh dist "$to/again"
tar -xzf "$to"/again/*.tar.gz -C "$to/again/place"
ok "make deb, again, of what make dist made" env TZ=Asia/Tokyo sh -c "umask 077; '$to'/again/place/*/doc/packaging/build.sh deb '$to/two'"
ok "make rpm" doc/packaging/build.sh rpm "$to/one"
ok "make rpm, again" "$to"/again/place/*/doc/packaging/build.sh rpm "$to/two"
for p in "$to"/one/*.tar.gz "$to"/one/{deb,rpm}/*.{deb,rpm}; do
	[ -e "$p" ] && ok "both are the same: ${p##*/}" cmp "$p" "$to/two/${p#"$to"/one/}"
done
# man pages and the changelog are packed in one, and folders of all are listed; what
# lintian is told and Debian's own changelog are in the deb alone
names() { sed -n 's/\.gz$//; s|^/lib/|/usr/lib/|; s|vendor-completions|site-functions|; /\/tallyd\|\/tally/p' | LC_ALL=C sort; }
dpkg -c "$to"/one/deb/tallyd_*.deb | awk '$1 !~ /^d/ { sub(/^\./, "", $6); print $6 }' | names |
	grep -v -e '/lintian/overrides/tallyd$' -e '/changelog.Debian$' >"$to/deb.files"
rpm -qp --qf '[%{FILEMODES:perms} %{FILENAMES}\n]' "$to"/one/rpm/tallyd-[0-9]*.rpm | awk '$1 !~ /^d/ { print $2 }' | names >"$to/rpm.files"
ok "the rpm has the files of the deb" diff "$to/deb.files" "$to/rpm.files"
mkdir -p "$to/rpmroot"
ok "rpm installs it" rpm --root "$(realpath "$to/rpmroot")" -i --nodeps --noscripts "$(realpath "$to"/one/rpm/tallyd-[0-9]*.rpm)"
ok "which runs" sh -c "'$to/rpmroot/usr/sbin/tallyd' --version && '$to/rpmroot/usr/bin/tally' --version"
ok "and there are some" grep -q /usr/sbin/tallyd "$to/rpm.files"
ok "debug symbols are apart" sh -c "rpm -qpl $to/one/rpm/tallyd-debuginfo*.rpm | grep -q '/tallyd.*debug' && dpkg -c $to/one/deb/tallyd-dbgsym*.deb | grep -q 'debug$'"

cp "$to"/one/deb/tallyd_*.deb "$to/old.deb"
dpkg-deb -R "$to/old.deb" "$to/next" && sed -i 's/^Version: .*/&+next/' "$to/next/DEBIAN/control" &&
	dpkg-deb -b "$to/next" "$to/new.deb" >/dev/null || exit 1
if unshare -mpf --kill-child true 2>/dev/null; then
	timeout -s KILL 3000 unshare -mpf --kill-child --propagation private "$0" inside || status=1
else
	echo "SKIPPED installing in a clean root: no namespace can be made here"
fi
tests/package/boot.sh "$to" || status=1
tests/package/static.sh "$to" || status=1
tests/package/from_nothing.sh "$to" || status=1
exit $status
