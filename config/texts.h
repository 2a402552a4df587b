/*
 * config/texts.h - the text files of config/, built into both programs, so
 * that they work from any directory with nothing installed.
 */
#ifndef CONFIG_TEXTS_H
#define CONFIG_TEXTS_H

#include <stddef.h>

struct text {
	const char *name;               /* "default-skx.conf" */
	const char *data;
	const char *end;
};

extern const struct text texts[];       /* ends with name NULL */

/* text_find - by name without its folder, or NULL. */
const struct text *text_find(const char *name);

/* text_load - the file at path; when there is none, the built-in text of that
 * name.  *data is the caller's to free.  Returns 0 or -errno, in words by
 * infile_error (config/infile.h). */
int text_load(const char *path, char **data, size_t *size);

#endif
