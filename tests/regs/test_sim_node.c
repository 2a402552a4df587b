/*
 * tests/regs/test_sim_node.c - the simulated machine around its registers: time,
 * files, faults, a recording that is played.
 */
#include "tests/lib/files.h"
#include "tests/lib/sim_compare.h"
#include "tests/lib/small_machine.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "config/sim/machine.h"
#include "regs/host.h"

#define IMC00 PCI_UNIT(0, 0x3a, 0x52)   /* package 0, 0a.2 */
#define IMC11 PCI_UNIT(0, 0xae, 0x56)   /* package 1, 0a.6 */

/* ---- time ---- */

static void
virtual_time_passes_only_in_sleep(void **state)
{
	struct access *acc = *state;
	struct stamp a, b;

	access_now(acc, &a);
	assert_int_equal(a.real_ns, 1500000000 * (uint64_t)S);
	assert_int_equal(a.tsc, 77);
	assert_int_equal(small_get(acc, 0, 0x10), 77);
	usleep(1000);
	access_now(acc, &b);
	assert_int_equal(b.mono_ns, a.mono_ns);
	assert_int_equal(access_sleep(acc, a.mono_ns + 3600 * (uint64_t)S,
	    NULL), 0);
	access_now(acc, &b);
	assert_int_equal(b.mono_ns - a.mono_ns, 3600 * (uint64_t)S);
	assert_int_equal(b.real_ns - a.real_ns, 3600 * (uint64_t)S);
	assert_int_equal(b.tsc - a.tsc, 3600 * UINT64_C(2100000000));
	assert_int_equal(access_sleep(acc, a.mono_ns, NULL), 0);
	access_now(acc, &a);
	assert_int_equal(b.mono_ns, a.mono_ns);         /* never back */
}

static void
real_time_is_the_hosts(void **state)
{
	struct access *acc = *state;
	uint64_t before = clock_ns(CLOCK_MONOTONIC), passed;
	struct stamp a, b;

	sim_virtual(*state, false);
	access_now(acc, &a);
	assert_int_equal(access_sleep(acc, a.mono_ns + 20000000, NULL), 0);
	access_now(acc, &b);
	passed = clock_ns(CLOCK_MONOTONIC) - before;
	assert_in_range(b.mono_ns - a.mono_ns, 20000000, passed);
	assert_in_range(b.tsc - a.tsc, 42000000, passed * 21 / 10);
}

static volatile sig_atomic_t signals;

static void
on_signal(int sig)
{
	(void)sig;
	signals++;
}

