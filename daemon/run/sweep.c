/*
 * daemon/run/sweep.c - how a sample is read: each lproc disturbed once.
 *
 * A read of another lproc's MSR is an interrupt there and a sleep and a
 * wake-up here, every time.  Moving the thread is one context switch there,
 * after which each read is an instruction.  Package registers are read from an
 * lproc of their package in any mode.
 */
#include "daemon/run/sweep.h"

#include "daemon/run/pinned.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWEEPS 11
#define LONG_SWEEP_NS 1000000

static void
sweep_blocks(struct sweep *s, struct sweep_pass *what, struct plan *plan,
    struct access *acc, uint64_t *row)
{
	bool every_lproc = s->mode == READ_VISIT || s->mode == READ_PINNED;
	int here = -1;

	for (unsigned i = 0; i < plan->nblock; i++) {
		struct block *b = &plan->block[i];

		if ((every_lproc || (b->pkg >= 0 && !s->stay)) && b->visit &&
		    (int)b->lproc != here &&
		    access_visit(acc, b->lproc) == 0)
			here = (int)b->lproc;
		block_read(plan, b, what->active, acc, row);
		block_finish(what, plan, b, acc, row);
	}
}

void
sweep_row(struct sweep *s, struct plan *plan, struct access *acc,
    uint64_t *row)
{
	struct sweep_pass what = { .active = plan->active, .next = s->next,
	    .watching = s->watching, .reassert = s->reassert,
	    .changed = s->changed };

	if (s->mode != READ_BATCH ||
	    msr_batch_row(&s->batch, &what, plan, acc, row) < 0)
		sweep_blocks(s, &what, plan, acc, row);
	s->nchanged = what.nchanged;
	s->rotate_ns += what.rotate_ns;
	s->longest = what.longest;
	if (s->next != 0)
		plan->active = s->next;
	if (s->home >= 0)
		access_visit(acc, (unsigned)s->home);
}

/* The mean time of a sample in one mode, in us: what now and then takes long,
 * as a wake-up on a busy node does, shall count. */
static double
measure(struct sweep *s, enum read_mode mode, struct plan *plan,
    struct access *acc, uint64_t *row)
{
	struct stamp a, b;
	uint64_t ns = 0;

	s->mode = mode;
	sweep_row(s, plan, acc, row);           /* caches, and where we are */
	for (unsigned i = 0; i < SWEEPS; i++) {
		access_now(acc, &a);
		sweep_row(s, plan, acc, row);
		access_now(acc, &b);
		ns += b.mono_ns - a.mono_ns;
		/* all of them in one go might take longer than a thread of
		 * our class may run */
		if (b.mono_ns - a.mono_ns > LONG_SWEEP_NS)
			access_sleep(acc, b.mono_ns + LONG_SWEEP_NS, NULL);
	}
	return ns > 0 ? (double)ns / 1e3 / SWEEPS : 1e-3;
}

/* Remote, moving to each package for its own registers, and staying put. */
static void
measure_remote(struct sweep *s, struct plan *plan, struct access *acc,
    uint64_t *row)
{
	double moving = measure(s, READ_REMOTE, plan, acc, row), staying;

	s->stay = true;
	staying = measure(s, READ_REMOTE, plan, acc, row);
	s->stay = staying < moving;
	s->us[READ_REMOTE] = s->stay ? staying : moving;
}

static void
choose(struct sweep *s, enum read_mode *best)
{
	*best = READ_REMOTE;
	for (enum read_mode m = READ_REMOTE; m >= READ_BATCH; m--)
		if (s->us[m] > 0 && s->us[m] < s->us[*best] * 1.1)
			*best = m;
	snprintf(s->why, sizeof(s->why), "%s, the shortest sample that "
	    "disturbs least:", read_mode_name(*best));
	for (enum read_mode m = READ_BATCH; m <= READ_REMOTE; m++) {
		size_t n = strlen(s->why);

		if (s->us[m] > 0)
			snprintf(s->why + n, sizeof(s->why) - n, " %s %.0f us",
			    read_mode_name(m), s->us[m]);
		else
			snprintf(s->why + n, sizeof(s->why) - n, " %s not "
			    "available", read_mode_name(m));
	}
}

/* What the thread can be moved to, and room for what a watch finds. */
static int
prepare(struct sweep *s, struct plan *plan, struct access *acc, int home,
    struct diag *why)
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
	for (unsigned i = 0; can_visit && i < plan->nblock; i++) {
		struct block *b = &plan->block[i];

		b->visit = access_visit(acc, b->lproc) == 0;
		s->blocked += !b->visit;
	}
	return 0;
}

int
sweep_threads(struct sweep *s, struct plan *plan, struct access *acc,
    struct diag *why)
{
	return s->mode == READ_PINNED ? pinned_start(&s->pinned, plan, acc,
	    s->reassert, why) : 0;
}

/* Do they start? */
static int
try_threads(struct plan *plan, struct access *acc, struct diag *why)
{
	struct pinned *p = NULL;
	int rc = pinned_start(&p, plan, acc, false, why);

	pinned_free(p);
	return rc;
}

int
sweep_init(struct sweep *s, struct plan *plan, struct access *acc,
    enum read_mode asked, int home, struct diag *why)
{
	bool can_visit = acc->ops->visit != NULL;
	enum read_mode best = asked;
	uint64_t *row;
	int rc;

	if ((rc = prepare(s, plan, acc, home, why)) < 0)
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
		if (rc == 0)
			s->us[READ_BATCH] = measure(s, READ_BATCH, plan, acc,
			    row);
		s->us[READ_VISIT] = measure(s, READ_VISIT, plan, acc, row);
		measure_remote(s, plan, acc, row);
		choose(s, &best);
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
