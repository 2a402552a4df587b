/*
 * daemon/run/launch_report.h - what the parent of a sampler has printed of it.
 */
#ifndef DAEMON_RUN_LAUNCH_REPORT_H
#define DAEMON_RUN_LAUNCH_REPORT_H

/* What the sampler tells: "FIRST LAST PATH", the numbers of its segments and the
 * dump that was asked for; "0 0 PATH": that is the only one; "": there is none. */
#define LAUNCH_DUMPED 4200

/* launch_report - tally report of all its dumps that are there; of @io-icx and its
 * like that of I/O. */
struct options;
void launch_report(const struct options *, const char *said);

#endif
