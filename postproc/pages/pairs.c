/*
 * postproc/pages/pairs.c - redundancy: figures that two independent counters
 * give, compared.
 */
#include "postproc/pages/pairs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNSTAMPED_S 0.05        /* a sample's readings, where nobody says */

/* ---- binding ------------------------------------------------------------- */

/* A formula or a name, of one part. */
static void
put_part(FILE *f, const char *text, unsigned part)
{
	for (; *text != '\0'; text++)
		if (*text == '#')
			fprintf(f, "%u", part);
		else
			fputc(*text, f);
}

/* The formulas of a row as metrics, hidden. */
static void
put_row(FILE *f, const struct pair_row *r, unsigned part)
{
	bool joint = (r->needs & PAIR_ACROSS) == 0;

	for (unsigned s = 0; s < SIDES; s++) {
		bool left = s == SIDE_LEFT || s == SIDE_JOINT_LEFT;

		fprintf(f, "metric \"pair.%s.%u.%u\" %s \"%s\" \"\" hidden\n"
		    "\t= (", r->name, part, s, r->scope, r->unit);
		put_part(f, s != SIDE_LESS ? left ? r->left : r->right :
		    r->less != NULL ? r->less : "0", part);
		/* 0 times the other: both are of the units that have all
		 * inputs */
		fputs(") + 0 * (", f);
		put_part(f, !joint ? "0" : s == SIDE_JOINT_LEFT ? r->right :
		    s == SIDE_JOINT_RIGHT ? r->left : "0", part);
		fputs(")\n", f);
	}
}

static unsigned
row_parts(const struct pair_row *r)
{
	return r->parts > 0 ? r->parts : 1;
}

static int
add_metrics(struct metrics *m, struct diag *why)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int rc;

	if (f == NULL)
		return -ENOMEM;
	for (const struct pair_row *r = pair_rows; r->name != NULL; r++)
		for (unsigned i = 0; i < row_parts(r); i++)
			put_row(f, r, i);
	/* that it could not grow it says when it is asked; that it could not be
	 * cut to its size, by no text */
	rc = fflush(f) != 0 || ferror(f) ? -ENOMEM : 0;
	if (fclose(f) != 0 || text == NULL)
		rc = -ENOMEM;
	if (rc == 0)
		rc = metrics_parse(m, "pairs", text, size, why);
	free(text);
	return rc;
}

static int
bind_pair(struct pair *p, struct gather *g, const struct metrics *m,
    struct diag *why)
{
	struct pair_bound *b = calloc(1, sizeof *b);
	char name[64];
	FILE *f = fmemopen(p->name, sizeof p->name, "w");
	int rc;

	if (f != NULL) {
		put_part(f, p->row->name, p->part);
		fclose(f);
	}
	if ((p->p = b) == NULL || f == NULL)
		return -ENOMEM;
	for (unsigned s = 0; s < SIDES; s++) {
		const struct metric *side;

		snprintf(name, sizeof name, "pair.%s.%u.%u", p->row->name,
		    p->part, s);
		if ((side = metrics_find(m, name)) == NULL)
			return -ENOMEM;
		if ((rc = binding_add(&g->binding, side, &b->side[s], why)) < 0)
			return rc;
	}
	b->scope = scope_find(p->row->scope);
	/* of more than two packages, who is at the other end? */
	if ((p->row->needs & PAIR_ACROSS) != 0 && g->topo.npkg > 2)
		b->scope = SCOPE_OF_NODE;
	b->nwindow = b->scope == SCOPE_OF_NODE ? 1 : g->topo.npkg;
	b->window = calloc(b->nwindow, sizeof *b->window);
	return b->window == NULL ? -ENOMEM : 0;
}

int
pairs_bind(struct pairs *ps, struct gather *g, struct metrics *m,
    struct diag *why)
{
	unsigned n = 0;
	int rc = add_metrics(m, why);

