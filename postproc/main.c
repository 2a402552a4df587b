/*
 * postproc/main.c - tally: turns dumps into numbers.  One row a command.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "config/gained.h"
#include "config/suggest.h"
#include "config/version.h"
#include "postproc/cmd/commands.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
} commands[] = {
	{ "totals", cmd_totals, "what each counter counted" },
	{ "deltas", cmd_deltas, "the same, interval by interval" },
	{ "metrics", cmd_metrics, "rates, ratios, watts: the metrics language" },
	{ "report", cmd_report, "one page that a person can read; --io: I/O" },
	{ "histogram", cmd_histogram, "how much of the time a metric was how big" },
	{ "platform", cmd_platform, "the node, drawn, with its average load" },
	{ "plot", cmd_plot, "metrics over time, drawn in a terminal" },
	{ "page", cmd_page, "an HTML file: figures, timelines, findings" },
	{ "merge", cmd_merge, "many nodes: medians and outliers" },
	{ "summarize", cmd_summarize, "many dumps made small, for merge" },
	{ "jobs", cmd_jobs, "figures for every job that was marked" },
	{ "jitter", cmd_jitter, "what disturbed a node" },
	{ "why", cmd_why, "what limits a run" },
	{ "diff", cmd_diff, "two runs, phases or sets of nodes: what changed" },
	{ "check", cmd_check, "is a dump sound?" },
	{ "head", cmd_head, "what a dump says of itself and of the node" },
	{ "convert", cmd_convert, "to CSV, NumPy, or Lua in small functions" },
	{ "dump", cmd_dump, "a store of tallyd as a dump" },
	{ "live", cmd_live, "what a running tallyd samples, on a screen" },
	{ "export", cmd_export, "what a running tallyd samples, for monitoring" },
	{ "print", cmd_print, "a text that is built in; which there are" },
};

static void
usage(FILE *f)
{
	fputs("usage: tally COMMAND [OPTION]... FILE...\n"
	    "       tally --help | --version\n"
	    "Reads what tallyd wrote.  tally COMMAND --help says more.\n", f);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		fprintf(f, "  %-9s  %s\n", commands[i].name, commands[i].what);
}

static int
no_command(const char *name)
{
	/* what others call it */
	static const char *const alike[][2] = {
		{ "summary", "summarize" }, { "graph", "plot" },
		{ "draw", "platform" }, { "html", "page" }, { "csv", "convert" },
		{ "parquet", "convert" }, { "compare", "diff" },
		{ "top", "live" }, { "watch", "live" }, { "info", "head" },
		{ "verify", "check" }, { "show", "report" }, { "list", "print" },
	};
	char meant[NEAR_MEANT];
	struct near near;
	struct stat sb;

	near_init(&near, name);
	for (size_t i = 0; i < sizeof(alike) / sizeof(alike[0]); i++)
		if (strcmp(name, alike[i][0]) == 0)
			near_init(&near, alike[i][1]);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		near_try(&near, commands[i].name);
	if (near.n == 0 && stat(name, &sb) == 0)
		complain("which COMMAND for %s?  tally report %s is a page of it; "
		    "tally --help lists all", name, name);
	else
		complain("no command \"%s\"%s (tally --help lists them)", name,
		    near_meant(&near, meant, sizeof(meant)));
	return EXIT_USAGE;
}

int
main(int argc, char **argv)
{
	static char help_option[] = "--help";
	char name[32];

	if (gained_rights()) {
		fputs("tally: " GAINED_WORDS "\n", stderr);
		return EXIT_USAGE;
	}
	/* of a command: as --help behind it */
	if (argc == 3 && strcmp(argv[1], "help") == 0) {
		argv[1] = argv[2];
		argv[2] = help_option;
	}
	if (argc >= 2 && (strcmp(argv[1], "--help") == 0 ||
	    strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)) {
		usage(stdout);
		return EXIT_OK;
	}
	if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
		puts("tally " TALLYD_VERSION);
		return EXIT_OK;
	}
	for (size_t i = 0; argc >= 2 &&
	    i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(argv[1], commands[i].name) == 0) {
			/* getopt's messages begin with it */
			snprintf(name, sizeof(name), "tally %s", argv[1]);
			argv[1] = name;
			return commands[i].run(argc - 1, argv + 1);
		}
	if (argc >= 2)
		return no_command(argv[1]);
	usage(stderr);
	return EXIT_USAGE;
}
