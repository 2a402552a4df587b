/*
 * postproc/out/conversion_wide_csv.c - one line a sample, one column a counter.
 */
#include "postproc/out/convert.h"

#include <inttypes.h>

#include "postproc/out/quote.h"

static int
wide_csv(const struct source *s, FILE *f, struct diag *why)
{
	unsigned n = read_columns(s->columns);
	struct read_row row;
	double at;
	int rc;

	fputs("sample,time (s)", f);
	for (unsigned c = 0; c < n; c++) {
		putc(',', f);
		put_csv(f, read_column(s->columns, c)->name);
	}
	fputs("\r\n", f);
	while ((rc = intervals_row(s->iv, &row, &at, why)) > 0) {
		fprintf(f, "%" PRIu64 ",%.6f", row.sample, at);
		for (unsigned c = 0; c < n; c++) {
			putc(',', f);
			if (c < row.ncol && row.value[c] != ABSENT)
				put_raw(f, read_column(s->columns, c),
				    row.value[c]);
		}
		fputs("\r\n", f);
	}
	return rc;
}

const struct conversion conversion_wide_csv = {
	.option = "wide-csv", .columns_first = true, .write = wide_csv,
	.help = "one line a sample, one column a counter, values as the dump\n"
	    "has them",
};
