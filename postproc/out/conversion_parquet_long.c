/*
 * postproc/out/conversion_parquet_long.c - Parquet with one value in each row: one file,
 * or a folder with a file for each day and node.
 *
 * A row group has the values of some intervals, which are kept in memory until it is
 * written.  Its rows are grouped by family and event, in each of these by interval, and
 * then by box or lproc (struct long_order): neighbouring values are similar, most other
 * columns repeat the row before, and both compress well.
 */
#include "postproc/out/convert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "postproc/out/long_columns.h"

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
