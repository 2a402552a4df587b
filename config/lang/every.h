/*
 * config/lang/every.h - the end of a statement that is not read in every
 * sample: "every" SAMPLES.
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

/* every_end - the same, and the statement has to end there. */
int every_end(struct scan *, unsigned *every, struct diag *why);

/* every_ahead - look ahead for "every" SAMPLES at the end of a statement,
 * without moving the scan.  As every_value, but returns 1 if there is none. */
int every_ahead(const struct scan *, unsigned *every, struct diag *why);

#endif
