/*
 * postproc/pages/metric_rows.c - metrics of one dump, as rows of a table: averages, time
 * series, or a list of the metrics.
 */
#include "postproc/pages/metric_rows.h"

#include <math.h>
#include <stdlib.h>

#include "lib/array.h"

#define NODE { "node", NULL, 0, true }
#define SPAN { "sample", NULL, 0, false }, { "at", "s", 3, false }, \
	{ "seconds", "s", 3, false }
#define VALUE { "metric", NULL, 0, true }, { "scope", NULL, 0, true }, \
	{ "where", NULL, 0, true }, { "value", NULL, 4, false }
#define REST { "unit", NULL, 0, true }, { "left_out", NULL, 0, false }, \
	{ "note", NULL, 0, true }
#define ERROR { "error", NULL, 4, false }

/* For programs the error stands last, so that older columns keep their places; for
 * people it stands beside the value, and only where events take turns. */
static const struct table_column average_columns[] = { NODE, VALUE, REST, ERROR };
static const struct table_column estimate_columns[] = { NODE, VALUE, ERROR, REST };
static const struct table_column series_columns[] = { NODE, SPAN, VALUE, REST,
	ERROR };
static const struct table_column estimate_series_columns[] = { NODE, SPAN, VALUE,
	ERROR, REST };
/* for formats that take the time of day */
static const struct table_column dated_columns[] = {
	{ "time", NULL, 0, COLUMN_TIME }, { "job", NULL, 0, true },
	NODE, SPAN, VALUE, REST, ERROR
};

static const struct table_column missing_columns[] = {
	{ "metric", NULL, 0, true }, { "missing", NULL, 0, true },
};

static const struct table_column list_columns[] = {
	{ "metric", NULL, 0, true }, { "scope", NULL, 0, true },
	{ "unit", NULL, 0, true }, { "description", NULL, 0, true },
};

static const struct bound *
bound_at(const struct metric_rows *r, unsigned i)
{
	return &r->gather->binding.bound[r->bound[i]];
}

static void
metric_rows_put_value(struct out *out, const struct metric *m, double v)
{
	/* counts are whole numbers */
	if (!isnan(v) && m->unit[0] == '\0' && v == floor(v) && fabs(v) < 9e15)
		cell_i64(out, (int64_t)v);
	else
		cell_figure(out, v);
}

/* Puts the standard error; values that were counted all the time have none.  beside: the
 * column is the one beside the value, for people; else the last one, for programs. */
static void
metric_rows_put_error(struct out *out, const struct metric_rows *r,
    const struct figure *f, bool beside)
{
	bool people = out_for_people(out);
	bool none = f == NULL || isnan(f->value) || !figure_is_estimate(f);

	if (people != beside || (people && !gather_estimates(r->gather)))
		return;
	if (people && (none || isnan(f->error)))
		cell_text(out, none ? "" : "unknown");
	else
		cell_figure(out, none ? (double)NAN : f->error);
}

/* Puts the first cells of a dated row: time and job. */
static void
metric_rows_put_when(struct out *out, struct metric_rows *r)
{
	const struct gather *g = r->gather;
	const char *jobs = jobs_then(&r->jobs, g->reader, &g->now);
	int64_t us;

	if (interval_time(g->reader, &g->now, &us))
		cell_i64(out, us);
	else
		cell_none(out);
	if (jobs != NULL)
		cell_text(out, jobs);
	else
		cell_none(out);
}

/* The standard error of a value of a series, from how the same row's values changed from
 * one to the next so far, where they are enough. */
static void
error_by_steps(struct metric_rows *r, const struct batches *b, struct figure *f)
{
	double error;

	if (r->step == r->nstep) {
		if (!array_room(&r->steps, r->nstep, &r->step_room,
		    sizeof *r->steps))
			return;
		r->steps[r->nstep++] = (struct batch_steps){ .n = 0 };
	}
	error = batch_step(&r->steps[r->step++], b, f->value);
	if (!isnan(error))
		f->error = batches_add_chance(b, error, f->chance);
}

/* Begins the rows of an interval.  If columns have come there may be other rows, so that
 * what is known of their steps is forgotten. */
