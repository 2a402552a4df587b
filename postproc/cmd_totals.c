/*
 * postproc/cmd_totals.c - tally totals: what each counter counted, column by column or
 * added up over units.
 */
#include "postproc/commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/data/layout.h"
#include "postproc/data/series.h"
#include "postproc/data/totals.h"
#include "postproc/formula/metrics.h"

static const char usage[] =
"usage: tally totals [--sum SCOPES] [-s RANGE] [-f FORMAT] [-o FILE] FILE...\n"
"What each counter counted from the first sample of a range to its last.\n"
"Text is assignments, imc_counts_total[0][0][\"CAS_COUNT.READS\"] = 123, and\n"
"beside a total that some interval is not in, imc_counts_left_out... says why.\n"
"imc_counts_doubtful...: it is all that was counted, but not to be relied on.\n"
"Of an event whose set was multiplexed, ..._share is the part of the time that\n"
"it was counted, and ..._estimate the total scaled to all of the time.\n"
"      --sum SCOPES      not of each column, but added up over lprocs and boxes:\n"
"                        core, ccx, die, numa, package, node, several with commas\n"
"                        (lproc, box: as they are); core_counts_node_total[\"X\"]\n"
TOPOLOGY_HELP
COMMON_HELP;

/* ---- lines: one for each column, or for columns added up over units --------- */

struct total_line {
	struct column_id id;    /* of a sum over units: their package, core, ... */
	const char *scope;      /* "_package" and so on; "" of a single column */
	uint64_t total;
	bool some;              /* at least one interval is in the total */
	bool part;              /* some interval is left out, or is in the total
				 * though its delta is doubtful */
	bool doubtful;          /* no interval is left out, some are doubtful */
	uint32_t left_out;      /* intervals left out; of a sum: of the column
				 * that lacks most */
	double seconds;         /* the time that the total is of */
	double share;           /* the part of that in which it was counted */
	double estimate;        /* total / share; 0 where share is 1 */
	char why[300];          /* why intervals are left out; "": none is */
};

struct summing {
	struct reader *reader;
	const struct totals *totals;
	unsigned scopes;        /* bits of enum scope: sums over which units; 0:
				 * each column by itself */
	const char *topology;   /* as topology_of_dump takes it */
	bool assumed;           /* out: the dump does not say which lproc is
				 * where, so that a rule was used */
};

typedef int put_line(void *ctx, const struct total_line *);

/* "2 of 29 intervals: absent, ...; its group did not run"; "" where nothing is left
 * out. */
static void
why_left_out(const struct totals *t, unsigned c, char *buf, size_t size)
{
	uint32_t n = totals_left_out(t, c);
	const char *missed = n < t->intervals ? totals_missed(t, c) : NULL;
	size_t at;

	buf[0] = '\0';
	if (n + totals_doubtful(t, c) > 0)
		left_out_words(&t->left[c], t->intervals, buf, size);
	at = strlen(buf);
	if (missed != NULL)
		snprintf(buf + at, size - at, "%s%s", at > 0 ? "; " : "",
		    missed);
}

static void
totals_line_of(const struct summing *s, unsigned c, struct total_line *l)
{
	const struct totals *t = s->totals;
	uint32_t left = totals_left_out(t, c);

	*l = (struct total_line){ .id = read_column(s->reader, c)->id,
	    .scope = "", .total = t->sum[c], .left_out = left,
	    .some = left < t->intervals && totals_missed(t, c) == NULL,
	    .seconds = totals_seconds(t, c), .share = totals_share(t, c),
	    .doubtful = left == 0 && totals_doubtful(t, c) > 0 };
	if (l->share > 0 && l->share < 0.9999 && l->some)
		l->estimate = (double)l->total / l->share;
	why_left_out(t, c, l->why, sizeof(l->why));
	l->part = l->why[0] != '\0';
}

/* ---- sums -------------------------------------------------------------- */

/* The number, from 0, of the package, die, core, ... that a unit is in, whose indices
 * go into id; NO_RANK: it is in none. */
