/*
 * daemon/node/methods.h - the methods of access, and the option that chooses
 * each.
 */
#ifndef DAEMON_NODE_METHODS_H
#define DAEMON_NODE_METHODS_H

#include "regs/access.h"
#include "lib/diag.h"

struct method {
	const char *option;     /* "sim": --sim WHAT.  NULL: where none is */
	/* 0, or -errno with what to do in why; what: the option's value, and
	 * of the one without an option that of --root. */
	int (*open)(struct access **, const char *what, struct diag *why);
};

extern const struct method methods[];   /* ends with open NULL */

#endif
