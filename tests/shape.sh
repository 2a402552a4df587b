#!/bin/sh
# The shape of functions: at most 60 lines from name to closing brace, and at
# most 6 parameters.  Prints every one that is beyond, except those listed here,
# which wait to be cut: FILE:NAME, one a line.
cd "$(dirname "$0")/.." || exit 1

waiting='
daemon/plan/perf_encode.c:filter_of
daemon/plan/perf_encode.c:put_half
daemon/plan/perf_encode.c:put_filter
daemon/plan/plan_core.c:add_write
'

find regs topology config daemon postproc -name '*.c' | sort |
	xargs awk -v waiting="$waiting" '
BEGIN {
	n = split(waiting, w, /[ \n]+/)
	for (i = 1; i <= n; i++)
		if (w[i] != "")
			waits[w[i]] = 1
}
# parameters: commas outside inner parentheses, of "name(int a, int (*f)(int))"
function parameters(head,    i, c, depth, n) {
	sub(/^[^(]*/, "", head)
	for (i = 1; i <= length(head); i++) {
		c = substr(head, i, 1)
		depth += (c == "(") - (c == ")")
		n += c == "," && depth == 1
		if (depth == 0)
			break
	}
	return n + 1
}
FNR == 1 { head = "" }
# a definition: its name and "(" at the start of a line, "{" alone on one
/^[a-z_][a-zA-Z0-9_]*\(/ {
	name = $0; sub(/\(.*/, "", name)
	head = ""; first = FNR; open = 1
}
open && /^{/ { open = 0; inside = 1 }
open { head = head $0; if (/;[ \t]*$/) open = 0 }
inside && /^}/ {
	inside = 0
	id = FILENAME ":" name
	lines = FNR - first + 1
	n = parameters(head)
	if (lines <= 60 && n <= 6)
		next
	if (id in waits) {
		delete waits[id]
		next
	}
	bad = 1
	if (lines > 60)
		print FILENAME ":" first ": " name "() has " lines " lines"
	if (n > 6)
		print FILENAME ":" first ": " name "() has " n " parameters"
}
END {
	for (id in waits) {
		print "tests/shape.sh: " id " is listed, and need not be"
		bad = 1
	}
	exit bad
}'
