/*
 * postproc/cmd_convert.c - tally convert: samples in formats of other programs.  The
 * formats and their options are listed in postproc/out/convert.h.
 */
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/out/convert.h"

#define FIRST 256               /* what getopt_long returns for the first conversion */

struct convert_ask {
	const struct conversion *to;
	unsigned number;
};

/* Prints "--wide-csv|--npy|--lua-chunks N". */
static void
put_choices(FILE *f)
{
	for (unsigned i = 0; i < NCONVERSIONS; i++) {
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

	snprintf(head, sizeof(head), "--%s%s%s", c->option, c->argument != NULL ?
	    " " : "", c->argument != NULL ? c->argument : "");
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
	for (unsigned i = 0; i < NCONVERSIONS; i++)
		cmd_convert_put_help(f, conversions[i]);
	fputs("  -s, --samples RANGE  as for the other commands\n"
	    JOBS_HELP WRITING_HELP
	    "  -h, --help\n", f);
	return fclose(f) == 0 ? text : NULL;
}

static int
cmd_convert_own_option(void *asked, int c, char *arg)
{
	struct convert_ask *ask = asked;
	char *stop;
	long n;

	if (c < FIRST)
		return 0;
	ask->to = conversions[c - FIRST];
	if (ask->to->argument == NULL)
		return 1;
	n = strtol(arg, &stop, 10);
	if (n < 1 || n > (long)ask->to->most || *stop != '\0') {
		complain("--%s %s: expected 1 to %u", ask->to->option, arg,
		    ask->to->most);
		return -1;
	}
	ask->number = (unsigned)n;
	return 1;
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
	static const struct option others[] = {
		{ "samples", required_argument, NULL, 's' },
		{ "output", required_argument, NULL, 'o' },
		JOBS_LONGOPT,
		OVERWRITE_LONGOPT,
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	struct option options[NCONVERSIONS + 6];
	char *usage = make_usage();
	int status;

	if (usage == NULL)
		return complain("out of memory");
	for (int i = 0; i < NCONVERSIONS; i++)
		options[i] = (struct option){ conversions[i]->option,
		    conversions[i]->argument != NULL ? required_argument :
		    no_argument, NULL, FIRST + i };
	memcpy(&options[NCONVERSIONS], others, sizeof(others));
	status = cmd_convert_run(&(struct command_line){ .name = "convert",
	    .usage = usage,
	    .letters = "s:o:h", .options = options,
	    .own_option = cmd_convert_own_option, .runs = true }, argc, argv);
	free(usage);
	return status;
}
