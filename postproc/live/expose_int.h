/*
 * postproc/live/expose_int.h - what expose.c, expose_counters.c and exposer.c share.
 */
#ifndef POSTPROC_LIVE_EXPOSE_INT_H
#define POSTPROC_LIVE_EXPOSE_INT_H

#include "postproc/live/expose.h"

/* One pass over all series. */
struct pass {
	struct exposed *x;
	const struct exposer *out;
	unsigned n;             /* series given so far */
};

/* expose_group, expose_value, expose_turns - give a group or a series to the exporter;
 * what earlier stores had of a total is added. */
void expose_group(struct pass *, const struct exposed_group *);
void expose_value(struct pass *, const struct exposed_group *,
    const struct exposed_labels *, double);
void expose_turns(struct pass *, const struct exposed_group *,
    const struct exposed_labels *, const struct exposed_turns *);

/* expose_label - adds a label, with its value as printf has it.
 * expose_name - sets the name to tallyd_SCOPE_NAME_UNIT, with _ for all but letters and
 * digits; scope NULL: without it. */
__attribute__((format(printf, 3, 4))) void
expose_label(struct exposed_labels *, const char *key, const char *fmt, ...);
void expose_name(struct exposed_group *, const char *scope, const char *name,
    const char *unit);

/* expose_counters - gives all raw and scaled counts. */
void expose_counters(struct pass *);

#endif
