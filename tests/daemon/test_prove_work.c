/*
 * tests/daemon/test_prove_work.c - the threads of `tallyd --prove` and what they do, on
 * the machine that runs this.
 */
#include "daemon/instead/prove.h"
#include "regs/linux/linux.h"
#include "tests/lib/files.h"

#include <stdlib.h>
#include <string.h>

struct bench {
	struct access *acc;
	struct topo topo;
	struct work *work;
};

static struct bench
set_up(void)
{
	struct bench b;
	struct diag why = { "" };

	memset(&b, 0, sizeof(b));
	assert_int_equal(linux_open(&b.acc, "/", &why), 0);
	assert_int_equal(topo_load(&b.topo, b.acc, &why), 0);
	if (work_open(&b.work, &b.topo, &why) < 0)
		fail_msg("%s", why.text);
	return b;
}

static void
tear_down(struct bench *b)
{
	work_close(b->work);
	topo_free(&b->topo);
	access_close(b->acc);
}

/* Each loop takes time on every lproc that a thread may run on. */
static void
each_loop_that_this_cpu_has_ends_on_every_lproc(void **state)
{
	static char at[64 << 10] __attribute__((aligned(64)));
	struct bench b = set_up();
	unsigned workers = 0, loops = 0;

	(void)state;
	for (unsigned l = 0; l < b.topo.nlproc; l++)
		workers += work_has(b.work, l);
	assert_true(workers > 0);
	for (unsigned k = 0; k < KERNELS; k++) {
		if (!kernel_runs((enum kernel_id)k))
			continue;
		loops++;
		for (unsigned l = 0; l < b.topo.nlproc; l++) {
			struct work_task *t = work_task(b.work, l);

			*t = (struct work_task){ .wanted = work_has(b.work, l),
			    .kernel = (enum kernel_id)k, .turns = 3,
			    .memory = k == KERNEL_CHASE ?
			    work_ring(b.work, sizeof(at)) :
			    (struct kernel_memory){ at, sizeof(at) } };
		}
		assert_int_equal(work_do(b.work), 0);
		for (unsigned l = 0; l < b.topo.nlproc; l++)
			if (work_has(b.work, l))
				assert_true(work_task(b.work, l)->busy_ns > 0);
	}
	assert_true(loops >= 15);
	tear_down(&b);
}

/* Every line once, and back to the first. */
static void
a_chase_goes_through_all_of_its_memory(void **state)
{
	struct bench b = set_up();
	struct kernel_memory m = work_ring(b.work, 128 << 10);
	char *seen = calloc(1, (128 << 10) / 64);
	void **at = m.at;
	unsigned n = 0;

	(void)state;
	assert_int_equal(m.size, 128 << 10);
	do {
		size_t line = (size_t)((char *)at - (char *)m.at) / 64;

		assert_true(line < m.size / 64);
		assert_int_equal(seen[line]++, 0);
		n++;
	} while ((at = *at) != m.at);
	assert_int_equal(n, 2048);
	/* a second call returns the same memory */
	assert_ptr_equal(work_ring(b.work, 128 << 10).at, m.at);
	free(seen);
	tear_down(&b);
}

static void
memory_is_bounded_and_of_a_node_that_there_is(void **state)
{
	struct bench b = set_up();
	struct kernel_memory m = work_memory(b.work, 0);

	(void)state;
	assert_true(m.size <= WORK_MEMORY);
	assert_ptr_equal(work_memory(b.work, 0).at, m.at);
	assert_int_equal(work_memory(b.work, MAX_PKG - 1).size, 0);
	assert_int_equal(work_memory(b.work, 1000000).size, 0);
	tear_down(&b);
}

/* After a trial, what each lproc did is the loop's turns times what a turn does. */
static void
what_was_done_is_by_the_turns_of_the_loop(void **state)
{
	struct bench b = set_up();
	struct node node = { .acc = b.acc, .topo = b.topo };
	struct stimulus done;
	struct trials *t = calloc(1, sizeof(*t));
	const struct trial *loop = NULL;

	(void)state;
	trials_list(t, &node, b.work);
	for (unsigned i = 0; i < t->n; i++)
		if (strcmp(t->of[i].name, "loop") == 0)
			loop = &t->of[i];
	assert_non_null(loop);
	assert_int_equal(trial_done_new(&done, &b.topo), 0);
	assert_true(trial_do(loop, 0, &node, b.work, &done) >= 0);
	for (unsigned l = 0; l < b.topo.nlproc; l++)
		if (work_has(b.work, l)) {
			assert_int_equal(done.lproc[l][ACT_INSTRUCTIONS],
			    1000000);
			assert_int_equal(done.lproc[l][ACT_BRANCHES], 500000);
			assert_int_equal(done.lproc[l][ACT_LOADS], 0);
		}
	trial_done_free(&done);
	free(t);
	tear_down(&b);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    each_loop_that_this_cpu_has_ends_on_every_lproc),
		cmocka_unit_test(a_chase_goes_through_all_of_its_memory),
		cmocka_unit_test(memory_is_bounded_and_of_a_node_that_there_is),
		cmocka_unit_test(what_was_done_is_by_the_turns_of_the_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
