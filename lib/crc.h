/*
 * lib/crc.h - CRC-32 (ISO 3309: polynomial 0x04c11db7, reflected), as gzip, PNG, a
 * journal's lines and the pages of Parquet have it.
 */
#ifndef LIB_CRC_H
#define LIB_CRC_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc_of(const void *data, size_t n);

#endif
