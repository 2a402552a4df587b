#!/usr/bin/env bash
# Jobs of a real Slurm on a simulated node that tallyd samples in real time.  Called
# by `make check-slurm`, as root, with what Debian has of slurmctld, slurmd,
# slurmdbd, slurm-client, mariadb-server and munge; what is missing is named, and all
# is skipped.  They run with a network and with processes of their own: nothing is
# left of them, however it ends.
#
# Ten jobs, three of them at once, have the instructions and the energy that the
# machine file says, within one sample's worth of it at either end, and the times of
# sacct; each line of doc/site.md about jobs is tried; a job array post-processes a
# thousand dumps; a prolog without slurmctld or without a daemon fails no job.
set -u
cd "$(dirname "$0")/../.." || exit 2
B=$(realpath "${B:-build}") || exit 2
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd slurmdbd sbatch sacct sacctmgr mariadbd \
	mariadb-install-db munged; do
	command -v $program >/dev/null || {
		echo "skipped check-slurm: there is no $program"; exit 0; }
done
if [ "${1:-}" != inside ]; then
	unshare -n -m -u -p -f true 2>/dev/null || {
		echo "skipped check-slurm: no namespaces of its own here"; exit 0; }
	exec unshare -n -m -u -p -f --mount-proc --kill-child "$0" inside
fi
ip link set lo up 2>/dev/null || ifconfig lo up
d=$(mktemp -d /tmp/tallyd-slurm.XXXXXX)
trap 'rm -rf "$d"' EXIT
trap 'exit 1' INT TERM
passed=0 failed=0
. tests/slurm/servers.sh
. tests/slurm/truth.sh
. tests/slurm/site.sh

# holds WHAT COMMAND...
holds() {
	local what=$1
	shift
	if "$@" >"$d/said" 2>&1; then
		echo "ok    $what"
		passed=$((passed + 1))
	else
		echo "FAIL  $what"
		sed 's/^/      /' "$d/said" | head -20
		failed=$((failed + 1))
	fi
}

# soon COMMAND...: until it holds; what takes five minutes never will.
soon() {
	local looks=0
	until "$@" >/dev/null 2>&1; do
		looks=$((looks + 1))
		[ $looks -lt 3000 ] || return 1
		sleep 0.1
	done
}

give_up() {
	echo "FAIL  $1"
	tail -n 15 "$d"/*.log
	exit 1
}

node_up
sampler_up || give_up "tallyd does not sample"
servers_up || give_up "Slurm does not run"

# A job: how many CPUs (threads; whole cores of them are given), how long; beside
# how many others, as it waits for these.
job() {
	sbatch --parsable -n1 -c "$1" -o /dev/null \
		--wrap "date +%s.%N >$d/in.\$SLURM_JOB_ID
		until [ \$(ls $d/in.* | wc -l) -ge ${3:-0} ]; do sleep 0.1; done
		sleep $2; date +%s.%N >$d/out.\$SLURM_JOB_ID"
}
# all_ended ID...
all_ended() {
	[ "$(squeue -h -t all -j "$(IFS=,; echo "$*")" -o %T |
		grep -vc '^COMPLETED$')" -eq 0 ]
}

# Three at once on CPUs of their own, then one after the other.
jobs=()
for cpus in 8 48 4; do
	jobs+=("$(job $cpus 3 3)")
done
soon all_ended "${jobs[@]}" || give_up "three jobs at once do not end"
for cpus in 96 2 12 6 24 96 10; do
	jobs+=("$(job $cpus 1.5)")
	soon all_ended "${jobs[@]}" || give_up "a job does not end"
done
# its books are written some time later
ten_in_sacct() {
	sacct -n -X -P -o JobIDRaw,User,Start,End,State >"$d/sacct" &&
		[ "$(grep -c '|root|.*|COMPLETED$' "$d/sacct")" -eq 10 ]
}
holds "ten jobs have completed, by sacct" soon ten_in_sacct
sampler_end
tally jobs -f csv -o "$d/jobs.csv" "$d/run.lua" || give_up "tally jobs fails"
holds "tally jobs has ten rows" test "$(grep -c ',node1,' "$d/jobs.csv")" -eq 10
for j in "${jobs[@]}"; do
	truth_of "$j"
done
holds "three jobs ran at once, and one alone" truth_shared "${jobs[@]}"

# What it puts into Slurm's own books.
tally jobs --comment -o "$d/comments" "$d/run.lua"
holds "sacctmgr takes the figures" sh -e "$d/comments"
holds "sacct has them" sh -c "sacct -n -X -P -j ${jobs[3]} -o AdminComment |
	tee /dev/stderr | grep -q '^tally energy_j=[0-9.]* power_w='"

holds "each line of doc/site.md on jobs does what it says" site_tried
holds "jobs of both nodes are one row" grep -q "^1,root,2," \
	"$d/site/jobs.csv"
. tests/slurm/array.sh
. tests/slurm/trouble.sh
echo "check-slurm: $passed passed, $failed failed"
[ $failed -eq 0 ]
