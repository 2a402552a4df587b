/*
 * postproc/pages/jitter.h - what disturbed a node, as far as it was counted: SMIs,
 * limits of frequency and power by their cause, interrupts, context switches,
 * samples that came late, lprocs that are slower than others.
 */
#ifndef POSTPROC_PAGES_JITTER_H
#define POSTPROC_PAGES_JITTER_H

#include "postproc/metrics/gather.h"
#include "postproc/out/table.h"

struct jitter_row {
	char cause[48];         /* "limit_thermal", "late" */
	char where[40];         /* "" for the node; "package 1", "lproc 17" */
	char text[100];         /* what the cause is, in words */
	char unit[16];
	double value;           /* NaN: not known; 0: not seen */
	char note[200];         /* why the value is unknown, or what it means */
};

struct jitter {
	char host[256];
	double seconds;
	struct jitter_row *row; /* [n]; each cause begins with its node's row */
	unsigned n, room;
};

/* jitter_read - of the range that is asked for.  Returns 0 or -errno with words
 * in why ("": memory ran out); -ENODATA: it has no interval.  jitter_fini
 * accepts either. */
int jitter_read(struct jitter *, const char *path, const struct gather_ask *,
    struct diag *why);
void jitter_fini(struct jitter *);

/*
 * jitter_view - the view with a row per cause and place; view_put is given the
 * struct jitter.
 */
const struct view *jitter_view(void);

/* jitter_add - adds a row, which the caller fills; NULL: out of memory. */
struct jitter_row *jitter_add(struct jitter *, const char *cause,
    const char *text, const char *unit);

/*
 * jitter_rank_put - a table of n nodes, the most disturbed first.  0 or -ENOMEM.
 *
 * Of each cause the node with more of it than the median has a score: how many
 * times as far from that as nodes usually are (postproc/metrics/statistics.h).  A
 * node's score is that of the cause that it stands out by most.
 */
int jitter_rank_put(struct out *, const struct jitter *, unsigned n);

#endif
