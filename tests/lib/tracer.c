/*
 * tests/lib/tracer.c - which call it is, and how it goes wrong.
 *
 * A call that shall do nothing becomes close(-1), which every filter of tallyd's
 * lets through, and its result is what it failed with.
 */
#include "tests/lib/tracer.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_PROCESSES 16
#define HUNG 300                /* s */

const char *const fault_name[FAULT_KINDS] = {
	"none", "an error once", "an error from then on", "an interruption",
	"a short count", "a kill", "a kill of all"
};

#ifdef __x86_64__

#define CAN_INTR 1              /* may come back with EINTR */
#define CAN_SHORT 2             /* may do less: arg[2] is how much */
#define HAS_FD 4                /* arg[0] is a descriptor */
#define HAS_PATH 8              /* arg[1] is a name */
#define IS_DONE 16              /* does what it does, and fails all the same */

/* What a call may fail with that is no mistake of its caller's; what is not
 * here cannot. */
static const struct way { long nr; const char *name; int error, flags; }
ways[] = {
#define WAY(name, error, flags) { SYS_ ## name, #name, error, flags }
	WAY(read, EIO, CAN_INTR | CAN_SHORT | HAS_FD),
	WAY(pread64, EIO, CAN_INTR | CAN_SHORT | HAS_FD),
	WAY(write, ENOSPC, CAN_INTR | CAN_SHORT | HAS_FD),
	WAY(pwrite64, ENOSPC, CAN_INTR | CAN_SHORT | HAS_FD),
	WAY(openat, EMFILE, CAN_INTR | HAS_PATH),
	WAY(close, EIO, IS_DONE | HAS_FD), WAY(getdents64, EIO, HAS_FD),
	WAY(fstat, EIO, HAS_FD), WAY(newfstatat, EIO, HAS_PATH),
	WAY(lseek, EIO, HAS_FD), WAY(readlinkat, EIO, HAS_PATH),
	WAY(fsync, EIO, CAN_INTR | HAS_FD), WAY(ftruncate, EIO, HAS_FD),
	WAY(fallocate, ENOSPC, CAN_INTR | HAS_FD),
	WAY(fchmod, EIO, HAS_FD), WAY(fchown, EIO, HAS_FD),
	WAY(renameat, EIO, HAS_PATH), WAY(unlink, EACCES, 0),
	WAY(unlinkat, EACCES, HAS_PATH), WAY(flock, ENOLCK, HAS_FD),
	WAY(fcntl, EMFILE, HAS_FD), WAY(dup2, EMFILE, HAS_FD),
	WAY(pipe2, EMFILE, 0), WAY(fstatfs, EIO, HAS_FD),
#ifndef __SANITIZE_ADDRESS__    /* whose allocator takes none of these */
	WAY(mmap, ENOMEM, 0), WAY(munmap, ENOMEM, 0), WAY(mremap, ENOMEM, 0),
	WAY(mprotect, ENOMEM, 0),
#endif
	WAY(mlockall, ENOMEM, 0),
	WAY(munlockall, ENOMEM, 0),
	WAY(clone, EAGAIN, 0), WAY(clone3, EAGAIN, 0),
	WAY(wait4, ECHILD, CAN_INTR), WAY(ppoll, ENOMEM, CAN_INTR),
	WAY(socketpair, EMFILE, 0), WAY(socket, EMFILE, 0),
	WAY(connect, ECONNREFUSED, HAS_FD), WAY(sendto, ENOBUFS, CAN_INTR |
	    HAS_FD), WAY(recvfrom, ENOMEM, CAN_INTR | HAS_FD),
	WAY(sched_setaffinity, EINVAL, 0),
#ifndef __SANITIZE_ADDRESS__    /* which stops where a thread's fails */
	WAY(sched_getaffinity, EINVAL, 0),
#endif
	WAY(sched_setscheduler, EPERM, 0), WAY(setpriority, EACCES, 0),
	WAY(prctl, EPERM, 0), WAY(capget, EPERM, 0), WAY(capset, EPERM, 0),
	WAY(setgroups, EPERM, 0), WAY(setresgid, EAGAIN, 0),
	WAY(setresuid, EAGAIN, 0), WAY(prlimit64, EPERM, 0),
	WAY(getrandom, EAGAIN, 0),
#undef WAY
};

struct process {
	pid_t pid;              /* 0: none */
	bool counted;
	bool inside;            /* a call */
	bool changed;           /* what it asks for */
	bool forced;            /* its result will be `result` */
	bool halve;             /* its result will be half */
	int64_t result;
	struct user_regs_struct asked;
};

/* What a run is in the middle of. */
struct meddler {
	struct trace *t;
	struct process process[MAX_PROCESSES];
	bool on_register;       /* FAULT_ON: of a register, or of a file */
};

static volatile sig_atomic_t too_late;

static void
on_alarm(int sig)
{
	(void)sig;
	too_late = 1;
}

