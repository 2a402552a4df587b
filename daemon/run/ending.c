/*
 * daemon/run/ending.c - when a run will have all its samples, in words.
 */
#include "daemon/run/ending.h"

#include <inttypes.h>
#include <stdio.h>

/* "2 h 46 min": two units, the second one rounded down. */
static void
duration_text(char *buf, size_t size, uint64_t s)
{
	static const struct {
		uint64_t s;
		const char *name;
	} unit[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };
	unsigned u = 0;
	int n;

	while (u < 3 && s < unit[u].s)
		u++;
	n = snprintf(buf, size, "%" PRIu64 " %s", s / unit[u].s, unit[u].name);
	if (u < 3 && s % unit[u].s / unit[u + 1].s > 0)
		snprintf(buf + n, size - (size_t)n, " %" PRIu64 " %s",
		    s % unit[u].s / unit[u + 1].s, unit[u + 1].name);
}

const char *
ending_text(char *buf, size_t size, uint64_t samples, double interval,
    time_t now)
{
	/* the first sample is taken at once */
	uint64_t s = (uint64_t)((double)(samples - 1) * interval);
	const char *plural = samples == 1 ? "" : "s";
	char in[64], at[64];
	struct tm end, today;
	time_t then;

	if (samples == UINT64_MAX) {
		snprintf(buf, size, "samples of %g s until it is told to stop",
		    interval);
		return buf;
	}
	if (now == 0) {
		snprintf(buf, size, "%" PRIu64 " sample%s of %g s: then it "
		    "stops by itself", samples, plural, interval);
		return buf;
	}
	then = now + (time_t)s;
	localtime_r(&now, &today);
	localtime_r(&then, &end);
	duration_text(in, sizeof(in), s);
	strftime(at, sizeof(at), end.tm_year != today.tm_year ||
	    end.tm_yday != today.tm_yday ? "on %Y-%m-%d at %H:%M" :
	    s < 3600 ? "at %H:%M:%S" : "at %H:%M", &end);
	snprintf(buf, size, "%" PRIu64 " sample%s of %g s: stops by itself in "
	    "%s, %s", samples, plural, interval, in, at);
	return buf;
}
