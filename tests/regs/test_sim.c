/*
 * tests/regs/test_sim.c - registers and counters of the simulated machine behave as
 * hardware does.  Section numbers are those of the register reference,
 * intel-server-pmon.md.
 */
#include "tests/lib/files.h"
#include "tests/lib/sim_compare.h"
#include "tests/lib/small_machine.h"

#include <errno.h>

#define IMC00 PCI_UNIT(0, 0x3a, 0x52)   /* package 0, 0a.2 */
#define IMC11 PCI_UNIT(0, 0xae, 0x56)   /* package 1, 0a.6 */

/* ---- registers ---- */

static void
an_msr_that_is_not_there_fails_with_eio(void **state)
{
	assert_int_equal(small_rc(*state, 0, 0x690), -EIO);
	assert_int_equal(small_put(*state, 0, 0x690, 0), -EIO);
	assert_int_equal(small_rc(*state, 0, 0xc0000103), -EIO);
}

static void
an_lproc_that_is_not_there_fails_with_enxio(void **state)
{
	assert_int_equal(small_rc(*state, 8, 0xce), -ENXIO);
	assert_int_equal(small_rc(*state, 100000, 0xce), -ENXIO);
}

/* Each fault that is accepted holds, the last one too; one for which there is no room is
 * refused. */
static void
no_fault_of_an_msr_is_dropped(void **state)
{
	struct sim_fault f = { .kind = FAULT_MSR, .to = UINT64_MAX, .lproc = -1,
	    .pkg = -1, .error = -EPERM };
	struct diag why = { "" };

	for (unsigned i = 0; i < 256; i++) {
		f.offset = 0x10000 + i;
		assert_int_equal(sim_fault(*state, &f, &why), 0);
		assert_int_equal(small_rc(*state, 1, 0x10000 + i), -EPERM);
	}
	f.offset = 0xce;
	assert_int_equal(sim_fault(*state, &f, &why), -E2BIG);
	assert_string_equal(why.text, "fault: a machine can have 256 faults of "
	    "MSRs");
	assert_int_equal(small_rc(*state, 1, 0xce), 0);
}

static void
only_writable_bits_can_be_written(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xce, 0x1600), -EIO);
	assert_int_equal(small_put(*state, 0, 0x199, 0x1700), 0);
	assert_int_equal(small_get(*state, 0, 0x199), 0x1700);
	assert_int_equal(small_get(*state, 1, 0x199), 0x1500);
	assert_int_equal(small_put(*state, 0, 0x199, 0x11700), -EIO);
	assert_int_equal(small_put(*state, 0, 0x611, 0), -EIO);
	assert_int_equal(small_put(*state, 0, 0x186, UINT64_C(1) << 34), -EIO);
	assert_int_equal(small_put(*state, 0, 0x38f, 0x10), -EIO);
	assert_int_equal(small_put(*state, 0, 0x38d, 0x1000), -EIO);
	assert_int_equal(sim_writes(*state), 1);
}

static void
a_package_register_is_one_for_all_its_lprocs(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xe06, 0x3b), 0);
	assert_int_equal(small_get(*state, 5, 0xe06), 0x3b);
	assert_int_equal(small_get(*state, 2, 0xe06), 0);
}

static void
a_reading_follows_the_phase(void **state)
{
	assert_int_equal(small_get(*state, 0, 0x1b1), 0x100);
	assert_int_equal(small_get(*state, 2, 0x1b1), 0x101);
	small_pass(*state, 10);
	assert_int_equal(small_get(*state, 2, 0x1b1), 0x201);
}

static void
config_space_takes_aligned_dwords_only(void **state)
{
	struct access *acc = *state;
	struct reg_addr addr = { REG_PCI, 4, IMC00, 0xa1 };
	uint64_t raw;

	assert_int_equal(acc->ops->read(acc, &addr, &raw), -EINVAL);
	assert_int_equal(acc->ops->write(acc, &addr, 0), -EINVAL);
	addr.offset = 0xa0;
	addr.bytes = 8;
	assert_int_equal(acc->ops->read(acc, &addr, &raw), -EINVAL);
	addr.bytes = 4;
	addr.offset = 0x1000;
	assert_int_equal(acc->ops->read(acc, &addr, &raw), -EINVAL);
}

