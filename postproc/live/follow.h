/*
 * postproc/live/follow.h - follows the store of a daemon while it samples: reads the rows
 * that are new, and finds the new store when the daemon starts again.
 *
 * It only reads files; the daemon does nothing for it.
 */
#ifndef POSTPROC_LIVE_FOLLOW_H
#define POSTPROC_LIVE_FOLLOW_H

#include <time.h>

#include "postproc/gather/gather.h"

enum follow_state {
	FOLLOW_NONE,            /* there is no store; follow.why says why */
	FOLLOW_EMPTY,           /* a store without an interval so far */
	FOLLOW_LIVE,
	FOLLOW_STALE,           /* its daemon has ended, or is three intervals late */
};

struct follow {
	/* set by the caller */
	const char *asked;      /* name of a store; NULL: the one there is */
	struct gather_ask ask;  /* which metrics */
	int (*opened)(struct follow *, struct diag *why);       /* a store is open and
	                         * its metrics are loaded */
	void (*interval)(struct follow *);      /* after each interval */
	void (*over)(struct follow *);  /* all of this store was read, and the next
	                         * one will replace it; NULL: not needed */
	void *of;               /* for these three */

	enum follow_state state;
	struct diag why;        /* the reason for FOLLOW_NONE or FOLLOW_STALE */
	bool open;
	bool between;           /* the daemon writes to a new store already, which has
	                         * no interval so far */
	char path[256];
	uint64_t made;          /* inode of the file that is open */
	struct gather gather;
	struct metrics metrics;
	double every;           /* planned time between samples, s */
	double start;           /* first sample, s since 1970; 0: none yet */
	double age;             /* s since the last sample */
	double late;            /* what age was when that sample was read, */
	double seen;            /* and when that was, CLOCK_MONOTONIC, s */
};

/* follow_poll - reads what is new, calls the callbacks, and updates state and age. */
void follow_poll(struct follow *);
/* follow_whole - is it a finished dump, to which nothing will be added? */
bool follow_whole(const struct follow *);
void follow_close(struct follow *);

/* follow_clock - the time of a clock, s. */
double follow_clock(clockid_t);

#endif
