/*
 * daemon/node/soc.c - the counters behind a SoC's message bus, while we sample.
 */
#include "daemon/node/soc.h"

#include "regs/sideband.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

struct unit *
soc_unit(const struct node *node)
{
	for (unsigned i = 0; i < node->inv.n; i++)
		if (node->inv.unit[i].type->presence == PRESENT_SOC)
			return &node->inv.unit[i];
	return NULL;
}

/* A group that is asked for and programmed by us: its start command. */
static bool
asked_for(const struct config *cfg, uint32_t *start)
{
	for (unsigned i = 0; i < cfg->nwant; i++) {
		const struct site_group *p = cfg->want[i].kind != WANT_SOC ?
		    NULL : site_find(cfg->site, cfg->want[i].group);

		if (p != NULL && !cfg->site->preprogrammed) {
			*start = p->start;
			return true;
		}
	}
	return false;
}

/* The SoC's counters, and their start command; NULL where there is nothing to program. */
static struct unit *
wanted(const struct node *node, uint32_t *start)
{
	struct unit *u = soc_unit(node);

	if (u == NULL || !u->present || !asked_for(&node->config, start) ||
	    (node->config.site->simulation &&
	    !node->acc->ops->simulated))
		return NULL;
	return u;
}

bool
soc_wanted(const struct node *node)
{
	uint32_t start;

	return wanted(node, &start) != NULL;
}

