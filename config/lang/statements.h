/*
 * config/lang/statements.h - statements of the configuration language, for
 * config/lang/events.c: each function parses what follows the statement's first
 * word.  Returns 0, or -EINVAL with "file:line: ..." in why; -ENOMEM.
 */
#ifndef CONFIG_LANG_STATEMENTS_H
#define CONFIG_LANG_STATEMENTS_H

#include <stdbool.h>

#include "config/arena.h"
#include "config/lang/want.h"
#include "config/scan.h"

/*
 * config_statement - parse the statement at the scan's line, up to the end of that line or
 * of the block that it opens.  Not for `include`.  (events.c)
 *
 * set   in, out: the event set that statements belong to
 */
int config_statement(struct config *, struct scan *, unsigned *set,
    struct diag *why);

/*
 * count_parse - the `count` statement of config/lang/want.h: EVENT [ encoding ],
 * behind the box.  (count.c)
 *
 * name   the event's name, which was scanned already
 * want   in: type, set, file, line, optional; out: kind, name, and all that
 *        is about the event.  An event of a fixed counter is a WANT_FIXED.
 */
int count_parse(struct config *, struct scan *, struct word name,
    struct want *, struct diag *why);

/* no_box - a statement that begins with no word of the language: -EINVAL, with
 * what was probably meant in why; sets cfg->lacks.  scan: behind the word `name`,
 * which is a box or looks like one.  (no_box.c) */
int no_box(struct config *, const struct scan *, struct word name,
    struct diag *why);

/*
 * The end of a statement that is not read in every sample: "every" SAMPLES.
 *
 * every_value - the number after the word "every".  every: out, samples from one
 * reading to the next; 1: it is read in each.
 * every_end - the same, and the statement has to end there.
 * every_ahead - look ahead for "every" SAMPLES at the end of a statement, without
 * moving the scan; *every is 1 if there is none.
 */
#define MAX_EVERY 1000000
int every_value(struct scan *, unsigned *every, struct diag *why);
int every_end(struct scan *, unsigned *every, struct diag *why);
int every_ahead(const struct scan *, unsigned *every, struct diag *why);

/*
 * peaks_parse - peak rates of the node, as measured by its site; a later line
 * replaces an earlier one:
 *
 *   peak = "peak" ( "dram" | "flops" ) "=" NUMBER unit "(" words ")"
 *   unit = "MB/s" | "GB/s" | "TB/s" | "GFLOP/s" | "TFLOP/s"
 *
 *   peak dram = 204.8 GB/s (measured with STREAM, triad, one thread a core)
 *   peak flops = 2.9 TFLOP/s (HPL)
 *
 * Peaks are of the whole node.  The words name the source of the number; they
 * are printed beside every percentage of it.
 */
int peaks_parse(struct config *, struct scan *, struct diag *why);

/*
 * run_report_parse - what is printed at the end of `tallyd -- PROGRAM`; a later
 * line replaces an earlier one:
 *
 *   report = "report" ( "node" | "io" | "why" | "jitter" )
 */
int run_report_parse(struct config *, struct scan *, struct diag *why);
/* A command of tally, and its option or NULL. */
struct run_report {
	const char *name, *command, *option;
};

/* constant_parse - "constant" NAME NUMBER, of a model with an SoC. */
int constant_parse(struct config *, struct scan *, struct diag *why);

/*
 * collectd_parse - collectd's <Plugin intel_pmu> block, as it stands in its
 * configuration: parse the rest of a line that begins with "<Plugin", and all lines up
 * to "</Plugin>".  As in collectd, events that cannot be counted are skipped.
 *
 *   block = { "HardwareEvents" GROUP... | "Cores" LIST... | "EventList" FILE
 *           | switch ( "true" | "false" ) }
 *   switch = "ReportHardwareCacheEvents" | "ReportKernelPMUEvents"
 *          | "ReportSoftwareEvents" | "DispatchMultiPmu" | "AggregateUncorePMUs"
 *
 * Cores apply to the events between the previous Cores and these.  Returns 0 or
 * -errno; -ENOENT: it is the block of another plugin.
 */
int collectd_parse(struct config *, struct scan *, const struct want *like,
    struct diag *why);

/* ---- events as perf and collectd name them ------------------------------- */

/*
 * perf_events_parse - parse the words after "event".
 *
 * like   set, file, line and optional of the wants that are added
 *
 * Returns 0, -ENOMEM, or -EINVAL with "file:line: ..." in why.
 */
int perf_events_parse(struct config *, struct scan *, const struct want *like,
    struct diag *why);

/* perf_switch_parse - parse "software on" and the other statements of collectd.c;
 * `what` is the first word.  -ENOENT: it begins none of them. */
int perf_switch_parse(struct config *, struct scan *, struct word what,
    const struct want *like, struct diag *why);

/* What perf_events.c, perf_pmu.c and collectd.c share. */

#define MAX_EVENT 400           /* characters of an event */

/* A statement of events of the kernel while it is parsed. */
struct perf_parse {
	struct config *cfg;
	struct place at;
	struct diag *why;
	const struct want *like;
	unsigned together;              /* number of the group that its word is */
};

/* All return 0, -ENOMEM, or -EINVAL with "file:line: ..." in why. */

/* parse_name - check that the name can be written between the quotes of a column's
 * index. */
int parse_name(const struct perf_parse *, struct word name);
/* parse_kernel - add an event that only the kernel counts. */
int parse_kernel(struct perf_parse *, const struct perf_want *,
    struct word name);
/* parse_count - add an event of a box, with the name and encoding as count_parse takes
 * them.  inst: number of the box, -1: all.  pw: how to ask the kernel for it; or
 * NULL. */
int parse_count(struct perf_parse *, const struct box_type *, int inst,
    struct word name, struct word encoding, const struct perf_want *pw);
/* parse_named - add an event by one of the kernel's names.  tail: "@" and a word, or
 * "". */
int parse_named(struct perf_parse *, const struct perf_name *,
    const char *tail);
/* parse_pmu - add an event that is written PMU/TERM=NUMBER,.../. */
int parse_pmu(struct perf_parse *, struct word);

/* ---- options of tallyd --------------------------------------------------- */

/*
 * Options of tallyd's command line in a configuration file:
 *
 *   option = "option" "--" NAME [ value ]   value = WORD | '"' words '"'
 *
 *   option --interval 0.5
 *   option --share
 *   option --pipe "zstd -q -o %s.zst"
 *
 * They are taken when tallyd starts, before the node is looked at; a file that is
 * read later, or a built-in text, may have only lines that were taken then.
 */
struct option_line {
	const char *name;               /* without the "--" */
	const char *value;              /* "": none */
	const char *file;
	unsigned line;
	struct option_line *next;
};

/* option_lines_read - append the option lines of a file, and of files that it includes, to
 * *list, allocated in the arena.  Other lines are ignored.  0, or -errno with a message. */
int option_lines_read(struct option_line **list, struct arena *,
    const char *file, struct diag *why);

/* option_line_held - parse the rest of a line after the word "option".  0 if
 * the option is in the list, else -EINVAL with a message. */
int option_line_held(const struct option_line *list, struct scan *,
    struct diag *why);

#endif
