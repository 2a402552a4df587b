/*
 * postproc/out/thrift.c - structures in Thrift's compact protocol.
 */
#include "postproc/out/thrift.h"

#include <string.h>

enum { TRUE_FIELD = 1, FALSE_FIELD = 2 };

static void
header(struct thrift *s, unsigned field, unsigned type)
{
	unsigned step = field - s->last;

	if (step >= 1 && step <= 15) {
		octets_byte(s->to, step << 4 | type);
	} else {
		octets_byte(s->to, type);
		octets_zigzag(s->to, (int64_t)field);
	}
	s->last = field;
}

void
thrift_end(struct thrift *s)
{
	octets_byte(s->to, 0);
}

void
thrift_bool(struct thrift *s, unsigned field, bool value)
{
	header(s, field, value ? TRUE_FIELD : FALSE_FIELD);
}

void
thrift_i8(struct thrift *s, unsigned field, int8_t value)
{
	header(s, field, THRIFT_BYTE);
	octets_byte(s->to, (uint8_t)value);
}

void
thrift_int(struct thrift *s, unsigned field, int32_t value)
{
	header(s, field, THRIFT_INT);
	octets_zigzag(s->to, value);
}

void
thrift_long(struct thrift *s, unsigned field, int64_t value)
{
	header(s, field, THRIFT_LONG);
	octets_zigzag(s->to, value);
}

void
thrift_binary(struct thrift *s, unsigned field, const void *data, size_t n)
{
	header(s, field, THRIFT_BINARY);
	octets_varint(s->to, n);
	octets_add(s->to, data, n);
}

void
thrift_text(struct thrift *s, unsigned field, const char *text)
{
	thrift_binary(s, field, text, strlen(text));
}

struct thrift
thrift_inner(struct thrift *s, unsigned field)
{
	header(s, field, THRIFT_STRUCT);
	return (struct thrift){ .to = s->to };
}

void
thrift_list(struct thrift *s, unsigned field, enum thrift_type type, size_t n)
{
	header(s, field, THRIFT_LIST);
	if (n < 15) {
		octets_byte(s->to, (unsigned)n << 4 | type);
	} else {
		octets_byte(s->to, 0xf0 | type);
		octets_varint(s->to, n);
	}
}

struct thrift
thrift_element(struct thrift *s)
{
	return (struct thrift){ .to = s->to };
}

void
thrift_nothing(struct thrift *s, unsigned field)
{
	struct thrift inner = thrift_inner(s, field);

	thrift_end(&inner);
}
