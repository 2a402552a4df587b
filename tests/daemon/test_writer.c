/*
 * tests/daemon/test_writer.c - the sampler is an attacker's: what can it write?
 *
 * This process takes the sampler's part.  It runs with the stand-in's shim, so
 * that the files of the node hold one register every eight bytes.
 */
#include "daemon/node/program.h"
#include "daemon/node/rights.h"
#include "daemon/node/writer.h"
#include "daemon/run/session.h"
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct siege {
	struct scene scene;
	struct options o;
	struct session s;
	uint8_t *programmed;
};

/* As if CHA 0's counter 0 were one that stops at its end. */
static void
let_one_stop(struct plan *plan)
{
	struct saturating *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	while (s->write < plan->nwrite && (plan->write[s->write].pkg != 0 ||
	    plan->write[s->write].addr.offset != 0xe01))
		s->write++;
	assert_true(s->write < plan->nwrite);
	s->control = s->addr = plan->write[s->write].addr;
	s->addr.offset = 0xe08;
	plan->stops.counter = s;
	plan->stops.n = 1;
}

static void
begin_keeping(struct siege *x, bool keep)
{
	char *argv[] = { "tallyd", "--root", NULL, "-q", NULL };
	char path[512];
	struct diag why;

	memset(x, 0, sizeof(*x));
	x->scene = scene_begin();
	argv[2] = x->scene.dir;
	x->s = (struct session){ .o = &x->o, .ready = -1,
	    .journal = { .fd = -1 }, .writer = { .fd = -1 },
	    .output = { .place = { .dir = -1 } } };
	if (options_parse(&x->o, 4, argv, &why) < 0 ||
	    node_open(&x->s.node, &x->o, &why) < 0 ||
	    node_configure(&x->s.node, &x->o, x->s.node.topo.model, &why) < 0 ||
	    node_plan(&x->s.node, &why) < 0)
		fail_msg("%s", why.text);
	let_one_stop(&x->s.node.plan);
	if (journal_open(&x->s.journal, in_dir(x->scene.dir,
	    "run/tallyd.journal", path), x->s.node.acc, &why) < 0 ||
	    program_save(&x->s.node.plan, x->s.node.acc, &why) < 0 ||
	    journal_write(&x->s.journal, &x->s.node, &why) < 0 ||
	    writer_start(&x->s.writer, &x->s.node, &x->s.journal, NULL,
	    keep, &why) < 0 ||
	    writer_program(&x->s.writer, &x->s.node.plan, x->s.node.acc,
	    &why) < 0)
		fail_msg("%s", why.text);
	assert_true(x->s.writer.fd >= 0);
	x->programmed = stand_in_save(x->scene.dir);
}

static void
begin(struct siege *x)
{
	begin_keeping(x, false);
}

/* The sampler is gone: all is as it was found. */
static void
end(struct siege *x)
{
	writer_stop(&x->s.writer, x->s.node.acc);
	stand_in_same(x->scene.dir, x->scene.before, "after the sampler");
	assert_false(scene_has(&x->scene, "run/tallyd.journal"));
	session_fini(&x->s);
	options_fini(&x->o);
	free(x->programmed);
	scene_end(&x->scene);
}

static void
no_register_outside_the_plan_is_written(void **state)
{
	struct access *acc;
	unsigned refused = 0;
	struct siege x;

	(void)state;
	begin(&x);
	acc = x.s.node.acc;
	for (unsigned l = 0; l < STAND_IN_LPROCS + 2; l++)
		for (uint64_t m = 0; m < 0x1000; m += l == 0 ? 1 : 7) {
			struct reg_addr msr = { REG_MSR, 8, l, m };

			refused += access_write(acc, &msr, 0x43) == -EPERM;
		}
	for (uint32_t bus = 0; bus < 256; bus++)
		for (uint64_t at = 0; at < 4096; at += 4) {
			struct reg_addr pci = { REG_PCI, 4,
			    PCI_UNIT(0, bus, PCI_DEVFN(0x0a, 2)), at };

			if (bus % 16 == 10)
				refused += access_write(acc, &pci, 0x43) ==
				    -EPERM;
		}
	assert_true(refused > 20000);
	stand_in_same(x.scene.dir, x.programmed, "writes that nobody planned");
	end(&x);
}

static void
a_register_of_the_plan_takes_no_other_value(void **state)
{
	struct siege x;
	const struct plan *plan;

	(void)state;
	begin(&x);
	plan = &x.s.node.plan;
	assert_true(plan->nwrite > 50);
	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		/* bit 20: an interrupt at each overflow */
		assert_int_equal(access_write(x.s.node.acc, &w->addr, w->new ^
		    1u << 20), -EPERM);
		assert_int_equal(access_write(x.s.node.acc, &w->addr, w->new),
		    0);
	}
	stand_in_same(x.scene.dir, x.programmed, "other values");
	end(&x);
}

