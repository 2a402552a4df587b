/*
 * tests/config/test_machine.c - the text of a simulated machine: what it may say,
 * what is said about it when it is wrong, and the machine that is shipped.
 */
#include "tests/lib/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config/sim/machine.h"

static struct access *
machine(const char *text)
{
	struct diag why = { "" };
	struct sim *sim;

	if (machine_parse(&sim, "t.machine", text, strlen(text), &why) < 0)
		fail_msg("%s", why.text);
	sim_virtual(sim, true);
	return sim_access(sim);
}

static uint64_t
msr(struct access *acc, unsigned lproc, uint64_t number)
{
	struct reg_addr addr = { REG_MSR, 8, lproc, number };
	uint64_t raw;

	return access_read(acc, &addr, &raw) == 0 ? raw : ABSENT;
}

static const char *
text_of(struct access *acc, const char *path)
{
	static char buf[8192];

	return access_slurp(acc, path, buf, sizeof(buf)) < 0 ? "(none)" : buf;
}

static void
a_wrong_text_is_told_with_file_line_and_what_would_be_right(void **state)
{
	static const struct {
		int line;
		const char *text, *told;
	} wrongs[] = {
		{ __LINE__, "packagse 2", "t.machine:1: unknown statement "
		    "\"packagse\"; right would be host name" },
		{ __LINE__, "hodl x 1", "t.machine:1: unknown statement \"hodl\"; "
		    "right would be host name cpu cpuid packages cores threads "
		    "dies nodes numbering apic lproc bus start tsc ntp read_cost "
		    "noise phase msr pci mmio file global box event does hold pmu "
		    "named count mailbox signal message like from" },
		{ __LINE__, "\n# x\npackages two", "t.machine:3: packages "
		    "\"two\" is no number; decimal or 0x hex" },
		{ __LINE__, "packages 0", "t.machine:1: packages 0 is not in "
		    "1..16 (0x10)" },
		{ __LINE__, "packages", "t.machine:1: packages is missing" },
		{ __LINE__, "cores 3 ids=1,2", "t.machine:1: 2 ids for 3 cores" },
		{ __LINE__, "numbering odd", "t.machine:1: numbering is odd; "
		    "right would be block, interleaved, adjacent or explicit" },
		{ __LINE__, "numbering explicit", "t.machine: no lproc: "
		    "numbering explicit needs lproc statements" },
		{ __LINE__, "lproc 1 pkg=0", "t.machine:1: lproc needs pkg=N "
		    "and core=N" },
		{ __LINE__, "lproc 8192 pkg=0 core=0", "t.machine:1: lproc 8192 "
		    "is not in 0..8191 (0x1fff)" },
		{ __LINE__, "lproc 1 pkg=16 core=0", "t.machine:1: pkg 16 is not"
		    " in 0..15 (0xf)" },
		{ __LINE__, "lproc 1 core=0x80000000", "t.machine:1: core "
		    "0x80000000 is not in 0..2147483647 (0x7fffffff)" },
		{ __LINE__, "lproc 1 thread=16", "t.machine:1: thread 16 is not "
		    "in 0..15 (0xf)" },
		{ __LINE__, "lproc 1 die=0x80000000", "t.machine:1: die "
		    "0x80000000 is not in 0..2147483647 (0x7fffffff)" },
		{ __LINE__, "lproc 1 node=256", "t.machine:1: node 256 is not in"
		    " 0..255 (0xff)" },
		{ __LINE__, "lproc 1 pkg", "t.machine:1: unknown word \"pkg\"; "
		    "right would be pkg=N core=N thread=N die=N node=N" },
		{ __LINE__, "lproc 1 socket=0", "t.machine:1: unknown word "
		    "\"socket\"; right would be pkg=N core=N" },
		{ __LINE__, "lproc 1 pkg=3 core=1", "t.machine: lproc 1 is in "
		    "package 3; there are 1, numbered from 0" },
		{ __LINE__, "bus 0 zz", "t.machine:1: \"zz\" is no bus; two hex "
		    "digits, as in 3a" },
		{ __LINE__, "phase idle\nphase busy", "t.machine:2: the phase "
		    "before this one has no end" },
		{ __LINE__, "ntp", "t.machine:1: ntp is missing; right would be "
		    "ok, ins, del, oop, wait or error" },
		{ __LINE__, "noise 100", "t.machine:1: noise 100 is not in " },
		{ __LINE__, "noise 5 sede=1", "t.machine:1: unknown word "
		    "\"sede\"; right would be seed=N" },
		{ __LINE__, "ntp fine", "t.machine:1: ntp is fine; right" },
		{ __LINE__, "ntp ok error", "t.machine:1: unknown word \"error\"; "
		    "right would be error=US max=US" },
		{ __LINE__, "ntp ok max", "t.machine:1: unknown word \"max\"; "
		    "right would be error=US max=US" },
		{ __LINE__, "ntp ok error=-1", "t.machine:1: error \"-1\"" },
		{ __LINE__, "phase all 3", "t.machine:1: no phase can be called "
		    "\"all\"" },
		{ __LINE__, "phase idle\nmsr 1 pkg counter busy=3", "t.machine:2:"
		    " unknown word \"busy\"; right would be bits, init, n, "
		    "stride, all, idle, step" },
		{ __LINE__, "like nothing", "t.machine:1: like nothing: there "
		    "is no such built-in machine" },
		{ __LINE__, "like @cwf-2s\nlike @c2758",
		    "t.machine:2: a machine is like one other" },
		{ __LINE__, "like @c2758\nlike @c2758",
		    "t.machine:2: a machine is like one other" },
		{ __LINE__, "pmu x n=3", "t.machine:1: a pmu needs type=N" },
		{ __LINE__, "pmu x n=0 type=4", "t.machine:1: n 0 is not in" },
		{ __LINE__, "pmu x n=1 type=4294966296", "t.machine:1: type "
		    "4294966296 is not in 0..4294966295 (0xfffffc17)" },
		{ __LINE__, "pmu x type=4 format=event", "t.machine:1: format "
		    "\"event\"; right would be" },
		{ __LINE__, "pmu x type=4 format=:config", "t.machine:1: "
		    "format \":config\"; right would be" },
		{ __LINE__, "pmu x type=4 box=imc", "t.machine:1: there is no "
		    "box \"imc\"" },
		{ __LINE__, "pmu x n=3 type=4\nnamed y e event=1",
		    "t.machine:2: there is no PMU \"y\"" },
		{ __LINE__, "pmu x n=3 type=4\ncount xx 1 all=1",
		    "t.machine:2: there is no PMU \"xx\"" },
		{ __LINE__, "msr 1 socket = 3", "t.machine:1: the scope of an "
		    "MSR is socket; right would be node, pkg, ccx, core or "
		    "lproc" },
		{ __LINE__, "msr 1 pkg 3", "t.machine:1: \"3\"; right would be "
		    "\"= VALUE\", reading, counter, raz-wi or none" },
		{ __LINE__, "pci 3a:0a 0 = 1", "t.machine:1: \"3a:0a\" is no PCI"
		    " function; right would be as in 3a:0a.2 or bus2:0a.2" },
		{ __LINE__, "pci 3a:0a.2 2 = 1", "t.machine:1: 0x2 is no address"
		    " there" },
		{ __LINE__, "pci 3a:0a.2 0xffc words 1 2", "t.machine:1: "
		    "0x1000 is no address of a word of 32 bits" },
		{ __LINE__, "pci 3a:0a.2 0 words", "t.machine:1: word is "
		    "missing" },
		{ __LINE__, "pci 3a:0a.2 0 words 0x100000000", "t.machine:1: "
		    "word 0x100000000 is not in 0..4294967295" },
		{ __LINE__, "cpuid 1 0 0 0 0 cpu=1", "t.machine:1: unknown "
		    "word \"cpu\"; right would be lproc=N" },
		{ __LINE__, "cpuid 1 0 0 0 0 lproc=8192", "t.machine:1: lproc "
		    "8192 is not in 0..8191" },
		{ __LINE__, "file x = 1", "t.machine:1: a file's path starts "
		    "with /" },
		{ __LINE__, "box a contrs=4", "t.machine:1: unknown word "
		    "\"contrs\"; a box has space scope" },
		{ __LINE__, "box a counters=17", "t.machine:1: counters 17 is not "
		    "in 0..16 (0x10)" },
		{ __LINE__, "\nbox a counters=4", "t.machine:2: box a has "
		    "counters but no ctl= and ctr=" },
		{ __LINE__, "apic ccx=3", "t.machine:1: apic needs pkg=SHIFT" },
		{ __LINE__, "apic pkg=7 ccd=4", "t.machine:1: unknown word "
		    "\"ccd\"; right would be pkg=SHIFT ccx=SHIFT" },
		{ __LINE__, "apic pkg=0", "t.machine:1: pkg 0 is not in 1..16" },
		{ __LINE__, "cpu family", "t.machine:1: unknown word \"family\"; "
		    "right would be vendor= family= model= stepping=" },
		{ __LINE__, "cpu familiy=6", "t.machine:1: unknown word "
		    "\"familiy\"" },
		{ __LINE__, "box a fixedctl=0xf0", "t.machine:1: box a needs "
		    "both fixedctl= and fixedctr=, or none" },
		{ __LINE__, "box a fixedctr=0xd0", "t.machine:1: box a needs "
		    "both fixedctl= and fixedctr=, or none" },
		{ __LINE__, "box a space=pci", "t.machine:1: box a is in PCI "
		    "space: it needs devfn=LIST and scope=pkg" },
		{ __LINE__, "box a counters=1 ctl=1 ctr=2\n"
		    "box b counters=1 ctl=2 ctr=3", "t.machine:2: box b instance"
		    " 0: 0x2 is a register of a box already" },
		{ __LINE__, "message 3 0x11 0x27 = 1", "t.machine:1: opcode 0x11"
		    " writes; name the one that reads" },
		{ __LINE__, "message 3 0x10 0x27 1", "t.machine:1: right would "
		    "be message PORT OPCODE OFFSET = VALUE" },
		{ __LINE__, "message 0x100 0x10 0x27 = 1", "t.machine:1: port "
		    "0x100 is not in 0..255 (0xff)" },
		{ __LINE__, "event imc 3 all=1", "t.machine:1: no box \"imc\" "
		    "so far" },
		{ __LINE__, "box a\nevent a fixed all=1", "t.machine:2: box a "
		    "has no fixed counter 0" },
		{ __LINE__, "box a\nevent a 0x13/0x3 all=1", "t.machine:2: "
		    "control value 0x13 has bits outside its mask 0x3" },
		{ __LINE__, "\nfrom 3 lproc 9 offline", "t.machine:2: fault: "
		    "\"9\" instead of an lproc of this machine" },
		{ __LINE__, "from 3 to 2 lproc 0 offline", "t.machine:1: fault: "
		    "\"2\" instead of a later time, in seconds" },
		{ __LINE__, "from 1 msr 5 = 3", "t.machine:1: fault: this "
		    "machine has no MSR 0x5 there" },
	};
	struct diag why;
	struct sim *sim;

	(void)state;
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(*wrongs); i++) {
		why.text[0] = '\0';
		if (machine_parse(&sim, "t.machine", wrongs[i].text,
		    strlen(wrongs[i].text), &why) == 0)
			fail_msg("line %d: was accepted", wrongs[i].line);
		if (strncmp(why.text, wrongs[i].told, strlen(wrongs[i].told)))
			fail_msg("line %d: \"%s\"", wrongs[i].line, why.text);
		assert_null(sim);
	}
}

