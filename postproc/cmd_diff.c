/*
 * postproc/cmd_diff.c - tally diff: two runs, two phases, two sets of nodes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/metrics/statistics.h"
#include "postproc/many/compare.h"
#include "lib/printable.h"

static const char usage[] =
"usage: tally diff [OPTION]... A B | A... : B... | -a RANGE -b RANGE FILE...\n"
"What changed from A to B: two dumps, two sets of nodes, or two ranges of one\n"
"dump, and so of segments of a node, which are one on either side of the colon;\n"
"and whether by more than it varies from interval to interval (of sets: from\n"
"node to node): rank-sum test; of the changes named 1 % are by chance\n"
"(Benjamini and Hochberg).  What changed by less than --least, or of estimates by\n"
"no more than two standard errors, is the same.\n"
"  -a, --first RANGE     of A, as -s of both\n"
"  -b, --second RANGE    of B\n"
"  -m, --metric PATTERN  only metrics of that name (* and ?), several with\n"
"                        commas, or given again\n"
"  -S, --scope SCOPE     lproc, core, box, package, node, several with commas,\n"
"                        or all; default: package,node\n"
"      --every SECONDS   a value so often, not each interval\n"
"      --all             figures that did not change, too\n"
"      --least PERCENT       the least change of A that counts, 0.1 or more (0.5)\n"
"      --fail-above CHANGE  'METRIC PERCENT': exit 1 if it changed by more\n"
"                        than that, whatever it varies; METRIC may be a pattern\n"
METRICS_HELP
TOPOLOGY_HELP
COMMON_HELP;

#define MAX_FAILS 32

struct fail {
	char metric[80];
	double percent;
};

struct diff_ask {
	struct common common;
	struct compare compare;
	struct diff_range {
		const char *text;       /* -a or -b as given; NULL: not given */
		struct select range;
	} range[2];
	struct runs runs[2];    /* the files of each side */
	bool all;
	struct fail fail[MAX_FAILS];
	unsigned nfail;
};

static const struct table_column columns[] = {
	{ "metric", NULL, 0, true }, { "scope", NULL, 0, true },
	{ "where", NULL, 0, true }, { "a", NULL, 3, false },
	{ "b", NULL, 3, false }, { "unit", NULL, 0, true },
	{ "change", "%", 1, false }, { "p", NULL, 4, false },
	{ "verdict", NULL, 0, COLUMN_STATE }, { "note", NULL, 0, true },
	{ "error", NULL, 4, false },
};
/* The columns of text where any figure shows an error: it stands beside the change. */
static const struct table_column beside[] = {
	{ "metric", NULL, 0, true }, { "scope", NULL, 0, true },
	{ "where", NULL, 0, true }, { "a", NULL, 3, false },
	{ "b", NULL, 3, false }, { "unit", NULL, 0, true },
	{ "change", "%", 1, false }, { "error", NULL, 4, false },
	{ "p", NULL, 4, false }, { "verdict", NULL, 0, COLUMN_STATE },
	{ "note", NULL, 0, true },
};

#define COUNT(a) (unsigned)(sizeof(a) / sizeof(a)[0])
static const struct out_table table = { "diff", columns, COUNT(columns), false },
	table_text = { "diff", columns, COUNT(columns) - 1, false },
	table_estimates = { "diff", beside, COUNT(beside), false };

#define LEAST 0.5               /* %, default of --least: nobody acts on less */
#define LEAST_SHOWN 0.1         /* %, least --least: figures that differ by less may print
				 * the same digits */

static const char *
verdict(const struct compared *f, char *buf, size_t size)
{
	const struct compared_side *a = &f->side[0], *b = &f->side[1];

	if (isnan(a->mean) && isnan(b->mean))
		return "n/a";
	if (isnan(a->mean) || isnan(b->mean)) {
		const struct compared_side *lacks = isnan(a->mean) ? a : b;

		snprintf(buf, size, "only in %s%s%s", lacks == a ? "B" : "A",
		    lacks->why[0] != '\0' ? ": " : "", lacks->why);
		return buf;
	}
	if (isnan(f->p))
		return "too few values";
	return f->varies ? "varies" : !f->changed ? "same" :
	    b->mean > a->mean ? "more" : "less";
}

/* The note of a figure: whether the difference is within its error, and the caveats of
 * the two means. */
