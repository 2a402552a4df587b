/*
 * tests/test_perf.c - counting through the kernel: formats, names, groups,
 * mistakes; and really, software events on the machine that runs this.
 * Numbers are those of the reference perf-event.md, by section.
 */
#include "tests/test.h"

#include "config/cores.h"
#include "config/eventlist.h"
#include "config/machine.h"
#include "config/terms.h"
#include "config/texts.h"
#include "daemon/choose.h"
#include "daemon/plan_perf.h"
#include "regs/linux.h"
#include "regs/perf.h"
#include "regs/sim.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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
		struct perf_attr a;
		struct pmu_event ev;
		int rc = terms_encode(&pmu, acc, w, at, &a, &ev, &why);

		if (t[i].say != NULL ? rc == 0 || strstr(why.text, t[i].say) ==
		    NULL : rc < 0 || memcmp(a.config, t[i].config,
		    sizeof(a.config)) != 0)
			fail_msg("line %d: %d 0x%llx %s", t[i].line, rc,
			    (unsigned long long)a.config[0], why.text);
		if (strcmp(t[i].terms, "cas_count_read") == 0) {
			assert_string_equal(ev.scale, "6.103515625e-5");
			assert_string_equal(ev.unit, "MiB");
		}
	}
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
		{ __LINE__, " 1 , 2", 1, 2, 1, 2, " 1 , 2" },
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

/* ---- x86 through the kernel, simulated */

static const char skx_pmus[] =
"pmu cpu type=4 counters=4 cpus=0-95 format=event:config:0-7 "
"format=umask:config:8-15 format=edge:config:18 format=any:config:21 "
"format=inv:config:23 format=cmask:config:24-31 "
"format=offcore_rsp:config1:0-63\n"
"pmu uncore_imc_0 type=10 counters=4 cpumask=0,24 "
"format=event:config:0-7 format=umask:config:8-15\n"
"pmu uncore_imc_1 type=11 counters=4 cpumask=0,24 "
"format=event:config:0-7 format=umask:config:8-15\n"
"named uncore_imc_0 cas_count_read event=0x04,umask=0x03\n"
"named uncore_imc_1 cas_count_read event=0x04,umask=0x03\n"
"pmu uncore_cha_0 type=20 counters=4 cpumask=0,24 format=event:config:0-7 "
"format=umask:config:8-15 format=filter_loc:config1:33 "
"format=filter_rem:config1:32\n"
"pmu power type=30 cpumask=0,24 format=event:config:0-7\n"
"named power energy-pkg event=0x02\n"
"named power energy-ram event=0x03\n"
"pmu msr type=31 format=event:config:0-63\n"
"named msr aperf event=0x01\nnamed msr pperf event=0x03\n"
"named msr smi event=0x04\n"
"pmu cstate_core type=32 cpumask=0-47 format=event:config:0-63\n"
"named cstate_core c6-residency event=0x02\n"
"pmu cstate_pkg type=33 cpumask=0,24 format=event:config:0-63\n"
"named cstate_pkg c2-residency event=0x00\n"
"named cstate_pkg c6-residency event=0x02\n"
"pmu uncore_iio_free_running_1 type=34 counters=2 cpumask=0,24 "
"format=event:config:0-7 format=umask:config:8-15\n"
"named uncore_iio_free_running_1 bw_in_port0 event=0xff,umask=0x20\n"
"named uncore_iio_free_running_1 bw_in_port1 event=0xff,umask=0x21\n"
"named uncore_iio_free_running_1 bw_in_port2 event=0xff,umask=0x22\n"
"count cpu 0xc0 all=1000 step=1\ncount cpu 0x3c all=2000\n"
"count uncore_imc_0 0x304 all=100 pkgstep=7\n"
"count uncore_imc_1 0x304 all=200 pkgstep=7\n"
"count uncore_cha_0 0x2135 config1=0x200000000 all=50\n"
"count power 0x2 all=4294967296\ncount power 0x3 all=300\n"
"count msr 0x1 all=5000\ncount msr 0x3 all=6000\ncount msr 0x4 all=70\n"
"count cstate_core 0x2 all=800\ncount cstate_pkg 0x0 all=900\n"
"count cstate_pkg 0x2 all=1100\n"
"count uncore_iio_free_running_1 0x20ff all=40\n"
"count uncore_iio_free_running_1 0x22ff all=60\n";

