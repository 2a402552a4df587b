/*
 * postproc/out/conversions.h - what tally convert writes: a row each, and a
 * file, conversion_NAME.c.
 */
#ifndef POSTPROC_OUT_CONVERSIONS_H
#define POSTPROC_OUT_CONVERSIONS_H

#define CONVERSIONS(row) \
	row(wide_csv) \
	row(npy) \
	row(parquet) \
	row(parquet_long) \
	row(lua_chunks)

#endif
