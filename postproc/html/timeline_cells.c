/*
 * postproc/html/timeline_cells.c - the memory of lines: their cells, which are joined
 * where the page will have no room for all of them.
 */
#include "postproc/html/timeline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_BYTES 6000000       /* memory that the lines of a scope whose cells may
                                 * become coarser have at first */

/* Writes cells a and b as one cell, *to; the bits of b's buckets go to bit `by` and above. */
static void
timeline_join(struct bucket_value *to, const struct bucket_value *a,
    const struct bucket_value *b, unsigned by)
{
	*to = (struct bucket_value){ a->sum + b->sum, a->weight + b->weight,
	    fminf(a->lo, b->lo), fmaxf(a->hi, b->hi), a->square + b->square,
	    .bits = a->bits | b->bits << by };
}

void
timeline_put(const struct timeline *t, struct line *x, unsigned bucket,
    const struct bucket_value *v)
{
	unsigned coarse = t->cells[x->kept].coarse;
	unsigned bit = bucket & ((1u << coarse) - 1);
	struct bucket_value *to = &x->in[bucket >> coarse];

	if (bit == 0)
		*to = *v;
	else
		timeline_join(to, to, v, bit);
}

/* Gives each line of a kind memory for n cells, more than it had.  0 or -ENOMEM. */
static int
give_cells(struct timeline *t, unsigned kind, unsigned n)
{
	struct cells *c = &t->cells[kind];
	struct bucket_value *at;

	if (c->lines == 0)
		return 0;
	at = reallocarray(c->at, (size_t)c->lines * n, sizeof *at);
	if (at == NULL)
		return -ENOMEM;
	for (size_t i = c->lines; i-- > 0;)
		memmove(at + i * n, at + i * c->n, c->n * sizeof *at);
	c->at = at;
	c->n = n;
	for (unsigned i = 0; i < t->nline; i++)
		if (t->line[i].kept == kind) {
			t->line[i].in = at;
			at += n;
		}
	return 0;
}

int
timeline_cells_begin(struct timeline *t)
{
	int rc = 0;

	for (unsigned i = 0; i < t->nline; i++)
		t->cells[t->line[i].kept].lines++;
	for (unsigned k = 0; rc == 0 && k <= KEPT_ALL; k++) {
		unsigned few = FEW_BYTES / (unsigned)sizeof *t->cells[k].at /
		    (t->cells[k].lines + 1) + 2;

		rc = give_cells(t, k, k == KEPT_ALL || t->likely < few ?
		    t->likely : few);
	}
	return rc;
}

static bool
is_full(const struct timeline *t, const struct cells *c)
{
	return c->lines > 0 && t->n >= c->n << c->coarse;
}

bool
timeline_full(const struct timeline *t)
{
	for (unsigned k = 0; k <= KEPT_ALL; k++)
		if (is_full(t, &t->cells[k]))
			return true;
	return false;
}

/* Joins each two neighbouring cells of the lines of a kind. */
static void
join_cells(struct timeline *t, unsigned kind)
{
	struct cells *c = &t->cells[kind];
	unsigned n = timeline_points(t, c->coarse);

	for (unsigned k = 0; k < t->nline; k++) {
		struct bucket_value *in = t->line[k].in;

		for (unsigned i = 0; t->line[k].kept == kind && i < n; i += 2)
			if (i + 1 < n)
				timeline_join(&in[i / 2], &in[i], &in[i + 1],
				    1u << c->coarse);
			else
				in[i / 2] = in[i];
	}
	c->coarse++;
}

int
timeline_grow(struct timeline *t)
{
	int rc = 0;

	for (unsigned k = 0; rc == 0 && k <= KEPT_ALL; k++) {
		struct cells *c = &t->cells[k];
		unsigned most = t->n < t->likely ? t->likely : t->room;
		unsigned n = k == KEPT_ALL ? most : c->n + c->n / 2 + 1;

		most = (most >> c->coarse) + 1;
		if (!is_full(t, c))
			continue;
		if (k != KEPT_ALL && timeline_too_fine(t, (enum scope)k))
			join_cells(t, k);
		else
			rc = give_cells(t, k, n < most ? n : most);
	}
	return rc;
}

/* Turns the bits of single buckets, in each byte, into bits of pairs of them. */
static uint32_t
of_pairs(uint32_t bits)
{
	uint32_t x = bits | bits >> 1;

	return (x & 0x01010101) | (x >> 1 & 0x02020202) |
	    (x >> 2 & 0x04040404) | (x >> 3 & 0x08080808);
}

void
timeline_halve_cells(struct timeline *t)
{
	for (unsigned k = 0; k < t->nline; k++) {
		struct bucket_value *in = t->line[k].in;
		unsigned coarse = t->cells[t->line[k].kept].coarse;
		unsigned n = timeline_points(t, coarse);

		for (unsigned i = 0; coarse == 0 && i < n / 2; i++)
			timeline_join(&in[i], &in[2 * i], &in[2 * i + 1], 0);
		for (unsigned i = 0; coarse > 0 && i < n; i++)
			in[i].bits = of_pairs(in[i].bits);
	}
	for (unsigned k = 0; k <= KEPT_ALL; k++)
		t->cells[k].coarse -= t->cells[k].coarse > 0;
}
