/*
 * postproc/cmd/cmd_metrics.c - tally metrics: averages, or a time series.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/suggest.h"
#include "postproc/cmd/commands.h"
#include "postproc/data/patterns.h"
#include "postproc/pages/gather.h"

static const char usage[] =
"usage: tally metrics [OPTION]... FILE...\n"
"Metrics of each dump: averages over the samples, or a value each interval.\n"
"  -m, --metric PATTERN  only metrics of that name (* and ? stand for any\n"
"                        text), several with commas, or given again\n"
"  -S, --scope SCOPE     lproc, core, box, package, node, several with commas,\n"
"                        or all; default: package,node\n"
METRICS_HELP
"  -e, --series          a value for each interval, not the average\n"
"  -l, --list            what metrics there are, and what they lack here\n"
TOPOLOGY_HELP
COMMON_HELP;

struct metrics_ask {
	struct common common;
	struct patterns names;
	unsigned scopes;        /* a bit each */
	bool series, list;
	const struct view *view;
};

/* One input, and the metrics of it that were asked for. */
struct chosen {
	const struct metrics_ask *ask;
	struct diag why;        /* "": memory ran out */
	struct metrics metrics;
	struct gather gather;
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
parse_scopes(struct metrics_ask *ask, char *words)
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

static int
choose(struct chosen *c, const char *path)
{
	const struct metrics_ask *ask = c->ask;
	int rc = gather_load(&c->gather, &c->metrics, path, &ask->common.in,
	    &c->why);

	if (rc < 0)
		return rc;
	if ((c->bound = calloc(c->metrics.n + 1, sizeof *c->bound)) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < c->metrics.n; i++) {
		const struct metric *m = metrics_at(&c->metrics, i);

		if (m->hidden || !patterns_match(&ask->names, m->name))
			continue;
		if ((rc = binding_add(&c->gather.binding, m, &c->bound[c->n],
		    &c->why)) < 0)
			return rc;
		c->n++;
	}
	return 0;
}

static void
unchoose(struct chosen *c)
{
	gather_unload(&c->gather, &c->metrics);
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
put_window(struct out *out, const struct chosen *c, unsigned b,
    const struct window *w, const struct sums *sums)
{
	const struct binding *binding = &c->gather.binding;
	const struct metric *m = binding->bound[b].metric;
	struct figure f = binding_eval(binding, b, w, sums);
	char where[80], note[500];

	window_name(binding, w, where, sizeof where);
	cell_text(out, c->gather.host);
	if (c->ask->series) {
		cell_u64(out, c->gather.now.sample);
		cell_real(out, c->gather.now.at);
	}
	cell_text(out, m->name);
	cell_text(out, scope_name(w->scope));
	cell_text(out, where);
	put_value(out, m, f.value);
	cell_text(out, m->unit);
	cell_u64(out, f.left_out);
	cell_text(out, figure_note(binding, &f, m->note, note, sizeof note));
}

static void
put_windows(struct out *out, const struct chosen *c, unsigned b,
    const struct sums *sums)
{
	const struct binding *binding = &c->gather.binding;

	if (binding->bound[b].nmissing > 0)
		return;
	for (enum scope s = 0; s < SCOPES; s++) {
		unsigned n = c->ask->scopes >> s & 1 ?
		    binding_windows(binding, b, s) : 0;

		for (unsigned i = 0; i < n; i++) {
			struct window w;

			if (binding_window(binding, b, s, i, &w))
				put_window(out, c, b, &w, sums);
		}
	}
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

static int
put_rows(struct out *out, void *what)
{
	struct chosen *c = what;
	const struct sums *sums;
	int rc = 0;

	if (c->ask->list) {
		put_list(out, c);
		return 0;
	}
	while (c->ask->series && (rc = gather_next(&c->gather, &c->why)) > 0)
		for (unsigned i = 0; i < c->n; i++)
			put_windows(out, c, c->bound[i],
			    gather_interval(&c->gather));
	if (c->ask->series || (rc = gather_all(&c->gather, &c->why)) < 0)
		return rc;
	sums = gather_sums(&c->gather);
	for (unsigned i = 0; sums->intervals > 0 && i < c->n; i++)
		put_windows(out, c, c->bound[i], sums);
	return 0;
}

/* People get a table of each file. */
static int
put_page(struct out *out, void *what)
{
	struct chosen *c = what;
	int rc;

	table_begin(out, &c->ask->view->table);
	rc = put_rows(out, c);
	table_end(out);
	return rc;
}

#define VIEW(columns) { .table = { "metrics", columns, \
	sizeof columns / sizeof *columns, false }, \
	.rows = put_rows, .page = put_page }
static const struct view average_view = VIEW(average_columns);
static const struct view series_view = VIEW(series_columns);
static const struct view list_view = VIEW(list_columns);

/* Inputs that the dump lacks: rows like the others, without a value. */
static int
missing_rows(struct out *out, void *what)
{
	const struct chosen *c = what;
	const struct metrics_ask *ask = c->ask;

	for (unsigned k = 0; k < c->n; k++) {
		const struct bound *x = &c->gather.binding.bound[c->bound[k]];

		for (unsigned i = 0; i < x->nmissing; i++) {
			char note[300];

			cell_text(out, c->gather.host);
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
			snprintf(note, sizeof note, "missing %s",
			    x->missing[i]);
			cell_text(out, note);
		}
	}
	return 0;
}

/* For people: in a table of their own. */
static int
missing_page(struct out *out, void *what)
{
	static const struct out_table table = { "missing", missing_columns, 2,
	    false };
	const struct chosen *c = what;

	table_begin(out, &table);
	for (unsigned k = 0; k < c->n; k++) {
		const struct bound *x = &c->gather.binding.bound[c->bound[k]];

		for (unsigned i = 0; i < x->nmissing; i++) {
			cell_text(out, i == 0 ? x->metric->name : "");
			cell_text(out, x->missing[i]);
		}
	}
	table_end(out);
	return 0;
}

static const struct view missing_view = {
	.rows = missing_rows, .page = missing_page,
};

/* Words for a name that no metric has, and for one that is like it. */
static int
explain_none(const struct chosen *c, const char *name, const char *path)
{
	struct near near;

	near_init(&near, name);
	for (unsigned k = 0; k < c->metrics.n; k++) {
		const struct metric *m = metrics_at(&c->metrics, k);

		if (!m->hidden && pattern_match(name, m->name))
			return EXIT_OK;
		if (!m->hidden)
			near_try(&near, m->name);
	}
	return complain("%s: no metric \"%s\"%s%s (tally metrics --list has "
	    "them)", path, name, near.name != NULL ? "; did you mean " : "",
	    near.name != NULL ? near.name : "");
}

/* Words for each that was asked for by name and is withheld, or is not there. */
static int
explain_names(const struct chosen *c, const struct metrics_ask *ask,
    const char *path)
{
	int status = EXIT_OK, s;

	for (unsigned i = 0; i < ask->names.n; i++) {
		const char *name = ask->names.pattern[i];
		const char *why = metrics_withheld(&c->metrics, name);

		if (why == NULL && (s = explain_none(c, name, path)) > status)
			status = s;
		if (why != NULL && (c->n == 0 || strpbrk(name, "*?[") == NULL))
			status = complain("%s: metric %s is not offered: %s",
			    path, name, why);
	}
	return status;
}

/* Words where nothing that was asked for is given for the scopes asked for. */
static int
explain_scopes(const struct chosen *c, const struct metrics_ask *ask,
    const char *path)
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
say_assumed(const struct chosen *c, const struct metrics_ask *ask,
    const char *path)
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

static bool
lacks(const struct chosen *c)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->gather.binding.bound[c->bound[i]].nmissing > 0)
			return true;
	return false;
}

