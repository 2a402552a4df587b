/*
 * postproc/formula/bind.c - metrics bound to the columns of one dump.
 *
 * Binding copies a formula.  Names become inputs, the formulas of metrics that it uses
 * are inserted, and constants are folded.  Of an `if` whose test is a constant only one
 * side is kept, so that inputs of the other side are not missing.
 */
#include "postproc/formula/bind_int.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

/* ---- the operations of a formula --------------------------------------------- */

/* Binds operations from..to of a metric, behind those that are bound. */
static int place(struct bind *, const struct metric *, uint32_t from,
    uint32_t to);

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

#define LONGEST_DIVISOR 64      /* operations; of a longer one no input is named */

/* A part of a formula that is 0 exactly where the inputs are that it has. */
struct product {
	uint32_t at;            /* its first operation */
	uint32_t n, input;      /* how many inputs it has, the first of them */
	bool odd;               /* it may be 0 for another reason */
};

/* Looks at what the operations before `end`, but none before `least`, leave. */
static struct product
product_before(const struct binding *b, uint32_t least, uint32_t end)
{
	struct product x = { .odd = true }, y;
	const struct expr_op *op;

	if (end <= least)
		return x;
	op = &b->op[end - 1];
	x.at = end - 1;
	switch (op->code) {
	case EXPR_NUM: case EXPR_REF:
		x.odd = false;
		x.n = op->code == EXPR_REF;
		x.input = x.n > 0 ? op->arg : 0;
		return x;
	case EXPR_ADD: case EXPR_MUL: case EXPR_DIV:
		break;
	default:
		return x;
	}
	if ((y = product_before(b, least, end - 1)).odd)
		return y;
	x = product_before(b, least, y.at);
	if (op->code == EXPR_ADD) {
		x.odd |= x.n == 0 || y.n == 0;
		x.n += x.n == 1 && y.n == 1 && x.input == y.input ? 0 : y.n;
	} else if (op->code == EXPR_MUL) {
		x.odd |= x.n > 0 && y.n > 0;
		x.input = x.n > 0 ? x.input : y.input;
		x.n += y.n;
	}
	return x;
}

/* What a quotient by zero says of its divisor, whose operations are bound: see NA_BY_ZERO. */
static uint32_t
place_divisor(const struct bind *s)
{
	uint32_t end = s->b->nop, least = s->floor;
	struct product x;

	if (end - least > LONGEST_DIVISOR)
		least = end - LONGEST_DIVISOR;
	x = product_before(s->b, least, end);
	return x.odd || x.n == 0 ? 0 : (x.input + 1) | (x.n > 1 ? NA_AND_OTHERS :
	    0);
}

/* Binds an operation; if its arguments are constants, it is done now. */
static int
place_plain(struct bind *s, const struct expr_op *op)
{
	struct binding *b = s->b;
	unsigned args = op->code == EXPR_NEG ? 1 : 2;
	struct expr_op bound = *op;
	int rc;

	if (op->code == EXPR_JUMP)      /* in min(a, b): jumps over nothing */
		return 0;
	if (op->code == EXPR_DIV)
		bound.arg = place_divisor(s);
	if ((rc = place_emit(s, bound)) < 0 || op->code == EXPR_NUM)
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

static int
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

/* ---- metrics --------------------------------------------------------------- */

int
binding_init(struct binding *b, const struct metrics *metrics,
    const struct seriesset *series, const struct topology *topo,
    const struct reader *reader)
{
	*b = (struct binding){ .metrics = metrics, .series = series,
	    .topo = topo, .reader = reader, .arena = arena_new(),
	    .model = reader == NULL ? NULL :
	    model_named(head_text(reader, HEAD_MODEL, ALONE, "")) };
	return b->arena == NULL ? -ENOMEM : 0;
}

void
binding_fini(struct binding *b)
{
	free(b->op);
	binding_forget(b);
	lookup_fini(&b->inputs);
	free(b->input);
	free(b->missed);
	free(b->domain);
	free(b->used);
	free(b->used_at);
	free(b->counted);
	free(b->watch);
	free(b->bound);
	for (uint32_t i = 0; i < b->nlabel; i++)
		free(b->label[i]);
	free(b->label);
	free(b->seen);
	free(b->kept);
	free(b->figures);
	arena_free(b->arena);
	*b = (struct binding){ 0 };
}

/* Removes names that occurred before; returns how many are left. */
static unsigned
once(const char **name, unsigned n)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned k = 0;

		while (k < kept && strcmp(name[k], name[i]) != 0)
			k++;
		if (k == kept)
			name[kept++] = name[i];
	}
	return kept;
}

/* Joins the inputs that parts() does without: "A, B"; NULL: there are none. */
static int
name_without(struct bind *s, const char **out)
{
	size_t size = 1, n = 0;
	char *text;

	*out = NULL;
	s->nwithout = once(s->without, s->nwithout);
	for (unsigned i = 0; i < s->nwithout; i++)
		size += strlen(s->without[i]) + 2;
	if (s->nwithout == 0)
		return 0;
	if ((text = arena_alloc(s->b->arena, size)) == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < s->nwithout; i++)
		n += (size_t)snprintf(text + n, size - n, "%s%s", i > 0 ?
		    ", " : "", s->without[i]);
	*out = text;
	return 0;
}

