/*
 * config/dump/mark_words.h - the words of a mark with a name.
 *
 *   words = word { " " word }
 *   word  = KEY [ "=" VALUE ]
 *   job   = "job=" ID " begin" { " " word } | "job=" ID " end"
 */
#ifndef CONFIG_DUMP_MARK_WORDS_H
#define CONFIG_DUMP_MARK_WORDS_H

#include "regs/diag.h"

#include <stdbool.h>
#include <stddef.h>

#define MARK_WORDS 255          /* bytes, at most */

/* mark_words_check - are these the words of a mark?  They go to terminals and
 * scripts: each byte is one of [A-Za-z0-9_.,:+@%/=-], and a single blank is
 * between two words.  0, or -EINVAL with words. */
int mark_words_check(const char *text, struct diag *why);

/* mark_words_value - what KEY is worth there, up to the next blank: its bytes in
 * *n, none where it stands alone; NULL: it is not there. */
const char *mark_words_value(const char *text, const char *key, size_t *n);

#endif
