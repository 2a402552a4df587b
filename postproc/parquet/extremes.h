/*
 * postproc/parquet/extremes.h - the least and the greatest of some values.
 */
#ifndef POSTPROC_PARQUET_EXTREMES_H
#define POSTPROC_PARQUET_EXTREMES_H

#include "postproc/parquet/parquet.h"

/* Those of texts in memory of their own.  A zeroed one is of no value. */
struct extremes {
	bool any;
	uint64_t least, most;   /* of a real its bits */
	char *least_text, *most_text;
};

void extremes_fini(struct extremes *);

/* extremes_number, extremes_text - one value more; a number is that, or the bits
 * of a real.  false: out of memory.  extremes_numbers - n more, of whole numbers. */
void extremes_number(struct extremes *, enum parquet_type, uint64_t value);
void extremes_numbers(struct extremes *, enum parquet_type,
    const uint64_t *value, unsigned n);
bool extremes_text(struct extremes *, const char *);

#endif
