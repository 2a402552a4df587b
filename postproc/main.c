/*
 * postproc/main.c - tally: turns dumps into numbers.  One row a command.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/process.h"
#include "config/suggest.h"
#include "config/version.h"
#include "postproc/commands.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
	const char *group;      /* of it and those behind it; NULL: as before */
} commands[] = {
	{ "report", cmd_report, "one page that a person can read; --io: I/O",
	  "Look at a run" },
	{ "why", cmd_why, "what limits a run", NULL },
	{ "page", cmd_page, "an HTML file: figures, timelines, findings", NULL },
	{ "plot", cmd_plot, "metrics over time, drawn in a terminal", NULL },
	{ "platform", cmd_platform, "the node, drawn, with its average load", NULL },
	{ "live", cmd_live, "what a running tallyd samples, on a screen", NULL },
	{ "check", cmd_check, "is a dump sound?", NULL },
	{ "head", cmd_head, "what a dump says of itself and of the node", NULL },
	{ "metrics", cmd_metrics, "rates, ratios, watts: the metrics language",
	  "Its numbers" },
	{ "totals", cmd_totals, "what each counter counted", NULL },
	{ "deltas", cmd_deltas, "the same, interval by interval", NULL },
	{ "histogram", cmd_histogram, "how much of the time a metric was how big", NULL },
	{ "jitter", cmd_jitter, "what disturbed a node", NULL },
	{ "jobs", cmd_jobs, "figures for every job that was marked", NULL },
	{ "merge", cmd_merge, "many nodes: medians and outliers",
	  "Many nodes" },
	{ "summarize", cmd_summarize, "many dumps made small, for merge", NULL },
	{ "diff", cmd_diff, "two runs, phases or sets of nodes: what changed", NULL },
	{ "convert", cmd_convert, "to CSV, NumPy, or Lua in small functions",
	  "Convert" },
	{ "dump", cmd_dump, "a store of tallyd as a dump", NULL },
	{ "export", cmd_export, "what a running tallyd samples, for monitoring", NULL },
	{ "print", cmd_print, "a text that is built in; which there are", NULL },
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void
usage(FILE *f)
{
	fputs("usage: tally COMMAND [OPTION]... FILE...\n"
	    "       tally --help [all] | --version\n"
	    "Reads what tallyd wrote.  tally COMMAND --help has its options, "
	    "tally --help all those of all.\n", f);
	for (size_t i = 0; i < COMMANDS; i++) {
		if (commands[i].group != NULL)
			fprintf(f, "%s:\n", commands[i].group);
		fprintf(f, "  %-9s  %s\n", commands[i].name, commands[i].what);
	}
}

/* Each command's name, and what its --help says. */
static int
help_all(void)
{
	static char option[] = "--help";

	usage(stdout);
	for (size_t i = 0; i < COMMANDS; i++) {
		char name[32], *argv[] = { name, option, NULL };

		snprintf(name, sizeof(name), "tally %s", commands[i].name);
		putchar('\n');
		optind = 0;
		commands[i].run(2, argv);
	}
	return EXIT_OK;
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
	for (size_t i = 0; i < COMMANDS; i++)
		near_try(&near, commands[i].name);
	if (name[0] == '-') {
		near_try(&near, "--version");
		near_try(&near, "--help");
	}
	if (strcmp(name, "-v") == 0 || strcmp(name, "-V") == 0)
		complain("no command \"%s\"; did you mean --version? (tally --help "
		    "lists them)", name);
	else if (strcmp(name, "events") == 0)
		complain("no command \"events\"; tallyd --list events lists what "
		    "can be counted, tally metrics what was");
	else if (near.n == 0 && stat(name, &sb) == 0)
		complain("which COMMAND for %s?  tally report %s is a page of it; "
		    "tally --help lists all", name, name);
	else
		complain("no command \"%s\"%s (tally --help lists them)", name,
		    near_meant(&near, meant, sizeof(meant)));
	return EXIT_USAGE;
}

static int
tally_main(int argc, char **argv)
{
	static char help_option[] = "--help";
	char name[32];

	/* `tally help COMMAND` is `tally COMMAND --help` */
	if (argc == 3 && strcmp(argv[1], "help") == 0 &&
	    strcmp(argv[2], "all") != 0) {
		argv[1] = argv[2];
		argv[2] = help_option;
	}
	if (argc >= 2 && (strcmp(argv[1], "--help") == 0 ||
	    strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)) {
		if (argc == 3 && strcmp(argv[2], "all") == 0)
			return help_all();
		usage(stdout);
		return EXIT_OK;
	}
	if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
		printf("tally %s\n", version_text());
		return EXIT_OK;
	}
	for (size_t i = 0; argc >= 2 &&
	    i < COMMANDS; i++)
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

int
main(int argc, char **argv)
{
	int status;

	if (gained_rights()) {
		fputs("tally: " GAINED_WORDS "\n", stderr);
		return EXIT_USAGE;
	}
	status = tally_main(argc, argv);
	/* commands check their own output; help and version are checked here */
	if (status == EXIT_OK && (fflush(stdout) != 0 || ferror(stdout)))
		status = complain("standard output: %s", strerror(errno));
	return status;
}