/*
 * The simulated Skylake node, counted through these PMUs as `model` has it;
 * NULL with words in why when the configuration is refused.
 */
static struct rig *
counted(const char *pmus, const struct model *model, const char *list,
    const char *config, struct diag *why)
{
	struct rig *r = calloc(1, sizeof(*r));
	const struct text *t = text_find("skx-8160-2s.machine");
	char *text = NULL;
	struct sim *sim;

	assert_true(asprintf(&text, "%.*s\n%s", (int)(t->end - t->data),
	    t->data, pmus) > 0);
	if (machine_parse(&sim, "test.machine", text, strlen(text), why) < 0)
		fail_msg("%s", why->text);
	free(text);
	sim_virtual(sim, true);
	r->o.access = ACCESS_PERF;
	r->node.acc = sim_access(sim);
	assert_int_equal(topo_load(&r->node.topo, r->node.acc, why), 0);
	if (model != NULL)
		r->node.topo.model = model;
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	if (list != NULL && eventlist_parse(&r->node.config.list,
	    r->node.topo.model, "list.json", list, strlen(list), why) < 0)
		fail_msg("%s", why->text);
	if (config_parse(&r->node.config, "test.conf", config, strlen(config),
	    why) < 0 || choose_access(&r->node, &r->o, why) < 0 ||
	    node_plan(&r->node, why) < 0) {
		rig_close(r);
		return NULL;
	}
	r->row = calloc(r->node.plan.ncell, sizeof(r->row[0]));
	assert_int_equal(reading_init(&r->reading, &r->node.plan, r->node.acc,
	    READ_REMOTE, -1, r->row, why), 0);
	sim_advance(sim, 1000000000);
	rig_sample(r);
	return r;
}

static struct rig *
skx(const char *config, struct diag *why)
{
	return counted(skx_pmus, NULL, NULL, config, why);
}

/* Within a thousandth: groups are opened one after the other. */
#define NEAR(value, want) assert_in_range(value, (want), (want) + (want) / 50)

static void
uncore_pmus_give_the_families_of_their_boxes(void **state)
{
	struct diag why;
	struct rig *r = skx("imc CAS_COUNT.READS event=0x04,umask=0x03\n"
	    "cha TOR event=0x35,umask=0x21,filter1=0x2\n"
	    "core INST_RETIRED.ANY_P event=0xc0\nread rapl_pkg_energy\n"
	    "optional upi CLOCKTICKS event=0x01\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "imc_counts[0][0][\"CAS_COUNT.READS\"]"), 100);
	NEAR(rig_value(r, "imc_counts[1][1][\"CAS_COUNT.READS\"]"), 207);
	NEAR(rig_value(r, "cha_counts[1][0][\"TOR\"]"), 50);
	NEAR(rig_value(r, "core_counts[0][\"INST_RETIRED.ANY_P\"]"), 1000);
	NEAR(rig_value(r, "rapl_pkg_energy[1]"), 4294967296);
	assert_false(rig_has(r, "upi_counts[0][0][\"CLOCKTICKS\"]"));
	assert_true(r->node.plan.nnote > 0);
	assert_non_null(strstr(r->node.plan.head,
	    "rapl_pkg_energy_unit_log2 = 32"));
	rig_close(r);
}

/* PMUs and list of a Sapphire Rapids node, which no table describes; the
 * encodings are the worked examples of 8.3 and 8.4. */
