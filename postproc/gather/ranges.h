/*
 * postproc/gather/ranges.h - metrics whose value cannot be.
 */
#ifndef POSTPROC_GATHER_RANGES_H
#define POSTPROC_GATHER_RANGES_H

#include "postproc/data/findings.h"
#include "postproc/gather/gather.h"

/*
 * check_ranges - one finding for each metric that is outside its range as a
 * package's or the node's: something is wrong with its inputs.  Of a gather that
 * has read all; 0 or -ENOMEM.
 */
int check_ranges(struct findings *, struct gather *, const struct metrics *);

#endif
