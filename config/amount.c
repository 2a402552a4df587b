/*
 * config/amount.c - parse a count, a time or a size: 48, 1h, 64M.
 */
#include "config/amount.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND UINT64_C(1000000000)

static const struct {
	const char *unit;
	enum amount_kind kind;
	uint64_t each;
} units[] = {
	{ "", AMOUNT_COUNT, 1 },
	{ "s", AMOUNT_TIME, SECOND }, { "min", AMOUNT_TIME, 60 * SECOND },
	{ "h", AMOUNT_TIME, 3600 * SECOND },
	{ "d", AMOUNT_TIME, 86400 * SECOND },
	{ "K", AMOUNT_SIZE, 1u << 10 }, { "M", AMOUNT_SIZE, 1u << 20 },
	{ "G", AMOUNT_SIZE, 1u << 30 },
};

int
amount_parse(struct amount *a, const char *text)
{
	unsigned long long n;
	char *unit;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	n = strtoull(text, &unit, 10);
	if (errno != 0 || n == 0)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(unit, units[i].unit) == 0 &&
		    n <= INT64_MAX / units[i].each) {
			*a = (struct amount){ units[i].kind,
			    n * units[i].each };
			return 0;
		}
	return -EINVAL;
}

const char *
amount_seconds(const char *text, char buf[AMOUNT_SECONDS])
{
	static const struct { const char *unit; double seconds; } times[] = {
		{ "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 }, { "sec", 1 },
		{ "m", 60 }, { "min", 60 }, { "h", 3600 }, { "d", 86400 },
	};
	char *unit;
	double n = strtod(text, &unit);

	buf[0] = '\0';
	for (size_t i = 0; n > 0 && i < sizeof(times) / sizeof(times[0]); i++)
		if (strcmp(unit, times[i].unit) == 0)
			snprintf(buf, AMOUNT_SECONDS, "; %.20s is %.12g", text,
			    n * times[i].seconds);
	return buf;
}