static void
a_zero_byte_is_refused(void **state)
{
	struct diag why;
	struct sim *sim;

	(void)state;
	assert_int_equal(machine_parse(&sim, "t", "host a\0b\n", 9, &why),
	    -EINVAL);
	assert_string_equal(why.text,
	    "t:1: a zero byte in the line; a machine is plain text");
}

static void
a_missing_file_is_told(void **state)
{
	struct diag why;
	struct sim *sim;

	(void)state;
	assert_int_equal(machine_load(&sim, "no-such.machine", &why), -ENOENT);
	assert_string_equal(why.text, "no-such.machine: no such file; built in "
	    "are @bdx-2699v4-2s @c2758 @cwf-2s @dnv-c3958 @emr-8592-2s @genoa-9654-2s @gnr-6960p-2s @grace-2s @grace-hopper "
	    "@hsx-2699-2s @icx-8358-2s @milan-7763-2s @naples-7551p @rome-7742-2s @skx-8160-2s "
	    "@skx-locked @spr-9480-2s @srf-2s @turin-2s");
	assert_int_equal(machine_load(&sim, "c2758.machine", &why), -ENOENT);
	assert_string_equal(why.text, "no file c2758.machine; the built-in is "
	    "@c2758");
	assert_int_equal(machine_load(&sim, "@io-icx", &why), -ENOENT);
	assert_string_equal(why.text, "@io-icx is a configuration: "
	    "tallyd -c @io-icx");
}

