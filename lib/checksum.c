/*
 * lib/checksum.c - CRC-32 and SHA-256.
 */
#include "lib/checksum.h"

#include <endian.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- CRC-32 ---------------------------------------------------------------
 * Sixteen bytes at a time, each by a table of its own: the lookups do not wait for
 * one another. */

#define POLYNOMIAL 0xedb88320u  /* 0x04c11db7, the lowest bit first */
#define AT_ONCE 16              /* bytes */

/* part[k][b]: what byte b adds to the CRC if k bytes follow it. */
static uint32_t part[AT_ONCE][256];

static void
crc_fill(void)
{
	for (uint32_t b = 0; b < 256; b++) {
		uint32_t bits = b;

		for (unsigned i = 0; i < 8; i++)
			bits = bits >> 1 ^ (bits & 1 ? POLYNOMIAL : 0);
		part[0][b] = bits;
	}
	for (unsigned k = 1; k < AT_ONCE; k++)
		for (unsigned b = 0; b < 256; b++) {
			uint32_t bits = part[k - 1][b];

			part[k][b] = bits >> 8 ^ part[0][bits & 255];
		}
}

/* What eight bytes add; with[0] is the table of the last one. */
static inline uint32_t
eight(const uint32_t with[8][256], uint64_t bytes)
{
	return with[7][bytes & 255] ^ with[6][bytes >> 8 & 255] ^
	    with[5][bytes >> 16 & 255] ^ with[4][bytes >> 24 & 255] ^
	    with[3][bytes >> 32 & 255] ^ with[2][bytes >> 40 & 255] ^
	    with[1][bytes >> 48 & 255] ^ with[0][bytes >> 56];
}

uint32_t
crc_of(const void *bytes, size_t n)
{
	static pthread_once_t filled = PTHREAD_ONCE_INIT;
	const uint8_t *data = bytes;
	uint32_t crc = ~0u;

	pthread_once(&filled, crc_fill);
	for (; n >= AT_ONCE; n -= AT_ONCE, data += AT_ONCE) {
		uint64_t two[2];

		memcpy(two, data, sizeof(two));
		crc = eight(part + 8, le64toh(two[0]) ^ crc) ^
		    eight(part, le64toh(two[1]));
	}
	for (; n > 0; n--)
		crc = crc >> 8 ^ part[0][(crc ^ *data++) & 255];
	return ~crc;
}

/* ---- SHA-256: FIPS 180-4, sections 4.1.2, 5 and 6.2; names are the standard's - */

#define BLOCK 64                        /* bytes */

/* 4.2.2: the first 32 fractional bits of the cube roots of the first 64 primes.
 * 5.3.3: H likewise, from the square roots of the first eight. */
static const uint32_t K[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint32_t first[8] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
	0x1f83d9ab, 0x5be0cd19,
};

static uint32_t
rotr(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

/* Process one block: 6.2.2, steps 1 to 4. */
static void
take_block(uint32_t H[8], const unsigned char *m)
{
	uint32_t W[64], v[8], t1, t2;

	for (unsigned t = 0; t < 16; t++)
		W[t] = (uint32_t)m[4 * t] << 24 | (uint32_t)m[4 * t + 1] << 16 |
		    (uint32_t)m[4 * t + 2] << 8 | m[4 * t + 3];
	for (unsigned t = 16; t < 64; t++)
		W[t] = (rotr(W[t - 2], 17) ^ rotr(W[t - 2], 19) ^
		    W[t - 2] >> 10) + W[t - 7] + (rotr(W[t - 15], 7) ^
		    rotr(W[t - 15], 18) ^ W[t - 15] >> 3) + W[t - 16];
	memcpy(v, H, sizeof(v));        /* a to h */
	for (unsigned t = 0; t < 64; t++) {
		t1 = v[7] + (rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25)) +
		    ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[t] + W[t];
		t2 = (rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22)) +
		    ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += t1;
		v[0] = t1 + t2;
	}
	for (unsigned i = 0; i < 8; i++)
		H[i] += v[i];
}

void
sha256_text(char text[SHA256_TEXT], const char *data, size_t size)
{
	const unsigned char *m = (const unsigned char *)data;
	unsigned char last[2 * BLOCK] = { 0 };
	size_t whole = size - size % BLOCK, rest = size % BLOCK;
	/* 5.1.1: a bit 1, zeros, and the length in bits */
	size_t end = rest + 9 > BLOCK ? 2 * BLOCK : BLOCK;
	uint64_t bits = (uint64_t)size * 8;
	uint32_t H[8];

	memcpy(H, first, sizeof(H));
	for (size_t i = 0; i < whole; i += BLOCK)
		take_block(H, m + i);
	memcpy(last, m + whole, rest);
	last[rest] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		last[end - 1 - i] = (unsigned char)(bits >> 8 * i);
	for (size_t i = 0; i < end; i += BLOCK)
		take_block(H, last + i);
	for (unsigned i = 0; i < 8; i++)
		snprintf(text + 8 * i, 9, "%08x", H[i]);
}
