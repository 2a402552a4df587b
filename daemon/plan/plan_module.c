/*
 * daemon/plan/plan_module.c - registers that the cores of a module share.
 *
 * On Silvermont the two cores that share an L2 share OFFCORE_RSP_0 and _1 too
 * (SDM): what one asks for, the other gets.
 */
#include "daemon/plan/plan_int.h"

#include <inttypes.h>

/* Does a statement narrow filter f of an lproc? */
static bool
asks(const struct plan_build *b, const struct want *w, unsigned lproc,
    unsigned f)
{
	struct target t = { .type = b->topo->model->core, .inst = lproc,
	    .pkg = b->topo->lproc[lproc].pkg };

	return (w->kind == WANT_EVENT || w->kind == WANT_FILTER) &&
	    (w->filters >> f & 1) && want_matches(w, &t);
}

static int
compare(const struct plan_build *b, unsigned f, const struct want *w,
    unsigned lproc, const struct want *v, unsigned other)
{
	const char *name = b->topo->model->core->filter[f].name;

	if (!asks(b, w, lproc, f) || !asks(b, v, other, f) ||
	    w->filter[f] == v->filter[f] ||
	    (w->set != v->set && w->set != 0 && v->set != 0))
		return 0;
	return diag_at(b->why, v->file, v->line, "%s is one register for lprocs "
	    "%u and %u, cores of one module: 0x%" PRIx64 " here, 0x%" PRIx64
	    " in line %u", name, lproc, other, v->filter[f], w->filter[f],
	    w->line);
}

/* Two statements, wherever they meet in a module. */
static int
pair(const struct plan_build *b, unsigned f, const struct want *w,
    const struct want *v)
{
	const struct topo *topo = b->topo;
	int rc;

	for (unsigned l = 0; l < topo->nlproc; l++)
		for (unsigned k = 0; k < topo->nlproc; k++)
			if (l != k && topo->lproc[l].module >= 0 &&
			    topo->lproc[l].module == topo->lproc[k].module &&
			    (rc = compare(b, f, w, l, v, k)) < 0)
				return rc;
	return 0;
}

int
plan_modules(struct plan_build *b)
{
	const struct model *m = b->topo->model;
	const struct config *cfg = b->config;
	int rc;

	if (!m->module_filters)
		return 0;
	for (unsigned f = 0; f < MAX_FILTERS; f++)
		for (unsigned i = 0; m->core->filter[f].event != 0 &&
		    i < cfg->nwant; i++)
			for (unsigned k = 0; k < i; k++)
				if ((rc = pair(b, f, &cfg->want[k],
				    &cfg->want[i])) < 0)
					return rc;
	return 0;
}
