#!/bin/sh
# What both programs were built with, as their files tell; fails where a
# protection is missing.  Nothing is asked of instrumented builds (SAN).
B=${B:-build} failed=0
for p in tallyd tally; do
	f=$B/$p facts=
	# fact NAME PATTERN COMMAND...: the command prints the pattern
	fact() {
		name=$1 pattern=$2; shift 2
		if LC_ALL=C "$@" "$f" 2>/dev/null | grep -qE "$pattern"; then facts="$facts $name"
		else facts="$facts NO-$name"; [ -n "$SAN" ] || failed=1; fi
	}
	fact PIE 'Type: +DYN' readelf -h
	fact RELRO GNU_RELRO readelf -lW
	fact BIND_NOW 'BIND_NOW|Flags: .*NOW' readelf -dW
	fact NX 'GNU_STACK.* RW ' readelf -lW
	fact canary __stack_chk_fail readelf --dyn-syms -W
	fact fortify '_chk@|_chk ' readelf --dyn-syms -W
	[ "$(uname -m)" != x86_64 ] || fact endbr endbr64 objdump -d
	echo "hardening: $p:$facts"
done
exit $failed
