/*
 * postproc/data/marks.c - marks with words, jobs by their marks, and which jobs ran in
 * an interval.
 */
#include "postproc/data/marks.h"

#include "config/dump/head.h"
#include "lib/array.h"
#include "lib/lookup.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
mark_list_add(struct mark_list *m, struct mark mark)
{
	if (!array_room(&m->mark, m->n, &m->room, sizeof *m->mark))
		return -ENOMEM;
	m->mark[m->n++] = mark;
	return 0;
}

int
mark_list_load(struct mark_list *m, const struct reader *r)
{
	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *text = read_constant(r, i);
		const struct constant *at;

		if (text->key != HEAD_MARK_TEXT)
			continue;
		at = head_constant(r, HEAD_MARK_SAMPLE, text->at);
		if (at == NULL || at->kind != CONSTANT_INT || text->kind !=
		    CONSTANT_TEXT || text->none ||
		    mark_words_check(text->exact, NULL) < 0) {
			m->nbad++;
			continue;
		}
		if (mark_list_add(m, (struct mark){ .sample = at->u,
		    .time = head_number(r, HEAD_MARK_TIME, text->at,
		    (double)NAN), .text = text->exact }) < 0)
			return -ENOMEM;
	}
	return 0;
}

void
mark_list_fini(struct mark_list *m)
{
	free(m->mark);
	*m = (struct mark_list){ .n = 0 };
}

/* ---- jobs ---------------------------------------------------------------- */

/* The first span of a job, whose member `latest` leads to its latest one; NULL: the job has
 * none. */
static struct job_span *
first_span(const struct jobs *j, const struct lookup *by_id, const char *id)
{
	uint64_t hash = lookup_text(0, id);

	for (uint32_t at = lookup_first(by_id, hash); at != LOOKUP_END;
	    at = lookup_next(by_id, at))
		if (strcmp(j->span[lookup_value(by_id, at)].id, id) == 0)
			return &j->span[lookup_value(by_id, at)];
	return NULL;
}

/* The latest span of a job if it has not ended; else NULL. */
static struct job_span *
open_span(const struct jobs *j, const struct lookup *by_id, const char *id)
{
	struct job_span *s = first_span(j, by_id, id);

	return s == NULL || j->span[s->latest].ended ||
	    j->span[s->latest].lost != UINT64_MAX ? NULL :
	    &j->span[s->latest];
}

static struct job_span *
span_add(struct jobs *j, struct lookup *by_id, const char *id)
{
	struct job_span *s;

	if (!array_room(&j->span, j->n, &j->room, sizeof *j->span))
		return NULL;
	if ((s = first_span(j, by_id, id)) != NULL)
		s->latest = j->n;
	else if (lookup_add(by_id, lookup_text(0, id), j->n) < 0)
		return NULL;
	s = &j->span[j->n];
	*s = (struct job_span){ .latest = j->n++, .lost = UINT64_MAX };
	strcpy(s->id, id);
	return s;
}

/* Copies the value of the word KEY=VALUE of a mark; "" where the mark has no KEY, or
 * KEY has no value.  Values fit, as mark_list_load takes no text that is longer. */
static void
copy_value(char to[JOB_WORD], const char *text, const char *key)
{
	size_t n = 0;
	const char *value = mark_words_value(text, key, &n);

	memcpy(to, value != NULL ? value : "", n);
	to[n] = '\0';
}

/* Was the daemon restarted between the latest mark of a span and m, which begins the job
 * again?  Then nobody knows when the span ended. */
static bool
is_lost(struct job_span *s, const struct reader *r, const struct mark *m)
{
	uint64_t anew = read_restart(r, s->marked);

	if (anew > m->sample)
		return false;
	s->lost = anew;
	return true;
}

