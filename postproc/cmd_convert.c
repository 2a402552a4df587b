/*
 * postproc/cmd_convert.c - tally convert: samples in formats of other programs.  The
 * formats and their options are listed in postproc/out/convert.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/data/runs.h"
#include "postproc/out/convert.h"

#define ROW(name) &conversion_##name,
static const struct conversion *const conversions[] = { CONVERSIONS(ROW) };
enum { NCONVERSIONS = sizeof(conversions) / sizeof(conversions[0]) };

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

/* Converts the selected samples of the dump at path; number: the option's argument.
 * 0 or -errno with words in why. */
static int
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

/* ---- the command ------------------------------------------------------------ */

struct convert_ask {
	const struct conversion *to;
	unsigned number;
};

/* Prints "--wide-csv|--npy|--lua-chunks N". */
static void
put_choices(FILE *f)
{
	for (int i = 0; i < NCONVERSIONS; i++) {
		const struct conversion *c = conversions[i];

		fprintf(f, "%s--%s%s%s", i > 0 ? "|" : "", c->option,
		    c->argument != NULL ? " " : "",
		    c->argument != NULL ? c->argument : "");
	}
}

static void
cmd_convert_put_help(FILE *f, const struct conversion *c)
{
	char head[40];
	const char *p = c->help, *end;

	snprintf(head, sizeof(head), "--%s%s%s", c->option,
	    c->argument != NULL ? " " : "", c->argument != NULL ? c->argument : "");
	fprintf(f, "  %-19s  ", head);
	for (; *(end = p + strcspn(p, "\n")) != '\0'; p = end + 1)
		fprintf(f, "%.*s\n%23s", (int)(end - p), p, "");
	fprintf(f, "%s\n", p);
}

/* Makes the usage; the caller frees it. */
static char *
make_usage(void)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL)
		return NULL;
	fputs("usage: tally convert ", f);
	put_choices(f);
	fputs(" [-s RANGE] [-o FILE] FILE...\n", f);
	for (int i = 0; i < NCONVERSIONS; i++)
		cmd_convert_put_help(f, conversions[i]);
	fputs("  -s, --samples RANGE  as for the other commands\n"
	    JOBS_HELP WRITING_HELP
	    "  -h, --help\n", f);
	return fclose(f) == 0 ? text : NULL;
}

static bool
take_conversion(const struct command_option *o, void *to, char *arg)
{
	struct convert_ask *ask = to;
	char *stop;
	long n;

	for (int i = 0; i < NCONVERSIONS; i++)
		if (strcmp(conversions[i]->option, o->name) == 0)
			ask->to = conversions[i];
	if (ask->to->argument == NULL)
		return true;
	n = strtol(arg, &stop, 10);
	ask->number = (unsigned)n;
	if (n >= 1 && n <= (long)ask->to->most && *stop == '\0')
		return true;
	complain("--%s %s: expected 1 to %u", o->name, arg, ask->to->most);
	return false;
}

static int
cmd_convert_run(const struct command_line *line, int argc, char **argv)
{
	struct common common = { .status = EXIT_OK };
	struct convert_ask ask = { .to = NULL };
	struct diag why;

	if (!common_parse(line, argc, argv, &common, &ask)) {
		common_fini(&common);
		return common.status;
	}
	common.status = EXIT_USAGE;
	if (ask.to == NULL)
		complain("convert to what?  %.*s", (int)strcspn(line->usage,
		    "\n"), line->usage);
	else if (common.ninput > 1)
		complain("one run at a time: %s and %s do not go on from one "
		    "another", common.input[0], common.input[1]);
	else if (ask.to->seeks && common.output.path == NULL)
		complain("--%s needs -o FILE", ask.to->option);
	else if (convert(ask.to, common.input[0], &common.in.select, ask.number,
	    &common.output, &why) < 0)
		common.status = complain("%s", why.text);
	else
		common.status = EXIT_OK;
	common_fini(&common);
	return common.status;
}

int
cmd_convert(int argc, char **argv)
{
	struct command_option own[NCONVERSIONS + 1] = { { 0 } };
	char *usage = make_usage();
	int status;

	if (usage == NULL)
		return complain("out of memory");
	for (int i = 0; i < NCONVERSIONS; i++)
		own[i] = (struct command_option){ conversions[i]->option,
		    take_conversion, 0, false };
	status = cmd_convert_run(&(struct command_line){ .name = "convert",
	    .usage = usage, .own = own, .runs = true }, argc, argv);
	free(usage);
	return status;
}
