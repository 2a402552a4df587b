/*
 * postproc/metrics/event_metrics.c - events of a dump as metrics.
 */
#include "postproc/metrics/event_metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS "events of the dump"

/* Does some metric that is shown have the name? */
static bool
is_metric(const struct metrics *m, const char *pattern)
{
	for (unsigned i = 0; i < m->n; i++)
		if (!m->metric[i].hidden &&
		    pattern_match(pattern, m->metric[i].name))
			return true;
	return false;
}

/* A count of an event whose name can stand in a formula as it is. */
static bool
is_count(const struct series *s)
{
	return s->counter && s->event != NULL &&
	    (s->family->part == PART_COUNTS || s->family->part == PART_SCALED) &&
	    strpbrk(s->event, "\"\\\n*") == NULL;
}

static bool
is_alone(const struct seriesset *set, const struct series *s)
{
	for (uint32_t i = 0; i < set->n; i++)
		if (&set->series[i] != s && is_count(&set->series[i]) &&
		    strcmp(set->series[i].event, s->event) == 0)
			return false;
	return true;
}

static void
event_metrics_put_metric(FILE *f, const char *name, const struct series *s)
{
	static const enum scope scope[] = { [LEVEL_LPROC] = SCOPE_OF_LPROC,
		[LEVEL_BOX] = SCOPE_OF_BOX, [LEVEL_PACKAGE] = SCOPE_OF_PACKAGE,
		[LEVEL_NODE] = SCOPE_OF_NODE };

	fprintf(f, "metric \"%s\" %s \"M/s\" \"Counts of this event\"\n"
	    "\t= %s[\"%s\"] / time / 1e6\n", name, scope_name(scope[s->level]),
	    s->family->name, s->event);
}

static void
put_asked(FILE *f, const struct metrics *m, const struct seriesset *set,
    const struct patterns *asked)
{
	char name[MAX_NAME];

	for (uint32_t i = 0; i < set->n; i++) {
		const struct series *s = &set->series[i];
		bool wanted = false;

		if (!is_count(s))
			continue;
		snprintf(name, sizeof(name), "%.*s/%s", s->family->stem,
		    s->family->name, s->event);
		for (unsigned k = 0; k < asked->n && !wanted; k++)
			wanted = (pattern_match(asked->pattern[k], s->event) ||
			    pattern_match(asked->pattern[k], name)) &&
			    !is_metric(m, asked->pattern[k]);
		if (wanted)
			event_metrics_put_metric(f,
			    is_alone(set, s) ? s->event : name, s);
	}
}

int
event_metrics_add(struct metrics *m, const struct seriesset *set,
    const struct patterns *asked, struct diag *why)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int rc;

	if (f == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	put_asked(f, m, set, asked);
	rc = ferror(f) ? -ENOMEM : 0;
	if (fclose(f) != 0 || text == NULL)
		rc = -ENOMEM;
	m->at = m->n;
	m->after = false;
	rc = rc < 0 ? diag_set(why, rc, "out of memory") : size == 0 ? 0 :
	    metrics_parse(m, EVENTS, text, size, why);
	free(text);
	return rc;
}
