/*
 * tests/test_faults.c - whatever happens to the daemon or around it, the rows
 * that were taken and the registers come out whole.
 *
 * The daemon itself runs on a stand-in node (tests/stand_in.h).
 */
#include "tests/stand_in.h"
#include "tests/test.h"

#include "config/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KILLS 200

/* Options of a daemon that runs until it is stopped. */
#define ENDLESS "-q", "-i", "0.001", "-n", "5000"
#define ARGS(...) ((const char *const []){ __VA_ARGS__, NULL })

struct scene {
	char *dir;
	uint8_t *before;        /* every register, as found */
};

static struct scene
begin(void)
{
	struct scene s;

	s.dir = stand_in_new();
	s.before = stand_in_save(s.dir);
	return s;
}

static void
end(struct scene *s)
{
	free(s->before);
	tree_free(s->dir);
}

static void
sleep_us(long us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&t, NULL);
}

static bool
exists(const struct scene *s, const char *name)
{
	char path[512];

	return access(in_dir(s->dir, name, path), F_OK) == 0;
}

/* How many files of the node's directory have names that begin so. */
static unsigned
files(const struct scene *s, const char *prefix)
{
	DIR *d = opendir(s->dir);
	struct dirent *e;
	unsigned n = 0;

	assert_non_null(d);
	while ((e = readdir(d)) != NULL)
		n += strncmp(e->d_name, prefix, strlen(prefix)) == 0;
	closedir(d);
	return n;
}

static const struct column *
column(const struct store_shape *shape, const char *name)
{
	for (unsigned i = 0; i < shape->ncolumn; i++)
		if (strcmp(shape->column[i].name, name) == 0)
			return &shape->column[i];
	fail_msg("no column %s", name);
	return NULL;
}

/* Every row of a store is whole: clocks go up from row to row, each block's
 * stamp lies in its own sample, every register reads as the node has it. */
static uint64_t
whole(const char *path)
{
	struct store *st;
	struct diag why;
	const struct store_shape *s;
	uint64_t rows;
	unsigned tsc, stamp;

	if (store_open(&st, path, &why) < 0)
		fail_msg("%s", why.text);
	s = store_shape(st);
	rows = store_rows(st);
	tsc = column(s, "tsc")->cell;
	stamp = column(s, "lproc_tsc[7]")->cell;
	for (uint64_t r = 0; r < rows; r++) {
		const uint64_t *v = store_at(st, r);

		if (r > 0 && v[tsc] <= store_at(st, r - 1)[tsc])
			fail_msg("row %llu is not after the one before it",
			    (unsigned long long)r);
		if (v[stamp] < v[tsc] || (r + 1 < rows &&
		    v[stamp] >= store_at(st, r + 1)[tsc]))
			fail_msg("row %llu has a stamp of another",
			    (unsigned long long)r);
		assert_int_equal(v[column(s, "aperf[0]")->cell], 0xe8);
		assert_int_equal(v[column(s, "mperf[7]")->cell], 0x700e7);
		assert_int_equal(v[column(s, "core_counts[5]"
		    "[\"INST_RETIRED.KERNEL\"]")->cell], 0x500c3);
		assert_int_equal(v[column(s, "cha_counts[1][3]"
		    "[\"SF_EVICTION.S_STATE\"]")->cell], 0x20e3b);
		/* the high dword of the 6th channel of package 1, and the low */
		assert_true(v[column(s, "imc_counts[1][5]"
		    "[\"CAS_COUNT.READS\"]")->cell] == 0x1200a4001200a0);
	}
	store_close(st);
	return rows;
}

/* A daemon that ended by itself: registers as found, its dump written, its
 * store and its journal gone. */
static void
ended_well(const struct scene *s, int status, const char *what)
{
	if (status != 0)
		tallyd_failed(s->dir, what, status);
	stand_in_same(s->dir, s->before, what);
	assert_true(exists(s, "dump.lua"));
	assert_false(exists(s, "store"));
	assert_false(exists(s, "run/tallyd.journal"));
}

