/*
 * config/dump/column.h - a column: identity, name and printed form of one
 * number of every sample.  The plan makes columns, store and dump carry them,
 * the reader reads them back from either, and tally works with them.
 */
#ifndef CONFIG_DUMP_COLUMN_H
#define CONFIG_DUMP_COLUMN_H

#include "config/dump/family.h"

/*
 * The identity of a column.  Its printed form is:
 *
 *   name  = family ( { "[" index "]" } | label ) [ label ]
 *   label = "[" '"' ... '"' "]"
 *
 * imc_counts[0][3]["CAS_COUNT.READS"], core_group_counts["0-3"]["X"]: the last
 * label is the event; of two labels, the first is a list of lprocs.  Labels are
 * any text; printing escapes them (lua_quote).  Names in another form, written
 * by other programs (Lua's long quotes, an index after the event), are kept as
 * text in `odd`; event and indices are still parsed.
 */
#define MAX_INDEX 4

struct column_id {
	const struct family *family;    /* one object a family */
	const char *lprocs;             /* "0-3": their sum; or NULL */
	const char *event;              /* of a time: set or group; or NULL */
	const char *odd;                /* a name in another form: the text
					 * after the family; or NULL */
	uint8_t nindex;
	uint32_t index[MAX_INDEX];      /* package and box; lproc; ... */
};

/*
 * column_text - write the printed form, with `suffix` after the family's name
 * ("imc_counts" "_control" "[0][3]...").  Returns its length, as snprintf does.
 * column_string - the same in allocated memory; NULL: out of memory.
 * column_texts - column_text that also stores the length of each prefix that
 * names a table: the name, the name with its first index, ... the whole.
 * Returns how many there are.
 */
size_t column_text(const struct column_id *, const char *suffix, char *buf,
    size_t size);
char *column_string(const struct column_id *, const char *suffix);
#define MAX_TABLES (MAX_INDEX + 3)
#define MAX_NAME 1024           /* longest name that tallyd writes */
unsigned column_texts(const struct column_id *, const char *suffix, char *buf,
    size_t size, size_t length[MAX_TABLES]);

/* The parts of a printed form: pointers into it, not terminated; labels are
 * without quotes but still escaped. */
struct column_words {
	const char *family, *lprocs, *event, *odd;      /* NULL: none */
	size_t family_len, lprocs_len, event_len;
	uint8_t nindex;
	uint32_t index[MAX_INDEX];
};

/* column_parse - split a printed form of `len` bytes into its parts. */
void column_parse(struct column_words *, const char *name, size_t len);

/* column_same - are two columns identical?  column_order - comparison for
 * qsort.
 * column_in - is the column `table` itself or an element of it?  core_counts[5]
 * contains all core counts of lproc 5. */
bool column_same(const struct column_id *, const struct column_id *);
int column_order(const struct column_id *, const struct column_id *);
bool column_in(const struct column_id *, const struct column_id *table);

/*
 * A column is printed as `name[sample] = value`.  Its cell in the store holds
 * the raw value; what is printed is
 *   PRINT_DEC   raw * mul
 *   PRINT_HEX   0x%x of raw
 *   PRINT_TEMP  base - bits 22:16 of raw (degrees below TjMax)
 *   PRINT_SCALED  raw * enabled / running; these times are in the two cells
 *               from cell - base on; nothing if they are equal
 *   PRINT_CORE_TEMP  as PRINT_TEMP; nothing if bit 31 (reading valid) is 0
 *   PRINT_LOW   the lowest `base` bits of raw, 1 to 63
 * so a counter of `bits` bits wraps, as printed, at 2^bits * mul.
 */
struct column {
	struct column_id id;
	const char *name;       /* printed form; set by the reader alone */
	uint32_t cell;          /* index of its u64 in the row */
	uint32_t kind;          /* set by the reader: the same for all columns
	                         * of a family and event */
	uint8_t bits;           /* width of the counter, 1 to 64; 0: none */
	uint8_t print;          /* enum print */
	uint8_t mul;            /* 0 means 1 */
	uint8_t cls;            /* enum column_class; the event's, if known */
	int16_t base;
};

/*
 * column_set_family - the family of a column's sums by event set; NULL for a
 * column that is not summed by set.  cls: enum column_class, of the column.
 *
 * Such a sum holds, for each event set, what a counter that always runs counted
 * while that set was active: set_cycles[5]["caches"] is CPU_CLK_UNHALTED.THREAD
 * of lproc 5 over all turns of the set "caches" so far; the time of these turns,
 * in TSC cycles, is lproc_set_tsc[5]["caches"].
 */
const char *column_set_family(const struct column_id *, unsigned cls);

/* column_raw - the value of the column in a row, before multiplication by mul;
 * ABSENT: nothing is printed. */
uint64_t column_raw(const struct column *, const uint64_t *row);

#endif
