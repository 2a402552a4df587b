/*
 * postproc/cmd/cmd_metrics.c - tally metrics: averages, or a time series.
 */
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/cmd/commands.h"
#include "postproc/pages/gather.h"

#define MAX_PATTERNS 64

static const char usage[] =
"usage: tally metrics [OPTION]... FILE...\n"
"Metrics of each dump: averages over the samples, or a value each interval.\n"
"  -m, --metric PATTERN  only metrics of that name (* and ? stand for any\n"
"                        text; may be given more than once)\n"
"  -S, --scope SCOPE     lproc, core, box, package, node, several with commas,\n"
"                        or all; default: package,node\n"
"  -M, --metrics FILE    a .metrics file, or one of Intel's lists (JSON);\n"
"                        default: what is built in for the dump's CPU\n"
"  -e, --series          a value for each interval, not the average\n"
"  -l, --list            what metrics there are, and what they lack here\n"
"  -t, --topology HOW    block, interleaved, or a file of lines\n"
"                        `LPROC PACKAGE CORE [THREAD]`\n"
COMMON_HELP;

struct ask {
	struct common common;
	const char *pattern[MAX_PATTERNS];
	unsigned npattern;
	unsigned scopes;        /* a bit each */
	const char *metrics, *topology;
	bool series, list;
};

/* One input, and the metrics of it that were asked for. */
struct chosen {
	struct metrics metrics;
	struct gather gather;
	char host[256];
	unsigned *bound;
	unsigned n;
};

static const struct table_column average_columns[] = {
	{ "node", NULL, 0, true }, { "metric", NULL, 0, true },
	{ "scope", NULL, 0, true }, { "where", NULL, 0, true },
	{ "value", NULL, 4, false }, { "unit", NULL, 0, true },
	{ "left_out", NULL, 0, false }, { "note", NULL, 0, true },
};

static const struct table_column series_columns[] = {
	{ "node", NULL, 0, true }, { "sample", NULL, 0, false },
	{ "at", "s", 3, false }, { "metric", NULL, 0, true },
	{ "scope", NULL, 0, true }, { "where", NULL, 0, true },
	{ "value", NULL, 4, false }, { "unit", NULL, 0, true },
	{ "left_out", NULL, 0, false }, { "note", NULL, 0, true },
};

static const struct table_column missing_columns[] = {
	{ "metric", NULL, 0, true }, { "missing", NULL, 0, true },
};

static const struct table_column list_columns[] = {
	{ "metric", NULL, 0, true }, { "scope", NULL, 0, true },
	{ "unit", NULL, 0, true }, { "description", NULL, 0, true },
};

static bool
parse_scopes(struct ask *ask, char *words)
{
	for (char *w = strtok(words, ","); w != NULL; w = strtok(NULL, ",")) {
		enum scope s = scope_find(w);

		if (strcmp(w, "all") == 0)
			ask->scopes = (1u << SCOPES) - 1;
		else if (s == SCOPES)
			return false;
		else
			ask->scopes |= 1u << s;
	}
	return ask->scopes != 0;
}

static bool
asked_for(const struct ask *ask, const struct metric *m)
{
	bool hit = ask->npattern == 0;

	for (unsigned i = 0; !hit && i < ask->npattern; i++)
		hit = fnmatch(ask->pattern[i], m->name, 0) == 0;
	return hit && !m->hidden;
}

static int
choose(struct chosen *c, const struct ask *ask, const char *path,
    struct diag *why)
{
	int rc = metrics_init(&c->metrics);

	if (rc < 0 || (rc = gather_open(&c->gather, path, &c->metrics,
	    ask->topology, &ask->common.select, why)) < 0 ||
	    (rc = metrics_load_for(&c->metrics, ask->metrics,
	    read_text(c->gather.reader, "model", NULL), why)) < 0)
		return rc;
	gather_host(&c->gather, c->host, sizeof c->host);
	if ((c->bound = calloc(c->metrics.n + 1, sizeof *c->bound)) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < c->metrics.n; i++)
		if (asked_for(ask, &c->metrics.metric[i])) {
			if ((rc = binding_add(&c->gather.binding,
			    &c->metrics.metric[i], &c->bound[c->n], why)) < 0)
				return rc;
			c->n++;
		}
	return 0;
}

static void
unchoose(struct chosen *c)
{
	if (c->gather.p != NULL)
		gather_close(&c->gather);
	metrics_fini(&c->metrics);
	free(c->bound);
	*c = (struct chosen){ .n = 0 };
}

static void
put_value(struct out *out, const struct metric *m, double v)
{
	/* counts are whole numbers */
	if (!isnan(v) && m->unit[0] == '\0' && v == floor(v) && fabs(v) < 9e15)
		cell_i64(out, (int64_t)v);
	else
		cell_figure(out, v);
}

