/*
 * daemon/run/control.h - the socket by which a daemon that samples is asked.
 *
 *   question = line "\n"
 *   answer   = { line "\n" } ( "ok" | "error: " words ) "\n"
 *
 * A connection is for one question, and is closed after its answer.  They are
 * heard while the loop sleeps, without waiting for anybody: a question has
 * CONTROL_MS to come, so many at a time are listened to, so many answered in a
 * tenth of a second; whoever is beyond that waits.  While somebody waits to be
 * listened to, the one that has been longest makes room, after CONTROL_LEAST_MS.  Who may connect is said by
 * the socket's owner, group and mode.
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
	/* its user's: what a question's answer is.  0, with lines of its own in
	 * lines[CONTROL_ANSWER]; or -errno with words; -EINPROGRESS: another
	 * process has c->from by now, and answers. */
	int (*answer)(void *ctx, const char *line, char *lines,
	    struct diag *why);
	void *ctx;
	/* its own */
	int fd;                 /* -1: there is none */
	char path[108];
	int from;               /* who is being answered */
	bool resting;           /* nobody is heard for now */
	struct pollfd poll[2 + CONTROL_CALLERS];        /* [0]: new ones; the
				 * last: somebody else's, control_also */
	struct caller {
		uint64_t since_ns;
		size_t n;
		char line[CONTROL_LINE];
	} caller[CONTROL_CALLERS];
	uint64_t tenth_ns;      /* when the present one ends */
	unsigned answers;       /* in it */
	uint64_t wake_ns;       /* look again then; 0: nothing is under way */
	bool told;              /* that there are too many */
};

/*
 * control_place - where it is: --socket, or /run/tallyd/tallyd.socket; of a
 * simulated node on the clock's time tallyd-simulated.socket in /run of root, else
 * in $XDG_RUNTIME_DIR.  False: there is none.
 */
bool control_place(const struct options *, bool simulated, char *path,
    size_t size);

/*
 * control_open - listen there, and have it end the sleeps of acc.
 *
 * gid  whose members may ask, besides our own user; -1: nobody
 *
 * One that a daemon left that died is replaced.  0, or -errno with words:
 * -EBUSY where one that lives has it.  A place that was not asked for and
 * cannot be had is no error.
 */
int control_open(struct control *, const struct options *, struct access *acc,
    int gid, struct diag *why);

/* control_adopt - the same, where another process has opened it; gid is as it
 * was.  control_also - have fd end the sleeps of acc, too, with a socket or
 * without; -1: no more. */
void control_adopt(struct control *, int fd, const struct options *,
    struct access *acc);
void control_also(struct control *, struct access *acc, int fd);

/* control_rest - let all that comes wait, or no more. */
void control_rest(struct control *, bool on);

/* control_serve - answer what has come; never waits. */
void control_serve(struct control *);

/* control_alive - when to come back to control_serve, whatever comes: the
 * deadline at the latest. */
uint64_t control_alive(const struct control *, struct access *,
    uint64_t deadline);

/* control_leave - in a child, or once another sampler has it: who has connected
 * here and not been answered asks again. */
void control_leave(struct control *);
/* control_close - nobody is heard any more; NULL accepted. */
void control_close(struct control *);

#endif
