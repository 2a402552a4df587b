/*
 * config/dump/head_put.h - build the head of a dump in memory.  Each function
 * adds one complete line, or nothing and sets `error`.
 */
#ifndef CONFIG_DUMP_HEAD_PUT_H
#define CONFIG_DUMP_HEAD_PUT_H

#include "config/dump/head.h"

/* Zero-initialised, it grows as needed; free it with head_fini.  With a buffer
 * of the caller (head_buffer) nothing is allocated. */
struct head {
	char *text;             /* the text so far, NUL-terminated; or NULL */
	size_t n, room;
	bool fixed;
	int error;              /* why the first missing line is missing:
				 * -ENOMEM, -ENOSPC, -EINVAL (the value is not
				 * of its key's type), -ENAMETOOLONG */
};

struct head head_buffer(char *buf, size_t size);
void head_fini(struct head *);
/* head_take - the text, which the caller frees; NULL after an error (the text
 * is freed here). */
char *head_take(struct head *);

/* head_put_table - declare a table before its first value: `lproc_core = {}`.
 * depth: as in head_name; 0: the table of the key itself. */
void head_put_table(struct head *, enum head_key, struct head_at,
    unsigned depth);

/* head_declare - declare all tables of a key that are not declared yet. */
void head_declare(struct head *, enum head_key, struct head_at);

/* Add a value; the function has to match the type of the key.  A real is
 * written with nine digits and without an exponent; infinity and NaN add no
 * line. */
void head_put_int(struct head *, enum head_key, struct head_at, int64_t);
void head_put_count(struct head *, enum head_key, struct head_at, uint64_t);
void head_put_hex(struct head *, enum head_key, struct head_at, uint64_t);
void head_put_real(struct head *, enum head_key, struct head_at, double);
/* Any text, HEAD_COLUMN too: quoted by lua_quote. */
void head_put_text(struct head *, enum head_key, struct head_at, const char *);
/* head_put_digits - add a real that is text already; no line if Lua or Python
 * would not read it as a number. */
void head_put_digits(struct head *, enum head_key, struct head_at,
    const char *digits);

/* head_put_lines, head_append - add complete lines. */
void head_put_lines(struct head *, const char *text, size_t n);
void head_append(struct head *, const struct head *more);

/* head_put_again - parse head lines that another user may have written and add
 * them anew.  Returns how many were left out, as they are not valid lines of
 * tallyd's head. */
unsigned head_put_again(struct head *, const char *text);

/* head_has - was this table, or with HEAD_WHOLE this value, added already? */
bool head_has(const struct head *, enum head_key, struct head_at,
    unsigned depth);

#endif
