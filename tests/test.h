/*
 * tests/test.h - what the tests share: cmocka, files that stand in for a
 * node, and a simulated node planned and ready.
 */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/node.h"

struct sim;

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

/* machine_with - a built-in machine with `more` appended, on virtual time. */
struct sim *machine_with(const char *machine, const char *more);

/* A simulated node with a plan, as tallyd has it when sampling begins. */
struct rig {
	struct node node;
	struct options o;
	struct reading reading;
	uint64_t *row;
};

/* rig_open - machine and configuration by name or path; config NULL: the
 * model's default.  Fails the test when anything is wrong. */
struct rig *rig_open(const char *machine, const char *config);
/* rig_with - the same, from texts: a built-in machine with `more` appended;
 * config is configuration text.  rig_text - on the skx one. */
struct rig *rig_with(const char *machine, const char *more, const char *config);
struct rig *rig_text(const char *more, const char *config);
/* rig_bare - up to its inventory: neither configuration nor plan. */
struct rig *rig_bare(const char *machine, const char *more);
void rig_close(struct rig *);
/* rig_program - save and write; rig_restore - put all back.  Both fail the
 * test when refused. */
void rig_program(struct rig *);
void rig_restore(struct rig *);
/* rig_sample - one row. */
void rig_sample(struct rig *);
/* rig_value - a column's raw value in the last row; fails the test when there
 * is no such column. */
uint64_t rig_value(const struct rig *, const char *column);
bool rig_has(const struct rig *, const char *column);
/* rig_second - what a column of 48 bits counts in one second from now. */
uint64_t rig_second(struct rig *, const char *column);
/* rig_sim - the machine behind it.  rig_fault - inject one there.
 * rig_same - fails the test unless both have the same in every register. */
struct sim *rig_sim(const struct rig *);
void rig_fault(const struct rig *, const char *line);
void rig_same(const struct rig *, const struct rig *other);

/* shared_path - path of a file of the shared data, or NULL with a loud word
 * when it is not there. */
const char *shared_path(const char *file, char *buf, size_t size);

#endif
