/*
 * daemon/read/pinned.h - a thread on each lproc, which reads what is there.
 *
 * Every thread sleeps by itself to the same deadlines, on a timer of its own
 * lproc, reads its blocks into cells that nobody else writes, and says that it is
 * done; nobody is woken by anybody.  The thread that samples wakes a little
 * later and makes a row of what is there: one that is late leaves its cells
 * absent, and holds up nobody.  Orders are given two samples ahead, so that a
 * thread that is done knows when to go on.
 */
#ifndef DAEMON_READ_PINNED_H
#define DAEMON_READ_PINNED_H

#include "daemon/plan/plan.h"
#include "regs/diag.h"

struct pinned;

/* What sample n asks of the threads. */
struct order {
	uint64_t due_ns;        /* monotonic; 0: at once */
	uint64_t from_ns;       /* when the sample before was due; of turns
				 * between the two */
	uint64_t watch;         /* the last sample so far that looks at the
				 * controls; 0: none */
	unsigned active;        /* the event set that has its turn by then; with
				 * turns between samples a thread knows */
	unsigned next;          /* the set to turn to; 0: none */
};

/* What a sample came to, its cells aside. */
struct pinned_row {
	struct stamp begin;     /* when the first thread began */
	uint64_t end_ns;        /* when the last one was done, monotonic */
	uint64_t rotate_ns;     /* spent on turning so far, by all of them */
	uint64_t longest;       /* of all blocks: see sweep_pass */
	struct changed *changed;        /* controls, noted by the threads: */
	unsigned nchanged;      /* room for plan->nwrite of them */
	unsigned late;          /* threads that were not done */
};

/*
 * pinned_start - a thread for each lproc that has a block and may be visited;
 * the blocks of the others are read by these, from afar.
 *
 * They inherit class, rights and filter of the caller, block all signals, and
 * wait for orders.  -ENOTSUP where the machine knows one thread alone.
 */
int pinned_start(struct pinned **, struct plan *, struct access *,
    struct diag *why);

/* pinned_order - of sample n, which follows on the last one that was ordered;
 * n - 2 has been taken. */
void pinned_order(struct pinned *, uint64_t n, const struct order *);

/* pinned_hasten - sample n, which was ordered for later, now; the controls are
 * to be looked at where watch is set.  False: it may have begun by itself, and
 * comes as it was ordered. */
bool pinned_hasten(struct pinned *, uint64_t n, bool watch);

/*
 * pinned_take - wait for the threads, and make a row of what they read.
 *
 * until_ns  monotonic: who is not done by then is late
 *
 * The clocks and costs of the row (the cells before CELL_READS) are left to the
 * caller.
 */
void pinned_take(struct pinned *, uint64_t n, uint64_t until_ns, uint64_t *row,
    struct pinned_row *);

/* pinned_doubt - of the sample that was taken last: rotate_doubt of each block
 * that has been read. */
void pinned_doubt(const struct pinned *, uint64_t n, unsigned active,
    uint64_t elapsed, uint64_t *row);

/* pinned_due - when sample n is due, as it was ordered. */
uint64_t pinned_due(const struct pinned *, uint64_t n);

/* pinned_unhurried - to the ordinary class, as rights_unhurried. */
void pinned_unhurried(struct pinned *);

/* pinned_stop - let them end; NULL accepted.  What the plan has counted by then
 * stays in it. */
void pinned_stop(struct pinned *);
/* pinned_free - NULL accepted. */
void pinned_free(struct pinned *);

/* pinned_threads - how many; pinned_switches - how often one of them went to
 * sleep by itself, and how often it was made to, known once it has ended. */
unsigned pinned_threads(const struct pinned *);
void pinned_switches(const struct pinned *, unsigned thread, unsigned *lproc,
    uint64_t *slept, uint64_t *preempted);

#endif
