#!/bin/sh
# doc/security.md says which system calls each list of daemon/node/filter.c lets
# through: both name the same.  Prints a line a list.
status=0
for list in sample batch perf writer program; do
	code=$(awk -v l="$list" '$0 ~ "^static const int " l "\\[" { on = 1 } on; /};/ { on = 0 }' \
		daemon/node/filter.c | grep -o 'SYS_[a-z0-9_]*' | sed s/SYS_// | sort -u)
	page=$(sed -n "s/^| $list |[^|]*|//p" doc/security.md |
		grep -o '`[a-z0-9_]*`' | tr -d '`' | sort)
	if [ -n "$code" ] && [ "$code" = "$page" ]; then echo "ok doc/security.md has the system calls of $list"
	else
		echo "FAILED doc/security.md has the system calls of $list"
		echo "filter.c: "$code; echo "the page: "$page; status=1
	fi
done
exit $status
