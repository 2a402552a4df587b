/*
 * tests/test_signals.c - whatever is sent to the daemon, and when: it ends
 * once, with whole rows and the registers as found.
 */
#include "tests/scene.h"
#include "tests/test.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void
each_stop_signal_ends_with_a_dump_and_registers_as_found(void **state)
{
	static const int stop[] = { SIGCONT, SIGTERM, SIGINT, SIGHUP };

	(void)state;
	for (size_t i = 0; i < sizeof(stop) / sizeof(stop[0]); i++) {
		struct scene s = scene_begin();
		pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));

		tallyd_rows(s.dir, 5);
		kill(pid, stop[i]);
		scene_ended_well(&s, tallyd_wait(pid), strsignal(stop[i]));
		assert_true(scene_dumped(&s) > 5);
		scene_end(&s);
	}
}

static void
a_signal_in_the_middle_of_a_row_is_not_lost(void **state)
{
	struct scene s = scene_begin();
	pid_t pid = tallyd_start(s.dir, "STAND_IN_TERM=100",
	    ARGS("-q", "-i", "3600"));
	int status = 0;

	(void)state;
	for (int i = 0; i < 10000 && waitpid(pid, &status, WNOHANG) == 0; i++) {
		sleep_us(1000);
		if (i == 9999)
			kill(pid, SIGKILL);
	}
	if (!WIFEXITED(status))
		fail_msg("it sleeps for an hour");
	/* that row, and the last one */
	scene_ended_well(&s, WEXITSTATUS(status), "SIGTERM in a row");
	assert_int_equal(scene_dumped(&s), 2);
	scene_end(&s);
}

static void
a_storm_of_signals_splits_no_row(void **state)
{
	static const int any[] = { SIGUSR1, SIGUSR2, SIGUSR2, SIGUSR1, SIGCHLD,
	    SIGPIPE, SIGWINCH, SIGURG };
	struct scene s = scene_begin();
	char path[512], kept[512];
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));
	unsigned most = 0;
	uint32_t seed = 7;

	(void)state;
	in_dir(s.dir, "store", path);
	in_dir(s.dir, "kept", kept);
	tallyd_rows(s.dir, 5);
	assert_int_equal(link(path, kept), 0);
	for (int i = 0; i < 20000; i++) {
		seed = seed * 1664525 + 1013904223;
		kill(pid, any[seed >> 16 & 7]);
		if (i % 16 == 0)
			sleep_us(seed >> 8 & 0xff);
		if (i % 500 == 0 && scene_files(&s, "dump.lua.") > most)
			most = scene_files(&s, "dump.lua.");
	}
	/* one dump at a time, however many are asked for */
	if (most > 1)
		fail_msg("%u dumps were being written at once", most);
	for (int i = 0; i < 1000; i++)
		kill(pid, i % 3 == 0 ? SIGTERM : i % 3 == 1 ? SIGHUP : SIGINT);
	scene_ended_well(&s, tallyd_wait(pid), "a storm of signals");
	assert_int_equal(scene_whole(kept), scene_dumped(&s));
	scene_end(&s);
}

/* The child of pid that writes a dump; 0: it has none. */
static pid_t
child_of(pid_t pid)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	pid_t child = 0;

	assert_non_null(d);
	while (child == 0 && (e = readdir(d)) != NULL) {
		char path[300], line[512] = "";
		int parent = 0;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%s/stat", e->d_name);
		if (e->d_name[0] < '0' || e->d_name[0] > '9' ||
		    (f = fopen(path, "r")) == NULL)
			continue;
		if (fgets(line, sizeof(line), f) != NULL &&
		    strrchr(line, ')') != NULL)
			sscanf(strrchr(line, ')') + 2, "%*c %d", &parent);
		fclose(f);
		if (parent == pid && strstr(line, "-writer)") == NULL)
			child = atoi(e->d_name);
	}
	closedir(d);
	return child;
}

static pid_t
stopped_dumper(pid_t pid)
{
	pid_t child = 0;

	kill(pid, SIGUSR1);
	for (int i = 0; i < 1000 && (child = child_of(pid)) == 0; i++)
		sleep_us(1000);
	/* it has begun: a child that stops before that is no dumper yet */
	sleep_us(5000);
	assert_true(child > 0 && kill(child, SIGSTOP) == 0);
	return child;
}

static void
a_dump_on_the_way_does_not_hold_up_a_restore(void **state)
{
	struct scene s = scene_begin();
	pid_t child, pid = tallyd_start(s.dir, "STAND_IN_BURN=100",
	    ARGS(ENDLESS, "--read", "visit"));
	cpu_set_t ours, its;

	(void)state;
	tallyd_rows(s.dir, 5);
	child = stopped_dumper(pid);
	/* it is not tied to the lproc that was visited last */
	assert_int_equal(sched_getaffinity(0, sizeof(ours), &ours), 0);
	assert_int_equal(sched_getaffinity(child, sizeof(its), &its), 0);
	assert_true(CPU_EQUAL(&ours, &its));
	kill(pid, SIGKILL);
	tallyd_wait(pid);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--restore")), 0);
	stand_in_same(s.dir, s.before, "--restore beside a dump");
	kill(child, SIGKILL);
	scene_end(&s);
}

static void
a_slow_dump_on_the_way_never_replaces_the_last_one(void **state)
{
	struct scene s = scene_begin();
	char path[512], kept[512];
	pid_t child, pid = tallyd_start(s.dir, "STAND_IN_BURN=30",
	    ARGS(ENDLESS));
	uint64_t rows;
	int status;

	(void)state;
	tallyd_rows(s.dir, 5);
	assert_int_equal(link(in_dir(s.dir, "store", path),
	    in_dir(s.dir, "kept", kept)), 0);
	child = stopped_dumper(pid);
	rows = scene_whole(kept);
	tallyd_rows(s.dir, rows + 20);
	kill(pid, SIGTERM);
	sleep_us(200000);
	kill(child, SIGCONT);
	status = tallyd_wait(pid);
	sleep_us(200000);               /* what the child still does */
	scene_ended_well(&s, status, "a dump on the way");
	assert_int_equal(scene_whole(kept), scene_dumped(&s));
	scene_end(&s);
}

static void
a_daemon_that_is_stopped_for_a_while_keeps_its_rows(void **state)
{
	struct scene s = scene_begin();
	char path[512], kept[512];
	pid_t pid = tallyd_start(s.dir, NULL, ARGS("-q", "-i", "0.005"));

	(void)state;
	in_dir(s.dir, "store", path);
	in_dir(s.dir, "kept", kept);
	tallyd_rows(s.dir, 5);
	assert_int_equal(link(path, kept), 0);
	kill(pid, SIGSTOP);
	sleep_us(50000);
	kill(pid, SIGCONT);             /* which is also: stop sampling */
	scene_ended_well(&s, tallyd_wait(pid), "SIGSTOP, SIGCONT");
	assert_true(scene_whole(kept) >= 6);
	assert_int_equal(scene_whole(kept), scene_dumped(&s));
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    each_stop_signal_ends_with_a_dump_and_registers_as_found),
		cmocka_unit_test(a_signal_in_the_middle_of_a_row_is_not_lost),
		cmocka_unit_test(a_storm_of_signals_splits_no_row),
		cmocka_unit_test(a_dump_on_the_way_does_not_hold_up_a_restore),
		cmocka_unit_test(
		    a_slow_dump_on_the_way_never_replaces_the_last_one),
		cmocka_unit_test(
		    a_daemon_that_is_stopped_for_a_while_keeps_its_rows),
	};

	return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
