/*
 * config/dump/read_int.h - the reader, between its own files: read.c (files and
 * samples), read_lines.c, read_columns.c, read_names.c (constants), read_head.c,
 * read_store.c, read_clock.c, read_ahead.c (threads).
 */
#ifndef CONFIG_DUMP_READ_INT_H
#define CONFIG_DUMP_READ_INT_H

#include "config/arena.h"
#include "config/dump/line.h"
#include "config/dump/read.h"
#include "config/dump/store.h"
#include "config/packed.h"

#define READ_BUFFER (1u << 20)  /* the longest line */
#define READ_STEP (3u << 16)    /* read at once: of an L2, parsed in place */
#define READ_ALIGN 64           /* a kernel copies a quarter faster to lines of
				 * a cache, from such */
#define READ_SLACK 64           /* readable bytes before and after it */
#define MAX_COLUMNS (1u << 22)
#define MAX_CONSTANTS (1u << 20)
#define MAX_VLEN 16             /* digits that prediction can take */
#define KEPT_PROBLEMS 20        /* of each kind, in words */

/* Name to number: open addressing, nslot a power of two. */
struct names {
	uint32_t *slot;         /* number + 1; 0: free */
	size_t nslot, used;
};

/* What all columns of one family and event have in common. */
struct column_kind {
	const struct family *family;
	const char *event;
	uint8_t cls;
};

/* A line as the previous sample had it: prefix, sample, "] = ", digits. */
struct expected {
	uint32_t col;
	uint32_t text;          /* of text[]: the prefix with its last '[' */
	uint16_t len;           /* of the prefix; 0: never expect it */
	uint8_t vlen;           /* digits of the value; 0: parse slowly */
	uint8_t looked;         /* bytes of the prefix that a load is to see */
	int8_t first, second;   /* where two of them are; the third is its end */
};

/* Columns by number; names and constants: read_names.c. */
struct read_columns {
	struct column *column;
	uint32_t *key_len;      /* of column[].name */
	unsigned n, room;
	struct names names;
	struct column_kind *kind;
	unsigned nkind, kind_room, kind_at;
	struct lookup kinds;    /* of column_kind, by family and event */
};

/* The sample being read, and the one before. */
struct read_sample {
	uint64_t *value[2];
	unsigned cur;           /* of value[] */
	uint64_t n, next;       /* its number, and that of the one behind it */
	uint64_t line;          /* its first */
	bool have_next;         /* the line at `at` begins the next one */
	bool returned;
	uint64_t last;          /* returned last */
	unsigned nset;          /* values of this sample */
};

/* What the next lines should be, by the sample before. */
struct prediction {
	struct expected *expect;
	unsigned nexpect;
	char *text;
	size_t text_room;
	unsigned pos;           /* of expect[]: the line that should come */
	bool as_expected;       /* every line of this sample so far */
	unsigned deviated;      /* samples not as expected since lines_learn */
	unsigned patience;      /* log2 of how many to wait for */
	uint32_t *order;        /* columns as this sample has them */
	unsigned norder;
	uint32_t *where;        /* by column: its place in expect[], + 1 */
	char tail[48];          /* at TAIL: "17] = " */
	unsigned tail_len;
};

struct read_threads {
	struct parse_ahead *ahead;      /* NULL: none are running */
	unsigned jobs;          /* how many there should be; below 2: none */
	unsigned starts;
	uint64_t nreturned;     /* samples since they were stopped last, */
	uint64_t first_at;      /* and the byte that the first began at */
};

struct read_bad {
	uint64_t n[PROBLEM_KINDS];
	uint64_t lost, lost_before;     /* lines; by the present sample's begin */
	struct read_problem *problem;
	unsigned nkept;
};

/* Of a store: what is read of it. */
struct read_rows {
	uint64_t at, end;
	size_t notes;           /* bytes of notes, and marks, when opened */
	unsigned marks;
	uint64_t *raw;          /* a row of it */
};

