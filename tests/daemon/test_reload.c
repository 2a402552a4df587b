/*
 * tests/daemon/test_reload.c - a service that reads its configuration again: the next
 * segment is by the new one, and no row is lost.
 */
#include "tests/lib/asker.h"
#include "tests/lib/segment_files.h"
#include "tests/lib/service.h"
#include "tests/lib/rig.h"

#include "config/dump/read.h"
#include "config/dump/store.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define KILLS rounds(18)

/* The value of a key in the head of a dump, in buf of 256 bytes; "": it has none. */
static const char *
head(const struct scene *s, const char *dump, enum head_key key, char *buf)
{
	struct reader *r;
	struct diag why;
	char path[512];

	if (read_open(&r, in_dir(s->dir, dump, path), &why) < 0)
		fail_msg("%s", why.text);
	snprintf(buf, 256, "%s", head_text(r, key, ALONE, ""));
	read_close(r);
	return buf;
}

static void
a_reload_goes_on_with_other_events_and_another_interval(void **state)
{
	pid_t pid;
	struct scene s = service_begin(FIXED, &pid);
	char a[256], b[256];

	(void)state;
	service_configure(&s, "option --segment 1h\noption --interval 0.01\n"
	    "imc CAS_COUNT.READS event=0x04,umask=0x03\n");
	if (service_reload(&s) != 0)
		tallyd_failed(s.dir, "--reload", 1);
	wait_until(service_rows(&s, "store") > 3);
	service_ended(&s, pid);
	assert_true(service_wrote(&s, "dump.000001.lua", "core_fixed_counts[0]"));
	assert_false(service_wrote(&s, "dump.000001.lua", "imc_counts[0]"));
	assert_true(service_wrote(&s, "dump.000002.lua", "imc_counts[0]"));
	assert_false(service_wrote(&s, "dump.000002.lua", "\ninterval = 0.005"));
	assert_true(service_wrote(&s, "dump.000002.lua", "\ninterval = 0.01"));
	assert_true(service_wrote(&s, "dump.000002.lua", "\nsegment = 2"));
	assert_true(service_wrote(&s, "dump.000002.lua", "\nsegment_reload = 1"));
	assert_string_equal(head(&s, "dump.000001.lua", HEAD_SEGMENT_OF, a),
	    head(&s, "dump.000002.lua", HEAD_SEGMENT_OF, b));
	assert_true(strlen(a) > 0);
	scene_end(&s);
}

static void
an_open_job_is_marked_again_and_one_that_ended_is_not(void **state)
{
	pid_t pid;
	struct scene s = service_begin(FIXED, &pid);
	char was[64], again[100], *text, path[512];

	(void)state;
	asker_ok(s.dir, "mark job=7 begin user=anna\n");
	asker_ok(s.dir, "mark job=8 begin\n");
	asker_ok(s.dir, "mark job=8 end\n");
	asker_ok(s.dir, "reload\n");
	asker_ok(s.dir, "mark job=7 end\n");
	service_ended(&s, pid);
	text = file_text(in_dir(s.dir, "dump.000001.lua", path), NULL);
	sscanf(strstr(text, "\nmark_time[0] = "), "\nmark_time[0] = %60s", was);
	free(text);
	snprintf(again, sizeof(again), "\nmark_time[0] = %s\n", was);
	assert_true(service_wrote(&s, "dump.000002.lua", again));
	assert_true(service_wrote(&s, "dump.000002.lua", "\nmark_sample[0] = 0\n"));
	assert_true(service_wrote(&s, "dump.000002.lua",
	    "\nmark_text[0] = \"job=7 begin user=anna\"\n"));
	assert_true(service_wrote(&s, "dump.000002.lua",
	    "\nmark_text[1] = \"job=7 end\"\n"));
	assert_false(service_wrote(&s, "dump.000002.lua", "job=8"));
	scene_end(&s);
}

