/*
 * lib/crc.c - CRC-32, sixteen bytes at a time: what each of them
 * comes to does not depend on the others, so that they need not wait for them.
 */
#include "lib/crc.h"

#include <endian.h>
#include <pthread.h>
#include <string.h>

#define POLYNOMIAL 0xedb88320u  /* 0x04c11db7, the lowest bit first */
#define AT_ONCE 16              /* bytes */

/* What a byte comes to with k bytes behind it. */
static uint32_t part[AT_ONCE][256];

static void
crc_fill(void)
{
	for (uint32_t b = 0; b < 256; b++) {
		uint32_t bits = b;

		for (unsigned i = 0; i < 8; i++)
			bits = bits >> 1 ^ (bits & 1 ? POLYNOMIAL : 0);
		part[0][b] = bits;
	}
	for (unsigned k = 1; k < AT_ONCE; k++)
		for (unsigned b = 0; b < 256; b++) {
			uint32_t bits = part[k - 1][b];

			part[k][b] = bits >> 8 ^ part[0][bits & 255];
		}
}

/* Eight bytes; part[0]: of the last one. */
static inline uint32_t
eight(const uint32_t with[8][256], uint64_t bytes)
{
	return with[7][bytes & 255] ^ with[6][bytes >> 8 & 255] ^
	    with[5][bytes >> 16 & 255] ^ with[4][bytes >> 24 & 255] ^
	    with[3][bytes >> 32 & 255] ^ with[2][bytes >> 40 & 255] ^
	    with[1][bytes >> 48 & 255] ^ with[0][bytes >> 56];
}

uint32_t
crc_of(const void *bytes, size_t n)
{
	static pthread_once_t filled = PTHREAD_ONCE_INIT;
	const uint8_t *data = bytes;
	uint32_t crc = ~0u;

	pthread_once(&filled, crc_fill);
	for (; n >= AT_ONCE; n -= AT_ONCE, data += AT_ONCE) {
		uint64_t two[2];

		memcpy(two, data, sizeof(two));
		crc = eight(part + 8, le64toh(two[0]) ^ crc) ^
		    eight(part, le64toh(two[1]));
	}
	for (; n > 0; n--)
		crc = crc >> 8 ^ part[0][(crc ^ *data++) & 255];
	return ~crc;
}
