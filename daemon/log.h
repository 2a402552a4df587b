/*
 * daemon/log.h - what the daemon says on standard error: one line, one fact.
 */
#ifndef DAEMON_LOG_H
#define DAEMON_LOG_H

#include <stdbool.h>

/* log_level - 0 warnings alone (-q), 1 and what is done (default), 2 and why
 * (-v). */
void log_level(int level);
/* log_to_syslog - from now on there: standard error has no reader any more, and
 * the standard files are nobody's. */
void log_to_syslog(void);
/* log_let_go - standard input and output are nobody's, and with all standard error,
 * too: a process beside the one that was started holds no pipe of who started it. */
void log_let_go(bool all);
/* log_to_journal - where standard error is systemd's journal, as JOURNAL_STREAM
 * says: each line with its priority, and without our name, which that adds. */
void log_to_journal(void);
/* log_warn adds ": strerror(errno)". */
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warnx(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