static struct process *
process_of(struct meddler *m, pid_t pid)
{
	struct process *free_one = NULL;

	for (unsigned i = 0; i < MAX_PROCESSES; i++) {
		if (m->process[i].pid == pid)
			return &m->process[i];
		if (m->process[i].pid == 0 && free_one == NULL)
			free_one = &m->process[i];
	}
	if (free_one == NULL)
		abort();
	*free_one = (struct process){ .pid = pid };
	/* forked by one of ours */
	free_one->counted = m->t->fits[FAULT_NONE] > 0;
	return free_one;
}

static const struct way *
way_of(long nr)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (ways[i].nr == nr)
			return &ways[i];
	return NULL;
}

/* What a call is about: a descriptor's file or a name. */
static void
subject(pid_t pid, const struct way *way, const struct user_regs_struct *r,
    char *buf, size_t size)
{
	char link[64];
	ssize_t n = 0;

	if (way != NULL && (way->flags & HAS_FD) != 0) {
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", pid,
		    (int)r->rdi);
		n = readlink(link, buf, size - 1);
	} else if (way != NULL && (way->flags & HAS_PATH) != 0) {
		struct iovec to = { buf, size - 1 }, from = {
			(void *)(uintptr_t)r->rsi, size - 1 };

		n = process_vm_readv(pid, &to, 1, &from, 1, 0);
	}
	buf[n > 0 ? n : 0] = '\0';
}

static bool
is_register(const char *path)
{
	size_t n = strlen(path);

	return (n > 4 && strcmp(path + n - 4, "/msr") == 0) ||
	    (n > 7 && strcmp(path + n - 7, "/config") == 0);
}

/* Can this call fail in that way?  A register is read and written at once. */
static bool
fits(enum fault fault, pid_t pid, const struct way *way,
    const struct user_regs_struct *r)
{
	char path[256];

	switch (fault) {
	case FAULT_ONCE:
	case FAULT_ON:
		return way != NULL;
	case FAULT_EINTR:
		return way != NULL && (way->flags & CAN_INTR) != 0;
	case FAULT_SHORT:
		if (way == NULL || (way->flags & CAN_SHORT) == 0 || r->rdx < 2)
			return false;
		subject(pid, way, r, path, sizeof(path));
		return !is_register(path);
	default:
		return r->orig_rax != SYS_exit_group;
	}
}

static void
kill_all(const struct meddler *m)
{
	for (unsigned i = 0; i < MAX_PROCESSES; i++)
		if (m->process[i].pid > 0)
			kill(m->process[i].pid, SIGKILL);
}

static void
comm_of(pid_t pid, char buf[32])
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	buf[0] = '\0';
	if ((f = fopen(path, "r")) == NULL)
		return;
	if (fgets(buf, 32, f) != NULL)
		buf[strcspn(buf, "\n")] = '\0';
	fclose(f);
}

/* The call fails: nothing of it happens, or all of it. */
static void
force(struct process *p, const struct way *way, int error)
{
	struct user_regs_struct r = p->asked;

	p->forced = true;
	p->result = -error;
	if ((way->flags & IS_DONE) != 0)
		return;
	r.orig_rax = SYS_close;
	r.rdi = (unsigned long long)-1;
	p->changed = true;
	ptrace(PTRACE_SETREGS, p->pid, 0, &r);
}

/* Half of it: a read comes back with less, a write is asked for less. */
static void
halve(struct process *p)
{
	struct user_regs_struct r = p->asked;

	p->halve = r.orig_rax == SYS_pread64;
	if (p->halve)
		return;
	r.rdx = r.orig_rax == SYS_read && r.rdx > 14 ? 7 : r.rdx / 2;
	p->changed = true;
	ptrace(PTRACE_SETREGS, p->pid, 0, &r);
}

static void
meddle(struct meddler *m, struct process *p, const struct way *way)
{
	struct trace *t = m->t;
	char path[128], comm[32];
	int error = way != NULL ? way->error : 0;

	subject(p->pid, way, &p->asked, path, sizeof(path));
	comm_of(p->pid, comm);
	if (error == ENOSPC && is_register(path))
		error = EIO;
	if (t->fault == FAULT_EINTR)
		error = EINTR;
	if (!t->hit) {
		t->hit = true;
		t->nr = (long)p->asked.orig_rax;
		t->of_root = p->pid == t->root;
		m->on_register = is_register(path);
		snprintf(t->what, sizeof(t->what), "%s %ld of %s, %s: %s",
		    way != NULL ? way->name : "call", t->nr, comm, path,
		    t->fault <= FAULT_EINTR ? strerror(error) : "");
	} else if (is_register(path) != m->on_register)
		return;
	if (t->fault == FAULT_KILL)
		kill(p->pid, SIGKILL);
	else if (t->fault == FAULT_KILL_ALL)
		kill_all(m);
	else if (t->fault == FAULT_SHORT)
		halve(p);
	else
		force(p, way, error);
}