/* Blocks signals meanwhile, so that none ends the program while the counter runs. */
static int
self_test(struct access *acc, const struct chap *chap, uint32_t start,
    struct diag *why)
{
	sigset_t all, before;
	int rc;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	rc = chap_self_test(acc, chap, start, why);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

void
soc_test(struct node *node, bool force)
{
	struct chap chap;
	struct diag why;
	uint32_t start;
	struct unit *u = wanted(node, &start);

	if (u == NULL)
		return;
	chap = (struct chap){ node->config.site->counter_port,
	    node->config.site->opcode };
	if (!force && chap_running(node->acc, &chap) == 1)
		diag_set(&why, -EBUSY, "they are running: another program "
		    "counts with them, or one that died; --force takes them, "
		    "--soc-preprogrammed samples them as they are");
	else if (self_test(node->acc, &chap, start, &why) == 0)
		return;
	u->present = false;
	snprintf(u->reason, sizeof(u->reason), "%.*s",
	    (int)sizeof(u->reason) - 1, why.text);
}

int
soc_interval(const struct plan *plan, double seconds, struct diag *why)
{
	const struct soc_plan *soc = plan->soc;

	if (soc == NULL || soc->n == 0 || seconds <= soc->site->max_interval)
		return 0;
	return diag_set(why, -ERANGE, "an interval of %g s is too long for the "
	    "SoC counters: they have 32 bits, and in more than %g s one could "
	    "wrap twice unseen (-i %g; a site that knows its clocks can set "
	    "soc_max_interval)", seconds, soc->site->max_interval,
	    soc->site->max_interval < 1 ? soc->site->max_interval : 1);
}

/* The group of a set; one above the first `set` is counted in every set. */
static const struct soc_turn *
turn_of(const struct plan *plan, unsigned set)
{
	for (unsigned i = 0; plan->soc != NULL && i < plan->soc->n; i++)
		if (plan->soc->turn[i].set == set ||
		    plan->soc->turn[i].set == 0)
			return &plan->soc->turn[i];
	return NULL;
}

int
soc_start(struct plan *plan, struct access *acc, struct diag *why)
{
	const struct soc_turn *t = turn_of(plan, plan->sets.active);
	struct soc_plan *soc = plan->soc;
	int rc;

	if (soc == NULL || soc->n == 0)
		return 0;
	for (unsigned i = 0; i < soc->nmux; i++) {
		struct reg_step *m = &soc->mux[i];

		if ((rc = access_read(acc, &m->addr, &m->value)) < 0)
			return diag_set(why, rc, "cannot save the SoC's mux "
			    "registers: %s", strerror(-rc));
	}
	soc->running = true;
	if (t != NULL && (rc = reg_steps(acc, t->start, t->nstart)) < 0)
		return diag_set(why, rc, "cannot program the SoC counters for "
		    "%s: %s", t->group->name, strerror(-rc));
	return 0;
}

void
soc_latch(const struct plan *plan, unsigned set, struct access *acc)
{
	const struct soc_turn *t;

	if (plan->soc != NULL && plan->soc->running &&
	    (t = turn_of(plan, set)) != NULL)
		reg_steps(acc, t->sample, t->nsample);
}

unsigned
soc_next(const struct plan *plan, unsigned set, struct access *acc)
{
	const struct soc_turn *t = turn_of(plan, set);

	if (plan->soc == NULL || !plan->soc->running)
		return 0;
	if (t == NULL)                  /* the set has no group */
		return reg_steps(acc, plan->soc->stop, plan->soc->nstop) < 0;
	return t->set != 0 && reg_steps(acc, t->start, t->nstart) < 0;
}

static bool
step_names(const struct reg_step *step, unsigned n, const struct reg_addr *addr)
{
	for (unsigned i = 0; i < n; i++)
		if (reg_addr_same(&step[i].addr, addr))
			return true;
	return false;
}

bool
soc_names(const struct plan *plan, const struct reg_addr *addr)
{
	const struct soc_plan *soc = plan->soc;

	if (soc == NULL || addr->space != REG_SIDEBAND)
		return false;
	for (unsigned i = 0; i < soc->n; i++)
		if (step_names(soc->turn[i].start, soc->turn[i].nstart, addr) ||
		    step_names(soc->turn[i].sample, soc->turn[i].nsample, addr))
			return true;
	for (unsigned i = 0; i < plan->nread; i++)
		if (reg_addr_same(&plan->read[i], addr))
			return true;
	return step_names(soc->stop, soc->nstop, addr);
}

int
soc_stop(struct plan *plan, struct access *acc)
{
	struct soc_plan *soc = plan->soc;
	int rc, undo;

	if (soc == NULL || !soc->running)
		return 0;
	soc->running = false;
	rc = reg_steps(acc, soc->stop, soc->nstop);
	undo = reg_steps(acc, soc->mux, soc->nmux);
	return rc < 0 ? rc : undo;
}

static void
soc_put_group(struct head *h, const struct soc_turn *t)
{
	const struct site_group *p = t->programming;
	const char *name = t->group->name;
	char write[64];

	head_put_table(h, HEAD_SOC_MUX_CONTROL, OF(name), 1);
	for (unsigned k = 0; p != NULL && k < p->n; k++) {
		snprintf(write, sizeof(write), "w 0x%02x 0x%04" PRIx32
		    " 0x%08" PRIx32 " 0x%02x", p->write[k].port,
		    p->write[k].offset, p->write[k].value,
		    p->write[k].opcode);
		head_put_text(h, HEAD_SOC_MUX_CONTROL,
		    (struct head_at){ .name = { name }, .n = { k } }, write);
	}
}

static void
soc_put_notes(struct head *h, const struct soc_group *g)
{
	head_put_table(h, HEAD_EVENT_SOC_NOTE, OF(g->name), 1);
	for (unsigned k = 0; k < g->nnote; k++)
		head_put_text(h, HEAD_EVENT_SOC_NOTE,
		    (struct head_at){ .name = { g->name }, .n = { k } }, g->note[k]);
}

static void
put_site(struct head *h, const struct site *site)
{
	head_put_text(h, HEAD_SOC_MUX_SOURCE, ALONE, site->preprogrammed ?
	    "preprogrammed" : site->simulation ? "simulation" : "site");
	if (site->file != NULL) {
		head_put_text(h, HEAD_SOC_SITE_FILE, ALONE, site->file);
		head_put_text(h, HEAD_SOC_SITE_SOURCE, ALONE, site->source);
	}
	head_put_int(h, HEAD_SOC_COUNTER_PORT, ALONE, site->counter_port);
	head_put_int(h, HEAD_SOC_MUX_PORT, ALONE, site->mux_port);
	head_put_real(h, HEAD_SOC_MAX_INTERVAL, ALONE, site->max_interval);
}

void
soc_preamble(struct head *h, const struct plan *plan, const struct config *cfg)
{
	const struct soc_plan *soc = plan->soc;

	for (unsigned i = 0; i < cfg->nconstant; i++)
		head_put_count(h, head_find(cfg->constant[i].name,
		    strlen(cfg->constant[i].name)), ALONE,
		    cfg->constant[i].value);
	if (soc == NULL || soc->n == 0)
		return;
	put_site(h, soc->site);
	head_put_table(h, HEAD_SET_SOC_GROUP, ALONE, 0);
	for (unsigned i = 0; i < soc->n; i++)
		head_put_text(h, HEAD_SET_SOC_GROUP,
		    OF(cfg->set[soc->turn[i].set]), soc->turn[i].group->name);
	head_put_table(h, HEAD_SOC_MUX_CONTROL, ALONE, 0);
	for (unsigned i = 0; i < soc->n; i++)
		soc_put_group(h, &soc->turn[i]);
	head_put_table(h, HEAD_EVENT_SOC_NOTE, ALONE, 0);
	for (unsigned i = 0; i < soc->n; i++)
		soc_put_notes(h, soc->turn[i].group);
}
