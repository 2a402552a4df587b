/*
 * postproc/many/job_rows.c - jobs as rows, and as comments of Slurm.
 */
#include "postproc/many/job_list.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* The columns before and after the view's figures. */
static const struct table_column before[] = {
	{ "job", NULL, 0, true }, { "user", NULL, 0, true },
	{ "nodes", NULL, 0, false }, { "on", NULL, 0, true },
	{ "lprocs", NULL, 0, false }, { "begin", "UTC", 0, true },
	{ "end", "UTC", 0, true }, { "time", "s", 3, false },
	{ "sampled", "%", 2, false },
}, behind[] = {
	{ "share", "%", 2, false }, { "shared", NULL, 0, true },
	{ "note", NULL, 0, true },
};

#define COUNT(a) (unsigned)(sizeof(a) / sizeof *(a))
#define COLUMNS (COUNT(before) + 2 * JOB_FIGURES + COUNT(behind))

/* "2026-11-22T15:56:25.125Z"; "": not known. */
static const char *
date(double s, char *buf, size_t size)
{
	time_t seconds;
	struct tm tm;
	unsigned ms;
	size_t n;

	buf[0] = '\0';
	/* to the year 9999 */
	if (!(s >= 0 && s < 253402300799.0))
		return buf;
	ms = (unsigned)(fmod(s, 1) * 1000);
	seconds = (time_t)s;
	if (gmtime_r(&seconds, &tm) == NULL || (n = strftime(buf, size,
	    "%Y-%m-%dT%H:%M:%S", &tm)) == 0 || n + 6 > size)
		return "";
	sprintf(buf + n, ".%03uZ", ms);
	return buf;
}

#define DATE 40

static void
put_hosts(struct out *out, const struct job_list *l, const struct job *j)
{
	char words[2000] = "";
	size_t n = 0;
	unsigned i = 0;

	for (; i < j->non && n + strlen(l->host[j->on[i].host]) + 40 <
	    sizeof words; i++)
		n += (size_t)sprintf(words + n, "%s%s", i > 0 ? " " : "",
		    l->host[j->on[i].host]);
	if (i < j->non)
		sprintf(words + n, " and %u more", j->non - i);
	cell_text(out, words);
}

/*
 * Seconds that the marks of a job cover, summed over its nodes; NaN: not known.
 */
static double
job_rows_expected(const struct job *j)
{
	double s = 0;

	for (unsigned i = 0; i < j->non; i++)
		s += j->on[i].expected;
	return s > 0 ? s : (double)NAN;
}

/* The job's share of its nodes, %. */
static double
job_rows_share(const struct job *j)
{
	return j->seconds > 0 ? 100 * j->node_seconds / j->seconds :
	    (double)NAN;
}

static const char *
how_shared(const struct job *j)
{
	if (!(j->seconds > 0))
		return "";
	if (!(j->beside_seconds > 0))
		return "alone";
	return j->beside_seconds < j->seconds * 0.9999 ?
	    "partly by lproc-seconds" : "by lproc-seconds";
}

/* Writes, for people, the standard errors that are a hundredth of their figure or more. */
static size_t
job_rows_note_errors(const struct job_list *l, const struct job *j, char *words,
    size_t size)
{
	size_t n = 0;

	for (unsigned f = 0; f < l->nfigure; f++) {
		double value = job_value(l, j, f), error = job_error(l, j, f);

		if (error > 0 && error >= 0.01 * fabs(value) && n < size)
			n += (size_t)snprintf(words + n, size - n, "%s%s +- %.2g",
			    n > 0 ? "; " : "", l->figure[f]->title, error);
	}
	return n < size ? n : size;
}

static void
job_rows_put_note(struct out *out, const struct job_list *l,
    const struct job *j)
{
	char words[2000] = "";
	size_t n = out_for_people(out) ? job_rows_note_errors(l, j, words,
	    sizeof words) : 0;
	unsigned open = 0;
	const char *first = NULL;

	if (j->note[0] != '\0' && n < sizeof words)
		n += (size_t)snprintf(words + n, sizeof words - n, "%s%s",
		    n > 0 ? "; " : "", j->note);
	for (unsigned i = 0; i < j->non; i++)
		if (!j->on[i].ended && open++ == 0)
			first = l->host[j->on[i].host];
	if (open > 0 && n < sizeof words)
		n += (size_t)snprintf(words + n, sizeof words - n,
		    "%smarks: no end on %u of %u nodes (%s): as far as they "
		    "are sampled", n > 0 ? "; " : "", open, j->non, first);
	if (j->again > 0 && n < sizeof words)
		n += (size_t)snprintf(words + n, sizeof words - n,
		    "%sbegun again %u times", n > 0 ? "; " : "", j->again);
	for (unsigned f = 0; f < l->nfigure; f++)
		if (j->of[f].have > 0 && j->of[f].have < j->pieces &&
		    !job_figure_again(l, f) && n < sizeof words)
			n += (size_t)snprintf(words + n, sizeof words - n,
			    "%s%s: of %u of %u dumps", n > 0 ? "; " : "",
			    l->figure[f]->title, j->of[f].have, j->pieces);
	cell_text(out, words);
}

