/*
 * tests/daemon/test_helper_processes.c - the helper processes of the sampler
 * (the writer, programs of --pipe): which files and sockets of the process that
 * started them they keep open, what rights they have, and when they end.
 */
#include "tests/lib/service.h"
#include "tests/lib/rig.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of no use and no end, as is what it has started: neither heeds a TERM.  Who
 * runs it and who they are stands in a file then. */
#define SCRIPT "trap '' TERM\nsleep 100000 &\necho $PPID $$ $! >>pids\nwait\n"

/* ---- who there is ---------------------------------------------------------- */

#define MOST 32

struct kin {
	pid_t pid[MOST];
	unsigned n;
};

/* All that descend from a process. */
static void
add_children(struct kin *f, pid_t of)
{
	char path[64];
	int pid;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", of, of);
	if ((in = fopen(path, "r")) == NULL)
		return;
	while (f->n < MOST && fscanf(in, "%d", &pid) == 1) {
		f->pid[f->n++] = pid;
		add_children(f, pid);
	}
	fclose(in);
}

static bool
is_called(pid_t pid, const char *name)
{
	char path[64], comm[32] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	if ((f = fopen(path, "r")) == NULL)
		return false;
	if (fscanf(f, "%31s", comm) != 1)
		comm[0] = '\0';
	fclose(f);
	return strcmp(comm, name) == 0;
}

/* The one of that name among them; 0: none. */
static pid_t
find_called(pid_t of, const char *name)
{
	struct kin f = { .n = 0 };

	add_children(&f, of);
	for (unsigned i = 0; i < f.n; i++)
		if (is_called(f.pid[i], name))
			return f.pid[i];
	return 0;
}

/* What a descriptor is of; "": there is none. */
static const char *
held(pid_t pid, int fd, char link[512])
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
	n = readlink(path, link, 511);
	link[n > 0 ? n : 0] = '\0';
	return link;
}

static bool
holds_nothing_of_its_starters(pid_t pid)
{
	char link[512];

	for (int fd = 0; fd <= 2; fd++)
		if (strcmp(held(pid, fd, link), "/dev/null") != 0)
			return false;
	return true;
}

static bool
proc_has(pid_t pid, const char *file, const char *what)
{
	char path[64], text[4096];
	size_t n;
	FILE *f;

	/* one that has ended has nothing */
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	if ((f = fopen(path, "r")) == NULL)
		return false;
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return strstr(text, what) != NULL;
}

/* ---- in the background ------------------------------------------------------ */

