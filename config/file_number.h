/*
 * config/file_number.h - the number at the start of a file of /sys or /proc.
 */
#ifndef CONFIG_FILE_NUMBER_H
#define CONFIG_FILE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many digits after the decimal point are kept. */
#define FILE_DIGITS 6

enum file_says {
	FILE_NUMBER,
	FILE_EMPTY,
	FILE_TEXT,              /* it begins with no number */
	FILE_NEGATIVE,
	FILE_LONG,              /* 2^64 - 1 or more */
	FILE_SHORT,             /* a binary file with fewer than eight bytes */
	FILE_ALL_ONES,          /* a gauge reads all ones: the driver could not
	                         * read its device */
	FILE_GONE,              /* it cannot be opened or read */
	FILE_SAYS
};

/*
 * file_number - parse the number at the start of n bytes of text: decimal, or
 * hexadecimal after 0x.  It ends at a blank, a newline or the end of the text;
 * what follows ("251 W 1437586530451607 us") is ignored.
 *
 * digits  the value is the number times 10^digits: with 6, 12.5 is 12500000;
 *         the next digit rounds it
 * value   out: set if FILE_NUMBER is returned
 */
enum file_says file_number(const char *text, size_t n, unsigned digits,
    uint64_t *value);

/* file_bytes - the number in eight bytes, little-endian. */
enum file_says file_bytes(const uint8_t *bytes, size_t n, uint64_t *value);

/* file_all_ones - is a reading 2^32 - 1, or that times 1000 or 10^6?  A device
 * that does not answer reads as all ones, and drivers scale and pass that on
 * (hwmon: 4294967295000 uW). */
bool file_all_ones(uint64_t value, unsigned digits);

/* file_has_point - is it a decimal fraction? */
bool file_has_point(const char *text, size_t n);

/* file_says_word - "no number", "is gone" */
const char *file_says_word(enum file_says);

#endif
