/*
 * tests/daemon/test_signals.c - signals at any moment of a run: the daemon ends
 * once, its rows are complete and the registers are restored.
 */
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The exit status of a daemon that a signal ends.  A SIGCONT that comes in a sample that took
 * long, as others had the CPU, passes for the end of a stop: another one follows until the
 * daemon has ended. */
static int
ended_by(pid_t pid, int sig)
{
	int status = 0;

	kill(pid, sig);
	if (sig != SIGCONT)
		return tallyd_wait(pid);
	wait_until((kill(pid, sig), waitpid(pid, &status, WNOHANG) == pid));
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void
each_stop_signal_ends_with_a_dump_and_registers_as_found(void **state)
{
	static const int stop[] = { SIGCONT, SIGTERM, SIGINT, SIGHUP };

	(void)state;
	for (size_t i = 0; i < sizeof(stop) / sizeof(stop[0]); i++) {
		struct scene s = scene_begin();
		pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));

		tallyd_rows(s.dir, 5);
		scene_ended_well(&s, ended_by(pid, stop[i]), strsignal(stop[i]));
		assert_true(scene_dumped(&s) > 5);
		scene_end(&s);
	}
}

/* also where the first sample, with which none can be compared, takes as long as one in
 * which the process was stopped for a while */
static void
a_signal_in_the_middle_of_a_row_is_not_lost(void **state)
{
	static const char *const read[] = { "remote", "visit", "pinned",
	    "remote" };

	(void)state;
	for (size_t i = 0; i < sizeof(read) / sizeof(read[0]); i++) {
		struct scene s = scene_begin();
		pid_t pid = tallyd_start(s.dir, i < 3 ? "STAND_IN_TERM=40" :
		    "STAND_IN_CONT=40",
		    ARGS("-q", "-i", "3600", "--read", read[i]));
		int status = 0;

		/* or it would sleep for an hour */
		wait_until(waitpid(pid, &status, WNOHANG) != 0);
		assert_true(WIFEXITED(status));
		/* that row, and the last one */
		scene_ended_well(&s, WEXITSTATUS(status), read[i]);
		assert_int_equal(scene_dumped(&s), 2);
		scene_end(&s);
	}
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

/* A process' state as /proc has it, and its parent; 'Z' where it is gone. */
static char
state_of(pid_t pid, int *parent)
{
	char path[64], line[512] = "", state = 'Z';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if ((f = fopen(path, "r")) == NULL)
		return state;
	if (fgets(line, sizeof(line), f) != NULL && strrchr(line, ')') != NULL)
		sscanf(strrchr(line, ')') + 2, "%c %d", &state, parent);
	fclose(f);
	return state;
}

static char
state(pid_t pid)
{
	return state_of(pid, &(int){ 0 });
}

/* A child of pid that has stopped; 0: it has none. */
static pid_t
stopped_child_of(pid_t pid)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	pid_t child = 0;

	assert_non_null(d);
	while (child == 0 && (e = readdir(d)) != NULL) {
		int parent = 0, one = atoi(e->d_name);

		if (one > 0 && state_of(one, &parent) == 'T' && parent == pid)
			child = one;
	}
	closedir(d);
	return child;
}

/* Under STAND_IN_HOLD: a dump on its way, of which nothing is written. */
static pid_t
held_dumper(pid_t pid)
{
	pid_t child;

	kill(pid, SIGUSR1);
	wait_until((child = stopped_child_of(pid)) > 0);
	return child;
}

