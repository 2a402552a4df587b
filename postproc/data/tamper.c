/*
 * postproc/data/tamper.c - what the daemon's tamper watch wrote down.
 */
#include "postproc/data/doubt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A register was found as it should be: what was found in it before is over. */
static void
end_earlier(struct tampers *t, const struct tamper *last)
{
	for (unsigned i = 0; i <= (unsigned)(last - t->tamper); i++) {
		struct tamper *p = &t->tamper[i];

		if (p->ours_at == UINT64_MAX &&
		    strcmp(p->where, last->where) == 0 &&
		    column_in(&p->column, &last->column))
			p->ours_at = last->seen;
	}
}

int
tampers_init(struct tampers *t, struct reader *r)
{
	const struct constant *good, *seen, *column, *c;
	struct head_at at = ALONE;

	*t = (struct tampers){ NULL, 0 };
	while ((good = head_constant(r, HEAD_TAMPER_FIRST, at)) != NULL &&
	    (seen = head_constant(r, HEAD_TAMPER_SEEN, at)) != NULL &&
	    (column = head_constant(r, HEAD_TAMPER_COLUMN, at)) != NULL) {
		struct tamper *p = reallocarray(t->tamper, t->n + 1,
		    sizeof(*p));

		if (p == NULL)
			return -ENOMEM;
		t->tamper = p;
		p += t->n;
		*p = (struct tamper){ .good = good->u, .seen = seen->u,
		    .ours_at = UINT64_MAX,
		    .where = head_text(r, HEAD_TAMPER_REGISTER, at, "") };
		if (read_id(r, column->text, &p->column) < 0)
			return -ENOMEM;
		if ((c = head_constant(r, HEAD_TAMPER_OURS, at)) != NULL)
			p->ours = c->u;
		if (c != NULL && (c = head_constant(r, HEAD_TAMPER_FOUND,
		    at)) != NULL) {
			p->found = c->u;
			if (p->found == p->ours)
				end_earlier(t, p);
		}
		c = head_constant(r, HEAD_TAMPER_REASSERTED, at);
		p->reasserted = c != NULL && c->u != 0;
		at = AT(++t->n);
	}
	return 0;
}

void
tampers_fini(struct tampers *t)
{
	free(t->tamper);
	*t = (struct tampers){ NULL, 0 };
}

bool
tamper_over(const struct tamper *t, uint64_t before)
{
	/* The interval that begins with `seen` is ours again: the register is
	 * put right as it is read. */
	return (t->reasserted && before >= t->seen) || before >= t->ours_at;
}

bool
tamper_in(const struct tamper *t, uint64_t before, uint64_t sample)
{
	return sample > t->good && !tamper_over(t, before);
}

bool
tamper_of(const struct tamper *t, const struct column_id *id)
{
	return column_in(id, &t->column);
}
