/*
 * daemon/run/launch_report.h - what the parent of a sampler has printed of it.
 */
#ifndef DAEMON_RUN_LAUNCH_REPORT_H
#define DAEMON_RUN_LAUNCH_REPORT_H

/* What the sampler tells: "FIRST LAST PATH", the numbers of its segments and the
 * dump that was asked for; "0 0 PATH": that is the only one; "": there is none. */
#define LAUNCH_DUMPED 4200

/* launch_report - what tally prints of all its dumps that are there: the report that
 * the configuration names, or (NULL) that of the node. */
struct run_report;
void launch_report(const struct run_report *, const char *said);

#endif
