/*
 * config/dump/column.h - a column: identity, name and printed form of one
 * number of every sample; and its family.  The plan makes columns, store and dump carry them,
 * the reader reads them back from either, and tally works with them.
 */
#ifndef CONFIG_DUMP_COLUMN_H
#define CONFIG_DUMP_COLUMN_H

#include <stddef.h>

#include "config/arena.h"
#include "lib/lookup.h"
#include "regs/model.h"

/* ---- families ------------------------------------------------------------ */

/*
 * A family of columns: they share the name before the indices, the meaning of the
 * indices, width, unit and class.
 *
 * Each program has one object for a family.  The plan makes it from a row of
 * the model's tables, the reader from its name and the head of the dump.  Both
 * use family_describe for the rest, so both get the same result.
 */

/* The meaning of the index of a family's columns.  If they have two indices,
 * these are package and box, unless stated otherwise. */
enum family_of {
	OF_NODE,                /* of the whole node: walltime[0] */
	OF_LPROC,               /* aperf[lproc] */
	OF_CORE,                /* core_c6_residency[first lproc of the core] */
	OF_CCX,                 /* two indices: package and core complex */
	OF_PKG,                 /* rapl_pkg_energy[package] */
	OF_PORT,                /* ib_recv_bytes[port of the node] */
};

/* The parts of names of related families: imc_counts, imc_enabled,
 * imc_sum_counts. */
enum family_part {
	PART_NONE,              /* the name has no such part: aperf */
	PART_COUNTS,
	PART_ENABLED,           /* perf's time_enabled of a group, in ns */
	PART_RUNNING,           /* perf's time_running of a group, in ns */
	PART_SCALED,            /* counts times enabled / running */
	PARTS
};

enum family_sum {
	SUM_NONE,
	SUM_LPROCS,             /* core_group_counts["0-3"] */
	SUM_BOXES,              /* cha_sum_counts[package] */
	SUMS
};

struct family {
	const char *name;       /* "imc_counts" */
	const char *unit;       /* "count", "bytes", "rapl_pkg"; "": not known */
	const char *value;      /* what is printed: "raw", or its formula */
	uint8_t bits;           /* of the raw counter; 0: no counter */
	uint8_t mul;            /* raw * mul is what is printed; at least 1 */
	uint8_t cls;            /* enum column_class, unless the event has its
				 * own */
	uint8_t of;             /* enum family_of */
	uint8_t part, sum;      /* enum family_part, family_sum */
	uint16_t stem;          /* length of the name without these: "imc" */
	bool raw;               /* a register of the user's own */
	bool known;             /* by its name: its arrays hold samples */
	bool said;              /* bits, mul and unit are from the head */
	bool fixed;             /* the fixed counters of a core or of boxes */
	/* the row of the model's tables: one of these, or none */
	const struct box_type *type;
	const struct scalar *scalar;
	const struct freerun *freerun;
};

/* family_describe - fill in what follows from the family's name and the
 * model. */
void family_describe(struct family *, const struct model *, const char *name);

/* family_say - set what the dump's head says of the family; unit NULL, bits
 * below 0 or mul 0: it says nothing of these.
 * family_say_value - the same for `value`; NULL: nothing. */
void family_say(struct family *, const char *unit, int bits, unsigned mul);
void family_say_value(struct family *, const char *value);

/* family_event - the class of an event, by its control value, or by its name if
 * the control value is unknown (ctl ABSENT). */
enum column_class family_event(const struct family *, const struct model *,
    const char *event, uint64_t ctl);

/* family_name - the family's name from its parts: "imc", SUM_BOXES and
 * PART_ENABLED give "imc_sum_enabled". */
const char *family_name(const char *stem, size_t stem_len, enum family_sum,
    enum family_part, char *buf, size_t size);

/* All families, each name once. */
struct families {
	struct arena *arena;            /* the owner's */
	const struct model *model;
	struct family **family;
	unsigned n, room, last;         /* last: the one found last */
	struct lookup by_name;
};

/* families_get - find a family by name, or add it, described by
 * family_describe; NULL: out of memory.
 * families_find - find a family by name; NULL if it was not added yet. */
struct family *families_get(struct families *, const char *name, size_t len);
struct family *families_find(struct families *, const char *name, size_t len);
void families_fini(struct families *);

/* ---- columns ------------------------------------------------------------- */

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
 */
size_t column_text(const struct column_id *, const char *suffix, char *buf,
    size_t size);
char *column_string(const struct column_id *, const char *suffix);
#define MAX_TABLES (MAX_INDEX + 3)
#define MAX_NAME 1024           /* longest name that tallyd writes */

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

/* ---- tables -------------------------------------------------------------- */

/* Tables are declared before their first use, as Lua and Python require. */
typedef void declare_put(void *ctx, const char *text, size_t size);

struct declared;

/* declare_new - put: writes a piece of text.  NULL: out of memory. */
struct declared *declare_new(declare_put *put, void *ctx);
/*
 * declare_tables - for a column such as `imc_counts[0][3]["X"]` write
 * `imc_counts = {}`, `imc_counts[0] = {}`, ... each table once, in the order
 * of first use.  whole: the complete name is a table, too, with the samples as
 * its elements.
 * Returns 0 or -ENOMEM.
 */
int declare_tables(struct declared *, const struct column_id *,
    const char *suffix, bool whole);
void declare_free(struct declared *);           /* NULL accepted */

#endif
