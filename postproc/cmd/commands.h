/*
 * postproc/cmd/commands.h - the commands of tally, and the options that all have.
 */
#ifndef POSTPROC_CMD_COMMANDS_H
#define POSTPROC_CMD_COMMANDS_H

#include "postproc/data/intervals.h"
#include "postproc/out/table.h"

/* What a command returns: tally's exit status. */
enum { EXIT_OK = 0, EXIT_FINDINGS = 1, EXIT_UNUSABLE = 2, EXIT_USAGE = 64 };

/* A command gets its own name as argv[0].  One row each in main.c. */
int cmd_totals(int argc, char **argv);
int cmd_deltas(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_metrics(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_any_report(int argc, char **argv);      /* --io: io_report.c */
int cmd_histogram(int argc, char **argv);
int cmd_platform(int argc, char **argv);
int cmd_merge(int argc, char **argv);

/*
 * The options that every command has.  A command with more of its own makes
 * its list for getopt_long from both, and gives what it does not know here:
 *
 *	static const struct option longopts[] = {
 *		{ "scope", required_argument, NULL, 'S' },
 *		COMMON_LONGOPTS
 *	};
 *	while ((c = getopt_long(argc, argv, "S:" COMMON_OPTS, longopts,
 *	    NULL)) != -1)
 *		if (c == 'S')
 *			...
 *		else if (!common_option(&common, c, optarg, usage))
 *			return common.status;
 *	if (!common_inputs(&common, argc, argv, usage))
 *		return common.status;
 */
struct common {
	struct select select;   /* -s; of no dump yet: intervals_open */
	enum format format;     /* -f */
	const char *output;     /* -o; NULL: stdout */
	const char *const *input;       /* files; at least one */
	int ninput;
	int status;             /* what to return when it is over already */
};

#define COMMON_OPTS "s:f:o:h"
#define COMMON_LONGOPTS \
	{ "samples", required_argument, NULL, 's' }, \
	{ "format", required_argument, NULL, 'f' }, \
	{ "output", required_argument, NULL, 'o' }, \
	{ "help", no_argument, NULL, 'h' }, \
	{ NULL, 0, NULL, 0 }
/* What --help says of them, to end a usage with. */
#define COMMON_HELP \
	"  -s, --samples RANGE  FIRST:LAST, inclusive; either may be a sample, @N\n" \
	"                       (mark N, from 0), +SECONDS (after the first\n" \
	"                       sample; for LAST: after FIRST), or left out; @N\n" \
	"                       alone ends with the phase, FIRST with the dump\n" \
	"  -f, --format FORMAT  text (default), csv or json\n" \
	"  -o, --output FILE    instead of standard output\n" \
	"  -h, --help\n" \
	"FILE is a dump of tallyd or of the original tool, a store, or - for\n" \
	"standard input.\n"

/* common_option - take option c; false: return common.status (usage error, or
 * --help, which has been printed). */
bool common_option(struct common *, int c, const char *arg, const char *usage);
/* common_inputs - what getopt left over; false as above: there is none. */
bool common_inputs(struct common *, int argc, char **argv, const char *usage);
/*
 * common_each - do one file after the other, into the output asked for.
 *
 * command, table   what JSON calls them; in CSV and JSON the rows of all files
 *                  are one table, begun and ended here; NULL: text only
 * one              what is done with a file; returns an exit status
 *
 * Returns the worst of these, or EXIT_UNUSABLE when the output fails.
 */
int common_each(const struct common *, const char *command, const char *table,
    const struct table_column *, unsigned ncolumn,
    int (*one)(struct out *, const char *path, const void *ask),
    const void *ask);
/* common_plain - all of a command without options of its own: the same, and
 * `one` gets the common options. */
int common_plain(int argc, char **argv, const char *usage,
    const char *command, const char *table, const struct table_column *,
    unsigned ncolumn, int (*one)(struct out *, const char *path,
    const void *common));

/* common_gb_s - an option's GB/s, as bytes/s; false: complained, it is none. */
bool common_gb_s(const char *option, const char *arg, double *bytes);

/* complain - "tally: " and the words, to stderr; returns EXIT_UNUSABLE.
 * complain_why - the words of a diag; where it has none, memory ran out. */
int complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int complain_why(const struct diag *);

#endif
