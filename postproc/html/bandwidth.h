/*
 * postproc/html/bandwidth.h - how much of the time DRAM and the links between packages
 * carried how much: histograms whose thresholds the page's script moves.
 *
 * A histogram is of single intervals (of rounds, where event sets take turns);
 * means of buckets would hide what was short.  So every value is kept: memory
 * grows with the number of samples.
 */
#ifndef POSTPROC_HTML_BANDWIDTH_H
#define POSTPROC_HTML_BANDWIDTH_H

#include <stdio.h>

#include "postproc/metrics/node_view.h"
#include "postproc/pages/tracks.h"

/* Values on the page; where there are more, neighbours become one. */
#define BANDWIDTH_VALUES 180000

/* The values of one metric at one scope. */
struct bandwidth {
	const struct metric *metric;
	enum scope scope;
	struct tracks tracks;
};

/* When values end, and how long each is of. */
struct moments {
	uint64_t *sample;
	double *seconds;
	unsigned n, room, seconds_room;
};

enum { OF_INTERVALS, OF_ROUNDS, MOMENTS };

struct bandwidths {
	struct gather *gather;
	struct bandwidth *of;
	unsigned n, room;
	struct moments moments[MOMENTS];
};

/* bandwidths_init - what the view shows of a dump that is not read yet.  0, -errno
 * with words in why (where there are none, -ENOMEM); bandwidths_fini accepts
 * either, and zeros. */
int bandwidths_init(struct bandwidths *, struct gather *,
    const struct node_view *, struct diag *why);
void bandwidths_fini(struct bandwidths *);

/* bandwidths_take - after each gather_next, before gather_afresh; now: the present
 * interval, where the caller has asked for it already (gather_interval), else
 * NULL.  0, or -ENOMEM.  bandwidths_end - after the last. */
int bandwidths_take(struct bandwidths *, const struct sums *now);
void bandwidths_end(struct bandwidths *);

/* bandwidths_put - the section of the page: a picture and a table of each, with
 * the thresholds of tally histogram. */
void bandwidths_put(const struct bandwidths *, FILE *);

/*
 * bandwidths_json - a member of the data of the page's script:
 *
 *	"bandwidth":{"axes": [
 *		"first", "at", "sec"    values end with samples first + at, and
 *		                        are of so many seconds (binary32)
 *		"per"                   values that one is the mean of
 *		"round"                 1: of rounds of event sets
 *	], "lines": [
 *		metric, unit, text, scope, where, note, axis
 *		"v"                     values (binary32, each in the bin that it
 *		                        is in); NaN: none
 *		"max"                   the largest of them, to the last bit
 *		"why"                   there is none
 *		"most"                  that was measured; null: unknown
 *	]}
 *
 * Returns 0, or -ENOMEM.
 */
int bandwidths_json(const struct bandwidths *, FILE *);
/* bandwidths_size - about how many bytes that is. */
size_t bandwidths_size(const struct bandwidths *);

#endif
