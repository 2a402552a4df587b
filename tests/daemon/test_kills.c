/*
 * tests/daemon/test_kills.c - a daemon that is killed, crashes or cannot start: its store
 * keeps every finished row, and `tallyd --restore` puts every register back.  Faults are
 * made by tests/tools/msr_shim.c (STAND_IN_...).
 */
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include "config/dump/store.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define KILLS rounds(300)

/* Rows at so short an interval that most kills fall within one. */
#define BUSY "-q", "-i", "0.001", "-n", "300000"

/* How long a daemon takes from its start to its first row, in us. */
static long
time_to_first_row(const char *dir)
{
	struct timespec a, b;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &a);
	pid = tallyd_start(dir, NULL, ARGS(ENDLESS));
	tallyd_rows(dir, 1);
	clock_gettime(CLOCK_MONOTONIC, &b);
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	return (b.tv_sec - a.tv_sec) * 1000000 +
	    (b.tv_nsec - a.tv_nsec) / 1000;
}

static void
a_daemon_that_is_killed_at_any_moment_loses_nothing(void **state)
{
	struct scene s = scene_begin();
	uint64_t seed = 1, seen = 0, total = 0;
	unsigned sampling = 0;
	char path[512];
	long start_us;

	(void)state;
	in_dir(s.dir, "store", path);
	start_us = time_to_first_row(s.dir);
	for (unsigned i = 0; i < KILLS; i++) {
		struct store *st = NULL;
		pid_t pid = tallyd_start(s.dir, NULL, ARGS(BUSY));

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		/* Odd i: kill it while it samples, after 1 to 12 rows and up
		 * to 3 ms.  Even i: kill it as it starts; of these, half at
		 * once (i % 4 is 0), half within the time to its first row. */
		if (i % 2)
			tallyd_rows(s.dir, 1 + (seed >> 40) % 12);
		if (i % 4 != 0)
			sleep_us((long)(seed >> 33) % (i % 2 ? 3000 :
			    start_us));
		seen = 0;
		if (store_open(&st, path, NULL) == 0)
			seen = store_rows(st);
		kill(pid, SIGKILL);
		store_close(st);
		tallyd_wait(pid);
		sampling += seen > 0;
		if (st != NULL) {
			uint64_t rows = scene_whole(path);

			if (rows < seen)
				fail_msg("kill %u: the store had %llu rows, "
				    "and has %llu after the kill", i,
				    (unsigned long long)seen,
				    (unsigned long long)rows);
			total += rows;
		}
		if (tallyd_run(s.dir, NULL, ARGS("-q", "--restore")) != 0)
			tallyd_failed(s.dir, "--restore after a kill", 1);
		stand_in_same(s.dir, s.before, "after a kill and --restore");
		assert_false(scene_has(&s, "run/tallyd.journal"));
		unlink(path);
	}
	/* some kills came before the first row, and the others behind it */
	assert_true(sampling >= KILLS / 2 && sampling < KILLS);
	assert_true(total > KILLS);
	scene_end(&s);
}

static void
a_daemon_that_dies_at_its_nth_write_is_undone_by_restore(void **state)
{
	struct scene s = scene_begin();
	unsigned died = 0;
	char env[64], path[512];

	(void)state;
	for (int n = 1; n < 2000; n += n < 6 ? 1 : 37) {
		int rc;

		snprintf(env, sizeof(env), "STAND_IN_DIE=%d", n);
		rc = tallyd_run(s.dir, env, ARGS("-q", "-i", "0.001", "-n",
		    "2"));
		if (rc == 0)
			break;
		/* the process that writes registers crashed, and the one that
		 * samples reports it */
		assert_int_equal(rc, 1);
		assert_true(tallyd_said(s.dir, "has died"));
		died++;
		/* the next start finds the journal and names the remedy */
		assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1")), 1);
		assert_true(tallyd_said(s.dir, "tallyd --restore"));
		assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--restore")),
		    0);
		stand_in_same(s.dir, s.before, env);
		unlink(in_dir(s.dir, "store", path));
	}
	assert_true(died > 10);
	scene_end(&s);
}

