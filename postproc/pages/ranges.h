/*
 * postproc/pages/ranges.h - metrics whose value cannot be.
 */
#ifndef POSTPROC_PAGES_RANGES_H
#define POSTPROC_PAGES_RANGES_H

#include "postproc/data/findings.h"
#include "postproc/data/select.h"
#include "postproc/pages/pairs.h"

/*
 * check_ranges - one finding for each metric of a dump that is outside its range
 * as a package's or the node's: something is wrong with its inputs; and one for
 * each pair of figures that differ.  path: a file, which is read again; "-" has
 * no second time, and says nothing.
 *
 * pairs  in: skew_s; out: what came of them, to be freed with pairs_fini
 */
void check_ranges(struct findings *, const char *path, const struct select *,
    struct pairs *pairs);

#endif
