/*
 * postproc/many/job_take.c - measures the jobs of one dump: goes through its intervals once,
 * and gives each job that runs in an interval its part of that (job_sums.c).
 */
#include "postproc/many/job_list.h"

#include "lib/array.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which lprocs of a node are a job's */

/* Adds lprocs lo to hi to the job's; returns how many of them are new. */
static unsigned
job_take_choose(const struct topology *topo, unsigned long lo, unsigned long hi,
    bool *lproc, bool *unknown)
{
	unsigned n = 0;

	for (; lo <= hi && lo < topo->max_lproc; lo++)
		if (topo->rank_of[lo] == NO_RANK)
			*unknown = true;
		else if (!lproc[lo]) {
			lproc[lo] = true;
			n++;
		}
	*unknown |= lo <= hi;
	return n;
}

/*
 * job_lprocs - finds the lprocs in the list of a job's mark, "0-3,8"; "": all.
 * list    = range { "," range }    range = NUMBER [ "-" NUMBER ]
 * lproc   out: [topology.max_lproc] true if the job has it; false at the call
 * unknown out: the list has lprocs that the node lacks, or a syntax error
 * Returns the number of lprocs.
 */
static unsigned
job_lprocs(const struct topology *topo, const char *list, bool *lproc,
    bool *unknown)
{
	const char *p = list;
	unsigned n = 0;

	*unknown = false;
	for (unsigned r = 0; *list == '\0' && r < topo->nlproc; r++)
		n += job_take_choose(topo, topo->lproc_at[r], topo->lproc_at[r],
		    lproc, unknown);
	while (*p >= '0' && *p <= '9') {
		char *end;
		unsigned long lo = strtoul(p, &end, 10), hi = lo;

		if (*end == '-' && end[1] >= '0' && end[1] <= '9')
			hi = strtoul(end + 1, &end, 10);
		n += job_take_choose(topo, lo, hi, lproc, unknown);
		p = *end == ',' ? end + 1 : end;
	}
	*unknown |= *p != '\0';
	return n;
}

/* ---- taking jobs -------------------------------------------------------- */

/* A job that is running in the present interval. */
struct running {
	const struct job_span *span;
	bool *lproc;            /* [topology.max_lproc] true: the job has it */
	unsigned lprocs;        /* how many of them */
	bool unknown;           /* the mark names lprocs that the node lacks */
	bool done;              /* it has ended */
	const char *overlaps;   /* another job with some of its lprocs; or
				 * NULL */
	struct job_sums sums;
	double from, to;        /* s since 1970; NaN: no wall clock */
};

struct take {
	struct job_list *list;
	struct job_taken *taken;
	struct metrics metrics;
	struct gather gather;
	struct jobs jobs;
	uint32_t host;
	/*
	 * by figure of the list: index of the binding; -1: the CPU's list lacks
	 * the metric
	 */
	int bound[JOB_FIGURES], weight[JOB_FIGURES];
	const struct job_span **order;  /* [norder] sorted by begin; next:
					 * the first */
	unsigned norder, next;          /* one that has not begun */
	struct running *running;
	struct job_part *part;
	uint32_t *ends;
	unsigned nrunning, room;
	const struct job_span **owner;  /* [max_lproc] the job that an lproc
					 * belongs to */
	struct sums last;       /* clocks and turns of the last interval */
	struct diag *why;
};

/* ---- when */

static int
by_begin(const void *a, const void *b)
{
	const struct job_span *x = *(const struct job_span *const *)a;
	const struct job_span *y = *(const struct job_span *const *)b;

	return (x->begin.sample > y->begin.sample) -
	    (x->begin.sample < y->begin.sample);
}

/*
 * Sorts the spans with a known begin: one marked in this dump, or in an earlier
 * dump of the node that has no end of the job.
 */
static int
put_in_order(struct take *t)
{
	t->order = calloc(t->jobs.n + 1, sizeof *t->order);
	t->owner = calloc(t->gather.topo.max_lproc + 1, sizeof *t->owner);
	if (t->order == NULL || t->owner == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < t->jobs.n; i++) {
		struct job_span *s = &t->jobs.span[i];
		const struct job_on *on = job_list_on(t->list, s->id, t->host);

		if (!s->begun && on != NULL && on->begun && !on->ended) {
			s->begin = (struct mark){ .time = on->begin };
			memcpy(s->lprocs, on->lproc_list, sizeof s->lprocs);
			s->begun = true;
		}
		if (s->begun)
			t->order[t->norder++] = s;
	}
	qsort(t->order, t->norder, sizeof *t->order, by_begin);
	return 0;
}

