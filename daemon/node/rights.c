/*
 * daemon/node/rights.c - giving up what start-up needed and sampling does not.
 */
#include "daemon/node/rights.h"

#include "config/dump/store.h"
#include "lib/accounts.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reads a word that is the number of a user or a group. */
static bool
rights_id_of(const char *text, int *id)
{
	char *end;
	long n;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtol(text, &end, 10);
	*id = (int)n;
	return errno == 0 && *end == '\0' && n <= INT_MAX;
}

/* Sets the owner to a user who is given by name, or by number: without an account that
 * has the group of that number. */
static int
owner_named(struct owner *o, const char *user, struct diag *why)
{
	const struct passwd *pw = account_user(user);

	if (pw == NULL && rights_id_of(user, &o->uid)) {
		pw = account_uid((uid_t)o->uid);
		o->gid = o->uid;
	} else if (pw == NULL)
		return diag_set(why, -EINVAL, account_files_alone() ?
		    "--user %s: no such user in /etc/passwd, all that a static "
		    "tallyd reads: give the number (id -u)" :
		    "--user %s: no such user", user);
	if (pw != NULL) {
		o->uid = (int)pw->pw_uid;
		o->gid = (int)pw->pw_gid;
	}
	return 0;
}

int
rights_owner(struct owner *o, const char *user, bool keep_root,
    struct diag *why)
{
	const char *uid = getenv("SUDO_UID"), *gid = getenv("SUDO_GID");
	const struct passwd *pw;

	*o = (struct owner){ .uid = -1, .gid = -1 };
	if (user != NULL)
		return owner_named(o, user, why);
	if (geteuid() == 0 && uid != NULL && gid != NULL) {
		if (!rights_id_of(uid, &o->uid) || !rights_id_of(gid, &o->gid))
			return diag_set(why, -EINVAL, "SUDO_UID=%s SUDO_GID=%s"
			    " name no user: give one with --user", uid, gid);
	} else if (geteuid() == 0 && !keep_root &&
	    (pw = account_user(STORE_USER)) != NULL) {
		o->uid = (int)pw->pw_uid;
		o->gid = (int)pw->pw_gid;
	}
	return 0;
}

/* Is this process in that group? */
static bool
in_group(gid_t group)
{
	int n = getgroups(0, NULL);
	gid_t *list = n > 0 ? calloc((size_t)n, sizeof(*list)) : NULL;
	bool in = group == getegid();

	n = list != NULL ? getgroups(n, list) : 0;
	for (int i = 0; i < n; i++)
		in = in || list[i] == group;
	free(list);
	return in;
}

int
rights_group(struct owner *o, const char *group, struct diag *why)
{
	const struct group *g;

	o->group = 0;
	if (group == NULL)
		return 0;
	if (!rights_id_of(group, &o->group)) {
		if ((g = account_group(group)) == NULL)
			return diag_set(why, -EINVAL, account_files_alone() ?
			    "--dump-group %s: no such group in /etc/group, all "
			    "that a static tallyd reads: give the number "
			    "(getent group)" :
			    "--dump-group %s: no such group", group);
		o->group = (int)g->gr_gid;
	}
	if (o->group == 0)
		return diag_set(why, -EINVAL, "--dump-group %s: root's group "
		    "reads them in any case; name another", group);
	if (geteuid() != 0 && !in_group((gid_t)o->group))
		return diag_set(why, -EINVAL, "--dump-group %s: you are not in "
		    "it; name one of yours (id -Gn)", group);
	return 0;
}

/* Drops all capabilities but those of `keep` that we have. */
static int
set_capabilities(uint32_t keep, uint32_t keep_high)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data) < 0)
		return -errno;
	data[0].permitted &= keep;
	data[1].permitted &= keep_high;
	for (unsigned i = 0; i < 2; i++) {
		data[i].effective = data[i].permitted;
		data[i].inheritable = 0;
	}
	return syscall(SYS_capset, &head, data) < 0 ? -errno : 0;
}

