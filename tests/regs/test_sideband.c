/*
 * tests/regs/test_sideband.c - the message bus and the counters behind it, on the
 * simulated C2758 and on a tree of files.  Numbers are the reference's
 * (rangeley-soc, sections 2 and 3), not the code's.
 */
#include "tests/lib/rig.h"
#include "tests/lib/sim_compare.h"

#include "regs/sideband.h"
#include "regs/linux/linux.h"
#include "regs/model.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct soc *
c2000(void)
{
	return model_named("slm")->soc;
}

/* The simulated C2758 with lines appended. */
static struct access *
machine(const char *more)
{
	return sim_access(machine_with("@c2758", more));
}

static struct access *
unlocked(const char *more)
{
	struct access *acc = machine(more);
	struct diag why;

	if (sideband_unlock(acc, c2000(), 6, 0x4d, &why) < 0)
		fail_msg("%s", why.text);
	return acc;
}

static void
the_door_is_locked_until_the_soc_is_known(void **state)
{
	struct access *acc = machine("");
	struct reg_addr addr = { REG_SIDEBAND, 4, 0x1700, 0x28 };
	struct diag why;
	uint64_t raw;

	(void)state;
	assert_int_equal(access_write(acc, &addr, 1), -EPERM);
	assert_int_equal(access_read(acc, &addr, &raw), -EPERM);
	assert_int_equal(sim_writes((struct sim *)acc), 0);
	assert_int_equal(sideband_unlock(acc, c2000(), 6, 0x4d, &why), 0);
	assert_int_equal(sim_writes((struct sim *)acc), 0);
	assert_int_equal(access_write(acc, &addr, 0x00040000), 0);
	access_close(acc);
}

