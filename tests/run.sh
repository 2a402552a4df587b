#!/bin/sh
# Runs test programs, each as `PROGRAM`, and prints a line for each; of one that
# fails all that it said.  Ends with how many tests passed, failed and were
# skipped, and which were skipped for what.  V=1 shows all output.
#
#   tests/run.sh PROGRAM...
#
# A program is one of cmocka's, or prints lines "ok NAME", "FAILED NAME" and
# "SKIPPED NAME: REASON" itself.
set -u
dir=$(mktemp -d "${TMPDIR:-/tmp}/tallyd-run.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP
for t; do
	"$t" >"$dir/out" 2>&1
	status=$?
	# cmocka says twice which failed or were skipped: what counts is the first
	awk -v t="${t##*/}" -v status=$status -v all="$dir/all" '
	/^\[ RUN      \] / { why = ""; inside = 1; next }
	/^\[       OK \] / || /^ok / { passed++; inside = 0; next }
	/^\[  FAILED  \] / { failed += inside; inside = 0; next }
	/^FAILED / { failed++; next }
	/^\[  SKIPPED \] / && inside {
		print "skipped " t ": " $NF (why != "" ? ": " why : "") >>all
		skipped++; inside = 0
		next
	}
	/^SKIPPED / { sub(/^SKIPPED/, "skipped " t ":"); print >>all; skipped++ }
	inside { why = why (why != "" ? " " : "") $0 }
	END {
		failed += status != 0 && failed == 0    # it crashed
		printf "%-24s %4d passed", t, passed
		if (failed > 0) printf ", %d FAILED", failed
		if (skipped > 0) printf ", %d skipped", skipped
		print ""
		print "count", passed + 0, failed + 0, skipped + 0 >>all
	}' "$dir/out"
	[ $status -eq 0 ] && [ -z "${V:-}" ] || cat "$dir/out"
done
awk '$1 == "count" { passed += $2; failed += $3; skipped += $4; next }
{ print }
END {
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	exit failed > 0
}' "$dir/all"
