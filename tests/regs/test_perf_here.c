/*
 * tests/regs/test_perf_here.c - counting through the kernel of the machine that runs this:
 * software events, what is refused there, limits and rights.
 */
#include "tests/lib/rig.h"

#include "config/lang/want.h"
#include "daemon/node/choose.h"
#include "daemon/node/rights.h"
#include "regs/linux/linux.h"
#include "regs/perf.h"

#include <dirent.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The kernel's events, or NULL with a word where it does not give them. */
static struct access *
really(void)
{
	struct access *acc;
	struct diag why;

	assert_int_equal(linux_open(&acc, "/", &why), 0);
	if (perf_check(acc, 0, &why) == 0)
		return acc;
	print_message("%s\n", why.text);
	access_close(acc);
	return NULL;
}

static uint64_t
value(struct access *acc, int handle, unsigned offset)
{
	struct reg_addr addr = { REG_PERF, 8, (uint32_t)handle, offset };
	uint64_t raw;

	access_read(acc, &addr, &raw);
	return raw;
}

static void
software_events_are_really_counted(void **state)
{
	struct perf_group g = { .cpu = 0, .n = 9 };
	struct access *acc = really();
	uint64_t enabled, clock;
	unsigned bad;
	int h;

	(void)state;
	if (acc == NULL)
		skip();
	for (unsigned k = 0; k < 9; k++)
		g.attr[k] = (struct perf_attr){ .type = PERF_SOFTWARE,
		    .config = { k, 0, 0 } };
	h = access_perf_open(acc, &g, 1, &bad);
	assert_true(h >= 0);
	enabled = value(acc, h, PERF_ENABLED);
	clock = value(acc, h, PERF_FIRST);
	usleep(20000);
	/* the buffer shows the last reading until offset 0 is read */
	assert_true(value(acc, h, PERF_FIRST) == clock);
	enabled = value(acc, h, PERF_ENABLED) - enabled;
	clock = value(acc, h, PERF_FIRST) - clock;
	assert_true(value(acc, h, PERF_RUNNING) <= value(acc, h, PERF_ENABLED));
	/* cpu-clock counts the time enabled, in ns */
	assert_true(enabled >= 20000000);
	assert_true(clock > enabled - enabled / 50 && clock < enabled +
	    enabled / 50);
	assert_true(value(acc, h, PERF_FIRST + 18) == ABSENT);
	access_close(acc);
}

static unsigned
open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	assert_non_null(d);
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n;
}

static void
a_group_that_is_refused_leaves_nothing_open(void **state)
{
	struct perf_group g[2] = {
		{ .n = 2, .attr = { { .type = PERF_SOFTWARE },
		    { .type = PERF_SOFTWARE } } },
		{ .n = 2, .attr = { { .type = PERF_SOFTWARE },
		    { .type = 0x7fffff00 } } },
	};
	struct access *acc = really();
	unsigned before, bad = 9;

	(void)state;
	if (acc == NULL)
		skip();
	before = open_files();
	assert_true(access_perf_open(acc, g, 2, &bad) < 0);
	assert_int_equal(bad, 1);
	assert_int_equal(open_files(), before);
	access_close(acc);
}

static void
the_group_that_was_opened_last_can_be_given_up(void **state)
{
	struct perf_group g = { .n = 2, .attr = { { .type = PERF_SOFTWARE },
	    { .type = PERF_SOFTWARE } } };
	struct access *acc = really();
	unsigned before, bad;
	int first, last;

	(void)state;
	if (acc == NULL)
		skip();
	assert_true((first = access_perf_open(acc, &g, 1, &bad)) >= 0);
	before = open_files();
	assert_true((last = access_perf_open(acc, &g, 1, &bad)) >= 0);
	assert_int_equal(open_files(), before + 2);
	access_perf_drop(acc, (unsigned)last);
	assert_int_equal(open_files(), before);
	assert_true(value(acc, first, PERF_ENABLED) != ABSENT);
	access_close(acc);
}

