/*
 * config/dump/read_int.h - what the files of the reader share.  Each calls only
 * those below it:
 *
 *   read_run.c       the segments of a run, as one dump
 *   read.c           one file: head and samples
 *   read_ahead.c, read_store.c   threads; stores, the last sample
 *   read_lines.c     lines of a dump
 *   read_columns.c   columns
 *   read_names.c, read_file.c   names and constants; bytes and problems
 */
#ifndef CONFIG_DUMP_READ_INT_H
#define CONFIG_DUMP_READ_INT_H

#include <sys/types.h>

#include "config/arena.h"
#include "config/dump/dump.h"
#include "config/dump/read.h"
#include "config/dump/store.h"

#define READ_BUFFER (1u << 20)  /* the longest line */
#define READ_STEP (3u << 16)    /* bytes of one read(2): parsed while in L2 */
#define READ_ALIGN 64           /* cache line: the kernel copies a quarter
				 * faster if both sides are aligned */
#define READ_SLACK 64           /* readable bytes before and after a buffer */
#define MAX_COLUMNS (1u << 22)
#define MAX_CONSTANTS (1u << 20)
#define MAX_VLEN 16             /* most digits of a predicted value */
#define KEPT_PROBLEMS 20        /* messages kept of each kind */

/* Files compressed with gzip, bzip2, xz or zstd are read through these programs, if
 * they are installed. */
struct packed {
	const char *program;    /* NULL: the file is not compressed */
	pid_t pid;
};

/*
 * packed_open - if the file's first bytes say that it is compressed, start the
 * program that decompresses it.  The program gets the file as its standard
 * input, without a name and without a shell.
 *
 * fd  a regular file, at its beginning; closed here if it is compressed
 *
 * Returns the descriptor to read from (fd itself if the file is not compressed)
 * or -errno.
 */
int packed_open(struct packed *, int fd);

/*
 * packed_close - wait for the program.  Call it at the end of the data, or
 * after closing the descriptor.
 *
 * Returns 0, -ENOENT: the program is not installed, -EIO: it failed, so the
 * file is damaged.
 */
int packed_close(struct packed *);

/* What all columns of one family and event have in common. */
struct column_kind {
	struct family *family;
	const char *event;
	uint8_t cls;
};

/* A predicted line, from the sample before: prefix, sample, "] = ", digits. */
struct expected {
	uint32_t col;
	uint32_t text;          /* offset in text[]: prefix with its last '[' */
	uint16_t len;           /* length of the prefix; 0: no prediction */
	uint8_t vlen;           /* digits of the value; 0: parse slowly */
	uint8_t looked;         /* bytes of a 16-byte load that are compared */
	int8_t first;           /* offset of the first load; the last one ends with
				 * the prefix */
};

/* Columns by number.  Names and constants are in read_names.c. */
struct read_columns {
	struct column *column;
	uint32_t *key_len;      /* lengths of column[].name */
	unsigned n, room;
	unsigned hidden;        /* the last ones of n, which no row has (read_show) */
	struct lookup names;    /* finds a column by name */
	struct column_kind *kind;
	unsigned nkind, kind_room, kind_at;
	struct lookup kinds;    /* finds a kind by family and event */
};

/* The sample being read, and the one before. */
struct read_sample {
	uint64_t *value[2];
	unsigned cur;           /* value[cur] is being read */
	uint64_t n, next;       /* number of this sample and of the next */
	uint64_t line;          /* first line of this sample */
	bool have_next;         /* the line at `at` begins the next sample */
	bool returned;          /* some sample was returned */
	uint64_t last;          /* number of the sample returned last */
	unsigned nset;          /* values of this sample so far */
};

/* Prediction of the next lines from the sample before. */
struct prediction {
	struct expected *expect;
	unsigned nexpect;
	char *text;
	size_t text_room;
	unsigned pos;           /* index in expect[] of the next line */
	bool as_expected;       /* all lines of this sample were, so far */
	unsigned deviated;      /* samples not as expected since lines_learn */
	unsigned patience;      /* learn anew after 2^patience such samples */
	uint32_t *order;        /* the columns in the order of this sample */
	unsigned norder;
	uint32_t *where;        /* by column: its index in expect[], + 1 */
	char tail[48];          /* at TAIL: "17] = " */
	unsigned tail_len;
};

struct read_threads {
	struct parse_ahead *ahead;      /* NULL: no threads are running */
	unsigned jobs;          /* threads wanted; below 2: none */
	unsigned starts;        /* how often threads were started */
	uint64_t nreturned;     /* samples since threads were last stopped */
	uint64_t first_at;      /* file offset of the first of these */
};

struct read_bad {
	uint64_t n[PROBLEM_KINDS];
	/* lines lost so far, and when the present sample began */
	uint64_t lost, lost_before;
	struct read_problem *problem;
	unsigned nkept;
};

/* The state of reading a store. */
struct read_rows {
	uint64_t at, end;
	size_t notes;           /* bytes of notes when it was opened */
	unsigned marks;         /* marks when it was opened */
	uint64_t *raw;          /* one row */
};

