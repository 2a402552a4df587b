/*
 * tests/daemon/test_drambw.c - the DRAM sweep is bounded, runs on each node's own
 * cores, and says what it could not measure.
 */
#include "tests/lib/rig.h"

#include "daemon/run/preamble.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Two nodes: the first of as many of this machine's lprocs as are given, the
 * second of one that nobody can run on. */
static void
nodes(struct topo *topo, unsigned n)
{
	cpu_set_t set;
	unsigned l = 0;

	memset(topo, 0, sizeof(*topo));
	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	topo->nlproc = CPU_SETSIZE + 1;
	topo->lproc = calloc(topo->nlproc, sizeof(topo->lproc[0]));
	assert_non_null(topo->lproc);
	for (unsigned i = 0; i < topo->nlproc; i++)
		topo->lproc[i].node = -1;
	for (unsigned i = 0; i < CPU_SETSIZE && l < n; i++)
		if (CPU_ISSET(i, &set)) {
			topo->lproc[i] = (struct lproc){ .exists = true,
			    .online = true, .node = 0 };
			l++;
		}
	topo->lproc[CPU_SETSIZE] = (struct lproc){ .exists = true,
	    .online = true, .node = 2 };
}

static double
seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void
a_node_is_measured_in_bounded_time(void **state)
{
	double bytes[3] = { -1, -1, -1 }, begin = seconds();
	struct diag why = { "" };
	struct topo topo;

	(void)state;
	nodes(&topo, 2);
	assert_int_equal(drambw_measure(&topo, bytes, 3, &why), 1);
	assert_true(seconds() - begin < 300);
	/* no memory is slower than 10 MB/s or faster than 10 TB/s */
	assert_true(bytes[0] > 1e7 && bytes[0] < 1e13);
	topo_free(&topo);
}

static void
a_node_without_cores_to_run_on_is_zero_and_named(void **state)
{
	double bytes[3] = { -1, -1, -1 };
	struct diag why = { "" };
	struct topo topo;

	(void)state;
	nodes(&topo, 0);
	assert_int_equal(drambw_measure(&topo, bytes, 3, &why), 0);
	assert_true(bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 0);
	assert_string_equal(why.text,
	    "NUMA node 2 has no core that may be used");
	topo_free(&topo);
}

static void
the_caller_stays_where_it_may_run(void **state)
{
	cpu_set_t before, after;
	double bytes[1];
	struct diag why = { "" };
	struct topo topo;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	nodes(&topo, 1);
	drambw_measure(&topo, bytes, 1, &why);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
	topo_free(&topo);
}

static void
what_was_measured_is_in_the_head_of_a_dump(void **state)
{
	static const double all[] = { 1.5e11, 0, 1e11 }, none[] = { 0, 0, 0 };
	struct head h = { .text = NULL };
	struct topo topo;

	(void)state;
	nodes(&topo, 1);
	drambw_put(&h, &topo, none, 3);
	drambw_put(&h, &topo, all, 3);
	assert_string_equal(h.text, "dram_max_bandwidth = 250000000000\n"
	    "dram_max_bandwidth_node = {}\n"
	    "dram_max_bandwidth_node[0] = 150000000000\n"
	    "dram_max_bandwidth_node[2] = 100000000000\n");
	head_fini(&h);
	topo_free(&topo);
}

static void
that_of_one_node_of_two_is_not_that_of_both(void **state)
{
	static const double one[] = { 1.5e11, 0, 0 };
	struct head h = { .text = NULL };
	struct topo topo;

	(void)state;
	nodes(&topo, 1);
	drambw_put(&h, &topo, one, 3);
	assert_string_equal(h.text, "dram_max_bandwidth_node = {}\n"
	    "dram_max_bandwidth_node[0] = 150000000000\n");
	head_fini(&h);
	topo_free(&topo);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_is_measured_in_bounded_time),
		cmocka_unit_test(
		    a_node_without_cores_to_run_on_is_zero_and_named),
		cmocka_unit_test(the_caller_stays_where_it_may_run),
		cmocka_unit_test(what_was_measured_is_in_the_head_of_a_dump),
		cmocka_unit_test(that_of_one_node_of_two_is_not_that_of_both),
	};

	return cmocka_run_group_tests_name("DRAM sweep", tests, NULL, NULL);
}
