/*
 * postproc/data/rows.c - the samples of a dump, each with the one before and the one
 * behind it; those that are out of order are left out.
 */
#include "postproc/data/intervals_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where sample n + 1 lies before sample n, it is n that is wrong if it is this many
 * times as far from n - 1 as n + 1 is. */
#define FAR_AHEAD 8
#define MOST_ASTRAY 8           /* where so many in a row would be left out, they are
				 * right, and those before were wrong */
#define MOST_AHEAD (1u << 20)   /* values that rows_ahead keeps at most: 8 MB */

static int
rows_fit(struct kept_row *k, unsigned ncol)
{
	uint64_t *p;

	if (ncol <= k->room)
		return 0;
	if ((p = reallocarray(k->value, ncol + ncol / 4, sizeof(*p))) == NULL)
		return -ENOMEM;
	k->value = p;
	k->room = ncol + ncol / 4;
	return 0;
}

/* Makes a row ncol columns wide; the new ones are ABSENT. */
static int
rows_widen(struct kept_row *k, unsigned ncol)
{
	if (rows_fit(k, ncol) < 0)
		return -ENOMEM;
	for (unsigned c = k->ncol; c < ncol; c++)
		k->value[c] = ABSENT;
	return 0;
}

static int
rows_keep(struct kept_row *k, struct reader *r, const struct read_row *row)
{
	if (!read_keep(r, &k->value, &k->room)) {
		if (rows_fit(k, row->ncol) < 0)
			return -ENOMEM;
		memcpy(k->value, row->value, row->ncol * sizeof(*k->value));
	}
	k->ncol = row->ncol;
	k->nabsent = row->nabsent;
	k->sample = row->sample;
	k->line = row->line;
	k->fresh = row->fresh;
	return 0;
}

static void
rows_swap(struct kept_row *a, struct kept_row *b)
{
	struct kept_row t = *a;

	*a = *b;
	*b = t;
}

bool
clock_wall(const struct intervals *iv, const uint64_t *value, unsigned ncol,
    double *seconds)
{
	uint64_t sec = clock_cell(value, iv->col_sec, ncol);
	uint64_t usec = clock_cell(value, iv->col_usec, ncol);

	if (sec == ABSENT || usec == ABSENT)
		return false;
	*seconds = (double)sec + (double)usec * 1e-6;
	return true;
}

/* How many seconds sample b is after sample a by the wall clock.  false: one of them lacks the
 * TSC or the wall clock, or only one of these two went back. */
static bool
both_clocks(const struct intervals *iv, const struct kept_row *a,
    const struct kept_row *b, double *seconds)
{
	uint64_t x = clock_cell(a->value, iv->col_tsc, a->ncol);
	uint64_t y = clock_cell(b->value, iv->col_tsc, b->ncol);
	double from, to;

	if (x == ABSENT || y == ABSENT || !(iv->tsc_hz > 0) ||
	    !clock_wall(iv, a->value, a->ncol, &from) ||
	    !clock_wall(iv, b->value, b->ncol, &to))
		return false;
	*seconds = to - from;
	return (y < x) == (to < from);
}

/* Where `next` lies before `now`: is it `now` that is wrong? */
static bool
now_is_astray(const struct intervals *iv)
{
	double ahead, other;

	return iv->has_before &&
	    both_clocks(iv, &iv->before, &iv->now, &ahead) &&
	    both_clocks(iv, &iv->before, &iv->next, &other) &&
	    other > 0 && ahead > FAR_AHEAD * other;
}

/* Is the sample in `next` to be left out?  If it is `now` that is wrong, the two change
 * places first. */
static bool
astray(struct intervals *iv)
{
	double seconds;

	/* a restart: the clocks may have begun anew */
	if (iv->next.fresh || !iv->has_now || !iv->clocked ||
	    !both_clocks(iv, &iv->now, &iv->next, &seconds) || seconds >= 0 ||
	    iv->astray >= MOST_ASTRAY) {
		iv->astray = 0;
		return false;
	}
	iv->astray++;
	if (now_is_astray(iv)) {
		rows_swap(&iv->now, &iv->next);
		iv->was_ahead = false;
	}
	if (iv->nastray++ == 0)
		iv->first_astray = iv->next.sample;
	return true;
}

