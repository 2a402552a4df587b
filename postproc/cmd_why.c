/*
 * postproc/cmd_why.c - tally why: what limits a run; tally jitter: what disturbed a node.
 */
#include <errno.h>

#include "config/suggest.h"
#include "postproc/commands.h"
#include "postproc/pages/jitter.h"
#include "postproc/pages/why.h"

static const char why_usage[] =
"usage: tally why [OPTION]... FILE...\n"
"What limits a run: the rules that hold, with the three that cost most first;\n"
"each with its figures, its place in time, its formula and advice.\n"
"tally print @limits shows the built-in rules.\n"
"  -r, --rules FILE      rules beside the built-in ones; may be given again\n"
"  -a, --against DUMP    another run, for rules that compare\n"
METRICS_HELP
TOPOLOGY_HELP
COMMON_HELP
"Exit status: 0 no rule holds, 1 some do, 2 a file that cannot be used.\n";

struct why_options {
	struct common common;
	struct why_ask ask;
};

static bool
take_rules(const struct command_option *o, void *to, char *arg)
{
	struct why_ask *ask = to;

	if (ask->nrules == WHY_FILES) {
		complain("--%s: at most %d files", o->name, WHY_FILES);
		return false;
	}
	ask->rules[ask->nrules++] = arg;
	return true;
}

/* Complains of each rule of the user's files that could not be judged. */
static void
complain_of_unjudged(const struct why *w)
{
	for (unsigned i = 0; i < w->nlacks; i++) {
		const struct rule *r = w->lacks[i].rule;
		char meant[NEAR_MEANT];
		struct near near;

		if (!why_own(r))
			continue;
		if (w->lacks[i].missing[0] == '\0') {
			complain("%s:%u: rule %s: it needs another run "
			    "(--against FILE)", r->metric.file,
			    r->metric.line, r->name);
			continue;
		}
		near_init(&near, w->lacks[i].missing);
		for (unsigned k = 0; k < w->metrics.n; k++)
			near_try(&near, metrics_at(&w->metrics, k)->name);
		complain("%s:%u: rule %s: no %s in this dump, so it is not "
		    "judged%s", r->metric.file, r->metric.line, r->name,
		    w->lacks[i].missing, near_meant(&near, meant,
		    sizeof(meant)));
	}
}

static int
cmd_why_one_file(struct out *out, const char *path, void *asked)
{
	struct why_options *o = asked;
	struct diag why = { "" };
	struct why w;
	int status, rc;

	o->ask.in = &o->common.in;
	rc = why_read(&w, path, &o->ask, &why);
	if ((rc == 0 || rc == -ENODATA) && w.gather->intervals != NULL)
		intervals_complain(w.gather->intervals);
	if (rc < 0) {
		status = complain_why(&why);
	} else {
		complain_of_unjudged(&w);
		view_put(out, why_view(), &w);
		status = w.nfound > 0 ? EXIT_FINDINGS : EXIT_OK;
	}
	why_fini(&w);
	return status;
}

int
cmd_why(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "rules", take_rules, offsetof(struct why_options, ask), true },
		{ "against", option_text, offsetof(struct why_options, ask.against), false },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "why", .usage = why_usage, .runs = true,
		.own = own, .one = cmd_why_one_file,
	};
	struct why_options o = { .common.status = EXIT_OK };

	return common_run(&line, why_view(), argc, argv, &o.common, &o);
}

/* ---- tally jitter: what disturbed a node ------------------------------------ */

static const char jitter_usage[] =
"usage: tally jitter [OPTION]... FILE...\n"
"What disturbed a node, as far as it was counted: SMIs, limits of frequency and\n"
"power by their cause, interrupts, context switches, samples that came late or\n"
"not at all, lprocs whose clock or IPC is far below that of other busy ones of\n"
"their package.  tally merge --jitter ranks nodes by it.\n"
METRICS_HELP
TOPOLOGY_HELP
COMMON_HELP;

static int
cmd_jitter_one_file(struct out *out, const char *path, void *asked)
{
	const struct common *common = asked;
	struct diag why = { "" };
	struct jitter j;
	int status = EXIT_OK;

	if (jitter_read(&j, path, &common->in, &why) < 0)
		status = complain_why(&why);
	else
		view_put(out, jitter_view(), &j);
	jitter_fini(&j);
	return status;
}

int
cmd_jitter(int argc, char **argv)
{
	static const struct command_line line = {
		.name = "jitter", .usage = jitter_usage, .runs = true,
		.one = cmd_jitter_one_file,
	};
	struct common common = { .status = EXIT_OK };

	return common_run(&line, jitter_view(), argc, argv, &common, &common);
}
