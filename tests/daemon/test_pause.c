/*
 * tests/daemon/test_pause.c - the counters, given to others for a while.
 */
#include "tests/lib/asker.h"
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include "postproc/data/intervals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KILLS rounds(50)
#define PERFEVTSEL0 0x186       /* its bit 22 enables a counter */

static struct scene
sampling(pid_t *pid)
{
	struct scene s = scene_begin();

	*pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));
	tallyd_rows(s.dir, 3);
	return s;
}

static void
ended(struct scene *s, pid_t pid)
{
	kill(pid, SIGTERM);
	scene_ended_well(s, tallyd_wait(pid), "after a pause");
}

static void
a_pause_gives_the_registers_back_and_the_dump_names_the_gap(void **state)
{
	pid_t pid;
	struct scene s = sampling(&pid);
	char gap[64];
	uint64_t n;

	(void)state;
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--pause")), 0);
	stand_in_same(s.dir, s.before, "in a pause");
	n = scene_rows(&s);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--pause")), 1);
	assert_true(tallyd_said(s.dir, "it is paused already"));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--ask")), 0);
	assert_true(tallyd_said(s.dir, "until --resume: the registers are as "
	    "they were found"));
	/* it is this daemon's node all the same */
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-q", "-n", "1",
	    "--store", in_dir(s.dir, "other", (char[512]){ 0 }))), 1);
	assert_true(tallyd_said(s.dir, "another tallyd (pid "));
	assert_int_equal(scene_rows(&s), n);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--resume")), 0);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--resume")), 1);
	assert_true(tallyd_said(s.dir, "it is not paused"));
	tallyd_rows(s.dir, n + 3);
	assert_true(stand_in_msr(s.dir, 0, PERFEVTSEL0) != PERFEVTSEL0);
	ended(&s, pid);
	snprintf(gap, sizeof(gap), "\npause_sample[0] = %d\n", (int)n);
	assert_true(scene_dump_has(&s, gap));
	assert_true(scene_dump_has(&s, "\npause_time[0] = "));
	assert_true(scene_dump_has(&s, "\nresume_time[0] = "));
	assert_true(scene_dump_has(&s, "\nmissed_deadlines = "));
	assert_false(scene_dump_has(&s, "tamper_"));
	scene_end(&s);
}

/* lproc 2 is the one that package 1 is read from. */
static void
an_lproc_that_is_offline_when_a_pause_ends_is_left_out(void **state)
{
	struct scene s = scene_begin();
	pid_t pid = tallyd_start(s.dir, "STAND_IN_OFFLINE=1", ARGS(ENDLESS));
	uint64_t n;

	(void)state;
	tallyd_rows(s.dir, 3);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--pause")), 0);
	tree_text(s.dir, "/dev/cpu/2/offline", "");
	n = scene_rows(&s);
	if (tallyd_run(s.dir, NULL, ARGS("--resume")) != 0)
		tallyd_failed(s.dir, "--resume", 1);
	tallyd_rows(s.dir, n + 3);
	assert_true(stand_in_msr(s.dir, 2, PERFEVTSEL0) ==
	    (2 << 16 | PERFEVTSEL0));
	assert_true(stand_in_msr(s.dir, 3, PERFEVTSEL0) !=
	    (3 << 16 | PERFEVTSEL0));
	/* another pause, and it is back */
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--pause")), 0);
	unlink(in_dir(s.dir, "dev/cpu/2/offline", (char[512]){ 0 }));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--resume")), 0);
	assert_true(stand_in_msr(s.dir, 2, PERFEVTSEL0) !=
	    (2 << 16 | PERFEVTSEL0));
	tallyd_rows(s.dir, scene_rows(&s) + 3);
	ended(&s, pid);
	scene_end(&s);
}

/* A daemon in a pause that began while lproc 1 was offline. */
static struct scene
paused_without_lproc_1(pid_t *pid)
{
	struct scene s = scene_begin();

	*pid = tallyd_start(s.dir, "STAND_IN_OFFLINE=1", ARGS(ENDLESS));
	tallyd_rows(s.dir, 3);
	tree_text(s.dir, "/dev/cpu/1/offline", "");
	if (tallyd_run(s.dir, NULL, ARGS("--pause")) != 0)
		tallyd_failed(s.dir, "--pause", 1);
	assert_true(tallyd_said(s.dir, "tallyd: lproc 1 is offline: "));
	assert_true(stand_in_msr(s.dir, 1, PERFEVTSEL0) !=
	    (1 << 16 | PERFEVTSEL0));
	assert_true(stand_in_msr(s.dir, 2, PERFEVTSEL0) ==
	    (2 << 16 | PERFEVTSEL0));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--ask")), 0);
	assert_true(tallyd_said(s.dir, "as they were found, but those of "
	    "lprocs that were offline"));
	return s;
}

