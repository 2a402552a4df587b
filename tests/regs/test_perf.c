/*
 * tests/regs/test_perf.c - counting through the kernel: formats of events, names, sums,
 * what is said of refusals.  test_perf_here.c counts on the machine that runs this.
 * Numbers are those of the reference perf-event.md, by section.
 */
#include "tests/lib/rig.h"

#include "config/lang/events.h"
#include "config/lang/terms.h"
#include "config/lang/want.h"
#include "regs/linux/linux.h"
#include "regs/perf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define DEVICES "/sys/bus/event_source/devices/"

/* ---- formats and terms (2, 2.1) */

static const struct { const char *file, *text; } tree[] = {
	{ "p/type", "42\n" },
	{ "p/format/event", "config:0-7,21\n" },
	{ "p/format/umask", "config:8-15,32-57\n" },
	{ "p/format/edge", "config:18\n" },
	{ "p/format/offcore_rsp", "config1:0-63\n" },
	{ "p/format/filter_opc", "config2:4-7\n" },
	{ "p/format/odd", "config3:0-7\n" },
	{ "p/events/cas_count_read", "event=0x04,umask=0x03\n" },
	{ "p/events/cas_count_read.scale", "6.103515625e-5\n" },
	{ "p/events/cas_count_read.unit", "MiB\n" },
	{ "p/events/open", "event=0x35,umask=?\n" },
	{ "p/cpumask", "0,24\n" },
	{ "uncore_iio_0/type", "50\n" }, { "uncore_iio_1/type", "51\n" },
	{ "uncore_iio_10/type", "52\n" },
	{ "uncore_iio_free_running_0/type", "60\n" },
};

static struct access *
open_tree(char *dir)
{
	struct access *acc;

	for (size_t i = 0; i < sizeof(tree) / sizeof(tree[0]); i++) {
		char path[128];

		snprintf(path, sizeof(path), DEVICES "%s", tree[i].file);
		tree_text(dir, path, tree[i].text);
	}
	assert_int_equal(linux_open(&acc, dir, NULL), 0);
	return acc;
}

static void
terms_fill_their_bits(void **state)
{
	static const struct {
		int line;
		const char *terms;
		uint64_t config[3];
		const char *say;
	} t[] = {
		{ __LINE__, "event=0x24,umask=0xe1", { 0xe124 }, NULL },
		{ __LINE__, "event=0x138", { 0x200038 }, NULL },
		{ __LINE__, "event=0x35,umask=0xc817fe01",
		    { 0x00c817fe00000135 }, NULL },
		{ __LINE__, "offcore_rsp=0x73C000001", { 0, 0x73C000001 },
		    NULL },
		{ __LINE__, "filter_opc=0xa,edge", { 0x40000, 0, 0xa0 }, NULL },
		{ __LINE__, "config=0x1234,config1=0x5", { 0x1234, 5 }, NULL },
		{ __LINE__, "cas_count_read", { 0x0304 }, NULL },
		{ __LINE__, "cas_count_read,umask=0x0c", { 0x0c04 }, NULL },
		{ __LINE__, "umask=0x0c,cas_count_read", { 0x0c04 }, NULL },
		{ __LINE__, "open,umask=0x21", { 0x2135 }, NULL },
		{ __LINE__, "event=0x24,name=FOO", { 0x24 }, NULL },
		{ __LINE__, "open", { 0 }, "needs a value for umask" },
		{ __LINE__, "event=0x200", { 0 }, "bits 0-7, 21 of config" },
		{ __LINE__, "evnt=1", { 0 }, "did you mean event?" },
		{ __LINE__, "cas_count_raed", { 0 },
		    "did you mean cas_count_read?" },
		/* what sysfs says of an event is none */
		{ __LINE__, "cas_count_read.scal", { 0 },
		    "did you mean cas_count_read?" },
		{ __LINE__, "cas_count_read.uni", { 0 },
		    "did you mean cas_count_read?" },
		{ __LINE__, "cas_count_read,open", { 0 }, "two events in one" },
		{ __LINE__, "event=", { 0 }, "value" },
		{ __LINE__, "event=1,,edge", { 0 }, "comma" },
		{ __LINE__, ",", { 0 }, "comma" },
		{ __LINE__, "zzzzzzzz=1", { 0 }, "its terms are" },
	};
	char *dir = tree_new();
	struct access *acc = open_tree(dir);
	struct pmu pmu;

	(void)state;
	assert_int_equal(pmu_load(&pmu, acc, "p"), 0);
	assert_int_equal(pmu.type, 42);
	assert_int_equal(pmu.nformat, 5);
	assert_string_equal(pmu.cpumask, "0,24");
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct word w = { t[i].terms, strlen(t[i].terms) };
		struct place at = { "t", 1 };
		struct diag why = { "" };
		struct pmu_event ev;
		int rc = terms_encode(&pmu, acc, w, at, &ev, &why);

		if (t[i].say != NULL ? rc == 0 || strstr(why.text, t[i].say) ==
		    NULL : rc < 0 || memcmp(ev.attr.config, t[i].config,
		    sizeof(ev.attr.config)) != 0)
			fail_msg("line %d: %d 0x%llx %s", t[i].line, rc,
			    (unsigned long long)ev.attr.config[0], why.text);
		if (strcmp(t[i].terms, "cas_count_read") == 0) {
			assert_string_equal(ev.scale, "6.103515625e-5");
			assert_string_equal(ev.unit, "MiB");
		}
	}
	access_close(acc);
	tree_free(dir);
}

