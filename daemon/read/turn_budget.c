/*
 * daemon/read/turn_budget.c - how many turns event sets have in a sample, given what a
 * turn takes.
 */
#include "daemon/read/turn_budget.h"

#include <stdio.h>

/* Turns that are measured, after one that fills caches; with a pause before each, in which
 * others can run. */
#define MEASURED 8
#define PAUSE_NS 1000000
/* If one thread makes the turns of all lprocs, that may take this part of a turn. */
#define LASTS_PART 4

/* Reads the registers of a block's turn: counters before and after, controls. */
static void
read_block(const struct plan *plan, const struct block *b, struct access *acc)
{
	uint64_t raw;

	for (unsigned again = 0; again < 2; again++)
		for (unsigned i = b->shared; i < b->shared + b->nshared; i++)
			access_read(acc, &plan->sets.shared[i].addr, &raw);
	for (unsigned i = b->rot; i < b->rot + b->nrot; i++)
		for (unsigned k = 0; k < 1u + plan->sets.checked; k++)
			access_read(acc,
			    &plan->write[plan->sets.rot[i].write].addr, &raw);
}

/* Reads what a turn reads, in the order of sweep_turn.  Returns how long it took, ns. */
static uint64_t
read_turn(const struct sweep *s, const struct plan *plan, struct access *acc,
    unsigned *visited)
{
	int here = -1;
	uint64_t from = access_mono(acc);

	*visited = 0;
	for (unsigned i = 0; i < plan->nblock; i++) {
		const struct block *b = &plan->block[i];

		if (b->nshared == 0 && b->nrot == 0)
			continue;
		if (sweep_visits(s, b) && (int)b->lproc != here &&
		    access_visit(acc, b->lproc) == 0) {
			here = (int)b->lproc;
			(*visited)++;
		}
		read_block(plan, b, acc);
	}
	if (here >= 0 && s->home >= 0)
		access_visit(acc, (unsigned)s->home);
	return access_mono(acc) - from;
}

void
turn_measure(const struct sweep *s, const struct plan *plan,
    struct access *acc, struct turn_cost *cost)
{
	uint64_t ns = 0;
	unsigned visited;

	read_turn(s, plan, acc, &visited);
	for (unsigned i = 0; i < MEASURED; i++) {
		access_sleep(acc, access_mono(acc) + PAUSE_NS, NULL);
		ns += read_turn(s, plan, acc, &visited);
	}
	*cost = (struct turn_cost){ .all_us = (double)ns / 1e3 / MEASURED };
	cost->lproc_us = cost->all_us;
	if (s->mode != READ_REMOTE && visited > 0)
		cost->lproc_us /= visited;
	cost->lasts_us = s->mode == READ_PINNED ? cost->lproc_us :
	    cost->all_us;
}

/* Lowers *most to the turns that fit into time_us if each takes turn_us. */
static void
turn_budget_bound(double *most, double time_us, double turn_us)
{
	if (turn_us > 0 && time_us / turn_us < *most)
		*most = time_us / turn_us;
}

unsigned
turn_fit(const struct plan *plan, const struct turn_cost *cost,
    uint64_t interval_ns, double max_overhead)
{
	unsigned sets = plan->sets.n - 1;
	double interval_us = (double)interval_ns / 1e3, most = plan->sets.turns;

	turn_budget_bound(&most, interval_us * TURN_SHARE, cost->lproc_us);
	turn_budget_bound(&most, interval_us / LASTS_PART, cost->lasts_us);
	if (max_overhead > 0)
		turn_budget_bound(&most, interval_us * max_overhead / 200,
		    cost->all_us);
	return (unsigned)most / sets * sets;
}

static int
choose_sweep(struct sweep *s, struct node *node, const struct options *o,
    struct diag *why)
{
	const struct sweep_how how = { o->read.mode, o->read.cpu,
	    o->interval_ns, o->read.cpus };

	return sweep_choose(s, &node->plan, node->acc, &how, why);
}

int
turn_choose(struct sweep *s, struct node *node, const struct options *o,
    struct diag *why)
{
	struct plan *plan = &node->plan;
	struct turn_cost cost;
	unsigned fit;
	int rc = choose_sweep(s, node, o, why);

	plan->sets.checked = o->read.watch != 0;
	if (rc < 0 || plan->sets.turns == 0 || node->acc->ops->simulated)
		return rc;
	turn_measure(s, plan, node->acc, &cost);
	fit = !node->config.turns_fit ? plan->sets.turns : turn_fit(plan, &cost,
	    o->interval_ns, o->read.max_overhead);
	if (fit == 0) {
		sweep_fini(s);
		if ((rc = node_turn_by_sample(node, why)) < 0 ||
		    (rc = choose_sweep(s, node, o, why)) < 0)
			return rc;
	}
	plan->sets.turns = fit;
	s->turn = cost;
	return 0;
}

const char *
turn_words(const struct node *node, const struct options *o,
    const struct turn_cost *cost, char *buf, size_t size)
{
	const struct plan *plan = &node->plan;
	unsigned sets = plan->sets.n - 1;
	double turn_us =
	    o->interval * 1e6 / (plan->sets.turns > 0 ? plan->sets.turns : 1);

	if (plan->sets.turns > 0 && cost->lproc_us > 0)
		snprintf(buf, size, "%u take %u turns in each sample, of %.3g ms; "
		    "each takes %.3g us of an lproc, %.2g %% of its time", sets,
		    plan->sets.turns, turn_us / 1e3, cost->lproc_us,
		    cost->lproc_us / turn_us * 100);
	else if (plan->sets.turns > 0)
		snprintf(buf, size, "%u take %u turns in each sample, of %.3g ms",
		    sets, plan->sets.turns, turn_us / 1e3);
	else if (!node->config.turns_fit)
		snprintf(buf, size, "%u take turns of %u sample%s", sets,
		    o->read.rotate > 1 ? o->read.rotate : 1,
		    o->read.rotate > 1 ? "s" : "");
	else if (cost->lproc_us > 0)
		snprintf(buf, size, "%u take turns of a sample: a turn takes %.3g us "
		    "of an lproc, too much for a round in each sample (--turn "
		    "SEC has them all the same)", sets, cost->lproc_us);
	else
		snprintf(buf, size, "%u take turns of a sample: there is no room "
		    "for a round in each, of %g ms a set (an interval of %g s "
		    "has it)", sets, TURN_LEAST_NS / 1e6,
		    sets * (TURN_LEAST_NS / 1e9));
	return buf;
}
