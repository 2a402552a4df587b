/*
 * postproc/pages/pair_rows.c - the text that says which figures two independent counters
 * give.
 *
 *   file   = { row }                each begins at the first column
 *   row    = ( "pair" | "bound" | "peers" ) NAME scope STRING(unit) { option }
 *            side [ side ] [ "less" "=" expr ] "why" STRING
 *   side   = STRING(what it is) "=" expr
 *   option = ( "from" | "to" | "once" | "parts" | "rings" ) NUMBER | "by" scope |
 *            one of the words of `needs`
 */
#include "postproc/pages/pairs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "config/texts.h"
#include "lib/array.h"
#include "postproc/formula/metrics.h"

static const struct {
	const char *word;
	unsigned short bit;
} needs[] = {
	{ "all_boxes", PAIR_ALL_BOXES }, { "across", PAIR_ACROSS },
	{ "left_moves", PAIR_LEFT_MOVES }, { "at_once", PAIR_AT_ONCE },
	{ "rare", PAIR_RARE }, { "follows", PAIR_FOLLOWS },
	{ "note", PAIR_NOTE },
};
#define NNEEDS (sizeof needs / sizeof *needs)

/* A number of 1 to 255. */
static int
take_count(struct lex *l, unsigned char *out, struct diag *why)
{
	struct lex at = *l;
	double v;
	int rc = lex_signed(l, &v, why);

	if (rc == 0 && !(v >= 1 && v <= 255 && v == floor(v)))
		return lex_fail(&at, why, "a number from 1 to 255 expected");
	*out = rc == 0 ? (unsigned char)v : 0;
	return rc;
}

/* Takes an option; *taken is false where the present word is not an option. */
static int
pair_rows_take_option(struct lex *l, struct pair_row *r, bool *taken,
    struct diag *why)
{
	struct lex word = *l;

	*taken = true;
	for (size_t i = 0; i < NNEEDS; i++)
		if (lex_word(l, needs[i].word)) {
			r->needs |= needs[i].bit;
			lex_next(l);
			return 0;
		}
	lex_next(l);
	if (lex_word(&word, "from"))
		return lex_signed(l, &r->least, why);
	if (lex_word(&word, "to"))
		return lex_signed(l, &r->most, why);
	if (lex_word(&word, "once"))
		return lex_signed(l, &r->once, why);
	if (lex_word(&word, "by"))
		return scope_take(l, &r->narrow, why);
	if (lex_word(&word, "parts"))
		return take_count(l, &r->parts, why);
	if (lex_word(&word, "rings")) {
		r->needs |= PAIR_BOTH_RINGS;
		return take_count(l, &r->fixed, why);
	}
	*l = word;
	*taken = false;
	return 0;
}

/* "=" expr. */
static int
take_formula(struct lex *l, struct arena *arena, struct expr *out,
    struct diag *why)
{
	if (!lex_mark(l, "="))
		return lex_fail(l, why, "'=' expected");
	lex_next(l);
	return expr_parse(out, arena, l, why);
}

static int
take_side(struct lex *l, struct arena *arena, const char **is,
    struct expr *formula, struct diag *why)
{
	int rc = lex_text(l, arena, LEX_STRING, is, "what it is, in quotes,",
	    why);

	return rc < 0 ? rc : take_formula(l, arena, formula, why);
}

/* Takes what stands behind the options: sides, less, why. */
static int
take_sides(struct lex *l, struct arena *arena, struct pair_row *r,
    struct diag *why)
{
	int rc = take_side(l, arena, &r->left_is, &r->left, why);

	r->right_is = "the median of its package";
	if (rc == 0 && (r->needs & PAIR_PEERS) == 0)
		rc = take_side(l, arena, &r->right_is, &r->right, why);
	if (rc == 0 && lex_word(l, "less")) {
		lex_next(l);
		r->lessens = true;
		rc = take_formula(l, arena, &r->less, why);
	}
	if (rc < 0)
		return rc;
	if (!lex_word(l, "why"))
		return lex_fail(l, why, "`why` expected");
	lex_next(l);
	if ((rc = lex_text(l, arena, LEX_STRING, &r->why, "a reason, in "
	    "quotes,", why)) < 0)
		return rc;
	return lex_ended(l, why);
}

static int
take_row(void *to, struct lex *l, struct diag *why)
{
	static const struct expr_op zero = { .code = EXPR_NUM };
	struct pair_rows *rows = to;
	struct pair_row r = { .most = INFINITY, .narrow = SCOPES,
	    .less = { .op = &zero, .nop = 1 },
	    .needs = lex_word(l, "bound") ? PAIR_BOUND :
	    lex_word(l, "peers") ? PAIR_PEERS : 0 };
	bool taken = true;
	int rc;

	if (r.needs == 0 && !lex_word(l, "pair"))
		return lex_fail(l, why, "`pair`, `bound` or `peers` expected");
	lex_next(l);
	if ((rc = lex_text(l, rows->arena, LEX_NAME, &r.name, "a name",
	    why)) < 0 || (rc = scope_take(l, &r.scope, why)) < 0 ||
	    (rc = lex_quoted(l, rows->arena, &r.unit, "the unit, in quotes,",
	    why)) < 0)
		return rc;
	while (rc == 0 && taken)
		rc = pair_rows_take_option(l, &r, &taken, why);
	if (rc < 0 || (rc = take_sides(l, rows->arena, &r, why)) < 0)
		return rc;
	if (!array_room(&rows->row, rows->n, &rows->room, sizeof *rows->row))
		return -ENOMEM;
	rows->row[rows->n++] = r;
	return 0;
}

int
pair_rows_load(struct pair_rows *rows, const char *name, struct diag *why)
{
	char *text;
	size_t size;
	int rc = text_load(name, TEXT_PAIRS, &text, &size, why);

	*rows = (struct pair_rows){ .n = 0 };
	if (rc < 0)
		return rc;
	if ((rows->arena = arena_new()) == NULL)
		rc = -ENOMEM;
	else
		rc = lex_statements(name, text, size, take_row, rows, why);
	free(text);
	return rc;
}

void
pair_rows_fini(struct pair_rows *rows)
{
	arena_free(rows->arena);
	free(rows->row);
	*rows = (struct pair_rows){ .n = 0 };
}
