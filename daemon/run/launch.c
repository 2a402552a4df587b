/*
 * daemon/run/launch.c - sampling for as long as a process lives.
 */
#include "daemon/run/session.h"

#include "config/folder.h"
#include "config/lang/statements.h"
#include "daemon/log.h"
#include "daemon/node/rights.h"
#include "daemon/run/segments.h"
#include "lib/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the sampler tells its parent: "FIRST LAST PATH", the numbers of its segments and
 * the dump that was asked for; "0 0 PATH": that is the only one; "": there is none. */
#define LAUNCH_DUMPED 4200

static volatile sig_atomic_t program;   /* its pid; 0: there is none */

/* ---- what tally prints of the dumps of a program that was run */

struct report_words {
	char **word;            /* [n], and NULL */
	size_t n;
};

/* Appends a word; false: out of memory. */
static bool
launch_report_add(struct report_words *w, const char *folder, size_t n,
    const char *name)
{
	char **p = reallocarray(w->word, w->n + 2, sizeof(*p));

	if (p == NULL)
		return false;
	w->word = p;
	p[w->n + 1] = NULL;
	if ((p[w->n] = malloc(n + strlen(name) + 1)) == NULL)
		return false;
	memcpy(p[w->n], folder, n);
	strcpy(p[w->n++] + n, name);
	return true;
}

/* Appends the segments of a folder whose numbers are in the range. */
static bool
add_segments(struct report_words *w, const char *path, uint64_t first, uint64_t last)
{
	size_t n = (size_t)(folder_name(path) - path);
	struct save_place place = { .dir = -1 };
	const struct dirent *e;
	char folder[4096];
	bool ok = true;
	uint64_t number;
	DIR *dir;

	snprintf(place.name, sizeof(place.name), "%s", folder_name(path));
	snprintf(folder, sizeof(folder), "%.*s", n > 0 ? (int)n : 1, n > 0 ?
	    path : ".");
	if ((dir = opendir(folder)) == NULL)
		return errno != ENOMEM;
	while (ok && (e = readdir(dir)) != NULL) {
		number = segment_number(&place, e->d_name);
		if (number >= first && number <= last)
			ok = launch_report_add(w, path, n, e->d_name);
	}
	closedir(dir);
	return ok;
}

static void
launch_report(const struct run_report *report, const char *said)
{
	struct report_words w = { .n = 0 };
	uint64_t first, last;
	bool ok;
	int at;

	if (sscanf(said, "%" SCNu64 " %" SCNu64 " %n", &first, &last, &at) != 2)
		return;
	ok = launch_report_add(&w, "", 0, "") &&
	    launch_report_add(&w, "", 0, report != NULL ?
	    report->command : "report") && (report == NULL ||
	    report->option == NULL ||
	    launch_report_add(&w, "", 0, report->option)) &&
	    launch_report_add(&w, "", 0, "--");
	if (ok && first == 0)
		ok = launch_report_add(&w, "", 0, said + at);
	else if (ok)
		ok = add_segments(&w, said + at, first, last);
	if (!ok)
		log_warnx("no report: out of memory");
	else if (strcmp(w.word[w.n - 1], "--") != 0) {
		free(w.word[0]);
		caller_report(w.word);
		w.word[0] = NULL;
	}
	for (size_t i = 0; i < w.n; i++)
		free(w.word[i]);
	free(w.word);
}

/* ---- the program and its sampler */

/* Passes a signal on to the program. */
static void
launch_pass_on(int sig)
{
	if (program > 0)
		kill(program, sig);
}

bool
launch_wanted(const struct options *o)
{
	return o->program != NULL || o->pid > 0;
}

/* Sets a mark with the program's name, in characters that a mark can have. */
static void
launch_mark(struct session *s, const char *what, bool last)
{
	char text[MARK_WORDS + 1];
	struct stamp now;
	struct diag why;
	size_t n;

	if (s->o->program == NULL)
		return;
	n = (size_t)snprintf(text, sizeof(text), "program=%.200s",
	    folder_name(s->o->program[0]));
	for (char *p = text + strlen("program="); *p != '\0'; p++)
		if (mark_words_check((char[]){ 'x', *p, 'x', '\0' }, NULL) < 0 ||
		    *p == ' ')
			*p = '_';
	snprintf(text + n, sizeof(text) - n, " %s", what);
	access_now(s->node.acc, &now);
	if ((last ? mark_notes_last : mark_notes_set)(&s->marks, s->store, text,
	    now.real_ns, &why) < 0)
		log_warnx("%s", why.text);
}

