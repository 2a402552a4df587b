/*
 * postproc/out/conversion_parquet_long.c - Parquet, a row a value: a file, or a
 * folder of them, parted by day and node.
 */
#include "postproc/out/convert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "postproc/out/long_rows.h"

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

/* The day that is being written. */
struct day {
	const struct outname *folder;
	const char *name;       /* of files: the dump's, */
	size_t name_len;        /* without its ending */
	char date[16];
	struct outfile out;
	struct long_rows *rows;         /* NULL: none is */
};

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

/* As a folder's name: what Hive would not take as it is, is %XX. */
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

/* Folders on the way to a file, made as needed. */
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
