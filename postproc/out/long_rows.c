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

#include "postproc/out/long_columns.h"

#define GROUP_ROWS (1u << 18)   /* values of a row group, */
#define GROUP_INTERVALS 4096    /* and intervals, at most */

struct long_rows {
	struct long_order order;
	bool parted;            /* does any counter take turns? */
	struct long_interval interval[GROUP_INTERVALS];
	unsigned n, most;       /* of these; that a row group takes */
	/* [most] of each column; from place * most on of all intervals what those
	 * of the same family and event have */
	uint64_t *value;
	uint8_t *mark;
	double *share;          /* if parted */
	const struct reader *reader;
	struct long_columns columns;
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
	long_columns_init(&l->columns, p);
	return l;
}

static void
long_rows_forget(struct long_rows *l)
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
	free(l->value);
	free(l->mark);
	free(l->share);
	l->value = NULL;
	l->mark = NULL;
	l->share = NULL;
}

void
long_rows_free(struct long_rows *l)
{
	if (l == NULL)
		return;
	long_rows_forget(l);
	free_values(l);
	long_order_fini(&l->order);
	parquet_free(l->columns.file);
	free(l);
}

/* A row group. */
static void
long_rows_put_group(struct long_rows *l)
{
	const struct long_order *o = &l->order;

	for (unsigned at = 0; at < o->n; at += o->same[at]) {
		size_t from = (size_t)at * l->most;
		struct long_values v = { .interval = l->interval, .n = l->n,
		    .same = o->same[at], .order = o, .at = at,
		    .id = &read_column(l->reader, o->up.column[at])->id,
		    .value = l->value + from, .mark = l->mark + from,
		    .share = l->parted ? l->share + from : NULL };

		long_columns_put(&l->columns, &v);
	}
	parquet_group(l->columns.file);
	long_rows_forget(l);
}

/* Where these are not the same columns as before, or the first time that one takes
 * turns, a row group begins. */
static int
begin_columns(struct long_rows *l, const struct judged *j)
{
	unsigned n = j->step.ncol;
	size_t room;

	if (n == l->order.n && j->turns.any == l->parted)
		return 0;
	long_rows_put_group(l);
	free_values(l);
	l->parted = j->turns.any;
	l->most = n <= GROUP_ROWS / GROUP_INTERVALS ? GROUP_INTERVALS :
	    n > GROUP_ROWS ? 1 : GROUP_ROWS / n;
	room = (size_t)n * l->most;
	l->value = reallocarray(NULL, room, sizeof(*l->value));
	l->mark = reallocarray(NULL, room, sizeof(*l->mark));
	if (l->parted)
		l->share = reallocarray(NULL, room, sizeof(*l->share));
	if (l->value == NULL || l->mark == NULL || (l->parted && l->share ==
	    NULL))
		return -ENOMEM;
	return long_order_load(&l->order, j->reader, n);
}

/* What interval number i has, up or down. */
static void
add_values(struct long_rows *l, const struct judged *j, unsigned i)
{
	const struct long_order *o = &l->order;
	const struct long_way *way = i % 2 == 0 ? &o->up : &o->down;

	for (unsigned at = 0; at < o->n; at += o->same[at]) {
		size_t to = (size_t)at * l->most + i * o->same[at];

		judged_marks(j, way->column + at, o->same[at], l->value + to,
		    l->mark + to, l->parted ? l->share + to : NULL);
	}
}

int
long_rows_add(struct long_rows *l, struct judged *j)
{
	struct long_interval *x;
	const char *job = judged_job(j);

	if (begin_columns(l, j) < 0)
		return -ENOMEM;
	l->reader = j->reader;
	snprintf(l->columns.host_name, NODE_NAME, "%s", j->node);
	add_values(l, j, l->n);
	x = &l->interval[l->n++];
	x->sample = j->step.sample;
	x->seconds = j->step.seconds;
	x->timed = judged_time(j, &x->us);
	if (job != NULL && (x->job = strdup(job)) == NULL)
		return -ENOMEM;
	if (l->n >= l->most)
		long_rows_put_group(l);
	return 0;
}

int
long_rows_end(struct long_rows *l, const struct judged *j, struct diag *why)
{
	long_rows_put_group(l);
	judged_head(j, l->columns.file, "long");
	return parquet_end(l->columns.file, why);
}
