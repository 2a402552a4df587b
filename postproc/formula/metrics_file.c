/*
 * postproc/formula/metrics_file.c - the metrics file.
 *
 *   file      = { statement }     a statement begins at the first column,
 *                                 its further lines are indented
 *   statement = metric | event | withheld | include | after
 *   metric    = "metric" ( NAME | STRING ) scope STRING(unit) STRING(description)
 *               [ range ] [ "note" STRING ] [ "hidden" ]
 *               "=" expr
 *   range     = "range" number ( number | NAME(metric) ) [ "each" ]
 *   event     = "event" STRING { STRING } [ "bits" number ]
 *                                 names of the same event
 *   withheld  = "withheld" ( NAME | STRING ) STRING(why)
 *   include   = "include" STRING          all that the list of that name says
 *   after     = "after" ( NAME | STRING ) the metrics below stand after that one
 *   scope     = "lproc" | "core" | "box" | "package" | "node"
 */
#include "postproc/formula/metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/eventlist.h"
#include "config/include.h"
#include "config/texts.h"

static int
metrics_file_bound(struct lex *l, double *out, struct diag *why)
{
	bool negative = lex_mark(l, "-");

	if (negative)
		lex_next(l);
	if (l->kind != LEX_NUMBER)
		return lex_fail(l, why, "a number expected (range LOW HIGH, or "
		    "LOW METRIC)");
	*out = negative ? -l->number : l->number;
	lex_next(l);
	return 0;
}

/* The name of a metric: bare, or in quotes. */
static int
metrics_file_take_name(struct metrics *m, struct lex *l, const char **out,
    struct diag *why)
{
	return l->kind == LEX_STRING ? lex_quoted(l, m->arena, out, "", why) :
	    lex_text(l, m->arena, LEX_NAME, out, "the metric's name", why);
}

/* number ( number | NAME(metric) ) [ "each" ] */
static int
range(struct metrics *m, struct lex *l, struct metric *x, struct diag *why)
{
	struct lex at = *l;
	int rc;

	x->ranged = true;
	if ((rc = metrics_file_bound(l, &x->lo, why)) < 0)
		return rc;
	if ((rc = l->kind == LEX_NAME ?
	    metrics_file_take_name(m, l, &x->most, why) :
	    metrics_file_bound(l, &x->hi, why)) < 0)
		return rc;
	if (x->most == NULL && x->lo > x->hi)
		return lex_fail(&at, why, "a range that runs backwards");
	if (!lex_word(l, "each"))
		return 0;
	if (x->scope != SCOPE_OF_BOX && x->scope != SCOPE_OF_PACKAGE)
		return lex_fail(l, why, "each of boxes or packages alone");
	x->each = true;
	lex_next(l);
	return 0;
}

/* [ range ] [ "note" STRING ] [ "hidden" ] */
static int
metric_options(struct metrics *m, struct lex *l, struct metric *x,
    struct diag *why)
{
	int rc;

	if (lex_word(l, "range")) {
		lex_next(l);
		if ((rc = range(m, l, x, why)) < 0)
			return rc;
	}
	if (lex_word(l, "note")) {
		lex_next(l);
		if ((rc = lex_quoted(l, m->arena, &x->note,
		    "a note, in quotes,", why)) < 0)
			return rc;
	}
	if ((x->hidden = lex_word(l, "hidden")))
		lex_next(l);
	return 0;
}

/* ( NAME | STRING ) scope STRING STRING */
static int
metric_head(struct metrics *m, struct lex *l, struct metric *x,
    struct diag *why)
{
	const struct metric *twin;
	struct lex at = *l;
	int rc;