/* What was asked for, printed; an exit status. */
static int
put_chosen(struct out *out, struct chosen *c, const char *path)
{
	const struct metrics_ask *ask = c->ask;
	int rc = view_put(out, ask->view, c), status = EXIT_OK;

	if (rc < 0)
		status = complain_why(&c->why);
	if (ask->list)
		return status;
	intervals_complain(c->gather.intervals);
	say_assumed(c, ask, path);
	if (intervals_samples(c->gather.intervals) < 2)
		status = EXIT_UNUSABLE;
	else if (status == EXIT_OK)
		status = explain_scopes(c, ask, path);
	if (status == EXIT_OK && lacks(c))
		view_put(out, &missing_view, c);
	return status;
}

static int
one_input(struct out *out, const char *path, void *asked)
{
	const struct metrics_ask *ask = asked;
	struct chosen c = { .ask = ask };
	int status, refused = EXIT_OK;

	if (choose(&c, path) < 0)
		status = complain_why(&c.why);
	else if ((refused = explain_names(&c, ask, path)) != EXIT_OK &&
	    c.n == 0)
		status = refused;
	else if (c.n == 0)
		status = complain("%s: there are no metrics", path);
	else
		status = put_chosen(out, &c, path);
	unchoose(&c);
	return status > refused ? status : refused;
}

static int
own_option(void *asked, int c, char *arg)
{
	struct metrics_ask *ask = asked;
	struct diag why;

	switch (c) {
	case 'm':
		if (patterns_add(&ask->names, arg, &why) == 0)
			return 1;
		complain("%s", why.text);
		return -1;
	case 'S':
		if (parse_scopes(ask, arg))
			return 1;
		complain("no such scope: expected lproc, core, box, package, "
		    "node or all");
		return -1;
	case 'e':
		ask->series = true;
		return 1;
	case 'l':
		ask->list = true;
		return 1;
	default:
		return 0;
	}
}

int
cmd_metrics(int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "metric", required_argument, NULL, 'm' },
		{ "scope", required_argument, NULL, 'S' },
		{ "series", no_argument, NULL, 'e' },
		{ "list", no_argument, NULL, 'l' },
		METRICS_LONGOPT, TOPOLOGY_LONGOPT, COMMON_LONGOPTS
	};
	static const struct command_line line = {
		.name = "metrics", .usage = usage,
		.letters = "m:S:M:elt:" COMMON_OPTS, .options = longopts,
		.repeat = "mS", .own_option = own_option, .one = one_input,
	};
	struct metrics_ask ask = { .scopes = 0 };

	if (!common_parse(&line, argc, argv, &ask.common, &ask))
		return ask.common.status;
	if (ask.scopes == 0)
		ask.scopes = 1u << SCOPE_OF_PACKAGE | 1u << SCOPE_OF_NODE;
	ask.view = ask.list ? &list_view : ask.series ? &series_view :
	    &average_view;
	return common_each(&line, &ask.common, ask.view, &ask);
}
