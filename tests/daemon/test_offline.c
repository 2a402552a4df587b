/*
 * tests/daemon/test_offline.c - lprocs that go offline while registers of theirs, or
 * of their package, are ours.
 *
 * On the simulated node: package 1 is read from lproc 24.  Rates are those of
 * skx-8160-2s.machine.  On the stand-in: package 1 is read from lproc 2.
 */
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include "daemon/node/journal.h"
#include "daemon/node/program.h"
#include "daemon/node/writer.h"
#include "daemon/read/rotate.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define SETS \
	"set a\ncha M event=0x3d,umask=1\ncore K event=0x3c,os=1,usr=0\n" \
	"set b\ncha E event=0x3d,umask=2\ncore L event=0x3c,os=1,usr=0\n"
#define K_OF_5 (635816 + 5 * 11)        /* a second */
#define A "core_counts[5][\"K\"]"
#define B "core_counts[5][\"L\"]"

/* n rows, a second after each, with a turn in each but the first. */
static void
take_rows(struct rig *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		r->sweep.next = r->sweep.last_tsc != 0 ?
		    rotate_next(&r->node.plan) : 0;
		rig_sample(r);
		sim_advance(rig_sim(r), SECOND);
	}
}

static void
event_sets_of_a_package_go_on_through_another_of_its_lprocs(void **state)
{
	struct rig *r = rig_text("", SETS), *before = rig_text("", SETS);
	struct diag why;

	(void)state;
	rig_program(r);
	rig_fault(r, "from 2 to 11 lproc 24 offline");
	rig_fault(r, "from 11 to 12 lproc 25 offline");
	take_rows(r, 11);
	assert_int_equal(rig_value(r, "cha_counts[1][4][\"M\"]"),
	    5 * (3 + 4 * 3));
	assert_int_equal(rig_value(r, "cha_counts[1][4][\"E\"]"),
	    5 * (1 + 4 * 3));
	assert_true(rig_value(r, "lproc_tsc[24]") == ABSENT);
	assert_true(rig_value(r, "lproc_tsc[25]") != ABSENT);
	/* the new one is gone, too: all but its own is put back */
	assert_int_equal(program_restore(&r->node.plan, r->node.acc, &why), 2);
	assert_non_null(strstr(why.text, "lproc 25"));
	sim_advance(rig_sim(before), 11 * SECOND);
	for (unsigned c = 0; c < 4; c++) {
		struct reg_addr ctl = { REG_MSR, 8, 26, 0xe31 + c };
		uint64_t was, is;

		assert_int_equal(access_read(before->node.acc, &ctl, &was), 0);
		assert_int_equal(access_read(r->node.acc, &ctl, &is), 0);
		assert_true(was == is);
	}
	rig_close(r);
	rig_close(before);
}

/* Between the plan and the first write; lproc 24 is the one that package 1 is read from. */
static void
an_lproc_that_leaves_before_it_is_programmed_is_left_out(void **state)
{
	static const unsigned gone[] = { 5, 24 };
	char line[64];
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
		struct rig *r = rig_text("", "cha M event=0x3d,umask=1\n"
		    "core K event=0x3c,os=1,usr=0\n");

		snprintf(line, sizeof(line), "lproc %u offline", gone[i]);
		rig_fault(r, line);
		if (node_save(&r->node, &why) < 0 ||
		    program_write(&r->node.plan, r->node.acc, &why) < 0)
			fail_msg("%s", why.text);
		for (unsigned k = 0; k < r->node.plan.nwrite; k++)
			assert_true(r->node.plan.write[k].addr.space != REG_MSR ||
			    r->node.plan.write[k].addr.unit != gone[i]);
		snprintf(line, sizeof(line), "core_counts[%u][\"K\"]", gone[i]);
		assert_false(rig_has(r, line));
		assert_true(rig_has(r, "core_counts[25][\"K\"]"));
		assert_true(rig_has(r, "cha_counts[1][4][\"M\"]"));
		assert_int_equal(program_restore(&r->node.plan, r->node.acc,
		    &why), 0);
		rig_close(r);
	}
}

