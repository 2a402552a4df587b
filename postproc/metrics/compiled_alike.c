/*
 * postproc/metrics/compiled_alike.c - compiled formulas that are alike, put together.
 */
#include "postproc/metrics/compiled_int.h"

#include <errno.h>
#include <stdlib.h>

#define HASHED 4096

/* Do two do the same, with other sums perhaps? */
static bool
same_shape(const struct compiled *c, const struct program *x,
    const struct program *y)
{
	uint32_t n = x->to - x->from;

	if (y->to - y->from != n)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct expr_op *a = &c->op[x->from + i];
		const struct expr_op *b = &c->op[y->from + i];

		if (a->code != b->code || a->fold != b->fold ||
		    (a->code != EXPR_REF && a->arg != b->arg) ||
		    (a->code == EXPR_NUM && a->num != b->num))
			return false;
	}
	return true;
}

static uint32_t
hash_of(const struct compiled *c, const struct program *p)
{
	uint32_t h = 0;

	for (uint32_t i = p->from; i < p->to; i++) {
		const struct expr_op *op = &c->op[i];

		h = h * 31 + op->code * 8u + op->fold;
	}
	return h;
}

/* Which batch each program is in; *next: as many of them as HASHED. */
static void
find_batches(struct compiled *c, uint32_t *next, uint32_t *bucket)
{
	for (unsigned i = 0; i < c->nprogram; i++) {
		struct program *p = &c->program[i];
		uint32_t h = hash_of(c, p), at = bucket[h % HASHED];

		while (at > 0 && (c->batch[at - 1].hash != h || !same_shape(c, p,
		    &c->program[c->batch[at - 1].first])))
			at = next[at - 1];
		if (at == 0) {
			c->batch[c->nbatch] = (struct alike){ .hash = h,
			    .first = i };
			next[c->nbatch] = bucket[h % HASHED];
			at = bucket[h % HASHED] = ++c->nbatch;
		}
		c->batch[at - 1].n++;
		p->at = at - 1;
	}
}

/* How many values of results it has: whole LANES of them. */
static uint32_t
lanes(const struct alike *x)
{
	return (x->n + LANES - 1) / LANES * LANES;
}

static uint32_t
count_pushes(const struct compiled *c, const struct program *p, unsigned code)
{
	uint32_t n = 0;

	for (uint32_t i = p->from; i < p->to; i++)
		n += c->op[i].code == code;
	return n;
}

/* Where each program's value is, and the sums that it wants. */
static int
place_programs(struct compiled *c, uint32_t *had)
{
	uint32_t nref = 0, nresult = COMPILED_FIRST;

	for (unsigned i = 0; i < c->nbatch; i++) {
		struct alike *x = &c->batch[i];
		const struct program *p = &c->program[x->first];
		uint32_t refs = count_pushes(c, p, EXPR_REF);
		uint32_t depth = refs + count_pushes(c, p, EXPR_NUM) + 1;

		x->refs = nref;
		x->at = nresult;
		nref += refs * lanes(x);
		nresult += lanes(x);
		c->depth = depth > c->depth ? depth : c->depth;
		had[i] = 0;
	}
	c->ref = calloc(nref + 1, sizeof *c->ref);
	c->result = calloc(nresult + 1, sizeof *c->result);
	c->who = calloc(nresult + 1, sizeof *c->who);
	if (c->ref == NULL || c->result == NULL || c->who == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < c->nprogram; i++) {
		struct program *p = &c->program[i];
		const struct alike *x = &c->batch[p->at];
		uint32_t *ref = c->ref + x->refs + had[p->at];

		for (uint32_t k = p->from; k < p->to; k++)
			if (c->op[k].code == EXPR_REF) {
				*ref = c->op[k].arg;
				ref += lanes(x);
			}
		c->who[x->at + had[p->at]] = i;
		p->at = x->at + had[p->at]++;
	}
	return 0;
}

int
compiled_finish(struct compiled *c)
{
	unsigned ncol = c->b->series->columns;
	uint32_t *next = calloc(c->nprogram + 1, sizeof *next);
	uint32_t *bucket = calloc(HASHED, sizeof *bucket);
	int rc = -ENOMEM;

	c->batch = calloc(c->nprogram + 1, sizeof *c->batch);
	c->value = calloc(c->nsum, sizeof *c->value);
	c->rate = calloc(ncol + 1, sizeof *c->rate);
	c->total = calloc(ncol + 1, sizeof *c->total);
	c->nrate = ncol;
	if (next != NULL && bucket != NULL && c->batch != NULL &&
	    c->value != NULL && c->rate != NULL && c->total != NULL) {
		find_batches(c, next, bucket);
		rc = place_programs(c, next);
	}
	free(next);
	free(bucket);
	if (rc == 0 && (c->stack = calloc((size_t)c->depth * LANES,
	    sizeof *c->stack)) == NULL)
		rc = -ENOMEM;
	return rc;
}
