/*
 * daemon/node/soc.h - the counters behind a SoC's message bus, while we sample:
 * programmed, latched, given to the next event set, left at rest.
 *
 * They are no plan_writes: a group is a list of writes whose order matters,
 * with commands among them that have no value to go back to.
 */
#ifndef DAEMON_NODE_SOC_H
#define DAEMON_NODE_SOC_H

#include "daemon/node/node.h"
#include "daemon/plan/plan_soc.h"

/* soc_unit - the SoC of a node; NULL: it has none. */
struct unit *soc_unit(const struct node *);

/* soc_wanted - is there a SoC whose counters we are to program? */
bool soc_wanted(const struct node *);

/*
 * soc_test - do the counters start and stop on command?
 *
 * force   although one is running: somebody else counts with them, or died
 *
 * For the start of a run, before the plan, with the journal's lock: it writes to
 * counter 0.  Where they do not, or the CPU has none, the SoC becomes absent with the reason, and
 * the plan says what follows from that.
 */
void soc_test(struct node *, bool force);

/* soc_interval - refuse an interval in which a counter could wrap twice. */
int soc_interval(const struct plan *, double seconds, struct diag *why);

/* soc_start - the group of the active set, from 0.  0 or -errno. */
int soc_start(struct plan *, struct access *, struct diag *why);
/* soc_latch - before a package's registers are read: the counts of the active
 * set into the registers that are read.  Nothing to do where no group is. */
void soc_latch(const struct plan *, unsigned active, struct access *);
/* soc_next - the counters to the group of another set; latch and read the last
 * one's before.  Returns how many lists failed. */
unsigned soc_next(const struct plan *, unsigned set, struct access *);
/* soc_names - is it a register of the message bus that the plan has? */
bool soc_names(const struct plan *, const struct reg_addr *);
/* soc_stop - at rest, muxes as found where that is known; 0 or -errno.  The
 * counts are lost. */
int soc_stop(struct plan *, struct access *);

/* soc_preamble - groups, programming and where it comes from. */
void soc_preamble(struct head *, const struct plan *, const struct config *);

#endif
