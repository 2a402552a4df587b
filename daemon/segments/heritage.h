/*
 * daemon/segments/heritage.h - a run that another sampler of a service goes on
 * with.
 */
#ifndef DAEMON_SEGMENTS_HERITAGE_H
#define DAEMON_SEGMENTS_HERITAGE_H

#include "daemon/head/mark_notes.h"
#include "regs/diag.h"

#include <stdint.h>

/* What an heir goes on with: memory that all of a service share. */
struct heritage {
	uint64_t segments;      /* so many there are */
	uint64_t samples;       /* of the run so far */
	uint64_t first_number;  /* of the files */
	char of[80];            /* segment_of */
	char output[4096];
	struct mark_notes marks;
	struct diag why;        /* of a reload that did not come about */
};

#endif
