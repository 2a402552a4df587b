/*
 * tests/lib/service.h - the daemon on a stand-in node as a service, whose configuration
 * is DIR/etc/tallyd/tallyd.conf.
 */
#ifndef TESTS_SERVICE_H
#define TESTS_SERVICE_H

#include "tests/lib/scene.h"

/* Somebody who started us wants to know, and is gone. */
#define SERVICE "NOTIFY_SOCKET=@tallyd-test-nobody"

/* None of its segments ends by itself. */
#define PLAIN "option --segment 1h\noption --interval 0.005\n"
#define FIXED PLAIN "core fixed\n"
#define IMC PLAIN "imc CAS_COUNT.READS event=0x04,umask=0x03\n"
/* Segments of some twenty rows. */
#define BRISK "option --segment 64K\noption --interval 0.001\n"

void service_configure(const struct scene *, const char *text);

/* service_begin - one that samples by this configuration, and has three rows. */
struct scene service_begin(const char *text, pid_t *pid);

/* service_reload - tallyd --reload: its exit status. */
int service_reload(const struct scene *);

/* service_rows - how many a store has; 0: it is not there. */
uint64_t service_rows(const struct scene *, const char *store);

/* service_says - has the log these words by now? */
bool service_says(const struct scene *, const char *words);

/* service_ended - told to stop: its exit status is 0, registers are as found, and
 * nothing but dumps is left. */
void service_ended(struct scene *, pid_t pid);

/* service_wrote - has this dump these words? */
bool service_wrote(const struct scene *, const char *dump, const char *words);

#endif
