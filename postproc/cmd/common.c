/*
 * postproc/cmd/common.c - the options that every command of tally has.
 */
#include "postproc/cmd/commands.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
complain(const char *fmt, ...)
{
	va_list ap;

	fputs("tally: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	putc('\n', stderr);
	return EXIT_UNUSABLE;
}

int
complain_why(const struct diag *why)
{
	return complain("%s", why->text[0] ? why->text : "out of memory");
}

bool
common_option(struct common *common, int c, const char *arg, const char *usage)
{
	struct diag why;
	int format;

	common->status = EXIT_USAGE;
	switch (c) {
	case 's':
		if (select_parse(&common->select, arg, &why) < 0) {
			complain("%s", why.text);
			return false;
		}
		return true;
	case 'f':
		if ((format = format_named(arg)) < 0) {
			complain("format \"%s\": expected text, csv or json",
			    arg);
			return false;
		}
		common->format = (enum format)format;
		return true;
	case 'o':
		common->output = arg;
		return true;
	case 'h':
		fputs(usage, stdout);
		common->status = EXIT_OK;
		return false;
	default:
		/* getopt has named the option: one line more */
		fprintf(stderr, "%.*s\n", (int)strcspn(usage, "\n"), usage);
		return false;
	}
}

bool
common_inputs(struct common *common, int argc, char **argv, const char *usage)
{
	common->input = (const char *const *)argv + optind;
	common->ninput = argc - optind;
	if (common->ninput > 0)
		return true;
	fputs(usage, stderr);
	common->status = EXIT_USAGE;
	return false;
}

bool
common_gb_s(const char *option, const char *arg, double *bytes)
{
	char *end;

	*bytes = strtod(arg, &end) * 1e9;
	if (*end == '\0' && *bytes > 0 && *bytes < 1e15)
		return true;
	complain("--%s %s: expected GB/s", option, arg);
	return false;
}

int
common_each(const struct common *common, const char *command,
    const char *table, const struct table_column *column, unsigned ncolumn,
    int (*one)(struct out *, const char *path, const void *ask),
    const void *ask)
{
	bool rows = common->format != FORMAT_TEXT;
	struct diag why;
	struct out *out;
	int status = EXIT_OK;
	bool any = false;

	if (out_open(&out, common->output, common->format, command, &why) < 0)
		return complain("%s", why.text);
	if (rows)
		table_begin(out, table, column, ncolumn);
	for (int i = 0; i < common->ninput; i++) {
		int s = one(out, common->input[i], ask);

		if (s > status)
			status = s;
		any |= s < EXIT_UNUSABLE;
	}
	if (rows)
		table_end(out);
	if (out_close(out, any, &why) < 0)
		status = complain("%s", why.text);
	return status;
}

int
common_plain(int argc, char **argv, const char *usage, const char *command,
    const char *table, const struct table_column *column, unsigned ncolumn,
    int (*one)(struct out *, const char *path, const void *common))
{
	static const struct option longopts[] = { COMMON_LONGOPTS };
	struct common common = { 0 };
	int c;

	while ((c = getopt_long(argc, argv, COMMON_OPTS, longopts, NULL)) != -1)
		if (!common_option(&common, c, optarg, usage))
			return common.status;
	if (!common_inputs(&common, argc, argv, usage))
		return common.status;
	return common_each(&common, command, table, column, ncolumn, one,
	    &common);
}
