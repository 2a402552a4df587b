/*
 * postproc/metrics/metrics.c - the metrics file.
 *
 *   file      = { statement }     a statement begins at the first column,
 *                                 its further lines are indented
 *   statement = metric | event | withheld
 *   metric    = "metric" ( NAME | STRING ) scope STRING(unit) STRING(description)
 *               [ "range" number number ] [ "note" STRING ] [ "hidden" ]
 *               "=" expr
 *   event     = "event" STRING { STRING } [ "bits" number ]
 *                                 names of the same event
 *   withheld  = "withheld" ( NAME | STRING ) STRING(why)
 *   scope     = "lproc" | "core" | "box" | "package" | "node"
 */
#include "postproc/metrics/metrics.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/lists/mapfile.h"
#include "config/texts.h"
#include "regs/array.h"

static const char *const scope_names[] = { "lproc", "core", "box", "package",
	"node" };

const char *
scope_name(enum scope s)
{
	return s < SCOPES ? scope_names[s] : "?";
}

enum scope
scope_find(const char *name)
{
	unsigned s = 0;

	while (s < SCOPES && strcmp(name, scope_names[s]) != 0)
		s++;
	return (enum scope)s;
}

bool
scope_widens(enum scope from, enum scope to)
{
	return to == SCOPE_OF_BOX || from == SCOPE_OF_BOX ?
	    from == SCOPE_OF_BOX && to >= SCOPE_OF_BOX : to >= from;
}

int
metrics_init(struct metrics *m)
{
	*m = (struct metrics){ .arena = arena_new() };
	return m->arena == NULL ? -ENOMEM : 0;
}

void
metrics_fini(struct metrics *m)
{
	free(m->metric);
	lookup_fini(&m->named);
	lookup_fini(&m->synonym);
	free(m->synonyms);
	arena_free(m->arena);
	*m = (struct metrics){ 0 };
}

const struct metric *
metrics_find(const struct metrics *m, const char *name)
{
	uint32_t at = lookup_first(&m->named, lookup_text(0, name));

	for (; at != LOOKUP_END; at = lookup_next(&m->named, at)) {
		const struct metric *x =
		    &m->metric[lookup_value(&m->named, at)];

		if (strcmp(x->name, name) == 0)
			return x;
	}
	return NULL;
}

const char *
metrics_withheld(const struct metrics *m, const char *name)
{
	for (const struct withheld *w = m->withheld; w != NULL; w = w->next) {
		size_t from = strspn(w->name, "*");
		int n = (int)strlen(w->name + from);
		char bare[128];

		while (n > 0 && w->name[from + (size_t)n - 1] == '*')
			n--;
		snprintf(bare, sizeof bare, "%.*s", n, w->name + from);
		if (fnmatch(w->name, name, FNM_CASEFOLD) == 0 ||
		    fnmatch(name, bare, FNM_CASEFOLD) == 0)
			return w->why;
	}
	return NULL;
}

int
metrics_put(struct metrics *m, const struct metric *x)
{
	const struct metric *twin = metrics_find(m, x->name);
	struct metric *p;

	if (twin != NULL) {
		m->metric[twin - m->metric] = *x;
		return 0;
	}
	if ((p = array_grow(m->metric, m->n, &m->room, sizeof *p)) == NULL)
		return -ENOMEM;
	m->metric = p;
	p[m->n] = *x;
	if (lookup_add(&m->named, lookup_text(0, x->name), m->n) < 0)
		return -ENOMEM;
	m->n++;
	return 0;
}

static int
take(struct metrics *m, struct lex *l, enum lex_kind kind, const char **out,
    const char *what, struct diag *why)
{
	if (l->kind != kind || (kind == LEX_NAME && l->len == 0))
		return lex_fail(l, why, "%s expected", what);
	if ((*out = arena_strndup(m->arena, l->text, l->len)) == NULL)
		return -ENOMEM;
	lex_next(l);
	return 0;
}

static int
bound(struct lex *l, double *out, struct diag *why)
{
	bool negative = lex_mark(l, "-");

	if (negative)
		lex_next(l);
	if (l->kind != LEX_NUMBER)
		return lex_fail(l, why, "a number expected (range LOW HIGH)");
	*out = negative ? -l->number : l->number;
	lex_next(l);
	return 0;
}

