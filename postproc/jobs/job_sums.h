/*
 * postproc/jobs/job_sums.h - what was counted while a job ran, and how much of it
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

/* What of an interval a job has. */
struct job_part {
	double from, to;        /* of its time, 0..1 */
	double lprocs;          /* how many the job has */
	/* out, of job_share: */
	double node;            /* of what the whole node counted, 0..1 */
	double beside;          /* of its time that other jobs ran, too, 0..1 */
};

/*
 * job_share - the node's counts among the jobs of one interval: at each moment
 * by the lprocs that each has, so that one that is alone has all of it.
 * order: room for 2 * n.
 */
void job_share(struct job_part *, unsigned n, uint32_t *order);

struct job_sums {
	unsigned room, ncol;    /* by column: */
	double *value;          /* what it counted, of that the job's part */
	double *known_s;        /* time that this is of, */
	double *run_s;          /* of it while its events had counters, */
	double *own_s;          /* the same by the stamps of its block */
	uint32_t *left_out;     /* deltas */
	double *share, *stretch;        /* as struct sums wants them */
	struct together together;       /* of what time sets were, the same */
	double seconds, node_seconds, beside_seconds;
	uint64_t intervals;
};

/* job_sums_add - the present interval of a gather, of which now is
 * gather_interval; 0 or -ENOMEM.  A zeroed one is empty. */
int job_sums_add(struct job_sums *, const struct gather *,
    const struct sums *now, const struct job_part *);
/* job_sums_get - as long as nothing is added. */
struct sums job_sums_get(struct job_sums *, const struct sums *now);
void job_sums_fini(struct job_sums *);

/*
 * job_lprocs - by the list of its mark, "0-3,8"; "": all.
 *
 *   list = range { "," range }       range = NUMBER [ "-" NUMBER ]
 *
 * lproc    out: [topology.max_lproc], false so far
 * unknown  out: the list names others, or is none from some word on
 *
 * Returns how many they are.
 */
unsigned job_lprocs(const struct topology *, const char *list, bool *lproc,
    bool *unknown);

#endif
