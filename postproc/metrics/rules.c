/*
 * postproc/metrics/rules.c - rules of tally why.
 *
 *   file    = { rule }            a rule begins at the first column, its further
 *                                 lines are indented
 *   rule    = "rule" NAME scope STRING(unit) STRING(what) test { option }
 *             "advice" STRING "=" expr
 *   test    = ( "above" | "below" ) ( number | against "by" number )
 *   against = "peers" | "itself" | "other"
 *   option  = ( "least" | "for" | "weight" ) number | "range" number number
 */
#include "postproc/metrics/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/texts.h"
#include "lib/array.h"

/* The defaults of `for` (% of the time) and `weight`. */
enum { USUAL_PART = 10, USUAL_WEIGHT = 1 };

int
rules_init(struct rules *r)
{
	*r = (struct rules){ .arena = arena_new() };
	return r->arena != NULL ? 0 : -ENOMEM;
}

void
rules_fini(struct rules *r)
{
	arena_free(r->arena);
	free(r->rule);
	*r = (struct rules){ .n = 0 };
}

static int
take_number(struct lex *l, double *out, double lo, double hi, struct diag *why)
{
	struct lex at = *l;
	int rc = lex_signed(l, out, why);

	if (rc == 0 && !(*out >= lo && *out <= hi))
		return lex_fail(&at, why, "a number from %g to %g expected", lo,
		    hi);
	return rc;
}

/* "above 80", "below peers by 50" */
static int
take_test(struct lex *l, struct rule *x, struct diag *why)
{
	static const char *const against[] = { [AGAINST_PEERS] = "peers",
		[AGAINST_ITSELF] = "itself", [AGAINST_OTHER] = "other" };

	if (!lex_word(l, "above") && !lex_word(l, "below"))
		return lex_fail(l, why, "`above` or `below` expected");
	x->below = lex_word(l, "below");
	lex_next(l);
	if (l->kind != LEX_NAME)
		return take_number(l, &x->limit, -1e30, 1e30, why);
	for (x->against = AGAINST_PEERS; x->against <= AGAINST_OTHER &&
	    !lex_word(l, against[x->against]); x->against++)
		;
	if (x->against > AGAINST_OTHER)
		return lex_fail(l, why, "a number, or `peers`, `itself` or "
		    "`other` expected");
	lex_next(l);
	if (!lex_word(l, "by"))
		return lex_fail(l, why, "`by` and so many percent expected");
	lex_next(l);
	return take_number(l, &x->limit, 0, x->below ? 100 : 1e6, why);
}

/* "range" number number */
static int
take_range(struct lex *l, struct metric *m, struct diag *why)
{
	struct lex at;
	int rc;

	lex_next(l);
	at = *l;
	if ((rc = take_number(l, &m->lo, -1e30, 1e30, why)) < 0 ||
	    (rc = take_number(l, &m->hi, -1e30, 1e30, why)) < 0)
		return rc;
	if (m->lo > m->hi)
		return lex_fail(&at, why, "a range that runs backwards");
	m->ranged = true;
	return 0;
}

static int
take_options(struct lex *l, struct rule *x, struct diag *why)
{
	int rc = 0;

	while (rc == 0) {
		bool least = lex_word(l, "least"), part = lex_word(l, "for");

		if (lex_word(l, "range")) {
			rc = take_range(l, &x->metric, why);
			continue;
		}

		if (!least && !part && !lex_word(l, "weight"))
			break;
		if (least && x->against == AGAINST_NUMBER)
			return lex_fail(l, why, "`least` is of what is held "
			    "against peers, itself or other");
		lex_next(l);
		rc = least ? take_number(l, &x->least, 0, 1e30, why) :
		    part ? take_number(l, &x->part, 0, 100, why) :
		    take_number(l, &x->weight, 0, 1e6, why);
	}
	return rc;
}

static struct rule *
rules_find(const struct rules *r, const char *name)
{
	for (unsigned i = 0; i < r->n; i++)
		if (strcmp(r->rule[i].name, name) == 0)
			return &r->rule[i];
	return NULL;
}

