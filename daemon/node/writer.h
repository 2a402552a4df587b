/*
 * daemon/node/writer.h - the process that may write registers.
 *
 * It is forked once the journal is on disk and keeps the descriptors that can
 * write; the sampler goes on with ones that can only read, and asks.  What may
 * be asked is decided by the writer's own copy of the plan: a register that
 * the journal's list names, and a value that the plan has for it.  When the
 * sampler dies, however it dies, the writer puts the registers back.
 */
#ifndef DAEMON_NODE_WRITER_H
#define DAEMON_NODE_WRITER_H

#include "config/dump/store.h"
#include "daemon/node/journal.h"
#include "daemon/plan/plan.h"

#include <pthread.h>
#include <stddef.h>

/* The sampler's end of a line to the writer's thread of one lproc (writer_lines_open). */
struct writer_line {
	int fd;                         /* -1: there is none */
	int other;                      /* the writer's end, until it has that */
	pthread_mutex_t asking;
	bool broken;                    /* a question was not answered */
};

struct writer {
	struct access_proxy proxy;      /* what the sampler's access asks; first, so
					 * that the writer is found by its address */
	/* set by the caller.  leave: called in the process that writes; closes what belongs
	 * to the sampler alone; NULL: nothing */
	void (*leave)(void *ctx);
	void *ctx;
	bool visits;                    /* the sampler goes to each lproc */
	/* private */
	int fd;                         /* socket to it; -1: there is none */
	pthread_mutex_t asking;         /* one question at a time */
	struct writer_line *line;       /* [nline], by lproc */
	unsigned nline;
	pid_t pid;
	uint64_t cpu_ns;                /* that it took, up to writer_restore */
	struct journal *journal;        /* if there is no process: the one to empty */
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

/* writer_pause - as writer_restore, but keeps the empty journal locked, and leaves lprocs
 * out that are offline, which it says in why; `give`: it leaves none out, as another
 * sampler has the journal then, which this one does not touch until writer_resume.  Returns
 * how many registers are not as they were. */
unsigned writer_pause(struct writer *, struct node *, bool give,
    struct diag *why);
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

/*
 * What the two sides of the socket say to each other.
 *
 * writer.c        the sampler's side, which asks
 * writer_keep.c   the process that may write, which answers
 * writer_allow.c  what it is asked, and whether it may do that
 * writer_lines.c  both sides of the sockets of single lprocs
 */

enum what { ASK_PROGRAM, ASK_RESTORE, ASK_WRITE, ASK_READ, ASK_REMOVE,
	ASK_PAUSE, ASK_RESUME, ASK_WRITE_MANY };

struct request {
	uint32_t what;          /* enum what */
	struct reg_addr addr;   /* of ASK_WRITE and ASK_READ */
	uint64_t raw;           /* of ASK_RESUME: force; of ASK_PAUSE: given */
};

/* ASK_WRITE_MANY: n of these are sent. */
struct request_many {
	uint32_t what, n;
	struct reg_value value[ACCESS_MANY];
};
#define MANY_SIZE(n) (offsetof(struct request_many, value) + \
	(n) * sizeof(struct reg_value))

struct answer {
	int32_t rc;             /* 0 or -errno; ASK_RESTORE, ASK_PAUSE,
				 * ASK_WRITE_MANY: how many failed */
	uint64_t raw;
	struct diag why;
};

struct keeper {
	int fd;
	struct node *node;
	struct plan *plan;
	struct access *acc;
	struct journal *journal;
	struct store *store;
	struct may *may;        /* what it may write */
	bool changed;           /* registers are not as they were found */
	bool paused;            /* they are lent (lend_begin), the journal is kept */
	bool given;             /* and belongs to another sampler now */
	struct keeper_lines *lines;     /* its threads that are asked, too */
};

/* keeper_main - runs the process that writes, until the other end is closed; does not
 * return. */
void keeper_main(struct keeper *, struct writer *);

/* keeper_list_registers - what may be written, from the plan: 0 or -ENOMEM. */
int keeper_list_registers(struct keeper *);

/* keeper_write_one - write a register, where the plan has it with that value: 0, or
 * -EPERM, or what else the access says. */
int keeper_write_one(struct keeper *, const struct reg_addr *, uint64_t raw);
/* keeper_is_many - is a message of that size an ASK_WRITE_MANY, whole? */
bool keeper_is_many(const struct request_many *, ssize_t size);
/* keeper_write_many - write those of its registers that the plan has with these
 * values; returns how many were not written. */
int32_t keeper_write_many(struct keeper *, const struct request_many *);

/* writer_tell - sends a whole message: 0 or -errno. */
int writer_tell(int fd, const void *message, size_t size);
/* writer_hear - receives a message; returns its length, 0: the other end is closed, or
 * -errno. */
ssize_t writer_hear(int fd, void *message, size_t size);

/*
 * Who visits an lproc asks a thread of the writer there.
 *
 * The writer's main thread answers one question at a time, from another CPU: that is
 * two wake-ups across CPUs, and an interrupt for each MSR that it writes.  So the
 * writer has a thread on each lproc that is visited for turns of event sets, with a
 * socket of its own: a line.  It answers ASK_WRITE_MANY alone, and looks at each
 * register and value as the main thread does.
 */

/* ---- the sampler's side -------------------------------------------------- */

/* writer_lines_open - before the fork: the sockets of both sides; newest: the descriptor
 * that was opened last.  Where there is no room for so many there are no lines, and
 * the main thread is asked. */
void writer_lines_open(struct writer *, const struct plan *, int newest);

/* writer_lines_began - after it: the writer has its ends. */
void writer_lines_began(struct writer *);

/* writer_lines_here - the line of the lproc that the caller is on; NULL: there is none,
 * or one of these registers is the main thread's to write. */
struct writer_line *writer_lines_here(struct writer *, const struct reg_value *,
    unsigned n);

/* writer_lines_leave - close this side's end of all lines; writer_lines_free - and
 * forget them. */
void writer_lines_leave(struct writer *);
void writer_lines_free(struct writer *);

/* ---- the writer's side --------------------------------------------------- */

/* writer_lines_start - a thread for each line, without capabilities and in the class of
 * the sampler's threads; the sampler's ends are closed.  0 or -errno. */
int writer_lines_start(struct keeper *, struct writer *);

/* writer_lines_hold - no line writes until writer_lines_release: registers are
 * programmed, put back or given to another sampler. */
void writer_lines_hold(struct keeper *);
void writer_lines_release(struct keeper *);

#endif
