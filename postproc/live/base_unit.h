/*
 * postproc/live/base_unit.h - units of metrics in those that monitoring systems
 * agree on: bytes, joules, seconds, hertz, ratios of 1.
 */
#ifndef POSTPROC_LIVE_BASE_UNIT_H
#define POSTPROC_LIVE_BASE_UNIT_H

struct base_unit {
	const char *unit;       /* of the metric: "GB/s" */
	double times;           /* what one of it is in the base unit */
	const char *rate;       /* "bytes_per_second", "ratio"; "": a number */
	const char *total;      /* what a rate adds up to over time, "bytes"; "":
	                         * a number of events; NULL: nothing does */
};

/* base_unit - of a metric's unit; one that is not known is a number. */
const struct base_unit *base_unit(const char *unit);

#endif
