/*
 * daemon/read/pinned_int.h - what the threads share with the thread that samples.
 *
 * pinned_thread.c   a thread: sleeps, reads, marks the sample as done
 * pinned.c          starts them, gives orders, makes rows
 */
#ifndef DAEMON_READ_PINNED_INT_H
#define DAEMON_READ_PINNED_INT_H

#include "daemon/read/block.h"
#include "daemon/read/pinned.h"
#include "regs/access.h"
#include "regs/host.h"

#include <pthread.h>
#include <sys/types.h>

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
	struct changed *changed;        /* [2 * ncontrol]: the last one's, too */
	unsigned nchanged;
	unsigned carried;               /* of these, which may have been told
					 * by now */
};

struct pinned_thread {
	_Alignas(64) struct pinned *p;
	unsigned index, lproc;
	pthread_t id;
	unsigned *block, nblock;        /* into plan->block */
	unsigned set;                   /* the event set that its blocks count */
	unsigned turn;                  /* the last one since its last sample */
	uint64_t watched;               /* the last sample that looked */
	bool msr;                       /* which tell whether its lproc is there */
	unsigned ncontrol;              /* controls that it looks at */
	struct thread_found found[2];
	atomic_uint_fast64_t rotate_ns;
	/* what both sides look at */
	_Alignas(64) atomic_uint word;  /* changed to wake it */
	atomic_uint_fast64_t done;      /* samples up to this one; 0: none */
	atomic_uint_fast64_t taken;     /* findings up to this sample have been taken */
	atomic_bool idle;               /* it waits for an order */
	atomic_bool gone;               /* its lproc is offline: it waits for that */
	atomic_int tid;
	uint64_t slept, preempted;      /* once it has ended */
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
