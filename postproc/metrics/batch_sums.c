/*
 * postproc/metrics/batch_sums.c - the sums of a run without each of its batches.
 */
#include "postproc/metrics/gather_int.h"

#include <stdlib.h>
#include <string.h>

static bool
batch_sums_make_room(struct batch_sums *w, const struct sums *all)
{
	const struct batches *b = all->batches;

	if (all->ncol > w->room) {
		free(w->value);
		free(w->share);
		w->room = all->ncol;
		w->value = calloc((size_t)w->room * BATCHES, sizeof *w->value);
		w->share = calloc((size_t)w->room * BATCHES, sizeof *w->share);
	}
	if (b->nin + 1 > w->in_room) {
		free(w->in_set);
		free(w->running);
		w->in_room = b->nin + 1;
		w->in_set = calloc((size_t)w->in_room * BATCHES,
		    sizeof *w->in_set);
		w->running = calloc((size_t)(b->nset + 1) * BATCHES,
		    sizeof *w->running);
	}
	return w->value != NULL && w->share != NULL && w->in_set != NULL &&
	    w->running != NULL;
}

/* By what a column's share of the time is to be multiplied when a batch is taken out:
 * the running time that is left by all of it.  Where the dump has the count scaled
 * (value: the count that is left), the new ratio of count and scaled count by the old
 * one, times the part of all time that is left. */
static double
left_of(const struct sums *all, const uint64_t *total, unsigned c,
    unsigned batch, double value)
{
	const struct batches *b = all->batches;
	const struct turn_times *x = &all->turns->times[c];
	double ran, scaled;

	if (x->scaled >= 0 && (unsigned)x->scaled < all->ncol &&
	    total[x->scaled] > 0) {
		scaled = (double)total[x->scaled] - batches_sum(b,
		    (unsigned)x->scaled, batch);
		return value / all->value[c] * (double)total[x->scaled] /
		    scaled * (1 - batches_part(b, batch));
	}
	if (x->running < 0 || (unsigned)x->running >= all->ncol)
		return 1;
	ran = (double)total[x->running] - (double)all->turns->lost[c];
	return 1 - batches_sum(b, (unsigned)x->running, batch) / ran;
}

static void
without(struct batch_sums *w, const struct sums *all, const uint64_t *total,
    unsigned batch)
{
	const struct batches *b = all->batches;
	struct sums *s = &w->sums[batch];
	double *value = w->value + (size_t)batch * w->room;
	double *share = w->share + (size_t)batch * w->room;
	double *in = w->in_set + (size_t)batch * w->in_room;
	double *ran = w->running + (size_t)batch * b->nset;

	*s = *all;
	s->number += 1 + batch;
	s->batches = NULL;
	s->without = NULL;
	s->value = memcpy(value, all->value, all->ncol * sizeof *value);
	s->share = memcpy(share, all->share, all->ncol * sizeof *share);
	for (unsigned i = 0; i < b->n; i++) {
		unsigned c = b->column[i];

		if (c >= all->ncol || all->turns->kind[c] == TURN_NONE)
			continue;
		value[c] -= batches_sum(b, c, batch);
		share[c] *= left_of(all, total, c, batch, value[c]);
	}
	s->together.sum = in;
	s->together.running = ran;
	/* of readings the mean over all batches is used */
	for (unsigned i = 0; i < b->nin; i++)
		in[i] = all->together.sum[i] - (all->together.counter[i /
		    b->nset] ? batches_in_set(b, i, batch) : 0);
	for (unsigned k = 0; k < b->nset; k++)
		ran[k] = all->together.running[k] - batches_ran(b, k, batch);
}

const struct sums *
batch_sums_make(struct batch_sums *w, const struct sums *all,
    const uint64_t *total)
{
	unsigned n = all->turns != NULL ? batches_count(all->batches) : 0;

	if (n == 0 || !batch_sums_make_room(w, all))
		return NULL;
	for (unsigned i = 0; i < n; i++)
		without(w, all, total, i);
	return w->sums;
}

void
batch_sums_fini(struct batch_sums *w)
{
	free(w->value);
	free(w->share);
	free(w->in_set);
	free(w->running);
	*w = (struct batch_sums){ .room = 0 };
}
