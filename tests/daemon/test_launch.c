/*
 * tests/daemon/test_launch.c - tallyd runs a program and samples until it ends:
 * its exit status, its marks, the user it runs as.
 */
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define QUICK "-q", "-i", "0.005"

/* The status of that program, with nothing left behind. */
static int
status_of(struct scene *s, const char *const *args)
{
	int status = tallyd_run(s->dir, NULL, args);

	stand_in_same(s->dir, s->before, "after a program");
	assert_false(scene_has(s, "run/tallyd.journal"));
	assert_false(scene_has(s, "store"));
	assert_true(scene_dumped(s) >= 2);
	return status;
}

static void
a_program_is_sampled_marked_and_its_status_is_ours(void **state)
{
	struct scene s = scene_begin();
	char path[512];

	(void)state;
	assert_int_equal(status_of(&s, ARGS(QUICK, "--", "sh", "-c",
	    "echo it runs; exit 7")), 7);
	assert_true(tallyd_said(s.dir, "it runs"));
	assert_true(tallyd_said(s.dir, "Processors  "));
	assert_true(scene_dump_has(&s, "mark_sample[0] = 1\n"));
	assert_true(scene_dump_has(&s, "mark_text[0] = \"program=sh begin\"\n"));
	assert_true(scene_dump_has(&s, "mark_text[1] = \"program=sh end\"\n"));
	assert_int_equal(status_of(&s, ARGS(QUICK, "--", "true")), 0);
	assert_int_equal(status_of(&s, ARGS(QUICK, "--", "sh", "-c",
	    "kill -KILL $$")), 137);
	assert_int_equal(symlink("/bin/true", in_dir(s.dir, "two words", path)), 0);
	assert_int_equal(status_of(&s, ARGS(QUICK, "--", path)), 0);
	assert_true(scene_dump_has(&s, "\"program=two_words begin\"\n"));
	scene_end(&s);
}

static void
what_devices_do_is_reported_where_that_was_asked_for(void **state)
{
	struct scene s = scene_begin();

	(void)state;
	assert_int_equal(status_of(&s, ARGS(QUICK, "-c", "@io-skx", "--",
	    "sleep", "0.1")), 0);
	assert_true(tallyd_said(s.dir, "I/O of "));
	assert_true(tallyd_said(s.dir, "inbound read (device reads memory)"));
	scene_end(&s);
}

static void
a_configuration_names_the_report_that_it_is_made_for(void **state)
{
	struct scene s = scene_begin();
	char path[512];

	(void)state;
	tree_text(s.dir, "/own.conf", "report node\ncore fixed\nreport why\n");
	in_dir(s.dir, "own.conf", path);
	assert_int_equal(status_of(&s, ARGS(QUICK, "-c", path, "--",
	    "sleep", "0.1")), 0);
	assert_true(tallyd_said(s.dir, " rules judged"));
	assert_false(tallyd_said(s.dir, "Processors  "));
	tree_text(s.dir, "/own.conf", "core fixed\nreport cores\n");
	assert_int_not_equal(tallyd_run(s.dir, NULL, ARGS(QUICK, "-c", path,
	    "--", "true")), 0);
	assert_true(tallyd_said(s.dir, "own.conf:2: report \"cores\": after a "
	    "program tally reports one of: node io why jitter"));
	scene_end(&s);
}

/* What cannot be run: its name, the exit status, what the one line says. */
static void
refused(struct scene *s, const char *name, int status, const char *words)
{
	char path[512], *log;
	const char *newline;

	unlink(in_dir(s->dir, "log", path));
	if (tallyd_run(s->dir, NULL, ARGS(QUICK, "--", name, "word")) != status)
		tallyd_failed(s->dir, name, status);
	log = file_text(in_dir(s->dir, "log", path), NULL);
	newline = strchr(log, '\n');
	if (strstr(log, words) == NULL || newline == NULL || newline[1] != '\0')
		fail_msg("%s: %s", name, log);
	free(log);
	assert_false(scene_has(s, "dump.lua"));
	assert_false(scene_has(s, "store"));
	assert_false(scene_has(s, "run/tallyd.journal"));
	stand_in_same(s->dir, s->before, name);
}

