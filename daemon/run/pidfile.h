/*
 * daemon/run/pidfile.h - the file that tells our pid.
 */
#ifndef DAEMON_RUN_PIDFILE_H
#define DAEMON_RUN_PIDFILE_H

#include "regs/diag.h"

struct pidfile {
	int fd;                 /* locked as long as we live; -1: none */
	int dir;                /* its folder */
	const char *path;
};

/*
 * pidfile_take - our pid into the file at path.
 *
 * It appears whole, in a folder that root may trust, and no link is followed.
 * One that a daemon left is replaced; that of a daemon that runs is refused, and
 * so is a file that is no pid file.  A device or a pipe is written to.
 * 0, or -errno with words.
 */
int pidfile_take(struct pidfile *, const char *path, struct diag *why);

/* pidfile_remove - unless it is by now another daemon's, or was never a file of
 * its own.  Where it cannot be removed it is emptied: no pid that means
 * somebody else.  Accepts none. */
void pidfile_remove(struct pidfile *);

/* pidfile_leave - in a child: forget it. */
void pidfile_leave(struct pidfile *);

#endif
