/*
 * regs/sim/sim_perf_read.c - reading the groups that the simulated kernel counts,
 * through the kernel or by their pages; and what other users of perf do to them.
 */
#include "regs/sim/sim_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The share of turns: value * counters / demand. */
static uint64_t
sim_perf_read_share(uint64_t value, unsigned counters, unsigned want)
{
	__extension__ unsigned __int128 wide = value;

	return want <= counters ? value : (uint64_t)(wide * counters / want);
}

/* The group's times and counts since it was opened. */
static void
read_group(struct sim *s, struct sim_group *g, uint64_t *now)
{
	unsigned want = g->pmu != NULL && g->need > 0 ? *sim_group_demand(s, g) : 0;
	unsigned counters = g->pmu != NULL ? sim_perf_usable(g->pmu) : 0;
	uint64_t enabled = s->t - g->opened;

	memcpy(now, g->kept, sizeof(g->kept));
	if (g->away || g->lost)
		return;
	now[PERF_ENABLED] += enabled;
	if (g->pmu != NULL && g->need > counters)
		return;
	now[PERF_RUNNING] += sim_perf_read_share(enabled, counters, want);
	for (unsigned k = 0; k < g->want.n; k++)
		now[PERF_FIRST + k] += sim_perf_read_share(count_get(s,
		    &g->count[k]), counters, want);
}

/* Is a CPU online that can count it?  The driver of an uncore PMU moves events to
 * another CPU of the same unit: of the same L3 or core, where the mask has one CPU for
 * each of those. */
static bool
served(const struct sim *s, const struct sim_group *g)
{
	const struct sim_place *at = &s->place[g->want.cpu];
	bool by_core = false, by_ccx = g->pmu != NULL && g->pmu->box >= 0 &&
	    s->d->box[g->pmu->box].scope == SIM_CCX;

	if (at->offline == 0 || g->pmu == NULL || g->pmu->cpus[0] != '\0' ||
	    (g->pmu->cpumask[0] == '\0' && g->pmu->associated[0] == '\0'))
		return at->offline == 0;
	for (unsigned l = 0; l < s->nlproc; l++)
		by_core |= l != g->want.cpu && s->place[l].exists &&
		    s->place[l].pkg == at->pkg && sim_in_list(g->pmu->cpumask, l);
	for (unsigned l = 0; l < s->nlproc; l++)
		if (s->place[l].exists && s->place[l].offline == 0 &&
		    s->place[l].pkg == at->pkg &&
		    (by_ccx ? s->place[l].ccx == at->ccx :
		    !by_core || s->place[l].inst == at->inst))
			return true;
	return false;
}

void
sim_perf_hotplug(struct sim *s)
{
	for (unsigned i = 0; s->perf != NULL && i < s->perf->n; i++)
		for (unsigned k = 0; k < s->perf->handle[i]->n; k++) {
			struct sim_group *g = &s->perf->handle[i]->group[k];
			bool away = !served(s, g);

			if (away && !g->away)
				read_group(s, g, g->kept);
			if (!away && g->away)
				sim_group_start(s, g);
			g->away = away;
		}
}

int
sim_perf_cpu(const struct sim *s, unsigned handle)
{
	const struct sim_perf *p = s->perf;

	return p == NULL || handle >= p->n ? -1 :
	    (int)p->handle[handle]->group[0].want.cpu;
}

/* Puts all events of a group on counters, or none; on the same ones as before where
 * there are enough. */
static void
place_group(struct sim *s, struct sim_group *g)
{
	uint64_t now[PERF_CELLS];
	bool fits = !g->away && !g->lost && g->pmu != NULL &&
	    *sim_group_demand(s, g) <= sim_perf_usable(g->pmu);

	if (!fits) {
		sim_group_leave(s, g);
		return;
	}
	if (g->slot == NULL && (g->slot = calloc(g->want.n,
	    sizeof(g->slot[0]))) == NULL)
		return;
	if (g->slot[0].unit != NULL)
		return;
	read_group(s, g, now);
	for (unsigned k = 0; k < g->want.n; k++) {
		if (!sim_counter_take(s, g->want.cpu, g->pmu, &g->want.attr[k],
		    s->perf->skip[g->want.cpu], &g->slot[k])) {
			sim_group_leave(s, g);
			return;
		}
		sim_counter_page(s, &g->slot[k], now, now[PERF_FIRST + k]);
	}
}

struct group_reader {
	struct sim *s;
	struct sim_group *g;
};

static int
sim_perf_read_by_counter(void *ctx, uint32_t index, bool rdpmc, uint64_t *raw)
{
	const struct group_reader *r = ctx;

	(void)rdpmc;
	return sim_counter_read(r->s, r->g->want.cpu, index, raw);
}

