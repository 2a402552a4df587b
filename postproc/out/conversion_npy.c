/*
 * postproc/out/conversion_npy.c - a NumPy matrix of uint64, one row a sample:
 * its number, then the columns; 2^64 - 1 where there is no value.
 */
#include "postproc/out/convert.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/out/quote.h"

/* Version 1.0 of the format: magic, length, a Python dictionary, blanks up to
 * a multiple of 64.  The number of rows is filled in at the end. */
#define NPY_HEAD 128

static void
npy_head(FILE *f, uint64_t rows, unsigned cols)
{
	char head[NPY_HEAD], *shape = head + 10;

	memset(head, ' ', sizeof(head));
	memcpy(head, "\x93NUMPY\x01", 8);
	head[8] = NPY_HEAD - 10;
	head[9] = 0;
	shape += snprintf(shape, 100, "{'descr': '<u8', 'fortran_order': False,"
	    " 'shape': (%" PRIu64 ", %u), }", rows, cols);
	*shape = ' ';                   /* was '\0' */
	head[NPY_HEAD - 1] = '\n';
	fwrite(head, 1, NPY_HEAD, f);
}

static int
npy(const struct source *s, FILE *f, struct diag *why)
{
	unsigned n = read_columns(s->columns);
	uint64_t rows = 0, *line = calloc((size_t)n + 1, sizeof(*line));
	struct read_row row;
	double at;
	int rc;

	if (line == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	npy_head(f, 0, n + 1);
	while ((rc = intervals_row(s->iv, &row, &at, why)) > 0) {
		line[0] = row.sample;
		for (unsigned c = 0; c < n; c++)
			line[c + 1] = c < row.ncol ? row.value[c] : ABSENT;
		for (unsigned c = 0; c <= n; c++)
			line[c] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
			    line[c] : __builtin_bswap64(line[c]);
		fwrite(line, sizeof(*line), (size_t)n + 1, f);
		rows++;
	}
	free(line);
	if (rc < 0)
		return rc;
	if (fseek(f, 0, SEEK_SET) < 0)
		return diag_set(why, -errno, "the output must be a file: %s",
		    strerror(errno));
	npy_head(f, rows, n + 1);
	return 0;
}

/* What the columns of the matrix are, as CSV. */
static void
npy_columns(const struct source *s, FILE *f)
{
	fputs("column,name,unit,value,bits,mul\r\n0,sample,,,0,1\r\n", f);
	for (unsigned i = 0; i < read_columns(s->columns); i++) {
		const struct column *c = read_column(s->columns, i);

		fprintf(f, "%u,", i + 1);
		put_csv(f, c->name);
		putc(',', f);
		put_csv(f, c->id.family->unit);
		putc(',', f);
		put_csv(f, c->id.family->value);
		fprintf(f, ",%u,%u\r\n", c->bits, c->mul);
	}
}

const struct conversion conversion_npy = {
	.option = "npy", .columns_first = true, .seeks = true,
	.write = npy, .beside = npy_columns,
	.help = "a NumPy matrix of uint64 to FILE (-o), and what its\n"
	    "columns are to FILE.columns.csv",
};
