/*
 * daemon/run/stopped_note.c - what the head says of counters that had stopped at
 * their end.
 */
#include "daemon/run/stopped_note.h"

#include "config/dump/head_put.h"
#include "daemon/log.h"
#include "daemon/read/saturate.h"

#include <inttypes.h>
#include <stdio.h>

/* More of these in a log say nothing new; the dump has all of them. */
#define MOST_WARNED 16

/* The columns that a control counts in. */
static void
name_of(const struct plan_write *w, char *buf, size_t size)
{
	struct family family = { .name = w->type->family };
	struct column_id id = plan_write_id(w);
	char event[129];

	id.family = &family;
	if (w->name != NULL) {
		snprintf(event, sizeof(event), "%s", w->name);
		id.event = event;
	}
	column_text(&id, "", buf, size);
}

void
stopped_note(struct stopped_notes *notes, struct plan *plan,
    struct store *store, uint64_t n)
{
	const struct plan_write *w;
	char text[1024], name[256], line[400];

	if (store != notes->store) {
		notes->store = store;
		notes->n = 0;
	}
	while ((w = saturate_stopped(plan)) != NULL) {
		struct head h = head_buffer(text, sizeof(text));

		name_of(w, name, sizeof(name));
		snprintf(line, sizeof(line), "%s: sample %" PRIu64, name, n);
		if (notes->n == 0)
			head_put_table(&h, HEAD_COUNTER_STOPPED, ALONE, 0);
		head_put_text(&h, HEAD_COUNTER_STOPPED, AT(notes->n++), line);
		store_note(store, text);
		if (notes->warned++ < MOST_WARNED)
			log_warnx("%s: the counter had stopped at its end: "
			    "absent there", line);
	}
}
