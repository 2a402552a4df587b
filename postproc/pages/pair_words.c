/*
 * postproc/pages/pair_words.c - pairs of figures, in words.
 */
#include "postproc/pages/pairs.h"

#include <math.h>
#include <stdio.h>

static void
pair_words_put_bound(FILE *f, const struct pair_row *r)
{
	if (isinf(r->most))
		fprintf(f, "%g %% or more", 100 * r->least);
	else if (r->least <= 0)
		fprintf(f, "%g %% or less", 100 * r->most);
	else
		fprintf(f, "%g to %g %%", 100 * r->least, 100 * r->most);
}

static void
put_share(FILE *f, const struct pair *p)
{
	if (p->right > 0)
		fprintf(f, "%.4g %%", 100 * p->left / p->right);
	else
		fputs("the first alone", f);
}

bool
pair_shown(const struct pair *p)
{
	if ((p->row->needs & (PAIR_BOUND | PAIR_PEERS)) != 0)
		return p->says == PAIR_DIFFERS &&
		    (p->row->needs & PAIR_PEERS) == 0;
	return p->says != PAIR_CANNOT || (!p->foreign && p->row->parts == 0 &&
	    (p->row->needs & PAIR_RARE) == 0);
}

/* Says where a pair was compared and what came out.  Not for peers, whose two figures
 * say it. */
static void
pair_words_put_verdict(FILE *f, const struct pair *p)
{
	const struct pair_row *r = p->row;

	if (p->whole)
		fputs(" over all of the run", f);
	else if (p->flat)
		fprintf(f, " rise and fall apart: of 1 %s more of the "
		    "first the second has %.2g more", r->unit, p->slope);
	else if (p->says == PAIR_DIFFERS)
		fprintf(f, " in %u of %u intervals", p->beyond, p->of);
	fputs(p->says == PAIR_AGREES ? ": agrees" : ": differs", f);
	if (p->says == PAIR_DIFFERS && !p->flat && p->right > 0)
		fprintf(f, " by %+.4g %%", 100 * (p->left / p->right - 1));
	fputs(": ", f);
	put_share(f, p);
	fputs(", right is ", f);
	pair_words_put_bound(f, r);
}

const char *
pair_words(const struct pair *p, char *buf, size_t size)
{
	const struct pair_row *r = p->row;
	FILE *f = fmemopen(buf, size, "w");

	buf[0] = '\0';
	if (f == NULL)
		return buf;
	fprintf(f, "%s: ", p->name);
	if (p->says == PAIR_CANNOT) {
		fprintf(f, "%s and %s cannot be compared: %s%s", r->left_is,
		    r->right_is, p->neither ? "neither is counted: " : "",
		    p->why);
	} else {
		fprintf(f, "%s%s %.4g %s, %s %.4g %s", r->left_is, p->where,
		    p->left, r->unit, r->right_is, p->right, r->unit);
		if (p->whole && p->units > 1)
			fprintf(f, " (and of %u other%s)", p->units - 1,
			    p->units == 2 ? "" : "s");
		if ((r->needs & PAIR_PEERS) == 0)
			pair_words_put_verdict(f, p);
		fprintf(f, ": %s", r->why);
	}
	fclose(f);
	buf[size - 1] = '\0';
	return buf;
}

static void
pair_words_find(struct findings *found, const struct pair *p)
{
	bool peers = (p->row->needs & PAIR_PEERS) != 0;
	char text[800];
	struct finding *f = finding_at(found, peers ? "peers" : "pair",
	    p->first, p->last, "%s", pair_words(p, text, sizeof text));

	if (f != NULL)
		f->note = (p->row->needs & PAIR_NOTE) != 0;
}

void
pairs_find(const struct pairs *ps, struct findings *found)
{
	for (unsigned i = 0; i < ps->n; i++)
		if (ps->pair[i].says == PAIR_DIFFERS)
			pair_words_find(found, &ps->pair[i]);
}
