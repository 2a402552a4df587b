/*
 * daemon/run/pidfile.h - the file with our pid.
 */
#ifndef DAEMON_RUN_PIDFILE_H
#define DAEMON_RUN_PIDFILE_H

#include "lib/diag.h"

struct pidfile {
	int fd;                 /* locked as long as we live; -1: none */
	int dir;                /* its folder */
	const char *path;
};

/*
 * pidfile_take - writes our pid into the file at path.
 *
 * The file appears whole, in a folder that others cannot write; no link is followed.
 * Replaces a file that a daemon has left; refuses that of a daemon that runs, and a file
 * that is no pid file.  Writes to a device or a pipe.
 * 0, or -errno with words.
 */
int pidfile_take(struct pidfile *, const char *path, struct diag *why);

/* pidfile_remove - removes the file, unless it belongs to another daemon now, or is a
 * device or a pipe.  One that cannot be removed is emptied, so that its pid means no other
 * process.  Accepts one that was not taken. */
void pidfile_remove(struct pidfile *);

/* pidfile_leave - called in a child: closes the file. */
void pidfile_leave(struct pidfile *);

#endif