static void
put_job(struct out *out, const struct job_list *l, const struct job *j)
{
	double marked = job_rows_expected(j);
	char begin[DATE], end[DATE];
	uint64_t lprocs = 0;

	for (unsigned i = 0; i < j->non; i++)
		lprocs += j->on[i].lprocs;
	cell_text(out, j->id);
	cell_text(out, j->user);
	cell_u64(out, j->non);
	put_hosts(out, l, j);
	cell_u64(out, lprocs);
	cell_text(out, date(j->begin, begin, sizeof begin));
	cell_text(out, date(j->end, end, sizeof end));
	cell_real(out, isnan(marked) ? job_seconds(j) : marked / j->non);
	cell_real(out, 100 * j->seconds / marked);
	for (unsigned f = 0; f < l->nfigure; f++)
		cell_figure(out, job_value(l, j, f));
	cell_real(out, job_rows_share(j));
	cell_text(out, how_shared(j));
	job_rows_put_note(out, l, j);
	for (unsigned f = 0; !out_for_people(out) && f < l->nfigure; f++) {
		double error = job_error(l, j, f);

		cell_figure(out, error > 0 ? error : (double)NAN);
	}
}

void
job_put(struct out *out, const struct job_list *l)
{
	struct table_column column[COLUMNS];
	char error[JOB_FIGURES][64];
	struct out_table table = { "jobs", column, COUNT(before), false };

	memcpy(column, before, sizeof before);
	for (unsigned f = 0; f < l->nfigure; f++)
		column[table.ncolumn++] = (struct table_column){
			l->figure[f]->title, l->figure[f]->unit,
			l->figure[f]->decimals, false };
	memcpy(column + table.ncolumn, behind, sizeof behind);
	table.ncolumn += COUNT(behind);
	for (unsigned f = 0; !out_for_people(out) && f < l->nfigure; f++) {
		snprintf(error[f], sizeof error[f], "%s_error",
		    l->figure[f]->title);
		column[table.ncolumn++] = (struct table_column){ error[f],
			l->figure[f]->unit, 4, false };
	}
	table_begin(out, &table);
	for (unsigned i = 0; i < l->n; i++)
		put_job(out, l, &l->job[i]);
	table_end(out);
	out_remark(out, "\nOf a job's own lprocs: instructions to flops.  Of "
	    "the node, shared out to the jobs\nthat run by the lprocs that "
	    "each has: dram to energy.  A sample that a job begins\nor ends "
	    "in counts by the part of its time.\n");
}

/* ---- comments */

/* May Slurm's commands be given this id: 12, 12_3, 12+1? */
static bool
is_slurms(const char *id)
{
	return id[0] >= '0' && id[0] <= '9' && strspn(id, "0123456789_+") ==
	    strlen(id) && strlen(id) < 64;
}

/* A column of the table by its name. */
static double
column_value(const struct job_list *l, const struct job *j, const char *name)
{
	if (strcmp(name, "share") == 0)
		return job_rows_share(j);
	if (strcmp(name, "sampled") == 0)
		return 100 * j->seconds / job_rows_expected(j);
	for (unsigned f = 0; f < l->nfigure; f++)
		if (strcmp(name, l->figure[f]->title) == 0)
			return job_value(l, j, f);
	return NAN;
}

static void
put_comment(FILE *f, const struct job_list *l, const struct job *j)
{
	const struct view_line *x = NULL;
	char buf[64];

	fprintf(f, "sacctmgr -i modify job where jobid=%s set "
	    "AdminComment='tally", j->id);
	while ((x = view_next(&l->view, VIEW_COMMENT, x)) != NULL)
		for (unsigned i = 0; i < x->nitem; i++) {
			double v = column_value(l, j, x->item[i].metric);

			if (!isnan(v))
				fprintf(f, " %s=%s", x->item[i].title,
				    figure_text(buf, sizeof buf, v, 3));
		}
	fputs("'\n", f);
}

unsigned
job_comments(FILE *f, const struct job_list *l)
{
	unsigned left_out = 0;

	for (unsigned i = 0; i < l->n; i++) {
		const struct job *j = &l->job[i];

		left_out += !is_slurms(j->id);
		if (is_slurms(j->id) && j->seconds > 0)
			put_comment(f, l, j);
	}
	return left_out;
}
