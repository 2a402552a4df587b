/*
 * postproc/data/intervals_int.h - intervals, between its own files:
 * intervals.c (samples and ranges), intervals_clock.c (time), judge.c (deltas).
 */
#ifndef POSTPROC_DATA_INTERVALS_INT_H
#define POSTPROC_DATA_INTERVALS_INT_H

#include "postproc/data/intervals.h"

struct intervals {
	struct reader *reader;
	struct select select;
	struct limits limits;
	int col_tsc, col_sec, col_usec;
	double tsc_hz;
	bool clocked;           /* tsc_hz has been settled */
	const char *clock_note;
	uint64_t most[CLASSES]; /* for this interval */

	unsigned ncol, room;
	uint64_t *delta, *quick, *top;
	uint8_t *kind;
	int32_t *stamp;         /* -1 none; -2 not looked for yet */
	struct tampers tampers;
	struct doubts doubts;
	double quick_from, quick_to;    /* seconds that quick is right for */
	bool turned;            /* some counter can turn in that time */
	bool all_good;          /* kind[] says so */

	struct read_row row;
	unsigned was_ncol;      /* of the row before */
	bool was_complete, complete;    /* every column had a value */
	uint64_t first, last, samples, last_seen;
	bool seen, done;
	double first_seconds, seconds;
	double row_at;          /* of row, s from the dump's first */
};

/* clock_settle - the TSC's frequency, from the first sample and what is known
 * of the last.  clock_seconds - the time between the reader's last two. */
void clock_settle(struct intervals *);
double clock_seconds(const struct intervals *);

/*
 * judge - the deltas of the reader's last two samples, into delta[] and kind[].
 * Those before the range are judged, too: some doubts last.  Returns how many
 * are left out, or -ENOMEM.
 */
int judge(struct intervals *, const struct read_row *, double seconds);

#endif
