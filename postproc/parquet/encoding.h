/*
 * postproc/parquet/encoding.h - values as the pages of a Parquet file have them.
 * Source: apache/parquet-format, Encodings.md.
 */
#ifndef POSTPROC_PARQUET_ENCODING_H
#define POSTPROC_PARQUET_ENCODING_H

#include "postproc/parquet/octets.h"

/* As the format numbers them. */
enum page_encoding {
	ENCODING_PLAIN = 0,
	ENCODING_RLE = 3,               /* levels */
	ENCODING_DELTA_BINARY_PACKED = 5,
	ENCODING_RLE_DICTIONARY = 8,
};

/* encode_plain - 64 bits each.  encode_delta - DELTA_BINARY_PACKED of the same,
 * blocks of 128 in miniblocks of 32; differences are modulo 2^64. */
void encode_plain(struct octets *, const uint64_t *value, size_t n);
void encode_delta(struct octets *, const uint64_t *value, size_t n);

/* encode_packed - n values of some bits each, which are whole bytes in all. */
void encode_packed(struct octets *, const uint64_t *value, size_t n,
    unsigned width);

/* bits_of - how many bits a value has: 0 of 0. */
unsigned bits_of(uint64_t value);

#endif
