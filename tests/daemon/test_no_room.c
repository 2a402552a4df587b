/*
 * tests/daemon/test_no_room.c - file descriptors, memory, disk space or
 * directory entries run out: a message says so before sampling begins, and once
 * it has begun no row is lost.
 */
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void
a_store_that_somebody_left_is_never_overwritten(void **state)
{
	struct scene s = scene_begin();
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
	scene_end(&s);
}

/* As after a kill between the change of a segment and the dump of the one before. */
static void
a_segment_that_was_left_beside_the_store_is_named(void **state)
{
	struct scene s = scene_begin();
	char path[512], beside[512];
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));

	(void)state;
	tallyd_rows(s.dir, 3);
	assert_int_equal(link(in_dir(s.dir, "store", path), in_dir(s.dir,
	    "store.2", beside)), 0);
	kill(pid, SIGKILL);
	tallyd_wait(pid);
	unlink(path);
	tree_text(s.dir, "/store.3", "");
	tree_text(s.dir, "/store.old", "");
	wait_until(tallyd_run(s.dir, NULL, ARGS("-n", "1", "--overwrite")) == 0);
	assert_true(tallyd_said(s.dir, "a tallyd that died left its samples in"));
	assert_true(tallyd_said(s.dir, beside));
	assert_true(tallyd_kept_quiet(s.dir, "store.3"));
	scene_end(&s);
}

static void
a_link_that_leads_nowhere_is_told_before_the_run(void **state)
{
	struct scene s = scene_begin();
	char link[512], to[512];

	(void)state;
	in_dir(s.dir, "link", link);
	assert_int_equal(symlink("/nowhere/x", link), 0);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1", "-o", link)),
	    1);
	assert_true(tallyd_said(s.dir, "cannot write the dump "));
	unlink(link);
	assert_int_equal(symlink("link", link), 0);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1", "-o", link)),
	    1);
	assert_true(tallyd_said(s.dir, "Too many levels"));
	stand_in_same(s.dir, s.before, "a link that leads nowhere");
	/* one to a file that is not there yet is as good as any */
	unlink(link);
	assert_int_equal(symlink("later", link), 0);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1", "-i", "0.001",
	    "-o", link, "--store", "/dev/null/x")), 1);
	assert_int_equal(access(in_dir(s.dir, "later", to), F_OK), -1);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1", "-i", "0.001",
	    "-o", link)), 0);
	assert_int_equal(access(to, F_OK), 0);
	scene_end(&s);
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
	struct scene s = scene_begin();
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
		assert_false(scene_has(&s, "store"));
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
	scene_end(&s);
}

static void
a_large_store_and_a_long_dump_are_no_reason_to_be_killed(void **state)
{
	struct scene s = scene_begin();

	(void)state;
	/* the limit of the real-time class is 0.2 s of CPU time on end */
	scene_ended_well(&s, tallyd_run(s.dir, "STAND_IN_BURN=300", ARGS("-q", "-n",
	    "12", "-i", "0.001")), "a long dump");
	scene_end(&s);
}

static void
a_disk_that_is_full_at_dump_time_costs_no_row(void **state)
{
	struct scene s = scene_begin();
	char dump[512], path[512], tally[512], command[2048];
	int status;
	pid_t pid;

	(void)state;
	fflush(NULL);
	if ((pid = fork()) == 0) {      /* mounts in a process of its own */
		if (!small_tmpfs(s.dir, "small", 64))
			_exit(SCENE_MAY_NOT);
		status = tallyd_run(s.dir, NULL, ARGS("-q", "-n", "5", "-i",
		    "0.001", "-o", in_dir(s.dir, "small/dump.lua", dump)));
		/* no half of a dump stays there */
		if (scene_files(&s, "small") != 1 || rmdir(in_dir(s.dir,
		    "small/x", path)) == 0 || umount2(in_dir(s.dir, "small",
		    path), 0) < 0)
			_exit(96);
		_exit(status < 0 ? 97 : status);
	}
	status = scene_mounted(&s, pid);
	assert_int_equal(status, 1);
	assert_true(tallyd_said(s.dir, "No space left on device"));
	assert_true(tallyd_said(s.dir, "samples are safe in"));
	stand_in_same(s.dir, s.before, "a full disk");
	assert_int_equal(scene_whole(in_dir(s.dir, "store", path)), 5);
	snprintf(command, sizeof(command), "'%s' dump '%s' >'%s/dump.lua'",
	    built("tally", tally), path, s.dir);
	assert_int_equal(system(command), 0);
	assert_int_equal(scene_dumped(&s), 5);
	scene_end(&s);
}

