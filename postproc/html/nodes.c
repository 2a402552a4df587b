/*
 * postproc/html/nodes.c - the nodes of a page of many: their figures, and which of them
 * stand out.
 */
#include "postproc/html/nodes.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/array.h"

/* All nodes have about CELLS values, with about METRICS metrics each. */
#define CELLS 4000000u
#define METRICS 50u
#define MOST_BUCKETS 240u       /* of a node */
#define LEAST_BUCKETS 40u
#define APART 20                /* runs are apart if together they span so many
                                 * times the longest of them */

void
nodes_init(struct nodes *x, unsigned n)
{
	unsigned b = CELLS / METRICS / (n > 0 ? n : 1);

	*x = (struct nodes){ .buckets = b > MOST_BUCKETS ? MOST_BUCKETS :
	    b < LEAST_BUCKETS ? LEAST_BUCKETS : b };
}

static void
node_fini(struct nodes_node *d)
{
	for (unsigned i = 0; i < d->nmetric; i++)
		free(d->metric[i].at);
	free(d->metric);
	free(d->name);
	free(d->file);
	free(d->page);
	free(d->from);
	free(d->to);
}

void
nodes_fini(struct nodes *x)
{
	for (unsigned i = 0; i < x->n; i++)
		node_fini(&x->node[i]);
	for (unsigned i = 0; i < x->nmetric; i++) {
		free(x->metric[i].name);
		free(x->metric[i].unit);
		free(x->metric[i].text);
	}
	free(x->node);
	free(x->metric);
	*x = (struct nodes){ .n = 0 };
}

/* Returns the number of a metric, which is added if it is new; -ENOMEM. */
static int
metric_index(struct nodes *x, const struct metric *m)
{
	struct nodes_metric *k;
	char unit[80];

	/* sums are given per second, as runs are of different length */
	snprintf(unit, sizeof unit, "%s%s", m->unit, metric_adds(m) ? "/s" : "");
	for (unsigned i = 0; i < x->nmetric; i++)
		if (strcmp(x->metric[i].name, m->name) == 0 &&
		    strcmp(x->metric[i].unit, unit) == 0)
			return (int)i;
	if (!array_room(&x->metric, x->nmetric, &x->metric_room,
	    sizeof *x->metric))
		return -ENOMEM;
	k = &x->metric[x->nmetric++];
	*k = (struct nodes_metric){ strdup(m->name), strdup(unit),
	    strdup(m->text), { .n = 0 } };
	return k->name == NULL || k->unit == NULL || k->text == NULL ?
	    -ENOMEM : (int)x->nmetric - 1;
}

/* How many buckets of the timeline become one bucket of a node. */
static unsigned
joined(const struct nodes *x, const struct timeline *t)
{
	return t->n > 0 ? (t->n + x->buckets - 1) / x->buckets : 1;
}

static int
take_time(struct nodes_node *d, const struct timeline *t, unsigned each)
{
	d->n = (t->n + each - 1) / each;
	d->from = calloc(d->n + 1, sizeof *d->from);
	d->to = calloc(d->n + 1, sizeof *d->to);
	if (d->from == NULL || d->to == NULL)
		return -ENOMEM;
	d->first = t->n > 0 ? t->bucket[0].from : 0;
	for (unsigned i = 0; i < t->n; i++) {
		if (i % each == 0)
			d->from[i / each] = (float)(t->bucket[i].from -
			    d->first);
		d->to[i / each] = (float)(t->bucket[i].to - d->first);
	}
	return 0;
}

/* The mean over n buckets from i on; of a metric that adds up, per second. */
static double
nodes_mean(const struct timeline *t, const struct line *l, unsigned i,
    unsigned n, bool adds)
{
	double sum = 0, weight = 0;

	for (unsigned end = i + n; i < end && i < t->n; i++) {
		const struct bucket_value *v = &l->in[i];

		sum += v->sum;
		weight += v->weight > 0 && adds ? t->bucket[i].seconds :
		    v->weight;
	}
	return weight > 0 ? sum / weight : (double)NAN;
}