static void
a_pending_signal_comes_through_a_virtual_sleep(void **state)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct access *acc = *state;
	sigset_t block, before;
	struct stamp a, b;

	sigemptyset(&block);
	sigaddset(&block, SIGUSR1);
	sigprocmask(SIG_BLOCK, &block, &before);
	sigaction(SIGUSR1, &sa, NULL);
	access_now(acc, &a);
	raise(SIGUSR1);
	assert_int_equal(access_sleep(acc, a.mono_ns + S, &before), -EINTR);
	assert_int_equal(signals, 1);
	access_now(acc, &b);
	assert_int_equal(b.mono_ns, a.mono_ns);
	assert_int_equal(access_sleep(acc, a.mono_ns + S, &before), 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
a_reading_can_cost_time_and_tear(void **state)
{
	struct access *acc = sim_access(small_of("read_cost 100\n"
	    "event imc 0x0104 all=100000000000\n"));   /* 10000 a read */
	struct reg_addr lo = { REG_PCI, 4, IMC00, 0xa0 };
	struct reg_addr hi = { REG_PCI, 4, IMC00, 0xa4 };
	uint64_t low, high, raw;

	(void)state;
	small_pci_put(acc, IMC00, 0xd8, 0x400104);
	small_pci_put(acc, IMC00, 0xa0, 0xffffff00);
	assert_int_equal(access_read(acc, &hi, &high), 0);
	assert_int_equal(access_read(acc, &lo, &low), 0);
	assert_int_equal(high, 0);
	assert_int_equal(low, 10000 - 0x100);                   /* torn */
	small_pci_put(acc, IMC00, 0xa4, 0);
	small_pci_put(acc, IMC00, 0xa0, 0xffffff00);
	raw = small_pci(acc, IMC00, 0xa0, 8);
	assert_in_range(raw, 0x100000000, 0x100010000);
	access_close(acc);
}

/* ---- files ---- */

static void
the_files_of_the_node_are_those_of_linux(void **state)
{
	static const struct {
		const char *path, *text;
	} files[] = {
		{ "/sys/devices/system/cpu/online", "0-7" },
		{ "/sys/devices/system/cpu/possible", "0-7" },
		{ "/sys/devices/system/cpu/present", "0-7" },
		{ "/sys/devices/system/cpu/cpu0/online", "(none)" },
		{ "/sys/devices/system/cpu/cpu3/online", "1" },
		{ "/sys/devices/system/cpu/cpu8/topology/core_id", "(none)" },
		{ "/sys/devices/system/cpu/cpu3/topology/core_id", "1" },
		{ "/sys/devices/system/cpu/cpu3/topology/die_id", "0" },
		{ "/sys/devices/system/cpu/cpu3/topology/physical_package_id",
		  "1" },
		{ "/sys/devices/system/cpu/cpu3/topology/thread_siblings_list",
		  "3,7" },
		{ "/sys/devices/system/cpu/cpu3/topology/core_siblings_list",
		  "2-3,6-7" },
		{ "/sys/devices/system/node/node1/cpulist", "2-3,6-7" },
		{ "/sys/devices/system/node/node2/cpulist", "(none)" },
		{ "/proc/sys/kernel/hostname", "node1" },
		{ "/proc/sys/kernel/nmi_watchdog", "0" },
		{ "/sys/class/infiniband/hfi1_0/ports/1/state", "4: ACTIVE" },
		{ "/sys/class/infiniband/hfi1_0/ports/1/counters/port_rcv_data",
		  "5" },
		{ "/etc/passwd", "(none)" },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (strcmp(small_text(*state, files[i].path), files[i].text) != 0)
			fail_msg("%s: \"%s\"", files[i].path,
			    small_text(*state, files[i].path));
	assert_non_null(strstr(small_text(*state, "/proc/cpuinfo"),
	    "model\t\t: 85\nmodel name\t: A CPU\nstepping\t: 4\n"
	    "cpu MHz\t\t: 2100.000\nphysical id\t: 0\nsiblings\t: 4\n"
	    "core id\t\t: 0\ncpu cores\t: 2\n"));
	assert_non_null(strstr(small_text(*state, "/proc/cpuinfo"),
	    "processor\t: 7\nvendor_id\t: GenuineIntel\n"));
}

static void
a_file_can_be_read_from_any_byte(void **state)
{
	struct access *acc = *state;
	char c[2] = "";

	assert_int_equal(access_file(acc, "/proc/sys/kernel/hostname", 4, c,
	    1), 1);
	assert_string_equal(c, "1");
	assert_int_equal(access_file(acc, "/proc/sys/kernel/hostname", 99, c,
	    1), 0);
}

static void
cpuid_is_read_by_leaf_and_subleaf(void **state)
{
	struct access *acc = *state;
	uint32_t r[4];

	assert_int_equal(access_file(acc, "/dev/cpu/1/cpuid", 0xa, r, 16),
	    16);
	assert_int_equal(r[0], 0x07300404);
	assert_int_equal(r[3], 0x603);
	assert_int_equal(access_file(acc, "/dev/cpu/1/cpuid", 1, r, 16), 16);
	assert_int_equal(r[0], 0x50654);
	assert_int_equal(access_file(acc, "/dev/cpu/1/cpuid", 0, r, 16), 16);
	assert_memory_equal(&r[1], "Genu", 4);
	assert_memory_equal(&r[3], "ineI", 4);
	assert_memory_equal(&r[2], "ntel", 4);
	assert_int_equal(access_file(acc, "/dev/cpu/1/cpuid",
	    0xa | UINT64_C(1) << 32, r, 16), 16);
	assert_int_equal(r[0], 0);
	assert_int_equal(access_file(acc, "/dev/cpu/8/cpuid", 1, r, 16),
	    -ENOENT);
}

static void
join(void *ctx, const char *name)
{
	strcat(ctx, name);
	strcat(ctx, " ");
}

static void
directories_can_be_listed(void **state)
{
	static const struct {
		const char *dir, *names;
	} dirs[] = {
		{ "/sys/devices/system/node", "node0 node1 " },
		{ "/sys/devices/system/node/node1",
		  "cpu2 cpu3 cpu6 cpu7 cpulist " },
		{ "/sys/devices/system/cpu/cpu3", "node1 online topology " },
		{ "/dev/cpu", "0 1 2 3 4 5 6 7 " },
		{ "/dev/cpu/0", "cpuid msr " },
		{ "/sys/class/infiniband", "hfi1_0 " },
		{ "/sys/class/infiniband/hfi1_0/ports/1", "counters state " },
	};
	struct access *acc = *state;

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
		char names[256] = "";

		assert_int_equal(access_list(acc, dirs[i].dir, join, names),
		    0);
		assert_string_equal(names, dirs[i].names);
	}
	assert_int_equal(access_list(acc, "/nowhere", join, NULL), -ENOENT);
}

static void
a_number_in_a_file_counts(void **state)
{
	struct access *acc = *state;
	struct reg_addr addr = { REG_TEXT, 8, 0, 0 };
	uint64_t raw;
	int unit = access_text(acc,
	    "/sys/class/infiniband/hfi1_0/ports/1/counters/port_rcv_data");

	assert_true(unit >= 0);
	assert_int_equal(access_text(acc, "/nowhere"), -ENOENT);
	addr.unit = (uint32_t)unit;
	small_pass(acc, 11);
	assert_int_equal(access_read(acc, &addr, &raw), 0);
	assert_int_equal(raw, 5 + 10 * 100 + 200);
}

/* ---- faults ---- */

static void
an_lproc_goes_offline_and_comes_back(void **state)
{
	small_fault(*state, "from 3 to 5 lproc 5 offline");
	assert_int_equal(small_rc(*state, 5, 0xce), 0);
	small_pass(*state, 3);
	assert_int_equal(small_rc(*state, 5, 0xce), -ENXIO);
	assert_int_equal(small_put(*state, 5, 0x186, 0), -ENXIO);
	assert_string_equal(small_text(*state, "/sys/devices/system/cpu/online"),
	    "0-4,6-7");
	assert_string_equal(small_text(*state, "/sys/devices/system/cpu/present"),
	    "0-7");
	assert_string_equal(small_text(*state, "/sys/devices/system/cpu/cpu5/"
	    "topology/core_id"), "(none)");
	assert_string_equal(small_text(*state, "/sys/devices/system/cpu/cpu5/"
	    "online"), "0");
	assert_string_equal(small_text(*state, "/sys/devices/system/cpu/cpu1/"
	    "topology/thread_siblings_list"), "1");
	small_pass(*state, 2);
	assert_int_equal(small_rc(*state, 5, 0xce), 0);
	assert_string_equal(small_text(*state, "/sys/devices/system/cpu/online"),
	    "0-7");
}

static void
an_msr_fails_where_and_while_it_should(void **state)
{
	small_fault(*state, "lproc 1 msr 0xce EIO");
	small_fault(*state, "pkg 1 msr 0x1b1 EPERM");
	small_fault(*state, "from 1 to 2 msr 0x611 EIO");
	assert_int_equal(small_rc(*state, 1, 0xce), -EIO);
	assert_int_equal(small_rc(*state, 0, 0xce), 0);
	assert_int_equal(small_rc(*state, 0, 0x1b1), 0);
	assert_int_equal(small_rc(*state, 6, 0x1b1), -EPERM);
	assert_int_equal(small_rc(*state, 0, 0x611), 0);
	small_pass(*state, 1);
	assert_int_equal(small_rc(*state, 0, 0x611), -EIO);
	small_pass(*state, 1);
	assert_int_equal(small_rc(*state, 0, 0x611), 0);
}

static void
a_locked_down_kernel_refuses_msr_writes_only(void **state)
{
	small_fault(*state, "msr writes EPERM");
	assert_int_equal(small_put(*state, 0, 0x199, 0x1700), -EPERM);
	assert_int_equal(small_get(*state, 0, 0x199), 0x1500);
	small_pci_put(*state, IMC00, 0xd8, 0x400304);
	assert_int_equal(sim_writes(*state), 1);
}

/* Of a counter in two halves all ones is none. */
static bool
is_count(struct access *acc, unsigned unit)
{
	uint64_t raw;

	return access_read(acc, &(struct reg_addr){ REG_PCI, 8, unit, 0xa0 },
	    &raw) != -EAGAIN;
}

static void
a_box_or_function_reads_all_ones(void **state)
{
	small_pci_put(*state, IMC00, 0xd8, 0x400304);
	small_fault(*state, "from 1 to 2 pci 3a:0a.2 absent");
	small_fault(*state, "from 1 to 2 box imc 1 1 absent");
	small_fault(*state, "from 1 to 2 box cha 0 3 absent");
	small_pass(*state, 1);
	assert_int_equal(small_pci(*state, IMC00, 0, 4), 0xffffffff);
	assert_false(is_count(*state, IMC00));
	assert_false(is_count(*state, IMC11));
	assert_int_equal(small_get(*state, 0, 0xe38), UINT64_MAX);
	assert_int_equal(small_get(*state, 0, 0xe28), 0);
	small_pci_put(*state, IMC00, 0xd8, 0);
	small_pass(*state, 1);
	assert_int_equal(small_pci(*state, IMC00, 0xd8, 4), 0x400304);
	assert_int_equal(small_pci(*state, IMC00, 0xa0, 8), 14);
}

static void
another_agent_sets_registers_in_time(void **state)
{
	assert_int_equal(small_put(*state, 0, 0xe31, 0x40013d), 0);
	small_fault(*state, "from 2 box cha 0 3 ctr0 = 1000");
	small_fault(*state, "from 4 pkg 0 msr 0xe31 = 0");
	small_fault(*state, "from 4 box cha 0 3 filter1 = 0x3b");
	small_fault(*state, "from 1 pci 3a:0a.2 0xd8 = 0x400304");
	small_fault(*state, "from 1 lproc 3 msr 0x186 = 0x4300c0");
	small_pass(*state, 6);
	/* set at 2 s, stopped at 4 s: 2 x 13 */
	assert_int_equal(small_get(*state, 0, 0xe38), 1026);
	assert_int_equal(small_get(*state, 0, 0xe36), 0x3b);
	assert_int_equal(small_pci(*state, IMC00, 0xa0, 8), 5 * 7);
	assert_int_equal(small_get(*state, 3, 0x186), 0x4300c0);
	assert_int_equal(sim_writes(*state), 1);
}

static void
a_tear_is_forced_between_two_halves(void **state)
{
	struct access *acc = *state;

	small_pci_put(acc, IMC00, 0xd8, 0x400000);            /* stands */
	small_pci_put(acc, IMC00, 0xa4, 7);
	small_fault(acc, "pci 3a:0a.2 0xa0 tear");
	assert_int_equal(small_pci(acc, IMC00, 0xa4, 4), 7);
	assert_int_equal(small_pci(acc, IMC00, 0xa0, 4), 0);
	assert_int_equal(small_pci(acc, IMC00, 0xa4, 4), 8);
	small_fault(acc, "box imc 0 0 ctr0 tear");
	assert_int_equal(small_pci(acc, IMC00, 0xa0, 8), UINT64_C(9) << 32);
}

static void
the_clock_of_the_node_is_set(void **state)
{
	struct access *acc = *state;
	struct stamp a;

	small_fault(acc, "from 2 clock -3.5");
	small_pass(acc, 4);
	access_now(acc, &a);
	assert_int_equal(a.real_ns, UINT64_C(1500000000500000000));
	assert_int_equal(a.tsc, 77 + 4 * UINT64_C(2100000000));
}

static void
a_wrong_fault_is_told(void **state)
{
	static const char *const lines[] = {
		"", "from", "from x lproc 1 offline", "lproc 8 offline",
		"lproc 1", "lproc 1 online", "msr 0xce ENOSYS", "msr",
		"lproc 1 msr 0xce ENOSYS", "pkg 0 msr 0xce EACCES",
		"msr 0x9999 = 1", "pci 3a:0a.3 absent", "pci 3a:0a.2 0x44 = 1",
		"pci 3a:0a.2 0xd8 tear", "pci bus2:0a.2 absent",
		"box imc 0 2 absent", "box imc 0 0 ctl4 = 1", "box nobox 0 0 absent",
		"clock 3", "lproc 1 offline now", "from 1 to 2 clock +3",
		"from 3 to 3 lproc 1 offline",
	};
	struct diag why;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		why.text[0] = '\0';
		if (machine_fault(*state, lines[i], &why) != -EINVAL)
			fail_msg("accepted: %s", lines[i]);
		assert_memory_equal(why.text, "fault: ", 7);
	}
}

