/*
 * postproc/many/job_list.c - jobs of many dumps.
 */
#include "postproc/many/job_list.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEAM 0.001              /* s by which two dumps may overlap, as their
				 * clocks are not read at the same moment */

int
job_list_init(struct job_list *l, struct diag *why)
{
	const struct view_line *x = NULL;
	int rc;

	*l = (struct job_list){ .n = 0 };
	if ((rc = node_view_load(&l->view, "@jobs", NULL, why)) < 0)
		return rc;
	while ((x = view_next(&l->view, VIEW_FIGURE, x)) != NULL &&
	    l->nfigure < JOB_FIGURES)
		l->figure[l->nfigure++] = x;
	return 0;
}

bool
job_figure_again(const struct job_list *l, unsigned f)
{
	for (unsigned i = 0; i < f; i++)
		if (strcmp(l->figure[i]->metric, l->figure[f]->metric) == 0)
			return true;
	return false;
}

/* Doubles an array when it is full. */
static bool
job_list_more(void *array, unsigned n, size_t size)
{
	void **at = array, *p;

	if ((n & (n - 1)) != 0)
		return true;
	if ((p = reallocarray(*at, n > 0 ? 2 * (size_t)n : 1, size)) == NULL)
		return false;
	*at = p;
	return true;
}

int
job_list_host(struct job_list *l, const char *host)
{
	uint64_t hash = lookup_text(0, host);
	char *copy;

	LOOKUP_EACH(i, &l->by_host, hash)
		if (strcmp(l->host[i], host) == 0)
			return (int)i;
	if (!job_list_more(&l->host, l->nhost, sizeof *l->host) ||
	    (copy = strdup(host)) == NULL)
		return -ENOMEM;
	l->host[l->nhost++] = copy;
	return lookup_add(&l->by_host, hash, l->nhost - 1) < 0 ? -ENOMEM :
	    (int)l->nhost - 1;
}

static struct job *
job_find(const struct job_list *l, const char *id)
{
	uint64_t hash = lookup_text(0, id);

	LOOKUP_EACH(i, &l->by_id, hash)
		if (strcmp(l->job[i].id, id) == 0)
			return &l->job[i];
	return NULL;
}

static struct job *
job_new(struct job_list *l, const struct job_span *span)
{
	struct job *j;

	if (!job_list_more(&l->job, l->n, sizeof *l->job))
		return NULL;
	j = &l->job[l->n];
	*j = (struct job){ .id = strdup(span->id), .user = strdup(span->user),
	    .note = strdup(""), .begin = NAN, .end = NAN };
	l->n++;
	return j->id == NULL || j->user == NULL || j->note == NULL ||
	    lookup_add(&l->by_id, lookup_text(0, span->id), l->n - 1) < 0 ?
	    NULL : j;
}

static struct job_on *
on_find(const struct job *j, uint32_t host)
{
	/* the dumps of a node mostly follow each other */
	for (unsigned i = j->non; i-- > 0;)
		if (j->on[i].host == host)
			return &j->on[i];
	return NULL;
}

struct job_on *
job_list_on(const struct job_list *l, const char *id, uint32_t host)
{
	const struct job *j = job_find(l, id);

	return j != NULL ? on_find(j, host) : NULL;
}

static struct job_on *
on_new(struct job *j, uint32_t host)
{
	if (!job_list_more(&j->on, j->non, sizeof *j->on))
		return NULL;
	j->on[j->non] = (struct job_on){ .host = host, .begin = NAN,
	    .until = -INFINITY, .latest = -INFINITY };
	return &j->on[j->non++];
}

/* Adds a sampled range; -EEXIST if it overlaps one that is there. */
static int
add_range(struct job_on *on, double from, double to)
{
	for (unsigned i = on->nsampled; i-- > 0;)
		if (from < on->sampled[i].to - SEAM &&
		    to > on->sampled[i].from + SEAM)
			return -EEXIST;
	if (!job_list_more(&on->sampled, on->nsampled, sizeof *on->sampled))
		return -ENOMEM;
	on->sampled[on->nsampled++] = (struct job_range){ from, to };
	return 0;
}

/*
 * Adds the time that a job's marks cover on a node; a span without an end mark
 * counts up to the dump's last sample.
 */
