/*
 * config/dump/read.h - read a dump or a store, sample by sample.
 *
 * Reads dumps of tallyd and of the original tool (also if its chunking script
 * wrapped them in Lua functions), stores, and "-" for standard input.  Only one
 * sample is in memory at a time, so memory does not grow with the length of a
 * run.  Errors in a file are recorded (read_problem) and the rest is read.
 */
#ifndef CONFIG_DUMP_READ_H
#define CONFIG_DUMP_READ_H

#include "config/dump/column.h"
#include "config/dump/head.h"
#include "regs/access.h"
#include "lib/diag.h"

struct reader;

/* An assignment that is not of a sample: TSC_ratio = 21, lproc_core[5] = 3. */
enum constant_kind { CONSTANT_INT, CONSTANT_REAL, CONSTANT_TEXT };

struct constant {
	const char *name;       /* "TSC_ratio", "lproc_core[5]" */
	enum head_key key;      /* HEAD_LPROC_CORE; HEAD_KEYS: no such key */
	struct head_at at;      /* AT(5) */
	const char *text;       /* as written; strings without their quotes,
				 * printable */
	const char *exact;      /* the same, tabs and newlines kept */
	uint8_t kind;           /* enum constant_kind */
	bool none;              /* nil: head_text and head_number treat it as
				 * missing */
	uint64_t u;             /* CONSTANT_INT; two's complement if negative */
	double real;            /* CONSTANT_INT and CONSTANT_REAL */
};

/*
 * One sample.  Values are as printed: temperatures below 0 are in two's
 * complement; a column without a value is ABSENT.  Both arrays have ncol
 * elements and are valid until the next read_next.
 */
struct read_row {
	uint64_t sample;
	const uint64_t *value;
	unsigned ncol;
	unsigned nabsent;       /* how many of the columns are ABSENT */
	uint64_t line;          /* line of its first value; 0: a store */
	/* The counters were restarted before this sample, so differences to
	 * the sample before are meaningless (read_follow). */
	bool fresh;
	/* The sample returned before this one; NULL: this is the first. */
	const uint64_t *before;
	uint64_t before_sample;
};