static int
nodes_take_line(struct nodes *x, struct nodes_node *d, const struct timeline *t,
    const struct line *l, unsigned each)
{
	const struct line_metric *of = &t->metric[l->metric];
	int index = metric_index(x, of->metric);
	bool adds = metric_adds(of->metric);
	struct node_metric *m = &d->metric[d->nmetric];

	if (index < 0)
		return index;
	*m = (struct node_metric){ .metric = (unsigned)index, .score = NAN,
	    .at = calloc(d->n + 1, sizeof *m->at) };
	if (m->at == NULL)
		return -ENOMEM;
	d->nmetric++;
	for (unsigned i = 0; i < d->n; i++)
		m->at[i] = (float)nodes_mean(t, l, i * each, each, adds);
	m->value = l->figure;
	return 0;
}

/* The name of a node: its host, or the dump's path if another node has that host. */
static char *
nodes_name_of(const struct nodes *x, const char *host, const char *path)
{
	for (unsigned i = 0; i < x->n; i++)
		if (strcmp(x->node[i].name, host) == 0)
			return strdup(path);
	return strdup(host);
}

/* A file name for a node's page, of safe characters, which no other page has. */
static char *
file_of(const struct nodes *x, const char *host)
{
	char safe[100], *file = NULL;
	unsigned n = 0, i = 0;

	while (host[n] != '\0' && n + 1 < sizeof safe) {
		safe[n] = isalnum((unsigned char)host[n]) ||
		    (n > 0 && strchr("-_.", host[n]) != NULL) ? host[n] : '_';
		n++;
	}
	safe[n] = '\0';
	if (n == 0)
		strcpy(safe, "node");
	for (unsigned again = 0; i < x->n || file == NULL; again++) {
		free(file);
		if ((again == 0 && strcasecmp(safe, "index") != 0 ?
		    asprintf(&file, "%s.html", safe) :
		    asprintf(&file, "%s-%u.html", safe, x->n + again)) < 0)
			return NULL;
		for (i = 0; i < x->n && strcasecmp(x->node[i].file, file) != 0;)
			i++;
	}
	return file;
}

int
nodes_take(struct nodes *x, struct html_page *h, const char *path)
{
	const struct timeline *t = &h->timeline;
	const struct gather *g = &h->page.gather;
	struct nodes_node *d;
	unsigned each = joined(x, t);
	int rc = 0;

	if (!array_room(&x->node, x->n, &x->room, sizeof *x->node))
		return -ENOMEM;
	d = &x->node[x->n];
	*d = (struct nodes_node){ .name = nodes_name_of(x, g->host, path),
	    .file = file_of(x, g->host), .wall_first = g->wall_first,
	    .seconds = h->page.sums->seconds,
	    .samples = h->page.sums->intervals + 1, .left_out = g->nleft_out,
	    .findings = check_findings(&h->check), .score = NAN,
	    .metric = calloc(t->nmetric + 1, sizeof *d->metric) };
	if (d->name == NULL || d->file == NULL || d->metric == NULL ||
	    (rc = take_time(d, t, each)) < 0 ||
	    (rc = traits_take(&d->traits, g)) < 0)
		rc = -ENOMEM;
	for (unsigned i = 0; rc == 0 && i < t->nline; i++)
		if (t->line[i].window.scope == SCOPE_OF_NODE &&
		    d->nmetric < t->nmetric)
			rc = nodes_take_line(x, d, t, &t->line[i], each);
	if (rc < 0)
		node_fini(d);
	else
		x->n++;
	return rc;
}

const struct node_metric *
nodes_metric_of(const struct nodes_node *d, unsigned metric)
{
	/* nodes of the same kind have a metric at the same place: its number */
	if (metric < d->nmetric && d->metric[metric].metric == metric)
		return &d->metric[metric];
	for (unsigned i = 0; i < d->nmetric; i++)
		if (d->metric[i].metric == metric)
			return &d->metric[i];
	return NULL;
}

