/*
 * tests/daemon/test_notify.c - what tallyd tells the service manager, and when;
 * the test plays the manager with a socket of its own.
 */
#include "daemon/run/notify.h"
#include "regs/host.h"
#include "tests/lib/asker.h"
#include "tests/lib/rig.h"
#include "tests/lib/scene.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct manager {
	int fd;
	char env[160];          /* NOTIFY_SOCKET=... */
	char said[128];         /* the last datagram */
};

/* A socket with that name, as NOTIFY_SOCKET has it. */
static struct manager
manager(const char *name)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct manager m = { .fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC,
	    0) };
	size_t n = strlen(name);

	memcpy(at.sun_path, name, n);
	if (name[0] == '@')
		at.sun_path[0] = '\0';
	else
		unlink(name);
	assert_int_equal(bind(m.fd, (struct sockaddr *)&at,
	    (socklen_t)(sizeof(at) - sizeof(at.sun_path) + n)), 0);
	snprintf(m.env, sizeof(m.env), "NOTIFY_SOCKET=%s", name);
	return m;
}

/* A name that no other test has. */
static const char *
abstract(char name[64])
{
	snprintf(name, 64, "@tallyd-test-%d", getpid());
	return name;
}

/* The next datagram; "" when there is none and pid has ended. */
static const char *
hear(struct manager *m, pid_t pid)
{
	struct pollfd p = { .fd = m->fd, .events = POLLIN };
	siginfo_t info;
	ssize_t n;

	do {
		info.si_pid = 0;
		waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
		n = poll(&p, 1, info.si_pid != 0 ? 0 : 10);
	} while (n == 0 && info.si_pid == 0);
	n = n > 0 ? recv(m->fd, m->said, sizeof(m->said) - 1, 0) : 0;
	m->said[n > 0 ? n : 0] = '\0';
	return m->said;
}

static void
a_service_is_ready_after_its_first_sample_and_says_that_it_stops(void **state)
{
	struct scene s = scene_begin();
	char path[512];
	struct manager m = manager(in_dir(s.dir, "notify", path));
	pid_t pid = tallyd_start(s.dir, m.env, ARGS("-q", "-i", "3600"));

	(void)state;
	assert_string_equal(hear(&m, pid), "READY=1");
	assert_true(scene_has(&s, "store"));
	kill(pid, SIGTERM);
	assert_string_equal(hear(&m, pid), "STOPPING=1");
	scene_ended_well(&s, tallyd_wait(pid), "SIGTERM");
	/* with the filter of system calls in force */
	assert_true(tallyd_kept_quiet(s.dir, "refused"));
	close(m.fd);
	scene_end(&s);
}

static void
a_socket_of_the_abstract_space_is_told_as_well(void **state)
{
	struct scene s = scene_begin();
	char name[64];
	struct manager m = manager(abstract(name));
	pid_t pid = tallyd_start(s.dir, m.env, ARGS("-q", "-n", "1"));

	(void)state;
	assert_string_equal(hear(&m, pid), "READY=1");
	assert_string_equal(hear(&m, pid), "STOPPING=1");
	scene_ended_well(&s, tallyd_wait(pid), "one sample");
	close(m.fd);
	scene_end(&s);
}

static void
a_watchdog_has_its_signs_however_long_the_interval(void **state)
{
	struct scene s = scene_begin();
	char path[512];
	struct manager m = manager(in_dir(s.dir, "notify", path));
	pid_t pid;

	(void)state;
	setenv("WATCHDOG_USEC", "20000", 1);
	pid = tallyd_start(s.dir, m.env, ARGS("-q", "-i", "3600"));
	unsetenv("WATCHDOG_USEC");
	assert_string_equal(hear(&m, pid), "READY=1");
	for (int i = 0; i < 5; i++)
		assert_string_equal(hear(&m, pid), "WATCHDOG=1");
	kill(pid, SIGTERM);
	while (strcmp(hear(&m, pid), "WATCHDOG=1") == 0)
		;
	assert_string_equal(m.said, "STOPPING=1");
	scene_ended_well(&s, tallyd_wait(pid), "SIGTERM");
	assert_int_equal(scene_dumped(&s), 2);
	close(m.fd);
	scene_end(&s);
}

static void
a_reload_is_told_from_its_begin_to_its_end_refused_or_not(void **state)
{
	struct scene s = scene_begin();
	char path[512], said[1024];
	struct manager m = manager(in_dir(s.dir, "notify", path));
	pid_t pid = tallyd_start(s.dir, m.env, ARGS("-q", "-i", "3600",
	    "--segment", "10h"));

	(void)state;
	assert_string_equal(hear(&m, pid), "READY=1");
	asker_bytes(s.dir, "reload\n", 7, said, sizeof(said));
	assert_string_equal(said, "ok\n");
	assert_int_equal(strncmp(hear(&m, pid), "RELOADING=1\nMONOTONIC_USEC=",
	    27), 0);
	assert_string_equal(hear(&m, pid), "READY=1");
	tree_text(s.dir, "/etc/tallyd/tallyd.conf", "nonsense\n");
	asker_bytes(s.dir, "reload\n", 7, said, sizeof(said));
	assert_int_equal(strncmp(said, "error: ", 7), 0);
	assert_int_equal(strncmp(hear(&m, pid), "RELOADING=1\n", 12), 0);
	assert_string_equal(hear(&m, pid), "READY=1");
	kill(pid, SIGTERM);
	assert_string_equal(hear(&m, pid), "STOPPING=1");
	assert_int_equal(tallyd_wait(pid), 0);
	stand_in_same(s.dir, s.before, "at the end");
	close(m.fd);
	scene_end(&s);
}

