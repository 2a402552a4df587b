/*
 * postproc/metrics/formula.c - the operations of a formula, bound.
 *
 * Binding copies a formula.  Names become inputs, the formulas of metrics that it uses
 * are inserted, and constants are folded.  Of an `if` whose test is a constant only one
 * side is kept, so that inputs of the other side are not missing.
 */
#include "postproc/metrics/bind_int.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "lib/array.h"

static const struct metric *
place_metric(const struct bind *s, const struct expr_ref *r)
{
	const struct metric *m;

	if (r->event != NULL || r->how != REF_RATE)
		return NULL;
	m = metrics_find(s->b->metrics, r->name);
	/* in its own formula, a metric's name means a column: mperf = mperf / tsc */
	return m == s->chain[s->depth - 1] ? NULL : m;
}

static int
use_metric(struct bind *s, const struct metric *m, const struct expr_ref *r)
{
	const struct metric *user = s->chain[s->depth - 1];
	int rc;

	for (unsigned i = 0; i < s->depth; i++)
		if (s->chain[i] == m)
			return diag_set(s->why, -EINVAL, "%s:%u:%u: metric %s "
			    "is defined by itself", user->file, r->line, r->col,
			    m->name);
	if (s->depth == MAX_USES)
		return diag_set(s->why, -EINVAL, "%s:%u:%u: metrics inside "
		    "metrics more than %d deep", user->file, r->line, r->col,
		    MAX_USES);
	/* a hidden metric has no figure beside which its note could stand */
	if (m->hidden && s->misleads == NULL)
		s->misleads = m->note;
	s->chain[s->depth++] = m;
	rc = place(s, m, 0, m->expr.nop);
	s->depth--;
	return rc;
}

/* Binds a name: a metric of that name, else what place_ref() finds. */
static int
metric_or_ref(struct bind *s, const struct expr_ref *r, bool one_unit)
{
	const struct metric *m = place_metric(s, r);

	return m != NULL ? use_metric(s, m, r) : place_ref(s, r, one_unit);
}

static int
place_name(struct bind *s, const struct metric *m, const struct expr_ref *r)
{
	for (unsigned i = 0; r->event == NULL && i < m->nlocal; i++)
		if (strcmp(m->local[i].name, r->name) == 0) {
			struct expr_ref for_real = *r;

			if (m->local[i].is_number)
				return place_number(s, m->local[i].number);
			for_real.name = m->local[i].stands_for;
			return metric_or_ref(s, &for_real, m->local[i].one_unit);
		}
	return metric_or_ref(s, r, false);
}

/* Sets the units that an EXPR_EACH folds: the narrowest ones that the operations from
 * `from` on have inputs of. */
static void
narrowest(const struct binding *b, uint32_t from, struct expr_op *each)
{
	bool lproc = false, box = false, pkg = false, ccx = true;

	for (uint32_t i = from; i < b->nop; i++) {
		const struct input *in;

		if (b->op[i].code != EXPR_REF)
			continue;
		in = &b->input[b->op[i].arg];
		pkg |= in->kind == INPUT_HEAD;
		if (in->kind != INPUT_COLUMNS)
			continue;
		lproc |= in->level == LEVEL_LPROC;
		pkg |= in->level == LEVEL_PACKAGE;
		if (in->level != LEVEL_BOX)
			continue;
		ccx &= b->domain[in->domain].type != NULL &&
		    b->domain[in->domain].type->scope == SCOPE_CCX;
		if (!box) {
			box = true;
			each->num = b->op[i].arg;
		}
	}
	each->space = lproc && box ? ccx ? SCOPE_OF_CCX : SCOPE_OF_PACKAGE :
	    lproc ? SCOPE_OF_LPROC : box ? SCOPE_OF_BOX :
	    pkg ? SCOPE_OF_PACKAGE : SCOPE_OF_NODE;
}

