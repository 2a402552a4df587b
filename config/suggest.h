/*
 * config/suggest.h - the name that was probably meant.
 */
#ifndef CONFIG_SUGGEST_H
#define CONFIG_SUGGEST_H

struct near {
	const char *wanted;
	const char *name;               /* the best so far; NULL: none is near */
	unsigned distance;
};

/* near_init - look for names like `wanted`; both outlive the search. */
void near_init(struct near *, const char *wanted);
/* near_try - is this one nearer?  Case is ignored. */
void near_try(struct near *, const char *candidate);

#endif
