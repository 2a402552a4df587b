/*
 * tests/daemon/test_segments.c - a run in segments: each is a complete dump,
 * and no sample is lost between two, when the daemon is stopped or killed, its
 * program fails, or the disk is full.
 */
#include "tests/lib/scene.h"
#include "tests/lib/segment_files.h"
#include "tests/lib/rig.h"

#include "config/amount.h"
#include "config/dump/dump.h"
#include "config/dump/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define KILLS rounds(100)

/* Segments of some twenty rows. */
#define SHORT "-q", "-i", "0.001", "--segment", "64K"

static uint64_t
all_samples(const struct scene *s)
{
	struct segment_files *f = calloc(1, sizeof(*f));
	uint64_t n;

	segment_files_add(f, s->dir, "dump.0");
	n = segment_files_whole(f);
	free(f);
	return n;
}

static void
amounts_have_units(void **state)
{
	static const struct {
		const char *text;
		enum amount_kind kind;
		uint64_t n;
	} good[] = {
		{ "48", AMOUNT_COUNT, 48 },
		{ "90s", AMOUNT_TIME, 90000000000 },
		{ "10min", AMOUNT_TIME, 600000000000 },
		{ "1h", AMOUNT_TIME, 3600000000000 },
		{ "7d", AMOUNT_TIME, 604800000000000 },
		{ "512K", AMOUNT_SIZE, 524288 }, { "64M", AMOUNT_SIZE, 67108864 },
		{ "2G", AMOUNT_SIZE, 2147483648 },
	};
	static const char *const bad[] = { "", "0", "0h", "-1", "1 h", "h", "1m",
	    "1hh", "1.5h", "99999999999999999999", "9999999999999d", "64m" };
	struct amount a;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(amount_parse(&a, good[i].text), 0);
		assert_int_equal(a.kind, good[i].kind);
		assert_int_equal(a.n, good[i].n);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(amount_parse(&a, bad[i]), -EINVAL);
}

static void
the_last_sample_of_a_segment_is_the_first_of_the_next(void **state)
{
	struct scene s = scene_begin();
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(SHORT));

	(void)state;
	/* a busy disk makes them longer, and each has some twenty at least */
	wait_until(scene_has(&s, "dump.000010.lua"));
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	assert_true(all_samples(&s) > 150);
	/* nothing else is left */
	assert_int_equal(scene_files(&s, "store"), 0);
	assert_false(scene_has(&s, "dump.lua"));
	stand_in_same(s.dir, s.before, "segments");
	scene_end(&s);
}

static void
a_run_without_an_end_goes_on_until_it_is_told(void **state)
{
	struct scene s = scene_begin();
	pid_t pid = tallyd_start(s.dir, NULL, ARGS("-i", "0.001"));

	(void)state;
	tallyd_rows(s.dir, 20);
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	assert_true(tallyd_said(s.dir, "until it is told to stop"));
	/* and is one dump while it has not more rows than a segment */
	assert_true(scene_dumped(&s) > 20);
	assert_int_equal(scene_files(&s, "dump.0"), 0);
	scene_end(&s);
}