/*
 * The position of a mark in the present interval, 0..1, by the time of the two
 * samples around it; `otherwise` if the mark has no time.
 */
static double
mark_at(const struct gather *g, const struct mark *m, double otherwise)
{
	double to = g->wall_last, seconds = g->now.seconds, at;

	if (m->sample <= g->now.before_sample)
		return 0;
	if (m->sample > g->now.sample)
		return 1;
	if (!(to > 0) || !(seconds > 0) || isnan(m->time))
		return otherwise;
	at = (m->time - (to - seconds)) / seconds;
	return at < 0 ? 0 : at > 1 ? 1 : at;
}

/* ---- a job that has ended */

static struct figure
job_take_figure_of(struct take *t, unsigned bound, const struct sums *sums)
{
	struct binding *b = &t->gather.binding;
	struct window w;

	/* metrics of lprocs: over the job's own; others: of the node */
	if (b->bound[bound].metric->scope == SCOPE_OF_LPROC)
		binding_chosen(b, &w);
	else
		binding_window(b, bound, SCOPE_OF_NODE, 0, &w);
	return binding_eval(b, bound, &w, sums);
}

/* Adds the note of a figure, unless an earlier figure has the same one. */
static void
job_take_put_note(char *notes, size_t size, const char *title,
    const char *words)
{
	size_t n = strlen(notes);

	if (words[0] != '\0' && n + strlen(words) + 40 < size)
		snprintf(notes + n, size - n, "%s%s: %s", n > 0 ? "; " : "",
		    title, words);
}

static void
put_figures(struct take *t, struct running *x, struct job_piece *p,
    char *notes, size_t size)
{
	struct sums sums = job_sums_get(&x->sums, &t->last);

	for (unsigned q = 0; q < t->list->nfigure; q++) {
		char words[300], lacks[60] = "";
		struct figure f;

		p->value[q] = NAN;
		if (t->bound[q] < 0)
			continue;
		f = job_take_figure_of(t, (unsigned)t->bound[q], &sums);
		p->value[q] = f.value;
		p->error[q] = f.error;
		/* one that is known is that of all the job's dumps */
		if (!f.unscaled && !isnan(f.error))
			f.ran = 1;
		p->weight[q] = t->weight[q] < 0 ? p->seconds :
		    job_take_figure_of(t, (unsigned)t->weight[q], &sums).value;
		if (f.missing != NULL || job_figure_again(t->list, q))
			continue;
		if (f.left_out > 0)
			snprintf(lacks, sizeof lacks, "%u deltas left out",
			    f.left_out);
		job_take_put_note(notes, size, t->list->figure[q]->title,
		    figure_note(
		    &t->gather.binding, &f, lacks, words, sizeof words));
	}
}

static int
job_ended(struct take *t, struct running *x)
{
	char notes[800] = "";
	struct job_piece p = { .span = x->span, .from = x->from, .to = x->to,
	    .seconds = x->sums.seconds, .node_seconds = x->sums.node_seconds,
	    .beside_seconds = x->sums.beside_seconds, .lprocs = x->lprocs,
	    .note = notes };
	int rc;

	/* the range asked for has no part of this job */
	if (x->sums.seconds <= 0 && !intervals_whole(t->gather.intervals))
		return 0;
	if ((rc = topology_choose(&t->gather.topo, x->lproc,
	    t->gather.topo.max_lproc)) < 0)
		return rc;
	if (x->overlaps != NULL)
		snprintf(notes, sizeof notes, "shares lprocs with job %s",
		    x->overlaps);
	if (x->unknown)
		job_take_put_note(notes, sizeof notes, "lprocs", x->lprocs > 0 ?
		    "some are not of the node" : "none is of the node");
	if (x->span->twice)
		job_take_put_note(notes, sizeof notes, "marks", "begun twice");
	put_figures(t, x, &p, notes, sizeof notes);
	rc = job_list_add(t->list, t->host, &p);
	t->taken->doubled += rc == -EEXIST;
	return rc == -EEXIST ? 0 : rc;
}

