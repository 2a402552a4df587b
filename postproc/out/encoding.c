/*
 * postproc/out/encoding.c - bytes that grow, values as the pages of a Parquet file have
 * them, and Thrift's structures.
 */
#include "postproc/out/parquet_int.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes ----------------------------------------------------------------- */

void
octets_fini(struct octets *o)
{
	free(o->data);
	*o = (struct octets){ .data = NULL };
}

/* Appends n bytes for the caller to fill in; NULL: out of memory, or n is 0. */
static uint8_t *
octets_room(struct octets *o, size_t n)
{
	size_t room = o->room > 0 ? o->room : 64;
	uint8_t *p;

	if (o->failed || n == 0)
		return NULL;
	if (n > o->room - o->n) {
		while (room - o->n < n)
			room *= 2;
		if ((p = realloc(o->data, room)) == NULL) {
			o->failed = true;
			return NULL;
		}
		o->data = p;
		o->room = room;
	}
	p = o->data + o->n;
	o->n += n;
	return p;
}

void
octets_add(struct octets *o, const void *data, size_t n)
{
	uint8_t *to = octets_room(o, n);

	if (to != NULL)
		memcpy(to, data, n);
}

void
octets_byte(struct octets *o, unsigned byte)
{
	uint8_t *to = octets_room(o, 1);

	if (to != NULL)
		*to = (uint8_t)byte;
}

