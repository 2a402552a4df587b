/*
 * config/dump/head.h - the keys of a dump's head, as a table that writer and
 * reader share.  The rows are in config/dump/head_rows.h, what they mean in
 * tallyd-dump(5).
 */
#ifndef CONFIG_DUMP_HEAD_H
#define CONFIG_DUMP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/diag.h"

/* HEAD_INTERVAL, HEAD_TSC_RATIO, ... */
enum head_key {
#define ROW(key, name, shape, type, unit) key,
#include "config/dump/head_rows.h"
#undef ROW
	HEAD_KEYS               /* how many there are; also: no key */
};

/* The indices of a key. */
enum head_shape {
	HEAD_ALONE,
	HEAD_BY_PACKAGE, HEAD_BY_LPROC, HEAD_BY_NODE, HEAD_BY_DEVICE,
	HEAD_BY_SAMPLE, HEAD_BY_NUMBER,
	HEAD_BY_STACK,          /* [package][stack] */
	HEAD_BY_BOX,            /* ["TYPE"][package][box] */
	HEAD_BY_FAMILY,         /* ["imc_counts"] */
	HEAD_BY_EVENT,          /* ["imc_counts"]["CAS_COUNT.READS"] */
	HEAD_BY_MODE, HEAD_BY_SET,
	HEAD_BY_GROUP,          /* ["GROUP"][n] */
	HEAD_BY_COLUMN,         /* *_control: the indices of a column */
	HEAD_SHAPES
};

enum head_type {
	HEAD_INT, HEAD_HEX, HEAD_REAL, HEAD_TEXT,
	HEAD_HEX8,              /* at least eight digits */
	HEAD_COLUMN             /* text: a column's name, in single quotes, as
				 * it contains double ones */
};

struct head_row {
	const char *name;       /* "lproc_core" */
	uint8_t shape;          /* enum head_shape */
	uint8_t type;           /* enum head_type */
	const char *unit;       /* "Hz"; "" if it has none */
};

/* The value of ntp_state if nothing synchronises the clock. */
#define NTP_UNSYNCHRONISED "not synchronised"

const struct head_row *head_row(enum head_key);

struct column_id;

/* The indices of a value: first the names, then the numbers that its shape has;
 * for HEAD_BY_COLUMN the column. */
struct head_at {
	const char *name[2];
	uint64_t n[2];
	const struct column_id *column;
};

#define ALONE ((struct head_at){ .n = { 0 } })
#define AT(...) ((struct head_at){ .n = { __VA_ARGS__ } })      /* AT(pkg, 3) */
#define OF_COLUMN(id) ((struct head_at){ .column = (id) })
#define OF(...) ((struct head_at){ .name = { __VA_ARGS__ } })   /* OF(family) */

/*
 * head_name - print a key with its indices: lproc_core[5].
 *
 * depth  how many indices to print; HEAD_WHOLE: all.  Fewer name a table.
 *
 * Returns the length; 0, and "" in buf, if it does not fit or a name is NULL.
 */
#define HEAD_WHOLE 8
#define HEAD_NAME_SIZE 1024
size_t head_name(char buf[HEAD_NAME_SIZE], enum head_key, struct head_at,
    unsigned depth);

/* head_find - find a key by its name without indices; HEAD_KEYS: there is
 * none. */
enum head_key head_find(const char *name, size_t len);

/*
 * head_indices - parse the indices of a key.
 *
 * text  '["CHA"][0][3]'; modified: names in *at point into it
 *
 * Returns how many there are: head_depth for a value, fewer for a table; -1 if
 * they do not have the key's shape.  Indices of HEAD_BY_COLUMN are not parsed:
 * returns 0.
 */
int head_indices(enum head_key, char *text, struct head_at *at);
unsigned head_depth(enum head_key);

/* head_is_number - do Lua and Python read s as the same number? */
bool head_is_number(const char *s);

/*
 * The words of a mark with a name (HEAD_MARK_TEXT):
 *
 *   words = word { " " word }
 *   word  = KEY [ "=" VALUE ]
 *   job   = "job=" ID " begin" { " " word } | "job=" ID " end"
 */
#define MARK_WORDS 255          /* bytes, at most */

/* mark_words_check - check the text of a mark.  As it is shown on terminals and in
 * scripts, each byte has to be one of [A-Za-z0-9_.,:+@%/=-], with a single blank
 * between words.  Returns 0, or -EINVAL with the reason in why. */
int mark_words_check(const char *text, struct diag *why);

/* mark_words_value - the value of the word KEY=VALUE in text, not terminated: its
 * length in *n, 0 for a KEY without value.  Returns NULL if there is no KEY.
 * mark_has - has it a word KEY, or KEY=VALUE? */
const char *mark_words_value(const char *text, const char *key, size_t *n);
bool mark_has(const char *text, const char *key);

/* ---- writing ------------------------------------------------------------- */

/* The head of a dump, built in memory: each function adds one complete line, or nothing
 * and sets `error`.  Zero-initialised, it grows as needed; free it with head_fini.  With
 * a buffer of the caller (head_buffer) nothing is allocated. */
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