static uint64_t
dumped(const struct scene *s)
{
	char line[8192], path[512];
	unsigned long long n = 0, samples = 0;
	FILE *f = fopen(in_dir(s->dir, "dump.lua", path), "r");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		sscanf(line, "samples = %llu", &samples);
		n += strncmp(line, "tsc[", 4) == 0;
	}
	fclose(f);
	assert_int_equal(n, samples);
	return n;
}

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
	struct scene s = begin();
	uint64_t seed = 1, seen = 0, total = 0;
	unsigned sampling = 0;
	char path[512];
	long start_us;

	(void)state;
	in_dir(s.dir, "store", path);
	start_us = time_to_first_row(s.dir);
	for (int i = 0; i < KILLS; i++) {
		struct store *st = NULL;
		pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		/* half of them as it starts, half while it samples */
		if (i % 2)
			tallyd_rows(s.dir, 1);
		sleep_us((long)(seed >> 33) % (i % 2 ? 15000 : start_us));
		seen = 0;
		if (store_open(&st, path, NULL) == 0)
			seen = store_rows(st);
		kill(pid, SIGKILL);
		store_close(st);
		tallyd_wait(pid);
		sampling += seen > 0;
		if (st != NULL) {
			uint64_t rows = whole(path);

			assert_true(rows >= seen);
			total += rows;
		}
		if (tallyd_run(s.dir, NULL, ARGS("-q", "--restore")) != 0)
			tallyd_failed(s.dir, "--restore after a kill", 1);
		stand_in_same(s.dir, s.before, "after a kill and --restore");
		assert_false(exists(&s, "run/tallyd.journal"));
		unlink(path);
	}
	/* the kills did fall everywhere */
	assert_true(sampling >= KILLS / 2 && sampling < KILLS);
	assert_true(total > KILLS);
	end(&s);
}

static void
a_daemon_that_dies_at_its_nth_write_is_undone_by_restore(void **state)
{
	struct scene s = begin();
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
		assert_int_equal(rc, -SIGKILL);
		died++;
		/* a start finds it and says what to do */
		assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1")), 1);
		assert_true(tallyd_said(s.dir, "tallyd --restore"));
		assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--restore")),
		    0);
		stand_in_same(s.dir, s.before, env);
		unlink(in_dir(s.dir, "store", path));
	}
	assert_true(died > 10);
	end(&s);
}

static void
a_start_that_is_refused_at_any_write_leaves_all_as_found(void **state)
{
	struct scene s = begin();
	unsigned refused = 0;
	char env[64];

	(void)state;
	for (int n = 1; n < 2000; n += n < 6 ? 1 : 11) {
		int rc;

		snprintf(env, sizeof(env), "STAND_IN_REFUSE=%d", n);
		rc = tallyd_run(s.dir, env, ARGS("-q", "-i", "0.001", "-n",
		    "1", "--watch", "0"));
		if (rc == 0 || exists(&s, "dump.lua"))
			break;          /* past the start */
		assert_int_equal(rc, 1);
		stand_in_same(s.dir, s.before, env);
		assert_false(exists(&s, "store"));
		assert_false(exists(&s, "run/tallyd.journal"));
		refused++;
	}
	assert_true(tallyd_said(s.dir, "cannot write 0x"));
	assert_true(refused > 10);
	end(&s);
}

static void
a_register_that_does_not_take_its_value_is_told_and_undone(void **state)
{
	struct scene s = begin();
	char env[64];

	(void)state;
	/* a core's event, and something far into the uncore */
	for (int n = 40; n <= 160; n += 60) {
		snprintf(env, sizeof(env), "STAND_IN_DEAF=%d", n);
		assert_int_equal(tallyd_run(s.dir, env, ARGS("-n", "1")), 1);
		assert_true(tallyd_said(s.dir, "does not keep its value"));
		stand_in_same(s.dir, s.before, env);
	}
	end(&s);
}

