/*
 * postproc/data/patterns.h - names of metrics, as -m has them: "a,b*", and again.
 */
#ifndef POSTPROC_DATA_PATTERNS_H
#define POSTPROC_DATA_PATTERNS_H

#include <stdbool.h>

#include "regs/diag.h"

#define MAX_PATTERNS 64

struct patterns {
	const char *pattern[MAX_PATTERNS];
	unsigned n;             /* 0: any name will do */
};

/* patterns_add - each of a list with commas, which is cut into its parts; 0, or
 * -EINVAL where it has none, or there is no room for them. */
int patterns_add(struct patterns *, char *list, struct diag *why);
/* pattern_match - has it that name?  patterns_match - is it one of them?  * and ? stand for any text. */
bool pattern_match(const char *pattern, const char *name);
bool patterns_match(const struct patterns *, const char *name);

#endif
