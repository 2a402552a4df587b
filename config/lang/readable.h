/*
 * config/lang/readable.h - the names that a `read` statement can have: registers that
 * always count and need no programming.
 */
#ifndef CONFIG_LANG_READABLE_H
#define CONFIG_LANG_READABLE_H

#include "config/scan.h"
#include "config/lang/want.h"

/* readable_name - check a word after `read`.  name: out, the word in the spelling of the
 * model, valid as long as the config.  0, -ENOMEM, or -EINVAL with a message that lists
 * the valid names. */
int readable_name(struct config *, struct word, const char **name, struct place,
    struct diag *why);

/* readable_kind - the name of a kind of free-running counters, made of their box and what
 * they count: "iio_bytes", "iio_busy", "iio_clocks". */
const char *readable_kind(const struct freerun *, char *buf, size_t size);
/* readable_is - is this word after `read` the kind of this free-running counter?  The
 * caller handles "all". */
bool readable_is(const char *name, const struct freerun *);
/* readable_port - the model's free-running counter with a family for each stack and port,
 * by the name of such a family: "iio_PCIe2_port0_in_bytes"; or NULL. */
const struct freerun *readable_port(const struct model *, const char *name);

#endif