static void
each_stop_signal_ends_with_a_dump_and_registers_as_found(void **state)
{
	static const int stop[] = { SIGCONT, SIGTERM, SIGINT, SIGHUP };

	(void)state;
	for (size_t i = 0; i < sizeof(stop) / sizeof(stop[0]); i++) {
		struct scene s = begin();
		pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));

		tallyd_rows(s.dir, 5);
		kill(pid, stop[i]);
		ended_well(&s, tallyd_wait(pid), strsignal(stop[i]));
		assert_true(dumped(&s) > 5);
		end(&s);
	}
}

static void
a_signal_in_the_middle_of_a_row_is_not_lost(void **state)
{
	struct scene s = begin();
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
	ended_well(&s, WEXITSTATUS(status), "SIGTERM in a row");
	assert_int_equal(dumped(&s), 2);
	end(&s);
}

static void
a_storm_of_signals_splits_no_row(void **state)
{
	static const int any[] = { SIGUSR1, SIGUSR2, SIGUSR2, SIGUSR1, SIGCHLD,
	    SIGPIPE, SIGWINCH, SIGURG };
	struct scene s = begin();
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
		if (i % 500 == 0 && files(&s, "dump.lua.") > most)
			most = files(&s, "dump.lua.");
	}
	/* one dump at a time, however many are asked for */
	if (most > 1)
		fail_msg("%u dumps were being written at once", most);
	for (int i = 0; i < 1000; i++)
		kill(pid, i % 3 == 0 ? SIGTERM : i % 3 == 1 ? SIGHUP : SIGINT);
	ended_well(&s, tallyd_wait(pid), "a storm of signals");
	assert_int_equal(whole(kept), dumped(&s));
	end(&s);
}

/* A child of pid; 0: it has none. */
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
		if (parent == pid)
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
	struct scene s = begin();
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
	end(&s);
}

static void
a_slow_dump_on_the_way_never_replaces_the_last_one(void **state)
{
	struct scene s = begin();
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
	rows = whole(kept);
	tallyd_rows(s.dir, rows + 20);
	kill(pid, SIGTERM);
	sleep_us(200000);
	kill(child, SIGCONT);
	status = tallyd_wait(pid);
	sleep_us(200000);               /* what the child still does */
	ended_well(&s, status, "a dump on the way");
	assert_int_equal(whole(kept), dumped(&s));
	end(&s);
}

static void
a_daemon_that_is_stopped_for_a_while_keeps_its_rows(void **state)
{
	struct scene s = begin();
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
	ended_well(&s, tallyd_wait(pid), "SIGSTOP, SIGCONT");
	assert_true(whole(kept) >= 6);
	assert_int_equal(whole(kept), dumped(&s));
	end(&s);
}

static void
a_second_daemon_is_refused_and_does_no_harm(void **state)
{
	struct scene s = begin();
	char other[512], words[64];
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));
	uint8_t *programmed;

	(void)state;
	tallyd_rows(s.dir, 5);
	programmed = stand_in_save(s.dir);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1", "--store",
	    in_dir(s.dir, "other", other))), 1);
	snprintf(words, sizeof(words), "another tallyd (pid %d)", pid);
	assert_true(tallyd_said(s.dir, words));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--restore")), 1);
	stand_in_same(s.dir, programmed, "a second daemon");
	free(programmed);
	kill(pid, SIGTERM);
	ended_well(&s, tallyd_wait(pid), "the first daemon");
	end(&s);
}

static void
a_store_that_somebody_left_is_never_overwritten(void **state)
{
	struct scene s = begin();
	char path[512];

	(void)state;
	tree_text(s.dir, "/store", "precious");
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1")), 1);
	assert_true(tallyd_said(s.dir, "File exists"));
	stand_in_same(s.dir, s.before, "a store in the way");
	unlink(in_dir(s.dir, "store", path));
	assert_int_equal(symlink(in_dir(s.dir, "log", (char[512]){ 0 }), path),
	    0);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1")), 1);
	stand_in_same(s.dir, s.before, "a link in the way");
	end(&s);
}

