/*
 * postproc/cmd_totals.c - tally totals: what each counter counted.
 */
#include "postproc/commands.h"

#include <inttypes.h>
#include <string.h>

#include "postproc/gather/total_lines.h"
#include "postproc/metrics/metrics.h"
#include "postproc/out/table.h"

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
		if ((rc = cmd_totals_add(&x, &step)) < 0) {
			diag_set(&x.why, rc, "out of memory");
			break;
		}
	intervals_complain(x.iv);
	if (rc < 0)
		status = complain("%s", x.why.text);
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

static int
cmd_totals_own_option(void *asked, int c, char *arg)
{
	struct totals_ask *ask = asked;

	return c != 'S' ? 0 : option_scopes(&ask->scopes, arg);
}

int
cmd_totals(int argc, char **argv)
{
	static const struct option longopts[] = {
		{ "sum", required_argument, NULL, 'S' },
		TOPOLOGY_LONGOPT, COMMON_LONGOPTS
	};
	static const struct command_line line = {
		.name = "totals", .usage = usage, .runs = true,
		.letters = "t:" COMMON_OPTS, .options = longopts,
		.repeat = "S", .own_option = cmd_totals_own_option,
		    .one = totals_of,
	};
	struct totals_ask ask = { .scopes = 0 };

	return common_run(&line, &view, argc, argv, &ask.common, &ask);
}