/* The name of the store always leads to a store with rows, through segments and a
 * reload; once it led to ten stores in turn, that is enough. */
static void
a_store_with_a_name_is_the_one_that_is_sampled_into(void **state)
{
	pid_t pid;
	struct scene s = service_begin(BRISK "core fixed\n", &pid);
	struct store_glance g;
	uint64_t seen = 0;
	unsigned others = 0;
	char path[512];

	(void)state;
	in_dir(s.dir, "store", path);
	for (unsigned reloads = 0; others < 10;) {
		assert_int_equal(store_glance(path, &g), 0);
		assert_true(g.rows > 0 || others == 0);
		if (g.inode != seen) {
			others++;
			seen = g.inode;
		}
		if (others == 5 && reloads++ == 0)
			assert_int_equal(service_reload(&s), 0);
	}
	wait_until(store_glance(path, &g) == 0 && g.sampled);
	service_ended(&s, pid);
	scene_end(&s);
}

static void
hup_reloads_a_service_and_ends_a_run_in_the_foreground(void **state)
{
	pid_t pid;
	struct scene s = service_begin(FIXED, &pid);

	(void)state;
	service_configure(&s, IMC);
	kill(pid, SIGHUP);
	wait_until(scene_has(&s, "dump.000001.lua"));
	wait_until(service_rows(&s, "store") > 1);
	service_ended(&s, pid);
	assert_true(service_wrote(&s, "dump.000002.lua", "imc_counts[0]"));
	scene_end(&s);
	s = scene_begin();
	service_configure(&s, FIXED);
	pid = tallyd_start(s.dir, NULL, ARGS("-q"));
	tallyd_rows(s.dir, 2);
	/* a run without segments refuses to reload, and says why */
	assert_int_equal(service_reload(&s), 1);
	assert_true(tallyd_said(s.dir, "its run is not in segments"));
	kill(pid, SIGHUP);
	assert_int_equal(tallyd_wait(pid), 0);
	scene_end(&s);
}

/* Asks for reloads without end, each with the other of two configurations. */
static void
hammer(const struct scene *s)
{
	for (unsigned i = 0;; i++) {
		service_configure(s, i % 2 ? BRISK "core fixed\n" : BRISK
		    "imc CAS_COUNT.READS event=0x04,umask=0x03\n");
		asker_tries(s->dir, "reload\n");
	}
}

static void
a_run_of_so_many_samples_has_them_over_reloads(void **state)
{
	struct scene s = scene_begin();
	struct segment_files *f = calloc(1, sizeof(*f));
	pid_t pid;

	(void)state;
	service_configure(&s, BRISK "core fixed\n");
	pid = tallyd_start(s.dir, SERVICE, ARGS("-q", "-n", "400", "--keep",
	    "1000"));
	tallyd_rows(s.dir, 1);
	service_configure(&s, BRISK
	    "imc CAS_COUNT.READS event=0x04,umask=0x03\n");
	service_reload(&s);
	assert_int_equal(tallyd_wait(pid), 0);
	segment_files_add(f, s.dir, "dump.0");
	assert_int_equal(segment_files_whole(f), 400);
	/* one list has the segments from before and after the reload */
	for (unsigned i = 0; i < f->n; i++)
		assert_true(service_wrote(&s, "dump.segments",
		    strrchr(f->file[i].path, '/') + 1));
	assert_int_equal(scene_files(&s, "store"), 0);
	stand_in_same(s.dir, s.before, "at the end");
	free(f);
	scene_end(&s);
}