static uint32_t
total_lines_place_of(const struct topology *t, const struct series *s,
    uint32_t unit, enum scope scope, struct column_id *id)
{
	const struct regions *in = scope == SCOPE_OF_CCX ? &t->ccx :
	    scope == SCOPE_OF_DIE ? &t->die : &t->numa;
	uint32_t pkg = unit, rank = 0, at;

	id->nindex = 0;
	if (scope == SCOPE_OF_NODE)
		return 0;
	if (s->level == LEVEL_LPROC) {
		if (unit >= t->max_lproc ||
		    (rank = t->rank_of[unit]) == NO_RANK)
			return NO_RANK;
		for (pkg = 0; rank >= t->pkg_first[pkg + 1];)
			pkg++;
	}
	if (scope != SCOPE_OF_NUMA)
		id->index[id->nindex++] = pkg;
	if (scope == SCOPE_OF_PACKAGE)
		return pkg < t->npkg ? pkg : NO_RANK;
	at = scope == SCOPE_OF_CORE ? t->core_of[rank] : in->of[rank];
	if (at != NO_RANK)
		id->index[id->nindex++] = scope == SCOPE_OF_CORE ?
		    (uint32_t)t->core_id[at] : (uint32_t)in->region[at].id;
	return at;
}

/* Adds a column to a sum, as the nth. */
static void
total_lines_add_line(struct total_line *sum, const struct total_line *l,
    uint32_t n)
{
	char words[sizeof(sum->why)];

	sum->total += l->some ? l->total : 0;
	sum->estimate += !l->some ? 0 : l->estimate > 0 ? l->estimate :
	    (double)l->total;
	sum->seconds += (l->seconds - sum->seconds) / n;
	sum->doubtful = (sum->doubtful || !sum->part) && l->doubtful ? true :
	    sum->doubtful && !l->part;
	sum->some |= l->some;
	sum->part |= l->part;
	if (l->left_out > sum->left_out)
		sum->left_out = l->left_out;
	if (l->part && sum->why[0] == '\0') {
		column_text(&l->id, "", words, sizeof(words));
		snprintf(sum->why, sizeof(sum->why), "%.120s: %.170s", words,
		    l->why);
	}
}

struct adding {
	struct total_line line;
	uint32_t n, lack;       /* columns; those with line.part */
};

static int
put_sums(const struct summing *s, const struct topology *t,
    const struct series *x, enum scope scope, put_line *put, void *ctx)
{
	uint32_t most = t->nlproc + t->npkg + 1, at;
	struct adding *a = calloc(most, sizeof(*a));
	char name[32], words[sizeof(a->line.why)];
	int rc = a == NULL ? -ENOMEM : 0;

	snprintf(name, sizeof(name), "_%s", scope_name(scope));
	for (uint32_t i = 0; a != NULL && i < x->n; i++) {
		struct column_id id = { .family = x->family,
		    .event = x->event };
		struct total_line l;

		if ((at = total_lines_place_of(t, x, x->unit[i].unit, scope,
		    &id)) == NO_RANK)
			continue;
		totals_line_of(s, x->unit[i].column, &l);
		if (a[at].n++ == 0)
			a[at].line = (struct total_line){ .id = id,
			    .scope = name };
		a[at].lack += l.part;
		total_lines_add_line(&a[at].line, &l, a[at].n);
	}
	for (at = 0; rc == 0 && at < most; at++) {
		struct total_line *l = &a[at].line;

		if (a[at].n == 0)
			continue;
		l->share = l->estimate > 0 ? (double)l->total / l->estimate : 1;
		if (l->part) {
			snprintf(words, sizeof(words), "%s", l->why);
			snprintf(l->why, sizeof(l->why), "%" PRIu32 " of %" PRIu32
			    "; %.260s", a[at].lack, a[at].n, words);
		}
		rc = put(ctx, l);
	}
	free(a);
	return rc;
}

/* The lines of one event, from the narrowest scope to the widest: its columns as they
 * are in the dump where their own scope is asked for, else sums of them. */
