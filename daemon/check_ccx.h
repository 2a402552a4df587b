/*
 * daemon/check_ccx.h - AMD's core complexes, for --check.
 */
#ifndef DAEMON_CHECK_CCX_H
#define DAEMON_CHECK_CCX_H

#include "topology/topo.h"

/* check_complexes - a line a package: which lprocs share an L3, and on which die
 * (CCD) they are; nothing where there are no complexes. */
void check_complexes(const struct topo *);

#endif
