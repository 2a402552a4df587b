/*
 * config/dump/head_put.h - assignments for the head of a dump, put together in
 * memory.  Each function adds one line, whole or not at all.
 */
#ifndef CONFIG_DUMP_HEAD_PUT_H
#define CONFIG_DUMP_HEAD_PUT_H

#include "config/dump/head.h"

/* Zeroed, it grows as needed: head_fini.  In a buffer of its user's
 * (head_buffer) nothing is allocated. */
struct head {
	char *text;             /* so far; NULL: nothing yet, or NUL-ended */
	size_t n, room;
	bool fixed;
	int error;              /* what was left out first: -ENOMEM, -ENOSPC,
				 * -EINVAL a value that is not of its key's
				 * type, -ENAMETOOLONG */
};

struct head head_buffer(char *buf, size_t size);
void head_fini(struct head *);
/* head_take - the text, the caller's to free; NULL after an error, which
 * frees it. */
char *head_take(struct head *);

/* head_put_table - `lproc_core = {}`, before its first value; depth: as in
 * head_name, 0 of the key itself. */
void head_put_table(struct head *, enum head_key, struct head_at,
    unsigned depth);

/* head_declare - all tables of a key that are not there yet. */
void head_declare(struct head *, enum head_key, struct head_at);

/* Values, by the type of the key.  A real has nine digits, and no line where
 * it is none of the numbers; it is written without an exponent. */
void head_put_int(struct head *, enum head_key, struct head_at, int64_t);
void head_put_count(struct head *, enum head_key, struct head_at, uint64_t);
void head_put_hex(struct head *, enum head_key, struct head_at, uint64_t);
void head_put_real(struct head *, enum head_key, struct head_at, double);
/* Any text, HEAD_COLUMN too: quoted by head_quote. */
void head_put_text(struct head *, enum head_key, struct head_at, const char *);
/* head_put_digits - a real as it is written already; no line where Lua or
 * Python would not read it as a number. */
void head_put_digits(struct head *, enum head_key, struct head_at,
    const char *digits);

/* head_put_lines, head_append - lines that were put together before. */
void head_put_lines(struct head *, const char *text, size_t n);
void head_append(struct head *, const struct head *more);

/* head_put_again - lines that somebody else may have written, each put as the
 * value or the table that it is of.  Returns how many are none that a key of
 * ours has, and are left out. */
unsigned head_put_again(struct head *, const char *text);

/* head_has - is there such a table, or such a value (HEAD_WHOLE), already? */
bool head_has(const struct head *, enum head_key, struct head_at,
    unsigned depth);

#endif