/* On the real kernel: pages that say index 0. */
static void
software_has_no_counter_to_be_read_at(void **state)
{
	struct perf_group g = { .n = 2, .pinned = true, .attr = { { .type =
	    PERF_SOFTWARE }, { .type = PERF_SOFTWARE, .config = { 2 } } } };
	static const struct perf_msrs none = { 0 };
	struct access *acc = really();
	unsigned before = open_files(), bad;
	uint64_t clock;
	int h;

	(void)state;
	if (acc == NULL)
		skip();
	assert_int_equal(access_perf_direct(acc, &none), 0);
	assert_true((h = access_perf_open(acc, &g, 1, &bad)) >= 0);
	assert_true(value(acc, h, PERF_ENABLED) != ABSENT);
	clock = value(acc, h, PERF_FIRST);
	usleep(2000);
	assert_true(value(acc, h, PERF_ENABLED) != ABSENT);
	assert_true(value(acc, h, PERF_FIRST) >= clock + 2000000);
	assert_string_equal(access_note(acc, REG_PERF), "hybrid: 0 of 1 groups "
	    "of events are read where their counters are, the others by the "
	    "kernel");
	access_close(acc);
	assert_int_equal(open_files(), before);
}

/* In a process whose limit is lower than it may have it. */
static int
raised(void)
{
	struct perf_group g = { .n = 9 };
	struct access *acc = really();
	struct rlimit low, now;
	unsigned bad;

	for (unsigned k = 0; k < 9; k++)
		g.attr[k] = (struct perf_attr){ .type = PERF_SOFTWARE,
		    .config = { k, 0, 0 } };
	if (getrlimit(RLIMIT_NOFILE, &low) < 0)
		return 2;
	low.rlim_cur = 10;
	if (setrlimit(RLIMIT_NOFILE, &low) < 0)
		return 3;
	if (access_perf_open(acc, &g, 1, &bad) < 0)
		return 4;
	return getrlimit(RLIMIT_NOFILE, &now) == 0 &&
	    now.rlim_cur == low.rlim_max ? 0 : 5;
}

static void
the_limit_of_files_is_raised_as_far_as_it_may_be(void **state)
{
	struct access *acc = really();
	int status;
	pid_t pid;

	(void)state;
	if (acc == NULL)
		skip();
	access_close(acc);
	if ((pid = fork()) == 0)
		_exit(raised());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void
refusals_are_explained(void **state)
{
	static const struct {
		int line;
		struct perf_group g;
		const char *say;
	} t[] = {
		{ __LINE__, { .cpu = 0, .n = 1, .attr = { { .type = PERF_SOFTWARE,
		    .config = { 12, 0, 0 } } } }, "not supported" },
		{ __LINE__, { .cpu = 0, .n = 1, .attr = { { .type = 99999 } } },
		    "not supported" },
		{ __LINE__, { .cpu = 8000, .n = 1, .attr = {
		    { .type = PERF_SOFTWARE } } },
		    "cpu 8000" },
	};
	struct access *acc = really();
	struct diag why;
	unsigned bad = 0;

	/* what is no answer of the kernel */
	if (acc != NULL) {
		perf_explain(acc, -EDQUOT, "x", &t[0].g, 0, &why);
		assert_non_null(strstr(why.text,
		    "more than 65536 groups of events"));
	}
	(void)state;
	if (acc == NULL)
		skip();
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		int rc = access_perf_open(acc, &t[i].g, 1, &bad);

		assert_true(rc < 0);
		perf_explain(acc, rc, "x", &t[i].g, bad, &why);
		if (strstr(why.text, t[i].say) == NULL)
			fail_msg("line %d: %s", t[i].line, why.text);
	}
	access_close(acc);
}

/* @software on the machine that runs this, planned. */
static int
shipped(struct rig *r, struct diag *why)
{
	int rc;

	*r = (struct rig){ .o = { .node.access = ACCESS_AUTO, .node.method = methods,
	    .node.root = "/", .count.config = { { "@software" }, 1 } } };
	if ((rc = node_open(&r->node, &r->o, why)) < 0)
		return rc;
	r->node.topo.model = choose_model(&r->node, &r->o);
	if ((rc = node_configure(&r->node, &r->o, r->node.topo.model,
	    why)) < 0 || (rc = choose_access(&r->node, &r->o, why)) < 0)
		return rc;
	return node_plan(&r->node, why);
}

