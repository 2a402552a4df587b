/*
 * tests/daemon/test_rights.c - what each process of a sampling daemon holds, and what
 * others of its user may do to it: the rows of doc/security.md.
 */
#include "config/dump/store.h"
#include "daemon/node/rights.h"
#include "daemon/run/output.h"
#include "daemon/run/pidfile.h"
#include "tests/lib/files.h"
#include "tests/lib/scene.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

/* Does a file of /proc/PID have that? */
static bool
proc_has(pid_t pid, const char *file, const char *what)
{
	char path[64], text[16384];
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	if ((f = fopen(path, "r")) == NULL)
		fail_msg("%s: %s", path, strerror(errno));
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return strstr(text, what) != NULL;
}

static void
proc_must(pid_t pid, const char *file, const char *what)
{
	if (!proc_has(pid, file, what))
		fail_msg("no \"%s\" in /proc/%d/%s", what, pid, file);
}

/* The only child of a sampler. */
static pid_t
writer_of(pid_t sampler)
{
	char path[64];
	int pid = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", sampler,
	    sampler);
	if ((f = fopen(path, "r")) == NULL || fscanf(f, "%d", &pid) != 1)
		fail_msg("%s: no writer", path);
	fclose(f);
	proc_must(pid, "comm", "tallyd-writer");
	return pid;
}

/* What both have given up. */
static void
has_given_up(pid_t pid)
{
	proc_must(pid, "status", "CapInh:\t0000000000000000\n");
	proc_must(pid, "status", "CapBnd:\t0000000000000000\n");
	proc_must(pid, "status", "CapAmb:\t0000000000000000\n");
	proc_must(pid, "status", "NoNewPrivs:\t1\n");
	proc_must(pid, "status", "Seccomp:\t2\n");
	proc_must(pid, "limits", "Max core file size        0      "
	    "              0  ");
}

static void
end(struct scene *s, pid_t pid)
{
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	assert_false(scene_has(s, "run/tallyd.journal"));
	scene_end(s);
}

static void
as_root_the_sampler_keeps_what_its_dump_needs_and_the_writer_nothing(
    void **state)
{
	struct scene s;
	pid_t pid, writer;

	(void)state;
	if (geteuid() != 0)
		skip();
	s = scene_begin();
	pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--keep-root"));
	tallyd_rows(s.dir, 1);
	writer = writer_of(pid);
	has_given_up(pid);
	has_given_up(writer);
	proc_must(pid, "status", "Uid:\t0\t0\t0\t0\n");
	/* CAP_CHOWN 0, CAP_DAC_OVERRIDE 1, CAP_FOWNER 3 */
	proc_must(pid, "status", "CapPrm:\t000000000000000b\n");
	proc_must(pid, "status", "CapEff:\t000000000000000b\n");
	proc_must(writer, "status", "Uid:\t0\t0\t0\t0\n");
	proc_must(writer, "status", "CapPrm:\t0000000000000000\n");
	end(&s, pid);
}

