/*
 * tests/config/test_perf_lists.c - Intel's event lists through the kernel's PMUs: every
 * event of every list at hand, against the bits of its control register.
 *
 * The bits are put together here from the members of the list and the layout of
 * the registers (reference intel-server-pmon 5.2, perf-event 8.3, 8.4); the
 * format trees are those of the kernel's drivers for each generation
 * (perf-event 6.1, 6.2).
 */
#include "tests/lib/rig.h"

#include "config/eventlist.h"
#include "config/json.h"
#include "config/lang/terms.h"
#include "config/texts.h"
#include "daemon/plan/plan_int.h"
#include "regs/linux/linux.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define STD "event=config:0-7 umask=config:8-15 edge=config:18 inv=config:23 "
#define STD8 STD "thresh=config:24-31"
#define CORE STD "any=config:21 cmask=config:24-31 in_tx=config:32 " \
    "in_tx_cp=config:33 offcore_rsp=config1:0-63 ldlat=config1:0-15"
#define PCU "event=config:0-7 occ_sel=config:14-15 edge=config:18 " \
    "inv=config:23 thresh=config:24-28 occ_invert=config:30 " \
    "occ_edge=config:31 filter_band0=config1:0-7 filter_band1=config1:8-15 " \
    "filter_band2=config1:16-23 filter_band3=config1:24-31"

/* skx_uncore_pcu_formats_attr in Linux's uncore_snbep.c; Ice Lake's is it. */
#define SKX_PCU STD8 " occ_invert=config:30 occ_edge_det=config:31 " \
    "filter_band0=config1:0-7 filter_band1=config1:8-15 " \
    "filter_band2=config1:16-23 filter_band3=config1:24-31"

static const struct { const char *cpu, *pmu, *formats; } written[] = {
	{ "hsx", "cpu", CORE },
	{ "hsx", "uncore_cbox", "event=config:0-7 umask=config:8-15 "
	    "edge=config:18 tid_en=config:19 thresh=config:24-31 "
	    "filter_tid=config1:0-5 filter_link=config1:6-8 "
	    "filter_state=config1:17-23 filter_nid=config1:32-47 "
	    "filter_opc=config1:52-60 filter_c6=config1:61 "
	    "filter_nc=config1:62 filter_isoc=config1:63" },
	{ "hsx", "uncore_sbox", "event=config:0-7 umask=config:8-15 "
	    "edge=config:18 tid_en=config:19 inv=config:23 "
	    "thresh=config:24-31" },
	{ "hsx", "uncore_ha", STD8 },
	{ "hsx", "uncore_imc", STD8 },
	{ "hsx", "uncore_irp", STD8 },
	{ "hsx", "uncore_r2pcie", STD8 },
	{ "hsx", "uncore_r3qpi", STD8 },
	{ "hsx", "uncore_pcu", PCU },
	{ "hsx", "uncore_ubox", STD "thresh=config:24-28 "
	    "filter_tid=config1:0 filter_cid=config1:1-5" },
	{ "hsx", "uncore_qpi", "event=config:0-7,21 umask=config:8-15 "
	    "edge=config:18 inv=config:23 thresh=config:24-31" },
	{ "skx", "cpu", CORE " frontend=config1:0-23" },
	{ "skx", "uncore_cha", STD8 " tid_en=config:19 "
	    "filter_tid=config1:0-8 filter_link=config1:9-12 "
	    "filter_state=config1:17-26 filter_rem=config1:32 "
	    "filter_loc=config1:33 filter_all_op=config1:35 "
	    "filter_nm=config1:36 filter_not_nm=config1:37 "
	    "filter_opc0=config1:41-50 filter_opc1=config1:51-60 "
	    "filter_nc=config1:62 filter_isoc=config1:63" },
	{ "skx", "uncore_imc", STD8 },
	{ "skx", "uncore_m2m", STD8 },
	{ "skx", "uncore_m3upi", STD8 },
	{ "skx", "uncore_irp", STD8 },
	{ "skx", "uncore_ubox", STD "thresh=config:24-28" },
	{ "skx", "uncore_iio", STD "thresh=config:24-35 "
	    "ch_mask=config:36-43 fc_mask=config:44-46" },
	{ "skx", "uncore_upi", "event=config:0-7 "
	    "umask=config:8-15,32-43,45-55 edge=config:18 inv=config:23 "
	    "thresh=config:24-31" },
	{ "skx", "uncore_pcu", SKX_PCU },
	{ "icx", "cpu", CORE " frontend=config1:0-23" },
	{ "icx", "uncore_cha", "event=config:0-7 umask=config:8-15,32-57 "
	    "edge=config:18 tid_en=config:19 inv=config:23 "
	    "thresh=config:24-31 filter_tid=config1:0-9" },
	{ "icx", "uncore_imc", STD8 },
	{ "icx", "uncore_m2m", "event=config:0-7 umask=config:8-15,32-39 "
	    "edge=config:18 inv=config:23 thresh=config:24-31" },
	{ "icx", "uncore_m3upi", STD8 },
	{ "icx", "uncore_irp", STD8 },
	{ "icx", "uncore_m2pcie", STD8 },
	{ "icx", "uncore_ubox", STD "thresh=config:24-28" },
	{ "icx", "uncore_iio", STD "thresh=config:24-35 "
	    "ch_mask=config:36-47 fc_mask=config:48-50" },
	{ "icx", "uncore_upi", "event=config:0-7 umask=config:8-15,32-55 "
	    "edge=config:18 inv=config:23 thresh=config:24-31" },
	{ "icx", "uncore_pcu", SKX_PCU },
	{ "slm", "cpu", "event=config:0-7 umask=config:8-15 edge=config:18 "
	    "pc=config:19 inv=config:23 cmask=config:24-31 "
	    "offcore_rsp=config1:0-63" },
};
#define NWRITTEN (sizeof(written) / sizeof(written[0]))

