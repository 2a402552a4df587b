/*
 * postproc/data/patterns.c - names of metrics, as -m has them.
 */
#include "postproc/data/patterns.h"

#include <errno.h>
#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

int
patterns_add(struct patterns *p, char *list, struct diag *why)
{
	unsigned had = p->n;
	char *rest;

	for (char *s = strtok_r(list, ",", &rest); s != NULL;
	    s = strtok_r(NULL, ",", &rest)) {
		if (p->n == MAX_PATTERNS)
			return diag_set(why, -EINVAL, "--metric: at most %d "
			    "names", MAX_PATTERNS);
		p->pattern[p->n++] = s;
	}
	return p->n > had ? 0 : diag_set(why, -EINVAL, "--metric: expected a "
	    "name, or several with commas");
}

bool
pattern_match(const char *pattern, const char *name)
{
	return fnmatch(pattern, name, 0) == 0;
}

bool
patterns_match(const struct patterns *p, const char *name)
{
	bool hit = p->n == 0;

	for (unsigned i = 0; !hit && i < p->n; i++)
		hit = pattern_match(p->pattern[i], name);
	return hit;
}
