/*
 * daemon/run/segment_pipe.h - the process that runs --pipe's program over each
 * segment, and then removes the oldest.
 *
 * It is forked when rights are given up and before the filter of system calls,
 * which hardly any program could run under; it holds none of our other
 * descriptors, and ends when nobody holds the other end of its socket.
 *
 * A program has PIPE_SECONDS, and one more for each MB of the dump; once nobody
 * holds the other end all that are left have PIPE_SECONDS together.  Then it and
 * what it has started get a TERM, and a KILL: the dump stays as it is.
 */
#ifndef DAEMON_RUN_SEGMENT_PIPE_H
#define DAEMON_RUN_SEGMENT_PIPE_H

#include "config/amount.h"
#include "config/dump/dump.h"

#include <sys/types.h>

#define PIPE_SECONDS 10

struct segment_pipe {
	void (*leave)(void *ctx);       /* in the process, which has no other
					 * descriptors by then */
	void *ctx;
	int fd;                 /* socket to it; -1: there is none */
	pid_t pid;
};

/*
 * segment_pipe_start - forks the process; leave and ctx are set.
 *
 * command  words with blanks between, '...' and "..." around those that have
 *          some; %s is the name of the dump, %% is %.  No shell sees it.  It
 *          runs in the folder of the dump, and reads that as standard input.
 *
 * 0, or -errno with words: -EINVAL no command, ...
 */
int segment_pipe_start(struct segment_pipe *, const char *command,
    const struct save_place *, const struct amount *keep, struct diag *why);

/* segment_pipe_put - has the program run over a dump, which is removed if that succeeds.
 * wait: while too many dumps wait for it.  0, or -errno: nothing will be done; -EAGAIN: too
 * many wait. */
int segment_pipe_put(const struct segment_pipe *, const char *name,
    uint64_t end_s, bool wait);

/* segment_pipe_stop - no dump follows: the process ends when all is done.  wait: until it
 * has ended. */
void segment_pipe_stop(struct segment_pipe *, bool wait);

#endif
