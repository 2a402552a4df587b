/*
 * postproc/parquet/encoding.c - values as the pages of a Parquet file have them.
 */
#include "postproc/parquet/encoding.h"

#include <endian.h>
#include <string.h>

#define BLOCK 128
#define MINIBLOCK 32

unsigned
bits_of(uint64_t value)
{
	return value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
}

void
encode_plain(struct octets *o, const uint64_t *value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		octets_le(o, value[i], 8);
}

void
encode_packed(struct octets *o, const uint64_t *value, size_t n, unsigned width)
{
	uint8_t *to = octets_room(o, n * width / 8);
	uint64_t bits = 0;
	unsigned have = 0;              /* of these; below 64 */

	if (to == NULL)
		return;
	for (size_t i = 0; i < n; i++) {
		unsigned room = 64 - have;
		uint64_t le;

		bits |= value[i] << have;
		have += width;
		if (width < room)
			continue;
		le = htole64(bits);
		memcpy(to, &le, 8);
		to += 8;
		bits = room < 64 ? value[i] >> room : 0;
		have -= 64;
	}
	for (; have > 0; have -= 8, bits >>= 8)
		*to++ = (uint8_t)bits;
}

/* Up to a block of differences: the least of them, the widths of miniblocks, and
 * what each is above the least. */
static void
put_block(struct octets *o, uint64_t delta[BLOCK], unsigned n)
{
	unsigned width[BLOCK / MINIBLOCK];
	int64_t least = (int64_t)delta[0];

	for (unsigned i = 1; i < n; i++)
		if ((int64_t)delta[i] < least)
			least = (int64_t)delta[i];
	octets_zigzag(o, least);
	for (unsigned i = 0; i < BLOCK; i++)
		delta[i] = i < n ? delta[i] - (uint64_t)least : 0;
	for (unsigned m = 0; m < BLOCK / MINIBLOCK; m++) {
		uint64_t all = 0;

		for (unsigned i = 0; i < MINIBLOCK; i++)
			all |= delta[m * MINIBLOCK + i];
		width[m] = bits_of(all);
		octets_byte(o, width[m]);
	}
	for (unsigned m = 0; m * MINIBLOCK < n; m++)
		encode_packed(o, delta + m * MINIBLOCK, MINIBLOCK, width[m]);
}

void
encode_delta(struct octets *o, const uint64_t *value, size_t n)
{
	uint64_t delta[BLOCK];
	unsigned k = 0;

	octets_varint(o, BLOCK);
	octets_varint(o, BLOCK / MINIBLOCK);
	octets_varint(o, n);
	octets_zigzag(o, n > 0 ? (int64_t)value[0] : 0);
	for (size_t i = 1; i < n; i++) {
		delta[k++] = value[i] - value[i - 1];
		if (k == BLOCK || i == n - 1) {
			put_block(o, delta, k);
			k = 0;
		}
	}
}