static const char spr_pmus[] =
"pmu cpu type=4 counters=8 cpus=0-95 format=event:config:0-7 "
"format=umask:config:8-15 format=edge:config:18 format=inv:config:23 "
"format=cmask:config:24-31 format=frontend:config1:0-23\n"
"pmu uncore_cha_0 type=20 counters=4 cpumask=0,24 format=event:config:0-7 "
"format=umask:config:8-15,32-55 format=thresh:config:24-31\n"
"pmu uncore_cha_1 type=21 counters=4 cpumask=0,24 format=event:config:0-7 "
"format=umask:config:8-15,32-55 format=thresh:config:24-31\n"
"pmu uncore_iio_0 type=30 counters=4 cpumask=0,24 format=event:config:0-7 "
"format=umask:config:8-15 format=ch_mask:config:36-47 "
"format=fc_mask:config:48-50\n"
"pmu uncore_pcu type=40 counters=4 cpumask=0,24 format=event:config:0-7 "
"format=occ_sel:config:14-15\n"
"count cpu 0xc0 all=1000\ncount cpu 0x10402ad all=700\n"
"count cpu 0x1c6 config1=0x11 all=30\n"
"count uncore_cha_0 0xc817fe00000135 all=50\n"
"count uncore_cha_1 0xc817fe00000135 all=60 pkgstep=5\n"
"count uncore_iio_0 0x7001000000483 all=9\n"
"count uncore_pcu 0x4080 all=11\n";

static const char spr_list[] = "[\n"
"{\"EventName\":\"INST_RETIRED.ANY\",\"EventCode\":\"0x00\","
" \"UMask\":\"0x01\",\"Counter\":\"Fixed counter 0\"},\n"
"{\"EventName\":\"X.CYCLES\",\"EventCode\":\"0xad\",\"UMask\":\"0x02\","
" \"CounterMask\":\"1\",\"EdgeDetect\":\"1\"},\n"
"{\"EventName\":\"FRONTEND_RETIRED.DSB_MISS\",\"EventCode\":\"0xc6\","
" \"UMask\":\"0x01\",\"MSRIndex\":\"0x3F7\",\"MSRValue\":\"0x11\"},\n"
"{\"EventName\":\"UNC_CHA_TOR_INSERTS.IA_MISS_DRD\",\"Unit\":\"CHA\","
" \"EventCode\":\"0x35\",\"UMask\":\"0x01\",\"UMaskExt\":\"0x00c817fe\"},\n"
"{\"EventName\":\"UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART0\",\"Unit\":\"IIO\","
" \"EventCode\":\"0x83\",\"UMask\":\"0x04\",\"PortMask\":\"0x1\","
" \"FCMask\":\"0x7\",\"UMaskExt\":\"0x00070010\"},\n"
"{\"EventName\":\"UNC_P_POWER_STATE_OCCUPANCY.CORES_C0\",\"Unit\":\"PCU\","
" \"EventCode\":\"0x80\",\"UMask\":\"0x40\"},\n"
"{\"EventName\":\"UNC_IIO_BANDWIDTH_IN.PART0_FREERUN\",\"Unit\":\"IIO\","
" \"EventCode\":\"0x00\",\"CounterType\":\"FREERUN\"}\n]\n";

