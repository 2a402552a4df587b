/*
 * daemon/head/head_columns.h - what the head of a dump says of the plan's columns.
 */
#ifndef DAEMON_HEAD_HEAD_COLUMNS_H
#define DAEMON_HEAD_HEAD_COLUMNS_H

#include "config/dump/head_put.h"
#include "daemon/plan/plan.h"

/* head_families - width, unit and multiplier of each family. */
void head_families(struct head *, const struct plan *);
/* head_classes - what an event counts, where that is not what its family does:
 * event_class["imc_counts"]["CAS_COUNT.READS"] = "cas". */
void head_classes(struct head *, const struct plan *);
/* head_controls - the control value of every counter, under the counter's own
 * indices: imc_counts_control[0][3]["CAS_COUNT.READS"] = 0x00400304. */
void head_controls(struct head *, const struct plan *);
/* head_sets - the sets, and which of them an event takes turns in:
 * event_set["core_counts"]["X"] = "a". */
void head_sets(struct head *, const struct plan *);

#endif
