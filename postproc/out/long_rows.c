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

#include "postproc/out/long_order.h"

#define GROUP_ROWS (1u << 18)   /* values of a row group, */
#define GROUP_INTERVALS 4096    /* and intervals, at most */

/* What all values of an interval have in common. */
struct long_interval {
	uint64_t sample;
	double seconds;
	int64_t us;
	bool timed;
	char *job;              /* NULL: none */
	unsigned ncol;
	struct judged_value *value;     /* [ncol] */
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
		free(l->interval[i].value);
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

static void
put_index(struct long_rows *l, const struct column_id *id)
{
	struct parquet *p = l->file;

	if (id->nindex == 1) {
		uint8_t of = id->family->of;

		parquet_number(p, of == OF_PKG ? l->package : of == OF_LPROC ||
		    of == OF_CORE ? l->lproc : l->box, id->index[0]);
	}
	if (id->nindex >= 2) {
		parquet_number(p, l->package, id->index[0]);
		parquet_number(p, l->box, id->index[1]);
	}
	if (id->nindex >= 3)
		parquet_number(p, late(l, &l->third, "index3",
		    PARQUET_INT_FEW), id->index[2]);
	if (id->nindex >= 4)
		parquet_number(p, late(l, &l->fourth, "index4",
		    PARQUET_INT_FEW), id->index[3]);
}

static void
put_identity(struct long_rows *l, const struct column_id *id)
{
	struct parquet *p = l->file;

	parquet_text(p, l->family, id->family->name);
	parquet_text(p, l->event, id->event);
	put_index(l, id);
	if (id->lprocs != NULL)
		parquet_text(p, late(l, &l->lprocs, "lprocs", PARQUET_TEXT),
		    id->lprocs);
	if (id->odd != NULL)
		parquet_text(p, late(l, &l->odd, "odd", PARQUET_TEXT),
		    id->odd);
	if (id->family->unit[0] != '\0')
		parquet_text(p, l->unit, id->family->unit);
}

static void
put_value(struct long_rows *l, const struct judged_value *v)
{
	struct parquet *p = l->file;

	parquet_text(p, l->kind, v->kind);
	if (v->none)
		return;
	parquet_real(p, l->share, v->share);
	if (v->below || v->value <= INT64_MAX)
		parquet_number(p, l->value, v->value);
	else
		parquet_number(p, late(l, &l->large, "large", PARQUET_COUNT),
		    v->value);
}

static void
put_row(struct long_rows *l, const struct long_interval *x, unsigned c)
{
	struct parquet *p = l->file;

	if (c >= x->ncol)
		return;
	if (x->timed)
		parquet_number(p, l->time, (uint64_t)x->us);
	parquet_text(p, l->host, l->host_name);
	parquet_text(p, l->job, x->job);
	parquet_number(p, l->sample, x->sample);
	parquet_real(p, l->seconds, x->seconds);
	put_identity(l, &read_column(l->reader, c)->id);
	put_value(l, &x->value[c]);
	parquet_row(p);
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
	for (unsigned at = 0; at < o->n; at += o->same[at])
		for (unsigned i = 0; i < l->n; i++)
			for (unsigned k = 0; k < o->same[at]; k++)
				put_row(l, &l->interval[i], o->column[at +
				    (i % 2 == 0 ? k : o->same[at] - 1 - k)]);
	parquet_group(l->file);
	forget(l);
	return 0;
}

int
long_rows_add(struct long_rows *l, struct judged *j)
{
	struct long_interval *x = &l->interval[l->n];
	const char *job = judged_job(j);

	*x = (struct long_interval){ .sample = j->step.sample, .seconds =
	    j->step.seconds, .ncol = j->step.ncol };
	l->reader = j->reader;
	snprintf(l->host_name, sizeof(l->host_name), "%s", j->node);
	x->timed = judged_time(j, &x->us);
	x->value = reallocarray(NULL, x->ncol + 1, sizeof(*x->value));
	if (job != NULL)
		x->job = strdup(job);
	l->n++;
	if (x->value == NULL || (job != NULL && x->job == NULL))
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