static void
add_time(struct job *j, struct job_on *on, const struct job_piece *p)
{
	double begin = p->span->begun ? p->span->begin.time : on->begin;
	double end = p->span->ended ? p->span->end.time : p->to;

	if (end > begin) {
		on->expected += begin < on->until ? fmax(0, end - on->until) :
		    end - begin;
		on->until = fmax(on->until, end);
	}
	on->begin = fmin(on->begin, begin);     /* fmin ignores a NaN */
	if (!(p->to <= on->latest))
		on->ended = p->span->ended;
	on->latest = fmax(on->latest, p->to);
	j->begin = fmin(j->begin, begin);
	if (p->span->ended)
		j->end = fmax(j->end, end);
}

static void
add_sums(struct job *j, const struct job_piece *p, unsigned nfigure)
{
	for (unsigned f = 0; f < nfigure; f++) {
		double sum = p->value[f] * p->weight[f];

		if (isnan(sum))
			continue;
		j->of[f].sum += sum;
		j->of[f].square += p->error[f] * p->error[f] * p->weight[f] *
		    p->weight[f];
		j->of[f].weight += p->weight[f];
		j->of[f].have++;
	}
	j->seconds += p->seconds;
	j->node_seconds += p->node_seconds;
	j->beside_seconds += p->beside_seconds;
	j->pieces++;
}

/* Adds a note unless the job has it. */
static int
add_note(struct job *j, const char *note)
{
	size_t had = strlen(j->note), n = strlen(note);
	char *p;

	if (n == 0 || strstr(j->note, note) != NULL || had > 1000)
		return 0;
	if ((p = realloc(j->note, had + n + 3)) == NULL)
		return -ENOMEM;
	j->note = p;
	strcpy(p + had, had > 0 ? "; " : "");
	strcat(p, note);
	return 0;
}

int
job_list_add(struct job_list *l, uint32_t host, const struct job_piece *p)
{
	const struct job_span *span = p->span;
	struct job *j = job_find(l, span->id);
	struct job_on *on;
	int rc;

	if (j == NULL && (j = job_new(l, span)) == NULL)
		return -ENOMEM;
	if ((on = on_find(j, host)) == NULL && (on = on_new(j, host)) == NULL)
		return -ENOMEM;
	if ((rc = add_range(on, p->from, p->to)) < 0)
		return rc;
	if (j->user[0] == '\0' && span->user[0] != '\0') {
		free(j->user);
		if ((j->user = strdup(span->user)) == NULL)
			return -ENOMEM;
	}
	if (span->begun && on->begun && span->begin.time > on->begin)
		j->again++;
	add_time(j, on, p);
	add_sums(j, p, l->nfigure);
	if (p->lprocs > on->lprocs)
		on->lprocs = p->lprocs;
	if (span->begun)
		strcpy(on->lproc_list, span->lprocs);
	on->begun |= span->begun;
	return add_note(j, p->note);
}

void
job_list_fini(struct job_list *l)
{
	for (unsigned i = 0; i < l->n; i++) {
		free(l->job[i].id);
		free(l->job[i].user);
		free(l->job[i].note);
		for (unsigned k = 0; k < l->job[i].non; k++)
			free(l->job[i].on[k].sampled);
		free(l->job[i].on);
	}
	for (unsigned i = 0; i < l->nhost; i++)
		free(l->host[i]);
	free(l->job);
	free(l->host);
	lookup_fini(&l->by_id);
	lookup_fini(&l->by_host);
	node_view_fini(&l->view);
	*l = (struct job_list){ .n = 0 };
}

double
job_seconds(const struct job *j)
{
	return j->non > 0 ? j->seconds / j->non : 0;
}

/* What the sum of figure f is divided by to give its value; 0: it has none. */
static double
divisor(const struct job_list *l, const struct job *j, unsigned f)
{
	const struct job_sum *s = &j->of[f];

	return s->have == 0 ? 0 : l->figure[f]->amount ? 1 :
	    l->figure[f]->other != NULL ? s->weight : job_seconds(j);
}

double
job_value(const struct job_list *l, const struct job *j, unsigned f)
{
	double by = divisor(l, j, f);

	return by > 0 ? j->of[f].sum / by : (double)NAN;
}

double
job_error(const struct job_list *l, const struct job *j, unsigned f)
{
	double by = divisor(l, j, f);

	return by > 0 ? sqrt(j->of[f].square) / by : (double)NAN;
}