static int
take_mark(struct jobs *j, struct lookup *by_id, const struct reader *r,
    const struct mark *m)
{
	bool begins = mark_has(m->text, "begin");
	bool ends = mark_has(m->text, "end");
	char id[JOB_WORD];
	struct job_span *s;

	if (!mark_has(m->text, "job"))
		return 0;
	copy_value(id, m->text, "job");
	if (id[0] == '\0' || begins == ends) {
		j->nbad++;
		return 0;
	}
	s = open_span(j, by_id, id);
	if (s != NULL && begins && is_lost(s, r, m))
		s = NULL;
	else if (s != NULL && begins)
		s->twice = true;
	if (s == NULL && (s = span_add(j, by_id, id)) == NULL)
		return -ENOMEM;
	s->marked = m->sample;
	if (ends) {
		s->end = *m;
		s->ended = true;
		return 0;
	}
	if (!s->begun)
		s->begin = *m;
	s->begun = true;
	copy_value(s->user, m->text, "user");
	copy_value(s->lprocs, m->text, "lprocs");
	return 0;
}

int
jobs_load(struct jobs *j, const struct reader *r)
{
	struct lookup by_id = { .n = 0 };
	struct mark_list m = { .n = 0 };
	int rc = mark_list_load(&m, r);

	j->nbad += m.nbad;
	for (unsigned i = 0; rc == 0 && i < m.n; i++)
		rc = take_mark(j, &by_id, r, &m.mark[i]);
	for (unsigned i = 0; i < j->n; i++)
		if (!j->span[i].ended && j->span[i].lost == UINT64_MAX)
			j->span[i].lost = read_restart(r, j->span[i].marked);
	mark_list_fini(&m);
	lookup_fini(&by_id);
	return rc;
}

void
jobs_fini(struct jobs *j)
{
	free(j->span);
	*j = (struct jobs){ .n = 0 };
}

/* ---- which jobs ran in an interval --------------------------------------- */

static bool
ran_in(const struct job_span *s, const struct interval *step)
{
	return s->begin.sample <= step->sample && (s->ended ? s->end.sample :
	    s->lost) > step->before_sample;
}

/* Loads the jobs anew where the head has more by now: a run in segments, or a store
 * that is still written, gets marks while it is read. */
static bool
jobs_then_load(struct jobs_then *t, const struct reader *r)
{
	unsigned n = read_constants(r) + 1;

	if (t->nconstant == n)
		return true;
	jobs_fini(&t->jobs);
	t->jobs = (struct jobs){ .n = 0 };
	t->nconstant = n;
	return jobs_load(&t->jobs, r) == 0;
}

const char *
jobs_then(struct jobs_then *t, const struct reader *r,
    const struct interval *step)
{
	size_t n = 0;

	if (!jobs_then_load(t, r))
		return NULL;
	for (unsigned i = 0; i < t->jobs.n; i++) {
		const struct job_span *s = &t->jobs.span[i];

		if (ran_in(s, step) && n + strlen(s->id) + 2 < sizeof(t->ids))
			n += (size_t)sprintf(t->ids + n, "%s%s", n > 0 ? "," :
			    "", s->id);
	}
	return n > 0 ? t->ids : NULL;
}

void
jobs_then_fini(struct jobs_then *t)
{
	jobs_fini(&t->jobs);
	*t = (struct jobs_then){ .nconstant = 0 };
}

#define LAST_SECOND 253402300799u       /* of the year 9999 */

static uint64_t
cell_named(const struct reader *r, const struct interval *step,
    const char *name)
{
	int c = read_find(r, name);

	return c >= 0 && (unsigned)c < step->ncol ? step->value[c] : ABSENT;
}

bool
interval_time(const struct reader *r, const struct interval *step, int64_t *us)
{
	uint64_t s = cell_named(r, step, "walltime[0]");
	uint64_t rest = cell_named(r, step, "walltime[1]");

	if (s > LAST_SECOND || rest > 999999)
		return false;
	*us = (int64_t)(s * 1000000 + rest);
	return true;
}