static int
metric(struct metrics *m, struct lex *l, struct diag *why)
{
	const struct metric *twin;
	const char *scope = "";
	struct metric x = { .line = l->word_line };
	struct lex at;
	int rc;

	lex_next(l);
	at = *l;
	if ((x.file = arena_strndup(m->arena, l->file, strlen(l->file))) == NULL)
		return -ENOMEM;
	if ((rc = take(m, l, l->kind == LEX_STRING ? LEX_STRING : LEX_NAME,
	    &x.name, "the metric's name", why)) < 0)
		return rc;
	if ((twin = metrics_find(m, x.name)) != NULL &&
	    strcmp(twin->file, x.file) == 0)
		return lex_fail(&at, why, "a second metric of that name (the "
		    "first is on line %u)", twin->line);
	at = *l;
	if ((rc = take(m, l, LEX_NAME, &scope, "a scope", why)) < 0)
		return rc;
	if ((x.scope = scope_find(scope)) == SCOPES)
		return lex_fail(&at, why, "no scope (there are lproc core box "
		    "package node)");
	if ((rc = take(m, l, LEX_STRING, &x.unit, "the unit, in quotes,",
	    why)) < 0 ||
	    (rc = take(m, l, LEX_STRING, &x.text, "a description, in quotes,",
	    why)) < 0)
		return rc;
	if (lex_word(l, "range")) {
		lex_next(l);
		at = *l;
		if ((rc = bound(l, &x.lo, why)) < 0 ||
		    (rc = bound(l, &x.hi, why)) < 0)
			return rc;
		if (x.lo > x.hi)
			return lex_fail(&at, why, "a range that runs backwards");
		x.ranged = true;
	}
	if (lex_word(l, "note")) {
		lex_next(l);
		if ((rc = take(m, l, LEX_STRING, &x.note, "a note, in quotes,",
		    why)) < 0)
			return rc;
	}
	if ((x.hidden = lex_word(l, "hidden")))
		lex_next(l);
	if (!lex_mark(l, "="))
		return lex_fail(l, why, "'=' expected");
	lex_next(l);
	if ((rc = expr_parse(&x.expr, m->arena, l, why)) < 0)
		return rc;
	if (l->kind != LEX_END && l->kind != LEX_STOP)
		return lex_fail(l, why, "an operator or the end of the formula "
		    "expected");
	/* a later file replaces what an earlier said */
	return metrics_put(m, &x);
}

static int
event(struct metrics *m, struct lex *l, struct diag *why)
{
	struct synonyms s = { .n = 0 };
	const char *name[16];
	int rc;

	lex_next(l);
	do {
		if (s.n == 16)
			return lex_fail(l, why, "at most 16 names of an event");
		if ((rc = take(m, l, LEX_STRING, &name[s.n], "the name of an "
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
		if (l->kind != LEX_END && l->kind != LEX_STOP)
			return lex_fail(l, why, "the end of the statement "
			    "expected");
	}
	if ((s.name = arena_alloc(m->arena, s.n * sizeof *s.name)) == NULL)
		return -ENOMEM;
	memcpy(s.name, name, s.n * sizeof *s.name);
	return synonyms_add(m, &s);
}

/* A metric that others have and that would mislead: asking says why. */
static int
withheld(struct metrics *m, struct lex *l, struct diag *why)
{
	struct withheld x = { .next = m->withheld }, *kept;
	int rc;

	lex_next(l);
	if ((rc = take(m, l, l->kind == LEX_STRING ? LEX_STRING : LEX_NAME,
	    &x.name, "the metric's name", why)) < 0 ||
	    (rc = take(m, l, LEX_STRING, &x.why, "the reason, in quotes,",
	    why)) < 0)
		return rc;
	if (l->kind != LEX_END && l->kind != LEX_STOP)
		return lex_fail(l, why, "the end of the statement expected");
	if ((kept = arena_alloc(m->arena, sizeof *kept)) == NULL)
		return -ENOMEM;
	*kept = x;
	m->withheld = kept;
	return 0;
}

int
metrics_parse(struct metrics *m, const char *file, const char *text,
    size_t size, struct diag *why)
{
	struct lex l;
	int rc = 0;

	lex_init(&l, file, text, size, true);
	while (rc == 0 && l.kind != LEX_END) {
		if (l.kind == LEX_STOP)
			lex_statement(&l);
		if (lex_word(&l, "metric"))
			rc = metric(m, &l, why);
		else if (lex_word(&l, "event"))
			rc = event(m, &l, why);
		else if (lex_word(&l, "withheld"))
			rc = withheld(m, &l, why);
		else
			rc = lex_fail(&l, why, "`metric` or `event` expected "
			    "(or `withheld`)");
	}
	return rc;
}

int
metrics_load(struct metrics *m, const char *file, struct diag *why)
{
	const struct text *names = text_find("names.metrics");
	char *text;
	size_t size, i = 0;
	int rc = text_load(file, &text, &size);

	if (rc < 0)
		return diag_set(why, rc, "%s: cannot read it: %s", file,
		    strerror(-rc));
	while (i < size && strchr(" \t\r\n", text[i]) != NULL && text[i])
		i++;
	if (names == NULL)
		rc = diag_set(why, -ENOENT, "names.metrics is not built in");
	else if (m->n == 0)
		rc = metrics_parse(m, names->name, names->data,
		    (size_t)(names->end - names->data), why);
	if (rc == 0)
		rc = (i < size && text[i] == '{' ? metrics_parse_intel :
		    metrics_parse)(m, file, text, size, why);
	free(text);
	return rc;
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
	snprintf(name, sizeof name, "%s.metrics", model ? model : "skx");
	return metrics_load(m, text_find(name) ? name : "skx.metrics", why);
}
