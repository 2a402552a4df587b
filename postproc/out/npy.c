/*
 * postproc/out/npy.c - the head of a NumPy array.
 */
#include "postproc/out/npy.h"

#include <inttypes.h>
#include <string.h>

/* Version 1.0 of the format: magic, length, a Python dictionary, blanks up to
 * a multiple of 64. */
#define NPY_HEAD 128

void
npy_head(FILE *f, const char *descr, uint64_t rows, unsigned cols)
{
	char head[NPY_HEAD], *shape = head + 10;

	memset(head, ' ', sizeof(head));
	memcpy(head, "\x93NUMPY\x01", 8);
	head[8] = NPY_HEAD - 10;
	head[9] = 0;
	shape += snprintf(shape, 100, "{'descr': '%s', 'fortran_order': False,"
	    " 'shape': (%" PRIu64 ", %u), }", descr, rows, cols);
	*shape = ' ';                   /* was '\0' */
	head[NPY_HEAD - 1] = '\n';
	fwrite(head, 1, NPY_HEAD, f);
}

void
npy_cell(FILE *f, uint64_t value)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	fwrite_unlocked(bytes, 1, sizeof(bytes), f);
}