/* A node with the PMUs of one generation, in files. */
struct node_tree {
	const char *cpu;
	char *dir;
	struct access *acc;
};

static void
tree_open(struct node_tree *t, const char *cpu)
{
	t->cpu = cpu;
	t->dir = tree_new();
	for (size_t i = 0; i < NWRITTEN; i++) {
		char *copy, *w, *save, path[160];

		if (strcmp(written[i].cpu, cpu) != 0)
			continue;
		snprintf(path, sizeof(path), PMU_DIR "/%s/type",
		    written[i].pmu);
		tree_text(t->dir, path, "9\n");
		copy = strdup(written[i].formats);
		for (w = strtok_r(copy, " ", &save); w != NULL;
		    w = strtok_r(NULL, " ", &save)) {
			char *eq = strchr(w, '=');

			*eq = '\0';
			snprintf(path, sizeof(path), PMU_DIR "/%s/format/%s",
			    written[i].pmu, w);
			tree_text(t->dir, path, eq + 1);
		}
		free(copy);
	}
	assert_int_equal(linux_open(&t->acc, t->dir, NULL), 0);
}

static void
tree_close(struct node_tree *t)
{
	access_close(t->acc);
	tree_free(t->dir);
}

/* The first number of a member; 0 where it says nothing. */
static uint64_t
number(const struct json *j, const char *member)
{
	const char *s = json_text(j, member);

	return s == NULL ? 0 : strtoull(s, NULL, 0);
}

static bool
is_fixed(const struct json *j)
{
	const char *counter = json_text(j, "Counter");

	return counter != NULL && strncasecmp(counter, "fixed", 5) == 0;
}

/*
 * What the registers get: the control without rings and enable, and the filter
 * or extra MSR; of two codes and MSRs the first.
 */
