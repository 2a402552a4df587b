/*
 * postproc/jobs/job_take.h - the jobs of one dump, measured.
 */
#ifndef POSTPROC_JOBS_JOB_TAKE_H
#define POSTPROC_JOBS_JOB_TAKE_H

#include "postproc/gather/gather_ask.h"
#include "postproc/jobs/job_list.h"

/* Warnings about a dump's jobs. */
struct job_taken {
	unsigned jobs;          /* jobs with marks in the dump */
	unsigned nbad;          /* marks that do not describe a job */
	unsigned doubled;       /* spans that an earlier dump has, too */
};

/*
 * job_take - add what a dump has of its jobs.  Complaints of the dump itself
 * go to stderr (intervals_complain).  Memory grows with the jobs that run at
 * one time.
 *
 * Returns 0 or -errno with words in why; "": memory ran out.
 */
int job_take(struct job_list *, struct job_taken *, const char *path,
    const struct gather_ask *, struct diag *why);

#endif
