/*
 * postproc/out/conversion_parquet.c - Parquet: with a row an interval and a column a
 * counter, or with one value in each row.
 */
#include "postproc/out/convert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

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

/* ---- one value in each row: one file, or one for each day and node ---------
 *
 * A row group has the values of some intervals, which are kept in memory until it is
 * written.  Its rows are grouped by family and event, in each of these by interval, and
 * then by box or lproc (struct long_order): neighbouring values are similar, most other
 * columns repeat the row before, and both compress well.
 */

/* ---- rows ------------------------------------------------------------------ */

#define GROUP_ROWS (1u << 18)   /* rows of a row group, at most (of one interval: any) */
#define GROUP_INTERVALS 4096    /* intervals of a row group, at most */

struct long_rows {
	struct long_order order;
	bool rotates;           /* some events rotate: values have a share */
	struct long_interval interval[GROUP_INTERVALS];
	unsigned n, most;       /* intervals in the row group; how many fit */
	/* [columns * most]: a family and event whose first column is number p of the
	 * order has its values from p * most on: those of interval 0, then of 1, ... */
	uint64_t *value;
	uint8_t *mark;
	double *share;          /* NULL unless rotates */
	const struct reader *reader;
	struct long_columns columns;
};

static struct long_rows *
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

/* Empties the row group. */
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

static void
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

/* Writes the intervals so far as a row group. */
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
		    .share = l->rotates ? l->share + from : NULL };

		long_columns_put(&l->columns, &v);
	}
	parquet_group(l->columns.file);
	long_rows_forget(l);
}

/* Begins a new row group, with arrays of another size, if the number of columns has
 * changed or this is the first interval with events that rotate.  0 or -ENOMEM. */
static int
begin_columns(struct long_rows *l, const struct judged *j)
{
	unsigned n = j->step.ncol;
	size_t room;

	if (n == l->order.n && j->turns.any == l->rotates)
		return 0;
	long_rows_put_group(l);
	free_values(l);
	l->rotates = j->turns.any;
	l->most = n <= GROUP_ROWS / GROUP_INTERVALS ? GROUP_INTERVALS :
	    n > GROUP_ROWS ? 1 : GROUP_ROWS / n;
	room = (size_t)n * l->most;
	l->value = reallocarray(NULL, room, sizeof(*l->value));
	l->mark = reallocarray(NULL, room, sizeof(*l->mark));
	if (l->rotates)
		l->share = reallocarray(NULL, room, sizeof(*l->share));
	if (l->value == NULL || l->mark == NULL || (l->rotates && l->share ==
	    NULL))
		return -ENOMEM;
	return long_order_load(&l->order, j->reader, n);
}

/* Adds the values of the current interval, which becomes number i of the row group. */
static void
add_values(struct long_rows *l, const struct judged *j, unsigned i)
{
	const struct long_order *o = &l->order;
	const struct long_way *way = i % 2 == 0 ? &o->up : &o->down;

	for (unsigned at = 0; at < o->n; at += o->same[at]) {
		size_t to = (size_t)at * l->most + i * o->same[at];

		judged_marks(j, way->column + at, o->same[at], l->value + to,
		    l->mark + to, l->rotates ? l->share + to : NULL);
	}
}

static int
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

static int
long_rows_end(struct long_rows *l, const struct judged *j, struct diag *why)
{
	long_rows_put_group(l);
	judged_head(j, l->columns.file, "long");
	return parquet_end(l->columns.file, why);
}

/* ---- one file -------------------------------------------------------------- */

/* Writes what is left and the end of the file if rc is 0, frees the rows in any case. */
static int
end_rows(struct long_rows *l, const struct judged *j, int rc, struct diag *why)
{
	if (rc == 0)
		rc = long_rows_end(l, j, why);
	else if (rc == -ENOMEM)
		diag_set(why, rc, "out of memory");
	long_rows_free(l);
	return rc;
}

static int
parquet_long_one_file(const struct source *s, FILE *f, struct diag *why)
{
	struct long_rows *l = long_rows_new(f);
	struct judged j;
	int rc = l != NULL ? 1 : -ENOMEM;

	judged_init(&j, s->iv);
	while (rc > 0 && (rc = judged_next(&j, why)) > 0)
		rc = long_rows_add(l, &j) < 0 ? -ENOMEM : 1;
	rc = end_rows(l, &j, rc, why);
	judged_fini(&j);
	return rc;
}

/* ---- a folder ------------------------------------------------------------ */

/* The file of the day that is being written. */
struct day {
	const struct outname *folder;
	const char *name;       /* name of the dump */
	size_t name_len;        /* without its ending: that of the day's file */
	char date[16];
	struct outfile out;
	struct long_rows *rows;         /* NULL: no file is open */
};

