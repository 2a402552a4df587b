/*
 * daemon/read/turn_budget.h - how many turns event sets have in a sample, for what a
 * turn takes.
 *
 * Without --turn they have as many as are no shorter than TURN_LEAST_NS, and as take no
 * more than TURN_SHARE of the time of any lproc; where a round of these is too many, a
 * set's turn is a sample.
 */
#ifndef DAEMON_READ_TURN_BUDGET_H
#define DAEMON_READ_TURN_BUDGET_H

#include "daemon/node/node.h"
#include "daemon/read/sweep.h"

#define TURN_SHARE 0.001

/* turn_measure - by what it reads, and for each control that it may write a reading of
 * that: nothing is written.  sweep: how the plan is read. */
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
 * turn_choose - how the node's plan is read (sweep_choose), what a turn takes of that, and
 * how many there are: fewer than planned, where nobody asked for these; then the plan may
 * be another one, of which no register was saved.  Simulated registers take nothing.
 *
 * 0, or -errno with words.
 */
int turn_choose(struct sweep *, struct node *, const struct options *,
    struct diag *why);

/* turn_words - "7 take 98 turns in each sample, ...", into buf; where a set's turn is a
 * sample also why. */
const char *turn_words(const struct node *, const struct options *,
    const struct turn_cost *, char *buf, size_t size);

#endif
