/*
 * tests/lib/byte_tree.h - any bytes as a node's files, in memory, for fuzzers.
 *
 *   tree = { file }
 *   file = "@" PATH NEWLINE { byte }        up to the next line with an "@"
 *
 * A folder has what is below it.  Of a /dev/cpu/N/cpuid the same bytes answer
 * every leaf; a register reads eight bytes of the file /registers, which its
 * address chooses, and cannot be written.
 */
#ifndef TESTS_BYTE_TREE_H
#define TESTS_BYTE_TREE_H

#include "regs/access.h"

#define TREE_FILES 512

struct byte_tree {
	struct access acc;
	struct { const char *path, *data; size_t len, n; } file[TREE_FILES];
	unsigned nfile;
};

/* byte_tree_init - of size bytes, which must stay; files beyond TREE_FILES are
 * none. */
void byte_tree_init(struct byte_tree *, const uint8_t *data, size_t size);

#endif
