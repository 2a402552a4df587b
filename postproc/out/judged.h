/*
 * postproc/out/judged.h - a dump's intervals, for conversions that give what was
 * counted: judged as tally deltas has them, with time, node and jobs.
 */
#ifndef POSTPROC_OUT_JUDGED_H
#define POSTPROC_OUT_JUDGED_H

#include "postproc/data/turns.h"
#include "postproc/data/dump_node.h"
#include "postproc/data/marks.h"
#include "postproc/parquet/parquet.h"

struct judged {
	struct intervals *iv;
	const struct reader *reader;
	struct interval step;
	struct turns turns;
	struct jobs_then jobs;
	char node[NODE_NAME];
};

/* What became of a column's value: an enum delta_kind, or */
enum judged_kind {
	JUDGED_READING = DELTA_KINDS,
	JUDGED_NOT_DUE,         /* a counter that is read every so many samples */
	JUDGED_SET_IDLE,        /* its set, or group, did not run */
	JUDGED_GROUP_IDLE,
};

/* judged_word - tally deltas' word; "reading"; "not due". */
const char *judged_word(unsigned kind);

/* What a column has in an interval. */
struct judged_value {
	uint64_t value;         /* a count; of a reading what it read, at the
				 * sample */
	bool none;              /* it has none that may be relied on */
	bool below;             /* it is an int64_t: degrees */
	uint8_t kind;
	double share;           /* of the interval that a count is of */
};

void judged_init(struct judged *, struct intervals *);
void judged_fini(struct judged *);
/* judged_next - 1, 0 at the end, or -errno with words. */
int judged_next(struct judged *, struct diag *why);

struct judged_value judged_value(const struct judged *, unsigned column);

/* What judged_marks adds to the kind of a value that */
#define JUDGED_NONE 0x80        /* is not there, or */
#define JUDGED_LARGE 0x40       /* is from 2^63 on, and no int64_t */

/* judged_marks - of n columns the value and a mark: its kind, and what else there is
 * to know of it; share: what part of the interval it is of; NULL: none takes
 * turns. */
void judged_marks(const struct judged *, const unsigned *column, unsigned n,
    uint64_t *value, uint8_t *mark, double *share);

/* judged_row - the values of all columns of the interval, and which have none. */
void judged_row(const struct judged *, uint64_t *value, bool *none);

/* judged_time, judged_job - of the interval: as interval_time and jobs_then. */
bool judged_time(const struct judged *, int64_t *us);
const char *judged_job(struct judged *);

/* judged_head - the dump's head, the units of its families and what rows are, as
 * metadata. */
void judged_head(const struct judged *, struct parquet *, const char *rows);

#endif
