/*
 * daemon/run/sampler.h - the loop.
 */
#ifndef DAEMON_RUN_SAMPLER_H
#define DAEMON_RUN_SAMPLER_H

#include "config/dump/store.h"
#include "daemon/read/sweep.h"
#include "daemon/run/ahead.h"
#include "daemon/run/control.h"
#include "daemon/run/notify.h"
#include "daemon/run/row_note.h"

#include <signal.h>

struct sampler {
	struct plan *plan;
	struct access *acc;
	struct sweep *sweep;
	struct file_readers *files;            /* NULL: none are read */
	struct row_notes file_notes, stopped_notes;
	struct store *store;
	struct notify *notify;          /* who waits for a sign; or NULL */
	uint64_t interval_ns;
	uint64_t samples;               /* stop after so many */
	unsigned watch_every;           /* samples between tamper checks; 0: no */
	unsigned rotate_every;          /* samples between turns of event sets */
	double max_overhead;            /* percent of one CPU; 0: any */
	void (*first_row)(void *ctx);   /* called once, when row 0 is in */
	bool (*dump_now)(void *ctx);    /* SIGUSR1; false: not now, ask again */
	/* NULL: never; before a row: shall it be the last one of its store?
	 * After it: the store to go on with, which has it, too; NULL: this */
	bool (*segment_due)(void *ctx, uint64_t rows);
	struct store *(*segment_next)(void *ctx);
	bool (*held)(void *ctx);        /* no sample is to be taken now */
	bool (*hurry)(void *ctx);       /* one is, whenever it was due */
	void *ctx;
	struct control *control;        /* NULL: nobody can ask */
	bool foreground;                /* SIGCONT after a stop goes on */
	/* its own */
	uint64_t before;                /* samples that are in earlier stores */
	bool unhurried;                 /* out of the real-time class by now */
	bool last_row, seam;            /* of all, of its store: this one is */
	bool resumed;                   /* a SIGCONT is on its way that did */
	bool was_held;                  /* the next one is due at once */
	bool hurried;                   /* this one was not due yet */
	uint64_t woke_ns, longest_ns;   /* awake since; at most, so far */
	uint64_t multiple;              /* of the interval, see max_overhead */
	uint64_t last_check;            /* the row of the last good tamper check */
	unsigned ntamper;
	struct ahead ahead;             /* where threads take samples */
	int failed;                     /* -errno: why it ended early, told */
};

/* sampler_signals - block the daemon's signals and set its handlers, which
 * set a flag and nothing else; call before anything else can be interrupted. */
void sampler_signals(void);

/* sampler_hold - before that: signals that mean something while sampling, and
 * would be lost or deadly while it is being prepared, wait. */
void sampler_hold(void);

/*
 * sampler_run - sample until told to stop or the store is full.
 *
 * Deadlines are multiples of the interval on the wall clock, so that all
 * nodes of a cluster disturb their job at the same instant, and are slept to
 * on the monotonic clock.  Returns the signal that ended it, 0 when full or
 * when it cannot go on, which has been said.
 */
int sampler_run(struct sampler *);

/* tamper_note - after a row that was watched: a note of each change that was
 * found, with the columns that it makes doubtful, and since when. */
void tamper_note(struct sampler *, uint64_t row);

/* tamper_again - in a store that begins: of what is changed still. */
void tamper_again(struct sampler *);

/* Over how many samples --max-overhead looks. */
#define OVERHEAD_SAMPLES 10

/* overhead_limit - were those up to sample n more costly than allowed?  Then the
 * interval is a whole multiple of itself from here on, which is noted and said. */
void overhead_limit(struct sampler *, uint64_t n);

/*
 * disturbance_note - CPU time of all threads and of the process that writes, and
 * how often the threads went to sleep and were made to, by lproc where each has
 * its own.  For the end, once they have ended.
 *
 * writer_ns   CPU time of that process; 0: there was none
 */
void disturbance_note(struct store *, const struct sweep *,
    uint64_t writer_ns);

#endif
