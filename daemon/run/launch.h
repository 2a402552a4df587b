/*
 * daemon/run/launch.h - sampling for as long as a process lives: a program that is
 * started (tallyd -- ./app), or one that runs (--pid).
 *
 * The sampler is a child, in a process group of its own, so that ^C ends the
 * program and not the samples of its end; the parent waits for the process, and
 * has the sampler end then.
 */
#ifndef DAEMON_RUN_LAUNCH_H
#define DAEMON_RUN_LAUNCH_H

#include "daemon/run/session.h"

/* launch_wanted - does this run end with a process? */
bool launch_wanted(const struct options *);

/*
 * launch_fork - returns -1 in the child, which is to sample; in the parent, when
 * all is over, the exit status: the program's, 128 + n where signal n ended it,
 * 127 where it was not found, 126 where it could not be run; of --pid 0.
 *
 * The program is run as the user behind sudo, with his groups and HOME.
 */
int launch_fork(struct session *);

/* launch_begun, launch_ended - called in the child: set the marks at the first and the
 * last sample of the program.  launch_dumped - tells the parent where the dump is. */
void launch_begun(struct session *);
void launch_ended(struct session *);
void launch_dumped(struct session *, const char *path);

#endif
