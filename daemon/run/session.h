/*
 * daemon/run/session.h - one run: plan, program, sample, restore, dump.
 */
#ifndef DAEMON_RUN_SESSION_H
#define DAEMON_RUN_SESSION_H

#include "daemon/head/mark_notes.h"
#include "daemon/node/journal.h"
#include "daemon/node/node.h"
#include "daemon/read/sweep.h"
#include "daemon/rights/output.h"
#include "daemon/rights/writer.h"
#include "daemon/run/control.h"
#include "daemon/run/handover.h"
#include "daemon/run/notify.h"
#include "daemon/run/pause.h"
#include "daemon/run/pidfile.h"
#include "daemon/run/segments.h"
#include "regs/access.h"
#include "lib/diag.h"

#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct session {
	const struct options *o;
	struct node node;
	struct journal journal;         /* .fd -1: not taken */
	struct output output;
	int ready;                      /* pipe to the waiting parent; -1 */
	int dumped;                     /* pipe to the parent that prints a report; -1 */
	/* its own */
	struct store *store;
	struct store *first;            /* the store that root may have made */
	struct segments segments;
	uint64_t samples;               /* UINT64_MAX: until told to stop */
	uint64_t start_ns;              /* wall clock */
	char ending[128];               /* when there are as many */
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

#endif
