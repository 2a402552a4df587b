/*
 * config/dump/column.h - what one number of a dump is.  The plan makes columns,
 * store and dump carry them, the reader takes them out of either, and tally
 * works with the same ones.
 */
#ifndef CONFIG_DUMP_COLUMN_H
#define CONFIG_DUMP_COLUMN_H

#include "config/dump/family.h"

/*
 * Which number it is.  Text is its printed form alone:
 *
 *   name  = family ( { "[" index "]" } | label ) [ label ]
 *   label = "[" '"' ... '"' "]"
 *
 * imc_counts[0][3]["CAS_COUNT.READS"], core_group_counts["0-3"]["X"]: a first
 * label, before another, is a list of lprocs, and the last one the event.
 * Labels are any text, and escaped as they are printed (head_quote).
 * What others write and is none of that (quotes of Lua's, an index behind the
 * event) is kept as it stands; event and indices are known all the same.
 */
#define MAX_INDEX 4

struct column_id {
	const struct family *family;    /* one object a family */
	const char *lprocs;             /* "0-3", added up; or NULL */
	const char *event;              /* set or group, of a time; or NULL */
	const char *odd;                /* what is behind the family; or NULL */
	uint8_t nindex;
	uint32_t index[MAX_INDEX];      /* package and box; lproc; ... */
};

/*
 * column_text - the printed form, with `suffix` behind the family's name
 * ("imc_counts" "_control" "[0][3]..."); as snprintf, what it is long.
 * column_string - the same in memory of its own; NULL: out of memory.
 * column_texts - the same, and how long each table that it is in is: the name,
 * the name and its first index, ... up to all of it, n of them.
 */
size_t column_text(const struct column_id *, const char *suffix, char *buf,
    size_t size);
char *column_string(const struct column_id *, const char *suffix);
#define MAX_TABLES (MAX_INDEX + 3)
#define MAX_NAME 1024           /* of the names of ours */
unsigned column_texts(const struct column_id *, const char *suffix, char *buf,
    size_t size, size_t length[MAX_TABLES]);

/* A printed form, taken apart: pointers into it, not terminated; labels are as
 * they stand between their quotes. */
struct column_words {
	const char *family, *lprocs, *event, *odd;      /* NULL: none */
	size_t family_len, lprocs_len, event_len;
	uint8_t nindex;
	uint32_t index[MAX_INDEX];
};

/* column_parse - of `len` bytes. */
void column_parse(struct column_words *, const char *name, size_t len);

/* column_same - is it one and the same?  column_order - for qsort: equal ones
 * side by side.  column_in - is it what `table` names, or in there: everything
 * of lproc 5 in core_counts[5]? */
bool column_same(const struct column_id *, const struct column_id *);
int column_order(const struct column_id *, const struct column_id *);
bool column_in(const struct column_id *, const struct column_id *table);

/*
 * A column is printed `name[sample] = value`.  The raw value of its cell is
 * never changed in store; what is printed is
 *   PRINT_DEC   raw * mul
 *   PRINT_HEX   0x%x of raw
 *   PRINT_TEMP  base - bits 22:16 of raw (degrees below TjMax)
 *   PRINT_SCALED  raw * enabled / running, times that stand in the two cells
 *               from cell - base on; nothing where they are equal
 *   PRINT_CORE_TEMP  as PRINT_TEMP, nothing while bit 31 says that the reading
 *               is not valid
 *   PRINT_LOW   the lowest `base` bits of raw, 1 to 63
 * so a counter of `bits` bits wraps, as printed, at 2^bits * mul.
 */
struct column {
	struct column_id id;
	const char *name;       /* its printed form, of the reader's; else NULL */
	uint32_t cell;          /* which u64 of the row */
	uint32_t kind;          /* the reader's: the same for all columns of a
	                         * family and event */
	uint8_t bits;           /* width of the counter, 1 to 64; 0: none */
	uint8_t print;          /* enum print */
	uint8_t mul;            /* 0 means 1 */
	uint8_t cls;            /* enum column_class, of the event where known */
	int16_t base;
};

/* column_raw - what of a row is printed as the column; ABSENT: nothing. */
uint64_t column_raw(const struct column *, const uint64_t *row);

#endif