	if ((rc = metrics_file_take_name(m, l, &x->name, why)) < 0)
		return rc;
	if ((twin = metrics_find(m, x->name)) != NULL &&
	    strcmp(twin->file, x->file) == 0)
		return lex_fail(&at, why, "a second metric of that name (the "
		    "first is on line %u)", twin->line);
	if ((rc = scope_take(l, &x->scope, why)) < 0 ||
	    (rc = lex_quoted(l, m->arena, &x->unit, "the unit, in quotes,",
	    why)) < 0)
		return rc;
	return lex_quoted(l, m->arena, &x->text, "a description, in quotes,",
	    why);
}

static int
metrics_file_metric(struct metrics *m, struct lex *l, struct diag *why)
{
	struct metric x = { .line = l->word_line };
	int rc;

	if ((x.file = arena_strndup(m->arena, l->file, strlen(l->file))) == NULL)
		return -ENOMEM;
	if ((rc = metric_head(m, l, &x, why)) < 0 ||
	    (rc = metric_options(m, l, &x, why)) < 0)
		return rc;
	if (!lex_mark(l, "="))
		return lex_fail(l, why, "'=' expected");
	lex_next(l);
	rc = expr_parse_all(&x.expr, m->arena, l, why);
	return rc < 0 ? rc : metrics_put(m, &x);
}

static int
event(struct metrics *m, struct lex *l, struct diag *why)
{
	struct synonyms s = { .n = 0 };
	const char *name[16];
	int rc;

	do {
		if (s.n == 16)
			return lex_fail(l, why, "at most 16 names of an event");
		if ((rc = lex_quoted(l, m->arena, &name[s.n], "the name of an "
		    "event, in quotes,", why)) < 0)
			return rc;
		s.n++;
	} while (l->kind != LEX_END && l->kind != LEX_STOP &&
	    !lex_word(l, "bits"));
	if (lex_word(l, "bits")) {
		lex_next(l);
		if (l->kind != LEX_NUMBER || !(l->number >= 1 &&
		    l->number <= UINT32_MAX))
			return lex_fail(l, why, "bits of a control value "
			    "expected, 0x200000");
		s.bits = (uint64_t)l->number;
		lex_next(l);
		if ((rc = lex_ended(l, why)) < 0)
			return rc;
	}
	if ((s.name = arena_alloc(m->arena, s.n * sizeof *s.name)) == NULL)
		return -ENOMEM;
	memcpy(s.name, name, s.n * sizeof *s.name);
	return synonyms_add(m, &s);
}

/* A metric that other tools have and that would mislead: who asks for it is told why. */
static int
withheld(struct metrics *m, struct lex *l, struct diag *why)
{
	struct withheld x = { .next = m->withheld }, *kept;
	int rc;

	if ((rc = metrics_file_take_name(m, l, &x.name, why)) < 0 ||
	    (rc = lex_quoted(l, m->arena, &x.why, "the reason, in quotes,",
	    why)) < 0 || (rc = lex_ended(l, why)) < 0)
		return rc;
	if ((kept = arena_alloc(m->arena, sizeof *kept)) == NULL)
		return -ENOMEM;
	*kept = x;
	m->withheld = kept;
	return 0;
}

/* Metrics below are put behind another one, not at the end of the list. */
static int
metrics_file_after(struct metrics *m, struct lex *l, struct diag *why)
{
	const struct metric *x;
	struct lex at = *l;
	const char *name;
	int rc;

	if ((rc = metrics_file_take_name(m, l, &name, why)) < 0 ||
	    (rc = lex_ended(l, why)) < 0)
		return rc;
	if ((x = metrics_find(m, name)) == NULL)
		return lex_fail(&at, why, "no metric of that name so far");
	m->at = 0;
	while (metrics_at(m, m->at++) != x)
		;
	m->after = true;
	return 0;
}

static int metrics_file_parse(struct metrics *, struct include *,
    const char *text, size_t size, struct diag *why);

/* Adds all that another list says. */
static int
parse_included(struct metrics *m, const struct lex *at, struct include *in,
    struct diag *why)
{
	struct diag words;
	char *text;
	size_t size;
	int rc;