static void
counters_that_somebody_uses_are_left_alone_without_force(void **state)
{
	struct scene s = begin();

	(void)state;
	free(s.before);
	stand_in_set_msr(s.dir, 3, 0x187, 0x4300c5);
	s.before = stand_in_save(s.dir);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1")), 1);
	assert_true(tallyd_said(s.dir, "1 counter is in use by somebody else"));
	assert_true(tallyd_said(s.dir, "CORE of lproc 3 ctl1"));
	stand_in_same(s.dir, s.before, "a start with the PMU in use");
	assert_false(exists(&s, "store"));
	ended_well(&s, tallyd_run(s.dir, NULL, ARGS("-q", "-i", "0.001", "-n",
	    "2", "--force")), "--force");
	end(&s);
}

static void
values_that_stop_answering_go_missing_and_nothing_else(void **state)
{
	struct scene s = begin();
	char path[512], kept[512];
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--watch", "2"));
	const struct store_shape *shape;
	const uint64_t *row;
	struct store *st;

	(void)state;
	tallyd_rows(s.dir, 5);
	assert_int_equal(link(in_dir(s.dir, "store", path),
	    in_dir(s.dir, "kept", kept)), 0);
	/* every MSR of lproc 5 above 0xc4, and a memory channel */
	stand_in_msr_gone(s.dir, 5, 0xc4);
	stand_in_pci(s.dir, "0000:ae:0c.2", 0xffffffff);
	assert_int_equal(store_open(&st, kept, NULL), 0);
	tallyd_rows(s.dir, store_rows(st) + 5);
	kill(pid, SIGTERM);
	/* those registers cannot be put back, which it says */
	assert_int_equal(tallyd_wait(pid), 1);
	assert_true(tallyd_said(s.dir, "registers could not be restored"));
	assert_true(exists(&s, "run/tallyd.journal"));
	assert_true(dumped(&s) >= 10);
	shape = store_shape(st);
	row = store_at(st, 2);
	assert_int_equal(row[column(shape, "aperf[5]")->cell], 0x500e8);
	row = store_at(st, store_rows(st) - 2);
	assert_true(row[column(shape, "aperf[5]")->cell] == ABSENT);
	assert_int_equal(row[column(shape,
	    "core_counts[5][\"INST_RETIRED.KERNEL\"]")->cell], 0x500c3);
	assert_true(row[column(shape, "imc_counts[1][3]"
	    "[\"CAS_COUNT.READS\"]")->cell] == ABSENT);
	assert_true(row[column(shape, "imc_counts[1][2]"
	    "[\"CAS_COUNT.READS\"]")->cell] != ABSENT);
	assert_int_equal(row[column(shape, "aperf[4]")->cell], 0x400e8);
	store_close(st);
	end(&s);
}

static void
whoever_changes_a_control_register_is_told_in_the_data(void **state)
{
	struct scene s = begin();
	char path[512], text[1024], want[64];
	FILE *f;
	unsigned found = 0;
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--watch", "3"));

	(void)state;
	tallyd_rows(s.dir, 5);
	stand_in_set_msr(s.dir, 6, 0x186, 0x4300c5);    /* a core's event */
	stand_in_set_msr(s.dir, 1, 0x38d, 0);           /* fixed counters */
	stand_in_set_msr(s.dir, 0, 0xe11, 0x400000);    /* CHA 1, package 0 */
	stand_in_set_msr(s.dir, 0, 0x700, 1ull << 63);  /* freezes the uncore */
	tallyd_rows(s.dir, 15);
	kill(pid, SIGTERM);
	ended_well(&s, tallyd_wait(pid), "a tampered node");
	f = fopen(in_dir(s.dir, "dump.lua", path), "r");
	assert_non_null(f);
	while (fgets(text, sizeof(text), f) != NULL) {
		found |= strstr(text, "'core_counts[6][\"CPU_CLK_UNHALTED."
		    "KERNEL\"]'") != NULL ? 1 : 0;
		found |= strstr(text, "'core_fixed_counts[1]'") ? 2 : 0;
		found |= strstr(text, "'cha_counts[0][1][\"XSNP_RESP."
		    "EVICT_RSP_HITFSE\"]'") ? 4 : 0;
		snprintf(want, sizeof(want), "tamper_found[");
		found |= strncmp(text, want, strlen(want)) == 0 &&
		    strstr(text, "] = 0x4300c5") != NULL ? 8 : 0;
	}
	fclose(f);
	assert_int_equal(found, 15);
	end(&s);
}