static void
online_again(struct scene *s)
{
	unlink(in_dir(s->dir, "dev/cpu/1/offline", (char[512]){ 0 }));
}

/* Whether it is back when the pause ends, later, or when the run does, in a pause: its
 * registers are then as they were found, and are nobody else's. */
static void
an_lproc_that_is_offline_when_a_pause_begins_is_left_out(void **state)
{
	(void)state;
	for (unsigned when = 0; when < 3; when++) {
		pid_t pid;
		struct scene s = paused_without_lproc_1(&pid);

		if (when == 0)
			online_again(&s);
		if (when < 2 && tallyd_run(s.dir, NULL, ARGS("--resume")) != 0)
			tallyd_failed(s.dir, "--resume", 1);
		if (when < 2)
			tallyd_rows(s.dir, scene_rows(&s) + 3);
		online_again(&s);
		if (when == 1) {
			/* a pause that finds it online puts it back */
			assert_int_equal(tallyd_run(s.dir, NULL,
			    ARGS("--pause")), 0);
			stand_in_same(s.dir, s.before, "in a second pause");
		}
		ended(&s, pid);
		scene_end(&s);
	}
}

/* What others have in the registers that were lent stays. */
static void
of_a_daemon_that_dies_in_a_pause_restore_puts_back_what_was_left_out(
    void **state)
{
	const uint64_t theirs = 0x4300c0;
	pid_t pid;
	struct scene s = paused_without_lproc_1(&pid);

	(void)state;
	stand_in_set_msr(s.dir, 3, PERFEVTSEL0, theirs);
	/* which refuses no resume for what it holds itself */
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--resume")), 1);
	assert_true(tallyd_said(s.dir, "1 counter is in use by somebody else"));
	kill(pid, SIGKILL);
	tallyd_wait(pid);
	/* the process that writes registers could not reach it, either */
	assert_int_equal(tallyd_run(s.dir, "STAND_IN_OFFLINE=1", ARGS("-q",
	    "--restore")), 1);
	online_again(&s);
	if (tallyd_run(s.dir, NULL, ARGS("--restore")) != 0)
		tallyd_failed(s.dir, "--restore", 1);
	assert_true(stand_in_msr(s.dir, 3, PERFEVTSEL0) == theirs);
	stand_in_set_msr(s.dir, 3, PERFEVTSEL0, 3 << 16 | PERFEVTSEL0);
	stand_in_same(s.dir, s.before, "after --restore");
	assert_false(scene_has(&s, "run/tallyd.journal"));
	scene_end(&s);
}

static void
who_still_counts_keeps_the_pause_on_and_his_registers(void **state)
{
	const uint64_t theirs = 0x4300c0;
	pid_t pid;
	struct scene s = sampling(&pid);

	(void)state;
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--pause")), 0);
	stand_in_set_msr(s.dir, 3, PERFEVTSEL0, theirs);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--resume")), 1);
	assert_true(tallyd_said(s.dir, "1 counter is in use by somebody else"));
	assert_true(stand_in_msr(s.dir, 3, PERFEVTSEL0) == theirs);
	/* no more in use: what is left there is what is put back in the end */
	stand_in_set_msr(s.dir, 3, PERFEVTSEL0, 0xc0);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--resume")), 0);
	tallyd_rows(s.dir, scene_rows(&s) + 2);
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	assert_true(stand_in_msr(s.dir, 3, PERFEVTSEL0) == 0xc0);
	stand_in_set_msr(s.dir, 3, PERFEVTSEL0, 3 << 16 | PERFEVTSEL0);
	stand_in_same(s.dir, s.before, "at the end");
	scene_end(&s);
}

static void
a_pause_of_a_time_ends_by_itself(void **state)
{
	pid_t pid;
	struct scene s = sampling(&pid);
	uint64_t n;

	(void)state;
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--pause", "0.3")), 0);
	n = scene_rows(&s);
	wait_until(scene_rows(&s) > n + 2);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--pause", "-1")), 64);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--pause", "1h")), 1);
	assert_true(tallyd_said(s.dir, "pause 1h: give seconds"));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--pause", "nan")), 1);
	ended(&s, pid);
	scene_end(&s);
}

static void
a_daemon_that_is_stopped_in_a_pause_ends_as_ever(void **state)
{
	pid_t pid;
	struct scene s = sampling(&pid);
	uint64_t n;

	(void)state;
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--pause")), 0);
	n = scene_rows(&s);
	ended(&s, pid);
	/* no sample of registers that are others' */
	assert_int_equal(scene_dumped(&s), n);
	scene_end(&s);
}

