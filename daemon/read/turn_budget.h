/*
 * daemon/read/turn_budget.h - how many turns event sets have in a sample, given what a
 * turn takes.
 *
 * Without --turn they have as many as possible, none shorter than TURN_LEAST_NS, that take
 * no more than TURN_SHARE of the time of any lproc.  If not even one round fits, each turn
 * is a sample.
 */
#ifndef DAEMON_READ_TURN_BUDGET_H
#define DAEMON_READ_TURN_BUDGET_H

#include "daemon/node/node.h"
#include "daemon/read/sweep.h"

#define TURN_SHARE 0.001

/* turn_measure - measures a turn by reading: the registers that it reads, and once each
 * control that it would write.  Writes nothing.  sweep: how the plan is read. */
void turn_measure(const struct sweep *, const struct plan *, struct access *,
    struct turn_cost *);

/*
 * turn_fit - as many of plan->turns as fit, in whole rounds; 0: not one round.
 *
 * max_overhead  percent of one CPU that the daemon may take: half of it is for
 *               turns; 0: any
 */
unsigned turn_fit(const struct plan *, const struct turn_cost *,
    uint64_t interval_ns, double max_overhead);

/*
 * turn_choose - chooses how the node's plan is read (sweep_choose), measures a turn, and
 * sets how many there are.  Without --turn these may be fewer than planned; the plan may
 * then be made anew, with no register saved.  A simulated node is not measured.
 *
 * 0, or -errno with words.
 */
int turn_choose(struct sweep *, struct node *, const struct options *,
    struct diag *why);

/* turn_words - writes "7 take 98 turns in each sample, ..." into buf; if each turn is a
 * sample, also why. */
const char *turn_words(const struct node *, const struct options *,
    const struct turn_cost *, char *buf, size_t size);

#endif
