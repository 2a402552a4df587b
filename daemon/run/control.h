/*
 * daemon/run/control.h - the socket by which a daemon that samples is asked.
 *
 *   question = line "\n"
 *   answer   = { line "\n" } ( "ok" | "error: " words ) "\n"
 *
 * A connection is for one question, and is closed after its answer.  The loop serves
 * callers while it sleeps, and waits for none: a question has CONTROL_MS to arrive,
 * CONTROL_CALLERS are listened to at a time, and so many answered in a tenth of a second;
 * others wait.  While a caller waits for a place, the one who has been there longest loses
 * it, after CONTROL_LEAST_MS.  The socket's owner, group and mode say who may connect.
 */
#ifndef DAEMON_RUN_CONTROL_H
#define DAEMON_RUN_CONTROL_H

#include "daemon/options.h"
#include "regs/access.h"

#include <poll.h>

#define CONTROL_CALLERS 8
#define CONTROL_LINE 512        /* bytes of a question */
#define CONTROL_ANSWER 4096     /* and of the lines of an answer */
#define CONTROL_MS 1000
#define CONTROL_LEAST_MS 100
#define CONTROL_TENTH 20        /* answers in a tenth of a second */

struct control {
	/* set by the caller: answers a question.  0, with the answer's lines in
	 * lines[CONTROL_ANSWER]; or -errno with words; -EINPROGRESS: another
	 * process has c->from by now, and answers. */
	int (*answer)(void *ctx, const char *line, char *lines,
	    struct diag *why);
	void *ctx;
	/* private */
	int fd;                 /* -1: there is none */
	char path[108];
	int from;               /* the caller who is being answered */
	bool resting;           /* callers wait */
	struct pollfd poll[2 + CONTROL_CALLERS];        /* [0]: new ones; the
				 * last: somebody else's, control_also */
	struct caller {
		uint64_t since_ns;
		size_t n;
		char line[CONTROL_LINE];
	} caller[CONTROL_CALLERS];
	uint64_t tenth_ns;      /* when the present tenth of a second ends */
	unsigned answers;       /* in it */
	uint64_t wake_ns;       /* when to look again; 0: there is no caller */
	bool told;              /* the log has been told that there are too many */
};

/*
 * control_place - where the socket is: --socket, or /run/tallyd/tallyd.socket; of a
 * simulated node on the clock's time tallyd-simulated.socket in /run of root, else
 * in $XDG_RUNTIME_DIR.  False: there is none.
 */
bool control_place(const struct options *, bool simulated, char *path,
    size_t size);

/*
 * control_open - listens there; a caller ends the sleeps of acc.
 *
 * gid  the group that may ask, besides our own user; -1: nobody
 *
 * Replaces the socket of a daemon that died.  0, or -errno with words: -EBUSY: a living
 * daemon has it.  Without --socket a place that cannot be had is no error.
 */
int control_open(struct control *, const struct options *, struct access *acc,
    int gid, struct diag *why);

/* control_adopt - the same with a socket that another process has opened; gid is as it
 * was.  control_also - has fd end the sleeps of acc, too; -1: no more. */
void control_adopt(struct control *, int fd, const struct options *,
    struct access *acc);
void control_also(struct control *, struct access *acc, int fd);

/* control_rest - makes callers wait, or ends that. */
void control_rest(struct control *, bool on);

/* control_serve - answers what has come; never waits. */
void control_serve(struct control *);

/* control_alive - when control_serve has to be called again: the deadline at the
 * latest. */
uint64_t control_alive(const struct control *, struct access *,
    uint64_t deadline);

/* control_leave - called in a child, or once another sampler has the socket: closes it
 * here.  Callers without an answer ask again. */
void control_leave(struct control *);
/* control_close - closes and removes the socket; NULL accepted. */
void control_close(struct control *);

#endif
