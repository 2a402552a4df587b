/*
 * config/reads.h - what the `read` statement can name: registers that count
 * whatever is written, so that they need no programming.
 */
#ifndef CONFIG_READS_H
#define CONFIG_READS_H

#include "config/events.h"
#include "config/scan.h"

/* read_name - *name: the word, as the model or this file spells it, for as
 * long as the config lives.  0, -ENOMEM, or -EINVAL with what there is. */
int read_name(struct config *, struct word, const char **name, struct place,
    struct diag *why);

#endif
