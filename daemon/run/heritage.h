/*
 * daemon/run/heritage.h - what a sampler of a service leaves to the one that
 * follows it (its heir).
 */
#ifndef DAEMON_RUN_HERITAGE_H
#define DAEMON_RUN_HERITAGE_H

#include "daemon/head/mark_notes.h"
#include "lib/diag.h"

#include <stdint.h>

/* Memory that all processes of a service share; a sampler without rights can write it at
 * any time. */
struct heritage {
	uint64_t segments;      /* so many there are */
	uint64_t samples;       /* of the run so far */
	uint64_t first_number;  /* of the files */
	char of[80];            /* segment_of */
	char output[4096];
	struct mark_notes marks;
	struct diag why;        /* why a reload failed */
};

/* heritage_take - copies it, and checks that texts end and numbers are possible: 0, or
 * -EINVAL with words. */
int heritage_take(struct heritage *own, const struct heritage *shared,
    struct diag *why);

/* heritage_why - why a reload failed, as one line. */
const char *heritage_why(struct heritage *shared, struct diag *own);

#endif
