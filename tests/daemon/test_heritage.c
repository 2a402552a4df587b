/*
 * tests/daemon/test_heritage.c - what the sampler of a service leaves to the next one, in
 * memory that it can write as it likes: the next one begins with root's rights.
 */
#include "daemon/run/output.h"
#include "daemon/run/handover.h"
#include "tests/lib/asker.h"
#include "tests/lib/service.h"
#include "tests/lib/rig.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct heritage *
sound(void)
{
	struct heritage *h = calloc(1, sizeof(*h));

	assert_non_null(h);
	h->segments = 3;
	h->first_number = 1;
	h->samples = 1000;
	strcpy(h->of, "1763900000000000-4711");
	strcpy(h->output, "/var/tallyd/run.lua");
	h->marks.nopen = 1;
	h->marks.open[0].real_ns = 5;
	strcpy(h->marks.open[0].text, "job=7 begin");
	return h;
}

static void
what_is_sound_is_taken_as_it_is(void **state)
{
	struct heritage *h = sound(), *own = calloc(1, sizeof(*own));
	struct diag why;

	(void)state;
	assert_int_equal(heritage_take(own, h, &why), 0);
	assert_memory_equal(own, h, sizeof(*own));
	free(own);
	free(h);
}

#define PUT(member, value) offsetof(struct heritage, member), \
	sizeof(((struct heritage *)0)->member), value

static void
a_number_beyond_what_it_counts_is_refused(void **state)
{
	static const struct { int line; size_t at, n; uint64_t value; } t[] = {
		{ __LINE__, PUT(marks.nopen, OPEN_JOBS + 1) },
		{ __LINE__, PUT(marks.nopen, UINT32_MAX) },
		{ __LINE__, PUT(marks.nopen, 2) },      /* the second is empty */
		{ __LINE__, PUT(segments, 0) },
		{ __LINE__, PUT(segments, UINT64_MAX) },
		{ __LINE__, PUT(samples, UINT64_MAX) },
		{ __LINE__, PUT(first_number, 0) },
		{ __LINE__, PUT(first_number, UINT64_MAX - 1) },
		{ __LINE__, PUT(marks.open[0].text[3], '\n') },
		{ __LINE__, PUT(marks.open[0].text[3], '"') },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct heritage *h = sound(), *own = calloc(1, sizeof(*own));
		struct diag why;

		/* the low bytes are the first ones */
		memcpy((char *)h + t[i].at, &t[i].value, t[i].n);
		if (heritage_take(own, h, &why) != -EINVAL)
			fail_msg("line %d", t[i].line);
		free(own);
		free(h);
	}
}

static void
each_text_ends_and_is_one_line(void **state)
{
	struct heritage *h = sound(), *own = calloc(1, sizeof(*own));
	struct diag why;

	(void)state;
	memset(h->of, '\n', sizeof(h->of));
	memset(h->output, 'x', sizeof(h->output));
	memset(&h->why, 0x1b, sizeof(h->why));
	h->marks.n = 99;
	h->marks.bytes = SIZE_MAX;
	assert_int_equal(heritage_take(own, h, &why), 0);
	assert_int_equal(strlen(own->of), sizeof(own->of) - 1);
	assert_null(strchr(own->of, '\n'));
	assert_int_equal(strlen(own->output), sizeof(own->output) - 1);
	assert_int_equal(own->marks.n, 0);
	assert_int_equal(own->marks.bytes, 0);
	assert_null(strchr(heritage_why(h, &why), 0x1b));
	assert_int_equal(strlen(why.text), sizeof(why.text) - 1);
	free(own);
	free(h);
}

/* ---- somebody who has taken the sampler over -------------------------------- */

static pid_t
sampler_of(pid_t service)
{
	char path[64];
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", service,
	    service);
	if ((f = fopen(path, "r")) == NULL || fscanf(f, "%d", &pid) != 1)
		pid = 0;
	if (f != NULL)
		fclose(f);
	return pid;
}

/* Where the memory that all share is; 0: nowhere. */
static unsigned long
shared_at(pid_t pid)
{
	char path[64], line[512], kind[8];
	unsigned long from, to, at = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if ((f = fopen(path, "r")) == NULL)
		return 0;
	while (fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "%lx-%lx %7s", &from, &to, kind) == 3 &&
		    strcmp(kind, "rw-s") == 0 && to - from ==
		    ((sizeof(struct heritage) + 4095) & ~4095ul))
			at = from;
	fclose(f);
	return at;
}

