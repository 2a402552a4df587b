/*
 * daemon/read/pinned.h - a thread on each lproc, which reads what is there.
 *
 * Each thread sleeps to the same deadlines on a timer of its own lproc, reads its blocks
 * into cells that no other thread writes, and marks the sample as done; no thread wakes
 * another.  The thread that samples wakes a little later and makes a row of what is there:
 * the cells of a thread that is late are absent, and nothing waits for it.  Orders are
 * given two samples ahead, so that a thread that is done knows when to go on.
 */
#ifndef DAEMON_READ_PINNED_H
#define DAEMON_READ_PINNED_H

#include "daemon/plan/plan.h"
#include "daemon/read/sweep.h"
#include "lib/diag.h"
#include "regs/access.h"
#include "regs/host.h"

#include <pthread.h>
#include <sys/types.h>

struct pinned;

/* What sample n asks of the threads. */
struct order {
	uint64_t due_ns;        /* monotonic; 0: at once */
	uint64_t from_ns;       /* when the sample before was due; 0: not known */
	uint64_t watch;         /* the last sample so far that looks at the
				 * controls; 0: none */
	unsigned active;        /* the event set whose turn it is then; not used with turns
				 * between samples: see pinned_thread.set */
	unsigned next;          /* the set to turn to; 0: none */
};

/* The results of a sample beside its cells. */
struct pinned_row {
	struct stamp begin;     /* when the first thread began */
	uint64_t end_ns;        /* when the last one was done, monotonic */
	uint64_t rotate_ns;     /* spent on turning so far, by all of them */
	uint64_t longest;       /* of all blocks: see sweep_pass */
	struct changed *changed;        /* controls that threads found changed: */
	unsigned nchanged;      /* room for plan->nwrite of them */
	unsigned late;          /* threads that were not done */
};

/*
 * pinned_start - starts a thread for each lproc that has a block and may be visited; these
 * read the blocks of other lprocs from afar.
 *
 * They inherit class, rights and filter of the caller, block all signals, and
 * wait for orders.  -ENOTSUP: the method of access allows one thread alone.
 */
int pinned_start(struct pinned **, struct plan *, struct access *,
    struct diag *why);

/* pinned_order - orders sample n, the one after the last that was ordered; n - 2 has been
 * taken. */
void pinned_order(struct pinned *, uint64_t n, const struct order *);

/* pinned_hasten - has sample n, which was ordered for later, taken now, with a check of
 * the controls if watch is set.  False: a thread may have begun it; it is taken as
 * ordered. */
bool pinned_hasten(struct pinned *, uint64_t n, bool watch);

/*
 * pinned_take - waits for the threads, and makes a row of what they have read.
 *
 * until_ns  monotonic: a thread that is not done by then is late
 *
 * The clocks and costs of the row (the cells before CELL_READS) are left to the
 * caller.
 */
void pinned_take(struct pinned *, uint64_t n, uint64_t until_ns, uint64_t *row,
    struct pinned_row *);

/* pinned_doubt - rotate_doubt of each block that was read in the last sample. */
void pinned_doubt(const struct pinned *, uint64_t n, unsigned active,
    uint64_t elapsed, uint64_t *row);

/* pinned_due - when sample n is due, as it was ordered. */
uint64_t pinned_due(const struct pinned *, uint64_t n);

/* pinned_unhurried - moves the threads to the ordinary scheduling class, as
 * rights_unhurried. */
void pinned_unhurried(struct pinned *);

/* pinned_stop - ends the threads; NULL accepted.  The plan keeps what it has counted. */
void pinned_stop(struct pinned *);
/* pinned_free - NULL accepted. */
void pinned_free(struct pinned *);

/* pinned_threads - how many there are; pinned_switches - the context switches of one of
 * them, voluntary and forced, known once it has ended. */
unsigned pinned_threads(const struct pinned *);
void pinned_switches(const struct pinned *, unsigned thread, unsigned *lproc,
    uint64_t *slept, uint64_t *preempted);

/*
 * What the threads share with the thread that samples.
 *
 * pinned_thread.c   a thread: sleeps, reads, marks the sample as done
 * pinned.c          starts them, gives orders, makes rows
 */

/* An order, which threads may read while it is written: it is whole if n is the same
 * before and after.  There are two, for even and odd samples. */
struct order_slot {
	atomic_uint_fast64_t n;         /* NO_SAMPLE: it is being written */
	atomic_uint_fast64_t due_ns, from_ns, watch;
	atomic_uint active, next;
};
#define NO_SAMPLE UINT64_MAX

/* What a thread found in a sample of either slot. */
struct thread_found {
	struct stamp begin;
	uint64_t end_ns;
	uint64_t longest;               /* of its blocks: see sweep_pass */
	struct changed *changed;        /* [2 * ncontrol], those carried over first */
	unsigned nchanged;
	unsigned carried;               /* how many of these the last sample found; the
					 * sampler may have taken them by now */
};

struct pinned_thread {
	_Alignas(64) struct pinned *p;
	unsigned index, lproc;
	pthread_t id;
	unsigned *block, nblock;        /* into plan->block */
	unsigned set;                   /* the event set that its blocks count */
	unsigned turn;                  /* the last turn made since its last sample */
	uint64_t watched;               /* the last sample in which it checked controls */
	bool msr;                       /* its blocks have MSRs, which answer only while
					 * its lproc is online */
	unsigned ncontrol;              /* controls that it checks */
	struct thread_found found[2];
	atomic_uint_fast64_t rotate_ns;
	/* shared with the sampler */
	_Alignas(64) atomic_uint word;  /* changed to wake it */
	atomic_uint_fast64_t done;      /* samples up to this one; 0: none */
	atomic_uint_fast64_t taken;     /* findings up to this sample have been taken */
	atomic_bool idle;               /* it waits for an order */
	atomic_bool gone;               /* its lproc is offline: it waits for that */
	atomic_int tid;
	uint64_t slept, preempted;      /* context switches, set when it ends */
};

struct pinned {
	struct plan *plan;
	struct access *acc;
	const struct thread_ops *ops;
	bool opened;
	unsigned n, started;
	struct pinned_thread *thread;
	uint64_t *cell[2];              /* of the two samples */
	struct turn_span *counted[2];     /* [plan->nblock] */
	struct order_slot slot[2];
	atomic_uint_fast64_t next;      /* the sample that is to be taken */
	atomic_bool quit;
	pthread_mutex_t lock;           /* of ready */
	pthread_cond_t entered;
	unsigned ready;
};

/* pinned_main - the main function of a thread; its argument is a struct pinned_thread. */
void *pinned_main(void *);

/*
 * pinned_read - reads the blocks of a thread for sample n.
 *
 * now    in: the time, at which the sample begins; out: when it ended
 * visit  in that thread; false: in its place, while it waits for its lproc
 *
 * Returns false if nothing answered.
 */
bool pinned_read(struct pinned_thread *, uint64_t n, const struct order *,
    struct stamp *now, bool visit);

#endif
