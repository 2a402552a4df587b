/*
 * config/dump/store_int.h - the layout of a store's file, shared by its writer
 * (store.c) and its reader (store_open.c).
 */
#ifndef CONFIG_DUMP_STORE_INT_H
#define CONFIG_DUMP_STORE_INT_H

#include "config/dump/store.h"
#include "config/memory.h"

#include <stdatomic.h>

#define MAGIC "TALLYST5"           /* the digit: the format's version */
#define MAGIC_ANY 7                     /* bytes common to all versions */
#define MAX_CELLS (1u << 24)

struct file_head {
	char magic[8];
	uint32_t ncell, ncolumn, nfamily;
	uint32_t model;                 /* offset from head.names */
	uint32_t cell_tsc, cell_real_sec, cell_real_usec, cell_mono;
	uint64_t capacity;              /* rows of a full store */
	/* offsets of the parts, in this order; size of a full store */
	uint64_t notes, columns, families, names, preamble, rows, size;
	_Atomic uint64_t nrow;          /* at byte 104: see tests/vm/cases.sh */
	_Atomic uint64_t missed;
	_Atomic uint64_t nmark;
	uint64_t mark[STORE_MARKS];
	_Atomic uint64_t nnote;         /* bytes of notes */
	_Atomic uint64_t lost;          /* notes for which there was no room */
};

#define NO_TEXT UINT32_MAX

/* Texts are offsets from head.names. */
struct file_column {
	uint32_t family;                /* index of its family */
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
 * Writer and reader keep everything before the rows in their own memory.  The
 * writer never reads the file back, so truncating or changing the file cannot
 * corrupt a pointer or a size.
 */
struct store {
	int fd;
	int dir;                        /* writer: the folder; else -1 */
	bool writer;
	char *path;
	uint8_t *map;                   /* all of the file before its rows */
	uint64_t *row;                  /* writer: the next row */
	uint64_t reserved;              /* writer: bytes reserved so far */
	bool in_memory;                 /* the file is on a tmpfs */
	struct memory memory;           /* limits for a file on a tmpfs */
	struct file_head *head;         /* the beginning of map */
	struct column *column;          /* shape's; texts point into map */
	char *preamble;                 /* reader: the checked preamble */
	unsigned left_out;              /* reader: invalid preamble lines */
	uint64_t cut;                   /* reader: rows missing in the file */
	struct families families;
	struct store_shape shape;
};

/* store_columns.c:
 * store_lay_out - compute the header (offsets and sizes) for a shape.
 * store_put_columns - write columns, families, preamble and header into map.
 * store_sound_columns - are all offsets in map within their bounds?
 * store_take_shape - read shape and columns from map.  0 or -ENOMEM. */
int store_lay_out(struct file_head *, const struct store_shape *);
int store_put_columns(struct store *, struct file_head *,
    const struct store_shape *);
bool store_sound_columns(const struct store *);
int store_take_shape(struct store *);

#endif