static int
place_each(struct bind *s, const struct metric *m, uint32_t at)
{
	struct binding *b = s->b;
	const struct expr_op *op = &m->expr.op[at];
	uint32_t head = b->nop;
	int rc;

	if ((rc = place_fence(s, *op)) < 0 ||
	    (rc = place(s, m, at + 1, at + 1 + op->arg)) < 0)
		return rc;
	b->op[head].arg = b->nop - head - 1;
	s->floor = b->nop;
	if (op->code == EXPR_THREAD)
		return 0;
	narrowest(b, head + 1, &b->op[head]);
	/* a fold over one metric alone is over the units of the metric's scope */
	if (op->arg == 1 && op[1].code == EXPR_REF) {
		const struct metric *of = place_metric(s,
		    &m->expr.ref[op[1].arg]);

		if (of != NULL && of->scope != SCOPE_OF_BOX)
			b->op[head].space = (uint16_t)of->scope;
	}
	return 0;
}

/* Binds what is inside boxes() to boxes of that name; evaluation has nothing to do. */
static int
place_boxes(struct bind *s, const struct metric *m, uint32_t at)
{
	const struct expr_op *op = &m->expr.op[at];
	const char *outside = s->only;
	int rc;

	s->only = op->name;
	rc = place(s, m, at + 1, at + 1 + op->arg);
	s->only = outside;
	return rc;
}

/* Binds first(): alternatives whose inputs are missing are left out. */
static int
place_first(struct bind *s, const struct metric *m, uint32_t at)
{
	struct binding *b = s->b;
	uint32_t head = b->nop, alt = at + 1, kept = 0;
	unsigned missing = s->nmissing, lacking = missing;
	unsigned without = s->nwithout;
	const char *misleads = s->misleads;
	int rc;

	if ((rc = place_emit(s, m->expr.op[at])) < 0)
		return rc;
	for (uint32_t i = 0; i < m->expr.op[at].arg; i++) {
		uint32_t start = b->nop, len = m->expr.op[alt].arg;

		s->nmissing = lacking;
		if ((rc = place_fence(s, m->expr.op[alt])) < 0 ||
		    (rc = place(s, m, alt + 1, alt + 1 + len)) < 0)
			return rc;
		b->op[start].arg = b->nop - start - 1;
		b->op[start].num = kept;
		if (s->nmissing > lacking) {
			lacking = s->nmissing;  /* kept, in case all are missing */
			b->nop = start;
		} else if (kept++ == 0) {
			without = s->nwithout;
			misleads = s->misleads;
		}
		/* notes are those of the first one that is kept */
		s->nwithout = without;
		s->misleads = misleads;
		alt += len + 1;
	}
	s->nmissing = kept > 0 ? missing : lacking;
	b->op[head].arg = kept;
	if (kept == 0) {
		b->nop = head;
		rc = place_number(s, NAN);
	}
	s->floor = b->nop;
	return rc;
}

/* Moves missing inputs from..to to those that parts() does without. */
static int
do_without(struct bind *s, unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++) {
		if (!array_room(&s->without, s->nwithout, &s->without_room,
		    sizeof *s->without))
			return -ENOMEM;
		s->without[s->nwithout++] = s->missing[i];
	}
	return 0;
}

/* Binds parts(): the sum of the parts whose inputs are there.  The inputs of the others
 * are noted in s->without. */
static int
place_parts(struct bind *s, const struct metric *m, uint32_t at)
{
	struct binding *b = s->b;
	uint32_t alt = at + 1, kept = 0;
	unsigned missing = s->nmissing, lacking = missing;
	int rc;

	for (uint32_t i = 0; i < m->expr.op[at].arg; i++) {
		uint32_t start = b->nop, len = m->expr.op[alt].arg;
		unsigned without = s->nwithout;

		s->nmissing = lacking;
		s->floor = start;
		if ((rc = place(s, m, alt + 1, alt + 1 + len)) < 0)
			return rc;
		if (s->nmissing > lacking) {
			lacking = s->nmissing;
			s->nwithout = without;
			b->nop = start;
		} else if (kept++ > 0 && (rc = place_fence(s,
		    (struct expr_op){ .code = EXPR_ADD })) < 0)
			return rc;
		alt += len + 1;
	}
	s->floor = b->nop;
	s->nmissing = kept > 0 ? missing : lacking;
	return kept > 0 ? do_without(s, missing, lacking) :
	    place_number(s, NAN);
}

