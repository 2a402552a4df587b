/*
 * config/dump/dump.h - write the rows of a store as text, the file that users
 * keep; parse one line of it.
 *
 * A dump consists of assignments, one a line, valid in Lua and in Python.
 * README.md and tallyd-dump(5) specify it; config/dump/read.h reads it.
 */
#ifndef CONFIG_DUMP_DUMP_H
#define CONFIG_DUMP_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "config/dump/store.h"

/*
 * An estimate of how many different numbers a dump has.  Lua compiles a file to
 * one function, keeps each number as a constant of it, and limits those.  Limits
 * measured with files of `a[1] = N` lines: Lua 5.1.5, 5.4 and LuaJIT 2.1.
 */

/* Constants a function may have; 5.1 counts names, too; 5.2 allows tens of millions. */
enum { NUMBERS_LUAJIT = 65536, NUMBERS_LUA51 = 262141 };

#define NUMBERS_BITS 20

/* One bit for each value of the hash; `set` counts the bits that are 1. */
struct number_map {
	uint64_t *word;         /* [1 << (NUMBERS_BITS - 6)]; NULL: not counting */
	uint32_t set;
};

/* numbers_take - count one number.  numbers_seen - estimate how many different
 * numbers were taken: within 1 %; beyond two million the error grows. */
void numbers_take(struct number_map *, uint64_t value);
uint64_t numbers_seen(const struct number_map *);

/* dump_write - write preamble, declarations and all rows counted so far to fd.
 * numbers: out, how many different numbers its rows have (numbers_seen); or
 * NULL.  Returns 0 or -errno for store_error. */
int dump_write(const struct store *, int fd, uint64_t *numbers);

/* dump_head - the text between preamble and declarations of a dump of the first
 * `rows` rows.  The caller frees it.  NULL: out of memory. */
char *dump_head(const struct store *, uint64_t rows);

/* ---- the file that the user named ---------------------------------------- */

/* The file that this run wrote last.  Shared memory, as child processes write
 * dumps, too. */
struct save_mine {
	unsigned number;        /* in HOST.perfcounts.2.lua; 1: no number */
	dev_t dev;
	ino_t ino;              /* 0: nothing was written yet */
	off_t size;
	struct timespec mtime;
	uint64_t numbers;       /* different numbers in it, from dump_write */
};

/*
 * The destination of a dump: a name in a folder that save_open opens and keeps
 * open, so that replacing a part of its path cannot redirect us.  A device,
 * pipe or link that exists at save_open is written to and kept.  What appears
 * at the name later is neither replaced nor followed: the dump gets the next
 * number.
 */
struct save_place {
	int dir;                /* -1: none */
	char name[256];         /* without a number */
	char path[4096];
	bool in_place;          /* a device, pipe or link, to be written to: */
	dev_t dev;
	ino_t ino;              /* 0: in /proc */
	uid_t owner;            /* its owner at save_open */
	bool overwrite;         /* replace any existing file */
	int uid, gid;           /* owner of the new file; -1: the writer */
	mode_t mode;            /* 0640 without the bits of the umask */
	struct save_mine *mine;
};

#define SAVE_NUMBERS 9999

/* save_open - open the destination that path names.  0, or -errno with a
 * message. */
int save_open(struct save_place *, const char *path, struct diag *why);
void save_close(struct save_place *);           /* a closed one is ignored */

/* save_beside - a destination for another, new file in the same folder.  0 or
 * -errno. */
int save_beside(struct save_place *, const struct save_place *,
    const char *name);

/*
 * save_trusted - may root safely write there?
 *
 * Not in a folder where another user could swap the file (they own it, or
 * others may write to it and it is not sticky like /tmp), nor through another
 * user's link.  Returns 0, or -EACCES with a message.
 */
int save_trusted(const struct save_place *, struct diag *why);

/* save_name - the file's present name, with its number.  save_path - the same
 * with the folder as the user named it. */
const char *save_name(const struct save_place *, char name[256]);
const char *save_path(const struct save_place *, char path[4096]);

/* save_taken - does a file with that name exist that this run has not
 * written? */
bool save_taken(const struct save_place *);

/* save_undo - remove the file that this run wrote last, unless it has been
 * changed or replaced since. */
void save_undo(const struct save_place *);

/* save_try - test whether a dump could be written now.  0 or -errno. */
int save_try(const struct save_place *);

/*
 * save_dump - write the dump to a temporary file in the folder, fsync, rename, fsync the
 * folder.
 *
 * Replaces what this run wrote before.  Another file is only replaced with
 * `overwrite`; else the dump gets the next free number (see save_path).
 * Returns 0, or -errno with a message in why.  0: why has a warning where the folder could
 * not be synced, and "" otherwise.
 */
int save_dump(const struct store *, const struct save_place *,
    struct diag *why);

/* ---- one line of it ------------------------------------------------------ */

enum line_kind {
	LINE_BLANK,             /* nothing, or a comment */
	LINE_CODE,              /* function f() / end / f(): Lua around values */
	LINE_TABLE,             /* imc_counts[0] = {} */
	LINE_VALUE,
	LINE_BAD,
};

enum value_kind {
	VALUE_INT,
	VALUE_REAL,             /* 2.5, 1e9 */
	VALUE_TEXT,             /* "..." */
	VALUE_NONE,             /* nil, None */
	VALUE_HUGE,             /* an integer of 2^64 or more */
};

/* A parsed line.  Pointers are into the line or into the scratch buffer. */
struct assign {
	uint8_t kind;           /* enum line_kind */
	const char *name;       /* with all indices, without blanks */
	size_t name_len;
	size_t family_len;      /* length of the name before its indices */
	bool indexed;
	bool last_is_int;       /* the last index is an integer */
	uint64_t last;          /* that integer */
	size_t key_len;         /* length of the name before its last index */
	uint8_t value;          /* enum value_kind */
	uint64_t u;             /* VALUE_INT; two's complement if negative */
	bool negative;          /* the value has a minus sign */
	const char *text;       /* the value as written, without quotes */
	size_t text_len;
	const char *bad;        /* LINE_BAD: what is wrong */
};

/*
 * assign_parse - parse the line [p, end); end is at its '\n'.
 *
 * scratch  room for end - p bytes, for names that contain blanks
 */
void assign_parse(struct assign *, const char *p, const char *end,
    char *scratch);

/*
 * assign_plain - the same for a value of a sample as tallyd writes it, with a number of
 * at most 18 digits and nothing in its name that would be quoted or left out:
 * aperf[17][3] = 123.  False: it is another line, which assign_parse takes.
 */
bool assign_plain(struct assign *, const char *p, const char *end);

/*
 * assign_whole - turn a VALUE_REAL into a VALUE_INT if it is a whole number
 * with all its digits: 4.227e3.  Returns NULL, or what is wrong: 1.23457e+06,
 * for example, is a rounded number, and its exact value is unknown.
 */
const char *assign_whole(struct assign *);

#endif
