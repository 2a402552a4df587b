/*
 * config/file_number.h - the number that a file of the node begins with.
 */
#ifndef CONFIG_FILE_NUMBER_H
#define CONFIG_FILE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits behind the point that are kept of a file whose numbers have one. */
#define FILE_DIGITS 6

enum file_says {
	FILE_NUMBER,
	FILE_EMPTY,
	FILE_TEXT,              /* it begins with no number */
	FILE_NEGATIVE,
	FILE_LONG,              /* 2^64 - 1 or more */
	FILE_SHORT,             /* of eight bytes there are fewer */
	FILE_ALL_ONES,          /* a gauge, of which a driver says so that it
	                         * could not be read */
	FILE_GONE,              /* it cannot be opened, or read */
	FILE_SAYS
};

/*
 * file_number - of n bytes of text: decimal, or hexadecimal behind 0x; up to a
 * blank, a newline or the end.  What follows ("251 W 1437586530451607 us") is not
 * looked at.
 *
 * digits  so many behind the point are part of the value: 6 of 12.5 is 12500000;
 *         the next one rounds it
 * value   out, of FILE_NUMBER
 */
enum file_says file_number(const char *text, size_t n, unsigned digits,
    uint64_t *value);

/* file_bytes - of eight bytes, the low ones first. */
enum file_says file_bytes(const uint8_t *bytes, size_t n, uint64_t *value);

/* file_all_ones - is a reading 2^32 - 1, or as many thousandths or millionths of
 * it?  Drivers pass on what a device answers that does not (hwmon: 4294967295000
 * uW). */
bool file_all_ones(uint64_t value, unsigned digits);

/* file_has_point - is it a decimal fraction? */
bool file_has_point(const char *text, size_t n);

/* file_says_word - "no number", "is gone" */
const char *file_says_word(enum file_says);

#endif
