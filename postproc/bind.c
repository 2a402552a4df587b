/*
 * postproc/bind.c - metrics bound to the columns of one dump.
 *
 * Binding copies a formula: names become inputs, metrics that it uses are put
 * in their place, constants are folded, and of an `if` whose test is known
 * only one side is left, so that the other's inputs are not missed.
 */
#include "postproc/bind.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/read.h"

#define MAX_USES 16             /* metrics inside metrics */

struct bind {
	struct binding *b;
	const struct metric *chain[MAX_USES];
	unsigned depth;
	const char **missing;
	unsigned nmissing, missing_room;
	uint32_t floor;         /* operations before it stay as they are: they
	                         * belong to a side, a fold, an alternative */
	struct diag *why;
};

static int place(struct bind *, const struct metric *, uint32_t from,
    uint32_t to);

int
binding_init(struct binding *b, const struct metrics *metrics,
    const struct seriesset *series, const struct topology *topo,
    const struct reader *reader)
{
	*b = (struct binding){ .metrics = metrics, .series = series,
	    .topo = topo, .reader = reader, .arena = arena_new() };
	return b->arena == NULL ? -ENOMEM : 0;
}

void
binding_fini(struct binding *b)
{
	free(b->op);
	free(b->input);
	free(b->watch);
	free(b->bound);
	free(b->label);
	free(b->seen);
	arena_free(b->arena);
	*b = (struct binding){ 0 };
}

static int
emit(struct bind *s, struct expr_op op)
{
	struct binding *b = s->b;

	if (b->nop == b->op_room) {
		uint32_t room = b->op_room ? b->op_room * 2 : 256;
		struct expr_op *p = realloc(b->op, room * sizeof *p);

		if (p == NULL)
			return -ENOMEM;
		b->op = p;
		b->op_room = room;
	}
	b->op[b->nop++] = op;
	return 0;
}

/* The same, and nothing across it is folded. */
static int
emit_fence(struct bind *s, struct expr_op op)
{
	int rc = emit(s, op);

	s->floor = s->b->nop;
	return rc;
}

static int
emit_number(struct bind *s, double v)
{
	return emit(s, (struct expr_op){ .code = EXPR_NUM, .num = v });
}

static int
miss(struct bind *s, const struct expr_ref *r)
{
	size_t len = strlen(r->name) + (r->event ? strlen(r->event) : 0) + 5;
	char *text = arena_alloc(s->b->arena, len);

	if (text == NULL)
		return -ENOMEM;
	if (r->event == NULL)
		strcpy(text, r->name);
	else
		snprintf(text, len, "%s[\"%s\"]", r->name, r->event);
	for (unsigned i = 0; i < s->nmissing; i++)
		if (strcmp(s->missing[i], text) == 0)
			return emit_number(s, NAN);
	if (s->nmissing == s->missing_room) {
		unsigned room = s->missing_room ? s->missing_room * 2 : 8;
		const char **p = realloc(s->missing, room * sizeof *p);

		if (p == NULL)
			return -ENOMEM;
		s->missing = p;
		s->missing_room = room;
	}
	s->missing[s->nmissing++] = text;
	return emit_number(s, NAN);
}

static uint32_t
hash_of(const char *p, uint32_t h)
{
	for (; p != NULL && *p != '\0'; p++)
		h = h * 33 + (unsigned char)*p;
	return h;
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* An input of that name, found again or made; -1 the dump has none. */
static int
input_for(struct binding *b, const struct input *want, uint32_t *out)
{
	struct input in = *want;
	int rc;

	in.hash = hash_of(in.event, hash_of(in.name, in.how * 64u + in.bit));
	for (uint32_t i = 0; i < b->ninput; i++) {
		const struct input *x = &b->input[i];

		if (x->hash == in.hash && x->kind == in.kind &&
		    x->how == in.how && x->bit == in.bit &&
		    x->one_unit == in.one_unit && same_text(x->name, in.name) &&
		    same_text(x->event, in.event)) {
			*out = i;
			return 1;
		}
	}
	if (in.kind == INPUT_COLUMNS && (rc = input_columns(b, &in)) <= 0)
		return rc;
	if (b->ninput == b->input_room) {
		uint32_t room = b->input_room ? b->input_room * 2 : 64;
		struct input *p = realloc(b->input, room * sizeof *p);

		if (p == NULL)
			return -ENOMEM;
		b->input = p;
		b->input_room = room;
	}
	b->input[b->ninput] = in;
	*out = b->ninput++;
	return 1;
}

static int
emit_input(struct bind *s, const struct input *want)
{
	uint32_t at;
	int rc = input_for(s->b, want, &at);

	if (rc <= 0)
		return rc;
	rc = emit(s, (struct expr_op){ .code = EXPR_REF, .arg = at });
	return rc < 0 ? rc : 1;
}

static const struct { const char *name; uint8_t kind; } builtin[] = {
	{ "time", INPUT_TIME }, { "tsc_hz", INPUT_TSC_HZ },
	{ "lprocs", INPUT_LPROCS }, { "cores", INPUT_CORES },
	{ "packages", INPUT_PACKAGES }, { "intervals", INPUT_INTERVALS },
};

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
	s->chain[s->depth++] = m;
	rc = place(s, m, 0, m->expr.nop);
	s->depth--;
	return rc;
}

