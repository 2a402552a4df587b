/*
 * daemon/instead/count_rules.c - parses the rules of --prove, which say what each event has
 * to count while a known amount of work is done.
 *
 *   line   = FAMILY EVENT rule
 *   rule   = amount "within" NUMBER "%"  |  "clock" NUMBER NUMBER
 *          | "rises"  |  "flat"
 *   amount = ACT [ "*" ( NUMBER | "tsc" ) ] [ "/" NUMBER ]       one word
 */
#include "daemon/instead/prove.h"

#include "config/scan.h"
#include "config/texts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RULES 256

/* Says that a word is wrong, and what is right.  Returns -EINVAL. */
static int
count_rules_wrong(const struct scan *in, struct word w, const char *right,
    struct diag *why)
{
	return diag_place(why, in->at, "\"%.*s\" instead of %s", WORD_ARG(w),
	    right);
}

/* Reads a word that is a number above 0. */
static bool
positive(struct word w, double *value)
{
	char text[32], *end;

	if (w.n == 0 || w.n >= sizeof(text))
		return false;
	memcpy(text, w.s, w.n);
	text[w.n] = '\0';
	*value = strtod(text, &end);
	return *end == '\0' && isfinite(*value) && *value > 0;
}

/* Parses amount "within" NUMBER "%"; w: the amount. */
static int
count_rules_amount(struct scan *in, struct word w, struct count_rule *r,
    struct diag *why)
{
	struct word whole = w, act, mul, first;
	double div = 1;
	int n;

	word_cut(&w, '/', &first);      /* w: the divisor */
	if (w.n > 0 && !positive(w, &div))
		return count_rules_wrong(in, w, "a number to divide by", why);
	mul = first;
	word_cut(&mul, '*', &act);      /* mul: the factor */
	if ((n = act_named(act.s, act.n)) < 0)
		return count_rules_wrong(in, whole,
		    "what is done (instructions, "
		    "dram_read ...), clock, rises or flat", why);
	r->act = (enum act)n;
	r->factor = 1;
	r->by_tsc = word_is(mul, "tsc");
	if (mul.n > 0 && !r->by_tsc && !positive(mul, &r->factor))
		return count_rules_wrong(in, mul, "a factor", why);
	r->factor /= div;
	if (!scan_word(in, &w) || !word_is(w, "within"))
		return count_rules_wrong(in, w, "\"within\"", why);
	if (!scan_word(in, &w) || w.n < 2 || w.s[w.n - 1] != '%')
		return count_rules_wrong(in, w, "a percentage: 5%", why);
	w.n--;
	if (!positive(w, &r->tolerance))
		return count_rules_wrong(in, w, "a percentage: 5%", why);
	r->tolerance /= 100;
	return 0;
}

/* Parses a rule. */
static int
rule(struct scan *in, struct count_rule *r, struct diag *why)
{
	struct word w = { "", 0 };

	if (!scan_word(in, &w))
		return count_rules_wrong(in, w, "what it counts", why);
	if (word_is(w, "flat"))
		r->kind = RULE_FLAT;
	else if (word_is(w, "rises"))
		r->kind = RULE_RISES;
	else if (word_is(w, "clock")) {
		r->kind = RULE_CLOCK;
		if (!scan_word(in, &w) || !positive(w, &r->least) ||
		    !scan_word(in, &w) || !positive(w, &r->most) ||
		    r->least >= r->most)
			return count_rules_wrong(in, w,
			    "two frequencies in Hz, the lower "
			    "one first", why);
	} else
		return count_rules_amount(in, w, r, why);
	return 0;
}

/* Parses a line, and adds its rule. */
static int
count_rules_line(struct count_rules *rules, struct arena *arena,
    struct scan *in, struct diag *why)
{
	struct count_rule r = { .line = in->at.line };
	struct word family, event = { "", 0 };
	int rc;

	scan_word(in, &family);
	if (!scan_word(in, &event))
		return count_rules_wrong(in, event, "an event, or -", why);
	if (word_is(event, "-"))
		event.n = 0;
	if ((rc = rule(in, &r, why)) < 0 || (rc = scan_end(in, why)) < 0)
		return rc;
	r.family = arena_strndup(arena, family.s, family.n);
	r.event = arena_strndup(arena, event.s, event.n);
	if (r.family == NULL || r.event == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if (count_rules_find(rules, r.family, r.event) != NULL)
		return diag_place(why, in->at, "%s %s stands above already",
		    r.family, r.event);
	if (rules->n == MAX_RULES)
		return diag_place(why, in->at, "more than %d rules", MAX_RULES);
	rules->rule[rules->n++] = r;
	return 0;
}

int
count_rules_parse(struct count_rules *rules, struct arena *arena,
    const char *file, const char *text, size_t size, struct diag *why)
{
	struct scan in;
	int rc;

	if (rules->rule == NULL && (rules->rule = arena_alloc(arena,
	    MAX_RULES * sizeof(*rules->rule))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	scan_init(&in, file, text, size);
	while ((rc = scan_line(&in, why)) > 0)
		if ((rc = count_rules_line(rules, arena, &in, why)) < 0)
			return rc;
	return rc;
}

int
count_rules_load(struct count_rules *rules, struct arena *arena,
    struct diag *why)
{
	const struct text *t = text_named("@counts", TEXT_PROVE);

	return count_rules_parse(rules, arena, "@counts.prove", t->data,
	    (size_t)(t->end - t->data), why);
}

const struct count_rule *
count_rules_find(const struct count_rules *rules, const char *family,
    const char *event)
{
	for (unsigned i = 0; i < rules->n; i++)
		if (strcmp(rules->rule[i].family, family) == 0 &&
		    strcmp(rules->rule[i].event, event) == 0)
			return &rules->rule[i];
	return NULL;
}
