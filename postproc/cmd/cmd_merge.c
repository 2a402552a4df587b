/*
 * postproc/cmd/cmd_merge.c - tally merge: many nodes beside each other.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/cmd/commands.h"
#include "postproc/data/patterns.h"
#include "postproc/metrics/spread.h"
#include "postproc/pages/differ.h"

static const char usage[] =
"usage: tally merge [OPTION]... FILE...\n"
"Many nodes, a file each: of every metric the least, the median and the\n"
"greatest node, and the nodes that stand out: more than 3.5 times as far from\n"
"the median as nodes usually are (median absolute deviation), and 5 % of it.\n"
"  -j, --jitter          nodes by what disturbed them (tally jitter), the most\n"
"                        disturbed first\n"
"  -m, --metric PATTERN  only metrics of that name (* and ?), several with\n"
"                        commas, or given again\n"
METRICS_HELP
TOPOLOGY_HELP
COMMON_HELP;

/* What has to be known of a value: bits. */
enum { LACKS = 1, ESTIMATE = 2, APART = 4, WRONG = 8, NONE = 16, MARKS = 5 };

struct merged_node {
	char *host;
	double *value;          /* [metrics], NaN: not available */
	uint8_t *marks;         /* [metrics] */
	double wall_first, seconds, tsc_hz;
	uint64_t samples, left_out;
	struct traits traits;
};

struct merge {
	struct merged_node *node;
	unsigned n;
	char **metric, **unit, **why;   /* why some node has none of it, as the
	                         * first one has it; NULL: they have */
	unsigned nmetric, metric_room;
	struct patterns names;
	bool jitter;            /* that alone: merge_jitter */
	const struct common *common;
	struct diag none;       /* why some node has none of that pattern */
};

static const struct table_column node_columns[] = {
	{ "node", NULL, 0, true }, { "first", "s", 6, false },
	{ "offset", "s", 6, false }, { "time", "s", 2, false },
	{ "samples", NULL, 0, false }, { "tsc", "GHz", 6, false },
	{ "left_out", NULL, 0, false },
};

