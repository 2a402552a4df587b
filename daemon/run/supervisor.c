/*
 * daemon/run/supervisor.c - the process of a service that stays while samplers follow
 * one another, so that the configuration can be read again.
 */
#include "daemon/run/handover.h"

#include "daemon/log.h"
#include "daemon/run/output.h"
#include "daemon/run/session.h"
#include "daemon/run/pidfile.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define ASKERS 8                /* that wait for a reload, at a time */

/* A sampler.  Its socket is closed when both it and the process that writes registers for
 * it have ended. */
struct child {
	pid_t pid;
	int fd;                 /* -1: there is none */
	bool useless;           /* it was ended before it had a row */
	bool begun;             /* it has had a row */
};

/* Callers who are told the result of a reload. */
struct askers {
	int fd[ASKERS];
	unsigned n;
};

struct supervisor {
	const struct options *o;
	int (*sample)(void *ctx, const struct handover *, struct notify *);
	void *ctx;
	struct heritage *shared;
	struct notify notify;
	struct pidfile pidfile;
	struct journal journal;         /* locked as long as we live */
	int control, claim;             /* of the sampler; -1 */
	int ready;
	int signals;                    /* signalfd */
	sigset_t was;                   /* unblocked in a child */
	struct child now, next, before; /* the one that samples, its heir, the one before */
	bool taking;                    /* next has the registers */
	struct askers waiting, asking;
	bool hup;                       /* SIGHUP asks for a reload: nobody is told the result */
	bool ending;
	int late;                       /* a signal that `now` gets if it goes on */
	int status;
};

bool
supervisor_wanted(const struct options *o)
{
	return o->dump.segment.kind != AMOUNT_NONE && !o->node.virtual_time &&
	    o->node.replay == NULL && !launch_wanted(o) &&
	    (o->service.background || getenv("NOTIFY_SOCKET") != NULL);
}

/* ---- who asks -------------------------------------------------------------- */

static void
supervisor_answer(struct askers *a, const char *text)
{
	for (unsigned i = 0; i < a->n; i++) {
		if (send(a->fd[i], text, strlen(text), MSG_DONTWAIT |
		    MSG_NOSIGNAL) < 0)
			log_debug("who asked for a reload has gone");
		close(a->fd[i]);
	}
	a->n = 0;
}

static void
supervisor_refuse(struct askers *a, const char *words)
{
	char text[sizeof(struct diag) + 16];

	snprintf(text, sizeof(text), "error: %s\n", words);
	supervisor_answer(a, text);
}

static void
wait_for_reload(struct supervisor *v, int fd)
{
	struct askers one = { { fd }, 1 };

	if (fd < 0)
		return;
	if (v->ending)
		supervisor_refuse(&one, "this tallyd is about to end");
	else if (v->waiting.n == ASKERS)
		supervisor_refuse(&one, "too many ask for a reload at a time");
	else
		v->waiting.fd[v->waiting.n++] = fd;
}

/* ---- children ---------------------------------------------------------------- */

static void
supervisor_tell(const struct child *c, const char *words)
{
	if (c->fd >= 0)
		handover_send(c->fd, words, NULL, 0);
}

/* Called in a child: closes what belongs to the supervisor and other children. */
static void
supervisor_leave(struct supervisor *v)
{
	const struct askers *of[] = { &v->waiting, &v->asking };
	const struct child *c[] = { &v->now, &v->next, &v->before };

	for (unsigned k = 0; k < 2; k++)
		for (unsigned i = 0; i < of[k]->n; i++)
			close(of[k]->fd[i]);
	for (unsigned i = 0; i < 3; i++)
		if (c[i]->fd >= 0)
			close(c[i]->fd);
	close(v->signals);
	pidfile_leave(&v->pidfile);
}

static _Noreturn void
be_sampler(struct supervisor *v, int fd, pid_t parent, bool heir)
{
	struct handover h = { .fd = fd, .main = parent, .shared = v->shared,
	    .heir = heir, .control = v->control, .claim = v->claim,
	    .journal = v->journal, .first = v->o };
	struct notify through;
	int status;

	supervisor_leave(v);
	prctl(PR_SET_NAME, "tallyd-sampler");
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	sigprocmask(SIG_SETMASK, &v->was, NULL);
	notify_through(&through, &v->notify, fd);
	if (v->notify.fd >= 0)
		close(v->notify.fd);
	status = v->sample(v->ctx, &h, &through);
	fflush(NULL);
	_exit(status);
}

static void
supervisor_give_up(struct child *c)
{
	c->useless = true;
	kill(c->pid, SIGKILL);
}

static int
supervisor_start(struct supervisor *v, struct child *c, bool heir)
{
	pid_t parent = getpid();
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return -errno;
	fflush(NULL);
	c->useless = c->begun = false;
	if ((c->pid = fork()) == 0) {
		close(fd[0]);
		be_sampler(v, fd[1], parent, heir);
	}
	close(fd[1]);
	if (c->pid > 0) {
		c->fd = fd[0];
		return 0;
	}
	close(fd[0]);
	return -EAGAIN;
}