static void
the_shipped_configuration_counts_all_nine(void **state)
{
	static const char *const names[] = { "cpu-clock", "task-clock",
	    "page-faults", "context-switches", "cpu-migrations",
	    "minor-faults", "major-faults", "alignment-faults",
	    "emulation-faults" };
	struct access *acc = really();
	struct diag why;
	struct rig r;

	(void)state;
	if (acc == NULL)
		skip();
	access_close(acc);
	if (shipped(&r, &why) < 0)
		fail_msg("%s", why.text);
	assert_true(r.node.config.perf);
	for (size_t i = 0; i < 9; i++) {
		char column[96];

		snprintf(column, sizeof(column), "software_counts[0][\"%s\"]",
		    names[i]);
		assert_true(rig_has(&r, column));
	}
	node_close(&r.node);
}

/* In a process that may not raise its limit. */
static int
with_few_files(unsigned most)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
	    0 };
	struct __user_cap_data_struct caps[2];
	struct rlimit few = { most, most };
	struct diag why = { "" };
	char say[64];
	struct rig r;

	if (syscall(SYS_capget, &head, caps) < 0)
		return 2;
	caps[0].effective &= ~(1u << CAP_SYS_RESOURCE);
	caps[0].permitted &= ~(1u << CAP_SYS_RESOURCE);
	if (syscall(SYS_capset, &head, caps) < 0 ||
	    setrlimit(RLIMIT_NOFILE, &few) < 0)
		return 3;
	if (shipped(&r, &why) == 0)
		return 4;
	snprintf(say, sizeof(say), "the limit of %u open files is reached",
	    most);
	return strstr(why.text, say) != NULL && strstr(why.text, " are needed)") != NULL ? 0 : 5;
}

static void
a_limit_of_files_is_told_with_what_is_needed(void **state)
{
	/* the second is enough to count, but not to write a dump then */
	unsigned most[] = { 12,
	    9 * (unsigned)sysconf(_SC_NPROCESSORS_ONLN) + 12 };
	struct access *acc = really();
	int status;
	pid_t pid;

	(void)state;
	if (acc == NULL)
		skip();
	access_close(acc);
	for (unsigned i = 0; i < 2; i++) {
		if ((pid = fork()) == 0)
			_exit(with_few_files(most[i]));
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
}

/* In a process that was given this capability alone: what it keeps. */
static int
with_perfmon_alone(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
	    0 };
	struct __user_cap_data_struct caps[2] = { { 0 } };
	struct owner nobody_else = { -1, -1, 0 };
	struct diag why;

	caps[1].effective = caps[1].permitted = 1u << (CAP_PERFMON - 32);
	if (syscall(SYS_capset, &head, caps) < 0)
		return 2;
	if (rights_drop(&nobody_else, true, true, &why) < 0 ||
	    syscall(SYS_capget, &head, caps) < 0)
		return 3;
	return caps[0].effective == 0 && caps[1].effective ==
	    1u << (CAP_PERFMON - 32) ? 0 : 4;
}

static void
whoever_has_cap_perfmon_keeps_it_at_any_level(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	if ((pid = fork()) == 0)
		_exit(with_perfmon_alone());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 2)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(software_events_are_really_counted),
		cmocka_unit_test(a_group_that_is_refused_leaves_nothing_open),
		cmocka_unit_test(
		    the_group_that_was_opened_last_can_be_given_up),
		cmocka_unit_test(software_has_no_counter_to_be_read_at),
		cmocka_unit_test(
		    the_limit_of_files_is_raised_as_far_as_it_may_be),
		cmocka_unit_test(refusals_are_explained),
		cmocka_unit_test(the_shipped_configuration_counts_all_nine),
		cmocka_unit_test(a_limit_of_files_is_told_with_what_is_needed),
		cmocka_unit_test(whoever_has_cap_perfmon_keeps_it_at_any_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