static void
the_oldest_of_its_own_are_removed_and_nothing_else(void **state)
{
	struct scene s = scene_begin();
	char path[512], *text;
	pid_t pid;
	FILE *f;

	(void)state;
	tree_text(s.dir, "/dump.000001.lua", "precious");
	tree_text(s.dir, "/dump.000002.lua.old", "precious");
	/* its numbers begin above what was there; the first, 3, is removed by then */
	pid = tallyd_start(s.dir, NULL, ARGS(SHORT, "--keep", "3"));
	wait_until(scene_files(&s, "dump.0") >= 2 + 3 &&
	    !scene_has(&s, "dump.000003.lua"));
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	assert_int_equal(scene_files(&s, "dump.0"), 2 + 3);
	text = file_text(in_dir(s.dir, "dump.000001.lua", path), NULL);
	assert_string_equal(text, "precious");
	free(text);
	assert_true(scene_has(&s, "dump.000002.lua.old"));
	/* those of a run before count, but one that somebody has changed */
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS(SHORT, "-n", "10",
	    "--keep", "3")), 0);
	assert_int_equal(scene_files(&s, "dump.0"), 2 + 3);
	for (int n = 1; n < 100; n++) {
		char name[32];

		snprintf(name, sizeof(name), "dump.%06d.lua", n);
		if (n > 2 && scene_has(&s, name)) {
			f = fopen(in_dir(s.dir, name, path), "a");
			fputs("-- mine\n", f);
			fclose(f);
			break;
		}
	}
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS(SHORT, "-n", "10",
	    "--keep", "1")), 0);
	assert_int_equal(scene_files(&s, "dump.0"), 2 + 1 + 1);
	assert_int_equal(access(path, F_OK), 0);
	scene_end(&s);
}

static void
a_list_that_is_not_tallyds_removes_nothing(void **state)
{
	struct scene s = scene_begin();
	char path[512], *text;

	(void)state;
	tree_text(s.dir, "/dump.segments", "dear diary\n");
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS(SHORT, "-n", "300",
	    "--keep", "1")), 0);
	/* more than --keep 1 leaves: how many depends on how fast they are written */
	assert_true(scene_files(&s, "dump.0") > 1);
	assert_true(tallyd_said(s.dir, "it is not tallyd's"));
	text = file_text(in_dir(s.dir, "dump.segments", path), NULL);
	assert_string_equal(text, "dear diary\n");
	free(text);
	scene_end(&s);
}

static void
a_program_of_the_users_choice_gets_each_segment(void **state)
{
	struct scene s = scene_begin();

	(void)state;
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS(SHORT, "-n", "100",
	    "--pipe", "sh -c 'cat >\"%s.copy\"'", "--keep", "2")), 0);
	assert_int_equal(scene_files(&s, "dump.0"), 2);
	assert_false(scene_has(&s, "dump.000005.lua"));
	scene_end(&s);
}

/* How many times it said that. */
static unsigned
times_said(const struct scene *s, const char *words)
{
	char path[512], *text = file_text(in_dir(s->dir, "log", path), NULL);
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
		n++;
	free(text);
	return n;
}

