/*
 * config/lang/no_box.h - a statement that begins with no word of the language.
 */
#ifndef CONFIG_LANG_NO_BOX_H
#define CONFIG_LANG_NO_BOX_H

#include "config/lang/want.h"
#include "config/scan.h"

/* no_box - -EINVAL, with what was probably meant in why; sets cfg->lacks.  scan: behind the word
 * `name`, which is a box or looks as if it was. */
int no_box(struct config *, const struct scan *, struct word name,
    struct diag *why);

#endif
