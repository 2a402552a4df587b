/*
 * postproc/metrics/dump_metrics.c - metrics that are made from what a dump has: one for
 * each of its files, and for each event that is asked for by name.
 */
#include "postproc/metrics/dump_metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Statements of a metrics file, in memory. */
struct statements {
	FILE *f;
	char *text;
	size_t size;
};

static int
statements_open(struct statements *s, struct diag *why)
{
	*s = (struct statements){ .f = NULL };
	s->f = open_memstream(&s->text, &s->size);
	return s->f != NULL ? 0 : diag_set(why, -ENOMEM, "out of memory");
}

/* Adds their metrics to the list; errors call them `name`. */
static int
statements_parse(struct statements *s, struct metrics *m, const char *name,
    struct diag *why)
{
	bool bad = ferror(s->f);
	int rc = 0;

	if (fclose(s->f) != 0 || bad || s->text == NULL)
		rc = diag_set(why, -ENOMEM, "out of memory");
	if (rc == 0 && s->size > 0)
		rc = metrics_parse(m, name, s->text, s->size, why);
	free(s->text);
	return rc;
}

/* ---- events ---------------------------------------------------------------- */

/* Does some metric that is not hidden match? */
static bool
is_metric(const struct metrics *m, const char *pattern)
{
	for (unsigned i = 0; i < m->n; i++)
		if (!m->metric[i].hidden &&
		    pattern_match(pattern, m->metric[i].name))
			return true;
	return false;
}

/* Is a series the count of an event, whose name can stand in a formula? */
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
put_event_metric(FILE *f, const char *name, const struct series *s)
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
			put_event_metric(f,
			    is_alone(set, s) ? s->event : name, s);
	}
}

int
event_metrics_add(struct metrics *m, const struct seriesset *set,
    const struct patterns *asked, struct diag *why)
{
	struct statements s;
	int rc = statements_open(&s, why);

	if (rc < 0)
		return rc;
	put_asked(s.f, m, set, asked);
	return statements_parse(&s, m, "events of the dump", why);
}

/* ---- files ----------------------------------------------------------------- */

/* Is a constant of the head the statement of a file, as tallyd writes it?  It has no
 * character that would end a text in quotes. */
static bool
is_of_file(const struct constant *k)
{
	const char *name = k->at.name[0];

	return k->key == HEAD_RAW_READ && k->kind == CONSTANT_TEXT &&
	    strncmp(k->text, "file=/", 6) == 0 &&
	    strncmp(name, "file_", 5) == 0 && strpbrk(k->text, "\"\\\n") ==
	    NULL && name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static void
put_file_metric(FILE *f, const struct reader *r,
    const struct constant *k)
{
	const char *name = k->at.name[0], *end = strchr(k->text, ' ');
	size_t path = end != NULL ? (size_t)(end - k->text) : strlen(k->text);
	bool gauge = strstr(k->text, " gauge") != NULL;
	bool several = memchr(k->text, '*', path) != NULL;
	const char *unit = head_text(r, HEAD_FAMILY_UNIT, OF(name), "");

	if (strpbrk(unit, "\"\\\n") != NULL)
		unit = "";
	/* the metric needs another name: the family's own means its columns */
	if (!gauge && strcmp(unit, "J") == 0)
		fprintf(f, "metric %s_rate node \"W\"", name);
	else
		fprintf(f, "metric %s_%s node \"%s%s\"", name, gauge ? "value" :
		    "rate", unit, gauge ? "" : "/s");
	fprintf(f, " \"%.*s%s\"\n\t= %s%s%s\n", (int)path - 5, k->text + 5,
	    !several ? "" : gauge ? ", the mean" : ", together", name,
	    several ? "[\"*\"]" : "", gauge ? "" : " / time");
}

int
file_metrics_add(struct metrics *m, const struct reader *r, struct diag *why)
{
	struct statements s;
	int rc = statements_open(&s, why);

	if (rc < 0)
		return rc;
	for (unsigned i = 0; i < read_constants(r); i++)
		if (is_of_file(read_constant(r, i)))
			put_file_metric(s.f, r, read_constant(r, i));
	return statements_parse(&s, m, "files of the node", why);
}