static void
a_counter_that_stops_takes_0_and_nothing_else(void **state)
{
	struct reg_addr ctr;
	struct siege x;
	uint64_t raw, was;
	char path[512];
	int fd;

	(void)state;
	begin(&x);
	ctr = x.s.node.plan.stops.counter[0].addr;
	assert_int_equal(access_write(x.s.node.acc, &ctr, 1), -EPERM);
	assert_int_equal(access_write(x.s.node.acc, &ctr, 1ull << 47), -EPERM);
	assert_int_equal(access_read(x.s.node.acc, &ctr, &was), 0);
	assert_true(was != 0);
	assert_int_equal(access_write(x.s.node.acc, &ctr, 0), 0);
	assert_int_equal(access_read(x.s.node.acc, &ctr, &raw), 0);
	assert_true(raw == 0);
	/* what it had counted nobody puts back */
	snprintf(path, sizeof(path), "%s/dev/cpu/%u/msr", x.scene.dir, ctr.unit);
	fd = open(path, O_WRONLY);
	assert_int_equal(pwrite(fd, &was, 8, 0xe08), 8);
	close(fd);
	/* that of the other package is none */
	for (unsigned l = 0; l < x.s.node.plan.lproc.n; l++)
		if (x.s.node.plan.lproc.pkg[l] == 1)
			ctr.unit = l;
	assert_int_equal(access_write(x.s.node.acc, &ctr, 0), -EPERM);
	/* nor another one */
	ctr = x.s.node.plan.stops.counter[0].addr;
	ctr.offset++;
	assert_int_equal(access_write(x.s.node.acc, &ctr, 0), -EPERM);
	end(&x);
}

/* Of many in one question each is looked at by itself. */
static void
many_writes_at_once_are_no_way_around_it(void **state)
{
	struct reg_value value[ACCESS_MANY];
	const struct plan *plan;
	struct siege x;
	unsigned bad = 0;

	(void)state;
	begin(&x);
	plan = &x.s.node.plan;
	for (unsigned i = 0; i < ACCESS_MANY; i++) {
		const struct plan_write *w = &plan->write[i % plan->nwrite];

		value[i] = (struct reg_value){ w->addr, w->new };
		if (i % 3 == 1)
			value[i].raw ^= 1u << 20;
		else if (i % 3 == 2)
			value[i].addr.offset ^= 0x800;
		bad += i % 3 != 0;
	}
	assert_int_equal(access_write_many(x.s.node.acc, value, ACCESS_MANY),
	    bad);
	assert_int_equal(access_write_many(x.s.node.acc, value, 1), 0);
	assert_int_equal(access_write_many(x.s.node.acc, value, 0), 0);
	stand_in_same(x.scene.dir, x.programmed, "many writes");
	end(&x);
}

/* More in it than it has, or less: what, how many, and 24 bytes for each. */
static void
a_question_of_another_size_is_refused(void **state)
{
	static const struct { uint32_t n; size_t size; } rows[] = {
		{ 0, 7 }, { 1, 8 }, { 1, 31 }, { 1, 33 }, { 128, 3079 },
		{ 129, 3104 }, { 129, 3080 }, { UINT32_MAX, 3080 },
		{ UINT32_MAX, 8 }, { 0x0aaaaaab, 16 },
	};
	uint32_t q[800] = { 7 };
	struct siege x;

	(void)state;
	begin(&x);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int32_t answer[512];

		q[1] = rows[i].n;
		assert_true(send(x.s.writer.fd, q, rows[i].size,
		    MSG_NOSIGNAL) == (ssize_t)rows[i].size);
		assert_true(recv(x.s.writer.fd, answer, sizeof(answer), 0) >
		    4);
		assert_int_equal(answer[0], -EINVAL);
	}
	stand_in_same(x.scene.dir, x.programmed, "sizes");
	end(&x);
}

static void
a_message_that_is_none_changes_nothing(void **state)
{
	struct siege x;
	uint8_t junk[64];
	uint32_t seed = 3;

	(void)state;
	begin(&x);
	for (unsigned i = 0; i < 20000; i++) {
		char answer[2048];
		size_t n;

		for (size_t k = 0; k < sizeof(junk); k++) {
			seed = seed * 1664525 + 1013904223;
			junk[k] = (uint8_t)(seed >> 24);
		}
		/* half of them as long as a request; no request to restore */
		n = i % 2 ? 32 : 1 + seed % sizeof(junk);
		junk[0] = i % 4 == 1 ? 2 : junk[0] | 4;
		junk[1] = junk[2] = junk[3] = 0;
		if (send(x.s.writer.fd, junk, n, MSG_NOSIGNAL) != (ssize_t)n)
			fail_msg("the writer is gone at message %u", i);
		assert_true(recv(x.s.writer.fd, answer, sizeof(answer), 0) > 0);
	}
	stand_in_same(x.scene.dir, x.programmed, "junk");
	end(&x);
}

