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

/*
 * The least difference of a block; several minima at a time, as each comparison
 * depends on the one before.
 */
static int64_t
least_of(const uint64_t delta[BLOCK])
{
	int64_t least[4];

	memcpy(least, delta, sizeof(least));
	for (unsigned i = 4; i < BLOCK; i += 4)
		for (unsigned k = 0; k < 4; k++) {
			int64_t d = (int64_t)delta[i + k];

			least[k] = d < least[k] ? d : least[k];
		}
	for (unsigned k = 1; k < 4; k++)
		least[0] = least[k] < least[0] ? least[k] : least[0];
	return least[0];
}

/* Up to a block of differences: the least of them, the widths of miniblocks, and
 * what each is above the least. */
static void
encoding_put_block(struct octets *o, uint64_t delta[BLOCK], unsigned n)
{
	unsigned width[BLOCK / MINIBLOCK];
	int64_t least;

	for (unsigned i = n; i < BLOCK; i++)
		delta[i] = delta[0];
	least = least_of(delta);
	for (unsigned i = n; i < BLOCK; i++)
		delta[i] = (uint64_t)least;
	octets_zigzag(o, least);
	for (unsigned m = 0; m < BLOCK / MINIBLOCK; m++) {
		uint64_t *d = delta + m * MINIBLOCK, all = 0;

		for (unsigned i = 0; i < MINIBLOCK; i++) {
			d[i] -= (uint64_t)least;
			all |= d[i];
		}
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

	octets_varint(o, BLOCK);
	octets_varint(o, BLOCK / MINIBLOCK);
	octets_varint(o, n);
	octets_zigzag(o, n > 0 ? (int64_t)value[0] : 0);
	for (; n > 1 + BLOCK; n -= BLOCK, value += BLOCK) {
		for (unsigned i = 0; i < BLOCK; i++)
			delta[i] = value[i + 1] - value[i];
		encoding_put_block(o, delta, BLOCK);
	}
	for (size_t i = 0; i + 1 < n; i++)
		delta[i] = value[i + 1] - value[i];
	if (n > 1)
		encoding_put_block(o, delta, (unsigned)(n - 1));
}
