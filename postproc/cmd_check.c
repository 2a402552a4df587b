/*
 * postproc/cmd_check.c - tally check: is this dump sound?
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/pages/checks.h"
#include "lib/printable.h"

static const char usage[] =
"usage: tally check [-v] [-s RANGE] [-f FORMAT] [-o FILE] FILE...\n"
"Is a dump sound: one line a finding.  Looks for samples that are missing or\n"
"late, counters that were reset, taken over or cannot have counted that much,\n"
"intervals too long for a counter's width, values that are absent or out of\n"
"range, metrics that cannot be, clocks that disagree, and lines that are no\n"
"dump; and pairs of independent counters that do not agree on one thing.\n"
"Exit status: 0 sound, 1 findings, 2 a file that cannot be used.\n"
"  -v, --verbose         which pairs agree, within what bound, and why others\n"
"                        cannot be compared; boxes that this part does not have\n"
COMMON_HELP;

static const struct table_column columns[] = {
	{ "file", NULL, 0, true }, { "severity", NULL, 0, true },
	{ "first", "sample", 0, false }, { "last", "sample", 0, false },
	{ "what", NULL, 0, true }, { "text", NULL, 0, true },
};

struct check_ask {
	struct common common;
	bool verbose;
};

/* What is printed of a file. */
struct checked {
	struct check check;
	bool verbose;
};

/* Is this pair of figures shown, although it is no finding? */
static bool
no_finding(const struct pair *p)
{
	return p->says != PAIR_DIFFERS && pair_shown(p);
}

static void
cmd_check_put_pair(struct out *out, const struct check *c, const struct pair *p)
{
	char text[800];

	cell_text(out, read_path(c->reader));
	cell_text(out, "note");
	cell_none(out);
	cell_none(out);
	cell_text(out, "pair");
	cell_text(out, pair_words(p, text, sizeof text));
}

static int
cmd_check_print_rows(struct out *out, void *what)
{
	const struct checked *checked = what;
	const struct check *c = &checked->check;

	for (unsigned i = 0; i < c->findings.n; i++) {
		const struct finding *f = &c->findings.finding[i];

		cell_text(out, read_path(c->reader));
		cell_text(out, f->note ? "note" : "finding");
		if (f->sampled) {
			cell_u64(out, f->first);
			cell_u64(out, f->last);
		} else {
			cell_none(out);
			cell_none(out);
		}
		cell_text(out, f->what);
		cell_text(out, f->text);
	}
	for (unsigned i = 0; i < c->pairs.n; i++)
		if (no_finding(&c->pairs.pair[i]))
			cmd_check_put_pair(out, c, &c->pairs.pair[i]);
	return 0;
}

static void
print_finding(FILE *o, const char *path, const struct finding *f)
{
	fprintf(o, "%s: ", path);
	if (f->note)
		fputs("note: ", o);
	else if (f->sampled && f->first == f->last)
		fprintf(o, "sample %" PRIu64 ": ", f->first);
	else if (f->sampled)
		fprintf(o, "samples %" PRIu64 "-%" PRIu64 ": ", f->first,
		    f->last);
	if (strncmp(f->text, path, strlen(path)) == 0)  /* FILE:LINE: */
		fprintf(o, "%s: line %s\n", f->what,
		    f->text + strlen(path) + 1);
	else
		fprintf(o, "%s: %s\n", f->what, f->text);
}

static int
print_page(struct out *out, void *what)
{
	const struct checked *checked = what;
	const struct check *c = &checked->check;
	const char *path = read_shown(c->reader);
	uint64_t n = check_findings(c);
	FILE *f = out_file(out);
	char text[800];

	for (unsigned i = 0; i < c->findings.n; i++)
		if (checked->verbose || !c->findings.finding[i].usual)
			print_finding(f, path, &c->findings.finding[i]);
	for (unsigned i = 0; checked->verbose && i < c->pairs.n; i++)
		if (no_finding(&c->pairs.pair[i]))
			fprintf(f, "%s: pair: %s\n", path,
			    pair_words(&c->pairs.pair[i], text, sizeof text));
	if (c->findings.unkept > 0)
		fprintf(f, "%s: %" PRIu64 " more\n", path, c->findings.unkept);
	fprintf(f, "%s: %" PRIu64 " sample%s, %.3f s, %u column%s: ",
	    path, intervals_samples(c->iv), plural(intervals_samples(c->iv)),
	    intervals_seconds(c->iv), read_columns(c->reader),
	    plural(read_columns(c->reader)));
	if (n == 0)
		fputs("sound", f);
	else
		fprintf(f, "%" PRIu64 " finding%s", n, plural(n));
	fputc('\n', f);
	return 0;
}

static const struct view view = {
	.table = { "findings", columns, sizeof(columns) / sizeof(columns[0]),
	    false },
	.rows = cmd_check_print_rows, .page = print_page,
};

static int
cmd_check_check(struct out *out, const char *path, void *asked)
{
	const struct check_ask *ask = asked;
	struct checked *checked = calloc(1, sizeof *checked);   /* for a small stack */
	struct check *c;
	struct diag why = { "" };
	int status = EXIT_OK, rc;

	if (checked == NULL)
		return complain("%s: out of memory", path);
	checked->verbose = ask->verbose;
	c = &checked->check;
	rc = check_read(c, path, &ask->common.in.select, &why);
	if (rc == -ENODATA && why.text[0] == '\0') {
		intervals_complain(c->iv);
		status = complain("%s: nothing to check", path);
	} else if (rc < 0) {
		status = complain("%s", why.text);
	} else {
		view_put(out, &view, checked);
		if (check_findings(c) > 0)
			status = EXIT_FINDINGS;
	}
	check_fini(c);
	free(checked);
	return status;
}

int
cmd_check(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "verbose", option_flag, offsetof(struct check_ask, verbose), false },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "check", .usage = usage, .runs = true,
		.own = own, .one = cmd_check_check,
	};
	struct check_ask ask = { .verbose = false };

	return common_run(&line, &view, argc, argv, &ask.common, &ask);
}
