/*
 * postproc/cmd_merge.c - tally merge: many nodes beside each other.
 */
#include <errno.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/many/collect.h"
#include "postproc/many/many_tables.h"

static const char usage[] =
"usage: tally merge [OPTION]... FILE...\n"
"Many nodes, a dump each, or summaries of them (tally summarize): of every\n"
"metric the least, the median and the greatest node, and the nodes that stand\n"
"out among those of the same CPU and job: more than 3.5 times as far from the\n"
"median as these usually are (median absolute deviation), and 5 % of it.\n"
"  -q, --quantiles       instead, how each metric was distributed over all\n"
"                        intervals, within 0.8 %\n"
"  -S, --scope SCOPES    of these units: lproc, core, ccx, box, die, numa,\n"
"                        package, node; default: package,node\n"
"  -j, --jitter          nodes by what disturbed them (tally jitter), the most\n"
"                        disturbed first\n"
"  -m, --metric PATTERN  only metrics of that name (* and ?), several with\n"
"                        commas, or given again\n"
METRICS_HELP
TOPOLOGY_HELP
COMMON_HELP;

struct merge {
	struct patterns names;
	unsigned scopes;        /* a bit for each */
	bool jitter;            /* only merge_jitter */
	bool quantiles;
};

/*
 * Prints a line for each trait in which nodes differ, as a median over
 * different kinds of node describes none of them. 0 or -ENOMEM.
 */
static int
say_differences(const struct many_nodes *m)
{
	struct trait_list l;
	bool room = many_traits(&l, m);
	char words[1000];

	for (enum trait k = 0; room && k < TRAITS; k++)
		if (traits_differ(&l, k, words, sizeof words))
			complain("nodes differ in %s", words);
	traits_free(&l);
	return room ? 0 : -ENOMEM;
}

/* Names the patterns of -m that no metric of any node matches. */
static void
say_unknown(const struct merge *g, const struct many_nodes *m)
{
	const struct summary *s = m->s;

	for (unsigned i = 0; i < g->names.n; i++) {
		unsigned k = 0;

		while (k < m->nmetric && !pattern_match(g->names.pattern[i],
		    s->text[s->metric[m->metric[k]].name]))
			k++;
		if (k == m->nmetric)
			complain("no node has a metric \"%s\"",
			    g->names.pattern[i]);
	}
}

/* Prints the tables. */
static int
cmd_merge_put(const struct merge *g, const struct many_nodes *m,
    const struct common *common)
{
	struct diag why = { "" };
	struct out *out;
	int rc;

	if (out_open(&out, &common->output, common->format, "merge", &why) < 0)
		return complain("%s", why.text);
	rc = out_for_people(out) ? many_put_first(out, m) :
	    many_put_nodes(out, m);
	if (g->quantiles)
		many_put_quantiles(out, m);
	else
		many_put_metrics(out, m);
	if (rc == 0 && out_for_people(out)) {
		out_remark(out, "\n");
		rc = many_put_nodes(out, m);
	}
	if (rc < 0)
		diag_set(&why, rc, "out of memory");
	if (out_close(out, rc == 0, &why) < 0 || rc < 0)
		return complain("%s", why.text);
	return EXIT_OK;
}

/* Prints how the nodes differ, then the tables.  none: why the first dump has no metric
 * of -m, if it has none. */
static int
cmd_merge_show(const struct merge *g, const struct summary *s,
    const struct diag *none, const struct common *common)
{
	struct many_nodes m;
	int status = EXIT_UNUSABLE;

	if (many_init(&m, s, &g->names) < 0)
		complain("out of memory");
	else if (m.nmetric == 0 && g->names.n > 0 && none->text[0] != '\0')
		complain_why(none);
	else {
		say_unknown(g, &m);
		if (say_differences(&m) < 0)
			complain("out of memory");
		else if (m.nmetric > 0 || g->names.n == 0)
			status = cmd_merge_put(g, &m, common);
	}
	many_fini(&m);
	return status;
}

static int
merge(const struct merge *g, const struct common *common)
{
	struct summary s = { .ntext = 0 };
	struct collected c;
	int status = summarize_files(&s, common, &g->names,
	    g->quantiles ? g->scopes : 0, &c);

	if (status == EXIT_OK)
		status = cmd_merge_show(g, &s, &c.none, common);
	summary_fini(&s);
	return status == EXIT_OK && c.left_out > 0 ? EXIT_FINDINGS : status;
}

static int
cmd_merge_own_option(void *asked, int c, char *arg)
{
	struct merge *g = asked;
	struct diag why;

	switch (c) {
	case 'j':
		g->jitter = true;
		return 1;
	case 'q':
		g->quantiles = true;
		return 1;
	case 'S':
		return scopes_parse(&g->scopes, arg) ? 1 : -1;
	case 'm':
		if (patterns_add(&g->names, arg, &why) == 0)
			return 1;
		complain("%s", why.text);
		return -1;
	}
	return 0;
}

int
cmd_merge(int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "metric", required_argument, NULL, 'm' },
		{ "jitter", no_argument, NULL, 'j' },
		{ "quantiles", no_argument, NULL, 'q' },
		{ "scope", required_argument, NULL, 'S' },
		METRICS_LONGOPT, TOPOLOGY_LONGOPT, COMMON_LONGOPTS
	};
	static const struct command_line line = {
		.name = "merge", .usage = usage, .runs = true,
		.letters = "jqm:M:S:t:" COMMON_OPTS, .options = longopts,
		.repeat = "mS", .own_option = cmd_merge_own_option,
	};
	struct common common = { .status = 0 };
	struct merge g = { .scopes = 0 };
	int status;

	if (!common_parse(&line, argc, argv, &common, &g))
		return common.status;
	if (g.scopes == 0)
		g.scopes = SUMMARY_SCOPES;
	status = g.jitter ? merge_jitter(&common) : merge(&g, &common);
	common_fini(&common);
	return status;
}
