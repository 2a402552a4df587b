#!/bin/sh
# Small mistakes put into the code, one at a time (tests/tools/mutate.c): does a test
# see them?  Called by `make mutants`.
#
#   N=200     so many mutants; those that do not compile, or compile to the same
#             instructions as the original, are not counted
#   SEED=1    the draw: the same seed draws the same mutants of the same code
#   IN=       of these folders or files alone
#   JOBS=1    so many at a time
#   QUICK=    try no test that takes more ms: what survives is only suspected
#   AGAIN=1   those alone that survived the last run of all, and then the totals
#             of that run by the new verdicts; N, SEED and IN are that run's.  It is
#             refused where the product's code is another by now: so are its mutants
#   GOAL=90   exit 1 when fewer per cent of those not equivalent are killed
#
# A mutant is killed when a test of `make check` fails twice; it fails, too, when
# it takes ten times as long as without the mutant, and 5 s more.
# tests/tools/mutants.equivalent lists those that no test can kill, and why.
#
# The product is linked as one library, so that a mutant costs one compilation
# and one link.  All is done on copies, in build-mutants.  Mutants of root have
# a /tmp, a /dev/shm and a /run/tallyd of their own, /sys to read only, and no
# right to raw I/O.
set -u
N=${N:-200} SEED=${SEED:-1} JOBS=${JOBS:-1} GOAL=${GOAL:-90} QUICK=${QUICK:-}
IN=${IN:-lib regs topology config daemon postproc}
CC=${CC:-cc}
COMPILE="-std=c11 -D_GNU_SOURCE -I. -Ibuild -O1 -g0 -fPIC -w"
M=$PWD/build-mutants
EQUIVALENT=$PWD/tests/tools/mutants.equivalent
export LC_ALL=C
if SHARED=$(cd "${TALLYD_SHARED:-../shared}" 2>/dev/null && pwd); then
	export TALLYD_SHARED="$SHARED"
fi
tab=$(printf '\t')

die() { echo "mutants: $*" >&2; exit 2; }

