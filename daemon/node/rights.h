/*
 * daemon/node/rights.h - giving up what start-up needed and sampling does not.
 */
#ifndef DAEMON_NODE_RIGHTS_H
#define DAEMON_NODE_RIGHTS_H

#include "lib/diag.h"

#include <stdbool.h>

struct owner {
	int uid, gid;           /* -1: the user who runs */
	int group;              /* of dumps; the sampler is in it; 0: gid */
};

/* rights_owner - finds the user who owns the output, and who the sampler becomes: --user,
 * the user behind sudo, or the system user "tallyd" if there is one and --keep-root is not
 * given.  0, or -EINVAL when there is no such user. */
int rights_owner(struct owner *, const char *user, bool keep_root,
    struct diag *why);

/* rights_group - finds the group of dumps, by name or number; NULL: the owner's.  0, or
 * -EINVAL: there is no such group, or this process may not give files to it. */
int rights_group(struct owner *, const char *group, struct diag *why);

/* rights_become - sets real, effective and saved user and group; of other groups only that
 * of dumps is kept.  0 or -errno. */
int rights_become(const struct owner *);

/*
 * rights_drop - becomes the owner, for good.
 *
 * Open descriptors and mappings stay usable: the kernel checks the right to
 * registers when they are opened.  The owner's other processes cannot take
 * them: it may not trace us.  Without an owner, root stays root but
 * keeps no capability beyond writing files, and CAP_PERFMON where the kernel
 * counts anything (perf), with CAP_SYS_ADMIN where it wants that (admin): events
 * of an lproc that comes back are opened anew.  So does a user who was given
 * capabilities.  0 or -errno.
 */
int rights_drop(const struct owner *, bool perf, bool admin,
    struct diag *why);

/* rights_give_up - an exec gains no rights from now on, in this process and all that it
 * starts.  Called before threads are started, which inherit it: that saves thousands of
 * system calls on a node of a hundred lprocs. */
void rights_give_up(void);

/* rights_thread - called in each thread of the process that writes registers: drops all
 * capabilities.  0 or -errno. */
int rights_thread(void);

/* rights_writer - called in that process once its threads run: drops all capabilities,
 * forbids tracing, and installs the filter for all threads.  0 or -errno. */
int rights_writer(void);

/* rights_schedule - takes a scheduling class in which a visit does not wait for a time
 * slice: SCHED_FIFO at its lowest priority, else the best nice value there is.  A thread
 * that runs for 0.2 s without sleeping gets a SIGXCPU then.  Returns what was taken, for
 * the log. */
const char *rights_schedule(void);

/* rights_inherit - threads that are started from now on have the class of the
 * caller, or begin in the ordinary one, as a child does; call before
 * rights_drop. */
void rights_inherit(bool on);

/* rights_lock - locks our pages in memory, if that is allowed; call before
 * rights_drop. */
void rights_lock(void);

/* rights_unhurried - back to the ordinary class. */
void rights_unhurried(void);

/* rights_ordinary - back to the ordinary class, and unlocks pages: for the end, when a
 * dump takes seconds of CPU time and memory of its own. */
void rights_ordinary(void);

/* Running programs as the user who called us, never as root. */

/* caller_finds - can he run this program, which is looked up in PATH if it has no slash?
 * 0, or the exit status that a shell would have, and it has said why: 127: it is not
 * there; 126: it cannot be run; 1: the user is unknown. */
int caller_finds(const char *name);

/* caller_exec - becomes him, and then this program, with signals as a program expects
 * them.  Returns only if that fails: an exit status, and it has said why. */
int caller_exec(char *const *argv);

/* caller_report - runs the tally that is installed beside tallyd, as him, with these
 * words, ended by NULL; words[0] becomes its name. */
void caller_report(char **words);

/*
 * The system calls that are left once sampling begins.
 *
 * A call that is not on the list fails with EPERM; a line on standard error names it, and
 * filter_refused counts it.  In programs that are not ours it only fails.
 */

/* Whether this build has the filter, for --version and the log. */
#ifdef NO_FILTER
#define FILTER_NOTE " (built without the filter of system calls)"
#else
#define FILTER_NOTE ""
#endif

/* What a process does from now on, which decides the calls that it keeps. */
enum filter_use {
	FILTER_SAMPLE = 1,      /* the loop, and the dump at its end */
	FILTER_BATCH = 2,       /* ioctls of the msr-safe driver */
	FILTER_PERF = 4,        /* events, opened anew when an lproc returns */
	FILTER_WRITE = 8,       /* registers and the journal: the writer */
	FILTER_PROGRAM = 16,    /* --pipe's programs: all but what changes the
				 * node, or reaches into other processes */
};

/*
 * filter_install - installs the filter for good, and for all children.
 *
 * use   enum filter_use, added up; FILTER_PROGRAM alone
 *
 * Returns 0, -ENOSYS where this kernel, architecture or build has no such filter,
 * or another -errno.
 */
int filter_install(unsigned use);

/* filter_refused - how many calls were refused in this process; *call: the
 * number of the last one. */
unsigned filter_refused(int *call);

#endif