static void
a_daemon_in_the_background_is_reloaded_by_its_pid(void **state)
{
	struct scene s = scene_begin();
	char path[512], *text;
	pid_t pid;

	(void)state;
	service_configure(&s, FIXED);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-q", "-b", "--pidfile",
	    in_dir(s.dir, "pid", path))), 0);
	assert_true(service_rows(&s, "store") > 0);
	text = file_text(path, NULL);
	pid = (pid_t)atoi(text);
	free(text);
	assert_true(pid > 0);
	service_configure(&s, IMC);
	kill(pid, SIGHUP);
	wait_until(scene_has(&s, "dump.000001.lua"));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--mark", "phase=a")), 0);
	kill(pid, SIGCONT);
	/* the last thing that it does */
	wait_until(!scene_has(&s, "pid"));
	assert_true(service_wrote(&s, "dump.000002.lua", "phase=a"));
	stand_in_same(s.dir, s.before, "at the end");
	scene_end(&s);
}

/* ---- kills ------------------------------------------------------------- */

/* The child number `which` of a service, which is a sampler, or its first or only one;
 * the service itself where it has no child. */
static pid_t
child_of(pid_t pid, unsigned which)
{
	char path[64], text[256] = "", *p = text;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	if ((f = fopen(path, "r")) == NULL)
		return pid;
	if (fgets(text, sizeof(text), f) == NULL)
		text[0] = '\0';
	fclose(f);
	for (; which > 0 && strchr(p, ' ') != NULL &&
	    strchr(p, ' ')[1] != '\0'; which--)
		p = strchr(p, ' ') + 1;
	return *p != '\0' ? (pid_t)atoi(p) : pid;
}

/* Starts a service that is the leader of its own process group. */
static pid_t
start_group(const struct scene *s)
{
	pid_t pid;

	fflush(NULL);
	if ((pid = fork()) == 0) {
		setpgid(0, 0);
		tallyd_exec(s->dir, SERVICE, ARGS("-q"));
	}
	return pid;
}

static void
a_kill_in_the_midst_of_reloads_loses_no_row_and_has_none_twice(void **state)
{
	unsigned kills = KILLS;
	struct scene s = scene_begin();
	struct segment_files *f = calloc(1, sizeof(*f));
	uint64_t seed = 5, total = 0;
	unsigned reloads = 0;

	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (unsigned i = 0; i < kills; i++) {
		pid_t pid, asker;

		service_configure(&s, BRISK "core fixed\n");
		pid = start_group(&s);
		tallyd_rows(s.dir, 1);
		/* on a slow machine the kill may come before the first of those
		 * reloads: every second run has had one by then */
		if (i % 2)
			asker_ok(s.dir, "reload\n");
		if ((asker = fork()) == 0)
			hammer(&s);
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		sleep_us(30000 + (long)(seed >> 33) % 200000);
		/* in turn: the service, one of its samplers, the whole group */
		if (i % 3 == 2)
			kill(-pid, SIGKILL);
		else
			kill(i % 3 == 0 ? pid : child_of(pid, seed >> 20 & 1),
			    SIGKILL);
		kill(asker, SIGKILL);
		/* ends the service where only a sampler was killed */
		kill(pid, SIGTERM);
		/* waits for the samplers, too, which are children of ours now */
		while (waitpid(-1, NULL, 0) > 0)
			;
		f->n = 0;
		segment_files_add(f, s.dir, "dump.0");
		segment_files_add(f, s.dir, "store");
		total += segment_files_whole(f);
		for (unsigned k = 0; k < f->n; k++)
			reloads += f->file[k].reload;
		if (tallyd_run(s.dir, NULL, ARGS("-q", "--restore")) != 0)
			tallyd_failed(s.dir, "--restore after a kill", 1);
		stand_in_same(s.dir, s.before, "after a kill and --restore");
		segment_files_remove(s.dir);
	}
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	print_message("%u kills, %u segments that began with a reload, %u rows\n",
	    kills, reloads, (unsigned)total);
	assert_true(total > kills);
	assert_true(reloads > kills / 4);
	free(f);
	scene_end(&s);
}

