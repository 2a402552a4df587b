/*
 * daemon/rights/rights.h - giving up what start-up needed and sampling does not.
 */
#ifndef DAEMON_RIGHTS_RIGHTS_H
#define DAEMON_RIGHTS_RIGHTS_H

#include "regs/diag.h"

#include <stdbool.h>

struct owner {
	int uid, gid;           /* -1: nobody else than who runs */
	int group;              /* of dumps, which it is in, too; 0: gid */
};

/* rights_owner - who the output is for, and who the sampler becomes: --user, the
 * user behind sudo, or the system user "tallyd" where there is one and root is not
 * to be kept.  0, or -EINVAL when there is no such user. */
int rights_owner(struct owner *, const char *user, bool keep_root,
    struct diag *why);

/* rights_group - the group that dumps get, by name or number; NULL: the owner's.  0,
 * or -EINVAL where there is none, or who runs could give it nothing. */
int rights_group(struct owner *, const char *group, struct diag *why);

/* rights_become - real, effective and saved user and group, and no other
 * group than that of dumps.  0 or -errno. */
int rights_become(const struct owner *);

/*
 * rights_drop - become the owner, for good.
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

/* rights_give_up - what no process that we become or start may ever have again:
 * nothing is gained by an exec.  Threads that are started later have it from
 * here, which takes a hundred lprocs some thousand system calls less. */
void rights_give_up(void);

/* rights_thread - of each thread of the process that writes registers: no
 * capability.  0 or -errno. */
int rights_thread(void);

/* rights_writer - of that process, once it has its threads: the same; nobody
 * traces it, and all have few system calls.  0 or -errno. */
int rights_writer(void);

/* rights_schedule - a class in which a visit does not wait for a time slice:
 * SCHED_FIFO at its lowest priority, else the best nice value there is.  Who
 * stays on a CPU for 0.2 s without sleeping gets a SIGXCPU there.  Returns
 * what was taken, for the log. */
const char *rights_schedule(void);

/* rights_inherit - threads that are started from now on have the class of the
 * caller, or begin in the ordinary one, as a child does; call before
 * rights_drop. */
void rights_inherit(bool on);

/* rights_lock - no page of ours leaves memory, where that is allowed; call
 * before rights_drop. */
void rights_lock(void);

/* rights_unhurried - back to the ordinary class. */
void rights_unhurried(void);

/* rights_ordinary - back to the ordinary class and to pages that may be
 * swapped: for the end, when a dump takes seconds of CPU time and memory of
 * its own. */
void rights_ordinary(void);

#endif
