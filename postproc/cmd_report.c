/*
 * postproc/cmd_report.c - tally report: one page about a node, or about what
 * its devices do.
 */
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/pages/io_page.h"
#include "postproc/pages/report.h"

static const char node_usage[] =
"usage: tally report [--io] [OPTION]... FILE...\n"
"One page a node: was the data sound, how busy, how fast, how hot.\n"
"      --io              what PCIe devices do instead (tally report --io --help)\n"
"      --all             every row, and each channel, port and link\n"
"      --view FILE       what the page shows, instead of @node (tally print @node)\n"
METRICS_HELP
TOPOLOGY_HELP
COMMON_HELP;

static const char io_usage[] =
"usage: tally report --io [OPTION]... FILE...\n"
"What PCIe devices do to caches and memory: by package, stack and device.\n"
"      --io              this page, not that of the node\n"
METRICS_HELP
DRAM_MAX_HELP
COMMON_HELP
"Dumps with all of it: tallyd -c @io.\n";

struct node_ask {
	struct common common;
	bool all, io;
};

static int
node_report(struct out *out, const char *path, void *asked)
{
	const struct node_ask *ask = asked;
	struct page *p = calloc(1, sizeof *p);  /* too large for a small stack */
	struct diag why = { "" };
	int status = EXIT_OK;

	if (p == NULL)
		return complain("%s: out of memory", path);
	p->all = ask->all;
	if (page_open(p, path, &ask->common.in, &why) < 0)
		status = complain_why(&why);
	else {
		intervals_complain(p->gather.intervals);
		if (p->sums->intervals == 0)
			status = EXIT_UNUSABLE;
		else if (page_hold(p) < 0 ||
		    view_put(out, &report_view, p) < 0)
			status = complain("%s: out of memory", path);
	}
	page_close(p);
	free(p);
	return status;
}

static int
io_report(struct out *out, const char *path, void *asked)
{
	const struct node_ask *ask = asked;
	struct io_view *v = calloc(1, sizeof *v);       /* as in node_report */
	struct diag why = { "" };
	int status = EXIT_OK;

	if (v == NULL)
		return complain("%s: out of memory", path);
	v->dram_max = ask->common.dram_max;
	if (io_view_open(v, path, &ask->common.in, &why) < 0)
		status = complain_why(&why);
	else {
		view_put(out, &io_report_view, v);
		intervals_complain(v->page.gather.intervals);
	}
	io_view_close(v);
	free(v);
	return status;
}

/* --io chooses the usage, so it is looked for before options are parsed. */
static bool
take_io(const struct command_option *o, void *to, char *arg)
{
	(void)arg;
	if (!*(bool *)to)
		complain("--%s: write it whole", o->name);
	return *(bool *)to;
}

int
cmd_report(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "io", take_io, offsetof(struct node_ask, io), false },
		{ "all", option_flag, offsetof(struct node_ask, all), false },
		{ "view", option_text, offsetof(struct node_ask, common.in.view),
		  false },
		{ 0 }
	};
	static const struct command_line node = {
		.name = "report", .usage = node_usage, .own = own, .runs = true,
		.one = node_report,
	};
	static const struct command_line io = {
		.name = "report --io", .usage = io_usage, .own = own,
		.runs = true, .one = io_report,
	};
	struct node_ask ask = { .all = false };

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--io") == 0)
			ask.io = true;
	return common_run(ask.io ? &io : &node, ask.io ? &io_report_view :
	    &report_view, argc, argv, &ask.common, &ask);
}