static void
running_fini(struct take *t, struct running *x)
{
	for (unsigned l = 0; x->lproc != NULL &&
	    l < t->gather.topo.max_lproc; l++)
		if (t->owner[l] == x->span)
			t->owner[l] = NULL;
	free(x->lproc);
	job_sums_fini(&x->sums);
}

/* ---- an interval */

/* Did span s end before span next began? */
static bool
ended_before(const struct job_span *s, const struct job_span *next)
{
	return s->ended && (s->end.sample < next->begin.sample ||
	    (s->end.sample == next->begin.sample &&
	    s->end.time <= next->begin.time));
}

/*
 * Looks for jobs that have lprocs in common; each of two such jobs notes the
 * first other job that was found.
 */
static void
find_overlaps(struct take *t, struct running *x)
{
	for (unsigned l = 0; l < t->gather.topo.max_lproc; l++) {
		const struct job_span *other = t->owner[l];

		if (!x->lproc[l])
			continue;
		t->owner[l] = x->span;
		if (other == NULL || x->overlaps != NULL ||
		    ended_before(other, x->span))
			continue;
		x->overlaps = other->id;
		for (unsigned i = 0; i < t->nrunning; i++)
			if (t->running[i].span == other &&
			    t->running[i].overlaps == NULL)
				t->running[i].overlaps = x->span->id;
	}
}

static int
job_begins(struct take *t, const struct job_span *span)
{
	struct running x = { .span = span, .from = NAN, .to = NAN };
	unsigned room = t->room * 2 + 8;
	void *p;

	if (t->nrunning == t->room) {
		if ((p = reallocarray(t->running, room, sizeof x)) == NULL)
			return -ENOMEM;
		t->running = p;
		if ((p = reallocarray(t->part, room, sizeof *t->part)) == NULL)
			return -ENOMEM;
		t->part = p;
		if ((p = reallocarray(t->ends, 2 * (size_t)room,
		    sizeof *t->ends)) == NULL)
			return -ENOMEM;
		t->ends = p;
		t->room = room;
	}
	if ((x.lproc = calloc(t->gather.topo.max_lproc + 1, 1)) == NULL)
		return -ENOMEM;
	x.lprocs = job_lprocs(&t->gather.topo, span->lprocs, x.lproc,
	    &x.unknown);
	find_overlaps(t, &x);
	t->running[t->nrunning++] = x;
	return 0;
}

/* Computes each job's part of the present interval. */
static void
share_interval(struct take *t)
{
	const struct gather *g = &t->gather;
	double from = g->wall_last > 0 ? g->wall_last - g->now.seconds :
	    (double)NAN;

	for (unsigned i = 0; i < t->nrunning; i++) {
		struct running *x = &t->running[i];
		struct job_part *p = &t->part[i];

		*p = (struct job_part){ .lprocs = x->lprocs, .to = 1,
		    .from = mark_at(g, &x->span->begin, 0) };
		if (x->span->ended)
			p->to = mark_at(g, &x->span->end, 1);
		if (p->to < p->from)
			p->to = p->from;
		x->done = x->span->ended &&
		    x->span->end.sample <= g->now.sample;
		if (isnan(x->from))
			x->from = from + p->from * g->now.seconds;
		x->to = from + p->to * g->now.seconds;
	}
	job_share(t->part, t->nrunning, t->ends);
}

/* Adds a span that lies in no interval, with a note instead of figures. */
static int
take_without(struct take *t, const struct job_span *span, const char *note)
{
	struct job_piece p = { .span = span, .from = NAN, .to = NAN,
	    .note = note };

	for (unsigned q = 0; q < t->list->nfigure; q++)
		p.value[q] = NAN;
	return job_list_add(t->list, t->host, &p);
}

/* Was that over before the present interval began? */
static bool
job_take_is_over(const struct take *t, const struct job_span *s)
{
	return (s->ended ? s->end.sample : s->lost) <=
	    t->gather.now.before_sample;
}

/*
 * Starts the jobs that begin in the present interval. A job that ended before
 * the first interval gets no figures.
 */
static int
take_begins(struct take *t)
{
	bool whole = intervals_whole(t->gather.intervals);
	const struct interval *now = &t->gather.now;
	int rc = 0;

	for (; rc == 0 && t->next < t->norder && t->order[t->next]->
	    begin.sample <= now->sample; t->next++) {
		const struct job_span *s = t->order[t->next];

		if (!job_take_is_over(t, s))
			rc = job_begins(t, s);
		else if (whole)
			rc = take_without(t, s, "");
	}
	return rc;
}

