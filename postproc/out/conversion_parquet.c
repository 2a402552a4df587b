/*
 * postproc/out/conversion_parquet.c - Parquet, a row an interval, a column a
 * counter.
 */
#include "postproc/out/convert.h"

#include <errno.h>
#include <stdlib.h>

#include "postproc/out/judged.h"

/* A row group of so many cells is about 9 MB, so that its overhead of 120 bytes for each
 * column is small.  In memory a cell takes 8 bytes, and about 2.5 once its page is
 * full. */
#define GROUP_CELLS (1u << 22)
#define PAGE_ROWS_WIDE 1024
#define BLOCK_ROWS 64           /* rows that are written column by column at a time */

struct wide {
	struct parquet *file;
	int time, host, job, sample, seconds;   /* columns of the file */
	int *of;                /* [n] columns of the file, by the dump's columns */
	unsigned n;
	uint64_t *value;        /* [BLOCK_ROWS][n] rows that are not written yet */
	bool *none;             /* likewise: there is no value */
	unsigned rows;          /* how many these are */
};

/* Writes the rows of the block, column by column. */
static void
parquet_write_put_block(struct wide *w)
{
	parquet_ahead(w->file, 0);
	for (unsigned c = 0; c < w->n; c++)
		parquet_numbers(w->file, w->of[c], w->value + c, w->none + c,
		    w->n, w->rows);
	parquet_rows(w->file, w->rows);
	w->rows = 0;
}

static int
parquet_write_add_columns(struct wide *w, const struct reader *r, unsigned n)
{
	int *of;

	if (n <= w->n)
		return 0;
	parquet_write_put_block(w);
	free(w->value);
	free(w->none);
	w->value = calloc((size_t)n * BLOCK_ROWS, sizeof(*w->value));
	w->none = calloc((size_t)n * BLOCK_ROWS, sizeof(*w->none));
	of = reallocarray(w->of, n, sizeof(*of));
	if (of != NULL)
		w->of = of;
	if (of == NULL || w->value == NULL || w->none == NULL)
		return -ENOMEM;
	for (; w->n < n; w->n++) {
		const struct column *c = read_column(r, w->n);

		of[w->n] = parquet_column(w->file, c->name, c->cls ==
		    CLASS_TEMP ? PARQUET_INT : PARQUET_COUNT);
		if (of[w->n] < 0)
			return -ENOMEM;
	}
	return 0;
}

static void
parquet_write_put_interval(struct wide *w, struct judged *j)
{
	struct parquet *p = w->file;
	size_t at = (size_t)w->rows * w->n;
	int64_t us;

	parquet_ahead(p, w->rows);
	if (judged_time(j, &us))
		parquet_number(p, w->time, (uint64_t)us);
	parquet_text(p, w->host, j->node);
	parquet_text(p, w->job, judged_job(j));
	parquet_number(p, w->sample, j->step.sample);
	parquet_real(p, w->seconds, j->step.seconds);
	judged_row(j, w->value + at, w->none + at);
	if (++w->rows == BLOCK_ROWS)
		parquet_write_put_block(w);
}

static int
parquet(const struct source *s, FILE *f, struct diag *why)
{
	struct wide w = { .file = parquet_new(f, GROUP_CELLS) };
	struct judged j;
	int rc = -ENOMEM;

	judged_init(&j, s->iv);
	if (w.file != NULL) {
		parquet_pages(w.file, PAGE_ROWS_WIDE);
		w.time = parquet_column(w.file, "time", PARQUET_TIME);
		w.host = parquet_column(w.file, "host", PARQUET_TEXT);
		w.job = parquet_column(w.file, "job", PARQUET_TEXT);
		w.sample = parquet_column(w.file, "sample", PARQUET_INT);
		w.seconds = parquet_column(w.file, "seconds", PARQUET_REAL);
		while ((rc = judged_next(&j, why)) > 0 &&
		    (rc = parquet_write_add_columns(&w, j.reader,
		    j.step.ncol)) == 0)
			parquet_write_put_interval(&w, &j);
		if (rc == 0) {
			parquet_write_put_block(&w);
			judged_head(&j, w.file, "wide");
			rc = parquet_end(w.file, why);
		}
	}
	if (rc == -ENOMEM)
		diag_set(why, rc, "out of memory");
	parquet_free(w.file);
	free(w.of);
	free(w.value);
	free(w.none);
	judged_fini(&j);
	return rc;
}

const struct conversion conversion_parquet = {
	.option = "parquet", .write = parquet,
	.help = "Apache Parquet, a row an interval, a column a counter: what\n"
	    "it counted, as tally deltas has it; null where that is not\n"
	    "to be relied on",
};