/* Pause and resume on end, until somebody ends us; the daemon is ended first. */
static void
hammer(const char *dir)
{
	for (unsigned i = 0;; i++)
		asker_tries(dir, i % 2 ? "resume\n" : "pause\n");
}

static void
a_daemon_that_is_killed_in_pauses_leaves_no_register_changed(void **state)
{
	struct scene s = scene_begin();
	uint64_t seed = 1;
	char store[512];

	(void)state;
	in_dir(s.dir, "store", store);
	for (unsigned i = 0; i < KILLS; i++) {
		pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS)), child;

		tallyd_rows(s.dir, 1);
		if ((child = fork()) == 0)
			hammer(s.dir);
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		sleep_us((long)(seed >> 33) % 40000);
		kill(pid, SIGKILL);
		kill(child, SIGKILL);
		tallyd_wait(pid);
		waitpid(child, NULL, 0);
		if (tallyd_run(s.dir, NULL, ARGS("-q", "--restore")) != 0)
			tallyd_failed(s.dir, "--restore after a kill", 1);
		stand_in_same(s.dir, s.before, "after a kill and --restore");
		assert_false(scene_has(&s, "run/tallyd.journal"));
		unlink(store);
	}
	scene_end(&s);
}

/* What the interval to sample n makes of the one column that counts; -1: there
 * is no such interval. */
static int
kind_at(const char *head, uint64_t n, uint64_t *delta)
{
	static const char rows[] = "TSC_ratio = 20\n"
	    "tsc[0] = 0\nsmi_count[0][0] = 100\n"
	    "tsc[1] = 2000000000\nsmi_count[0][1] = 110\n"
	    "tsc[2] = 4000000000\nsmi_count[0][2] = 120\n"
	    /* somebody has counted here meanwhile */
	    "tsc[3] = 24000000000\nsmi_count[0][3] = 7\n"
	    "tsc[4] = 26000000000\nsmi_count[0][4] = 12\n"
	    "tsc[5] = 28000000000\nsmi_count[0][5] = 17\n";
	char text[1024];
	struct intervals *iv;
	struct interval at;
	struct diag why;
	int kind = -1;

	snprintf(text, sizeof(text), "%s%s", head, rows);
	if (intervals_open(&iv, test_put("pause.lua", text), NULL, &why) < 0)
		fail_msg("%s", why.text);
	while (intervals_next(iv, &at, &why) > 0)
		for (unsigned c = 0; at.sample == n && c < at.ncol; c++)
			if (strncmp(read_column(intervals_reader(iv), c)->name,
			    "smi_count", 9) == 0) {
				kind = at.kind[c];
				*delta = at.delta[c];
			}
	intervals_close(iv);
	return kind;
}

static void
no_difference_over_a_pause_counts_and_those_beside_it_do(void **state)
{
	static const char gap[] = "pause_sample[0] = 3\n"
	    "pause_time[0] = 1700000002.5\nresume_time[0] = 1700000010.5\n";
	uint64_t delta = 99;

	(void)state;
	assert_int_equal(kind_at(gap, 1, &delta), DELTA_GOOD);
	assert_int_equal(delta, 10);
	assert_int_equal(kind_at(gap, 2, &delta), DELTA_GOOD);
	assert_int_equal(delta, 10);
	assert_int_equal(kind_at(gap, 3, &delta), DELTA_PAUSED);
	assert_int_equal(delta, 0);
	assert_int_equal(kind_at(gap, 4, &delta), DELTA_GOOD);
	assert_int_equal(delta, 5);
	assert_int_equal(kind_at(gap, 5, &delta), DELTA_GOOD);
	assert_int_equal(delta, 5);
	/* without it that was a reset */
	assert_int_equal(kind_at("", 3, &delta), DELTA_RESET);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_pause_gives_the_registers_back_and_the_dump_names_the_gap),
		cmocka_unit_test(
		    an_lproc_that_is_offline_when_a_pause_ends_is_left_out),
		cmocka_unit_test(
		    an_lproc_that_is_offline_when_a_pause_begins_is_left_out),
		cmocka_unit_test(
		    of_a_daemon_that_dies_in_a_pause_restore_puts_back_what_was_left_out),
		cmocka_unit_test(
		    who_still_counts_keeps_the_pause_on_and_his_registers),
		cmocka_unit_test(a_pause_of_a_time_ends_by_itself),
		cmocka_unit_test(
		    a_daemon_that_is_stopped_in_a_pause_ends_as_ever),
		cmocka_unit_test(
		    a_daemon_that_is_killed_in_pauses_leaves_no_register_changed),
		cmocka_unit_test(
		    no_difference_over_a_pause_counts_and_those_beside_it_do),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