/* ---- tape and comparison ---- */

static void
a_tape_overrides_registers_and_moves_with_each_sleep(void **state)
{
	static const uint64_t tsc[] = { 5, 6, ABSENT };
	static const uint64_t ctr[] = { 0x500000006, 0x700000008 };
	static const uint64_t new[] = { 9 };
	static const struct stamp at[] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } };
	struct reg_addr a = { REG_MSR, 8, 0, 0x10 };
	struct reg_addr b = { REG_PCI, 8, IMC00, 0xa0 };
	struct reg_addr c = { REG_MSR, 8, 3, 0x9999 };
	struct reg_addr d = { REG_PCI, 8, PCI_UNIT(0, 0x5d, 0x70), 0x318 };
	struct access *acc = *state;
	struct stamp now;

	assert_int_equal(sim_tape(*state, &a, tsc, 3), 0);
	assert_int_equal(sim_tape(*state, &b, ctr, 2), 0);
	assert_int_equal(sim_tape(*state, &c, new, 1), 0);
	assert_int_equal(sim_tape(*state, &d, ctr, 2), 0);
	assert_int_equal(sim_tape(*state, &d, ctr, 0), -EINVAL);
	sim_tape_clock(*state, at, 3);
	access_now(acc, &now);
	assert_int_equal(now.real_ns, 2);
	assert_int_equal(small_get(acc, 0, 0x10), 5);
	assert_int_equal(small_get(acc, 3, 0x9999), 9);
	assert_int_equal(small_rc(acc, 2, 0x9999), -EIO);
	assert_int_equal(small_pci(acc, IMC00, 0xa0, 8), 0x500000006);
	assert_int_equal(small_pci(acc, d.unit, 0x318, 8), 0x500000006);
	assert_int_equal(access_sleep(acc, 0, NULL), 0);
	assert_int_equal(small_get(acc, 0, 0x10), 6);
	assert_int_equal(small_pci(acc, IMC00, 0xa0, 8), 0x700000008);
	assert_int_equal(access_sleep(acc, 0, NULL), 0);
	assert_int_equal(access_sleep(acc, 0, NULL), 0);
	assert_int_equal(small_rc(acc, 0, 0x10), -EIO);
	assert_int_equal(small_pci(acc, IMC00, 0xa0, 8), 0x700000008);
	access_now(acc, &now);
	assert_int_equal(now.tsc, 7);
}

