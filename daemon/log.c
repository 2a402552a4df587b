/*
 * daemon/log.c - what the daemon says on standard error.
 */
#include "daemon/log.h"

#include "regs/printable.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>

static int level = 1;
static int to_syslog;

void
log_level(int l)
{
	level = l;
}

void
log_to_syslog(void)
{
	openlog("tallyd", LOG_PID | LOG_NDELAY, LOG_DAEMON);
	to_syslog = 1;
}

/* One write a line, so that lines of several writers never mix. */
static void
line(const char *fmt, va_list ap, const char *why)
{
	char buf[2048];
	int n = snprintf(buf, sizeof(buf), "tallyd: ");

	n += vsnprintf(buf + n, sizeof(buf) - (size_t)n, fmt, ap);
	if (n < (int)sizeof(buf) - 1 && why != NULL)
		snprintf(buf + n, sizeof(buf) - (size_t)n, ": %s", why);
	printable(buf);
	if (to_syslog)
		syslog(LOG_NOTICE, "%s", buf + strlen("tallyd: "));
	else
		fprintf(stderr, "%s\n", buf);
}

void
log_warn(const char *fmt, ...)
{
	const char *why = strerror(errno);
	va_list ap;

	va_start(ap, fmt);
	line(fmt, ap, why);
	va_end(ap);
}

#define AT_LEVEL(n) do { \
	va_list ap; \
	if (level >= (n)) { \
		va_start(ap, fmt); \
		line(fmt, ap, NULL); \
		va_end(ap); \
	} \
} while (0)

void
log_warnx(const char *fmt, ...)
{
	AT_LEVEL(0);
}

void
log_info(const char *fmt, ...)
{
	AT_LEVEL(1);
}

void
log_debug(const char *fmt, ...)
{
	AT_LEVEL(2);
}
