/*
 * tests/lib/named.c - columns by their printed form.
 */
#include "tests/lib/named.h"

#include <string.h>

static struct families families;        /* to the end of the program */

void
columns_named(struct column *c, unsigned n)
{
	if (families.arena == NULL) {
		families.arena = arena_new();
		families.model = model_named("skx");
	}
	for (; n-- > 0; c++) {
		struct arena *a = families.arena;
		struct column_words w;
		struct family *f;

		column_parse(&w, c->name, strlen(c->name));
		f = families_get(&families, w.family, w.family_len);
		if (!f->said)
			family_say(f, NULL, c->bits, c->mul);
		c->id = (struct column_id){ .family = f, .nindex = w.nindex,
		    .lprocs = w.lprocs != NULL ? arena_strndup(a, w.lprocs,
		    w.lprocs_len) : NULL, .event = w.event != NULL ?
		    arena_strndup(a, w.event, w.event_len) : NULL };
		memcpy(c->id.index, w.index, sizeof(w.index));
		c->cls = (uint8_t)family_event(f, families.model, c->id.event,
		    ABSENT);
	}
}

bool
is_named(const struct column_id *id, const char *name)
{
	char text[MAX_NAME];

	return column_text(id, "", text, sizeof(text)) < sizeof(text) &&
	    strcmp(text, name) == 0;
}
