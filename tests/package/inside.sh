#!/bin/bash
# In the clean root: install, run, start twice, upgrade while it samples, remove.
# /tmp/p has both versions' packages and a stand-in for systemctl.  A line a test.
cd /tmp/p || exit 1
status=0 data=/var/lib/tallyd unit=/lib/systemd/system/tallyd.service
# ok NAME COMMAND...: it succeeds
ok() {
	local name=$1 from=$SECONDS; shift
	if "$@" >out 2>&1; then echo "ok $name ($((SECONDS - from)) s)"
	else echo "FAILED $name: $*"; sed 's/^/    /' out; status=1; fi
}
silent() { "$@" >said 2>&1; local rc=$?; cat said; [ $rc = 0 ] && [ ! -s said ]; }
is() { echo "$1, not $2"; [ "$1" = "$2" ]; }
holds() { grep -q -- "$1" "$2" || { cat "$2"; false; }; }
lacks() { ! grep "$@"; }
# what there is of files; nothing that comes and goes by itself
files() {
	find ${UPPER:-/} -xdev \( -path '*/tmp/p' -o -path '*/var/lib/dpkg' -o -path '*/var/log' -o -path '*/var/cache' \
		-o -path /proc -o -path /sys -o -path /dev \) -prune -o \( -type f -o -type l \) -printf '%y %P\n' | LC_ALL=C sort
}
# rows N: the store of the daemon that runs has that many; what takes five minutes
# never will
rows() {
	for _ in $(seq 3000); do
		for s in /run/tallyd/*.store /dev/shm/tallyd-*.store; do
			[ ! -e "$s" ] || [ "$(tally dump "$s" 2>/dev/null | grep -c '^tsc\[')" -lt "$1" ] || return 0
		done
		sleep 0.1
	done
	return 1
}

rm -f /usr/sbin/policy-rc.d asked told
mkdir -p /run/systemd/system
install -m 755 systemctl /bin/systemctl
files >before

ok "the package installs" dpkg -i old.deb
ok "there is a user tallyd, without a shell" sh -c 'getent passwd tallyd | grep -q nologin'
ok "dumps are the user's" is "$(stat -c '%U %a' $data)" 'tallyd 750'
ok "stores are root's" is "$(stat -c '%U %a' /run/tallyd)" 'root 755'
ok "the service is neither enabled nor started" sh -c '! ls /etc/systemd/system/*/tallyd.service && ! grep start asked'
ok "systemd-analyze verify is silent" silent systemd-analyze verify --man=no $unit
score=$(systemd-analyze security --offline=true --no-pager $unit 2>/dev/null | sed -n 's/.*level for tallyd.service: \([0-9.]*\).*/\1/p')
ok "systemd-analyze security says what doc/site.md says" holds "exposure level $score " /usr/share/doc/tallyd/doc/site.md
ok "the man page is found" sh -c 'ls /usr/share/man/man8/tallyd.8*'
ok "its configuration is sound" tallyd --sim @skx-8160-2s -c /etc/tallyd/tallyd.conf --dry-run

# A simulated node has no rights to give up: its dumps are root's, and so is
# their folder, after an upgrade as well.
printf 'd %s 0755 root root -\n' /run/tallyd $data >/etc/tmpfiles.d/tallyd.conf
systemd-tmpfiles --create tallyd.conf
printf 'option --%s\n' 'sim @skx-8160-2s' 'interval 0.02' 'journal /run/tallyd.journal' \
	'socket /run/tallyd/tallyd.socket' >>/etc/tallyd/tallyd.conf
ok "the service starts, and says so after its first sample" systemctl start tallyd
ok "it has told READY=1" holds READY=1 told
ok "it samples" rows 5
ok "a second one is refused" sh -c 'cd / && ! timeout 600 tallyd -n 2 -o /tmp/p/second.lua >/tmp/p/second 2>&1'
ok "with the reason" holds 'another tallyd (pid [0-9]*) is sampling this node' second
ok "and has hurt nothing" rows 10
cp /etc/tallyd/tallyd.conf sound
echo 'imc NONSENSE' >>/etc/tallyd/tallyd.conf
ok "a configuration that is not sound is refused" sh -c '! systemctl reload tallyd 2>refused'
ok "with its line" holds 'tallyd.conf:[0-9]*: ' refused
ok "and the old one goes on" rows 15
cp sound /etc/tallyd/tallyd.conf
echo 'imc CAS_COUNT.READS event=0x04,umask=0x03' >>/etc/tallyd/tallyd.conf
ok "one that is sound is taken" systemctl reload tallyd
ok "the segment before it has its dump, and it samples" rows 5

first=$(cat main.pid)
ok "an upgrade installs" dpkg -i new.deb
ok "it asks for a restart, once" is "$(grep -c try-restart asked)" 1
ok "the old one has ended" sh -c "! kill -0 $first"
ok "registers are as they were: no journal is left of it" lacks 'could not be restored' log
ok "its dump is whole" tally totals $data/*.lua*
ok "the new one goes on" rows 5
ok "the service stops" systemctl stop tallyd
ok "all have written a dump" is "$(ls $data/*.lua* | wc -l)" 3
for dump in "$data"/*.lua*; do ok "${dump##*.perfcounts} is whole" tally totals "$dump"; done
ok "no journal is left" [ ! -e /run/tallyd.journal ]

# No systemd: nobody restarts it, and nobody kills it.
rmdir /run/systemd/system
ok "a daemon of one's own starts" sh -c "cd $data && tallyd -q -b --pidfile /run/tallyd.pid"
ok "it samples, too" rows 5
ok "where no systemd runs, a package installs beside it" dpkg -i old.deb
ok "which goes on" rows 10
kill -TERM "$(cat /run/tallyd.pid)"
for _ in $(seq 3000); do [ -e /run/tallyd.pid ] || break; sleep 0.1; done
ok "and has written its dump" is "$(ls $data/*.lua* | wc -l)" 4

rm /etc/tmpfiles.d/tallyd.conf
mkdir -p /run/systemd/system
systemctl start tallyd
ok "removing stops the service" dpkg -r tallyd
ok "which has written its dump" is "$(ls $data/*.lua* | wc -l)" 5
ok "its configuration is left" [ -e /etc/tallyd/tallyd.conf ]
ok "a purge takes that as well" dpkg -P tallyd
files >after
LC_ALL=C comm -13 before after | grep -v ' \(etc/\)\?\(passwd\|group\|g\?shadow\)-\?$' |
	grep -v ' etc/\.pwd\.lock$' >left
ok "nothing is left but dumps" lacks -v " var/lib/tallyd" left
ok "and they are all there" is "$(grep -c '^f var/lib/tallyd/' left)" 5
exit $status
