/*
 * daemon/plan/plan_soc.c - groups of SoC events: columns, and the lists of writes
 * that program, latch and stop their counters.
 */
#include "daemon/plan/plan_int.h"

#include "config/lang/site.h"
#include "daemon/plan/plan.h"
#include "regs/sideband.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM (2 * CHAP_COUNTERS)        /* steps of one chap_ list */

static const char why_no_programming[] = "What routes these events to the "
    "counters is not public, so it is not shipped.  A site can supply it in %s "
    "or with --site FILE: from the log of a licensed tool's driver, by reading "
    "registers back while such a tool runs, or from Intel (doc/rangeley.md).  "
    "Where another tool has set it up, --soc-preprogrammed samples it as it is";

/* Finds the site's programming of a group.  0; 1: another tool has programmed it;
 * -errno: it cannot be counted. */
static int
find_programming(const struct plan_build *b, const struct want *w,
    const struct site_group **programming)
{
	const struct site *site = b->config->site;
	char text[512];

	*programming = NULL;
	if (site != NULL && site->preprogrammed) {
		if (w->set == 0 || b->config->nset == 2)
			return 1;
		return diag_at(b->why, w->file, w->line, "%s: with "
		    "soc_preprogrammed no set can have its turn: tallyd does "
		    "not know how to set the muxes back", w->name);
	}
	if ((*programming = site_find(site, w->group)) == NULL) {
		snprintf(text, sizeof(text), why_no_programming,
		    site != NULL && site->file != NULL ? site->file :
		    b->config->model->soc->site);
		return diag_at(b->why, w->file, w->line, "%s: no mux "
		    "programming is supplied for it.  %s", w->name, text);
	}
	if (site->simulation && !b->acc->ops->simulated)
		return diag_at(b->why, site->file, (*programming)->line, "this "
		    "programming of %s is a stand-in for the simulated "
		    "machine; it is not written to hardware", w->name);
	return 0;
}

/* EVENT, or EVENT@SET where another set's group counts it too; NULL: out of
 * memory. */
static const char *
event_name(struct plan *plan, const struct want *w, const struct family *f,
    const char *event)
{
	const struct column_id id = { .family = f, .event = event };
	char name[200];

	for (unsigned i = 0; i < plan->ncolumn; i++)
		if (column_same(&plan->column[i].id, &id)) {
			snprintf(name, sizeof(name), "%s@%.64s", event,
			    plan->build->config->set[w->set]);
			return plan_text(plan, name);
		}
	return event;
}

static int
add_columns(struct plan *plan, const struct want *w, const struct chap *chap)
{
	unsigned lproc = plan->build->topo->pkg[0].first_lproc;
	const struct family *f = plan_family(plan, w->type->family,
	    w->type->bits, NULL);
	int rc;

	if (f == NULL)
		return plan_no_memory(plan);
	for (unsigned n = 0; n < w->group->nevent; n++) {
		struct reg_addr addr = chap_addr(chap, n, CHAP_DATA);
		struct column c = { .bits = w->type->bits, .cls = w->type->cls,
		    .id = { .family = f, .event = event_name(plan, w, f,
		    w->group->event[n]) } };

		if (c.id.event == NULL)
			return plan_no_memory(plan);
		rc = w->set != 0 ? plan_add_rotated(plan, &c, &addr, lproc, 0,
		    w->set) : plan_add_column(plan, &c, &addr, lproc, 0);
		/* several registers say what it counts */
		if (rc < 0 || (rc = plan_add_control(plan, &c.id, ABSENT,
		    w->set)) < 0)
			return rc;
	}
	return 0;
}

static struct reg_step
mux_step(const struct site_write *w)
{
	return (struct reg_step){ { REG_SIDEBAND, 4, SIDEBAND_UNIT(w->port,
	    w->opcode), w->offset }, w->value };
}

/* The writes of a turn: reset all eight counters, write the site's list, start
 * (reference 3.3). */
