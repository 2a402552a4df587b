/*
 * tests/fuzz/fuzz_parquet.c - hostile columns to the writer of Parquet: any names,
 * types, values, texts, gaps, pages, row groups, columns that come late.  What a reader
 * of the tests' own finds in the file is what was put there, and the file is as
 * the format wants it (tests/lib/parquet_file.h).  With libFuzzer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/out/parquet.h"
#include "lib/printable.h"
#include "tests/lib/parquet_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_COLUMNS 24
#define MOST_ROWS 20000
#define MOST_CELLS 60000

struct fuzz_cell {
	bool there;
	uint64_t bits;
	char text[40];
};

struct fuzz {
	const uint8_t *data, *end;
	struct parquet *file;
	enum parquet_type type[MOST_COLUMNS];
	struct fuzz_cell *cell[MOST_COLUMNS];   /* [room] rows */
	uint64_t room[MOST_COLUMNS];
	int ncolumn;
	uint64_t row, cells;
	bool begun;             /* the present row has cells */
};

static unsigned
byte(struct fuzz *f)
{
	return f->data < f->end ? *f->data++ : 0;
}

static uint64_t
number(struct fuzz *f)
{
	unsigned n = byte(f) % 9;
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | byte(f);
	return byte(f) & 1 ? -v : v;
}

static void
text(struct fuzz *f, char to[20])
{
	unsigned n = byte(f) % 19, i;

	for (i = 0; i < n && f->data < f->end; i++)
		if ((to[i] = (char)byte(f)) == '\0')
			break;
	to[i] = '\0';
}

/* As Latin-1 where it is no UTF-8. */
static void
expected(char to[40], const char *s)
{
	unsigned n;

	for (; *s != '\0'; s += n > 0 ? n : 1) {
		if ((n = utf8_length(s, NULL)) > 0) {
			memcpy(to, s, n);
			to += n;
		} else {
			*to++ = (char)(0xc0 | (uint8_t)*s >> 6);
			*to++ = (char)(0x80 | ((uint8_t)*s & 0x3f));
		}
	}
	*to = '\0';
}

/* The cell of a column in the present row. */
static struct fuzz_cell *
cell_of(struct fuzz *f, int c)
{
	uint64_t room = 2 * f->row + 64;

	if (f->row >= f->room[c]) {
		f->cell[c] = realloc(f->cell[c], room * sizeof(*f->cell[c]));
		if (f->cell[c] == NULL)
			abort();
		memset(f->cell[c] + f->room[c], 0, (room - f->room[c]) *
		    sizeof(*f->cell[c]));
		f->room[c] = room;
	}
	return &f->cell[c][f->row];
}

static void
add_column(struct fuzz *f)
{
	char name[20];

	if (f->ncolumn == MOST_COLUMNS)
		return;
	f->type[f->ncolumn] = (enum parquet_type)(byte(f) % (PARQUET_TEXT + 1));
	text(f, name);
	if (parquet_column(f->file, name, f->type[f->ncolumn]) != f->ncolumn)
		abort();
	f->ncolumn++;
}

static void
put_cell(struct fuzz *f)
{
	int c = f->ncolumn > 0 ? (int)byte(f) % f->ncolumn : -1;
	struct fuzz_cell *cell;
	char word[20];
	double real;

	if (c < 0 || f->row >= MOST_ROWS ||
	    (cell = cell_of(f, c))->there || f->cells++ > MOST_CELLS)
		return;
	cell->there = f->begun = true;
	if (f->type[c] == PARQUET_TEXT) {
		text(f, word);
		expected(cell->text, word);
		parquet_text(f->file, c, word);
	} else if (f->type[c] == PARQUET_REAL || f->type[c] ==
	    PARQUET_REAL_FEW) {
		cell->bits = number(f);
		memcpy(&real, &cell->bits, sizeof(real));
		cell->there = real == real;
		parquet_real(f->file, c, real);
	} else {
		cell->bits = number(f);
		parquet_number(f->file, c, cell->bits);
	}
}

/* One of all cells again and again, each time a bit more. */
static void
put_many(struct fuzz *f)
{
	unsigned n = byte(f) << 6, step = byte(f);
	int c = f->ncolumn > 0 ? (int)byte(f) % f->ncolumn : -1;
	uint64_t v = number(f);

	while (c >= 0 && f->type[c] <= PARQUET_TIME && n-- > 0 &&
	    f->row < MOST_ROWS && f->cells++ <= MOST_CELLS) {
		struct fuzz_cell *cell = cell_of(f, c);

		if (!cell->there) {
			*cell = (struct fuzz_cell){ true, v, "" };
			parquet_number(f->file, c, v);
		}
		v = v * 3 + step;
		f->row++;
		f->begun = false;
		parquet_row(f->file);
	}
}