static void
with_reassert_our_controls_come_back(void **state)
{
	struct scene s = begin();
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--watch", "2",
	    "--reassert"));
	char path[512], text[1024];
	unsigned found = 0;
	uint64_t ours;
	FILE *f;

	(void)state;
	tallyd_rows(s.dir, 5);
	ours = stand_in_msr(s.dir, 6, 0x186);
	stand_in_set_msr(s.dir, 6, 0x186, 0x4300c5);
	tallyd_rows(s.dir, 15);
	for (int i = 0; i < 1000 && stand_in_msr(s.dir, 6, 0x186) != ours; i++)
		sleep_us(1000);
	assert_true(stand_in_msr(s.dir, 6, 0x186) == ours);
	kill(pid, SIGTERM);
	ended_well(&s, tallyd_wait(pid), "a tampered node");
	f = fopen(in_dir(s.dir, "dump.lua", path), "r");
	assert_non_null(f);
	while (fgets(text, sizeof(text), f) != NULL) {
		found |= strcmp(text, "tamper_reasserted[0] = 1\n") == 0;
		found |= strcmp(text, "tamper_found[0] = 0x4300c5\n") == 0 ?
		    2 : 0;
	}
	fclose(f);
	assert_int_equal(found, 3);
	end(&s);
}

/* How many columns the daemon said that it samples. */
static unsigned
columns_said(const struct scene *s)
{
	char path[512], line[1024];
	FILE *f = fopen(in_dir(s->dir, "log", path), "r");
	unsigned n = 0, last = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL)
		if (strstr(line, " columns every ") != NULL &&
		    sscanf(line, "tallyd: %u", &n) == 1)
			last = n;
	fclose(f);
	return last;
}

static void
too_few_descriptors_are_said_before_anything_is_written(void **state)
{
	struct scene s = begin();
	unsigned all, refused = 0;
	char path[512];
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "2", "-i",
	    "0.001")), 0);
	all = columns_said(&s);
	assert_true(all > 300);
	for (rlim_t limit = 8; limit < 60; limit += 3) {
		unlink(in_dir(s.dir, "log", path));
		fflush(NULL);
		if ((pid = fork()) == 0) {
			struct rlimit rl = { limit, limit };

			setrlimit(RLIMIT_NOFILE, &rl);
			/* or root would raise it again */
			prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE, 0, 0, 0);
			status = tallyd_run(s.dir, NULL, ARGS("-n", "2", "-i",
			    "0.001"));
			_exit(status < 0 ? 97 : status);
		}
		status = tallyd_wait(pid);
		stand_in_same(s.dir, s.before, "too few descriptors");
		assert_false(exists(&s, "store"));
		if (status == 0) {
			/* enough: then nothing is missing either */
			assert_int_equal(columns_said(&s), all);
			continue;
		}
		assert_int_equal(status, 1);
		assert_true(tallyd_said(s.dir, "open files"));
		refused++;
	}
	assert_true(refused > 5);
	/* a limit that may be raised is */
	unlink(in_dir(s.dir, "log", path));
	fflush(NULL);
	if ((pid = fork()) == 0) {
		struct rlimit rl;

		getrlimit(RLIMIT_NOFILE, &rl);
		rl.rlim_cur = 20;
		setrlimit(RLIMIT_NOFILE, &rl);
		status = tallyd_run(s.dir, NULL, ARGS("-n", "2", "-i",
		    "0.001"));
		_exit(status < 0 ? 97 : status);
	}
	assert_int_equal(tallyd_wait(pid), 0);
	assert_int_equal(columns_said(&s), all);
	end(&s);
}

static void
a_large_store_and_a_long_dump_are_no_reason_to_be_killed(void **state)
{
	struct scene s = begin();

	(void)state;
	/* the limit of the real-time class is 0.2 s of CPU time on end */
	ended_well(&s, tallyd_run(s.dir, "STAND_IN_BURN=300", ARGS("-q", "-n",
	    "12", "-i", "0.001")), "a long dump");
	end(&s);
}

