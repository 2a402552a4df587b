/*
 * postproc/metrics/recent.c - what a gather has added up in its latest intervals.
 */
#include "postproc/metrics/recent.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/metrics/gather_int.h"

#define PER_SPAN 60
#define KEPT (PER_SPAN + 2)

/*
 * All that a struct gather_private p adds up, interval by interval: the type of its
 * elements, its name in struct added, the array in p, and how many elements it has.
 */
#define ADDED(row) \
	row(uint64_t, total, p->total, a->ncol) \
	row(double, unknown_s, p->unknown_s, a->ncol) \
	row(uint32_t, left_out, p->left_out, a->ncol) \
	row(double, reading, p->reading, a->ncol) \
	row(uint32_t, nreading, p->nreading, a->ncol) \
	row(uint64_t, lost, p->turns.lost, a->nturn) \
	row(double, lost_own, p->own.lost_own, a->nown) \
	row(double, lost_span, p->own.lost_span, a->nown) \
	row(double, own, p->own.own, a->nstamp) \
	row(double, span, p->own.span, a->nset) \
	row(double, beside, p->together.sum, a->nbeside) \
	row(double, beside_lost, p->together.lost, a->nbeside) \
	row(uint32_t, beside_left_out, p->together.left_out, a->nbeside) \
	row(uint64_t, set, p->set, a->nwatch) \
	row(uint64_t, seen, p->seen, a->nwatch)

struct added {
	unsigned ncol, nturn, nown, nstamp, nset, nbeside, nwatch;
	double seconds;
	uint64_t intervals;
#define MEMBER(type, name, at, n) type *name;
	ADDED(MEMBER)
#undef MEMBER
	uint8_t *doubt;
};

static void
added_fini(struct added *a)
{
#define FREE(type, name, at, n) free(a->name);
	ADDED(FREE)
#undef FREE
	free(a->doubt);
	*a = (struct added){ .ncol = 0 };
}

static bool
same_shape(const struct added *a, const struct added *b)
{
	return a->ncol == b->ncol && a->nturn == b->nturn &&
	    a->nown == b->nown && a->nstamp == b->nstamp &&
	    a->nset == b->nset && a->nbeside == b->nbeside &&
	    a->nwatch == b->nwatch;
}

static struct added
shape_of(const struct gather *g)
{
	const struct gather_private *p = g->p;

	return (struct added){ .ncol = g->ncol, .nturn = p->turns.ncol,
	    .nown = p->own.ncol, .nstamp = p->own.nstamp * p->own.nset,
	    .nset = p->own.nset, .nbeside = p->together.n * p->together.nset,
	    .nwatch = p->nwatch };
}

static int
added_init(struct added *a, const struct added *shape)
{
	*a = *shape;
#define MAKE(type, name, at, n) a->name = calloc((n) + 1, sizeof(type));
	ADDED(MAKE)
#undef MAKE
	a->doubt = calloc(a->ncol + 1, 1);
#define NONE(type, name, at, n) || a->name == NULL
	if (a->doubt == NULL ADDED(NONE)) {
#undef NONE
		added_fini(a);
		return -ENOMEM;
	}
	return 0;
}

int
recent_init(struct recent *r, double span)
{
	*r = (struct recent){ .span = span,
	    .kept = calloc(KEPT, sizeof(struct added)),
	    .since = calloc(1, sizeof(struct added)) };
	return r->kept == NULL || r->since == NULL ? -ENOMEM : 0;
}

static void
recent_forget(struct recent *r, unsigned n)
{
	struct added oldest;

	for (; n > 0; n--, r->n--) {
		oldest = r->kept[0];
		memmove(r->kept, r->kept + 1, (r->n - 1) * sizeof(oldest));
		added_fini(&oldest);
	}
}

void
recent_fini(struct recent *r)
{
	if (r->kept != NULL)
		recent_forget(r, r->n);
	if (r->since != NULL)
		added_fini(r->since);
	free(r->kept);
	free(r->since);
	*r = (struct recent){ .n = 0 };
}

/* The index of the copy that was made nearest to a span before `seconds`. */
static unsigned
recent_begin(const struct recent *r, double seconds)
{
	double then = seconds - r->span;
	unsigned i = 0;

	while (i + 1 < r->n && fabs(r->kept[i + 1].seconds - then) <=
	    fabs(r->kept[i].seconds - then))
		i++;
	return i;
}

