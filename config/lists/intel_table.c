/*
 * config/lists/intel_table.c - an event list of Intel's as a table.
 */
#include "config/lists/intel.h"

#include <stdio.h>
#include <string.h>

struct intel_table *
intel_table_open(struct arena *arena, const struct text *text, struct word *rows)
{
	struct intel_table *t = arena_alloc(arena, sizeof(*t));
	struct word head, cell, name;
	char file[80];
	bool more = true;

	snprintf(file, sizeof(file), "@%.*s", text_base(text), text->name);
	*rows = (struct word){ text->data, (size_t)(text->end - text->data) };
	if (t == NULL ||
	    (t->file = arena_strndup(arena, file, strlen(file))) == NULL)
		return NULL;
	t->text = text;
	word_cut(rows, '\n', &head);
	while (more && t->n < TABLE_COLUMNS) {
		more = word_cut(&head, '\t', &cell);
		word_cut(&cell, '=', &name);
		t->member[t->n].name = arena_strndup(arena, name.s, name.n);
		t->member[t->n].usual = arena_strndup(arena, cell.s, cell.n);
		if (t->member[t->n].name == NULL ||
		    t->member[t->n].usual == NULL)
			return NULL;
		t->n++;
	}
	return t;
}

const struct json *
intel_table_row(const struct intel_table *t, struct word row, unsigned line,
    struct intel_row *to)
{
	size_t size = row.n < TABLE_ROW ? row.n : TABLE_ROW - 1;
	char *next = to->text, *cell;

	memcpy(to->text, row.s, size);
	to->text[size] = '\0';
	to->object = (struct json){ .kind = JSON_OBJECT, .line = line,
	    .child = to->member };
	for (unsigned i = 0; i < t->n; i++) {
		cell = next != NULL ? strsep(&next, "\t") : NULL;
		to->member[i] = (struct json){ .kind = JSON_STRING,
		    .line = line, .name = t->member[i].name, .text =
		    cell != NULL && *cell != '\0' ? cell :
		    t->member[i].usual, .next = i + 1 < t->n ?
		    &to->member[i + 1] : NULL };
	}
	return &to->object;
}
