/*
 * postproc/metrics/bind.c - metrics bound to the columns of one dump.
 */
#include "postproc/metrics/bind_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

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
	b->kept = NULL;
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
