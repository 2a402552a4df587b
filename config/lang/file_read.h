/*
 * config/lang/file_read.h - the `read` statement of a number in a file of the
 * node.
 */
#ifndef CONFIG_LANG_FILE_READ_H
#define CONFIG_LANG_FILE_READ_H

#include "config/lang/want.h"
#include "config/scan.h"

#define MAX_FILE_PATH 255

struct file_read {
	const char *path;               /* on the node; a * matches any text without a
	                                 * slash, and each match is a column */
	bool binary;                    /* eight bytes, little-endian; else text */
	uint64_t at;                    /* offset of the number in the file */
	bool gauge;                     /* the number may fall: it is no counter */
	double scale;                   /* the number times this is in `unit` */
	const char *unit;               /* "": not known */
	unsigned every;                 /* samples from one reading to the next */
	const char *statement;          /* "file=PATH gauge unit=W as POWER" */
};

/* file_read_is - does the word after `read` begin such a statement? */
bool file_read_is(struct word);

/*
 * file_read_parse - parse the rest of a `read` statement.
 *
 * first  the word after `read`, which was scanned already
 * want   in: set, file, line, optional; out: name (its family) and of_file
 *
 * Returns 0, or -EINVAL with "file:line: ..." in why; -ENOMEM.
 */
int file_read_parse(struct config *, struct scan *, struct word first,
    struct want *want, struct diag *why);

#endif