static void
later_statements_override_earlier_ones(void **state)
{
	struct access *acc = machine(
	    "packages 2\ncores 4\n"
	    "msr 0xce pkg = 1\nmsr 0x1a2 pkg = 7\n"
	    "box cha instances=4 stride=0x10 counters=1 ctl=0xe01 ctr=0xe08\n"
	    "phase a 5\nphase b\n"
	    "event cha 0x35 all=3\n"
	    "packages 1\ncores 2\n"
	    "msr 0xce pkg = 2\nmsr 0x1a2 none\n"
	    "box cha instances=2\n"
	    "phase none\nphase b\n"
	    "event cha 0x35 b=5\n");
	struct reg_addr ctl = { REG_MSR, 8, 0, 0xe11 };

	(void)state;
	assert_string_equal(text_of(acc, "/sys/devices/system/cpu/online"),
	    "0-1");
	assert_int_equal(msr(acc, 0, 0xce), 2);
	assert_int_equal(msr(acc, 0, 0x1a2), ABSENT);
	assert_int_equal(msr(acc, 0, 0xe21), ABSENT);
	assert_int_equal(access_write(acc, &ctl, 0x400035), 0);
	sim_advance((struct sim *)acc, 2000000000);
	assert_int_equal(msr(acc, 0, 0xe18), 10);
	access_close(acc);
}

