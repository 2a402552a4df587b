/*
 * config/lists/intel_table.h - an event list of Intel's as a table: its names and
 * numbers without their sentences, as tests/data/pack.py makes it.
 *
 * Columns are separated by tabs.  The first row has the members, MEMBER or
 * MEMBER=VALUE, where VALUE is that of every row whose cell is empty.  A row is
 * made the object of JSON that it was, so that there is one reader of events.
 */
#ifndef CONFIG_LISTS_INTEL_TABLE_H
#define CONFIG_LISTS_INTEL_TABLE_H

#include "config/lists/json.h"
#include "config/scan.h"
#include "config/texts.h"

#define TABLE_COLUMNS 32
#define TABLE_ROW 512           /* characters; a longer one is cut */

struct intel_table {
	const struct text *text;
	const char *file;               /* "@skylakex_core" */
	struct {
		const char *name, *usual;
	} member[TABLE_COLUMNS];
	unsigned n;
	bool used;                      /* for the caller */
};

/* intel_table_open - the table that a built-in text is; *rows: what is below its
 * head.  NULL: out of memory. */
struct intel_table *intel_table_open(struct arena *, const struct text *,
    struct word *rows);

/* A row as an object of JSON. */
struct intel_row {
	struct json object, member[TABLE_COLUMNS];
	char text[TABLE_ROW];
};

/* intel_table_row - a row as such an object, which lives as long as *to. */
const struct json *intel_table_row(const struct intel_table *, struct word row,
    unsigned line, struct intel_row *to);

#endif
