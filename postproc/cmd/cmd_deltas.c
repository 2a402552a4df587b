/*
 * postproc/cmd/cmd_deltas.c - tally deltas: what each counter counted, interval by
 * interval.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/cmd/commands.h"
#include "postproc/data/totals.h"

static const char usage[] =
"usage: tally deltas [-s RANGE] [-f FORMAT] [-o FILE] FILE...\n"
"What each counter counted in each interval, under the sample that ends it.\n"
"Text is assignments, imc_counts_delta[0][0][\"CAS_COUNT.READS\"][20] = 123; an\n"
"interval without a good value has imc_counts_left_out...[20] = \"reset\".\n"
"Of an event that took turns, ..._share[20] is the part of the interval that\n"
"its delta is of.\n"
COMMON_HELP;

static const struct table_column columns[] = {
	{ "file", NULL, 0, true }, { "sample", NULL, 0, false },
	{ "at", "s", 6, false }, { "interval", "s", 6, false },
	{ "column", NULL, 0, true }, { "delta", NULL, 0, false },
	{ "unit", NULL, 0, true }, { "kind", NULL, 0, true },
	{ "share", NULL, 6, false },
};

/* "name_delta[0][3]["X"]" of every column, made once. */
struct labels {
	char **text;
	unsigned n;
};

static const char *
label(struct labels *l, const struct reader *r, unsigned c)
{
	const struct read_column *col = read_column(r, c);

	if (c >= l->n) {
		unsigned n = read_columns(r);
		char **p = reallocarray(l->text, n, sizeof(*p));

		if (p == NULL)
			return NULL;
		memset(p + l->n, 0, (n - l->n) * sizeof(*p));
		l->text = p;
		l->n = n;
	}
	if (l->text[c] == NULL && asprintf(&l->text[c], "%s_delta%s[",
	    col->family, col->name + strlen(col->family)) < 0)
		l->text[c] = NULL;
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

static double
share_of(const struct turns *t, const struct interval *step, unsigned c)
{
	return turns_share(t, c, step->delta, step->ncol, 0);
}

/* Is its delta a count?  kind_of - what it is. */
static bool
counted(const struct turns *t, const struct interval *step, unsigned c)
{
	return step->kind[c] < DELTA_NONE &&
	    turns_missed(t, c, step->delta, step->ncol, 0) == NULL;
}

static const char *
kind_of(const struct turns *t, const struct interval *step, unsigned c)
{
	return step->kind[c] >= DELTA_NONE || counted(t, step, c) ?
	    delta_word(step->kind[c]) :
	    turns_missed(t, c, step->delta, step->ncol, 0);
}

static int
print_assignments(FILE *f, struct labels *labels, const struct reader *r,
    const struct turns *turns, const struct interval *step)
{
	char text[400];

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
			    kind_of(turns, step, c));
			continue;
		}
		if ((name = label(labels, r, c)) == NULL)
			return -1;
		fputs_unlocked(name, f);
		put_u64(f, step->sample);
		fputs_unlocked("] = ", f);
		put_u64(f, step->delta[c]);
		putc_unlocked('\n', f);
		if ((share = share_of(turns, step, c)) >= 0.9999)
			continue;
		put_name(f, read_column(r, c), "_share");
		fprintf(f, "[%" PRIu64 "] = %s\n", step->sample,
		    figure_text(text, sizeof(text), share, 6));
	}
	return 0;
}

static void
print_rows(struct out *out, struct intervals *iv, const struct turns *turns,
    const struct interval *step)
{
	const struct reader *r = intervals_reader(iv);

	for (unsigned c = 0; c < step->ncol; c++) {
		const struct read_column *col = read_column(r, c);

		if (step->kind[c] == DELTA_NONE)
			continue;
		cell_text(out, read_path(r));
		cell_u64(out, step->sample);
		cell_real(out, step->at);
		cell_real(out, intervals_own_seconds(iv, step, c));
		cell_text(out, col->name);
		if (counted(turns, step, c))
			cell_u64(out, step->delta[c]);
		else
			cell_none(out);
		cell_text(out, col->unit);
		cell_text(out, kind_of(turns, step, c));
		cell_figure(out, share_of(turns, step, c));
	}
}

static int
deltas_of(struct out *out, const char *path, const void *asked)
{
	const struct common *common = asked;
	struct labels labels = { NULL, 0 };
	struct turns turns = { .any = false };
	struct intervals *iv;
	struct interval step;
	struct diag why;
	bool any = false;
	int rc;

	if (intervals_open(&iv, path, &common->select, &why) < 0)
		return complain("%s", why.text);
	if (out_format(out) == FORMAT_TEXT) {
		fputs("deltas_file = ", out_file(out));
		put_json(out_file(out), path);
		putc('\n', out_file(out));
	}
	while ((rc = intervals_next(iv, &step, &why)) > 0) {
		any = true;
		rc = turns_load(&turns, intervals_reader(iv), step.ncol,
		    step.delta);
		if (rc == 0 && out_format(out) != FORMAT_TEXT)
			print_rows(out, iv, &turns, &step);
		else if (rc == 0)
			rc = print_assignments(out_file(out), &labels,
			    intervals_reader(iv), &turns, &step);
		if (rc < 0) {
			rc = diag_set(&why, -1, "out of memory");
			break;
		}
	}
	intervals_complain(iv);
	if (rc < 0)
		complain("%s", why.text);
	labels_fini(&labels);
	turns_fini(&turns);
	intervals_close(iv);
	return rc == 0 && any ? EXIT_OK : EXIT_UNUSABLE;
}

int
cmd_deltas(int argc, char **argv)
{
	return common_plain(argc, argv, usage, "deltas", "deltas", columns,
	    sizeof(columns) / sizeof(columns[0]), deltas_of);
}