static const struct metric *
metric_named(const struct bind *s, const struct expr_ref *r)
{
	const struct metric *m;

	if (r->event != NULL || r->how != REF_RATE)
		return NULL;
	m = metrics_find(s->b->metrics, r->name);
	/* inside itself a name is that of a column: metric mperf = mperf / tsc */
	return m == s->chain[s->depth - 1] ? NULL : m;
}

/* In the order of the specification: metric, built-in, columns of a family,
 * constant of the dump's header, event of any family. */
static int
place_ref(struct bind *s, const struct expr_ref *r, bool one_unit)
{
	const struct metric *m = metric_named(s, r);
	struct input in = { .kind = INPUT_COLUMNS, .how = r->how,
	    .bit = r->bit, .one_unit = one_unit, .name = r->name,
	    .event = r->event };
	const struct constant *c;
	int rc;

	if (m != NULL)
		return use_metric(s, m, r);
	if (r->event == NULL && r->how == REF_RATE) {
		for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
			if (strcmp(r->name, builtin[i].name) == 0) {
				in.kind = builtin[i].kind;
				rc = emit_input(s, &in);
				return rc < 0 ? rc : 0;
			}
		if (strcmp(r->name, "threads_per_core") == 0)
			return emit_number(s, s->b->topo->threads);
	}
	if ((rc = emit_input(s, &in)) != 0)
		return rc < 0 ? rc : 0;
	if (r->event == NULL) {
		c = s->b->reader == NULL ? NULL :
		    read_constant_named(s->b->reader, r->name);
		if (c != NULL && c->kind != CONSTANT_TEXT)
			return emit_number(s, c->real);
		in.event = r->name;
		in.name = NULL;
		if ((rc = emit_input(s, &in)) != 0)
			return rc < 0 ? rc : 0;
	}
	return miss(s, r);
}

static int
place_name(struct bind *s, const struct metric *m, const struct expr_ref *r)
{
	for (unsigned i = 0; r->event == NULL && i < m->nlocal; i++)
		if (strcmp(m->local[i].name, r->name) == 0) {
			struct expr_ref for_real = *r;

			if (m->local[i].is_number)
				return emit_number(s, m->local[i].number);
			for_real.name = m->local[i].stands_for;
			return place_ref(s, &for_real, m->local[i].one_unit);
		}
	return place_ref(s, r, false);
}

/* The narrowest unit that the operations look at. */
static void
narrowest(const struct binding *b, uint32_t from, struct expr_op *each)
{
	bool lproc = false, box = false, pkg = false;

	for (uint32_t i = from; i < b->nop; i++) {
		const struct input *in;

		if (b->op[i].code != EXPR_REF)
			continue;
		in = &b->input[b->op[i].arg];
		if (in->kind != INPUT_COLUMNS)
			continue;
		lproc |= in->level == LEVEL_LPROC;
		pkg |= in->level == LEVEL_PACKAGE;
		if (in->level == LEVEL_BOX && !box) {
			box = true;
			each->num = b->op[i].arg;
		}
	}
	each->space = lproc && box ? SCOPE_OF_PACKAGE :
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

	if ((rc = emit_fence(s, *op)) < 0 ||
	    (rc = place(s, m, at + 1, at + 1 + op->arg)) < 0)
		return rc;
	b->op[head].arg = b->nop - head - 1;
	s->floor = b->nop;
	if (op->code == EXPR_THREAD)
		return 0;
	narrowest(b, head + 1, &b->op[head]);
	/* a metric alone is folded over the units that it is given for */
	if (op->arg == 1 && op[1].code == EXPR_REF) {
		const struct metric *of = metric_named(s,
		    &m->expr.ref[op[1].arg]);

		if (of != NULL && of->scope != SCOPE_OF_BOX)
			b->op[head].space = (uint16_t)of->scope;
	}
	return 0;
}

