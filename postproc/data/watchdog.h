/*
 * postproc/data/watchdog.h - deltas that are not good and values that are not
 * there, as findings.
 */
#ifndef POSTPROC_DATA_WATCHDOG_H
#define POSTPROC_DATA_WATCHDOG_H

#include "postproc/data/findings.h"
#include "postproc/data/intervals.h"

/*
 * Deltas that are not good, and values that are not there: one finding for
 * what befell the units of one family and event together, however many
 * intervals it lasts.
 */
struct watchdog {
	struct findings *findings;
	const struct reader *reader;
	const struct limits *limits;
	const struct tampers *tampers;
	const struct doubts *doubts;
	struct open_case *open; /* by column kind and delta kind */
	unsigned nopen;
};

/* watchdog_interval - take note of an interval; -ENOMEM. */
int watchdog_interval(struct watchdog *, const struct interval *);
void watchdog_fini(struct watchdog *);

#endif