static void
a_machine_is_compared_by_its_settings(void **state)
{
	struct sim *other = small_of("");
	struct diag why = { "" };

	assert_int_equal(small_put(*state, 0, 0xe31, 0x40013d), 0);
	assert_int_equal(sim_compare(*state, other, &why), -EINVAL);
	assert_string_equal(why.text,
	    "msr 0xe31 lproc 0: 0x40013d here, 0x0 there");
	small_pass(*state, 1);
	assert_int_equal(small_put(*state, 0, 0xe31, 0), 0);
	assert_int_equal(sim_compare(*state, other, &why), 0);
	small_pci_put(*state, IMC11, 0xdc, 0x400304);
	assert_int_equal(sim_compare(*state, other, &why), -EINVAL);
	assert_string_equal(why.text,
	    "pci 0000:ae:0a.6:0xdc: 0x400304 here, 0x0 there");
	small_pci_put(*state, IMC11, 0xdc, 0);
	assert_int_equal(small_put(*state, 2, 0x700, UINT64_C(1) << 63), 0);
	assert_int_equal(sim_compare(*state, other, &why), -EINVAL);
	assert_string_equal(why.text, "the uncore of package 1 is frozen "
	    "(msr 0x700) in one only");
	access_close(sim_access(other));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, small_up, small_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(virtual_time_passes_only_in_sleep),
		TEST(real_time_is_the_hosts),
		TEST(a_pending_signal_comes_through_a_virtual_sleep),
		TEST(a_reading_can_cost_time_and_tear),
		TEST(the_files_of_the_node_are_those_of_linux),
		TEST(a_file_can_be_read_from_any_byte),
		TEST(cpuid_is_read_by_leaf_and_subleaf),
		TEST(directories_can_be_listed),
		TEST(a_number_in_a_file_counts),
		TEST(an_lproc_goes_offline_and_comes_back),
		TEST(an_msr_fails_where_and_while_it_should),
		TEST(a_locked_down_kernel_refuses_msr_writes_only),
		TEST(a_box_or_function_reads_all_ones),
		TEST(another_agent_sets_registers_in_time),
		TEST(a_tear_is_forced_between_two_halves),
		TEST(the_clock_of_the_node_is_set),
		TEST(a_wrong_fault_is_told),
		TEST(a_tape_overrides_registers_and_moves_with_each_sleep),
		TEST(a_machine_is_compared_by_its_settings),
	};

	return cmocka_run_group_tests_name("sim_node", tests, NULL, NULL);
}
