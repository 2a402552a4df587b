/*
 * config/lang/option_lines.h - options of tallyd's command line in a
 * configuration file:
 *
 *   option = "option" "--" NAME [ value ]   value = WORD | '"' words '"'
 *
 *   option --interval 0.5
 *   option --share
 *   option --pipe "zstd -q -o %s.zst"
 *
 * They are taken when tallyd starts, before the node is looked at; a file that is
 * read later, or a built-in text, may have only lines that were taken then.
 */
#ifndef CONFIG_LANG_OPTION_LINES_H
#define CONFIG_LANG_OPTION_LINES_H

#include <stdbool.h>

#include "config/arena.h"
#include "config/scan.h"

struct option_line {
	const char *name;               /* without the "--" */
	const char *value;              /* "": none */
	const char *file;
	unsigned line;
	struct option_line *next;
};

/* option_lines_read - append the option lines of a file to *list, allocated in
 * the arena.  Other lines are ignored.  0, or -errno with a message. */
int option_lines_read(struct option_line **list, struct arena *,
    const char *file, struct diag *why);

/* option_line_held - parse the rest of a line after the word "option".  0 if
 * the option is in the list, else -EINVAL with a message. */
int option_line_held(const struct option_line *list, struct scan *,
    struct diag *why);

#endif
