/*
 * postproc/html/bandwidth.h - histograms of bandwidth: for how much of the time DRAM, or
 * a link between packages, carried how much.  Scripts let the reader move the
 * thresholds of Low, Medium and High.
 *
 * A histogram has the values of single intervals; where event sets take turns, those of
 * whole rounds.  Means over buckets would hide short peaks.  So every value is kept, and
 * memory grows with the number of samples.
 */
#ifndef POSTPROC_HTML_BANDWIDTH_H
#define POSTPROC_HTML_BANDWIDTH_H

#include <stdio.h>

#include "postproc/metrics/node_view.h"
#include "postproc/pages/tracks.h"

/* The page has at most so many values; of more, neighbours are averaged. */
#define BANDWIDTH_VALUES 180000

/* The values of one metric at one scope. */
struct bandwidth {
	const struct metric *metric;
	enum scope scope;
	struct tracks tracks;
};

/* The sample that each value ends with, and the seconds that it covers. */
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

/* bandwidths_init - bind the metrics that the view has histograms of (`levels`), before
 * the dump is read.  0, or -errno with words in why (without words: -ENOMEM).  Call
 * bandwidths_fini in any case; it accepts zeros. */
int bandwidths_init(struct bandwidths *, struct gather *,
    const struct node_view *, struct diag *why);
void bandwidths_fini(struct bandwidths *);

/* bandwidths_take - take the values of the present interval: call it after each
 * gather_next, before gather_afresh.  now: gather_interval, if the caller has asked for
 * it already, else NULL.  0, or -ENOMEM.
 * bandwidths_end - after the last interval. */
int bandwidths_take(struct bandwidths *, const struct sums *now);
void bandwidths_end(struct bandwidths *);

/* bandwidths_put - write the section of the page: a picture and a table of each, with
 * the thresholds that tally histogram has by default. */
void bandwidths_put(const struct bandwidths *, FILE *);

/*
 * bandwidths_json - write a member of the data for the page's script:
 *
 *	"bandwidth":{"axes": [
 *		"first", "at", "sec"    value i ends with sample first + at[i] and
 *		                        covers sec[i] seconds (binary32)
 *		"per"                   how many values each is the mean of
 *		"round"                 1: of rounds of event sets
 *	], "lines": [
 *		metric, unit, text, scope, where, note, axis
 *		"v"                     values (binary32, rounded so that each stays
 *		                        in its bin); NaN: none
 *		"max"                   the largest of them, exactly
 *		"why"                   why there is none
 *		"most"                  the peak that was measured; null: unknown
 *	]}
 *
 * Returns 0, or -ENOMEM.
 */
int bandwidths_json(const struct bandwidths *, FILE *);
/* bandwidths_size - about how many bytes bandwidths_json writes. */
size_t bandwidths_size(const struct bandwidths *);

#endif
