/*
 * daemon/plan/file_match.h - the files of a node that a path with * in it names.
 */
#ifndef DAEMON_PLAN_FILE_MATCH_H
#define DAEMON_PLAN_FILE_MATCH_H

#include "regs/access.h"

#define MAX_MATCHES 4096

struct file_match {
	char *path;
	char *label;            /* what the stars stand for, "/" between them */
};

struct file_matches {
	struct file_match *match;
	unsigned n, room;
};

/*
 * file_match - all of them, in the order of their labels, numbers in them by size.
 * A path without a * is one match, there or not, with a label "".
 *
 * Returns 0, -ENOMEM, or -E2BIG above MAX_MATCHES.  file_match_fini in any case.
 */
int file_match(struct file_matches *, struct access *, const char *path);
void file_match_fini(struct file_matches *);

#endif
