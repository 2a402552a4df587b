/*
 * postproc/pages/ranges.h - metrics whose value cannot be.
 */
#ifndef POSTPROC_PAGES_RANGES_H
#define POSTPROC_PAGES_RANGES_H

#include "postproc/data/findings.h"
#include "postproc/data/select.h"

/*
 * check_ranges - one finding for each metric of a dump that is outside its range
 * as a package's or the node's: something is wrong with its inputs.  path: a file, which is
 * read again; "-" has no second time, and says nothing.
 */
void check_ranges(struct findings *, const char *path, const struct select *);

#endif