static void
a_program_is_looked_up_before_anything_is_touched(void **state)
{
	struct scene s = scene_begin();
	char plain[512], below[600], bin[512], folders[1100], *old;

	(void)state;
	tree_text(s.dir, "/plain", "true\n");
	in_dir(s.dir, "plain", plain);
	snprintf(below, sizeof(below), "%s/app", plain);
	refused(&s, "/nosuch/app", 127, "/nosuch/app: there is no such program\n");
	refused(&s, below, 127, "there is no such program\n");
	refused(&s, "tallyd-no-such", 127, "tallyd-no-such: there is no such "
	    "program in PATH\n");
	refused(&s, "", 127, "there is no such program in PATH\n");
	refused(&s, s.dir, 126, "that is a folder");
	refused(&s, plain, 126, "it may not be executed");
	/* the folder behind has one that runs */
	old = strdup(getenv("PATH"));
	assert_int_equal(mkdir(in_dir(s.dir, "bin", bin), 0755), 0);
	snprintf(below, sizeof(below), "%s/plain", bin);
	assert_int_equal(symlink("/bin/true", below), 0);
	snprintf(folders, sizeof(folders), "%s:%s", s.dir, bin);
	setenv("PATH", s.dir, 1);
	refused(&s, "plain", 126, "plain: it may not be executed");
	setenv("PATH", folders, 1);
	assert_int_equal(status_of(&s, ARGS(QUICK, "--", "plain")), 0);
	setenv("PATH", old, 1);
	free(old);
	scene_end(&s);
}

static void
the_report_is_of_all_segments_of_the_run(void **state)
{
	struct scene s = scene_begin();
	char script[700], path[512], *text;
	const char *found;
	int last = 0;

	(void)state;
	snprintf(script, sizeof(script), "until [ -e %s ]; do sleep 0.01; done",
	    in_dir(s.dir, "dump.000002.lua", path));
	/* some twenty samples each */
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS(QUICK, "--segment", "64K",
	    "--", "sh", "-c", script)), 0);
	text = file_text(in_dir(s.dir, "log", path), NULL);
	found = strstr(text, ": samples 0 to ");
	assert_non_null(found);
	assert_int_equal(sscanf(found, ": samples 0 to %d", &last), 1);
	assert_true(last > 30);
	free(text);
	scene_end(&s);
}

static void
a_program_is_not_run_where_nothing_can_be_sampled(void **state)
{
	struct scene s = scene_begin();

	(void)state;
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS(QUICK, "-c",
	    "/nowhere.conf", "--", "sh", "-c", "echo it runs")), 1);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS(QUICK, "word", "--", "sh",
	    "-c", "echo it runs")), 64);
	assert_true(tallyd_said(s.dir, "word: unexpected word"));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-b", "--", "sh", "-c",
	    "echo it runs")), 64);
	assert_true(tallyd_kept_quiet(s.dir, "it runs"));
	scene_end(&s);
}

static void
a_signal_is_the_programs_and_the_dump_is_written(void **state)
{
	struct scene s = scene_begin();
	char script[700], there[512];
	pid_t pid;

	(void)state;
	snprintf(script, sizeof(script), "trap 'exit 9' TERM; : >%s; while :; "
	    "do sleep 0.01; done", in_dir(s.dir, "there", there));
	pid = tallyd_start(s.dir, NULL, ARGS(QUICK, "--", "sh", "-c", script));
	wait_until(scene_has(&s, "there"));
	kill(pid, SIGINT);              /* of a terminal the program has it, too */
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 9);
	stand_in_same(s.dir, s.before, "after a signal");
	assert_true(scene_dump_has(&s, "mark_text[1] = \"program=sh end\"\n"));
	scene_end(&s);
}

/* In a session of its own, on that terminal: a shell that runs tallyd, as the
 * front process of it. */
static pid_t
on_terminal(const char *slave, const char *command)
{
	pid_t pid;
	int fd;

	fflush(NULL);
	if ((pid = fork()) != 0)
		return pid;
	setsid();
	if ((fd = open(slave, O_RDWR)) < 0)
		_exit(99);
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(98);
}

/* All that is put out until the other side is closed, and ^C once that file is
 * there. */
static void
press_and_read(int master, const char *there, char *text, size_t size)
{
	size_t used = 0;
	bool pressed = false;
	ssize_t n;

	for (;;) {
		struct pollfd p = { .fd = master, .events = POLLIN };

		if (!pressed && access(there, F_OK) == 0) {
			assert_int_equal(write(master, "\003", 1), 1);
			pressed = true;
		}
		if (poll(&p, 1, 10) == 0)
			continue;
		if ((n = read(master, text + used, size - 1 - used)) <= 0)
			break;
		used += (size_t)n;
	}
	text[used] = '\0';
}