static void
a_statement_can_speak_of_one_package_thread_or_lproc(void **state)
{
	struct access *acc = machine("packages 2\ncores 2\nthreads 2\n"
	    "msr 0x10 lproc = 1\nmsr 0x10 lproc = 2 pkg=1\n"
	    "msr 0x10 lproc = 3 thread=1\nmsr 0x10 lproc = 4 lproc=7\n"
	    "msr 0x11 core = 5 inst=1\n");

	(void)state;
	assert_int_equal(msr(acc, 0, 0x10), 1);         /* package 0 */
	assert_int_equal(msr(acc, 2, 0x10), 2);         /* package 1 */
	assert_int_equal(msr(acc, 5, 0x10), 3);         /* second thread */
	assert_int_equal(msr(acc, 7, 0x10), 4);
	assert_int_equal(msr(acc, 0, 0x11), ABSENT);
	assert_int_equal(msr(acc, 1, 0x11), 5);
	assert_int_equal(msr(acc, 5, 0x11), 5);         /* same core */
	access_close(acc);
}

static void
lprocs_are_numbered_as_the_text_says(void **state)
{
	static const struct {
		const char *text, *siblings, *package;
	} ways[] = {
		{ "numbering block", "0,4", "0-1,4-5" },
		{ "numbering interleaved", "0,4", "0,2,4,6" },
		{ "numbering adjacent", "0-1", "0-3" },
		{ "numbering explicit\nlproc 0 pkg=1 core=3\n"
		  "lproc 9 pkg=1 core=3 thread=1\nlproc 4 pkg=0 core=3\n",
		  "0,9", "0,9" },
	};
	char text[256];
	struct access *acc;

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		snprintf(text, sizeof(text), "packages 2\ncores 2\nthreads 2\n"
		    "%s", ways[i].text);
		acc = machine(text);
		assert_string_equal(text_of(acc, "/sys/devices/system/cpu/cpu0/"
		    "topology/thread_siblings_list"), ways[i].siblings);
		assert_string_equal(text_of(acc, "/sys/devices/system/cpu/cpu0/"
		    "topology/package_cpus_list"), ways[i].package);
		access_close(acc);
	}
}