/* On end, until it is killed. */
static pid_t
say_of_marks(pid_t service, uint32_t n)
{
	pid_t pid = fork();

	while (pid == 0) {
		pid_t sampler = sampler_of(service);
		unsigned long at = shared_at(sampler);
		char path[64];
		int fd;

		snprintf(path, sizeof(path), "/proc/%d/mem", sampler);
		if (at == 0 || (fd = open(path, O_RDWR | O_CLOEXEC)) < 0)
			continue;
		while (pwrite(fd, &n, sizeof(n), (off_t)(at + offsetof(struct
		    heritage, marks.nopen))) == sizeof(n))
			continue;
		close(fd);
	}
	return pid;
}

static void
a_sampler_that_lies_costs_a_reload_and_no_more(void **state)
{
	pid_t pid, liar;
	struct scene s;
	char said[1024];

	(void)state;
	if (geteuid() != 0)
		skip();
	s = service_begin(FIXED, &pid);
	liar = say_of_marks(pid, UINT32_MAX);
	do
		asker_bytes(s.dir, "reload\n", 7, said, sizeof(said));
	while (strcmp(said, "ok\n") == 0);
	kill(liar, SIGKILL);
	waitpid(liar, NULL, 0);
	if (strncmp(said, "error: what the sampler before has left is not valid",
	    52) != 0)
		fail_msg("%s", said);
	assert_int_equal(service_reload(&s), 0);
	service_ended(&s, pid);
	assert_true(tallyd_kept_quiet(s.dir, "ended by signal"));
	assert_true(tallyd_kept_quiet(s.dir, "File exists"));
	scene_end(&s);
}

/* ---- what a heir leaves that has died ---------------------------------------- */

static struct store *
make(const char *path)
{
	struct store_shape shape = { .ncell = 4, .capacity = 8,
	    .preamble = "host = \"h\"\n" };
	struct store *st;
	struct diag why;

	if (store_create(&st, path, &shape, &why) < 0)
		fail_msg("%s", why.text);
	return st;
}

/* Made by a process that ends at once, with so many rows. */
static pid_t
left_with(const char *path, unsigned rows)
{
	int status;
	pid_t pid;

	if ((pid = fork()) == 0) {
		struct store *st = make(path);

		for (unsigned i = 0; i < rows; i++) {
			store_row(st);
			store_commit(st);
		}
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return pid;
}

static void
no_store_without_a_row_is_left_and_no_other_is_touched(void **state)
{
	char *dir = tree_new(), named[512], path[560], shm[128];
	struct store *alive;
	pid_t pid;

	(void)state;
	in_dir(dir, "store", named);
	snprintf(path, sizeof(path), "%s.2", named);
	pid = left_with(path, 0);
	store_forget(pid, named, 3);
	assert_int_equal(access(path, F_OK), 0);
	store_forget(pid, named, 2);
	assert_int_equal(access(path, F_OK), -1);
	left_with(path, 1);
	store_forget(pid, named, 2);
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
	tree_text(dir, "/store.2", "dear diary\n");
	store_forget(pid, named, 2);
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
	alive = make(path);
	store_forget(pid, named, 2);
	assert_int_equal(access(path, F_OK), 0);
	store_close(alive);
	/* of a number of its own */
	snprintf(shm, sizeof(shm), "/dev/shm/tallyd-%d-0.store", getpid());
	left_with(shm, 0);
	store_forget(pid, NULL, 2);
	assert_int_equal(access(shm, F_OK), 0);
	store_forget(getpid(), NULL, 2);
	assert_int_equal(access(shm, F_OK), -1);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_sound_is_taken_as_it_is),
		cmocka_unit_test(a_number_beyond_what_it_counts_is_refused),
		cmocka_unit_test(each_text_ends_and_is_one_line),
		cmocka_unit_test(a_sampler_that_lies_costs_a_reload_and_no_more),
		cmocka_unit_test(
		    no_store_without_a_row_is_left_and_no_other_is_touched),
	};

	return cmocka_run_group_tests_name("heritage", tests, NULL, NULL);
}