static int
total_lines_put_series(const struct summing *s, const struct topology *t,
    const struct series *x, put_line *put, void *ctx)
{
	static const enum scope own[] = { [LEVEL_LPROC] = SCOPE_OF_LPROC,
		[LEVEL_BOX] = SCOPE_OF_BOX, [LEVEL_PACKAGE] = SCOPE_OF_PACKAGE,
		[LEVEL_NODE] = SCOPE_OF_NODE };
	struct total_line l;
	int rc = 0;

	for (enum scope scope = 0; rc == 0 && scope < SCOPES; scope++) {
		if (!(s->scopes >> scope & 1))
			continue;
		for (uint32_t i = 0; scope == own[x->level] && rc == 0 &&
		    i < x->n; i++) {
			totals_line_of(s, x->unit[i].column, &l);
			rc = put(ctx, &l);
		}
		if (scope == SCOPE_OF_NODE ? x->level != LEVEL_NODE :
		    scope == SCOPE_OF_PACKAGE ? x->level < LEVEL_PACKAGE :
		    scope != SCOPE_OF_BOX && scope != own[x->level] &&
		    x->level == LEVEL_LPROC)
			rc = put_sums(s, t, x, scope, put, ctx);
	}
	return rc;
}

static int
total_lines_add_up(struct summing *s, put_line *put, void *ctx,
    struct diag *why)
{
	struct seriesset series = { .n = 0 };
	struct topology topo = { .nlproc = 0 };
	int rc = 0;

	for (unsigned c = 0; c < s->totals->ncol && rc == 0; c++)
		rc = series_add(&series, c, read_column(s->reader, c));
	if (rc == 0 && (rc = topology_of_dump(&topo, s->reader, series.nlproc,
	    series.npkg, s->topology, why)) == 0)
		s->assumed = topo.assumed;
	for (uint32_t i = 0; i < series.n && rc == 0; i++)
		if (series.series[i].counter)
			rc = total_lines_put_series(s, &topo,
			    &series.series[i], put, ctx);
	topology_fini(&topo);
	series_fini(&series);
	return rc;
}

/* Calls `put` for each line, until it returns other than 0.  Returns that, 0 or -ENOMEM. */
static int
total_lines(struct summing *s, put_line *put, void *ctx, struct diag *why)
{
	struct total_line l;
	int rc = 0;

	if (s->scopes != 0)
		return total_lines_add_up(s, put, ctx, why);
	for (unsigned c = 0; c < s->totals->ncol && rc == 0; c++) {
		if (!class_is_counter(read_column(s->reader, c)->cls))
			continue;
		totals_line_of(s, c, &l);
		rc = put(ctx, &l);
	}
	return rc;
}

/* ---- printed ------------------------------------------------------------------ */

static const struct table_column columns[] = {
	{ "file", NULL, 0, true }, { "first", "sample", 0, false },
	{ "last", "sample", 0, false }, { "column", NULL, 0, true },
	{ "total", NULL, 0, false }, { "unit", NULL, 0, true },
	{ "time", "s", 6, false }, { "left_out", "intervals", 0, false },
	{ "why", NULL, 0, true }, { "share", NULL, 6, false },
	{ "estimate", NULL, 0, false },
};

struct summed {
	struct intervals *iv;
	struct totals t;
	struct summing how;
	struct diag why;
};

struct totals_ask {
	struct common common;
	unsigned scopes;        /* a bit for each to add up to; 0: each column by
				 * itself */
};

/* Prints imc_counts_package_total[0]["X"]. */
static void
put_line_name(FILE *f, const struct total_line *l, const char *what)
{
	char suffix[32], name[MAX_NAME];

	snprintf(suffix, sizeof(suffix), "%s%s", l->scope, what);
	column_text(&l->id, suffix, name, sizeof(name));
	fputs(name, f);
}

static int
print_assignment(void *to, const struct total_line *l)
{
	FILE *f = to;
	char words[32];

	if (l->some) {
		put_line_name(f, l, "_total");
		fprintf(f, " = %" PRIu64 "\n", l->total);
	}
	if (l->share < 0.9999) {
		put_line_name(f, l, "_share");
		fprintf(f, " = %s\n", figure_text(words, sizeof(words),
		    l->share, 6));
	}
	if (l->share > 0 && l->share < 0.9999 && l->some) {
		put_line_name(f, l, "_estimate");
		fprintf(f, " = %.0f\n", l->estimate);
	}
	if (l->part) {
		put_line_name(f, l, l->doubtful ? "_doubtful" : "_left_out");
		fputs(" = ", f);
		put_json(f, l->why);
		fputc('\n', f);
	}
	return 0;
}