/* 2: what is cut off, or empty, is not taken for what is not there. */
static void
a_pmu_that_cannot_be_understood_is_refused(void **state)
{
	static const struct { int line; const char *file, *text, *say; } t[] = {
		{ __LINE__, "a/cpumask", "\n",
		    "its cpumask is empty: no CPU serves this PMU" },
		{ __LINE__, "b/cpus", "",
		    "its cpus is empty: no CPU serves this PMU" },
		{ __LINE__, "c/cpumask", "0-", "its cpumask is no list of "
		    "CPUs: 0-" },
		{ __LINE__, "d/cpumask", NULL, "its cpumask cannot be read: "
		    "Argument list too long" },
		{ __LINE__, "e/format/event", NULL,
		    "its format/event is too long" },
	};
	char *dir = tree_new(), path[128], longer[4200];
	struct place at = { "t", 1 };
	struct pmu_event ev;
	struct access *acc;
	struct diag why;
	struct pmu pmu;

	(void)state;
	strcpy(longer, "config:1");
	for (size_t n = 8; n < 4190; n += 2)
		strcpy(longer + n, ",1");
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		snprintf(path, sizeof(path), DEVICES "%s", t[i].file);
		tree_text(dir, path, t[i].text != NULL ? t[i].text :
		    i == 3 ? longer + 9 : longer);
		snprintf(path, sizeof(path), DEVICES "%c/type", t[i].file[0]);
		tree_text(dir, path, "42\n");
	}
	acc = open_tree(dir);
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		snprintf(path, sizeof(path), "%c", t[i].file[0]);
		if (pmu_load(&pmu, acc, path) != -EINVAL ||
		    strcmp(pmu.wrong, t[i].say) != 0)
			fail_msg("line %d: %s", t[i].line, pmu.wrong);
	}
	/* an event's last terms would be lost */
	tree_text(dir, DEVICES "p/events/endless", longer);
	assert_int_equal(pmu_load(&pmu, acc, "p"), 0);
	assert_int_equal(terms_encode(&pmu, acc, (struct word){ "endless", 7 },
	    at, &ev, &why), -EINVAL);
	assert_non_null(strstr(why.text, "t:1: what the kernel says of "
	    "endless is longer than 511 characters"));
	access_close(acc);
	tree_free(dir);
}

static void
note_pmu(void *ctx, const char *name, int n)
{
	char *buf = ctx;

	sprintf(buf + strlen(buf), "%s:%d ", name, n);
}

/* 2.3: digits directly after the prefix, in numeric order */
static void
a_name_means_every_box_of_its_kind(void **state)
{
	char *dir = tree_new(), got[256] = "";
	struct access *acc = open_tree(dir);

	(void)state;
	assert_int_equal(pmu_each(acc, "uncore_iio", note_pmu, got), 3);
	assert_string_equal(got, "uncore_iio_0:0 uncore_iio_1:1 "
	    "uncore_iio_10:10 ");
	got[0] = '\0';
	assert_int_equal(pmu_each(acc, "iio", note_pmu, got), 3);
	got[0] = '\0';
	assert_int_equal(pmu_each(acc, "uncore_iio_10", note_pmu, got), 1);
	assert_string_equal(got, "uncore_iio_10:10 ");
	assert_int_equal(pmu_each(acc, "uncore_cha", NULL, NULL), 0);
	access_close(acc);
	tree_free(dir);
}

