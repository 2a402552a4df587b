/*
 * postproc/pages/metric_rows.h - metrics of one dump, as rows: averages, a time series,
 * or what there is.
 */
#ifndef POSTPROC_PAGES_METRIC_ROWS_H
#define POSTPROC_PAGES_METRIC_ROWS_H

#include "postproc/gather/gather.h"
#include "postproc/data/marks.h"
#include "postproc/out/table.h"

struct metric_rows {
	unsigned scopes;        /* a bit each */
	bool series, list;      /* over time; what there is, without values */
	bool dated;             /* a series with the time of day, and jobs */
	double every;           /* s a row of a series covers; 0: an interval,
	                         * of event sets a whole round of them */
	struct gather *gather;
	const unsigned *bound;  /* the metrics: of its binding */
	unsigned n;
	struct diag *why;       /* out: "": memory ran out */
	uint64_t put;           /* out: rows, */
	struct jobs_then jobs;
	double rest;            /* seconds at the end that are in none of some
	                         * metrics: no whole round of event sets */
	struct batch_steps *steps;      /* of each row of estimates: */
	unsigned nstep, step_room, step, ncol;
};

/* metric_rows_fini - after the last rows; zeros are accepted. */
void metric_rows_fini(struct metric_rows *);

/* metric_rows_view, metric_rows_missing - of those that have their inputs; the
 * inputs that others lack.  What either is given is a struct metric_rows. */
const struct view *metric_rows_view(bool series, bool list,
    bool dated);
const struct view *metric_rows_missing(void);

/* metric_rows_lack - does any lack inputs? */
bool metric_rows_lack(const struct metric_rows *);

#endif
