/*
 * config/lang/doubts.c - events that count nothing, or something else, with the
 * filters that they have.
 */
#include "config/lang/doubts.h"

#include <stddef.h>

/* Does `by` set filter f of a box and set that w is counted in? */
static bool
gives(const struct want *by, const struct want *w, unsigned f)
{
	return (by->kind == WANT_EVENT || by->kind == WANT_FILTER) &&
	    by->type == w->type && (by->filters >> f & 1) != 0 &&
	    (by->set == w->set || by->set == 0 || w->set == 0) &&
	    (by->pkg == ALL_PKG || w->pkg == ALL_PKG || by->pkg == w->pkg) &&
	    by->first <= w->last && w->first <= by->last;
}

/* The value of filter f while w counts; false: no statement sets it. */
static bool
filter_of(const struct config *cfg, const struct want *w, unsigned f,
    uint64_t *value)
{
	*value = w->type->filter[f].idle;
	for (unsigned i = 0; i < cfg->nwant; i++)
		if (gives(&cfg->want[i], w, f)) {
			*value = cfg->want[i].filter[f];
			return true;
		}
	return false;
}

bool
config_doubt(const struct config *cfg, unsigned i, struct diag *why)
{
	const struct want *w = &cfg->want[i];
	const struct need *n = NULL;
	uint64_t value;

	if (w->kind != WANT_EVENT)
		return false;
	while ((n = box_need(w->type, w->ctl, n)) != NULL)
		if (n->bits == 0 || (filter_of(cfg, w, n->filter, &value),
		    (value & n->bits) == 0)) {
			diag_at(why, w->file, w->line, "%s %s", w->name,
			    n->why);
			return true;
		}
	/* a register that only this event uses: unset, it keeps the value that
	 * another program left in it */
	for (unsigned f = 0; f < MAX_FILTERS; f++) {
		const struct box_filter *of = &w->type->filter[f];

		if (of->name != NULL && of->event != 0 &&
		    box_filter_for(of, w->ctl) &&
		    !filter_of(cfg, w, f, &value)) {
			diag_at(why, w->file, w->line, "%s counts by what %s "
			    "happens to hold; give %s=0x..", w->name, of->name,
			    of->name);
			return true;
		}
	}
	return false;
}
