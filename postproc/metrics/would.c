/*
 * postproc/metrics/would.c - does a configuration name what a formula refers to?
 */
#include "postproc/metrics/bind_int.h"

#include <fnmatch.h>
#include <string.h>

#include "config/texts.h"
#include "regs/model.h"

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Takes the next word of a line, at *at; false: none is left, or a comment follows. */
static bool
next_word(const char **at, const char *end, char *buf, size_t size)
{
	const char *p = *at, *from;
	size_t n;

	while (p < end && is_space(*p))
		p++;
	for (from = p; p < end && !is_space(*p); p++)
		continue;
	*at = p;
	n = (size_t)(p - from) < size ? (size_t)(p - from) : size - 1;
	memcpy(buf, from, n);
	buf[n] = '\0';
	return p > from && *from != '#';
}

/* Is a word the name of the event, or a synonym? */
static bool
names_event(const struct metrics *m, const char *event, const char *word)
{
	const struct synonyms *other = synonyms_find(m, event);
	const char *box;

	if (fnmatch(event_plain(event, &box), event_plain(word, &box),
	    FNM_CASEFOLD) == 0)
		return true;
	for (unsigned i = 0; other != NULL && i < other->n; i++)
		if (strcasecmp(event_plain(other->name[i], &box),
		    event_plain(word, &box)) == 0)
			return true;
	return false;
}

/* Does "core fixed" or "imc fixed" count the event?  The model names fixed counters. */
static bool
names_fixed(const struct metrics *m, const struct model *model,
    const char *event, const char *what)
{
	if (model == NULL)
		return false;
	if (model->fixed != NULL && strcmp(what, "core") == 0)
		for (unsigned i = 0; model->fixed->name[i] != NULL; i++)
			if (names_event(m, event, model->fixed->name[i]))
				return true;
	for (const struct box_type *b = model->box; b->name != NULL; b++)
		if (strcasecmp(b->name, what) == 0 && b->fixed_name != NULL)
			return names_event(m, event, b->fixed_name) ||
			    (b->fixed_family != NULL &&
			    strcmp(b->fixed_family, event) == 0);
	return false;
}

/* Does a line count what r refers to?  Lines are "read mperf aperf", "core NAME
 * event=0xc0", "imc fixed" or "software on". */
static bool
line_counts(const char *at, const char *end, const struct would *w,
    const struct expr_ref *r)
{
	const char *event = r->event != NULL ? r->event : r->name;
	char what[80], word[160];

	if (!next_word(&at, end, what, sizeof what) ||
	    (strcmp(what, "optional") == 0 &&
	    !next_word(&at, end, what, sizeof what)))
		return false;
	what[strcspn(what, "[")] = '\0';
	if (strcmp(what, "read") == 0) {
		while (r->event == NULL && next_word(&at, end, word, sizeof word))
			if (strcmp(word, r->name) == 0)
				return true;
		return false;
	}
	if (r->event != NULL && strcmp(what, r->name) != 0)
		return false;
	if (!next_word(&at, end, word, sizeof word))
		return false;
	if (strcmp(word, "fixed") == 0)
		return names_fixed(w->metrics, w->model, event, what);
	return names_event(w->metrics, event, word) ||
	    (r->event != NULL && strcmp(word, "on") == 0);
}

bool
would_count(const struct would *w, const struct expr_ref *r)
{
	const struct text *t = w->text;

	for (const char *line = t->data, *end; line < t->end; line = end + 1) {
		end = memchr(line, '\n', (size_t)(t->end - line));
		if (end == NULL)
			end = t->end;
		if (line_counts(line, end, w, r))
			return true;
	}
	return false;
}
