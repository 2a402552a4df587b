/*
 * daemon/run/session.h - one run: plan, program, sample, restore, dump.
 */
#ifndef DAEMON_RUN_SESSION_H
#define DAEMON_RUN_SESSION_H

#include "config/dump/store.h"
#include "daemon/node/journal.h"
#include "daemon/node/node.h"
#include "daemon/node/writer.h"
#include "daemon/read/sweep.h"
#include "daemon/run/control.h"
#include "daemon/run/handover.h"
#include "daemon/run/mark_notes.h"
#include "daemon/run/notify.h"
#include "daemon/run/output.h"
#include "daemon/run/pidfile.h"
#include "daemon/run/sampler.h"
#include "daemon/run/segments.h"
#include "lib/diag.h"
#include "regs/access.h"

#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/*
 * Gives the counters to others for a while: registers are put back, no samples are
 * taken, and the dump names the gap.
 */

struct pause {
	bool on;
	bool told;              /* it has been said why it cannot end */
	bool left;              /* lprocs that were offline are left out */
	uint64_t from_ns;       /* wall clock */
	uint64_t end_ns;        /* monotonic; 0: until pause_end */
	unsigned n;             /* gaps in this store */
};

/* What pausing needs of a session. */
struct pause_of {
	struct pause *pause;
	struct node *node;
	struct writer *writer;
	struct sweep *sweep;
	struct store *store;
	bool force;
};

/*
 * pause_begin - puts the registers back; no more samples are taken.
 *
 * seconds  until it ends by itself; 0: pause_end ends it
 *
 * 0, or -errno with words: -EALREADY, or -ENOTSUP where the kernel counts or
 * threads read.  -EIO: a register could not be put back; all are programmed again,
 * and sampling goes on.
 */
int pause_begin(const struct pause_of *, double seconds, struct diag *why);

/* pause_give - the same for another sampler that takes over; also where threads read and
 * where the kernel counts.  0, or -errno with words. */
int pause_give(const struct pause_of *, struct diag *why);

/* pause_end - programs anew, and notes the gap in the store.  0, or -errno with words, and
 * the pause goes on: -EBUSY: somebody else counts now. */
int pause_end(const struct pause_of *, struct diag *why);

struct session {
	const struct options *o;
	struct node node;
	struct journal journal;         /* .fd -1: not taken */
	struct output output;
	int ready;                      /* pipe to the waiting parent; -1 */
	int dumped;                     /* pipe to the parent that prints a report; -1 */
	/* private */
	struct store *store;
	struct store *first;            /* the store that root may have made */
	struct segments segments;
	uint64_t samples;               /* UINT64_MAX: until told to stop */
	uint64_t start_ns;              /* wall clock */
	char ending[128];               /* in words: when all samples are taken */
	struct notify notify;
	struct sweep sweep;
	struct file_readers *files;            /* NULL: none are read */
	const char *schedule;
	double dram_max[MAX_PKG];       /* bytes/s by NUMA node */
	struct pidfile pidfile;         /* .fd -1: not written */
	struct writer writer;           /* who may write registers */
	struct control control;         /* .fd -1: nobody can ask us */
	struct mark_notes marks;
	struct pause pause;
	struct handover handover;       /* .fd 0: nobody to hand over to */
	pid_t dumper;                   /* the last child that wrote a dump */
	cpu_set_t lprocs[MAX_LPROCS / CPU_SETSIZE];     /* where we may run */
};

/* session_journal - takes the journal and its lock, which keep two daemons from the same
 * registers; may be called again.  A simulated machine has no journal unless one is
 * named.  0, or -errno with words. */
int session_journal(struct session *, struct diag *why);

/* session_restore - --restore: puts back what a daemon that died has left changed.  Returns
 * the exit status, and has said why. */
int session_restore(struct session *);

/*
 * session_run - program the planned node, sample until told to stop, restore,
 * dump.  Everything that can be in the way is found before the first register is
 * written.
 *
 * Returns the exit status, and has said why.
 */
int session_run(struct session *);

/* session_fini - half-built accepted. */
void session_fini(struct session *);

/* session_pause_of - what pausing needs, as it is now. */
struct pause_of session_pause_of(struct session *);

/* session_held - sampler.held of a session (ctx): is there a pause? */
bool session_held(void *ctx);

/* session_prepare - refuses if somebody else counts; chooses how to read; makes the journal
 * and the store.  0, or -errno with words. */
int session_prepare(struct session *, struct diag *why);

/* commands_answer - control.answer of a session (ctx). */
int commands_answer(void *ctx, const char *line, char *lines,
    struct diag *why);

/*
 * ending_text - "10000 samples of 1 s: stops by itself in 2 h 46 min, at 11:32".
 *
 * interval  seconds
 * now       0: virtual time, so that the end cannot be told
 *
 * The moment is of the local time zone, with the date where it is not today's.
 * Returns buf.
 */
const char *ending_text(char *buf, size_t size, uint64_t samples,
    double interval, time_t now);

/*
 * Sampling for as long as a process lives: a program that is started (tallyd -- ./app),
 * or one that runs (--pid).
 *
 * The sampler is a child, in a process group of its own, so that ^C ends the
 * program and not the samples of its end; the parent waits for the process, and
 * has the sampler end then.
 */

/* launch_wanted - does this run end with a process? */
bool launch_wanted(const struct options *);

/*
 * launch_fork - returns -1 in the child, which is to sample; in the parent, when
 * all is over, the exit status: the program's, 128 + n where signal n ended it,
 * 127 where it was not found, 126 where it could not be run; of --pid 0.
 *
 * The program is run as the user behind sudo, with his groups and HOME.
 */
int launch_fork(struct session *);

/* launch_begun, launch_ended - called in the child: set the marks at the first and the
 * last sample of the program.  launch_dumped - tells the parent where the dump is. */
void launch_begun(struct session *);
void launch_ended(struct session *);
void launch_dumped(struct session *, const char *path);

#endif
