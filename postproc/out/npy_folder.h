/*
 * postproc/out/npy_folder.h - what was counted as NumPy arrays, one a family, that
 * can be mapped into memory as they are.
 */
#ifndef POSTPROC_OUT_NPY_FOLDER_H
#define POSTPROC_OUT_NPY_FOLDER_H

#include "postproc/out/convert.h"

/*
 * npy_folder - to files below output's path, a row an interval, a column a column
 * of the dump:
 *
 *   FAMILY.npy    <u8: what they counted, judged as tally deltas has it; 2^64 - 1
 *                 where there is no value, or one that is doubted.  Of degrees
 *                 <i8, and -2^63.
 *   time.npy      <i8: the wall clock at its end, us since 1970; -2^63: not known
 *   sample.npy    <u8;  seconds.npy  <f8
 *   names.csv     what each column of each array is
 *
 * Each file is whole or not there; names.csv comes last.
 */
int npy_folder(const struct source *, const struct outname *output,
    struct diag *why);

#endif