struct reader {
	char *path, *shown;     /* printable */
	struct arena *arena;
	struct store *store;    /* or a dump: */
	struct packed packed;   /* what r->fd comes out of, if anything */
	struct read_run *run;   /* further files of it; NULL: none */
	int fd;
	bool eof;
	bool in_samples;        /* the head is over */
	bool whole;             /* a regular file: read_clock.c may seek, */
	uint64_t offset;        /* and its byte that `end` is */
	char *buf;              /* read_buffer */
	char *at, *end;         /* unread part */
	char *scratch;          /* a line without blanks */
	char *clean;            /* a name, its strings written as ours are */
	size_t clean_room;
	uint64_t line;          /* number of the line at `at` */

	struct families families;
	struct read_columns columns;
	struct constant *constant;
	unsigned nconstant, constant_room;
	struct names constants;
	bool has_key[HEAD_KEYS];        /* some constant begins with its name */
	struct read_sample now;
	struct prediction guess;
	struct read_threads threads;
	struct read_bad bad;
	struct read_rows rows;
};

/* In the middle, for what is before it is loaded, too. */
#define TAIL(r) ((r)->guess.tail + sizeof((r)->guess.tail) / 2)

/* What became of a line. */
enum taken {
	TAKEN,
	NEXT_SAMPLE,            /* not taken: it begins another sample */
};

/*
 * lines_expected - take lines from the buffer as long as they are what was
 * expected; stops at the first that is not, and before the buffer's end.
 * lines_take - any line [r->at, newline): enum taken, or -errno.
 * lines_known - a line of this sample and of a column that is known, or the next
 * sample's: enum taken.  Else -EINVAL, or read_note has said something.
 * lines_begin - is it the first line of a sample, next_sample, of such a column?
 * lines_learn - expect the columns of order[] again, in that order; -ENOMEM.
 */
void lines_expected(struct reader *);
int lines_take(struct reader *, const char *newline);
int lines_known(struct reader *, const char *newline);
bool lines_begin(struct reader *, const char *newline);
int lines_learn(struct reader *);

/* read_buffer - READ_BUFFER and READ_ALIGN bytes, with slack; NULL: no memory.
 * sample_begin - what is read from here on is of next_sample; -ENOMEM.
 * read_refill - more of the file behind what is unread: 1, 0 at its end, -errno. */
char *read_buffer(void);
int sample_begin(struct reader *);
int read_refill(struct reader *, struct diag *why);

/* ahead_sample - take the sample at `at` from a thread that has parsed it; false:
 * none has.  ahead_stop - no thread runs any more. */
bool ahead_sample(struct reader *);
void ahead_stop(struct reader *);

/* read_note - a problem at a line of the file. */
void read_note(struct reader *, enum problem_kind, uint64_t line,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* names_column - the id of the column name, made when there is none; -errno. */
int names_column(struct reader *, const char *name, size_t len);
/* names_find - the id of a column by name, or -1. */
int names_find(const struct reader *, const char *name, size_t len);
/* names_clean - write the strings in a name as head_quote does, so that it can
 * be shown, found, and printed again; -ENOMEM. */
int names_clean(struct reader *, struct assign *);
/* names_constant - keep a constant; -errno. */
int names_constant(struct reader *, const struct assign *);
/* head_classify - key and indices of a constant that is new; -errno. */
int head_classify(struct reader *, struct constant *);
/* names_sampled - is this array of columns, rather than of constants?  1, 0,
 * -ENOMEM. */
int names_sampled(struct reader *, const char *family, size_t len);
/* names_grow - room in a table for one more; -ENOMEM.  names_keep - it. */
int names_grow(const struct reader *, struct names *);
void names_keep(const struct reader *, struct names *, const char *name,
    size_t len, uint32_t number);
void names_fini(struct reader *);

/* file_next - read_next of this file alone.  read_run.c:
 * run_last_clock - read_last_clock of a run's last file.  run_fini - also where
 * there is none. */
int file_next(struct reader *, struct read_row *, struct diag *why);
bool run_last_clock(const struct reader *, uint64_t *sample, uint64_t *tsc,
    double *wall_s);
void run_fini(struct reader *);

/* store_begin - columns and constants of reader->store; store_next as
 * read_next. */
int store_begin(struct reader *, struct diag *why);
int store_next(struct reader *, struct read_row *, struct diag *why);

/* read_head_text - constants from text in memory (the preamble of a store). */
int read_head_text(struct reader *, const char *text, struct diag *why);

#endif
