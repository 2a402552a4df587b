/*
 * postproc/out/head_pairs.h - the head of a dump as pairs of key and value, for formats
 * that keep such metadata.
 */
#ifndef POSTPROC_OUT_HEAD_PAIRS_H
#define POSTPROC_OUT_HEAD_PAIRS_H

#include "config/dump/read.h"

/*
 * head_pairs - calls put for each constant of the head.  Neighbouring elements of an
 * array that have the same value become one pair, as lproc_package[0-23].  One more pair,
 * "tally.units", has a line FAMILY=UNIT for each family of columns.
 */
void head_pairs(const struct reader *, void (*put)(void *, const char *key,
    const char *value), void *);

#endif
