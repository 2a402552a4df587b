/*
 * tests/lib/scene.h - the daemon itself on a stand-in node (tests/lib/stand_in.h), and
 * how it left that: rows, registers, files.
 */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "tests/lib/stand_in.h"

#include "config/dump/store.h"

#include <sys/types.h>

struct scene {
	char *dir;
	uint8_t *before;        /* every register, as found */
};

struct scene scene_begin(void);
void scene_end(struct scene *);

/* scene_has - is there a file of that name in the node's directory? */
bool scene_has(const struct scene *, const char *name);

/* scene_files - how many files there have names that begin so. */
unsigned scene_files(const struct scene *, const char *prefix);

/* scene_whole - every row of a store is whole: clocks go up from row to row,
 * each block's stamp lies in its own sample, every register reads as the node
 * has it.  Returns how many rows there are. */
uint64_t scene_whole(const char *path);

/* scene_rows - how many rows the daemon's store has now. */
uint64_t scene_rows(const struct scene *);

/* scene_mounted - wait for a child that mounts folders of its own, and return its status;
 * where it exits with SCENE_MAY_NOT, the scene ends and the test is skipped. */
#define SCENE_MAY_NOT 77
int scene_mounted(struct scene *, pid_t);

/* scene_row - row r of a store that another process writes, into row[ncell];
 * fails the test when it is not there. */
void scene_row(const struct store *, uint64_t r, uint64_t *row);

/* scene_column - a column that is there. */
const struct column *scene_column(const struct store_shape *, const char *name);

/* scene_dumped - how many samples the dump has, which is what it says. */
uint64_t scene_dumped(const struct scene *);

/* scene_dump_has - are these words in the dump? */
bool scene_dump_has(const struct scene *, const char *words);

/* scene_ended_well - the daemon ended by itself: registers as found, its dump
 * written, its store and its journal gone. */
void scene_ended_well(const struct scene *, int status, const char *what);

void sleep_us(long us);

#endif
