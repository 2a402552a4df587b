/*
 * tests/figures.h - the figures of tally's pages, to be compared: those of a dump
 * and of the same dump, doctored.
 */
#ifndef TESTS_FIGURES_H
#define TESTS_FIGURES_H

#include <stdbool.h>

/* One figure: by what it is of, "dram_read|package|0". */
struct known_figure {
	char *key;
	const char *note;
	double value;           /* NaN: n/a */
	double least, most;     /* of single intervals, and value */
	bool left_out;          /* something is not in it */
};

struct figures {
	struct known_figure *figure;
	unsigned n;
	char *text, *series;
};

/* figures_read - of tally metrics, report (by line and metric) and totals (by
 * column), of samples FIRST:LAST.  With `each` also what each interval has of the
 * metrics. */
enum figures_page { PAGE_METRICS, PAGE_REPORT, PAGE_TOTALS, PAGE_SERIES,
	PAGES };
void figures_read(struct figures *, enum figures_page, const char *path,
    const char *range, bool each);
void figures_free(struct figures *);
const struct known_figure *figures_find(const struct figures *,
    const char *key);

/*
 * figures_differ - is some figure silently another one?
 *
 * Not if it is n/a; or unmarked and that of the clean dump to half a percent;
 * or marked and between what single intervals of the clean dump have (5 %): a
 * mean over some of the intervals is.  Where it says that it is of A of B units,
 * it may be as much less, and where it says that its events were not counted at
 * one time, a quotient is what it is.  A total that is marked may be smaller, or
 * somebody else's; of a series all that is marked may be another.  Where a part
 * `lost` of the samples is gone, a mean may have moved by that part of what single
 * intervals have.
 *
 * Returns how many, with the first few in words, printed behind `what`.
 */
unsigned figures_differ(const struct figures *clean, const struct figures *,
    enum figures_page, double lost, const char *what);

#endif