static void
a_program_that_fails_keeps_the_dump_as_it_is(void **state)
{
	static const struct { const char *command, *says; } t[] = {
		{ "false", "it failed (status 1)" },
		{ "sh -c 'kill -9 $$'", "it failed (signal 9)" },
		{ "/no/such/program %s", "there is no such program" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct scene s = scene_begin();

		assert_int_equal(tallyd_run(s.dir, NULL, ARGS(SHORT, "-n",
		    "100", "--pipe", t[i].command)), 0);
		assert_true(tallyd_said(s.dir, t[i].says));
		assert_int_equal(all_samples(&s), 100);
		/* that it is not there holds for all, and is said once */
		if (i == 2)
			assert_int_equal(times_said(&s, t[i].says), 1);
		scene_end(&s);
	}
}

/* The configuration of the packages, for an hour and some minutes. */
static void
segments_of_a_service_are_packed_where_zstd_is_there(void **state)
{
	bool zstd = system("command -v zstd >/dev/null 2>&1") == 0;
	char *dir = tree_new(), tallyd[512], conf[PATH_MAX];
	char command[PATH_MAX + 1200];

	(void)state;
	assert_non_null(realpath("doc/packaging/tallyd.conf", conf));
	snprintf(command, sizeof(command), "cd %s && %s -q --sim @c2758 "
	    "--virtual-time -n 3700 -c %s -o d.lua 2>log && ls d.0*", dir,
	    built("tallyd", tallyd), conf);
	assert_int_equal(system(command), 0);
	snprintf(command, sizeof(command), "cd %s && [ \"$(echo d.0*)\" = "
	    "'d.000001.lua%s d.000002.lua%s' ]", dir, zstd ? ".zst" : "",
	    zstd ? ".zst" : "");
	assert_int_equal(system(command), 0);
	/* and read as it is */
	snprintf(command, sizeof(command), "cd %s && %s check d.000001.lua* | "
	    "grep -q ': [1-9][0-9]* samples, '", dir, built("tally", tallyd));
	assert_int_equal(system(command), 0);
	tree_free(dir);
}

static void
what_cannot_be_meant_is_refused(void **state)
{
	static const struct { const char *args[6], *says; } t[] = {
		{ { "--segment", "5", NULL }, "give a time" },
		{ { "--keep", "5", NULL }, "--keep is of segments" },
		{ { "--pipe", "cat", NULL }, "--pipe is of segments" },
		{ { "--segment", "1s", "-i", "2", NULL }, "shorter than" },
	};
	struct scene s = scene_begin();

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		assert_int_equal(tallyd_run(s.dir, NULL, t[i].args), 64);
		assert_true(tallyd_said(s.dir, t[i].says));
	}
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--segment", "1K")), 1);
	assert_true(tallyd_said(s.dir, "less than the two samples"));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--segment", "1h", "-o",
	    "/dev/null")), 1);
	assert_true(tallyd_said(s.dir, "has no segments"));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS(SHORT, "--pipe",
	    "zstd 'x")), 1);
	assert_true(tallyd_said(s.dir, "close each quote"));
	stand_in_same(s.dir, s.before, "refused");
	scene_end(&s);
}

/* ---- kills ------------------------------------------------------------- */

/* Of a daemon that was killed, a child may still write a dump: until none holds
 * a store. */
