/*
 * daemon/plan/plan.c - what a configuration asks of a node, as columns and control
 * registers, in the order of the dump.
 */
#include "daemon/plan/plan_int.h"

#include "daemon/plan/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
make_columns(struct plan *plan)
{
	const struct config *cfg = plan->build->config;
	int rc;

	if (cfg->perf)
		return plan_perf(plan, cfg->want, cfg->nwant);
	for (unsigned i = 0; i < cfg->nwant;) {
		const struct want *w = &cfg->want[i];
		unsigned n = 1;

		if ((rc = plan_perf_only(w, plan->build->why)) < 0)
			return rc;
		if (w->kind == WANT_PERF) {
			if ((rc = plan_perf(plan, w, 1)) < 0)
				return rc;
			i++;
			continue;
		}
		while (i + n < cfg->nwant && cfg->want[i + n].type == w->type &&
		    cfg->want[i + n].kind != WANT_PERF &&
		    (cfg->want[i + n].kind == WANT_READ) ==
		    (w->kind == WANT_READ))
			n++;
		rc = w->kind == WANT_READ ? plan_scalar(plan, w, n) :
		    w->kind == WANT_SOC ? plan_soc(plan, w, n) :
		    plan_boxes(plan, w, n);
		if (rc < 0)
			return rc;
		i += n;
	}
	return 0;
}

static int
make_writes(struct plan *plan)
{
	const struct model *m = plan->build->topo->model;
	const struct box_type *type;
	const struct unit *u;
	unsigned at, before;
	int rc;

	if (plan->build->config->perf)
		return 0;
	for (type = m->box; type->name != NULL; type++)
		for (at = 0; (u = next_unit(plan->build, type, &at)) != NULL;)
			if ((rc = plan_program(plan, u)) < 0)
				return rc;
	before = plan->nwrite;
	/* Another program may have left all boxes frozen.  The bits of this register
	 * are commands and cannot be read: unfreeze in any case. */
	for (unsigned p = 0; m->global_ctl != 0 && before > 0 &&
	    p < plan->build->topo->npkg; p++) {
		struct plan_write w = { .addr = { REG_MSR, 8,
		    plan->build->topo->pkg[p].first_lproc, m->global_ctl },
		    .clear = ~0ull, .set = m->global_unfreeze, .pkg = (int)p,
		    .unit_pkg = p,
		    .role = "uncorectl" };

		if ((rc = plan_add_write(plan, &w)) < 0)
			return rc;
	}
	for (at = 0; m->core != NULL &&
	    (u = next_unit(plan->build, m->core, &at)) != NULL;)
		if ((rc = plan_program(plan, u)) < 0)
			return rc;
	return 0;
}

/* Why a register cannot be used; NULL: it answers, and not with a value that stands
 * for a missing register. */
static const char *
plan_read_problem(struct plan_build *b, const struct reg_addr *addr,
    const struct scalar *s)
{
	uint64_t raw;
	int rc;

	if (addr->space == REG_PERF)
		return NULL;            /* the kernel has opened it */
	rc = access_read(b->acc, addr, &raw);
	access_map(b->acc, addr);
	if (rc < 0)
		return rc == -EIO ? "no such register" : strerror(-rc);
	if (raw == ABSENT || (addr->space == REG_PCI && addr->bytes == 4 &&
	    raw == UINT32_MAX))
		return "reads all ones";
	/* so does a sensor that the board lacks (PSYS); hypervisors answer 0 for
	 * registers that they lack */
	if (raw == 0 && s != NULL && s->since_reset)
		return "stays 0: this board has no such sensor, or a "
		    "virtual machine no such register";
	return NULL;
}

