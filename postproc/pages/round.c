/*
 * postproc/pages/round.c - some intervals, added up.
 */
#include "postproc/pages/round.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int
round_init(struct round *r, unsigned ncol, unsigned nbit)
{
	*r = (struct round){ .ncol = ncol, .nbit = nbit };
	r->value = calloc(ncol + 1, sizeof *r->value);
	r->known_s = calloc(ncol + 1, sizeof *r->known_s);
	r->nreading = calloc(ncol + 1, sizeof *r->nreading);
	r->share = calloc(ncol + 1, sizeof *r->share);
	r->bit = calloc(nbit + 1, sizeof *r->bit);
	return r->value == NULL || r->known_s == NULL || r->nreading == NULL ||
	    r->share == NULL || r->bit == NULL ? -ENOMEM : 0;
}

void
round_fini(struct round *r)
{
	free(r->value);
	free(r->known_s);
	free(r->nreading);
	free(r->share);
	free(r->bit);
	*r = (struct round){ 0 };
}

void
round_clear(struct round *r)
{
	for (unsigned c = 0; c < r->ncol; c++) {
		r->value[c] = r->known_s[c] = 0;
		r->nreading[c] = 0;
	}
	for (unsigned i = 0; i < r->nbit; i++)
		r->bit[i] = 0;
	r->seconds = 0;
	r->intervals = 0;
}

void
round_add(struct round *r, const struct sums *s)
{
	for (unsigned c = 0; c < r->ncol && c < s->ncol; c++)
		if (!isnan(s->value[c])) {
			r->value[c] += s->value[c];
			r->known_s[c] += s->seconds * (s->share != NULL ?
			    s->share[c] : 1);
			r->nreading[c]++;
		}
	for (unsigned i = 0; i < r->nbit; i++)
		r->bit[i] += s->bit[i];
	r->turns = s->turns;
	r->seconds += s->seconds;
	r->intervals++;
}

/* Counters: what was counted, and of how much of the time; readings: the mean. */
struct sums
round_sums(struct round *r, const struct reader *reader, double tsc_hz)
{
	for (unsigned c = 0; c < r->ncol; c++) {
		r->share[c] = r->seconds > 0 ? r->known_s[c] / r->seconds : 0;
		if (r->nreading[c] == 0)
			r->value[c] = NAN;
		else if (!class_is_counter(read_column(reader, c)->cls))
			r->value[c] /= r->nreading[c];
	}
	for (unsigned i = 0; i < r->nbit; i++)
		r->bit[i] /= r->intervals;
	return (struct sums){ .seconds = r->seconds, .tsc_hz = tsc_hz,
	    .intervals = r->intervals, .ncol = r->ncol, .value = r->value,
	    .share = r->share, .turns = r->turns,
	    .bit = r->bit, .nbit = r->nbit };
}