static void
a_cpu_without_tables_counts_by_event_lists(void **state)
{
	struct diag why;
	struct rig *r = counted(spr_pmus, &model_any, spr_list,
	    "event INST_RETIRED.ANY,X.CYCLES,FRONTEND_RETIRED.DSB_MISS "
	    "TOR_INSERTS.IA_MISS_DRD DATA_REQ_OF_CPU.MEM_READ.PART0 "
	    "UNC_P_POWER_STATE_OCCUPANCY.CORES_C0\n"
	    "event cpu/event=0xc0,name=THE_SAME/\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "core_counts[95][\"INST_RETIRED.ANY\"]"), 1000);
	NEAR(rig_value(r, "core_counts[7][\"THE_SAME\"]"), 1000);
	NEAR(rig_value(r, "core_counts[7][\"X.CYCLES\"]"), 700);
	NEAR(rig_value(r, "core_counts[7][\"FRONTEND_RETIRED.DSB_MISS\"]"),
	    30);
	NEAR(rig_value(r, "cha_counts[1][1][\"TOR_INSERTS.IA_MISS_DRD\"]"),
	    65);
	NEAR(rig_value(r,
	    "iio_counts[1][0][\"DATA_REQ_OF_CPU.MEM_READ.PART0\"]"), 9);
	NEAR(rig_value(r,
	    "pcu_counts[1][\"UNC_P_POWER_STATE_OCCUPANCY.CORES_C0\"]"), 11);
	rig_close(r);

	/* and what the kernel's other PMUs have */
	r = counted(skx_pmus, &model_any, NULL, "read rapl_pkg_energy mperf\n",
	    &why);
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "rapl_pkg_energy[1]"), 4294967296);
	assert_int_equal(r->node.plan.nnote, 1);
	assert_string_equal(r->node.plan.note[0],
	    "mperf: the kernel has no PMU event msr/mperf/");
	rig_close(r);

	/* lprocs of a list are added up there, too */
	r = counted(spr_pmus, &model_any, spr_list,
	    "cores \"0-3\" \"[4]\"\nevent INST_RETIRED.ANY\n", &why);
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "core_group_counts[\"0-3\"][\"INST_RETIRED.ANY\"]"),
	    4000);
	NEAR(rig_value(r, "core_counts[4][\"INST_RETIRED.ANY\"]"), 1000);
	assert_false(rig_has(r, "core_counts[0][\"INST_RETIRED.ANY\"]"));
	rig_close(r);

	/* what follows the name changes what the list says */
	r = counted(spr_pmus, &model_any, spr_list,
	    "event X.CYCLES:event=0xc0,umask=0,cmask=0,edge=0\n", &why);
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r,
	    "core_counts[0][\"X.CYCLES:event=0xc0,umask=0,cmask=0,edge=0\"]"),
	    1000);
	rig_close(r);

	/* a comma is as good, and a group goes on behind it */
	r = counted(spr_pmus, &model_any, spr_list, "event "
	    "X.CYCLES,event=0xc0,umask=0,cmask=0,edge=0,INST_RETIRED.ANY\n",
	    &why);
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r,
	    "core_counts[0][\"X.CYCLES:event=0xc0,umask=0,cmask=0,edge=0\"]"),
	    1000);
	NEAR(rig_value(r, "core_counts[0][\"INST_RETIRED.ANY\"]"), 1000);
	rig_close(r);

	assert_null(counted(spr_pmus, &model_any, spr_list,
	    "core X event=0xc0\n", &why));
	assert_non_null(strstr(why.text, "\"core\" is no box here"));
	assert_null(counted(spr_pmus, &model_any, spr_list,
	    "event UNC_IIO_BANDWIDTH_IN.PART0_FREERUN\n", &why));
	assert_non_null(strstr(why.text, "it is a free-running counter of "
	    "IIO"));
	assert_null(counted(spr_pmus, &model_any, spr_list,
	    "event X.CYCLES:ubask=1\n", &why));
	assert_non_null(strstr(why.text, "did you mean umask?"));
}

/* Handles: each is one system call a sample. */
static unsigned
calls(const struct rig *r)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->node.plan.nread; i++)
		n += r->node.plan.read[i].space == REG_PERF &&
		    r->node.plan.read[i].offset == PERF_ENABLED;
	return n;
}

