/*
 * config/lang/option_lines.c - options of tallyd's command line in a
 * configuration file.
 */
#include "config/lang/option_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/texts.h"

/* option = "option" "--" NAME [ value | "=" value ].  "option" was scanned already; value
 * is empty if there is none. */
static int
option_lines_parse(struct scan *scan, struct word *name, struct word *value,
    struct diag *why)
{
	struct word left;
	int rc;

	*value = (struct word){ "", 0 };
	if (!scan_word(scan, name) || name->n < 3 ||
	    strncmp(name->s, "--", 2) != 0)
		return diag_at(why, scan->at.file, scan->at.line, "option is "
		    "one of tallyd's, as on its command line: option "
		    "--interval 0.5");
	name->s += 2;
	name->n -= 2;
	left = *name;
	if (word_cut(&left, '=', name)) {
		*value = left;
		return scan_end(scan, why);
	}
	if ((rc = scan_quoted(scan, value, why)) < 0)
		return rc;
	return scan_end(scan, why);
}

/* Append an option to the list. */
static int
option_lines_add(struct option_line **list, struct arena *arena,
    const char *file, struct scan *scan, struct diag *why)
{
	struct option_line *line;
	struct word name, value;
	int rc;

	if ((rc = option_lines_parse(scan, &name, &value, why)) < 0)
		return rc;
	if ((line = arena_alloc(arena, sizeof(*line))) == NULL ||
	    (line->name = arena_strndup(arena, name.s, name.n)) == NULL ||
	    (line->value = arena_strndup(arena, value.s, value.n)) == NULL ||
	    (line->file = arena_strndup(arena, file, strlen(file))) == NULL)
		return diag_set(why, -ENOMEM, "%s: out of memory", file);
	line->line = scan->at.line;
	while (*list != NULL)
		list = &(*list)->next;
	*list = line;
	return 0;
}

int
option_lines_read(struct option_line **list, struct arena *arena,
    const char *file, struct diag *why)
{
	struct scan scan;
	struct word w;
	size_t size;
	char *text;
	int rc;

	if ((rc = text_load(file, NULL, &text, &size, why)) < 0)
		return rc;
	scan_init(&scan, file, text, size);
	while ((rc = scan_line(&scan, why)) > 0)
		if (scan_word(&scan, &w) && word_is(w, "option") &&
		    (rc = option_lines_add(list, arena, file, &scan, why)) < 0)
			break;
	free(text);
	return rc;
}

int
option_line_held(const struct option_line *list, struct scan *scan,
    struct diag *why)
{
	struct word name, value;
	int rc;

	if ((rc = option_lines_parse(scan, &name, &value, why)) < 0)
		return rc;
	for (; list != NULL; list = list->next)
		if (word_is(name, list->name) && word_is(value, list->value))
			return 0;
	return diag_at(why, scan->at.file, scan->at.line, "--%.*s: an option "
	    "is taken when tallyd starts, from a file that -c names, and this "
	    "was not there", WORD_ARG(name));
}