case $(id -u):$M in 0:/tmp/*) die "in /tmp no test finds its program, as it has\
 another /tmp: run this elsewhere" ;; esac

# cage DIR SECONDS COMMAND: run it in the current directory where it can do no
# harm outside of DIR; 137 when it takes longer than that
cage() {
	mkdir -p "$1/tmp"
	if [ "$(id -u)" = 0 ]; then
		timeout -s KILL "$2" unshare -mpf --mount-proc --kill-child sh -c '
			mount --bind "$0" /tmp && mount --bind /sys /sys &&
			mount -o remount,bind,ro /sys &&
			mount -t tmpfs tmpfs /dev/shm || exit 99
			[ ! -d /run/tallyd ] || mount -t tmpfs -o mode=755 \
				tmpfs /run/tallyd || exit 99
			ulimit -c 0
			setpriv --bounding-set -sys_rawio "$1"; exit $?' "$1/tmp" "$3"
	else
		timeout -s KILL "$2" unshare -Upf --mount-proc --map-current-user \
			--kill-child sh -c 'ulimit -c 0
			"$0"; exit $?' "$3"
	fi
}

# try DIR SECONDS TEST: one test of the tree in DIR; what it prints in DIR/log
try() {
	command=build/tests/$3
	[ "$3" = end_to_end ] && command=tests/end_to_end.sh
	(cd "$1/tree" && B=build cage "$1" "$2" "$command") >"$1/log" 2>&1
	status=$?
	rm -rf "$1/tmp"
	return $status
}

copy_tree() {
	mkdir -p "$M/tree"
	find "$M/tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
	tar -cf - --exclude='./build*' --exclude=./.git . | tar -xpf - -C "$M/tree"
}

# link_parts: the library of all but the two main.o, in the current tree
link_parts() {
	$CC -shared -Wl,-soname,parts.so -o build/parts.so $(cat "$M/parts") -lm
}

# link_program NAME MAIN
link_program() {
	$CC -Wl,-rpath,'$ORIGIN' -o "build/$1" "$2" build/parts.so -lm
}

# build_tree: everything, unchanged
build_tree() (
	cd "$M/tree" || exit 1
	find lib regs topology config daemon postproc -name '*.c' ! -name main.c |
		sed 's,\(.*\)c$,build/\1o,' | sort >"$M/parts"
	set -- -s B=build CFLAGS='-O1 -g0 -fPIC' HARDEN= HARDEN_LD= WARN=-w
	make "$@" $(cat "$M/parts") && link_parts &&
		make "$@" LDFLAGS="-Wl,-rpath,'\$\$ORIGIN:\$\$ORIGIN/..'" \
			LINKED=build/parts.so TALLY='build/postproc/main.o build/parts.so' \
			DAEMON='build/daemon/main.o build/parts.so' tests || exit 1
	: >"$M/refers"
	find tests -name 'test_*.c' | sort | while read -r t; do
		object=build/${t%c}o
		t=$(basename "$t" .c)
		nm -u "$object" | sed "s/.* U \(.*\)/\1 $t/" >>"$M/refers"
		echo "$t"
	done >"$M/tests"
	echo end_to_end >>"$M/tests"
)

# time_tests: every test passes unchanged; how many ms it takes
time_tests() {
	touch "$M/times"
	mv "$M/times" "$M/times.last"
	while read -r t; do
		if [ -n "$QUICK" ] && awk -v t="$t" -v quick="$QUICK" '$1 == t &&
		    $2 > quick { slow = 1; print } END { exit !slow }' \
		    "$M/times.last" >>"$M/times"; then continue; fi
		begin=$(date +%s%3N)
		if ! try "$M" 600 "$t"; then
			cat "$M/log"
			die "$t fails on the code as it is"
		fi
		echo "$t $(($(date +%s%3N) - begin))" >>"$M/times"
	done <"$M/tests"
}

# code: what the code is that mutants are of
code() {
	(cd "$M/tree" && find lib regs topology config daemon postproc -name '*.[ch]' |
		sort | xargs sha256sum) | sha256sum
}

# record: in $M/now what became of each mutant that was drawn: a word, and a tab
# before what `mutate` said of it
record() {
	while read -r number state; do
		d=$M/drawn/$number
		[ "$state" != counted ] || read -r state why <"$d/verdict" || return
		printf '%s\t' "$state" && cat "$d/mutant"
	done <"$M/states" >"$M/now"
}

# last_run: in $M/whole is that of the last run of all, and $M/whole.of says of
# what it is
last_run() {
	[ -s "$M/whole.of" ] || { record && mv "$M/now" "$M/whole" &&
		echo "$SEED $(code)" >"$M/whole.of"; } 2>/dev/null ||
		die "AGAIN=1: there was no run of all, or it has not ended"
	read -r SEED last_code <"$M/whole.of"
	N=$(wc -l <"$M/whole")
}

# draw: a directory, drawn/NUMBER, for each of the first that the seed draws
draw() {
	rm -rf "$M/drawn"
	mkdir -p "$M/drawn"
	files=$(cd "$M/tree" && find $IN -name '*.c' | sort)
	[ -n "$files" ] || die "no code in $IN"
	(cd "$M/tree" && "$M/mutate" pick "$SEED" $files) >"$M/all"
	if [ -n "${AGAIN:-}" ]; then
		sed -n "s/^survived$tab//p" "$M/whole"
	else head -n $((N + N / 2 + 20)) "$M/all"; fi >"$M/drawn/all"
	number=0
	while read -r line; do
		number=$((number + 1))
		mkdir "$M/drawn/$number"
		printf '%s\n' "$line" >"$M/drawn/$number/mutant"
	done <"$M/drawn/all"
	drawn=$number
}

# fields NUMBER: what a mutant is; $d is its directory
fields() {
	d=$M/drawn/$1
	IFS=$tab read -r file line at n operator with text <"$d/mutant"
}

# compile NUMBER: is it "broken", the "same" code, listed as "equivalent", or
# "counted"?
compile() {
	fields "$1"
	source=$d/$(basename "$file") state=counted
	(cd "$M/tree" && "$M/mutate" make "$file" "$at" "$n" "$with") >"$source"
	(cd "$M/tree" && timeout 120 $CC $COMPILE -c -o "$d/o" "$source") \
		2>"$d/log" || state=broken
	if cmp -s "$d/o" "$M/tree/build/${file%c}o"; then state=same
	elif listed; then state=equivalent; fi
	echo $state >"$d/state"
}

# listed: is this mutant among the equivalent ones?
listed() {
	grep -qxF -- "$file$tab$operator$tab$with$tab$text" "$EQUIVALENT"
}

# stale: entries of the list whose line is gone
stale() {
	grep -v -e '^#' -e "^$tab" -e '^$' "$EQUIVALENT" |
		while IFS=$tab read -r file operator with text; do
			grep -qF -- "$text" "$M/tree/$file" ||
				echo "$EQUIVALENT: $file has no such line: $text"
		done
}

# every_job COMMAND: for each job, COMMAND NUMBER for its share of the numbers
# in $M/todo
every_job() {
	for job in $(seq 0 $((JOBS - 1))); do
		for number in $(awk "NR % $JOBS == $job" "$M/todo"); do
			"$1" "$number" "$job"
		done &
	done
	wait
}

# choose: the first N that are mutants at all
choose() {
	seq "$drawn" >"$M/todo"
	every_job compile
	left=$N
	for number in $(cat "$M/todo"); do
		state=$(cat "$M/drawn/$number/state")
		case $state in counted | equivalent) left=$((left - 1)) ;; esac
		echo "$number $state"
		[ $left -gt 0 ] || break
	done >"$M/states"
	sed -n 's/ counted$//p' "$M/states" >"$M/todo"
}

# order DIR: the tests, the likeliest first to kill a mutant of $file: those
# that did, those that call it, the quick ones
order() {
	nm -g --defined-only "$M/tree/build/${file%c}o" >"$1/symbols"
	awk -v file="$file" -v quick="$QUICK" '
		FILENAME ~ /symbols$/ { defined[$3] }
		FILENAME ~ /refers$/ && $1 in defined { calls[$2] }
		FILENAME ~ /kills$/ && $1 == file { kills[$2]++ }
		FILENAME ~ /times$/ && (quick == "" || $2 <= quick) {
			print ($1 in kills ? 0 : $1 in calls ? 1 : 2), $2, $1 }
	' "$1/symbols" "$M/refers" "$M/kills" "$M/times" | sort -k 1,1n -k 2,2n |
		cut -d ' ' -f 2-
}

# link_mutant: the programs with it, in the current tree
link_mutant() {
	object=build/${file%c}o
	cp "$d/o" "$object"
	case $file in
	daemon/main.c) link_program tallyd "$object" ;;
	postproc/main.c) link_program tally "$object" ;;
	*) link_parts ;;
	esac || die "$file does not link"
}

# judge DIR: the verdict on the mutant that is linked in DIR/tree
judge() {
	order "$1" >"$1/order"
	while read -r ms t; do
		limit=$((ms / 100 + 5))
		# a test that flakes, and a machine that pauses, kill none
		try "$1" $limit "$t" || try "$1" $limit "$t" && continue
		why="by $t"
		[ $status = 137 ] && why="in $t, which takes more than $limit s"
		echo "$file $t" >>"$M/kills"
		echo "killed $why"
		return
	done <"$1/order"
	echo survived
}

# try_mutant NUMBER JOB: its verdict, from all tests, in the tree of that job
try_mutant() {
	w=$M/job-$2
	fields "$1"
	[ -d "$w" ] || { mkdir "$w" && cp -pR "$M/tree" "$w/tree"; }
	cd "$w/tree" || exit 2
	link_mutant
	judge "$w" >"$d/verdict"
	# as it was
	for name in tally tallyd parts.so "${file%c}o"; do
		cp -p "$M/tree/build/$name" "build/$name"
	done
	say "$1"
}

# say NUMBER: a mutant and its verdict
say() {
	fields "$1"
	case $operator in
	deleted*) what="deleted: $text" ;;
	return*) what="$with instead of: $text" ;;
	*) what="$operator becomes $with: $text" ;;
	esac
	read -r state why <"$d/verdict"
	printf '%-8s  %s:%s: %s%s\n' "$state" "$file" "$line" "$what" "${why:+ ($why)}"
}

# survivors: those of the mutants that were tried now
survivors() {
	while read -r number state; do
		[ "$state" = counted ] && read -r state why <"$M/drawn/$number/verdict"
		[ "$state" != survived ] || say "$number"
	done <"$M/states" | sort
}

# keep: $M/whole with the verdicts of now
keep() {
	record || return
	if [ -z "${AGAIN:-}" ]; then
		mv "$M/now" "$M/whole" && echo "$SEED $(code)" >"$M/whole.of"
		return
	fi
	awk '{ m = substr($0, index($0, "\t") + 1) }
		NR == FNR { now[m] = $1; next }
		{ print (m in now ? now[m] : $1) "\t" m }' \
		"$M/now" "$M/whole" >"$M/whole.new" && mv "$M/whole.new" "$M/whole"
}

# summarize: how many; is that enough?
summarize() {
	awk -F '\t' -v goal="$GOAL" -v seed="$SEED" '
		{ n[$1]++; sub(/\/.*/, "", $2); is[$2, $1]++ }
		$1 != "broken" && $1 != "same" { folder[$2] }
		END {
			tried = n["killed"] + n["survived"]
			share = tried ? 100 * n["killed"] / tried : 100
			for (f in folder)
				printf "%s: %d killed, %d survived, %d equivalent\n",
				    f, is[f, "killed"], is[f, "survived"],
				    is[f, "equivalent"]
			print "mutants of seed " seed ": " tried + n["equivalent"] \
			    " (and " n["broken"] + 0 " that do not compile, " \
			    n["same"] + 0 " that are the same code)"
			printf "of those not equivalent, %.1f %% are killed; " \
			    "the goal is %s %%\n", share, goal
			exit share < goal
		}' "$M/whole"
}

mkdir -p "$M"
touch "$M/kills"
rm -rf "$M"/job-*
$CC -O1 -std=c11 -D_GNU_SOURCE -I. -o "$M/mutate" \
	tests/tools/mutate.c tests/tools/mutate_read.c || exit 2
[ -z "${AGAIN:-}" ] || last_run
copy_tree
[ -z "${AGAIN:-}" ] || [ "$last_code" = "$(code)" ] ||
	die "AGAIN=1: the code is not that of the last run of all, nor are its\
 mutants: run without AGAIN"
build_tree || die "the code as it is does not compile"
time_tests
draw
choose
every_job try_mutant
stale
survivors
keep || die "not every mutant has a verdict"
summarize