/* What `tally check` says of both segments. */
static bool
tally_says(const struct scene *s, const char *words)
{
	char tally[512], command[2048], text[8192];
	size_t n;
	FILE *f;

	snprintf(command, sizeof(command), "%s check %s/dump.00000[12].lua 2>&1",
	    built("tally", tally), s->dir);
	f = popen(command, "r");
	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	pclose(f);
	if (strstr(text, words) == NULL)
		print_message("tally says:\n%s", text);
	return strstr(text, words) != NULL;
}

static void
a_service_dumps_what_one_that_was_killed_has_left(void **state)
{
	struct scene s = scene_begin();
	struct store_glance g;
	char path[512], *text;
	uint64_t rows;
	pid_t pid;

	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	service_configure(&s, FIXED);
	pid = start_group(&s);
	tallyd_rows(s.dir, 5);
	kill(-pid, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		;
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-q", "--restore")), 0);
	rows = service_rows(&s, "store");
	assert_true(rows >= 5);
	/* files that are no store stay */
	tree_text(s.dir, "/store.7", "dear diary\n");
	tree_text(s.dir, "/store.old", "dear diary\n");
	/* a run that is started by hand refuses to overwrite the store */
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1")), 1);
	assert_int_equal(service_rows(&s, "store"), rows);
	pid = start_group(&s);
	wait_until(scene_has(&s, "dump.000001.lua"));
	wait_until(store_glance(in_dir(s.dir, "store", path), &g) == 0 &&
	    g.sampled && g.rows > 1);
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	text = file_text(in_dir(s.dir, "dump.000001.lua", path), NULL);
	snprintf(path, sizeof(path), "\ntsc[%d] = ", (int)rows - 1);
	assert_non_null(strstr(text, path));
	snprintf(path, sizeof(path), "\ntsc[%d] = ", (int)rows);
	assert_null(strstr(text, path));
	free(text);
	assert_true(scene_has(&s, "dump.000002.lua"));
	assert_int_equal(scene_files(&s, "store"), 2);
	unlink(in_dir(s.dir, "store.7", path));
	unlink(in_dir(s.dir, "store.old", path));
	stand_in_same(s.dir, s.before, "after a kill and another run");
	scene_end(&s);
}

static void
tally_has_no_difference_over_a_reload_and_says_what_is_another(void **state)
{
	pid_t pid;
	struct scene s = service_begin(FIXED, &pid);

	(void)state;
	/* the configuration is read again, and is the same: one run goes on */
	assert_int_equal(service_reload(&s), 0);
	service_ended(&s, pid);
	assert_true(tally_says(&s, "the configuration was read again before "));
	assert_true(tally_says(&s, "no difference goes over that"));
	scene_end(&s);
	s = service_begin(FIXED, &pid);
	service_configure(&s, "option --segment 1h\noption --interval 0.01\n"
	    "core fixed\n");
	assert_int_equal(service_reload(&s), 0);
	service_ended(&s, pid);
	assert_true(tally_says(&s, "something else is counted from here on, "
	    "or another way (interval 0.01 s instead of 0.005 s, another "
	    "configuration)"));
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_reload_goes_on_with_other_events_and_another_interval),
		cmocka_unit_test(
		    an_open_job_is_marked_again_and_one_that_ended_is_not),
		cmocka_unit_test(
		    a_store_with_a_name_is_the_one_that_is_sampled_into),
		cmocka_unit_test(
		    a_service_dumps_what_one_that_was_killed_has_left),
		cmocka_unit_test(
		    hup_reloads_a_service_and_ends_a_run_in_the_foreground),
		cmocka_unit_test(
		    tally_has_no_difference_over_a_reload_and_says_what_is_another),
		cmocka_unit_test(
		    a_run_of_so_many_samples_has_them_over_reloads),
		cmocka_unit_test(
		    a_daemon_in_the_background_is_reloaded_by_its_pid),
		cmocka_unit_test(
		    a_kill_in_the_midst_of_reloads_loses_no_row_and_has_none_twice),
	};

	return cmocka_run_group_tests_name("reload", tests, NULL, NULL);
}