static uint64_t
sim_perf_read_by_tsc(void *ctx)
{
	const struct group_reader *r = ctx;

	return count_get(r->s, &r->s->tsc);
}

static int
sim_perf_read_by_kernel(void *ctx, uint64_t *now)
{
	const struct group_reader *r = ctx;

	read_group(r->s, r->g, now);
	return r->g->away || r->g->lost ? -ENODEV : 0;
}

/* Reads a group; on -errno its last counts are returned. */
static int
read_direct(struct sim *s, struct sim_group *g, uint64_t *now)
{
	struct group_reader ctx = { s, g };
	const struct perf_reader by = { sim_perf_read_by_counter,
	    sim_perf_read_by_tsc, sim_perf_read_by_kernel, &ctx };
	perf_page page[PERF_MEMBERS];
	bool paged;

	if (s->perf->direct)
		place_group(s, g);
	paged = s->perf->direct && g->slot != NULL && g->slot[0].page != NULL;
	for (unsigned k = 0; paged && k < g->want.n; k++)
		paged = (page[k] = g->slot[k].page) != NULL;
	return paged ? perf_direct_read(&g->direct, page, g->want.n, &by, now) :
	    sim_perf_read_by_kernel(&ctx, now);
}

/* A pinned group that lost its counters stays in error until it is opened again; the
 * time until then counts as enabled. */
static void
regain(struct sim *s, struct sim_group *g)
{
	if (*sim_group_demand(s, g) + g->need > sim_perf_usable(g->pmu))
		return;
	*sim_group_demand(s, g) += g->need;
	g->kept[PERF_ENABLED] += s->t - g->since;
	memset(&g->direct, 0, sizeof(g->direct));
	g->lost = false;
	sim_group_start(s, g);
}

/* Brings the counts of all groups of a PMU on a CPU up to date, before the share of
 * turns changes. */
static void
sim_perf_read_settle(struct sim *s, const struct sim_pmu *pmu, unsigned cpu)
{
	for (unsigned i = 0; i < s->perf->n; i++)
		for (unsigned k = 0; k < s->perf->handle[i]->n; k++) {
			struct sim_group *g = &s->perf->handle[i]->group[k];

			if (g->pmu != pmu || g->want.cpu != cpu || g->away ||
			    g->lost)
				continue;
			read_group(s, g, g->kept);
			sim_group_start(s, g);
			sim_group_leave(s, g);
		}
}

/* Takes the counters from the last pinned groups until the others fit. */
static void
sim_perf_read_lose(struct sim *s, const struct sim_pmu *pmu, unsigned cpu,
    unsigned *want)
{
	for (unsigned i = s->perf->n; i-- > 0;)
		for (unsigned k = 0; k < s->perf->handle[i]->n; k++) {
			struct sim_group *g = &s->perf->handle[i]->group[k];

			if (g->pmu != pmu || g->want.cpu != cpu || g->away ||
			    g->lost || !g->want.pinned ||
			    *want <= sim_perf_usable(pmu))
				continue;
			g->lost = true;
			g->since = s->t;
			*want -= g->need;
		}
}

void
sim_perf_others(struct sim *s, unsigned lproc, unsigned counters, bool on)
{
	const struct sim_group g = { .want = { .cpu = lproc },
	    .pmu = sim_perf_core(s, lproc) };
	unsigned *want;

	if (g.pmu == NULL || sim_perf_open_nothing(s) < 0)
		return;
	sim_perf_read_settle(s, g.pmu, lproc);
	want = sim_group_demand(s, &g);
	if (counters == 0) {
		s->perf->skip[lproc]++;
		return;
	}
	*want += on ? counters : -counters;
	sim_perf_read_lose(s, g.pmu, lproc, want);
}

int
sim_perf_read(struct sim *s, const struct reg_addr *addr, uint64_t *raw)
{
	struct sim_perf *p = s->perf;
	struct sim_handle *h;

	if (p == NULL || addr->unit >= p->n)
		return -EINVAL;
	h = p->handle[addr->unit];
	if (addr->offset == PERF_ENABLED) {
		h->sum = (struct perf_sum){ .n = h->sum.n };
		for (unsigned i = 0; i < h->n; i++) {
			struct sim_group *g = &h->group[i];
			uint64_t now[PERF_CELLS];
			int rc;

			if (g->lost && !g->away)
				regain(s, g);
			rc = read_direct(s, g, now);
			perf_sum_add(&h->sum, &g->part, now, rc < 0);
		}
	}
	return perf_sum_get(&h->sum, addr->offset, raw);
}