static void
wait_for_children(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char path[512];

	assert_non_null(d);
	while ((e = readdir(d)) != NULL) {
		int fd;

		if (strncmp(e->d_name, "store", 5) != 0)
			continue;
		fd = open(in_dir(dir, e->d_name, path), O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		wait_until(!store_locked(fd, STORE_HELD));
		close(fd);
	}
	closedir(d);
}

static bool
has_segment(const char *dir, unsigned n)
{
	char name[32], path[512];

	snprintf(name, sizeof(name), "dump.%06u.lua", n);
	return access(in_dir(dir, name, path), F_OK) == 0;
}

static void
a_kill_at_any_moment_loses_no_row_and_has_none_twice(void **state)
{
	struct scene s = scene_begin();
	struct segment_files *f = calloc(1, sizeof(*f));
	uint64_t seed = 11, total = 0;
	unsigned two = 0;

	(void)state;
	for (unsigned i = 0; i < KILLS; i++) {
		pid_t pid = tallyd_start(s.dir, NULL, ARGS(SHORT));

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		/* as a segment has just ended, and up to one later */
		wait_until(has_segment(s.dir, 1 + i % 3));
		sleep_us((long)(seed >> 33) % 30000);
		/* as there is a store beside its own: that of the next segment,
		 * or, where the disk is slow, one whose dump is being written */
		if (i % 4 == 3)
			wait_until(scene_files(&s, "store") > 1);
		kill(pid, SIGKILL);
		tallyd_wait(pid);
		two += scene_files(&s, "store") > 1;
		wait_for_children(s.dir);
		f->n = 0;
		segment_files_add(f, s.dir, "dump.0");
		segment_files_add(f, s.dir, "store");
		total += segment_files_whole(f);
		if (tallyd_run(s.dir, NULL, ARGS("-q", "--restore")) != 0)
			tallyd_failed(s.dir, "--restore after a kill", 1);
		stand_in_same(s.dir, s.before, "after a kill and --restore");
		segment_files_remove(s.dir);
	}
	assert_true(total > KILLS * 20);
	/* some were in the midst of a change */
	assert_true(two > 0);
	free(f);
	scene_end(&s);
}

static void
a_dump_by_signal_is_no_more_once_segments_have_numbers(void **state)
{
	struct scene s = scene_begin();
	struct rlimit was, few;
	unsigned tries = 0;
	pid_t pid;

	(void)state;
	/* no end, and no --segment: stores may have some hundred rows */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	few = was;
	few.rlim_cur = 12 << 20;
	/* once more where the first segment was over before we saw that dump */
	for (;;) {
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
		pid = tallyd_start(s.dir, NULL, ARGS("-q", "-i", "0.001"));
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
		tallyd_rows(s.dir, 5);
		kill(pid, SIGUSR1);
		wait_until(scene_has(&s, "dump.lua") ||
		    scene_has(&s, "dump.000001.lua"));
		if (scene_has(&s, "dump.lua"))
			break;
		assert_true(++tries < 20);
		kill(pid, SIGTERM);
		assert_int_equal(tallyd_wait(pid), 0);
		segment_files_remove(s.dir);
	}
	wait_until(scene_has(&s, "dump.000001.lua"));
	wait_until(!scene_has(&s, "dump.lua"));
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	assert_false(scene_has(&s, "dump.lua"));
	assert_true(all_samples(&s) > 100);
	stand_in_same(s.dir, s.before, "a dump by a signal");
	scene_end(&s);
}

static void
a_dump_by_signal_that_is_anothers_by_then_stays(void **state)
{
	struct scene s = scene_begin();
	struct save_place place;
	char path[512];
	struct diag why;

	(void)state;
	tree_text(s.dir, "/mine.lua", "mine");
	assert_int_equal(save_open(&place, in_dir(s.dir, "mine.lua", path),
	    &why), 0);
	save_undo(&place);
	assert_true(scene_has(&s, "mine.lua"));
	save_close(&place);
	scene_end(&s);
}

/* ---- disks ------------------------------------------------------------- */

/* By virtual time, which stands still while a dump is written: all segments are of the
 * same size, some four of which fit. */
static void
a_full_disk_keeps_the_newest(void **state)
{
	struct scene s = scene_begin();
	char command[2048], path[512], tallyd[512];
	int status;
	pid_t pid;

	(void)state;
	in_dir(s.dir, "small", path);
	snprintf(command, sizeof(command), "%s -q --sim @c2758 --virtual-time "
	    "-n 600 -i 0.001 --segment 64K --keep 1000 --store %s/store -o "
	    "%s/dump.lua >%s/log 2>&1", built("tallyd", tallyd), s.dir, path,
	    s.dir);
	fflush(NULL);
	if ((pid = fork()) == 0) {      /* mounts in a process of its own */
		struct segment_files *f = calloc(1, sizeof(*f));

		if (!small_tmpfs(s.dir, "small", 2048))
			_exit(SCENE_MAY_NOT);
		status = system(command);
		segment_files_add(f, path, "dump.0");
		for (unsigned i = 0; status == 0 && i < f->n; i++)
			if (f->file[i].sample + f->file[i].samples == 600)
				status = 55;
		umount2(path, MNT_DETACH);
		_exit(status == 55 ? 55 : 97);
	}
	status = scene_mounted(&s, pid);
	if (status != 55)
		tallyd_failed(s.dir, "a disk that is full", status);
	assert_true(tallyd_said(s.dir, "No space left on device; the oldest "
	    "segment, dump.000001.lua, is removed for it"));
	scene_end(&s);
}

/* As tallyd_said, of what is not there yet. */
static bool
says(const struct scene *s, const char *words)
{
	char path[512], *text = file_text(in_dir(s->dir, "log", path), NULL);
	bool has = strstr(text, words) != NULL;

	free(text);
	return has;
}

static void
a_folder_that_goes_is_told_and_sampling_goes_on(void **state)
{
	struct scene s = scene_begin();
	struct segment_files *f = calloc(1, sizeof(*f));
	char out[512], path[512];
	pid_t pid;

	(void)state;
	mkdir(in_dir(s.dir, "out", path), 0777);
	pid = tallyd_start(s.dir, NULL, ARGS(SHORT, "-o",
	    in_dir(s.dir, "out/dump.lua", out)));
	tallyd_rows(s.dir, 2);
	/* what is put there meanwhile keeps it once more */
	while (rmdir(path) < 0 && errno != ENOENT) {
		assert_int_equal(errno, ENOTEMPTY);
		tree_free(strdup(path));
	}
	wait_until(says(&s, "until they can be written"));
	wait_until(says(&s, "samples are lost"));
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 1);
	assert_true(tallyd_said(s.dir, "safe in"));
	/* what was not dropped is in stores, and each can be read */
	segment_files_add(f, s.dir, "store");
	assert_in_range(f->n, 1, 2);
	assert_true(f->file[0].samples > 0);
	stand_in_same(s.dir, s.before, "a folder that went");
	free(f);
	scene_end(&s);
}