void
rights_give_up(void)
{
	struct rlimit none = { 0, 0 };

	for (int cap = 0; prctl(PR_CAPBSET_DROP, cap) == 0; cap++)
		;
	/* a core has the registers' descriptors in it, and rows */
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

int
rights_become(const struct owner *o)
{
	gid_t gid = (gid_t)o->gid, group = (gid_t)o->group;
	uid_t uid = (uid_t)o->uid;

	if (setgroups(group > 0, &group) < 0 || setresgid(gid, gid, gid) < 0 ||
	    setresuid(uid, uid, uid) < 0)
		return -errno;
	return 0;
}

int
rights_drop(const struct owner *o, bool perf, bool admin, struct diag *why)
{
	uint32_t low = perf && admin ? 1u << CAP_SYS_ADMIN : 0;
	/* kept even where another capability would do: it may be the only one
	 * that we have */
	uint32_t high = perf ? 1u << (CAP_PERFMON - 32) : 0;
	int rc;

	rights_give_up();
	if (geteuid() == 0 && o->uid > 0) {
		/* without this, capabilities end with the change of user */
		prctl(PR_SET_KEEPCAPS, perf);
		if ((rc = rights_become(o)) < 0)
			return diag_set(why, rc, "cannot become user %d: "
			    "%s", o->uid, strerror(-rc));
		if ((rc = set_capabilities(low, high)) < 0)
			return diag_set(why, rc, "cannot drop capabilities: "
			    "%s", strerror(-rc));
	} else if ((rc = set_capabilities(1u << CAP_DAC_OVERRIDE |
	    1u << CAP_CHOWN | 1u << CAP_FOWNER | low, high)) < 0 && rc != -EPERM)
		return diag_set(why, rc, "cannot drop capabilities: %s",
		    strerror(-rc));
	/* whoever may trace us could take our descriptors of registers */
	if (geteuid() != 0)
		prctl(PR_SET_DUMPABLE, 0);
	return 0;
}

int
rights_thread(void)
{
	return set_capabilities(0, 0);
}

int
rights_writer(void)
{
	int rc = rights_thread();

	prctl(PR_SET_DUMPABLE, 0);
	if (rc == 0 && (rc = filter_install(FILTER_WRITE)) == -ENOSYS)
		rc = 0;
	return rc;
}

const char *
rights_schedule(void)
{
	struct sched_param p = { .sched_priority = 1 };
	struct rlimit rl, no = { RLIM_INFINITY, RLIM_INFINITY };

	prctl(PR_SET_TIMERSLACK, 1000);         /* ns */
	/* us on end without sleeping: SIGXCPU then, which the loop hears; the
	 * hard limit would kill */
	if (getrlimit(RLIMIT_RTTIME, &rl) == 0 && rl.rlim_max > 200000) {
		rl.rlim_cur = 200000;
		setrlimit(RLIMIT_RTTIME, &rl);
	}
	/* the user's ulimit -t would kill us with registers changed */
	setrlimit(RLIMIT_CPU, &no);
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &p) == 0)
		return "SCHED_FIFO 1";
	if (setpriority(PRIO_PROCESS, 0, -20) == 0)
		return "nice -20";
	return "no priority";
}

void
rights_inherit(bool on)
{
	struct sched_param p = { .sched_priority = 1 };

	if ((sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO)
		sched_setscheduler(0, SCHED_FIFO | (on ? 0 :
		    SCHED_RESET_ON_FORK), &p);
}

void
rights_lock(void)
{
	struct rlimit rl = { RLIM_INFINITY, RLIM_INFINITY };

	/* Under a limit, a stack that grows or an allocation of libc would
	 * fail where it need not. */
	if (setrlimit(RLIMIT_MEMLOCK, &rl) < 0)
		return;
	/* lock pages that are in use, not all of libc */
	if (mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) < 0)
		mlockall(MCL_CURRENT | MCL_FUTURE);     /* before Linux 4.4 */
}

void
rights_unhurried(void)
{
	struct sched_param p = { .sched_priority = 0 };

	/* without rights the flag cannot be cleared */
	sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &p);
	setpriority(PRIO_PROCESS, 0, 0);
}

void
rights_ordinary(void)
{
	rights_unhurried();
	munlockall();
}
