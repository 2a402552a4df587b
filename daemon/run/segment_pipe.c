/*
 * daemon/run/segment_pipe.c - the process that runs --pipe's program.
 */
#include "daemon/run/segments.h"

#include "config/folder.h"
#include "daemon/log.h"
#include "daemon/node/rights.h"
#include "regs/host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define END_NS UINT64_C(2000000000)     /* between a TERM and a KILL */
#define STOP_STEPS 1000         /* of 20 ms: it should have ended by itself */
#define MAX_WORDS 64
#define MAX_CLOSED 65536         /* of descriptors, where close_range is not */

struct piped {
	uint64_t end_s;
	char name[256];
};

/* What the process that pipes dumps to the command (--pipe) knows. */
struct piping {
	const struct save_place *place;
	const char *command;
	int fd;                 /* dumps come here */
	uint64_t end_ns;        /* when all has to be done; 0: no limit */
	bool none;              /* there was no such program, which was said */
};

struct pipe_words {
	char *word[MAX_WORDS + 1];      /* NULL after the last */
	unsigned n;
	char text[8192];
};

/* word = { any but a blank | "'" { any } "'" | '"' { any } '"' | "%s" | "%%" } */
static int
segment_pipe_put_word(struct pipe_words *w, const char **at, size_t *used,
    const char *name)
{
	const char *p = *at;
	char quote = '\0';
	int n;

	for (; *p != '\0' && (quote != '\0' || (*p != ' ' && *p != '\t'));
	    p++) {
		if (*used + strlen(name) + 4 >= sizeof(w->text))
			return -E2BIG;
		if (quote == '\0' ? *p == '\'' || *p == '"' : *p == quote)
			quote = quote == '\0' ? *p : '\0';
		else if (p[0] == '%' && p[1] == 's') {
			n = sprintf(w->text + *used, "%s", name);
			*used += (size_t)n;
			p++;
		} else {
			p += p[0] == '%' && p[1] == '%';
			w->text[(*used)++] = *p;
		}
	}
	w->text[(*used)++] = '\0';
	*at = p;
	return quote == '\0' ? 0 : -EINVAL;
}

static int
segment_pipe_split(struct pipe_words *w, const char *command, const char *name)
{
	size_t used = 0;
	int rc;

	w->n = 0;
	for (const char *p = command;;) {
		p += strspn(p, " \t");
		w->word[w->n] = NULL;
		if (*p == '\0')
			return w->n > 0 ? 0 : -EINVAL;
		if (w->n == MAX_WORDS)
			return -E2BIG;
		w->word[w->n++] = w->text + used;
		if ((rc = segment_pipe_put_word(w, &p, &used, name)) < 0)
			return rc;
	}
}

/* Becomes the program, in the dump's folder; does not return. */
static void
become_program(struct pipe_words *w, const struct save_place *p, int in)
{
	int null = open("/dev/null", O_WRONLY);
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	umask(0777 & ~p->mode);
	if (null >= 0 && fchdir(p->dir) == 0 && dup2(in, 0) == 0 &&
	    dup2(null, 1) == 1)
		execvp(w->word[0], w->word);
	_exit(errno == ENOENT ? 127 : 126);
}

/* Syncs what the program made, a file whose name begins with the dump's, and that name,
 * before the dump is removed.  made: "" where there is none that can be opened.  0, or
 * -errno where the file's bytes may be lost with the node: the dump has to stay. */
