/*
 * postproc/cmd/common_collect.c - many files into one summary, as merge and
 * summarize ask for it.
 */
#include "postproc/cmd/commands.h"

#include <stdio.h>
#include <unistd.h>

#include "postproc/many/collect.h"

static void
common_collect_said(const char *line)
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
common_collect(struct summary *s, const struct common *common,
    const struct patterns *names, unsigned scopes, struct collected *c)
{
	struct gather_ask in = common->in;
	struct collect_ask ask = {
		.path = common->input, .npath = (unsigned)common->ninput,
		.jobs = common->jobs,
		.take = { .in = &in, .names = names, .scopes = scopes },
		.said = common_collect_said,
	};

	struct diag why = { "" };

	/* a process a CPU, each with a thread */
	if (ask.npath > 1)
		in.select.jobs = 1;
	if (ask.npath > 20 && isatty(STDERR_FILENO))
		ask.progress = progress;
	if (collect(s, &ask, c, &why) == 0)
		return 0;
	/* of files that are left out the words are there */
	return s->nnode == 0 && c->left_out > 0 ? EXIT_UNUSABLE :
	    complain_why(&why);
}
