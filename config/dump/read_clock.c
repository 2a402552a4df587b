/*
 * config/dump/read_clock.c - read the clocks of a dump's last sample, searching
 * from the end of the file.
 */
#include "config/dump/read_int.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEP 65536u
#define FAR (16u << 20)         /* a sample of a large node is under 1 MB */

/* Find a line `NAME SAMPLE] = VALUE` in text[0..n), where name ends with "[".  False:
 * there is none. */
static bool
find_value(const char *text, size_t n, const char *name, uint64_t sample,
    uint64_t *value)
{
	const char *p = text, *end = text + n;
	size_t len = strlen(name);
	char scratch[256];

	while ((p = memmem(p, (size_t)(end - p), name, len)) != NULL) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		struct assign a;

		if (stop == NULL)
			return false;
		if ((p == text || p[-1] == '\n') && stop - p < 200) {
			assign_parse(&a, p, stop, scratch);
			if (a.kind == LINE_VALUE && a.value == VALUE_INT &&
			    a.last_is_int && a.last == sample) {
				*value = a.u;
				return true;
			}
		}
		p = stop;
	}
	return false;
}

/* The last line in text[0..n) that starts with "tsc["; or NULL. */
static const char *
last_tsc(const char *text, size_t n)
{
	for (const char *p; n > 5; n = (size_t)(p - text)) {
		p = memrchr(text, '\n', n);
		if (p == NULL)
			return NULL;
		if (text + n - p > 5 && memcmp(p, "\ntsc[", 5) == 0)
			return p + 1;
	}
	return NULL;
}

/* Find the last sample in text whose three clocks are all there: TSC, and the seconds and
 * microseconds of the wall clock.  False: there is none. */
static bool
clocks_in(const char *text, size_t n, uint64_t *sample, uint64_t *tsc,
    double *wall_s)
{
	uint64_t sec, usec;

	while (n > 0) {
		const char *p = last_tsc(text, n), *stop;
		struct assign a;
		char scratch[256];

		if (p == NULL)
			return false;
		stop = memchr(p, '\n', (size_t)(text + n - p));
		if (stop != NULL && stop - p < 200) {
			assign_parse(&a, p, stop, scratch);
			if (a.kind == LINE_VALUE && a.value == VALUE_INT &&
			    a.last_is_int && find_value(stop + 1,
			    (size_t)(text + n - stop - 1), "walltime[0][",
			    a.last, &sec) && find_value(stop + 1,
			    (size_t)(text + n - stop - 1), "walltime[1][",
			    a.last, &usec)) {
				*sample = a.last;
				*tsc = a.u;
				*wall_s = (double)sec + (double)usec * 1e-6;
				return true;
			}
		}
		n = (size_t)(p - text);
	}
	return false;
}

static bool
store_clock(const struct reader *r, uint64_t *sample, uint64_t *tsc,
    double *wall_s)
{
	const struct store_shape *s = store_shape(r->store);
	uint64_t sec, usec;

	if (r->rows.end == 0)
		return false;
	*sample = r->rows.end - 1;
	if (store_read(r->store, *sample, s->cell_tsc, 1, tsc) < 0 ||
	    store_read(r->store, *sample, s->cell_real_sec, 1, &sec) < 0 ||
	    store_read(r->store, *sample, s->cell_real_usec, 1, &usec) < 0)
		return false;
	*wall_s = (double)sec + (double)usec * 1e-6;
	return *tsc != ABSENT;
}

bool
file_last_clock(const struct reader *r, uint64_t *sample, uint64_t *tsc,
    double *wall_s)
{
	struct stat sb;
	bool found = false;
	size_t size, n = STEP;

	if (r->store != NULL)
		return store_clock(r, sample, tsc, wall_s);
	if (!r->whole || fstat(r->fd, &sb) < 0 || sb.st_size <= 0)
		return false;
	size = (size_t)sb.st_size;
	do {
		char *text;
		ssize_t got;

		n = n * 2 < size ? n * 2 : size;
		if ((text = malloc(n)) == NULL)
			return false;
		got = pread(r->fd, text, n, (off_t)(size - n));
		found = got > 0 &&
		    clocks_in(text, (size_t)got, sample, tsc, wall_s);
		free(text);
	} while (!found && n < size && n < FAR);
	return found;
}
