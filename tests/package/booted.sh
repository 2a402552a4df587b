#!/bin/bash
# Under a systemd that runs (boot.sh): the service from its package to its removal,
# on a simulated node.  A line a test.
cd /check || exit 1
data=/var/lib/tallyd
ok() {
	local name=$1; shift
	if "$@" >out 2>&1; then echo "ok systemd: $name"
	else echo "FAILED systemd: $name"; sed 's/^/    /' out | tail -n 20; fi
}
is() { echo "$1, not $2"; [ "$1" = "$2" ]; }
isnt() { echo "$1"; [ -n "$1" ] && [ "$1" != "$2" ]; }
has() { printf '%s\n' "$1"; printf '%s\n' "$1" | grep -q -- "$2"; }
prop() { systemctl show -P "$1" tallyd; }
journal() { journalctl -q -o cat "_SYSTEMD_UNIT=${1:-tallyd}.service"; }
# soon COMMAND...: until it holds; what takes two minutes never will
soon() {
	for _ in $(seq 1200); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done
	"$@"
}
# samples N: so many are in the daemon's store, or more
samples() { [ "$(tallyd --ask | sed -n 's/.* \([0-9]*\) samples\? in this dump.*/\1/p')" -ge "$1" ]; }
dumps() { [ "$(ls $data/*.lua* 2>/dev/null | wc -l)" -ge "$1" ]; }
all_whole() { for dump in "$data"/*.lua*; do tally totals "$dump" >/dev/null || { echo "$dump"; return 1; }; done; }
# the stores of those that are dead, not only zombies: there is one, each of them left
# rows
left_whole() {
	local store pid dead='' whole=''
	for store in /run/tallyd/tallyd-*.store; do
		pid=${store#/run/tallyd/tallyd-} pid=${pid%%-*}
		kill -0 "$pid" 2>/dev/null && continue
		dead="$dead $pid"
		tally dump "$store" | grep -q '^tsc\[' && whole="$whole $pid"
		echo "$store: $(tally dump "$store" | grep -c '^tsc\[') rows"
	done
	for pid in $dead; do
		case "$whole " in *" $pid "*) ;; *) return 1 ;; esac
	done
	[ -n "$dead" ]
}
restarted() { [ "$(prop NRestarts)" = "$1" ] && [ "$(systemctl is-active tallyd)" = active ]; }

ok "the package installs" apt-get install -y ./old.deb
ok "the unit is neither enabled nor started" is "$(systemctl is-enabled tallyd) $(systemctl is-active tallyd)" "disabled inactive"
score=$(systemd-analyze security --no-pager tallyd | sed -n 's/.*level for tallyd.service: \([0-9.]*\).*/\1/p')
ok "the score, $score, is that of doc/site.md" grep -q "exposure level $score " /usr/share/doc/tallyd/doc/site.md

# A simulated node has no rights to give up: its dumps are root's, and so is
# their folder; and its journal and its socket are where they are said to be.
printf 'd %s 0755 root root -\n' /run/tallyd $data >/etc/tmpfiles.d/tallyd.conf
systemd-tmpfiles --create tallyd.conf
sed -i 's/^option --segment .*/option --segment 3s/' /etc/tallyd/tallyd.conf
printf 'option --%s\n' 'sim @skx-8160-2s' 'interval 0.05' 'journal /run/tallyd.journal' \
	'socket /run/tallyd/tallyd.socket' >>/etc/tallyd/tallyd.conf
mkdir -p /etc/systemd/system/tallyd.service.d
printf '[Service]\nWatchdogSec=8s\nRestartSec=1s\n' >/etc/systemd/system/tallyd.service.d/soon.conf
systemctl daemon-reload

# Each line of doc/site.md on a node, what stops it last.
sed -n '/^## Install$/,/^## W/s/^    //p' /usr/share/doc/tallyd/doc/site.md | grep -v '^make ' | sed 's/ *#.*//' >lines-there
{ grep -v '^systemctl stop' lines-there; grep '^systemctl stop' lines-there; } >lines-of-site
while read -r line; do ok "doc/site.md: $line" env PAGER=cat SYSTEMD_PAGER=cat sh -c "$line" </dev/null; done <lines-of-site
ok "which are seven" is "$(wc -l <lines-of-site)" 7
ok "stopped, it has left a dump" soon dumps 1
systemctl -q disable tallyd

ok "it starts, which is after its first sample" systemctl start tallyd
ok "is-active says so" is "$(systemctl is-active tallyd)" active
began=$SECONDS first=$(prop MainPID)
ok "status says that it runs" has "$(systemctl status --no-pager tallyd)" 'Active: active (running)'
ok "and what it does" has "$(systemctl status --no-pager tallyd)" 'columns every 0.05 s'
ok "it samples" soon samples 3
ok "--ask is answered" has "$(tallyd --ask)" 'columns every 0.05 s'
ok "a mark is taken" tallyd --mark 'job=12 begin user=ann lprocs=0-3'
ok "and none of who is not of its group" has "$(setpriv --reuid 65534 --regid 65534 --clear-groups tallyd --mark 'x=1' 2>&1)" 'you may not ask this tallyd'
ok "the next segment has a dump" soon dumps 1
ok "the mark's job ends" tallyd --mark 'job=12 end'
ok "starting it once more starts nothing" sh -c "systemctl start tallyd && [ $first = \$(systemctl show -P MainPID tallyd) ]"
sed '/^Restart/d' /lib/systemd/system/tallyd.service >/etc/systemd/system/twin.service
systemctl daemon-reload
ok "another unit of the same is refused" sh -c '! systemctl start twin'
ok "with the reason in its journal" has "$(journal twin)" 'another tallyd (pid [0-9]*) is sampling this node'
ok "which hurts nothing" soon samples 10

# A reload, of what is right and of what is not.
cp /etc/tallyd/tallyd.conf right.conf
sed -i 's/^option --interval .*/option --interval 0.1/' /etc/tallyd/tallyd.conf
ok "a reload is taken" systemctl reload tallyd
ok "and counts at once" has "$(tallyd --ask)" 'columns every 0.1 s'
ok "still active" is "$(systemctl is-active tallyd)" active
echo 'imc NO_SUCH_EVENT' >>/etc/tallyd/tallyd.conf
ok "a reload of a mistake fails" sh -c '! systemctl reload tallyd'
ok "with its line in the journal" has "$(journal)" 'tallyd.conf:[0-9]*: '
ok "and it samples as before" has "$(tallyd --ask)" 'columns every 0.1 s'
cp right.conf /etc/tallyd/tallyd.conf
ok "set right, it is taken" systemctl reload tallyd
first=$(prop MainPID)

# The same directives around a shell that tries.
touch /tmp/of-another
sed -e 's/^Type=.*/Type=oneshot/; s|^ExecStart=.*|ExecStart=/bin/bash /check/probe.sh|' \
	-e '/^ExecStopPost/d; /^Restart/d; /^WatchdogSec/d' \
	-e '/^\[Service\]/a StandardOutput=file:/check/probed' /lib/systemd/system/tallyd.service \
	>/etc/systemd/system/probe.service
systemctl daemon-reload
ok "what it needs is let through, and nothing else" sh -c 'systemctl start probe && cat probed && [ "$(grep -v "^may not " probed | tr "\n" ";")" = "may write its dumps;may write /run;" ]'
ok "no new rights" has "$(cat "/proc/$first/status")" '^NoNewPrivs:.1$'
ok "a filter of system calls" has "$(cat "/proc/$first/status")" '^Seccomp:.2$'
ok "the rights of the unit, and no more" has "$(cat "/proc/$first/status")" '^CapBnd:.0000004000aa41cb$'
ok "systemd-analyze verify is silent about what is installed" sh -c \
	'systemd-analyze verify --man=no /lib/systemd/system/tallyd.service >said 2>&1; cat said; [ ! -s said ]'

# Signs for the watchdog for longer than it waits.
while [ $((SECONDS - began)) -lt 10 ]; do sleep 0.2; done
ok "the watchdog is content" is "$(prop MainPID) $(prop NRestarts)" "$first 0"
# From here on no segment ends while its daemon is killed: its store would have no row yet.
sed -i 's/^option --segment .*/option --segment 1h/' /etc/tallyd/tallyd.conf
ok "restart ends one" systemctl restart tallyd
second=$(prop MainPID)
ok "and begins another" isnt "$second" "$first"
ok "which samples" soon samples 3
ok "each dump is whole" all_whole
ok "all are one run, with its seam" has "$(tally check $data/*.lua* /run/tallyd/*.store 2>&1)" 'the daemon was started anew'
ok "the job is in it" has "$(tally jobs -f csv $data/*.lua* 2>/dev/null)" '^12,ann,1,'
kill -STOP "$second"
ok "one that hangs is found, and started again" soon restarted 1
soon samples 3
systemctl kill -s KILL tallyd
ok "one that is killed is started again" soon restarted 2
ok "the journal says by what" has "$(journalctl -q -u tallyd)" 'status=9/KILL'
ok "what it had sampled is in its store" soon left_whole
sed -i 's/^option --segment .*/option --segment 3s/' /etc/tallyd/tallyd.conf

fourth=$(prop MainPID)
ok "an upgrade while it samples" dpkg -i new.deb
ok "replaces it" isnt "$(prop MainPID)" "$fourth"
ok "and the new one samples" soon samples 3
ok "each dump is whole, still" all_whole
ok "enabled, it is wanted at boot" sh -c 'systemctl -q enable tallyd && ls /etc/systemd/system/multi-user.target.wants/tallyd.service'
ok "it stops" systemctl stop tallyd
ok "without a complaint" is "$(systemctl is-active tallyd) $(prop Result)" "inactive success"
ok "and has said how many samples it leaves where" has "$(journal)" 'samples in .*\.lua (Terminated)'
ok "nothing of it is left in /run but what was killed" is "$(ls /run/tallyd /run/tallyd.journal 2>/dev/null | grep -cv '\.store$\|^/run\|^$')" 0
systemctl start tallyd
ok "removing the package stops it" dpkg -r tallyd
ok "and takes the unit" is "$(systemctl is-active tallyd)" inactive
ok "each dump is there, and whole" sh -c "ls $data/*.lua*"
ok "a purge takes the configuration" dpkg -P tallyd
ok "and leaves no link behind" sh -c '! ls -l /etc/systemd/system/*/tallyd.service'
echo "all is done"
