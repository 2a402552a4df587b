#!/bin/bash
# usage: from_nothing.sh FOLDER
# From the source tarball to a node that is sampled, by each way that one can take:
# deb, rpm, a static file, an image's root, the recipes of Spack and EasyBuild.  A
# line a way, with the seconds that each step took.  What FOLDER has already
# (one/deb, one/rpm, static/build: run.sh's) is not built again.
#
# The node is a simulated one: a daemon in the background, its store read while it
# samples, and its dump once it was told to stop.  No container runtime is needed: an
# image's root is entered by chroot, in namespaces of its own.
set -u
cd "$(dirname "$0")/../.." || exit 1
P=doc/packaging status=0

# only_late COMMAND...: does a tally check find nothing, or no more than that samples were
# late, as they are where the machine has other work?
only_late() {
	local said rc=0
	said=$("$@" 2>&1) || rc=$?
	[ $rc -le 1 ] && echo "$said" | grep -qE ': [0-9]+ samples, ' &&
		! echo "$said" | grep -qvE ': (missed|samples? [0-9-]+: late|note): |: [0-9]+ samples, ' ||
		{ echo "$said"; return 1; }
}
# The inner half, in a root of its own (/p has what to install, and this file):
# from_nothing.sh inside INSTALL...
if [ "${1:-}" = inside ]; then
	shift
	from=$SECONDS
	"$@" >/p/said 2>&1 || { cat /p/said; exit 1; }
	installed=$((SECONDS - from))
	cd /var/tmp || exit 1
	tallyd -q --sim @skx-8160-2s -i 0.05 -n 1000000 --store /var/tmp/store --pidfile /var/tmp/pid \
		-b --overwrite -o n.lua || exit 1
	up=$((SECONDS - from - installed))
	tally live -n 1 /var/tmp/store >/p/live && grep -q 'read' /p/live || { cat /p/live; exit 1; }
	kill -TERM "$(cat /var/tmp/pid)"
	for _ in $(seq 3000); do [ -e /var/tmp/pid ] || break; sleep 0.1; done
	only_late tally check n.lua && tally report n.lua >/p/report && grep -q '^Memory' /p/report || exit 1
	echo "installed in $installed s, running $up s later"
	exit 0
fi

to=$(mkdir -p "$1" && cd "$1" && pwd) || exit 1
nothing=$to/nothing
rm -rf "$nothing" && mkdir -p "$nothing" || exit 1
unshare -mpf --kill-child true 2>/dev/null || { echo "SKIPPED from nothing to a running node: no namespace can be made here"; exit 0; }

# built WHAT GLOB COMMAND...: sets it to what is there, and how long that took
built() {
	local glob=$1 from=$SECONDS; shift
	it=$(compgen -G "$glob" | head -n 1) took="built before"
	[ -n "$it" ] && return 0
	"$@" >"$nothing/log" 2>&1 || { cat "$nothing/log"; return 1; }
	it=$(compgen -G "$glob" | head -n 1) took="built in $((SECONDS - from)) s"
	[ -n "$it" ]
}

# way NAME PACKAGE INSTALL...: in this system's root under an overlay
way() {
	local name=$1 package=$2; shift 2
	rm -rf "$nothing/root" "$nothing/over" && mkdir -p "$nothing"/{root,over}
	if said=$(unshare -mpf --kill-child --propagation private bash -c '
		to=$1 package=$2 self=$3; shift 3
		mount -t tmpfs -o mode=755 nothing "$to/over" && mkdir "$to"/over/{upper,work} &&
		mount -t overlay -o "lowerdir=/,upperdir=$to/over/upper,workdir=$to/over/work" overlay "$to/root" &&
		mkdir -p "$to/root/p" && cp "$package" "$self" "$to/root/p" && mount -t proc proc "$to/root/proc" &&
		mount --rbind /dev "$to/root/dev" &&
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C chroot "$to/root" \
			/bin/bash /p/from_nothing.sh inside "$@"' - "$nothing" "$package" "$0" "$@" 2>&1)
	then echo "ok $name: from the source to a running node ($took, $said)"
	else echo "FAILED $name: $said"; status=1; fi
}

built "$to/one/deb/tallyd_*.deb" $P/build.sh deb "$to/one" && way deb "$it" sh -c 'dpkg -i /p/*.deb' || status=1
built "$to/one/rpm/tallyd-[0-9]*.rpm" $P/build.sh rpm "$to/one" && way rpm "$it" sh -c 'rpm -i --nodeps --noscripts /p/*.rpm' || status=1
cc=gcc; command -v musl-gcc >/dev/null && cc=musl-gcc
if built "$to/static/build/tallyd" make -s STATIC=1 CC=$cc B="$to/static/build" all; then
	tar -C "$to/static/build" -cf "$nothing/static.tar" tallyd tally
	way "static file" "$nothing/static.tar" tar -C /usr/bin -xf /p/static.tar

	# the image: what its Containerfile copies, starts and stops it with, and nothing else
	from=$SECONDS root=$nothing/image
	sed -n '/^FROM scratch/,$s/^COPY --from=build \/src\///p' $P/Containerfile | while read -r file place; do
		case $file in build-static/*) file=$to/static/build/${file#*/};; esac
		install -D "$file" "$root$place"
	done
	work=$(sed -n 's/^WORKDIR //p' $P/Containerfile)
	mkdir -p "$root$work" "$root"/{proc,run/tallyd}
	words() { sed -n "s/^$1 \[\(.*\)\]/\1/p" $P/Containerfile | tr -d '",'; }
	unshare -mpf --kill-child --propagation private sh -c 'root=$1 work=$2; shift 2
		mount -t proc proc "$root/proc" && cd "$root$work" && exec chroot "$root" "$@"' - "$root" "$work" \
		$(words ENTRYPOINT) $(words CMD) -q --sim @skx-8160-2s -i 0.05 --store "$work/store" \
		--pidfile "$work/pid" -o "$work/n.lua" >"$nothing/log" 2>&1 &
	inside=$!
	for _ in $(seq 3000); do [ ! -s "$root$work/pid" ] || [ ! -s "$root$work/store" ] || break; sleep 0.1; done
	up=$((SECONDS - from))
	# STOPSIGNAL, as a runtime sends it to the first process there
	pkill -"$(sed -n 's/^STOPSIGNAL SIG//p' $P/Containerfile)" -P "$inside"
	wait $inside
	if compgen -G "$root$work/n.*lua" >/dev/null &&
		only_late chroot "$root" /usr/bin/tally check "$work/$(cd "$root$work" && ls n.*lua)" >"$nothing/log"
	then echo "ok container: from the source to a running node ($took, its image running in $up s, by chroot)"
	else echo "FAILED container:"; cat "$nothing/log"; status=1; fi
else status=1; fi

mkdir -p "$nothing/tree" && { [ -e "$to/one"/tallyd-*.tar.gz ] || $P/build.sh dist "$to/one" >/dev/null; } &&
	tar -xzf "$to"/one/tallyd-*.tar.gz -C "$nothing/tree" &&
	python3 tests/package/recipes.py "$nothing"/tree/* "$nothing/recipes" || status=1
rm -rf "$nothing"
exit $status
