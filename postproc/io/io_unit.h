/*
 * postproc/io/io_unit.h - an I/O unit, a stack with its IRP: what its share is of
 * figures that are its package's alone, and what its counters counted, as it is.
 */
#ifndef POSTPROC_IO_IO_UNIT_H
#define POSTPROC_IO_IO_UNIT_H

#include "postproc/io/io_page.h"

/* A figure of the L3.  The CHAs, which count misses, do not tell units apart. */
struct io_l3 {
	struct figure figure;   /* of the package; NaN too where the unit has no
	                         * such requests, or nobody knows */
	double share;           /* of the package's inbound reads (writes) that
	                         * are this unit's, 0 to 1 */
	double lo, hi;          /* %, between which its own figure then is */
};

/* io_l3_metric - is it a metric of the L3, io_l3_...?  io_unit_l3 - one, beside
 * a unit. */
bool io_l3_metric(const char *metric);
struct io_l3 io_unit_l3(struct io_page *, const char *metric, int pkg,
    int stack);

/* io_unit_event - is this an event that units count, and in which of their
 * boxes ("iio", "irp", "m2pcie")?  NULL: no.  *event: its name. */
const char *io_unit_event(const struct series *, const char **event);

/* io_unit_count - what a unit counted, scaled to all of the time where ran, the
 * part of it that it was counted, is below 1: as a figure has these, and its
 * standard error.  value NaN: unknown, or no such unit. */
struct figure io_unit_count(const struct io_page *, const struct series *,
    int pkg, int stack);

#endif