static void
a_start_that_is_refused_at_any_write_leaves_all_as_found(void **state)
{
	struct scene s = scene_begin();
	unsigned refused = 0;
	char env[64];

	(void)state;
	for (int n = 1; n < 2000; n += n < 6 ? 1 : 11) {
		int rc;

		snprintf(env, sizeof(env), "STAND_IN_REFUSE=%d", n);
		rc = tallyd_run(s.dir, env, ARGS("-q", "-i", "0.001", "-n",
		    "1", "--watch", "0"));
		if (rc == 0 || scene_has(&s, "dump.lua"))
			break;          /* past the start */
		assert_int_equal(rc, 1);
		stand_in_same(s.dir, s.before, env);
		assert_false(scene_has(&s, "store"));
		assert_false(scene_has(&s, "run/tallyd.journal"));
		refused++;
	}
	assert_true(tallyd_said(s.dir, "cannot write 0x"));
	assert_true(refused > 10);
	scene_end(&s);
}

static void
a_register_that_does_not_take_its_value_is_told_and_undone(void **state)
{
	struct scene s = scene_begin();
	char env[64];

	(void)state;
	/* write 40 is to a core's control, write 160 far into the uncore */
	for (int n = 40; n <= 160; n += 60) {
		snprintf(env, sizeof(env), "STAND_IN_DEAF=%d", n);
		assert_int_equal(tallyd_run(s.dir, env, ARGS("-n", "1")), 1);
		assert_true(tallyd_said(s.dir, "does not keep its value"));
		stand_in_same(s.dir, s.before, env);
	}
	scene_end(&s);
}

/* Event sets rotate every 2 ms, so that a kill may come while controls are rewritten
 * between two rows.  The journal has the values from before the start. */
static void
a_daemon_that_is_killed_in_a_round_of_sets_leaves_registers_as_found(
    void **state)
{
	struct scene s = scene_begin();
	uint64_t seed = 1;
	char conf[512], store[512];
	FILE *f = fopen(in_dir(s.dir, "sets.conf", conf), "w");
	struct store *st;

	(void)state;
	assert_non_null(f);
	in_dir(s.dir, "store", store);
	fputs("core fixed\nset a\ncore A event=0x3c\nset b\n"
	    "core B event=0xc0\ncore B2 event=0xc4\nset c\n"
	    "core C event=0xc5\n", f);
	fclose(f);
	for (unsigned i = 0; i < KILLS / 4; i++) {
		pid_t pid = tallyd_start(s.dir, NULL, ARGS("-q", "-i", "0.02",
		    "-n", "5000", "--turn", "0.002", "-c", conf));

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		tallyd_rows(s.dir, 1 + (seed >> 40) % 3);
		sleep_us((long)(seed >> 33) % 20000);
		kill(pid, SIGKILL);
		tallyd_wait(pid);
		if (tallyd_run(s.dir, NULL, ARGS("-q", "--restore")) != 0)
			tallyd_failed(s.dir, "--restore after a kill", 1);
		stand_in_same(s.dir, s.before, "after a kill and --restore");
		assert_int_equal(store_open(&st, store, NULL), 0);
		assert_true(store_rows(st) > 0);
		store_close(st);
		unlink(store);
	}
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_daemon_that_is_killed_in_a_round_of_sets_leaves_registers_as_found),
		cmocka_unit_test(
		    a_daemon_that_is_killed_at_any_moment_loses_nothing),
		cmocka_unit_test(
		    a_daemon_that_dies_at_its_nth_write_is_undone_by_restore),
		cmocka_unit_test(
		    a_start_that_is_refused_at_any_write_leaves_all_as_found),
		cmocka_unit_test(
		    a_register_that_does_not_take_its_value_is_told_and_undone),
	};

	return cmocka_run_group_tests_name("kills", tests, NULL, NULL);
}
