/*
 * topology/unit_absent.c - marks a box as absent and keeps the reason.
 */
#include "topology/inventory_int.h"

#include <stdarg.h>
#include <stdio.h>

void
unit_absent(struct unit *u, const char *fmt, ...)
{
	va_list ap;

	u->present = false;
	va_start(ap, fmt);
	vsnprintf(u->reason, sizeof(u->reason), fmt, ap);
	va_end(ap);
}
