/*
 * postproc/out/long_columns.c - writes rows of one value each, column by column: in each
 * column, rows that follow one another and have the same are written at once.
 */
#include "postproc/out/convert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the order of columns -------------------------------------------------- */

/* A column, as it is sorted. */
struct column_place {
	unsigned column;
	uint32_t kind;          /* the reader's, of its family and event */
	const struct column_id *id;
};

static int
words_order(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

/* Compares indices; the second one descends where the first is odd. */
static int
index_order(const struct column_id *a, const struct column_id *b)
{
	bool down = false;

	for (unsigned i = 0; i < a->nindex; i++) {
		if (a->index[i] != b->index[i])
			return (a->index[i] < b->index[i]) != down ? -1 : 1;
		down ^= a->index[i] & 1;
	}
	return 0;
}

static bool
long_order_alike(const struct column_place *x, const struct column_place *y)
{
	return x->kind == y->kind && x->id->nindex == y->id->nindex &&
	    words_order(x->id->lprocs, y->id->lprocs) == 0 &&
	    words_order(x->id->odd, y->id->odd) == 0;
}

static int
long_order_by_place(const void *a, const void *b)
{
	const struct column_place *x = a, *y = b;
	int by;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->id->nindex != y->id->nindex)
		return x->id->nindex < y->id->nindex ? -1 : 1;
	if ((by = words_order(x->id->lprocs, y->id->lprocs)) != 0 ||
	    (by = words_order(x->id->odd, y->id->odd)) != 0 ||
	    (by = index_order(x->id, y->id)) != 0)
		return by;
	return x->column < y->column ? -1 : 1;
}

static void
long_order_take(struct long_order *o, const struct column_place *p, unsigned n)
{
	o->n = n;
	for (unsigned i = n; i-- > 0;)
		o->same[i] = i + 1 < n && long_order_alike(&p[i], &p[i + 1]) ?
		    o->same[i + 1] + 1 : 1;
	for (unsigned at = 0; at < n; at += o->same[at])
		for (unsigned i = at, k = at + o->same[at]; k-- > at; i++) {
			o->up.column[i] = p[i].column;
			o->down.column[i] = p[k].column;
			for (unsigned d = 0; d < MAX_INDEX; d++) {
				o->up.index[d][i] = p[i].id->index[d];
				o->down.index[d][i] = p[k].id->index[d];
			}
		}
}

static bool
way_room(struct long_way *w, unsigned n)
{
	bool room = (w->column = calloc(n, sizeof(*w->column))) != NULL;

	for (unsigned d = 0; d < MAX_INDEX; d++) {
		w->index[d] = calloc(n, sizeof(*w->index[d]));
		room = room && w->index[d] != NULL;
	}
	return room;
}

static void
way_fini(struct long_way *w)
{
	free(w->column);
	for (unsigned d = 0; d < MAX_INDEX; d++)
		free(w->index[d]);
}

int
long_order_load(struct long_order *o, const struct reader *r, unsigned n)
{
	struct column_place *p;

	if (n == o->n)
		return 0;
	long_order_fini(o);
	p = calloc(n, sizeof(*p));
	o->same = calloc(n, sizeof(*o->same));
	if (p == NULL || o->same == NULL || !way_room(&o->up, n) ||
	    !way_room(&o->down, n)) {
		free(p);
		return -ENOMEM;
	}
	for (unsigned c = 0; c < n; c++) {
		const struct column *col = read_column(r, c);

		p[c] = (struct column_place){ c, col->kind, &col->id };
	}
	qsort(p, n, sizeof(*p), long_order_by_place);
	long_order_take(o, p, n);
	free(p);
	return 0;
}

void
long_order_fini(struct long_order *o)
{
	way_fini(&o->up);
	way_fini(&o->down);
	free(o->same);
	*o = (struct long_order){ .n = 0 };
}

/* ---- the columns of the file ----------------------------------------------- */

#define BLOCK_ROWS 1024         /* rows at once, where they are copied */

void
long_columns_init(struct long_columns *l, struct parquet *p)
{
	l->file = p;
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
}

/* Adds a column when its first value comes, as most files lack it. */
static int
long_columns_late(struct long_columns *l, int *column, const char *name,
    enum parquet_type type)
{
	if (*column < 0)
		*column = parquet_column(l->file, name, type);
	return *column;
}

/* Writes the cells that are the same in all rows. */
static void
put_identity(struct long_columns *l, const struct column_id *id, unsigned n)
{
	struct parquet *p = l->file;

	parquet_same_text(p, l->host, l->host_name, n);
	parquet_same_text(p, l->family, id->family->name, n);
	parquet_same_text(p, l->event, id->event, n);
	if (id->lprocs != NULL)
		parquet_same_text(p, long_columns_late(l, &l->lprocs, "lprocs",
		    PARQUET_TEXT), id->lprocs, n);
	if (id->odd != NULL)
		parquet_same_text(p,
		    long_columns_late(l, &l->odd, "odd", PARQUET_TEXT),
		    id->odd, n);
	if (id->family->unit[0] != '\0')
		parquet_same_text(p, l->unit, id->family->unit, n);
}

/* Writes index number d of all rows.  As all even and all odd intervals have the same
 * indices, a block of several intervals is made once and written repeatedly. */
