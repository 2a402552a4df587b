/*
 * config/file_number.h - what users read themselves: the number at the start of a file
 * of /sys or /proc, and the families of their registers and files.
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

/* ---- families ------------------------------------------------------------ */

/* The families of the user's own registers and files: `read msr=0x611 as E per package`
 * is raw_pkg_E[package]. */
enum raw_of {
	RAW_LPROC,              /* raw_lproc_NAME[lproc], an MSR */
	RAW_PKG,                /* raw_pkg_NAME[package], an MSR */
	RAW_PCI,                /* raw_pci_NAME[package][n], in the package's
	                         * nth function of an id, by address */
	RAW_MMIO,               /* raw_mmio_NAME, at a physical address */
	RAW_FILE,               /* file_NAME, file_NAME["what a * stands for"] */
	RAW_NONE                /* not the user's: a built-in family */
};

/* Is such a register accessed by 32 bits (a 64-bit one as two halves)? */
static inline bool
raw_in_dwords(enum raw_of of)
{
	return of == RAW_PCI || of == RAW_MMIO;
}

/* raw_family - write the family's name into buf.
 * raw_family_of - the kind of a family, by its name. */
void raw_family(enum raw_of, const char *name, char *buf, size_t size);
enum raw_of raw_family_of(const char *family);

#endif
