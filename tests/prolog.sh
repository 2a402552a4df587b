#!/bin/bash
# Slurm's Prolog and Epilog (doc/slurm/tallyd-mark), with a tallyd, a scontrol and
# cgroups that stand in: what is marked of which job.  A line a test.
d=$(mktemp -d) status=0
trap 'rm -rf "$d"' EXIT
mkdir -p "$d/bin" "$d/cgroup"
printf '#!/bin/sh\nprintf "%%s\\n" "$*" >>%s/marked\n' "$d" >"$d/bin/tallyd"
printf '#!/bin/sh\necho "$*" >>%s/asked; cat %s/job 2>/dev/null\n' "$d" "$d" >"$d/bin/scontrol"
# four cores of two threads in two sockets; threads are 4 apart
printf '#!/bin/sh\nfor l in 0 1 2 3 4 5 6 7; do echo "$l,$((l %% 4)),$((l %% 4 / 2))"; done\n' >"$d/bin/lprocs"
printf '#!/bin/sh\necho "$*" >>%s/logged\n' "$d" >"$d/bin/log"
chmod +x "$d"/bin/*
printf 'PATH=%s:$PATH\nCGROUPS=%s/cgroup\nLOG=%s\nLPROCS_OF=%s\n' "$d/bin" "$d" "$d/bin/log" "$d/bin/lprocs" >"$d/settings"

# marks NAME WANT VARIABLE=VALUE...: what the script marks with these
marks() {
	local name=$1 want=$2 got; shift 2
	: >"$d/marked"
	env -u SLURM_JOB_ID -u SLURM_JOB_USER -u SLURM_JOB_UID -u SLURMD_NODENAME TALLYD_SLURM_SETTINGS="$d/settings" \
		"$@" doc/slurm/tallyd-mark >"$d/out" 2>&1 || { echo "FAILED $name: status $?"; status=1; return; }
	got=$(sed 's/^--mark //' "$d/marked")
	if [ "$got" = "$want" ]; then echo "ok $name"
	else printf 'FAILED %s: "%s", not "%s"\n' "$name" "$got" "$want"; cat "$d/out" "$d/logged"; status=1; fi
}
# cgroup PLACE CPUS
cgroup() {
	rm -rf "$d/cgroup" "$d/asked"
	mkdir -p "$d/cgroup/$1" && echo "$2" >"$d/cgroup/$1/cpuset.cpus"
}
prolog="SLURM_SCRIPT_CONTEXT=prolog_slurmd" epilog="SLURM_SCRIPT_CONTEXT=epilog_slurmd"

cgroup system.slice/slurmstepd.scope/job_12 0-1,4-5
marks "lprocs of the job's cgroup, version 2" "job=12 begin user=ann lprocs=0-1,4-5" $prolog SLURM_JOB_ID=12 SLURM_JOB_USER=ann
[ ! -e "$d/asked" ] || { echo "FAILED nobody is asked then"; status=1; }
cgroup system.slice/node7_slurmstepd.scope/job_12 3
marks "of several slurmd on a node" "job=12 begin user=ann lprocs=3" $prolog SLURM_JOB_ID=12 SLURM_JOB_USER=ann
cgroup slurm/uid_1000/job_12 2-3
marks "version 1, below a mount of its own" "job=12 begin lprocs=2-3" $prolog SLURM_JOB_ID=12
cgroup cpuset/slurm_node7/uid_1000/job_12 6
marks "version 1, below cpuset" "job=12 begin lprocs=6" $prolog SLURM_JOB_ID=12
cgroup system.slice/slurmstepd.scope/job_13 0-1
echo 'JobId=12 NodeList=n[1-3] Nodes=n[1-2] CPU_IDs=0-1 Mem=0 Nodes=n3 CPU_IDs=2-5 Mem=0' >"$d/job"
marks "another job's cgroup is not taken; slurmctld knows" "job=12 begin lprocs=1-2,5-6" $prolog SLURM_JOB_ID=12 SLURMD_NODENAME=n3
cgroup system.slice/slurmstepd.scope/job_12 ""
marks "an empty cpuset says nothing" "job=12 begin lprocs=0,4" $prolog SLURM_JOB_ID=12 SLURMD_NODENAME=n2
cgroup system.slice/slurmstepd.scope/job_12 '0-1; reboot $(x)'
marks "of a cpuset numbers alone" "job=12 begin lprocs=0-1" $prolog SLURM_JOB_ID=12
rm -f "$d/job"; cgroup elsewhere 0
marks "what nobody knows is no lprocs" "job=12 begin lprocs=unknown" $prolog SLURM_JOB_ID=12
marks "a job ends" "job=12 end" $epilog SLURM_JOB_ID=12
marks "an id of hostile text keeps its letters" "job=7..etcpasswdrm begin user=ab lprocs=unknown" \
	$prolog SLURM_JOB_ID='7/../etc/passwd;rm ' SLURM_JOB_USER='a b;'
marks "no id, no mark" "" $prolog
printf '#!/bin/sh\necho cannot >&2; exit 1\n' >"$d/bin/tallyd"
: >"$d/logged"
marks "a tallyd that fails, fails no job" "" $prolog SLURM_JOB_ID=12
grep -q 'job 12: not marked: cannot' "$d/logged" || { echo "FAILED and that is logged"; status=1; }
exit $status