/* Adds a rule; one of the same name is replaced. */
static int
rules_put(struct rules *r, const struct rule *x)
{
	struct rule *p = rules_find(r, x->name);

	if (p == NULL) {
		if (!array_room(&r->rule, r->n, &r->room, sizeof *r->rule))
			return -ENOMEM;
		p = &r->rule[r->n++];
	}
	*p = *x;
	return 0;
}

/* Takes the rule's name.  The name of its metric is that with "rule " before it: as it
 * has a blank, no formula can mean it, and the rule memory_bound can use the metric
 * memory_bound. */
static int
name_metric(struct rules *r, struct lex *l, struct rule *x, struct diag *why)
{
	const struct rule *twin;
	struct lex at = *l;
	char *name;
	int rc;

	x->metric.line = l->word_line;
	if ((rc = lex_text(l, r->arena, LEX_NAME, &x->name, "the rule's name",
	    why)) < 0)
		return rc;
	if ((twin = rules_find(r, x->name)) != NULL &&
	    strcmp(twin->metric.file, x->metric.file) == 0)
		return lex_fail(&at, why, "a second rule of that name (the "
		    "first is on line %u)", twin->metric.line);
	if ((name = arena_alloc(r->arena, strlen(x->name) + 6)) == NULL)
		return -ENOMEM;
	strcat(strcpy(name, "rule "), x->name);
	x->metric.name = name;
	return 0;
}

/* "advice" STRING "=" expr */
static int
take_advice(struct rules *r, struct lex *l, struct rule *x, struct diag *why)
{
	const char *from;
	int rc;

	if (!lex_word(l, "advice"))
		return lex_fail(l, why, "`advice` expected (or `least`, `for`, "
		    "`weight`, `range`)");
	lex_next(l);
	if ((rc = lex_text(l, r->arena, LEX_STRING, &x->advice,
	    "a sentence, in quotes,", why)) < 0)
		return rc;
	if (!lex_mark(l, "="))
		return lex_fail(l, why, "'=' expected");
	from = l->at;
	lex_next(l);
	rc = expr_parse_all(&x->metric.expr, r->arena, l, why);
	return rc < 0 ? rc : lex_since(l, r->arena, from, &x->formula);
}

static int
take_rule(void *rules, struct lex *l, struct diag *why)
{
	struct rules *r = rules;
	struct rule x = { .part = USUAL_PART, .weight = USUAL_WEIGHT };
	int rc;

	x.metric.file = arena_strndup(r->arena, l->file, strlen(l->file));
	if (x.metric.file == NULL)
		return -ENOMEM;
	if (!lex_word(l, "rule"))
		return lex_fail(l, why, "`rule` expected");
	lex_next(l);
	if ((rc = name_metric(r, l, &x, why)) < 0 ||
	    (rc = scope_take(l, &x.metric.scope, why)) < 0 ||
	    (rc = lex_quoted(l, r->arena, &x.metric.unit,
	    "the unit, in quotes,", why)) < 0 ||
	    (rc = lex_text(l, r->arena, LEX_STRING, &x.metric.text,
	    "what it means, in quotes,", why)) < 0 ||
	    (rc = take_test(l, &x, why)) < 0 ||
	    (rc = take_options(l, &x, why)) < 0 ||
	    (rc = take_advice(r, l, &x, why)) < 0)
		return rc;
	return rules_put(r, &x);
}

int
rules_parse(struct rules *r, const char *file, const char *text, size_t size,
    struct diag *why)
{
	return lex_statements(file, text, size, take_rule, r, why);
}

int
rules_load(struct rules *r, const char *file, struct diag *why)
{
	char *text;
	size_t size;
	int rc = text_load(file, TEXT_RULES, &text, &size, why);

	if (rc < 0)
		return rc;
	rc = rules_parse(r, file, text, size, why);
	free(text);
	return rc;
}

double
rule_limit(const struct rule *r, double of)
{
	double part = r->limit / 100;

	return r->against == AGAINST_NUMBER ? r->limit :
	    of * (r->below ? 1 - part : 1 + part);
}

bool
rule_holds(const struct rule *r, double value, double of)
{
	double limit = rule_limit(r, of);

	if (r->against != AGAINST_NUMBER && !(of >= r->least))
		return false;
	return r->below ? value < limit : value > limit;
}
