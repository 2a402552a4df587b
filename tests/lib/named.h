/*
 * tests/lib/named.h - columns by their printed form, for tests that make their own.
 */
#ifndef TESTS_NAMED_H
#define TESTS_NAMED_H

#include "config/dump/column.h"

/* columns_named - give columns that have a name alone the id that it is the
 * printed form of, of a Skylake, and the class that follows. */
void columns_named(struct column *, unsigned n);

/* is_named - is that a column's printed form? */
bool is_named(const struct column_id *, const char *name);

#endif