static void
begin_steps(struct metric_rows *r)
{
	if (r->ncol != r->gather->ncol)
		r->nstep = 0;
	r->ncol = r->gather->ncol;
	r->step = 0;
}

void
metric_rows_fini(struct metric_rows *r)
{
	jobs_then_fini(&r->jobs);
	free(r->steps);
	r->steps = NULL;
}

static void
metric_rows_put_window(struct out *out, struct metric_rows *r, unsigned b,
    const struct window *w, const struct sums *sums)
{
	const struct binding *binding = &r->gather->binding;
	const struct metric *m = binding->bound[b].metric;
	struct figure f = binding_eval(binding, b, w, sums);
	char where[80], note[500];

	if (r->series && figure_is_estimate(&f) && sums->without == NULL)
		error_by_steps(r, sums->batches, &f);
	window_name(binding, w, where, sizeof where);
	if (r->dated)
		metric_rows_put_when(out, r);
	cell_text(out, r->gather->host);
	if (r->series) {
		cell_u64(out, r->gather->now.sample);
		cell_real(out, r->gather->now.at);
		cell_real(out, sums->seconds);
	}
	cell_text(out, m->name);
	cell_text(out, scope_name(w->scope));
	cell_text(out, where);
	metric_rows_put_value(out, m, f.value);
	metric_rows_put_error(out, r, &f, true);
	cell_text(out, m->unit);
	cell_u64(out, f.left_out);
	cell_text(out, figure_note(binding, &f, m->note, note, sizeof note));
	metric_rows_put_error(out, r, &f, false);
	r->put++;
}

static void
put_windows(struct out *out, struct metric_rows *r, unsigned b,
    const struct sums *sums)
{
	const struct binding *binding = &r->gather->binding;

	if (binding->bound[b].nmissing > 0)
		return;
	for (enum scope s = 0; s < SCOPES; s++) {
		unsigned n = r->scopes >> s & 1 ?
		    binding_windows(binding, b, s) : 0;

		for (unsigned i = 0; i < n; i++) {
			struct window w;

			if (binding_window(binding, b, s, i, &w))
				metric_rows_put_window(out, r, b, &w, sums);
		}
	}
}

static void
put_list(struct out *out, const struct metric_rows *r)
{
	for (unsigned i = 0; i < r->n; i++) {
		const struct metric *m = bound_at(r, i)->metric;
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

/* Does a metric have a value per round, not per interval?  It does if its events take
 * turns: in a single interval most of them were not counted. */
static bool
by_round(const struct metric_rows *r, unsigned i)
{
	return r->every > 0 || gather_rotates(r->gather, r->bound[i]);
}

static void
put_round(struct out *out, struct metric_rows *r)
{
	const struct sums *sums = gather_sums(r->gather);

	begin_steps(r);
	for (unsigned i = 0; i < r->n; i++)
		if (by_round(r, i))
			put_windows(out, r, r->bound[i], sums);
	gather_afresh(r->gather);
}

static void
metric_rows_put_interval(struct out *out, struct metric_rows *r)
{
	const struct sums *sums = gather_interval(r->gather);

	begin_steps(r);
	for (unsigned i = 0; i < r->n; i++)
		if (!by_round(r, i))
			put_windows(out, r, r->bound[i], sums);
}

static int
metric_rows_put_series(struct out *out, struct metric_rows *r)
{
	bool sets = false;
	struct round round;
	int rc;

	for (unsigned i = 0; i < r->n; i++)
		sets |= gather_rotates(r->gather, r->bound[i]);
	round = round_begin(r->every, sets);
	while ((rc = gather_next(r->gather, r->why)) > 0) {
		if (r->every <= 0)
			metric_rows_put_interval(out, r);
		if (round_ends(&round, r->gather))
			put_round(out, r);
	}
	if (rc == 0 && round_rest(&round, r->gather))
		put_round(out, r);
	r->rest = sets ? gather_sums(r->gather)->seconds : 0;
	return rc;
}

static int
metric_rows_put_rows(struct out *out, void *what)
{
	struct metric_rows *r = what;
	const struct sums *sums;
	int rc = 0;

	if (r->list) {
		put_list(out, r);
		return 0;
	}
	if (r->series)
		return metric_rows_put_series(out, r);
	if ((rc = gather_all(r->gather, r->why)) < 0)
		return rc;
	sums = gather_sums(r->gather);
	for (unsigned i = 0; sums->intervals > 0 && i < r->n; i++)
		put_windows(out, r, r->bound[i], sums);
	return 0;
}

#define TABLE(columns, less) { "metrics", columns, \
	sizeof columns / sizeof *columns - (less), false }

/* For people: a table for each file; without errors, where nothing is an estimate. */
static int
metric_rows_put_page(struct out *out, void *what)
{
	static const struct out_table average = TABLE(average_columns, 1);
	static const struct out_table series = TABLE(series_columns, 1);
	static const struct out_table estimates = TABLE(estimate_columns, 0);
	static const struct out_table estimates_series =
	    TABLE(estimate_series_columns, 0);
	static const struct out_table list = TABLE(list_columns, 0);
	struct metric_rows *r = what;
	bool sets = gather_estimates(r->gather);
	int rc;

	table_begin(out, r->list ? &list : r->series ? sets ?
	    &estimates_series : &series : sets ? &estimates : &average);
	rc = metric_rows_put_rows(out, r);
	table_end(out);
	return rc;
}

#define VIEW(columns) { .table = TABLE(columns, 0), \
	.rows = metric_rows_put_rows, .page = metric_rows_put_page }
