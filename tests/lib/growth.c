/*
 * tests/lib/growth.c - texts of n parts, and what taking them costs.
 */
#include "tests/lib/growth.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TIMES 9                 /* as much, for four times the input, at most */
#define SLACK 0.002             /* s */
#define TRIES 4

char *
growth_text(const struct growth *g, unsigned n, size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	assert_non_null(f);
	fputs(g->head, f);
	for (unsigned i = 0; i < n; i++)
		fprintf(f, g->each, i, i + 1, n - 1);
	fputs(g->tail, f);
	assert_int_equal(fclose(f), 0);
	return text;
}

static double
cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double
growth_work(const struct growth *g, unsigned n)
{
	double least = 1e9, t;
	size_t size;
	char *text = growth_text(g, n, &size);

	for (int i = 0; i < 3; i++) {
		t = cpu_seconds();
		if (g->take(text, size) < 0)
			fail_msg("line %d: refused", g->line);
		t = cpu_seconds() - t;
		least = t < least ? t : least;
	}
	free(text);
	return least;
}

void
growth_linear(int line, double few, double many)
{
	if (many > few * TIMES + SLACK)
		fail_msg("line %d: %.1f ms, and %.1f ms for four times as much",
		    line, few * 1e3, many * 1e3);
}

void
growth_check(const struct growth *g, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double few, many;
		unsigned tries = 0;

		/* others may be in the way of one try, but not of all: caches */
		do {
			few = growth_work(&g[i], g[i].n);
			many = growth_work(&g[i], g[i].n * 4);
		} while (many > few * TIMES + SLACK && ++tries < TRIES);
		growth_linear(g[i].line, few, many);
	}
}