static void
recent_copy(struct added *a, const struct gather_private *p)
{
#define COPY(type, name, at, n) \
	if ((n) > 0) \
		memcpy(a->name, at, (n) * sizeof(type));
	ADDED(COPY)
#undef COPY
	a->seconds = p->sums.seconds;
	a->intervals = p->sums.intervals;
}

int
recent_take(struct recent *r, const struct gather *g)
{
	struct added shape = shape_of(g), *last;
	double seconds = g->p->sums.seconds;
	int rc;

	if (r->n > 0 && !same_shape(&r->kept[0], &shape))
		recent_forget(r, r->n);
	last = r->n > 0 ? &r->kept[r->n - 1] : NULL;
	/* before the first interval nothing was added up: a copy of zeros */
	if (last == NULL && g->p->sums.intervals == 1) {
		if ((rc = added_init(&r->kept[0], &shape)) < 0)
			return rc;
		last = &r->kept[r->n++];
	}
	if (last != NULL && seconds - last->seconds <
	    0.95 * r->span / PER_SPAN)
		return 0;
	recent_forget(r, recent_begin(r, seconds));
	if (r->n == KEPT)
		recent_forget(r, 1);
	if ((rc = added_init(&r->kept[r->n], &shape)) < 0)
		return rc;
	recent_copy(&r->kept[r->n++], g->p);
	return 0;
}

/* since = p - then */
static void
recent_subtract(struct added *since, const struct gather_private *p,
    const struct added *then)
{
	const struct added *a = then;

#define SUBTRACT(type, name, at, n) \
	for (unsigned i = 0; i < (n); i++) \
		since->name[i] = (type)((at)[i] - then->name[i]);
	ADDED(SUBTRACT)
#undef SUBTRACT
	/* a column keeps the reason for left-out deltas only if some were since then */
	for (unsigned i = 0; i < a->ncol; i++)
		since->doubt[i] = since->left_out[i] > 0 ? p->doubt[i] : 0;
	since->seconds = p->sums.seconds - then->seconds;
	since->intervals = p->sums.intervals - then->intervals;
}

/* Exchanges what p has added up and what a has. */
static void
recent_swap(struct gather_private *p, struct added *a)
{
	double seconds = p->sums.seconds;
	uint64_t intervals = p->sums.intervals;
	uint8_t *doubt = p->doubt;

#define SWAP(type, name, at, n) { type *was = at; at = a->name; a->name = was; }
	ADDED(SWAP)
#undef SWAP
	p->doubt = a->doubt;
	a->doubt = doubt;
	p->sums.seconds = a->seconds;
	a->seconds = seconds;
	p->sums.intervals = a->intervals;
	a->intervals = intervals;
}

/* The sums of what was added up since `then`: p gets the difference for as long as
 * gather_sums takes.  NULL: out of memory. */
static const struct sums *
sums_since(struct recent *r, struct gather *g, const struct added *then)
{
	struct gather_private *p = g->p;
	struct batches batches = p->batches;

	if (!same_shape(r->since, then)) {
		added_fini(r->since);
		if (added_init(r->since, then) < 0)
			return NULL;
	}
	recent_subtract(r->since, p, then);
	recent_swap(p, r->since);
	/* batches are of the whole run, so they tell no error of a part */
	p->batches = (struct batches){ 0 };
	p->settled = false;
	r->sums = *gather_sums(g);
	p->settled = false;
	p->batches = batches;
	recent_swap(p, r->since);
	return &r->sums;
}

const struct sums *
recent_sums(struct recent *r, struct gather *g)
{
	struct gather_private *p = g->p;
	struct added shape = shape_of(g);
	const struct added *then;
	const struct sums *s = NULL;

	if (r->n > 0 && same_shape(&r->kept[0], &shape)) {
		then = &r->kept[recent_begin(r, p->sums.seconds)];
		if (then->intervals < p->sums.intervals)
			s = sums_since(r, g, then);
	}
	return s != NULL ? s : gather_interval(g);
}

const struct sums *
recent_round(struct recent *r, struct gather *g)
{
	struct added shape = shape_of(g);
	uint64_t now = g->p->sums.intervals;
	unsigned i = r->n;

	if (i == 0 || !same_shape(&r->kept[0], &shape))
		return NULL;
	while (i > 0 && now - r->kept[i - 1].intervals < gather_round(g))
		i--;
	return i > 0 ? sums_since(r, g, &r->kept[i - 1]) : NULL;
}
