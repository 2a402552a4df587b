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
