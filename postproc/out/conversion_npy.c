/*
 * postproc/out/conversion_npy.c - a NumPy matrix of uint64, one row a sample:
 * its number, then the columns; 2^64 - 1 where there is no value.  Or an array a
 * family (postproc/out/npy_folder.h).
 */
#include "postproc/out/convert.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/out/npy.h"
#include "postproc/out/npy_folder.h"
#include "postproc/out/quote.h"

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
	npy_head(f, "<u8", 0, n + 1);
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
	npy_head(f, "<u8", rows, n + 1);
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
	.write = npy, .write_folder = npy_folder, .beside = npy_columns,
	.help = "a NumPy matrix of uint64 to FILE (-o), and what its\n"
	    "columns are to FILE.columns.csv; to a FOLDER/ an array a\n"
	    "family of what was counted, and names.csv",
};
