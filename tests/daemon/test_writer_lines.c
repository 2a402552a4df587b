/*
 * tests/daemon/test_writer_lines.c - the writer's threads, each on its lproc, which are
 * asked in turns of event sets.
 *
 * This process takes the sampler's part, on files that hold one register every eight
 * bytes (the stand-in's shim), and sits on an lproc of the node that is also a CPU here.
 */
#include "daemon/node/program.h"
#include "daemon/read/sweep.h"
#include "daemon/node/writer.h"
#include "daemon/run/session.h"
#include "tests/lib/files.h"
#include "tests/lib/scene.h"
#include "tests/tools/msr_shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TWO_SETS \
	"read aperf mperf\nset a\ncore A event=0xc0,umask=0x00\ncore B event=0xc4,umask=0x00\n" \
	"set b\ncore C event=0xc5,umask=0x00\ncore D event=0x2e,umask=0x41\n"

struct sampling {
	struct scene scene;
	struct options o;
	struct session s;
	uint8_t *programmed;
	struct writer_line *line;       /* of the lproc that we are on */
	struct reg_value value[2];      /* controls there, as set a has them */
};

/* To the first lproc of the node that we may run on; false: there is none. */
static bool
sit_down(struct sampling *x)
{
	struct plan *plan = &x->s.node.plan;

	for (unsigned l = 0; l < STAND_IN_LPROCS; l++)
		if (access_visit(x->s.node.acc, l) == 0) {
			for (unsigned i = 0, n = 0; i < plan->nwrite && n < 2; i++)
				if (plan->write[i].rotates &&
				    plan->write[i].addr.unit == l)
					x->value[n++] = (struct reg_value){
					    plan->write[i].addr,
					    plan->write[i].new };
			x->line = &x->s.writer.line[l];
			return true;
		}
	return false;
}

static bool
begin(struct sampling *x)
{
	char *argv[] = { "tallyd", "--root", NULL, "-q", "-c", NULL, NULL };
	char journal[512], config[512];
	struct diag why;

	memset(x, 0, sizeof(*x));
	x->scene = scene_begin();
	argv[2] = x->scene.dir;
	argv[5] = (char *)in_dir(x->scene.dir, "sets.conf", config);
	tree_text(x->scene.dir, "/sets.conf", TWO_SETS);
	x->s = (struct session){ .o = &x->o, .ready = -1,
	    .journal = { .fd = -1 }, .writer = { .fd = -1, .visits = true },
	    .output = { .place = { .dir = -1 } } };
	if (options_parse(&x->o, 6, argv, &why) < 0 ||
	    node_open(&x->s.node, &x->o, &why) < 0 ||
	    node_configure(&x->s.node, &x->o, x->s.node.topo.model, &why) < 0 ||
	    node_plan(&x->s.node, &why) < 0 ||
	    sweep_init(&x->s.sweep, &x->s.node.plan, x->s.node.acc, READ_VISIT,
	    -1, &why) < 0 || journal_open(&x->s.journal, in_dir(x->scene.dir,
	    "run/tallyd.journal", journal), x->s.node.acc, &why) < 0 ||
	    program_save(&x->s.node.plan, x->s.node.acc, &why) < 0 ||
	    journal_write(&x->s.journal, &x->s.node, &why) < 0 ||
	    writer_start(&x->s.writer, &x->s.node, &x->s.journal, NULL,
	    false, &why) < 0 || writer_program(&x->s.writer,
	    &x->s.node.plan, x->s.node.acc, &why) < 0)
		fail_msg("%s", why.text);
	x->programmed = stand_in_save(x->scene.dir);
	return sit_down(x);
}

static void
end(struct sampling *x)
{
	writer_stop(&x->s.writer, x->s.node.acc);
	stand_in_same(x->scene.dir, x->scene.before, "after the sampler");
	assert_false(scene_has(&x->scene, "run/tallyd.journal"));
	session_fini(&x->s);
	options_fini(&x->o);
	free(x->programmed);
	scene_end(&x->scene);
}

static unsigned
ask(struct sampling *x, uint64_t raw)
{
	struct reg_value value[2] = { x->value[0], x->value[1] };

	value[1].raw = raw;
	return access_write_many(x->s.node.acc, value, 2);
}

/* The main thread cannot be heard: what is written was written on the line. */
static void
who_is_on_an_lproc_asks_the_thread_there(void **state)
{
	struct sampling x;
	int main_fd;

	(void)state;
	if (begin(&x)) {
		uint64_t b = x.s.node.plan.sets.value[
		    x.s.node.plan.sets.rot[0].value + 2], raw;

		main_fd = x.s.writer.fd;
		x.s.writer.fd = -1;
		x.value[1] = x.value[0];
		assert_int_equal(ask(&x, b), 0);
		assert_int_equal(access_read(x.s.node.acc, &x.value[0].addr,
		    &raw), 0);
		assert_true(raw == b);
		assert_int_equal(ask(&x, x.value[0].raw), 0);
		x.s.writer.fd = main_fd;
		stand_in_same(x.scene.dir, x.programmed, "and back");
	}
	end(&x);
}

