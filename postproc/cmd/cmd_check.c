/*
 * postproc/cmd/cmd_check.c - tally check: is this dump sound?
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "postproc/cmd/commands.h"
#include "postproc/pages/checks.h"
#include "regs/printable.h"

static const char usage[] =
"usage: tally check [-s RANGE] [-f FORMAT] [-o FILE] FILE...\n"
"Is a dump sound: one line a finding.  Looks for samples that are missing or\n"
"late, counters that were reset, taken over or cannot have counted that much,\n"
"intervals too long for a counter's width, values that are absent or out of\n"
"range, metrics that cannot be, clocks that disagree, and lines that are no\n"
"dump.  Compares what two independent counters say of one thing: which pairs\n"
"agree, by how much, and why others cannot be compared.\n"
"Exit status: 0 sound, 1 findings, 2 a file that cannot be used.\n"
COMMON_HELP;

static const struct table_column columns[] = {
	{ "file", NULL, 0, true }, { "severity", NULL, 0, true },
	{ "first", "sample", 0, false }, { "last", "sample", 0, false },
	{ "what", NULL, 0, true }, { "text", NULL, 0, true },
};

/* A pair that is no finding. */
static void
put_pair(struct out *out, const struct check *c, const struct pair *p)
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
print_rows(struct out *out, void *what)
{
	const struct check *c = what;

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
		if (c->pairs.pair[i].says != PAIR_DIFFERS &&
		    pair_shown(&c->pairs.pair[i]))
			put_pair(out, c, &c->pairs.pair[i]);
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
	const struct check *c = what;
	const char *path = read_shown(c->reader);
	uint64_t n = check_findings(c);
	FILE *f = out_file(out);

	for (unsigned i = 0; i < c->findings.n; i++)
		print_finding(f, path, &c->findings.finding[i]);
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
	pairs_put(&c->pairs, f);
	fputc('\n', f);
	return 0;
}

static const struct view view = {
	.table = { "findings", columns, sizeof(columns) / sizeof(columns[0]),
	    false },
	.rows = print_rows, .page = print_page,
};

static int
check(struct out *out, const char *path, void *asked)
{
	const struct common *common = asked;
	struct check c;
	struct diag why = { "" };
	int rc = check_read(&c, path, &common->in.select, &why);
	int status = EXIT_OK;

	if (rc == -ENODATA && why.text[0] == '\0') {
		intervals_complain(c.iv);
		status = complain("%s: nothing to check", path);
	} else if (rc < 0) {
		status = complain("%s", why.text);
	} else {
		view_put(out, &view, &c);
		if (check_findings(&c) > 0)
			status = EXIT_FINDINGS;
	}
	check_fini(&c);
	return status;
}

int
cmd_check(int argc, char **argv)
{
	static const struct command_line line = {
		.name = "check", .usage = usage, .runs = true, .one = check,
	};

	return common_run(&line, &view, argc, argv);
}