static void
a_disk_that_is_full_at_dump_time_costs_no_row(void **state)
{
	struct scene s = begin();
	char dump[512], path[512], tally[512], command[2048];
	int status;
	pid_t pid;

	(void)state;
	fflush(NULL);
	if ((pid = fork()) == 0) {      /* mounts in a process of its own */
		if (!small_tmpfs(s.dir, "small", 64))
			_exit(77);
		status = tallyd_run(s.dir, NULL, ARGS("-q", "-n", "5", "-i",
		    "0.001", "-o", in_dir(s.dir, "small/dump.lua", dump)));
		/* no half of a dump stays there */
		if (files(&s, "small") != 1 || rmdir(in_dir(s.dir,
		    "small/x", path)) == 0 || umount2(in_dir(s.dir, "small",
		    path), 0) < 0)
			_exit(96);
		_exit(status < 0 ? 97 : status);
	}
	status = tallyd_wait(pid);
	if (status == 77) {
		print_message("NOT TESTED: a full disk needs the right to "
		    "mount\n");
		end(&s);
		return;
	}
	assert_int_equal(status, 1);
	assert_true(tallyd_said(s.dir, "No space left on device"));
	assert_true(tallyd_said(s.dir, "samples are safe in"));
	stand_in_same(s.dir, s.before, "a full disk");
	assert_int_equal(whole(in_dir(s.dir, "store", path)), 5);
	snprintf(command, sizeof(command), "'%s' dump '%s' >'%s/dump.lua'",
	    built("tally", tally), path, s.dir);
	assert_int_equal(system(command), 0);
	assert_int_equal(dumped(&s), 5);
	end(&s);
}

static void
a_store_that_has_no_room_is_refused_before_sampling(void **state)
{
	struct scene s = begin();
	char store[512];
	int status;
	pid_t pid;

	(void)state;
	fflush(NULL);
	if ((pid = fork()) == 0) {
		if (!small_tmpfs(s.dir, "small", 256))
			_exit(77);
		status = tallyd_run(s.dir, NULL, ARGS("-q", "-n", "1000",
		    "--store", in_dir(s.dir, "small/store", store)));
		/* and no file that fills it is left */
		if (access(store, F_OK) == 0)
			_exit(96);
		umount2(in_dir(s.dir, "small", store), 0);
		_exit(status < 0 ? 97 : status);
	}
	status = tallyd_wait(pid);
	if (status == 77)
		print_message("NOT TESTED: a full tmpfs needs the right to "
		    "mount\n");
	else {
		assert_int_equal(status, 1);
		assert_true(tallyd_said(s.dir, "no room for"));
	}
	stand_in_same(s.dir, s.before, "a store without room");
	end(&s);
}

static void
a_directory_that_goes_or_is_closed_costs_no_row(void **state)
{
	(void)state;
	for (int removed = 0; removed < 2; removed++) {
		struct scene s = begin();
		char out[512], path[512];
		bool owner = geteuid() == 0;
		pid_t pid;

		mkdir(in_dir(s.dir, "out", path), 0777);
		chmod(path, 0777);
		in_dir(s.dir, "out/dump.lua", out);
		/* root writes where it likes: the owner is somebody else */
		pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "-o", out,
		    owner ? "--user" : "-q", owner ? "nobody" : "-q"));
		tallyd_rows(s.dir, 5);
		if (removed)
			assert_int_equal(rmdir(path), 0);
		else
			assert_int_equal(chmod(path, 0555), 0);
		kill(pid, SIGTERM);
		assert_int_equal(tallyd_wait(pid), 1);
		assert_true(tallyd_said(s.dir, "samples are safe in"));
		stand_in_same(s.dir, s.before, "no output directory");
		assert_true(whole(in_dir(s.dir, "store", path)) > 5);
		end(&s);
	}
}

static bool
status_says(pid_t pid, const char *line)
{
	char path[64], text[4096];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "r");
	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return strstr(text, line) != NULL;
}

