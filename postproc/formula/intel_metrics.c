/*
 * postproc/formula/intel_metrics.c - Intel's published metric lists (JSON, as in the
 * perfmon repository): formulas over aliases a, b, c ... of events and constants.
 *
 * Apart from the aliases, formulas are in our language.  config/metrics/names.metrics
 * defines their constants.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/json.h"
#include "postproc/formula/metrics.h"

/* The narrowest of several levels: "THREAD, CORE, SOCKET, SYSTEM". */
static enum scope
scope_of_levels(const char *levels)
{
	static const struct { const char *word; enum scope scope; } level[] = {
		{ "THREAD", SCOPE_OF_LPROC }, { "CORE", SCOPE_OF_CORE },
		{ "CHA", SCOPE_OF_BOX }, { "IMC", SCOPE_OF_BOX },
		{ "IIO", SCOPE_OF_BOX }, { "UPI", SCOPE_OF_BOX },
		{ "SOCKET", SCOPE_OF_PACKAGE },
	};

	for (size_t i = 0; i < sizeof level / sizeof *level; i++)
		if (strstr(levels, level[i].word) != NULL)
			return level[i].scope;
	return SCOPE_OF_NODE;
}

static char *
intel_metrics_copy(struct metrics *m, const char *text)
{
	return arena_printable(m->arena, text);
}

/*
 * Reads an alias.
 *
 * top_down  it is of a metric that Intel generates from its top-down sheets, which has
 *           "tsc" in its BaseFormula.  There SYSTEM_TSC_FREQ means the counts of the TSC
 *           over the time (Info_System_CPUs_Utilized = a / b), elsewhere Hz.
 */
static int
local(struct metrics *m, const char *file, const struct json *j, bool top_down,
    struct metric_local *out, struct diag *why)
{
	const char *alias = json_text(j, "Alias"), *name = json_text(j, "Name");
	char *rest, *text, *one;

	if (alias == NULL || name == NULL || *alias == '\0' || *name == '\0')
		return diag_at(why, file, j->line, "an event or constant needs "
		    "a Name and an Alias");
	if (top_down && strcmp(name, "SYSTEM_TSC_FREQ") == 0)
		name = "ELAPSED_TSC";
	if ((text = intel_metrics_copy(m, name)) == NULL ||
	    (out->name = intel_metrics_copy(m, alias)) == NULL)
		return -ENOMEM;
	if ((one = strstr(text, ":one_unit")) != NULL) {
		memmove(one, one + 9, strlen(one + 9) + 1);
		out->one_unit = true;
	}
	out->stands_for = text;
	out->number = strtod(text, &rest);
	out->is_number = rest > text && *rest == '\0';
	return 0;
}

static int
locals(struct metrics *m, struct metric *x, const struct json *j,
    struct diag *why)
{
	static const char *const lists[] = { "Events", "Constants" };
	const char *base = json_text(j, "BaseFormula");
	struct metric_local *local_of;
	unsigned n = 0;
	int rc;

	for (unsigned i = 0; i < 2; i++) {
		const struct json *list = json_get(j, lists[i]);

		for (const struct json *e = list && list->kind == JSON_ARRAY ?
		    list->child : NULL; e != NULL; e = e->next)
			n++;
	}
	local_of = arena_alloc(m->arena, (n + 1) * sizeof *local_of);
	if (local_of == NULL)
		return -ENOMEM;
	x->local = local_of;
	for (unsigned i = 0; i < 2; i++) {
		const struct json *list = json_get(j, lists[i]);

		for (const struct json *e = list && list->kind == JSON_ARRAY ?
		    list->child : NULL; e != NULL; e = e->next) {
			if ((rc = local(m, x->file, e, base && *base,
			    &local_of[x->nlocal], why)) < 0)
				return rc;
			x->nlocal++;
		}
	}
	return 0;
}

static bool
counts_boxes(const struct metric *x)
{
	for (unsigned i = 0; i < x->nlocal; i++)
		if (strcmp(x->local[i].stands_for, "SOCKET_COUNT") == 0)
			return true;
	return false;
}

