/*
 * postproc/data/slow.c - columns that are read every so many samples.
 */
#include "postproc/data/slow.h"

#include <errno.h>
#include <stdlib.h>

#include "regs/model.h"

/* The stamp read_tsc["NAME"] is read as rarely as the family or the event NAME. */
unsigned
slow_every(const struct reader *r, const struct column_id *id)
{
	const char *family = id->family->name, *event = id->event;
	double n = head_number(r, HEAD_FAMILY_EVERY, OF(family), 1);

	if (!(n > 1) && event != NULL)
		n = head_number(r, HEAD_EVENT_EVERY, OF(family, event), 1);
	if (!(n > 1) && event != NULL && id->nindex == 0)
		n = head_number(r, HEAD_FAMILY_EVERY, OF(event), 1);
	return !(n > 1) ? 1 : n < 1e9 ? (unsigned)n : 1000000000;
}

bool
slow_is(const struct reader *r, const struct column_id *id)
{
	return slow_every(r, id) > 1;
}

/* Most dumps have no slow column: one look at the head saves a look at each column. */
bool
slow_any(const struct reader *r)
{
	for (unsigned i = 0; i < read_constants(r); i++) {
		enum head_key key = read_constant(r, i)->key;

		if (key == HEAD_FAMILY_EVERY || key == HEAD_EVENT_EVERY)
			return true;
	}
	return false;
}

int
slow_load(struct slow_columns *s, const struct reader *r, unsigned ncol)
{
	struct slow_column *more;

	if (s->ncol < ncol && !slow_any(r))
		s->ncol = ncol;
	for (; s->ncol < ncol; s->ncol++) {
		unsigned every = slow_every(r, &read_column(r, s->ncol)->id);

		if (every < 2)
			continue;
		more = reallocarray(s->slow, s->n + 1, sizeof *more);
		if (more == NULL)
			return -ENOMEM;
		s->slow = more;
		more[s->n++] = (struct slow_column){ .column = s->ncol,
		    .every = every };
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

/* Returns a column of s; NULL: the column is not slow. */
static const struct slow_column *
slow_find(const struct slow_columns *s, unsigned column)
{
	unsigned from = 0, to = s->n;

	while (from < to) {
		unsigned mid = from + (to - from) / 2;

		if (s->slow[mid].column < column)
			from = mid + 1;
		else
			to = mid;
	}
	return from < s->n && s->slow[from].column == column ?
	    &s->slow[from] : NULL;
}

bool
slow_due(const struct slow_columns *s, unsigned column)
{
	const struct slow_column *slow = slow_find(s, column);

	return slow == NULL || slow->span >= slow->every;
}

uint64_t
slow_from(const struct slow_columns *s, unsigned column, uint64_t before)
{
	const struct slow_column *slow = slow_find(s, column);

	return slow != NULL ? slow->from : before;
}

double
slow_seconds(const struct slow_columns *s, unsigned column, double seconds)
{
	const struct slow_column *slow = slow_find(s, column);

	return slow != NULL ? seconds * (double)slow->span : seconds;
}

/* Counts one more row, and sets s->from and s->span to those of a delta that ends with it. */
static void
slow_advance(struct slow_column *s, const struct read_row *row)
{
	unsigned c = s->column;

	if (!s->read && row->before != NULL && row->before[c] != ABSENT) {
		s->last = row->before_sample;
		s->read = true;
	}
	s->from = s->read ? s->last : row->before_sample;
	s->span = ++s->age;
	if (row->value[c] == ABSENT)
		return;
	s->last = row->sample;
	s->read = true;
	s->age = 0;
}

void
slow_pause(struct slow_columns *s, const struct read_row *row)
{
	for (unsigned i = 0; i < s->n && s->slow[i].column < row->ncol; i++) {
		slow_advance(&s->slow[i], row);
		s->slow[i].paused = s->slow[i].age > 0;
	}
}

/* The delta of a column that was read in this row, from its last reading. */
static enum delta_kind
judge_one(const struct slow_column *s, const struct column *col,
    const struct read_row *row, uint64_t most, uint64_t *delta)
{
	unsigned c = s->column;

	if (s->paused)
		return DELTA_PAUSED;
	return delta_between(col, row->before[c], row->value[c], most, delta);
}

int
slow_judge(struct slow_columns *s, const struct reader *r, const struct read_row *row,
    const struct limits *limits, double seconds, struct slow_deltas *out)
{
	int more = 0;

	out->not_due = 0;
	for (unsigned i = 0; i < s->n && s->slow[i].column < row->ncol; i++) {
		struct slow_column *slow = &s->slow[i];
		unsigned c = slow->column;
		const struct column *col = read_column(r, c);
		bool was = out->kind[c] > DELTA_NONE;

		slow_advance(slow, row);
		if (!class_is_counter(col->cls))
			continue;
		out->kind[c] = DELTA_NONE;
		out->delta[c] = 0;
		if (row->value[c] == ABSENT || row->before == NULL ||
		    row->before[c] == ABSENT) {
			out->not_due++;
		} else {
			out->kind[c] = (uint8_t)judge_one(slow, col, row,
			    limit(limits, col->cls, seconds *
			    (double)slow->span), &out->delta[c]);
			slow->paused = false;
		}
		more += (int)(out->kind[c] > DELTA_NONE) - (int)was;
	}
	return more;
}
