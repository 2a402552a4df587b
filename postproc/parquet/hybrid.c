/*
 * postproc/parquet/hybrid.c - runs of small numbers.
 */
#include "postproc/parquet/hybrid.h"

#include <stdlib.h>

#include "postproc/parquet/encoding.h"

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

/* n values: groups of eight, of which the last is filled up. */
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