static void
a_dump_on_the_way_does_not_hold_up_a_restore(void **unused)
{
	struct scene s = scene_begin();
	pid_t child, pid = tallyd_start(s.dir, "STAND_IN_HOLD=1",
	    ARGS(ENDLESS, "--read", "visit"));
	cpu_set_t ours, its;

	(void)unused;
	tallyd_rows(s.dir, 5);
	child = held_dumper(pid);
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
a_slow_dump_on_the_way_never_replaces_the_last_one(void **unused)
{
	struct scene s = scene_begin();
	char path[512], kept[512];
	pid_t child, pid = tallyd_start(s.dir, "STAND_IN_HOLD=1",
	    ARGS(ENDLESS));
	int status;

	(void)unused;
	tallyd_rows(s.dir, 5);
	assert_int_equal(link(in_dir(s.dir, "store", path),
	    in_dir(s.dir, "kept", kept)), 0);
	child = held_dumper(pid);
	tallyd_rows(s.dir, scene_whole(kept) + 20);
	kill(pid, SIGTERM);
	/* it puts the registers back, and then waits for that dump */
	wait_until(!scene_has(&s, "run/tallyd.journal"));
	wait_until(state(pid) == 'S' || state(pid) == 'Z');
	assert_false(scene_has(&s, "dump.lua"));
	kill(child, SIGCONT);
	status = tallyd_wait(pid);
	wait_until(state(child) == 'Z');
	scene_ended_well(&s, status, "a dump on the way");
	assert_int_equal(scene_whole(kept), scene_dumped(&s));
	scene_end(&s);
}

/* Stop it, see it stopped, and see samples once it goes on. */
static void
stop_and_go_on(const struct scene *s, pid_t pid, int sig)
{
	wait_until(state(pid) == 'S');
	kill(pid, sig);
	wait_until(state(pid) == 'T');
	sleep_us(200000);
	kill(pid, SIGCONT);
	tallyd_rows(s->dir, scene_rows(s) + 3);
}

static void
a_daemon_that_is_stopped_for_a_while_keeps_its_rows(void **state)
{
	struct scene s = scene_begin();
	char path[512], kept[512];
	static const int stops[] = { SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU };
	pid_t pid, group = getpgrp();

	(void)state;
	/* in a group of a session whose shell could go on for it: one that
	 * nobody could, the kernel does not stop */
	setpgid(0, 0);
	/* a sleep that a stop is most likely to come in */
	pid = tallyd_start(s.dir, NULL, ARGS("-q", "-i", "0.2"));
	in_dir(s.dir, "store", path);
	in_dir(s.dir, "kept", kept);
	tallyd_rows(s.dir, 2);
	assert_int_equal(link(path, kept), 0);
	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++)
		stop_and_go_on(&s, pid, stops[i]);
	/* out of the blue: stop sampling */
	scene_ended_well(&s, ended_by(pid, SIGCONT), "stops, and SIGCONT");
	setpgid(0, group);
	assert_true(scene_whole(kept) >= 14);
	assert_int_equal(scene_whole(kept), scene_dumped(&s));
	scene_end(&s);
}

/* What a signal of somebody outside does. */
enum outcome { ENDS, GOES_ON, STOPS, KILLS };

static enum outcome
outcome_of(int sig)
{
	static const int goes_on[] = { SIGUSR1, SIGUSR2, SIGCHLD, SIGPIPE,
	    SIGXCPU, SIGXFSZ, SIGURG, SIGWINCH, SIGSYS, 33 };
	/* 32 and 33 are libc's own; where there were threads it handles 33,
	 * and heeds none that comes from another process */
	static const int kills[] = { SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGKILL,
	    SIGSEGV, 32 };

	for (size_t i = 0; i < sizeof(goes_on) / sizeof(goes_on[0]); i++)
		if (sig == goes_on[i])
			return GOES_ON;
	for (size_t i = 0; i < sizeof(kills) / sizeof(kills[0]); i++)
		if (sig == kills[i])
			return KILLS;
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN ||
	    sig == SIGTTOU ? STOPS : ENDS;
}

/* Whom posix_spawn starts, as make does, has the two signals of libc ignored,
 * and libc's own sigaction does not touch them. */
static void
default_action(int sig)
{
	const struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} none = { .handler = SIG_DFL };

	assert_int_equal(syscall(SYS_rt_sigaction, sig, &none, NULL,
	    sizeof(none.mask)), 0);
}

static void
no_signal_leaves_a_register_changed_or_loses_a_row(void **state)
{
	(void)state;
	default_action(32);
	default_action(33);
	for (int sig = 1; sig <= 64; sig++) {
		struct scene s = scene_begin();
		enum outcome outcome = outcome_of(sig);
		char path[512], name[32];
		int status;
		pid_t pid;

		if (outcome == STOPS) {         /* the test before */
			scene_end(&s);
			continue;
		}
		snprintf(name, sizeof(name), "signal %d", sig);
		/* the sanitizer would report these, by calls that the filter
		 * refuses */
		pid = tallyd_start(s.dir, outcome != KILLS ? NULL :
		    "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0:"
		    "handle_segv=0:handle_sigbus=0:handle_sigill=0:"
		    "handle_sigfpe=0", ARGS(ENDLESS));
		tallyd_rows(s.dir, 3);
		if (outcome == GOES_ON) {
			kill(pid, sig);
			tallyd_rows(s.dir, scene_rows(&s) + 3);
		}
		status = ended_by(pid, outcome == GOES_ON ? SIGTERM : sig);
		if (outcome != KILLS) {
			scene_ended_well(&s, status, name);
			assert_true(scene_dumped(&s) > 3);
			assert_true(tallyd_kept_quiet(s.dir, "was refused"));
		} else {
			assert_int_equal(status, -sig);
			wait_until(!scene_has(&s, "run/tallyd.journal"));
			stand_in_same(s.dir, s.before, name);
			assert_true(scene_whole(in_dir(s.dir, "store", path)) >=
			    3);
		}
		scene_end(&s);
	}
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
		cmocka_unit_test(
		    no_signal_leaves_a_register_changed_or_loses_a_row),
	};

	return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