/* How many descriptors of a process its own user, 65534, can take. */
static int
descriptors_for_its_user(pid_t pid)
{
	int pidfd, n = 0;
	pid_t child;

	fflush(NULL);
	if ((child = fork()) == 0) {
		if (setgroups(0, NULL) < 0 ||
		    setresgid(65534, 65534, 65534) < 0 ||
		    setresuid(65534, 65534, 65534) < 0 ||
		    (pidfd = (int)syscall(SYS_pidfd_open, pid, 0)) < 0)
			_exit(99);
		for (int fd = 0; fd < 64; fd++)
			n += syscall(SYS_pidfd_getfd, pidfd, fd, 0) >= 0;
		_exit(n);
	}
	return tallyd_wait(child);
}

static void
a_daemon_that_became_its_user_restores_and_dumps_as_that_user(void **state)
{
	struct scene s = begin();
	char path[512];
	struct stat sb;
	pid_t pid;

	(void)state;
	if (geteuid() != 0) {
		print_message("NOT TESTED: becoming a user needs root\n");
		end(&s);
		return;
	}
	pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--user", "nobody"));
	tallyd_rows(s.dir, 2);
	/* real, effective, saved, file system; and no capability is left */
	assert_true(status_says(pid, "Uid:\t65534\t65534\t65534\t65534\n"));
	assert_true(status_says(pid, "CapEff:\t0000000000000000\n"));
	assert_true(status_says(pid, "CapPrm:\t0000000000000000\n"));
	/* or that user could write to any register */
	assert_int_equal(descriptors_for_its_user(pid), 0);
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	stand_in_same(s.dir, s.before, "--user nobody");
	assert_int_equal(stat(in_dir(s.dir, "dump.lua", path), &sb), 0);
	assert_int_equal(sb.st_uid, 65534);
	assert_true(dumped(&s) >= 3);
	/* its journal is in root's directory: emptied, if not removed */
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-q", "-n", "1")), 0);
	end(&s);
}

static void
who_counts_with_registers_and_the_kernel_keeps_the_right_to(void **state)
{
	struct scene s = begin();
	char conf[512], rights[64];
	bool known;
	pid_t pid;

	(void)state;
	tree_text(s.dir, "/mix.conf", "core E0 event=0xc0\ncores \"0\"\n"
	    "event context-switches\n");
	in_dir(s.dir, "mix.conf", conf);
	if (geteuid() != 0 || tallyd_run(s.dir, NULL, ARGS("-n", "1", "-c",
	    conf)) != 0) {
		print_message("NOT TESTED: needs root, and perf events\n");
		end(&s);
		return;
	}
	pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "-c", conf, "--user",
	    "nobody"));
	tallyd_rows(s.dir, 2);
	/* or the event of an lproc that comes back could not be opened */
	snprintf(rights, sizeof(rights), "CapPrm:\t%016llx\n",
	    1ull << CAP_PERFMON);
	known = status_says(pid, rights);
	/* before Linux 5.8 */
	snprintf(rights, sizeof(rights), "CapPrm:\t%016llx\n",
	    1ull << CAP_SYS_ADMIN);
	assert_true(known || status_says(pid, rights));
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	end(&s);
}

static void
ports_that_are_too_many_are_told(void **state)
{
	struct scene s = begin();
	char path[512], name[96];

	(void)state;
	for (unsigned n = 1; n <= 34; n++) {
		snprintf(name, sizeof(name), "/sys/class/infiniband/mlx5_0/"
		    "ports/%u/counters/port_rcv_data", n);
		tree_text(s.dir, name, "1\n");
	}
	tree_text(s.dir, "/ib.conf", "read ib\n");
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-v", "-n", "1", "-c",
	    in_dir(s.dir, "ib.conf", path))), 0);
	assert_true(tallyd_said(s.dir,
	    "not sampled: ib: 2 ports more than the 32 that are read"));
	end(&s);
}

