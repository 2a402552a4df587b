/*
 * daemon/instead/prove_round.c - one set of events: plan, program, do all of the work
 * with a row before and after each, put the registers back.
 */
#include "daemon/instead/prove.h"

#include "daemon/node/journal.h"
#include "daemon/node/obstacle.h"
#include "daemon/node/program.h"
#include "daemon/read/sweep.h"
#include "lib/array.h"
#include "regs/host.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Shorter runs do not judge a clock. */
#define CLOCK_SECONDS 0.002

struct proof_round {
	struct prove *prove;
	struct node *node;
	struct journal journal;
	struct sweep sweep;
	uint64_t *row[2];
	struct stimulus done;
	unsigned first;         /* of its items */
};

/* Removes all sets but `set` from the configuration; what is always counted stays.
 * Returns how many sets there are, at least 1. */
static unsigned
one_set(struct config *c, unsigned set, const char **name)
{
	unsigned n = 0, sets = c->nset;

	*name = set < sets ? c->set[set] : "";
	for (unsigned i = 0; i < c->nwant; i++)
		if (c->want[i].set == 0 || c->want[i].set == set) {
			c->want[n] = c->want[i];
			c->want[n++].set = 0;
		}
	c->nwant = n;
	c->nset = 1;
	return sets;
}

/* Restricts events with the kernel's own names to user space, where the work is done. */
static int
user_alone(struct config *c)
{
	for (unsigned i = 0; i < c->nwant; i++) {
		const struct perf_want *was = c->want[i].perf;
		struct perf_want *own;

		if (was == NULL || !was->known ||
		    was->attr.type == PERF_SOFTWARE)
			continue;
		if ((own = arena_alloc(c->arena, sizeof(*own))) == NULL)
			return -ENOMEM;
		*own = *was;
		own->attr.no_kernel = true;
		c->want[i].perf = own;
	}
	return 0;
}

/* How many boxes of its package count the same event, itself among them. */
static unsigned
prove_round_sharers(const struct plan *plan, const struct column *c)
{
	unsigned n = 0;

	for (unsigned i = 0; i < plan->ncolumn; i++) {
		const struct column *k = &plan->column[i];

		n += k->id.family == c->id.family && k->id.nindex == 2 &&
		    k->id.index[0] == c->id.index[0] &&
		    (k->id.event == c->id.event || (k->id.event != NULL &&
		    c->id.event != NULL &&
		    strcmp(k->id.event, c->id.event) == 0));
	}
	return n;
}

/* The cell of the stamp of the block that has a cell. */
static unsigned
prove_round_stamp_of(const struct plan *plan, unsigned cell)
{
	for (unsigned i = 0; i < plan->nblock; i++) {
		const struct block *b = &plan->block[i];

		if (cell > b->cell && cell <= b->cell + b->n)
			return b->cell;
	}
	return 0;
}

static int
add_item(struct proof_round *r, const struct column *c,
    const struct count_rule *rule, const char *set)
{
	struct prove *p = r->prove;
	const struct column_id *id = &c->id;
	struct proof *it;

	if (!array_room(&p->item, p->nitem, &p->room, sizeof(*it)))
		return -ENOMEM;
	it = &p->item[p->nitem];
	*it = (struct proof){ .rule = rule, .column = column_string(id, ""),
	    .family = rule->family, .event = rule->event, .set = set,
	    .lproc = -1, .pkg = -1, .box = -1, .bits = c->bits, .share = 1,
	    .stamp = prove_round_stamp_of(&r->node->plan, c->cell), .of = c,
	    .slowest = INFINITY };
	it->reading = calloc(p->trials.n, sizeof(*it->reading));
	if (it->column == NULL || it->reading == NULL) {
		free(it->column);
		free(it->reading);
		return -ENOMEM;
	}
	if (id->family->of == OF_LPROC || id->family->of == OF_CORE)
		it->lproc = (int)id->index[0];
	else if (id->nindex > 0)
		it->pkg = (int)id->index[0];
	if (id->nindex == 2) {
		it->box = (int)id->index[1];
		it->share = prove_round_sharers(&r->node->plan, c);
	}
	p->nitem++;
	return 0;
}

static int
add_items(struct proof_round *r, const char *set)
{
	const struct plan *plan = &r->node->plan;
	int rc = 0;

	r->first = r->prove->nitem;
	for (unsigned i = 0; i < plan->ncolumn && rc == 0; i++) {
		const struct column *c = &plan->column[i];
		const struct family *f = c->id.family;
		const struct count_rule *rule;

		if (f->part == PART_ENABLED || f->part == PART_RUNNING ||
		    f->sum != SUM_NONE || c->id.lprocs != NULL)
			continue;
		rule = count_rules_find(&r->prove->rules, f->name,
		    c->id.event != NULL ? c->id.event : "");
		/* a simulated kernel is not told of work */
		if (rule != NULL && rule->kind == RULE_COUNTS &&
		    r->prove->work == NULL &&
		    strcmp(f->name, "software_counts") == 0)
			continue;
		if (rule != NULL && rule->kind != RULE_FLAT)
			rc = add_item(r, c, rule, set);
	}
	return rc;
}

