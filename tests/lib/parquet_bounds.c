/*
 * tests/lib/parquet_bounds.c - what a column chunk says of its values, by these.
 */
#include "tests/lib/parquet_bounds.h"

#include <stdlib.h>
#include <string.h>

static int
compare(const struct pq_column *c, const struct pq_cell *a,
    const struct pq_cell *b)
{
	double x, y;
	int by;

	if (c->type == 6) {
		by = memcmp(a->text, b->text, a->len < b->len ? a->len :
		    b->len);
		return by != 0 ? by : (a->len > b->len) - (a->len < b->len);
	}
	if (c->type == 5) {
		memcpy(&x, &a->bits, 8);
		memcpy(&y, &b->bits, 8);
		return (x > y) - (x < y);
	}
	return c->converted == 14 ?
	    (a->bits > b->bits) - (a->bits < b->bits) :
	    ((int64_t)a->bits > (int64_t)b->bits) -
	    ((int64_t)a->bits < (int64_t)b->bits);
}

static bool
is_bound(const struct pq_column *c, const struct tree *said,
    const struct pq_cell *value)
{
	struct pq_cell bound = { .there = true, .len = (uint32_t)said->len };
	bool same;

	if (c->type == 6) {
		if ((bound.text = calloc(1, said->len + 1)) == NULL)
			abort();
		if (said->len > 0)
			memcpy(bound.text, said->bytes, said->len);
	} else if (said->len == 8) {
		for (unsigned i = 0; i < 8; i++)
			bound.bits |= (uint64_t)said->bytes[i] << 8 * i;
	} else {
		return false;
	}
	same = compare(c, &bound, value) == 0;
	free(bound.text);
	return same;
}

const char *
bounds_wrong(const struct pq_column *c, const struct pq_cell *cell,
    uint64_t rows, const struct tree *said)
{
	const struct pq_cell *least = NULL, *most = NULL;
	uint64_t nulls = 0;
	bool any = thrift_get(said, 5)->field == 5;

	for (uint64_t i = 0; i < rows; i++) {
		nulls += !cell[i].there;
		if (!cell[i].there)
			continue;
		if (least == NULL || compare(c, &cell[i], least) < 0)
			least = &cell[i];
		if (most == NULL || compare(c, &cell[i], most) > 0)
			most = &cell[i];
	}
	if ((uint64_t)thrift_number(said, 3, -1) != nulls)
		return "number of nulls";
	/* long texts have no bounds */
	if (least != NULL && !any && c->type == 6 &&
	    (least->len > 256 || most->len > 256))
		return NULL;
	if (any != (least != NULL) || (any &&
	    (!is_bound(c, thrift_get(said, 5), most) ||
	    !is_bound(c, thrift_get(said, 6), least))))
		return "least or greatest value";
	return NULL;
}