static void
a_store_that_has_no_room_is_refused_before_sampling(void **state)
{
	struct scene s = scene_begin();
	char store[512];
	int status;
	pid_t pid;

	(void)state;
	fflush(NULL);
	if ((pid = fork()) == 0) {
		if (!small_tmpfs(s.dir, "small", 256))
			_exit(SCENE_MAY_NOT);
		status = tallyd_run(s.dir, NULL, ARGS("-q", "-n", "1000",
		    "--store", in_dir(s.dir, "small/store", store)));
		/* and no file that fills it is left */
		if (access(store, F_OK) == 0)
			_exit(96);
		umount2(in_dir(s.dir, "small", store), 0);
		_exit(status < 0 ? 97 : status);
	}
	status = scene_mounted(&s, pid);
	assert_int_equal(status, 1);
	assert_true(tallyd_said(s.dir, "no room for"));
	stand_in_same(s.dir, s.before, "a store without room");
	scene_end(&s);
}

/* All that a file system has left, into a file. */
static void
fill_up(const char *path)
{
	static const char zeros[1 << 16];
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	size_t n = sizeof(zeros);

	while (n > 0)
		if (write(fd, zeros, n) < 0)
			n /= 2;
	close(fd);
}

static void
a_store_that_meets_a_full_disk_costs_no_row(void **state)
{
	struct scene s = scene_begin();
	char store[512], path[512];
	struct stat sb;
	int status;
	pid_t pid;

	(void)state;
	fflush(NULL);
	if ((pid = fork()) == 0) {
		if (!small_tmpfs(s.dir, "small", 65536))
			_exit(SCENE_MAY_NOT);
		/* 10000 rows of a few kB each, the first MB of them at once:
		 * a minute in which the rest of the disk is filled */
		pid = tallyd_start(s.dir, NULL, ARGS("-q", "-i", "0.005", "-n",
		    "10000", "--store", in_dir(s.dir, "small/store", store)));
		while (stat(store, &sb) < 0 || sb.st_size == 0)
			sleep_us(1000);
		fill_up(in_dir(s.dir, "small/filler", path));
		status = tallyd_wait(pid);
		if (access(store, F_OK) == 0)
			_exit(96);
		umount2(in_dir(s.dir, "small", path), MNT_DETACH);
		_exit(status < 0 ? 97 : status);
	}
	status = scene_mounted(&s, pid);
	if (status != 1)
		tallyd_failed(s.dir, "a disk that got full", status);
	assert_true(tallyd_said(s.dir, "no room for another sample: No space "
	    "left on device: sampling ends here"));
	stand_in_same(s.dir, s.before, "a disk that got full");
	assert_in_range(scene_dumped(&s), 50, 9990);
	scene_end(&s);
}

static void
a_directory_that_goes_or_is_closed_costs_no_row(void **state)
{
	(void)state;
	for (int removed = 0; removed < 2; removed++) {
		struct scene s = scene_begin();
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
		assert_true(scene_whole(in_dir(s.dir, "store", path)) > 5);
		scene_end(&s);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_store_that_somebody_left_is_never_overwritten),
		cmocka_unit_test(
		    a_segment_that_was_left_beside_the_store_is_named),
		cmocka_unit_test(
		    a_link_that_leads_nowhere_is_told_before_the_run),
		cmocka_unit_test(
		    too_few_descriptors_are_said_before_anything_is_written),
		cmocka_unit_test(
		    a_large_store_and_a_long_dump_are_no_reason_to_be_killed),
		cmocka_unit_test(a_disk_that_is_full_at_dump_time_costs_no_row),
		cmocka_unit_test(
		    a_store_that_has_no_room_is_refused_before_sampling),
		cmocka_unit_test(a_store_that_meets_a_full_disk_costs_no_row),
		cmocka_unit_test(
		    a_directory_that_goes_or_is_closed_costs_no_row),
	};

	return cmocka_run_group_tests_name("full", tests, NULL, NULL);
}
