#!/bin/sh
# The shape of functions: at most 60 lines from name to closing brace, and at
# most 6 parameters.  Prints every one that is beyond.
cd "$(dirname "$0")/.." || exit 1

find lib regs topology config daemon postproc -name '*.c' | sort |
	xargs awk '
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
	lines = FNR - first + 1
	n = parameters(head)
	if (lines <= 60 && n <= 6)
		next
	bad = 1
	if (lines > 60)
		print FILENAME ":" first ": " name "() has " lines " lines"
	if (n > 6)
		print FILENAME ":" first ": " name "() has " n " parameters"
}
END { exit bad }'