/* The UTC date of the current interval; "unknown" if the dump has no time. */
static void
date_of(const struct judged *j, char date[16])
{
	struct tm tm;
	int64_t us;
	time_t s;

	strcpy(date, "unknown");
	if (!judged_time(j, &us))
		return;
	s = (time_t)(us / 1000000);
	if (gmtime_r(&s, &tm) != NULL)
		strftime(date, 16, "%Y-%m-%d", &tm);
}

/* Writes text as a part of a folder's name.  Characters that Hive does not accept there
 * are written as %XX. */
static void
parquet_long_put_escaped(FILE *f, const char *s)
{
	for (; *s != '\0'; s++)
		if ((uint8_t)*s <= ' ' || (uint8_t)*s >= 0x7f ||
		    strchr("\"#%'*/:=?\\{}[]^", *s) != NULL)
			fprintf(f, "%%%02X", (uint8_t)*s);
		else
			putc(*s, f);
}

/* Makes the folders that a path goes through, unless they exist. */
static int
make_folders(char *path, struct diag *why)
{
	for (char *p = path + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		if (mkdir(path, 0777) < 0 && errno != EEXIST)
			return diag_set(why, -errno, "%s: %s", path,
			    strerror(errno));
		*p = '/';
	}
	return 0;
}

/* FOLDER/date=2026-11-22/host=n1/NAME.parquet; the caller frees it. */
static char *
day_path(const struct day *d, const char *node)
{
	char *path = NULL;
	size_t size;
	FILE *f = open_memstream(&path, &size);

	if (f == NULL)
		return NULL;
	fprintf(f, "%sdate=%s/host=", d->folder->path, d->date);
	parquet_long_put_escaped(f, node);
	fprintf(f, "/%.*s.parquet", (int)d->name_len, d->name);
	return fclose(f) == 0 ? path : NULL;
}

static int
begin_day(struct day *d, const struct judged *j, struct diag *why)
{
	struct outname name = { .overwrite = d->folder->overwrite };
	char *path;
	int rc;

	date_of(j, d->date);
	if ((path = day_path(d, j->node)) == NULL)
		return -ENOMEM;
	name.path = path;
	if ((rc = make_folders(path, why)) == 0)
		rc = outfile_open(&d->out, &name, why);
	free(path);
	if (rc == 0 && (d->rows = long_rows_new(d->out.f)) == NULL) {
		outfile_close(&d->out, false, NULL);
		rc = -ENOMEM;
	}
	return rc;
}

/* Ends a day's file; it is kept only if all was written. */
static int
end_day(struct day *d, const struct judged *j, int rc, struct diag *why)
{
	int closed;

	if (d->rows == NULL)
		return rc;
	rc = end_rows(d->rows, j, rc, why);
	d->rows = NULL;
	closed = outfile_close(&d->out, rc == 0, rc == 0 ? why : NULL);
	return rc < 0 ? rc : closed;
}

/* Adds the current interval to its day's file; on a new day the file before is ended. */
static int
add_interval(struct day *d, struct judged *j, struct diag *why)
{
	char date[16];
	int rc = 0;

	date_of(j, date);
	if (d->rows != NULL && strcmp(date, d->date) != 0)
		rc = end_day(d, j, 0, why);
	if (rc == 0 && d->rows == NULL)
		rc = begin_day(d, j, why);
	if (rc == 0)
		rc = long_rows_add(d->rows, j);
	return rc;
}

static int
parquet_long_folder(const struct source *s, const struct outname *output,
    struct diag *why)
{
	const char *path = read_path(intervals_reader(s->iv));
	const char *base = strrchr(path, '/');
	struct day d = { .folder = output, .name = base != NULL ? base + 1 :
	    path };
	const char *dot = strrchr(d.name, '.');
	struct judged j;
	int rc = 1;

	d.name_len = dot != NULL && dot > d.name ? (size_t)(dot - d.name) :
	    strlen(d.name);
	judged_init(&j, s->iv);
	while (rc > 0 && (rc = judged_next(&j, why)) > 0)
		if ((rc = add_interval(&d, &j, why)) == 0)
			rc = 1;
	if (rc == -ENOMEM && d.rows == NULL)
		diag_set(why, rc, "out of memory");
	rc = end_day(&d, &j, rc, why);
	judged_fini(&j);
	return rc;
}

const struct conversion conversion_parquet_long = {
	.option = "parquet-long", .write = parquet_long_one_file,
	    .write_folder = parquet_long_folder,
	.help = "the same, a row a value; to a FOLDER/ (-o), parted by day\n"
	    "and node: date=2026-11-22/host=n1/NAME.parquet",
};