/* The spread of a metric over the nodes that have the CPU of `of`; NULL: over all. */
static void
spread_over(const struct nodes *x, unsigned metric, const struct nodes_node *of,
    struct spread *s, double *v)
{
	unsigned n = 0;

	for (unsigned i = 0; i < x->n; i++) {
		const struct nodes_node *d = &x->node[i];
		const struct node_metric *m = nodes_metric_of(d, metric);

		if (m != NULL && !isnan(m->value) && (of == NULL ||
		    d->traits.digest[TRAIT_CPU] == of->traits.digest[TRAIT_CPU]))
			v[n++] = m->value;
	}
	spread_of(s, v, n, v + x->n);
}

/* Adds the score of metric i to a node. */
static void
take_score(struct nodes_node *d, unsigned i, double score)
{
	d->metric[i].score = score;
	if (isnan(score))
		return;
	d->nfar += score > SPREAD_FAR;
	if (isnan(d->score) || score > d->score) {
		d->score = score;
		d->worst = i;
	}
}

/* Computes the scores of all nodes of one CPU; `first` is the first of them. */
static void
judge_kind(struct nodes *x, unsigned first, double *v)
{
	const struct nodes_node *of = &x->node[first];
	uint64_t cpu = of->traits.digest[TRAIT_CPU];

	for (unsigned k = 0; k < x->nmetric; k++) {
		struct spread s;

		spread_over(x, k, of, &s, v);
		for (unsigned i = first; i < x->n; i++) {
			struct nodes_node *d = &x->node[i];
			const struct node_metric *m = nodes_metric_of(d, k);

			if (m != NULL && d->traits.digest[TRAIT_CPU] == cpu)
				take_score(d, (unsigned)(m - d->metric),
				    spread_score(&s, m->value));
		}
	}
}

/* Order: the node that stands out most first, nodes without a score last. */
static int
nodes_by_score(const void *a, const void *b)
{
	const struct nodes_node *x = a, *y = b;
	double p = isnan(x->score) ? -1 : x->score;
	double q = isnan(y->score) ? -1 : y->score;

	return p != q ? (p < q) - (p > q) : x->nfar != y->nfar ?
	    (x->nfar < y->nfar) - (x->nfar > y->nfar) : strcmp(x->name, y->name);
}

int
nodes_judge(struct nodes *x)
{
	double *v = calloc(2 * (size_t)x->n + 1, sizeof *v);

	if (v == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < x->n; i++) {
		unsigned k = 0;

		while (x->node[k].traits.digest[TRAIT_CPU] !=
		    x->node[i].traits.digest[TRAIT_CPU])
			k++;
		if (k == i)
			judge_kind(x, i, v);
	}
	for (unsigned k = 0; k < x->nmetric; k++)
		spread_over(x, k, NULL, &x->metric[k].spread, v);
	free(v);
	qsort(x->node, x->n, sizeof *x->node, nodes_by_score);
	return 0;
}

static double
lasts(const struct nodes_node *d)
{
	return d->n > 0 ? (double)d->to[d->n - 1] : 0;
}

double
nodes_longest(const struct nodes *x)
{
	double longest = 0;

	for (unsigned i = 0; i < x->n; i++)
		longest = fmax(longest, lasts(&x->node[i]));
	return longest;
}

void
nodes_span(const struct nodes *x, double *from, double *to)
{
	*from = INFINITY;
	*to = 0;
	for (unsigned i = 0; i < x->n; i++) {
		const struct nodes_node *d = &x->node[i];

		if (d->wall_first <= 0)
			continue;
		*from = fmin(*from, d->wall_first);
		*to = fmax(*to, d->wall_first + lasts(d));
	}
	if (*to == 0)
		*from = 0;
	*to = fmax(*to, *from + nodes_longest(x));
}

bool
nodes_apart(const struct nodes *x)
{
	double from, to;

	nodes_span(x, &from, &to);
	return to - from > APART * nodes_longest(x);
}
