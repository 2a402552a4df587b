/*
 * tests/lib/figures.h - the figures of tally's pages, to be compared: those of a dump
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
	double digit;           /* what its last one printed is worth; 0: enough */
	bool left_out;          /* something is not in it */
};

struct figures {
	struct known_figure *figure;
	unsigned n;
	char *text;
};

/* PAGE_METRICS to PAGE_SERIES: tally metrics, report (by line and metric), totals
 * (by column), metrics -e.  PAGE_IO: report --io.  PAGE_DIFF: of a range with
 * itself.  PAGE_HISTOGRAM, PAGE_PLOT: of some metrics.  PAGE_PLATFORM: the numbers
 * of each line.  PAGE_OVERVIEW: the table of tally page. */
enum figures_page { PAGE_METRICS, PAGE_REPORT, PAGE_TOTALS, PAGE_SERIES,
	PAGE_IO, PAGE_DIFF, PAGE_HISTOGRAM, PAGE_PLOT, PAGE_PLATFORM,
	PAGE_OVERVIEW, PAGES };

/* figures_read - of a page, of samples FIRST:LAST. */
void figures_read(struct figures *, enum figures_page, const char *path,
    const char *range);
void figures_free(struct figures *);
const struct known_figure *figures_find(const struct figures *,
    const char *key);
/* figures_text - those of a page that is no table, from its text: into room for
 * `room`; returns how many. */
unsigned figures_text(enum figures_page, char *text,
    struct known_figure *, unsigned room);

/* figures_spread - what single intervals have of PAGE_METRICS.  figures_spread_as -
 * and the figures of another page, where they are metrics. */
void figures_spread(struct figures *, const char *path, const char *range);
void figures_spread_as(struct figures *, const struct figures *metrics);

/*
 * figures_differ - is some figure silently another one?
 *
 * Not if it is n/a; or unmarked and that of the clean dump to half a percent;
 * or marked and between what single intervals of the clean dump have (5 %): a
 * mean over some of the intervals is.  Where it says that it is of A of B units,
 * it may be as much less, and where it says that its events were not counted at
 * one time, a quotient is what it is.  A total that is marked may be smaller, or
 * somebody else's; of a series all that is marked may be another, and of the pages
 * behind it: the same figures are metrics, too.  Where a part `lost` of the samples
 * is gone, a mean may have moved by that part of what single intervals have.
 * Of a histogram no value has more time than in the clean one, of a plot none is
 * beyond its ends.
 *
 * Returns how many, with the first few in words, printed behind `what`.
 */
unsigned figures_differ(const struct figures *clean, const struct figures *,
    enum figures_page, double lost, const char *what);

/* deltas_differ - of tally deltas -f csv, of the clean dump and of another: how
 * many deltas are not marked, and others. */
unsigned deltas_differ(const char *clean, const char *text, const char *what);

#endif