static void
an_interrupt_at_a_terminal_ends_the_program_and_not_its_samples(void **state)
{
	char *dir = tree_new(), command[2400], there[512], tallyd[512];
	char text[65536], *dump;
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), status;
	pid_t pid;

	(void)state;
	assert_true(master >= 0 && grantpt(master) == 0 &&
	    unlockpt(master) == 0);
	snprintf(command, sizeof(command), "exec %s -q --sim @skx-8160-2s -i "
	    "0.01 -o %s/run.lua -- sh -c 'trap \"exit 9\" INT; : >%s; "
	    "while :; do sleep 0.01; done'", built("tallyd", tallyd), dir,
	    in_dir(dir, "there", there));
	pid = on_terminal(ptsname(master), command);
	press_and_read(master, there, text, sizeof(text));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(master);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 9)
		fail_msg("status %d: %s", status, text);
	assert_non_null(strstr(text, "^C"));
	assert_non_null(strstr(text, "Processors  "));
	dump = file_text(in_dir(dir, "run.lua", there), NULL);
	assert_non_null(strstr(dump, "mark_text[1] = \"program=sh end\"\n"));
	free(dump);
	tree_free(dir);
}

static void
a_process_that_runs_is_sampled_until_it_ends(void **state)
{
	struct scene s = scene_begin();
	char number[24];
	pid_t other = fork(), pid;

	(void)state;
	if (other == 0) {
		pause();
		_exit(0);
	}
	snprintf(number, sizeof(number), "%d", (int)other);
	pid = tallyd_start(s.dir, NULL, ARGS(QUICK, "--pid", number));
	tallyd_rows(s.dir, 5);
	kill(other, SIGTERM);
	assert_int_equal(tallyd_wait(other), -SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	stand_in_same(s.dir, s.before, "after that process");
	assert_true(scene_dumped(&s) >= 5);
	/* it is no more */
	assert_int_equal(status_of(&s, ARGS(QUICK, "--pid", number)), 1);
	assert_true(tallyd_said(s.dir, "there is no such process"));
	scene_end(&s);
}

static void
a_time_is_so_many_samples(void **state)
{
	struct scene s = scene_begin();

	(void)state;
	assert_int_equal(status_of(&s, ARGS(QUICK, "-t", "0.05")), 0);
	assert_int_equal(scene_dumped(&s), 11);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS(QUICK, "-t", "1", "-n",
	    "2")), 64);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS(QUICK, "-t", "0")), 64);
	scene_end(&s);
}

static void
a_program_of_sudos_user_is_not_roots(void **state)
{
	struct scene s;

	(void)state;
	if (geteuid() != 0)
		skip();
	s = scene_begin();
	setenv("SUDO_UID", "65534", 1);
	setenv("SUDO_GID", "65534", 1);
	/* 65534 of each is 134 of 200 */
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS(QUICK, "--sim",
	    "@skx-8160-2s", "--", "sh", "-c", "[ $(id -u) = $(id -ru) ] && "
	    "[ $(id -G | tr -cd ' ' | wc -c) = 0 ] && [ $HOME != /root ] && "
	    "exit $(($(id -u) % 200))")), 134);
	setenv("SUDO_UID", "nonsense", 1);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS(QUICK, "--sim",
	    "@skx-8160-2s", "--", "sh", "-c", "echo it runs")), 1);
	assert_true(tallyd_kept_quiet(s.dir, "it runs"));
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_program_is_sampled_marked_and_its_status_is_ours),
		cmocka_unit_test(
		    what_devices_do_is_reported_where_that_was_asked_for),
		cmocka_unit_test(a_configuration_names_the_report_that_it_is_made_for),
		cmocka_unit_test(
		    a_program_is_looked_up_before_anything_is_touched),
		cmocka_unit_test(the_report_is_of_all_segments_of_the_run),
		cmocka_unit_test(
		    a_program_is_not_run_where_nothing_can_be_sampled),
		cmocka_unit_test(
		    a_signal_is_the_programs_and_the_dump_is_written),
		cmocka_unit_test(
		    an_interrupt_at_a_terminal_ends_the_program_and_not_its_samples),
		cmocka_unit_test(a_process_that_runs_is_sampled_until_it_ends),
		cmocka_unit_test(a_time_is_so_many_samples),
		cmocka_unit_test(a_program_of_sudos_user_is_not_roots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