static const struct table_column metric_columns[] = {
	{ "metric", NULL, 0, true }, { "unit", NULL, 0, true },
	{ "nodes", NULL, 0, false }, { "min", NULL, 3, false },
	{ "median", NULL, 3, false }, { "max", NULL, 3, false },
	{ "outliers", NULL, 0, true }, { "note", NULL, 0, true },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
static const struct out_table nodes = { "nodes", node_columns,
	COUNT(node_columns), true };
static const struct out_table metrics = { "metrics", metric_columns,
	COUNT(metric_columns), false };

/* The number of a metric, by name, made if need be; -1: out of memory. */
static int
metric_index(struct merge *g, const struct metric *m)
{
	for (unsigned i = 0; i < g->nmetric; i++)
		if (strcmp(g->metric[i], m->name) == 0)
			return (int)i;
	if (g->nmetric == g->metric_room) {
		unsigned room = g->metric_room ? g->metric_room * 2 : 64;
		char **a = realloc(g->metric, room * sizeof *a), **b;

		if (a == NULL)
			return -1;
		g->metric = a;
		if ((b = realloc(g->unit, room * sizeof *b)) == NULL)
			return -1;
		g->unit = b;
		if ((b = realloc(g->why, room * sizeof *b)) == NULL)
			return -1;
		g->why = b;
		/* nodes have values of all that can be: none, so far */
		for (unsigned i = 0; i < g->n; i++) {
			double *v = realloc(g->node[i].value, room * sizeof *v);
			uint8_t *marks;

			if (v == NULL)
				return -1;
			g->node[i].value = v;
			for (unsigned k = g->metric_room; k < room; k++)
				v[k] = NAN;
			if ((marks = realloc(g->node[i].marks, room)) == NULL)
				return -1;
			g->node[i].marks = marks;
			memset(marks + g->metric_room, 0, room -
			    g->metric_room);
		}
		g->metric_room = room;
	}
	if ((g->metric[g->nmetric] = strdup(m->name)) == NULL)
		return -1;
	if ((g->unit[g->nmetric] = strdup(m->unit)) == NULL) {
		free(g->metric[g->nmetric]);
		return -1;
	}
	g->why[g->nmetric] = NULL;
	return (int)g->nmetric++;
}

/* As tally metrics says it. */
static void
say_none(struct merge *g, const struct metrics *m, const char *path)
{
	const char *withheld = NULL;
	unsigned i = 0;

	for (; withheld == NULL && i < g->names.n; i++)
		withheld = metrics_withheld(m, g->names.pattern[i]);
	if (withheld != NULL)
		diag_set(&g->none, 0, "%s: metric %s is not offered: %s", path,
		    g->names.pattern[i - 1], withheld);
	else
		diag_set(&g->none, 0, "%s: no metric of that name (tally "
		    "metrics --list has them)", path);
}

static int
take_metrics(struct merge *g, struct metrics *m, struct gather *in,
    struct diag *why)
{
	unsigned *bound = calloc(m->n + 1, sizeof *bound), n = 0;
	struct merged_node *node = &g->node[g->n - 1];
	const struct sums *sums;
	char words[240];
	int rc = bound == NULL ? -ENOMEM : 0;

	for (unsigned i = 0; rc == 0 && i < m->n; i++)
		if (!metrics_at(m, i)->hidden && patterns_match(&g->names,
		    metrics_at(m, i)->name))
			rc = binding_add(&in->binding, metrics_at(m, i),
			    &bound[n++], why);
	if (rc == 0 && n == 0 && g->names.n > 0)
		say_none(g, m, in->path);
	if (rc == 0)
		rc = gather_all(in, why);
	sums = gather_sums(in);
	for (unsigned i = 0; rc == 0 && i < n; i++) {
		int k = metric_index(g, in->binding.bound[bound[i]].metric);
		struct figure f;
		struct window w;

		if (k < 0)
			rc = -ENOMEM;
		if (k < 0 || !binding_window(&in->binding, bound[i],
		    SCOPE_OF_NODE, 0, &w))
			continue;
		f = binding_eval(&in->binding, bound[i], &w, sums);
		node->value[k] = f.value;
		if (isnan(f.value) && g->why[k] == NULL &&
		    (g->why[k] = strdup(figure_why(&in->binding, &f, words,
		    sizeof words))) == NULL)
			rc = -ENOMEM;
		node->marks[k] = isnan(f.value) ? NONE : (uint8_t)(
		    (figure_lacks(&f) ? LACKS : 0) |
		    (f.ran < 0.9999 ? ESTIMATE : 0) | (f.apart ? APART : 0) |
		    (f.wrong ? WRONG : 0));
	}
	free(bound);
	node->wall_first = in->wall_first;
	node->seconds = sums->seconds;
	node->tsc_hz = sums->tsc_hz;
	node->samples = sums->intervals + 1;
	node->left_out = in->nleft_out;
	return rc;
}

static int
take_node(struct merge *g, const char *path, struct diag *why)
{
	struct merged_node *node = &g->node[g->n];
	struct metrics m = { .n = 0 };
	struct gather in = { .p = NULL };
	int rc = gather_load(&in, &m, path, &g->common->in, why);

	*node = (struct merged_node){ .host = NULL };
	if (rc == 0) {
		const char *host = in.host;

		for (unsigned i = 0; i < g->n; i++)
			if (strcmp(g->node[i].host, in.host) == 0)
				host = path;
		node->host = strdup(host);
		node->value = calloc(g->metric_room + 1, sizeof(double));
		node->marks = calloc(g->metric_room + 1, 1);
		for (unsigned k = 0; node->value && k <= g->metric_room; k++)
			node->value[k] = NAN;
		if (node->host == NULL || node->value == NULL ||
		    node->marks == NULL)
			rc = -ENOMEM;
	}
	if (rc == 0) {
		g->n++;
		if ((rc = take_metrics(g, &m, &in, why)) == 0)
			rc = traits_take(&node->traits, &in);
		intervals_complain(in.intervals);
		if (rc < 0 || node->samples < 2) {
			g->n--;
			rc = rc < 0 ? rc : diag_set(why, -ENODATA,
			    "%s: left out: it has no interval", path);
		}
	}
	if (rc < 0) {
		free(node->host);
		free(node->value);
		free(node->marks);
	}
	gather_unload(&in, &m);
	return rc;
}

/* The nodes that are farther than that from the median; as many as fit. */
static void
name_outliers(const struct merge *g, unsigned k, const struct spread *s,
    char *buf, size_t size)
{
	size_t used = 0, room = size - sizeof " and 4294967295 more";
	unsigned more = 0;

	for (unsigned i = 0; i < g->n; i++) {
		size_t len = strlen(g->node[i].host);

		if (!(spread_score(s, g->node[i].value[k]) > SPREAD_FAR))
			continue;
		if (more > 0 || used + len + 1 > room)
			more++;
		else
			used += (size_t)sprintf(buf + used, "%s%s",
			    used > 0 ? " " : "", g->node[i].host);
	}
	if (more > 0)
		sprintf(buf + used, " and %u more", more);
}

/* "2 incomplete (n1 n4); 5 estimates": names while there are few. */
static void
put_note(struct out *out, const struct merge *g, unsigned k)
{
	static const char *const word[MARKS] = { "incomplete", "estimate",
	    "of events not counted at one time", "out of range", "n/a" };
	char note[400] = "";
	size_t used = 0;

	for (unsigned m = 0; m < MARKS && used < sizeof note; m++) {
		unsigned n = 0;
		const char *sep = " (";

		for (unsigned i = 0; i < g->n; i++)
			n += g->node[i].marks[k] >> m & 1;
		if (n > 0)
			used += (size_t)snprintf(note + used, sizeof note -
			    used, "%s%u %s", used > 0 ? "; " : "", n, word[m]);
		if (n == 0 || n > 4)
			continue;
		for (unsigned i = 0; i < g->n && used < sizeof note; i++)
			if (g->node[i].marks[k] >> m & 1) {
				used += (size_t)snprintf(note + used,
				    sizeof note - used, "%s%.40s", sep,
				    g->node[i].host);
				sep = " ";
			}
		if (used < sizeof note)
			used += (size_t)snprintf(note + used,
			    sizeof note - used, ")");
	}
	if (g->why[k] != NULL && used < sizeof note)
		snprintf(note + used, sizeof note - used, ": %s", g->why[k]);
	cell_text(out, note);
}

static void
put_metric(struct out *out, const struct merge *g, unsigned k, double *v,
    double *scratch)
{
	char names[2048] = "";
	struct spread s;
	unsigned n = 0;

	for (unsigned i = 0; i < g->n; i++)
		if (!isnan(g->node[i].value[k]))
			v[n++] = g->node[i].value[k];
	cell_text(out, g->metric[k]);
	cell_text(out, g->unit[k]);
	cell_u64(out, n);
	if (n == 0) {
		for (unsigned i = 0; i < 3; i++)
			cell_none(out);
		cell_text(out, "");
		cell_text(out, g->why[k] != NULL ? g->why[k] : "");
		return;
	}
	spread_of(&s, v, n, scratch);
	name_outliers(g, k, &s, names, sizeof names);
	cell_figure(out, s.least);
	cell_figure(out, s.median);
	cell_figure(out, s.most);
	cell_text(out, names);
	put_note(out, g, k);
}

/* What nodes are like, side by side; free_traits frees it.  False: no memory. */
static bool
list_traits(struct trait_list *l, const struct merge *g)
{
	*l = (struct trait_list){ calloc(g->n + 1, sizeof *l->of),
	    calloc(g->n + 1, sizeof *l->host), g->n };
	for (unsigned i = 0; l->of != NULL && l->host != NULL && i < g->n;
	    i++) {
		l->of[i] = &g->node[i].traits;
		l->host[i] = g->node[i].host;
	}
	return l->of != NULL && l->host != NULL;
}

static void
free_traits(struct trait_list *l)
{
	free(l->of);
	free(l->host);
}

static void
put_nodes(struct out *out, const struct merge *g)
{
	double least = INFINITY, most = 0;
	bool wall = true, tsc = true;
	struct trait_list l;
	char kept[400] = "";

	for (unsigned i = 0; i < g->n; i++) {
		double t = g->node[i].wall_first;

		if (t > 0 && t < least)
			least = t;
		if (t > most)
			most = t;
		wall &= t > 0;
		tsc &= g->node[i].tsc_hz > 0;
	}
	table_begin(out, &nodes);
	for (unsigned i = 0; i < g->n; i++) {
		const struct merged_node *x = &g->node[i];

		cell_text(out, x->host);
		cell_real(out, x->wall_first > 0 ? x->wall_first : (double)NAN);
		cell_real(out, x->wall_first > 0 ? x->wall_first - least :
		    (double)NAN);
		cell_real(out, x->seconds);
		cell_u64(out, x->samples);
		cell_real(out, x->tsc_hz > 0 ? x->tsc_hz / 1e9 : (double)NAN);
		cell_u64(out, x->left_out);
	}
	table_end(out);
	if (!wall || !tsc)
		out_remark(out, "\nn/a: %s%s%s of that node in its dump\n",
		    wall ? "" : "no wall clock", wall || tsc ? "" : ", ",
		    tsc ? "" : "no TSC");
	if (list_traits(&l, g))
		traits_clocks(&l, kept, sizeof kept);
	free_traits(&l);
	out_remark(out, "\nClocks: first samples are up to %.6f s apart, each "
	    "by its node's own wall clock.%s\n\n", most > 0 ? most - least : 0,
	    kept);
}

static int
put(struct out *out, const struct merge *g)
{
	double *v = calloc(2 * (size_t)g->n + 1, sizeof *v);

	if (v == NULL)
		return complain("out of memory");
	put_nodes(out, g);
	table_begin(out, &metrics);
	for (unsigned k = 0; k < g->nmetric; k++)
		put_metric(out, g, k, v, v + g->n);
	table_end(out);
	free(v);
	return EXIT_OK;
}

/* A line for each thing that nodes differ in: a median of several kinds of node
 * is nobody's. */
static void
say_differences(const struct merge *g)
{
	struct trait_list l;
	bool room = list_traits(&l, g);
	char words[1000];

	for (enum trait k = 0; room && k < TRAITS; k++)
		if (traits_differ(&l, k, words, sizeof words))
			complain("nodes differ in %s", words);
	free_traits(&l);
}

/* Each name that no node has a metric of. */
static void
say_unknown(const struct merge *g)
{
	for (unsigned i = 0; i < g->names.n; i++) {
		unsigned k = 0;

		while (k < g->nmetric && !pattern_match(g->names.pattern[i],
		    g->metric[k]))
			k++;
		if (k == g->nmetric)
			complain("no node has a metric \"%s\"",
			    g->names.pattern[i]);
	}
}

static int
merge(struct merge *g, const struct common *common)
{
	struct diag why = { "" };
	struct out *out;
	int status = EXIT_OK;

	g->common = common;
	g->node = calloc((size_t)common->ninput, sizeof *g->node);
	if (g->node == NULL)
		return complain("out of memory");
	for (int i = 0; i < common->ninput; i++) {
		why.text[0] = '\0';
		if (take_node(g, common->input[i], &why) < 0) {
			complain_why(&why);
			status = EXIT_FINDINGS;
		}
	}
	if (g->n == 0)
		return EXIT_UNUSABLE;
	if (g->nmetric == 0 && g->names.n > 0)
		return complain_why(&g->none);
	say_unknown(g);
	say_differences(g);
	if (out_open(&out, &common->output, common->format, "merge", &why) < 0)
		return complain("%s", why.text);
	if (put(out, g) != EXIT_OK)
		status = EXIT_UNUSABLE;
	if (out_close(out, status != EXIT_UNUSABLE, &why) < 0)
		status = complain("%s", why.text);
	return status;
}

static int
own_option(void *asked, int c, char *arg)
{
	struct merge *g = asked;
	struct diag why;

	if (c == 'j') {
		g->jitter = true;
		return 1;
	}
	if (c != 'm')
		return 0;
	if (patterns_add(&g->names, arg, &why) == 0)
		return 1;
	complain("%s", why.text);
	return -1;
}

int
cmd_merge(int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "metric", required_argument, NULL, 'm' },
		{ "jitter", no_argument, NULL, 'j' },
		METRICS_LONGOPT, TOPOLOGY_LONGOPT, COMMON_LONGOPTS
	};
	static const struct command_line line = {
		.name = "merge", .usage = usage, .runs = true,
		.letters = "jm:M:t:" COMMON_OPTS, .options = longopts,
		.repeat = "m", .own_option = own_option,
	};
	struct common common = { .status = 0 };
	struct merge g = { .n = 0 };
	int status;

	if (!common_parse(&line, argc, argv, &common, &g))
		return common.status;
	status = g.jitter ? merge_jitter(&common) : merge(&g, &common);
	for (unsigned i = 0; i < g.n; i++) {
		free(g.node[i].host);
		free(g.node[i].value);
		free(g.node[i].marks);
	}
	for (unsigned i = 0; i < g.nmetric; i++) {
		free(g.metric[i]);
		free(g.unit[i]);
		free(g.why[i]);
	}
	free(g.node);
	free(g.metric);
	free(g.unit);
	free(g.why);
	common_fini(&common);
	return status;
}
