/*
 * daemon/head/provenance.h - the system that a dump is from, for its head:
 * kernel, microcode, what else touches counters and clocks, and how good the
 * time is.
 */
#ifndef DAEMON_HEAD_PROVENANCE_H
#define DAEMON_HEAD_PROVENANCE_H

#include "config/dump/head_put.h"
#include "daemon/plan/plan.h"
#include "topology/topo.h"

/* provenance_put - all lines of it.  What the node does not tell has none.  Of
 * a plan that was saved (program_save): whose counters it takes. */
void provenance_put(struct head *, const struct plan *, const struct topo *,
    struct access *);

#endif
