/*
 * postproc/metrics/doubted.c - which columns a metric is of, in a window: where one is in
 * doubt, so is it.
 */
#include "postproc/metrics/bind.h"

/* Of the columns of an input in a window: marks each, or looks for one that is. */
static bool
doubted_look(const struct binding *b, const struct input *in,
    const struct window *w, const bool *marked, bool *mark)
{
	const struct domain *d = &b->domain[in->domain];

	for (uint32_t u = 0; u < d->nunit; u++) {
		if (in->first[u] == in->first[u + 1] ||
		    !window_has_unit(b->topo, w, d, u))
			continue;
		for (uint32_t i = in->first[u]; i < in->first[u + 1]; i++) {
			if (marked != NULL && marked[in->column[i]])
				return true;
			if (mark != NULL)
				mark[in->column[i]] = true;
		}
	}
	return false;
}

static bool
each_input(const struct binding *b, unsigned m, const struct window *w,
    const bool *marked, bool *mark)
{
	const struct bound *x = &b->bound[m];

	for (uint32_t i = x->op; i < x->op + x->nop; i++) {
		const struct input *in = &b->input[b->op[i].arg];

		if (b->op[i].code == EXPR_REF && in->kind == INPUT_COLUMNS &&
		    !in->is_time && doubted_look(b, in, w, marked, mark))
			return true;
	}
	return false;
}

void
binding_doubt(const struct binding *b, unsigned m, const struct window *w,
    bool *column)
{
	each_input(b, m, w, NULL, column);
}

bool
binding_doubtful(const struct binding *b, unsigned m, const struct window *w,
    const bool *column)
{
	return each_input(b, m, w, column, NULL);
}
