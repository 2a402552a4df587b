/*
 * config/lang/every.h - what a statement ends with that is not read in each sample:
 * "every" SAMPLES.
 */
#ifndef CONFIG_LANG_EVERY_H
#define CONFIG_LANG_EVERY_H

#include "config/scan.h"

#define MAX_EVERY 1000000

/*
 * every_value - the number behind the word.
 *
 * every  out: samples from one reading to the next; 1: it is read in each
 *
 * Returns 0, or -EINVAL with "file:line: ..." in why.
 */
int every_value(struct scan *, unsigned *every, struct diag *why);

/* every_end - the same, which the statement ends with. */
int every_end(struct scan *, unsigned *every, struct diag *why);

/* every_ahead - the same of a statement whose other words are still to be read:
 * it stays where it is.  1 where it has no such end. */
int every_ahead(const struct scan *, unsigned *every, struct diag *why);

#endif
