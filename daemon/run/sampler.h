/*
 * daemon/run/sampler.h - the loop that samples.
 */
#ifndef DAEMON_RUN_SAMPLER_H
#define DAEMON_RUN_SAMPLER_H

#include "config/dump/store.h"
#include "daemon/plan/plan.h"
#include "daemon/read/files.h"
#include "daemon/read/sweep.h"
#include "daemon/run/control.h"
#include "daemon/run/notify.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * What the head says of columns that are absent from a row: files that hold no numbers,
 * counters that had stopped at their end.
 */

/* The notes of one kind that the store has so far. */
struct row_notes {
	const struct store *store;      /* that the last note went to */
	unsigned n;                     /* in it */
	unsigned warned;                /* lines in the log */
};

/* row_note_files - called after files_take of row n: notes each file that held no number,
 * once for each kind of problem and store, and logs some. */
void row_note_files(struct row_notes *, struct file_readers *, struct store *,
    uint64_t n);

/* row_note_stopped - called after row n was taken: notes each counter that was found
 * stopped. */
void row_note_stopped(struct row_notes *, struct plan *, struct store *, uint64_t n);

/* row_note_turns - called after row n was taken: notes each set that has turns within the
 * row which count for nobody, and how many: where somebody else had a counter, or where
 * more than half were late.  Up to ROW_NOTED_TURNS notes in a store. */
#define ROW_NOTED_TURNS 64
void row_note_turns(struct row_notes *, struct plan *, struct store *, uint64_t n);

/* Samples that pinned threads take, ordered ahead of time. */

struct sampler;

struct ahead {
	uint64_t watch;         /* the last sample ordered that looks at the
				 * controls */
	unsigned active;        /* the event set after the last one ordered */
	unsigned next[2];       /* sets that samples n and n + 1 turn to */
	uint64_t grace_ns;      /* a row is made so long after its deadline */
	uint64_t late;          /* threads that were late, over all samples */
};

struct sampler {
	struct plan *plan;
	struct access *acc;
	struct sweep *sweep;
	struct file_readers *files;            /* NULL: there are none */
	struct row_notes file_notes, stopped_notes, turn_notes;
	struct store *store;
	struct notify *notify;          /* the service manager; or NULL */
	uint64_t interval_ns;
	uint64_t samples;               /* stop after so many */
	unsigned watch_every;           /* samples between tamper checks; 0: no */
	unsigned rotate_every;          /* samples between turns of event sets */
	double max_overhead;            /* percent of one CPU; 0: any */
	void (*first_row)(void *ctx);   /* called once, when row 0 is in */
	bool (*dump_now)(void *ctx);    /* SIGUSR1; false: not now, ask again */
	/* segment_due: called before a row: shall it be the last one of its store?  NULL:
	 * never.  segment_next: called after that row: the store to go on with, which has
	 * the row, too; NULL: the same store */
	bool (*segment_due)(void *ctx, uint64_t rows);
	struct store *(*segment_next)(void *ctx);
	bool (*held)(void *ctx);        /* no sample is to be taken now */
	bool (*hurry)(void *ctx);       /* a sample is to be taken now, before its deadline */
	void *ctx;
	struct control *control;        /* NULL: nobody can ask */
	bool foreground;                /* SIGCONT after a stop goes on */
	/* private */
	uint64_t before;                /* samples that are in earlier stores */
	bool unhurried;                 /* it has left the real-time class */
	bool last_row, seam;            /* this row is the last of all, of its store */
	bool resumed;                   /* a SIGCONT that ended a stop is pending */
	bool was_held;                  /* the next sample is due at once */
	bool hurried;                   /* this sample is taken before its deadline */
	uint64_t woke_ns, longest_ns;   /* awake since; at most, so far */
	uint64_t multiple;              /* of the interval, see max_overhead */
	uint64_t last_check;            /* the row of the last good tamper check */
	unsigned ntamper;
	struct ahead ahead;             /* of samples that threads take */
	int failed;                     /* -errno: why it ended early, which was said */
};

/* sampler_signals - block the daemon's signals and set its handlers, which
 * set a flag and nothing else; call before anything else can be interrupted. */
void sampler_signals(void);

/* sampler_hold - called before that: blocks the signals that mean something while
 * sampling, and would be lost or end the process while it is being prepared. */
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

/* tamper_note - called after a row in which controls were checked: notes each change that
 * was found, the columns that it makes doubtful, and since when. */
void tamper_note(struct sampler *, uint64_t row);

/* tamper_again - called for a new store: notes the controls that are still changed. */
void tamper_again(struct sampler *);

/* Over how many samples --max-overhead looks. */
#define OVERHEAD_SAMPLES 10

/* overhead_limit - did the last samples up to n cost more than allowed?  Then the interval
 * becomes a whole multiple of itself, which is noted and logged. */
void overhead_limit(struct sampler *, uint64_t n);

/*
 * disturbance_note - notes the CPU time of all threads and of the process that writes, and
 * the context switches of threads, voluntary and forced, by lproc where each has its own.
 * Called once the threads have ended.
 *
 * writer_ns   CPU time of that process; 0: there was none
 */
void disturbance_note(struct store *, const struct sweep *,
    uint64_t writer_ns);

#endif