/*
 * Takes the figures of jobs that have ended and removes them from the running.
 */
static int
end_done(struct take *t, int rc)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < t->nrunning; i++) {
		struct running *x = &t->running[i];

		if (rc == 0 && x->done)
			rc = job_ended(t, x);
		if (x->done)
			running_fini(t, x);
		else
			t->running[kept++] = *x;
	}
	t->nrunning = kept;
	return rc;
}

/*
 * Adds the present interval to all running jobs, then finishes those that end
 * in it.
 */
static int
job_take_interval(struct take *t)
{
	const struct gather *g = &t->gather;
	const struct sums *now;
	int rc;

	/* tallyd was restarted before this interval */
	for (unsigned i = 0; i < t->nrunning; i++)
		t->running[i].done = job_take_is_over(t, t->running[i].span);
	if ((rc = end_done(t, 0)) < 0 || (rc = take_begins(t)) < 0 ||
	    t->nrunning == 0)
		return rc;
	share_interval(t);
	now = gather_interval(&t->gather);
	t->last = *now;
	for (unsigned i = 0; rc == 0 && i < t->nrunning; i++)
		rc = job_sums_add(&t->running[i].sums, g, now, &t->part[i]);
	return end_done(t, rc);
}

/*
 * After the last interval: finishes the jobs still running, then adds those
 * that began after the last sample or at an unknown time.
 */
static int
take_rest(struct take *t)
{
	bool whole = intervals_whole(t->gather.intervals);
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < t->nrunning; i++)
		rc = job_ended(t, &t->running[i]);
	for (unsigned i = 0; whole && rc == 0 && i < t->jobs.n; i++)
		if (!t->jobs.span[i].begun)
			rc = take_without(t, &t->jobs.span[i],
			    "marks: no begin");
	for (; whole && rc == 0 && t->next < t->norder; t->next++)
		rc = take_without(t, t->order[t->next], "");
	return rc;
}

/* ---- a dump */

static int
bind_metric(struct take *t, const char *name, int *bound)
{
	const struct metric *m = name == NULL ? NULL :
	    metrics_find(&t->metrics, name);
	unsigned n = 0;
	int rc = m == NULL ? 0 : binding_add(&t->gather.binding, m, &n, t->why);

	*bound = m == NULL ? -1 : (int)n;
	return rc;
}

static int
bind_figures(struct take *t)
{
	int rc = 0;

	for (unsigned q = 0; rc >= 0 && q < t->list->nfigure; q++) {
		rc = bind_metric(t, t->list->figure[q]->metric, &t->bound[q]);
		if (rc >= 0)
			rc = bind_metric(t, t->list->figure[q]->other,
			    &t->weight[q]);
	}
	return rc;
}

static int
take_open(struct take *t, const char *path, const struct gather_ask *ask)
{
	int rc = gather_load(&t->gather, &t->metrics, path, ask, t->why);
	int host;

	if (rc < 0 || (rc = metrics_load(&t->metrics, "@jobs", t->why)) < 0 ||
	    (rc = jobs_load(&t->jobs, t->gather.reader)) < 0)
		return rc;
	t->taken->jobs = t->jobs.n;
	t->taken->nbad = t->jobs.nbad;
	if ((host = job_list_host(t->list, t->gather.host)) < 0)
		return host;
	t->host = (uint32_t)host;
	return (rc = put_in_order(t)) < 0 ? rc : bind_figures(t);
}

int
job_take(struct job_list *list, struct job_taken *taken, const char *path,
    const struct gather_ask *ask, struct diag *why)
{
	struct take t = { .list = list, .taken = taken, .why = why };
	int rc;

	*taken = (struct job_taken){ .jobs = 0 };
	if ((rc = take_open(&t, path, ask)) == 0 && t.jobs.n > 0) {
		while ((rc = gather_next(&t.gather, why)) > 0)
			if ((rc = job_take_interval(&t)) < 0)
				break;
		if (rc == 0)
			rc = take_rest(&t);
		intervals_complain(t.gather.intervals);
	}
	for (unsigned i = 0; i < t.nrunning; i++)
		running_fini(&t, &t.running[i]);
	free(t.running);
	free(t.part);
	free(t.ends);
	free(t.order);
	free(t.owner);
	jobs_fini(&t.jobs);
	gather_unload(&t.gather, &t.metrics);
	return rc;
}
