/*
 * tests/daemon/test_control.c - the control socket: marks and questions of
 * clients that behave, and of clients that send garbage, connect and say
 * nothing, or come too often.
 */
#include "tests/lib/asker.h"
#include "tests/lib/rig.h"
#include "tests/lib/scene.h"

#include "daemon/run/control.h"
#include "regs/host.h"

#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct scene
sampling(pid_t *pid)
{
	struct scene s = scene_begin();

	*pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));
	tallyd_rows(s.dir, 1);
	return s;
}

static void
ended(struct scene *s, pid_t pid)
{
	kill(pid, SIGTERM);
	scene_ended_well(s, tallyd_wait(pid), "after questions");
	scene_end(s);
}

static void
a_mark_is_in_the_dump(void **state)
{
	pid_t pid;
	struct scene s = sampling(&pid);
	char path[512];

	(void)state;
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--mark",
	    "phase=solve step=3")), 0);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--mark", "a  b")), 64);
	assert_true(tallyd_said(s.dir, "tallyd: mark \"a  b\": words KEY"));
	kill(pid, SIGTERM);
	scene_ended_well(&s, tallyd_wait(pid), "after a mark");
	assert_true(scene_dump_has(&s, "mark_text[0] = \"phase=solve step=3\"\n"));
	assert_false(scene_dump_has(&s, "mark_text[1]"));
	assert_int_equal(access(in_dir(s.dir, "run/tallyd/tallyd.socket",
	    path), F_OK), -1);
	scene_end(&s);
}

static void
who_asks_where_nobody_samples_is_told_so(void **state)
{
	struct scene s = scene_begin();
	pid_t pid;

	(void)state;
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--mark", "a")), 1);
	assert_true(tallyd_said(s.dir, "there is none: no tallyd samples"));
	pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));
	close(asker_connect(s.dir));
	tallyd_rows(s.dir, 1);
	kill(pid, SIGKILL);
	tallyd_wait(pid);
	/* what writes registers may take a moment to end */
	wait_until(tallyd_run(s.dir, NULL, ARGS("--mark", "a")) == 1 &&
	    tallyd_said(s.dir, "the tallyd that made it is dead"));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-q", "--restore")), 0);
	/* and the next daemon takes its place */
	unlink(in_dir(s.dir, "store", (char[512]){ 0 }));
	pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));
	tallyd_rows(s.dir, 1);
	asker_ok(s.dir, "mark a\n");
	ended(&s, pid);
}

static void
a_socket_is_of_root_and_of_the_group_alone(void **state)
{
	pid_t pid;
	struct scene s = sampling(&pid);
	struct stat sb;
	char path[512];

	(void)state;
	assert_int_equal(stat(in_dir(s.dir, "run/tallyd/tallyd.socket", path),
	    &sb), 0);
	assert_int_equal(sb.st_uid, geteuid());
	assert_int_equal(sb.st_mode & 0117, 0);
	ended(&s, pid);
}

static void
a_socket_that_is_taken_is_refused_where_it_was_asked_for(void **state)
{
	pid_t pid;
	struct scene s = sampling(&pid);
	char path[512], dump[512];

	(void)state;
	in_dir(s.dir, "run/tallyd/tallyd.socket", path);
	in_dir(s.dir, "other.lua", dump);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--sim", "@skx-8160-2s",
	    "--store", in_dir(s.dir, "other", (char[512]){ 0 }), "-n", "1",
	    "-o", dump, "--socket", path)), 1);
	assert_true(tallyd_said(s.dir, "another tallyd listens there"));
	asker_ok(s.dir, "mark a\n");
	ended(&s, pid);
}

static void
hostile_questions_are_refused_and_sampling_goes_on(void **state)
{
	static const struct {
		int line;
		size_t n;
		const char *bytes, *answer;
	} t[] = {
#define BYTES(text) sizeof(text) - 1, text
		{ __LINE__, BYTES("\n"), "error: \"\" is nothing" },
		{ __LINE__, BYTES("mark\n"), "error: mark \"\": words" },
		{ __LINE__, BYTES("marks a\n"), "error: \"marks\" is" },
		{ __LINE__, BYTES("mark a\"b\n"), "error: mark \"a\"b\": " },
		{ __LINE__, BYTES("mark a\x1b[2J\n"), "error: mark \"a?[2J\"" },
		{ __LINE__, BYTES("mark a\0b\n"), "error: there is a NUL" },
		{ __LINE__, BYTES("\x1b]0;x\x07 b\n"), "error: \"?]0;x?\" is" },
		{ __LINE__, BYTES("%s%n%n%s\n"), "error: \"%s%n%n%s\" is" },
		/* only the first line counts */
		{ __LINE__, BYTES("mark a\nmark b\n"), "ok\n" },
#undef BYTES
	};
	pid_t pid;
	struct scene s = sampling(&pid);
	char said[4096], much[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		asker_bytes(s.dir, t[i].bytes, t[i].n, said, sizeof(said));
		if (strncmp(said, t[i].answer, strlen(t[i].answer)) != 0)
			fail_msg("line %d: %s", t[i].line, said);
	}
	memset(much, 'x', sizeof(much));
	asker_bytes(s.dir, much, 512, said, sizeof(said));
	assert_string_equal(said, "error: that is too long\n");
	kill(pid, SIGTERM);
	scene_ended_well(&s, tallyd_wait(pid), "after questions");
	assert_true(scene_dump_has(&s, "mark_text[0] = \"a\"\n"));
	assert_false(scene_dump_has(&s, "mark_text[1]"));
	scene_end(&s);
}