static void
a_function_that_is_not_there_reads_all_ones(void **state)
{
	small_pci_put(*state, PCI_UNIT(0, 0x3a, 0x5a), 0xd8, 5);
	assert_int_equal(small_pci(*state, PCI_UNIT(0, 0x3a, 0x5a), 0, 4), 0xffffffff);
	assert_int_equal(small_pci(*state, IMC00, 0, 4), 0x20428086);
	assert_int_equal(small_pci(*state, IMC00, 0x40, 4), 0);       /* not used */
	assert_int_equal(small_pci(*state, PCI_UNIT(0, 0x17, 0xf3), 0x9c, 4), 0xf);
}

static void
memory_holds_controls_of_32_and_counters_of_64_bits(void **state)
{
	struct reg_addr ctl = { REG_MMIO, 4, 0, 0x30040 };
	struct reg_addr ctr = { REG_MMIO, 8, 0, 0x30008 };
	struct reg_addr value = { REG_MMIO, 4, 0, 0x10010 };
	struct reg_addr nothing = { REG_MMIO, 8, 0, 0x99000 };
	uint64_t raw;

	assert_int_equal(access_write(*state, &ctl, 0x400003), 0);
	small_pass(*state, 1);
	assert_int_equal(access_read(*state, &ctr, &raw), 0);
	assert_int_equal(raw, 5000000000);
	assert_int_equal(access_write(*state, &ctr, 0x100000002), 0);
	assert_int_equal(access_read(*state, &ctr, &raw), 0);
	assert_int_equal(raw, 0x100000002);
	assert_int_equal(access_write(*state, &value, 0xff), 0);
	assert_int_equal(access_read(*state, &value, &raw), 0);
	assert_int_equal(raw, 0xf);
	assert_int_equal(access_read(*state, &nothing, &raw), 0);
	assert_int_equal(raw, UINT64_MAX);
}

/* ---- counting ---- */

static void
a_counter_counts_what_its_control_selects(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xe31, 0x40013d), 0);   /* CHA 3 */
	small_pass(*state, 2);
	assert_int_equal(small_get(*state, 0, 0xe38), 26);            /* 2 x (10+3) */
	assert_int_equal(small_put(*state, 0, 0xe31, 0x00013d), 0);   /* EN off */
	small_pass(*state, 2);
	assert_int_equal(small_get(*state, 0, 0xe38), 26);
	assert_int_equal(small_put(*state, 0, 0xe31, 0x40023d), 0);   /* no rate */
	small_pass(*state, 2);
	assert_int_equal(small_get(*state, 0, 0xe38), 26);
}

static void
the_overflow_enable_plays_no_part_in_what_is_counted(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xe01, 0x50013d), 0);   /* bit 20 */
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 0, 0xe08), 10);
}

static void
a_rate_is_counted_to_the_count_across_phases(void **state)
{
	assert_int_equal(small_put(*state, 2, 0xe31, 0x40013d), 0);   /* package 1 */
	small_pass(*state, 9);
	assert_int_equal(small_get(*state, 2, 0xe38), 9 * 113);
	small_pass(*state, 3);
	assert_int_equal(small_get(*state, 2, 0xe38), 10 * 113 + 2 * 1103);
}

static void
fractions_of_a_second_add_up(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xe31, 0x40013d), 0);
	for (int i = 0; i < 3000; i++)
		sim_advance(*state, 1000001);           /* 3.000003 s at 13/s */
	assert_int_equal(small_get(*state, 0, 0xe38), 39);
	for (int i = 0; i < 7000; i++) {
		sim_advance(*state, 999571);
		small_get(*state, 0, 0xe38);
	}
	assert_int_equal(small_get(*state, 0, 0xe38), 129);   /* 13 x 9.997 */
}

static void
an_event_selected_twice_counts_the_same_on_both(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xe31, 0x40013d), 0);
	sim_advance(*state, 123456789);
	assert_int_equal(small_put(*state, 0, 0xe32, 0x40013d), 0);
	assert_int_equal(small_put(*state, 0, 0xe38, 0), 0);
	for (int i = 0; i < 1000; i++) {
		sim_advance(*state, 77777777);
		assert_int_equal(small_get(*state, 0, 0xe38), small_get(*state, 0, 0xe39));
	}
}