/* Some rows of a column at once. */
static void
put_rows(struct fuzz *f)
{
	unsigned n = byte(f), step = 1 + byte(f) % 3;
	int c = f->ncolumn > 0 ? (int)byte(f) % f->ncolumn : -1;
	uint64_t v = number(f), value[256 * 3];
	unsigned every = 1 + byte(f);
	bool none[256 * 3];

	if (c < 0 || f->type[c] > PARQUET_TIME || f->begun ||
	    f->row + n > MOST_ROWS || (f->cells += n) > MOST_CELLS)
		return;
	for (unsigned i = 0; i < n; i++) {
		struct fuzz_cell *cell = cell_of(f, c);

		value[i * step] = v += every;
		none[i * step] = i % every == every - 1;
		*cell = (struct fuzz_cell){ !none[i * step], v, "" };
		f->row++;
	}
	parquet_numbers(f->file, c, value, none, step, n);
	parquet_rows(f->file, n);
}

/* One cell of many rows. */
static void
put_same(struct fuzz *f)
{
	unsigned n = byte(f) << 6 | byte(f);
	int c = f->ncolumn > 0 ? (int)byte(f) % f->ncolumn : -1;
	struct fuzz_cell cell = { .there = true };
	char word[20];
	double real;

	if (c < 0 || f->begun || f->row + n > MOST_ROWS ||
	    (f->cells += n) > MOST_CELLS)
		return;
	if (f->type[c] == PARQUET_TEXT) {
		text(f, word);
		expected(cell.text, word);
		parquet_same_text(f->file, c, word, n);
	} else if (f->type[c] == PARQUET_REAL || f->type[c] ==
	    PARQUET_REAL_FEW) {
		cell.bits = number(f);
		memcpy(&real, &cell.bits, sizeof(real));
		cell.there = real == real;
		parquet_same_real(f->file, c, real, n);
	} else {
		cell.bits = number(f);
		parquet_same_number(f->file, c, cell.bits, n);
	}
	for (unsigned i = 0; i < n; i++, f->row++)
		*cell_of(f, c) = cell;
	parquet_rows(f->file, n);
}

static void
one_step(struct fuzz *f)
{
	switch (byte(f) % 10) {
	case 0:
		add_column(f);
		break;
	case 1:
		if (!f->begun)
			parquet_group(f->file);
		break;
	case 2:
		put_many(f);
		break;
	case 3:
		put_rows(f);
		break;
	case 4:
		put_same(f);
		break;
	case 5:
	case 6:
		if (f->row < MOST_ROWS) {
			f->row++;
			f->begun = false;
			parquet_row(f->file);
		}
		break;
	case 7:
		parquet_pages(f->file, 7 + byte(f) * 16);
		break;
	default:
		put_cell(f);
	}
}

static void
compare(const struct fuzz *f, const struct pq_file *got)
{
	static const struct fuzz_cell none = { .there = false };

	if (got->rows != f->row || got->ncolumn != (unsigned)f->ncolumn)
		abort();
	for (int c = 0; c < f->ncolumn; c++)
		for (uint64_t i = 0; i < f->row; i++) {
			const struct pq_cell *is = &got->column[c].cell[i];
			const struct fuzz_cell *was = i < f->room[c] ?
			    &f->cell[c][i] : &none;

			if (is->there != was->there || (is->there &&
			    (f->type[c] == PARQUET_TEXT ?
			    strcmp(is->text, was->text) != 0 :
			    is->bits != was->bits)))
				abort();
		}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = { .data = data, .end = data + size };
	char *bytes = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&bytes, &n);
	struct pq_file got;
	struct diag why;

	if (to == NULL || (f.file = parquet_new(to, 16 + byte(&f) *
	    64u)) == NULL)
		abort();
	while (f.data < f.end)
		one_step(&f);
	/* a last one, for what was put since */
	parquet_row(f.file);
	f.row++;
	if (parquet_end(f.file, &why) < 0 || fclose(to) != 0)
		abort();
	if (!pq_read(&got, (const uint8_t *)bytes, n)) {
		fprintf(stderr, "%s\n", got.wrong);
		abort();
	}
	compare(&f, &got);
	pq_free(&got);
	parquet_free(f.file);
	free(bytes);
	for (int c = 0; c < f.ncolumn; c++)
		free(f.cell[c]);
	return 0;
}
