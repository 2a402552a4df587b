/*
 * config/dump/store_int.h - the layout of a store's file, between its writer
 * (store.c) and its reader (store_open.c).
 */
#ifndef CONFIG_DUMP_STORE_INT_H
#define CONFIG_DUMP_STORE_INT_H

#include "config/dump/store.h"
#include "config/memory.h"

#include <stdatomic.h>

#define MAGIC "TALLYST5"           /* the digit: the version of this file */
#define MAGIC_ANY 7                     /* bytes of it, of any version */
#define MAX_CELLS (1u << 24)

struct file_head {
	char magic[8];
	uint32_t ncell, ncolumn, nfamily;
	uint32_t model;                 /* offset from head.names */
	uint32_t cell_tsc, cell_real_sec, cell_real_usec, cell_mono;
	uint64_t capacity;              /* rows of a full one */
	/* offsets of the parts, in this order; bytes of a full one */
	uint64_t notes, columns, families, names, preamble, rows, size;
	_Atomic uint64_t nrow;
	_Atomic uint64_t missed;
	_Atomic uint64_t nmark;
	uint64_t mark[STORE_MARKS];
	_Atomic uint64_t nnote;         /* bytes of notes */
	_Atomic uint64_t lost;          /* notes that had no room */
};

#define NO_TEXT UINT32_MAX

/* Texts are offsets from head.names. */
struct file_column {
	uint32_t family;                /* number of one */
	uint32_t lprocs, event;         /* texts, or NO_TEXT */
	uint32_t index[MAX_INDEX];
	uint32_t cell;
	uint8_t nindex, bits, print, mul, cls, pad;
	int16_t base;
};

struct file_family {
	uint32_t name, unit;            /* texts */
	uint8_t bits, mul;
	uint16_t pad;
};

/*
 * Writer and reader have what comes before the rows in memory of their own: the
 * writer publishes it and reads none of it back, so that whoever cuts or changes
 * the file meets no pointer and no size.
 */
struct store {
	int fd;
	int dir;                        /* of a writer: its folder; -1 */
	bool writer;
	char *path;
	uint8_t *map;                   /* what the file has before its rows */
	uint64_t *row;                  /* of a writer: the next one */
	uint64_t reserved;              /* of a writer: of the file, so far */
	bool in_memory;                 /* it is on a tmpfs; who limits it: */
	struct memory memory;
	struct file_head *head;         /* what map begins with */
	struct column *column;          /* of shape; texts point into map */
	char *preamble;                 /* of a reader */
	unsigned left_out;              /* lines of its file's preamble */
	uint64_t cut;                   /* rows that its file lacks */
	struct families families;
	struct store_shape shape;
};

/* store_columns.c.
 * store_lay_out - a header for a shape: where its parts are.
 * store_put_columns - columns, families, preamble and header, into map.
 * store_sound_columns - does every offset in there stay inside?
 * store_take_shape - shape and columns of what map has.  0 or -ENOMEM. */
int store_lay_out(struct file_head *, const struct store_shape *);
int store_put_columns(struct store *, struct file_head *,
    const struct store_shape *);
bool store_sound_columns(const struct store *);
int store_take_shape(struct store *);

/* store_reserve.c.
 * store_room - is there room for the whole of it, as things are?  0, or -errno
 * with words. */
int store_room(struct store *, const struct file_head *, struct diag *why);

/* store_look - of a reader: counts and notes as the file has them by now. */
void store_look(const struct store *);

#endif
