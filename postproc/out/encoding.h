/*
 * postproc/out/encoding.h - the bytes of a page, and how values are encoded in them.
 * Source: apache/parquet-format, Encodings.md.
 */
#ifndef POSTPROC_PARQUET_ENCODING_H
#define POSTPROC_PARQUET_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes that are appended to.  When memory runs out, failed is set and nothing more is
 * appended, so that the owner has to look at it only once, at the end.
 */
struct octets {
	uint8_t *data;
	size_t n, room;
	bool failed;
};

void octets_fini(struct octets *);

/* octets_add - appends n bytes; octets_byte - one.
 * octets_le - the lowest n bytes of a number, the lowest first.
 * octets_varint - a number as ULEB128: 7 bits in each byte.
 * octets_zigzag - the same of a signed number: 2n, or -2n - 1 where n < 0. */
void octets_add(struct octets *, const void *data, size_t n);
void octets_byte(struct octets *, unsigned byte);
void octets_le(struct octets *, uint64_t value, unsigned n);
void octets_varint(struct octets *, uint64_t value);
void octets_zigzag(struct octets *, int64_t value);

/* The numbers that the format gives to its encodings. */
enum page_encoding {
	ENCODING_PLAIN = 0,
	ENCODING_RLE = 3,               /* of definition levels */
	ENCODING_DELTA_BINARY_PACKED = 5,
	ENCODING_RLE_DICTIONARY = 8,
};

/* encode_plain - each value in 64 bits.
 * encode_delta - DELTA_BINARY_PACKED: differences modulo 2^64, in blocks of 128 that
 * have miniblocks of 32. */
void encode_plain(struct octets *, const uint64_t *value, size_t n);
void encode_delta(struct octets *, const uint64_t *value, size_t n);

/*
 * Small numbers of a page, most of which equal the one before.  They are kept as runs
 * and written as what Parquet calls the RLE / bit-packing hybrid.  A zeroed one is empty.
 */
struct hybrid_run {
	uint32_t value, n;
};

struct hybrid {
	struct hybrid_run *run;         /* [nrun] neighbours have different values */
	uint32_t nrun, room;
};

void hybrid_fini(struct hybrid *);

/* hybrid_add - appends a value n times; false: out of memory. */
bool hybrid_add(struct hybrid *, uint32_t value, uint32_t n);

/* hybrid_put - encodes all of them, width (1 to 32) bits each. */
void hybrid_put(const struct hybrid *, struct octets *, unsigned width);

/* bits_of - how many bits a value needs: 0 for 0. */
unsigned bits_of(uint64_t value);

#endif
