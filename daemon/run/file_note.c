/*
 * daemon/run/file_note.c - files that hold no numbers.
 */
#include "daemon/run/file_note.h"

#include "config/dump/head_put.h"
#include "daemon/log.h"

#include <inttypes.h>
#include <stdio.h>

/* More of these in a log say nothing new; the dump has all of them. */
#define MOST_WARNED 16

void
file_note(struct file_notes *notes, struct file_readers *f, struct store *store,
    uint64_t n)
{
	const struct column_id *id;
	char text[1024], name[MAX_NAME], line[400];
	enum file_says says;
	unsigned at = 0;

	/* what still holds is said in the head of each store */
	if (f != NULL && store != notes->store) {
		notes->store = store;
		notes->n = 0;
		files_forget(f);
	}
	while ((id = files_problem(f, &at, &says)) != NULL) {
		struct head h = head_buffer(text, sizeof(text));

		column_text(id, "", name, sizeof(name));
		snprintf(line, sizeof(line), "%.200s: sample %" PRIu64
		    ": the file %s", name, n, file_says_word(says));
		if (notes->n == 0)
			head_put_table(&h, HEAD_READ_FAILED, ALONE, 0);
		head_put_text(&h, HEAD_READ_FAILED, AT(notes->n++), line);
		store_note(store, text);
		if (notes->warned++ < MOST_WARNED)
			log_warnx("%s: absent as long as it does", line);
	}
}
