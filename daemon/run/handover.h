/*
 * daemon/run/handover.h - a sampler of a service: what it and the process that
 * started it (supervisor_run) say to each other, and how another
 * sampler (its heir) takes over.
 *
 * Words of a socket, each whole.  To the supervisor:
 *
 *   journal     with the descriptors of its file and its folder: both stay locked as
 *               long as the supervisor lives
 *   begun       the first row is in; "c" and "o" behind it: with the control socket, with
 *               the claim on the output
 *   asked       with the socket of the caller who is told how the reload went
 *   ready       from an heir: its plan is made, and all is checked that can be by then
 *   given       from the sampler before: its last row is in, its registers are put back
 *   kept        from the same: it goes on, as shared->why says
 *   WATCHDOG=1, STOPPING=1      for the service manager
 *
 * From the supervisor: "give", then "go on" or "done"; to the heir "take", then "alone",
 * once the sampler before has written its dumps.
 */
#ifndef DAEMON_RUN_HANDOVER_H
#define DAEMON_RUN_HANDOVER_H

#include "daemon/node/journal.h"
#include "daemon/run/mark_notes.h"
#include "daemon/run/notify.h"
#include "lib/diag.h"

#include <stdint.h>

/* What a sampler of a service leaves to the one that follows it (its heir). */

/* Memory that all processes of a service share; a sampler without rights can write it at
 * any time. */
struct heritage {
	uint64_t segments;      /* so many there are */
	uint64_t samples;       /* of the run so far */
	uint64_t first_number;  /* of the files */
	char of[80];            /* segment_of */
	char output[4096];
	struct mark_notes marks;
	struct diag why;        /* why a reload failed */
};

/* heritage_take - copies it, and checks that texts end and numbers are possible: 0, or
 * -EINVAL with words. */
int heritage_take(struct heritage *own, const struct heritage *shared,
    struct diag *why);

/* heritage_why - why a reload failed, as one line. */
const char *heritage_why(struct heritage *shared, struct diag *own);

#define HANDOVER_WORDS 32

struct handover {
	int fd;                 /* 0: there is no supervisor */
	pid_t main;             /* the supervisor: the pid that people know */
	struct heritage *shared;
	bool heir;              /* another one samples until it is told to give */
	int control, claim;     /* of the sampler before; -1 */
	struct journal journal;
	const struct options *first;    /* that the service was started with */
	/* private */
	struct heritage *took;  /* of an heir: its copy; free() */
	bool wanted;            /* one more row, and then the heir takes over */
	bool given, done;
};

struct session;

/* handover_send - send words, with n descriptors, two at most.  0 or -errno.
 * handover_receive - receive words; with[2]: the descriptors that came with them, -1 where
 * there are fewer; wait: until something comes.  1; 0: nothing has come; -errno: the other
 * end is gone. */
int handover_send(int fd, const char *words, const int *with, unsigned n);
int handover_receive(int fd, char words[HANDOVER_WORDS], int with[2], bool wait);

/* handover_ask - has the configuration read again; the caller at the socket `from` is told
 * the result.  0, or -errno with words. */
int handover_ask(struct session *, int from, struct diag *why);

/* handover_serve - does what the supervisor has asked for meanwhile.  True: take a row now. */
bool handover_serve(struct session *);

/* handover_give - after that row: puts the registers back, and tells the heir what it goes
 * on with. */
void handover_give(struct session *);

/* handover_refused - says why a sampler did not begin. */
void handover_refused(struct session *, const struct diag *why);

/* handover_may - may these options replace those of the start?  0, or -EINVAL with
 * words. */
int handover_may(const struct options *first, const struct options *now,
    struct diag *why);

/* handover_take - called by an heir that is ready: waits until the registers are free, and
 * takes the journal.  0, or -errno with words. */
int handover_take(struct session *, struct diag *why);

/* handover_journal - the first sampler gives the journal to the supervisor to keep. */
void handover_journal(struct session *);

/* handover_begun - tells the supervisor that the first row is in. */
void handover_begun(struct session *);

/* handover_alone - waits until the sampler before has written its dumps. */
void handover_alone(struct session *);

/* handover_leave - called in a child: closes the socket. */
void handover_leave(struct handover *);

/*
 * The process of a service that stays while samplers follow one another, so that the
 * configuration can be read again.
 *
 * It starts the sampler, passes signals on, and ends with it.  To read the configuration
 * again (SIGHUP, tallyd --reload) it starts a second sampler, which has all the rights of a
 * start, and plans.  Only when that is ready does the first one put its registers back,
 * and the second goes on with a segment of its own.  If anything goes wrong before its
 * first row, the first one goes on.  It opens no register, and reads no configuration.
 */

/* supervisor_wanted - is it a service in segments, which samples a node in real
 * time? */
bool supervisor_wanted(const struct options *);

/*
 * supervisor_run - runs until the last sampler ends; returns its exit status.
 *
 * ready   the pipe by which the first sampler says that it samples; -1
 * sample  is called in a child: options, plan, run; its exit status
 */
int supervisor_run(const struct options *, int ready, int (*sample)(void *ctx,
    const struct handover *, struct notify *), void *ctx);

#endif
