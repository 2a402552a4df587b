/*
 * postproc/data/jobs.c - jobs, by the marks of one dump.
 */
#include "postproc/data/jobs.h"

#include "lib/lookup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The first span of a job, which knows the latest one; NULL: none. */
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

/* The span of a job that goes on; NULL: none. */
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

	if (j->n == j->room) {
		unsigned room = j->room * 2 + 16;

		if ((s = reallocarray(j->span, room, sizeof *s)) == NULL)
			return NULL;
		j->span = s;
		j->room = room;
	}
	if ((s = first_span(j, by_id, id)) != NULL)
		s->latest = j->n;
	else if (lookup_add(by_id, lookup_text(0, id), j->n) < 0)
		return NULL;
	s = &j->span[j->n];
	*s = (struct job_span){ .latest = j->n++, .lost = UINT64_MAX };
	strcpy(s->id, id);
	return s;
}

static void
take_words(struct job_span *s, const char *text)
{
	if (mark_value(text, "user", s->user, sizeof s->user) == NULL)
		s->user[0] = '\0';
	if (mark_value(text, "lprocs", s->lprocs, sizeof s->lprocs) == NULL)
		s->lprocs[0] = '\0';
}

/* A begin that the daemon was told of anew: of what was told to one before it
 * nobody knows the end. */
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
	char id[JOB_WORD], word[JOB_WORD];
	bool begins = mark_value(m->text, "begin", word, sizeof word) != NULL;
	bool ends = mark_value(m->text, "end", word, sizeof word) != NULL;
	struct job_span *s;

	if (mark_value(m->text, "job", id, sizeof id) == NULL)
		return 0;
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
	take_words(s, m->text);
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
