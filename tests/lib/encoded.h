/*
 * tests/lib/encoded.h - what lines of a configuration become: control values, held
 * against tables that were written from the reference alone.
 */
#ifndef TESTS_ENCODED_H
#define TESTS_ENCODED_H

#include "config/eventlist.h"
#include "lib/diag.h"

#include <stdint.h>

/* encoded_control - the control value of a line; 0: refused, with words in why. */
uint64_t encoded_control(const char *model, const char *line, struct diag *why);

/* encoded_table - all rows of a file, "model name event umask control": each by its
 * name and by its numbers, on that box.  How many rows; fails on any that differs. */
unsigned encoded_table(const char *path, const char *box);

/* An event of Intel's lists, and its control value; `line` is the row's __LINE__. */
struct encoded_event {
	int line;
	const char *box, *event;
	uint64_t ctl;
};
/* encoded_listed - fails, and prints which, unless all n events have these values. */
void encoded_listed(const struct eventlist *, const char *model,
    const struct encoded_event *, size_t n);

#endif