static void
a_counter_wraps_at_its_width(void **state)
{
	assert_int_equal(small_get(*state, 0, 0x611), 0xfffffff0);
	small_pass(*state, 2);
	assert_int_equal(small_get(*state, 0, 0x611), 4);             /* 16 + 20 */
	assert_int_equal(small_get(*state, 2, 0x611), 14);            /* 15 a second */
	assert_int_equal(small_put(*state, 0, 0xe38, 0xffffffffffff), 0);
	assert_int_equal(small_put(*state, 0, 0xe38, 0x1000000000000), -EIO);
	assert_int_equal(small_put(*state, 0, 0xe31, 0x40013d), 0);
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 0, 0xe38), 12);
}

static void
a_counter_of_config_space_is_two_dwords(void **state)
{
	small_pci_put(*state, IMC11, 0xd8, 0x400304);
	small_pass(*state, 12);
	/* 10 x 18 + 2 x 3000000011 */
	assert_int_equal(small_pci(*state, IMC11, 0xa0, 8), 6000000202);
	assert_int_equal(small_pci(*state, IMC11, 0xa4, 4), 1);
	small_pci_put(*state, IMC11, 0xa4, 0xff0002);
	assert_int_equal(small_pci(*state, IMC11, 0xa0, 8), 0x265a0bcca);
}

static void
a_fixed_counter_of_a_box_has_its_own_control(void **state)
{
	small_pass(*state, 1);
	assert_int_equal(small_pci(*state, IMC00, 0xd0, 8), 0);
	small_pci_put(*state, IMC00, 0xf0, 0x400000);
	small_pass(*state, 1);
	assert_int_equal(small_pci(*state, IMC00, 0xd0, 8), 1300000000);
	small_pci_put(*state, IMC00, 0xf0, 0x480000);         /* bit 19: reset */
	assert_int_equal(small_pci(*state, IMC00, 0xd0, 8), 0);
	assert_int_equal(small_pci(*state, IMC00, 0xf0, 4), 0x400000);
}

static void
a_frozen_box_stands_still(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xe31, 0x40013d), 0);
	assert_int_equal(small_put(*state, 0, 0xe30, 0x10100), 0);
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 0, 0xe38), 0);
	assert_int_equal(small_put(*state, 0, 0xe30, 0x10000), 0);
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 0, 0xe38), 13);
}

static void
the_global_control_freezes_a_package(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xe31, 0x40013d), 0);
	assert_int_equal(small_put(*state, 2, 0xe31, 0x40013d), 0);
	small_pci_put(*state, IMC00, 0xd8, 0x400304);
	assert_int_equal(small_put(*state, 0, 0x700, UINT64_C(1) << 63), 0);
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 0, 0xe38), 0);
	assert_int_equal(small_get(*state, 2, 0xe38), 113);
	assert_int_equal(small_pci(*state, IMC00, 0xa0, 8), 0);
	assert_int_equal(small_put(*state, 0, 0x700, UINT64_C(1) << 61), 0);
	assert_int_equal(small_get(*state, 0, 0x700), 0);     /* commands read 0 */
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 0, 0xe38), 13);
	assert_int_equal(small_pci(*state, IMC00, 0xa0, 8), 7);
}

static void
reset_bits_act_and_clear_themselves(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xe31, 0x40013d), 0);
	small_pass(*state, 1);
	assert_int_equal(small_put(*state, 0, 0xe31, 0x42013d), 0);   /* bit 17 */
	assert_int_equal(small_get(*state, 0, 0xe38), 0);
	assert_int_equal(small_get(*state, 0, 0xe31), 0x40013d);
	small_pass(*state, 1);
	assert_int_equal(small_put(*state, 0, 0xe30, 0x10103), 0);
	assert_int_equal(small_get(*state, 0, 0xe30), 0x10100);
	assert_int_equal(small_get(*state, 0, 0xe31), 0);
	assert_int_equal(small_get(*state, 0, 0xe38), 0);
}