/* Between saving the registers and the first write: nothing of lproc 5 is a value from
 * then on, also when it is back, as nobody has programmed it; lproc 24 is the one that
 * package 1 is read from. */
static void
an_lproc_that_leaves_before_the_first_write_is_left_out(void **state)
{
	static const char *const config[] = { SETS,
	    "cha M event=0x3d,umask=1\ncore K event=0x3c,os=1,usr=0\n",
	    "cha M event=0x3d,umask=1\n"
	    "core K event=0x3c,os=1,usr=0 every 2\n" };
	static const unsigned gone[] = { 5, 24 };
	struct writer w = { .fd = -1 };
	char line[64], column[64];
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		struct rig *r = rig_text("", config[i / 2]);
		struct rig *before = rig_text("", config[i / 2]);
		unsigned l = gone[i % 2];

		assert_int_equal(node_save(&r->node, &why), 0);
		snprintf(line, sizeof(line), "to 3 lproc %u offline", l);
		rig_fault(r, line);
		if (writer_program(&w, &r->node.plan, r->node.acc, &why) < 0)
			fail_msg("%s", why.text);
		snprintf(column, sizeof(column), "core_counts[%u][\"K\"]", l);
		for (unsigned row = 0; row < 6; row++) {
			take_rows(r, 1);
			slow_reads(&r->node.plan, r->node.acc, row, r->row);
			assert_true(rig_value(r, column) == ABSENT);
			assert_true((rig_value(r, "core_counts[25][\"K\"]") ==
			    ABSENT) == (i / 2 == 2 && row % 2));
		}
		assert_true(rig_value(r, "cha_counts[1][4][\"M\"]") >=
		    3 * (3 + 4 * 3));
		rig_restore(r);
		sim_advance(rig_sim(before), 6 * SECOND);
		rig_same(r, before);
		rig_close(r);
		rig_close(before);
	}
}

static void
a_pci_function_that_was_removed_is_told(void **state)
{
	struct rig *r = rig_text("", "imc RD event=0x04,umask=0x03\n");
	struct diag why;

	(void)state;
	rig_program(r);
	rig_fault(r, "box imc 0 2 absent");
	assert_true(program_restore(&r->node.plan, r->node.acc, &why) > 0);
	if (strstr(why.text, "IMC 2 of package 0") == NULL)
		fail_msg("%s", why.text);
	assert_non_null(strstr(why.text, "its PCI function was removed; "
	    "`echo 1 > /sys/bus/pci/rescan`, then `tallyd --restore`"));
	rig_close(r);
}

static void
what_an_event_set_did_not_see_is_absent(void **state)
{
	struct rig *r = rig_text("", SETS);

	(void)state;
	rig_program(r);
	rig_fault(r, "from 3.5 to 5.5 lproc 5 offline");
	/* seconds 0 to 1 are a's, 1 to 2 b's, and so on */
	take_rows(r, 4);
	assert_int_equal(rig_value(r, A), 2 * K_OF_5);
	take_rows(r, 1);                    /* the end of b's second turn */
	assert_true(rig_value(r, B) == ABSENT);
	assert_true(rig_value(r, A) != ABSENT);
	assert_true(rig_value(r, "lproc_tsc[5]") == ABSENT);
	take_rows(r, 1);
	assert_true(rig_value(r, A) == ABSENT);
	/* online again in the middle of b's turn: it has seen a part of it */
	take_rows(r, 1);
	assert_true(rig_value(r, B) == ABSENT);
	take_rows(r, 2);
	assert_int_equal(rig_value(r, A), 3 * K_OF_5);
	assert_int_equal(rig_value(r, B), 2 * K_OF_5);
	/* its set's time goes on: it is everybody's */
	assert_int_equal(rig_value(r, "set_enabled[\"a\"]"),
	    2 * rig_value(r, "set_running[\"a\"]"));
	rig_close(r);
}