/* 96 lprocs, 48 of them the first of their core; 2 packages */
static void
what_always_runs_is_one_system_call_an_lproc_core_and_package(void **state)
{
	struct diag why;
	struct rig *r = skx("read pperf aperf core_c6_residency\n"
	    "read smi_count pkg_c2_residency pkg_c6_residency\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	assert_int_equal(calls(r), 96 + 48 + 2);
	NEAR(rig_value(r, "pperf[0]"), 6000);
	NEAR(rig_value(r, "aperf[95]"), 5000);
	NEAR(rig_value(r, "core_c6_residency[47]"), 800);
	assert_false(rig_has(r, "core_c6_residency[48]"));
	NEAR(rig_value(r, "smi_count[1]"), 70);
	NEAR(rig_value(r, "pkg_c2_residency[0]"), 900);
	NEAR(rig_value(r, "pkg_c6_residency[1]"), 1100);
	rig_close(r);
}

/* msr with the first PMU, every other PMU by itself */
static void
two_pmus_of_a_package_are_two_system_calls(void **state)
{
	struct diag why;
	struct rig *r = skx("read rapl_pkg_energy rapl_dram_energy smi_count "
	    "pkg_c6_residency\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	assert_int_equal(calls(r), 2 * 2);
	NEAR(rig_value(r, "rapl_dram_energy[1]"), 300);
	NEAR(rig_value(r, "smi_count[1]"), 70);
	NEAR(rig_value(r, "pkg_c6_residency[0]"), 1100);
	rig_close(r);
}

static void
read_all_reads_what_the_kernel_has(void **state)
{
	struct diag why;
	struct rig *r = skx("read all\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "aperf[95]"), 5000);
	NEAR(rig_value(r, "rapl_pkg_energy[1]"), 4294967296);
	assert_true(rig_has(r, "iio_PCIe0_port0_in_bytes[1]"));
	assert_true(rig_has(r, "pkg_c2_residency[0]"));
	assert_false(rig_has(r, "mperf[0]"));
	rig_close(r);
}

/* This one takes no group of three: one and two, and the two take turns with
 * the one, so none of the numbers. */
static void
a_group_that_the_kernel_refuses_is_read_in_parts(void **state)
{
	struct diag why;
	struct rig *r = skx("read iio_bytes\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	assert_int_equal(calls(r), 2 * 2);
	assert_true(rig_has(r, "iio_PCIe0_port0_in_bytes[1]"));
	assert_true(rig_has(r, "iio_PCIe0_port1_in_bytes[0]"));
	assert_true(rig_has(r, "iio_PCIe0_port2_in_bytes[0]"));
	rig_close(r);
}

static void
dispatch_off_adds_up_the_boxes_of_a_package(void **state)
{
	struct diag why;
	struct rig *r = skx("dispatch off\nevent uncore_imc/cas_count_read/\n",
	    &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "imc_sum_counts[0][\"cas_count_read\"]"), 300);
	NEAR(rig_value(r, "imc_sum_counts[1][\"cas_count_read\"]"), 314);
	assert_false(rig_has(r, "imc_counts[0][0][\"cas_count_read\"]"));
	rig_close(r);
}

/* A package of two dies: the masks have a CPU of each. */
static void
boxes_of_a_second_die_are_numbered_on(void **state)
{
	static const char pmus[] =
	    "pmu uncore_imc_0 type=10 counters=4 cpumask=0,5,24,29 "
	    "format=event:config:0-7 format=umask:config:8-15\n"
	    "pmu uncore_imc_1 type=11 counters=4 cpumask=0,5,24,29 "
	    "format=event:config:0-7 format=umask:config:8-15\n"
	    "pmu uncore_pcu type=12 counters=4 cpumask=0,5,24,29 "
	    "format=event:config:0-7\n"
	    "pmu uncore_x_0 type=13 counters=4 cpumask=0,5,24,29 "
	    "format=event:config:0-7\n"
	    "pmu uncore_x_1 type=14 counters=4 cpumask=0,5,24,29 "
	    "format=event:config:0-7\n"
	    "count uncore_imc_0 0x304 all=100\n"
	    "count uncore_imc_1 0x304 all=200 pkgstep=7\n"
	    "count uncore_pcu 0x4 all=11\ncount uncore_x_1 0x1 all=12\n";
	struct diag why;
	struct rig *r = counted(pmus, NULL, NULL, "imc R event=4,umask=3\n"
	    "pcu P event=4\nevent uncore_x/event=1,name=X/\n", &why);
	unsigned lost = 0;

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "imc_counts[0][0][\"R\"]"), 100);
	NEAR(rig_value(r, "imc_counts[0][2][\"R\"]"), 100);
	NEAR(rig_value(r, "imc_counts[1][3][\"R\"]"), 207);
	assert_false(rig_has(r, "imc_counts[1][4][\"R\"]"));
	NEAR(rig_value(r, "x_counts[1][3][\"X\"]"), 12);
	/* a package has one column of its PCU */
	NEAR(rig_value(r, "pcu_counts[1][\"P\"]"), 11);
	for (unsigned i = 0; i < r->node.inv.n; i++)
		lost += strstr(r->node.inv.unit[i].reason, "another die") !=
		    NULL;
	assert_int_equal(lost, 2);
	rig_close(r);
}

static void
dispatch_type_names_the_pmu_of_each_box(void **state)
{
	struct diag why;
	struct rig *r = skx("dispatch type\n"
	    "event uncore_imc/cas_count_read/ r3c\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "imc_counts[0][0][\"cas_count_read:type=10\"]"),
	    100);
	NEAR(rig_value(r, "imc_counts[1][1][\"cas_count_read:type=11\"]"),
	    207);
	assert_true(rig_has(r, "core_counts[3][\"r3c\"]"));
	assert_non_null(strstr(r->node.plan.head, "event_group[\"imc_counts\"]"
	    "[\"cas_count_read:type=11\"] = \"cas_count_read\"\n"));
	rig_close(r);
}

/* The two examples of collectd's documentation (reference perf-event 10.2), in
 * our grammar and with Intel's own list; see doc/access.md. */
static void
collectds_examples_give_the_columns_that_it_promises(void **state)
{
	static const char pmus[] =
	    "pmu cpu type=4 counters=4 cpus=0-95 format=event:config:0-7 "
	    "format=umask:config:8-15\n"
	    "pmu uncore_cha_0 type=20 counters=4 cpumask=0,24 "
	    "format=event:config:0-7 format=umask:config:8-15 "
	    "format=filter_loc:config1:33 format=filter_not_nm:config1:37 "
	    "format=filter_nm:config1:36 format=filter_opc0:config1:41-50\n"
	    "pmu uncore_iio_0 type=30 counters=4 cpumask=0,24 "
	    "format=event:config:0-7 format=umask:config:8-15 "
	    "format=ch_mask:config:36-43 format=fc_mask:config:44-46\n"
	    "count cpu 0xc424 all=10\ncount cpu 0x2424 all=2000\n"
	    "count cpu 0xe424 all=2010\ncount cpu 0x3824 all=77\n"
	    "count uncore_cha_0 0x2135 config1=0x4043200000000 all=50\n"
	    "count uncore_iio_0 0x7010000001c1 all=60\n";
	static const char *const all[] = { "L2_RQSTS.CODE_RD_HIT",
	    "L2_RQSTS.CODE_RD_MISS", "L2_RQSTS.ALL_CODE_RD" };
	static const unsigned counts[] = { 10, 2000, 2010 };
	char core[512], uncore[512], column[160], *config;
	struct diag why;
	struct rig *r;

	(void)state;
	if (shared_path("data/perfmon/SKX/events/skylakex_core.json", core,
	    sizeof(core)) == NULL || shared_path("data/perfmon/SKX/events/"
	    "skylakex_uncore.json", uncore, sizeof(uncore)) == NULL)
		skip();
	assert_true(asprintf(&config, "event-list %s\n"
	    "event L2_RQSTS.CODE_RD_HIT,L2_RQSTS.CODE_RD_MISS "
	    "L2_RQSTS.ALL_CODE_RD\ncores \"1\"\nevent L2_RQSTS.PF_MISS\n",
	    core) > 0);
	if ((r = counted(pmus, NULL, NULL, config, &why)) == NULL)
		fail_msg("%s", why.text);
	free(config);
	for (unsigned l = 0; l < 96; l += 19)
		for (unsigned i = 0; i < 3; i++) {
			snprintf(column, sizeof(column), "core_counts[%u]"
			    "[\"%s\"]", l, all[i]);
			NEAR(rig_value(r, column), counts[i]);
		}
	NEAR(rig_value(r, "core_counts[1][\"L2_RQSTS.PF_MISS\"]"), 77);
	assert_false(rig_has(r, "core_counts[0][\"L2_RQSTS.PF_MISS\"]"));
	assert_false(rig_has(r, "core_counts[2][\"L2_RQSTS.PF_MISS\"]"));
	/* the two of one word are a group, with times of its own */
	assert_true(rig_has(r,
	    "core_running[5][\"L2_RQSTS.CODE_RD_HIT\"]"));
	assert_true(rig_has(r,
	    "core_running[5][\"L2_RQSTS.ALL_CODE_RD\"]"));
	assert_false(rig_has(r,
	    "core_running[5][\"L2_RQSTS.CODE_RD_MISS\"]"));
	rig_close(r);

	/* cores of the machine at hand; the second socket has 24 */
	assert_true(asprintf(&config, "event-list %s\ncores \"0\" \"24\"\n"
	    "event UNC_CHA_TOR_INSERTS.IA_MISS:config1=0x4043200000000\n"
	    "event UNC_IIO_TXN_REQ_BY_CPU.MEM_WRITE.PART0\n", uncore) > 0);
	if ((r = counted(pmus, NULL, NULL, config, &why)) == NULL)
		fail_msg("%s", why.text);
	free(config);
	for (unsigned p = 0; p < 2; p++) {
		snprintf(column, sizeof(column), "cha_counts[%u][0][\"UNC_CHA_"
		    "TOR_INSERTS.IA_MISS:config1=0x4043200000000\"]", p);
		NEAR(rig_value(r, column), 50);
		snprintf(column, sizeof(column), "iio_counts[%u][0][\"UNC_IIO_"
		    "TXN_REQ_BY_CPU.MEM_WRITE.PART0\"]", p);
		NEAR(rig_value(r, column), 60);
	}
	rig_close(r);
}

static void
cores_are_added_up_or_kept_apart(void **state)
{
	struct diag why;
	struct rig *r = skx("cores \"0-3\" \"[4-5]\" \"6\"\n"
	    "event r3c,rc0\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "core_group_counts[\"0-3\"][\"r3c\"]"), 8000);
	NEAR(rig_value(r, "core_counts[4][\"r3c\"]"), 2000);
	NEAR(rig_value(r, "core_counts[6][\"r3c\"]"), 2000);
	assert_false(rig_has(r, "core_counts[0][\"r3c\"]"));
	assert_false(rig_has(r, "core_counts[7][\"r3c\"]"));
	rig_close(r);
}

static void
a_group_too_large_is_halved_with_a_note(void **state)
{
	struct diag why;
	struct rig *r = skx("event r3c,rc0,r1c2,r2c2,r4c2,r5c2,r6c2,r7c2,r8c2,r9c2\n",
	    &why);
	bool noted = false;

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	for (unsigned i = 0; i < r->node.plan.nnote; i++)
		noted |= strstr(r->node.plan.note[i], "too many") != NULL;
	assert_true(noted);
	assert_true(rig_has(r, "core_counts[95][\"r4c2\"]"));
	/* its parts have names of their own */
	assert_true(rig_has(r, "core_running[95][\"r3c.3\"]"));
	rig_close(r);
}

static void
what_cannot_be_counted_is_said(void **state)
{
	static const struct { int line; const char *config, *say; } t[] = {
		{ __LINE__, "event nosuch/event=1/\n",
		    "this node has no PMU nosuch; it has " },
		{ __LINE__, "event nosuch/event=1/\n",
		    "it has cpu uncore_imc uncore_cha power" },
		{ __LINE__, "event uncore_chaa/event=1/\n",
		    "no PMU uncore_chaa; did you mean uncore_cha?" },
		{ __LINE__, "set A\ncore X event=0xc0\nset B\n"
		    "event cpu/event=0x3c,name=A/\n",
		    "two counters would be the column core_enabled[0][\"A\"]" },
		{ __LINE__, "upi X event=1\n",
		    "has no PMU uncore_upi for it" },
		{ __LINE__, "imc X event=1,inv=1\n",
		    "no term for bits 23 of config" },
		{ __LINE__, "cha X event=0x35,filter1=0x20\n",
		    "no term for bits 37 of config1" },
		{ __LINE__, "event imc/cas_count_raed/\n",
		    "did you mean cas_count_read?" },
		{ __LINE__, "cores 200\nevent cpu-clock\n", "none of the" },
		{ __LINE__, "cores 0-200\nevent cpu-clock\n",
		    "lproc 96 is not there" },
		{ __LINE__, "event LLC-loads\n", "not supported" },
		{ __LINE__, "event instructions:umask=1\n", "no terms" },
		{ __LINE__, "event instrctions\n",
		    "did you mean instructions?" },
		{ __LINE__, "event cpu/\n", "no event" },
		{ __LINE__, "event \"instructions\n", "closing" },
		{ __LINE__, "event instructions,\n", "comma" },
		{ __LINE__, "software maybe\n", "software is on or off" },
		{ __LINE__, "dispatch maybe\n",
		    "dispatch is on, off or type" },
		{ __LINE__, "event\n", "event what?" },
		{ __LINE__, "cores\n", "cores which?" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct diag why = { "" };
		struct rig *r = skx(t[i].config, &why);

		if (r != NULL || strstr(why.text, t[i].say) == NULL)
			fail_msg("line %d: %s", t[i].line, r != NULL ?
			    "accepted" : why.text);
	}
}

/* ---- really */

/* The kernel's events, or NULL with a word where it does not give them. */
static struct access *
really(void)
{
	struct access *acc;
	struct diag why;

	assert_int_equal(linux_open(&acc, "/", &why), 0);
	if (perf_check(acc, 0, &why) == 0)
		return acc;
	print_message("NOT TESTED: %s\n", why.text);
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
	h = acc->ops->perf_open(acc, &g, 1, &bad);
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
	assert_true(value(acc, h, PERF_FIRST + 9) == ABSENT);
	access_close(acc);
}

static void
refusals_are_explained(void **state)
{
	static const struct {
		int line;
		struct perf_group g;
		const char *say;
	} t[] = {
		{ __LINE__, { 0, 1, { { .type = PERF_SOFTWARE,
		    .config = { 12, 0, 0 } } } }, "not supported" },
		{ __LINE__, { 0, 1, { { .type = 99999 } } }, "not supported" },
		{ __LINE__, { 8000, 1, { { .type = PERF_SOFTWARE } } },
		    "cpu 8000" },
	};
	struct access *acc = really();
	struct diag why;
	unsigned bad = 0;

	(void)state;
	if (acc == NULL)
		skip();
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		int rc = acc->ops->perf_open(acc, &t[i].g, 1, &bad);

		assert_true(rc < 0);
		perf_explain(acc, rc, "x", &t[i].g, bad, &why);
		if (strstr(why.text, t[i].say) == NULL)
			fail_msg("line %d: %s", t[i].line, why.text);
	}
	access_close(acc);
}

/* software.conf on the machine that runs this, planned. */
static int
shipped(struct rig *r, struct diag *why)
{
	int rc;

	*r = (struct rig){ .o = { .access = ACCESS_AUTO, .root = "/",
	    .config = { "software.conf" }, .nconfig = 1 } };
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
with_few_files(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
	    0 };
	struct __user_cap_data_struct caps[2];
	struct rlimit few = { 12, 12 };
	struct diag why = { "" };
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
	return strstr(why.text, "the limit of 12 open files is reached") !=
	    NULL && strstr(why.text, " are needed)") != NULL ? 0 : 5;
}

static void
a_limit_of_files_is_told_with_what_is_needed(void **state)
{
	struct access *acc = really();
	int status;
	pid_t pid;

	(void)state;
	if (acc == NULL)
		skip();
	access_close(acc);
	if ((pid = fork()) == 0)
		_exit(with_few_files());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terms_fill_their_bits),
		cmocka_unit_test(a_name_means_every_box_of_its_kind),
		cmocka_unit_test(the_kernels_names_have_its_numbers),
		cmocka_unit_test(cores_are_grouped_as_collectd_does),
		cmocka_unit_test(a_name_is_the_same_core_event_as_a_line),
		cmocka_unit_test(uncore_pmus_give_the_families_of_their_boxes),
		cmocka_unit_test(
		    what_always_runs_is_one_system_call_an_lproc_core_and_package),
		cmocka_unit_test(read_all_reads_what_the_kernel_has),
		cmocka_unit_test(two_pmus_of_a_package_are_two_system_calls),
		cmocka_unit_test(
		    a_group_that_the_kernel_refuses_is_read_in_parts),
		cmocka_unit_test(a_cpu_without_tables_counts_by_event_lists),
		cmocka_unit_test(dispatch_off_adds_up_the_boxes_of_a_package),
		cmocka_unit_test(boxes_of_a_second_die_are_numbered_on),
		cmocka_unit_test(dispatch_type_names_the_pmu_of_each_box),
		cmocka_unit_test(
		    collectds_examples_give_the_columns_that_it_promises),
		cmocka_unit_test(cores_are_added_up_or_kept_apart),
		cmocka_unit_test(a_group_too_large_is_halved_with_a_note),
		cmocka_unit_test(what_cannot_be_counted_is_said),
		cmocka_unit_test(software_events_are_really_counted),
		cmocka_unit_test(refusals_are_explained),
		cmocka_unit_test(the_shipped_configuration_counts_all_nine),
		cmocka_unit_test(a_limit_of_files_is_told_with_what_is_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