	if ((rc = include_may(in, &words)) < 0 ||
	    (rc = include_first(&m->included, m->arena, in->file, 0)) == 1)
		rc = rc < 0 ? rc : text_load(in->file, TEXT_METRICS, &text,
		    &size, &words);
	else
		return rc;
	if (rc < 0)
		return rc == -ENOMEM ? rc :
		    lex_fail(at, why, "%.900s", words.text);
	rc = metrics_file_parse(m, in, text, size, why);
	free(text);
	return rc;
}

/* Includes another list, unless it has been read before. */
static int
include(struct metrics *m, struct lex *l, struct diag *why)
{
	struct include in = { .by = m->reading, .line = l->word_line };
	struct lex at = *l;
	unsigned tail = m->n - m->at;
	bool was_after = m->after;
	const char *name = "";
	int rc;

	if ((rc = lex_quoted(l, m->arena, &name, "the name of a list, in "
	    "quotes,", why)) < 0 || (rc = lex_ended(l, why)) < 0)
		return rc;
	if ((in.file = include_path(m->arena, l->file, name)) == NULL)
		return -ENOMEM;
	rc = parse_included(m, &at, &in, why);
	m->at = m->n - tail;
	m->after = was_after;
	return rc;
}

static const struct {
	const char *word;
	int (*take)(struct metrics *, struct lex *, struct diag *why);
} statements[] = {
	{ "metric", metrics_file_metric }, { "event", event },
	    { "withheld", withheld },
	{ "include", include }, { "after", metrics_file_after },
};
#define NSTATEMENTS (sizeof statements / sizeof statements[0])

static int
take_statement_of(void *metrics, struct lex *l, struct diag *why)
{
	size_t i = 0;

	while (i < NSTATEMENTS && !lex_word(l, statements[i].word))
		i++;
	if (i == NSTATEMENTS)
		return lex_fail(l, why, "`metric` or `event` expected (or "
		    "`withheld`, `include`, `after`)");
	lex_next(l);
	return statements[i].take(metrics, l, why);
}

static int
metrics_file_parse(struct metrics *m, struct include *in, const char *text,
    size_t size, struct diag *why)
{
	int rc;

	m->reading = in;
	rc = lex_statements(in->file, text, size, take_statement_of, m, why);
	if (rc == -EINVAL)
		include_failed(in, why);
	m->reading = in->by;
	return rc;
}

int
metrics_parse(struct metrics *m, const char *file, const char *text,
    size_t size, struct diag *why)
{
	struct include in = { .file = file };
	int rc = include_first(&m->included, m->arena, file, 0);

	m->at = m->n;
	m->after = false;
	/* a list that has been read before is not read again */
	return rc <= 0 ? rc : metrics_file_parse(m, &in, text, size, why);
}

static int
metrics_load_file(struct metrics *m, const char *file, struct diag *why)
{
	char *text;
	size_t size, i = 0;
	int rc = text_load(file, TEXT_METRICS, &text, &size, why);

	if (rc < 0)
		return rc;
	while (i < size && strchr(" \t\r\n", text[i]) != NULL && text[i])
		i++;
	m->at = m->n;
	m->after = false;
	rc = (i < size && text[i] == '{' ? metrics_parse_intel :
	    metrics_parse)(m, file, text, size, why);
	free(text);
	return rc;
}

int
metrics_load(struct metrics *m, const char *file, struct diag *why)
{
	int rc = m->n == 0 ? metrics_load_file(m, "@names", why) : 0;

	return rc < 0 ? rc : metrics_load_file(m, file, why);
}

int
metrics_load_for(struct metrics *m, const char *file, const char *model,
    struct diag *why)
{
	char name[80];
	int rc;

	if (file != NULL) {
		rc = mapfile_check_named(model, file, why);
		return rc < 0 ? rc : metrics_load(m, file, why);
	}
	snprintf(name, sizeof name, "@%s", model ? model : "skx");
	return metrics_load(m, text_named(name, TEXT_METRICS) != NULL ? name :
	    "@skx", why);
}