/* Removes columns whose register does not answer, with one note a family. */
static void
drop_silent(struct plan *plan)
{
	struct plan_build *b = plan->build;
	const struct family *noted = NULL;
	char text[64], name[MAX_NAME];
	unsigned kept = 0;

	for (unsigned i = 0; i < plan->ncolumn; i++) {
		const struct column *c = &plan->column[i];
		struct want_read *r = b->source[i].list == FROM_BLOCK ?
		    &b->read[b->source[i].at] : NULL;
		struct plan_slow *slow = b->source[i].list == FROM_SLOW ?
		    &plan->apart.slow[b->source[i].at] : NULL;
		const struct reg_addr *addr = r != NULL ? &r->addr :
		    slow != NULL ? &slow->addr : NULL;
		const char *problem = addr == NULL ? NULL : r != NULL &&
		    r->dropped ? "" : plan_read_problem(b, addr,
		    c->id.family->scalar);

		if (problem == NULL) {
			b->source[kept] = b->source[i];
			plan->column[kept++] = *c;
			continue;
		}
		reg_addr_text(addr, text, sizeof(text));
		if (r != NULL)
			r->dropped = true;
		else
			slow->addr.space = REG_NONE;
		if (problem[0] == '\0' || noted == c->id.family)
			continue;
		noted = c->id.family;
		column_text(&c->id, "", name, sizeof(name));
		plan_note(plan, "%s: %s: %s", name, text, problem);
	}
	plan->ncolumn = kept;
}

static int
by_id(const void *a, const void *b)
{
	const struct column *const *x = a, *const *y = b;

	return column_order(&(*x)->id, &(*y)->id);
}

static int
refuse_twice(const struct plan *plan, const struct column *a,
    const struct column *b)
{
	const struct column *later = a > b ? a : b;
	bool of_sets = plan->build->source[later - plan->column].list ==
	    FROM_SETS;
	char name[MAX_NAME];

	column_text(&later->id, "", name, sizeof(name));
	return of_sets ? diag_set(plan->build->why, -EINVAL, "%.400s is in two "
	    "event sets: give one of them another name, or move it before the "
	    "first `set`", name) :
	    diag_set(plan->build->why, -EINVAL, "two counters would be the "
	    "column %.400s: one of the events, or of the sets, needs another "
	    "name", name);
}

/* Refuses two counters of one name, which would share a column. */
static int
check_columns(const struct plan *plan)
{
	const struct column **column = calloc(plan->ncolumn + 1,
	    sizeof(column[0]));
	int rc = 0;

	if (column == NULL)
		return plan_no_memory(plan);
	for (unsigned i = 0; i < plan->ncolumn; i++)
		column[i] = &plan->column[i];
	qsort(column, plan->ncolumn, sizeof(column[0]), by_id);
	for (unsigned i = 1; i < plan->ncolumn && rc == 0; i++)
		if (column_same(&column[i - 1]->id, &column[i]->id))
			rc = refuse_twice(plan, column[i - 1], column[i]);
	free(column);
	return rc;
}

/* Refuses a plan in which nothing is left of what the configuration asks for. */
static int
check_some(const struct plan *plan)
{
	const struct config *cfg = plan->build->config;

	if (plan->ncolumn > 0 || plan->nwrite > 0 || cfg->nwant == 0)
		return 0;
	return diag_set(plan->build->why, -ENODEV, "nothing that is asked for "
	    "can be counted here: %s", plan->absent.n > 0 ?
	    plan->absent.line[0] : "there is no such lproc or box");
}

/* Where this node has no event of any set, nothing takes turns. */
static void
drop_turns(struct plan *plan)
{
	if (plan->sets.nshared > 0 || plan->sets.nrot > 0)
		return;
	plan->sets.n = 1;
	plan->sets.active = plan->sets.turns = 0;
}

/* Gives every column its cell of a row, once all columns and writes are known: first what
 * is read in blocks, then what is read apart, then the sums of event sets; and adds the
 * daemon's own columns. */
