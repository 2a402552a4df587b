/*
 * postproc/out/npy.h - the head of a NumPy array, of two dimensions, little-endian.
 */
#ifndef POSTPROC_OUT_NPY_H
#define POSTPROC_OUT_NPY_H

#include <stdint.h>
#include <stdio.h>

/* npy_head - descr: "<u8", "<i8", "<f8".  Of one length whatever the shape: what
 * is written in its place later fits.  npy_cell - one of its values. */
void npy_head(FILE *f, const char *descr, uint64_t rows, unsigned cols);
void npy_cell(FILE *f, uint64_t value);

#endif
