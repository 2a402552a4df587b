/*
 * postproc/pages/metric_rows.h - metrics of one dump, as rows of a table: averages, time
 * series, or a list of the metrics.
 */
#ifndef POSTPROC_PAGES_METRIC_ROWS_H
#define POSTPROC_PAGES_METRIC_ROWS_H

#include "postproc/metrics/gather.h"
#include "postproc/data/marks.h"
#include "postproc/out/table.h"

struct metric_rows {
	unsigned scopes;        /* 1 << enum scope, of those that are wanted */
	bool series, list;      /* values over time; the metrics without values */
	bool dated;             /* of a series: with the time of day, and jobs */
	double every;           /* seconds per row of a series; 0: one interval, or
	                         * a whole round of event sets */
	struct gather *gather;
	const unsigned *bound;  /* [n] numbers of the metrics in its binding */
	unsigned n;
	struct diag *why;       /* out: words of an error; "": -ENOMEM */
	uint64_t put;           /* out: how many rows there were */
	struct jobs_then jobs;
	double rest;            /* out: seconds at the end that some metrics lack,
	                         * as they are no whole round of event sets */
	/* the steps from value to value of each row of estimates, which tell its
	 * error; the next one to be used; columns at that time */
	struct batch_steps *steps;
	unsigned nstep, step_room, step, ncol;
};

/* metric_rows_fini - call it after the last rows; it accepts zeros. */
void metric_rows_fini(struct metric_rows *);

/* metric_rows_view - metrics that have all inputs.
 * metric_rows_missing - the inputs that other metrics lack.
 * The argument of both views is a struct metric_rows. */
const struct view *metric_rows_view(bool series, bool list,
    bool dated);
const struct view *metric_rows_missing(void);

/* metric_rows_lack - does any of the metrics lack inputs? */
bool metric_rows_lack(const struct metric_rows *);

#endif
