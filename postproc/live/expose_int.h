/*
 * postproc/live/expose_int.h - between expose.c and expose_counters.c.
 */
#ifndef POSTPROC_LIVE_EXPOSE_INT_H
#define POSTPROC_LIVE_EXPOSE_INT_H

#include "postproc/live/expose.h"

/* One pass over all series. */
struct pass {
	struct exposed *x;
	const struct exposer *out;
	unsigned n;             /* series so far */
};

/* expose_value, expose_turns - with what the stores before had of a total. */
void expose_value(struct pass *, const struct exposed_group *,
    const struct exposed_labels *, double);
void expose_turns(struct pass *, const struct exposed_group *,
    const struct exposed_labels *, const struct exposed_turns *);
__attribute__((format(printf, 3, 4))) void
expose_label(struct exposed_labels *, const char *key, const char *fmt, ...);
/* expose_name - tallyd_SCOPE_NAME_UNIT, of letters, digits and _ alone; scope
 * NULL: of none. */
void expose_name(struct exposed_group *, const char *scope, const char *name,
    const char *unit);

/* expose_counters - all of them. */
void expose_counters(struct pass *);

#endif
