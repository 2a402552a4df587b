/*
 * postproc/cmd_summarize.c - tally summarize: makes a small summary of many dumps.
 */
#include <stdio.h>
#include <unistd.h>

#include "postproc/commands.h"
#include "postproc/many/collect.h"

static const char usage[] =
"usage: tally summarize [OPTION]... FILE...\n"
"What tally merge needs of many dumps, in one small file: tally merge says the\n"
"same of it, or of several, as of the dumps, in whatever order and groups.  A\n"
"FILE may be a summary, too.\n"
"  -S, --scope SCOPES    quantiles of these units, too: lproc, core, ccx, box,\n"
"                        die, numa, package, node; default: package,node\n"
"  -m, --metric PATTERN  only metrics of that name (* and ?), several with\n"
"                        commas, or given again\n"
METRICS_HELP
TOPOLOGY_HELP
DRAWING_HELP;

static void
summarize_said(const char *line)
{
	complain("%s", line);
}

static void
progress(unsigned done, unsigned of)
{
	fprintf(stderr, "\rtally: %u of %u files%s", done, of,
	    done == of ? "\n" : "");
}

int
summarize_files(struct summary *s, const struct common *common,
    const struct patterns *names, unsigned scopes, struct collected *c)
{
	struct gather_ask in = common->in;
	struct collect_ask ask = {
		.path = common->input, .npath = (unsigned)common->ninput,
		.jobs = common->jobs,
		.take = { .in = &in, .names = names, .scopes = scopes },
		.said = summarize_said,
	};
	struct diag why = { "" };

	/* one process for each job, each with a single thread */
	if (ask.npath > 1)
		in.select.jobs = 1;
	if (ask.npath > 20 && isatty(STDERR_FILENO))
		ask.progress = progress;
	if (collect(s, &ask, c, &why) == 0)
		return 0;
	/* if all files were left out, that has been said for each */
	return s->nnode == 0 && c->left_out > 0 ? EXIT_UNUSABLE :
	    complain_why(&why);
}

struct summarize {
	struct patterns names;
	unsigned scopes;        /* a bit for each */
};

static int
write_summary(const struct summary *s, const struct common *common)
{
	struct diag why = { "" };
	struct outfile out;

	if (outfile_open(&out, &common->output, &why) < 0)
		return complain_why(&why);
	summary_write(s, out.f);
	return outfile_close(&out, true, &why) < 0 ? complain_why(&why) :
	    EXIT_OK;
}

static int
cmd_summarize_own_option(void *asked, int c, char *arg)
{
	struct summarize *g = asked;
	struct diag why;

	if (c == 'S')
		return scopes_parse(&g->scopes, arg) ? 1 : -1;
	if (c != 'm')
		return 0;
	if (patterns_add(&g->names, arg, &why) == 0)
		return 1;
	complain("%s", why.text);
	return -1;
}

int
cmd_summarize(int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "metric", required_argument, NULL, 'm' },
		{ "scope", required_argument, NULL, 'S' },
		METRICS_LONGOPT, TOPOLOGY_LONGOPT, DRAWING_LONGOPTS
	};
	static const struct command_line line = {
		.name = "summarize", .usage = usage, .runs = true,
		.letters = "m:M:S:t:" DRAWING_OPTS, .options = longopts,
		.repeat = "mS", .own_option = cmd_summarize_own_option,
	};
	struct common common = { .status = 0 };
	struct summarize g = { .scopes = 0 };
	struct summary s = { .ntext = 0 };
	struct collected c;
	int status;

	if (!common_parse(&line, argc, argv, &common, &g))
		return common.status;
	if (g.scopes == 0)
		g.scopes = SUMMARY_SCOPES;
	status = summarize_files(&s, &common, &g.names, g.scopes, &c);
	if (status == EXIT_OK && s.nmetric == 0 && c.none.text[0] != '\0')
		status = complain_why(&c.none);
	else if (status == EXIT_OK)
		status = write_summary(&s, &common);
	summary_fini(&s);
	common_fini(&common);
	return status == EXIT_OK && c.left_out > 0 ? EXIT_FINDINGS : status;
}
