#!/bin/sh
# Who may include whom: a line a room, the rooms that its files may name.  A
# room may always name itself and lib/, which names no other.  Prints every
# include that goes another way.
cd "$(dirname "$0")/.." || exit 1

base='regs topology'
config="$base config config/dump config/lang"
data="$base config config/dump postproc/data"
# each folder of regs/ but the models' is a method of access
methods=$(printf '%s\n' regs/*/ | sed 's|/$||; /^regs\/models$/d')
{
	echo "lib: lib"
	echo "regs: regs"
	for room in regs/models $methods; do echo "$room: regs"; done
	echo "topology: regs"
	echo "config: $base"
	echo "config/dump: regs config"
	echo "config/lang: $base config"
	echo "config/sim: regs regs/sim config"
	echo "daemon/plan: $config"
	echo "daemon/node: $config" $methods "config/sim daemon daemon/plan"
	node="$config daemon daemon/plan daemon/node"
	echo "daemon/read: $node"
	run="$node daemon/read"
	echo "daemon/run: $run"
	echo "daemon/instead: $run daemon/run regs/sim config/sim"
	echo "daemon: $run daemon/run daemon/instead"
	echo "postproc/data: $data"
	echo "postproc/formula: $data"
	echo "postproc/metrics: $data postproc/formula"
	echo "postproc/out: $data"
	figures="$data postproc/formula postproc/metrics postproc/out"
	for room in pages many; do echo "postproc/$room: $figures"; done
	pages="$figures postproc/pages"
	echo "postproc/html: $pages postproc/many"
	echo "postproc/live: $pages"
	echo "postproc: $pages postproc/many postproc/live postproc/html"
} >"${TMPDIR:-/tmp}/layers.$$"
trap 'rm -f "${TMPDIR:-/tmp}/layers.$$"' EXIT

# every include of a room: FILE ROOM
bad=$(find lib regs topology config daemon postproc -name '*.[ch]' |
	xargs grep -nE '^#include "[^"]*/' | awk -v table="${TMPDIR:-/tmp}/layers.$$" '
BEGIN {
	while ((getline line < table) > 0) {
		n = split(line, w, /:? /)
		may[w[1], w[1]] = known[w[1]] = 1
		for (i = 2; i <= n; i++)
			may[w[1], w[i]] = 1
	}
}
{
	file = $1; sub(/:.*/, "", file)
	room = file; sub(/\/[^\/]*$/, "", room)
	to = $0; sub(/^[^"]*"/, "", to); sub(/".*/, "", to)
	sub(/\/[^\/]*$/, "", to)
	if (!(room in known))
		print file ": a room that tests/layers.sh does not know"
	else if (to != "lib" && !((room, to) in may))
		print $0
	if (room ~ /^daemon\// && to == "daemon" && $0 !~ /(log|options).h"/)
		print $0 ": of the root, its rooms know the options and the log"
	if (room == "postproc" && to == room && $0 !~ /commands.h"/)
		print $0 ": commands know nothing of one another"
}')
twice=$(find lib regs topology config daemon postproc -name '*.c' |
	sed 's|.*/||' | sort | uniq -d | sed '/^main.c$/d; s/$/: one name, two files/')
# Threads start in one place, which sees to their signals.
threads=$(grep -rn 'pthread_create(' lib regs topology config daemon postproc |
	grep -v '^lib/process.c' | sed 's/$/: thread_start has the signals right/')
# A key of a dump's head is spelled in its table alone.  The word of the SoC's
# configuration, which the model has, those of a site's file, a metric and what
# formulas call the TSC's rate only look like keys.
keys=$(sed -n 's/^ROW([A-Z0-9_]*, "\([A-Za-z0-9]*_[A-Za-z0-9_]*\)".*/\1/p' \
	config/dump/head_rows.h | tr '\n' '|')
spelled=$(find topology regs config daemon postproc -name '*.c' |
	xargs grep -nE "\"(${keys%|})(\\\\?\"|\\[)" | grep -vE \
	'(model_slm|config/lang/site|formula/place|grace_report)\.c:' |
	sed 's/$/: head_rows.h has this key/')
# A struct or enum tag is defined once, and means one thing; still to be renamed:
# out, domain.
tags=$(find lib regs topology config daemon postproc -name '*.[ch]' |
	LC_ALL=C sort | xargs awk '
match($0, /^[ \t]*(struct|enum|union) [a-z_0-9]+ \{/) {
	n = split(substr($0, RSTART, RLENGTH), w, /[ \t]+/)
	tag = w[n - 1]
	if (tag in where && tag != "out" && tag != "domain")
		print FILENAME ": tag " tag " is in " where[tag] ", too"
	where[tag] = FILENAME
}')
# Files that doc/contributing.md names are there; NAME stands for any.
named=$(grep -oE '`[a-z]+/[a-z0-9_/]+\.[a-z]+`' doc/contributing.md | tr -d '`' |
	sort -u | while read -r file; do
		[ -e "$file" ] || echo "doc/contributing.md: there is no $file"
	done)
# The files of a value's way are as many as it says there.
way=$(sed -n "/^## A value's way/,/^## To /p" doc/contributing.md)
said=$(echo "$way" | sed -n 's/.* \([0-9]*\) files and .* types.*/\1/p')
listed=$(echo "$way" | grep '^|' | grep -oE '`[a-z]+/[a-z0-9_/]+\.c`' | sort -u |
	wc -l)
[ "$said" = "$listed" ] ||
	named="$named
doc/contributing.md: a value's way has $listed files, not $said"
[ -z "$bad$twice$threads$spelled$tags$named" ] && exit
printf '%s\n' "$bad" "$twice" "$threads" "$spelled" "$tags" "$named" | sed '/^$/d'
exit 1
