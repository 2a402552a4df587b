/*
 * config/lang/no_box.h - a statement that begins with no word of the language.
 */
#ifndef CONFIG_LANG_NO_BOX_H
#define CONFIG_LANG_NO_BOX_H

#include "config/scan.h"
#include "regs/model.h"

/* no_box - -EINVAL, with what was probably meant in why.  scan: behind the word
 * `name`, which is a box or looks as if it was. */
int no_box(const struct model *, const struct scan *, struct word name,
    struct diag *why);

#endif