/* What a turn cannot write, and the columns that must not take it for theirs:
 * their set, and what they count in a second. */
#define KI "cha M event=0x3d,umask=1\ncore K event=0x3c,os=1,usr=0\n" \
	"set b\ncha E event=0x3d,umask=2\ncore I event=0xc0,os=1,usr=0\n"
#define KLI "core K event=0x3c,os=1,usr=0\n" \
	"set b\ncore L event=0x3c,os=1,usr=0\n" \
	"set c\ncore I event=0xc0,os=1,usr=0\n"
#define I "core_counts[5][\"I\"]"
#define K5 { A, 1, K_OF_5 }
#define I5(set) { I, set, 194802 + 5 * 11 }
#define K25 { "core_counts[25][\"K\"]", 1, 522097 + 11 }
#define I25 { "core_counts[25][\"I\"]", 2, 85252 + 11 }
#define M14 { "cha_counts[1][4][\"M\"]", 1, 3 + 4 * 3 }
#define E14 { "cha_counts[1][4][\"E\"]", 2, 1 + 4 * 3 }

struct missed {
	int line;
	const char *config;
	unsigned every;                 /* rows between turns */
	const char *fault;
	bool package;                   /* every lproc of package 1 */
	struct { const char *name; unsigned set; uint64_t rate; } column[4];
	unsigned absent[4];             /* in how many of the 17 rows */
};

static const struct missed missed[] = {
	{ __LINE__, "set a\n" KI, 4, "from 3.5 to 5.5 lproc 5 offline", false,
	    { K5, I5(2) }, { 1, 2 } },
	{ __LINE__, "set a\n" KI, 4, "from 3.5 to 5.5 lproc", true,
	    { K25, I25, M14, E14 }, { 1, 2, 1, 2 } },
	{ __LINE__, "set a\n" KI, 4, "from 3.5 to 6.5 msr writes EPERM", false,
	    { K5, I5(2), M14, E14 }, { 0, 3, 0, 3 } },
	/* K and L are one event: their controls are alike */
	{ __LINE__, "set a\n" KLI, 1, "from 2.5 to 3.5 lproc 5 offline", false,
	    { K5, { B, 2, K_OF_5 }, I5(3) }, { 1, 0, 1 } },
};

static void
fault_of(const struct missed *m, struct rig *r)
{
	char text[64];

	if (!m->package)
		rig_fault(r, m->fault);
	for (unsigned l = 24; m->package && l < 96; l += l == 47 ? 25 : 1) {
		snprintf(text, sizeof(text), "%s %u offline", m->fault, l);
		rig_fault(r, text);
	}
}

/* Rows 0 to 16, one a second; returns how many controls seemed changed. */
static unsigned
sit_out(const struct missed *m, bool watching)
{
	struct rig *r = rig_text("", m->config);
	uint64_t value, before[4] = { 0 };
	unsigned absent[4] = { 0 }, changed = 0;

	rig_program(r);
	fault_of(m, r);
	for (unsigned n = 0; n <= 16; n++) {
		unsigned active = r->node.plan.sets.active;

		r->sweep.next = n > 0 && n % m->every == 0 ?
		    rotate_next(&r->node.plan) : 0;
		r->sweep.watching = watching && n > 0;
		rig_sample(r);
		changed += r->sweep.nchanged;
		for (unsigned i = 0; i < 4 && m->column[i].name != NULL; i++) {
			value = rig_value(r, m->column[i].name);
			absent[i] += value == ABSENT;
			if (n > 0 && value != ABSENT && before[i] != ABSENT &&
			    value - before[i] != (active != m->column[i].set ?
			    0 : m->column[i].rate))
				fail_msg("case of line %d: row %u of %s is "
				    "wrong by %" PRId64, m->line, n,
				    m->column[i].name, (int64_t)(value -
				    before[i] - m->column[i].rate));
			before[i] = value;
		}
		sim_advance(rig_sim(r), SECOND);
	}
	for (unsigned i = 0; i < 4; i++)
		if (absent[i] != m->absent[i])
			fail_msg("case of line %d: %s is absent in %u rows",
			    m->line, m->column[i].name, absent[i]);
	rig_close(r);
	return changed;
}

