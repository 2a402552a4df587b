/*
 * postproc/totals.c - tally totals: deltas added up over a range of samples.
 */
#include "postproc/totals.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"

static int
grow(struct totals *t, unsigned ncol)
{
	unsigned room = ncol * 2;
	void *p;

	if (ncol > t->room) {
		if ((p = reallocarray(t->sum, room, sizeof(*t->sum))) == NULL)
			return -ENOMEM;
		t->sum = p;
		if ((p = reallocarray(t->left, room, sizeof(*t->left))) ==
		    NULL)
			return -ENOMEM;
		t->left = p;
		t->room = room;
	}
	memset(t->sum + t->ncol, 0, (ncol - t->ncol) * sizeof(*t->sum));
	memset(t->left + t->ncol, 0, (ncol - t->ncol) * sizeof(*t->left));
	/* Where a column was not there yet, it was absent. */
	for (unsigned c = t->ncol; c < ncol && t->intervals > 0; c++) {
		t->left[c].n[DELTA_ABSENT] = (uint32_t)t->intervals;
		t->left[c].seconds = t->seconds;
		t->left[c].first_kind = DELTA_ABSENT;
	}
	t->ncol = ncol;
	return 0;
}

int
totals_add(struct totals *t, const struct interval *iv)
{
	const uint64_t *delta = iv->delta;
	uint64_t *sum;
	unsigned ncol = iv->ncol;

	if (ncol > t->ncol && grow(t, ncol) < 0)
		return -ENOMEM;
	sum = t->sum;
	for (unsigned c = 0; c < ncol; c++)
		sum[c] += delta[c];
	for (unsigned c = 0; iv->left_out > 0 && c < ncol; c++) {
		struct left_out *l = &t->left[c];
		uint8_t kind = iv->kind[c];

		if (turns_left_out(&t->turns, c, iv)) {
			sum[c] -= delta[c];
			kind = DELTA_ABSENT;
		}
		if (kind <= DELTA_NONE)
			continue;
		if (totals_left_out(t, c) == 0) {
			l->first_sample = iv->sample;
			l->first_kind = kind;
		}
		l->n[kind]++;
		l->seconds += iv->seconds;
	}
	t->intervals++;
	t->seconds += iv->seconds;
	return 0;
}

void
totals_fini(struct totals *t)
{
	free(t->sum);
	free(t->left);
	turns_fini(&t->turns);
	memset(t, 0, sizeof(*t));
}

uint32_t
totals_left_out(const struct totals *t, unsigned c)
{
	uint32_t n = 0;

	for (unsigned k = DELTA_NONE + 1; k < DELTA_KINDS; k++)
		n += t->left[c].n[k];
	return n;
}

double
totals_seconds(const struct totals *t, unsigned c)
{
	double s = t->seconds - t->left[c].seconds;

	return s > 0 ? s : 0;
}

double
totals_share(const struct totals *t, unsigned c)
{
	unsigned of;

	if (c >= t->turns.ncol || t->turns.kind[c] == TURN_NONE ||
	    t->turns.times[c].enabled < 0)
		return turns_share(&t->turns, c, t->sum, t->ncol, 0);
	of = turns_known_by(&t->turns, c);
	return of >= t->ncol || !(t->seconds > 0) ? 0 :
	    turns_share(&t->turns, c, t->sum, t->ncol, t->turns.lost[c]) *
	    totals_seconds(t, of) / t->seconds;
}

const char *
totals_missed(const struct totals *t, unsigned c)
{
	return c >= t->turns.ncol ? NULL : turns_missed(&t->turns, c, t->sum,
	    t->ncol, t->turns.lost[c]);
}

const char *
left_out_words(const struct left_out *l, uint64_t intervals, char *buf,
    size_t size)
{
	uint32_t n = 0, kinds = 0;
	size_t at;

	for (unsigned k = DELTA_NONE + 1; k < DELTA_KINDS; k++) {
		n += l->n[k];
		kinds += l->n[k] > 0;
	}
	at = (size_t)snprintf(buf, size, "%u of %" PRIu64 " intervals:", n,
	    intervals);
	for (unsigned k = DELTA_NONE + 1; k < DELTA_KINDS && at < size; k++)
		if (l->n[k] > 0 && kinds > 1)
			at += (size_t)snprintf(buf + at, size - at,
			    " %u %s", l->n[k], delta_word(k));
	if (at < size && kinds == 1)
		at += (size_t)snprintf(buf + at, size - at, " %s",
		    delta_word(l->first_kind));
	if (at < size)
		snprintf(buf + at, size - at, ", first at sample %" PRIu64,
		    l->first_sample);
	return buf;
}

