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

/* Eight bytes, which `behind` more of the sixteen come behind. */
static inline uint32_t
eight(const struct crc *c, uint64_t bytes, unsigned behind)
{
	uint32_t crc = 0;

	for (unsigned b = 0; b < 8; b++)
		crc ^= c->part[behind + 7 - b][bytes >> 8 * b & 255];
	return crc;
}

uint32_t
crc_of(const struct crc *c, const uint8_t *data, size_t n)
{
	uint32_t crc = ~0u;

	for (; n >= CRC_BYTES; n -= CRC_BYTES, data += CRC_BYTES) {
		uint64_t bytes[2];

		memcpy(bytes, data, sizeof(bytes));
		crc = eight(c, le64toh(bytes[0]) ^ crc, 8) ^
		    eight(c, le64toh(bytes[1]), 0);
	}
	for (; n > 0; n--)
		crc = crc >> 8 ^ c->part[0][(crc ^ *data++) & 255];
	return ~crc;
}
