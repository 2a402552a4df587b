/*
 * tests/programs/test_runner.c - the runner of tests: what a program leaves, or what is
 * there when the runner is stopped or killed, is no longer there afterwards.
 */
#include "tests/lib/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A daemon that ignores SIGTERM, in a session of its own, and a file; their
 * process ids in FOLDER.pids, which is beside the folder that the runner gets. */
#define LEAVES \
	"#!/bin/sh\n" \
	"echo precious >\"$TMPDIR/file\"\n" \
	"setsid sh -c 'trap \"\" TERM HUP; echo $$ >>\"$0\"; sleep 1000 & " \
	"echo $! >>\"$0\"; wait' \"${0%/*}/pids\" &\n" \
	"while [ \"$(wc -l <\"${0%/*}/pids\" 2>/dev/null)\" != 2 ]; do " \
	"sleep 0.01; done\n" \
	"echo ok it has begun\n" \
	"touch \"${0%/*}/begun\"\n"

struct run {
	char *dir;              /* a script, its pids, tmp/, what was printed */
	pid_t pid;
};

static const char *
in(const struct run *r, const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", r->dir, name);
	return path;
}

/* The runner, of a program with these lines behind the others. */
static struct run
runner_begin(const char *more)
{
	struct run r = { .dir = tree_new() };
	char path[512], script[1200], program[300];

	snprintf(script, sizeof(script), "%s%s\n", LEAVES, more);
	tree_text(r.dir, "/program", script);
	assert_int_equal(chmod(in(&r, "program"), 0755), 0);
	assert_int_equal(mkdir(in(&r, "tmp"), 0755), 0);
	snprintf(program, sizeof(program), "%s/program", r.dir);
	built("tests/runner", path);
	if ((r.pid = fork()) == 0) {
		int out = open(in(&r, "out"), O_WRONLY | O_CREAT | O_CLOEXEC,
		    0644);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(out, 1);
		dup2(out, 2);
		setenv("TMPDIR", in(&r, "tmp"), 1);
		execl(path, path, program, (char *)NULL);
		_exit(127);
	}
	return r;
}

static int
runner_status(const struct run *r)
{
	int status;

	assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static unsigned
files_left(const struct run *r)
{
	DIR *d = opendir(in(r, "tmp"));
	struct dirent *e;
	unsigned n = 0;

	assert_non_null(d);
	while ((e = readdir(d)) != NULL)
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}

static unsigned
processes_left(const struct run *r)
{
	FILE *f = fopen(in(r, "pids"), "r");
	unsigned n = 0, of = 0;
	long pid;

	assert_non_null(f);
	for (; fscanf(f, "%ld", &pid) == 1; of++)
		n += kill((pid_t)pid, 0) == 0;
	fclose(f);
	assert_int_equal(of, 2);
	return n;
}

static void
a_program_that_leaves_a_process_or_a_file_has_failed(void **state)
{
	struct run r = runner_begin("exit 0");
	char *text;

	(void)state;
	assert_int_equal(runner_status(&r), 1);
	assert_int_equal(processes_left(&r), 0);
	assert_int_equal(files_left(&r), 0);
	text = file_text(in(&r, "out"), NULL);
	assert_non_null(strstr(text, "FAILED no process is left: "));
	assert_non_null(strstr(text, "FAILED no file is left: file\n"));
	if (strstr(text, "\n1 passed, 2 failed, 0 skipped, CPU ") == NULL)
		fail_msg("%s", text);
	free(text);
	tree_free(r.dir);
}

static void
nothing_is_left_of_a_program_that_fails_or_crashes(void **state)
{
	static const char *const ends[] = { "exit 1", "kill -SEGV $$",
		"kill -KILL $$" };

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct run r = runner_begin(ends[i]);
		char *text;

		assert_int_equal(runner_status(&r), 1);
		assert_int_equal(processes_left(&r), 0);
		assert_int_equal(files_left(&r), 0);
		text = file_text(in(&r, "out"), NULL);
		if (strstr(text, "\n1 passed, 1 failed, 0 skipped, CPU ") ==
		    NULL)
			fail_msg("%s: %s", ends[i], text);
		free(text);
		tree_free(r.dir);
	}
}

static void
nothing_is_left_where_the_runner_ends_in_the_middle(void **state)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGKILL };

	(void)state;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct run r = runner_begin("sleep 1000");

		wait_until(access(in(&r, "begun"), F_OK) == 0);
		assert_int_equal(processes_left(&r), 2);
		assert_int_equal(files_left(&r), 1);
		assert_int_equal(kill(r.pid, signals[i]), 0);
		assert_int_equal(runner_status(&r), signals[i] == SIGKILL ?
		    -SIGKILL : 1);
		/* who is killed himself has no time to wait for the others */
		wait_until(processes_left(&r) == 0 && files_left(&r) == 0);
		tree_free(r.dir);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_program_that_leaves_a_process_or_a_file_has_failed),
		cmocka_unit_test(
		    nothing_is_left_of_a_program_that_fails_or_crashes),
		cmocka_unit_test(
		    nothing_is_left_where_the_runner_ends_in_the_middle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
