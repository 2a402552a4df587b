/*
 * postproc/data/marks.h - the marks with words that the head of a dump has, the jobs
 * that they tell of, and which jobs ran in an interval.
 *
 *   begin = "job=" ID " begin" { " user=" NAME | " lprocs=" LIST | word }
 *   end   = "job=" ID " end"
 *
 * config/dump/head.h has the grammar of a word.
 */
#ifndef POSTPROC_DATA_MARKS_H
#define POSTPROC_DATA_MARKS_H

#include "postproc/data/intervals.h"

/* A mark, which was made between the sample before `sample` and `sample`. */
struct mark {
	uint64_t sample;
	double time;            /* s since 1970; NaN: the head does not say */
	const char *text;       /* its words; the reader's memory */
};

struct mark_list {
	struct mark *mark;      /* [n] in the order in which they were made */
	unsigned n, room;
	unsigned nbad;          /* marks that are left out: they have no sample,
	                         * or their text is not words */
};

/* mark_list_load - all marks that the head has by now, into a zeroed list.  0 or
 * -ENOMEM. */
int mark_list_load(struct mark_list *, const struct reader *);
void mark_list_fini(struct mark_list *);


#define JOB_WORD 256            /* bytes of a mark's word and its '\0' */

/*
 * A job, from its begin to its end.  A job that begins and ends more than once, as
 * when Slurm requeues it, has a span for each time.  A job without an end before the
 * daemon was restarted goes on behind the restart only if the next daemon was told
 * of its end.
 */
struct job_span {
	char id[JOB_WORD];
	char user[JOB_WORD];    /* "": no mark says whose it is */
	char lprocs[JOB_WORD];  /* a list, as the mark has it; "": the whole node */
	bool begun, ended;      /* there is a mark that says so */
	struct mark begin, end; /* the marks that do */
	bool twice;             /* it was marked as begun again before it ended:
	                         * still one span, with the later mark's lprocs */
	uint64_t lost;          /* of a span without an end: the first sample of
	                         * the next daemon, which does not know of the
	                         * job; UINT64_MAX: there is none */
	uint64_t marked;        /* the sample of its latest mark */
	uint32_t latest;        /* only in the first span of a job: the number of its
	                         * latest span */
};

struct jobs {
	struct job_span *span;  /* [n] in the order of their first marks */
	unsigned n, room;
	unsigned nbad;          /* marks that name a job, but neither begin nor
	                         * end it, and those of mark_list.nbad */
};

/* jobs_load - into a zeroed struct; 0 or -ENOMEM. */
int jobs_load(struct jobs *, const struct reader *);
void jobs_fini(struct jobs *);

/* The jobs by the marks that the head has so far.  A zeroed struct: jobs were not looked for
 * yet. */
struct jobs_then {
	struct jobs jobs;
	unsigned nconstant;     /* 1 + the head's constants when jobs was loaded */
	char ids[1024];
};

/* jobs_then - the ids of the jobs that ran in an interval: "17", or "17,18".  NULL:
 * none ran, or memory ran out.  The string is valid until the next call. */
const char *jobs_then(struct jobs_then *, const struct reader *,
    const struct interval *);
void jobs_then_fini(struct jobs_then *);

/* interval_time - the wall clock at an interval's end, us since 1970; false: the dump
 * does not say. */
bool interval_time(const struct reader *, const struct interval *,
    int64_t *us);

#endif