static void
after_a_turn_that_was_missed_no_set_counts_for_another(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(missed) / sizeof(missed[0]); i++)
		sit_out(&missed[i], false);
}

static void
a_turn_that_was_missed_is_no_tampering(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(missed) / sizeof(missed[0]); i++)
		if (sit_out(&missed[i], true) != 0)
			fail_msg("case of line %d: somebody is blamed",
			    missed[i].line);
}

static void
restore_reaches_a_package_through_another_of_its_lprocs(void **state)
{
	static const char config[] = "core A event=0xc0,counter=0\n"
	    "cha B event=0x3d,umask=1\npcu D event=0x74\n";
	char *dir = tree_new(), path[512];
	struct rig *r = rig_text("", config), *before = rig_text("", config);
	struct journal j = { .fd = -1 };
	struct diag why;

	(void)state;
	assert_int_equal(journal_open(&j, in_dir(dir, "journal", path),
	    r->node.acc, &why), 0);
	assert_int_equal(program_save(&r->node.plan, r->node.acc, &why), 0);
	assert_int_equal(journal_write(&j, &r->node, &why), 0);
	assert_int_equal(program_write(&r->node.plan, r->node.acc, &why), 0);
	close(j.fd);
	rig_fault(r, "to 5 lproc 24 offline");
	topo_free(&r->node.topo);
	assert_int_equal(topo_load(&r->node.topo, r->node.acc, &why), 0);
	/* its core's own have to wait, which is said */
	assert_int_equal(journal_restore(path, &r->node, false, &why), -EIO);
	assert_non_null(strstr(why.text, "lproc 24 is offline: `echo 1 > "
	    "/sys/devices/system/cpu/cpu24/online`"));
	sim_advance(rig_sim(r), 6 * SECOND);
	sim_advance(rig_sim(before), 6 * SECOND);
	topo_free(&r->node.topo);
	assert_int_equal(topo_load(&r->node.topo, r->node.acc, &why), 0);
	/* event select, global control; nothing of the package is left */
	assert_int_equal(journal_restore(path, &r->node, false, &why), 2);
	rig_same(r, before);
	rig_close(r);
	rig_close(before);
	tree_free(dir);
}

/* The last row of the stand-in's store. */
static uint64_t
last(const struct store *st, const char *name)
{
	uint64_t value = 0;

	assert_int_equal(store_read(st, store_rows(st) - 1,
	    scene_column(store_shape(st), name)->cell, 1, &value), 0);
	return value;
}

#define FIXED(n) "core_fixed_counts[" n "][\"Inst_Retired.Any\"]"

static char *
with_batch(void)
{
	char *dir = stand_in_new();

	tree_text(dir, "/dev/cpu/msr_batch", "");
	tree_text(dir, "/c", "core fixed\nread smi_count\n");
	return dir;
}

