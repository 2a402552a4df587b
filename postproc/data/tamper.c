/*
 * postproc/data/tamper.c - what the daemon's tamper watch wrote down.
 */
#include "postproc/data/tamper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct constant *
entry(const struct reader *r, const char *what, unsigned k)
{
	char name[48];

	snprintf(name, sizeof(name), "tamper_%s[%u]", what, k);
	return read_constant_named(r, name);
}

int
tampers_init(struct tampers *t, const struct reader *r)
{
	const struct constant *good, *seen, *column, *c;

	*t = (struct tampers){ NULL, 0 };
	while ((good = entry(r, "first", t->n)) != NULL &&
	    (seen = entry(r, "seen", t->n)) != NULL &&
	    (column = entry(r, "column", t->n)) != NULL) {
		struct tamper *p = reallocarray(t->tamper, t->n + 1,
		    sizeof(*p));

		if (p == NULL)
			return -ENOMEM;
		t->tamper = p;
		p += t->n;
		*p = (struct tamper){ .column = column->text, .good = good->u,
		    .seen = seen->u, .where = "" };
		if ((c = entry(r, "register", t->n)) != NULL)
			p->where = c->text;
		if ((c = entry(r, "ours", t->n)) != NULL)
			p->ours = c->u;
		if ((c = entry(r, "found", t->n)) != NULL)
			p->found = c->u;
		if ((c = entry(r, "reasserted", t->n)) != NULL)
			p->reasserted = c->u != 0;
		t->n++;
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
tamper_in(const struct tamper *t, uint64_t before, uint64_t sample)
{
	/* The interval that begins with `seen` is ours again: the register is
	 * put right as it is read. */
	return sample > t->good && !(t->reasserted && before >= t->seen);
}

bool
tamper_of(const struct tamper *t, const char *column)
{
	size_t n = strlen(t->column);

	return n > 0 && strncmp(t->column, column, n) == 0 &&
	    (column[n] == '\0' || column[n] == '[');
}
