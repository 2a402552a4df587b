/*
 * postproc/parquet/octets.h - bytes that grow, and how Parquet puts numbers into
 * them.
 *
 * Where memory runs out, `failed` is set, nothing more is added, and the owner
 * looks at that in the end.
 */
#ifndef POSTPROC_PARQUET_OCTETS_H
#define POSTPROC_PARQUET_OCTETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct octets {
	uint8_t *data;
	size_t n, room;
	bool failed;
};

void octets_fini(struct octets *);

/* octets_room - n bytes that the caller fills; NULL: out of memory, or n is 0. */
uint8_t *octets_room(struct octets *, size_t n);

/* octets_add - n bytes; octets_byte - one; octets_le - the lowest n bytes of a
 * number, the lowest first; octets_varint - ULEB128, 7 bits a byte;
 * octets_zigzag - the same of 2n, or -2n - 1 of what is below 0. */
void octets_add(struct octets *, const void *data, size_t n);
void octets_byte(struct octets *, unsigned byte);
void octets_le(struct octets *, uint64_t value, unsigned n);
void octets_varint(struct octets *, uint64_t value);
void octets_zigzag(struct octets *, int64_t value);

#endif