static void
enter(struct meddler *m, struct process *p)
{
	struct trace *t = m->t;
	long nr = (long)p->asked.orig_rax;
	const struct way *way = way_of(nr);

	/* signal(SIGCHLD, SIG_DFL), where main begins */
	if (!p->counted && nr == SYS_rt_sigaction && p->asked.rdi == SIGCHLD)
		p->counted = true;
	if (!p->counted)
		return;
	t->fits[FAULT_NONE]++;
	if (t->fault == FAULT_NONE) {
		for (enum fault f = FAULT_ONCE; f < FAULT_KINDS; f++)
			t->fits[f] += fits(f, p->pid, way, &p->asked);
		return;
	}
	if (t->fault == FAULT_ON && t->hit && nr == t->nr)
		meddle(m, p, way);
	else if (fits(t->fault, p->pid, way, &p->asked) &&
	    ++t->fits[t->fault] == t->at)
		meddle(m, p, way);
}

static void
leave(struct meddler *m, struct process *p)
{
	const struct user_regs_struct *a = &p->asked;
	struct user_regs_struct r;
	struct trace_call call;

	if (!p->inside || ptrace(PTRACE_GETREGS, p->pid, 0, &r) < 0)
		return;
	if (p->halve)
		p->result = (int64_t)r.rax > 1 ? (int64_t)r.rax / 2 :
		    (int64_t)r.rax;
	if (p->halve || p->forced)
		r.rax = (unsigned long long)p->result;
	if (p->changed) {
		r.rdi = a->rdi;
		r.rdx = a->rdx;
	}
	if (p->halve || p->forced || p->changed)
		ptrace(PTRACE_SETREGS, p->pid, 0, &r);
	p->inside = p->forced = p->halve = p->changed = false;
	call = (struct trace_call){ p->pid, (long)a->orig_rax, { a->rdi,
	    a->rsi, a->rdx, a->r10, a->r8, a->r9 }, (int64_t)r.rax };
	if (m->t->done != NULL)
		m->t->done(m->t->ctx, m->t, &call);
}

/* A stop at a call: its beginning, or its end. */
static void
at_call(struct meddler *m, struct process *p)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, p->pid, sizeof(info), &info) <= 0)
		return;         /* killed meanwhile */
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		p->inside = ptrace(PTRACE_GETREGS, p->pid, 0, &p->asked) == 0;
		if (p->inside)
			enter(m, p);
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT)
		leave(m, p);
}

/* What a process that stopped goes on with: a signal, or none. */
static int
stopped(struct meddler *m, struct process *p, int status)
{
	int sig = WSTOPSIG(status);

	if (sig == (SIGTRAP | 0x80)) {
		at_call(m, p);
		return 0;
	}
	/* forked, executed; and what every new process begins with */
	return status >> 16 != 0 || sig == SIGSTOP || sig == SIGTRAP ? 0 : sig;
}

static pid_t
start(struct trace *t)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		t->exec(t->ctx);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return -1;
	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD |
	    PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
	    PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
	ptrace(PTRACE_SYSCALL, pid, 0, 0);
	return pid;
}

static void
follow(struct meddler *m)
{
	struct trace *t = m->t;
	int status, sig;
	pid_t pid;

	for (;;) {
		pid = waitpid(-1, &status, __WALL);
		if (too_late && !t->hung) {
			t->hung = true;
			kill_all(m);
		}
		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return;
		if (WIFSTOPPED(status)) {
			sig = stopped(m, process_of(m, pid), status);
			ptrace(PTRACE_SYSCALL, pid, 0, sig);
			continue;
		}
		process_of(m, pid)->pid = 0;
		if (pid == t->root)
			t->status = WIFSIGNALED(status) ? -WTERMSIG(status) :
			    WEXITSTATUS(status);
	}
}

void
trace_run(struct trace *t)
{
	struct meddler m = { .t = t };
	struct sigaction sa = { .sa_handler = on_alarm }, was;

	t->hit = t->hung = false;
	t->what[0] = '\0';
	memset(t->fits, 0, sizeof(t->fits));
	fflush(NULL);
	too_late = 0;
	sigaction(SIGALRM, &sa, &was);
	alarm(HUNG);
	t->status = 127;
	if ((t->root = start(t)) > 0) {
		process_of(&m, t->root);
		follow(&m);
	}
	alarm(0);
	sigaction(SIGALRM, &was, NULL);
}

static void
nothing(void *ctx)
{
	(void)ctx;
	_exit(0);
}

bool
trace_works(void)
{
	struct trace t = { .exec = nothing };

	trace_run(&t);
	return t.status == 0;
}

uint64_t
trace_peek(pid_t pid, uint64_t at)
{
	return (uint64_t)ptrace(PTRACE_PEEKDATA, pid, at, 0);
}

#else

bool
trace_works(void)
{
	return false;
}

void
trace_run(struct trace *t)
{
	t->status = 127;
}

uint64_t
trace_peek(pid_t pid, uint64_t at)
{
	(void)pid;
	return at;
}

#endif
