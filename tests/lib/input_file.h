/*
 * tests/lib/input_file.h - the bytes of a fuzzer, as a file: for what reads a text by
 * its name.
 */
#ifndef TESTS_INPUT_FILE_H
#define TESTS_INPUT_FILE_H

#include <stddef.h>

/* input_file - a file of these bytes, in place of the last one; returns its path.  It
 * is removed when the program ends. */
const char *input_file(const void *data, size_t size);

#endif
