/*
 * postproc/formula/compiled.h - formulas, each in a window of the node, compiled for
 * evaluation in every interval of a dump.  binding_eval, by contrast, finds out each time
 * which columns are in a window.
 *
 * A sum of columns that several formulas need is computed once per interval; folds are
 * unrolled.  A formula that lacks a unit or a delta has no value here: binding_eval finds
 * out why.
 */
#ifndef POSTPROC_FORMULA_COMPILED_H
#define POSTPROC_FORMULA_COMPILED_H

#include "postproc/data/crew.h"
#include "postproc/formula/bind.h"

struct compiled;

/* compiled_new - begin without formulas; NULL: no memory.  The binding has to last, and
 * must not change.  compiled_free accepts NULL. */
struct compiled *compiled_new(const struct binding *);
void compiled_free(struct compiled *);

/* compiled_add - add bound m in a window; *out is its number.
 * compiled_finish - call it once, after the last.  Both return 0 or -ENOMEM. */
int compiled_add(struct compiled *, unsigned m, const struct window *,
    unsigned *out);
int compiled_finish(struct compiled *);

/* compiled_take - evaluate all formulas over an interval, or over any other stretch;
 * values are in lane 0.  0 or -ENOMEM. */
int compiled_take(struct compiled *, const struct sums *);

/*
 * The same for up to EXPR_LANES intervals at once, at a fraction of the cost:
 * compiled_keep - copy an interval.  *kept is false where it cannot be evaluated with
 * others, as a column that is needed has no delta, or took turns: give it to
 * compiled_take.  0 or -ENOMEM.
 * compiled_kept - how many are kept.  compiled_sums - the copy of one.
 * compiled_run - evaluate them: interval i in lane i.  A crew (or NULL) shares the work.
 * compiled_drop - forget them.
 */
int compiled_keep(struct compiled *, const struct sums *, bool *kept);
unsigned compiled_kept(const struct compiled *);
const struct sums *compiled_sums(const struct compiled *, unsigned i);
void compiled_run(struct compiled *, struct crew *);
void compiled_drop(struct compiled *);

/*
 * compiled_value - the value of a formula in a lane; of compiled_take in lane 0.  It is
 * the one that binding_eval has before metric_settled, also where that is NaN with a
 * reason.  False: units or deltas may lack; ask binding_eval.
 * compiled_apart - after compiled_take: were its events counted at different times?  If
 * it is outside its range, too, ask binding_eval whether that is the reason.
 */
bool compiled_value(const struct compiled *, unsigned n, unsigned lane,
    double *value);
bool compiled_apart(const struct compiled *, unsigned n);

/* compiled_values - the values of all formulas, EXPR_LANES of each, behind a 1 and the
 * seconds.  NULL: some may lack something, or events took turns; ask compiled_value.
 * compiled_at - where formula n is among them; COMPILED_NEVER: it never has a value. */
enum { COMPILED_ONE, COMPILED_SECONDS, COMPILED_FIRST };
#define COMPILED_NEVER UINT32_MAX
const double *compiled_values(const struct compiled *);
uint32_t compiled_at(const struct compiled *, unsigned n);

#endif