static void
a_folder_that_becomes_read_only_is_told_and_comes_back(void **state)
{
	struct scene s = scene_begin();
	char out[512], path[512];
	int status, told = 97;
	pid_t pid;

	(void)state;
	fflush(NULL);
	if ((pid = fork()) == 0) {      /* mounts in a process of its own */
		if (!small_tmpfs(s.dir, "out", 65536))
			_exit(SCENE_MAY_NOT);
		/* a store has room for a minute, in which it is writable again */
		pid = tallyd_start(s.dir, NULL, ARGS(SHORT, "-i", "0.02", "-o",
		    in_dir(s.dir, "out/dump.lua", out)));
		wait_until(scene_has(&s, "out/dump.000001.lua"));
		in_dir(s.dir, "out", path);
		/* a dump that is being written would hold it */
		while (mount(NULL, path, NULL, MS_REMOUNT | MS_RDONLY, NULL) <
		    0)
			sleep_us(1000);
		wait_until(says(&s, "Read-only file system"));
		mount(NULL, path, NULL, MS_REMOUNT, NULL);
		kill(pid, SIGTERM);
		if ((status = tallyd_wait(pid)) == 0)
			told = 55;
		umount2(path, MNT_DETACH);
		_exit(told);
	}
	status = scene_mounted(&s, pid);
	if (status != 55)
		tallyd_failed(s.dir, "a folder that is read-only", status);
	stand_in_same(s.dir, s.before, "a read-only folder");
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(amounts_have_units),
		cmocka_unit_test(
		    the_last_sample_of_a_segment_is_the_first_of_the_next),
		cmocka_unit_test(a_run_without_an_end_goes_on_until_it_is_told),
		cmocka_unit_test(
		    the_oldest_of_its_own_are_removed_and_nothing_else),
		cmocka_unit_test(a_list_that_is_not_tallyds_removes_nothing),
		cmocka_unit_test(
		    a_program_of_the_users_choice_gets_each_segment),
		cmocka_unit_test(a_program_that_fails_keeps_the_dump_as_it_is),
		cmocka_unit_test(segments_of_a_service_are_packed_where_zstd_is_there),
		cmocka_unit_test(what_cannot_be_meant_is_refused),
		cmocka_unit_test(
		    a_kill_at_any_moment_loses_no_row_and_has_none_twice),
		cmocka_unit_test(
		    a_dump_by_signal_is_no_more_once_segments_have_numbers),
		cmocka_unit_test(
		    a_dump_by_signal_that_is_anothers_by_then_stays),
		cmocka_unit_test(a_full_disk_keeps_the_newest),
		cmocka_unit_test(
		    a_folder_that_becomes_read_only_is_told_and_comes_back),
		cmocka_unit_test(
		    a_folder_that_goes_is_told_and_sampling_goes_on),
	};

	return cmocka_run_group_tests_name("segments", tests, NULL, NULL);
}