static void
long_columns_put_index(struct parquet *p, int column,
    const struct long_values *v, unsigned d)
{
	const uint64_t *index[2] = { v->order->up.index[d] + v->at,
	    v->order->down.index[d] + v->at };
	uint64_t block[BLOCK_ROWS];
	unsigned fit = BLOCK_ROWS / v->same / 2 * 2;

	for (unsigned i = 0; i < fit && i < v->n; i++)
		memcpy(block + i * v->same, index[i % 2],
		    v->same * sizeof(*block));
	for (unsigned i = 0, n; i < v->n; i += n) {
		n = fit == 0 ? 1 : v->n - i < fit ? v->n - i : fit;
		parquet_ahead(p, i * v->same);
		parquet_numbers(p, column, fit > 0 ? block : index[i % 2],
		    NULL, 1, n * v->same);
	}
}

static void
put_indices(struct long_columns *l, const struct long_values *v)
{
	const struct column_id *id = v->id;
	uint8_t of = id->family->of;
	int to[MAX_INDEX] = { l->package, l->box, -1, -1 };

	if (id->nindex == 1 && of != OF_PKG)
		to[0] = of == OF_LPROC || of == OF_CORE ? l->lproc : l->box;
	if (id->nindex >= 3)
		to[2] = long_columns_late(l, &l->third, "index3",
		    PARQUET_INT_FEW);
	if (id->nindex >= 4)
		to[3] = long_columns_late(l, &l->fourth, "index4",
		    PARQUET_INT_FEW);
	for (unsigned d = 0; d < id->nindex && d < MAX_INDEX; d++)
		long_columns_put_index(l->file, to[d], v, d);
}

static void
put_intervals(struct long_columns *l, const struct long_values *v)
{
	struct parquet *p = l->file;

	for (unsigned i = 0; i < v->n; i++) {
		const struct long_interval *x = &v->interval[i];

		parquet_ahead(p, i * v->same);
		if (x->timed)
			parquet_same_number(p, l->time, (uint64_t)x->us,
			    v->same);
		parquet_same_text(p, l->job, x->job, v->same);
		parquet_same_number(p, l->sample, x->sample, v->same);
		parquet_same_real(p, l->seconds, x->seconds, v->same);
	}
}

/* Writes the shares of n rows that have values. */
static void
put_shares(struct long_columns *l, const double *share, unsigned from,
    unsigned n)
{
	parquet_ahead(l->file, from);
	if (share == NULL)
		parquet_same_real(l->file, l->share, 1, n);
	for (unsigned i = 0, k; share != NULL && i < n; i += k) {
		const double *s = share + from + i;

		for (k = 1; i + k < n && s[k] == s[0]; k++)
			;
		parquet_ahead(l->file, from + i);
		parquet_same_real(l->file, l->share, s[0], k);
	}
}

/* Returns how many values from the first on have the same mark. */
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

/* Writes kind and share of all rows.  Returns the marks of all rows, ORed. */
static uint8_t
put_judgements(struct long_columns *l, const struct long_values *v)
{
	unsigned all = v->n * v->same;
	uint8_t any = 0;

	for (unsigned i = 0, n; i < all; i += n) {
		uint8_t mark = v->mark[i];

		any |= mark;
		n = marked_alike(v->mark + i, all - i);
		parquet_ahead(l->file, i);
		parquet_same_text(l->file, l->kind, judged_word(mark &
		    ~(JUDGED_NONE | JUDGED_LARGE)), n);
		if (!(mark & JUDGED_NONE))
			put_shares(l, v->share, i, n);
	}
	return any;
}

/* Writes the values whose mark has of JUDGED_NONE and JUDGED_LARGE just the bits
 * `those`. */
static void
long_columns_put_values(struct parquet *p, int column,
    const struct long_values *v, uint8_t those)
{
	unsigned all = v->n * v->same;
	bool none[BLOCK_ROWS];

	for (unsigned i = 0, n; i < all; i += n) {
		n = all - i < BLOCK_ROWS ? all - i : BLOCK_ROWS;
		for (unsigned k = 0; k < n; k++)
			none[k] = (v->mark[i + k] & (JUDGED_NONE |
			    JUDGED_LARGE)) != those;
		parquet_ahead(p, i);
		parquet_numbers(p, column, v->value + i, none, 1, n);
	}
}

void
long_columns_put(struct long_columns *l, const struct long_values *v)
{
	struct parquet *p = l->file;
	unsigned n = v->n * v->same;
	uint8_t any;

	if (n == 0)
		return;
	put_identity(l, v->id, n);
	put_indices(l, v);
	put_intervals(l, v);
	any = put_judgements(l, v);
	if (any & (JUDGED_NONE | JUDGED_LARGE)) {
		long_columns_put_values(p, l->value, v, 0);
	} else {
		parquet_ahead(p, 0);
		parquet_numbers(p, l->value, v->value, NULL, 1, n);
	}
	/* values of 2^63 or more are in a column of their own */
	if (any & JUDGED_LARGE)
		long_columns_put_values(p,
		    long_columns_late(l, &l->large, "large", PARQUET_COUNT), v,
		    JUDGED_LARGE);
	parquet_rows(p, n);
}