static void
a_line_takes_no_other_value_and_no_other_register(void **state)
{
	struct sampling x;

	(void)state;
	if (begin(&x)) {
		assert_int_equal(ask(&x, x.value[1].raw ^ 1u << 20), 1);
		x.value[1].addr.offset = 0x38d;
		assert_int_equal(ask(&x, 0x3ff), 1);
		stand_in_same(x.scene.dir, x.programmed, "other values");
	}
	end(&x);
}

static int32_t
tell_line(struct sampling *x, const void *q, size_t size)
{
	int32_t rc = 0;

	assert_true(send(x->line->fd, q, size, MSG_NOSIGNAL) == (ssize_t)size);
	assert_true(recv(x->line->fd, &rc, sizeof(rc), 0) == sizeof(rc));
	return rc;
}

/* Sizes that do not fit what they say, the message bus, and the main thread's. */
static void
what_is_not_for_a_line_is_refused_there(void **state)
{
	struct request restore = { .what = ASK_RESTORE };
	struct request_many many = { .what = ASK_WRITE_MANY, .n = 1 };
	struct sampling x;

	(void)state;
	if (begin(&x)) {
		many.value[0] = x.value[0];
		assert_int_equal(tell_line(&x, &many, MANY_SIZE(1)), 0);
		assert_int_equal(tell_line(&x, &many, MANY_SIZE(2)), -EINVAL);
		assert_int_equal(tell_line(&x, &many, 7), -EINVAL);
		many.n = UINT32_MAX;
		assert_int_equal(tell_line(&x, &many, sizeof(many)), -EINVAL);
		many.n = 1;
		many.value[0].addr.space = REG_SIDEBAND;
		assert_int_equal(tell_line(&x, &many, MANY_SIZE(1)), -EPERM);
		assert_int_equal(tell_line(&x, &restore, sizeof(restore)),
		    -EINVAL);
		stand_in_same(x.scene.dir, x.programmed, "refused");
	}
	end(&x);
}

static void
while_registers_are_lent_no_line_writes(void **state)
{
	struct sampling x;
	struct diag why;

	(void)state;
	if (begin(&x)) {
		assert_int_equal(writer_pause(&x.s.writer, &x.s.node,
		    false, &why), 0);
		assert_int_equal(ask(&x, x.value[1].raw), 2);
		stand_in_same(x.scene.dir, x.scene.before, "while lent");
		assert_int_equal(writer_resume(&x.s.writer, &x.s.node, false,
		    &why), 0);
		assert_int_equal(ask(&x, x.value[1].raw), 0);
		stand_in_same(x.scene.dir, x.programmed, "after that");
	}
	end(&x);
}

/* What stands in a line when the sampler dies is not written after the end. */
static void
what_was_asked_last_is_not_written_after_all_was_put_back(void **state)
{
	struct request_many many = { .what = ASK_WRITE_MANY,
	    .n = ACCESS_MANY };
	struct sampling x;
	unsigned sent = 0;

	(void)state;
	if (begin(&x)) {
		for (unsigned i = 0; i < ACCESS_MANY; i++)
			many.value[i] = x.value[0];
		kill(x.s.writer.pid, SIGSTOP);
		while (send(x.line->fd, &many, MANY_SIZE(ACCESS_MANY),
		    MSG_NOSIGNAL | MSG_DONTWAIT) > 0)
			sent++;
		assert_true(sent > 1);
		writer_leave(&x.s.writer);
		kill(x.s.writer.pid, SIGCONT);
		waitpid(x.s.writer.pid, NULL, 0);
		stand_in_same(x.scene.dir, x.scene.before, "what was asked");
		x.s.writer.pid = 0;
		x.s.node.acc->proxy = NULL;
	}
	end(&x);
}

/* Does a process end, or wait for a lock? */
static bool
ends_or_waits_for_a_lock(pid_t pid)
{
	char path[64], call[64] = "";
	siginfo_t info = { .si_pid = 0 };
	FILE *f;

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    info.si_pid == pid)
		return true;
	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	if ((f = fopen(path, "r")) == NULL)
		return false;
	if (fgets(call, sizeof(call), f) == NULL)
		call[0] = '\0';
	fclose(f);
	return atol(call) == SYS_futex && call[0] != 'r';
}

