/*
 * postproc/out/long_rows.c - what was counted as rows of one value each, in
 * Parquet.
 *
 * A row group is some intervals, kept until it is written: of each family and
 * event all of them, one after the other, so that what stands side by side is
 * alike, and most columns of the file are the same for long.
 */
#include "postproc/out/long_rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/out/long_order.h"

#define GROUP_ROWS (1u << 18)   /* values of a row group, */
#define GROUP_INTERVALS 4096    /* and intervals, at most */
#define BLOCK_ROWS 1024         /* rows that go to the columns in one go */

/* What all values of an interval have in common. */
struct long_interval {
	uint64_t sample;
	double seconds;
	int64_t us;
	bool timed;
	char *job;              /* NULL: none */
	unsigned ncol, room;
	struct judged_value *value;     /* [ncol], kept for the next group */
};

/* Rows on their way, of columns of one family and event. */
struct long_block {
	unsigned n;
	unsigned interval[BLOCK_ROWS];
	const struct column_id *id[BLOCK_ROWS];
	const struct judged_value *value[BLOCK_ROWS];
	uint64_t number[BLOCK_ROWS];    /* of one column of the file */
	bool none[BLOCK_ROWS];
};

struct long_rows {
	struct parquet *file;
	int time, host, job, sample, seconds, family, event, package, box,
	    lproc, unit, kind, share, value;
	/* most dumps have no use for these: -1 until there is one */
	int lprocs, third, fourth, odd, large;
	struct long_order order;
	struct long_interval interval[GROUP_INTERVALS];
	unsigned n;             /* of these */
	uint64_t nvalue;        /* in them */
	struct long_block block;
	char host_name[NODE_NAME];
	const struct reader *reader;
};

struct long_rows *
long_rows_new(FILE *f)
{
	struct long_rows *l = calloc(1, sizeof(*l));
	struct parquet *p;

	if (l == NULL || (p = l->file = parquet_new(f, UINT64_MAX)) == NULL) {
		free(l);
		return NULL;
	}
	l->time = parquet_column(p, "time", PARQUET_TIME);
	l->host = parquet_column(p, "host", PARQUET_TEXT);
	l->job = parquet_column(p, "job", PARQUET_TEXT);
	l->sample = parquet_column(p, "sample", PARQUET_INT_FEW);
	l->seconds = parquet_column(p, "seconds", PARQUET_REAL_FEW);
	l->family = parquet_column(p, "family", PARQUET_TEXT);
	l->event = parquet_column(p, "event", PARQUET_TEXT);
	l->package = parquet_column(p, "package", PARQUET_INT_FEW);
	l->box = parquet_column(p, "box", PARQUET_INT);
	l->lproc = parquet_column(p, "lproc", PARQUET_INT);
	l->unit = parquet_column(p, "unit", PARQUET_TEXT);
	l->kind = parquet_column(p, "kind", PARQUET_TEXT);
	l->share = parquet_column(p, "share", PARQUET_REAL_FEW);
	l->value = parquet_column(p, "value", PARQUET_INT);
	l->lprocs = l->third = l->fourth = l->odd = l->large = -1;
	return l;
}

static void
forget(struct long_rows *l)
{
	for (unsigned i = 0; i < l->n; i++) {
		free(l->interval[i].job);
		l->interval[i].job = NULL;
	}
	l->n = 0;
	l->nvalue = 0;
}

void
long_rows_free(struct long_rows *l)
{
	if (l == NULL)
		return;
	forget(l);
	for (unsigned i = 0; i < GROUP_INTERVALS; i++)
		free(l->interval[i].value);
	long_order_fini(&l->order);
	parquet_free(l->file);
	free(l);
}

/* Which column, that most files have not. */
static int
late(struct long_rows *l, int *column, const char *name,
    enum parquet_type type)
{
	if (*column < 0)
		*column = parquet_column(l->file, name, type);
	return *column;
}

/* What all rows of the block have. */
static void
put_identity(struct long_rows *l)
{
	const struct column_id *id = l->block.id[0];
	struct parquet *p = l->file;
	unsigned n = l->block.n;

	parquet_ahead(p, 0);
	parquet_same_text(p, l->host, l->host_name, n);
	parquet_same_text(p, l->family, id->family->name, n);
	parquet_same_text(p, l->event, id->event, n);
	if (id->lprocs != NULL)
		parquet_same_text(p, late(l, &l->lprocs, "lprocs",
		    PARQUET_TEXT), id->lprocs, n);
	if (id->odd != NULL)
		parquet_same_text(p, late(l, &l->odd, "odd", PARQUET_TEXT),
		    id->odd, n);
	if (id->family->unit[0] != '\0')
		parquet_same_text(p, l->unit, id->family->unit, n);
}

static void
put_indices(struct long_rows *l)
{
	struct long_block *b = &l->block;
	unsigned nindex = b->id[0]->nindex;
	uint8_t of = b->id[0]->family->of;
	int to[4] = { l->package, l->box, -1, -1 };

	if (nindex == 1 && of != OF_PKG)
		to[0] = of == OF_LPROC || of == OF_CORE ? l->lproc : l->box;
	if (nindex >= 3)
		to[2] = late(l, &l->third, "index3", PARQUET_INT_FEW);
	if (nindex >= 4)
		to[3] = late(l, &l->fourth, "index4", PARQUET_INT_FEW);
	memset(b->none, 0, b->n * sizeof(*b->none));
	for (unsigned d = 0; d < nindex && d < 4; d++) {
		for (unsigned i = 0; i < b->n; i++)
			b->number[i] = b->id[i]->index[d];
		parquet_numbers(l->file, to[d], b->number, b->none, 1, b->n);
	}
}

