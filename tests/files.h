/*
 * tests/files.h - what all tests share: cmocka, and the files that they write
 * and read.
 */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* tree_new - a fresh directory; tree_free removes it and what is in it. */
char *tree_new(void);
void tree_free(char *dir);
/* tree_put - a file of the tree, its folders made as needed. */
void tree_put(const char *dir, const char *path, const void *data, size_t n);
void tree_text(const char *dir, const char *path, const char *text);
/* file_text - all of a file, ended by NUL; free() it.  size may be NULL. */
char *file_text(const char *path, size_t *size);

/* A directory for all of a program's tests: test_dir_new and test_dir_free are
 * the setup and teardown of their group.
 * test_put - a file of it; returns its path, which stands until the next. */
extern char *test_dir;
int test_dir_new(void **state);
int test_dir_free(void **state);
const char *test_put(const char *name, const char *text);

/* shared_path - path of a file of the shared data, or NULL with a loud word
 * when it is not there. */
const char *shared_path(const char *file, char *buf, size_t size);

#endif
