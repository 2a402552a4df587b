/*
 * config/encode.h - set named fields (event, umask, filters) in the control value of a
 * box type, and check the result.
 */
#ifndef CONFIG_ENCODE_H
#define CONFIG_ENCODE_H

#include "config/scan.h"
#include "regs/model.h"

/* All int functions return 0 or -EINVAL with "file:line: ..." in why. */

/* encode_field - set a field of *ctl to value. */
int encode_field(const struct box_type *, struct word field, uint64_t value,
    uint64_t *ctl, struct place, struct diag *why);
/* encode_alone - refuse an event that counts nothing by itself: the helper in
 * the second counter of a pair. */
int encode_alone(const struct box_type *, uint64_t ctl, struct place,
    struct diag *why);
/* encode_check - does the control value set only bits that the type has? */
int encode_check(const struct box_type *, uint64_t ctl, struct place,
    struct diag *why);
/* encode_filter - is this value of the filter valid together with control value
 * ctl?  ctl 0: with any control value. */
int encode_filter(const struct box_type *, unsigned filter, uint64_t value,
    uint64_t ctl, struct place, struct diag *why);
/* encode_both_rings - the USR and OS bits of a core's control value; 0 for a
 * box type that has no such bits. */
uint64_t encode_both_rings(const struct box_type *);

/* filter_named - index of a filter of the type, or -1. */
int filter_named(const struct box_type *, struct word name);
/* box_named - model_box for a struct word. */
const struct box_type *box_named(const struct model *, struct word name);

#endif
