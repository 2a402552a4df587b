/*
 * tests/programs/test_provenance.c - the system that a dump is from: what its head says
 * of kernel, microcode, other users of the counters, and the clocks.
 */
#include "tests/lib/rig.h"

#include "config/dump/head.h"
#include "config/dump/read.h"
#include "config/lang/events.h"
#include "daemon/node/obstacle.h"
#include "daemon/node/program.h"
#include "daemon/run/preamble.h"
#include "regs/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The head of a simulated node, with `more` in its machine file. */
static struct reader *
head_with(const char *more, bool saved)
{
	struct rig *r = rig_with("@hsx-2699-2s", more, "read smi_count\n"
	    "core INST_RETIRED.ANY_P event=0xc0,usr=1,os=1\n");
	struct preamble_info info = { .interval = 1, .access = "sim",
	    .schedule = "", .version = "", .sweep = &r->sweep,
	    .config = &r->node.config };
	struct reg_addr control = { REG_MSR, 8, 3, 0x186 };
	struct reader *reader;
	struct diag why;
	char *text;

	if (saved) {
		assert_int_equal(access_write(r->node.acc, &control, 0x4300c5),
		    0);
		assert_int_equal(program_save(&r->node.plan, r->node.acc,
		    &why), 0);
	}
	text = preamble_make(&r->node.plan, &r->node.topo, &r->node.inv,
	    r->node.acc, &info);
	assert_non_null(text);
	if (read_open(&reader, test_put("head.lua", text), &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(read_problems(reader, PROBLEM_KINDS), 0);
	free(text);
	rig_close(r);
	return reader;
}

static void
the_head_says_what_system_it_is_from(void **state)
{
	static const struct { enum head_key key; const char *text; } t[] = {
		{ HEAD_KERNEL, "5.14.0-427.el9.x86_64" },
		{ HEAD_KERNEL_BUILD, "#1 SMP PREEMPT_DYNAMIC Wed Apr 10" },
		{ HEAD_KERNEL_COMMAND_LINE, "BOOT_IMAGE=/vmlinuz \"a b\" quiet" },
		{ HEAD_SMT, "forceoff" }, { HEAD_NMI_WATCHDOG, "1" },
		{ HEAD_PERF_EVENT_PARANOID, "-1" },
		{ HEAD_CPUFREQ_DRIVER, "intel_pstate" },
		{ HEAD_CPUFREQ_GOVERNOR, "performance powersave" },
		{ HEAD_MSR_ALLOW_WRITES, "default" },
		{ HEAD_LOCKDOWN, "integrity" }, { HEAD_CLOCK_SOURCE, "hpet" },
		{ HEAD_NTP_STATE, "leap second to be inserted" },
		{ HEAD_NTP_ERROR, "0.000312" }, { HEAD_NTP_MAX_ERROR, "0.0235" },
	};
	struct reader *r = head_with(
	    "file /proc/sys/kernel/osrelease = 5.14.0-427.el9.x86_64\n"
	    "file /proc/sys/kernel/version = #1 SMP PREEMPT_DYNAMIC Wed Apr 10\n"
	    "file /proc/cmdline = BOOT_IMAGE=/vmlinuz \"a b\" quiet\n"
	    "file /sys/devices/system/cpu/smt/control = forceoff\n"
	    "file /proc/sys/kernel/nmi_watchdog = 1\n"
	    "file /proc/sys/kernel/perf_event_paranoid = -1\n"
	    "file /sys/devices/system/cpu/cpu0/microcode/version = 0x49\n"
	    "file /sys/devices/system/cpu/cpu1/microcode/version = 0x43\n"
	    "file /sys/devices/system/cpu/cpu0/cpufreq/scaling_driver = "
	    "intel_pstate\n"
	    "file /sys/devices/system/cpu/cpu1/cpufreq/scaling_driver = "
	    "intel_pstate\n"
	    "file /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor = "
	    "performance\n"
	    "file /sys/devices/system/cpu/cpu1/cpufreq/scaling_governor = "
	    "performance\n"
	    "file /sys/devices/system/cpu/cpu2/cpufreq/scaling_governor = "
	    "powersave\n"
	    "file /sys/devices/system/cpu/cpu3/cpufreq/scaling_governor = "
	    "performance\n"
	    "file /sys/module/msr/parameters/allow_writes = default\n"
	    "file /sys/kernel/security/lockdown = none [integrity] "
	    "confidentiality\n"
	    "file /sys/devices/system/clocksource/clocksource0/"
	    "current_clocksource = hpet\n"
	    "ntp ins error=312 max=23500\n", false);

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		assert_string_equal(head_text(r, t[i].key, ALONE, "absent"),
		    t[i].text);
	assert_int_equal(head_constant(r, HEAD_MICROCODE, AT(0))->u, 0x49);
	assert_int_equal(head_constant(r, HEAD_MICROCODE, AT(1))->u, 0x43);
	read_close(r);
}

static void
what_a_system_does_not_tell_has_no_key(void **state)
{
	struct reader *r = head_with(
	    "file /proc/sys/kernel/nmi_watchdog none\n"
	    "file /proc/sys/kernel/tainted none\n"
	    "file /sys/kernel/security/lockdown = odd\n"
	    "file /proc/sys/kernel/perf_event_paranoid = much\n"
	    "file /sys/devices/system/cpu/cpu0/microcode/version = \n", false);

	(void)state;
	for (unsigned i = 0; i < read_constants(r); i++) {
		const struct constant *c = read_constant(r, i);

		if (c->key >= HEAD_KERNEL && c->key <= HEAD_NTP_MAX_ERROR)
			fail_msg("%s = %s", c->name, c->text);
	}
	read_close(r);
}

static void
texts_say_where_they_were(void **state)
{
	struct rig *r = rig_open("@hsx-2699-2s", NULL);
	struct preamble_info info = { .interval = 1, .access = "sim",
	    .schedule = "", .version = "", .sweep = &r->sweep,
	    .config = &r->node.config };
	struct diag why;
	char *text;

	(void)state;
	assert_int_equal(config_load(&r->node.config, test_put("own.conf",
	    "read smi_count\n"), &why), 0);
	text = preamble_make(&r->node.plan, &r->node.topo, &r->node.inv,
	    r->node.acc, &info);
	assert_non_null(strstr(text, "\ntext_origin[0] = \"built-in\"\n"));
	/* the default includes two others */
	assert_non_null(strstr(text, "\ntext_name[1] = \"@boxes-hsx\"\n"));
	assert_non_null(strstr(text, "\ntext_name[2] = \"@uncore-hsx\"\n"));
	assert_non_null(strstr(text, "\ntext_origin[3] = \"file\"\n"));
	free(text);
	rig_close(r);
}

/* ---- who has counters open ---- */

#define OTHERS \
	"file /proc/self = 100\n" \
	"file /proc/100/comm = tallyd\n" \
	"file /proc/100/stat = 100 (tallyd) S 99 99 99\n" \
	"file /proc/99/comm = tallyd\n" \
	"file /proc/99/fd/3 = /dev/cpu/0/msr\n" \
	"file /proc/100/fd/3 = anon_inode:[perf_event]\n" \
	"file /proc/101/comm = tallyd\n" \
	"file /proc/101/stat = 101 (tally) d) S 100 101 101\n" \
	"file /proc/101/fd/9 = /dev/cpu/0/msr\n" \
	"file /proc/4711/comm = perf\n" \
	"file /proc/4711/stat = 4711 (perf) S 1 4711 4711\n" \
	"file /proc/4711/fd/0 = /dev/null\n" \
	"file /proc/4711/fd/7 = anon_inode:[perf_event]\n" \
	"file /proc/4711/fd/8 = anon_inode:[perf_event]\n" \
	"file /proc/12/comm = pcm \"x\"\\nhost = 1\n" \
	"file /proc/12/fd/3 = /dev/cpu/5/msr_safe\n" \
	"file /proc/12/fd/4 = anon_inode:[perf_event]\n" \
	"file /proc/13/fd/4 = /dev/cpu/msr_batch\n" \
	"file /proc/14/comm = other\n" \
	"file /proc/14/fd/4 = anon_inode:[eventfd]\n" \
	"file /proc/14/fd/5 = /dev/cpu/0/cpuid\n" \
	"file /proc/uptime/fd/4 = anon_inode:[perf_event]\n"

static void
processes_with_counters_open_are_named_and_ourselves_are_not(void **state)
{
	static const struct {
		unsigned pid;
		const char *name, *open;
	} t[] = {
		{ 12, "pcm \"x\" host = 1", "perf_event, msr" },
		{ 13, "unknown", "msr" },
		{ 4711, "perf", "perf_event" },
	};
	struct reader *r = head_with(OTHERS, false);

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		assert_true(head_number(r, HEAD_PMU_HOLDER_PID, AT(i), -1) ==
		    t[i].pid);
		assert_string_equal(head_text(r, HEAD_PMU_HOLDER, AT(i), ""),
		    t[i].name);
		assert_string_equal(head_text(r, HEAD_PMU_HOLDER_OPEN, AT(i),
		    ""), t[i].open);
	}
	assert_null(head_constant(r, HEAD_PMU_HOLDER, AT(3)));
	read_close(r);
}

/* perf stat tallyd; and a tallyd that somebody else has started. */
static void
who_started_us_and_counts_itself_is_named(void **state)
{
	struct rig *r = rig_bare("@hsx-2699-2s", OTHERS
	    "file /proc/99/comm = perf\n"
	    "file /proc/102/comm = tallyd\n"
	    "file /proc/102/stat = 102 (tallyd) S 1 102 102\n"
	    "file /proc/102/fd/9 = /dev/cpu/0/msr\n");
	struct holders found;

	(void)state;
	holders_find(&found, r->node.acc);
	assert_int_equal(found.n, 5);
	assert_int_equal(found.of[2].pid, 99);
	assert_string_equal(found.of[2].name, "perf");
	assert_int_equal(found.of[3].pid, 102);
	assert_string_equal(found.of[3].name, "tallyd");
	rig_close(r);
}

/* The sampler before us, its writer, and those of another service. */
static void
a_service_is_no_stranger_to_itself(void **state)
{
	struct rig *r = rig_bare("@hsx-2699-2s",
	    "file /proc/self = 100\n"
	    "file /proc/100/comm = tallyd-sampler\n"
	    "file /proc/100/stat = 100 (tallyd-sampler) S 99 99 99\n"
	    "file /proc/98/comm = tallyd-sampler\n"
	    "file /proc/98/stat = 98 (tallyd-sampler) S 99 99 99\n"
	    "file /proc/98/fd/3 = /dev/cpu/0/msr\n"
	    "file /proc/97/comm = tallyd-writer\n"
	    "file /proc/97/stat = 97 (tallyd-writer) S 98 99 99\n"
	    "file /proc/97/fd/3 = /dev/cpu/0/msr\n"
	    "file /proc/52/comm = tallyd-sampler\n"
	    "file /proc/52/stat = 52 (tallyd-sampler) S 51 51 51\n"
	    "file /proc/52/fd/3 = /dev/cpu/0/msr\n");
	struct holders found;

	(void)state;
	holders_find(&found, r->node.acc);
	assert_int_equal(found.n, 1);
	assert_int_equal(found.of[0].pid, 52);
	rig_close(r);
}

static void
more_processes_than_there_is_room_for_are_counted(void **state)
{
	char more[4096], words[1024], *end = more;
	struct holders found;
	struct rig *r;

	(void)state;
	for (unsigned pid = 1; pid <= 20; pid++)
		end += sprintf(end, "file /proc/%u/fd/3 = anon_inode:"
		    "[perf_event]\n", pid);
	r = rig_bare("@hsx-2699-2s", more);
	holders_find(&found, r->node.acc);
	assert_int_equal(found.n, 16);
	assert_int_equal(found.more, 4);
	holders_text(&found, words, sizeof(words));
	assert_non_null(strstr(words, "unknown (pid 15: perf_event), "));
	assert_string_equal(words + strlen(words) - 11, " and 4 more");
	/* what has no room is cut off */
	holders_text(&found, words, 24);
	assert_string_equal(words, "unknown (pid 1: perf_ev");
	rig_close(r);
}

static void
counters_that_were_taken_are_told(void **state)
{
	struct reader *r = head_with("", true);

	(void)state;
	assert_true(head_number(r, HEAD_COUNTERS_TAKEN, ALONE, 0) == 1);
	assert_string_equal(head_text(r, HEAD_COUNTERS_TAKEN_FIRST, ALONE, ""),
	    "CORE of lproc 3 ctl0 (msr 0x186 lproc 3) holds 0x4300c5");
	read_close(r);
}

static void
who_stands_in_the_way_of_a_start_is_named(void **state)
{
	static const struct { const char *more, *words; } t[] = {
		{ OTHERS "file /proc/sys/kernel/nmi_watchdog = 1\n",
		  "holds 0x4300c5 (pcm \"x\" host = 1 (pid 12: perf_event, msr)"
		  ", unknown (pid 13: msr), perf (pid 4711: perf_event); the "
		  "NMI watchdog is on; `sysctl" },
		{ OTHERS, "perf (pid 4711: perf_event)); --force takes" },
		{ "file /proc/sys/kernel/nmi_watchdog = 1\n",
		  "holds 0x4300c5 (the NMI watchdog is on; `sysctl" },
		{ "", "holds 0x4300c5 (perf, another tool, or one that died "
		  "without cleaning up); --force takes" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct rig *r = rig_with("@hsx-2699-2s", t[i].more,
		    "core INST_RETIRED.ANY_P event=0xc0,usr=1,os=1\n");
		struct reg_addr control = { REG_MSR, 8, 3, 0x186 };
		struct diag why;

		assert_int_equal(access_write(r->node.acc, &control, 0x4300c5),
		    0);
		assert_int_equal(program_save(&r->node.plan, r->node.acc,
		    &why), 0);
		assert_int_equal(obstacle_in_use(&r->node, &why), -EBUSY);
		if (strstr(why.text, t[i].words) == NULL)
			fail_msg("%zu: %s", i, why.text);
		rig_close(r);
	}
}

/* ---- the node that runs this ---- */

static void
links_of_a_node_are_looked_up_below_its_root(void **state)
{
	static const struct access_ops none = { .name = "none" };
	char *dir = tree_new(), path[512];
	struct access acc = { .ops = &none, .root = dir };
	struct holders found;
	char to[64];

	(void)state;
	tree_text(dir, "/proc/7/fd/0", "");
	tree_text(dir, "/proc/7/comm", "likwid\n");
	snprintf(path, sizeof(path), "%s/proc/7/fd/3", dir);
	assert_int_equal(symlink("/dev/cpu/12/msr", path), 0);
	assert_int_equal(access_link(&acc, "/proc/7/fd/3", to, sizeof(to)), 15);
	assert_string_equal(to, "/dev/cpu/12/msr");
	assert_int_equal(access_link(&acc, "/proc/7/fd/3", to, 9), 8);
	assert_string_equal(to, "/dev/cpu");
	assert_int_equal(access_link(&acc, "/proc/7/fd/0", to, sizeof(to)),
	    -EINVAL);
	assert_int_equal(access_link(&acc, "/proc/8", to, sizeof(to)), -ENOENT);
	holders_find(&found, &acc);
	assert_int_equal(found.n, 1);
	assert_int_equal(found.of[0].pid, 7);
	assert_string_equal(found.of[0].name, "likwid");
	assert_true(found.of[0].msr);
	tree_free(dir);
}

static void
the_clock_of_this_node_is_asked(void **state)
{
	static const struct access_ops none = { .name = "none" };
	struct access acc = { .ops = &none };
	struct clock_state kept = { .state = -1 };

	(void)state;
	assert_int_equal(access_clock(&acc, &kept), 0);
	assert_in_range(kept.state, 0, 5);
	assert_true(kept.error_us >= 0 && kept.max_error_us >= 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_head_says_what_system_it_is_from),
		cmocka_unit_test(what_a_system_does_not_tell_has_no_key),
		cmocka_unit_test(texts_say_where_they_were),
		cmocka_unit_test(
		    processes_with_counters_open_are_named_and_ourselves_are_not),
		cmocka_unit_test(who_started_us_and_counts_itself_is_named),
		cmocka_unit_test(a_service_is_no_stranger_to_itself),
		cmocka_unit_test(
		    more_processes_than_there_is_room_for_are_counted),
		cmocka_unit_test(counters_that_were_taken_are_told),
		cmocka_unit_test(who_stands_in_the_way_of_a_start_is_named),
		cmocka_unit_test(links_of_a_node_are_looked_up_below_its_root),
		cmocka_unit_test(the_clock_of_this_node_is_asked),
	};

	return cmocka_run_group_tests_name("the system a dump is from", tests,
	    test_dir_new, test_dir_free);
}
