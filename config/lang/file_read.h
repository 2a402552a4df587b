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
	const char *path;               /* of the node; a * is any text without a
	                                 * slash, and a column for each */
	bool binary;                    /* eight bytes at this offset, the low
	                                 * ones first; else text */
	uint64_t at;
	bool gauge;                     /* it goes up and down: no counter */
	double scale;                   /* what a count of it is, in units */
	const char *unit;               /* "" not known */
	unsigned every;                 /* samples from one reading to the next */
	const char *statement;          /* "file=PATH gauge unit=W as POWER" */
};

/* file_read_is - does the word after `read` begin one? */
bool file_read_is(struct word);

/*
 * file_read_parse - what follows `read`.
 *
 * first  the word after it, which is off the line already
 * want   in: all but what it is; out: name, its family, and of_file
 *
 * Returns 0, or -EINVAL with "file:line: ..." in why; -ENOMEM.
 */
int file_read_parse(struct config *, struct scan *, struct word first,
    struct want *want, struct diag *why);

#endif
