/*
 * postproc/cmd_deltas.c - tally deltas: what each counter counted, interval by
 * interval.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"
#include "postproc/data/turns.h"
#include "postproc/data/totals.h"
#include "postproc/out/table.h"

static const char usage[] =
"usage: tally deltas [-s RANGE] [-f FORMAT] [-o FILE] FILE...\n"
"What each counter counted in each interval, under the sample that ends it.\n"
"Text is assignments, imc_counts_delta[0][0][\"CAS_COUNT.READS\"][20] = 123; an\n"
"interval without a good value has imc_counts_left_out...[20] = \"reset\", one\n"
"with a value not to be relied on imc_counts_doubtful...[20] = \"stopped\".\n"
"Of a multiplexed event, ..._share[20] is the part of the interval that\n"
"its delta is of.\n"
COMMON_HELP;

static const struct table_column columns[] = {
	{ "file", NULL, 0, true }, { "sample", NULL, 0, false },
	{ "at", "s", 6, false }, { "interval", "s", 6, false },
	{ "column", NULL, 0, true }, { "delta", NULL, 0, false },
	{ "unit", NULL, 0, true }, { "kind", NULL, 0, true },
	{ "share", NULL, 6, false },
};

/* The names name_delta[0][3]["X"] of all columns, each made once. */
struct labels {
	char **text;
	unsigned n;
};

static const char *
cmd_deltas_label(struct labels *l, const struct reader *r, unsigned c)
{
	const struct column *col = read_column(r, c);

	if (c >= l->n) {
		unsigned n = read_columns(r);
		char **p = reallocarray(l->text, n, sizeof(*p));

		if (p == NULL)
			return NULL;
		memset(p + l->n, 0, (n - l->n) * sizeof(*p));
		l->text = p;
		l->n = n;
	}
	if (l->text[c] == NULL)
		l->text[c] = column_string(&col->id, "_delta");
	return l->text[c];
}

static void
labels_fini(struct labels *l)
{
	for (unsigned i = 0; i < l->n; i++)
		free(l->text[i]);
	free(l->text);
}

static void
put_u64(FILE *f, uint64_t v)
{
	char s[20], *p = s + sizeof(s);

	do
		*--p = (char)('0' + v % 10);
	while ((v /= 10) != 0);
	fwrite_unlocked(p, 1, (size_t)(s + sizeof(s) - p), f);
}

/* The interval that is printed. */
struct stepped {
	struct intervals *iv;
	const struct reader *reader;
	struct turns turns;
	struct interval step;
	struct labels labels;
	bool begun;             /* the name of the file has been printed */
};

static int
cmd_deltas_print_assignments(struct out *out, void *what)
{
	struct stepped *x = what;
	const struct reader *r = x->reader;
	const struct turns *turns = &x->turns;
	const struct interval *step = &x->step;
	FILE *f = out_file(out);
	char text[400];

	if (!x->begun) {
		fputs("deltas_file = ", f);
		put_json(f, read_path(r));
		putc('\n', f);
		x->begun = true;
	}
	fprintf(f, "delta_seconds[%" PRIu64 "] = %.6f\n", step->sample,
	    step->seconds);
	for (unsigned c = 0; c < step->ncol; c++) {
		const char *name;
		double share;

		if (step->kind[c] == DELTA_NONE)
			continue;
		if (!counted(turns, step, c)) {
			put_name(f, read_column(r, c), "_left_out");
			fprintf(f, "[%" PRIu64 "] = \"%s\"\n", step->sample,
			    counted_word(turns, step, c));
			continue;
		}
		if ((name = cmd_deltas_label(&x->labels, r, c)) == NULL)
			return -ENOMEM;
		fputs_unlocked(name, f);
		putc_unlocked('[', f);
		put_u64(f, step->sample);
		fputs_unlocked("] = ", f);
		put_u64(f, step->delta[c]);
		putc_unlocked('\n', f);
		if (step->kind[c] >= DELTA_NONE) {
			put_name(f, read_column(r, c), "_doubtful");
			fprintf(f, "[%" PRIu64 "] = \"%s\"\n", step->sample,
			    delta_word(step->kind[c]));
		}
		if ((share = counted_share(turns, step, c)) >= 0.9999)
			continue;
		put_name(f, read_column(r, c), "_share");
		fprintf(f, "[%" PRIu64 "] = %s\n", step->sample,
		    figure_text(text, sizeof(text), share, 6));
	}
	return 0;
}

static int
cmd_deltas_print_rows(struct out *out, void *what)
{
	struct stepped *x = what;
	const struct reader *r = x->reader;
	const struct turns *turns = &x->turns;
	const struct interval *step = &x->step;

	for (unsigned c = 0; c < step->ncol; c++) {
		const struct column *col = read_column(r, c);

		if (step->kind[c] == DELTA_NONE)
			continue;
		cell_text(out, read_path(r));
		cell_u64(out, step->sample);
		cell_real(out, step->at);
		cell_real(out, intervals_own_seconds(x->iv, step, c));
		cell_text(out, col->name);
		if (counted(turns, step, c))
			cell_u64(out, step->delta[c]);
		else
			cell_none(out);
		cell_text(out, col->id.family->unit);
		cell_text(out, counted_word(turns, step, c));
		cell_figure(out, counted_share(turns, step, c));
	}
	return 0;
}

static const struct view view = {
	.table = { "deltas", columns, sizeof(columns) / sizeof(columns[0]),
	    false },
	.rows = cmd_deltas_print_rows, .page = cmd_deltas_print_assignments,
};

static int
deltas_of(struct out *out, const char *path, void *asked)
{
	const struct common *common = asked;
	struct stepped x = { .iv = NULL };
	struct diag why = { "" };
	bool any = false;
	int rc;

	if (intervals_open(&x.iv, path, &common->in.select, &why) < 0)
		return complain("%s", why.text);
	x.reader = intervals_reader(x.iv);
	while ((rc = intervals_next(x.iv, &x.step, &why)) > 0) {
		any = true;
		if ((rc = turns_load(&x.turns, x.reader, x.step.ncol,
		    x.step.delta)) < 0 || (rc = view_put(out, &view, &x)) < 0)
			break;
	}
	intervals_complain(x.iv);
	if (rc < 0)
		complain_why(&why);
	labels_fini(&x.labels);
	turns_fini(&x.turns);
	intervals_close(x.iv);
	return rc == 0 && any ? EXIT_OK : EXIT_UNUSABLE;
}

int
cmd_deltas(int argc, char **argv)
{
	static const struct command_line line = {
		.name = "deltas", .usage = usage, .runs = true, .one = deltas_of,
	};
	struct common common = { .status = EXIT_OK };

	return common_run(&line, &view, argc, argv, &common, &common);
}
