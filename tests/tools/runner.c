/*
 * tests/tools/runner.c - runs test programs side by side, and prints a line for each,
 * with the seconds that it took and those of CPU that it and its children used; of
 * one that fails all that it said.  Ends with how many tests passed, failed and were
 * skipped, and which were skipped for what.
 *
 *	JOBS=N V=1 runner PROGRAM...
 *
 * JOBS is how many run at once: two a CPU, as many of them wait.  V=1 shows all
 * output.  A program is one of cmocka's, or prints lines "ok NAME", "FAILED NAME"
 * and "SKIPPED NAME: REASON" itself.
 *
 * Each program has a guard, a process that starts it with a TMPDIR of its own and
 * is whom its orphans fall to.  When the program has ended, or the runner is told
 * to stop or is killed, the guard kills every process that is left and removes the
 * folder.  A program that leaves a process or a file behind has failed, if it had not
 * already.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 1000           /* hundredths of a second for what is ending */

struct job {
	const char *program;
	pid_t guard;
	FILE *out;              /* what the program printed */
	struct timespec begun;
};

struct counts {
	unsigned passed, failed, skipped;
	double cpu;             /* seconds */
};

static char dir[4096];          /* a guard's */

/* ---- a guard ---- */

static int
remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path), 0;
}

/* The parent of a process, and its name; 0: it is gone. */
static pid_t
parent_of(pid_t pid, char name[64])
{
	char path[64], line[512], *end;
	pid_t parent = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	if ((f = fopen(path, "r")) == NULL)
		return 0;
	if (fgets(line, sizeof(line), f) != NULL &&
	    (end = strrchr(line, ')')) != NULL) {
		int ppid = 0;

		*end = '\0';
		sscanf(end + 1, " %*c %d", &ppid);
		parent = ppid;
		snprintf(name, 64, "%s", strchr(line, '(') + 1);
	}
	fclose(f);
	return parent;
}

/* With signal 0 they are said, and live: of one that is killed the children are ours
 * from then on, and would be said or not by chance. */
static void
each_child(int sig)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	char name[64];

	while (d != NULL && (e = readdir(d)) != NULL) {
		pid_t pid = atoi(e->d_name);

		if (pid <= 0 || parent_of(pid, name) != getpid())
			continue;
		if (sig == 0)
			printf("FAILED no process is left: %ld %s\n", (long)pid,
			    name);
		kill(pid, sig);
	}
	if (d != NULL)
		closedir(d);
}

/* Kills all that is left, children of children, too; those that end by
 * themselves have some time, where the program ended well.  Returns whether
 * any had to be killed. */
static bool
end_all(bool stopped)
{
	static const struct timespec moment = { 0, 10000000 };
	unsigned looks = 0;
	bool killed = false;
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0) {
		if (pid > 0)
			continue;
		if (stopped || looks++ >= PATIENCE) {
			if (!stopped && !killed)
				each_child(0);
			each_child(SIGKILL);
			killed = true;
		}
		nanosleep(&moment, NULL);
	}
	return killed;
}

/* Removes the folder; returns whether something was in it. */
static bool
clear(bool say)
{
	struct dirent *e;
	bool found = false;
	DIR *d = opendir(dir);

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		found = true;
		if (say)
			printf("FAILED no file is left: %s\n", e->d_name);
	}
	if (d != NULL)
		closedir(d);
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return found;
}

static void
exec_program(const char *program, pid_t guard, const sigset_t *before)
{
	int null = open("/dev/null", O_RDONLY);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != guard)
		_exit(127);
	/* of its own, for who signals his group; no session of its own, as a
	 * group without a parent there cannot be stopped by SIGTSTP */
	setpgid(0, 0);
	setenv("TMPDIR", dir, 1);
	dup2(null, 0);
	close(null);
	sigprocmask(SIG_SETMASK, before, NULL);
	execl(program, program, (char *)NULL);
	fprintf(stderr, "%s: %s\n", program, strerror(errno));
	_exit(127);
}

/* Waits for the program, or for who tells the guard to stop. */
static bool
ended(pid_t program, const sigset_t *told, int *status)
{
	int sig;

	for (;;) {
		pid_t pid;

		while ((pid = waitpid(-1, status, WNOHANG)) > 0)
			if (pid == program)
				return true;
		sigwait(told, &sig);
		if (sig != SIGCHLD)
			return false;
	}
}

static int
guard(const char *program, int out, pid_t runner, const sigset_t *told,
    const sigset_t *before)
{
	const char *tmp = getenv("TMPDIR");
	pid_t me = getpid(), pid;
	bool stopped, dirty;
	int status = 0;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != runner)
		return 1;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	dup2(out, 1);
	dup2(out, 2);
	snprintf(dir, sizeof(dir), "%s/tallyd-run.XXXXXX", tmp != NULL ? tmp :
	    "/tmp");
	if (mkdtemp(dir) == NULL || chmod(dir, 01777) < 0) {
		fprintf(stderr, "%s: %s\n", dir, strerror(errno));
		return 1;
	}
	if ((pid = fork()) == 0)
		exec_program(program, me, before);
	stopped = pid < 0 || !ended(pid, told, &status);
	/* of one that has failed nobody asks what it left: that goes at once */
	dirty = end_all(stopped || status != 0);
	dirty = clear(!stopped && status == 0) || dirty;
	if (fflush(stdout) != 0 || stopped || (dirty && status == 0))
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- the runner ---- */

