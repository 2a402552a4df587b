/*
 * lib/diag.c - the message that a function which fails gives its caller.
 */
#include "lib/diag.h"

#include "lib/printable.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Names the limit of this process, where it has one: it is mostly what refused.  A
 * cgroup's refuses no memory, it kills. */
static void
name_limit(struct diag *why)
{
	static const struct { int what; const char *option; } limit[] = {
		{ RLIMIT_AS, "-v" }, { RLIMIT_DATA, "-d" },
	};
	size_t n = strlen(why->text);
	struct rlimit rl;

	for (unsigned i = 0; i < 2; i++) {
		if (getrlimit(limit[i].what, &rl) < 0 ||
		    rl.rlim_cur == RLIM_INFINITY)
			continue;
		snprintf(why->text + n, sizeof(why->text) - n, ": this process "
		    "is limited to %llu kB (ulimit %s)",
		    (unsigned long long)rl.rlim_cur / 1024, limit[i].option);
		return;
	}
}

int
diag_set(struct diag *why, int rc, const char *fmt, ...)
{
	va_list ap;

	if (why != NULL) {
		va_start(ap, fmt);
		vsnprintf(why->text, sizeof(why->text), fmt, ap);
		va_end(ap);
		printable(why->text);
		if (rc == -ENOMEM && strcmp(why->text, "out of memory") == 0)
			name_limit(why);
	}
	return rc;
}

static void
diag_format(struct diag *why, struct place at, const char *fmt, va_list ap)
{
	int n;

	if (why == NULL)
		return;
	n = snprintf(why->text, sizeof(why->text), "%s:%u: ", at.file, at.line);
	if (n >= 0 && (size_t)n < sizeof(why->text))
		vsnprintf(why->text + n, sizeof(why->text) - n, fmt, ap);
	printable(why->text);
}

int
diag_at(struct diag *why, const char *file, unsigned line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_format(why, (struct place){ file, line }, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

int
diag_place(struct diag *why, struct place at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_format(why, at, fmt, ap);
	va_end(ap);
	return -EINVAL;
}