static void
put_intervals(struct long_rows *l)
{
	const struct long_block *b = &l->block;
	struct parquet *p = l->file;

	for (unsigned i = 0, n; i < b->n; i += n) {
		const struct long_interval *x = &l->interval[b->interval[i]];

		for (n = 1; i + n < b->n && b->interval[i + n] ==
		    b->interval[i]; n++)
			;
		parquet_ahead(p, i);
		if (x->timed)
			parquet_same_number(p, l->time, (uint64_t)x->us, n);
		parquet_same_text(p, l->job, x->job, n);
		parquet_same_number(p, l->sample, x->sample, n);
		parquet_same_real(p, l->seconds, x->seconds, n);
	}
}

static void
put_judgements(struct long_rows *l)
{
	struct long_block *b = &l->block;

	for (unsigned i = 0, n; i < b->n; i += n) {
		for (n = 1; i + n < b->n && b->value[i + n]->kind ==
		    b->value[i]->kind; n++)
			;
		parquet_ahead(l->file, i);
		parquet_same_text(l->file, l->kind, b->value[i]->kind, n);
	}
	for (unsigned i = 0; i < b->n; i++) {
		memcpy(&b->number[i], &b->value[i]->share, 8);
		b->none[i] = b->value[i]->none || isnan(b->value[i]->share);
	}
	parquet_ahead(l->file, 0);
	parquet_numbers(l->file, l->share, b->number, b->none, 1, b->n);
}

/* What is from 2^63 on is in a column of its own. */
static void
put_values(struct long_rows *l)
{
	struct long_block *b = &l->block;
	bool large = false;

	for (unsigned i = 0; i < b->n; i++) {
		const struct judged_value *v = b->value[i];
		bool beyond = !v->below && v->value > INT64_MAX;

		large |= beyond && !v->none;
		b->number[i] = v->value;
		b->none[i] = v->none || beyond;
	}
	parquet_numbers(l->file, l->value, b->number, b->none, 1, b->n);
	for (unsigned i = 0; large && i < b->n; i++)
		b->none[i] = b->value[i]->none || !b->none[i];
	if (large)
		parquet_numbers(l->file, late(l, &l->large, "large",
		    PARQUET_COUNT), b->number, b->none, 1, b->n);
}

static void
put_block(struct long_rows *l)
{
	if (l->block.n == 0)
		return;
	put_identity(l);
	put_indices(l);
	put_intervals(l);
	put_judgements(l);
	put_values(l);
	parquet_rows(l->file, l->block.n);
	l->block.n = 0;
}

static void
add_row(struct long_rows *l, unsigned interval, unsigned c)
{
	const struct long_interval *x = &l->interval[interval];
	struct long_block *b = &l->block;

	if (c >= x->ncol)
		return;
	b->interval[b->n] = interval;
	b->id[b->n] = &read_column(l->reader, c)->id;
	b->value[b->n] = &x->value[c];
	if (++b->n == BLOCK_ROWS)
		put_block(l);
}

/* A row group: the columns of a kind go up and down by turns, too. */
static int
put_group(struct long_rows *l)
{
	const struct long_order *o = &l->order;
	unsigned most = 0;

	for (unsigned i = 0; i < l->n; i++)
		most = l->interval[i].ncol > most ? l->interval[i].ncol : most;
	if (long_order_load(&l->order, l->reader, most) < 0)
		return -ENOMEM;
	for (unsigned at = 0; at < o->n; at += o->same[at]) {
		for (unsigned i = 0; i < l->n; i++)
			for (unsigned k = 0; k < o->same[at]; k++)
				add_row(l, i, o->column[at + (i % 2 == 0 ? k :
				    o->same[at] - 1 - k)]);
		put_block(l);
	}
	parquet_group(l->file);
	forget(l);
	return 0;
}

static bool
interval_room(struct long_interval *x, unsigned n)
{
	struct judged_value *v;

	if (n <= x->room)
		return true;
	if ((v = reallocarray(x->value, n, sizeof(*v))) == NULL)
		return false;
	x->value = v;
	x->room = n;
	return true;
}

int
long_rows_add(struct long_rows *l, struct judged *j)
{
	struct long_interval *x = &l->interval[l->n++];
	const char *job = judged_job(j);

	x->sample = j->step.sample;
	x->seconds = j->step.seconds;
	x->ncol = j->step.ncol;
	x->timed = judged_time(j, &x->us);
	l->reader = j->reader;
	snprintf(l->host_name, sizeof(l->host_name), "%s", j->node);
	if (job != NULL && (x->job = strdup(job)) == NULL)
		return -ENOMEM;
	if (!interval_room(x, x->ncol))
		return -ENOMEM;
	for (unsigned c = 0; c < x->ncol; c++)
		x->value[c] = judged_value(j, c);
	l->nvalue += x->ncol;
	return l->n == GROUP_INTERVALS || l->nvalue + x->ncol > GROUP_ROWS ?
	    put_group(l) : 0;
}

int
long_rows_end(struct long_rows *l, const struct judged *j, struct diag *why)
{
	if (put_group(l) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	judged_head(j, l->file, "long");
	return parquet_end(l->file, why);
}