/* As a shell's $(...), or ssh, starts it: its three files are one end of ours. */
static int
start_in_background(const struct scene *s, const char *const *more)
{
	char tallyd[512], dump[512], store[512], pidfile[512];
	const char *argv[40] = { "tallyd", "--root", s->dir, "-o",
	    in_dir(s->dir, "dump.lua", dump), "--store",
	    in_dir(s->dir, "store", store), "--pidfile",
	    in_dir(s->dir, "pid", pidfile), "-b", ENDLESS };
	unsigned n = 15;
	int fd[2], status;
	pid_t pid;

	while (*more != NULL)
		argv[n++] = *more++;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
	if ((pid = fork()) == 0) {
		for (int i = 0; i <= 2; i++)
			dup2(fd[1], i);
		with_shim();
		execv(built("tallyd", tallyd), (char **)(uintptr_t)argv);
		_exit(127);
	}
	close(fd[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return fd[0];
}

static void
in_the_background_nothing_holds_the_pipe_of_who_started_it(void **state)
{
	static const char *const more[][6] = { { NULL },
		{ "--segment", "1h", "--pipe", "cat", NULL } };

	(void)state;
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		struct scene s = scene_begin();
		struct kin f = { .n = 0 };
		char path[512], *text, said[4096];
		int fd = start_in_background(&s, more[i]), status;
		pid_t pid;

		text = file_text(in_dir(s.dir, "pid", path), NULL);
		pid = atoi(text);
		free(text);
		/* the process that was started lets go with the first row */
		wait_until(holds_nothing_of_its_starters(pid));
		add_children(&f, pid);
		assert_int_equal(f.n, i == 0 ? 1 : 3);
		for (unsigned k = 0; k < f.n; k++)
			wait_until(holds_nothing_of_its_starters(f.pid[k]));
		/* so that who reads what it says meets the end, and it goes on */
		while (read(fd, said, sizeof(said)) > 0)
			continue;
		assert_int_equal(kill(pid, SIGTERM), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
		stand_in_same(s.dir, s.before, "at the end");
		close(fd);
		tree_free(s.dir);
		free(s.before);
	}
}

/* ---- the process that writes ------------------------------------------------ */

/* How often it has the folder open. */
static unsigned
folders_of(pid_t pid, const char *dir)
{
	char link[512];
	unsigned n = 0;

	for (int fd = 0; fd < 256; fd++) {
		held(pid, fd, link);
		n += strcmp(link, dir) == 0;
	}
	return n;
}

/* Neither the socket that the group asks by, nor the folder of the dump. */
static void
the_writer_holds_no_socket_that_others_ask_by_and_no_folder(void **state)
{
	char link[512], path[512], *text;
	unsigned long long inode, of_socket = 0;
	char *line;
	pid_t pid, writer;
	struct scene s = service_begin(FIXED, &pid);

	(void)state;
	assert_int_equal(service_reload(&s), 0);
	/* that of the sampler before has ended; one folder is that of the store,
	 * which it removes */
	wait_until((writer = find_called(pid, "tallyd-writer")) != 0 &&
	    find_called(pid, "tallyd-sampler") != 0 &&
	    proc_has(writer, "status", "Seccomp:\t2") &&
	    folders_of(writer, s.dir) == 1);
	text = file_text("/proc/net/unix", NULL);
	in_dir(s.dir, "run/tallyd/tallyd.socket", path);
	for (line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
		if (strstr(line, path) != NULL && sscanf(line,
		    "%*s %*s %*s %*s %*s %*s %llu", &inode) == 1)
			of_socket = inode;
	free(text);
	assert_true(of_socket != 0);
	for (int fd = 0; fd < 256; fd++) {
		held(writer, fd, link);
		if (sscanf(link, "socket:[%llu]", &inode) == 1)
			assert_true(inode != of_socket);
	}
	service_ended(&s, pid);
	scene_end(&s);
}

/* ---- --pipe ------------------------------------------------------------------ */

static void
what_pipe_runs_has_no_capability_and_a_filter(void **state)
{
	struct scene s = scene_begin();
	char path[512], *text;
	pid_t pid, pipe;

	(void)state;
	pid = tallyd_start(s.dir, NULL, ARGS("-q", "-i", "0.001", "--segment",
	    "64K", "--keep-root", "--pipe", "sh -c 'cat /proc/self/status "
	    ">%s.status; unshare -U true 2>>%s.status; true'"));
	tallyd_rows(s.dir, 2);
	wait_until((pipe = find_called(pid, "tallyd-pipe")) != 0);
	wait_until(proc_has(pipe, "status", "Seccomp:\t2"));
	assert_true(proc_has(pipe, "status", "CapPrm:\t0000000000000000"));
	assert_true(proc_has(pipe, "status", "CapEff:\t0000000000000000"));
	assert_true(proc_has(pipe, "status", "NoNewPrivs:\t1"));
	wait_until(scene_files(&s, "dump.000002.lua.status") > 0);
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	text = file_text(in_dir(s.dir, "dump.000001.lua.status", path), NULL);
	assert_non_null(strstr(text, "CapEff:\t0000000000000000"));
	assert_non_null(strstr(text, "Seccomp:\t2"));
	assert_non_null(strstr(text, "Operation not permitted"));
	free(text);
	scene_end(&s);
}

/* Those of a file that the program has written, all of them gone? */
static bool
are_gone(const struct scene *s)
{
	char path[512];
	FILE *f = fopen(in_dir(s->dir, "pids", path), "r");
	bool gone = true;
	unsigned n = 0;
	int pid;

	assert_non_null(f);
	for (; fscanf(f, "%d", &pid) == 1; n++)
		if (kill(pid, 0) == 0) {
			gone = false;
			kill(pid, SIGKILL);
		}
	fclose(f);
	return gone && n >= 3;
}

static void
a_program_that_never_ends_is_ended_and_its_segment_stays(void **state)
{
	struct scene s = scene_begin();

	(void)state;
	tree_text(s.dir, "/endless", SCRIPT);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-q", "-i", "0.001",
	    "--segment", "64K", "-n", "30", "--pipe", "sh endless")), 0);
	assert_true(are_gone(&s));
	assert_true(tallyd_said(s.dir, "it still ran after "));
	assert_true(tallyd_said(s.dir, "dump.000001.lua stays as it is"));
	assert_true(scene_has(&s, "dump.000001.lua"));
	assert_true(scene_has(&s, "dump.000002.lua"));
	/* nobody is left to be waited for */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	scene_end(&s);
}

/* The process that runs it is stopped, so that it does not end by itself, however
 * slow all of this is. */
static void
no_reload_waits_for_a_program_and_nothing_is_left_behind(void **state)
{
	pid_t pid, pipe = 0;
	char path[512];
	FILE *f;
	struct scene s = scene_begin();

	(void)state;
	tree_text(s.dir, "/endless", SCRIPT);
	service_configure(&s, FIXED "option --pipe \"sh endless\"\n");
	pid = tallyd_start(s.dir, SERVICE, ARGS("-q"));
	tallyd_rows(s.dir, 3);
	assert_int_equal(service_reload(&s), 0);
	in_dir(s.dir, "pids", path);
	wait_until((f = fopen(path, "r")) != NULL && (fscanf(f, "%d", &pipe) == 1 ||
	    fclose(f) != 0));
	fclose(f);
	kill(pipe, SIGSTOP);
	for (unsigned i = 0; i < 2; i++)
		if (service_reload(&s) != 0)
			tallyd_failed(s.dir, "a reload beside a program", 1);
	assert_false(service_says(&s, "still ran after"));
	assert_int_equal(kill(pipe, SIGCONT), 0);
	service_ended(&s, pid);
	assert_int_equal(kill(pipe, 0), -1);
	assert_true(are_gone(&s));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_true(scene_has(&s, "dump.000001.lua"));
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    in_the_background_nothing_holds_the_pipe_of_who_started_it),
		cmocka_unit_test(
		    the_writer_holds_no_socket_that_others_ask_by_and_no_folder),
		cmocka_unit_test(what_pipe_runs_has_no_capability_and_a_filter),
		cmocka_unit_test(
		    a_program_that_never_ends_is_ended_and_its_segment_stays),
		cmocka_unit_test(
		    no_reload_waits_for_a_program_and_nothing_is_left_behind),
	};

	/* what a daemon leaves is ours to wait for */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return cmocka_run_group_tests_name("processes beside it", tests, NULL,
	    NULL);
}