static int
add_steps(struct soc_turn *turn, const struct chap *chap)
{
	const struct site_group *p = turn->programming;
	unsigned n = turn->group->nevent;
	struct reg_step *s;

	turn->sample = calloc(ROOM, sizeof(*s));
	turn->start = s = calloc(2 * ROOM + (p != NULL ? p->n : 0), sizeof(*s));
	if (turn->sample == NULL || s == NULL)
		return -ENOMEM;
	turn->nsample = chap_sample(chap, n, turn->sample);
	if (p == NULL)
		return 0;
	turn->nstart = chap_reset(chap, CHAP_COUNTERS, s);
	for (unsigned i = 0; i < p->n; i++)
		s[turn->nstart++] = mux_step(&p->write[i]);
	if (!p->starts)
		turn->nstart += chap_start(chap, n, p->start,
		    s + turn->nstart);
	return 0;
}

/* Lists the mux registers of all groups, each once, to be restored.  Registers of the
 * counters are not among them: the counters are stopped instead. */
static int
list_muxes(struct soc_plan *soc)
{
	unsigned n = 0;

	for (unsigned i = 0; i < soc->n; i++)
		n += soc->turn[i].programming != NULL ?
		    soc->turn[i].programming->n : 0;
	if (!soc->site->readback || n == 0)
		return 0;
	if ((soc->mux = calloc(n, sizeof(soc->mux[0]))) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < soc->n; i++)
		for (unsigned k = 0; k < soc->turn[i].programming->n; k++) {
			const struct site_write *w =
			    &soc->turn[i].programming->write[k];
			struct reg_step s = mux_step(w);
			unsigned j = 0;

			if (w->port == soc->site->counter_port &&
			    w->offset >= CHAP_COMMAND &&
			    w->offset < CHAP_COMMAND + CHAP_COUNTERS * CHAP_STEP)
				continue;
			while (j < soc->nmux && (soc->mux[j].addr.unit !=
			    s.addr.unit || soc->mux[j].addr.offset !=
			    s.addr.offset))
				j++;
			if (j == soc->nmux)
				soc->mux[soc->nmux++] = s;
		}
	return 0;
}

/* One statement. */
static int
plan_soc_add_group(struct plan *plan, const struct want *w)
{
	struct plan_build *b = plan->build;
	struct soc_plan *soc = plan->soc;
	const struct site *site = b->config->site;
	struct soc_turn *turn = &soc->turn[soc->n];
	struct chap chap;
	int rc;

	if ((rc = find_programming(b, w, &turn->programming)) < 0) {
		if (!w->optional)
			return rc;
		plan_note(plan, "%s", b->why->text);
		return 0;
	}
	soc->site = site;
	chap = (struct chap){ site->counter_port, site->opcode };
	turn->set = w->set;
	turn->group = w->group;
	soc->n++;
	if (add_steps(turn, &chap) < 0)
		return plan_no_memory(plan);
	if (turn->programming != NULL)
		soc->nstop = chap_reset(&chap, CHAP_COUNTERS, soc->stop);
	return add_columns(plan, w, &chap);
}

int
plan_soc(struct plan *plan, const struct want *first, unsigned n)
{
	struct plan_build *b = plan->build;
	const struct unit *u = inventory_find(b->inv, first->type, 0, 0);
	int rc;

	if (plan->soc == NULL) {
		plan->soc = calloc(1, sizeof(*plan->soc));
		if (plan->soc == NULL || (plan->soc->turn = calloc(
		    b->config->nwant, sizeof(plan->soc->turn[0]))) == NULL)
			return plan_no_memory(plan);
	}
	for (const struct want *w = first; w < first + n; w++) {
		if (u->present) {
			if ((rc = plan_soc_add_group(plan, w)) < 0)
				return rc;
			continue;
		}
		if (!w->optional)
			return diag_at(b->why, w->file, w->line, "%s: this "
			    "node has no SoC counters: %s (start the line with "
			    "`optional` to go on without)", w->name, u->reason);
		plan_note(plan, "%s: %s", w->name, u->reason);
	}
	return plan->soc->n == 0 || list_muxes(plan->soc) == 0 ? 0 :
	    plan_no_memory(plan);
}

void
soc_free(struct soc_plan *soc)
{
	if (soc == NULL)
		return;
	for (unsigned i = 0; soc->turn != NULL && i < soc->n; i++) {
		free(soc->turn[i].start);
		free(soc->turn[i].sample);
	}
	free(soc->turn);
	free(soc->mux);
	free(soc);
}