	for (const struct pair_row *r = pair_rows; r->name != NULL; r++)
		n += row_parts(r);
	if (!(ps->skew_s >= 0 && ps->skew_s < UNSTAMPED_S))
		ps->skew_s = UNSTAMPED_S;
	if (rc == 0 && (ps->pair = calloc(n, sizeof *ps->pair)) == NULL)
		return -ENOMEM;
	for (const struct pair_row *r = pair_rows; r->name != NULL; r++)
		for (unsigned i = 0; rc == 0 && i < row_parts(r); i++) {
			struct pair *p = &ps->pair[ps->n++];

			p->row = r;
			p->part = i;
			rc = bind_pair(p, g, m, why);
		}
	return rc;
}

void
pairs_fini(struct pairs *ps)
{
	for (unsigned i = 0; i < ps->n; i++) {
		if (ps->pair[i].p != NULL)
			free(ps->pair[i].p->window);
		free(ps->pair[i].p);
	}
	free(ps->pair);
	*ps = (struct pairs){ .n = 0 };
}

/* ---- intervals ----------------------------------------------------------- */

struct figure
pair_figure(const struct gather *g, const struct pair *p, enum pair_side side,
    unsigned n, const struct sums *sums)
{
	const struct binding *b = &g->binding;
	bool other = (p->row->needs & PAIR_ACROSS) != 0 &&
	    p->p->scope != SCOPE_OF_NODE && side == SIDE_JOINT_RIGHT;
	struct window w;

	binding_window(b, p->p->side[side], p->p->scope, other ? 1 - n : n, &w);
	return binding_eval(b, p->p->side[side], &w, sums);
}

static void
beyond_add(struct pair_beyond *b, const struct interval *iv, double left,
    double right)
{
	if (b->n++ == 0)
		b->first = iv->before_sample;
	b->last = iv->sample;
	b->left += left;
	b->right += right;
}

/* An estimate from a part of the time, or from a part of the units, is not
 * comparable; a part of the lprocs is, where both are of the same. */
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

static void
take_window(const struct pairs *ps, struct pair *p, const struct gather *g,
    unsigned n, const struct sums *sums)
{
	const struct pair_row *r = p->row;
	struct pair_window *w = &p->p->window[n];
	struct figure left = pair_figure(g, p, SIDE_JOINT_LEFT, n, sums);
	struct figure right = pair_figure(g, p, SIDE_JOINT_RIGHT, n, sums);
	struct figure less = pair_figure(g, p, SIDE_LESS, n, sums);
	double s = ps->skew_s < g->now.seconds ? ps->skew_s : g->now.seconds;
	double slack;

	if (!comparable(p, &left) || !comparable(p, &right) ||
	    isnan(less.value) || !(g->now.seconds > 0))
		return;
	w->n++;
	w->left += left.value;
	w->right += right.value;
	slack = r->once + ((r->needs & PAIR_AT_ONCE) != 0 ? 0 : 2 * s /
	    g->now.seconds * fmax(left.value, right.value));
	if (left.value < r->least * right.value - less.value - slack)
		beyond_add(&w->low, &g->now, left.value, right.value);
	if (left.value > r->most * right.value + slack)
		beyond_add(&w->high, &g->now, left.value, right.value);
}

bool
pair_bound_whole(const struct gather *g, const struct pair *p)
{
	return g->binding.bound[p->p->side[SIDE_JOINT_LEFT]].nmissing == 0 &&
	    g->binding.bound[p->p->side[SIDE_JOINT_RIGHT]].nmissing == 0 &&
	    g->binding.bound[p->p->side[SIDE_LESS]].nmissing == 0;
}

void
pairs_take(struct pairs *ps, struct gather *g)
{
	const struct sums *sums = gather_interval(g);

	for (unsigned i = 0; i < ps->n; i++) {
		struct pair *p = &ps->pair[i];

		if (!pair_bound_whole(g, p) || ((p->row->needs & PAIR_ACROSS) != 0 &&
		    g->topo.npkg < 2))
			continue;
		for (unsigned n = 0; n < p->p->nwindow; n++)
			take_window(ps, p, g, n, sums);
	}
}
