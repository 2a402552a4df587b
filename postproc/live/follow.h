/*
 * postproc/live/follow.h - the store of a daemon, followed while it samples: the
 * rows that came are taken in, a daemon that starts again is found again.
 *
 * The daemon is not asked for anything and does nothing for it.
 */
#ifndef POSTPROC_LIVE_FOLLOW_H
#define POSTPROC_LIVE_FOLLOW_H

#include <time.h>

#include "postproc/gather/gather.h"

enum follow_state {
	FOLLOW_NONE,            /* no store: why has the reason */
	FOLLOW_EMPTY,           /* no interval in it yet */
	FOLLOW_LIVE,
	FOLLOW_STALE,           /* its daemon is gone, or three intervals late */
};

struct follow {
	const char *asked;      /* a store's name; NULL: the one there is */
	struct gather_ask ask;  /* which metrics */
	/* called once the metrics are there, and after each interval */
	int (*opened)(struct follow *, struct diag *why);
	void (*interval)(struct follow *);
	/* another store takes the place of this one, which is at its end;
	 * NULL: nobody wants to know */
	void (*over)(struct follow *);
	void *of;               /* theirs */

	enum follow_state state;
	struct diag why;        /* FOLLOW_NONE, FOLLOW_STALE: why */
	bool open;
	bool between;           /* another is sampled into, and has no interval */
	char path[256];
	uint64_t made;          /* the file that is open: inode */
	struct gather gather;
	struct metrics metrics;
	double every;           /* s between samples, as asked for */
	double start;           /* s since 1970, of the first sample; 0: not yet */
	double age;             /* s since the last sample */
	double late;            /* the same at the moment it was seen, */
	struct timespec seen;   /* and that moment, CLOCK_MONOTONIC */
};

/* follow_poll - take in what came since the last time; then state and age are
 * of now. */
void follow_poll(struct follow *);
/* follow_whole - is it a dump, whole, to which nothing comes any more? */
bool follow_whole(const struct follow *);
void follow_close(struct follow *);

#endif
