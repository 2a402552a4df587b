#!/bin/sh
# What tallyd says of real nodes: --check and --list boxes of the machine that
# tests/tools/node_machine.c makes of each table in tests/data/nodes, against its page
# there.  A line for each; a page that differs is shown as a diff.
#
#   tests/nodes.sh            compare
#   PAGES=write tests/nodes.sh        write the pages anew, then read git diff
#
# Boxes of a type in a row that are alike are one line of a page.
set -u
cd "$(dirname "$0")/.." || exit 1
B=${B:-build}
dir=$(mktemp -d "${TMPDIR:-/tmp}/tallyd-nodes.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
bad=0

# Of the Xeon Max node there is a list of functions alone; leaf 0xA is that of the
# same model whose CPUID was read, and the core has the counters that it names.
max() {
	cat <<-'END'
	host bare
	cpu vendor=GenuineIntel family=6 model=0x8f stepping=8
	name Intel(R) Xeon(R) CPU Max 9480
	cpuid 0xa 0x08300805 0 0xf 0x8604
	packages 2
	cores 56
	msr 0x10 lproc counter tsc
	msr 0x186 lproc = 0 n=8 write=0xffffffff
	msr 0xc1 lproc = 0 n=8 write=0xffffffffffff
	msr 0x309 lproc = 0 n=4 write=0xffffffffffff
	msr 0x38d lproc = 0 write=0xffff
	msr 0x38f lproc = 0 write=0xf000000ff
	END
	"$B/tests/node_machine" functions tests/data/pci-spr.tsv
}

boxes() {
	awk -F'\t' '
	function flush() {
		if (n > 0)
			print type "\t" pkg "\t" first (last != first ? "-" last : "") "\t" rest
		n = 0
	}
	{
		more = $4
		for (i = 5; i <= NF; i++)
			more = more "\t" $i
		if (n > 0 && ($1 != type || $2 != pkg || more != rest))
			flush()
		if (n++ == 0) { type = $1; pkg = $2; first = $3; rest = more }
		last = $3
	}
	END { flush() }'
}

# What a default counts is no fact of the node's, nor what writing does to its
# kernel: the pages have a few things that all of these CPUs have.
cat >"$dir/config" <<'END'
read aperf mperf rapl_pkg_energy
END
node_check() {
	"$B/tallyd" --sim "$1" --virtual-time --check $2 2>&1 |
		sed "/^writes /d; s|$dir/||g"
}

# page MACHINE: what tallyd says of it; of a CPU that it has no tables for, what it
# would have the kernel count.
page() {
	if "$B/tallyd" --sim "$1" --virtual-time --list boxes >"$dir/boxes" 2>"$dir/why"; then
		node_check "$1" "-c $dir/config"
		echo
		boxes <"$dir/boxes"
	else
		node_check "$1" ''
		sed 's/^tallyd: //' "$dir/why"
		echo
		node_check "$1" '-c @software'
	fi
}

check() {
	page "$dir/machine" >"$dir/page"
	at=tests/data/nodes/$1.page
	[ "${PAGES:-}" != write ] || cp "$dir/page" "$at"
	if diff -u "$at" "$dir/page" >"$dir/diff" 2>&1; then
		echo "ok what is said of $1 is on its page"
	else
		cat "$dir/diff"
		echo "FAILED $1: what is said of it is not what its page has"
		bad=1
	fi
}

for table in tests/data/nodes/*.tsv; do
	name=${table##*/}
	"$B/tests/node_machine" "$table" >"$dir/machine" || exit 1
	check "${name%.tsv}"
done
max >"$dir/machine"
check xeon-max-2s
exit $bad
