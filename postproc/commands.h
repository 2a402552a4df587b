/*
 * postproc/commands.h - the commands of tally, and the options that they share.
 */
#ifndef POSTPROC_CMD_COMMANDS_H
#define POSTPROC_CMD_COMMANDS_H

#include <stddef.h>

#include "config/amount.h"
#include "postproc/data/runs.h"
#include "postproc/metrics/gather.h"
#include "postproc/out/outfile.h"
#include "postproc/out/table.h"

/* What commands return: the exit status of tally. */
enum { EXIT_OK = 0, EXIT_FINDINGS = 1, EXIT_UNUSABLE = 2, EXIT_USAGE = 64 };

/* The commands; each has a row in main.c.  argv[0] is the name of the command. */
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

/* The options that several commands share. */
struct common {
	struct gather_ask in;   /* -s, -M, --only-lists, -t */
	const struct out_format *format;        /* -f */
	struct outname output;  /* -o, --overwrite */
	unsigned jobs;          /* --jobs; also in in.select */
	double dram_max;        /* --dram-max, bytes/s; 0: as the dump says */
	bool each_unread;       /* tally metrics --list: print a line for each formula of
				 * Intel's lists that cannot be read */
	const char *const *input;       /* [ninput] at least one file; of the segments
					 * of a run only the first */
	int ninput;
	int status;             /* exit status, if common_parse returns false */
	struct runs runs;       /* the segments, if command_line.runs */
};

/* The lines of --help of options that several commands have.  A usage ends with COMMON_HELP,
 * or where a command draws with DRAWING_HELP, which has no -f. */
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
	"      --jobs N         threads for a large dump; default: the CPUs\n"
#define OUTPUT_HELP \
	WRITING_HELP \
	"  -h, --help\n" \
	"FILE is a dump of tallyd or of the original tool, a store, or - for\n" \
	"standard input.\n"

/* What a command does with an option.  Its usage says which options it has: a line that
 * begins with "  -m, --metric PATTERN " or "      --all " is one, with its letter, if it has
 * one, and with a value, if a word stands one blank behind the name. */
struct command_option {
	const char *name;
	/* take - takes the value, NULL where it has none.  False: a usage error, which has
	 * been printed. */
	bool (*take)(const struct command_option *, void *to, char *arg);
	size_t at;              /* `to`: offset in the `ask` of common_parse */
	bool adds;              /* adds up when it is repeated; else the last one holds */
};

/*
 * The options of a command, and what it does with a file:
 *
 *	static const struct command_option own[] = {
 *		{ "scope", option_scopes, offsetof(struct my_ask, scopes), true },
 *		{ 0 }
 *	};
 *	static const struct command_line line = {
 *		.name = "metrics", .usage = usage, .own = own, .one = one_input,
 *	};
 */
struct command_line {
	const char *name;       /* value of "command" in JSON */
	const char *usage;      /* text of --help; usage errors print its first line */
	const struct command_option *own;       /* those that struct common does not
				 * have; the last one has no name.  NULL: none */
	bool runs;              /* read the segments of a run as one dump */
	/* one - processes a file, and returns an exit status */
	int (*one)(struct out *, const char *path, void *ask);
};

/*
 * common_options - parse options; those of the command itself go into `ask`.  `tally COMMAND
 * --options`, as the shell's completion calls it, prints them, one to a line, with "=" after
 * those that take a value.
 * common_parse - the same, and the names of files.
 *
 * Returns false if the command is over (a usage error, or --help); everything has been
 * printed, and common.status is the exit status.
 */
bool common_options(const struct command_line *, int argc, char **argv,
    struct common *, void *ask);
bool common_parse(const struct command_line *, int argc, char **argv,
    struct common *, void *ask);
/*
 * common_each - open the output and process one file after the other.  In formats for
 * programs the rows of all files are one table, that of the view.
 *
 * Returns the worst status of all files, or EXIT_UNUSABLE if the output fails.
 */
int common_each(const struct command_line *, const struct common *,
    const struct view *, void *ask);
/* lists_given - checks the lists of --metrics.  Prints how many formulas of Intel's lists
 * cannot be read, and the first of them; or (each) a line for each.  Returns false, with
 * words on stderr, for --only-lists without --metrics. */
bool lists_given(const struct gather_ask *, bool each);

/* segments_join - finds files that are segments of one run (runs_find), and prints what
 * it found.  False: out of memory, which has been printed. */
bool segments_join(struct runs *, const char *const *path, unsigned n);
/* common_fini - frees what common_parse allocated. */
void common_fini(struct common *);
/* common_run - common_parse, common_each and common_fini.  Returns the exit status. */
int common_run(const struct command_line *, const struct view *, int argc,
    char **argv, struct common *, void *ask);

/* complain - prints "tally: " and the words on stderr; returns EXIT_UNUSABLE.
 * complain_why - likewise the words of a diag; "out of memory" if it has none. */
int complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int complain_why(const struct diag *);

/*
 * Takes of options that several commands have by themselves.
 *
 * option_flag - sets a bool.  option_text - a const char *.
 * option_patterns - adds names, as -m has them.  option_range - a range, as -s has it.
 * option_scopes - adds a bit for each scope in "lproc,node" or "all" to an unsigned.
 * option_seconds - a double: the time of --every.
 */
bool option_flag(const struct command_option *, void *, char *);
bool option_text(const struct command_option *, void *, char *);
bool option_patterns(const struct command_option *, void *, char *);
bool option_range(const struct command_option *, void *, char *);
bool option_scopes(const struct command_option *, void *, char *);
bool option_seconds(const struct command_option *, void *, char *);

#endif
