/*
 * config/dump/line.h - one line of a dump.
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

/* Pointers are into the line, or into the scratch buffer given. */
struct assign {
	uint8_t kind;           /* enum line_kind */
	const char *name;       /* with all indices, blanks taken out */
	size_t name_len;
	size_t family_len;      /* of the name before its indices */
	bool indexed;
	bool last_is_int;       /* the last index is an integer */
	uint64_t last;          /* that integer */
	size_t key_len;         /* of the name before its last index */
	uint8_t value;          /* enum value_kind */
	uint64_t u;             /* VALUE_INT, and */
	bool negative;          /* it has a minus, as two's complement */
	const char *text;       /* the value as written, without quotes */
	size_t text_len;
	const char *bad;        /* LINE_BAD: what is wrong */
};

/*
 * assign_parse - take the line [p, end) apart; end is where its '\n' is.
 *
 * scratch  room for end - p bytes, for names written with blanks in them
 */
void assign_parse(struct assign *, const char *p, const char *end,
    char *scratch);

/*
 * assign_whole - a VALUE_REAL as VALUE_INT, where it is a whole number with all
 * of its digits: 4.227e3.  Returns NULL, or what it is instead; 1.23457e+06 is
 * rounded, who knows to what.
 */
const char *assign_whole(struct assign *);

#endif