static bool
begins(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

/* Counts what a program said.  cmocka says twice which failed or were skipped:
 * the first time is inside of a test. */
static struct counts
count(FILE *out, const char *name, FILE *skipped)
{
	struct counts n = { 0 };
	char line[4096], why[8192] = "";
	bool inside = false;

	rewind(out);
	while (fgets(line, sizeof(line), out) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (begins(line, "[ RUN      ] ")) {
			why[0] = '\0';
			inside = true;
		} else if (begins(line, "[       OK ] ") || begins(line, "ok ")) {
			n.passed++;
			inside = false;
		} else if (begins(line, "[  FAILED  ] ")) {
			n.failed += inside;
			inside = false;
		} else if (begins(line, "FAILED ")) {
			n.failed++;
		} else if (begins(line, "[  SKIPPED ] ") && inside) {
			fprintf(skipped, "skipped %s: %s%s%s\n", name,
			    strrchr(line, ' ') + 1, *why != '\0' ? ": " : "",
			    why);
			n.skipped++;
			inside = false;
		} else if (begins(line, "SKIPPED ")) {
			fprintf(skipped, "skipped %s: %s\n", name, line + 8);
			n.skipped++;
		} else if (inside) {
			size_t len = strlen(why);

			if (len + strlen(line) + 2 < sizeof(why))
				sprintf(why + len, "%s%s", len > 0 ? " " : "",
				    line);
		}
	}
	return n;
}

static double
seconds(const struct rusage *used)
{
	return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
	    (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1e6;
}

static struct counts
report(struct job *j, int status, const struct rusage *used, FILE *skipped)
{
	const char *slash = strrchr(j->program, '/');
	const char *name = slash != NULL ? slash + 1 : j->program;
	struct counts n = count(j->out, name, skipped);
	const char *loud = getenv("V");
	struct timespec now;
	int c;

	n.failed += status != 0 && n.failed == 0;       /* it crashed */
	n.cpu = seconds(used);
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%-24s %4u passed", name, n.passed);
	if (n.failed > 0)
		printf(", %u FAILED", n.failed);
	if (n.skipped > 0)
		printf(", %u skipped", n.skipped);
	printf(", %ld s, CPU %.1f s\n", (long)(now.tv_sec - j->begun.tv_sec),
	    n.cpu);
	if (status != 0 || (loud != NULL && loud[0] != '\0')) {
		rewind(j->out);
		while ((c = getc(j->out)) != EOF)
			putchar(c);
	}
	fflush(stdout);
	return n;
}

static void
start(struct job *j, const char *program, const sigset_t *told,
    const sigset_t *before)
{
	int out = memfd_create("out", MFD_CLOEXEC);
	pid_t me = getpid();

	*j = (struct job){ .program = program };
	clock_gettime(CLOCK_MONOTONIC, &j->begun);
	/* guard and program append to the one file */
	if (out < 0 || fcntl(out, F_SETFL, O_APPEND) < 0 ||
	    (j->out = fdopen(out, "r")) == NULL || (j->guard = fork()) < 0) {
		perror("runner");
		exit(1);
	}
	if (j->guard == 0)
		_exit(guard(program, out, me, told, before));
}

static unsigned
most_at_once(void)
{
	const char *said = getenv("JOBS");
	long n = said != NULL ? atol(said) : 0;

	return n > 0 ? (unsigned)n : 2 * (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

/* Tells all guards to stop, and waits for them. */
static void
stop(const struct job *job, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (job[i].guard > 0)
			kill(job[i].guard, SIGTERM);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

/* Takes the guards that have ended; returns how many. */
static unsigned
take(struct job *job, unsigned n, struct counts *all, FILE *skipped)
{
	struct rusage used;
	unsigned taken = 0;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &used)) > 0)
		for (unsigned i = 0; i < n; i++) {
			struct counts c;

			if (job[i].guard != pid)
				continue;
			c = report(&job[i], status, &used, skipped);
			all->passed += c.passed;
			all->failed += c.failed;
			all->skipped += c.skipped;
			all->cpu += c.cpu;
			fclose(job[i].out);
			job[i].guard = 0;
			taken++;
		}
	return taken;
}

int
main(int argc, char **argv)
{
	unsigned most = most_at_once(), running = 0, next = 1;
	struct job *job = calloc(most, sizeof(*job));
	struct counts all = { 0 };
	sigset_t told, before;
	char *words = NULL;
	size_t size;
	FILE *skipped = open_memstream(&words, &size);
	int sig = SIGCHLD;

	if (job == NULL || skipped == NULL)
		return 1;
	sigemptyset(&told);
	sigaddset(&told, SIGCHLD);
	sigaddset(&told, SIGTERM);
	sigaddset(&told, SIGINT);
	sigaddset(&told, SIGHUP);
	sigprocmask(SIG_BLOCK, &told, &before);
	/* orphans of a guard that was killed; they end with this process's own */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	while (next < (unsigned)argc || running > 0) {
		for (unsigned i = 0; i < most && next < (unsigned)argc; i++)
			if (job[i].guard == 0) {
				start(&job[i], argv[next++], &told, &before);
				running++;
			}
		sigwait(&told, &sig);
		if (sig != SIGCHLD) {
			stop(job, most);
			return 1;
		}
		running -= take(job, most, &all, skipped);
	}
	fclose(skipped);
	fputs(words, stdout);
	free(words);
	free(job);
	printf("%u passed, %u failed, %u skipped, CPU %.0f s\n", all.passed,
	    all.failed, all.skipped, all.cpu);
	return all.failed > 0;
}
