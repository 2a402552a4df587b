/*
 * daemon/run/row_note.c - what the head says of columns that are absent from a row.
 */
#include "daemon/run/row_note.h"

#include "config/dump/head_put.h"
#include "daemon/log.h"
#include "daemon/read/saturate.h"

#include <inttypes.h>
#include <stdio.h>

/* More of these in a log say nothing new; the dump has all of them. */
#define MOST_WARNED 16

/* Is this another store than before?  Its head has none of them yet. */
static bool
begins(struct row_notes *notes, const struct store *store)
{
	if (store == notes->store)
		return false;
	notes->store = store;
	notes->n = 0;
	return true;
}

static void
row_note_put(struct row_notes *notes, struct store *store, enum head_key key,
    const char *line, const char *means)
{
	char text[1024];
	struct head h = head_buffer(text, sizeof(text));

	if (notes->n == 0)
		head_put_table(&h, key, ALONE, 0);
	head_put_text(&h, key, AT(notes->n++), line);
	store_note(store, text);
	if (notes->warned++ < MOST_WARNED)
		log_warnx("%s: %s", line, means);
}

void
row_note_files(struct row_notes *notes, struct file_readers *f,
    struct store *store, uint64_t n)
{
	const struct column_id *id;
	char name[MAX_NAME], line[400];
	enum file_says says;
	unsigned at = 0;

	/* what still holds is said in the head of each store */
	if (f != NULL && begins(notes, store))
		files_forget(f);
	while ((id = files_problem(f, &at, &says)) != NULL) {
		column_text(id, "", name, sizeof(name));
		snprintf(line, sizeof(line), "%.200s: sample %" PRIu64
		    ": the file %s", name, n, file_says_word(says));
		row_note_put(notes, store, HEAD_READ_FAILED, line,
		    "absent as long as it does");
	}
}

/* The columns that a control counts in. */
static void
counter_name(const struct plan_write *w, char *buf, size_t size)
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
row_note_stopped(struct row_notes *notes, struct plan *plan,
    struct store *store, uint64_t n)
{
	const struct plan_write *w;
	char name[256], line[400];

	begins(notes, store);
	while ((w = saturate_stopped(plan)) != NULL) {
		counter_name(w, name, sizeof(name));
		snprintf(line, sizeof(line), "%s: sample %" PRIu64, name, n);
		row_note_put(notes, store, HEAD_COUNTER_STOPPED, line,
		    "the counter had stopped at its end: absent there");
	}
}
