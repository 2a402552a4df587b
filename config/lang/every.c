/*
 * config/lang/every.c - statements that are not read in each sample.
 */
#include "config/lang/every.h"

#include <errno.h>

int
every_value(struct scan *scan, unsigned *every, struct diag *why)
{
	struct word w;
	uint64_t v;
	int rc;

	if (!scan_word(scan, &w))
		return diag_at(why, scan->at.file, scan->at.line,
		    "\"every\" has nothing behind it");
	if ((rc = scan_number(w, "samples", MAX_EVERY, &v, scan->at, why)) < 0)
		return rc;
	if (v == 0)
		return diag_at(why, scan->at.file, scan->at.line, "every %.*s: "
		    "from one sample to the next is every 1", WORD_ARG(w));
	*every = (unsigned)v;
	return 0;
}

int
every_end(struct scan *scan, unsigned *every, struct diag *why)
{
	int rc = every_value(scan, every, why);

	return rc < 0 ? rc : scan_end(scan, why);
}

int
every_ahead(const struct scan *scan, unsigned *every, struct diag *why)
{
	struct scan ahead = *scan;
	struct word w;

	*every = 1;
	while (scan_word(&ahead, &w))
		if (word_is(w, "every"))
			return every_end(&ahead, every, why);
	return 0;
}
