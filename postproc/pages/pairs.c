/*
 * postproc/pages/pairs.c - redundancy: figures that two independent counters
 * give, compared.
 */
#include "postproc/pages/pairs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- binding ------------------------------------------------------------- */

/* A formula, of one part.  Returns false where it did not fit: who
 * writes to memory is not asked again, and ferror says nothing of it. */
static bool
pairs_put_part(FILE *f, const char *text, unsigned part)
{
	for (; *text != '\0'; text++)
		if (*text == '#' ? fprintf(f, "%u", part) < 0 :
		    fputc(*text, f) == EOF)
			return false;
	return true;
}

/* How many formulas a row has: peers have the left side alone. */
static unsigned
row_sides(const struct pair_row *r)
{
	return (r->needs & PAIR_PEERS) != 0 ? SIDE_LEFT + 1 : SIDES;
}

/* The formulas of a row as metrics, hidden. */
static bool
pairs_put_row(FILE *f, const struct pair_row *r, unsigned part)
{
	bool joint = (r->needs & PAIR_ACROSS) == 0, all = true;

	for (unsigned s = 0; s < row_sides(r); s++) {
		bool left = s == SIDE_LEFT || s == SIDE_JOINT_LEFT;

		all &= fprintf(f, "metric \"pair.%s.%u.%u\" %s \"%s\" \"\" "
		    "hidden\n\t= (", r->name, part, s, r->narrow != NULL ?
		    r->narrow : r->scope, r->unit) > 0;
		all &= pairs_put_part(f,
		    s != SIDE_LESS ? left ? r->left : r->right :
		    r->less != NULL ? r->less : "0", part);
		/* adds 0 times the other side, so that both are of the
		 * units that have the inputs of both */
		all &= fputs(") + 0 * (", f) != EOF;
		all &= pairs_put_part(f, !joint ? "0" : s == SIDE_JOINT_LEFT ?
		    r->right : s == SIDE_JOINT_RIGHT ? r->left : "0", part);
		all &= fputs(")\n", f) != EOF;
	}
	return all;
}

static unsigned
row_parts(const struct pair_row *r)
{
	return r->parts > 0 ? r->parts : 1;
}

static int
add_metrics(const struct pairs *ps, struct metrics *m, struct diag *why)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	bool all = true;
	int rc;

	if (f == NULL)
		return -ENOMEM;
	for (unsigned k = 0; k < ps->rows.n; k++)
		for (unsigned i = 0; i < row_parts(&ps->rows.row[k]); i++)
			all &= pairs_put_row(f, &ps->rows.row[k], i);
	/* where the stream cannot be cut to its size, text is NULL */
	rc = !all || fflush(f) != 0 || ferror(f) ? -ENOMEM : 0;
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
	int rc;

	snprintf(p->name, sizeof p->name, "%s", p->row->name);
	if (p->row->parts > 0)
		snprintf(p->name, sizeof p->name, "%s%u", p->row->name,
		    p->part);
	if ((p->p = b) == NULL)
		return -ENOMEM;
	for (unsigned s = 0; s < row_sides(p->row); s++) {
		const struct metric *side;

		snprintf(name, sizeof name, "pair.%s.%u.%u", p->row->name,
		    p->part, s);
		if ((side = metrics_find(m, name)) == NULL)
			return -ENOMEM;
		if ((rc = binding_add(&g->binding, side, &b->side[s], why)) < 0)
			return rc;
	}
	b->scope = scope_find(p->row->scope);
	/* peers are compared over all of the run alone */
	if ((p->row->needs & PAIR_PEERS) != 0)
		return 0;
	/* with more than two packages nobody knows the other end of a link */
	if ((p->row->needs & PAIR_ACROSS) != 0 && g->topo.npkg > 2)
		b->scope = SCOPE_OF_NODE;
	b->nwindow = b->scope == SCOPE_OF_NODE ? 1 : g->topo.npkg;
	b->window = calloc(b->nwindow, sizeof *b->window);
	b->compiled = calloc(b->nwindow * SIDES, sizeof *b->compiled);
	return b->window == NULL || b->compiled == NULL ? -ENOMEM : 0;
}

int
pairs_bind(struct pairs *ps, struct gather *g, struct metrics *m,
    struct diag *why)
{
	unsigned n = 0;
	int rc = pair_rows_load(&ps->rows, "@counters", why);

	if (rc == 0)
		rc = add_metrics(ps, m, why);
	g->binding.metrics = m;
	for (unsigned k = 0; k < ps->rows.n; k++)
		n += row_parts(&ps->rows.row[k]);
	if (rc == 0 && (ps->pair = calloc(n, sizeof *ps->pair)) == NULL)
		return -ENOMEM;
	for (unsigned k = 0; k < ps->rows.n; k++)
		for (unsigned i = 0; rc == 0 && i < row_parts(&ps->rows.row[k]);
		    i++) {
			struct pair *p = &ps->pair[ps->n++];

			p->row = &ps->rows.row[k];
			p->part = i;
			rc = bind_pair(p, g, m, why);
		}
	return rc;
}

static void
pair_fini(struct pair *p)
{
	for (unsigned i = 0; p->p != NULL && p->p->window != NULL &&
	    i < p->p->nwindow; i++)
		free(p->p->window[i].kept);
	if (p->p != NULL) {
		free(p->p->window);
		free(p->p->compiled);
	}
	free(p->p);
}

void
pairs_fini(struct pairs *ps)
{
	for (unsigned i = 0; i < ps->n; i++)
		pair_fini(&ps->pair[i]);
	free(ps->pair);
	pair_rows_fini(&ps->rows);
	free(ps->doubtful);
	compiled_free(ps->compiled);
	*ps = (struct pairs){ .n = 0 };
}
