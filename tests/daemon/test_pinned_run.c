/*
 * tests/daemon/test_pinned_run.c - a daemon with a thread on each lproc, on a node of
 * files: filtered, signalled, killed.  Of the node's 8 lprocs only those that
 * this machine has get a thread, which reads the others from afar.
 */
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include "config/dump/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KILLS rounds(60)

/* Rows in the order of time, and of each register its own value, or none where
 * a thread was late.  Returns how many values there are. */
static uint64_t
rows_right(const char *path, uint64_t *rows)
{
	static const struct { const char *column; uint64_t value; } known[] = {
		{ "aperf[0]", 0xe8 }, { "mperf[7]", 0x700e7 },
		{ "core_counts[5][\"FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE\"]", 0x500c3 },
		{ "cha_counts[1][3][\"SF_EVICTION.S_STATE\"]", 0x20e3b },
		{ "imc_counts[1][5][\"CAS_COUNT.READS\"]", 0x1200a4001200a0 },
	};
	uint64_t *row, before = 0, values = 0;
	const struct store_shape *shape;
	struct store *st;
	struct diag why;

	if (store_open(&st, path, &why) < 0)
		fail_msg("%s", why.text);
	shape = store_shape(st);
	row = calloc(shape->ncell, sizeof(row[0]));
	*rows = store_rows(st);
	for (uint64_t r = 0; r < *rows; r++) {
		scene_row(st, r, row);
		assert_true(row[scene_column(shape, "tsc")->cell] > before);
		before = row[scene_column(shape, "tsc")->cell];
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
			uint64_t v = row[scene_column(shape,
			    known[i].column)->cell];

			assert_true(v == known[i].value || v == ABSENT);
			values += v != ABSENT;
		}
	}
	free(row);
	store_close(st);
	return values;
}

static void
a_daemon_with_threads_samples_dumps_and_leaves_all_as_found(void **state)
{
	struct scene s = scene_begin();
	char path[512];
	pid_t pid;

	(void)state;
	pid = tallyd_start(s.dir, NULL, ARGS("-i", "0.005", "-n", "60000",
	    "--read", "pinned", "-v"));
	tallyd_rows(s.dir, 20);
	kill(pid, SIGUSR1);
	tallyd_rows(s.dir, 30);
	kill(pid, SIGTERM);
	if (tallyd_wait(pid) != 0 ||
	    !tallyd_said(s.dir, "reading: pinned, as asked"))
		tallyd_failed(s.dir, "a daemon with threads", 1);
	assert_true(tallyd_kept_quiet(s.dir, "refused"));
	stand_in_same(s.dir, s.before, "after a run with threads");
	assert_true(scene_has(&s, "dump.lua"));
	assert_int_equal(access(in_dir(s.dir, "store", path), F_OK), -1);
	scene_end(&s);
}

/* A thread for lprocs 0 and 2 of 8: all registers are read all the same. */
static void
only_the_lprocs_of_cpus_get_a_thread(void **state)
{
	struct scene s = scene_begin();
	uint64_t rows;
	char path[512];
	pid_t pid;

	(void)state;
	pid = tallyd_start(s.dir, NULL, ARGS("-i", "0.005", "-n", "60000",
	    "--read", "pinned", "--cpus", "0,2", "-v"));
	tallyd_rows(s.dir, 20);
	assert_true(rows_right(in_dir(s.dir, "store", path), &rows) > 0);
	kill(pid, SIGTERM);
	if (tallyd_wait(pid) != 0 || !tallyd_said(s.dir,
	    "read by one that moves there: 6 lprocs not in --cpus"))
		tallyd_failed(s.dir, "a daemon with --cpus", 1);
	pid = tallyd_start(s.dir, NULL, ARGS("-n", "2", "--read", "pinned",
	    "--cpus", "0-x"));
	assert_int_equal(tallyd_wait(pid), 64);
	assert_true(tallyd_said(s.dir, "--cpus 0-x: give lprocs as 0-3,8"));
	scene_end(&s);
}

static void
a_daemon_with_threads_that_is_killed_loses_nothing(void **state)
{
	struct scene s = scene_begin();
	uint64_t seed = 1, seen, rows, values = 0;
	char path[512];

	(void)state;
	in_dir(s.dir, "store", path);
	for (unsigned i = 0; i < KILLS; i++) {
		struct store *st = NULL;
		pid_t pid = tallyd_start(s.dir, NULL, ARGS("-q", "-i", "0.001",
		    "-n", "300000", "--read", "pinned"));

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		if (i % 4 != 0)
			tallyd_rows(s.dir, 1 + (seed >> 40) % 12);
		sleep_us((long)(seed >> 33) % 3000);
		seen = 0;
		if (store_open(&st, path, NULL) == 0)
			seen = store_rows(st);
		kill(pid, SIGKILL);
		store_close(st);
		tallyd_wait(pid);
		if (st != NULL) {
			values += rows_right(path, &rows);
			assert_true(rows >= seen);
		}
		if (tallyd_run(s.dir, NULL, ARGS("-q", "--restore")) != 0)
			tallyd_failed(s.dir, "--restore after a kill", 1);
		stand_in_same(s.dir, s.before, "after a kill and --restore");
		unlink(path);
	}
	assert_true(values > 0);
	scene_end(&s);
}