static int
intel_metrics_metric(struct metrics *m, const char *file, const struct json *j,
    struct diag *why)
{
	const char *name = json_text(j, "MetricName");
	const char *formula = json_text(j, "Formula");
	const char *unit = json_text(j, "UnitOfMeasure");
	const char *text = json_text(j, "BriefDescription");
	const char *levels = json_text(j, "ResolutionLevels");
	const struct json *at = json_get(j, "Formula");
	struct metric x = { .file = file, .line = j->line };
	struct lex l;
	int rc;

	if (name == NULL || formula == NULL)
		return diag_at(why, file, j->line, "a metric needs a "
		    "MetricName and a Formula");
	if ((x.name = intel_metrics_copy(m, name)) == NULL ||
	    (x.unit = intel_metrics_copy(m,
	    unit ? strcmp(unit, "percent") == 0 ? "%" :
	    unit : "")) == NULL ||
	    (x.text = intel_metrics_copy(m, text ? text : "")) == NULL)
		return -ENOMEM;
	x.scope = scope_of_levels(levels ? levels : "");
	if ((rc = locals(m, &x, j, why)) < 0)
		return rc;
	/* such a formula divides a sum over a package by its number of boxes */
	if (x.scope == SCOPE_OF_BOX && counts_boxes(&x))
		x.scope = SCOPE_OF_PACKAGE;
	lex_init(&l, file, formula, strlen(formula), false);
	l.line += at->line - 1;
	l.word_line = at->line;
	l.intel = true;
	rc = expr_parse_all(&x.expr, m->arena, &l, why);
	return rc < 0 ? rc : metrics_put(m, &x);
}

/* Leaves out a metric whose formula cannot be read; the rest of the list is read. */
static int
withhold(struct metrics *m, const char *file, const struct json *j,
    const char *why)
{
	const char *name = json_text(j, "MetricName");
	struct withheld *x = arena_alloc(m->arena, sizeof *x);
	char number[32];

	snprintf(number, sizeof number, "line %u", j->line);
	if (x == NULL)
		return -ENOMEM;
	*x = (struct withheld){ .name = intel_metrics_copy(m,
	    name != NULL ? name : number),
	    .why = intel_metrics_copy(m, why), .unread = file,
	    .next = m->withheld };
	m->withheld = x;
	return x->name == NULL || x->why == NULL ? -ENOMEM : 0;
}

unsigned
metrics_unread(const struct metrics *m, const char *file, unsigned *of)
{
	unsigned n = 0;

	for (const struct withheld *w = m->withheld; w != NULL; w = w->next)
		n += w->unread != NULL && strcmp(w->unread, file) == 0;
	*of = n;
	for (unsigned i = 0; i < m->n; i++)
		*of += strcmp(m->metric[i].file, file) == 0;
	return n;
}

/* Adds the metrics of a list.  It is an error where none of them can be read. */
static int
intel_metrics_all_metrics(struct metrics *m, const char *file,
    const struct json *list, struct diag *why)
{
	struct diag first = { "" };
	unsigned read = 0;
	int rc = 0;

	for (const struct json *j = list->child; rc == 0 && j != NULL; j = j->next)
		if ((rc = intel_metrics_metric(m, file, j, why)) == 0)
			read++;
		else if (rc == -EINVAL) {
			if (first.text[0] == '\0')
				first = *why;
			rc = withhold(m, file, j, why->text);
		}
	if (rc < 0 || read > 0 || first.text[0] == '\0')
		return rc;
	*why = first;
	return -EINVAL;
}

int
metrics_parse_intel(struct metrics *m, const char *file, const char *text,
    size_t size, struct diag *why)
{
	struct arena *arena = arena_new();
	const struct json *root, *list;
	char *name = intel_metrics_copy(m, file);
	int rc = arena == NULL || name == NULL ? -ENOMEM :
	    json_parse(arena, file, text, size, &root, why);

	if (rc == 0) {
		list = root->kind == JSON_ARRAY ? root :
		    json_get(root, "Metrics");
		if (list == NULL || list->kind != JSON_ARRAY)
			rc = diag_at(why, file, 1, "no list of metrics: an "
			    "object with an array \"Metrics\" expected");
		else
			rc = intel_metrics_all_metrics(m, name, list, why);
	}
	arena_free(arena);
	return rc;
}
