#!/bin/sh
# Calls run one way: no file calls another that, by whatever way, calls it
# back.  B: the folder of objects.  Prints each loop as tsort(1) finds it.
cd "$(dirname "$0")/.." || exit 1
B=${B:-build}

bad=$(find lib regs topology config daemon postproc -name '*.c' ! -name main.c |
    sed "s|^|$B/|; s|c\$|o|" |
    xargs nm -A -P | awk '
{
	file = $1
	sub(/:$/, "", file)
	sub(/^[^\/]*\//, "", file)
	sub(/\.o$/, ".c", file)
	if ($3 == "U")
		uses[file, $2] = 1
	else if ($3 ~ /^[A-Z]$/)
		home[$2] = file
}
END {
	for (u in uses) {
		split(u, w, SUBSEP)
		if (w[2] in home && home[w[2]] != w[1])
			print w[1], home[w[2]]
	}
}' | LC_ALL=C sort -u | tsort 2>&1 >/dev/null |
    sed 's/^tsort: //; s/^-: .*/files that call one another in a circle:/')
[ -z "$bad" ] && exit
echo "$bad"
exit 1