static int
find_made(const struct save_place *p, const char *name, char made[256])
{
	int fd = openat(p->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;
	size_t n = strlen(name);
	int file, rc = 0;

	made[0] = '\0';
	while (dir != NULL && (e = readdir(dir)) != NULL)
		if (strncmp(e->d_name, name, n) == 0 && e->d_name[n] == '.' &&
		    strlen(e->d_name) < 256)
			strcpy(made, e->d_name);
	if (dir != NULL)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	if (made[0] == '\0')
		return 0;
	file = openat(p->dir, made, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
	    O_NOCTTY | O_CLOEXEC);
	if (file >= 0) {
		/* a device or a file system may have no fsync, as in save.c */
		if (fsync(file) < 0 && errno != EINVAL && errno != ENOTSUP &&
		    errno != EROFS)
			rc = -errno;
		close(file);
	}
	if (rc < 0) {
		log_warnx("--pipe: %s: it cannot be synced (%s): %s stays as it "
		    "is", made, strerror(-rc), name);
		return rc;
	}
	if ((rc = folder_sync(p->dir)) < 0)
		log_warnx("--pipe: %s: its folder cannot be synced (%s): a "
		    "crash of the node may lose it", made, strerror(-rc));
	if (file < 0)
		made[0] = '\0';
	return 0;
}

/* Waits for the program until a time; true: it has ended.  It is not reaped yet, so that
 * its pid stays its own. */
static bool
ended_by(pid_t pid, uint64_t until)
{
	const struct timespec step = { 0, 50000000 };
	siginfo_t info = { .si_pid = 0 };
	sigset_t chld;

	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    info.si_pid == 0) {
		if (clock_ns(CLOCK_MONOTONIC) >= until)
			return false;
		sigtimedwait(&chld, NULL, &step);
	}
	return true;
}

/* The daemon has ended: sets how long the dumps that are left may take. */
static void
look_at_sender(struct piping *q)
{
	struct pollfd p = { q->fd, 0, 0 };

	if (q->end_ns == 0 && poll(&p, 1, 0) > 0 &&
	    (p.revents & POLLHUP) != 0)
		q->end_ns = clock_ns(CLOCK_MONOTONIC) + PIPE_SECONDS *
		    UINT64_C(1000000000);
}

/* Waits until the program ends; one that takes too long is ended, with what it has
 * started. */
static bool
ended_in_time(struct piping *q, pid_t pid, uint64_t bytes)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), until = now +
	    (PIPE_SECONDS + bytes / 1000000) * UINT64_C(1000000000);
	bool ended = false;

	while (!ended && now < until && (q->end_ns == 0 || now < q->end_ns)) {
		ended = ended_by(pid, now + 100000000);
		look_at_sender(q);
		now = clock_ns(CLOCK_MONOTONIC);
	}
	if (ended)
		return true;
	kill(-pid, SIGTERM);
	ended_by(pid, now + END_NS);
	kill(-pid, SIGKILL);
	/* we are a subreaper: what the program has started is our child now */
	while (waitpid(-pid, NULL, 0) > 0 || errno == EINTR)
		continue;
	return false;
}

static int
start_program(struct piping *q, struct pipe_words *words, const char *name,
    uint64_t *bytes)
{
	const struct save_place *p = q->place;
	int in = openat(p->dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
	    O_NOCTTY | O_CLOEXEC);
	struct stat sb;
	pid_t pid;

	if (in < 0 || fstat(in, &sb) < 0) {
		log_warnx("--pipe: %s: %s", name, strerror(errno));
		if (in >= 0)
			close(in);
		return -1;
	}
	*bytes = (uint64_t)sb.st_size;
	if (segment_pipe_split(words, q->command, name) < 0 ||
	    (pid = fork()) < 0) {
		log_warnx("--pipe: %s: it cannot be run: %s stays as it is",
		    q->command, name);
		close(in);
		return -1;
	}
	if (pid == 0)
		become_program(words, p, in);
	/* in parent and child, as either may come first */
	setpgid(pid, pid);
	close(in);
	return pid;
}

static int
segment_pipe_run_program(struct piping *q, const char *name)
{
	uint64_t begin = clock_ns(CLOCK_MONOTONIC), bytes;
	struct pipe_words words;
	int status = 0;
	pid_t pid;

	look_at_sender(q);
	if (q->end_ns != 0 && begin >= q->end_ns) {
		log_warnx("--pipe: there is no time left: %s stays as it is",
		    name);
		return -1;
	}
	if ((pid = start_program(q, &words, name, &bytes)) < 0)
		return -1;
	if (!ended_in_time(q, pid, bytes)) {
		log_warnx("--pipe: %s: it still ran after %d s, and was "
		    "ended: %s stays as it is", words.word[0],
		    (int)((clock_ns(CLOCK_MONOTONIC) - begin) / 1000000000),
		    name);
		return -1;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		if (!q->none)
			log_warnx("--pipe: %s: there is no such program: %s "
			    "stays as it is, and so do those that follow",
			    words.word[0], name);
		q->none = true;
	} else
		log_warnx("--pipe: %s: it failed (%s %d): %s stays as it is",
		    words.word[0], WIFEXITED(status) ? "status" : "signal",
		    WIFEXITED(status) ? WEXITSTATUS(status) :
		    WTERMSIG(status), name);
	return -1;
}