static void
a_batch_that_one_lproc_fails_is_no_row_of_old_values(void **state)
{
	char *dir = with_batch(), path[512], kept[512], c[512];
	struct store *st;
	struct diag why;
	pid_t pid = tallyd_start(dir, "STAND_IN_OFFLINE=1", ARGS(ENDLESS,
	    "-c", in_dir(dir, "c", c), "--read", "batch"));

	(void)state;
	tallyd_rows(dir, 5);
	assert_int_equal(link(in_dir(dir, "store", path), in_dir(dir, "kept",
	    kept)), 0);
	/* lproc 2 is who package 1 is read from */
	tree_text(dir, "/dev/cpu/2/offline", "");
	assert_int_equal(store_open(&st, kept, &why), 0);
	tallyd_rows(dir, store_rows(st) + 5);
	for (unsigned l = 0; l < STAND_IN_LPROCS; l++)
		stand_in_set_msr(dir, l, 0x309, 1000 + l);
	stand_in_set_msr(dir, 3, 0x34, 77);
	tallyd_rows(dir, store_rows(st) + 5);
	assert_int_equal(last(st, FIXED("0")), 1000);
	assert_int_equal(last(st, FIXED("7")), 1007);
	assert_true(last(st, FIXED("2")) == ABSENT);
	assert_int_equal(last(st, "smi_count[1]"), 77);
	unlink(in_dir(dir, "dev/cpu/2/offline", path));
	tallyd_rows(dir, store_rows(st) + 5);
	assert_int_equal(last(st, FIXED("2")), 1002);
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	store_close(st);
	tree_free(dir);
}

static void
a_batch_that_the_driver_does_not_allow_is_refused(void **state)
{
	char *dir = with_batch(), c[512];

	(void)state;
	assert_int_equal(tallyd_run(dir, "STAND_IN_DENY=0x309", ARGS("-q",
	    "-i", "0.001", "-n", "3", "-c", in_dir(dir, "c", c), "--read",
	    "batch")), 1);
	assert_true(tallyd_said(dir, "allowlist"));
	assert_int_equal(tallyd_run(dir, "STAND_IN_DENY=0x309", ARGS("-v",
	    "-i", "0.001", "-n", "3", "-c", c)), 0);
	assert_true(tallyd_said(dir, "batch not available"));
	tree_free(dir);
}

static void
an_lproc_without_a_device_is_told_and_left_out(void **state)
{
	char *dir = stand_in_new(), path[512], kept[512], *dump;
	uint8_t *before = stand_in_save(dir);

	(void)state;
	in_dir(dir, "dev/cpu/3/msr", path);
	in_dir(dir, "kept", kept);
	for (int empty = 0; empty < 2; empty++) {
		assert_int_equal(rename(path, kept), 0);
		if (empty)      /* no device, though it can be opened */
			tree_text(dir, "/dev/cpu/3/msr", "");
		if (tallyd_run(dir, NULL, ARGS("-q", "-n", "2", "-i",
		    "0.001")) != 0)
			tallyd_failed(dir, "a start", 1);
		assert_true(tallyd_said(dir, "1 lproc is online without an msr "
		    "device"));
		dump = file_text(in_dir(dir, "dump.lua", path), NULL);
		assert_null(strstr(dump, "core_counts[3]"));
		assert_non_null(strstr(dump, "core_counts[7]"));
		assert_non_null(strstr(dump, "lproc_online[3] = 1"));
		free(dump);
		in_dir(dir, "dev/cpu/3/msr", path);
		assert_int_equal(rename(kept, path), 0);
		stand_in_same(dir, before, "a start without lproc 3");
	}
	free(before);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pci_function_that_was_removed_is_told),
		cmocka_unit_test(
		    an_lproc_that_leaves_before_it_is_programmed_is_left_out),
		cmocka_unit_test(
		    an_lproc_that_leaves_before_the_first_write_is_left_out),
		cmocka_unit_test(
		    event_sets_of_a_package_go_on_through_another_of_its_lprocs),
		cmocka_unit_test(what_an_event_set_did_not_see_is_absent),
		cmocka_unit_test(
		    after_a_turn_that_was_missed_no_set_counts_for_another),
		cmocka_unit_test(a_turn_that_was_missed_is_no_tampering),
		cmocka_unit_test(
		    restore_reaches_a_package_through_another_of_its_lprocs),
		cmocka_unit_test(
		    a_batch_that_one_lproc_fails_is_no_row_of_old_values),
		cmocka_unit_test(
		    a_batch_that_the_driver_does_not_allow_is_refused),
		cmocka_unit_test(
		    an_lproc_without_a_device_is_told_and_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