void
put_name(FILE *f, const struct read_column *c, const char *suffix)
{
	fputs(c->family, f);
	fputs(suffix, f);
	fputs(c->name + strlen(c->family), f);
}

static const char usage[] =
"usage: tally totals [-s RANGE] [-f FORMAT] [-o FILE] FILE...\n"
"What each counter counted from the first sample of a range to its last.\n"
"Text is assignments, imc_counts_total[0][0][\"CAS_COUNT.READS\"] = 123, and\n"
"beside a total that some interval is not in, imc_counts_left_out... says why.\n"
"Of an event whose set took turns, ..._share is the part of the time that it\n"
"was counted, and ..._estimate the total scaled to all of the time.\n"
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
	if (n > 0)
		left_out_words(&t->left[c], t->intervals, buf, size);
	at = strlen(buf);
	if (missed != NULL)
		snprintf(buf + at, size - at, "%s%s", at > 0 ? "; " : "",
		    missed);
	return buf;
}

static void
print_assignments(FILE *f, struct intervals *iv, const struct totals *t)
{
	const struct reader *r = intervals_reader(iv);
	char words[400];

	fputs("totals_file = ", f);
	put_json(f, read_path(r));
	fprintf(f, "\ntotals_first = %" PRIu64 "\ntotals_last = %" PRIu64
	    "\ntotals_seconds = %.6f\n", intervals_first(iv),
	    intervals_last(iv), t->seconds);
	for (unsigned c = 0; c < t->ncol; c++) {
		const struct read_column *col = read_column(r, c);
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
		put_name(f, col, "_left_out");
		fprintf(f, " = \"%s\"\n", words);
	}
}

static void
print_rows(struct out *out, struct intervals *iv, const struct totals *t)
{
	const struct reader *r = intervals_reader(iv);
	char words[200];

	for (unsigned c = 0; c < t->ncol; c++) {
		const struct read_column *col = read_column(r, c);
		uint32_t left = totals_left_out(t, c);
		bool some = left < t->intervals && totals_missed(t, c) == NULL;
		double share = totals_share(t, c);

		if (!class_is_counter(col->cls))
			continue;
		cell_text(out, read_path(r));
		cell_u64(out, intervals_first(iv));
		cell_u64(out, intervals_last(iv));
		cell_text(out, col->name);
		if (some)
			cell_u64(out, t->sum[c]);
		else
			cell_none(out);
		cell_text(out, col->unit);
		cell_real(out, totals_seconds(t, c));
		cell_u64(out, left);
		cell_text(out, why_left_out(t, c, words, sizeof(words)));
		cell_figure(out, share);
		if (share > 0 && share < 0.9999 && some)
			cell_real(out, (double)t->sum[c] / share);
		else
			cell_none(out);
	}
}

static int
totals_of(struct out *out, const char *path, const void *asked)
{
	const struct common *common = asked;
	struct totals t = { 0 };
	struct intervals *iv;
	struct interval step;
	struct diag why;
	int rc, status = EXIT_OK;

	if (intervals_open(&iv, path, &common->select, &why) < 0)
		return complain("%s", why.text);
	while ((rc = intervals_next(iv, &step, &why)) > 0)
		if ((rc = turns_load(&t.turns, intervals_reader(iv),
		    step.ncol, t.sum)) < 0 || (rc = totals_add(&t, &step)) < 0) {
			diag_set(&why, rc, "out of memory");
			break;
		}
	intervals_complain(iv);
	if (rc < 0)
		status = complain("%s", why.text);
	else if (t.intervals == 0)
		status = EXIT_UNUSABLE;
	else if (out_format(out) == FORMAT_TEXT)
		print_assignments(out_file(out), iv, &t);
	else
		print_rows(out, iv, &t);
	totals_fini(&t);
	intervals_close(iv);
	return status;
}

int
cmd_totals(int argc, char **argv)
{
	return common_plain(argc, argv, usage, "totals", "totals", columns,
	    sizeof(columns) / sizeof(columns[0]), totals_of);
}