void
octets_le(struct octets *o, uint64_t value, unsigned n)
{
	uint8_t *to = octets_room(o, n);

	for (unsigned i = 0; to != NULL && i < n; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

void
octets_varint(struct octets *o, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		octets_byte(o, (value & 0x7f) | 0x80);
	octets_byte(o, (unsigned)value);
}

void
octets_zigzag(struct octets *o, int64_t value)
{
	octets_varint(o, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

/* ---- values of a page ------------------------------------------------------ */

#define BLOCK 128
#define MINIBLOCK 32

unsigned
bits_of(uint64_t value)
{
	return value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
}

void
encode_plain(struct octets *o, const uint64_t *value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		octets_le(o, value[i], 8);
}

/*
 * Packs n values of width bits each; all bits together are whole bytes.
 */
static void
encode_packed(struct octets *o, const uint64_t *value, size_t n, unsigned width)
{
	uint8_t *to = octets_room(o, n * width / 8);
	uint64_t bits = 0;
	unsigned have = 0;              /* how many bits these are, below 64 */

	if (to == NULL)
		return;
	for (size_t i = 0; i < n; i++) {
		unsigned room = 64 - have;
		uint64_t le;

		bits |= value[i] << have;
		have += width;
		if (width < room)
			continue;
		le = htole64(bits);
		memcpy(to, &le, 8);
		to += 8;
		bits = room < 64 ? value[i] >> room : 0;
		have -= 64;
	}
	for (; have > 0; have -= 8, bits >>= 8)
		*to++ = (uint8_t)bits;
}

/*
 * The least difference of a block.  Keeps four minima, so that the CPU need not wait for
 * one comparison to begin the next.
 */
static int64_t
least_of(const uint64_t delta[BLOCK])
{
	int64_t least[4];

	memcpy(least, delta, sizeof(least));
	for (unsigned i = 4; i < BLOCK; i += 4)
		for (unsigned k = 0; k < 4; k++) {
			int64_t d = (int64_t)delta[i + k];

			least[k] = d < least[k] ? d : least[k];
		}
	for (unsigned k = 1; k < 4; k++)
		least[0] = least[k] < least[0] ? least[k] : least[0];
	return least[0];
}

/* Encodes a block of n differences: the least of them, the widths of its miniblocks, and
 * by how much each difference exceeds the least. */
static void
encoding_put_block(struct octets *o, uint64_t delta[BLOCK], unsigned n)
{
	unsigned width[BLOCK / MINIBLOCK];
	int64_t least;

	for (unsigned i = n; i < BLOCK; i++)
		delta[i] = delta[0];
	least = least_of(delta);
	for (unsigned i = n; i < BLOCK; i++)
		delta[i] = (uint64_t)least;
	octets_zigzag(o, least);
	for (unsigned m = 0; m < BLOCK / MINIBLOCK; m++) {
		uint64_t *d = delta + m * MINIBLOCK, all = 0;

		for (unsigned i = 0; i < MINIBLOCK; i++) {
			d[i] -= (uint64_t)least;
			all |= d[i];
		}
		width[m] = bits_of(all);
		octets_byte(o, width[m]);
	}
	for (unsigned m = 0; m * MINIBLOCK < n; m++)
		encode_packed(o, delta + m * MINIBLOCK, MINIBLOCK, width[m]);
}

void
encode_delta(struct octets *o, const uint64_t *value, size_t n)
{
	uint64_t delta[BLOCK];

	octets_varint(o, BLOCK);
	octets_varint(o, BLOCK / MINIBLOCK);
	octets_varint(o, n);
	octets_zigzag(o, n > 0 ? (int64_t)value[0] : 0);
	for (; n > 1 + BLOCK; n -= BLOCK, value += BLOCK) {
		for (unsigned i = 0; i < BLOCK; i++)
			delta[i] = value[i + 1] - value[i];
		encoding_put_block(o, delta, BLOCK);
	}
	for (size_t i = 0; i + 1 < n; i++)
		delta[i] = value[i + 1] - value[i];
	if (n > 1)
		encoding_put_block(o, delta, (unsigned)(n - 1));
}

/* ---- runs of small numbers ------------------------------------------------- */

#define SHORTEST_RUN 8          /* shorter runs are bit-packed */
#define PACKED 64               /* values that are packed in one go */

void
hybrid_fini(struct hybrid *h)
{
	free(h->run);
	*h = (struct hybrid){ .run = NULL };
}

bool
hybrid_add(struct hybrid *h, uint32_t value, uint32_t n)
{
	struct hybrid_run *p;
	uint32_t room;

	if (h->nrun > 0 && h->run[h->nrun - 1].value == value) {
		h->run[h->nrun - 1].n += n;
		return true;
	}
	if (h->nrun == h->room) {
		room = h->room > 0 ? 2 * h->room : 8;
		if ((p = reallocarray(h->run, room, sizeof(*p))) == NULL)
			return false;
		h->run = p;
		h->room = room;
	}
	h->run[h->nrun++] = (struct hybrid_run){ value, n };
	return true;
}

static void
hybrid_put_run(struct octets *o, uint32_t value, uint32_t n, unsigned width)
{
	octets_varint(o, (uint64_t)n << 1);
	octets_le(o, value, (width + 7) / 8);
}

/* Writes n values of runs bit-packed, in groups of eight; the last one is filled up. */
static void
put_packed(const struct hybrid_run *run, uint32_t n, struct octets *o,
    unsigned width)
{
	uint64_t value[PACKED];
	unsigned k = 0;

	if (n == 0)
		return;
	octets_varint(o, (uint64_t)((n + 7) / 8) << 1 | 1);
	for (; n > 0; run++)
		for (uint32_t i = 0; i < run->n && n > 0; i++, n--) {
			value[k++] = run->value;
			if (k == PACKED) {
				encode_packed(o, value, k, width);
				k = 0;
			}
		}
	while (k % 8 != 0)
		value[k++] = 0;
	encode_packed(o, value, k, width);
}

void
hybrid_put(const struct hybrid *h, struct octets *o, unsigned width)
{
	uint32_t from = 0, n = 0;       /* runs and values to be packed */

	for (uint32_t i = 0; i < h->nrun; i++) {
		const struct hybrid_run *r = &h->run[i];
		/* packed values before a run have to be whole groups of 8 */
		uint32_t fill = (8 - n % 8) % 8;

		if (r->n < SHORTEST_RUN + fill && h->nrun > 1) {
			n += r->n;
			continue;
		}
		put_packed(h->run + from, n + fill, o, width);
		hybrid_put_run(o, r->value, r->n - fill, width);
		from = i + 1;
		n = 0;
	}
	put_packed(h->run + from, n, o, width);
}

/* ---- structures in Thrift's compact protocol --------------------------- */

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