static int
lay_out(struct plan *plan)
{
	int rc;

	if ((rc = plan_blocks(plan)) < 0)
		return rc;
	plan_cells_apart(plan);
	if ((rc = plan_sort_sets(plan)) < 0)
		return rc;
	plan_saturating(plan);
	if ((rc = plan_watch(plan)) < 0 ||
	    (rc = plan_tell_stamps(plan)) < 0 ||
	    (rc = plan_packages(plan)) < 0)
		return rc;
	return plan_own_columns(plan);
}

int
plan_make(struct plan *plan, const struct config *config,
    const struct topo *topo, const struct inventory *inv, struct access *acc,
    struct diag *why)
{
	struct plan_build build = { .config = config, .topo = topo,
	    .inv = inv, .acc = acc, .why = why };
	int rc;

	memset(plan, 0, sizeof(*plan));
	if (config->nset > MAX_SETS)
		return diag_set(why, -E2BIG, "at most %d event sets", MAX_SETS -
		    1);
	if ((plan->text = arena_new()) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	plan->build = &build;
	plan->families.arena = plan->text;
	plan->families.model = topo->model;
	/* where the kernel counts, sets are its groups, and it gives the turns */
	plan->sets.n = config->nset > 0 && !config->perf ? config->nset : 1;
	plan->sets.name = config->set;
	plan->sets.active = plan->sets.n > 1;
	plan->sets.turns = plan->sets.n > 2 ? config->turns : 0;
	if ((rc = config_alone(config, why)) == 0 &&
	    (rc = plan_cores(&build)) == 0 &&
	    (rc = plan_modules(&build)) == 0 &&
	    (rc = make_columns(plan)) == 0 &&
	    (rc = make_writes(plan)) == 0) {
		drop_silent(plan);
		drop_turns(plan);
		if ((rc = plan_in_sets(plan)) == 0 &&
		    (rc = check_columns(plan)) == 0 &&
		    (rc = check_some(plan)) == 0)
			rc = lay_out(plan);
	}
	plan->build = NULL;
	free(build.core);
	free(build.read);
	free(build.source);
	lookup_fini(&build.reads);
	lookup_fini(&build.freeruns);
	lookup_fini(&build.told);
	return rc;
}

struct column_id
plan_write_id(const struct plan_write *w)
{
	bool core = w->type != NULL && w->type->scope == SCOPE_LPROC;
	bool one = core || (w->type != NULL && w->type->single);

	return (struct column_id){ .nindex = one ? 1 : 2,
	    .index = { core ? w->unit_inst : w->unit_pkg,
	    one ? 0 : w->unit_inst } };
}

void
plan_told(struct plan *plan)
{
	free(plan->column);
	plan->column = NULL;
	plan->ncolumn = 0;
	free(plan->control);
	plan->control = NULL;
	plan->ncontrol = 0;
}

void
plan_free(struct plan *plan)
{
	if (plan == NULL)
		return;
	for (unsigned i = 0; i < plan->absent.n; i++)
		free(plan->absent.line[i]);
	plan_told(plan);
	for (unsigned i = 0; i < plan->remarks.n; i++)
		free(plan->remarks.line[i]);
	free(plan->absent.line);
	free(plan->remarks.line);
	free(plan->write);
	free(plan->fate);
	free(plan->read);
	free(plan->block);
	free(plan->watch);
	free(plan->lproc.pkg);
	free(plan->lproc.reader);
	free(plan->sets.rot);
	free(plan->sets.value);
	free(plan->sets.shared);
	free(plan->sets.cell);
	free(plan->sets.total);
	free(plan->opened);
	for (unsigned i = 0; i < plan->apart.nfile; i++)
		held_close(&plan->apart.file[i].held);
	free(plan->apart.file);
	free(plan->apart.slow);
	free(plan->stops.counter);
	soc_free(plan->soc);
	families_fini(&plan->families);
	arena_free(plan->text);
	head_fini(&plan->head);
	memset(plan, 0, sizeof(*plan));
}