static void
a_start_that_fails_is_never_ready(void **state)
{
	struct scene s = scene_begin();
	char path[512];
	struct manager m = manager(in_dir(s.dir, "notify", path));
	pid_t pid = tallyd_start(s.dir, m.env, ARGS("-q", "-c",
	    "/no/such/file"));

	(void)state;
	assert_string_equal(hear(&m, pid), "");
	assert_int_equal(tallyd_wait(pid), 1);
	close(m.fd);
	scene_end(&s);
}

static void
a_manager_that_is_gone_or_no_address_holds_nothing_up(void **state)
{
	static const struct { const char *env, *words; } of[] = {
		{ "NOTIFY_SOCKET=/no/such/socket", "cannot be told" },
		{ "NOTIFY_SOCKET=relative", "NOTIFY_SOCKET=relative is no "
		    "address of a socket" },
		{ "NOTIFY_SOCKET=@", "NOTIFY_SOCKET=@ is no address" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		struct scene s = scene_begin();

		scene_ended_well(&s, tallyd_run(s.dir, of[i].env, ARGS("-q",
		    "-n", "1")), of[i].env);
		if (!tallyd_said(s.dir, of[i].words))
			tallyd_failed(s.dir, of[i].words, 0);
		scene_end(&s);
	}
}

/* systemd wants the time of a reload, to tell a READY=1 before it from one after. */
static void
a_reload_is_told_with_its_time_on_the_monotonic_clock(void **state)
{
	char name[64];
	struct manager m = manager(abstract(name));
	uint64_t before, usec = 0;
	struct notify n;

	(void)state;
	putenv(m.env);
	before = clock_ns(CLOCK_MONOTONIC) / 1000;
	notify_open(&n);
	assert_null(getenv("NOTIFY_SOCKET"));
	notify_reloading(&n);
	hear(&m, getpid());
	assert_int_equal(sscanf(m.said, "RELOADING=1\nMONOTONIC_USEC=%" SCNu64,
	    &usec), 1);
	assert_in_range(usec, before, clock_ns(CLOCK_MONOTONIC) / 1000);
	close(n.fd);
	close(m.fd);
}

static void
the_watchdog_of_another_process_is_not_ours(void **state)
{
	char name[64];
	struct manager m = manager(abstract(name));
	struct notify n;

	(void)state;
	putenv(m.env);
	setenv("WATCHDOG_USEC", "1000", 1);
	setenv("WATCHDOG_PID", "1", 1);
	notify_open(&n);
	assert_int_equal(n.every_ns, 0);
	assert_int_equal(notify_alive(&n, NULL, 77), 77);
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
	close(n.fd);
	close(m.fd);
}

/* What tallyd says of an option that it has not, to a file that JOURNAL_STREAM
 * names or does not. */
static char *
said_of_an_option(const char *dir, const char *stream)
{
	char command[1400], tallyd[512], path[600];

	snprintf(path, sizeof(path), "%s/said", dir);
	snprintf(command, sizeof(command), ": >%s; JOURNAL_STREAM=%s %s "
	    "--interval x 2>>%s", path, stream, built("tallyd", tallyd), path);
	assert_int_not_equal(system(command), 0);
	return file_text(path, NULL);
}

static void
lines_for_the_journal_have_a_priority_and_not_our_name(void **state)
{
	char *dir = tree_new(), *text, stat_of[600];

	(void)state;
	snprintf(stat_of, sizeof(stat_of), "$(stat -c %%d:%%i %s/said)", dir);
	text = said_of_an_option(dir, stat_of);
	assert_int_equal(strncmp(text, "<4>--interval x", 15), 0);
	free(text);
	/* standard error is another file than the journal's */
	text = said_of_an_option(dir, "1:2");
	assert_int_equal(strncmp(text, "tallyd: --interval x", 20), 0);
	free(text);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_service_is_ready_after_its_first_sample_and_says_that_it_stops),
		cmocka_unit_test(a_socket_of_the_abstract_space_is_told_as_well),
		cmocka_unit_test(a_watchdog_has_its_signs_however_long_the_interval),
		cmocka_unit_test(
		    a_reload_is_told_from_its_begin_to_its_end_refused_or_not),
		cmocka_unit_test(a_start_that_fails_is_never_ready),
		cmocka_unit_test(a_manager_that_is_gone_or_no_address_holds_nothing_up),
		cmocka_unit_test(a_reload_is_told_with_its_time_on_the_monotonic_clock),
		cmocka_unit_test(the_watchdog_of_another_process_is_not_ours),
		cmocka_unit_test(
		    lines_for_the_journal_have_a_priority_and_not_our_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