/* Takes the reader's next row into k.  1, 0 at the end, -errno. */
static int
rows_take(struct intervals *iv, struct kept_row *k)
{
	struct read_row row;
	int rc = read_next(iv->reader, &row, &iv->end_why);

	return rc > 0 &&
	    rows_keep(k, iv->reader, &row) < 0 ? diag_set(&iv->end_why, -ENOMEM,
	    "out of memory") : rc;
}

bool
rows_ahead(struct intervals *iv, unsigned n)
{
	if (iv->row.before != NULL || iv->ahead != NULL || iv->row.line == 0 ||
	    !select_all(&iv->select) || iv->row.ncol > MOST_AHEAD / n ||
	    (iv->ahead = calloc(n, sizeof(*iv->ahead))) == NULL)
		return false;
	do
		iv->ahead_end = rows_take(iv, &iv->ahead[iv->nahead]);
	while (iv->ahead_end > 0 && ++iv->nahead < n);
	return true;
}

/* Puts the next row into `next`: one of ahead[], or the reader's. */
static int
rows_advance(struct intervals *iv)
{
	int rc = 1;

	if (iv->nshown < iv->nahead) {
		rows_swap(&iv->next, &iv->ahead[iv->nshown++]);
	} else if (iv->ahead != NULL && iv->ahead_end <= 0) {
		rc = iv->ahead_end;
		iv->ahead_end = 1;
	} else {
		rc = rows_take(iv, &iv->next);
	}
	return rc;
}

static void
fetch(struct intervals *iv)
{
	iv->has_next = false;
	while (iv->end > 0) {
		iv->end = rows_advance(iv);
		if (iv->end > 0 && !astray(iv)) {
			iv->has_next = true;
			return;
		}
	}
}

/* Puts `now`, with `before` as the row before it, into intervals.row. */
static int
rows_show(struct intervals *iv)
{
	struct kept_row *now = &iv->now;

	if (iv->has_before && rows_widen(&iv->before, now->ncol) < 0)
		return -ENOMEM;
	iv->row = (struct read_row){ .sample = now->sample, .line = now->line,
	    .value = now->value, .ncol = now->ncol, .nabsent = now->nabsent,
	    .fresh = now->fresh, .before = iv->has_before && !now->fresh ?
	    iv->before.value : NULL,
	    .before_sample = iv->before.sample };
	return 0;
}

int
rows_next(struct intervals *iv, struct diag *why)
{
	int rc;

	iv->was_ncol = iv->row.ncol;
	/* a store that is still written may have more by now */
	if (!iv->has_next && iv->end >= 0) {
		iv->end = 1;
		fetch(iv);
	}
	if (!iv->has_next) {
		if (iv->end < 0)
			*why = iv->end_why;
		return iv->end;
	}
	if (iv->has_before && iv->has_now && !iv->now.fresh)
		slow_carry(&iv->slow, iv->before.value, iv->before.ncol <
		    iv->now.ncol ? iv->before.ncol : iv->now.ncol,
		    iv->now.value);
	rows_swap(&iv->before, &iv->now);
	rows_swap(&iv->now, &iv->next);
	iv->was_ahead = iv->has_ahead;
	iv->has_ahead = false;
	iv->has_before = iv->has_now;
	iv->has_now = true;
	rc = rows_show(iv);
	return rc < 0 ? diag_set(why, rc, "out of memory") : 1;
}

int
rows_look_ahead(struct intervals *iv, struct diag *why)
{
	int rc;

	fetch(iv);
	rc = rows_show(iv);
	return rc < 0 ? diag_set(why, rc, "out of memory") : 0;
}

int
rows_open(const struct intervals *iv, const char *path,
    struct reader **out, struct diag *why)
{
	const struct shown_columns *c = iv->select.columns;
	int rc = read_open(out, path, why);

	if (rc == 0 && c != NULL &&
	    (rc = read_show(*out, c->name, c->n, c->shown)) < 0)
		diag_set(why, rc, "%s: its columns cannot be chosen", path);
	return rc;
}

void
rows_fini(struct intervals *iv)
{
	free(iv->before.value);
	free(iv->now.value);
	free(iv->next.value);
	for (unsigned i = 0; i < iv->nahead; i++)
		free(iv->ahead[i].value);
	free(iv->ahead);
}
