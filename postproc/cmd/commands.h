/*
 * postproc/cmd/commands.h - the commands of tally, and the options that they
 * share.
 */
#ifndef POSTPROC_CMD_COMMANDS_H
#define POSTPROC_CMD_COMMANDS_H

#include <getopt.h>

#include "config/amount.h"
#include "postproc/data/runs.h"
#include "postproc/gather/gather.h"
#include "postproc/out/outfile.h"
#include "postproc/out/table.h"

/* What a command returns: tally's exit status. */
enum { EXIT_OK = 0, EXIT_FINDINGS = 1, EXIT_UNUSABLE = 2, EXIT_USAGE = 64 };

/* A command gets its own name as argv[0].  One row each in main.c. */
int cmd_totals(int argc, char **argv);
int cmd_deltas(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_print(int argc, char **argv);
int cmd_metrics(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_histogram(int argc, char **argv);
int cmd_platform(int argc, char **argv);
int cmd_page(int argc, char **argv);
int cmd_head(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_summarize(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_live(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_jobs(int argc, char **argv);
int cmd_jitter(int argc, char **argv);
int cmd_why(int argc, char **argv);

/* What the options that several commands have are set to. */
struct common {
	struct gather_ask in;   /* -s (of no dump yet: intervals_open), -M, -t */
	const struct out_format *format;        /* -f */
	struct outname output;  /* -o, --overwrite */
	unsigned jobs;          /* --jobs: of in.select */
	double dram_max;        /* -D, bytes/s; 0: as the dump says */
	bool each_unread;       /* name each formula of a list that cannot be read */
	const char *const *input;       /* files; at least one; of segments
					 * of one run the first */
	int ninput;
	int status;             /* what to return when it is over already */
	struct runs runs;       /* of a command_line with `runs` */
};

/* The options of every command; of those that draw, which have no rows; of
 * all that take metrics. */
#define COMMON_OPTS "f:" DRAWING_OPTS
#define COMMON_LONGOPTS \
	{ "format", required_argument, NULL, 'f' }, DRAWING_LONGOPTS
#define DRAWING_OPTS "s:o:h"
#define DRAWING_LONGOPTS \
	{ "samples", required_argument, NULL, 's' }, \
	{ "output", required_argument, NULL, 'o' }, \
	JOBS_LONGOPT, \
	OVERWRITE_LONGOPT, \
	{ "help", no_argument, NULL, 'h' }, \
	{ NULL, 0, NULL, 0 }
#define JOBS_LONGOPT { "jobs", required_argument, NULL, 'J' }
#define OVERWRITE_LONGOPT { "overwrite", no_argument, NULL, 'O' }
#define METRICS_LONGOPT \
	{ "metrics", required_argument, NULL, 'M' }, \
	{ "only-lists", no_argument, NULL, 'Y' }
#define TOPOLOGY_LONGOPT { "topology", required_argument, NULL, 't' }
#define DRAM_MAX_LONGOPT { "dram-max", required_argument, NULL, 'D' }

/* What --help says of them; COMMON_HELP or DRAWING_HELP ends a
 * usage. */
#define METRICS_HELP \
	"  -M, --metrics FILE    a file, one of Intel's lists (JSON) or @skx, built in,\n" \
	"                        beside what is built in for the dump's CPU; more\n" \
	"                        than one adds up\n" \
	"      --only-lists      those of --metrics alone\n"
#define TOPOLOGY_HELP \
	"  -t, --topology HOW    block, interleaved, or a file of lines\n" \
	"                        `LPROC PACKAGE CORE [THREAD]`\n"
#define DRAM_MAX_HELP \
	"  -D, --dram-max GB/S   the most that DRAM of the node can do, where tallyd\n" \
	"                        did not measure it\n"
#define WRITING_HELP \
	"  -o, --output FILE    instead of standard output, a new file\n" \
	"      --overwrite      or one that is there\n"
#define COMMON_HELP \
	SAMPLES_HELP \
	"  -f, --format FORMAT  one of" OUT_FORMAT_NAMES "; default: text\n" \
	OUTPUT_HELP
#define DRAWING_HELP SAMPLES_HELP OUTPUT_HELP
#define SAMPLES_HELP \
	"  -s, --samples RANGE  FIRST:LAST, inclusive; either may be a sample, @N\n" \
	"                       (mark N, from 0), +SECONDS (after the first\n" \
	"                       sample; for LAST: after FIRST), or left out; @N\n" \
	"                       alone ends with the phase, FIRST with the dump;\n" \
	"                       -N or -Ns: the last N samples or seconds\n" \
	JOBS_HELP
#define JOBS_HELP \
	"      --jobs N         threads that read a large dump; default: the CPUs\n"
#define OUTPUT_HELP \
	WRITING_HELP \
	"  -h, --help\n" \
	"FILE is a dump of tallyd or of the original tool, a store, or - for\n" \
	"standard input.\n"

/*
 * How a command is called, and what it does with a file:
 *
 *	static const struct option longopts[] = {
 *		{ "scope", required_argument, NULL, 'S' },
 *		METRICS_LONGOPT,
 *		COMMON_LONGOPTS
 *	};
 *	static const struct command_line line = {
 *		.name = "metrics", .usage = usage,
 *		.letters = "S:M:" COMMON_OPTS, .options = longopts,
 *		.own_option = own_option, .one = one_input,
 *	};
 */
struct command_line {
	const char *name;       /* what JSON calls it */
	const char *usage;      /* its first line alone for a usage error */
	const char *letters;    /* as getopt_long has them; NULL: COMMON_OPTS */
	const struct option *options;
	bool runs;              /* segments of a run are read as one dump */
	const char *repeat;     /* letters of those that add up; NULL: -M alone */
	/* own_option - 1: taken, 0: not one of its own, -1: a usage error,
	 * which has been reported; NULL: it has none */
	int (*own_option)(void *ask, int c, char *arg);
	/* one - do one file; returns an exit status */
	int (*one)(struct out *, const char *path, void *ask);
};

/* options_asked - was `tally COMMAND --options` called, for completion?  Then
 * they are printed, a line each, with "=" behind one that takes a value. */
bool options_asked(int argc, char **argv, const struct option *);

/*
 * common_parse - take all options, and the names of files.  ask is what
 * own_option gets.  False: return common.status, all has been said (a usage
 * error, or --help).
 */
bool common_parse(const struct command_line *, int argc, char **argv,
    struct common *, void *ask);
/*
 * common_each - do one file after the other, into the output asked for.  Where
 * the format has rows, those of all files are one table: the view's.
 *
 * Returns the worst status of all files, or EXIT_UNUSABLE when the output
 * fails.
 */
int common_each(const struct command_line *, const struct common *,
    const struct view *, void *ask);
/* lists_given - false, with words on stderr, where --only-lists is given without
 * --metrics.  Of formulas of Intel's lists that cannot be read it says how many
 * there are, with the first of them, or (each) a line of each. */
bool lists_given(const struct gather_ask *, bool each);

/* segments_join - which of the files go on from one another, as runs_find, with
 * words on stderr; false: there is no memory, which is said. */
bool segments_join(struct runs *, const char *const *path, unsigned n);
/* common_fini - of a command that goes through the files itself. */
void common_fini(struct common *);
/* common_run - both, of a command without options of its own; `one` gets the
 * struct common. */
int common_run(const struct command_line *, const struct view *, int argc,
    char **argv);

/* common_collect - collect, of the files that are asked for; what went wrong is
 * said.  0, or the exit status. */
struct summary;
struct patterns;
struct collected;
#define SUMMARY_SCOPES (1u << SCOPE_OF_NODE | 1u << SCOPE_OF_PACKAGE)
int common_collect(struct summary *, const struct common *,
    const struct patterns *names, unsigned scopes, struct collected *);

/* merge_jitter - tally merge --jitter, of the files that are asked for. */
int merge_jitter(const struct common *);

/* complain - "tally: " and the words, to stderr; returns EXIT_UNUSABLE.
 * complain_why - the words of a diag; where it has none, memory ran out. */
int complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int complain_why(const struct diag *);

/* scopes_parse - "lproc,node" or "all" adds a bit each; false, with words on
 * stderr: no such scope. */
bool scopes_parse(unsigned *scopes, const char *words);

#endif
