/*
 * postproc/cmd/cmd_totals.c - tally totals: what each counter counted.
 */
#include "postproc/cmd/commands.h"

#include <inttypes.h>
#include <string.h>

#include "postproc/data/totals.h"
#include "postproc/out/quote.h"

static const char usage[] =
"usage: tally totals [-s RANGE] [-f FORMAT] [-o FILE] FILE...\n"
"What each counter counted from the first sample of a range to its last.\n"
"Text is assignments, imc_counts_total[0][0][\"CAS_COUNT.READS\"] = 123, and\n"
"beside a total that some interval is not in, imc_counts_left_out... says why.\n"
"imc_counts_doubtful...: it is all that was counted, but not to be relied on.\n"
"Of an event whose set was multiplexed, ..._share is the part of the time that\n"
"it was counted, and ..._estimate the total scaled to all of the time.\n"
COMMON_HELP;

static const struct table_column columns[] = {
	{ "file", NULL, 0, true }, { "first", "sample", 0, false },
	{ "last", "sample", 0, false }, { "column", NULL, 0, true },
	{ "total", NULL, 0, false }, { "unit", NULL, 0, true },
	{ "time", "s", 6, false }, { "left_out", "intervals", 0, false },
	{ "why", NULL, 0, true }, { "share", NULL, 6, false },
	{ "estimate", NULL, 0, false },
};

/* "2 of 29 intervals: absent, ...; its group did not run"; "": nothing. */
static const char *
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
	return buf;
}

struct summed {
	struct intervals *iv;
	struct totals t;
};

static int
print_assignments(struct out *out, void *what)
{
	const struct summed *x = what;
	const struct totals *t = &x->t;
	const struct reader *r = intervals_reader(x->iv);
	FILE *f = out_file(out);
	char words[400];

	fputs("totals_file = ", f);
	put_json(f, read_path(r));
	fprintf(f, "\ntotals_first = %" PRIu64 "\ntotals_last = %" PRIu64
	    "\ntotals_seconds = %.6f\n", intervals_first(x->iv),
	    intervals_last(x->iv), t->seconds);
	for (unsigned c = 0; c < t->ncol; c++) {
		const struct column *col = read_column(r, c);
		bool some = totals_left_out(t, c) < t->intervals &&
		    totals_missed(t, c) == NULL;
		double share = totals_share(t, c);

		if (!class_is_counter(col->cls))
			continue;
		if (some) {
			put_name(f, col, "_total");
			fprintf(f, " = %" PRIu64 "\n", t->sum[c]);
		}
		if (share < 0.9999) {
			put_name(f, col, "_share");
			fprintf(f, " = %s\n", figure_text(words,
			    sizeof(words), share, 6));
		}
		if (share > 0 && share < 0.9999 && some) {
			put_name(f, col, "_estimate");
			fprintf(f, " = %.0f\n", (double)t->sum[c] / share);
		}
		if (why_left_out(t, c, words, sizeof(words))[0] == '\0')
			continue;
		put_name(f, col, totals_left_out(t, c) > 0 ? "_left_out" :
		    totals_doubtful(t, c) > 0 ? "_doubtful" : "_left_out");
		fprintf(f, " = \"%s\"\n", words);
	}
	return 0;
}

static int
print_rows(struct out *out, void *what)
{
	const struct summed *x = what;
	const struct totals *t = &x->t;
	const struct reader *r = intervals_reader(x->iv);
	char words[200];

	for (unsigned c = 0; c < t->ncol; c++) {
		const struct column *col = read_column(r, c);
		uint32_t left = totals_left_out(t, c);
		bool some = left < t->intervals && totals_missed(t, c) == NULL;
		double share = totals_share(t, c);

		if (!class_is_counter(col->cls))
			continue;
		cell_text(out, read_path(r));
		cell_u64(out, intervals_first(x->iv));
		cell_u64(out, intervals_last(x->iv));
		cell_text(out, col->name);
		if (some)
			cell_u64(out, t->sum[c]);
		else
			cell_none(out);
		cell_text(out, col->id.family->unit);
		cell_real(out, totals_seconds(t, c));
		cell_u64(out, left);
		cell_text(out, why_left_out(t, c, words, sizeof(words)));
		cell_figure(out, share);
		if (share > 0 && share < 0.9999 && some)
			cell_real(out, (double)t->sum[c] / share);
		else
			cell_none(out);
	}
	return 0;
}

static const struct view view = {
	.table = { "totals", columns, sizeof(columns) / sizeof(columns[0]),
	    false },
	.rows = print_rows, .page = print_assignments,
};

static int
add(struct summed *x, const struct interval *step)
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
	const struct common *common = asked;
	struct summed x = { .iv = NULL };
	struct totals *t = &x.t;
	struct interval step;
	struct diag why;
	int rc, status = EXIT_OK;

	if (intervals_open(&x.iv, path, &common->in.select, &why) < 0)
		return complain("%s", why.text);
	while ((rc = intervals_next(x.iv, &step, &why)) > 0)
		if ((rc = add(&x, &step)) < 0) {
			diag_set(&why, rc, "out of memory");
			break;
		}
	intervals_complain(x.iv);
	if (rc < 0)
		status = complain("%s", why.text);
	else if (t->intervals == 0)
		status = EXIT_UNUSABLE;
	else
		view_put(out, &view, &x);
	totals_fini(t);
	intervals_close(x.iv);
	return status;
}

int
cmd_totals(int argc, char **argv)
{
	static const struct command_line line = {
		.name = "totals", .usage = usage, .runs = true, .one = totals_of,
	};

	return common_run(&line, &view, argc, argv);
}
