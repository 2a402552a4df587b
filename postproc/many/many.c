/*
 * postproc/many/many.c - nodes and metrics of a summary, in an order that does not
 * depend on that of the files.
 */
#include "postproc/many/many_tables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
by_name(const void *a, const void *b, void *ctx)
{
	const struct summed_node *const *x = a, *const *y = b;
	const struct summary *s = ctx;
	int by = strcmp(s->text[(*x)->host], s->text[(*y)->host]);

	if (by == 0)
		by = strcmp(s->text[(*x)->path], s->text[(*y)->path]);
	return by != 0 ? by : (*x)->identity < (*y)->identity ? -1 : 1;
}

/* Those of one CPU and one job; among them the order that they have. */
static int
by_peers(const void *a, const void *b, void *ctx)
{
	const unsigned *i = a, *k = b;
	const struct many_nodes *m = ctx;
	const struct summed_node *x = m->node[*i], *y = m->node[*k];
	int by = strcmp(x->traits.text[TRAIT_CPU], y->traits.text[TRAIT_CPU]);

	if (by == 0)
		by = strcmp(m->s->text[x->job], m->s->text[y->job]);
	return by != 0 ? by : *i < *k ? -1 : 1;
}

static void
name_nodes(struct many_nodes *m)
{
	const struct summary *s = m->s;

	for (unsigned i = 0; i < m->n; i++) {
		const struct summed_node *x = m->node[i];
		bool twice = (i > 0 && m->node[i - 1]->host == x->host) ||
		    (i + 1 < m->n && m->node[i + 1]->host == x->host);

		m->name[i] = s->text[twice ? x->path : x->host];
	}
}

static void
order_metrics(struct many_nodes *m, bool *seen)
{
	const struct summary *s = m->s;

	for (unsigned i = 0; i < m->n; i++)
		for (unsigned k = 0; k < m->node[i]->nvalue; k++) {
			uint32_t which = m->node[i]->value[k].metric;

			if (seen[which])
				continue;
			seen[which] = true;
			if (patterns_match(m->names,
			    s->text[s->metric[which].name]))
				m->metric[m->nmetric++] = which;
		}
}

int
many_init(struct many_nodes *m, const struct summary *s,
    const struct patterns *names)
{
	unsigned n = s->nnode + 1;
	bool *seen = calloc(s->nmetric + 1, sizeof *seen);

	*m = (struct many_nodes){ .s = s, .names = names,
	    .node = calloc(n, sizeof *m->node),
	    .name = calloc(n, sizeof *m->name),
	    .peer = calloc(n, sizeof *m->peer),
	    .metric = calloc(s->nmetric + 1, sizeof *m->metric),
	    .value = calloc(n, sizeof *m->value),
	    .scratch = calloc(n, sizeof *m->scratch),
	    .far = calloc(n, sizeof *m->far),
	    .nfar = calloc(s->nmetric + 1, sizeof *m->nfar),
	    .dist = calloc(s->ndist + 1, sizeof *m->dist) };
	if (seen == NULL || m->node == NULL || m->name == NULL ||
	    m->peer == NULL || m->metric == NULL || m->value == NULL ||
	    m->scratch == NULL || m->far == NULL || m->nfar == NULL || m->dist == NULL) {
		free(seen);
		return -ENOMEM;
	}
	for (; m->n < s->nnode; m->n++) {
		m->node[m->n] = &s->node[m->n];
		m->peer[m->n] = m->n;
	}
	qsort_r(m->node, m->n, sizeof *m->node, by_name, (void *)(uintptr_t)s);
	qsort_r(m->peer, m->n, sizeof *m->peer, by_peers, m);
	name_nodes(m);
	order_metrics(m, seen);
	free(seen);
	return 0;
}

void
many_fini(struct many_nodes *m)
{
	free(m->node);
	free(m->name);
	free(m->peer);
	free(m->metric);
	free(m->value);
	free(m->scratch);
	free(m->far);
	free(m->nfar);
	free(m->dist);
	*m = (struct many_nodes){ .n = 0 };
}

bool
many_traits(struct trait_list *l, const struct many_nodes *m)
{
	*l = (struct trait_list){ calloc(m->n + 1, sizeof *l->of),
	    calloc(m->n + 1, sizeof *l->host), m->n };
	for (unsigned i = 0; l->of != NULL && l->host != NULL && i < m->n;
	    i++) {
		l->of[i] = &m->node[i]->traits;
		l->host[i] = m->name[i];
	}
	return l->of != NULL && l->host != NULL;
}

void
traits_free(struct trait_list *l)
{
	free(l->of);
	free(l->host);
}
