/*
 * postproc/many/job_list.h - jobs of many dumps: nodes, segments and restarts put
 * together by the job's id.
 */
#ifndef POSTPROC_MANY_JOB_LIST_H
#define POSTPROC_MANY_JOB_LIST_H

#include "lib/lookup.h"
#include "postproc/data/layout.h"
#include "postproc/data/marks.h"
#include "postproc/metrics/gather.h"
#include "postproc/metrics/node_view.h"
#include "postproc/out/table.h"

#define JOB_FIGURES 32          /* figures in the view, at most */

/* The part of a job that one dump has of one node. */
struct job_piece {
	const struct job_span *span;
	double from, to;        /* first and last sample, s since 1970; NaN:
				 * no wall clock */
	double seconds;         /* sampled */
	double node_seconds, beside_seconds;    /* as in struct job_sums */
	unsigned lprocs;
	/*
	 * by figure: the value (rates are per second) and its weight in a mean;
	 * NaN: n/a
	 */
	double value[JOB_FIGURES], weight[JOB_FIGURES];
	double error[JOB_FIGURES];      /* the value's standard error; 0: it
					 * has none; NaN: not known */
	const char *note;       /* caveats of the values; "" */
};

/* A sum over pieces, weighted if it becomes a mean. */
struct job_sum {
	double sum, weight;
	double square;          /* of its standard error; NaN: not known */
	unsigned have;          /* number of pieces with a value */
};

struct job_range {
	double from, to;        /* s since 1970 */
};

struct job_on {
	uint32_t host;          /* of job_list.host */
	unsigned lprocs;
	bool begun, ended;      /* there are such marks; ended: in its latest dump */
	char lproc_list[JOB_WORD];
	double begin;           /* s since 1970; NaN: not known */
	double expected;        /* seconds that its marks cover */
	double until;           /* the time up to which they do, s since 1970 */
	struct job_range *sampled;      /* [nsampled] the ranges that dumps
					 * cover */
	unsigned nsampled;
	double latest;          /* end of the latest dump, s since 1970 */
};

struct job {
	char *id, *user, *note;
	struct job_on *on;      /* [non] its nodes */
	unsigned non, pieces;
	unsigned again;         /* how often it was requeued or restarted */
	double begin, end;      /* s since 1970; NaN: not known */
	double seconds, node_seconds, beside_seconds;   /* of all nodes */
	struct job_sum of[JOB_FIGURES];
};

struct job_list {
	struct job *job;        /* [n] in the order of the dumps */
	char **host;
	unsigned n, room, nhost;
	struct lookup by_id, by_host;
	struct node_view view;
	const struct view_line *figure[JOB_FIGURES];    /* [nfigure] lines of
							 * the view */
	unsigned nfigure;
};

/*
 * job_list_init - makes an empty list with the figures of the view @jobs.
 * Returns 0 or -errno with words in why; job_list_fini accepts either.
 */
int job_list_init(struct job_list *, struct diag *why);
/*
 * job_figure_again - does an earlier figure have the same metric as figure f?
 */
bool job_figure_again(const struct job_list *, unsigned f);
/* job_list_host - the number of a node, added if it is new; or -ENOMEM. */
int job_list_host(struct job_list *, const char *host);
/*
 * job_list_on - the job's entry for a node; NULL if no dump so far has the job
 * on that node.
 */
struct job_on *job_list_on(const struct job_list *, const char *id,
    uint32_t host);
/*
 * job_list_add - adds a piece. Returns 0, -ENOMEM, or -EEXIST: an earlier dump
 * has the same node and time, and the piece is left out.
 */
int job_list_add(struct job_list *, uint32_t host, const struct job_piece *);
void job_list_fini(struct job_list *);

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

/*
 * job_value - figure f of a job, its pieces combined as the view says; NaN:
 * n/a.
 */
double job_value(const struct job_list *, const struct job *, unsigned f);
/* job_error - the standard error of job_value, where events took turns; 0: it has none; NaN:
 * not known. */
double job_error(const struct job_list *, const struct job *, unsigned f);
/* job_seconds - for how long a job was sampled, as the mean of its nodes. */
double job_seconds(const struct job *);

/* job_put - a table with a row for each job. */
void job_put(struct out *, const struct job_list *);

/*
 * job_comments - writes a line for a shell for each job: sacctmgr(1), which keeps
 * the figures with the job as AdminComment.  Leaves out jobs without a sample, and
 * those whose id cannot be one of Slurm; returns how many of the latter there are.
 */
unsigned job_comments(FILE *, const struct job_list *);

/* ---- what was counted while a job ran, and how much of it is the job's -------
 *
 * An interval that a job begins or ends in counts by the part of its time that the job
 * has of it: rates within one interval are taken as even, so that a sum is right to
 * within one sample at either end.
 */

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

struct job_sums {
	unsigned room, ncol;    /* by column: */
	double *value;          /* counts that are the job's */
	double *known_s;        /* s for which these are known */
	double *run_s;          /* s of known_s in which the events had
				 * counters */
	double *own_s;          /* run_s by the stamps of the column's block */
	uint32_t *left_out;     /* deltas left out */
	double *share, *stretch;        /* the arrays of struct sums */
	struct batches batches;         /* only the error that turns make is used
					 * of it */
	struct together together;       /* which event sets ran at the same
					 * time */
	double seconds, node_seconds, beside_seconds;
	uint64_t intervals;
};

/*
 * job_share - sets node and beside of the n jobs of one interval.  At each moment every job
 * that runs has a part of the node's counts in proportion to its lprocs; a job that runs
 * alone has all.  order: room for 2 * n.
 */
void job_share(struct job_part *, unsigned n, uint32_t *order);

/*
 * job_sums_add - adds the present interval of a gather; now comes from
 * gather_interval. Returns 0 or -ENOMEM. A zeroed struct is empty.
 */
int job_sums_add(struct job_sums *, const struct gather *,
    const struct sums *now, const struct job_part *);
/* job_sums_get - the sums so far; valid until the next job_sums_add.  now: as for
 * job_sums_add. */
struct sums job_sums_get(struct job_sums *, const struct sums *now);
void job_sums_fini(struct job_sums *);

#endif
