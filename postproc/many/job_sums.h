/*
 * postproc/many/job_sums.h - what was counted while a job ran, and how much of it
 * is the job's.
 *
 * An interval that a job begins or ends in counts by the part of its time that
 * the job has of it: rates within one interval are taken as even, so that a sum
 * is right to within one sample at either end.
 */
#ifndef POSTPROC_JOBS_JOB_SUMS_H
#define POSTPROC_JOBS_JOB_SUMS_H

#include "postproc/data/layout.h"
#include "postproc/gather/gather.h"

/* A job's part of an interval. */
struct job_part {
	double from, to;        /* when it runs, as parts of the interval,
				 * 0..1 */
	double lprocs;          /* how many the job has */
	/* set by job_share: */
	double node;            /* its part of the node's counts, 0..1 */
	double beside;          /* the part of its time in which other jobs
				 * ran, 0..1 */
};

/*
 * job_share - divides the node's counts among the jobs of one interval. At each
 * moment every job gets a part in proportion to its lprocs; a job that runs
 * alone gets all. order: room for 2 * n.
 */
void job_share(struct job_part *, unsigned n, uint32_t *order);

struct job_sums {
	unsigned room, ncol;    /* by column: */
	double *value;          /* counts that are the job's */
	double *known_s;        /* s for which these are known, */
	double *run_s;          /* s of them in which its events had
				 * counters, */
	double *own_s;          /* the same by the time stamps of its block */
	uint32_t *left_out;     /* deltas left out */
	double *share, *stretch;        /* the arrays of struct sums */
	struct batches batches;         /* of these, how far its turns were
					 * off */
	struct together together;       /* which event sets ran at the same
					 * time */
	double seconds, node_seconds, beside_seconds;
	uint64_t intervals;
};

/*
 * job_sums_add - adds the present interval of a gather; now comes from
 * gather_interval. Returns 0 or -ENOMEM. A zeroed struct is empty.
 */
int job_sums_add(struct job_sums *, const struct gather *,
    const struct sums *now, const struct job_part *);
/* job_sums_get - the sums so far; valid until the next job_sums_add. */
struct sums job_sums_get(struct job_sums *, const struct sums *now);
void job_sums_fini(struct job_sums *);

/*
 * job_lprocs - finds the lprocs in the list of a job's mark, "0-3,8"; "": all.
 * list    = range { "," range }    range = NUMBER [ "-" NUMBER ]
 * lproc   out: [topology.max_lproc] true if the job has it; false at the call
 * unknown out: the list has lprocs that the node lacks, or a syntax error
 * Returns the number of lprocs.
 */
unsigned job_lprocs(const struct topology *, const char *list, bool *lproc,
    bool *unknown);

#endif