static void
another_cpu_or_host_bridge_is_refused_before_any_write(void **state)
{
	static const struct {
		unsigned line, family, cpu;
		const char *more, *words;
	} cases[] = {
		/* Bay Trail, Denverton, another family */
		{ __LINE__, 6, 0x37, "", "family 6 model 0x37 is no" },
		{ __LINE__, 6, 0x5f, "", "model 0x5f" },
		{ __LINE__, 15, 0x4d, "", "family 15" },
		{ __LINE__, 6, 0x4d, "pci 00:00.0 0 = 0x0f008086\n",
		    "host bridge 0:0.0 is 8086:0f00" },
		{ __LINE__, 6, 0x4d, "pci 00:00.0 0 = 0x1f108086\n",
		    "8086:1f10" },
		{ __LINE__, 6, 0x4d, "pci 00:00.0 0 = 0x1eff8086\n",
		    "8086:1eff" },
		{ __LINE__, 6, 0x4d, "pci 00:00.0 0 = 0x1f081022\n",
		    "1022:1f08" },
		{ __LINE__, 6, 0x4d, "pci 00:00.0 none\n", "ffff:ffff" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct access *acc = machine(cases[i].more);
		struct diag why = { "" };

		if (sideband_unlock(acc, c2000(), cases[i].family,
		    cases[i].cpu, &why) != -ENODEV || acc->sideband ||
		    sim_writes((struct sim *)acc) != 0 ||
		    strstr(why.text, cases[i].words) == NULL)
			fail_msg("line %u: %s", cases[i].line, why.text);
		access_close(acc);
	}
}

static void
every_bridge_of_the_range_is_known(void **state)
{
	(void)state;
	for (unsigned id = 0x1f00; id <= 0x1f0f; id++) {
		char line[64];
		struct access *acc;

		snprintf(line, sizeof(line), "pci 00:00.0 0 = 0x%04x8086\n",
		    id);
		acc = machine(line);
		assert_int_equal(sideband_unlock(acc, c2000(), 6, 0x4d, NULL),
		    0);
		access_close(acc);
	}
}

static void
the_self_check_compares_the_ecam_window(void **state)
{
	static const struct {
		unsigned line;
		int rc;
		const char *more, *words;
	} cases[] = {
		{ __LINE__, 0, "", "" },
		{ __LINE__, 0, "file /proc/iomem = 80000000-8fffffff : PCI "
		    "ECAM 0000 [bus 00-ff]\nmessage 3 0x10 0x27 = 0x80000001\n",
		    "" },
		{ __LINE__, -EIO, "message 3 0x10 0x27 = 0xd0000001\n",
		    "reads 0xd0000001, the ECAM window is at 0xe0000000" },
		{ __LINE__, -EIO, "message 3 0x10 0x27 = 0xe0000000\n",
		    "reads 0xe0000000" },
		{ __LINE__, -EIO, "message 3 0x10 0x27 = 0\n",
		    "does not prove itself" },
		{ __LINE__, -EIO, "message 3 0x10 0x27 = 0xffffffff\n",
		    "all ones" },
		{ __LINE__, -EIO, "pci 00:00.0 0xd4 = 0xffffffff\n",
		    "reads all ones" },
		{ __LINE__, -EIO, "mailbox none\n", "does not prove" },
		{ __LINE__, -ENODATA, "file /proc/iomem none\n",
		    "neither ACPI MCFG nor /proc/iomem" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct access *acc = unlocked(cases[i].more);
		struct diag why = { "" };
		int rc = sideband_check(acc, c2000(), &why);

		if (rc != cases[i].rc || acc->sideband != (rc == 0) ||
		    strstr(why.text, cases[i].words) == NULL)
			fail_msg("line %u: %d %s", cases[i].line, rc, why.text);
		access_close(acc);
	}
}

/* MCR has opcode, port, offset 7:0 and byte enables; MCRX offset 31:8, and is
 * 0 afterwards. */
static void
a_transaction_is_written_as_the_reference_says(void **state)
{
	struct access *acc = unlocked("");

	(void)state;
	bus_put(acc, 0x18, 0x9904, 0x12345678);
	assert_int_equal(bus_pci(acc, 0xd0), 0x011804f0);
	assert_int_equal(bus_pci(acc, 0xd4), 0x12345678);
	assert_int_equal(bus_pci(acc, 0xd8), 0);
	assert_int_equal(bus_get(acc, 0x18, 0x9904), 0x12345678);
	assert_int_equal(bus_pci(acc, 0xd0), 0x001804f0);
	assert_int_equal(bus_pci(acc, 0xd8), 0);
	/* the same low byte, another high offset */
	assert_int_equal(bus_get(acc, 0x18, 0x9804), 0);
	access_close(acc);
}

/* Agents share one mailbox: another one may have left high bits of an offset in MCRX. */
static void
what_another_agent_left_in_mcrx_does_no_harm(void **state)
{
	struct access *acc = unlocked("");
	struct reg_addr mcrx = { REG_PCI, 4, 0, 0xd8 };

	(void)state;
	bus_put(acc, 0x17, 0x2c, 0x55);
	assert_int_equal(access_write(acc, &mcrx, 0x9900), 0);
	assert_int_equal(bus_get(acc, 0x17, 0x2c), 0x55);
	assert_int_equal(bus_pci(acc, 0xd8), 0);
	access_close(acc);
}

static void
an_address_that_does_not_fit_is_refused(void **state)
{
	struct access *acc = unlocked("");
	struct reg_addr wide = { REG_SIDEBAND, 8, 0x1700, 0x28 };
	struct reg_addr port = { REG_SIDEBAND, 4, 0x11700, 0x28 };
	struct reg_addr far = { REG_SIDEBAND, 4, 0x1700, 1ull << 32 };
	struct reg_addr good = { REG_SIDEBAND, 4, 0x1700, 0x2c };
	uint64_t raw, before = sim_writes((struct sim *)acc);

	(void)state;
	assert_int_equal(access_read(acc, &wide, &raw), -EINVAL);
	assert_int_equal(access_read(acc, &port, &raw), -EINVAL);
	assert_int_equal(access_write(acc, &far, 0), -EINVAL);
	assert_int_equal(access_write(acc, &good, 1ull << 32), -EINVAL);
	assert_int_equal(sim_writes((struct sim *)acc), before);
	access_close(acc);
}

/* Route counter 0 to a signal of 400,000,000 a second (Clock_Counter). */
static void
route_clock(struct access *acc)
{
	bus_put(acc, 0x18, 0x3e80, 0x51a00001);
	bus_put(acc, 0x17, 0x08, 0x513c);
}

static void
a_count_is_latched_by_sample_and_lost_by_reset(void **state)
{
	struct access *acc = unlocked("");
	struct sim *sim = (struct sim *)acc;

	(void)state;
	route_clock(acc);
	bus_put(acc, 0x17, 0x28, 0x00110000);
	sim_advance(sim, 1000000000);
	assert_int_equal(bus_get(acc, 0x17, 0x34), 0);      /* not sampled */
	bus_put(acc, 0x17, 0x28, 0x00020000);
	assert_int_equal(bus_get(acc, 0x17, 0x34), 400000000);
	sim_advance(sim, 1000000000);
	assert_int_equal(bus_get(acc, 0x17, 0x34), 400000000);
	bus_put(acc, 0x17, 0x28, 0x00020000);
	assert_int_equal(bus_get(acc, 0x17, 0x34), 800000000);
	/* stop keeps the count ... */
	bus_put(acc, 0x17, 0x28, 0);
	sim_advance(sim, 1000000000);
	bus_put(acc, 0x17, 0x28, 0x00020000);
	assert_int_equal(bus_get(acc, 0x17, 0x34), 800000000);
	/* ... but the command that Intel's drivers call stop clears it */
	bus_put(acc, 0x17, 0x28, 0x00040000);
	bus_put(acc, 0x17, 0x28, 0x00020000);
	assert_int_equal(bus_get(acc, 0x17, 0x34), 0);
	access_close(acc);
}

static void
a_count_goes_on_from_0_at_2_to_the_32(void **state)
{
	struct access *acc = unlocked("");

	(void)state;
	route_clock(acc);
	bus_put(acc, 0x17, 0x34, 0xfffffff0);
	bus_put(acc, 0x17, 0x28, 0x000f0000);       /* preload from data */
	bus_put(acc, 0x17, 0x28, 0x00110000);
	sim_advance((struct sim *)acc, 1000000000);
	bus_put(acc, 0x17, 0x28, 0x00020000);
	assert_int_equal(bus_get(acc, 0x17, 0x34), 399999984);
	access_close(acc);
}

static void
the_counters_lie_where_the_reference_says(void **state)
{
	static const unsigned command[] = { 0x28, 0x38, 0x48, 0x58, 0x68, 0x78,
	    0x88, 0x98 };
	struct chap chap = { 0x17, 0 };
	struct reg_step step[16];

	(void)state;
	for (unsigned n = 0; n < 8; n++) {
		struct reg_addr a = chap_addr(&chap, n, CHAP_COMMAND);

		assert_int_equal(a.unit, 0x1700);
		assert_int_equal(a.offset, command[n]);
		assert_int_equal(chap_addr(&chap, n, CHAP_DATA).offset,
		    command[n] + 0xc);
		assert_int_equal(chap_addr(&chap, n, CHAP_EVENT).offset,
		    command[n] + 4);
		assert_int_equal(chap_addr(&chap, n, CHAP_STATUS).offset,
		    command[n] + 8);
		assert_true(chap_is_command(command[n]));
		assert_false(chap_is_command(command[n] + 0xc));
	}
	assert_false(chap_is_command(0xa8));
	/* data 0, then 0x40000; 0x110000; 0x20000 */
	assert_int_equal(chap_reset(&chap, 8, step), 16);
	assert_int_equal(step[14].addr.offset, 0xa4);
	assert_int_equal(step[14].value, 0);
	assert_int_equal(step[15].addr.offset, 0x98);
	assert_int_equal(step[15].value, 0x00040000);
	assert_int_equal(chap_start(&chap, 2, CHAP_RUN, step), 2);
	assert_int_equal(step[1].addr.offset, 0x38);
	assert_int_equal(step[1].value, 0x00110000);
	assert_int_equal(chap_sample(&chap, 5, step), 5);
	assert_int_equal(step[4].value, 0x00020000);
}

static void
the_84_legal_offsets_are_those_of_the_reference(void **state)
{
	static const uint16_t legal[][2] = {
		{ 0x3e80, 0x3e98 }, { 0x9680, 0x968c }, { 0x9880, 0x9888 },
		{ 0x9900, 0x9918 }, { 0x9980, 0x998c }, { 0xd800, 0xd808 },
		{ 0xd880, 0xd888 }, { 0xe600, 0xe608 }, { 0xe644, 0xe64c },
		{ 0xe658, 0xe660 }, { 0x0008, 0x00b0 }, { 0x0000, 0x0000 },
	};
	unsigned n = 0;

	(void)state;
	for (uint32_t offset = 0; offset < 0x20000; offset++)
		n += chap_legal(offset);
	assert_int_equal(n, 84);
	for (size_t i = 0; i < sizeof(legal) / sizeof(legal[0]); i++)
		for (unsigned o = legal[i][0]; o <= legal[i][1]; o += 4)
			assert_true(chap_legal(o));
	assert_false(chap_legal(0x04));
	assert_false(chap_legal(0xb4));
	assert_false(chap_legal(0x9901));
}

static void
the_counter_self_test_tells_counters_from_none(void **state)
{
	struct access *acc = unlocked("message 0x30 0 0x30 = 0\n"
	    "message 0x31 0 0x30 = 0x20000000\n");
	struct chap good = { 0x17, 0 }, none = { 0x22, 0 };
	struct chap zeros = { 0x30, 0 }, stuck = { 0x31, 0 };
	struct diag why;

	(void)state;
	assert_int_equal(chap_running(acc, &good), 0);
	assert_int_equal(chap_self_test(acc, &good, CHAP_RUN, &why), 0);
	assert_int_equal(chap_running(acc, &good), 0);
	/* the claim that reading a status makes was given back */
	assert_int_equal(bus_get(acc, 0x17, 0x30) & 0x10000000, 0);
	assert_int_equal(chap_self_test(acc, &none, CHAP_RUN, &why), -ENODEV);
	assert_non_null(strstr(why.text, "no counters at port 0x22"));
	assert_non_null(strstr(why.text, "all ones"));
	assert_int_equal(chap_self_test(acc, &zeros, CHAP_RUN, &why), -ENODEV);
	assert_non_null(strstr(why.text, "reads 0;"));
	assert_int_equal(chap_self_test(acc, &stuck, CHAP_RUN, &why), -ENODEV);
	assert_non_null(strstr(why.text, "do not start and stop on command"));
	access_close(acc);
}

static void
a_counter_that_runs_is_seen_running(void **state)
{
	struct access *acc = unlocked("");
	struct chap chap = { 0x17, 0 };

	(void)state;
	bus_put(acc, 0x17, 0x28, 0x00110000);
	assert_int_equal(chap_running(acc, &chap), 1);
	access_close(acc);
}

/* The linux backend, on a config file that keeps what is written and answers
 * nothing: what is left in it are the words of the last transaction. */
static void
the_linux_backend_reaches_the_mailbox_by_config_space(void **state)
{
	/* MCFG: 44 bytes of head, a record of 16: base, segment 0, buses */
	uint8_t config[256] = { 0x86, 0x80, 0x0c, 0x1f },
	    mcfg[60] = { 'M', 'C', 'F', 'G', 60 };
	struct reg_addr addr = { REG_SIDEBAND, 4, 0x1700, 0x98 };
	char *dir = tree_new();
	struct access *acc;
	struct diag why;

	(void)state;
	mcfg[44 + 3] = 0xe0;
	mcfg[44 + 11] = 0xff;
	config[0xd4] = 0x01;            /* what every read gets: BECREG */
	config[0xd7] = 0xe0;
	tree_put(dir, "/sys/firmware/acpi/tables/MCFG", mcfg, sizeof(mcfg));
	tree_put(dir, "/sys/bus/pci/devices/0000:00:00.0/config", config,
	    sizeof(config));
	assert_int_equal(linux_open(&acc, dir, &why), 0);
	assert_int_equal(access_write(acc, &addr, 1), -EPERM);
	assert_int_equal(sideband_unlock(acc, c2000(), 6, 0x4d, &why), 0);
	if (sideband_check(acc, c2000(), &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(bus_pci(acc, 0xd0), 0x100327f0);
	assert_int_equal(access_write(acc, &addr, 0x00040000), 0);
	assert_int_equal(bus_pci(acc, 0xd0), 0x011798f0);
	assert_int_equal(bus_pci(acc, 0xd4), 0x00040000);
	assert_int_equal(sideband_check(acc, c2000(), &why), -EIO);
	assert_int_equal(access_write(acc, &addr, 0), -EPERM);
	access_close(acc);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_door_is_locked_until_the_soc_is_known),
		cmocka_unit_test(another_cpu_or_host_bridge_is_refused_before_any_write),
		cmocka_unit_test(every_bridge_of_the_range_is_known),
		cmocka_unit_test(the_self_check_compares_the_ecam_window),
		cmocka_unit_test(a_transaction_is_written_as_the_reference_says),
		cmocka_unit_test(what_another_agent_left_in_mcrx_does_no_harm),
		cmocka_unit_test(an_address_that_does_not_fit_is_refused),
		cmocka_unit_test(a_count_is_latched_by_sample_and_lost_by_reset),
		cmocka_unit_test(a_count_goes_on_from_0_at_2_to_the_32),
		cmocka_unit_test(the_counters_lie_where_the_reference_says),
		cmocka_unit_test(the_84_legal_offsets_are_those_of_the_reference),
		cmocka_unit_test(the_counter_self_test_tells_counters_from_none),
		cmocka_unit_test(a_counter_that_runs_is_seen_running),
		cmocka_unit_test(the_linux_backend_reaches_the_mailbox_by_config_space),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
