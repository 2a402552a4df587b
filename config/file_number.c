/*
 * config/file_number.c - the number at the start of a file of /sys or /proc; the
 * families of the user's own registers and files.
 */
#include "config/file_number.h"

#include "lib/printable.h"

#include <stdio.h>
#include <string.h>

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
file_number_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

/* Append one digit to *v; false if the result is above 2^64 - 2 (all ones means
 * "no value"). */
static bool
push(uint64_t *v, unsigned base, unsigned digit)
{
	if (*v > (UINT64_MAX - 1 - digit) / base)
		return false;
	*v = *v * base + digit;
	return true;
}

static enum file_says
hexadecimal(const char *p, const char *end, unsigned digits, uint64_t *v)
{
	const char *first = p;

	for (; p < end && hex_digit(*p) >= 0; p++)
		if (!push(v, 16, (unsigned)hex_digit(*p)))
			return FILE_LONG;
	while (digits-- > 0)
		if (!push(v, 10, 0))
			return FILE_LONG;
	return p > first &&
	    (p == end || file_number_is_blank(*p)) ? FILE_NUMBER : FILE_TEXT;
}

static enum file_says
decimal(const char *p, const char *end, unsigned digits, uint64_t *v)
{
	const char *first = p;
	unsigned left = digits;
	bool up = false;

	for (; p < end && is_digit(*p); p++)
		if (!push(v, 10, (unsigned)(*p - '0')))
			return FILE_LONG;
	if (p == first)
		return FILE_TEXT;
	if (p < end && *p == '.') {
		for (first = ++p; p < end && is_digit(*p); p++) {
			if (left == 0) {
				up = up || (p == first + digits && *p >= '5');
				continue;
			}
			left--;
			if (!push(v, 10, (unsigned)(*p - '0')))
				return FILE_LONG;
		}
		if (p == first)
			return FILE_TEXT;
	}
	while (left-- > 0)
		if (!push(v, 10, 0))
			return FILE_LONG;
	if (p < end && !file_number_is_blank(*p))
		return FILE_TEXT;
	if (up && *v >= UINT64_MAX - 1)
		return FILE_LONG;
	*v += up;
	return FILE_NUMBER;
}

static const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && *p != '\0' && file_number_is_blank(*p))
		p++;
	return p;
}

enum file_says
file_number(const char *text, size_t n, unsigned digits, uint64_t *value)
{
	const char *end = text + n, *p = skip_blanks(text, end);
	enum file_says says;
	bool negative;

	*value = 0;
	if (p == end || *p == '\0')
		return FILE_EMPTY;
	negative = *p == '-';
	p += *p == '-' || *p == '+';
	says = end - p > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') ?
	    hexadecimal(p + 2, end, digits, value) :
	    decimal(p, end, digits, value);
	if (negative && says != FILE_TEXT && (says == FILE_LONG || *value > 0))
		return FILE_NEGATIVE;
	return says;
}

enum file_says
file_bytes(const uint8_t *bytes, size_t n, uint64_t *value)
{
	*value = 0;
	if (n < 8)
		return n == 0 ? FILE_EMPTY : FILE_SHORT;
	for (unsigned i = 8; i-- > 0;)
		*value = *value << 8 | bytes[i];
	return *value == UINT64_MAX ? FILE_LONG : FILE_NUMBER;
}

bool
file_all_ones(uint64_t value, unsigned digits)
{
	while (digits-- > 0 && value % 10 == 0)
		value /= 10;
	return value == UINT32_MAX || value == UINT32_MAX * 1000ull ||
	    value == UINT32_MAX * 1000000ull;
}

bool
file_has_point(const char *text, size_t n)
{
	const char *end = text + n, *p = skip_blanks(text, end);

	while (p < end && is_digit(*p))
		p++;
	return p > text && p + 1 < end && *p == '.' && is_digit(p[1]);
}

const char *
file_says_word(enum file_says says)
{
	static const char *const text[FILE_SAYS] = {
		[FILE_NUMBER] = "a number", [FILE_EMPTY] = "is empty",
		[FILE_TEXT] = "begins with no number",
		[FILE_NEGATIVE] = "is negative: values from 0 on are kept",
		[FILE_LONG] = "has a number of 2^64 - 1 or more",
		[FILE_SHORT] = "has no eight bytes there",
		[FILE_ALL_ONES] = "says 4294967295: the device did not answer",
		[FILE_GONE] = "cannot be read",
	};

	return text[says];
}

/* ---- families ------------------------------------------------------------ */

static const char *const prefix[RAW_NONE] = {
	[RAW_LPROC] = "raw_lproc_", [RAW_PKG] = "raw_pkg_",
	[RAW_PCI] = "raw_pci_", [RAW_MMIO] = "raw_mmio_",
	[RAW_FILE] = "file_",
};

void
raw_family(enum raw_of of, const char *name, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s", prefix[of], name);
}

enum raw_of
raw_family_of(const char *family)
{
	enum raw_of of = RAW_LPROC;

	while (of < RAW_NONE &&
	    strncmp(family, prefix[of], strlen(prefix[of])) != 0)
		of++;
	return of;
}