/* ---- names (5.1, 5.2, 5.3) */

static void
the_kernels_names_have_its_numbers(void **state)
{
	static const struct { const char *name; uint32_t type;
	    uint64_t config; } t[] = {
		{ "cpu-cycles", 0, 0 }, { "CYCLES", 0, 0 },
		{ "Branches", 0, 4 }, { "branch-instructions", 0, 4 },
		{ "bus-cycles", 0, 6 }, { "ref-cycles", 0, 9 },
		{ "L1-dcache-loads", 3, 0x00000 },
		{ "L1-dcache-prefetch-misses", 3, 0x10200 },
		{ "L1-icache-prefetches", 3, 0x00201 },
		{ "LLC-store-misses", 3, 0x10102 },
		{ "dTLB-prefetch-misses", 3, 0x10203 },
		{ "iTLB-load-misses", 3, 0x10004 },
		{ "branch-load-misses", 3, 0x10005 },
		{ "node-prefetch-misses", 3, 0x10206 },
		{ "cpu-clock", 1, 0 }, { "faults", 1, 2 }, { "cs", 1, 3 },
		{ "migrations", 1, 4 }, { "emulation-faults", 1, 8 },
		{ "cgroup-switches", 1, 11 },
	};
	unsigned count[5] = { 0 }, all = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const struct perf_name *n = perf_named(t[i].name);

		if (n == NULL || n->type != t[i].type ||
		    n->config != t[i].config)
			fail_msg("%s", t[i].name);
	}
	assert_null(perf_named("cpu-cylces"));
	for (; perf_names[all].name != NULL; all++)
		if (all < PERF_NAMES_COLLECTD)
			count[perf_names[all].type]++;
	assert_int_equal(count[PERF_HARDWARE], 7);
	assert_int_equal(count[PERF_HW_CACHE], 26);
	assert_int_equal(count[PERF_SOFTWARE], 9);
	assert_int_equal(all, 54);
}

/* ---- cores (10.1) */

static void
cores_are_grouped_as_collectd_does(void **state)
{
	static const struct {
		int line;
		const char *text;
		unsigned groups, n, first, last;        /* of group 0 */
		const char *label;
	} t[] = {
		{ __LINE__, "", 0, 0, 0, 0, NULL },
		{ __LINE__, "0-3", 1, 4, 0, 3, "0-3" },
		{ __LINE__, "[4-7]", 4, 1, 4, 4, "4" },
		{ __LINE__, "0,1,2,3", 1, 4, 0, 3, "0,1,2,3" },
		{ __LINE__, "4,6", 1, 2, 4, 6, "4,6" },
		{ __LINE__, "0-10,20-18", 1, 14, 0, 20, "0-10,20-18" },
		{ __LINE__, "0x10-0x12", 1, 3, 16, 18, "0x10-0x12" },
		{ __LINE__, "0x10-12", 1, 5, 12, 16, "0x10-12" },
		{ __LINE__, "010", 1, 1, 8, 8, "010" },
		{ __LINE__, "3,3,3", 1, 1, 3, 3, "3,3,3" },
		{ __LINE__, " 1 , 2 ", 1, 2, 1, 2, "1 , 2" },
		{ __LINE__, " [4-7] ", 4, 1, 4, 4, "4" },
		{ __LINE__, " ", 0, 0, 0, 0, NULL },
		{ __LINE__, "1,,2", 1, 2, 1, 2, "1,,2" },
		{ __LINE__, "32", 1, 1, 32, 32, "32" },
	};
	static const char *const bad[] = { "[0-3", "0-3]", "x", ",", "[]",
	    "0-", "9999999", "1-2-3", "[1],[2]", "0x", "-1" };
	struct place at = { "t", 1 };
	struct arena *arena = arena_new();
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct cores c = { 0 };
		int rc = cores_add(&c, arena, (struct word){ t[i].text,
		    strlen(t[i].text) }, at, &why);

		if (rc < 0 || c.n != t[i].groups || (c.n > 0 &&
		    (c.group[0].n != t[i].n ||
		    c.group[0].lproc[0] != t[i].first ||
		    c.group[0].lproc[t[i].n - 1] != t[i].last ||
		    strcmp(c.group[0].label, t[i].label) != 0)))
			fail_msg("line %d: %d %u", t[i].line, rc, c.n);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct cores c = { 0 };

		if (cores_add(&c, arena, (struct word){ bad[i],
		    strlen(bad[i]) }, at, &why) == 0)
			fail_msg("\"%s\" is accepted", bad[i]);
	}
	arena_free(arena);
}