static const struct view average_view = VIEW(average_columns);
static const struct view series_view = VIEW(series_columns);
static const struct view dated_view = VIEW(dated_columns);
static const struct view list_view = VIEW(list_columns);
#undef VIEW
#undef TABLE

const struct view *
metric_rows_view(bool series, bool list, bool dated)
{
	return list ? &list_view : !series ? &average_view : dated ?
	    &dated_view : &series_view;
}

/* Inputs that the dump lacks, as rows like the others without a value. */
static int
missing_rows(struct out *out, void *what)
{
	const struct metric_rows *r = what;

	for (unsigned k = 0; k < r->n; k++) {
		const struct bound *x = bound_at(r, k);

		for (unsigned i = 0; i < x->nmissing; i++) {
			char note[300];

			for (unsigned c = 0; r->dated && c < 2; c++)
				cell_none(out);
			cell_text(out, r->gather->host);
			for (unsigned c = 0; r->series && c < 3; c++)
				cell_none(out);
			cell_text(out, x->metric->name);
			cell_text(out, scope_name(x->metric->scope));
			cell_text(out, "");
			cell_none(out);
			cell_text(out, x->metric->unit);
			cell_u64(out, 0);
			snprintf(note, sizeof note, "missing %s",
			    x->missing[i]);
			cell_text(out, note);
			metric_rows_put_error(out, r, NULL, false);
		}
	}
	return 0;
}

/* A page for people shows so many inputs of a metric; of more it shows one fewer, and
 * how many others there are. */
#define SHOWN_INPUTS 8

/* The same for people: in a table of their own. */
static int
missing_page(struct out *out, void *what)
{
	static const struct out_table table = { "missing", missing_columns, 2,
	    false };
	const struct metric_rows *r = what;

	table_begin(out, &table);
	for (unsigned k = 0; k < r->n; k++) {
		const struct bound *x = bound_at(r, k);

		for (unsigned i = 0; i < x->nmissing; i++) {
			char more[32];
			unsigned left = x->nmissing - i;

			cell_text(out, i == 0 ? x->metric->name : "");
			if (i < SHOWN_INPUTS - 1 || left == 1) {
				cell_text(out, x->missing[i]);
				continue;
			}
			snprintf(more, sizeof more, "and %u others", left);
			cell_text(out, more);
			break;
		}
	}
	table_end(out);
	return 0;
}

static const struct view missing_view = {
	.rows = missing_rows, .page = missing_page,
};

const struct view *
metric_rows_missing(void)
{
	return &missing_view;
}

bool
metric_rows_lack(const struct metric_rows *r)
{
	for (unsigned i = 0; i < r->n; i++)
		if (bound_at(r, i)->nmissing > 0)
			return true;
	return false;
}