/* Binds an `if`: test, IF n, one side (n - 1 operations), JUMP k, the other side (k
 * operations).  *next becomes the operation behind it. */
static int
place_if(struct bind *s, const struct metric *m, uint32_t at, uint32_t *next)
{
	struct binding *b = s->b;
	uint32_t yes = at + 1, jump = at + m->expr.op[at].arg, no = jump + 1;
	const struct expr_op *test = &b->op[b->nop - 1];
	uint32_t end = no + m->expr.op[jump].arg, head, middle;
	int rc;

	*next = end;
	if (test->code == EXPR_NUM && !isnan(test->num) &&
	    b->nop > s->floor) {
		bool known = test->num != 0;

		b->nop--;
		return known ? place(s, m, yes, jump) : place(s, m, no, end);
	}
	head = b->nop;
	if ((rc = place_fence(s, m->expr.op[at])) < 0 ||
	    (rc = place(s, m, yes, jump)) < 0)
		return rc;
	middle = b->nop;
	if ((rc = place_fence(s, m->expr.op[jump])) < 0 ||
	    (rc = place(s, m, no, end)) < 0)
		return rc;
	b->op[head].arg = middle - head;
	b->op[middle].arg = b->nop - middle - 1;
	s->floor = b->nop;
	return 0;
}

/* Binds an operation; if its arguments are constants, it is done now. */
static int
place_plain(struct bind *s, const struct expr_op *op)
{
	struct binding *b = s->b;
	unsigned args = op->code == EXPR_NEG ? 1 : 2;
	int rc;

	if (op->code == EXPR_JUMP)      /* in min(a, b): jumps over nothing */
		return 0;
	if ((rc = place_emit(s, *op)) < 0 || op->code == EXPR_NUM)
		return rc;
	if (b->nop - 1 - args < s->floor || b->nop - 1 < args)
		return 0;
	for (uint32_t i = 0; i < args; i++)
		if (b->op[b->nop - 2 - i].code != EXPR_NUM)
			return 0;
	b->op[b->nop - 1 - args].num = expr_eval(b->op + b->nop - 1 - args,
	    args + 1, NULL);
	b->nop -= args;
	return 0;
}

int
place(struct bind *s, const struct metric *m, uint32_t from, uint32_t to)
{
	const struct expr_op *op = m->expr.op;
	int rc = 0;

	for (uint32_t i = from; rc == 0 && i < to; i++) {
		if (s->b->nop > 8 * EXPR_MAX_OPS)
			return diag_set(s->why, -EINVAL, "%s:%u: up to "
			    "metric %s there are more than %d operations, with "
			    "all that they use", m->file, m->line, m->name,
			    8 * EXPR_MAX_OPS);
		switch (op[i].code) {
		case EXPR_REF:
			rc = place_name(s, m, &m->expr.ref[op[i].arg]);
			break;
		case EXPR_IF:
			rc = place_if(s, m, i, &i);
			i--;
			break;
		case EXPR_EACH:
		case EXPR_THREAD:
			rc = place_each(s, m, i);
			i += op[i].arg;
			break;
		case EXPR_BOXES:
			rc = place_boxes(s, m, i);
			i += op[i].arg;
			break;
		case EXPR_FIRST:
		case EXPR_PARTS:
			rc = op[i].code == EXPR_PARTS ? place_parts(s, m, i) :
			    place_first(s, m, i);
			for (uint32_t n = op[i].arg; n > 0; n--)
				i += op[i + 1].arg + 1;
			break;
		default:
			rc = place_plain(s, &op[i]);
		}
	}
	return rc;
}
