/*
 * postproc/parquet/octets.c - bytes that grow.
 */
#include "postproc/parquet/octets.h"

#include <stdlib.h>
#include <string.h>

void
octets_fini(struct octets *o)
{
	free(o->data);
	*o = (struct octets){ .data = NULL };
}

uint8_t *
octets_room(struct octets *o, size_t n)
{
	size_t room = o->room > 0 ? o->room : 64;
	uint8_t *p;

	if (o->failed || n == 0)
		return NULL;
	if (n > o->room - o->n) {
		while (room - o->n < n)
			room *= 2;
		if ((p = realloc(o->data, room)) == NULL) {
			o->failed = true;
			return NULL;
		}
		o->data = p;
		o->room = room;
	}
	p = o->data + o->n;
	o->n += n;
	return p;
}

void
octets_add(struct octets *o, const void *data, size_t n)
{
	uint8_t *to = octets_room(o, n);

	if (to != NULL)
		memcpy(to, data, n);
}

void
octets_byte(struct octets *o, unsigned byte)
{
	uint8_t *to = octets_room(o, 1);

	if (to != NULL)
		*to = (uint8_t)byte;
}

void
octets_le(struct octets *o, uint64_t value, unsigned n)
{
	uint8_t *to = octets_room(o, n);

	for (unsigned i = 0; to != NULL && i < n; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

void
octets_varint(struct octets *o, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		octets_byte(o, (value & 0x7f) | 0x80);
	octets_byte(o, (unsigned)value);
}

void
octets_zigzag(struct octets *o, int64_t value)
{
	octets_varint(o, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

/* Four bits at a time; where there are eight bytes, all of those at once: part[k]
 * is what four bits come to with 4k bits behind them. */
uint32_t
octets_crc(const uint8_t *data, size_t n)
{
	static const uint32_t last[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190,
		0x6b6b51f4, 0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344,
		0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278,
		0xbdbdf21c,
	};
	uint32_t part[16][16], crc = ~0u;
	size_t i = 0;

	memcpy(part[0], last, sizeof(last));
	for (unsigned k = 1; k < 16; k++)
		for (unsigned b = 0; b < 16; b++)
			part[k][b] = part[k - 1][b] >> 4 ^
			    last[part[k - 1][b] & 15];
	for (; n - i >= 8; i += 8) {
		uint64_t bits = crc;

		for (unsigned b = 0; b < 8; b++)
			bits ^= (uint64_t)data[i + b] << 8 * b;
		crc = 0;
		for (unsigned k = 0; k < 16; k++)
			crc ^= part[15 - k][bits >> 4 * k & 15];
	}
	for (; i < n; i++) {
		crc ^= data[i];
		crc = crc >> 4 ^ last[crc & 15];
		crc = crc >> 4 ^ last[crc & 15];
	}
	return ~crc;
}
