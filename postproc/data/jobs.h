/*
 * postproc/data/jobs.h - jobs, by the marks of one dump, or of a run in
 * segments.
 *
 *   begin = "job=" ID " begin" { " user=" NAME | " lprocs=" LIST | word }
 *   end   = "job=" ID " end"
 *
 * A job may begin and end more than once, as one that is requeued does: each
 * time is a span.  One that has no end before the daemon was started anew goes on
 * there only if the next daemon was told of its end.
 */
#ifndef POSTPROC_DATA_JOBS_H
#define POSTPROC_DATA_JOBS_H

#include "postproc/data/mark_list.h"

#define JOB_WORD 256            /* a word of a mark, with its end */

struct job_span {
	char id[JOB_WORD], user[JOB_WORD];      /* user "": not said */
	char lprocs[JOB_WORD];  /* as the mark has them; "": the whole node */
	bool begun, ended;      /* there is a mark of it */
	struct mark begin, end;
	bool twice;             /* marked as begun again before it ended: one
	                         * span all the same, of the later lprocs */
	uint64_t lost;          /* without an end: the daemon that began with
	                         * this sample does not know of it */
	uint64_t marked;        /* sample of its latest mark */
	uint32_t latest;        /* of a job's first span: its latest one */
};

struct jobs {
	struct job_span *span;  /* [n] in the order of their first marks */
	unsigned n, room;
	unsigned nbad;          /* marks that name a job, but do not say what
	                         * of it, and those of mark_list.nbad */
};

/* jobs_load - 0 or -ENOMEM.  A zeroed one is empty. */
int jobs_load(struct jobs *, const struct reader *);
void jobs_fini(struct jobs *);

#endif
