/*
 * daemon/log.c - what the daemon says on standard error.
 */
#include "daemon/log.h"

#include "lib/printable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

static int level = 1;
static int to_syslog, to_journal;

void
log_level(int l)
{
	level = l;
}

void
log_let_go(bool all)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0)
		return;
	for (int fd = 0; fd < 2 + all; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}

void
log_to_syslog(void)
{
	closelog();     /* a child may have closed its descriptor */
	openlog("tallyd", LOG_PID | LOG_NDELAY, LOG_DAEMON);
	to_syslog = 1;
	log_let_go(true);
}

void
log_to_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long dev, inode;
	struct stat sb;

	to_journal = stream != NULL && sscanf(stream, "%llu:%llu", &dev,
	    &inode) == 2 && fstat(2, &sb) == 0 && sb.st_dev == dev &&
	    sb.st_ino == inode;
}

/* One write a line, so that lines of several writers never mix. */
static void
log_line(int priority, const char *fmt, va_list ap, const char *why)
{
	char buf[2048];
	int n = snprintf(buf, sizeof(buf), "tallyd: ");

	n += vsnprintf(buf + n, sizeof(buf) - (size_t)n, fmt, ap);
	if (n < (int)sizeof(buf) - 1 && why != NULL)
		snprintf(buf + n, sizeof(buf) - (size_t)n, ": %s", why);
	printable(buf);
	if (to_syslog)
		syslog(LOG_NOTICE, "%s", buf + strlen("tallyd: "));
	else if (to_journal)
		fprintf(stderr, "<%d>%s\n", priority, buf +
		    strlen("tallyd: "));
	else
		fprintf(stderr, "%s\n", buf);
}

void
log_warn(const char *fmt, ...)
{
	const char *why = strerror(errno);
	va_list ap;

	va_start(ap, fmt);
	log_line(LOG_WARNING, fmt, ap, why);
	va_end(ap);
}

#define AT_LEVEL(n, priority) do { \
	va_list ap; \
	if (level >= (n)) { \
		va_start(ap, fmt); \
		log_line(priority, fmt, ap, NULL); \
		va_end(ap); \
	} \
} while (0)

void
log_warnx(const char *fmt, ...)
{
	AT_LEVEL(0, LOG_WARNING);
}

void
log_info(const char *fmt, ...)
{
	AT_LEVEL(1, LOG_INFO);
}

void
log_debug(const char *fmt, ...)
{
	AT_LEVEL(2, LOG_DEBUG);
}