static const char *
cmd_diff_note(const struct compared *f, char *buf, size_t size)
{
	const char *a = f->side[0].note, *b = f->side[1].note;
	size_t n = (size_t)snprintf(buf, size, "%s", f->unsure ?
	    "differs by no more than its error" : "");
	const char *then = n > 0 ? "; " : "";

	if (a[0] != '\0' && strcmp(a, b) == 0)
		snprintf(buf + n, size - n, "%s%s", then, a);
	else if (a[0] != '\0' || b[0] != '\0')
		snprintf(buf + n, size - n, "%s%s%s%s%s%s", then, a[0] != '\0' ?
		    "A: " : "", a, a[0] != '\0' && b[0] != '\0' ? "; " : "",
		    b[0] != '\0' ? "B: " : "", b);
	return buf;
}

/* Did the figure change, is it not judged, or does only one side have it? */
static bool
says_something(const struct compared *f)
{
	bool a = isnan(f->side[0].mean), b = isnan(f->side[1].mean);

	return a != b || (!a && (f->changed || isnan(f->p)));
}

/* Do people want to see the error: is it a hundredth of the figure or more, or is
 * it not known? */
static bool
shows_error(const struct compared *f)
{
	double a = fabs(f->side[0].mean), b = fabs(f->side[1].mean);

	return !isnan(a) && !isnan(b) && f->error != 0 &&
	    !(f->error < 0.01 * fmax(a, b));
}

static bool
is_put(const struct diff_ask *ask, const struct compared *f)
{
	return ask->all || says_something(f);
}

static bool
some_show_error(const struct diff_ask *ask)
{
	const struct compare *c = &ask->compare;

	for (unsigned i = 0; i < c->n; i++)
		if (is_put(ask, &c->figure[i]) && shows_error(&c->figure[i]))
			return true;
	return false;
}

static void
cmd_diff_put_error(struct out *out, const struct compared *f)
{
	if (!out_for_people(out))
		cell_figure(out, f->error != 0 ? f->error : (double)NAN);
	else if (!shows_error(f))
		cell_text(out, "");
	else if (isnan(f->error))
		cell_text(out, "unknown");
	else
		cell_figure(out, f->error);
}

static void
cmd_diff_put_rows(struct out *out, const struct diff_ask *ask)
{
	const struct compare *c = &ask->compare;
	bool people = out_for_people(out), some = people && some_show_error(ask);
	char words[640];

	table_begin(out, some ? &table_estimates : people ? &table_text :
	    &table);
	for (unsigned i = 0; i < c->n; i++) {
		const struct compared *f = &c->figure[i];

		if (!is_put(ask, f))
			continue;
		cell_text(out, f->metric);
		cell_text(out, scope_name(f->scope));
		cell_text(out, f->where);
		cell_figure(out, f->side[0].mean);
		cell_figure(out, f->side[1].mean);
		cell_text(out, f->unit);
		cell_real(out, compare_change(f));
		if (some)
			cmd_diff_put_error(out, f);
		cell_real(out, f->p);
		cell_text(out, verdict(f, words, sizeof(words)));
		cell_text(out, cmd_diff_note(f, words, sizeof(words)));
		if (!people)
			cmd_diff_put_error(out, f);
	}
	table_end(out);
}

#define NAMED 8                 /* dumps of a side whose names are printed */

static void
put_segments(struct out *out, const struct run_paths *run)
{
	if (run->n > 1)
		out_remark(out, " (and %u segment%s behind it)", run->n - 1,
		    plural(run->n - 1));
}

/* Prints which dumps each side has. */
static void
put_sides(struct out *out, const struct diff_ask *ask)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct compare_side *s = &ask->compare.side[i];
		const char *range = ask->range[i].text;
		char path[1000];

		out_remark(out, "%c: ", 'A' + (int)i);
		if (s->npath == 1)
			out_remark(out, "%s: ", s->host);
		for (unsigned k = 0; k < s->npath && k < NAMED; k++) {
			snprintf(path, sizeof(path), "%s", s->path[k]);
			out_remark(out, "%s%s", k > 0 ? " " : "",
			    printable(path));
			put_segments(out, &ask->runs[i].run[k]);
		}
		if (s->npath > NAMED)
			out_remark(out, " and %u more", s->npath - NAMED);
		if (range != NULL)
			out_remark(out, ", samples %s", range);
		out_remark(out, "\n");
	}
}

