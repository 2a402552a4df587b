/*
 * daemon/run/head_columns.c - what the head of a dump says of the plan's columns:
 * by family, by event of a family, and by column.
 */
#include "daemon/run/preamble.h"

#include "config/dump/column.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void
head_families(struct head *h, const struct plan *plan)
{
	head_put_table(h, HEAD_FAMILY_BITS, ALONE, 0);
	head_put_table(h, HEAD_FAMILY_UNIT, ALONE, 0);
	head_put_table(h, HEAD_FAMILY_VALUE, ALONE, 0);
	head_put_table(h, HEAD_FAMILY_MUL, ALONE, 0);
	for (unsigned i = 0; i < plan->families.n; i++) {
		const struct family *f = plan->families.family[i];

		if (!f->said)
			continue;
		head_put_int(h, HEAD_FAMILY_BITS, OF(f->name), f->bits);
		head_put_text(h, HEAD_FAMILY_UNIT, OF(f->name), f->unit);
		head_put_text(h, HEAD_FAMILY_VALUE, OF(f->name), f->value);
		if (f->mul > 1)
			head_put_int(h, HEAD_FAMILY_MUL, OF(f->name), f->mul);
	}
}

/* A key with an index of family and event, while it is put: each pair has one line,
 * however many lprocs and boxes count the event. */
struct by_event {
	struct head *h;
	enum head_key key;
	const struct column_id **had;
	unsigned n;
};

static bool
same_event(const struct column_id *a, const struct column_id *b)
{
	return a->family == b->family && (a->event == b->event ||
	    strcmp(a->event, b->event) == 0);
}

static void
put_word(struct by_event *t, const struct column_id *id, const char *word)
{
	struct head_at at = OF(id->family->name, id->event);
	bool first = true;

	/* columns of one event mostly stand close together: search backward */
	for (unsigned i = t->n; i-- > 0;) {
		if (same_event(t->had[i], id))
			return;
		first = first && t->had[i]->family != id->family;
	}
	if (t->n == 0)
		head_put_table(t->h, t->key, at, 0);
	if (first)
		head_put_table(t->h, t->key, at, 1);
	head_put_text(t->h, t->key, at, word);
	t->had[t->n++] = id;
}

/* Starts a key, with room for n pairs. */
static struct by_event
by_event(struct head *h, enum head_key key, unsigned n)
{
	struct by_event t = { .h = h, .key = key,
	    .had = calloc(n + 1, sizeof(t.had[0])) };

	if (t.had == NULL)
		h->error = -ENOMEM;
	return t;
}

void
head_classes(struct head *h, const struct plan *plan)
{
	struct by_event t = by_event(h, HEAD_EVENT_CLASS, plan->ncolumn);

	for (unsigned i = 0; t.had != NULL && i < plan->ncolumn; i++) {
		const struct column *c = &plan->column[i];

		if (c->id.event != NULL && c->cls != c->id.family->cls)
			put_word(&t, &c->id, class_word(c->cls));
	}
	free(t.had);
}

static void
head_columns_put_to(void *ctx, const char *text, size_t n)
{
	head_put_lines(ctx, text, n);
}

void
head_controls(struct head *h, const struct plan *plan)
{
	struct declared *d = declare_new(head_columns_put_to, h);
	const struct plan_control *c = plan->control;

	if (d == NULL)
		h->error = -ENOMEM;
	/* declare_tables reports its errors itself; h->error is set by a line without room */
	for (unsigned i = 0; h->error == 0 && i < plan->ncontrol; i++)
		if (declare_tables(d, &c[i].id,
		    head_row(HEAD_CONTROL)->name + 1, false) < 0)
			h->error = -ENOMEM;
	for (unsigned i = 0; i < plan->ncontrol; i++)
		if (c[i].ctl != ABSENT)
			head_put_hex(h, HEAD_CONTROL, OF_COLUMN(&c[i].id),
			    c[i].ctl);
	declare_free(d);
}

void
head_sets(struct head *h, const struct plan *plan)
{
	struct by_event t;

	if (plan->sets.n < 2)
		return;
	head_put_table(h, HEAD_SET_NAME, ALONE, 0);
	for (unsigned k = 1; k < plan->sets.n; k++)
		head_put_text(h, HEAD_SET_NAME, AT(k - 1), plan->sets.name[k]);
	if (plan->sets.turns > 0) {
		head_put_count(h, HEAD_TURNS, ALONE, plan->sets.turns);
		head_put_count(h, HEAD_TURN_SEED, ALONE, plan->sets.seed);
	}
	t = by_event(h, HEAD_EVENT_SET, plan->ncontrol);
	for (unsigned i = 0; t.had != NULL && i < plan->ncontrol; i++) {
		const struct plan_control *c = &plan->control[i];

		if (c->set != 0)
			put_word(&t, &c->id, plan->sets.name[c->set]);
	}
	free(t.had);
}
