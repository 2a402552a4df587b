/*
 * config/lang/run_report.h - what is printed at the end of `tallyd -- PROGRAM`:
 * a recipe names the report that it is made for.
 *
 *   report = "report" ( "node" | "io" | "why" | "jitter" )
 */
#ifndef CONFIG_LANG_RUN_REPORT_H
#define CONFIG_LANG_RUN_REPORT_H

#include "config/lang/want.h"
#include "config/scan.h"

/* A command of tally, and its option or NULL. */
struct run_report {
	const char *name, *command, *option;
};

/* run_report_parse - what follows the word "report"; the last one holds.  0, or
 * -EINVAL with "file:line: ..." in why. */
int run_report_parse(struct config *, struct scan *, struct diag *why);

#endif
