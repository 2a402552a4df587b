/*
 * daemon/read/sweep_choose.c - how a plan is read: as asked, or as measured; and the end of it.
 */
#include "daemon/read/measure.h"
#include "daemon/read/pinned.h"
#include "regs/access.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* auto takes threads only if the interval is no shorter: a thread may be late by half an
 * interval, and on a busy node it would be late often. */
#define LEAST_FOR_THREADS_NS 20000000

/* Finds out which lprocs can be visited, and makes room for findings of the watch. */
static int
sweep_choose_prepare(struct sweep *s, struct plan *plan, struct access *acc,
    int home, struct diag *why)
{
	bool can_visit = acc->ops->visit != NULL;

	memset(s, 0, sizeof(*s));
	s->home = home;
	if (home >= 0 && can_visit && access_visit(acc, (unsigned)home) < 0)
		return diag_set(why, -EINVAL, "--cpu %d: no lproc of that "
		    "number is online, or a cpuset forbids it", home);
	s->changed = calloc(plan->nwrite + 1, sizeof(s->changed[0]));
	if (s->changed == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	for (unsigned i = 0; can_visit && i < plan->nblock; i++)
		plan->block[i].visit = access_visit(acc, plan->block[i].lproc) == 0;
	return 0;
}

/* Can the threads be started? */
static int
try_threads(struct plan *plan, struct access *acc, struct diag *why)
{
	struct pinned *p = NULL;
	int rc = pinned_start(&p, plan, acc, why);

	pinned_free(p);
	return rc;
}

static void
list_lproc(void *listed, unsigned lproc)
{
	((bool *)listed)[lproc] = true;
}

/* Marks the lprocs that get no thread: all but those of --cpus; without that option those
 * of nohz_full=. */
static int
leave_alone(struct sweep *s, struct plan *plan, struct access *acc,
    const char *cpus, struct diag *why)
{
	bool *listed = calloc(MAX_LPROCS, sizeof(listed[0]));
	char quiet[4096];

	if (listed == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if (cpus != NULL)
		cpulist_parse(cpus, MAX_LPROCS, list_lproc, listed);
	else if (access_slurp(acc, "/sys/devices/system/cpu/nohz_full", quiet,
	    sizeof(quiet)) <= 0 ||
	    cpulist_parse(quiet, MAX_LPROCS, list_lproc, listed) < 0)
		memset(listed, 0, MAX_LPROCS * sizeof(listed[0]));
	for (unsigned i = 0; i < plan->nblock; i++) {
		struct block *b = &plan->block[i];

		b->left_alone = listed[b->lproc] != (cpus != NULL);
		s->left_alone += b->left_alone && (i == 0 ||
		    plan->block[i - 1].lproc != b->lproc);
	}
	free(listed);
	return 0;
}

int
sweep_choose(struct sweep *s, struct plan *plan, struct access *acc,
    const struct sweep_how *how, struct diag *why)
{
	bool can_visit = acc->ops->visit != NULL;
	enum read_mode asked = how->read, best = asked;
	bool may_pin = asked == READ_PINNED ||
	    how->interval_ns >= LEAST_FOR_THREADS_NS;
	uint64_t *row;
	int rc;

	if ((rc = sweep_choose_prepare(s, plan, acc, how->home, why)) < 0 ||
	    (may_pin && (rc = leave_alone(s, plan, acc, how->cpus,
	    why)) < 0))
		return rc;
	rc = (asked == READ_AUTO && can_visit) || asked == READ_BATCH ?
	    msr_batch_init(&s->batch, plan, acc) : -ENOTSUP;
	if (asked == READ_BATCH && rc < 0)
		return diag_set(why, rc, "--read batch: /dev/cpu/msr_batch: "
		    "%s; it needs the msr-safe driver%s", strerror(-rc),
		    rc == -EACCES ? ", and all that is read in its allowlist" :
		    "");
	if (asked == READ_PINNED && (rc = try_threads(plan, acc, why)) < 0)
		return rc;
	if (asked == READ_VISIT && !can_visit)
		return diag_set(why, -ENOTSUP, "--read visit: not on this "
		    "kind of machine");
	if ((row = calloc(plan->ncell, sizeof(row[0]))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if (asked == READ_AUTO && can_visit) {
		best = measure_modes(s, plan, acc, rc == 0, may_pin, row);
	} else {
		if (asked == READ_AUTO)
			best = READ_REMOTE;
		else if (asked == READ_REMOTE && can_visit)
			measure_remote(s, plan, acc, row);
		snprintf(s->why, sizeof(s->why), "%s, %s", read_mode_name(best),
		    asked == READ_AUTO ? "the only way here" : "as asked");
	}
	free(row);
	s->mode = best;
	return 0;
}

int
sweep_init(struct sweep *s, struct plan *plan, struct access *acc,
    enum read_mode asked, int home, struct diag *why)
{
	struct sweep_how how = { .read = asked, .home = home };

	return sweep_choose(s, plan, acc, &how, why);
}

int
sweep_threads(struct sweep *s, struct plan *plan, struct access *acc,
    struct diag *why)
{
	return s->mode == READ_PINNED ? pinned_start(&s->pinned, plan, acc,
	    why) : 0;
}

void
sweep_fini(struct sweep *s)
{
	if (s == NULL)
		return;
	pinned_free(s->pinned);
	s->pinned = NULL;
	msr_batch_fini(&s->batch);
	free(s->changed);
	s->changed = NULL;
}
