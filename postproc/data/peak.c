/*
 * postproc/data/peak.c - the most that a node can do, and on what that rests.
 */
#include "postproc/data/peak.h"

#include "postproc/data/dram_max.h"

#include <stdio.h>

struct peak
peak_dram(const struct reader *r, int pkg, unsigned npkg, double by_hand)
{
	double part = pkg >= 0 && npkg > 0 ? npkg : 1;
	double measured = pkg >= 0 ? dram_max_of(r, (unsigned)pkg) :
	    dram_unmeasured(r) >= 0 ? 0 :
	    head_number(r, HEAD_DRAM_MAX_BANDWIDTH, ALONE, 0);
	double given = head_number(r, HEAD_PEAK_DRAM, ALONE, 0);

	if (by_hand > 0)
		return (struct peak){ by_hand / part, PEAK_BY_HAND, NULL };
	if (measured > 0)
		return (struct peak){ measured, PEAK_MEASURED, NULL };
	if (given > 0)
		return (struct peak){ given / part, PEAK_GIVEN, head_text(r,
		    HEAD_PEAK_DRAM_SOURCE, ALONE, NULL) };
	return (struct peak){ 0, PEAK_UNKNOWN, NULL };
}

struct peak
peak_flops(const struct reader *r)
{
	double given = head_number(r, HEAD_PEAK_FLOPS, ALONE, 0);

	if (given > 0)
		return (struct peak){ given, PEAK_GIVEN, head_text(r,
		    HEAD_PEAK_FLOPS_SOURCE, ALONE, NULL) };
	return (struct peak){ 0, PEAK_UNKNOWN, NULL };
}

const char *
peak_words(const struct peak *p, char *buf, size_t size)
{
	static const char *const word[] = {
		[PEAK_UNKNOWN] = "not known", [PEAK_BY_HAND] = "by --dram-max",
		[PEAK_MEASURED] = "measured at start", [PEAK_GIVEN] = "given",
		[PEAK_PROBED] = ("probed: 16 bytes a clock of each channel that "
		    "moved data"),
		[PEAK_TABLE] = "table",
	};

	snprintf(buf, size, "%s%s%s", word[p->source], p->whence != NULL ?
	    ": " : "", p->whence != NULL ? p->whence : "");
	return buf;
}