static void
tor_and_lookup_events_need_their_filters(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xe01, 0x400334), 0);   /* LLC_LOOKUP */
	assert_int_equal(small_put(*state, 0, 0xe02, 0x402135), 0);   /* TOR_INSERTS */
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 0, 0xe08), 0);
	assert_int_equal(small_get(*state, 0, 0xe09), 0);
	assert_int_equal(small_put(*state, 0, 0xe05, 0x20000), 0);
	assert_int_equal(small_put(*state, 0, 0xe06, 0x3b), 0);
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 0, 0xe08), 50);
	assert_int_equal(small_get(*state, 0, 0xe09), 60);
	assert_int_equal(small_put(*state, 0, 0xe06, 0x40433), 0);
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 0, 0xe09), 130);
	assert_int_equal(small_put(*state, 0, 0xe06, 4), -EIO);       /* reserved */
}

static void
a_slot_that_is_fused_off_reads_0_and_forgets(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xf81, 0x40013d), 0);   /* CHA 24 */
	assert_int_equal(small_get(*state, 0, 0xf81), 0);
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 0, 0xf88), 0);
	assert_int_equal(small_rc(*state, 0, 0xfc1), -EIO);       /* no CHA 28 */
}

/* ---- the core ---- */

static void
a_core_counter_needs_both_of_its_enables(void **state)
{
	assert_int_equal(small_put(*state, 7, 0x186, 0x4300c0), 0);
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 7, 0xc1), 0);
	assert_int_equal(small_put(*state, 7, 0x38f, 0x70000000f), 0);
	small_pass(*state, 1);
	/* core 1 of package 1, second thread */
	assert_int_equal(small_get(*state, 7, 0xc1), 1111);
	assert_int_equal(small_get(*state, 3, 0xc1), 0);
	assert_int_equal(small_put(*state, 7, 0x38f, 0x70000000e), 0);
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 7, 0xc1), 1111);
}

static void
fixed_counters_need_their_nibble_and_their_enable(void **state)
{
	assert_int_equal(small_put(*state, 1, 0x38f, UINT64_C(5) << 32), 0);
	assert_int_equal(small_put(*state, 1, 0x38d, 0x003), 0);
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 1, 0x309), 2000);
	assert_int_equal(small_get(*state, 1, 0x30b), 0);
	assert_int_equal(small_put(*state, 1, 0x38d, 0x330), 0);
	small_pass(*state, 1);
	assert_int_equal(small_get(*state, 1, 0x309), 2000);
	assert_int_equal(small_get(*state, 1, 0x30a), 0);     /* not enabled */
	assert_int_equal(small_get(*state, 1, 0x30b), 3000);
}

static void
inuse_tells_which_controls_are_set(void **state)
{
	assert_int_equal(small_get(*state, 0, 0x392), 0);
	assert_int_equal(small_put(*state, 0, 0x188, 0x4300c0), 0);
	assert_int_equal(small_put(*state, 0, 0x38d, 0x030), 0);
	assert_int_equal(small_get(*state, 0, 0x392), 0x200000004);
	assert_int_equal(small_get(*state, 1, 0x392), 0);
	assert_int_equal(small_put(*state, 0, 0x392, 0), -EIO);
}

static void
a_pmc_takes_32_bits_and_extends_their_sign(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xc1, 0x123480000000), 0);
	assert_int_equal(small_get(*state, 0, 0xc1), 0xffff80000000);
	assert_int_equal(small_put(*state, 0, 0xc1, 0x12347fffffff), 0);
	assert_int_equal(small_get(*state, 0, 0xc1), 0x7fffffff);
	assert_int_equal(small_put(*state, 0, 0x4c1, 0x123480000000), 0);
	assert_int_equal(small_get(*state, 0, 0xc1), 0x123480000000);
	assert_int_equal(small_get(*state, 0, 0x4c1), 0x123480000000);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, small_up, small_down)

/* ---- noise ---- */

/* What msr 0x611 of package 1 counts in each of 8 s: 1005 where there is no
 * noise; the time passes in so many steps a second. */
static void
seconds_of(const char *noise, unsigned steps, uint64_t count[8])
{
	struct access *acc = sim_access(small_of(noise));
	uint64_t before;

	small_pass(acc, 12);
	before = small_get(acc, 2, 0x611);
	for (unsigned i = 0; i < 8; i++) {
		uint64_t now;

		for (unsigned k = 0; k < steps; k++) {
			sim_advance((struct sim *)acc, S / steps);
			(void)small_get(acc, 2, 0x611);
		}
		now = small_get(acc, 2, 0x611);
		count[i] = now - before;
		before = now;
	}
	acc->ops->close(acc);
}