/* A folder of nobody's in the node's directory, for the dump. */
static const char *
out_of_nobody(const struct scene *s, char path[512])
{
	in_dir(s->dir, "out", path);
	assert_int_equal(chmod(s->dir, 0755), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(chown(path, NOBODY, NOBODY), 0);
	strcat(path, "/dump.lua");
	return path;
}

static bool
refused(long rc, int why)
{
	return rc == -1 && errno == why;
}

/* What the sampler's user tries, in a process of its own; the number of the
 * first that it may, or 0. */
static int
attack(pid_t sampler, pid_t writer, const char *store)
{
	char path[64];

	if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
		return 99;
	if (!refused(kill(writer, SIGKILL), EPERM))
		return 1;
	if (!refused(ptrace(PTRACE_ATTACH, sampler, NULL, NULL), EPERM))
		return 2;
	if (!refused(ptrace(PTRACE_ATTACH, writer, NULL, NULL), EPERM))
		return 3;
	snprintf(path, sizeof(path), "/proc/%d/mem", sampler);
	if (!refused(open(path, O_RDWR), EACCES))
		return 4;
	snprintf(path, sizeof(path), "/proc/%d/fd/0", sampler);
	if (!refused(open(path, O_RDONLY), EACCES))
		return 5;
	if (!refused(open(store, O_RDWR), EACCES))
		return 6;
	/* but its group may read, and its user stop it */
	return open(store, O_RDONLY) < 0 ? 7 : kill(sampler, SIGTERM) < 0 ? 8 :
	    0;
}

static void
its_user_may_read_the_store_and_stop_it_and_no_more(void **state)
{
	char out[520], store[512];
	struct stat sb;
	struct scene s;
	pid_t pid, writer, child;
	int status;

	(void)state;
	if (geteuid() != 0)
		skip();
	s = scene_begin();
	out_of_nobody(&s, out);
	pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--user", "nobody", "-o",
	    out));
	tallyd_rows(s.dir, 1);
	writer = writer_of(pid);
	has_given_up(pid);
	has_given_up(writer);
	proc_must(pid, "status", "Uid:\t65534\t65534\t65534\t65534\n");
	proc_must(pid, "status", "Groups:\t \n");
	proc_must(pid, "status", "CapPrm:\t0000000000000000\n");
	proc_must(writer, "status", "Uid:\t0\t0\t0\t0\n");
	in_dir(s.dir, "store", store);
	assert_int_equal(stat(store, &sb), 0);
	assert_int_equal(sb.st_uid, 0);
	assert_int_equal(sb.st_gid, NOBODY);
	assert_int_equal(sb.st_mode & 07777, 0640);
	if ((child = fork()) == 0)
		_exit(attack(pid, writer, store));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(tallyd_wait(pid), 0);
	assert_int_equal(stat(out, &sb), 0);
	assert_int_equal(sb.st_uid, NOBODY);
	assert_int_equal(sb.st_mode & 07777, 0640);
	scene_end(&s);
}

/* /etc/passwd with that line, too, for this process and its children; false
 * where that needs rights that nobody here has. */
static bool
passwd_with(const char *dir, const char *line)
{
	char path[512], *text = file_text("/etc/passwd", NULL);
	FILE *f = fopen(in_dir(dir, "passwd", path), "w");
	bool done;

	assert_non_null(f);
	fprintf(f, "%s%s", text, line);
	fclose(f);
	free(text);
	done = unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC |
	    MS_PRIVATE, NULL) == 0 && mount(path, "/etc/passwd", NULL, MS_BIND,
	    NULL) == 0;
	assert_int_equal(unlink(path), 0);
	return done;
}

static void
a_daemon_of_roots_becomes_the_system_user_where_there_is_one(void **state)
{
	char out[520];
	struct scene s;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	s = scene_begin();
	out_of_nobody(&s, out);
	if (!passwd_with(s.dir, "tallyd:x:65534:65534::/:/bin/false\n")) {
		scene_end(&s);
		skip();
	}
	unsetenv("SUDO_UID");
	pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "-o", out));
	tallyd_rows(s.dir, 1);
	proc_must(pid, "status", "Uid:\t65534\t65534\t65534\t65534\n");
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	/* unless root is to be kept */
	pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--keep-root"));
	tallyd_rows(s.dir, 1);
	proc_must(pid, "status", "Uid:\t0\t0\t0\t0\n");
	umount2("/etc/passwd", MNT_DETACH);
	end(&s, pid);
}

static void
with_share_anybody_may_read_the_store(void **state)
{
	char store[512];
	struct stat sb;
	struct scene s = scene_begin();
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--share",
	    "--keep-root"));

	(void)state;
	tallyd_rows(s.dir, 1);
	assert_int_equal(stat(in_dir(s.dir, "store", store), &sb), 0);
	assert_int_equal(sb.st_mode & 07777, 0644);
	end(&s, pid);
}

/* A filter's refusal is a signal, which the writer's mask must not hold up: the
 * kernel kills who blocks it, and registers would stay changed. */
