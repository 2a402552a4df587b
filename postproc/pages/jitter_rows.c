/*
 * postproc/pages/jitter_rows.c - what disturbed a node, as rows, and printed; nodes
 * ranked by it.
 */
#include "postproc/pages/jitter.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "postproc/metrics/statistics.h"

static const struct table_column columns[] = {
	{ "node", NULL, 0, true }, { "cause", NULL, 0, true },
	{ "where", NULL, 0, true }, { "value", NULL, 3, false },
	{ "unit", NULL, 0, true }, { "what", NULL, 0, true },
	{ "note", NULL, 0, true },
};

struct jitter_row *
jitter_add(struct jitter *j, const char *cause, const char *text,
    const char *unit)
{
	struct jitter_row *row;

	if (!array_room(&j->row, j->n, &j->room, sizeof *j->row))
		return NULL;
	row = &j->row[j->n++];
	*row = (struct jitter_row){ .value = NAN };
	snprintf(row->cause, sizeof row->cause, "%s", cause);
	snprintf(row->text, sizeof row->text, "%s", text);
	snprintf(row->unit, sizeof row->unit, "%s", unit);
	return row;
}

void
jitter_fini(struct jitter *j)
{
	free(j->row);
	*j = (struct jitter){ .n = 0 };
}

static void
jitter_rows_put_row(struct out *out, const struct jitter *j,
    const struct jitter_row *row)
{
	cell_text(out, j->host);
	cell_text(out, row->cause);
	cell_text(out, row->where[0] != '\0' ? row->where : "node");
	cell_figure(out, row->value);
	cell_text(out, row->unit);
	cell_text(out, row->text);
	cell_text(out, row->note);
}

static int
jitter_rows_put_rows(struct out *out, void *what)
{
	const struct jitter *j = what;

	for (unsigned i = 0; i < j->n; i++)
		jitter_rows_put_row(out, j, &j->row[i]);
	return 0;
}

/*
 * Prints the node's causes that were not seen (known), or that were not
 * measured, as a list: "smi, late".
 */
static void
put_others(struct out *out, const struct jitter *j, bool known)
{
	const char *sep = known ? "Counted, and 0: " : "Not known: ";
	bool any = false;

	for (unsigned i = 0; i < j->n; i++) {
		const struct jitter_row *row = &j->row[i];

		if (row->where[0] != '\0' || isnan(row->value) == known ||
		    row->value > 0)
			continue;
		out_remark(out, "%s%s", sep, row->cause);
		if (!known && row->note[0] != '\0')
			out_remark(out, " (%s)", row->note);
		sep = ", ";
		any = true;
	}
	if (any)
		out_remark(out, "\n");
}

static int jitter_rows_put_page(struct out *, void *);

static const struct view view = {
	.table = { "jitter", columns, sizeof columns / sizeof *columns, false },
	.rows = jitter_rows_put_rows, .page = jitter_rows_put_page,
};

/* The page for people: the causes that were seen, then the others by name. */
static int
jitter_rows_put_page(struct out *out, void *what)
{
	const struct jitter *j = what;
	unsigned seen = 0;

	table_begin(out, &view.table);
	for (unsigned i = 0; i < j->n; i++)
		if (j->row[i].value > 0) {
			jitter_rows_put_row(out, j, &j->row[i]);
			seen++;
		}
	table_end(out);
	out_remark(out, seen > 0 ? "\n" : "Nothing that is counted disturbed "
	    "the node.\n");
	put_others(out, j, true);
	put_others(out, j, false);
	return 0;
}

const struct view *
jitter_view(void)
{
	return &view;
}

/* ---- nodes by what disturbed them ------------------------------------------ */

/* A node among the others. */
struct disturbed {
	const struct jitter *node;
	const struct jitter_row *most;  /* the row of the cause with the
					 * highest score */
	double score, median;           /* of that cause; NaN: too few nodes */
	char names[200];        /* what these are */
};

struct ranking {
	struct disturbed *of;      /* [n] */
	double *value, *scratch;
	unsigned n;
};

static const struct table_column ranked_columns[] = {
	{ "rank", NULL, 0, false }, { "node", NULL, 0, true },
	{ "score", NULL, 2, false }, { "cause", NULL, 0, true },
	{ "value", NULL, 3, false }, { "unit", NULL, 0, true },
	{ "median", NULL, 3, false }, { "also", NULL, 0, true },
};
static const struct out_table ranked = { "jitter", ranked_columns,
	sizeof ranked_columns / sizeof *ranked_columns, false };

