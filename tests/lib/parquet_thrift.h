/*
 * tests/lib/parquet_thrift.h - any structure of Thrift's compact protocol, as a tree.
 */
#ifndef TESTS_PARQUET_THRIFT_H
#define TESTS_PARQUET_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tree {
	int field, type;        /* 1, 2: true, false; 3-6: whole numbers; 8: bytes;
				 * 9: list; 12: structure */
	int64_t number;
	const uint8_t *bytes;
	size_t len;
	size_t size;            /* in the file, without a field's head */
	struct tree *child;     /* [n] fields or elements */
	unsigned n;
};

/* thrift_tree - a structure at *p, before end, which *p is moved past; false: it
 * is none.  thrift_drop either way. */
bool thrift_tree(struct tree *, const uint8_t **p, const uint8_t *end);
void thrift_drop(struct tree *);

/* thrift_get - a field of a structure; one without children where it has none.
 * thrift_number - its number, or otherwise. */
const struct tree *thrift_get(const struct tree *, int field);
int64_t thrift_number(const struct tree *, int field, int64_t otherwise);

/* thrift_varint - ULEB128 at *p; false: it does not end. */
bool thrift_varint(const uint8_t **p, const uint8_t *end, uint64_t *value);

#endif
