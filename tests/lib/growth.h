/*
 * tests/lib/growth.h - is four times as much input four times the work?
 *
 * Work is CPU time, the least of three tries; what grows with the square would
 * be sixteen times as much.
 */
#ifndef TESTS_GROWTH_H
#define TESTS_GROWTH_H

#include "tests/lib/files.h"

/* A text of so many parts between head and tail; a part's three arguments are
 * its number i, i + 1, and the last number. */
struct growth {
	int line;
	unsigned n;             /* parts of the smaller one */
	const char *head, *each, *tail;
	int (*take)(const char *text, size_t size);     /* below 0: refused */
};

/* growth_text - it, of n parts; free() it. */
char *growth_text(const struct growth *, unsigned n, size_t *size);
/* growth_work - seconds that taking n parts costs. */
double growth_work(const struct growth *, unsigned n);
/* growth_linear - fails the test where many cost more than few should. */
void growth_linear(int line, double few, double many);
/* growth_check - all of a table. */
void growth_check(const struct growth *, size_t n);

#endif
