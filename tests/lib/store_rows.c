/*
 * tests/lib/store_rows.c - a store of six cells a row.
 */
#include "tests/lib/store_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/dump/dump.h"
#include "tests/lib/files.h"
#include "tests/lib/named.h"

static const char *const names[] = { "tsc", "walltime[0]", "walltime[1]",
	"a[0][\"X\"]", "a[1][\"X\"]", "t[0]" };

struct store *
rows_store(const char *path, uint64_t capacity)
{
	static struct column column[ROWS_CELLS];
	struct store_shape shape = { .column = column, .ncolumn = ROWS_CELLS,
	    .ncell = ROWS_CELLS, .capacity = capacity, .preamble = "host = \"h\"\n",
	    .cell_tsc = 0, .cell_real_sec = 1, .cell_real_usec = 2 };
	struct store *st;
	struct diag why;

	for (unsigned i = 0; i < ROWS_CELLS; i++)
		column[i] = (struct column){ .name = names[i], .cell = i,
		    .bits = 48 };
	column[4].mul = 4;
	column[5].print = PRINT_TEMP;
	column[5].base = 95;
	columns_named(column, ROWS_CELLS);
	if (store_create(&st, path, &shape, &why) < 0)
		fail_msg("%s", why.text);
	return st;
}

/* Row r: TSC at 2 GHz, wall clock of a second a row. */
void
rows_put_stepped(struct store *st, uint64_t r, int step)
{
	uint64_t *row = store_row(st);

	assert_non_null(row);
	row[0] = 1000 + r * 2000000000;
	row[1] = 1700000000 + r + (uint64_t)(int64_t)step;
	row[2] = 500000;
	row[3] = r;
	row[4] = r;
	row[5] = 55 << 16;
	store_commit(st);
}

void
rows_put(struct store *st, uint64_t r)
{
	rows_put_stepped(st, r, 0);
}

uint64_t
rows_cell(const struct store *st, uint64_t row, unsigned cell)
{
	uint64_t value = 0;

	assert_int_equal(store_read(st, row, cell, 1, &value), 0);
	return value;
}

char *
rows_dump_text(const struct store *st)
{
	char *text = calloc(1, 1 << 21);
	FILE *f = tmpfile();

	assert_non_null(text);
	assert_non_null(f);
	assert_int_equal(dump_write(st, fileno(f), NULL), 0);
	rewind(f);
	assert_true(fread(text, 1, (1 << 21) - 1, f) > 0);
	fclose(f);
	return text;
}

int
rows_save_to(const struct store *st, const char *path, struct diag *why)
{
	struct save_place place;
	int rc = save_open(&place, path, why);

	place.overwrite = true;
	if (rc == 0)
		rc = save_dump(st, &place, why);
	save_close(&place);
	return rc;
}