static void
noise_takes_a_part_of_each_slot_that_the_seed_decides(void **state)
{
	uint64_t quiet[8], one[8], again[8], other[8];
	unsigned differ = 0;

	(void)state;
	seconds_of("", 1, quiet);
	seconds_of("noise 20 seed=1\n", 1, one);
	/* however often it is looked at */
	seconds_of("noise 20 seed=1\n", 40, again);
	seconds_of("noise 20 seed=2\n", 1, other);
	for (unsigned i = 0; i < 8; i++) {
		assert_int_equal(quiet[i], 1005);
		/* ten slots of 80 to 100 % */
		assert_in_range(one[i], 804, 1005);
		assert_int_equal(again[i], one[i]);
		differ += one[i] != other[i];
	}
	assert_true(differ > 4);
	assert_true(one[0] != one[1] || one[1] != one[2]);
}

/* Of 20000 slots, each of which lacks 0 to 50 %: random ones next to each other
 * have a correlation within 0.007, mostly. */
static void
noise_of_a_slot_says_nothing_of_the_next(void **state)
{
	struct access *acc = sim_access(small_of("noise 50 seed=1\n"));
	double last = 0, sum = 0, squares = 0, products = 0, mean, n = 20000;
	uint64_t before;

	(void)state;
	small_pass(acc, 12);
	before = small_get(acc, 2, 0x611);
	for (unsigned i = 0; i < n; i++) {
		uint64_t now;
		double part;

		sim_advance((struct sim *)acc, S / 10);
		now = small_get(acc, 2, 0x611);
		part = (double)(now - before) / 100.5;
		sum += part;
		squares += part * part;
		products += part * last;
		last = part;
		before = now;
	}
	mean = sum / n;
	assert_true(mean > 0.74 && mean < 0.76);
	squares = squares / n - mean * mean;
	products = products / n - mean * mean;
	assert_true(products / squares > -0.04 && products / squares < 0.04);
	acc->ops->close(acc);
}

static void
noise_leaves_the_tsc_alone(void **state)
{
	struct access *acc = sim_access(small_of("noise 50\n"));

	(void)state;
	small_pass(acc, 3);
	assert_int_equal(small_get(acc, 0, 0x10), UINT64_C(6300000077));
	acc->ops->close(acc);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_msr_that_is_not_there_fails_with_eio),
		TEST(an_lproc_that_is_not_there_fails_with_enxio),
		TEST(no_fault_of_an_msr_is_dropped),
		TEST(only_writable_bits_can_be_written),
		TEST(a_package_register_is_one_for_all_its_lprocs),
		TEST(a_reading_follows_the_phase),
		TEST(config_space_takes_aligned_dwords_only),
		TEST(a_function_that_is_not_there_reads_all_ones),
		TEST(memory_holds_controls_of_32_and_counters_of_64_bits),
		TEST(a_counter_counts_what_its_control_selects),
		TEST(the_overflow_enable_plays_no_part_in_what_is_counted),
		TEST(a_rate_is_counted_to_the_count_across_phases),
		TEST(fractions_of_a_second_add_up),
		TEST(an_event_selected_twice_counts_the_same_on_both),
		TEST(a_counter_wraps_at_its_width),
		TEST(a_counter_of_config_space_is_two_dwords),
		TEST(a_fixed_counter_of_a_box_has_its_own_control),
		TEST(a_frozen_box_stands_still),
		TEST(the_global_control_freezes_a_package),
		TEST(reset_bits_act_and_clear_themselves),
		TEST(tor_and_lookup_events_need_their_filters),
		TEST(a_slot_that_is_fused_off_reads_0_and_forgets),
		TEST(a_core_counter_needs_both_of_its_enables),
		TEST(fixed_counters_need_their_nibble_and_their_enable),
		TEST(inuse_tells_which_controls_are_set),
		TEST(a_pmc_takes_32_bits_and_extends_their_sign),
		cmocka_unit_test(
		    noise_takes_a_part_of_each_slot_that_the_seed_decides),
		cmocka_unit_test(noise_of_a_slot_says_nothing_of_the_next),
		cmocka_unit_test(noise_leaves_the_tsc_alone),
	};

	return cmocka_run_group_tests_name("sim", tests, NULL, NULL);
}