static void
ids_are_sparse_where_the_text_says_so(void **state)
{
	struct access *acc = machine("packages 2 ids=0,3\ncores 4 ids=0-1,8,12\n"
	    "dies 2\nnodes 2");

	(void)state;
	assert_string_equal(text_of(acc, "/sys/devices/system/cpu/cpu7/topology"
	    "/physical_package_id"), "3");
	assert_string_equal(text_of(acc, "/sys/devices/system/cpu/cpu7/topology"
	    "/core_id"), "12");
	assert_string_equal(text_of(acc, "/sys/devices/system/cpu/cpu7/topology"
	    "/die_id"), "1");
	assert_string_equal(text_of(acc, "/sys/devices/system/node/node3/"
	    "cpulist"), "6-7");
	access_close(acc);
}

static void
the_shipped_machine_is_the_recorded_node(void **state)
{
	struct diag why = { "" };
	struct reg_addr ctl = { REG_PCI, 4, PCI_UNIT(0, 0x3a, 0x52), 0xd8 };
	struct reg_addr ctr = { REG_PCI, 8, PCI_UNIT(0, 0x3a, 0x52), 0xa0 };
	struct reg_addr id = { REG_PCI, 4, PCI_UNIT(0, 0x85, 0xf3), 0 };
	struct reg_addr capid = { REG_PCI, 4, PCI_UNIT(0, 0x17, 0xf3), 0x9c };
	struct access *acc;
	struct sim *sim;
	uint64_t a, b, raw;

	(void)state;
	if (machine_load(&sim, "@skx-8160-2s", &why) < 0)
		fail_msg("%s", why.text);
	sim_virtual(sim, true);
	acc = sim_access(sim);
	assert_string_equal(text_of(acc, "/sys/devices/system/cpu/online"),
	    "0-95");
	assert_string_equal(text_of(acc, "/sys/devices/system/node/node0/"
	    "cpulist"), "0-23,48-71");
	assert_int_equal(msr(acc, 0, 0x300), 0x800000005d3a1700);
	assert_int_equal(msr(acc, 95, 0x300), 0x80000000d7ae8580);
	assert_int_equal(msr(acc, 0, 0x606), 0xa0e03);
	assert_int_equal(access_read(acc, &id, &raw), 0);
	assert_int_equal(raw, 0x20838086);
	assert_int_equal(access_read(acc, &capid, &raw), 0);
	assert_int_equal(__builtin_popcountll(raw), 24);

	/* 20 s: STREAM reads through channel 0 of package 0 */
	assert_int_equal(access_write(acc, &ctl, 0x400304), 0);
	sim_advance(sim, 20000000000);
	assert_int_equal(access_read(acc, &ctr, &a), 0);
	sim_advance(sim, 1000000000);
	assert_int_equal(access_read(acc, &ctr, &b), 0);
	assert_in_range((b - a) & 0xffffffffffff, 150000000, 152000000);

	/* 143 J/s and 134 J/s, in 2^-14 J */
	a = msr(acc, 0, 0x611);
	raw = msr(acc, 24, 0x611);
	sim_advance(sim, 1000000000);
	assert_in_range((msr(acc, 0, 0x611) - a) & UINT32_MAX, 142 << 14,
	    144 << 14);
	assert_in_range((msr(acc, 24, 0x611) - raw) & UINT32_MAX, 132 << 14,
	    135 << 14);

	/* slots 24 to 27 read 0, as in the recording */
	assert_int_equal(msr(acc, 0, 0xf78), 0xffffffff0000);
	assert_int_equal(msr(acc, 0, 0xf88), 0);
	access_close(acc);
}

