/*
 * postproc/data/slow.c - columns that are read every so many samples.
 */
#include "postproc/data/slow.h"

#include <errno.h>
#include <stdlib.h>

#include "regs/model.h"

/* A stamp is as slow as the family that it is of. */
static bool
is_slow(const struct reader *r, const struct column_id *id)
{
	const char *family = id->family->name;

	if (id->event != NULL && head_number(r, HEAD_FAMILY_EVERY,
	    OF(id->event), 1) > 1 && id->nindex == 0)
		return true;
	return head_number(r, HEAD_FAMILY_EVERY, OF(family), 1) > 1;
}

/* Most dumps have none, and many columns. */
static bool
any_slow(const struct reader *r)
{
	for (unsigned i = 0; i < read_constants(r); i++)
		if (read_constant(r, i)->key == HEAD_FAMILY_EVERY)
			return true;
	return false;
}

int
slow_load(struct slow_columns *s, const struct reader *r, unsigned ncol)
{
	struct slow_column *more;

	if (s->ncol < ncol && !any_slow(r))
		s->ncol = ncol;
	for (; s->ncol < ncol; s->ncol++) {
		if (!is_slow(r, &read_column(r, s->ncol)->id))
			continue;
		more = reallocarray(s->slow, s->n + 1, sizeof *more);
		if (more == NULL)
			return -ENOMEM;
		s->slow = more;
		more[s->n++] = (struct slow_column){ .column = s->ncol };
	}
	return 0;
}

void
slow_fini(struct slow_columns *s)
{
	free(s->slow);
	*s = (struct slow_columns){ NULL, 0, 0 };
}

void
slow_carry(const struct slow_columns *s, const uint64_t *before, unsigned ncol,
    uint64_t *row)
{
	for (unsigned i = 0; i < s->n; i++) {
		unsigned c = s->slow[i].column;

		if (c < ncol && row[c] == ABSENT)
			row[c] = before[c];
	}
}

int
slow_judge(struct slow_columns *s, const struct reader *r, const struct read_row *row,
    const struct limits *limits, double seconds, struct slow_deltas *out)
{
	int more = 0;

	out->not_due = 0;
	for (unsigned i = 0; i < s->n && s->slow[i].column < row->ncol; i++) {
		unsigned c = s->slow[i].column;
		const struct column *col = read_column(r, c);
		bool was = out->kind[c] > DELTA_NONE;

		s->slow[i].age++;
		if (!class_is_counter(col->cls))
			continue;
		out->kind[c] = DELTA_NONE;
		out->delta[c] = 0;
		if (row->value[c] != ABSENT && row->before != NULL &&
		    row->before[c] != ABSENT)
			out->kind[c] = (uint8_t)delta_between(col, row->before[c],
			    row->value[c], limit(limits, col->cls, seconds *
			    (double)s->slow[i].age), &out->delta[c]);
		else
			out->not_due++;
		if (row->value[c] != ABSENT)
			s->slow[i].age = 0;
		more += (int)(out->kind[c] > DELTA_NONE) - (int)was;
	}
	return more;
}
