/*
 * config/dump/line.h - parse one line of a dump.
 */
#ifndef CONFIG_DUMP_LINE_H
#define CONFIG_DUMP_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * assign_whole - turn a VALUE_REAL into a VALUE_INT if it is a whole number
 * with all its digits: 4.227e3.  Returns NULL, or what is wrong: 1.23457e+06,
 * for example, is a rounded number, and its exact value is unknown.
 */
const char *assign_whole(struct assign *);

#endif