static uint32_t
cpuid_of(struct access *acc, unsigned lproc, uint64_t leaf, unsigned n)
{
	char path[64];
	uint32_t reg[4];

	snprintf(path, sizeof(path), "/dev/cpu/%u/cpuid", lproc);
	assert_int_equal(access_file(acc, path, leaf, reg, sizeof(reg)), 16);
	return reg[n];
}

static void
a_cpuid_leaf_may_be_one_lprocs_own(void **state)
{
	struct access *acc = machine("cores 3\ncpuid 0xb.1 6 48 0x201 0\n"
	    "cpuid 0xb.1 6 48 0x201 5 lproc=2\n");

	(void)state;
	assert_int_equal(cpuid_of(acc, 0, 0x10000000b, 3), 0);
	assert_int_equal(cpuid_of(acc, 1, 0x10000000b, 1), 48);
	assert_int_equal(cpuid_of(acc, 2, 0x10000000b, 3), 5);
	access_close(acc);
}

static void
words_of_a_function_are_its_header_and_its_class_is_in_sysfs(void **state)
{
	struct access *acc = machine("pci 3a:0a.2 0 words 0x20668086 0 "
	    "0x08800004 0x00800000\npci 3a:0b.0 0 = 0x20008086\n");
	struct reg_addr at = { REG_PCI, 4, PCI_UNIT(0, 0x3a, 0x52), 0xc };
	uint64_t raw;

	(void)state;
	assert_int_equal(access_read(acc, &at, &raw), 0);
	assert_int_equal(raw, 0x00800000);
	assert_string_equal(text_of(acc,
	    "/sys/bus/pci/devices/0000:3a:0a.2/class"), "0x088000");
	access_close(acc);
	acc = machine("pci 3a:0a.2 0 words 0x20668086 0 0x06040011\n");
	assert_string_equal(text_of(acc,
	    "/sys/bus/pci/devices/0000:3a:0a.2/class"), "0x060400");
	assert_string_equal(text_of(acc,
	    "/sys/bus/pci/devices/0000:3a:0a.2/device"), "0x2066");
	access_close(acc);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_wrong_text_is_told_with_file_line_and_what_would_be_right),
		cmocka_unit_test(a_zero_byte_is_refused),
		cmocka_unit_test(a_missing_file_is_told),
		cmocka_unit_test(later_statements_override_earlier_ones),
		cmocka_unit_test(
		    a_statement_can_speak_of_one_package_thread_or_lproc),
		cmocka_unit_test(lprocs_are_numbered_as_the_text_says),
		cmocka_unit_test(ids_are_sparse_where_the_text_says_so),
		cmocka_unit_test(the_shipped_machine_is_the_recorded_node),
		cmocka_unit_test(a_cpuid_leaf_may_be_one_lprocs_own),
		cmocka_unit_test(
		    words_of_a_function_are_its_header_and_its_class_is_in_sysfs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
