/*
 * postproc/jobs/job_list.h - jobs of many dumps: nodes, segments and restarts put
 * together by the job's id.
 */
#ifndef POSTPROC_JOBS_JOB_LIST_H
#define POSTPROC_JOBS_JOB_LIST_H

#include "lib/lookup.h"
#include "postproc/marks/jobs.h"
#include "postproc/metrics/node_view.h"
#include "postproc/out/table.h"

#define JOB_FIGURES 32          /* of the view, at most */

/* A job on one node, as far as one dump has it. */
struct job_piece {
	const struct job_span *span;
	double from, to;        /* the samples that it is of, s since 1970; NaN:
	                         * no wall clock */
	double seconds;         /* sampled */
	double node_seconds, beside_seconds;    /* as in struct job_sums */
	unsigned lprocs;
	/* by figure: rates by the second, and by what they are weighted; NaN:
	 * n/a */
	double value[JOB_FIGURES], weight[JOB_FIGURES];
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
	struct job_sum of[JOB_FIGURES];
};

struct job_list {
	struct job *job;        /* [n] in the order of the dumps */
	char **host;
	unsigned n, room, nhost;
	struct lookup by_id, by_host;
	struct node_view view;
	const struct view_line *figure[JOB_FIGURES];    /* [nfigure] of it */
	unsigned nfigure;
};

/* job_list_init - an empty list, of the figures of @jobs.  0 or -errno with why;
 * job_list_fini accepts either. */
int job_list_init(struct job_list *, struct diag *why);
/* job_figure_again - is the metric of figure f that of one before it, too? */
bool job_figure_again(const struct job_list *, unsigned f);
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

/* job_value - figure f of a job, as the view folds it; NaN: n/a. */
double job_value(const struct job_list *, const struct job *, unsigned f);
/* job_seconds - how long a job was sampled, the mean of its nodes. */
double job_seconds(const struct job *);

/* job_put - a table with a row for each job. */
void job_put(struct out *, const struct job_list *);

/*
 * job_comments - writes a line for a shell for each job: sacctmgr(1), which keeps
 * the figures with the job as AdminComment.  Leaves out jobs without a sample, and
 * those whose id cannot be one of Slurm; returns how many of the latter there are.
 */
unsigned job_comments(FILE *, const struct job_list *);

#endif
