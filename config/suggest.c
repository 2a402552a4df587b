/*
 * config/suggest.c - the name that was probably meant: the one that the fewest
 * edits (insert, delete, replace, swap of neighbours) turn into it.
 */
#include "config/suggest.h"

#include <ctype.h>
#include <string.h>

#define LONGEST 127

/* near_distance - edits from a to b, or limit when it takes that many. */
static unsigned
near_distance(const char *a, const char *b, unsigned limit)
{
	unsigned char row[3][LONGEST + 1];
	unsigned char *two = row[0], *one = row[1], *now = row[2], *old;
	unsigned na = (unsigned)strlen(a), nb = (unsigned)strlen(b);

	if (na > LONGEST || nb > LONGEST ||
	    (na > nb ? na - nb : nb - na) >= limit)
		return limit;
	for (unsigned j = 0; j <= nb; j++)
		one[j] = (unsigned char)j;
	for (unsigned i = 1; i <= na; i++) {
		unsigned best = now[0] = (unsigned char)i;
		int ca = toupper((unsigned char)a[i - 1]);

		for (unsigned j = 1; j <= nb; j++) {
			int cb = toupper((unsigned char)b[j - 1]);
			unsigned d = one[j - 1] + (ca != cb);

			if (d > one[j] + 1u)
				d = one[j] + 1u;
			if (d > now[j - 1] + 1u)
				d = now[j - 1] + 1u;
			if (i > 1 && j > 1 && d > two[j - 2] + 1u &&
			    ca == toupper((unsigned char)b[j - 2]) &&
			    cb == toupper((unsigned char)a[i - 2]))
				d = two[j - 2] + 1u;
			now[j] = (unsigned char)d;
			if (d < best)
				best = d;
		}
		if (best >= limit)
			return limit;
		old = two;
		two = one;
		one = now;
		now = old;
	}
	return one[nb];
}

void
near_init(struct near *near, const char *wanted)
{
	near->wanted = wanted;
	near->name = NULL;
	/* Beyond a third of the letters it is another name. */
	near->distance = (unsigned)strlen(wanted) / 3 + 2;
}

void
near_try(struct near *near, const char *candidate)
{
	unsigned d = near_distance(near->wanted, candidate, near->distance);

	if (d < near->distance) {
		near->distance = d;
		near->name = candidate;
	}
}
