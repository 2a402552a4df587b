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
#include "daemon/plan/plan.h"

/* soc_unit - the SoC of a node; NULL: it has none. */
struct unit *soc_unit(const struct node *);

/* soc_wanted - does the configuration ask for counters of a SoC that is there? */
bool soc_wanted(const struct node *);

/*
 * soc_test - do the counters start and stop on command?
 *
 * force   although one is running: somebody else counts with them, or died
 *
 * Called at the start of a run, before the plan, with the journal's lock: it writes to
 * counter 0.  If they do not, or the CPU has none, the SoC becomes absent with the reason,
 * and planning says what is not counted.
 */
void soc_test(struct node *, bool force);

/* soc_interval - refuse an interval in which a counter could wrap twice. */
int soc_interval(const struct plan *, double seconds, struct diag *why);

/* soc_start - starts the group of the active set, from 0.  0 or -errno. */
int soc_start(struct plan *, struct access *, struct diag *why);
/* soc_latch - copies the counts of the active set to the registers that are read; called
 * before a package's registers are read.  Does nothing without a group. */
void soc_latch(const struct plan *, unsigned active, struct access *);
/* soc_next - gives the counters to the group of another set; the caller has latched and
 * read the last one's.  Returns how many lists of writes failed. */
unsigned soc_next(const struct plan *, unsigned set, struct access *);
/* soc_names - is it a register of the message bus that the plan has? */
bool soc_names(const struct plan *, const struct reg_addr *);
/* soc_stop - stops the counters, and puts the muxes back where they could be read; 0 or
 * -errno.  The counts are lost. */
int soc_stop(struct plan *, struct access *);

/* soc_preamble - puts the groups, their programming and its origin into the head. */
void soc_preamble(struct head *, const struct plan *, const struct config *);

#endif