static int
print_assignments(struct out *out, void *what)
{
	struct summed *x = what;
	FILE *f = out_file(out);

	fputs("totals_file = ", f);
	put_json(f, read_path(x->how.reader));
	fprintf(f, "\ntotals_first = %" PRIu64 "\ntotals_last = %" PRIu64
	    "\ntotals_seconds = %.6f\n", intervals_first(x->iv),
	    intervals_last(x->iv), x->t.seconds);
	return total_lines(&x->how, print_assignment, f, &x->why);
}

struct row_to {
	struct out *out;
	const struct summed *of;
};

static int
print_row(void *to, const struct total_line *l)
{
	const struct row_to *row = to;
	struct out *out = row->out;
	char name[MAX_NAME];

	cell_text(out, read_path(row->of->how.reader));
	cell_u64(out, intervals_first(row->of->iv));
	cell_u64(out, intervals_last(row->of->iv));
	column_text(&l->id, l->scope, name, sizeof(name));
	cell_text(out, name);
	if (l->some)
		cell_u64(out, l->total);
	else
		cell_none(out);
	cell_text(out, l->id.family->unit);
	cell_real(out, l->seconds);
	cell_u64(out, l->left_out);
	cell_text(out, l->why);
	cell_figure(out, l->share);
	if (l->share > 0 && l->share < 0.9999 && l->some)
		cell_real(out, l->estimate);
	else
		cell_none(out);
	return 0;
}

static int
cmd_totals_print_rows(struct out *out, void *what)
{
	struct summed *x = what;
	struct row_to to = { out, x };

	return total_lines(&x->how, print_row, &to, &x->why);
}

static const struct view view = {
	.table = { "totals", columns, sizeof(columns) / sizeof(columns[0]),
	    false },
	.rows = cmd_totals_print_rows, .page = print_assignments,
};

static int
cmd_totals_add(struct summed *x, const struct interval *step)
{
	struct totals *t = &x->t;
	int rc;

	if ((rc = turns_load(&t->turns, intervals_reader(x->iv), step->ncol,
	    t->sum)) < 0 || (rc = own_time_load(&t->own, x->iv, NULL,
	    step->ncol)) < 0)
		return rc;
	own_time_add(&t->own, x->iv, step);
	return totals_add(t, step);
}

static int
totals_of(struct out *out, const char *path, void *asked)
{
	const struct totals_ask *ask = asked;
	struct summed x = { .how = { .scopes = ask->scopes,
	    .topology = ask->common.in.topology } };
	struct totals *t = &x.t;
	struct interval step;
	int rc, status = EXIT_OK;

	if (intervals_open(&x.iv, path, &ask->common.in.select, &x.why) < 0)
		return complain("%s", x.why.text);
	x.how.reader = intervals_reader(x.iv);
	x.how.totals = t;
	while ((rc = intervals_next(x.iv, &step, &x.why)) > 0)
		if ((rc = cmd_totals_add(&x, &step)) < 0)
			break;
	intervals_complain(x.iv);
	if (rc < 0)
		status = complain_why(&x.why);
	else if (t->intervals == 0)
		status = EXIT_UNUSABLE;
	else if (view_put(out, &view, &x) < 0)
		status = complain_why(&x.why);
	if (x.how.assumed && ask->scopes & ~(1u << SCOPE_OF_LPROC |
	    1u << SCOPE_OF_BOX | 1u << SCOPE_OF_NODE))
		complain("%s: topology block, assumed: the dump does not say "
		    "(--topology)", path);
	totals_fini(t);
	intervals_close(x.iv);
	return status;
}

int
cmd_totals(int argc, char **argv)
{
	static const struct command_option own[] = {
		{ "sum", option_scopes, offsetof(struct totals_ask, scopes), true },
		{ 0 }
	};
	static const struct command_line line = {
		.name = "totals", .usage = usage, .runs = true,
		.own = own, .one = totals_of,
	};
	struct totals_ask ask = { .scopes = 0 };

	return common_run(&line, &view, argc, argv, &ask.common, &ask);
}
