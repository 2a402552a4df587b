# tests/slurm/trouble.sh - jobs while something is missing; of run.sh.

# Nobody samples: the prolog says so, and the job runs.
dead=$(job 2 0)
soon all_ended "$dead"
holds "a job without a daemon completes" test \
	"$(squeue -h -t all -j "$dead" -o %T)" = COMPLETED
holds "and its prolog has logged why" grep -q "job $dead: not marked: " \
	"$d/prolog.log"

# A daemon that takes a mark and never answers: it is not waited for.
printf '#!/bin/sh\nexec sleep 1000\n' >"$d/slow"
chmod +x "$d/slow"
sed "s|^TALLYD=[^ ]*|TALLYD=$d/slow SECONDS_AT_MOST=1|" "$d/settings" >"$d/s" &&
	mv "$d/s" "$d/settings"
slow=$(job 2 0)
soon all_ended "$slow"
holds "a job beside a daemon that never answers completes" test \
	"$(squeue -h -t all -j "$slow" -o %T)" = COMPLETED
holds "and that is logged" grep -q "job $slow: not marked: no answer" \
	"$d/prolog.log"
sed "s|^TALLYD=$d/slow SECONDS_AT_MOST=1|TALLYD=$B/tallyd|" "$d/settings" \
	>"$d/s" && mv "$d/s" "$d/settings"

# slurmctld goes while a job runs: its lprocs are not known to a prolog, which
# is another's business; the status of ours is 0 all the same.  scontrol would
# try for minutes.
sed "s|^SECONDS_AT_MOST=300|SECONDS_AT_MOST=20|" "$d/settings" >"$d/s" &&
	mv "$d/s" "$d/settings"
kill $ctld
wait $ctld 2>/dev/null
sampler_up
holds "a prolog without slurmctld returns 0" env SLURM_JOB_ID=99 \
	SLURM_JOB_USER=ann SLURM_SCRIPT_CONTEXT=prolog_slurmd "$d/mark"
holds "and has logged that lprocs are not known" grep -q \
	"job 99: its lprocs are not known" "$d/prolog.log"
env SLURM_JOB_ID=99 SLURM_SCRIPT_CONTEXT=epilog_slurmd "$d/mark"
holds "an id of hostile text is no shell's" env \
	SLURM_JOB_ID="7;\$(touch $d/pwned) begin" SLURM_JOB_USER="a b;c" \
	SLURM_SCRIPT_CONTEXT=prolog_slurmd "$d/mark"
sampler_end
holds "and it made nothing" test ! -e "$d/pwned"
tally jobs -f csv --overwrite -o "$d/jobs.csv" "$d/run.lua"
holds "the job that was marked so has no lprocs" test "$(of 99 lprocs)" -eq 0
