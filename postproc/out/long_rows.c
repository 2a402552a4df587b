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
	uint64_t nvalue;        /* in them */
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
	long_block_init(&l->block, p, &l->order);
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
	for (unsigned i = 0; i < GROUP_INTERVALS; i++) {
		free(l->interval[i].value);
		free(l->interval[i].mark);
		free(l->interval[i].share);
	}
	long_order_fini(&l->order);
	parquet_free(l->block.file);
	free(l);
}

/* A row group: the columns of a kind go up and down by turns, too. */
static int
put_group(struct long_rows *l)
{
	const struct long_order *o = &l->order;
	unsigned most = 0;

	for (unsigned i = 0; i < l->n; i++)
		most = l->interval[i].ncol > most ? l->interval[i].ncol : most;
	if (long_order_load(&l->order, l->block.reader, most) < 0)
		return -ENOMEM;
	for (unsigned at = 0; at < o->n; at += o->same[at]) {
		for (unsigned i = 0; i < l->n; i++)
			long_block_add(&l->block, &l->interval[i], at,
			    o->same[at], i % 2 != 0);
		long_block_put(&l->block);
	}
	parquet_group(l->block.file);
	forget(l);
	return 0;
}

static bool
interval_room(struct long_interval *x, unsigned n)
{
	if (n <= x->room)
		return true;
	free(x->value);
	free(x->mark);
	free(x->share);
	x->value = calloc(n, sizeof(*x->value));
	x->mark = calloc(n, sizeof(*x->mark));
	x->share = calloc(n, sizeof(*x->share));
	x->room = x->value != NULL && x->mark != NULL && x->share != NULL ?
	    n : 0;
	return x->room == n;
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
	l->block.reader = j->reader;
	snprintf(l->block.host_name, NODE_NAME, "%s", j->node);
	if (job != NULL && (x->job = strdup(job)) == NULL)
		return -ENOMEM;
	if (!interval_room(x, x->ncol))
		return -ENOMEM;
	x->parted = judged_marks(j, x->value, x->mark, x->share);
	l->nvalue += x->ncol;
	return l->n == GROUP_INTERVALS || l->nvalue + x->ncol > GROUP_ROWS ?
	    put_group(l) : 0;
}

int
long_rows_end(struct long_rows *l, const struct judged *j, struct diag *why)
{
	if (put_group(l) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	judged_head(j, l->block.file, "long");
	return parquet_end(l->block.file, why);
}
