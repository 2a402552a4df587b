/*
 * tests/lib/store_rows.h - a store of six cells a row, whose rows a test makes.
 */
#ifndef TESTS_STORE_ROWS_H
#define TESTS_STORE_ROWS_H

#include "config/dump/store.h"

#define ROWS_CELLS 6

/* rows_store - a new one, for so many rows; fails the test when it cannot be. */
struct store *rows_store(const char *path, uint64_t capacity);
/* rows_put - row r: TSC at 2 GHz, wall clock of a second a row.  rows_put_stepped - whose
 * wall clock is `step` seconds off. */
void rows_put(struct store *, uint64_t r);
void rows_put_stepped(struct store *, uint64_t r, int step);
uint64_t rows_cell(const struct store *, uint64_t row, unsigned cell);
/* rows_dump_text - the dump of it; free().  rows_save_to - into a file, over what is
 * there; 0 or -errno. */
char *rows_dump_text(const struct store *);
int rows_save_to(const struct store *, const char *path, struct diag *why);

#endif
