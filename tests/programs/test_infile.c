/*
 * tests/programs/test_infile.c - what a user names as input ends, or is refused: no
 * device is read, no FIFO waited for.
 */
#include "tests/lib/files.h"

#include "config/dump/store.h"
#include "config/eventlist.h"
#include "config/lang/events.h"
#include "config/sim/machine.h"
#include "postproc/data/delta.h"
#include "postproc/formula/metrics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static int
as_config(const char *path, struct diag *why)
{
	struct config cfg;
	int rc;

	assert_int_equal(config_init(&cfg, model_named("skx")), 0);
	rc = config_load(&cfg, path, why);
	config_fini(&cfg);
	return rc;
}

/* A file that a configuration includes. */
static int
as_included(const char *path, struct diag *why)
{
	char text[600], own[512];

	snprintf(text, sizeof(text), "include \"%s\"\n", path);
	snprintf(own, sizeof(own), "%s", test_put("includes.conf", text));
	return as_config(own, why);
}

static int
as_list(const char *path, struct diag *why)
{
	struct eventlist *list = NULL;
	int rc = eventlist_load(&list, model_named("skx"), NULL, path, why);

	eventlist_free(list);
	return rc;
}

static int
as_machine(const char *path, struct diag *why)
{
	struct sim *sim = NULL;
	int rc = machine_load(&sim, path, why);

	if (rc == 0)
		access_close(sim_access(sim));
	return rc;
}

static int
as_metrics(const char *path, struct diag *why)
{
	struct metrics m;
	int rc;

	assert_int_equal(metrics_init(&m), 0);
	rc = metrics_load(&m, path, why);
	metrics_fini(&m);
	return rc;
}

static int
as_dump(const char *path, struct diag *why)
{
	struct reader *r;
	int rc = read_open(&r, path, why);

	if (rc == 0)
		read_close(r);
	return rc;
}

static int
as_store(const char *path, struct diag *why)
{
	struct store *st;
	int rc = store_open(&st, path, why);

	if (rc == 0)
		store_close(st);
	return rc;
}

static int (*const takers[])(const char *, struct diag *) = {
	as_config, as_included, as_list, as_machine, as_metrics, as_dump, as_store,
};
#define NTAKERS (sizeof(takers) / sizeof(takers[0]))

static void
all_refuse(const char *path, const char *words)
{
	struct diag why;

	for (size_t i = 0; i < NTAKERS; i++) {
		why.text[0] = '\0';
		if (takers[i](path, &why) >= 0 ||
		    strstr(why.text, words) == NULL)
			fail_msg("%s, taker %zu: %s", path, i, why.text);
	}
}

static void
devices_folders_and_named_pipes_are_refused(void **state)
{
	static const char kind[] = "neither a file nor a pipe on standard input";
	char path[512];

	(void)state;
	all_refuse("/dev/zero", kind);
	all_refuse("/dev/full", kind);
	snprintf(path, sizeof(path), "%s/zero", test_dir);
	assert_int_equal(symlink("/dev/zero", path), 0);
	all_refuse(path, kind);
	snprintf(path, sizeof(path), "%s/pipe", test_dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	all_refuse(path, kind);
	all_refuse(test_dir, "a directory");
}

static void
a_file_of_the_kernel_that_has_no_end_is_refused(void **state)
{
	int fd = open("/proc/kmsg", O_RDONLY | O_NONBLOCK);

	(void)state;
	if (fd < 0) {
		print_message("/proc/kmsg: %s\n", strerror(errno));
		skip();
	}
	close(fd);
	all_refuse("/proc/kmsg", "a file without an end, which waits for what "
	    "is to come");
}

static void
a_text_of_a_gigabyte_is_refused_before_it_is_read(void **state)
{
	const char *path = test_put("huge.conf", "");
	struct diag why;

	(void)state;
	assert_int_equal(truncate(path, (off_t)1 << 30), 0);
	assert_int_equal(as_config(path, &why), -EFBIG);
	assert_non_null(strstr(why.text, "larger than any such text"));
}

/* The descriptor that a shell puts in the place of <(command). */
static void
a_pipe_that_was_given_is_read_to_its_end(void **state)
{
	struct diag why;
	char path[32];
	int fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], "read aperf\n", 11), 11);
	close(fd[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd[0]);
	if (as_config(path, &why) < 0)
		fail_msg("%s", why.text);
	close(fd[0]);
	assert_int_equal(as_config("/dev/null", &why), 0);
}

/* "-" and what may stand behind it, our standard input in its place. */
static void
standard_input_is_a_file_a_pipe_or_a_socket(void **state)
{
	static const char dump[] = "tsc[0] = 1\ntsc[1] = 2\n";
	int was = dup(STDIN_FILENO), fd[2];
	struct diag why;

	(void)state;
	assert_int_equal(dup2(open("/dev/zero", O_RDONLY), STDIN_FILENO),
	    STDIN_FILENO);
	assert_int_equal(as_dump("-", &why), -EMEDIUMTYPE);
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], dump, sizeof(dump) - 1),
	    sizeof(dump) - 1);
	close(fd[1]);
	dup2(fd[0], STDIN_FILENO);
	assert_int_equal(as_dump("-", &why), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	assert_int_equal(write(fd[1], dump, sizeof(dump) - 1),
	    sizeof(dump) - 1);
	close(fd[1]);
	dup2(fd[0], STDIN_FILENO);
	assert_int_equal(as_dump("-", &why), 0);
	dup2(was, STDIN_FILENO);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_folders_and_named_pipes_are_refused),
		cmocka_unit_test(
		    a_file_of_the_kernel_that_has_no_end_is_refused),
		cmocka_unit_test(
		    a_text_of_a_gigabyte_is_refused_before_it_is_read),
		cmocka_unit_test(a_pipe_that_was_given_is_read_to_its_end),
		cmocka_unit_test(standard_input_is_a_file_a_pipe_or_a_socket),
	};

	alarm(600);                     /* nothing here waits for anybody */
	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
