/*
 * postproc/out/convert.c - all samples of a dump, for other programs.
 */
#include "postproc/out/convert.h"

#include "postproc/data/runs.h"

#include <errno.h>
#include <string.h>

#define ROW(name) &conversion_##name,
const struct conversion *const conversions[] = { CONVERSIONS(ROW) };

/* Reads the whole file, as columns may appear as late as in its last sample. */
static int
all_columns(struct reader **r, const char *path, const struct select *select,
    struct diag *why)
{
	struct read_row row;
	int rc;

	if (strcmp(path, "-") == 0)
		return diag_set(why, -ESPIPE, "standard input cannot be read "
		    "twice, and the columns have to be known first: save it "
		    "to a file");
	if ((rc = read_open(r, path, why)) == 0 && select != NULL) {
		read_jobs(*r, select->jobs);
		rc = runs_follow(select->runs, *r, why);
	}
	while (rc >= 0 && (rc = read_next(*r, &row, why)) > 0)
		;
	return rc;
}

static bool
is_folder(const struct outname *output)
{
	size_t n = output->path != NULL ? strlen(output->path) : 0;

	return n > 0 && output->path[n - 1] == '/';
}

static int
nothing(const struct source *source, const char *path, struct diag *why)
{
	return intervals_samples(source->iv) > 0 ? 0 : diag_set(why, -ENODATA,
	    "%s: nothing to convert", path);
}

static int
write_folder(const struct conversion *c, const struct source *source,
    const char *path, const struct outname *output, struct diag *why)
{
	int rc = c->write_folder(source, output, why);

	intervals_complain(source->iv);
	return rc < 0 ? rc : nothing(source, path, why);
}

static int
write_samples(const struct conversion *c, const struct source *source,
    const char *path, const struct outname *output, struct diag *why)
{
	struct outfile out;
	int rc = outfile_open(&out, output, why), closed;

	if (rc < 0)
		return rc;
	rc = c->write(source, out.f, why);
	intervals_complain(source->iv);
	if (rc == 0)
		rc = nothing(source, path, why);
	closed = outfile_close(&out, rc == 0, rc == 0 ? why : NULL);
	return rc < 0 ? rc : closed;
}

/* The name of the list of columns, FILE.columns.csv. */
static struct outname
beside_name(const struct outname *output, char list[4096])
{
	snprintf(list, 4096, "%s.columns.csv", output->path);
	return (struct outname){ list, output->overwrite };
}

static int
write_beside(const struct conversion *c, const struct source *source,
    const struct outname *output, struct diag *why)
{
	struct outfile out;
	char list[4096];
	struct outname name = beside_name(output, list);
	int rc;

	if ((rc = outfile_open(&out, &name, why)) < 0)
		return rc;
	c->beside(source, out.f);
	return outfile_close(&out, true, why);
}

int
convert(const struct conversion *c, const char *path,
    const struct select *select, unsigned number,
    const struct outname *output, struct diag *why)
{
	struct source source = { .number = number };
	struct reader *columns = NULL;
	struct outname beside;
	char list[4096];
	bool folder = c->write_folder != NULL && is_folder(output);
	int rc = 0;

	if (c->beside != NULL && !folder) {
		beside = beside_name(output, list);
		rc = outname_free(&beside, why);
	}
	if (rc >= 0 && c->columns_first)
		rc = all_columns(&columns, path, select, why);
	source.columns = columns;
	if (rc >= 0)
		rc = intervals_open(&source.iv, path, select, why);
	if (rc >= 0)
		rc = (folder ? write_folder : write_samples)(c, &source, path,
		    output, why);
	if (rc >= 0 && c->beside != NULL && !folder)
		rc = write_beside(c, &source, output, why);
	read_close(columns);
	intervals_close(source.iv);
	return rc;
}
