/*
 * config/dump/read_store.c - read a store like the dump that it will become:
 * the same columns, with values as printed.
 */
#include "config/dump/read_int.h"

#include "config/dump/dump.h"
#include "lib/printable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
read_store_read_head(struct reader *r, struct diag *why)
{
	char *head = dump_head(r->store, r->rows.end);
	int rc = head == NULL ? diag_set(why, -ENOMEM, "out of memory") :
	    read_head_text(r, head, why);

	free(head);
	return rc;
}

int
store_begin(struct reader *r, struct diag *why)
{
	const struct store_shape *s;
	char name[MAX_NAME];
	const uint64_t *mark;
	int rc;

	if ((rc = store_open(&r->store, r->path, why)) < 0)
		return rc;
	s = store_shape(r->store);
	r->rows.end = store_rows(r->store);
	r->rows.notes = strlen(store_notes(r->store));
	r->rows.marks = store_marks(r->store, &mark);
	if ((r->rows.raw = malloc(s->ncell * sizeof(r->rows.raw[0]))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if ((rc = read_head_text(r, s->preamble, why)) < 0 ||
	    (rc = read_store_read_head(r, why)) < 0)
		return rc;
	for (unsigned i = 0; i < s->ncolumn; i++) {
		const struct column *c = &s->column[i];
		size_t len = column_text(&c->id, "", name, sizeof(name));
		int id = len < sizeof(name) ? names_column(r, name, len) :
		    -EINVAL;

		if (id >= 0 && (unsigned)id != i)
			id = -EINVAL;
		if (id < 0)
			return diag_set(why, id, "%s: column %u, %.200s: %s",
			    r->path, i, name, strerror(-id));
		r->columns.column[i].cls = c->cls;
		if (c->bits != 0) {
			r->columns.column[i].bits = c->bits;
			r->columns.column[i].mul = c->mul ? c->mul : 1;
		}
	}
	r->line = 0;
	if (store_left_out(r->store) > 0)
		read_note(r, PROBLEM_GARBAGE, 0, "%.120s: %u line%s of "
		    "its head left out, none of tallyd's", r->shown,
		    store_left_out(r->store),
		    plural(store_left_out(r->store)));
	if (store_cut(r->store) > 0)
		read_note(r, PROBLEM_TRUNCATED, 0, "%.120s: the file was cut: "
		    "it lacks %llu of its %llu samples", r->shown,
		    (unsigned long long)store_cut(r->store),
		    (unsigned long long)(store_cut(r->store) +
		    store_rows(r->store)));
	return 0;
}

int
read_more(struct reader *r, bool *head, struct diag *why)
{
	const uint64_t *mark;
	size_t notes;
	unsigned marks;
	int rc;

	if (r->store == NULL)
		return diag_set(why, -EINVAL, "%s: no store of a tallyd that "
		    "samples", r->path);
	r->rows.end = store_rows(r->store);
	notes = strlen(store_notes(r->store));
	marks = store_marks(r->store, &mark);
	*head = notes != r->rows.notes || marks != r->rows.marks;
	if (*head && (rc = read_store_read_head(r, why)) < 0)
		return rc;
	r->rows.notes = notes;
	r->rows.marks = marks;
	r->line = 0;
	return r->rows.at < r->rows.end;
}

static uint64_t
printed(const struct column *c, const uint64_t *row)
{
	uint64_t raw = column_raw(c, row);

	if (raw == ABSENT || c->print == PRINT_HEX || c->print == PRINT_SCALED)
		return raw;
	if (c->print == PRINT_TEMP || c->print == PRINT_CORE_TEMP)
		return (uint64_t)(int64_t)(c->base - (int)(raw >> 16 & 0x7f));
	return c->mul > 1 ? raw * c->mul : raw;
}

int
store_next(struct reader *r, struct read_row *row, struct diag *why)
{
	const struct store_shape *s = store_shape(r->store);
	uint64_t *value = r->now.value[r->now.cur];
	int rc;

	if (r->rows.at >= r->rows.end)
		return 0;
	if ((rc = store_read(r->store, r->rows.at, 0, s->ncell,
	    r->rows.raw)) < 0)
		return diag_set(why, rc, "%s: %s", r->path, store_error(rc));
	*row = (struct read_row){ .sample = r->rows.at, .value = value,
	    .ncol = r->columns.n };
	for (unsigned i = 0; i < s->ncolumn; i++) {
		value[i] = printed(&s->column[i], r->rows.raw);
		row->nabsent += value[i] == ABSENT;
	}
	if (r->now.returned) {
		row->before = r->now.value[r->now.cur ^ 1];
		row->before_sample = r->now.last;
	}
	r->now.returned = true;
	r->now.last = r->rows.at++;
	r->now.cur ^= 1;
	return 1;
}
