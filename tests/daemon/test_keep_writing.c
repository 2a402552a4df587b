/*
 * tests/daemon/test_keep_writing.c - event sets take turns; a process of its
 * own writes their control registers or, with --keep-writing, the sampler
 * itself, and what a turn costs is measured.
 */
#include "tests/lib/files.h"
#include "tests/lib/scene.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SELECT_0 0x186          /* IA32_PERFEVTSEL0 */

/* How many of the descriptors of registers that a process holds can write. */
static unsigned
can_write(pid_t pid, const char *dir, unsigned *held)
{
	char path[320], link[512], text[256];
	unsigned n = 0, flags;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	if ((d = opendir(path)) == NULL)
		fail_msg("%s: %s", path, strerror(errno));
	*held = 0;
	while ((e = readdir(d)) != NULL) {
		ssize_t k = readlinkat(dirfd(d), e->d_name, link,
		    sizeof(link) - 1);
		FILE *f;

		link[k > 0 ? k : 0] = '\0';
		if (strncmp(link, dir, strlen(dir)) != 0 ||
		    strstr(link, "/dev/cpu/") == NULL)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/fdinfo/%s", (int)pid,
		    e->d_name);
		if ((f = fopen(path, "r")) == NULL)
			fail_msg("%s: %s", path, strerror(errno));
		flags = 0;
		while (fgets(text, sizeof(text), f) != NULL)
			sscanf(text, "flags: %o", &flags);
		fclose(f);
		++*held;
		n += (flags & O_ACCMODE) != O_RDONLY;
	}
	closedir(d);
	return n;
}

/* Sets that take turns, read in that way, until it is killed. */
static void
turn_and_be_killed(const char *option, const char *read, bool writes)
{
	struct scene s = scene_begin();
	unsigned held, able;
	char path[512];
	pid_t pid;

	tree_text(s.dir, "/sets.conf", "set a\ncore CYC event=0x3c\n"
	    "set b\ncore MISS event=0x2e,umask=0x41\n");
	in_dir(s.dir, "sets.conf", path);
	pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "-c", path, "--read",
	    read, option));
	tallyd_rows(s.dir, 1);
	able = can_write(pid, s.dir, &held);
	assert_true(held >= STAND_IN_LPROCS);
	assert_int_equal(able, writes ? held : 0);
	for (unsigned i = 0; i < 3; i++) {
		wait_until(stand_in_msr(s.dir, 5, SELECT_0) == 0x43003c);
		wait_until(stand_in_msr(s.dir, 5, SELECT_0) == 0x43412e);
	}
	kill(pid, SIGKILL);
	tallyd_wait(pid);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--restore")), 0);
	assert_true(tallyd_said(s.dir, "no tallyd left registers changed"));
	stand_in_same(s.dir, s.before, option);
	scene_end(&s);
}

static void
sets_take_turns_and_all_is_put_back_after_a_kill(void **state)
{
	(void)state;
	turn_and_be_killed("-q", "visit", false);
	turn_and_be_killed("-q", "pinned", false);
}

static void
so_they_do_where_the_sampler_itself_writes(void **state)
{
	(void)state;
	turn_and_be_killed("--keep-writing", "visit", true);
	turn_and_be_killed("--keep-writing", "pinned", true);
}

/* What a turn takes is measured, told, and in the head; where a round is too much, each
 * set has a sample. */
static void
turns_are_measured_and_too_costly_ones_are_of_a_sample(void **state)
{
	static const char conf[] = "set a\ncore CYC event=0x3c\n"
	    "set b\ncore MISS event=0x2e,umask=0x41\n";
	struct scene s = scene_begin();
	char path[512], dump[512], *text;

	(void)state;
	tree_text(s.dir, "/sets.conf", conf);
	in_dir(s.dir, "sets.conf", path);
	in_dir(s.dir, "dump.lua", dump);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-c", path, "--turn",
	    "0.02", "-i", "0.1", "-n", "3", "-o", dump)), 0);
	text = file_text(dump, NULL);
	assert_non_null(strstr(text, "\nturns = 4\n"));
	assert_non_null(strstr(text, "\nturn_us = "));
	free(text);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-c", path, "-i", "0.1",
	    "--max-overhead", "0.000001", "-n", "5", "--overwrite", "-o",
	    dump)), 0);
	text = file_text(dump, NULL);
	assert_null(strstr(text, "\nturns = "));
	assert_null(strstr(text, "lproc_set_tsc"));
	assert_non_null(strstr(text, "\nset_name[1] = \"b\"\n"));
	/* counts of a sample that comes late are absent */
	assert_non_null(strstr(text, "\ncore_counts[5][\"MISS\"] = {}"));
	free(text);
	stand_in_same(s.dir, s.before, "a sample each");
	scene_end(&s);
}

static void
it_ends_with_all_as_found(void **state)
{
	struct scene s = scene_begin();
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--keep-writing"));
	int status;

	(void)state;
	tallyd_rows(s.dir, 3);
	kill(pid, SIGTERM);
	status = tallyd_wait(pid);
	assert_true(tallyd_kept_quiet(s.dir, "refused"));
	scene_ended_well(&s, status, "--keep-writing");
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    sets_take_turns_and_all_is_put_back_after_a_kill),
		cmocka_unit_test(so_they_do_where_the_sampler_itself_writes),
		cmocka_unit_test(
		    turns_are_measured_and_too_costly_ones_are_of_a_sample),
		cmocka_unit_test(it_ends_with_all_as_found),
	};

	return cmocka_run_group_tests_name("who writes", tests, NULL, NULL);
}
