/*
 * tests/postproc/metrics/test_growth_metrics.c - metrics take time by their number.
 */
#include "tests/lib/growth.h"

#include "postproc/metrics/gather.h"

/* Read, and bound to a dump that has nothing of theirs. */
static int
metrics_of(const char *text, size_t size)
{
	const char *dump = test_put("small.lua", "nr_cpus = 1\ntsc[0] = 1\n"
	    "walltime[0][0] = 1\ntsc[1] = 2\nwalltime[0][1] = 2\n");
	struct metrics m;
	struct gather g;
	struct diag why;
	unsigned bound;
	int rc;

	assert_int_equal(metrics_init(&m), 0);
	rc = metrics_parse(&m, "test.metrics", text, size, &why);
	if (rc == 0)
		rc = gather_open(&g, dump, &m, NULL, NULL, &why);
	for (unsigned i = 0; rc == 0 && i < m.n; i++)
		rc = binding_add(&g.binding, &m.metric[i], &bound, &why);
	if (rc == 0)
		gather_close(&g);
	metrics_fini(&m);
	return rc;
}

static void
metrics_take_time_by_their_number(void **state)
{
	static const struct growth inputs[] = {
		{ __LINE__, 10000, "", "metric m%u node \"\" \"\"\n = tsc\n",
		    "", metrics_of },
		{ __LINE__, 10000, "metric m0 node \"\" \"\"\n = tsc\n",
		    "metric n%u node \"\" \"\"\n = m0 + 1\n", "",
		    metrics_of },
		{ __LINE__, 10000, "", "event \"A%1$u\" \"B%1$u\"\n"
		    "metric m%1$u node \"\" \"\"\n = sum(imc[\"A%1$u\"])\n",
		    "", metrics_of },
		{ __LINE__, 10000, "", "withheld A%u \"\"\n", "", metrics_of },
	};

	(void)state;
	growth_check(inputs, sizeof(inputs) / sizeof(inputs[0]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metrics_take_time_by_their_number),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
