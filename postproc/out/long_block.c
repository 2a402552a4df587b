/*
 * postproc/out/long_block.c - rows of one value each, column by column: in each, as
 * many rows at once as have the same.
 */
#include "postproc/out/long_block.h"

#include <string.h>

void
long_block_init(struct long_block *b, struct parquet *p)
{
	b->file = p;
	b->time = parquet_column(p, "time", PARQUET_TIME);
	b->host = parquet_column(p, "host", PARQUET_TEXT);
	b->job = parquet_column(p, "job", PARQUET_TEXT);
	b->sample = parquet_column(p, "sample", PARQUET_INT_FEW);
	b->seconds = parquet_column(p, "seconds", PARQUET_REAL_FEW);
	b->family = parquet_column(p, "family", PARQUET_TEXT);
	b->event = parquet_column(p, "event", PARQUET_TEXT);
	b->package = parquet_column(p, "package", PARQUET_INT_FEW);
	b->box = parquet_column(p, "box", PARQUET_INT);
	b->lproc = parquet_column(p, "lproc", PARQUET_INT);
	b->unit = parquet_column(p, "unit", PARQUET_TEXT);
	b->kind = parquet_column(p, "kind", PARQUET_TEXT);
	b->share = parquet_column(p, "share", PARQUET_REAL_FEW);
	b->value = parquet_column(p, "value", PARQUET_INT);
	b->lprocs = b->third = b->fourth = b->odd = b->large = -1;
}

/* Which column, that most files have not. */
static int
late(struct long_block *b, int *column, const char *name,
    enum parquet_type type)
{
	if (*column < 0)
		*column = parquet_column(b->file, name, type);
	return *column;
}

/* What all rows have. */
static void
put_identity(struct long_block *b)
{
	const struct column_id *id = b->id;
	struct parquet *p = b->file;
	unsigned n = b->n;

	parquet_same_text(p, b->host, b->host_name, n);
	parquet_same_text(p, b->family, id->family->name, n);
	parquet_same_text(p, b->event, id->event, n);
	if (id->lprocs != NULL)
		parquet_same_text(p, late(b, &b->lprocs, "lprocs",
		    PARQUET_TEXT), id->lprocs, n);
	if (id->odd != NULL)
		parquet_same_text(p, late(b, &b->odd, "odd", PARQUET_TEXT),
		    id->odd, n);
	if (id->family->unit[0] != '\0')
		parquet_same_text(p, b->unit, id->family->unit, n);
}

static void
put_indices(struct long_block *b)
{
	const struct column_id *id = b->id;
	uint8_t of = id->family->of;
	int to[MAX_INDEX] = { b->package, b->box, -1, -1 };

	if (id->nindex == 1 && of != OF_PKG)
		to[0] = of == OF_LPROC || of == OF_CORE ? b->lproc : b->box;
	if (id->nindex >= 3)
		to[2] = late(b, &b->third, "index3", PARQUET_INT_FEW);
	if (id->nindex >= 4)
		to[3] = late(b, &b->fourth, "index4", PARQUET_INT_FEW);
	for (unsigned d = 0; d < id->nindex && d < MAX_INDEX; d++)
		parquet_numbers(b->file, to[d], b->index_of[d], NULL, 1, b->n);
}

/* Of n rows that have a value. */
static void
put_shares(struct long_block *b, unsigned from, unsigned n)
{
	if (!b->parted)
		parquet_same_real(b->file, b->share, 1, n);
	for (unsigned i = from, k; b->parted && i < from + n; i += k) {
		for (k = 1; i + k < from + n && b->share_of[i + k] ==
		    b->share_of[i]; k++)
			;
		parquet_ahead(b->file, i);
		parquet_same_real(b->file, b->share, b->share_of[i], k);
	}
}

/* Mostly all are of one mark. */
static unsigned
marked_alike(const uint8_t *mark, unsigned n)
{
	unsigned k = 1;

	if (memcmp(mark, mark + 1, n - 1) == 0)
		return n;
	while (mark[k] == mark[0])
		k++;
	return k;
}

/* Returns all marks, one or the other. */
static uint8_t
put_judgements(struct long_block *b)
{
	uint8_t any = 0;

	for (unsigned i = 0, n; i < b->n; i += n) {
		uint8_t mark = b->mark[i];

		any |= mark;
		n = marked_alike(b->mark + i, b->n - i);
		parquet_ahead(b->file, i);
		parquet_same_text(b->file, b->kind, judged_word(mark &
		    ~(JUDGED_NONE | JUDGED_LARGE)), n);
		if (!(mark & JUDGED_NONE))
			put_shares(b, i, n);
	}
	parquet_ahead(b->file, 0);
	return any;
}

/* What is from 2^63 on is in a column of its own. */
static void
put_values(struct long_block *b, uint8_t any)
{
	if (!(any & (JUDGED_NONE | JUDGED_LARGE))) {
		parquet_numbers(b->file, b->value, b->value_of, NULL, 1, b->n);
		return;
	}
	for (unsigned i = 0; i < b->n; i++)
		b->none[i] = b->mark[i] & (JUDGED_NONE | JUDGED_LARGE);
	parquet_numbers(b->file, b->value, b->value_of, b->none, 1, b->n);
	if (!(any & JUDGED_LARGE))
		return;
	for (unsigned i = 0; i < b->n; i++)
		b->none[i] = !(b->mark[i] & JUDGED_LARGE);
	parquet_numbers(b->file, late(b, &b->large, "large", PARQUET_COUNT),
	    b->value_of, b->none, 1, b->n);
}

void
long_block_put(struct long_block *b)
{
	if (b->n == 0)
		return;
	put_identity(b);
	put_indices(b);
	put_values(b, put_judgements(b));
	parquet_rows(b->file, b->n);
	b->n = 0;
}

/* Rows from the block's end on, as the interval has it. */
static void
put_interval(const struct long_block *b, const struct long_interval *x,
    unsigned n)
{
	struct parquet *p = b->file;

	parquet_ahead(p, b->n);
	if (x->timed)
		parquet_same_number(p, b->time, (uint64_t)x->us, n);
	parquet_same_text(p, b->job, x->job, n);
	parquet_same_number(p, b->sample, x->sample, n);
	parquet_same_real(p, b->seconds, x->seconds, n);
	parquet_ahead(p, 0);
}

/* What the block has room for. */
static void
add_rows(struct long_block *b, const struct long_interval *x, unsigned at,
    unsigned n)
{
	if (b->n == 0)
		b->id = &read_column(b->reader, x->way->column[at])->id;
	put_interval(b, x, n);
	for (unsigned d = 0; d < b->id->nindex && d < MAX_INDEX; d++)
		memcpy(b->index_of[d] + b->n, x->way->index[d] + at,
		    n * sizeof(*b->index_of[d]));
	memcpy(b->value_of + b->n, x->value + at, n * sizeof(*b->value_of));
	memcpy(b->mark + b->n, x->mark + at, n);
	for (unsigned i = 0; b->parted && i < n; i++)
		b->share_of[b->n + i] = x->parted ? x->share[at + i] : 1;
	b->n += n;
}

void
long_block_add(struct long_block *b, const struct long_interval *x,
    unsigned at, unsigned n)
{
	while (n > 0) {
		unsigned room = BLOCK_ROWS - b->n, k = n < room ? n : room;

		add_rows(b, x, at, k);
		at += k;
		n -= k;
		if (b->n == BLOCK_ROWS)
			long_block_put(b);
	}
}
