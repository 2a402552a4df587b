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

/* mark_words_check - check the text of a mark.  As it is shown on terminals and in
 * scripts, each byte has to be one of [A-Za-z0-9_.,:+@%/=-], with a single blank
 * between words.  Returns 0, or -EINVAL with the reason in why. */
int mark_words_check(const char *text, struct diag *why);

/* mark_words_value - the value of the word KEY=VALUE in text, not terminated: its
 * length in *n, 0 for a KEY without value.  Returns NULL if there is no KEY. */
const char *mark_words_value(const char *text, const char *key, size_t *n);

#endif
