/*
 * config/include.h - texts that include others, by the statement
 *
 *   include "NAME"
 *
 * of configurations, lists of metrics and views.  NAME is @TEXT, which is built in,
 * or a path, which begins at the folder of the file that the statement stands in.
 */
#ifndef CONFIG_INCLUDE_H
#define CONFIG_INCLUDE_H

#include "config/arena.h"
#include "config/scan.h"
#include "lib/diag.h"

#define MAX_INCLUDES 8          /* nested */

/* A text that is being read. */
struct include {
	const char *file;               /* a path or @TEXT */
	struct include *by;             /* that includes it; NULL: none does */
	unsigned line;                  /* of the statement there */
	bool told;                      /* the message has the texts that include it */
};

/* include_path - the file that `name` is in a text called `from`, which may be
 * `name` itself or in the arena; NULL: out of memory. */
const char *include_path(struct arena *, const char *from, const char *name);

/* include_may - may this text be read?  Not one that includes itself, or that
 * is nested too deeply.  0, or -EINVAL with words without a place in why. */
int include_may(const struct include *, struct diag *why);

/* include_failed - after an error in a text that was included: append the places
 * of the statements that led to it, "(included at b.conf:2, a.conf:1)". */
void include_failed(struct include *, struct diag *why);

/* include_scan - take NAME, with or without quotes, and the end of the line.
 * 0 or -EINVAL with the place in why. */
int include_scan(struct scan *, struct word *name, struct diag *why);

/* Texts that have been read; memory of an arena. */
struct included {
	const char *file;
	unsigned set;
	const struct included *next;
};

/* include_first - note that a text is read in this set (0 where there are none).
 * 1; 0: it has been read there before; -ENOMEM. */
int include_first(const struct included **list, struct arena *,
    const char *file, unsigned set);

#endif
