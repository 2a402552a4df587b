#!/bin/bash
# What a service with tallyd.service's directives may do; booted.sh runs it as one.
# A line each: may or may not, and what.
try() {
	local what=$1; shift
	if "$@" >/dev/null 2>&1; then echo "may $what"; else echo "may not $what"; fi
}
try "write its dumps" touch /var/lib/tallyd/probe
try "write /run" touch /run/tallyd.probe
try "write the system" touch /usr/probe
try "write /etc" touch /etc/probe
try "see homes" sh -c 'ls /root/* /root/.[a-z]* | grep -q .'
try "see others' /tmp" [ -e /tmp/of-another ]
try "make namespaces" unshare -m true
try "use the network" bash -c 'exec 3<>/dev/udp/127.0.0.1/9 && echo x >&3'
try "write controllers of cgroups" sh -c 'mkdir /sys/fs/cgroup/probe'
try "set the clock" date -s @1
try "set the host's name" hostname other
try "gain rights" sh -c 'grep -q "^NoNewPrivs:.0" /proc/self/status'
try "make a device" mknod /var/lib/tallyd/device b 1 0
rm -f /var/lib/tallyd/probe /run/tallyd.probe