/* ---- the same line, whatever the access */

static void
a_name_is_the_same_core_event_as_a_line(void **state)
{
	static const struct { const char *text; uint64_t ctl; } t[] = {
		{ "event instructions\n", 0x4300c0 },
		{ "event cache-misses\n", 0x43412e },
		{ "event r1c2\n", 0x4301c2 },
		{ "event cpu/event=0xb0,umask=0x10,name=X/\n", 0x4310b0 },
		{ "event uncore_imc/event=0x04,umask=0x03,name=RD/\n",
		    0x400304 },
		{ "event imc/event=0x04,umask=0x03/\n", 0x400304 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct config cfg;
		struct diag why;

		assert_int_equal(config_init(&cfg, model_named("skx")), 0);
		if (config_parse(&cfg, "t", t[i].text, strlen(t[i].text),
		    &why) < 0)
			fail_msg("%s", why.text);
		assert_int_equal(cfg.nwant, 1);
		assert_int_equal(cfg.want[0].kind, WANT_EVENT);
		if (cfg.want[0].ctl != t[i].ctl)
			fail_msg("%s 0x%llx", t[i].text,
			    (unsigned long long)cfg.want[0].ctl);
		config_fini(&cfg);
	}
}

/* ---- sums (3.1, 10.2) */

/* Two groups of one event: 0 -ENODEV or -ENODATA, else what is shown. */
static int64_t
shown(struct perf_part *part, const uint64_t *a, const uint64_t *b, bool gone,
    uint64_t offset)
{
	struct perf_sum sum = { .n = 1 };
	uint64_t raw;
	int rc;

	perf_sum_add(&sum, &part[0], a, false);
	perf_sum_add(&sum, &part[1], b, gone);
	rc = perf_sum_get(&sum, offset, &raw);
	return rc < 0 ? rc : (int64_t)raw;
}

/* enabled, running, count of each; then the sum of counts, scaled */
static void
parts_of_a_sum_are_scaled_by_their_own_times(void **state)
{
	static const struct {
		int line;
		uint64_t a[PERF_CELLS], b[PERF_CELLS];
		bool gone;
		int64_t sum, scaled;
	} t[] = {
		{ __LINE__, { 1000, 1000, 90 }, { 1000, 500, 10 }, false, 100,
		    90 + 20 },
		/* b does not run: its 20 are those of the time before */
		{ __LINE__, { 2000, 2000, 180 }, { 2000, 500, 10 }, false, 190,
		    -ENODATA },
		{ __LINE__, { 3000, 3000, 270 }, { 3000, 1000, 20 }, false, 290,
		    270 + 20 + 40 },
		{ __LINE__, { 4000, 4000, 360 }, { 3000, 1000, 20 }, true,
		    -ENODEV, -ENODEV },
		/* halves of a count are not lost */
		{ __LINE__, { 5000, 5000, 450 }, { 3300, 1200, 21 }, false, 471,
		    450 + 60 + 1 },
		{ __LINE__, { 6000, 6000, 540 }, { 3600, 1400, 22 }, false, 562,
		    540 + 60 + 3 },
	};
	static const uint64_t never[PERF_CELLS] = { 1000, 0, 0 };
	struct perf_part part[2] = { 0 }, other[2] = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct perf_part before[2] = { part[0], part[1] };
		int64_t sum = shown(before, t[i].a, t[i].b, t[i].gone,
		    PERF_FIRST);
		int64_t scaled = shown(part, t[i].a, t[i].b, t[i].gone,
		    PERF_FIRST + 1);

		if (sum != t[i].sum || scaled != t[i].scaled)
			fail_msg("line %d: %lld %lld", t[i].line,
			    (long long)sum, (long long)scaled);
	}
	/* one that never ran leaves none of the counts, but the times */
	assert_int_equal(shown(other, t[0].a, never, false, PERF_FIRST),
	    -ENODATA);
	assert_int_equal(shown(other, t[0].a, never, false, PERF_ENABLED),
	    2000);
}

/* ---- refusals */

