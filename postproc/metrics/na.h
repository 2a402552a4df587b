/*
 * postproc/metrics/na.h - what is not available, and why: a NaN whose payload is
 * the reason, so that a formula hands it on with the value.
 */
#ifndef POSTPROC_METRICS_NA_H
#define POSTPROC_METRICS_NA_H

#include <stdint.h>

enum na {
	NA_UNTOLD,              /* any other NaN */
	NA_BY_ZERO,             /* a quotient */
	NA_NO_UNIT,             /* a fold over none, a thread that is not there */
	NA_NO_COLUMN,           /* of an input, of these units */
	NA_LEFT_OUT,            /* no delta of it is a count */
	NA_FOREIGN,             /* restarted, and nobody knows what it counts */
	NA_STOPPED,             /* stood still where it had to count */
	NA_NO_VALUE,            /* it was not read in this time */
	NA_IN_COMMON,           /* no unit has all of the inputs */
	NA_TIME, NA_TSC,        /* no interval, no clock */
	NA_PART,                /* counted for whole packages, of a part of one */
	NA_WALL, NA_MONOTONIC,  /* no wall clock; nobody measured the TSC */
	NA_APART,               /* its inputs are known of different times */
	NA_HEAD,                /* the head says nothing, or several things */
	NA_UNCOUNTED,           /* of energy that this node does not count */
	NA_BEYOND,              /* an estimate of what cannot be */
};

/* na - such a value; of which input, where there is one.
 * na_why - its reason; *input may be NULL. */
double na(enum na why, uint32_t input);
enum na na_why(double value, uint32_t *input);

#endif
