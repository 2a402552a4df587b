/*
 * postproc/cmd_merge.c - tally summarize: a small summary of many dumps; tally merge: many
 * nodes beside each other.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postproc/pages/jitter.h"
#include "postproc/commands.h"
#include "postproc/many/summary.h"
#include "postproc/many/many_tables.h"

static const char merge_usage[] =
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

static const char summarize_usage[] =
"usage: tally summarize [OPTION]... FILE...\n"
"What tally merge needs of many dumps, in one small file: tally merge says the\n"
"same of it, or of several, as of the dumps, in whatever order and groups.  A\n"
"FILE may be a summary, too.\n"
"  -S, --scope SCOPES    quantiles of these units, too: lproc, core, ccx, box,\n"
"                        die, numa, package, node; default: package,node\n"
"  -m, --metric PATTERN  only metrics of that name (* and ?), several with\n"
"                        commas, or given again\n"
METRICS_HELP
TOPOLOGY_HELP
DRAWING_HELP;

#define SUMMARY_SCOPES (1u << SCOPE_OF_NODE | 1u << SCOPE_OF_PACKAGE)

static void
summarize_said(const char *line)
{
	complain("%s", line);
}

static void
progress(unsigned done, unsigned of)
{
	fprintf(stderr, "\rtally: %u of %u files%s", done, of,
	    done == of ? "\n" : "");
}

/* Makes one summary of all input files.  Errors are printed.  Returns 0 or the exit
 * status. */
static int
summarize_files(struct summary *s, const struct common *common,
    const struct patterns *names, unsigned scopes, struct collected *c)
{
	struct gather_ask in = common->in;
	struct collect_ask ask = {
		.path = common->input, .npath = (unsigned)common->ninput,
		.jobs = common->jobs,
		.take = { .in = &in, .names = names, .scopes = scopes },
		.said = summarize_said,
	};
	struct diag why = { "" };

	/* one process for each job, each with a single thread */
	if (ask.npath > 1)
		in.select.jobs = 1;
	if (ask.npath > 20 && isatty(STDERR_FILENO))
		ask.progress = progress;
	if (collect(s, &ask, c, &why) == 0)
		return 0;
	/* if all files were left out, that has been said for each */
	return s->nnode == 0 && c->left_out > 0 ? EXIT_UNUSABLE :
	    complain_why(&why);
}

/* ---- tally summarize ------------------------------------------------------- */

struct summarize {
	struct patterns names;
	unsigned scopes;        /* a bit for each */
};

static int
write_summary(const struct summary *s, const struct common *common)
{
	struct diag why = { "" };
	struct outfile out;

	if (outfile_open(&out, &common->output, &why) < 0)
		return complain_why(&why);
	summary_write(s, out.f);
	return outfile_close(&out, true, &why) < 0 ? complain_why(&why) :
	    EXIT_OK;
}

int
cmd_summarize(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "metric", option_patterns, offsetof(struct summarize, names), true },
		{ "scope", option_scopes, offsetof(struct summarize, scopes), true },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "summarize", .usage = summarize_usage, .runs = true,
		.own = own,
	};
	struct common common = { .status = 0 };
	struct summarize g = { .scopes = 0 };
	struct summary s = { .ntext = 0 };
	struct collected c;
	int status;

	if (!common_parse(&line, argc, argv, &common, &g))
		return common.status;
	if (g.scopes == 0)
		g.scopes = SUMMARY_SCOPES;
	status = summarize_files(&s, &common, &g.names, g.scopes, &c);
	if (status == EXIT_OK && s.nmetric == 0 && c.none.text[0] != '\0')
		status = complain_why(&c.none);
	else if (status == EXIT_OK)
		status = write_summary(&s, &common);
	summary_fini(&s);
	common_fini(&common);
	return status == EXIT_OK && c.left_out > 0 ? EXIT_FINDINGS : status;
}

/* ---- tally merge ----------------------------------------------------------- */

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
	if (out_close(out, rc == 0, &why) < 0 || rc < 0)
		return complain_why(&why);
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

/* tally merge --jitter: nodes by what disturbed them.  Returns an exit status. */
static int
merge_jitter(const struct common *common)
{
	struct jitter *node = calloc((size_t)common->ninput, sizeof *node);
	struct diag why = { "" };
	unsigned n = 0;
	int status = EXIT_OK;
	struct out *out;

	if (node == NULL)
		return complain("out of memory");
	for (int i = 0; i < common->ninput; i++) {
		why.text[0] = '\0';
		if (jitter_read(&node[n], common->input[i], &common->in,
		    &why) == 0) {
			n++;
			continue;
		}
		jitter_fini(&node[n]);
		complain_why(&why);
		status = EXIT_FINDINGS;
	}
	if (n == 0)
		status = EXIT_UNUSABLE;
	else if (out_open(&out, &common->output, common->format, "merge",
	    &why) < 0)
		status = complain("%s", why.text);
	else {
		if (jitter_rank_put(out, node, n) < 0)
			status = complain("out of memory");
		if (out_close(out, status != EXIT_UNUSABLE, &why) < 0)
			status = complain("%s", why.text);
	}
	for (unsigned i = 0; i < n; i++)
		jitter_fini(&node[i]);
	free(node);
	return status;
}

#define INTO(member) offsetof(struct merge, member)

int
cmd_merge(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "metric", option_patterns, INTO(names), true },
		{ "jitter", option_flag, INTO(jitter), false },
		{ "quantiles", option_flag, INTO(quantiles), false },
		{ "scope", option_scopes, INTO(scopes), true },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "merge", .usage = merge_usage, .own = own,
		.runs = true,
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
