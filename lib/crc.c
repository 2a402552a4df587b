/*
 * postproc/parquet/crc.c - CRC-32, sixteen bytes at a time: what each of them
 * comes to does not depend on the others, so that they need not wait for them.
 */
#include "postproc/parquet/crc.h"

#include <endian.h>
#include <string.h>

#define POLYNOMIAL 0xedb88320u  /* 0x04c11db7, the lowest bit first */

void
crc_init(struct crc *c)
{
	for (uint32_t b = 0; b < 256; b++) {
		uint32_t bits = b;

		for (unsigned i = 0; i < 8; i++)
			bits = bits >> 1 ^ (bits & 1 ? POLYNOMIAL : 0);
		c->part[0][b] = bits;
	}
	for (unsigned k = 1; k < CRC_BYTES; k++)
		for (unsigned b = 0; b < 256; b++) {
			uint32_t bits = c->part[k - 1][b];

			c->part[k][b] = bits >> 8 ^ c->part[0][bits & 255];
		}
}

/* Eight bytes; part[0]: of the last one. */
static inline uint32_t
eight(const uint32_t part[8][256], uint64_t bytes)
{
	return part[7][bytes & 255] ^ part[6][bytes >> 8 & 255] ^
	    part[5][bytes >> 16 & 255] ^ part[4][bytes >> 24 & 255] ^
	    part[3][bytes >> 32 & 255] ^ part[2][bytes >> 40 & 255] ^
	    part[1][bytes >> 48 & 255] ^ part[0][bytes >> 56];
}

uint32_t
crc_of(const struct crc *c, const uint8_t *data, size_t n)
{
	uint32_t crc = ~0u;

	for (; n >= CRC_BYTES; n -= CRC_BYTES, data += CRC_BYTES) {
		uint64_t bytes[2];

		memcpy(bytes, data, sizeof(bytes));
		crc = eight(c->part + 8, le64toh(bytes[0]) ^ crc) ^
		    eight(c->part, le64toh(bytes[1]));
	}
	for (; n > 0; n--)
		crc = crc >> 8 ^ c->part[0][(crc ^ *data++) & 255];
	return ~crc;
}
