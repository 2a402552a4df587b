/*
 * postproc/cmd_metrics.c - tally metrics: averages, or a time series.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/data/select.h"
#include "postproc/metrics/gather.h"
#include "postproc/pages/metric_rows.h"

static const char usage[] =
"usage: tally metrics [OPTION]... FILE...\n"
"Metrics of each dump: averages over the samples, or a value each interval.\n"
"  -m, --metric PATTERN  only metrics of that name (* and ? stand for any\n"
"                        text), several with commas, or given again; or events\n"
"  -S, --scope SCOPE     lproc, core, ccx, box, die, numa, package, node,\n"
"                        several with commas, or all; default: package,node\n"
METRICS_HELP
"  -e, --series          a value for each interval, not the average; where\n"
"                        event sets take turns, for each round of them all\n"
"      --every SECONDS   the same, of about so many seconds each\n"
"  -l, --list            what metrics there are, and what they lack here\n"
TOPOLOGY_HELP
COMMON_HELP;

struct metrics_ask {
	struct common common;
	struct patterns names;
	unsigned scopes;        /* a bit for each */
	bool series, list;
	bool dated;             /* rows have the wall clock of their interval */
	double every;           /* s; 0: each interval */
	const struct view *view;
};

/* A file, and those of its metrics that were asked for. */
struct chosen {
	const struct metrics_ask *ask;
	struct diag why;        /* "": memory ran out */
	struct metrics metrics;
	struct gather gather;
	unsigned *bound;
	unsigned n;
};

static int
cmd_metrics_choose(struct chosen *c, const char *path)
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
	return ask->list ? 0 : gather_narrow(&c->gather, &ask->common.in,
	    NARROW_BYTES, &c->why);
}

/* Says which metrics of those asked for are withheld or do not exist; an exit status. */
static int
explain_names(const struct chosen *c, const struct metrics_ask *ask,
    const char *path)
{
	int status = EXIT_OK;
	struct diag none;

	for (unsigned i = 0; i < ask->names.n; i++) {
		const char *name = ask->names.pattern[i];
		const char *why = metrics_withheld(&c->metrics, name);

		if (why == NULL && metrics_none(&c->metrics, name, path,
		    &none) < 0)
			status = complain_why(&none);
		if (why != NULL && (c->n == 0 || strpbrk(name, "*?[") == NULL))
			status = complain("%s: metric %s is not offered: %s",
			    path, name, why);
	}
	return status;
}

/* If no metric can be had in the scopes asked for, says in which each can be; an exit
 * status. */
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

/* If the topology is a guess, says so: figures of a package or core may be of the lprocs
 * of another one. */
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

/* If the last samples of a series are in no row, says so; an exit status. */
static int
explain_rest(const struct metric_rows *r, const char *path)
{
	unsigned sets = gather_sets(r->gather);

	if (r->rest <= 0)
		return EXIT_OK;
	if (r->put == 0)
		return complain("%s: no whole rotation of its %u event sets",
		    path, sets);
	complain("%s: the last %.2f s are no whole rotation of its %u event "
	    "sets: they are in no value of theirs", path, r->rest, sets);
	return EXIT_OK;
}

/* Prints the metrics of a file; an exit status. */
static int
put_chosen(struct out *out, struct chosen *c, const char *path)
{
	const struct metrics_ask *ask = c->ask;
	struct metric_rows rows = { .scopes = ask->scopes, .series =
	    ask->series, .list = ask->list, .every = ask->every, .gather =
	    &c->gather, .bound = c->bound, .n = c->n, .why = &c->why,
	    .dated = ask->dated };
	int rc = view_put(out, ask->view, &rows), status = EXIT_OK;

	metric_rows_fini(&rows);
	out_head(out, c->gather.reader);

	if (rc < 0)
		status = complain_why(&c->why);
	if (ask->list)
		return status;
	intervals_complain(c->gather.intervals);
	if (rc < 0)
		return status;          /* the bindings may be incomplete */
	say_assumed(c, ask, path);
	if (intervals_samples(c->gather.intervals) < 2)
		status = EXIT_UNUSABLE;
	else if (status == EXIT_OK)
		status = explain_scopes(c, ask, path);
	if (status == EXIT_OK)
		status = explain_rest(&rows, path);
	if (status == EXIT_OK && metric_rows_lack(&rows))
		view_put(out, metric_rows_missing(), &rows);
	return status;
}

static int
cmd_metrics_one_input(struct out *out, const char *path, void *asked)
{
	const struct metrics_ask *ask = asked;
	struct chosen c = { .ask = ask };
	int status, refused = EXIT_OK;

	if (cmd_metrics_choose(&c, path) < 0)
		status = complain_why(&c.why);
	else if ((refused = explain_names(&c, ask, path)) != EXIT_OK &&
	    c.n == 0)
		status = refused;
	else if (c.n == 0)
		status = complain("%s: there are no metrics", path);
	else
		status = put_chosen(out, &c, path);
	gather_unload(&c.gather, &c.metrics);
	free(c.bound);
	return status > refused ? status : refused;
}

#define INTO(member) offsetof(struct metrics_ask, member)

int
cmd_metrics(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "metric", option_patterns, INTO(names), true },
		{ "scope", option_scopes, INTO(scopes), true },
		{ "series", option_flag, INTO(series), false },
		{ "list", option_flag, INTO(common.each_unread), false },
		{ "every", option_seconds, INTO(every), false },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "metrics", .usage = usage, .own = own, .runs = true,
		.one = cmd_metrics_one_input,
	};
	struct metrics_ask ask = { .scopes = 0 };

	if (!common_parse(&line, argc, argv, &ask.common, &ask))
		return ask.common.status;
	ask.common.in.events = &ask.names;
	ask.list = ask.common.each_unread;
	ask.series |= ask.every > 0;
	if (ask.scopes == 0)
		ask.scopes = 1u << SCOPE_OF_PACKAGE | 1u << SCOPE_OF_NODE;
	ask.dated = ask.series && format_dated(ask.common.format);
	ask.view = metric_rows_view(ask.series, ask.list, ask.dated);
	ask.common.status = common_each(&line, &ask.common, ask.view, &ask);
	common_fini(&ask.common);
	return ask.common.status;
}
