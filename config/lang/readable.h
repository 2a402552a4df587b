/*
 * config/lang/readable.h - what the `read` statement can name: registers that
 * count whatever is written, so that they need no programming.
 */
#ifndef CONFIG_LANG_READABLE_H
#define CONFIG_LANG_READABLE_H

#include "config/scan.h"
#include "config/lang/want.h"

/* readable_name - *name: the word, as the model or this file spells it, for as
 * long as the config lives.  0, -ENOMEM, or -EINVAL with what there is. */
int readable_name(struct config *, struct word, const char **name, struct place,
    struct diag *why);

/* readable_kind - the name of a kind of free-running counters: the box they are
 * of, and what they count: "iio_bytes", "iio_busy", "iio_clocks". */
const char *readable_kind(const struct freerun *, char *buf, size_t size);
/* readable_is - does the `read` word name this free-running counter?  It
 * names its kind: "iio_bytes", "iio_busy", "iio_clocks".  "all" is for the
 * caller to see to. */
bool readable_is(const char *name, const struct freerun *);
/* readable_port - the counters of one kind, stack and port by the name of their
 * family: "iio_PCIe2_port0_in_bytes"; that of the model's, or NULL. */
const struct freerun *readable_port(const struct model *, const char *name);

#endif
