/*
 * postproc/causes/jitter_rank.c - nodes by what disturbed them.
 */
#include "postproc/causes/jitter.h"

#include "postproc/metrics/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static const struct table_column columns[] = {
	{ "rank", NULL, 0, false }, { "node", NULL, 0, true },
	{ "score", NULL, 2, false }, { "cause", NULL, 0, true },
	{ "value", NULL, 3, false }, { "unit", NULL, 0, true },
	{ "median", NULL, 3, false }, { "also", NULL, 0, true },
};
static const struct out_table table = { "jitter", columns,
	sizeof columns / sizeof *columns, false };

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
	table_begin(out, &table);
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
