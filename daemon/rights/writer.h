/*
 * daemon/rights/writer.h - the process that may write registers.
 *
 * It is forked once the journal is on disk and keeps the descriptors that can
 * write; the sampler goes on with ones that can only read, and asks.  What may
 * be asked is decided by the writer's own copy of the plan: a register that
 * the journal's list names, and a value that the plan has for it.  When the
 * sampler dies, however it dies, the writer puts the registers back.
 */
#ifndef DAEMON_RIGHTS_WRITER_H
#define DAEMON_RIGHTS_WRITER_H

#include "config/dump/store.h"
#include "daemon/node/journal.h"
#include "daemon/plan/plan.h"

#include <pthread.h>

/* The sampler's end of a line to the writer's thread of one lproc (writer_lines.h). */
struct writer_line {
	int fd;                         /* -1: there is none */
	int other;                      /* the writer's end, until it has that */
	pthread_mutex_t asking;
	bool broken;                    /* a question was not answered */
};

struct writer {
	struct access_proxy proxy;      /* what the sampler's access asks; the first,
					 * which all of it is found by */
	/* its user's: in the process that writes, what is the sampler's alone;
	 * NULL: nothing */
	void (*leave)(void *ctx);
	void *ctx;
	bool visits;                    /* the sampler goes to each lproc */
	/* its own */
	int fd;                         /* socket to it; -1: there is none */
	pthread_mutex_t asking;         /* one question at a time */
	struct writer_line *line;       /* [nline], by lproc */
	unsigned nline;
	pid_t pid;
	uint64_t cpu_ns;                /* that it took, up to writer_restore */
	struct journal *journal;        /* where there is none: who empties it */
};

/*
 * writer_start - forks it, and gives up writing here; leave, ctx and visits are set.
 *
 * The journal goes with it: it removes the journal once all is put back, and
 * the store when it is asked to, for a sampler that has become somebody else.
 * A simulated machine has no rights to give up, and no writer: the calls below do the work
 * in this process.
 *
 * keep   this process keeps its rights, and writes the turns of event sets itself.  The
 *        writer still programs and restores, whoever dies first.
 *
 * Returns 0, or -errno with words in why.
 */
int writer_start(struct writer *, struct node *, struct journal *,
    struct store *, bool keep, struct diag *why);

/* writer_program, writer_restore - have the writer do program_write, program_restore; once
 * all is restored the journal is removed. */
int writer_program(struct writer *, struct plan *, struct access *,
    struct diag *why);
unsigned writer_restore(struct writer *, struct plan *, struct access *,
    struct diag *why);

/* writer_pause - as writer_restore, but keeps the empty journal locked; `given`: another
 * sampler has the journal, and this one does not touch it until writer_resume.  Returns how
 * many registers are not as they were. */
unsigned writer_pause(struct writer *, struct plan *, struct access *,
    bool give, struct diag *why);
/*
 * writer_resume - after that: saves the registers as they are now, writes them into the
 * journal, and programs.
 *
 * 0, or -errno with words, and nothing is changed: -EBUSY where counters are in
 * use by somebody else, and force is not given.
 */
int writer_resume(struct writer *, struct node *, bool force,
    struct diag *why);

/* writer_remove - has the writer remove the store's file (store_unlink). */
int writer_remove(struct writer *, struct store *);

/* writer_leave - called in a child: closes the socket, so that the writer need not wait
 * for the child to end, too. */
void writer_leave(struct writer *);
/* writer_stop - has it end, and waits until it has. */
void writer_stop(struct writer *, struct access *);

#endif