/* What the kernel can answer (4.2), for member 1 of a group of PMU `p` and one
 * of uncore_iio_10: the message names the PMU of that member. */
static void
each_refusal_says_what_is_refused_and_what_to_do(void **state)
{
	static const struct perf_group group = { .cpu = 3, .n = 2, .attr = {
		{ .type = 42, .config = { 0x11, 0, 0 } },
		{ .type = 52, .config = { 0x0483, 0xf, 0 } } } };
	static const struct perf_group kernels = { .cpu = 3, .n = 1, .attr = {
		{ .type = PERF_HARDWARE, .config = { 1, 0, 0 } } } };
	static const struct perf_group nobody = { .cpu = 3, .n = 1, .attr = {
		{ .type = 99 } } };
	static const struct {
		int line, rc;
		const struct perf_group *g;
		unsigned bad;
		const char *say;
	} t[] = {
		{ __LINE__, -EINVAL, &group, 1, "x: PMU uncore_iio_10 rejects "
		    "it (config=0x483, config1=0xf, cpu 3; event 2 of a group "
		    "of 2, which may be more than fit its counters)" },
		{ __LINE__, -EINVAL, &group, 0, "x: PMU p rejects it "
		    "(config=0x11, config1=0x0, cpu 3; event 1 of a group of "
		    "2)" },
		{ __LINE__, -EBUSY, &group, 1, "x: PMU uncore_iio_10 is in "
		    "exclusive use by another program" },
		{ __LINE__, -EOPNOTSUPP, &group, 0, "x: PMU p can only count, "
		    "not as asked here" },
		{ __LINE__, -ENOENT, &group, 0, "x: not supported by this CPU "
		    "or PMU (p)" },
		{ __LINE__, -ENOENT, &nobody, 0, "x: not supported by this CPU "
		    "or PMU (type 99)" },
		{ __LINE__, -ENOENT, &kernels, 0, "x: no hardware PMU is "
		    "visible, this is probably a virtual machine; software "
		    "events work (-c @software)" },
		{ __LINE__, -EINVAL, &kernels, 0, "x: PMU hardware rejects it "
		    "(config=0x1, config1=0x0, cpu 3; event 1 of a group of "
		    "1)" },
		{ __LINE__, -ENODEV, &group, 0, "x: CPU 3 is offline, or the "
		    "PMU is not available on it" },
		{ __LINE__, -ENXIO, &group, 0, "x: CPU 3 is offline, or the "
		    "PMU is not available on it" },
		{ __LINE__, -E2BIG, &group, 0, "x: this kernel is too old for "
		    "an event with config2" },
		{ __LINE__, -ENFILE, &group, 0, "x: the system's file table is "
		    "full: raise fs.file-max (sysctl)" },
		{ __LINE__, -EPERM, &group, 0, "x: not permitted by the kernel "
		    "(a container's seccomp profile, or lockdown?)" },
		{ __LINE__, -ENOSYS, &group, 0, "x: this kernel does not offer "
		    "perf_event_open (built without it, or a container's "
		    "seccomp profile)" },
		{ __LINE__, -EACCES, &group, 0, "x: not permitted: "
		    "/proc/sys/kernel/perf_event_paranoid is 2; counting the "
		    "whole node needs root, CAP_PERFMON (setpriv "
		    "--ambient-caps +perfmon), or a level of 0 or less" },
		{ __LINE__, -EIO, &group, 0, "x: perf_event_open: "
		    "Input/output error" },
	};
	char *dir = tree_new();
	struct access *acc = open_tree(dir);
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		assert_int_equal(perf_explain(acc, t[i].rc, "x", t[i].g,
		    t[i].bad, &why), t[i].rc);
		if (strcmp(why.text, t[i].say) != 0)
			fail_msg("line %d: %s", t[i].line, why.text);
	}
	access_close(acc);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terms_fill_their_bits),
		cmocka_unit_test(a_pmu_that_cannot_be_understood_is_refused),
		cmocka_unit_test(a_name_means_every_box_of_its_kind),
		cmocka_unit_test(the_kernels_names_have_its_numbers),
		cmocka_unit_test(cores_are_grouped_as_collectd_does),
		cmocka_unit_test(a_name_is_the_same_core_event_as_a_line),
		cmocka_unit_test(parts_of_a_sum_are_scaled_by_their_own_times),
		cmocka_unit_test(
		    each_refusal_says_what_is_refused_and_what_to_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