/* What was done at the item's place, by trial_do. */
static void
amounts(const struct proof_round *r, const struct proof *it, struct proof_run *to)
{
	const struct stimulus *done = &r->done;
	const uint64_t *act = it->lproc >= 0 ?
	    ((unsigned)it->lproc < done->nlproc ? done->lproc[it->lproc] : NULL)
	    : it->pkg >= 0 && (unsigned)it->pkg < done->npkg ?
	    done->pkg[it->pkg] : NULL;

	for (unsigned a = 0; a < ACTS; a++)
		to->other[a] = act == NULL ? 0 :
		    (double)act[a] / it->share;
	to->done = to->other[it->rule->act];
}

static double
difference(uint64_t from, uint64_t to, unsigned bits)
{
	uint64_t mask = bits == 0 || bits >= 64 ? UINT64_MAX :
	    (UINT64_C(1) << bits) - 1;

	return (double)((to - from) & mask);
}

/* Takes the counts between two rows, if they are less than those of earlier runs: noise
 * only adds. */
static void
prove_round_take(struct proof_round *r, unsigned trial, unsigned length)
{
	const uint64_t *a = r->row[0], *b = r->row[1];
	double all = (double)(b[CELL_MONO] - a[CELL_MONO]) / 1e9;
	double hz = all > 0 ? (double)(b[CELL_TSC] - a[CELL_TSC]) / all : 0;

	for (unsigned i = r->first; i < r->prove->nitem; i++) {
		struct proof *it = &r->prove->item[i];
		struct proof_run *best = &it->reading[trial][length];
		uint64_t from = column_raw(it->of, a);
		uint64_t to = column_raw(it->of, b);
		double s = it->stamp == 0 || hz <= 0 ? all :
		    (double)(b[it->stamp] - a[it->stamp]) / hz;
		double delta = from == ABSENT || to == ABSENT ? NAN :
		    difference(from, to, it->bits);

		if (!isnan(delta) && s > CLOCK_SECONDS) {
			it->fastest = fmax(it->fastest, delta / s);
			it->slowest = fmin(it->slowest, delta / s);
		}
		/* a column that could not be read once is reported as unreadable */
		if (best->seconds > 0 && !(isnan(delta) ||
		    delta < best->delta))
			continue;
		if (best->seconds > 0 && isnan(best->delta))
			continue;
		best->delta = delta;
		best->seconds = s;
		best->tsc_hz = hz;
		amounts(r, it, best);
	}
}

static bool
told_to_stop(struct prove *p)
{
	static const int why[] = { SIGINT, SIGTERM, SIGHUP, SIGCONT };
	sigset_t set;

	sigpending(&set);
	for (unsigned i = 0; i < sizeof(why) / sizeof(why[0]); i++)
		p->stopped |= sigismember(&set, why[i]) == 1;
	return p->stopped;
}

static bool
prove_round_late(const struct prove *p)
{
	return p->work != NULL && clock_ns(CLOCK_MONOTONIC) - p->begin_ns >
	    PROVE_SECONDS * UINT64_C(1000000000);
}

/* Does a trial concern an item?  Sleep concerns all. */
static bool
tells(const struct proof_round *r, unsigned trial)
{
	const struct prove *p = r->prove;

	for (unsigned i = r->first; i < p->nitem; i++) {
		const struct count_rule *rule = p->item[i].rule;

		if (rule->kind == RULE_RISES || (rule->kind == RULE_COUNTS &&
		    (p->trials.of[trial].known >> rule->act & 1) != 0))
			return true;
	}
	return trial == 0;
}

static int
one_trial(struct proof_round *r, unsigned t, struct diag *why)
{
	struct prove *p = r->prove;
	struct plan *plan = &r->node->plan;
	unsigned wanted = p->work == NULL ? 1 : PROVE_REPEATS;

	for (unsigned length = 0; length < LENGTHS; length++)
		for (unsigned good = 0, tries = 0; good < wanted &&
		    tries < 3 * wanted && !told_to_stop(p); tries++) {
			int rc;

			row_take(&r->sweep, plan, r->node->acc, 0, r->row[0]);
			rc = trial_do(&p->trials.of[t], length, r->node,
			    p->work, &r->done);
			if (rc < 0)
				return diag_set(why, rc, "%s: %s",
				    p->trials.of[t].name, strerror(-rc));
			row_take(&r->sweep, plan, r->node->acc, 0, r->row[1]);
			p->disturbed += rc > 0;
			good += rc == 0;
			/* without an undisturbed run a disturbed one has to do */
			if (rc == 0 || tries >= 2 * wanted)
				prove_round_take(r, t, length);
		}
	return 0;
}

/* Reports controls that somebody else has changed. */
static void
look_for_others(struct proof_round *r, const char *set)
{
	char text[160];

	r->sweep.watching = true;
	row_take(&r->sweep, &r->node->plan, r->node->acc, 0, r->row[1]);
	if (r->sweep.nchanged == 0)
		return;
	plan_write_text(&r->node->plan.write[r->sweep.changed[0].write], text,
	    sizeof(text));
	prove_finding(r->prove, "another agent programs the same counters: "
	    "%u control%s changed while %s%s was counted, the first of them "
	    "%s", r->sweep.nchanged, r->sweep.nchanged == 1 ? "" : "s",
	    set[0] != '\0' ? "set " : "", set[0] != '\0' ? set : "what is "
	    "always counted", text);
}