static void
by_register(const struct json *j, const char *cpu, bool core, uint64_t *ctl,
    uint64_t *extra)
{
	const char *filter = json_text(j, "Filter");
	uint64_t ports = number(j, "PortMask"), fc = number(j, "FCMask");
	const char *unit = json_text(j, "Unit");

	*ctl = number(j, "EventCode") | number(j, "UMask") << 8 |
	    number(j, "EdgeDetect") << 18 | number(j, "Invert") << 23 |
	    number(j, "CounterMask") << 24;
	*extra = number(j, "MSRValue");
	if (core) {
		*ctl |= number(j, "AnyThread") << 21;
		return;
	}
	*ctl |= number(j, "ExtSel") << 21;
	if (unit != NULL && strcmp(unit, "IIO") == 0)
		*ctl |= ports << 36 | fc << (strcmp(cpu, "skx") == 0 ? 44 : 48);
	else
		*ctl |= number(j, "UMaskExt") << 32;
	*extra = number(j, "FILTER_VALUE");
	if (*extra != 0 && filter != NULL &&
	    strcasestr(filter, "filter1") != NULL)
		*extra <<= 32;
	/* states: all of them, else LLC_LOOKUP counts nothing */
	if (filter != NULL && strcasecmp(filter, "CHAFilter0[26:17]") == 0)
		*extra = 0x3ffull << 17;
	if (filter != NULL && (strcasecmp(filter, "CBoFilter0[23:17]") == 0 ||
	    strcasecmp(filter, "CBoFilter0[22:18]") == 0))
		*extra = 0x7full << 17;
}

/* The fixed counters as the kernel has them: 8.3 of the reference. */
static uint64_t
fixed_config(const struct json *j, bool core)
{
	static const uint64_t of[] = { 0, 0xc0, 0x3c, 0x300, 0x400 };
	uint64_t umask = number(j, "UMask");

	if (!core)
		return 0xff;
	assert_in_range(umask, 1, 4);
	return of[umask] | number(j, "AnyThread") << 21;
}

static const struct listed_event *
at_line(const struct eventlist *list, unsigned line, unsigned *from)
{
	const struct listed_event *ev;

	for (; (ev = eventlist_at(list, *from)) != NULL; ++*from)
		if (ev->line == line)
			return ev;
	return NULL;
}

/* By the list alone, as on a CPU that no table describes. */
static void
check_terms(const struct json *j, const struct listed_event *ev,
    const struct node_tree *t, struct pmu *pmu)
{
	bool core = ev->pmu != NULL && strcmp(ev->pmu, "cpu") == 0;
	const char *name = json_text(j, "EventName");
	struct pmu_event says;
	uint64_t ctl, extra = 0;
	struct diag why;

	if (ev->terms == NULL) {
		assert_string_equal(json_text(j, "CounterType"), "FREERUN");
		return;
	}
	if (strcmp(pmu->name, ev->pmu) != 0 &&
	    pmu_load(pmu, t->acc, ev->pmu) < 0)
		fail_msg("%s: no PMU %s", name, ev->pmu);
	if (terms_encode(pmu, t->acc, (struct word){ ev->terms,
	    strlen(ev->terms) }, (struct place){ name, 0 }, &says,
	    &why) < 0)
		fail_msg("%s: %s: %s", name, ev->terms, why.text);
	if (is_fixed(j))
		ctl = fixed_config(j, core);
	else
		by_register(j, t->cpu, core, &ctl, &extra);
	if (says.attr.config[0] != ctl || says.attr.config[1] != extra ||
	    says.attr.config[2] != 0)
		fail_msg("%s: 0x%llx 0x%llx by terms, 0x%llx 0x%llx by "
		    "registers", name, (unsigned long long)says.attr.config[0],
		    (unsigned long long)says.attr.config[1],
		    (unsigned long long)ctl, (unsigned long long)extra);
}

