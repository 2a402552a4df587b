/*
 * postproc/gather/narrow.h - leave the columns of a dump alone that nobody asked for.
 */
#ifndef POSTPROC_GATHER_NARROW_H
#define POSTPROC_GATHER_NARROW_H

#include "postproc/gather/gather.h"

#define NARROW_BYTES (8u << 20) /* fewer cost less than a second look at the file */

/*
 * gather_narrow - after all metrics are bound and before the first gather_next: take
 * in only the columns that the bound metrics have, and those that these are judged
 * by: all of the same lprocs or type of boxes, clocks and stamps.  What is bound
 * keeps its numbers; its figures, their notes and errors are what they would be.
 *
 * Nothing is done where that cannot be said for sure (event sets that take turns,
 * columns that are read every so many samples or that come later), where the file
 * cannot be read twice, or where what is left alone has fewer than `least` bytes.
 * Returns 0 or -errno.
 */
int gather_narrow(struct gather *, const struct gather_ask *, uint64_t least,
    struct diag *why);

#endif
