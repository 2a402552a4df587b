/*
 * config/dump/read.h - what a dump or a store says, sample by sample.
 *
 * Takes the dumps of tallyd and of the original tool (also wrapped in Lua
 * functions by its chunking script), stores, and "-", standard input.  One
 * sample is held at a time, so memory does not grow with the length of a run.
 * Whatever is wrong in a file is noted (read_problem) and the rest is read.
 */
#ifndef CONFIG_DUMP_READ_H
#define CONFIG_DUMP_READ_H

#include "config/dump/column.h"
#include "config/dump/head.h"
#include "regs/access.h"
#include "regs/diag.h"

struct reader;

/* An assignment that is no sample: TSC_ratio = 21, lproc_core[5] = 3. */
enum constant_kind { CONSTANT_INT, CONSTANT_REAL, CONSTANT_TEXT };

struct constant {
	const char *name;       /* "TSC_ratio", "lproc_core[5]" */
	enum head_key key;      /* HEAD_LPROC_CORE; HEAD_KEYS: no such key */
	struct head_at at;      /* AT(5) */
	const char *text;       /* as written; strings without their quotes,
				 * printable */
	const char *exact;      /* the same with its tabs and newlines */
	uint8_t kind;           /* enum constant_kind */
	bool none;              /* nil: head_text and head_number have it not */
	uint64_t u;             /* CONSTANT_INT; below 0: two's complement */
	double real;            /* CONSTANT_INT and CONSTANT_REAL */
};

/*
 * One sample.  Values are as printed: temperatures below 0 are in two's
 * complement, a column that has none is ABSENT.  Both arrays have ncol
 * elements and hold until the next read_next.
 */
struct read_row {
	uint64_t sample;
	const uint64_t *value;
	unsigned ncol;
	unsigned nabsent;       /* of these columns */
	uint64_t line;          /* of its first value in the file; 0: a store */
	/* counters began anew with it: nothing is to be said of the time since
	 * the one before (read_follow) */
	bool fresh;
	/* The sample that was returned before this one; NULL: the first. */
	const uint64_t *before;
	uint64_t before_sample;
};

enum problem_kind {
	PROBLEM_GARBAGE,        /* a line that is no assignment */
	PROBLEM_VALUE,          /* a value that is no whole number below 2^64, or
	                         * a count below 0 */
	PROBLEM_DUPLICATE,      /* a value given twice; the last one holds */
	PROBLEM_ORDER,          /* a sample at or before an earlier one: left out */
	PROBLEM_TRUNCATED,      /* the last line has no end: left out */
	PROBLEM_KINDS
};

struct read_problem {
	uint8_t kind;           /* enum problem_kind */
	uint64_t line;          /* 0: a store */
	char text[232];         /* FILE:LINE: what */
};

/*
 * read_open - open a dump, a store or "-", and read up to its first sample.
 *
 * Columns and constants before the samples are known when this returns.
 * Returns 0 or -errno with words in why: -ENOENT, ...; -ENODATA an empty
 * file, -EINVAL another kind of file, -EPROTONOSUPPORT a format to come.
 */
int read_open(struct reader **, const char *path, struct diag *why);
void read_close(struct reader *);               /* NULL accepted */

/* read_jobs - with how many threads a large file may be parsed; 1 unless called.
 * What is read, and said of it, is the same. */
void read_jobs(struct reader *, unsigned threads);

/*
 * read_next - the next sample, in ascending order.
 *
 * Columns may appear with any sample; their ids go up from 0 and stay.
 * Returns 1, 0 at the end, or -errno with words in why.
 */
int read_next(struct reader *, struct read_row *, struct diag *why);

/*
 * read_follow - further files of the same run in segments, in their order, to be
 * read as if all were one: samples are numbered on, the sample that two files
 * share comes once, and marks and others' doings in their heads are added, under
 * the numbers that they have then.  Call before read_next; the paths are kept as
 * they are.
 *
 * 0, or -errno with words.
 */
int read_follow(struct reader *, const char *const *path, unsigned n,
    struct diag *why);

/* Where files do not just go on from one another. */
enum seam_kind {
	SEAM_MISSING,           /* some between are not there */
	SEAM_RESTART,           /* the daemon was started anew, */
	SEAM_REBOOT,            /* or the node was; */
	SEAM_RELOAD,            /* it was programmed anew by its configuration */
};

struct seam {
	uint8_t kind;           /* enum seam_kind */
	uint64_t sample;        /* the first behind it */
	uint64_t missing;       /* samples that are not there; RESTART: 0 */
	double seconds;         /* by the wall clock, from the sample before */
	const char *path;       /* the file that begins there */
};

/* read_seam - number i of those that were met so far; NULL: there are no more.
 * read_files - of how many files it is. */
const struct seam *read_seam(const struct reader *, unsigned i);
unsigned read_files(const struct reader *);
/* read_restart - the first sample behind that one with which the daemon was
 * started anew, by the heads; UINT64_MAX: there is none. */
uint64_t read_restart(const struct reader *, uint64_t sample);

/*
 * read_more - of a store, when read_next came to its end: are there rows by now?
 *
 * head   out: its head says more than before (constants have it by now)
 *
 * 1, 0, or -errno with words in why: -EINVAL: no store.
 */
int read_more(struct reader *, bool *head, struct diag *why);

/* read_path - as it was given; read_shown - printable. */
const char *read_path(const struct reader *);
const char *read_shown(const struct reader *);
/* read_columns - how many there are by now. */
unsigned read_columns(const struct reader *);
/* read_column - column number id, below read_columns; holds until read_close, but
 * the pointer itself only until read_next. */
const struct column *read_column(const struct reader *, unsigned id);
/* read_find_id - the number of a column, or -1; read_find - by its printed
 * form. */
int read_find_id(const struct reader *, const struct column_id *);
int read_find(const struct reader *, const char *name);

/* read_id - which column or table a printed form names, that a text of the dump
 * has: it need not be there.  0 or -ENOMEM. */
int read_id(struct reader *, const char *name, struct column_id *);

/* read_constants - how many; read_constant - number i, in order of the file;
 * read_constant_named - by name, or NULL. */
unsigned read_constants(const struct reader *);
const struct constant *read_constant(const struct reader *, unsigned i);
const struct constant *read_constant_named(const struct reader *,
    const char *name);
/* head_constant, head_number, head_text - the value of a key: as it is, as a
 * number, as text; NULL or otherwise where there is none. */
const struct constant *head_constant(const struct reader *, enum head_key,
    struct head_at);
double head_number(const struct reader *, enum head_key, struct head_at,
    double otherwise);
const char *head_text(const struct reader *, enum head_key, struct head_at,
    const char *otherwise);
/* read_number - of any name, as a formula may have it. */
double read_number(const struct reader *, const char *name, double otherwise);

/*
 * read_last_clock - the clocks of the last sample in the file, without reading
 * all of it.  tsc in counts, wall in seconds.  Returns false where it cannot
 * be known yet (a pipe).
 */
bool read_last_clock(struct reader *, uint64_t *sample, uint64_t *tsc,
    double *wall_s);

/* read_problems - how many of a kind so far (PROBLEM_KINDS: of all);
 * read_problem - the first few of them in words: number i, or NULL. */
uint64_t read_problems(const struct reader *, enum problem_kind);
const struct read_problem *read_problem(const struct reader *, unsigned i);
/* read_lost - how many lines of a dump came to nothing, with all those of samples
 * that are left out; 0 of a store, whose problems are of no line. */
uint64_t read_lost(const struct reader *);

#endif