/* By the table of the model, from what raw access writes. */
static bool
check_control(const struct json *j, const struct config *cfg,
    const struct listed_event *ev, const struct node_tree *t, struct pmu *pmu)
{
	struct want w = { .kind = WANT_EVENT, .name = ev->name, .file = "t",
	    .type = ev->type, .ctl = ev->ctl, .filters = ev->filters,
	    .weak = ev->weak };
	char name[64];
	struct perf_attr attr;
	uint64_t ctl, extra;
	struct diag why;

	/* a fixed event that a fixed counter cannot count is its twin's */
	if (ev->type == NULL || ev->fixed >= 0 || is_fixed(j))
		return false;
	memcpy(w.filter, ev->filter, sizeof(w.filter));
	box_pmu(ev->type, name, sizeof(name));
	if (strcmp(pmu->name, name) != 0 && pmu_load(pmu, t->acc, name) < 0)
		fail_msg("%s: no PMU %s", ev->name, name);
	if (perf_encode(cfg, &w, pmu, &attr, &why) < 0)
		fail_msg("%s: %s", ev->name, why.text);
	by_register(j, t->cpu, ev->type == cfg->model->core, &ctl, &extra);
	/* what no event asks for, the box's filter holds as it is idle */
	for (unsigned f = 0; f < MAX_FILTERS && ev->type->filter[f].name !=
	    NULL; f++)
		if (ev->type->filter[f].event == 0 && extra >> 32 * f == 0)
			extra |= ev->type->filter[f].idle << 32 * f;
	if (attr.config[0] != ctl || attr.config[1] != extra)
		fail_msg("%s: 0x%llx 0x%llx by its control, 0x%llx 0x%llx by "
		    "registers", ev->name, (unsigned long long)attr.config[0],
		    (unsigned long long)attr.config[1],
		    (unsigned long long)ctl, (unsigned long long)extra);
	return true;
}

static void
check_list(const char *cpu, const char *path, unsigned events,
    unsigned controls)
{
	const struct model *m = model_named(cpu);
	struct arena *arena = arena_new();
	const struct json *root, *j;
	struct eventlist *plain = NULL;
	struct pmu *pmu = calloc(2, sizeof(*pmu));
	struct node_tree tree;
	struct config cfg = { .arena = NULL };
	unsigned n = 0, nctl = 0, at = 0, at_model = 0;
	struct diag why;
	size_t size;
	char *text;

	tree_open(&tree, cpu);
	assert_int_equal(text_load(path, NULL, &text, &size, &why), 0);
	assert_int_equal(json_parse(arena, path, text, size, &root, &why), 0);
	if (eventlist_parse(&plain, &model_any, path, text, size, &why) < 0)
		fail_msg("%s", why.text);
	if (m != NULL) {
		assert_int_equal(config_init(&cfg, m), 0);
		if (eventlist_load(&cfg.list, m, NULL, path, &why) < 0)
			fail_msg("%s", why.text);
	}
	for (j = json_get(root, "Events")->child; j != NULL; j = j->next) {
		const struct listed_event *ev = at_line(plain, j->line, &at);

		assert_non_null(ev);
		assert_null(ev->type);
		check_terms(j, ev, &tree, &pmu[0]);
		n += ev->terms != NULL;
		if (m == NULL)
			continue;
		ev = at_line(cfg.list, j->line, &at_model);
		assert_non_null(ev);
		nctl += check_control(j, &cfg, ev, &tree, &pmu[1]);
	}
	if (n != events || (m != NULL && nctl != controls))
		fail_msg("%s: %u events by terms, %u by controls", path, n,
		    nctl);
	if (m != NULL)
		config_fini(&cfg);
	eventlist_free(plain);
	free(text);
	free(pmu);
	arena_free(arena);
	tree_close(&tree);
}

static void
every_listed_event_has_the_bits_of_its_register(void **state)
{
	static const struct {
		const char *cpu, *path;
		unsigned events;        /* that the kernel's terms can say */
		unsigned controls;      /* that the model's registers can */
	} t[] = {
		{ "hsx", "HSX/events/haswellx_core.json", 386, 382 },
		{ "hsx", "HSX/events/haswellx_uncore.json", 1278, 1278 },
		{ "skx", "SKX/events/skylakex_core.json", 470, 466 },
		{ "skx", "SKX/events/skylakex_uncore.json", 269, 269 },
		{ "skx", "SKX/events/skylakex_uncore_experimental.json",
		    3039, 3037 },
		{ "skx", "CLX/events/cascadelakex_core.json", 2344, 2340 },
		{ "skx", "CLX/events/cascadelakex_uncore.json", 285, 285 },
		{ "skx", "CLX/events/cascadelakex_uncore_experimental.json",
		    3134, 3132 },
		{ "icx", "ICX/events/icelakex_core.json", 363, 358 },
		{ "icx", "ICX/events/icelakex_uncore.json", 270, 268 },
		{ "icx", "ICX/events/icelakex_uncore_experimental.json",
		    3699, 3699 },
		{ "slm", "SLM/events/Silvermont_core.json", 130, 127 },
	};
	char path[512];

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		check_list(t[i].cpu, perfmon(t[i].path, path), t[i].events,
		    t[i].controls);
}

