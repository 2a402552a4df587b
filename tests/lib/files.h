/*
 * tests/lib/files.h - what all tests share: cmocka, and the files that they write
 * and read.
 */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* tree_new - a fresh directory, in TMPDIR; tree_free removes it and what is in it. */
char *tree_new(void);
void tree_free(char *dir);
/* temp_file - a fresh file in TMPDIR, open for writing; its path, of 512 bytes. */
FILE *temp_file(char *path);
/* tree_put - a file of the tree, its folders made as needed. */
void tree_put(const char *dir, const char *path, const void *data, size_t n);
void tree_text(const char *dir, const char *path, const char *text);
/* text_has, text_lacks - fail the test unless the text has those words in it, or has not.
 * text_times - how often it has them; text_lines - how many lines it has. */
void text_has(const char *text, const char *words);
void text_lacks(const char *text, const char *words);
unsigned text_times(const char *text, const char *words);
unsigned text_lines(const char *text);

/* file_text - all of a file, ended by NUL; free() it.  size may be NULL. */
char *file_text(const char *path, size_t *size);

/* A directory for all of a program's tests: test_dir_new and test_dir_free are
 * the setup and teardown of their group.
 * test_put - a file of it; returns its path, which stands until the next. */
extern char *test_dir;
int test_dir_new(void **state);
int test_dir_free(void **state);
const char *test_put(const char *name, const char *text);

/*
 * Paths, in a buffer of 512.
 *
 * built      a program or object that was built beside the tests
 * recording  the dump of a real node, 30 samples, by the original tool
 * perfmon    a list of Intel's: "SKX/events/skylakex_core.json"
 */
const char *built(const char *name, char *buf);
const char *recording(char *buf);
const char *perfmon(const char *list, char *buf);

/* rounds - how often an attack is tried: ROUNDS, or as many as nobody says. */
unsigned rounds(unsigned many);

/*
 * wait_until - look every millisecond whether a condition holds.  How long that
 * takes is the machine's affair; what has not come in five minutes never will,
 * and fails the test.
 */
#define wait_until(condition) do {					\
	for (unsigned looks_ = 0; !(condition); looks_++)		\
		wait_a_little(looks_, #condition);			\
} while (0)
void wait_a_little(unsigned looks, const char *what);

/* A table of tests/data whose rows are of several kinds, their first cell. */
struct table {
	FILE *f;
	char line[512];
	char *cell[12];         /* behind the kind, NULL-padded */
};
/* table_open - fails the test when it is not there; fclose() its f.
 * table_next - the next row of that kind; false at the end. */
void table_open(struct table *, const char *path);
bool table_next(struct table *, const char *kind);

#endif
