/*
 * postproc/jobs/job_list.h - jobs of many dumps: nodes, segments and restarts put
 * together by the job's id.
 */
#ifndef POSTPROC_JOBS_JOB_LIST_H
#define POSTPROC_JOBS_JOB_LIST_H

#include "postproc/out/table.h"
#include "lib/lookup.h"
#include "postproc/marks/jobs.h"

/* What is known of a job, each as one number. */
enum job_quantity {
	JOB_INSTRUCTIONS, JOB_IPC, JOB_FREQUENCY, JOB_UTILISATION, JOB_FLOPS,
	JOB_OF_NODE,            /* from here on of the whole node, shared out */
	JOB_DRAM = JOB_OF_NODE, JOB_PCIE, JOB_UPI, JOB_POWER,
	JOB_QUANTITIES
};

/* job_metric - the metric that a quantity is; job_title - what it is called. */
const char *job_metric(enum job_quantity);
const char *job_title(enum job_quantity);

/* A job on one node, as far as one dump has it. */
struct job_piece {
	const struct job_span *span;
	double from, to;        /* the samples that it is of, s since 1970; NaN:
	                         * no wall clock */
	double seconds;         /* sampled */
	double node_seconds, beside_seconds;    /* as in struct job_sums */
	unsigned lprocs;
	double lproc_seconds, busy;     /* of these: all, and not halted */
	double value[JOB_QUANTITIES];   /* rates by the second; NaN: n/a */
	const char *note;       /* what has to be known of them; "" */
};

/* A sum over pieces; of a mean, weighted. */
struct job_sum {
	double sum, weight;
	unsigned have;          /* pieces that it is of */
};

struct job_range {
	double from, to;        /* s since 1970 */
};

struct job_on {
	uint32_t host;          /* of job_list.host */
	unsigned lprocs;
	bool begun, ended;      /* ended: in the latest of its dumps */
	char lproc_list[JOB_WORD];
	double begin;           /* s since 1970; NaN: not known */
	double expected, until; /* s that its marks cover; up to when */
	struct job_range *sampled;      /* [nsampled] what dumps have of it */
	unsigned nsampled;
	double latest;          /* up to when */
};

struct job {
	char *id, *user, *note;
	struct job_on *on;      /* [non] its nodes */
	unsigned non, pieces, again;    /* again: times it was begun anew */
	double begin, end;      /* s since 1970; NaN: not known */
	double seconds, node_seconds, beside_seconds;   /* of all nodes */
	struct job_sum of[JOB_QUANTITIES];
};

struct job_list {
	struct job *job;        /* [n] in the order of the dumps */
	char **host;
	unsigned n, room, nhost;
	struct lookup by_id, by_host;
};

/* job_list_host - the number of a node; -ENOMEM. */
int job_list_host(struct job_list *, const char *host);
/* job_list_on - a job on a node, if a dump so far had it there; NULL. */
struct job_on *job_list_on(const struct job_list *, const char *id,
    uint32_t host);
/*
 * job_list_add - a piece more.  0; -ENOMEM; -EEXIST: a dump of the same node
 * and time was there before, and this one is left out.
 */
int job_list_add(struct job_list *, uint32_t host, const struct job_piece *);
void job_list_fini(struct job_list *);

/* job_mean, job_rate, job_amount - of a job; NaN: n/a.  A rate is of all its
 * nodes together.  job_seconds - sampled, of its nodes on average. */
double job_mean(const struct job *, enum job_quantity);
double job_rate(const struct job *, enum job_quantity);
double job_amount(const struct job *, enum job_quantity);
double job_seconds(const struct job *);

/* job_rows_view - a row a job.  What is put is a struct job_list. */
const struct view *job_rows_view(void);

/*
 * job_comments - a line a job for a shell: sacctmgr(1), which keeps its figures
 * with the job as AdminComment.  Those that no sample is of are left out, and
 * those whose id Slurm cannot have; how many these are.
 */
unsigned job_comments(FILE *, const struct job_list *);

#endif
