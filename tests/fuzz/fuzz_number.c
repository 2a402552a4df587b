/*
 * tests/fuzz/fuzz_number.c - any bytes as a file that should hold a number: a number
 * or what is wrong, the same whatever follows a blank, and that of strtoull where
 * it is one.  With libFuzzer; seeds in seeds/number.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/file_number.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
compare(const char *text, size_t n, uint64_t value)
{
	char copy[80], *end;

	memcpy(copy, text, n);
	copy[n] = '\0';
	errno = 0;
	if (copy[strspn(copy, "0123456789")] != '\0')
		return;
	if (strtoull(copy, &end, 10) != value || errno != 0 || *end != '\0')
		__builtin_trap();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[80];
	uint64_t value, again;
	enum file_says says;
	unsigned digits;
	size_t n;

	if (size < 1)
		return 0;
	digits = data[0] % (FILE_DIGITS + 1);
	n = size - 1 < 64 ? size - 1 : 64;
	memcpy(text, data + 1, n);
	says = file_number(text, n, digits, &value);
	if (says >= FILE_SAYS || file_says_word(says) == NULL ||
	    (says == FILE_NUMBER && value == UINT64_MAX))
		__builtin_trap();
	if (says == FILE_NUMBER && digits == 0)
		compare(text, n, value);
	memcpy(text + n, " 7 W\n", 5);
	if (says == FILE_NUMBER && (file_number(text, n + 5, digits,
	    &again) != FILE_NUMBER || again != value))
		__builtin_trap();
	file_has_point(text, n);
	file_all_ones(value, digits);
	if ((says = file_bytes((const uint8_t *)text, n, &value)) !=
	    FILE_NUMBER && n >= 8 && says != FILE_LONG)
		__builtin_trap();
	return 0;
}
