/*
 * postproc/jobs/job_rows.h - jobs as rows, and as what a batch system may keep of
 * them.
 */
#ifndef POSTPROC_JOBS_JOB_ROWS_H
#define POSTPROC_JOBS_JOB_ROWS_H

#include "postproc/jobs/job_list.h"
#include "postproc/out/table.h"

/* job_rows_view - a row a job.  What is put is a struct job_list. */
const struct view *job_rows_view(void);

/*
 * job_comments - a line a job for a shell: sacctmgr(1), which keeps its figures
 * with the job as AdminComment.  Those that no sample is of are left out, and
 * those whose id Slurm cannot have; how many these are.
 */
unsigned job_comments(FILE *, const struct job_list *);

#endif