/* The node's row (place "") of a cause; NULL: it has none. */
static const struct jitter_row *
node_row(const struct jitter *j, const char *cause)
{
	for (unsigned i = 0; i < j->n; i++)
		if (j->row[i].where[0] == '\0' &&
		    strcmp(j->row[i].cause, cause) == 0)
			return &j->row[i];
	return NULL;
}

static void
jitter_rank_put_name(struct disturbed *r, const char *cause)
{
	size_t n = strlen(r->names);

	if (n + strlen(cause) + 2 < sizeof r->names)
		sprintf(r->names + n, "%s%s", n > 0 ? " " : "", cause);
}

static void
jitter_rank_take_score(struct disturbed *r, const struct jitter_row *row,
    double score, double median)
{
	bool out = score > SPREAD_FAR;

	if (r->most != NULL && !(score > r->score)) {
		if (out)
			jitter_rank_put_name(r, row->cause);
		return;
	}
	if (r->most != NULL && r->score > SPREAD_FAR)
		jitter_rank_put_name(r, r->most->cause);
	r->most = row;
	r->score = score;
	r->median = median;
}

/* Scores all nodes by one cause; a value below the usual one has no score. */
static void
take_cause(struct ranking *g, const char *cause)
{
	struct spread of;
	unsigned n = 0;

	for (unsigned i = 0; i < g->n; i++) {
		const struct jitter_row *row = node_row(g->of[i].node, cause);

		if (row != NULL && !isnan(row->value))
			g->value[n++] = row->value;
	}
	spread_of(&of, g->value, n, g->scratch);
	for (unsigned i = 0; i < g->n; i++) {
		const struct jitter_row *row = node_row(g->of[i].node, cause);

		if (row != NULL && row->value > of.median &&
		    !isnan(spread_score(&of, row->value)))
			jitter_rank_take_score(&g->of[i], row, spread_score(&of,
			    row->value), of.median);
	}
}

/* Takes each cause once, at the first node that has it. */
static void
take_causes(struct ranking *g)
{
	for (unsigned i = 0; i < g->n; i++)
		for (unsigned k = 0; k < g->of[i].node->n; k++) {
			const struct jitter_row *row = &g->of[i].node->row[k];
			unsigned before = 0;

			while (before < i && node_row(g->of[before].node,
			    row->cause) == NULL)
				before++;
			if (before == i && row->where[0] == '\0')
				take_cause(g, row->cause);
		}
}

static int
jitter_rank_by_score(const void *a, const void *b)
{
	const struct disturbed *x = a, *y = b;
	size_t m = strlen(x->names), n = strlen(y->names);

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return m != n ? (m < n) - (m > n) :
	    strcmp(x->node->host, y->node->host);
}

static void
put_ranked(struct out *out, const struct ranking *g)
{
	table_begin(out, &ranked);
	for (unsigned i = 0; i < g->n; i++) {
		const struct disturbed *r = &g->of[i];

		cell_u64(out, i + 1);
		cell_text(out, r->node->host);
		cell_real(out, r->score);
		cell_text(out, r->most != NULL ? r->most->cause : "");
		cell_figure(out, r->most != NULL ? r->most->value :
		    (double)NAN);
		cell_text(out, r->most != NULL ? r->most->unit : "");
		cell_figure(out, r->most != NULL ? r->median : (double)NAN);
		cell_text(out, r->names);
	}
	table_end(out);
	if (g->n < SPREAD_LEAST)
		out_remark(out, "\nOf %u nodes none is the odd one.\n", g->n);
	else
		out_remark(out, "\nScore: how many times as far above the "
		    "median as nodes usually are from it (at most 1000);\nmore "
		    "than %.1f stands out.  tally jitter has the causes of a "
		    "node.\n", SPREAD_FAR);
}

int
jitter_rank_put(struct out *out, const struct jitter *j, unsigned n)
{
	struct ranking g = { .n = n, .of = calloc(n + 1, sizeof *g.of),
	    .value = calloc(n + 1, sizeof *g.value),
	    .scratch = calloc(n + 1, sizeof *g.scratch) };
	int rc = -ENOMEM;

	if (g.of != NULL && g.value != NULL && g.scratch != NULL) {
		for (unsigned i = 0; i < n; i++)
			g.of[i].node = &j[i];
		take_causes(&g);
		qsort(g.of, n, sizeof *g.of, jitter_rank_by_score);
		put_ranked(out, &g);
		rc = 0;
	}
	free(g.of);
	free(g.value);
	free(g.scratch);
	return rc;
}