void
launch_begun(struct session *s)
{
	launch_mark(s, "begin", false);
}

void
launch_ended(struct session *s)
{
	launch_mark(s, "end", true);
}

void
launch_dumped(struct session *s, const char *path)
{
	char line[LAUNCH_DUMPED];
	uint64_t first, last;
	int n;

	if (s->dumped < 0)
		return;
	if (!segments_range(&s->segments, &first, &last))
		first = last = 0;
	else
		path = s->output.place.path;
	n = snprintf(line, sizeof(line), "%" PRIu64 " %" PRIu64 " %s", first,
	    last, path);
	if (write(s->dumped, line, (size_t)n) < 0)
		log_warn("the report");
}

/* A descriptor of a process that is not our child, since its pid may be given to another;
 * -1 before Linux 5.3; -ESRCH. */
static int
hold_process(pid_t pid)
{
	int fd = -1;

	if (kill(pid, 0) < 0 && errno == ESRCH)
		return -ESRCH;
#ifdef SYS_pidfd_open
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0 && errno == ESRCH)
		return -ESRCH;
#endif
	return fd;
}

/* Waits until a process ends. */
static void
wait_for(pid_t pid, int held)
{
	struct pollfd p = { .fd = held, .events = POLLIN };

	while (p.fd >= 0 && poll(&p, 1, -1) < 0 && errno == EINTR)
		continue;
	/* before Linux 5.3 */
	while (p.fd < 0 && (kill(pid, 0) == 0 || errno == EPERM))
		nap(100);
}

static int
status_of(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
	    WEXITSTATUS(status);
}

static int
run_program(const struct options *o)
{
	struct sigaction pass = { .sa_handler = launch_pass_on };
	sigset_t set;
	pid_t pid;

	fflush(NULL);
	if ((pid = fork()) == 0)
		_exit(caller_exec(o->program));
	if (pid < 0) {
		log_warn("%s", o->program[0]);
		return 126;
	}
	program = pid;
	/* the terminal sends ^C to the program, too */
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	sigaction(SIGTERM, &pass, NULL);
	sigaction(SIGHUP, &pass, NULL);
	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	return status_of(pid);
}

/* The work of the parent once the sampler has begun. */
static int
see_it_through(const struct session *s, pid_t sampler, int dumped, int held)
{
	const struct options *o = s->o;
	char line[LAUNCH_DUMPED];
	int status = 0, ended;
	ssize_t n;

	if (o->program != NULL)
		status = run_program(o);
	else
		wait_for(o->pid, held);
	program = 0;
	kill(sampler, SIGTERM);
	ended = status_of(sampler);
	n = read(dumped, line, sizeof(line) - 1);
	line[n > 0 ? n : 0] = '\0';
	if (o->program != NULL)
		launch_report(s->node.config.report, line);
	return o->program != NULL || ended == 0 ? status : ended;
}

int
launch_fork(struct session *s)
{
	int ready[2], dumped[2], status, held = -1;
	pid_t parent = getpid(), pid;
	char c;

	if (s->o->pid > 0 && (held = hold_process(s->o->pid)) == -ESRCH) {
		log_warnx("--pid %d: there is no such process", s->o->pid);
		return 1;
	}
	if (pipe2(ready, O_CLOEXEC) < 0 || pipe2(dumped, O_CLOEXEC) < 0 ||
	    (fflush(NULL), pid = fork()) < 0) {
		log_warn("cannot start a sampler");
		return 1;
	}
	if (pid == 0) {
		close(ready[0]);
		close(dumped[0]);
		if (held >= 0)
			close(held);
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(1);
		s->ready = ready[1];
		s->dumped = dumped[1];
		return -1;
	}
	close(ready[1]);
	close(dumped[1]);
	/* the lock of the journal is the child's now */
	if (s->journal.fd >= 0)
		close(s->journal.fd);
	s->journal.fd = -1;
	if (read(ready[0], &c, 1) == 1)
		return see_it_through(s, pid, dumped[0], held);
	/* the child ended before its first row, and has said why */
	status = status_of(pid);
	return status != 0 ? status : 1;
}
