/*
 * daemon/run/mark_notes.c - marks with names, noted in the store.
 */
#include "daemon/run/mark_notes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int
mark_notes_note(struct mark_notes *m, struct store *st,
    const struct open_job *mark, uint64_t row)
{
	char text[1024], seconds[32];
	struct head h = head_buffer(text, sizeof(text));
	int rc;

	for (enum head_key key = HEAD_MARK_SAMPLE; m->n == 0 &&
	    key <= HEAD_MARK_TEXT; key++)
		head_put_table(&h, key, ALONE, 0);
	snprintf(seconds, sizeof(seconds), "%" PRIu64 ".%06u",
	    mark->real_ns / 1000000000,
	    (unsigned)(mark->real_ns % 1000000000 / 1000));
	head_put_count(&h, HEAD_MARK_SAMPLE, AT(m->n), row);
	head_put_digits(&h, HEAD_MARK_TIME, AT(m->n), seconds);
	head_put_text(&h, HEAD_MARK_TEXT, AT(m->n), mark->text);
	if (m->bytes + h.n > MARK_BYTES)
		return -ENOSPC;
	if ((rc = store_note(st, text)) < 0)
		return rc;
	m->bytes += h.n;
	m->n++;
	return 0;
}

/* Do two marks name the same job? */
static bool
same_job(const char *a, const char *b)
{
	size_t na = 0, nb = 0;
	const char *x = mark_words_value(a, "job", &na);
	const char *y = mark_words_value(b, "job", &nb);

	return x != NULL && y != NULL && na == nb && memcmp(x, y, na) == 0;
}

/* The open job that a mark names; NULL: none. */
static struct open_job *
mark_notes_open_one(struct mark_notes *m, const char *text)
{
	for (unsigned i = 0; i < m->nopen; i++)
		if (same_job(m->open[i].text, text))
			return &m->open[i];
	return NULL;
}

static void
close_job(struct mark_notes *m, struct open_job *j)
{
	if (j == NULL)
		return;
	memmove(j, j + 1, (size_t)(&m->open[--m->nopen] - j) * sizeof(*j));
}

static int
mark_notes_put(struct mark_notes *m, struct store *st, uint64_t row,
    const char *text, uint64_t real_ns, struct diag *why)
{
	struct open_job mark = { .real_ns = real_ns };
	bool begins, ends;
	int rc;

	if ((rc = mark_words_check(text, why)) < 0)
		return rc;
	memcpy(mark.text, text, strlen(text) + 1);
	ends = mark_has(text, "job") &&
	    mark_has(text, "end");
	begins = mark_has(text, "job") &&
	    mark_has(text, "begin") && !ends;
	if (begins && m->nopen == OPEN_JOBS &&
	    mark_notes_open_one(m, text) == NULL)
		return diag_set(why, -ENOSPC, "%d jobs have begun and not "
		    "ended: no room for another", OPEN_JOBS);
	if ((rc = mark_notes_note(m, st, &mark, row)) < 0)
		return diag_set(why, rc, "no room for more marks in this dump "
		    "(it has %u)", m->n);
	if (begins || ends)
		close_job(m, mark_notes_open_one(m, text));
	if (begins)
		m->open[m->nopen++] = mark;
	return 0;
}

int
mark_notes_set(struct mark_notes *m, struct store *st, const char *text,
    uint64_t real_ns, struct diag *why)
{
	return mark_notes_put(m, st, store_rows(st), text, real_ns, why);
}

int
mark_notes_last(struct mark_notes *m, struct store *st, const char *text,
    uint64_t real_ns, struct diag *why)
{
	uint64_t rows = store_rows(st);

	return mark_notes_put(m, st, rows > 0 ? rows - 1 : 0, text, real_ns,
	    why);
}

unsigned
mark_notes_again(struct mark_notes *m, struct store *st)
{
	unsigned lost = 0;

	m->n = 0;
	m->bytes = 0;
	for (unsigned i = 0; i < m->nopen; i++)
		lost += mark_notes_note(m, st, &m->open[i], 0) < 0;
	return lost;
}
