/*
 * config/lang/statements.h - statements of the configuration language, for
 * config/lang/events.c: each function parses what follows the statement's first
 * word.  Returns 0, or -EINVAL with "file:line: ..." in why; -ENOMEM.
 */
#ifndef CONFIG_LANG_STATEMENTS_H
#define CONFIG_LANG_STATEMENTS_H

#include "config/lang/want.h"
#include "config/scan.h"

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

#endif