static void
nothing_that_the_sampler_holds_can_write_a_register(void **state)
{
	struct siege x;
	struct dirent *e;
	unsigned held = 0;
	char line[1024];
	FILE *maps;
	DIR *d;

	(void)state;
	begin(&x);
	d = opendir("/proc/self/fd");
	assert_non_null(d);
	while ((e = readdir(d)) != NULL) {
		char link[1024] = "";
		int fd = atoi(e->d_name);

		if (readlinkat(dirfd(d), e->d_name, link, sizeof(link) - 1) <
		    0 || (strstr(link, "/dev/") == NULL &&
		    strstr(link, "/config") == NULL) ||
		    strncmp(link, x.scene.dir, strlen(x.scene.dir)) != 0)
			continue;
		held++;
		assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	}
	closedir(d);
	assert_true(held > STAND_IN_LPROCS);
	maps = fopen("/proc/self/maps", "r");
	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps) != NULL)
		if (strstr(line, x.scene.dir) != NULL &&
		    strstr(line, "/dev/") != NULL)
			assert_null(strstr(line, " rw-s "));
	fclose(maps);
	end(&x);
}

static void
the_writer_puts_all_back_when_the_sampler_is_killed(void **state)
{
	struct scene s = scene_begin();
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));

	(void)state;
	tallyd_rows(s.dir, 3);
	kill(pid, SIGKILL);
	tallyd_wait(pid);
	/* it waits for what is on its way, and finds nothing left to do */
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--restore")), 0);
	assert_true(tallyd_said(s.dir, "no tallyd left registers changed"));
	stand_in_same(s.dir, s.before, "SIGKILL");
	scene_end(&s);
}

/* --keep-writing: not one that is stopped, and would not answer. */
static void
who_keeps_writing_asks_nobody(void **state)
{
	const struct plan_write *w;
	struct siege x;
	uint64_t raw;

	(void)state;
	begin_keeping(&x, true);
	kill(x.s.writer.pid, SIGSTOP);
	w = &x.s.node.plan.write[0];
	assert_int_equal(access_write(x.s.node.acc, &w->addr, ~w->new), 0);
	assert_int_equal(access_read(x.s.node.acc, &w->addr, &raw), 0);
	assert_true(raw == ~w->new);
	assert_int_equal(access_write(x.s.node.acc, &w->addr, w->new), 0);
	kill(x.s.writer.pid, SIGCONT);
	end(&x);
}

static void
a_call_that_sampling_does_not_need_is_refused_aloud(void **state)
{
	int fd[2], status, last, call;
	char said[200] = "";
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	if ((pid = fork()) == 0) {
		dup2(fd[1], 2);
		if (filter_install(FILTER_SAMPLE) == -ENOSYS)
			_exit(77);
		call = syscall(SYS_setuid, 0) == -1 && errno == EPERM &&
		    filter_refused(&last) == 1 && last == SYS_setuid;
		_exit(call ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_true(read(fd[0], said, sizeof(said) - 1) > 0);
	assert_non_null(strstr(said, "was refused"));
	close(fd[0]);
	close(fd[1]);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_register_outside_the_plan_is_written),
		cmocka_unit_test(a_register_of_the_plan_takes_no_other_value),
		cmocka_unit_test(a_counter_that_stops_takes_0_and_nothing_else),
		cmocka_unit_test(many_writes_at_once_are_no_way_around_it),
		cmocka_unit_test(a_question_of_another_size_is_refused),
		cmocka_unit_test(a_message_that_is_none_changes_nothing),
		cmocka_unit_test(
		    nothing_that_the_sampler_holds_can_write_a_register),
		cmocka_unit_test(
		    the_writer_puts_all_back_when_the_sampler_is_killed),
		cmocka_unit_test(who_keeps_writing_asks_nobody),
		cmocka_unit_test(
		    a_call_that_sampling_does_not_need_is_refused_aloud),
	};

	(void)argc;
	if (getenv("LD_PRELOAD") == NULL) {
		with_shim();
		execv("/proc/self/exe", argv);
		return 1;
	}
	return cmocka_run_group_tests_name("writer", tests, NULL, NULL);
}