enum problem_kind {
	PROBLEM_GARBAGE,        /* a line that is no assignment */
	PROBLEM_VALUE,          /* a value that is no whole number below 2^64,
	                         * or a count below 0 */
	PROBLEM_DUPLICATE,      /* a value given twice; the last one is used */
	PROBLEM_ORDER,          /* a sample number that does not increase: the
				 * sample is left out */
	PROBLEM_TRUNCATED,      /* the last line has no newline: left out */
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
 * Returns 0 or -errno with a message in why: -ENOENT, ...; -ENODATA: an empty
 * file, -EINVAL: another kind of file, -EPROTONOSUPPORT: a newer format.
 */
int read_open(struct reader **, const char *path, struct diag *why);
void read_close(struct reader *);               /* NULL accepted */

/* read_jobs - set how many threads may parse a large file (default 1).  Samples
 * and problems do not depend on it. */
void read_jobs(struct reader *, unsigned threads);

/*
 * read_show - of a dump of which no sample was read yet: its columns by name, as
 * another reader of the same file found them.  The first `shown` of the n names are
 * all that samples have from now on.  The lines of the others are checked as all
 * lines are, but nobody sees their columns, unless the file has a column that is
 * not among the names: then all columns are shown from that sample on.
 *
 * Returns 0, or -errno: -EINVAL: columns are known already.
 */
int read_show(struct reader *, const char *const *name, unsigned n,
    unsigned shown);

/* read_size - bytes of a file that can be read again from its start as it is;
 * 0: a pipe, a compressed file, a store, several segments. */
uint64_t read_size(const struct reader *);

/*
 * read_next - read the next sample; sample numbers increase.
 *
 * Any sample may bring new columns; ids count up from 0 and never change.
 * Returns 1, 0 at the end, or -errno with a message in why.
 */
int read_next(struct reader *, struct read_row *, struct diag *why);

/*
 * read_keep - make the values of the row that read_next has just returned the caller's
 * own, without copying them.
 *
 * value  in: memory of the caller's, of *room values, or NULL; out: the row's values
 *
 * The reader takes the caller's memory for a later row, whose `before` is not to be
 * used.  False: nothing was done, and the row has to be copied (a run of several files;
 * out of memory).
 */
bool read_keep(struct reader *, uint64_t **value, unsigned *room);

/*
 * read_follow - add the further segments (files) of a run, in order, to be read
 * as one dump.  Samples are numbered consecutively; a sample that two files
 * share is returned once; marks, and notes about control registers that other
 * programs changed, are merged and renumbered.  Call it before read_next.  The
 * paths are not copied.
 *
 * Returns 0, or -errno with a message in why.
 */
int read_follow(struct reader *, const char *const *path, unsigned n,
    struct diag *why);

/* How a file follows another one, if not without a gap. */
enum seam_kind {
	SEAM_MISSING,           /* files between them are missing */
	SEAM_RESTART,           /* the daemon was restarted */
	SEAM_REBOOT,            /* the node was rebooted */
	SEAM_RELOAD,            /* the daemon reloaded its configuration and
				 * programmed the counters anew */
};

struct seam {
	uint8_t kind;           /* enum seam_kind */
	uint64_t sample;        /* the first sample after it */
	uint64_t missing;       /* samples missing; 0 unless SEAM_MISSING */
	double seconds;         /* wall-clock time since the sample before */
	const char *path;       /* the file that begins here */
};

/* read_seam - seam i of those met so far; NULL: there are no more. */
const struct seam *read_seam(const struct reader *, unsigned i);
/* read_restart - the number of the first sample after the next restart of the
 * daemon that follows `sample`, by the heads of the files; UINT64_MAX: there is
 * none. */
uint64_t read_restart(const struct reader *, uint64_t sample);

/*
 * read_more - after read_next came to the end of a store: are there new rows?
 *
 * head   out: there are new constants, too
 *
 * Returns 1, 0, or -errno with a message in why; -EINVAL: not a store.
 */
int read_more(struct reader *, bool *head, struct diag *why);

/* read_path - the path as given.  read_shown - the same, printable. */
const char *read_path(const struct reader *);
const char *read_shown(const struct reader *);
/* read_columns - how many columns are known, and shown, so far. */
unsigned read_columns(const struct reader *);
/* read_column - column number id, below read_columns.  The pointer is valid
 * until read_next, what it points to until read_close. */
const struct column *read_column(const struct reader *, unsigned id);
/* read_find_id - the number of a column, or -1.  read_find - the same by its
 * printed form. */
int read_find_id(const struct reader *, const struct column_id *);
int read_find(const struct reader *, const char *name);

/* read_id - parse the printed form of a column or table; it need not exist.  0
 * or -ENOMEM. */
int read_id(struct reader *, const char *name, struct column_id *);

/* read_constants - how many constants there are.  read_constant - number i, in
 * order of the file.  read_constant_named - by name, or NULL. */
unsigned read_constants(const struct reader *);
const struct constant *read_constant(const struct reader *, unsigned i);
const struct constant *read_constant_named(const struct reader *,
    const char *name);
/* head_constant, head_number, head_text - the value of a key as a constant, a
 * number or a text; NULL or `otherwise` if there is none. */
const struct constant *head_constant(const struct reader *, enum head_key,
    struct head_at);
double head_number(const struct reader *, enum head_key, struct head_at,
    double otherwise);
const char *head_text(const struct reader *, enum head_key, struct head_at,
    const char *otherwise);
/* read_number - the value of a constant by its name, for formulas. */
double read_number(const struct reader *, const char *name, double otherwise);

/*
 * read_last_clock - the clocks of the last sample in the file, without reading
 * all of it: TSC in counts, wall clock in seconds.  Returns false if unknown (a
 * pipe, for example).
 *
 * own     looks through the file for another dump that begins in it, whose samples are
 *         not returned; false: takes them for those of this one
 */
bool read_last_clock(struct reader *, bool own, uint64_t *sample,
    uint64_t *tsc, double *wall_s);

/* read_is_cut - does the file end within a line?  False where that cannot be seen without
 * reading all of it: of a pipe, a compressed file, several segments. */
bool read_is_cut(const struct reader *);

/* read_problems - how many problems of a kind so far (PROBLEM_KINDS: of all).
 * read_problem - message i of the first few, or NULL. */
uint64_t read_problems(const struct reader *, enum problem_kind);
const struct read_problem *read_problem(const struct reader *, unsigned i);
/* read_lost - how many lines of a dump were ignored, including those of samples
 * that were left out; 0 for a store. */
uint64_t read_lost(const struct reader *);

#endif
