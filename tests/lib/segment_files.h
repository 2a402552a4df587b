/*
 * tests/lib/segment_files.h - what a run in segments has left: its dumps and stores,
 * in order, and whether they go on from one another.
 */
#ifndef TESTS_SEGMENT_FILES_H
#define TESTS_SEGMENT_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* A dump or a store of one. */
struct segment_file {
	char path[512];
	uint64_t n, sample;     /* segment, segment_sample */
	uint64_t samples;
	bool reload;            /* its first sample is its own */
	uint64_t first_tsc, last_tsc;
};

#define MAX_SEGMENT_FILES 512

struct segment_files {
	struct segment_file file[MAX_SEGMENT_FILES];
	unsigned n;
};

/* segment_files_add - those of a folder whose names begin so and have no other
 * suffix than a number or .lua; fails the test where one cannot be read. */
void segment_files_add(struct segment_files *, const char *dir,
    const char *prefix);

/* segment_files_remove - remove the dumps and stores of a folder. */
void segment_files_remove(const char *dir);

/*
 * segment_files_whole - put in order, no number missing, of one number the same
 * rows: the last sample of each is the first of the next, or, after a reload,
 * followed by it.  Fails the test.
 * Returns how many samples the run has.
 */
uint64_t segment_files_whole(struct segment_files *);

#endif
