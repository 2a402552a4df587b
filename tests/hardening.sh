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
	# never NAME PATTERN COMMAND...: it does not, and is no failure itself
	never() {
		name=$1 pattern=$2; shift 2
		if LC_ALL=C "$@" "$f" >/dev/null 2>&1 && ! LC_ALL=C "$@" "$f" | grep -qE "$pattern"; then facts="$facts $name"
		else facts="$facts NOT-$name"; [ -n "$SAN" ] || failed=1; fi
	}
	fact PIE 'Type: +DYN' readelf -h
	fact RELRO GNU_RELRO readelf -lW
	fact BIND_NOW 'BIND_NOW|Flags: .*NOW' readelf -dW
	fact NX 'GNU_STACK.* RW ' readelf -lW
	fact canary __stack_chk_fail readelf --dyn-syms -W
	fact fortify '_chk@|_chk ' readelf --dyn-syms -W
	# of ours: what the C library links in has it in any case
	[ "$(uname -m)" != x86_64 ] || fact CET endbr64 objdump -d --disassemble=main
	never no-RPATH 'R(UN)?PATH' readelf -dW
	never no-writable-code 'LOAD.* (RWE|WE) ' readelf -lW
	never no-text-relocations TEXTREL readelf -dW
	echo "hardening: $p:$facts"
done
exit $failed
