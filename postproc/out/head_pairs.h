/*
 * postproc/out/head_pairs.h - a dump's head as pairs of texts, for files that have
 * room for such.
 */
#ifndef POSTPROC_OUT_HEAD_PAIRS_H
#define POSTPROC_OUT_HEAD_PAIRS_H

#include "config/dump/read.h"

/*
 * head_pairs - the head, constant by constant; those of an array that follow one
 * another with one value are one: lproc_package of 0 to 23 is NAME[0-23].  And
 * "tally.units", a line FAMILY=UNIT of each family of the columns.
 */
void head_pairs(const struct reader *, void (*put)(void *, const char *key,
    const char *value), void *);

#endif