static void
put_windows(struct out *out, const struct ask *ask, const struct chosen *c,
    unsigned b, const struct sums *sums)
{
	const struct binding *binding = &c->gather.binding;
	const struct metric *m = binding->bound[b].metric;
	for (enum scope s = 0; s < SCOPES && binding->bound[b].nmissing == 0;
	    s++) {
		unsigned n = ask->scopes >> s & 1 ?
		    binding_windows(binding, b, s) : 0;

		for (unsigned i = 0; i < n; i++) {
			struct window w;
			struct figure f;
			char where[80], note[500];

			if (!binding_window(binding, b, s, i, &w))
				continue;
			f = binding_eval(binding, b, &w, sums);
			window_name(binding, &w, where, sizeof where);
			cell_text(out, c->host);
			if (ask->series) {
				cell_u64(out, c->gather.now.sample);
				cell_real(out, c->gather.now.at);
			}
			cell_text(out, m->name);
			cell_text(out, scope_name(s));
			cell_text(out, where);
			put_value(out, m, f.value);
			cell_text(out, m->unit);
			cell_u64(out, f.left_out);
			cell_text(out, figure_note(binding, &f, m->note, note,
			    sizeof note));
		}
	}
}

/* An input that the dump lacks: in text in a table of its own. */
static void
put_missing(struct out *out, const struct ask *ask, const struct chosen *c,
    unsigned b)
{
	const struct bound *x = &c->gather.binding.bound[b];

	for (unsigned i = 0; i < x->nmissing; i++) {
		char note[300];

		if (ask->common.format == FORMAT_TEXT) {
			cell_text(out, i == 0 ? x->metric->name : "");
			cell_text(out, x->missing[i]);
			continue;
		}
		cell_text(out, c->host);
		if (ask->series) {
			cell_none(out);
			cell_none(out);
		}
		cell_text(out, x->metric->name);
		cell_text(out, scope_name(x->metric->scope));
		cell_text(out, "");
		cell_none(out);
		cell_text(out, x->metric->unit);
		cell_u64(out, 0);
		snprintf(note, sizeof note, "missing %s", x->missing[i]);
		cell_text(out, note);
	}
}

static int
put_node(struct out *out, const struct ask *ask, struct chosen *c,
    struct diag *why)
{
	int rc;

	if (!ask->series) {
		const struct sums *sums;

		if ((rc = gather_all(&c->gather, why)) < 0)
			return rc;
		sums = gather_sums(&c->gather);
		for (unsigned i = 0; sums->intervals > 0 && i < c->n; i++)
			put_windows(out, ask, c, c->bound[i], sums);
	} else
		while ((rc = gather_next(&c->gather, why)) > 0)
			for (unsigned i = 0; i < c->n; i++)
				put_windows(out, ask, c, c->bound[i],
				    gather_interval(&c->gather));
	return rc;
}

static void
put_list(struct out *out, const struct chosen *c)
{
	for (unsigned i = 0; i < c->n; i++) {
		const struct metric *m = c->gather.binding.bound[i].metric;
		char text[400];

		snprintf(text, sizeof text, "%s%s%s%s", m->text, m->note !=
		    NULL ? " (" : "", m->note != NULL ? m->note : "",
		    m->note != NULL ? ")" : "");
		cell_text(out, m->name);
		cell_text(out, scope_name(m->scope));
		cell_text(out, m->unit);
		cell_text(out, text);
	}
}

static bool
lacks(const struct chosen *c)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->gather.binding.bound[c->bound[i]].nmissing > 0)
			return true;
	return false;
}

/* CSV and JSON have one table, text one a node. */
static const struct table_column *
columns_of(const struct ask *ask, unsigned *n)
{
	*n = ask->list ? 4 : ask->series ? 10 : 8;
	return ask->list ? list_columns :
	    ask->series ? series_columns : average_columns;
}

/* Words for what was asked for by name, or alone, and is withheld. */
static int
explain_withheld(const struct chosen *c, const struct ask *ask,
    const char *path)
{
	int status = EXIT_OK;

	for (unsigned i = 0; i < ask->npattern; i++) {
		const char *name = ask->pattern[i];
		const char *why = metrics_withheld(&c->metrics, name);

		if (why != NULL && (c->n == 0 || strpbrk(name, "*?[") == NULL))
			status = complain("%s: metric %s is not offered: %s",
			    path, name, why);
	}
	return status;
}

