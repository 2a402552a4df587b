/*
 * config/dump/head.h - the keys of a dump's head, as a table: who writes one and
 * who reads it both name its row.  The rows are in config/dump/head_rows.h.
 */
#ifndef CONFIG_DUMP_HEAD_H
#define CONFIG_DUMP_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* HEAD_INTERVAL, HEAD_TSC_RATIO, ... */
enum head_key {
#define ROW(key, name, shape, type, unit, meaning) key,
#include "config/dump/head_rows.h"
#undef ROW
	HEAD_KEYS               /* how many; and: none of them */
};

/* What a key has in brackets. */
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
	HEAD_BY_COLUMN,         /* *_control: what that column has */
	HEAD_SHAPES
};

enum head_type {
	HEAD_INT, HEAD_HEX, HEAD_REAL, HEAD_TEXT,
	HEAD_HEX8,              /* of eight digits at least */
	HEAD_COLUMN             /* text: a column's name, in single quotes as it
				 * has double ones itself */
};

struct head_row {
	const char *name;       /* "lproc_core" */
	uint8_t shape;          /* enum head_shape */
	uint8_t type;           /* enum head_type */
	const char *unit;       /* "Hz"; "" where it has none */
	const char *meaning;    /* for tallyd-dump(5) */
};

/* What ntp_state says of a clock that nothing is behind. */
#define NTP_UNSYNCHRONISED "not synchronised"

const struct head_row *head_row(enum head_key);
/* head_shape_text - "[type][package][box]". */
const char *head_shape_text(enum head_shape);

struct column_id;

/* The indices of a value: names, then numbers, of each as many as the shape
 * has; HEAD_BY_COLUMN: the column. */
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
 * head_name - a key with its indices, as it is printed: lproc_core[5].
 *
 * depth  how many indices to print; HEAD_WHOLE: all.  Fewer name a table.
 *
 * Returns its length; 0, and "" in buf, where it does not fit or a name is
 * NULL.
 */
#define HEAD_WHOLE 8
#define HEAD_NAME_SIZE 1024
size_t head_name(char buf[HEAD_NAME_SIZE], enum head_key, struct head_at,
    unsigned depth);

/* head_find - the key of an array or a number of the head by what stands
 * before its indices; HEAD_KEYS: there is none. */
enum head_key head_find(const char *name, size_t len);

/*
 * head_indices - what a key has in brackets.
 *
 * text  '["CHA"][0][3]', taken apart where it stands: names in *at are in it
 *
 * Returns how many there are: head_depth of a value, fewer of a table; -1 where
 * that is not the key's shape.  Of HEAD_BY_COLUMN nothing is taken apart: 0.
 */
int head_indices(enum head_key, char *text, struct head_at *at);
unsigned head_depth(enum head_key);

/*
 * head_quote - a string that Lua 5.1 to 5.4, LuaJIT and Python 3 read alike.
 *
 * Quotes and backslashes are escaped, tab, newline and return written \t \n \r;
 * other control characters, which they spell differently, what is no UTF-8,
 * which Python refuses, and all else that is not printable becomes '?'.  to: room for HEAD_QUOTED(length of
 * s).  Returns how many bytes; no NUL is added.
 */
#define HEAD_QUOTED(len) (2 * (len) + 2)
size_t head_quote(char *to, const char *s, char quote);
/* head_quote_one - of the next character alone: *s is past it. */
#define HEAD_QUOTED_ONE 4
unsigned head_quote_one(char to[HEAD_QUOTED_ONE], const char **s, char quote);
/* head_unquote - the n bytes between the quotes of a string without its escapes,
 * where they stand; NUL-ended, for which there must be room.  Returns how many
 * are left. */
size_t head_unquote(char *s, size_t n);

/* head_is_number - would both languages read it as a number, and the same? */
bool head_is_number(const char *s);

#endif
