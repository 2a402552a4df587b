/*
 * daemon/plan/counters.c - which counter counts which event: a matching, found by
 * augmenting paths, so that an event with a choice makes room for one without.
 */
#include "daemon/plan/plan.h"

#include <string.h>

#define NONE (-1)

/* Find a counter for event i; events that hold one may move. */
static bool
place(const unsigned *mask, unsigned i, int *owner, unsigned *seen)
{
	for (int c = 0; c < MAX_COUNTERS; c++)
		if (mask[i] >> c & 1 && owner[c] == NONE) {
			owner[c] = (int)i;
			return true;
		}
	for (int c = 0; c < MAX_COUNTERS; c++) {
		if (!(mask[i] >> c & 1) || *seen >> c & 1)
			continue;
		*seen |= 1u << c;
		if (place(mask, (unsigned)owner[c], owner, seen)) {
			owner[c] = (int)i;
			return true;
		}
	}
	return false;
}

int
assign_counters(const unsigned *mask, unsigned n, int *out)
{
	int owner[MAX_COUNTERS];

	for (int c = 0; c < MAX_COUNTERS; c++)
		owner[c] = NONE;
	for (unsigned i = 0; i < n; i++) {
		unsigned seen = 0;

		if (!place(mask, i, owner, &seen))
			return (int)i + 1;
	}
	for (int c = 0; c < MAX_COUNTERS; c++)
		if (owner[c] != NONE)
			out[owner[c]] = c;
	return 0;
}
