/*
 * tests/lib/parquet_page.h - the values of a Parquet page, by Encodings.md.
 */
#ifndef TESTS_PARQUET_PAGE_H
#define TESTS_PARQUET_PAGE_H

#include "tests/lib/parquet_file.h"

/* Each takes exactly n values of what is at *p, before end, and moves *p past
 * them; false: it is no such page. */
bool page_hybrid(uint64_t *value, size_t n, unsigned width, const uint8_t **p,
    const uint8_t *end);
bool page_delta(uint64_t *value, size_t n, const uint8_t **p,
    const uint8_t *end);
/* page_plain - of a type; texts are copies. */
bool page_plain(struct pq_cell *, size_t n, int type, const uint8_t **p,
    const uint8_t *end);

/* page_crc - CRC-32 as RFC 1952 has it. */
uint32_t page_crc(const uint8_t *data, size_t n);

#endif