static int
prove_round_measure(struct proof_round *r, const char *set, struct diag *why)
{
	struct prove *p = r->prove;
	const struct plan *plan = &r->node->plan;
	int rc;

	for (unsigned i = 0; i < 2; i++)
		if ((r->row[i] = calloc(plan->ncell, sizeof(uint64_t))) ==
		    NULL)
			return diag_set(why, -ENOMEM, "out of memory");
	if (trial_done_new(&r->done, &r->node->topo) < 0 ||
	    add_items(r, set) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	/* a first reading may take longer */
	row_take(&r->sweep, &r->node->plan, r->node->acc, 0, r->row[0]);
	for (unsigned t = 0; t < p->trials.n && !told_to_stop(p); t++) {
		if (!tells(r, t))
			continue;
		if (prove_round_late(p)) {
			p->nlate++;
			continue;
		}
		if ((rc = one_trial(r, t, why)) < 0)
			return rc;
	}
	look_for_others(r, set);
	return 0;
}

/* Saves the registers, journals and programs them, does the work, and puts them back. */
static int
programmed(struct proof_round *r, const char *set, struct diag *why)
{
	struct prove *p = r->prove;
	struct plan *plan = &r->node->plan;
	struct access *acc = r->node->acc;
	struct diag left;
	char path[4096];
	int rc;

	if (plan->nwrite > 0 && journal_place(p->o, acc, path, sizeof(path)) &&
	    (rc = journal_open(&r->journal, path, acc, why)) < 0)
		return rc;
	if ((rc = program_save(plan, acc, why)) < 0)
		return rc;
	if ((rc = obstacle_in_use(r->node, why)) < 0) {
		if (!p->o->node.force)
			return rc;
		prove_remark(p, "--force: %s", why->text);
	}
	if ((rc = sweep_init(&r->sweep, plan, acc, p->work == NULL ?
	    READ_AUTO : READ_VISIT, -1, why)) < 0 && (rc = sweep_init(
	    &r->sweep, plan, acc, READ_AUTO, -1, why)) < 0)
		return rc;
	if ((rc = journal_write(&r->journal, r->node, why)) < 0)
		return rc;
	if ((rc = program_write(plan, acc, why)) == 0)
		rc = prove_round_measure(r, set, why);
	if (program_restore(plan, acc, &left) > 0) {
		prove_finding(p, "a register could not be restored: %s; the "
		    "journal is kept for --restore", left.text);
		return rc < 0 ? rc : 0;
	}
	journal_done(&r->journal);
	return rc;
}

static int
prove_round_planned(struct proof_round *r, const char *config, unsigned set,
    unsigned *sets, const char **name, struct diag *why)
{
	struct node *node = r->node;
	struct options o = *r->prove->o;
	int rc;

	o.count.config = (struct files){ { config }, 1 };
	o.count.own_config = false;
	if ((rc = node_configure(node, &o, node->topo.model, why)) < 0)
		return rc;
	*sets = one_set(&node->config, set, name);
	if ((rc = user_alone(&node->config)) < 0)
		return diag_set(why, rc, "out of memory");
	if ((rc = r->prove->how_to->access(node, &o, why)) < 0)
		return rc;
	if (r->prove->work == NULL && node->config.perf)
		return diag_set(why, -ENOTSUP, "a simulated kernel's counters "
		    "are not told of work");
	return node_plan(node, why);
}

int
prove_round(struct prove *p, struct node *node, const char *config,
    unsigned set, struct diag *why)
{
	struct proof_round r = { .prove = p, .node = node, .journal = { .fd = -1 } };
	const char *name = "";
	unsigned sets = 1;
	int rc = prove_round_planned(&r, config, set, &sets, &name, why);

	/* set 0 is counted with each other set */
	for (unsigned i = 0; rc == 0 && node->topo.model == &model_any &&
	    i < node->plan.absent.n; i++)
		prove_remark(p, "not counted: %s", node->plan.absent.line[i]);
	if (rc == 0 && (set > 0 || sets == 1)) {
		name = arena_strndup(p->arena, name, strlen(name));
		rc = name == NULL ? diag_set(why, -ENOMEM, "out of memory") :
		    programmed(&r, name, why);
		snprintf(p->how, sizeof(p->how), "%s", node->how);
	}
	for (unsigned i = r.first; i < p->nitem; i++)
		p->item[i].of = NULL;
	/* no journal is left by a start that was refused; it stays where registers
	 * could not be put back */
	if (r.journal.fd >= 0 && !r.journal.written)
		journal_done(&r.journal);
	sweep_fini(&r.sweep);
	trial_done_free(&r.done);
	free(r.row[0]);
	free(r.row[1]);
	return rc < 0 ? rc : set + 1 < sets;
}