/* Words where nothing that was asked for is given for the scopes asked for. */
static int
explain_scopes(const struct chosen *c, const struct ask *ask, const char *path)
{
	const struct binding *b = &c->gather.binding;
	int status = EXIT_OK;

	for (unsigned i = 0; i < c->n; i++)
		for (enum scope s = 0; s < SCOPES; s++)
			if (ask->scopes >> s & 1 &&
			    binding_windows(b, c->bound[i], s) > 0)
				return EXIT_OK;
	for (unsigned i = 0; i < c->n; i++) {
		char words[80] = "";

		if (b->bound[c->bound[i]].nmissing > 0)
			continue;
		for (enum scope s = 0; s < SCOPES; s++)
			if (binding_windows(b, c->bound[i], s) > 0)
				sprintf(words + strlen(words), "%s%s",
				    words[0] != '\0' ? "," : "", scope_name(s));
		status = complain("%s: %s is given for --scope %s", path,
		    b->bound[c->bound[i]].metric->name, words);
	}
	return status;
}

/* The figures of a package or a core may be those of another one's lprocs. */
static void
say_assumed(const struct chosen *c, const struct ask *ask, const char *path)
{
	const struct topology *t = &c->gather.topo;
	bool any = false;

	for (unsigned i = 0; i < c->n; i++)
		any |= c->gather.binding.bound[c->bound[i]].has_lproc;
	if (any && t->assumed && ask->scopes & (1u << SCOPE_OF_CORE |
	    1u << SCOPE_OF_PACKAGE))
		complain("%s: topology %s, assumed: the dump does not say "
		    "(--topology)", path, t->how);
}

static int
one_input(struct out *out, const char *path, const void *asked)
{
	const struct ask *ask = asked;
	bool text = ask->common.format == FORMAT_TEXT;
	struct chosen c = { .n = 0 };
	struct diag why = { "" };
	unsigned ncolumn;
	const struct table_column *columns = columns_of(ask, &ncolumn);
	int status = EXIT_OK, refused = EXIT_OK;

	if (choose(&c, ask, path, &why) < 0)
		status = complain_why(&why);
	else if ((refused = explain_withheld(&c, ask, path)) != EXIT_OK &&
	    c.n == 0)
		status = refused;
	else if (c.n == 0)
		status = complain("%s: no metric of that name (tally metrics "
		    "--list has them)", path);
	else {
		if (text)
			table_begin(out, "metrics", columns, ncolumn);
		if (ask->list)
			put_list(out, &c);
		else if (put_node(out, ask, &c, &why) < 0)
			status = complain("%s", why.text);
		if (text)
			table_end(out);
		if (!ask->list) {
			intervals_complain(c.gather.intervals);
			say_assumed(&c, ask, path);
		}
		if (!ask->list && intervals_samples(c.gather.intervals) < 2)
			status = EXIT_UNUSABLE;
		else if (!ask->list && status == EXIT_OK)
			status = explain_scopes(&c, ask, path);
	}
	if (status == EXIT_OK && !ask->list && lacks(&c)) {
		if (text)
			table_begin(out, "missing", missing_columns, 2);
		for (unsigned i = 0; i < c.n; i++)
			put_missing(out, ask, &c, c.bound[i]);
		if (text)
			table_end(out);
	}
	unchoose(&c);
	return status > refused ? status : refused;
}

int
cmd_metrics(int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "metric", required_argument, NULL, 'm' },
		{ "scope", required_argument, NULL, 'S' },
		{ "metrics", required_argument, NULL, 'M' },
		{ "series", no_argument, NULL, 'e' },
		{ "list", no_argument, NULL, 'l' },
		{ "topology", required_argument, NULL, 't' },
		COMMON_LONGOPTS
	};
	struct ask ask = { .npattern = 0 };
	const struct table_column *columns;
	unsigned ncolumn;
	int c;

	while ((c = getopt_long(argc, argv, "m:S:M:elt:" COMMON_OPTS, longopts,
	    NULL)) != -1)
		if (c == 'm' && ask.npattern < MAX_PATTERNS)
			ask.pattern[ask.npattern++] = optarg;
		else if (c == 'S') {
			if (!parse_scopes(&ask, optarg)) {
				complain("no such scope: expected lproc, core, "
				    "box, package, node or all");
				return EXIT_USAGE;
			}
		} else if (c == 'M')
			ask.metrics = optarg;
		else if (c == 'e')
			ask.series = true;
		else if (c == 'l')
			ask.list = true;
		else if (c == 't')
			ask.topology = optarg;
		else if (!common_option(&ask.common, c, optarg, usage))
			return ask.common.status;
	if (!common_inputs(&ask.common, argc, argv, usage))
		return ask.common.status;
	if (ask.scopes == 0)
		ask.scopes = 1u << SCOPE_OF_PACKAGE | 1u << SCOPE_OF_NODE;
	columns = columns_of(&ask, &ncolumn);
	return common_each(&ask.common, "metrics", "metrics", columns, ncolumn,
	    one_input, &ask);
}