/* Prints in which traits (model, lprocs, ...) the nodes of the two sides differ. */
static void
put_differences(struct out *out, const struct compare *c)
{
	const struct traits *of[2] = { &c->side[0].traits,
	    &c->side[1].traits };
	char a[300], b[300], words[1000];
	const char *host[2] = { a, b };
	const struct trait_list l = { of, host, 2 };

	snprintf(a, sizeof(a), "A");
	snprintf(b, sizeof(b), "B");
	for (enum trait k = 0; k < TRAITS; k++)
		if (traits_differ(&l, k, words, sizeof(words)))
			out_remark(out, "A and B differ in %s\n", words);
}

/* Prints how many figures changed, and how many of the others are not judged, and why. */
static void
put_summary(struct out *out, const struct diff_ask *ask)
{
	const struct compare *c = &ask->compare;
	unsigned changed = 0, few = 0, one = 0, slight = 0, unsure = 0, vary = 0;
	const char *values = c->side[0].npath > 1 ? "nodes" : "intervals";

	for (unsigned i = 0; i < c->n; i++) {
		const struct compared *f = &c->figure[i];
		bool a = isnan(f->side[0].mean), b = isnan(f->side[1].mean);

		changed += f->changed;
		slight += f->slight;
		unsure += f->unsure;
		vary += f->varies;
		one += a != b;
		few += !a && !b && isnan(f->p);
	}
	out_remark(out, "\n%u of %u figures changed by more than they vary",
	    changed, c->tested);
	if (vary > 0)
		out_remark(out, "; %u by %g %% and more, but so do %s of a side "
		    "among themselves (--all shows them; -a and -b compare "
		    "phases)", vary, COMPARE_MUCH, values);
	if (slight > 0)
		out_remark(out, "; %u by less than %g %%, which is the same here",
		    slight, c->least);
	if (unsure > 0)
		out_remark(out, "; %u by no more than two standard errors of "
		    "estimates, which is the same, too", unsure);
	if (few > 0)
		out_remark(out, "; %u have fewer than %d values on a side, and "
		    "are not judged", few, RANK_TEST_LEAST);
	if (one > 0)
		out_remark(out, "; %u are of one side alone", one);
	out_remark(out, ".\nRank-sum test over %s; 1 %% of the changes may be "
	    "by chance (Benjamini and Hochberg).\n", values);
}

/* Compares changes with --fail-above.  Returns the exit status. */
static int
judge_fails(const struct diff_ask *ask)
{
	const struct compare *c = &ask->compare;
	int status = EXIT_OK;

	for (unsigned k = 0; k < ask->nfail; k++) {
		bool known = false;

		for (unsigned i = 0; i < c->n; i++) {
			const struct compared *f = &c->figure[i];
			double change = compare_change(f);

			if (!pattern_match(ask->fail[k].metric, f->metric))
				continue;
			known |= !isnan(f->side[0].mean) &&
			    !isnan(f->side[1].mean);
			if (!(fabs(change) > ask->fail[k].percent) &&
			    !(isnan(change) && f->side[1].mean > 0))
				continue;
			complain("%s of %s%s%s changed by %.1f %%, more than "
			    "%g %%%s", f->metric, scope_name(f->scope),
			    f->where[0] != '\0' ? " " : "", f->where, change,
			    ask->fail[k].percent, f->unsure ?
			    ", but by no more than its error" : "");
			status = EXIT_FINDINGS;
		}
		/* a metric without a value must not pass */
		if (!known)
			status = complain("--fail-above %s: not in both",
			    ask->fail[k].metric);
		if (!known)
			return status;
	}
	return status;
}

static int
diff(struct diff_ask *ask)
{
	struct diag why = { "" };
	struct out *out;
	int status;

	if (compare_run(&ask->compare, &why) < 0)
		return complain_why(&why);
	if (ask->compare.n == 0)
		return complain("no metric \"%s\" on either side (tally metrics "
		    "--list FILE has them)", ask->compare.names.n > 0 ?
		    ask->compare.names.pattern[0] : "");
	if (out_open(&out, &ask->common.output, ask->common.format, "diff",
	    &why) < 0)
		return complain("%s", why.text);
	put_sides(out, ask);
	put_differences(out, &ask->compare);
	cmd_diff_put_rows(out, ask);
	put_summary(out, ask);
	status = judge_fails(ask);
	if (out_close(out, status != EXIT_UNUSABLE, &why) < 0)
		status = complain("%s", why.text);
	return status;
}

/* Finds the files of side A and of side B.  The command line is A B, A... : B..., or one
 * run with two ranges.  False: it is neither. */
