/*
 * config/sha256.h - the digest that sha256sum(1) prints.
 */
#ifndef CONFIG_SHA256_H
#define CONFIG_SHA256_H

#include <stddef.h>

#define SHA256_TEXT 65                  /* 64 hex digits and a NUL */

/* sha256_text - the SHA-256 of data in lower-case hex. */
void sha256_text(char text[SHA256_TEXT], const char *data, size_t size);

#endif
