/*
 * postproc/many/sketch.c - the quantiles of many values, in little memory.
 */
#include "postproc/many/sketch.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

/* A bucket's number is made of the upper bits of a double: the exponent and the first six
 * bits of the mantissa. */
#define SHIFT 46
#define LAST ((int32_t)(UINT64_C(0x7ff0000000000000) >> SHIFT))

static int32_t
bucket_of(double v)
{
	double size = fabs(v);
	uint64_t bits;
	int32_t at;

	if (v == 0)
		return 0;
	memcpy(&bits, &size, sizeof bits);
	at = (int32_t)(bits >> SHIFT) + 1;
	return v < 0 ? -at : at;
}

static double
edge(int32_t at)
{
	uint64_t bits = (uint64_t)at << SHIFT;
	double v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

static double
sketch_middle(int32_t at)
{
	int32_t size = abs(at);
	double v;

	if (at == 0)
		return 0;
	/* the last bucket has no upper edge that is a double */
	v = edge(size - 1) + (size == LAST ? 0 :
	    (edge(size) - edge(size - 1)) / 2);
	return at < 0 ? -v : v;
}

int
sketch_count(struct sketch *s, int32_t at, uint64_t n)
{
	struct sketch_bucket *b;
	unsigned lo = 0, hi = s->n;

	if (at < -LAST || at > LAST || s->count + n < n)
		return -ERANGE;
	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;

		if (s->bucket[mid].at < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == s->n || s->bucket[lo].at != at) {
		b = array_grow(s->bucket, s->n, &s->room, sizeof *b);
		if (b == NULL)
			return -ENOMEM;
		s->bucket = b;
		memmove(b + lo + 1, b + lo, (s->n - lo) * sizeof *b);
		b[lo] = (struct sketch_bucket){ at, 0 };
		s->n++;
	}
	s->bucket[lo].n += n;
	s->count += n;
	return 0;
}

static void
extend(struct sketch *s, bool first, double least, double most)
{
	s->least = first || least < s->least ? least : s->least;
	s->most = first || most > s->most ? most : s->most;
}

int
sketch_add(struct sketch *s, double v)
{
	int rc = sketch_count(s, bucket_of(v), 1);

	if (rc == 0)
		extend(s, s->count == 1, v, v);
	return rc;
}

int
sketch_merge(struct sketch *s, const struct sketch *more)
{
	bool first = s->count == 0;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < more->n; i++)
		rc = sketch_count(s, more->bucket[i].at, more->bucket[i].n);
	if (rc == 0 && more->count > 0)
		extend(s, first, more->least, more->most);
	return rc;
}

double
sketch_quantile(const struct sketch *s, double q)
{
	double rank = ceil(q * (double)s->count), v;
	uint64_t before = 0;

	for (unsigned i = 0; i < s->n; i++) {
		before += s->bucket[i].n;
		if ((double)before < rank && i + 1 < s->n)
			continue;
		v = sketch_middle(s->bucket[i].at);
		return v < s->least ? s->least : v > s->most ? s->most : v;
	}
	return (double)NAN;
}

void
sketch_clear(struct sketch *s)
{
	s->n = 0;
	s->count = 0;
}

void
sketch_fini(struct sketch *s)
{
	free(s->bucket);
	*s = (struct sketch){ .n = 0 };
}
