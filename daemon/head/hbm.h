/*
 * daemon/head/hbm.h - how a node uses its HBM: flat, cache or only.
 */
#ifndef DAEMON_HEAD_HBM_H
#define DAEMON_HEAD_HBM_H

#include "config/dump/head_put.h"
#include "topology/inventory.h"

/* hbm_put - hbm_mode, and hbm_cache where that is known; nothing of a node that has
 * no HBM.  Only reads. */
void hbm_put(struct head *, const struct topo *, const struct inventory *,
    struct access *);

#endif
