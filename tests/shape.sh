#!/bin/sh
# The shape of functions: at most 60 lines from name to closing brace, at most 6
# parameters, and a name that no other file has.  Prints every one that is beyond.
#
#   tests/shape.sh aims      how large the house is: prints figures, fails by none
cd "$(dirname "$0")/.." || exit 1

rooms='lib regs topology config daemon postproc'

# Functions that share their name with one of another file.
same_names() {
	find $rooms -name '*.c' | xargs awk '
/^[a-z_][a-zA-Z0-9_]*\(/ { name = $0; sub(/\(.*/, "", name); open = 1 }
open && /;[ \t]*$/ { open = 0 }
open && /^{/ {
	open = 0
	if (!((name, FILENAME) in seen) && name != "main") {
		seen[name, FILENAME] = 1
		n += ++files[name] == 2 ? 2 : files[name] > 2
	}
}
END { print n + 0 }'
}

# Files that are part of a circle of calls: those that reach themselves.  B: the
# folder of objects.
in_circles() {
	find $rooms -name '*.c' ! -name main.c | sed "s|^|${B:-build}/|; s|c\$|o|" |
	    xargs nm -A -P 2>/dev/null | awk '
{
	file = $1; sub(/:$/, "", file)
	if ($3 == "U")
		uses[file, $2] = 1
	else if ($3 ~ /^[A-Z]$/)
		home[$2] = file
}
function reach(f, from,    i, n, t) {
	n = split(calls[f], t, " ")
	for (i = 1; i <= n; i++)
		if (!((from, t[i]) in reached)) {
			reached[from, t[i]] = 1
			reach(t[i], from)
		}
}
END {
	for (u in uses) {
		split(u, w, SUBSEP)
		to = w[2] in home ? home[w[2]] : w[1]
		if (to != w[1] && !((w[1], to) in known)) {
			known[w[1], to] = 1
			calls[w[1]] = calls[w[1]] " " to
		}
	}
	for (f in calls) {
		reach(f, f)
		n += (f, f) in reached
	}
	print n + 0
}'
}

# Files of pages that name four metrics or more: what they show is C.
pages_in_c() {
	sed -n 's/^metric "*\([a-z0-9_]*\).*/\1/p' config/metrics/*.metrics |
	    sed '/^$/d' | sort -u | awk '
NR == FNR { metric[$0] = 1; next }
{
	n = split($0, part, "\"")
	for (i = 2; i <= n; i += 2)
		if (part[i] in metric && !((FILENAME, part[i]) in seen)) {
			seen[FILENAME, part[i]] = 1
			if (++found[FILENAME] == 4)
				names = names " " FILENAME
		}
}
END { print split(names, list, " ") ":" names }' - $(find postproc/pages \
	    postproc/html postproc/live postproc/many -name '*.c' | sort)
}

aims() {
	find $rooms -name '*.c' | xargs cat | wc -l | sed 's/^/lines of .c: /'
	find $rooms -name '*.h' | xargs cat | wc -l | sed 's/^/lines of .h: /'
	find $rooms -name '*.c' | wc -l | sed 's/^/files: /'
	find $rooms -name '*.h' | wc -l | sed 's/^/headers: /'
	find $rooms -name '*.[ch]' | sed 's|/[^/]*$||' | sort -u | wc -l |
	    sed 's/^/rooms: /'
	find $rooms -name '*.c' ! -name main.c | xargs wc -l |
	    awk '$2 != "total" && $1 < 60' | wc -l |
	    sed 's/^/files of less than 60 lines: /'
	find $rooms -name '*.h' | xargs wc -l |
	    awk '$2 != "total" && $1 <= 25' | wc -l |
	    sed 's/^/headers of 25 lines or less: /'
	echo "functions that share their name with another file's: $(same_names)"
	echo "files in circles of calls: $(in_circles)"
	echo "pages whose contents are C: $(pages_in_c)"
}
if [ "${1-}" = aims ]; then
	aims
	exit
fi

find $rooms -name '*.c' | sort |
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
open && /^{/ {
	open = 0; inside = 1
	if (name != "main" && name in home && home[name] != FILENAME) {
		print FILENAME ":" first ": " name "() is in " home[name] ", too: put the file'"'"'s name before it"
		bad = 1
	}
	home[name] = FILENAME
}
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
