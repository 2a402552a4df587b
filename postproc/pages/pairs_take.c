/*
 * postproc/pages/pairs_take.c - pairs of figures, compared interval by interval.
 */
#include "postproc/pages/pairs.h"

#include <errno.h>
#include <limits.h>
#include <math.h>

#include "lib/array.h"

#define UNSTAMPED_S 0.05        /* how long a sample takes, where it is not known */

/* The window of a side.  The right side may be of the other package (PAIR_ACROSS). */
static struct window
window_of(const struct gather *g, const struct pair *p, enum pair_side side,
    unsigned n)
{
	bool other = (p->row->needs & PAIR_ACROSS) != 0 &&
	    p->p->scope != SCOPE_OF_NODE && side == SIDE_JOINT_RIGHT;
	struct window w;

	binding_window(&g->binding, p->p->side[side], p->p->scope,
	    other ? 1 - n : n, &w);
	return w;
}

struct figure
pair_figure(const struct gather *g, const struct pair *p, enum pair_side side,
    unsigned n, const struct sums *sums)
{
	struct window w = window_of(g, p, side, n);

	return binding_eval_quick(&g->binding, p->p->side[side], &w, sums);
}

bool
pair_bound_whole(const struct gather *g, const struct pair *p)
{
	if (p->p->lacks)
		return false;
	if ((p->row->needs & PAIR_PEERS) != 0)
		return g->binding.bound[p->p->side[SIDE_LEFT]].nmissing == 0;
	return g->binding.bound[p->p->side[SIDE_JOINT_LEFT]].nmissing == 0 &&
	    g->binding.bound[p->p->side[SIDE_JOINT_RIGHT]].nmissing == 0 &&
	    g->binding.bound[p->p->side[SIDE_LESS]].nmissing == 0;
}

static bool
can_be_compared(const struct gather *g, const struct pair *p)
{
	return (p->row->needs & PAIR_PEERS) == 0 && pair_bound_whole(g, p) &&
	    !p->p->apart && ((p->row->needs & PAIR_ACROSS) == 0 ||
	    g->topo.npkg >= 2);
}

/* ---- beyond the bound ---------------------------------------------------- */

/* How far apart two readings of a sample can be, s: `s` where that is known, and never
 * more than the interval. */
static double
skew(double s, double seconds)
{
	if (!(s >= 0 && s < UNSTAMPED_S))
		s = UNSTAMPED_S;
	return s < seconds ? s : seconds;
}

static void
beyond_add(struct pair_beyond *b, const struct pair_kept *x)
{
	if (b->n == 0 || x->before < b->first)
		b->first = x->before;
	if (b->n == 0 || x->sample > b->last)
		b->last = x->sample;
	b->n++;
	b->left += x->left;
	b->right += x->right;
}

/* Sorts an interval in.  How far apart readings are is only known in the end: skew_s
 * grows, up to UNSTAMPED_S.  An interval that is not beyond a bound with the present skew
 * never will be; one that is beyond with the greatest skew always will be; those between
 * are kept for pairs_settle. */
static int
pairs_take_side(const struct pairs *ps, struct pair_window *w,
    const struct pair_kept *x)
{
	if (!(x->over > x->a_second * skew(ps->skew_s, x->seconds)))
		return 0;
	if (x->over > x->a_second * skew(UNSTAMPED_S, x->seconds)) {
		beyond_add(x->high ? &w->high : &w->low, x);
		return 0;
	}
	if (!array_room(&w->kept, w->nkept, &w->room, sizeof *w->kept))
		return -ENOMEM;
	w->kept[w->nkept++] = *x;
	return 0;
}

void
pairs_settle(struct pairs *ps)
{
	for (unsigned i = 0; i < ps->n; i++)
		for (unsigned n = 0; n < ps->pair[i].p->nwindow; n++) {
			struct pair_window *w = &ps->pair[i].p->window[n];

			for (unsigned k = 0; k < w->nkept; k++) {
				const struct pair_kept *x = &w->kept[k];

				if (x->over > x->a_second *
				    skew(ps->skew_s, x->seconds))
					beyond_add(x->high ? &w->high :
					    &w->low, x);
			}
			w->nkept = 0;
		}
}

/* ---- intervals ----------------------------------------------------------- */

bool
pair_apart(const struct gather *g, const struct pair *p)
{
	unsigned least = UINT_MAX, most = 1;

	if ((p->row->needs & PAIR_PEERS) != 0 || !slow_any(g->reader))
		return false;

	for (enum pair_side s = SIDE_JOINT_LEFT; s < SIDES; s++)
		gather_every(g, p->p->side[s], &least, &most);
	return least < most;
}

int
pairs_compile_beside(void *pairs, struct compiled *c)
{
	struct pairs *ps = pairs;
	const struct gather *g = ps->gather;
	int rc = 0;

	for (unsigned i = 0; i < ps->n; i++) {
		struct pair *p = &ps->pair[i];

		p->p->apart = pair_apart(g, p);
		for (unsigned n = 0; can_be_compared(g, p) &&
		    n < p->p->nwindow; n++)
			for (enum pair_side s = SIDE_JOINT_LEFT; rc == 0 &&
			    s < SIDES; s++) {
				struct window w = window_of(g, p, s, n);

				rc = compiled_add(c, p->p->side[s], &w,
				    &p->p->compiled[n * SIDES + s]);
			}
	}
	return rc;
}