static void
who_connects_and_says_nothing_holds_nobody_up_for_long(void **state)
{
	pid_t pid;
	struct scene s = sampling(&pid);
	int fd[12];
	char said[256];

	(void)state;
	for (unsigned i = 0; i < 12; i++)
		fd[i] = asker_connect(s.dir);
	assert_int_equal(send(fd[1], "mark a", 6, MSG_NOSIGNAL), 6);
	asker_ok(s.dir, "mark b\n");
	for (unsigned i = 0; i < 12; i++) {
		/* in time, or as another waited */
		assert_memory_equal(asker_says(fd[i], said, sizeof(said)),
		    "error: no line has come", 23);
		close(fd[i]);
	}
	ended(&s, pid);
}

/* More of them than are listened to, or stand in the socket's queue. */
static void
who_says_nothing_makes_room_for_those_that_wait(void **state)
{
	enum { SILENT = 80 };
	pid_t pid;
	struct scene s = sampling(&pid);
	int fd[SILENT], made_room = 0;
	char said[1024];

	(void)state;
	for (int i = 0; i < SILENT; i++)
		fd[i] = asker_connect(s.dir);
	asker_ok(s.dir, "mark phase=b\n");
	for (int i = 0; i < SILENT; i++) {
		asker_says(fd[i], said, sizeof(said));
		made_room += strstr(said, "others wait") != NULL;
		close(fd[i]);
	}
	assert_true(made_room > 0);
	ended(&s, pid);
}

static void
a_socket_that_is_hammered_answers_all_one_after_the_other(void **state)
{
	pid_t pid;
	struct scene s = sampling(&pid);
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	char said[256];
	bool slow[60];
	int fd[60];

	(void)state;
	for (unsigned round = 0; round < 4; round++) {
		for (unsigned i = 0; i < 60; i++) {
			uint64_t from = clock_ns(CLOCK_MONOTONIC);

			fd[i] = asker_connect(s.dir);
			/* who is too slow may have made room for another */
			slow[i] = send(fd[i], "mark a=1\n", 9,
			    MSG_NOSIGNAL) != 9 || clock_ns(CLOCK_MONOTONIC) -
			    from >= CONTROL_LEAST_MS * UINT64_C(1000000);
		}
		for (unsigned i = 0; i < 60; i++) {
			asker_says(fd[i], said, sizeof(said));
			if (!slow[i])
				assert_string_equal(said, "ok\n");
			close(fd[i]);
		}
	}
	/* 20 in each tenth of a second */
	assert_true(clock_ns(CLOCK_MONOTONIC) - begin >= 1000000000);
	kill(pid, SIGTERM);
	scene_ended_well(&s, tallyd_wait(pid), "after hammering");
	assert_true(scene_dump_has(&s, "mark_text[239] = \"a=1\"\n"));
	assert_false(scene_dump_has(&s, "mark_text[240]"));
	scene_end(&s);
}

static int
yes(void *ctx, const char *line, char *lines, struct diag *why)
{
	(void)line;
	(void)lines;
	(void)why;
	++*(unsigned *)ctx;
	return 0;
}

static void
who_is_beyond_a_tenths_answers_waits_and_does_not_wake_us(void **state)
{
	struct rig *r = rig_bare("@skx-8160-2s", "");
	unsigned asked = 0;
	struct control c = { .answer = yes, .ctx = &asked };
	char *dir = tree_new(), path[512], said[256];
	struct diag why;
	int fd[30];

	(void)state;
	tree_text(dir, "/run/tallyd/other", "");
	r->o.service.socket = in_dir(dir, "run/tallyd/tallyd.socket", path);
	assert_int_equal(control_open(&c, &r->o, r->node.acc, -1, &why), 0);
	for (unsigned i = 0; i < 30; i++) {
		fd[i] = asker_connect(dir);
		assert_int_equal(send(fd[i], "a\n", 2, MSG_NOSIGNAL), 2);
	}
	c.tenth_ns = UINT64_MAX;
	for (unsigned i = 0; i < 10; i++) {
		poll(c.poll, 1 + CONTROL_CALLERS, 0);
		control_serve(&c);
	}
	assert_int_equal(asked, 20);
	assert_true(c.told);
	assert_int_equal(poll(c.poll, 1 + CONTROL_CALLERS, 0), 0);
	assert_true(c.wake_ns == UINT64_MAX);
	/* four have a place for long, and their lines have come: none of them
	 * makes room for the other six */
	nanosleep(&(struct timespec){ 0, CONTROL_LEAST_MS * 1100000l }, NULL);
	c.tenth_ns = c.answers = 0;
	for (unsigned i = 0; i < 10; i++) {
		control_serve(&c);
		poll(c.poll, 1 + CONTROL_CALLERS, 0);
	}
	assert_int_equal(asked, 30);
	for (unsigned i = 0; i < 30; i++) {
		assert_string_equal(asker_says(fd[i], said, sizeof(said)),
		    "ok\n");
		close(fd[i]);
	}
	control_close(&c);
	tree_free(dir);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mark_is_in_the_dump),
		cmocka_unit_test(who_asks_where_nobody_samples_is_told_so),
		cmocka_unit_test(a_socket_is_of_root_and_of_the_group_alone),
		cmocka_unit_test(
		    a_socket_that_is_taken_is_refused_where_it_was_asked_for),
		cmocka_unit_test(
		    hostile_questions_are_refused_and_sampling_goes_on),
		cmocka_unit_test(
		    who_says_nothing_makes_room_for_those_that_wait),
		cmocka_unit_test(
		    who_connects_and_says_nothing_holds_nobody_up_for_long),
		cmocka_unit_test(
		    a_socket_that_is_hammered_answers_all_one_after_the_other),
		cmocka_unit_test(
		    who_is_beyond_a_tenths_answers_waits_and_does_not_wake_us),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