static void
a_call_that_is_refused_fails_where_all_signals_are_blocked_too(void **state)
{
	int status, last;
	sigset_t all;
	pid_t pid;

	(void)state;
	if ((pid = fork()) == 0) {
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
		if (open("/dev/null", O_WRONLY) < 0 ||
		    dup2(open("/dev/null", O_WRONLY), 2) < 0 ||
		    filter_install(FILTER_WRITE) == -ENOSYS)
			_exit(77);
		_exit(syscall(SYS_setuid, 0) == -1 && errno == EPERM &&
		    filter_refused(&last) == 1 && last == SYS_setuid ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* syslog's socket is one of this node; no other is opened. */
static void
the_sampler_opens_no_socket_to_other_nodes(void **state)
{
	int status, last;
	pid_t pid;

	(void)state;
	if ((pid = fork()) == 0) {
		dup2(open("/dev/null", O_WRONLY), 2);
		if (filter_install(FILTER_SAMPLE) == -ENOSYS)
			_exit(77);
		_exit(refused(socket(AF_INET, SOCK_STREAM, 0), EPERM) &&
		    refused(socket(AF_NETLINK, SOCK_RAW, 0), EPERM) &&
		    filter_refused(&last) == 2 && last == SYS_socket &&
		    socket(AF_UNIX, SOCK_DGRAM, 0) >= 0 &&
		    getppid() == -1 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* What is said of a file there, to who runs as euid. */
static bool
left_is_told(const char *path, int euid, int owner)
{
	char said[8192];
	int fd[2], status;
	ssize_t n;
	pid_t pid;

	assert_int_equal(pipe(fd), 0);
	if ((pid = fork()) == 0) {
		dup2(fd[1], STDERR_FILENO);
		if (seteuid((uid_t)euid) < 0)
			_exit(1);
		store_left(&(struct owner){ .uid = owner, .gid = -1 }, NULL);
		_exit(0);
	}
	close(fd[1]);
	n = read(fd[0], said, sizeof(said) - 1);
	close(fd[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	said[n > 0 ? n : 0] = '\0';
	return strstr(said, path) != NULL;
}

static void
a_store_that_was_left_is_told_to_whom_it_may_concern(void **state)
{
	static const struct { int line; unsigned file; int euid, owner; bool told; }
	    t[] = {
		{ __LINE__, 0, 0, -1, true },
		{ __LINE__, 0, NOBODY, -1, true },
		{ __LINE__, NOBODY, NOBODY, -1, true },
		{ __LINE__, NOBODY, 0, -1, false },
		{ __LINE__, NOBODY, 0, NOBODY, true },
	};
	char path[64];
	int fd;

	(void)state;
	if (geteuid() != 0)
		skip();
	snprintf(path, sizeof(path), "/dev/shm/tallyd-%d-left.store", getpid());
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0644);
	assert_true(fd >= 0);
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		assert_int_equal(fchown(fd, t[i].file, (gid_t)-1), 0);
		if (left_is_told(path, t[i].euid, t[i].owner) != t[i].told)
			fail_msg("line %d", t[i].line);
	}
	/* its daemon is alive */
	store_lock(fd, STORE_HELD, true);
	assert_false(left_is_told(path, 0, NOBODY));
	close(fd);
	assert_true(left_is_told(path, 0, NOBODY));
	unlink(path);
}

static void
who_may_read_a_pidfile_is_the_umasks_affair(void **state)
{
	static const struct { unsigned umask, mode; } t[] = {
		{ 0, 0644 }, { 022, 0644 }, { 027, 0640 }, { 077, 0600 },
	};
	char *dir = tree_new(), path[512];
	mode_t was = umask(0);
	struct pidfile p;
	struct stat sb;
	struct diag why;

	(void)state;
	in_dir(dir, "pid", path);
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		umask(t[i].umask);
		assert_int_equal(pidfile_take(&p, path, &why), 0);
		assert_int_equal(stat(path, &sb), 0);
		assert_int_equal(sb.st_mode, S_IFREG | t[i].mode);
		pidfile_remove(&p);
		assert_int_equal(access(path, F_OK), -1);
	}
	umask(was);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
as_root_the_sampler_keeps_what_its_dump_needs_and_the_writer_nothing),
		cmocka_unit_test(
		    its_user_may_read_the_store_and_stop_it_and_no_more),
		cmocka_unit_test(
		    a_daemon_of_roots_becomes_the_system_user_where_there_is_one),
		cmocka_unit_test(with_share_anybody_may_read_the_store),
		cmocka_unit_test(
a_call_that_is_refused_fails_where_all_signals_are_blocked_too),
		cmocka_unit_test(the_sampler_opens_no_socket_to_other_nodes),
		cmocka_unit_test(who_may_read_a_pidfile_is_the_umasks_affair),
		cmocka_unit_test(
		    a_store_that_was_left_is_told_to_whom_it_may_concern),
	};

	return cmocka_run_group_tests_name("rights", tests, NULL, NULL);
}