/* The thread of a daemon that has that name; 0: there is none. */
static pid_t
thread_named(pid_t pid, const char *name)
{
	char path[320], text[32];
	pid_t found = 0;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	if ((d = opendir(path)) == NULL)
		return 0;
	while (found == 0 && (e = readdir(d)) != NULL) {
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/task/%s/comm", (int)pid,
		    e->d_name);
		if ((f = fopen(path, "r")) == NULL)
			continue;
		if (fgets(text, sizeof(text), f) != NULL &&
		    strcmp(text, name) == 0)
			found = (pid_t)atoi(e->d_name);
		fclose(f);
	}
	closedir(d);
	return found;
}

static bool
may_run_on(pid_t thread, unsigned lproc)
{
	cpu_set_t now;

	assert_int_equal(sched_getaffinity(thread, sizeof(now), &now), 0);
	return CPU_ISSET(lproc, &now);
}

/* As the kernel does where a cpuset is made smaller: once it may, it goes back. */
static void
a_thread_that_is_moved_goes_home(void **state)
{
	struct scene s;
	uint64_t rows, values;
	char path[512];
	cpu_set_t away;
	pid_t pid, t;

	(void)state;
	if (!may_run_on(0, 0) || !may_run_on(0, 1))
		skip();
	s = scene_begin();
	in_dir(s.dir, "store", path);
	pid = tallyd_start(s.dir, NULL, ARGS("-q", "-i", "0.01", "-n",
	    "60000", "--read", "pinned"));
	tallyd_rows(s.dir, 3);
	assert_true((t = thread_named(pid, "tallyd/1\n")) > 0);
	CPU_ZERO(&away);
	CPU_SET(0, &away);
	for (unsigned i = 0; i < 20; i++) {
		assert_int_equal(sched_setaffinity(t, sizeof(away), &away), 0);
		wait_until(may_run_on(t, 1) && !may_run_on(t, 0));
	}
	values = rows_right(path, &rows);
	assert_true(rows >= 3 && values > 0);
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	assert_true(tallyd_kept_quiet(s.dir, "refused"));
	stand_in_same(s.dir, s.before, "after threads were moved");
	scene_end(&s);
}

/* A file of a group, which is there, gets a word: is that allowed here? */
static bool
tell_group(const char *group, const char *file, const char *word)
{
	char path[512];
	bool done;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", group, file);
	if ((fd = open(path, O_WRONLY)) < 0)
		return false;
	done = write(fd, word, strlen(word)) == (ssize_t)strlen(word);
	close(fd);
	return done;
}

/* A group of lprocs 0 and 1, by whichever version of cgroups is here; false
 * where none of ours can be made. */
static bool
group_of_two(char group[256])
{
	static const char *const place[] = { "/sys/fs/cgroup/cpuset",
	    "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };

	for (size_t i = 0; i < sizeof(place) / sizeof(place[0]); i++) {
		/* of version 2 alone; and of version 1 alone */
		tell_group(place[i], "cgroup.subtree_control", "+cpuset");
		snprintf(group, 256, "%s/tallyd-test.%d", place[i],
		    (int)getpid());
		if (mkdir(group, 0755) < 0)
			continue;
		tell_group(group, "cpuset.mems", "0");
		if (tell_group(group, "cpuset.cpus", "0-1"))
			return true;
		rmdir(group);
	}
	return false;
}

/* A batch system does that to a node it shares out: what a thread reads is read
 * from where it may run, and from home again once that is given back. */
static void
a_cpuset_that_gets_smaller_and_larger_loses_no_row(void **state)
{
	uint64_t rows, values, seen = 0;
	char path[512], group[256], text[32];
	struct scene s;
	pid_t pid, t;

	(void)state;
	if (!may_run_on(0, 0) || !may_run_on(0, 1) || !group_of_two(group))
		skip();
	s = scene_begin();
	in_dir(s.dir, "store", path);
	pid = tallyd_start(s.dir, NULL, ARGS("-q", "-i", "0.01", "-n",
	    "60000", "--read", "pinned"));
	tallyd_rows(s.dir, 3);
	assert_true((t = thread_named(pid, "tallyd/1\n")) > 0);
	snprintf(text, sizeof(text), "%d", (int)pid);
	assert_true(tell_group(group, "cgroup.procs", text));
	for (unsigned i = 0; i < 5; i++) {
		assert_true(tell_group(group, "cpuset.cpus", "0"));
		wait_until(!may_run_on(t, 1));
		rows_right(path, &rows);
		tallyd_rows(s.dir, rows + 5);
		/* it reads on, if not in time for each of these rows */
		wait_until((values = rows_right(path, &rows)) > seen);
		seen = values;
		assert_true(tell_group(group, "cpuset.cpus", "0-1"));
		wait_until(may_run_on(t, 1) && !may_run_on(t, 0));
	}
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	assert_int_equal(rmdir(group), 0);
	assert_true(tallyd_kept_quiet(s.dir, "refused"));
	stand_in_same(s.dir, s.before, "after a cpuset was changed");
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_daemon_with_threads_samples_dumps_and_leaves_all_as_found),
		cmocka_unit_test(
		    a_daemon_with_threads_that_is_killed_loses_nothing),
		cmocka_unit_test(only_the_lprocs_of_cpus_get_a_thread),
		cmocka_unit_test(a_thread_that_is_moved_goes_home),
		cmocka_unit_test(
		    a_cpuset_that_gets_smaller_and_larger_loses_no_row),
	};

	return cmocka_run_group_tests_name("pinned, a daemon", tests, NULL,
	    NULL);
}