static void
pipe_one(struct piping *q, const struct amount *keep, struct piped *one)
{
	const struct save_place *p = q->place;
	char made[256];
	struct diag why;

	if (segment_pipe_run_program(q, one->name) == 0 &&
	    find_made(p, one->name, made) == 0) {
		unlinkat(p->dir, one->name, 0);
		strcpy(one->name, made);
	}
	if (keep->kind != AMOUNT_NONE && segment_keep(p, keep, one->name,
	    one->end_s, &why) < 0)
		log_warnx("%s", why.text);
}

static void
close_others(int fd, int dir)
{
	int low = fd < dir ? fd : dir, high = fd < dir ? dir : fd;

#ifdef SYS_close_range
	if (syscall(SYS_close_range, 3, low - 1, 0) == 0 &&
	    (high == low + 1 || syscall(SYS_close_range, low + 1, high - 1,
	    0) == 0) && syscall(SYS_close_range, high + 1, ~0u, 0) == 0)
		return;
#endif
	for (int i = 3; i < MAX_CLOSED; i++)
		if (i != low && i != high)
			close(i);
}

/* Takes dumps until nobody holds the other end of the socket. */
static void
pipe_main(const struct segment_pipe *s, struct piping *q,
    const struct amount *keep)
{
	struct piped one;
	sigset_t chld;

	setpgid(0, 0);
	prctl(PR_SET_NAME, "tallyd-pipe");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	close_others(q->fd, q->place->dir);
	rights_unhurried();
	s->leave(s->ctx);
	/* signals sent to all processes of the daemon's name are meant for the daemon */
	for (int sig = 1; sig < NSIG; sig++)
		if (sig != SIGCHLD)
			signal(sig, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	while (recv(q->fd, &one, sizeof(one), 0) == sizeof(one)) {
		one.name[sizeof(one.name) - 1] = '\0';
		/* processes that programs have left in the background */
		while (waitpid(-1, NULL, WNOHANG) > 0)
			continue;
		pipe_one(q, keep, &one);
	}
	_exit(0);
}

int
segment_pipe_start(struct segment_pipe *s, const char *command,
    const struct save_place *p, const struct amount *keep, struct diag *why)
{
	struct pipe_words words;
	int fd[2];

	s->fd = -1;
	if (segment_pipe_split(&words, command, "x") < 0)
		return diag_set(why, -EINVAL, "--pipe '%s': no command: give "
		    "words with blanks between, and close each quote",
		    command);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return diag_set(why, -errno, "--pipe: %s", strerror(errno));
	if ((s->pid = fork()) == 0)
		pipe_main(s, &(struct piping){ p, command, fd[1], 0, false }, keep);
	close(fd[1]);
	s->fd = fd[0];
	if (s->pid > 0)
		return 0;
	close(fd[0]);
	s->fd = -1;
	return diag_set(why, -EAGAIN, "--pipe: %s", strerror(EAGAIN));
}

int
segment_pipe_put(const struct segment_pipe *s, const char *name,
    uint64_t end_s, bool wait)
{
	struct piped one = { .end_s = end_s };

	snprintf(one.name, sizeof(one.name), "%s", name);
	return send(s->fd, &one, sizeof(one), MSG_NOSIGNAL | (wait ? 0 :
	    MSG_DONTWAIT)) == sizeof(one) ? 0 : -errno;
}

void
segment_pipe_stop(struct segment_pipe *s, bool wait)
{
	const struct timespec step = { 0, 20000000 };

	if (s->fd < 0)
		return;
	close(s->fd);
	s->fd = -1;
	for (unsigned i = 0; wait && i < STOP_STEPS; i++) {
		if (waitpid(s->pid, NULL, WNOHANG) != 0)
			return;
		clock_nanosleep(CLOCK_MONOTONIC, 0, &step, NULL);
	}
	if (wait)
		log_warnx("--pipe: its process does not end");
}

