#!/bin/sh
# Makes a package of a source tree, below a folder:
#
#   build.sh dist|deb|rpm FOLDER
#
# dist: FOLDER/tallyd-VERSION.tar.gz.  deb and rpm unpack that below FOLDER/deb
# or FOLDER/rpm, build there, and leave the packages in it.  The same source
# gives the same bytes, whenever and wherever: times are those of the changelog's
# last entry (or SOURCE_DATE_EPOCH).  deb leaves Debian's source package there, too.  MAINTAINER="NAME <ADDRESS>" is who the
# Debian package says to write to.
set -eu
what=$1
mkdir -p "$2"
to=$(cd "$2" && pwd)
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^#define TALLYD_VERSION "\(.*\)"/\1/p' config/version.h)
name=tallyd-$version
log=doc/packaging/changelog
head -n 1 $log | grep -qF "($version)" || {
	echo "$log begins with another version than $version, config/version.h's" >&2
	exit 1
}
: "${SOURCE_DATE_EPOCH:=$(date +%s -d "$(sed -n 's/^ -- .*>  //p' $log | head -n 1)")}"
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

# What git knows; of an unpacked tarball, all but what was built.
sources() {
	git ls-files -co --exclude-standard 2>/dev/null | grep . || find . \( -path './build*' -o -path ./.git \) -prune -o -type f -print | sed 's|^\./||'
}

dist() {
	sources | sort | tar -c --transform="s|^|$name/|" --no-recursion -T - \
		--mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
		--mode=u+rw,go+r,go-w --format=ustar | gzip -9n >"$to/$name.tar.gz"
}

# A folder of its own, as empty as the first time.
fresh() {
	rm -rf "${to:?}/$what"
	mkdir -p "$to/$what"
}

dist
case $what in
dist) echo "$to/$name.tar.gz" ;;
deb)
	fresh
	tar -xzf "$to/$name.tar.gz" -C "$to/deb"
	cd "$to/deb/$name"
	cp -r doc/packaging/debian debian
	# the source is not Debian's own: the first package of it is -1
	sed "s/^tallyd (\([^)]*\))/tallyd (\1-1)/" $log >debian/changelog
	cp "$to/$name.tar.gz" "$to/deb/tallyd_$version.orig.tar.gz"
	[ -z "${MAINTAINER:-}" ] || sed -i "s|^Maintainer: .*|Maintainer: $MAINTAINER|" debian/control
	dpkg-source -b . >"$to/deb/log" 2>&1 || { cat "$to/deb/log" >&2; exit 1; }
	DEB_BUILD_OPTIONS=parallel=$(nproc) MAKEFLAGS='' dpkg-buildpackage -b -us -uc >>"$to/deb/log" 2>&1 ||
		{ cat "$to/deb/log" >&2; exit 1; }
	ls "$to"/deb/*.deb
	;;
rpm)
	fresh
	mkdir -p "$to/rpm/SOURCES"
	cp "$to/$name.tar.gz" "$to/rpm/SOURCES"
	MAKEFLAGS='' rpmbuild -bb --define "_topdir $to/rpm" --define "tallyd_version $version" \
		--define "_smp_mflags -j$(nproc)" doc/packaging/tallyd.spec >"$to/rpm/log" 2>&1 ||
		{ cat "$to/rpm/log" >&2; exit 1; }
	mv "$to"/rpm/RPMS/*/*.rpm "$to/rpm"
	ls "$to"/rpm/*.rpm
	;;
esac
