/*
 * daemon/no_option.h - words of the command line that are no option of tallyd's.
 */
#ifndef DAEMON_NO_OPTION_H
#define DAEMON_NO_OPTION_H

#include <getopt.h>

#include "lib/diag.h"

/* option_long - the long option of that name; one without a name: there is none. */
const struct option *option_long(const struct option *longs, const char *name);

/* All but no_option_dash return -EINVAL with what was probably meant in why.
 *
 * no_option       what getopt_long just took for none
 * no_option_long  a whole word, "--intervall"
 * no_option_word  a word where no option is
 * no_option_dash  was an option's whole word given one dash, which makes letters
 *                 of it?  Then why says so. */
int no_option(char **argv, const struct option *longs, struct diag *why);
int no_option_long(const char *word, const struct option *longs,
    struct diag *why);
int no_option_word(const char *word, const struct option *longs,
    struct diag *why);
void no_option_dash(char **argv, const struct option *longs, struct diag *why);

#endif
