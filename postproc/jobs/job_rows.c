/*
 * postproc/jobs/job_rows.c - jobs as rows, and as comments of Slurm.
 */
#include "postproc/jobs/job_list.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const struct table_column columns[] = {
	{ "job", NULL, 0, true }, { "user", NULL, 0, true },
	{ "nodes", NULL, 0, false }, { "on", NULL, 0, true },
	{ "lprocs", NULL, 0, false }, { "begin", "UTC", 0, true },
	{ "end", "UTC", 0, true }, { "time", "s", 3, false },
	{ "sampled", "%", 2, false }, { "instructions", "G", 3, false },
	{ "ipc", "inst/cycle", 3, false }, { "frequency", "GHz", 3, false },
	{ "utilisation", "%", 2, false }, { "flops", "GFLOP/s", 3, false },
	{ "dram", "GB/s", 3, false }, { "pcie", "GB/s", 3, false },
	{ "upi", "GB/s", 3, false }, { "power", "W", 2, false },
	{ "energy", "J", 1, false }, { "share", "%", 2, false },
	{ "shared", NULL, 0, true }, { "note", NULL, 0, true },
};

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

/* What of the nodes' time its marks cover, and the job's own. */
static double
expected(const struct job *j)
{
	double s = 0;

	for (unsigned i = 0; i < j->non; i++)
		s += j->on[i].expected;
	return s > 0 ? s : (double)NAN;
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

static void
put_note(struct out *out, const struct job_list *l, const struct job *j)
{
	char words[2000];
	size_t n = (size_t)snprintf(words, sizeof words, "%s", j->note);
	unsigned open = 0;
	const char *first = NULL;

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
	for (enum job_quantity q = 0; q < JOB_QUANTITIES; q++)
		if (j->of[q].have > 0 && j->of[q].have < j->pieces &&
		    n < sizeof words)
			n += (size_t)snprintf(words + n, sizeof words - n,
			    "%s%s: of %u of %u dumps", n > 0 ? "; " : "",
			    job_title(q), j->of[q].have, j->pieces);
	cell_text(out, words);
}

static void
put_job(struct out *out, const struct job_list *l, const struct job *j)
{
	double marked = expected(j), share = 100 * j->node_seconds /
	    (j->seconds > 0 ? j->seconds : (double)NAN);
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
	cell_figure(out, job_amount(j, JOB_INSTRUCTIONS));
	cell_figure(out, job_mean(j, JOB_IPC));
	cell_figure(out, job_mean(j, JOB_FREQUENCY));
	cell_figure(out, job_mean(j, JOB_UTILISATION));
	cell_figure(out, job_rate(j, JOB_FLOPS));
	cell_figure(out, job_rate(j, JOB_DRAM));
	cell_figure(out, job_rate(j, JOB_PCIE));
	cell_figure(out, job_rate(j, JOB_UPI));
	cell_figure(out, job_rate(j, JOB_POWER));
	cell_figure(out, job_amount(j, JOB_POWER));
	cell_real(out, share);
	cell_text(out, how_shared(j));
	put_note(out, l, j);
}

static int
put_rows(struct out *out, void *what)
{
	const struct job_list *l = what;

	for (unsigned i = 0; i < l->n; i++)
		put_job(out, l, &l->job[i]);
	return 0;
}

static int put_page(struct out *, void *);

static const struct view view = {
	.table = { "jobs", columns, sizeof columns / sizeof *columns, false },
	.rows = put_rows, .page = put_page,
};

static int
put_page(struct out *out, void *what)
{
	table_begin(out, &view.table);
	put_rows(out, what);
	table_end(out);
	out_remark(out, "\nOf a job's own lprocs: instructions to flops.  Of "
	    "the node, shared out to the jobs\nthat run by the lprocs that "
	    "each has: dram to energy.  A sample that a job begins\nor ends "
	    "in counts by the part of its time.\n");
	return 0;
}

const struct view *
job_rows_view(void)
{
	return &view;
}

/* ---- comments */

/* What a shell and Slurm take for an id: 12, 12_3, 12+1. */
static bool
is_slurms(const char *id)
{
	return id[0] >= '0' && id[0] <= '9' && strspn(id, "0123456789_+") ==
	    strlen(id) && strlen(id) < 64;
}

/* Slurm keeps it in small letters: so are the units. */
static void
put_word(FILE *f, const char *name, double v)
{
	char buf[64];

	if (!isnan(v))
		fprintf(f, " %s=%s", name, figure_text(buf, sizeof buf, v, 3));
}

unsigned
job_comments(FILE *f, const struct job_list *l)
{
	unsigned left_out = 0;

	for (unsigned i = 0; i < l->n; i++) {
		const struct job *j = &l->job[i];

		left_out += !is_slurms(j->id);
		if (!is_slurms(j->id) || !(j->seconds > 0))
			continue;
		fprintf(f, "sacctmgr -i modify job where jobid=%s set "
		    "AdminComment='tally", j->id);
		put_word(f, "energy_j", job_amount(j, JOB_POWER));
		put_word(f, "power_w", job_rate(j, JOB_POWER));
		put_word(f, "share_percent", 100 * j->node_seconds /
		    j->seconds);
		put_word(f, "instructions_g", job_amount(j, JOB_INSTRUCTIONS));
		put_word(f, "ipc", job_mean(j, JOB_IPC));
		put_word(f, "frequency_ghz", job_mean(j, JOB_FREQUENCY));
		put_word(f, "utilisation_percent", job_mean(j, JOB_UTILISATION));
		put_word(f, "flops_gflops", job_rate(j, JOB_FLOPS));
		put_word(f, "dram_gb_s", job_rate(j, JOB_DRAM));
		put_word(f, "sampled_percent", 100 * j->seconds / expected(j));
		fputs("'\n", f);
	}
	return left_out;
}
