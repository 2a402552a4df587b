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
#include <stdlib.h>
#include <string.h>

#include "postproc/out/long_block.h"

#define GROUP_ROWS (1u << 18)   /* values of a row group, */
#define GROUP_INTERVALS 4096    /* and intervals, at most */

struct long_rows {
	struct long_order order;
	struct long_interval interval[GROUP_INTERVALS];
	unsigned n;             /* of these */
	struct long_block block;
};

struct long_rows *
long_rows_new(FILE *f)
{
	struct long_rows *l = calloc(1, sizeof(*l));
	struct parquet *p = parquet_new(f, UINT64_MAX);

	if (l == NULL || p == NULL) {
		parquet_free(p);
		free(l);
		return NULL;
	}
	long_block_init(&l->block, p);
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
}

static void
free_values(struct long_rows *l)
{
	for (unsigned i = 0; i < GROUP_INTERVALS; i++) {
		free(l->interval[i].value);
		free(l->interval[i].mark);
		free(l->interval[i].share);
		l->interval[i].value = NULL;
		l->interval[i].mark = NULL;
		l->interval[i].share = NULL;
	}
}

void
long_rows_free(struct long_rows *l)
{
	if (l == NULL)
		return;
	forget(l);
	free_values(l);
	long_order_fini(&l->order);
	parquet_free(l->block.file);
	free(l);
}

/* A row group. */
static void
put_group(struct long_rows *l)
{
	const struct long_order *o = &l->order;

	l->block.parted = false;
	for (unsigned i = 0; i < l->n; i++)
		l->block.parted |= l->interval[i].parted;
	for (unsigned at = 0; at < o->n; at += o->same[at]) {
		for (unsigned i = 0; i < l->n; i++)
			long_block_add(&l->block, &l->interval[i], at,
			    o->same[at]);
		long_block_put(&l->block);
	}
	parquet_group(l->block.file);
	forget(l);
}

/* Intervals of so many columns are to follow; those so far are a group. */
static int
begin_columns(struct long_rows *l, const struct reader *r, unsigned ncol)
{
	if (ncol == l->order.n)
		return 0;
	put_group(l);
	free_values(l);
	return long_order_load(&l->order, r, ncol);
}

static bool
interval_room(struct long_interval *x, unsigned n)
{
	if (x->value != NULL)
		return true;
	x->value = reallocarray(NULL, n, sizeof(*x->value));
	x->mark = reallocarray(NULL, n, sizeof(*x->mark));
	x->share = reallocarray(NULL, n, sizeof(*x->share));
	return x->value != NULL && x->mark != NULL && x->share != NULL;
}

int
long_rows_add(struct long_rows *l, struct judged *j)
{
	struct long_interval *x;
	const char *job = judged_job(j);
	unsigned n = j->step.ncol;

	if (begin_columns(l, j->reader, n) < 0)
		return -ENOMEM;
	x = &l->interval[l->n++];
	x->way = l->n % 2 == 1 ? &l->order.up : &l->order.down;
	x->sample = j->step.sample;
	x->seconds = j->step.seconds;
	x->timed = judged_time(j, &x->us);
	l->block.reader = j->reader;
	snprintf(l->block.host_name, NODE_NAME, "%s", j->node);
	if (job != NULL && (x->job = strdup(job)) == NULL)
		return -ENOMEM;
	if (!interval_room(x, n))
		return -ENOMEM;
	x->parted = judged_marks(j, x->way->column, n, x->value, x->mark,
	    x->share);
	if (l->n == GROUP_INTERVALS || (l->n + 1ull) * n > GROUP_ROWS)
		put_group(l);
	return 0;
}

int
long_rows_end(struct long_rows *l, const struct judged *j, struct diag *why)
{
	put_group(l);
	judged_head(j, l->block.file, "long");
	return parquet_end(l->block.file, why);
}
