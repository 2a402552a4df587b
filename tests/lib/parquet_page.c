/*
 * tests/lib/parquet_page.c - the values of a Parquet page.
 */
#include "tests/lib/parquet_page.h"

#include <stdlib.h>
#include <string.h>

#include "tests/lib/parquet_thrift.h"

uint32_t
page_crc(const uint8_t *data, size_t n)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < n; i++) {
		crc ^= data[i];
		for (unsigned k = 0; k < 8; k++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return crc ^ 0xffffffff;
}

/* Bit by bit, the lowest first. */
static uint64_t
bits_at(const uint8_t *p, size_t bit, unsigned width)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < width; i++)
		v |= (uint64_t)(p[(bit + i) / 8] >> (bit + i) % 8 & 1) << i;
	return v;
}

bool
page_hybrid(uint64_t *value, size_t n, unsigned width, const uint8_t **p,
    const uint8_t *end)
{
	size_t have = 0;

	while (have < n) {
		unsigned bytes = (width + 7) / 8;
		uint64_t head, count, v = 0;

		if (!thrift_varint(p, end, &head) || head >> 1 == 0)
			return false;
		count = head >> 1;
		if (head & 1) {
			if (count > (n + 7) / 8 || count * width >
			    (size_t)(end - *p) || n - have + 7 < count * 8)
				return false;
			for (uint64_t i = 0; i < count * 8 && have < n; i++)
				value[have++] = bits_at(*p, i * width, width);
			*p += count * width;
			continue;
		}
		if (count > n - have || (size_t)(end - *p) < bytes)
			return false;
		for (unsigned i = 0; i < bytes; i++)
			v |= (uint64_t)*(*p)++ << 8 * i;
		while (count-- > 0)
			value[have++] = v;
	}
	return true;
}

static uint64_t
unzigzag(uint64_t v)
{
	return v >> 1 ^ -(v & 1);
}

/* A block's values, of which at most n are wanted; how many those are, or -1. */
static long
delta_block(uint64_t *value, size_t n, const uint64_t shape[2],
    const uint8_t **p, const uint8_t *end)
{
	uint64_t each = shape[0] / shape[1], least;
	const uint8_t *width;
	size_t have = 0;

	if (!thrift_varint(p, end, &least) || (size_t)(end - *p) < shape[1])
		return -1;
	width = *p;
	*p += shape[1];
	for (uint64_t m = 0; m < shape[1] && have < n; m++) {
		if (width[m] > 64 || each * width[m] / 8 > (size_t)(end - *p))
			return -1;
		for (uint64_t i = 0; i < each && have < n; i++, have++)
			value[have] = value[(long)have - 1] + unzigzag(least) +
			    bits_at(*p, i * width[m], width[m]);
		*p += each * width[m] / 8;
	}
	return (long)have;
}

bool
page_delta(uint64_t *value, size_t n, const uint8_t **p, const uint8_t *end)
{
	uint64_t shape[2], total, first;
	size_t have = 1;

	if (!thrift_varint(p, end, &shape[0]) ||
	    !thrift_varint(p, end, &shape[1]) ||
	    !thrift_varint(p, end, &total) || !thrift_varint(p, end, &first) ||
	    shape[0] == 0 || shape[0] % 128 != 0 || shape[1] == 0 ||
	    shape[0] % shape[1] != 0 || shape[0] / shape[1] % 32 != 0 ||
	    total != n || n == 0)
		return false;
	value[0] = unzigzag(first);
	while (have < n) {
		long more = delta_block(value + have, n - have, shape, p, end);

		if (more <= 0)
			return false;
		have += (size_t)more;
	}
	return true;
}

bool
page_plain(struct pq_cell *cell, size_t n, int type, const uint8_t **p,
    const uint8_t *end)
{
	for (size_t i = 0; i < n; i++) {
		size_t width = type == 6 ? 4 : 8;
		uint64_t v = 0;

		if ((size_t)(end - *p) < width)
			return false;
		for (unsigned k = 0; k < width; k++)
			v |= (uint64_t)*(*p)++ << 8 * k;
		cell[i].there = true;
		cell[i].bits = v;
		if (type != 6)
			continue;
		if (v > (size_t)(end - *p) ||
		    (cell[i].text = calloc(1, v + 1)) == NULL)
			return false;
		memcpy(cell[i].text, *p, v);
		cell[i].len = (uint32_t)v;
		*p += v;
	}
	return true;
}
