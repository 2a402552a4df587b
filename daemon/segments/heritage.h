/*
 * daemon/segments/heritage.h - a run that another sampler of a service goes on
 * with.
 */
#ifndef DAEMON_SEGMENTS_HERITAGE_H
#define DAEMON_SEGMENTS_HERITAGE_H

#include "daemon/head/mark_notes.h"
#include "regs/diag.h"

#include <stdint.h>

/* What an heir goes on with: memory that all of a service share, so that a sampler
 * without rights can write it at any time. */
struct heritage {
	uint64_t segments;      /* so many there are */
	uint64_t samples;       /* of the run so far */
	uint64_t first_number;  /* of the files */
	char of[80];            /* segment_of */
	char output[4096];
	struct mark_notes marks;
	struct diag why;        /* of a reload that did not come about */
};

/* heritage_take - a copy, each text of which ends, and each number of which is
 * within what it counts: 0, or -EINVAL with words. */
int heritage_take(struct heritage *own, const struct heritage *shared,
    struct diag *why);

/* heritage_why - the words of a reload that did not come about, as one line. */
const char *heritage_why(struct heritage *shared, struct diag *own);

#endif
