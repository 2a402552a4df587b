/*
 * postproc/parquet/crc.h - CRC-32 (polynomial 0x04c11db7, reflected), as gzip and
 * the pages of Parquet have it.
 */
#ifndef POSTPROC_PARQUET_CRC_H
#define POSTPROC_PARQUET_CRC_H

#include <stddef.h>
#include <stdint.h>

#define CRC_BYTES 16            /* that are taken at once */

/* What a byte comes to with k bytes behind it. */
struct crc {
	uint32_t part[CRC_BYTES][256];
};

void crc_init(struct crc *);
uint32_t crc_of(const struct crc *, const uint8_t *data, size_t n);

#endif