static void
packages_that_tell_the_same_buses_are_not_counted_twice(void **state)
{
	struct scene s = begin();
	uint64_t buses = stand_in_msr(s.dir, 0, 0x300);
	char path[512], *dump;

	(void)state;
	stand_in_set_msr(s.dir, 2, 0x300, buses);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--check")), 0);
	assert_true(tallyd_said(s.dir, "IMC      0 of 6 in package 0, 0 of 6 in "
	    "package 1 (12 absent: another package tells the same PCI bus"));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-q", "-n", "1")), 0);
	dump = file_text(in_dir(s.dir, "dump.lua", path), NULL);
	assert_null(strstr(dump, "imc_counts[0][0]["));
	assert_null(strstr(dump, "imc_counts[1][0]["));
	assert_non_null(strstr(dump, "core_counts[0]["));
	free(dump);
	end(&s);
}

static void
the_dram_sweep_runs_on_all_cores_of_a_node(void **state)
{
	struct scene s = begin();
	char words[64];
	cpu_set_t set;
	int n;

	(void)state;
	/* lprocs 0 and 1 are the cores of node 0, as far as there are any */
	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	n = CPU_ISSET(0, &set) + CPU_ISSET(1, &set);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1",
	    "--measure-dram-bandwidth")), 0);
	snprintf(words, sizeof(words), n == 0 ?
	    "NUMA node 0 has no core that may be used" :
	    "GB/s of DRAM with %d core%s\n", n, n == 1 ? "" : "s");
	assert_true(tallyd_said(s.dir, words));
	if (!CPU_ISSET(2, &set) && !CPU_ISSET(3, &set))
		assert_true(tallyd_said(s.dir,
		    "NUMA node 1 has no core that may be used"));
	end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_daemon_that_is_killed_at_any_moment_loses_nothing),
		cmocka_unit_test(
		    a_daemon_that_dies_at_its_nth_write_is_undone_by_restore),
		cmocka_unit_test(
		    a_start_that_is_refused_at_any_write_leaves_all_as_found),
		cmocka_unit_test(
		    a_register_that_does_not_take_its_value_is_told_and_undone),
		cmocka_unit_test(
		    each_stop_signal_ends_with_a_dump_and_registers_as_found),
		cmocka_unit_test(a_signal_in_the_middle_of_a_row_is_not_lost),
		cmocka_unit_test(a_storm_of_signals_splits_no_row),
		cmocka_unit_test(a_dump_on_the_way_does_not_hold_up_a_restore),
		cmocka_unit_test(
		    a_slow_dump_on_the_way_never_replaces_the_last_one),
		cmocka_unit_test(
		    a_daemon_that_is_stopped_for_a_while_keeps_its_rows),
		cmocka_unit_test(a_second_daemon_is_refused_and_does_no_harm),
		cmocka_unit_test(
		    a_store_that_somebody_left_is_never_overwritten),
		cmocka_unit_test(
		    counters_that_somebody_uses_are_left_alone_without_force),
		cmocka_unit_test(
		    values_that_stop_answering_go_missing_and_nothing_else),
		cmocka_unit_test(
		    whoever_changes_a_control_register_is_told_in_the_data),
		cmocka_unit_test(with_reassert_our_controls_come_back),
		cmocka_unit_test(
		    too_few_descriptors_are_said_before_anything_is_written),
		cmocka_unit_test(
		    a_large_store_and_a_long_dump_are_no_reason_to_be_killed),
		cmocka_unit_test(a_disk_that_is_full_at_dump_time_costs_no_row),
		cmocka_unit_test(
		    a_store_that_has_no_room_is_refused_before_sampling),
		cmocka_unit_test(
		    a_directory_that_goes_or_is_closed_costs_no_row),
		cmocka_unit_test(
		    a_daemon_that_became_its_user_restores_and_dumps_as_that_user),
		cmocka_unit_test(
		    who_counts_with_registers_and_the_kernel_keeps_the_right_to),
		cmocka_unit_test(ports_that_are_too_many_are_told),
		cmocka_unit_test(
		    packages_that_tell_the_same_buses_are_not_counted_twice),
		cmocka_unit_test(the_dram_sweep_runs_on_all_cores_of_a_node),
	};

	return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
