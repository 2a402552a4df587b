/*
 * daemon/plan/plan_module.c - registers that the cores of a module share.
 *
 * On Silvermont the two cores that share an L2 share OFFCORE_RSP_0 and _1 too
 * (SDM): what one asks for, the other gets.
 */
#include "daemon/plan/plan_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* Who asked for a value first, by lproc and set. */
struct asked {
	const struct want **by;         /* [lproc * MAX_SETS + set] */
	unsigned f;                     /* the filter */
};

/* A statement that an lproc follows, and those of an lproc that shares the
 * register: a set is counted beside none but the events of no set. */
static int
compare(const struct plan_build *b, const struct asked *asked,
    const struct want *v, unsigned lproc, unsigned other)
{
	unsigned f = asked->f;

	for (unsigned set = 0; set < MAX_SETS; set++) {
		const struct want *w = asked->by[other * MAX_SETS + set];

		if (w == NULL || w->filter[f] == v->filter[f] ||
		    (w->set != v->set && w->set != 0 && v->set != 0))
			continue;
		return diag_at(b->why, v->file, v->line, "%s is one register "
		    "for lprocs %u and %u, cores of one module: 0x%" PRIx64
		    " here, 0x%" PRIx64 " in line %u",
		    b->topo->model->core->filter[f].name, other, lproc,
		    v->filter[f], w->filter[f], w->line);
	}
	return 0;
}

/* A statement, wherever it meets earlier ones in a module. */
static int
meet(const struct plan_build *b, struct asked *asked, const struct want *v)
{
	const struct topo *topo = b->topo;
	const struct want **own;
	int rc;

	for (unsigned l = 0; l < topo->nlproc; l++) {
		if (topo->lproc[l].module < 0 || !asks(b, v, l, asked->f))
			continue;
		for (unsigned k = 0; k < topo->nlproc; k++)
			if (k != l && topo->lproc[k].module ==
			    topo->lproc[l].module &&
			    (rc = compare(b, asked, v, l, k)) < 0)
				return rc;
		own = &asked->by[l * MAX_SETS + v->set];
		if (*own == NULL)
			*own = v;
	}
	return 0;
}

int
plan_modules(struct plan_build *b)
{
	const struct model *m = b->topo->model;
	const struct config *cfg = b->config;
	size_t n = (size_t)b->topo->nlproc * MAX_SETS;
	struct asked asked = { .f = 0 };
	int rc = 0;

	if (!m->module_filters)
		return 0;
	if ((asked.by = calloc(n, sizeof(asked.by[0]))) == NULL)
		return diag_set(b->why, -ENOMEM, "out of memory");
	for (; asked.f < MAX_FILTERS && rc == 0; asked.f++) {
		memset(asked.by, 0, n * sizeof(asked.by[0]));
		for (unsigned i = 0; m->core->filter[asked.f].event != 0 &&
		    i < cfg->nwant && rc == 0; i++)
			rc = meet(b, &asked, &cfg->want[i]);
	}
	free(asked.by);
	return rc;
}