/* A sampler and its writer are gone: returns its exit status. */
static int
reap(struct child *c)
{
	int status = 0;

	close(c->fd);
	c->fd = -1;
	while (waitpid(c->pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	/* end an heir that is not needed any more */
	if (WTERMSIG(status) == SIGKILL && c->useless)
		return 1;
	log_warnx("the sampler was ended by signal %d (%s)", WTERMSIG(status),
	    strsignal(WTERMSIG(status)));
	return 1;
}

/* Processes that a sampler leaves become our children: the one that writes registers, one
 * that writes a dump, --pipe's. */
static void
reap_left(const struct supervisor *v)
{
	const struct child *c[] = { &v->now, &v->next, &v->before };
	siginfo_t info = { .si_pid = 0 };

	while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    info.si_pid != 0) {
		for (unsigned i = 0; i < 3; i++)
			if (c[i]->fd >= 0 && c[i]->pid == info.si_pid)
				return;
		waitpid(info.si_pid, NULL, 0);
		info.si_pid = 0;
	}
}

/* ---- a reload ------------------------------------------------------------------ */

static void
supervisor_begin(struct supervisor *v)
{
	int rc;

	v->asking = v->waiting;
	v->waiting.n = 0;
	v->hup = v->taking = false;
	v->shared->why.text[0] = '\0';
	notify_reloading(&v->notify);
	if ((rc = supervisor_start(v, &v->next, true)) == 0)
		return;
	supervisor_refuse(&v->asking, strerror(-rc));
	notify_ready(&v->notify);
}

/* The heir has ended before it took over: the reload failed. */
static void
not_begun(struct supervisor *v)
{
	struct diag own;
	const char *why;

	reap(&v->next);
	store_forget(v->next.pid, v->o->service.store, v->shared->segments);
	why = heritage_why(v->shared, &own);
	log_warnx("the configuration was not taken: sampling goes on with the "
	    "one before");
	supervisor_refuse(&v->asking,
	    why[0] != '\0' ? why : "the sampler that was to "
	    "follow has died: the log may say why");
	supervisor_tell(&v->now, "go on");
	if (v->late != 0 && v->now.fd >= 0)
		kill(v->now.pid, v->late);
	v->late = 0;
	v->taking = false;
	notify_ready(&v->notify);
}

static void
begun(struct supervisor *v)
{
	supervisor_tell(&v->now, "done");
	v->before = v->now;
	v->now = v->next;
	v->next.fd = -1;
	v->taking = false;
	v->late = 0;
	if (v->before.fd < 0)
		supervisor_tell(&v->now, "alone");
	log_info("the configuration was read again");
	supervisor_answer(&v->asking, "ok\n");
	notify_ready(&v->notify);
}

/* ---- messages of the children ------------------------------------------------------ */

static void
supervisor_keep(int *fd, int given)
{
	if (*fd >= 0)
		close(*fd);
	*fd = given;
}

static void
keep_journal(struct supervisor *v, int fd[2])
{
	/* a simulated node has none, or one that was named */
	static const struct access_ops real = { .name = "a node" };
	struct access acc = { .ops = &real };
	struct journal *j = &v->journal;

	supervisor_keep(&j->fd, fd[0]);
	supervisor_keep(&j->dir, fd[1]);
	fd[0] = fd[1] = -1;
	journal_place(v->o, &acc, j->path, sizeof(j->path));
}

/* Takes "begun", and the descriptors that come with it. */
static void
supervisor_first_row(struct supervisor *v, struct child *c, const char *with,
    int fd[2])
{
	unsigned n = 0;

	c->begun = true;
	supervisor_keep(&v->control, *with == 'c' ? fd[n++] : -1);
	with += *with == 'c';
	supervisor_keep(&v->claim, *with == 'o' ? fd[n++] : -1);
	fd[0] = fd[1] = -1;
	if (c == &v->next) {
		begun(v);
		return;
	}
	notify_ready(&v->notify);
	if (v->o->service.background)
		log_to_syslog();
}

static void
supervisor_said(struct supervisor *v, struct child *c, const char *words,
    int fd[2])
{
	bool present = c == &v->now;

	/* once: later an attacker may have taken over the sampler */
	if (strcmp(words, "journal") == 0 && v->journal.fd < 0 && !c->begun)
		keep_journal(v, fd);
	else if (strncmp(words, "begun", 5) == 0 && !c->begun)
		supervisor_first_row(v, c, words + 5, fd);
	else if (strcmp(words, "asked") == 0) {
		wait_for_reload(v, fd[0]);
		fd[0] = -1;
	} else if (strcmp(words, "ready") == 0 && c == &v->next) {
		if (!v->ending)
			supervisor_tell(&v->now, "give");
	} else if (strcmp(words, "given") == 0 && present) {
		v->taking = v->next.fd >= 0;
		supervisor_tell(v->taking ? &v->next : &v->now,
		    v->taking ? "take" : "go on");
	} else if (strcmp(words, "kept") == 0 && present && v->next.fd >= 0)
		supervisor_give_up(&v->next);
	else if (present)
		notify_words(&v->notify, words);
}

static void
gone(struct supervisor *v, struct child *c)
{
	if (c == &v->next) {
		not_begun(v);
		return;
	}
	if (c == &v->before) {
		reap(c);
		supervisor_tell(&v->now, "alone");
		return;
	}
	v->status = reap(c);
	if (v->next.fd < 0)
		return;
	/* an heir that is taking over has what this sampler gave; an earlier one has
	 * nothing, and is given up */
	if (!v->taking)
		supervisor_give_up(&v->next);
}

static void
supervisor_hear(struct supervisor *v, struct child *c)
{
	char words[HANDOVER_WORDS];
	int fd[2], rc = handover_receive(c->fd, words, fd, false);

	if (rc < 0)
		gone(v, c);
	else if (rc > 0)
		supervisor_said(v, c, words, fd);
	for (unsigned i = 0; i < 2; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

/* ---- signals -------------------------------------------------------------------- */

/* Takes all signals but those that a terminal or the kernel sends. */
static void
block_signals(struct supervisor *v)
{
	static const int ours[] = { SIGKILL, SIGSTOP, SIGCHLD, SIGTSTP, SIGTTIN,
	    SIGTTOU, SIGURG, SIGWINCH, SIGSEGV, SIGBUS, SIGILL, SIGFPE,
	    SIGTRAP, SIGSYS };
	struct sigaction hup;
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	sigfillset(&set);
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		sigdelset(&set, ours[i]);
	/* nohup */
	if (sigaction(SIGHUP, NULL, &hup) == 0 && hup.sa_handler == SIG_IGN)
		sigdelset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &v->was);
	v->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool
supervisor_goes_on(int sig)
{
	return sig == SIGUSR1 || sig == SIGUSR2 || sig == SIGXCPU;
}

static void
supervisor_pass_on(struct supervisor *v, int sig)
{
	v->ending |= !supervisor_goes_on(sig);
	if (v->next.fd >= 0 && v->taking) {
		kill(v->next.pid, sig);
		if (v->ending)
			v->late = sig;
		return;
	}
	if (v->next.fd >= 0 && v->ending)
		supervisor_give_up(&v->next);
	if (v->now.fd >= 0)
		kill(v->now.pid, sig);
}

static void
hear_signal(struct supervisor *v)
{
	struct signalfd_siginfo info;

	if (read(v->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGHUP)
		v->hup = !v->ending;
	else if (v->now.fd >= 0 || v->next.fd >= 0)
		supervisor_pass_on(v, (int)info.ssi_signo);
}

/* ---- all of it -------------------------------------------------------------------- */

static void
supervisor_turn(struct supervisor *v)
{
	struct child *c[] = { &v->now, &v->next, &v->before };
	struct pollfd p[] = { { v->signals, POLLIN, 0 },
	    { v->now.fd, POLLIN, 0 }, { v->next.fd, POLLIN, 0 },
	    { v->before.fd, POLLIN, 0 } };

	if (v->next.fd < 0 && v->before.fd < 0 && !v->ending &&
	    (v->hup || v->waiting.n > 0)) {
		supervisor_begin(v);
		return;
	}
	if (poll(p, 4, -1) < 0)
		return;
	reap_left(v);
	if (p[0].revents != 0)
		hear_signal(v);
	for (unsigned i = 0; i < 3; i++)
		/* now, next and before may have changed places */
		if (p[1 + i].revents != 0 && c[i]->fd == p[1 + i].fd) {
			supervisor_hear(v, c[i]);
			return;
		}
}

static int
supervisor_set_up(struct supervisor *v, struct diag *why)
{
	void *shared = mmap(NULL, sizeof(*v->shared), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return diag_set(why, -ENOMEM, "out of memory");
	v->shared = shared;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	block_signals(v);
	if (v->signals < 0)
		return diag_set(why, -errno, "signalfd: %s", strerror(errno));
	notify_open(&v->notify);
	return v->o->service.pidfile == NULL ? 0 : pidfile_take(&v->pidfile,
	    v->o->service.pidfile, why);
}

int
supervisor_run(const struct options *o, int ready, int (*sample)(void *ctx,
    const struct handover *, struct notify *), void *ctx)
{
	struct supervisor v = { .o = o, .sample = sample, .ctx = ctx,
	    .journal = { .fd = -1, .dir = -1 }, .control = -1, .claim = -1,
	    .pidfile = { .fd = -1 }, .signals = -1, .now = { .fd = -1 },
	    .next = { .fd = -1 }, .before = { .fd = -1 }, .status = 1 };
	struct diag why;

	if (supervisor_set_up(&v, &why) < 0)
		log_warnx("%s", why.text);
	else if (supervisor_start(&v, &v.now, false) < 0)
		log_warnx("cannot start a sampler");
	if (ready >= 0)
		close(ready);
	while (v.now.fd >= 0 || v.next.fd >= 0 || v.before.fd >= 0)
		supervisor_turn(&v);
	supervisor_refuse(&v.waiting, "this tallyd has ended");
	while (wait(NULL) > 0 || errno == EINTR)
		continue;
	journal_drop(&v.journal);
	pidfile_remove(&v.pidfile);
	return v.status;
}
