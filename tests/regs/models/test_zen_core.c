/*
 * tests/regs/models/test_zen_core.c - what AMD's cores have beside their counters, and what
 * stands in the way of these: IRPERF and the bit that enables it, the global control
 * of PerfMonV2, which the kernel clears (amd-zen.md 2.2, 3).
 */
#include "tests/lib/rig.h"

#include "config/dump/store.h"
#include "daemon/run/sampler.h"
#include "regs/sim/sim.h"

#include <string.h>
#include <unistd.h>

#define SECOND 1000000000ull

static void
irperf_is_read_where_it_is_enabled_and_said_not_to_be_where_not(void **state)
{
	/* enabled on a node as on turin-2s; of two lprocs one has lost it */
	struct rig *r = rig_with("@turin-2s",
	    "msr 0xc0010015 lproc = 0x89006011 lproc=5\n", "read irperf\n");

	(void)state;
	assert_true(rig_has(r, "irperf[4]"));
	assert_false(rig_has(r, "irperf[5]"));
	assert_int_equal(r->node.plan.absent.n, 1);
	assert_string_equal(r->node.plan.absent.line[0],
	    "irperf[5]: not enabled: bit "
	    "30 (HWCR.IRPerfEn) of msr 0xc0010015 is clear");
	assert_int_equal(r->node.plan.nwrite, 0);
	rig_sample(r);
	sim_advance(rig_sim(r), 12 * SECOND);
	rig_sample(r);
	assert_int_equal(rig_second(r, "irperf[4]"), 6000000000 + 4 * 11);
	rig_close(r);

	/* as the real nodes: one line, not one for each lproc */
	for (unsigned i = 0; i < 3; i++) {
		static const char *const node[] = { "@rome-7742-2s",
		    "@milan-7763-2s", "@genoa-9654-2s" };

		r = rig_with(node[i], "", "read irperf mperf\n");
		assert_false(rig_has(r, "irperf[0]"));
		assert_int_equal(r->node.plan.absent.n, 1);
		rig_close(r);
	}
}

/* n rows of the loop on a node; the notes that it leaves for the head. */
static void
run_loop(struct rig *r, unsigned rows, unsigned watch, char *notes, size_t size)
{
	const struct plan *p = &r->node.plan;
	struct store_shape shape = { .column = p->column,
	    .ncolumn = p->ncolumn, .ncell = p->ncell, .capacity = rows,
	    .preamble = "", .cell_tsc = CELL_TSC, .cell_real_sec = CELL_SEC,
	    .cell_real_usec = CELL_USEC };
	struct sampler s = { .plan = &r->node.plan, .acc = r->node.acc,
	    .sweep = &r->sweep, .interval_ns = SECOND, .samples = rows,
	    .watch_every = watch };
	char path[512];
	struct diag why;

	snprintf(path, sizeof(path), "%s/store", test_dir);
	unlink(path);
	assert_int_equal(store_create(&s.store, path, &shape, &why), 0);
	rig_program(r);
	assert_int_equal(sweep_threads(&r->sweep, &r->node.plan, r->node.acc,
	    &why), 0);
	assert_int_equal(sampler_run(&s), 0);
	snprintf(notes, size, "%s", store_notes(s.store));
	store_close(s.store);
	rig_restore(r);
}

static void
a_global_control_that_somebody_clears_makes_its_interval_doubtful(void **state)
{
	struct rig *r = rig_with("@genoa-9654-2s", "", "core instr_retired\n"
	    "core flops_all\n");
	char notes[4096];

	(void)state;
	rig_fault(r, "from 8.5 lproc 70 msr 0xc0000301 = 0");
	run_loop(r, 12, 3, notes, sizeof(notes));
	assert_non_null(strstr(notes, "tamper_first[0] = 6\n"
	    "tamper_seen[0] = 9\ntamper_column[0] = 'core_counts[70]'\n"));
	assert_non_null(strstr(notes, "tamper_ours[0] = 0x7\n"
	    "tamper_found[0] = 0x0\n"));
	assert_null(strstr(notes, "tamper_first[1]"));
	rig_close(r);
}

static void
who_takes_the_merge_event_away_makes_its_event_doubtful(void **state)
{
	struct rig *r = rig_with("@genoa-9654-2s", "", "core instr_retired\n"
	    "core flops_all\n");
	char notes[4096];

	(void)state;
	/* flops_all has counters 0 and 1, or 2 and 3: instr_retired the other */
	rig_fault(r, "from 4.5 lproc 9 msr 0xc0010202 = 0");
	run_loop(r, 8, 3, notes, sizeof(notes));
	assert_non_null(strstr(notes, "tamper_first[0] = 3\n"
	    "tamper_seen[0] = 6\ntamper_column[0] = "
	    "'core_counts[9][\"flops_all\"]'\n"));
	assert_null(strstr(notes, "tamper_first[1]"));
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    irperf_is_read_where_it_is_enabled_and_said_not_to_be_where_not),
		cmocka_unit_test(
		    a_global_control_that_somebody_clears_makes_its_interval_doubtful),
		cmocka_unit_test(
		    who_takes_the_merge_event_away_makes_its_event_doubtful),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