/* Alternatives whose inputs are not there are left away. */
static int
place_first(struct bind *s, const struct metric *m, uint32_t at)
{
	struct binding *b = s->b;
	uint32_t head = b->nop, alt = at + 1, kept = 0;
	unsigned missing = s->nmissing, lacking = missing;
	int rc;

	if ((rc = emit(s, m->expr.op[at])) < 0)
		return rc;
	for (uint32_t i = 0; i < m->expr.op[at].arg; i++) {
		uint32_t start = b->nop, len = m->expr.op[alt].arg;

		s->nmissing = lacking;
		if ((rc = emit_fence(s, m->expr.op[alt])) < 0 ||
		    (rc = place(s, m, alt + 1, alt + 1 + len)) < 0)
			return rc;
		b->op[start].arg = b->nop - start - 1;
		b->op[start].num = kept;
		if (s->nmissing > lacking) {
			lacking = s->nmissing;  /* remembered, in case */
			b->nop = start;
		} else
			kept++;
		alt += len + 1;
	}
	s->nmissing = kept > 0 ? missing : lacking;
	b->op[head].arg = kept;
	if (kept == 0) {
		b->nop = head;
		rc = emit_number(s, NAN);
	}
	s->floor = b->nop;
	return rc;
}

/* test, IF n, one side (n - 1 operations), JUMP k, the other side (k) */
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
	if ((rc = emit_fence(s, m->expr.op[at])) < 0 ||
	    (rc = place(s, m, yes, jump)) < 0)
		return rc;
	middle = b->nop;
	if ((rc = emit_fence(s, m->expr.op[jump])) < 0 ||
	    (rc = place(s, m, no, end)) < 0)
		return rc;
	b->op[head].arg = middle - head;
	b->op[middle].arg = b->nop - middle - 1;
	s->floor = b->nop;
	return 0;
}

/* An operation on numbers is done now. */
static int
place_plain(struct bind *s, const struct expr_op *op)
{
	struct binding *b = s->b;
	unsigned args = op->code == EXPR_NEG ? 1 : 2;
	int rc;

	if (op->code == EXPR_JUMP)      /* of min(a, b): to the next one */
		return 0;
	if ((rc = emit(s, *op)) < 0 || op->code == EXPR_NUM)
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
			return diag_set(s->why, -EINVAL, "%s:%u: metric %s is "
			    "more than %d operations long with all that it "
			    "uses", m->file, m->line, m->name,
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
		case EXPR_FIRST:
			rc = place_first(s, m, i);
			for (uint32_t n = op[i].arg; n > 0; n--)
				i += op[i + 1].arg + 1;
			break;
		default:
			rc = place_plain(s, &op[i]);
		}
	}
	return rc;
}

static int
finish(struct bind *s, struct bound *x)
{
	struct binding *b = s->b;

	uint32_t columns = b->series->columns + 1;

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
	if (columns > b->nseen) {
		uint32_t *p = realloc(b->seen, columns * sizeof *p);

		if (p == NULL)
			return -ENOMEM;
		memset(p + b->nseen, 0, (columns - b->nseen) * sizeof *p);
		b->seen = p;
		b->nseen = columns;
	}
	if (s->nmissing > 0) {
		x->missing = arena_alloc(b->arena, s->nmissing *
		    sizeof *x->missing);
		if (x->missing == NULL)
			return -ENOMEM;
		memcpy(x->missing, s->missing, s->nmissing *
		    sizeof *x->missing);
		x->nmissing = s->nmissing;
		b->nop = x->op;         /* never to be evaluated */
		x->nop = 0;
	} else if (expr_depth(b->op + x->op, x->nop) == 0)
		return diag_set(s->why, -EINVAL, "%s:%u: metric %s holds more "
		    "than %d values at once", x->metric->file, x->metric->line,
		    x->metric->name, EXPR_STACK);
	return 0;
}

int
binding_add(struct binding *b, const struct metric *m, unsigned *out,
    struct diag *why)
{
	struct bind s = { .b = b, .chain = { m }, .depth = 1, .why = why };
	struct bound x = { .metric = m, .op = b->nop };
	int rc;

	s.floor = b->nop;
	if ((rc = place(&s, m, 0, m->expr.nop)) == 0)
		rc = finish(&s, &x);
	free(s.missing);
	if (rc < 0) {
		b->nop = x.op;
		return rc;
	}
	if (b->nbound == b->bound_room) {
		unsigned room = b->bound_room ? b->bound_room * 2 : 64;
		struct bound *p = realloc(b->bound, room * sizeof *p);

		if (p == NULL)
			return -ENOMEM;
		b->bound = p;
		b->bound_room = room;
	}
	b->bound[b->nbound] = x;
	*out = b->nbound++;
	return 0;
}
