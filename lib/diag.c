/*
 * lib/diag.c - the message that a function which fails gives its caller.
 */
#include "lib/diag.h"

#include "lib/printable.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int
diag_set(struct diag *why, int rc, const char *fmt, ...)
{
	va_list ap;

	if (why != NULL) {
		va_start(ap, fmt);
		vsnprintf(why->text, sizeof(why->text), fmt, ap);
		va_end(ap);
		printable(why->text);
	}
	return rc;
}

int
diag_at(struct diag *why, const char *file, unsigned line, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (why != NULL) {
		n = snprintf(why->text, sizeof(why->text), "%s:%u: ", file,
		    line);
		if (n >= 0 && (size_t)n < sizeof(why->text)) {
			va_start(ap, fmt);
			vsnprintf(why->text + n, sizeof(why->text) - n, fmt,
			    ap);
			va_end(ap);
		}
		printable(why->text);
	}
	return -EINVAL;
}
