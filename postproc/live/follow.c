/*
 * postproc/live/follow.c - follows the store of a daemon while it samples.
 */
#include "postproc/live/follow.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "config/dump/store.h"

#define STALE 3                 /* a store is stale if it got no sample for so many
				 * intervals */
#define STALE_S 1.0             /* and for at least so many s, as samples of a busy
				 * node are late */

double
follow_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Notes when the last sample was read, and how old it was then. */
static void
saw_sample(struct follow *f)
{
	f->seen = follow_clock(CLOCK_MONOTONIC);
	f->late = f->gather.wall_last > 0 ?
	    follow_clock(CLOCK_REALTIME) - f->gather.wall_last : 0;
	/* a clock that was set back must not make the age negative */
	if (f->late < 0)
		f->late = 0;
}

static int
take_in(struct follow *f)
{
	bool any = false;
	int rc;

	while ((rc = gather_next(&f->gather, &f->why)) > 0) {
		any = true;
		if (f->interval != NULL)
			f->interval(f);
	}
	if (any) {
		if (f->start <= 0)
			f->start = f->gather.wall_first > 0 ?
			    f->gather.wall_first : f->gather.wall_last;
		saw_sample(f);
	}
	return rc;
}

void
follow_close(struct follow *f)
{
	if (f->open)
		gather_unload(&f->gather, &f->metrics);
	f->open = false;
}

bool
follow_whole(const struct follow *f)
{
	struct store_glance g;

	return f->asked != NULL && f->open && store_glance(f->path, &g) < 0;
}

/* Is the open file still the one of that name? */
static bool
same_file(const struct follow *f)
{
	struct stat sb;

	return stat(f->path, &sb) == 0 && sb.st_ino == f->made;
}

static int
open_store(struct follow *f, const char *path)
{
	struct stat sb;
	int rc;

	snprintf(f->path, sizeof(f->path), "%s", path);
	f->made = stat(path, &sb) == 0 ? sb.st_ino : 0;
	f->open = true;
	f->start = 0;
	if ((rc = gather_load(&f->gather, &f->metrics, f->path, &f->ask,
	    &f->why)) < 0 || (f->opened != NULL &&
	    (rc = f->opened(f, &f->why)) < 0) || (rc = take_in(f)) < 0) {
		follow_close(f);
		return rc == -EACCES ? store_unreadable(f->path, &f->why) : rc;
	}
	/* it was replaced while it was being opened */
	if (!same_file(f)) {
		follow_close(f);
		return diag_set(&f->why, -EAGAIN, "%s: another store has "
		    "just taken its place", f->path);
	}
	f->every = head_number(f->gather.reader, HEAD_INTERVAL, ALONE, 1);
	if (f->start <= 0)
		saw_sample(f);
	return 0;
}

/* Reads the rows that are new; false: the store cannot be read any more. */
static bool
take_more(struct follow *f)
{
	int rc = intervals_more(f->gather.intervals, &f->why);

	return rc < 0 ? false : rc == 0 || take_in(f) == 0;
}

static double
age(const struct follow *f)
{
	return f->late + follow_clock(CLOCK_MONOTONIC) - f->seen;
}

/* The age in s above which a store is stale. */
static double
patience(const struct follow *f)
{
	return fmax(STALE * (f->every > 0 ? f->every : 1), STALE_S);
}

/* Does the daemon write to another store by now?  path gets that one's. */
static bool
follow_is_over(struct follow *f, char *path, size_t size)
{
	struct store_glance g;
	struct diag why;

	f->between = false;
	if (same_file(f) && (f->asked != NULL || store_alive(f->path)))
		return false;
	if (f->asked != NULL)
		snprintf(path, size, "%s", f->asked);
	else if (store_find(path, size, &why) < 0)
		return false;
	if (store_glance(path, &g) < 0)
		return true;
	/*
	 * until the new store has an interval, the old one's figures are shown
	 */
	f->between = g.sampled && g.rows < 2 && f->start > 0 && age(f) <= patience(f);
	return g.inode != f->made && !f->between;
}

static void
judge_age(struct follow *f)
{
	bool alive = f->between || store_alive(f->path);

	f->age = age(f);
	if (f->start <= 0 && alive) {
		f->state = FOLLOW_EMPTY;
		diag_set(&f->why, 0, "%s: no interval has passed yet", f->path);
	} else if (alive && (f->between || same_file(f)) &&
	    f->age <= patience(f)) {
		f->state = FOLLOW_LIVE;
		f->why.text[0] = '\0';
	} else if (f->start <= 0) {
		f->state = FOLLOW_STALE;
		diag_set(&f->why, 0, "%s: its tallyd has ended, and there is no "
		    "interval to show", f->path);
	} else {
		f->state = FOLLOW_STALE;
		diag_set(&f->why, 0, alive ? "%s: its tallyd takes no samples: "
		    "the last is %.0f s old" : "%s: its tallyd has ended: the "
		    "last sample is %.0f s old", f->path, f->age);
	}
}

/* Opens the next store if the open one has been replaced, or if none is open. */
static void
follow_go_on(struct follow *f)
{
	char path[sizeof(f->path)];

	if (f->open) {
		if (!follow_is_over(f, path, sizeof(path)))
			return;
		/* read the old store's last rows before leaving it */
		if (take_more(f) && f->over != NULL)
			f->over(f);
		follow_close(f);
	}
	f->state = FOLLOW_NONE;
	f->why.text[0] = '\0';
	if (f->asked != NULL)
		snprintf(path, sizeof(path), "%s", f->asked);
	else if (store_find(path, sizeof(path), &f->why) < 0)
		return;
	open_store(f, path);
}

void
follow_poll(struct follow *f)
{
	if (f->open && !take_more(f))
		follow_close(f);
	/* the store that was opened may have been replaced by now */
	for (unsigned i = 0; i < 3; i++)
		follow_go_on(f);
	if (f->open)
		judge_age(f);
}
