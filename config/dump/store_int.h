/*
 * config/dump/store_int.h - the layout of a store's file, between its writer
 * (store.c) and its reader (store_open.c).
 */
#ifndef CONFIG_DUMP_STORE_INT_H
#define CONFIG_DUMP_STORE_INT_H

#include "config/dump/store.h"

#include <stdatomic.h>

#define MAGIC "TALLYST3"
#define MAX_CELLS (1u << 24)

struct file_head {
	char magic[8];
	uint32_t ncell, ncolumn;
	uint32_t cell_tsc, cell_real_sec, cell_real_usec, cell_mono;
	uint64_t capacity;              /* rows */
	uint64_t notes, columns, names, preamble, rows, size;   /* offsets */
	_Atomic uint64_t nrow;
	_Atomic uint64_t missed;
	_Atomic uint64_t nmark;
	uint64_t mark[STORE_MARKS];
	_Atomic uint64_t nnote;         /* bytes of notes */
	_Atomic uint64_t lost;          /* notes that had no room */
};

struct file_column {
	uint32_t name;                  /* offset from head.names */
	uint32_t cell;
	uint8_t bits, print, mul, pad;
	int16_t base;
	uint16_t pad2;
};

/*
 * Writer and reader have what comes before the rows in memory of their own: the
 * writer publishes it and reads none of it back, so that whoever cuts or changes
 * the file meets no pointer and no size.
 */
struct store {
	int fd;
	bool writer;
	char *path;
	uint8_t *map;                   /* what the file has before its rows */
	uint64_t *row;                  /* of a writer: the next one */
	size_t size;                    /* of the file */
	struct file_head *head;         /* what map begins with */
	struct column *column;          /* of shape; names point into map */
	struct store_shape shape;
};

/* store_take_shape - shape and columns of what map has: 0 or -ENOMEM. */
int store_take_shape(struct store *);

/* store_look - of a reader: counts and notes as the file has them by now. */
void store_look(const struct store *);

#endif