static int
bind_finish(struct bind *s, struct bound *x)
{
	struct binding *b = s->b;

	uint32_t columns = b->series->columns + 1;
	struct counted *counted;

	if (name_without(s, &x->without) < 0)
		return -ENOMEM;
	x->misleads = s->misleads;
	x->nop = b->nop - x->op;
	x->box_input = -1;
	for (uint32_t i = x->op; i < b->nop; i++) {
		const struct input *in;

		if (b->op[i].code != EXPR_REF)
			continue;
		in = &b->input[b->op[i].arg];
		if (in->kind != INPUT_COLUMNS)
			continue;
		if (in->level == LEVEL_BOX && x->box_input < 0)
			x->box_input = (int)b->op[i].arg;
		x->has_lproc |= in->level == LEVEL_LPROC;
	}
	if ((b->kept == NULL && (b->kept = worth_kept_new()) == NULL) ||
	    (b->figures == NULL &&
	    (b->figures = figure_kept_new()) == NULL) ||
	    (columns > b->nseen && !array_more(&b->seen, b->nseen, columns,
	    sizeof *b->seen)) ||
	    !array_more(&b->used, 0, b->ninput + 1, sizeof *b->used) ||
	    !array_more(&b->used_at, 0, b->ninput + 1, sizeof *b->used_at) ||
	    (counted = realloc(b->counted, (b->ninput + 1) *
	    sizeof *counted)) == NULL)
		return -ENOMEM;
	b->counted = counted;
	if (columns > b->nseen)
		b->nseen = columns;
	s->nmissing = once(s->missing, s->nmissing);
	if (s->nmissing > 0) {
		x->missing = arena_alloc(b->arena, s->nmissing *
		    sizeof *x->missing);
		if (x->missing == NULL)
			return -ENOMEM;
		memcpy(x->missing, s->missing, s->nmissing *
		    sizeof *x->missing);
		x->nmissing = s->nmissing;
		b->nop = x->op;         /* nobody will evaluate them */
		x->nop = 0;
	} else if (expr_depth(b->op + x->op, x->nop) == 0)
		return diag_set(s->why, -EINVAL, "%s:%u: metric %s holds more "
		    "than %d values at once", x->metric->file, x->metric->line,
		    x->metric->name, EXPR_STACK);
	return 0;
}

static int
bind_add(struct binding *b, const struct metric *m, unsigned *out,
    struct diag *why)
{
	struct bind s = { .b = b, .chain = { m }, .depth = 1, .why = why };
	struct bound x = { .metric = m, .metrics = b->metrics, .op = b->nop,
	    .most = -1 };
	int rc;

	s.floor = b->nop;
	if ((rc = place(&s, m, 0, m->expr.nop)) == 0)
		rc = bind_finish(&s, &x);
	free(s.missing);
	free(s.without);
	if (rc < 0) {
		b->nop = x.op;
		return rc;
	}
	if (!array_room(&b->bound, b->nbound, &b->bound_room, sizeof *b->bound))
		return -ENOMEM;
	b->bound[b->nbound] = x;
	*out = b->nbound++;
	return 0;
}

int
binding_would(struct binding *b, const struct metric *m,
    const struct would *of, bool *would, struct diag *why)
{
	struct bind s = { .b = b, .chain = { m }, .depth = 1, .why = why,
		.would = of, .floor = b->nop };
	uint32_t nop = b->nop;
	int rc = place(&s, m, 0, m->expr.nop);

	*would = rc == 0 && s.nmissing == 0;
	free(s.missing);
	free(s.without);
	b->nop = nop;           /* nobody will evaluate them */
	return rc;
}

/* Binds the metric that says the end of another one's range.  Where the list has no
 * such metric, the range has no end. */
static int
add_most(struct binding *b, const char *name, int *out, struct diag *why)
{
	const struct metric *m = metrics_find(b->metrics, name);
	unsigned at = 0;
	int rc;

	while (at < b->nbound && (b->bound[at].metric != m ||
	    b->bound[at].metrics != b->metrics))
		at++;
	if (m == NULL)
		return 0;
	if (at == b->nbound && (rc = bind_add(b, m, &at, why)) < 0)
		return rc;
	*out = (int)at;
	return 0;
}

int
binding_add(struct binding *b, const struct metric *m, unsigned *out,
    struct diag *why)
{
	int rc = bind_add(b, m, out, why), most = -1;

	if (rc == 0 && m->most != NULL)
		rc = add_most(b, m->most, &most, why);
	if (rc < 0)
		return rc;
	b->bound[*out].asked = true;
	b->bound[*out].most = most;
	return 0;
}

static int
bind_had(struct binding *b, const struct bound *had, unsigned n,
    struct diag *why)
{
	unsigned same;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < n; i++) {
		b->metrics = had[i].metrics;
		if ((rc = bind_add(b, had[i].metric, &same, why)) < 0)
			break;
		b->bound[same].most = had[i].most;
		b->bound[same].asked = had[i].asked;
	}
	return rc;
}

int
binding_again(struct binding *b, const struct binding *of, struct diag *why)
{
	return bind_had(b, of->bound, of->nbound, why);
}

int
binding_renew(struct binding *b, struct diag *why)
{
	struct bound *had = b->bound;
	unsigned n = b->nbound;
	int rc = 0;

	arena_free(b->arena);
	free(b->kept);
	free(b->figures);
	b->kept = NULL;
	b->figures = NULL;
	if ((b->arena = arena_new()) == NULL)
		rc = -ENOMEM;
	b->bound = NULL;
	b->nbound = b->bound_room = 0;
	b->nop = b->ninput = b->ndomain = b->nwatch = 0;
	lookup_fini(&b->inputs);
	binding_forget(b);
	if (rc == 0)
		rc = bind_had(b, had, n, why);
	free(had);
	return rc;
}