struct reader {
	char *path, *shown;     /* printable */
	struct arena *arena;
	struct store *store;    /* NULL: a dump, with what follows */
	struct packed packed;   /* the decompressor, if the file needs one */
	struct read_run *run;   /* further files of the run; NULL: none */
	int fd;
	bool eof;
	bool in_samples;        /* after the head */
	bool whole;             /* a regular file: read_store.c may seek */
	uint64_t offset;        /* file offset of `end` */
	uint64_t left_out_at;   /* of another dump, which was left out; 0: none was */
	char *buf;              /* read_buffer */
	char *at, *end;         /* unread part */
	char *scratch;          /* a line without blanks */
	char *clean;            /* a name, quoted as lua_quote does */
	size_t clean_room;
	uint64_t line;          /* number of the line at `at` */

	struct families families;
	struct read_columns columns;
	struct constant *constant;
	unsigned nconstant, constant_room;
	struct lookup constants;        /* finds a constant by name */
	bool has_key[HEAD_KEYS];        /* some constant begins with its name */
	struct read_sample now;
	struct prediction guess;
	struct read_threads threads;
	struct read_bad bad;
	struct read_rows rows;
};

/* The tail is in the middle of its array, as a load also reads the bytes before
 * it. */
#define TAIL(r) ((r)->guess.tail + sizeof((r)->guess.tail) / 2)

/* What became of a line. */
enum taken {
	TAKEN,
	NEXT_SAMPLE,            /* not taken: it begins the next sample */
	OTHER_DUMP,             /* not taken: another dump's head begins */
};

/*
 * lines_expected - take lines from the buffer as long as they match the
 * prediction.
 * lines_take - take any line [r->at, newline).  Returns enum taken or -errno;
 * -EAGAIN: it has a new column, and nothing is taken (names_add).
 * lines_other_dump - does this constant, which follows samples, begin the head of
 * another dump, as in a file that two dumps were written to?  Segments of one run may
 * follow each other.
 * lines_known - take a line of a known column, of this sample or the next.
 * Returns enum taken, or -EINVAL for another line; problems go to read_note.
 * lines_begin - does this line begin a sample, with a known column?
 * lines_learn - predict the columns of order[], in that order.  0 or -ENOMEM.
 * sample_begin - begin the next sample.  0 or -ENOMEM.
 * sample_end - its columns that had no line are ABSENT.
 */
void lines_expected(struct reader *);
int lines_take(struct reader *, const char *newline);
bool lines_other_dump(const struct reader *, const struct assign *);
int lines_known(struct reader *, const char *newline);
bool lines_begin(struct reader *, const char *newline);
int lines_learn(struct reader *);
int sample_begin(struct reader *);
void sample_end(struct reader *);

/* read_buffer - allocate READ_BUFFER + READ_ALIGN bytes with slack; NULL: out
 * of memory.
 * read_refill - append more of the file to the unread text, which moves to the
 * front of the buffer.  Returns 1, 0 at the end of the file, or -errno.
 * read_whole_line - find the '\n' of the line at r->at, reading on as needed.  Returns
 * 1, 0 at the end of the file, or -errno. */
char *read_buffer(void);
int read_refill(struct reader *, struct diag *why);
int read_whole_line(struct reader *, char **newline, struct diag *why);

/* ahead_sample - take the sample at `at` if a thread has parsed it; else false.
 * ahead_stop - stop all threads. */
bool ahead_sample(struct reader *);
void ahead_stop(struct reader *);

/* read_note - record a problem at a line of the file. */
void read_note(struct reader *, enum problem_kind, uint64_t line,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* columns_shown - how many columns a row has: the first ones. */
unsigned columns_shown(const struct reader *);

/* names_column - the id of a column by name, added if it is new.
 * names_add - add a column that is new.  Both return its id or -errno; -EAGAIN: it is
 * new, and threads use the columns (ahead_stop). */
int names_column(struct reader *, const char *name, size_t len);
int names_add(struct reader *, const char *name, size_t len);
/* names_find - the id of a column by name, or -1. */
int names_find(const struct reader *, const char *name, size_t len);
/* names_clean - quote the strings in a name as lua_quote does, so that it can
 * be shown, found and printed again.  0 or -ENOMEM. */
int names_clean(struct reader *, struct assign *);
/* names_constant - keep a constant.  0 or -errno. */
int names_constant(struct reader *, const struct assign *);
/* names_sampled - is this an array of samples (1) or of constants (0)?  Or
 * -ENOMEM. */
int names_sampled(struct reader *, const char *family, size_t len);
/* names_hash - a hash of n bytes, eight at a time: faster than lookup_hash, but not
 * the same on every machine. */
uint64_t names_hash(const char *name, size_t n);
void names_fini(struct reader *);

/* file_next, file_last_clock, file_close - read_next, read_last_clock and
 * read_close for one file without the other files of a run. */
int file_next(struct reader *, struct read_row *, struct diag *why);
bool file_last_clock(const struct reader *, bool own, uint64_t *sample,
    uint64_t *tsc, double *wall_s);
void file_close(struct reader *);               /* NULL accepted */

/* store_begin - take columns and constants from reader->store.
 * store_next - read_next for a store. */
int store_begin(struct reader *, struct diag *why);
int store_next(struct reader *, struct read_row *, struct diag *why);

/* read_head_text - read constants from text in memory (the preamble of a
 * store). */
int read_head_text(struct reader *, const char *text, struct diag *why);

#endif
