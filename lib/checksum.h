/*
 * lib/checksum.h - CRC-32 and SHA-256.
 */
#ifndef LIB_CHECKSUM_H
#define LIB_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* crc_of - the CRC-32 (ISO 3309: polynomial 0x04c11db7, reflected) of gzip, PNG, the
 * lines of our journal and the pages of Parquet. */
uint32_t crc_of(const void *data, size_t n);

/* sha256_text - the SHA-256 of data in lower-case hex, as sha256sum(1) prints it. */
#define SHA256_TEXT 65          /* 64 hex digits and a NUL */
void sha256_text(char text[SHA256_TEXT], const char *data, size_t size);

#endif
