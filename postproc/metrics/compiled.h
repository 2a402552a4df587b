/*
 * postproc/metrics/compiled.h - formulas in windows of the node, compiled for a
 * dump whose every interval is looked at: binding_eval finds out each time which
 * columns are in a window.
 *
 * A sum of columns that several of them want is added up once an interval; folds
 * are unrolled.  What is not there has to be explained, and that binding_eval
 * does: a formula that lacks a unit or a delta has no value here.
 */
#ifndef POSTPROC_METRICS_COMPILED_H
#define POSTPROC_METRICS_COMPILED_H

#include "postproc/metrics/bind.h"

struct compiled;

/* compiled_new - none so far; NULL: no memory.  The binding must last, and stay
 * as it is.  compiled_free accepts NULL. */
struct compiled *compiled_new(const struct binding *);
void compiled_free(struct compiled *);

/* compiled_add - bound m in a window; *out is its number.  compiled_finish -
 * after the last, once.  0 or -ENOMEM. */
int compiled_add(struct compiled *, unsigned m, const struct window *,
    unsigned *out);
int compiled_finish(struct compiled *);

/* compiled_take - an interval, or any other stretch. */
void compiled_take(struct compiled *, const struct sums *);

/*
 * compiled_value - the value over that interval: the one that binding_eval settles
 * (metric_settled), NaN with its reason among them, where that is of all units and lacks no delta.
 * False: it may lack some, or its events took turns: binding_eval knows.
 */
bool compiled_value(const struct compiled *, unsigned n, double *value);

/* compiled_values - of all at once, and what stands before them; NULL: some may
 * lack something, and compiled_value knows which.  compiled_at - where among them
 * is the n-th; COMPILED_NEVER: it is never known. */
enum { COMPILED_ONE, COMPILED_SECONDS, COMPILED_FIRST };
#define COMPILED_NEVER UINT32_MAX
const double *compiled_values(const struct compiled *);
uint32_t compiled_at(const struct compiled *, unsigned n);

#endif
