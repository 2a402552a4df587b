/*
 * postproc/charts/still.h - pictures of metrics over time as inline SVG, which need no
 * script.
 */
#ifndef POSTPROC_CHARTS_STILL_H
#define POSTPROC_CHARTS_STILL_H

#include <stdio.h>

#include "postproc/charts/phases.h"

/* stills_put - one of each main metric that there is, its packages (where it has
 * none, the node) as lines in bands from their least to their greatest value;
 * where a value is doubted or missing, a bar across. */
void stills_put(const struct timeline *, const struct phases *, FILE *);

#endif
