/*
 * postproc/cmd_jitter.c - tally jitter: what disturbed a node; tally merge
 * --jitter: nodes by that.
 */
#include "postproc/commands.h"

#include <stdlib.h>

#include "postproc/causes/jitter.h"

static const char usage[] =
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
	static const struct option longopts[] = {
		METRICS_LONGOPT, TOPOLOGY_LONGOPT, COMMON_LONGOPTS
	};
	static const struct command_line line = {
		.name = "jitter", .usage = usage, .runs = true,
		.letters = "M:t:" COMMON_OPTS, .options = longopts,
		.one = cmd_jitter_one_file,
	};

	return common_run(&line, jitter_view(), argc, argv);
}

/* ---- tally merge --jitter ---- */

int
merge_jitter(const struct common *common)
{
	struct jitter *node = calloc((size_t)common->ninput, sizeof *node);
	struct diag why = { "" };
	unsigned n = 0;
	int status = EXIT_OK;
	struct out *out;

	if (node == NULL)
		return complain("out of memory");
	for (int i = 0; i < common->ninput; i++) {
		why.text[0] = '\0';
		if (jitter_read(&node[n], common->input[i], &common->in,
		    &why) == 0) {
			n++;
			continue;
		}
		jitter_fini(&node[n]);
		complain_why(&why);
		status = EXIT_FINDINGS;
	}
	if (n == 0)
		status = EXIT_UNUSABLE;
	else if (out_open(&out, &common->output, common->format, "merge",
	    &why) < 0)
		status = complain("%s", why.text);
	else {
		if (jitter_rank_put(out, node, n) < 0)
			status = complain("out of memory");
		if (out_close(out, status != EXIT_UNUSABLE, &why) < 0)
			status = complain("%s", why.text);
	}
	for (unsigned i = 0; i < n; i++)
		jitter_fini(&node[i]);
	free(node);
	return status;
}