static int
pairs_take_compile(struct pairs *ps)
{
	int rc;

	if (ps->compiled != NULL && ps->ncol == ps->gather->ncol)
		return 0;
	compiled_free(ps->compiled);
	ps->ncol = ps->gather->ncol;
	if ((ps->compiled = compiled_new(&ps->gather->binding)) == NULL)
		return -ENOMEM;
	rc = pairs_compile_beside(ps, ps->compiled);
	return rc < 0 ? rc : compiled_finish(ps->compiled);
}

/* Can a figure be compared?  Not if it is an estimate, or lacks boxes; one that lacks
 * lprocs can, as both sides lack the same. */
static bool
comparable(struct pair *p, const struct figure *f)
{
	bool partial = f->of > 0 && (p->row->needs & (PAIR_ALL_BOXES |
	    PAIR_ACROSS)) != 0;

	if (isnan(f->value))
		return false;
	p->p->partial |= partial;
	p->p->estimated |= f->ran < 0.99 || f->apart;
	return !partial && f->ran >= 0.99 && !f->apart;
}

/* An interval, and where compiled formulas have their values in it. */
struct pairs_now {
	const struct sums *sums;
	const struct compiled *compiled;
	unsigned lane;
};

/* Computes the value of a side in this interval; false: it cannot be compared. */
static bool
side_now(const struct pairs_now *now, struct pair *p, const struct gather *g,
    enum pair_side side, unsigned n, double *v)
{
	struct figure f;

	if (compiled_value(now->compiled, p->p->compiled[n * SIDES + side],
	    now->lane, v))
		return !isnan(*v);
	f = pair_figure(g, p, side, n, now->sums);
	*v = f.value;
	return side == SIDE_LESS ? !isnan(f.value) : comparable(p, &f);
}

/* ---- does the right side (the whole) rise with the left one (its part)? -------- */

#define TIME_S 10               /* length of a stretch: power meters average over
                                 * less */
#define LEAST_TIMES 6           /* stretches */
#define ROSE 0.25               /* of its mean: a smaller rise says nothing */
#define FLAT 0.5                /* a slope below this is flat */

/* Add an interval, from sample `before` to `sample`. */
static void
pair_slope_add(struct pair_slope *s, double seconds, double part, double whole,
    uint64_t before, uint64_t sample)
{
	double x, y;

	if (s->n == 0 && s->seconds <= 0)
		s->first = before;
	s->seconds += seconds;
	s->part += part;
	s->whole += whole;
	if (s->seconds < TIME_S)
		return;
	x = s->part / s->seconds;
	y = s->whole / s->seconds;
	if (s->n == 0 || x < s->least)
		s->least = x;
	if (s->n == 0 || x > s->most)
		s->most = x;
	s->n++;
	s->x += x;
	s->y += y;
	s->xx += x * x;
	s->xy += x * y;
	s->last = sample;
	s->seconds = s->part = s->whole = 0;
}

bool
pair_slope_flat(const struct pair_slope *s, double *slope)
{
	double spread = s->xx - s->x * s->x / s->n;

	if (s->n < LEAST_TIMES || !(spread > 0) ||
	    s->most - s->least < ROSE * s->x / s->n)
		return false;
	*slope = (s->xy - s->x * s->y / s->n) / spread;
	return *slope < FLAT;
}

/* ---- an interval ---------------------------------------------------------------- */

static int
take_window(const struct pairs *ps, struct pair *p,
    const struct pairs_now *now, unsigned n)
{
	const struct gather *g = ps->gather;
	const struct pair_row *r = p->row;
	struct pair_window *w = &p->p->window[n];
	struct pair_kept x = { .seconds = now->sums->seconds,
	    .before = now->sums->before, .sample = now->sums->sample };
	double less;
	int rc;

	if (!side_now(now, p, g, SIDE_JOINT_LEFT, n, &x.left) ||
	    !side_now(now, p, g, SIDE_JOINT_RIGHT, n, &x.right) ||
	    !side_now(now, p, g, SIDE_LESS, n, &less) ||
	    !(x.seconds > 0))
		return 0;
	w->n++;
	w->left += x.left;
	w->right += x.right;
	if ((r->needs & PAIR_FOLLOWS) != 0)
		pair_slope_add(&w->slope, x.seconds, x.left, x.right, x.before,
		    x.sample);
	if ((r->needs & PAIR_AT_ONCE) == 0)
		x.a_second = 2 / x.seconds * fmax(x.left, x.right);
	x.over = r->least * x.right - less - x.left - r->once;
	if ((rc = pairs_take_side(ps, w, &x)) < 0)
		return rc;
	x.high = true;
	x.over = x.left - r->most * x.right - r->once;
	return pairs_take_side(ps, w, &x);
}

void
pairs_take_beside(void *pairs, struct compiled *c, const struct sums *sums,
    unsigned lane)
{
	struct pairs *ps = pairs;
	const struct pairs_now now = { sums, c, lane };

	for (unsigned i = 0; i < ps->n; i++) {
		struct pair *p = &ps->pair[i];

		for (unsigned n = 0; ps->rc == 0 && can_be_compared(ps->gather,
		    p) && n < p->p->nwindow; n++)
			ps->rc = take_window(ps, p, &now, n);
	}
}

int
pairs_take(struct pairs *ps, const struct sums *sums)
{
	int rc = ps->rc;

	if (rc < 0 || ps->beside || (rc = pairs_take_compile(ps)) < 0 ||
	    (rc = compiled_take(ps->compiled, sums)) < 0)
		return rc;
	pairs_take_beside(ps, ps->compiled, sums, 0);
	return ps->rc;
}
