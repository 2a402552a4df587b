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

/* compiled_take - an interval, or any other stretch: the only one, lane 0.  0 or
 * -ENOMEM. */
int compiled_take(struct compiled *, const struct sums *);

/*
 * As many as EXPR_LANES intervals at once, for a fraction of what each by itself
 * costs:
 * compiled_keep - a copy of one more.  *kept false: it has no delta of a column
 * that is asked for, or that took turns, and has to be taken by itself.  0 or
 * -ENOMEM.
 * compiled_kept - how many are kept; compiled_sums - what was kept of one.
 * compiled_run - evaluates them: number i in lane i; compiled_drop forgets them.
 */
int compiled_keep(struct compiled *, const struct sums *, bool *kept);
unsigned compiled_kept(const struct compiled *);
const struct sums *compiled_sums(const struct compiled *, unsigned i);
void compiled_run(struct compiled *);
void compiled_drop(struct compiled *);

/*
 * compiled_value - the value in a lane: 0, of compiled_take.  It is the one that
 * binding_eval settles (metric_settled), NaN with its reason among them, where that
 * is of all units and lacks no delta.  False: it may lack some: binding_eval knows.
 * compiled_apart - after compiled_take: is it of events that were not counted at one
 * time?  Where it is outside its range, binding_eval says whether that is why.
 */
bool compiled_value(const struct compiled *, unsigned n, unsigned lane,
    double *value);
bool compiled_apart(const struct compiled *, unsigned n);

/* compiled_values - of all at once, EXPR_LANES of each, and what stands before
 * them; NULL: some may lack something, or events took turns, and compiled_value
 * knows which.
 * compiled_at - where the n-th is among them; COMPILED_NEVER: it is never known. */
enum { COMPILED_ONE, COMPILED_SECONDS, COMPILED_FIRST };
#define COMPILED_NEVER UINT32_MAX
const double *compiled_values(const struct compiled *);
uint32_t compiled_at(const struct compiled *, unsigned n);

#endif
