/*
 * postproc/out/thrift.h - structures in Thrift's compact protocol, as Parquet's
 * page headers and footer are.
 * Source: apache/thrift, doc/specs/thrift-compact-protocol.md.
 */
#ifndef POSTPROC_PARQUET_THRIFT_H
#define POSTPROC_PARQUET_THRIFT_H

#include "postproc/out/encoding.h"

/* The types of fields and of list elements. */
enum thrift_type { THRIFT_BYTE = 3, THRIFT_INT = 5, THRIFT_LONG = 6,
	THRIFT_BINARY = 8, THRIFT_LIST = 9, THRIFT_STRUCT = 12 };

/* A structure is written field by field, in ascending order, then ended:
 *
 *	struct thrift s = { .to = octets };
 *
 *	thrift_int(&s, 1, num_values);
 *	thrift_end(&s);
 */
struct thrift {
	struct octets *to;
	unsigned last;          /* number of the field written last */
};

void thrift_end(struct thrift *);

void thrift_bool(struct thrift *, unsigned field, bool);
void thrift_i8(struct thrift *, unsigned field, int8_t);
void thrift_int(struct thrift *, unsigned field, int32_t);
void thrift_long(struct thrift *, unsigned field, int64_t);
void thrift_binary(struct thrift *, unsigned field, const void *, size_t n);
void thrift_text(struct thrift *, unsigned field, const char *);
/* thrift_inner - begins a structure that is the value of a field; it has to be ended
 * before the outer one goes on.
 * thrift_list - begins a list; its n elements follow: structures from thrift_element, or
 * numbers written by octets_zigzag. */
struct thrift thrift_inner(struct thrift *, unsigned field);
void thrift_list(struct thrift *, unsigned field, enum thrift_type, size_t n);
struct thrift thrift_element(struct thrift *);

/* thrift_nothing - writes a field whose value is a structure without fields. */
void thrift_nothing(struct thrift *, unsigned field);

#endif
