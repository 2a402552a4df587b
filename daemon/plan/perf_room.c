/*
 * daemon/plan/perf_room.c - how many events of one group a PMU can count.
 *
 * The kernel refuses a group that is too large for a PMU where the driver looks at
 * that.  AMD's for the L3, the data fabric and the memory controllers do not: such
 * a group is opened, is enabled, and never runs (reference amd-zen 10.1).  Nor does
 * one that wants all counters of a core while the NMI watchdog has one.  So none is
 * asked for that is larger than a box of the tables; a PMU without a table, and a
 * core as a whole, is tried.
 */
#include "daemon/plan/plan_perf.h"

/* By then each group has had its turn: turns are of one to four ms. */
#define TRIES 40
#define TRY_NS 1000000ull

static bool
is_uncore(const struct run *r)
{
	return r->domain == ON_BOXES || (r->domain == ON_PMU &&
	    r->pmu->cpumask[0] != '\0');
}

/* Is an open group enabled, but does not run? */
static bool
is_silent(struct access *acc, unsigned handle)
{
	struct reg_addr addr = { REG_PERF, 8, handle, PERF_ENABLED };
	uint64_t enabled, running;
	struct stamp now;

	for (unsigned i = 0; i < TRIES; i++) {
		addr.offset = PERF_ENABLED;
		if (access_read(acc, &addr, &enabled) < 0)
			return false;
		addr.offset = PERF_RUNNING;
		if (access_read(acc, &addr, &running) < 0 || running > 0)
			return false;
		access_now(acc, &now);
		if (access_sleep(acc, now.mono_ns + TRY_NS, NULL) < 0)
			return false;
	}
	return enabled > 0;
}

unsigned
perf_takes(const struct run *r, const struct perf_event *e)
{
	return r->domain == ON_CORES && r->type != NULL && !perf_generic(e) &&
	    box_pairs(r->type, e->attr.config[0]) ? 2 : 1;
}

bool
perf_too_large(struct run *r, const struct perf_place *p,
    struct perf_event *const *member, unsigned n)
{
	struct access *acc = r->plan->build->acc;
	struct perf_group g;
	unsigned need = 0, bad;
	bool own = false, silent;
	int rc;

	for (unsigned k = 0; k < n; k++) {
		need += !member[k]->own || own ? perf_takes(r, member[k]) : 0;
		own |= member[k]->own;
	}
	if (n < 2 || need <= r->ran || need + (r->domain == ON_CORES) <=
	    p->room || (r->domain != ON_CORES && !is_uncore(r)))
		return false;
	if (p->unit != NULL)
		return true;
	if (r->silent != 0 && need >= r->silent)
		return true;
	if ((rc = perf_open_group(r, p, member, n, &g, &bad)) < 0)
		return false;           /* whoever opens it says why */
	silent = is_silent(acc, (unsigned)rc);
	access_perf_drop(acc, (unsigned)rc);
	if (silent)
		r->silent = need;
	else
		r->ran = need;
	return silent;
}

void
perf_note_silent(struct run *r)
{
	struct access *acc = r->plan->build->acc;
	const struct perf_event *first = NULL;
	unsigned n = 0, last = 0;

	for (unsigned i = 0; is_uncore(r) && i < r->nevent; i++) {
		const struct perf_event *e = &r->event[i];

		if (e->handle == 0 || e->handle == last)
			continue;
		last = e->handle;
		if (!is_silent(acc, e->handle - 1))
			continue;
		first = first == NULL ? e : first;
		n++;
	}
	if (n > 0)
		plan_remark(r->plan, "%s%s of PMU %s %s not run so far: other "
		    "programs have its counters", first->name, n > 1 ?
		    " and others" : "", r->pmu->name, n > 1 ? "have" : "has");
}