static bool
cmd_diff_split(const struct diff_ask *ask, const char *const *path[2],
    unsigned count[2])
{
	const struct common *common = &ask->common;
	unsigned n = (unsigned)common->ninput, at = 0;

	while (at < n && strcmp(common->input[at], ":") != 0)
		at++;
	path[0] = path[1] = common->input;
	if (at < n) {
		path[1] += at + 1;
		count[0] = at;
		count[1] = n - at - 1;
	} else if (ask->range[0].text && ask->range[1].text && n != 2)
		count[0] = count[1] = n;
	else {
		path[1]++;
		count[0] = n == 2;
		count[1] = 1;
	}
	return count[0] > 0 && count[1] > 0;
}

/* Sets up both sides; segments of a run are joined.  Returns EXIT_OK or another exit
 * status. */
static int
cmd_diff_sides(struct diff_ask *ask)
{
	struct compare_side *s = ask->compare.side;
	const struct common *common = &ask->common;
	const char *const *path[2];
	unsigned count[2];

	if (!cmd_diff_split(ask, path, count)) {
		complain("expected two dumps, two sets of them with : between, "
		    "or one run with -a and -b");
		return EXIT_USAGE;
	}
	for (int i = 0; i < common->ninput; i++)
		if (strcmp(common->input[i], "-") == 0)
			return complain("diff reads its files twice, and a pipe "
			    "once: write it to a file");
	for (unsigned i = 0; i < 2; i++) {
		if (!segments_join(&ask->runs[i], path[i], count[i]))
			return EXIT_UNUSABLE;
		s[i].path = ask->runs[i].first;
		s[i].npath = ask->runs[i].n;
		s[i].ask = common->in;
		if (ask->range[i].text != NULL)
			s[i].ask.select = ask->range[i].range;
		s[i].ask.select.jobs = common->jobs;
		s[i].ask.select.runs = &ask->runs[i];
	}
	return EXIT_OK;
}

static bool
take_side_range(const struct command_option *o, void *to, char *arg)
{
	struct diff_range *r = to;

	r->text = arg;
	return option_range(o, &r->range, arg);
}

static bool
take_least(const struct command_option *o, void *to, char *arg)
{
	double *least = to;
	char *end;

	*least = strtod(arg, &end);
	if (end != arg && (*end == '\0' || strcmp(end, "%") == 0) &&
	    *least >= LEAST_SHOWN && *least <= 1e6)
		return true;
	complain("--%s %s: expected per cent, %g or more", o->name, arg,
	    LEAST_SHOWN);
	return false;
}

static bool
take_fail(const struct command_option *o, void *to, char *arg)
{
	struct diff_ask *ask = to;
	struct fail *f = &ask->fail[ask->nfail];
	char percent[8] = "";

	if (ask->nfail < MAX_FAILS && sscanf(arg, "%79s %lf %7s", f->metric,
	    &f->percent, percent) >= 2 && f->percent >= 0 &&
	    (percent[0] == '\0' || strcmp(percent, "%") == 0)) {
		ask->nfail++;
		return true;
	}
	complain("--%s '%s': expected a metric and per cent: 'dram_read 5%%'",
	    o->name, arg);
	return false;
}

#define INTO(member) offsetof(struct diff_ask, member)

int
cmd_diff(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "metric", option_patterns, INTO(compare.names), true },
		{ "scope", option_scopes, INTO(compare.scopes), true },
		{ "first", take_side_range, INTO(range[0]), false },
		{ "second", take_side_range, INTO(range[1]), false },
		{ "every", option_seconds, INTO(compare.every), false },
		{ "all", option_flag, INTO(all), false },
		{ "least", take_least, INTO(compare.least), false },
		{ "fail-above", take_fail, 0, true },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "diff", .usage = usage, .own = own,
	};
	struct diff_ask *ask = calloc(1, sizeof *ask);  /* too large for a small stack */
	int status;

	if (ask == NULL)
		return complain("out of memory");
	ask->compare = (struct compare){ .share = 0.01, .least = LEAST };
	if (!common_parse(&line, argc, argv, &ask->common, ask)) {
		status = ask->common.status;
		free(ask);
		return status;
	}
	if (ask->compare.scopes == 0)
		ask->compare.scopes = 1u << SCOPE_OF_PACKAGE |
		    1u << SCOPE_OF_NODE;
	if ((status = cmd_diff_sides(ask)) == EXIT_OK)
		status = diff(ask);
	compare_fini(&ask->compare);
	runs_fini(&ask->runs[0]);
	runs_fini(&ask->runs[1]);
	free(ask);
	return status;
}