/* Registers are put back once a write that has begun on a line is done. */
static void
a_write_that_has_begun_ends_before_all_is_put_back(void **state)
{
	struct late_write **late = dlsym(RTLD_DEFAULT, "stand_in_late");
	struct request_many many = { .what = ASK_WRITE_MANY, .n = 1 };
	struct sampling x;

	(void)state;
	assert_non_null(late);
	if (geteuid() != 0)             /* /proc/PID/syscall */
		skip();
	*late = mmap(NULL, sizeof(**late), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(*late != MAP_FAILED);
	if (begin(&x)) {
		many.value[0] = x.value[0];
		many.value[0].raw = x.s.node.plan.sets.value[
		    x.s.node.plan.sets.rot[0].value + 2];
		(*late)->value = many.value[0].raw;
		assert_true(send(x.line->fd, &many, MANY_SIZE(1),
		    MSG_NOSIGNAL) > 0);
		wait_until(__atomic_load_n(&(*late)->state,
		    __ATOMIC_ACQUIRE) == LATE_WAITS);
		writer_leave(&x.s.writer);
		wait_until(ends_or_waits_for_a_lock(x.s.writer.pid));
		stand_in_same(x.scene.dir, x.programmed, "a write has begun");
		__atomic_store_n(&(*late)->state, LATE_GOES, __ATOMIC_RELEASE);
		waitpid(x.s.writer.pid, NULL, 0);
		x.s.writer.pid = 0;
		x.s.node.acc->proxy = NULL;
	}
	end(&x);
	munmap(*late, sizeof(**late));
	*late = NULL;
}

/* How many rows a store has: each lproc's stamp is of its own row. */
static uint64_t
rows_in_order(const char *path)
{
	uint64_t rows, *row, stamp, last = 0;
	struct store *st;
	unsigned tsc, lproc_tsc;

	assert_int_equal(store_open(&st, path, NULL), 0);
	rows = store_rows(st);
	tsc = scene_column(store_shape(st), "tsc")->cell;
	lproc_tsc = scene_column(store_shape(st), "lproc_tsc[7]")->cell;
	row = calloc(store_shape(st)->ncell, sizeof(*row));
	assert_non_null(row);
	for (uint64_t r = 0; r < rows; r++) {
		scene_row(st, r, row);
		stamp = row[lproc_tsc];
		assert_true(row[tsc] > last);
		/* late, and so absent, or of this row */
		assert_true(stamp == ABSENT || stamp >= row[tsc]);
		last = stamp == ABSENT ? row[tsc] : stamp;
	}
	free(row);
	store_close(st);
	return rows;
}

/* Of threads that turn their lprocs all the time. */
static void
a_kill_in_the_middle_of_a_round_is_undone(void **state)
{
	static const char *const way[] = { "pinned", "visit" };
	struct scene s = scene_begin();
	char config[512], path[512];
	uint64_t seed = 7;

	(void)state;
	in_dir(s.dir, "store", path);
	tree_text(s.dir, "/sets.conf", TWO_SETS);
	in_dir(s.dir, "sets.conf", config);
	for (unsigned i = 0; i < rounds(40); i++) {
		pid_t pid = tallyd_start(s.dir, NULL, ARGS("-q", "-i", "0.02",
		    "-n", "5000", "-c", config, "--turn", "0.002", "--read",
		    way[i % 2]));

		tallyd_rows(s.dir, 2);
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		sleep_us((long)(seed >> 33) % 30000);
		kill(pid, SIGKILL);
		tallyd_wait(pid);
		assert_true(rows_in_order(path) >= 2);
		/* it waits for the writer, which has put all back by then */
		assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--restore")), 0);
		assert_true(tallyd_said(s.dir, "no tallyd left registers "
		    "changed"));
		stand_in_same(s.dir, s.before, "a kill within a round");
		unlink(path);
	}
	scene_end(&s);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_on_an_lproc_asks_the_thread_there),
		cmocka_unit_test(
		    a_line_takes_no_other_value_and_no_other_register),
		cmocka_unit_test(what_is_not_for_a_line_is_refused_there),
		cmocka_unit_test(while_registers_are_lent_no_line_writes),
		cmocka_unit_test(
		    what_was_asked_last_is_not_written_after_all_was_put_back),
		cmocka_unit_test(
		    a_write_that_has_begun_ends_before_all_is_put_back),
		cmocka_unit_test(a_kill_in_the_middle_of_a_round_is_undone),
	};

	(void)argc;
	if (getenv("LD_PRELOAD") == NULL) {
		with_shim();
		execv("/proc/self/exe", argv);
		return 1;
	}
	return cmocka_run_group_tests_name("writer_lines", tests, NULL, NULL);
}
