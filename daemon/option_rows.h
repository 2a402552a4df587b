/*
 * daemon/option_rows.h - the options of tallyd, a row each.
 */
#ifndef DAEMON_OPTION_ROWS_H
#define DAEMON_OPTION_ROWS_H

#include "daemon/options.h"

#include <stddef.h>

/*
 * An option: its name, its letter (0: none), what it does with its value and the
 * member of struct options that gets it.  An option is one row here, its member,
 * and a line of the usage and of tallyd(8).
 */
struct option_row {
	const char *name;
	int letter;
	int (*take)(const struct option_row *, struct options *, const char *value,
	    struct diag *why);
	size_t at;
	int min, max;           /* of a whole number */
};

#define OPTIONS 56
extern const struct option_row option_rows[OPTIONS];

/* option_bare - does it stand without a value?  option_adds - may it be given
 * again, and each holds? */
bool option_bare(const struct option_row *);
bool option_adds(const struct option_row *);

#endif
