/*
 * postproc/out/convert.h - tally convert: all samples of a dump, in a format of other
 * programs.
 */
#ifndef POSTPROC_OUT_CONVERT_H
#define POSTPROC_OUT_CONVERT_H

#include <stdio.h>

#include "config/dump/read.h"
#include "postproc/data/dump_node.h"
#include "postproc/data/intervals.h"
#include "postproc/data/marks.h"
#include "postproc/data/turns.h"
#include "postproc/out/outfile.h"
#include "postproc/out/parquet.h"

/* The conversions: each is a struct conversion_NAME, in a file conversion_*.c. */
#define CONVERSIONS(row) \
	row(wide_csv) \
	row(npy) \
	row(parquet) \
	row(parquet_long) \
	row(lua_chunks)

/* The dump that is converted. */
struct source {
	struct intervals *iv;
	const struct reader *columns;   /* has read the same file to its end, so it has
	                                 * all columns; NULL without columns_first */
	unsigned number;        /* the option's argument */
};

struct conversion {
	const char *option;     /* "lua-chunks" for --lua-chunks */
	const char *argument;   /* name of the option's number in the usage; NULL: it
	                         * takes none */
	unsigned most;          /* the number may be 1 to this */
	const char *help;       /* text of --help, lines separated by '\n' */
	bool columns_first;     /* has to know all columns before the first sample */
	bool seeks;             /* cannot write to standard output: -o is needed */
	/* write - writes one file.  0 or -errno with words in why. */
	int (*write)(const struct source *, FILE *, struct diag *why);
	/* write_folder - writes files into the folder output->path, which ends in '/';
	 * NULL: it has only `write`. */
	int (*write_folder)(const struct source *,
	    const struct outname *output, struct diag *why);
	/* beside - writes the list of columns, FILE.columns.csv; NULL: there is none. */
	void (*beside)(const struct source *, FILE *);
};

#define CONVERSION_IS(name) extern const struct conversion conversion_##name;
CONVERSIONS(CONVERSION_IS)

/* ---- for conversions that write what was counted -------------------------
 *
 * The intervals of a dump, each value judged as tally deltas does, with time, node and
 * jobs.
 */

struct judged {
	struct intervals *iv;
	const struct reader *reader;
	struct interval step;
	struct turns turns;
	struct jobs_then jobs;
	char node[NODE_NAME];
};

/* The kind of a value: an enum delta_kind, or one of these. */
enum judged_kind {
	JUDGED_READING = DELTA_KINDS,   /* no counter: the value read at the sample */
	JUDGED_NOT_DUE,         /* a counter that is not read in every sample */
	JUDGED_SET_IDLE,        /* the event's set did not run in this interval */
	JUDGED_GROUP_IDLE,      /* the event's group did not run */
};

/* judged_word - what tally deltas calls a kind; or "reading", "not due". */
const char *judged_word(unsigned kind);

/* The value of a column in an interval. */
struct judged_value {
	uint64_t value;         /* the count of the interval; or a reading */
	bool none;              /* there is no value that can be relied on */
	bool below;             /* value is an int64_t: a temperature */
	uint8_t kind;
	double share;           /* the part (0 to 1) of the interval that was counted */
};

void judged_init(struct judged *, struct intervals *);
void judged_fini(struct judged *);
/* judged_next - reads the next interval: 1; 0 at the end; -errno with words in why. */
int judged_next(struct judged *, struct diag *why);

struct judged_value judged_value(const struct judged *, unsigned column);

/* Bits that judged_marks adds to the kind of a value. */
#define JUDGED_NONE 0x80        /* there is no value that can be relied on */
#define JUDGED_LARGE 0x40       /* it is 2^63 or more: no int64_t */

/*
 * judged_marks - the values of n columns in the current interval.
 *
 * mark    out: [n] kind of each value, and bits of JUDGED_...
 * share   out: [n] the part of the interval that was counted; NULL: no events rotate, so
 *         that it would be 1 everywhere
 */
void judged_marks(const struct judged *, const unsigned *column, unsigned n,
    uint64_t *value, uint8_t *mark, double *share);

/* judged_row - the values of all columns of the current interval; none: which have no
 * value that can be relied on. */
void judged_row(const struct judged *, uint64_t *value, bool *none);

/* judged_time - the wall clock at the end of the interval, as interval_time.
 * judged_job - the jobs that ran in it, as jobs_then. */
bool judged_time(const struct judged *, int64_t *us);
const char *judged_job(struct judged *);

/* judged_head - writes the head of the dump, the units of its families, and `rows` (what
 * the rows of the file are) as metadata. */
void judged_head(const struct judged *, struct parquet *, const char *rows);

/* ---- the columns of a Parquet file that has one value in each row ------ */

/* The columns of a dump in an order. */
struct long_way {
	unsigned *column;       /* [n] the reader's numbers of the columns */
	uint64_t *index[MAX_INDEX];     /* [n] and their indices */
};

/*
 * The order in which the columns of a dump become rows, chosen so that the columns of the
 * file compress well.  Columns of the same family and event are neighbours, and are
 * sorted so that an index mostly differs by 1 from the one before: box 0 to 27 of package
 * 0, then 27 to 0 of package 1.  Intervals take these columns by turns forward and
 * backward.
 */
struct long_order {
	struct long_way up, down;       /* forward; backward, of each family and event
	                                 * by itself */
	unsigned *same;         /* [n] how many columns from this one on have its family
	                         * and event */
	unsigned n;
};

/* long_order_load - sorts the first n columns, unless they are sorted already.  A zeroed
 * order is empty.  0 or -ENOMEM. */
int long_order_load(struct long_order *, const struct reader *, unsigned n);
void long_order_fini(struct long_order *);

/* What the rows of an interval have in common. */
struct long_interval {
	uint64_t sample;
	double seconds;
	int64_t us;
	bool timed;
	char *job;              /* NULL: none */
};

/* The values of one family and event in n intervals, one interval after the other: `same`
 * values of each, in the order up in even intervals, down in odd ones. */
struct long_values {
	const struct long_interval *interval;   /* [n] */
	unsigned n, same;
	const struct column_id *id;             /* of any of the columns */
	const struct long_order *order;
	unsigned at;                            /* where they begin in the order */
	/* [n * same], as judged_marks gives them */
	const uint64_t *value;
	const uint8_t *mark;
	const double *share;    /* NULL: 1 everywhere */
};

struct long_columns {
	struct parquet *file;
	int time, host, job, sample, seconds, family, event, package, box,
	    lproc, unit, kind, share, value;
	/* most files do not have these: -1 until the first value comes */
	int lprocs, third, fourth, odd, large;
	char host_name[NODE_NAME];
};

/* long_columns_init - adds the columns to a file.  parquet_end reports a failure. */
void long_columns_init(struct long_columns *, struct parquet *file);

/* long_columns_put - writes a row for each value. */
void long_columns_put(struct long_columns *, const struct long_values *);

#endif