/* Linux keeps these to fewer counters than the lists do (reference 6.2, 7.2). */
static const struct {
	const char *cpu, *box;
	uint8_t event;
} narrower[] = {
	{ "hsx", "CBO", 0x09 }, { "hsx", "CBO", 0x38 }, { "hsx", "CBO", 0x3b },
	{ "bdx", "PCU", 0x80 },
	{ "skx", "IIO", 0x88 }, { "skx", "IIO", 0xc5 }, { "skx", "IIO", 0xd4 },
};

static bool
may_be_narrower(const char *cpu, const struct listed_event *ev)
{
	for (size_t i = 0; i < sizeof(narrower) / sizeof(narrower[0]); i++)
		if (strcmp(narrower[i].cpu, cpu) == 0 &&
		    strcmp(narrower[i].box, ev->type->name) == 0 &&
		    narrower[i].event == (ev->ctl & 0xff))
			return true;
	return false;
}

/* The counters for all that a list has with this event and unit mask: a table
 * does not tell events of other counter masks apart. */
static unsigned
listed_counters(const struct eventlist *list, const struct listed_event *of)
{
	const struct listed_event *ev;
	unsigned counters = of->counters;

	for (unsigned i = 0; (ev = eventlist_at(list, i)) != NULL; i++)
		if (ev->type == of->type && ev->fixed < 0 &&
		    ((ev->ctl ^ of->ctl) & 0xffff) == 0)
			counters &= ev->counters;
	return counters;
}

static void
check_counters(const char *cpu, const char *path)
{
	const struct model *m = model_named(cpu);
	const struct listed_event *ev;
	struct eventlist *list = NULL;
	struct diag why;

	if (eventlist_load(&list, m, NULL, path, &why) < 0)
		fail_msg("%s", why.text);
	for (unsigned i = 0; (ev = eventlist_at(list, i)) != NULL; i++) {
		unsigned counters, table;

		if (ev->type == NULL || ev->fixed >= 0)
			continue;
		counters = listed_counters(list, ev);
		table = box_event_mask(ev->type, ev->ctl);
		/* PREC_DIST on 1, TOTAL_CYCLES_PS on the others */
		if (counters == 0 && (ev->ctl & 0xffff) == 0x1c0 &&
		    table == 0x2)
			continue;
		if (table != counters && !((table & ~counters) == 0 &&
		    may_be_narrower(cpu, ev)))
			fail_msg("%s: %s 0x%llx: counters 0x%x by the list, "
			    "0x%x by the model", cpu, ev->name,
			    (unsigned long long)ev->ctl, counters, table);
	}
	eventlist_free(list);
}

static void
a_model_keeps_events_to_the_counters_of_the_lists(void **state)
{
	static const struct {
		const char *cpu, *path;
	} t[] = {
		{ "hsx", "HSX/events/haswellx_core.json" },
		{ "hsx", "HSX/events/haswellx_uncore.json" },
		{ "bdx", "BDX/events/broadwellx_core.json" },
		{ "bdx", "BDX/events/broadwellx_uncore.json" },
		{ "skx", "SKX/events/skylakex_core.json" },
		{ "skx", "SKX/events/skylakex_uncore.json" },
		{ "skx", "SKX/events/skylakex_uncore_experimental.json" },
		{ "skx", "CLX/events/cascadelakex_core.json" },
		{ "skx", "CLX/events/cascadelakex_uncore.json" },
		{ "skx", "CLX/events/cascadelakex_uncore_experimental.json" },
		{ "icx", "ICX/events/icelakex_core.json" },
		{ "icx", "ICX/events/icelakex_uncore.json" },
		{ "icx", "ICX/events/icelakex_uncore_experimental.json" },
		{ "slm", "SLM/events/Silvermont_core.json" },
	};
	char path[512];

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		check_counters(t[i].cpu, perfmon(t[i].path, path));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_listed_event_has_the_bits_of_its_register),
		cmocka_unit_test(
		    a_model_keeps_events_to_the_counters_of_the_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
