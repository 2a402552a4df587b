/*
 * postproc/io/io_unit.h - an I/O unit, which is a stack with its IRP: its share of
 * figures that are only known of its package, and the raw counts of its counters.
 */
#ifndef POSTPROC_IO_IO_UNIT_H
#define POSTPROC_IO_IO_UNIT_H

#include "postproc/io/io_page.h"

/* What is known of a unit's hits and misses in the L3.  The CHAs, which count them, do
 * not tell units apart. */
struct io_l3 {
	struct figure figure;   /* of the package; NaN also where the unit has no
	                         * such requests, or that is not known */
	double share;           /* this unit's part of the package's inbound reads
	                         * (or writes), 0 to 1 */
	double lo, hi;          /* %: the unit's own figure is between these */
};

/* io_l3_metric - is it a metric of the L3 (io_l3_...)?  io_unit_l3 - its value for a
 * unit. */
bool io_l3_metric(const char *metric);
struct io_l3 io_unit_l3(struct io_page *, const char *metric, int pkg,
    int stack);

/* io_unit_event - the box of a unit that counts the event of a series: "iio", "irp" or
 * "m2pcie"; *event becomes the event's name.  NULL: units do not count it. */
const char *io_unit_event(const struct series *, const char **event);

/* io_unit_count - the count of a unit, with its standard error, scaled to all of the
 * time where it was counted for a part (figure.ran below 1).  NaN: it is not known, or
 * there is no such unit. */
struct figure io_unit_count(const struct io_page *, const struct series *,
    int pkg, int stack);

#endif
