/*
 * tests/config/test_builtin.c - events by name out of the box: the lists of Intel's that
 * are built in.
 */
#include "tests/lib/files.h"

#include "config/eventlist.h"
#include "config/lang/events.h"
#include "daemon/instead/instead.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Each list, by a CPU that has it; stepping 7 of SKX is Cascade Lake. */
static const struct {
	const char *model;
	unsigned number, stepping, events;
	const char *file[4];
} lists[] = {
	{ "hsx", 0x3f, 2, 1664, { "HSX/events/haswellx_core.json",
	  "HSX/events/haswellx_uncore.json" } },
	{ "skx", 0x55, 4, 3778, { "SKX/events/skylakex_core.json",
	  "SKX/events/skylakex_uncore.json",
	  "SKX/events/skylakex_uncore_experimental.json" } },
	{ "skx", 0x55, 7, 5763, { "CLX/events/cascadelakex_core.json",
	  "CLX/events/cascadelakex_uncore.json",
	  "CLX/events/cascadelakex_uncore_experimental.json" } },
	{ "icx", 0x6a, 6, 4350, { "ICX/events/icelakex_core.json",
	  "ICX/events/icelakex_uncore.json",
	  "ICX/events/icelakex_uncore_experimental.json" } },
	{ "icxd", 0x6c, 1, 4350, { "ICX/events/icelakex_core.json",
	  "ICX/events/icelakex_uncore.json",
	  "ICX/events/icelakex_uncore_experimental.json" } },
	{ "spr", 0x8f, 8, 2693, { "SPR/events/sapphirerapids_core.json",
	  "SPR/events/sapphirerapids_uncore.json",
	  "SPR/events/sapphirerapids_uncore_experimental.json" } },
	{ "emr", 0xcf, 2, 2708, { "EMR/events/emeraldrapids_core.json",
	  "EMR/events/emeraldrapids_uncore.json",
	  "EMR/events/emeraldrapids_uncore_experimental.json" } },
	{ "gnr", 0xad, 1, 1246, { "GNR/events/graniterapids_core.json",
	  "GNR/events/graniterapids_uncore.json",
	  "GNR/events/graniterapids_uncore_experimental.json" } },
	{ "slm", 0x4d, 8, 130, { "SLM/events/Silvermont_core.json" } },
	/* of CPUs that only the kernel's PMU counts */
	{ "any", 0x4f, 1, 1659, { "BDX/events/broadwellx_core.json",
	  "BDX/events/broadwellx_uncore.json" } },
	{ "srf", 0xaf, 3, 1014, { "SRF/events/sierraforest_core.json",
	  "SRF/events/sierraforest_uncore.json",
	  "SRF/events/sierraforest_uncore_experimental.json" } },
	{ "bdx", 0x4f, 1, 1659, { "BDX/events/broadwellx_core.json",
	  "BDX/events/broadwellx_uncore.json" } },
};

#define LISTS (sizeof(lists) / sizeof(lists[0]))

static const struct model *
model_of(size_t i)
{
	return strcmp(lists[i].model, "any") == 0 ? &model_any :
	    model_named(lists[i].model);
}

static struct cpu_id
cpu_of(size_t i)
{
	return (struct cpu_id){ .vendor = "GenuineIntel", .family = 6,
	    .model = lists[i].number, .stepping = lists[i].stepping };
}

static struct eventlist *
from_json(size_t i, const struct cpu_id *cpu)
{
	struct eventlist *list = NULL;
	struct diag why;
	char path[512];

	for (unsigned k = 0; lists[i].file[k] != NULL; k++)
		if (eventlist_load(&list, model_of(i), cpu,
		    perfmon(lists[i].file[k], path), &why) < 0)
			fail_msg("%s", why.text);
	return list;
}

static bool
same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool
same(const struct listed_event *a, const struct listed_event *b)
{
	return strcmp(a->name, b->name) == 0 && a->type == b->type &&
	    a->ctl == b->ctl && a->counters == b->counters &&
	    a->fixed == b->fixed && a->filters == b->filters &&
	    memcmp(a->filter, b->filter, sizeof(a->filter)) == 0 &&
	    a->weak == b->weak && a->alone == b->alone &&
	    a->deprecated == b->deprecated && same_text(a->pmu, b->pmu) &&
	    same_text(a->terms, b->terms) && same_text(a->why_not, b->why_not) &&
	    (a->other == NULL) == (b->other == NULL);
}

static void
every_cpu_has_all_events_of_its_own_list(void **state)
{
	const struct listed_event *a, *b;

	(void)state;
	for (size_t i = 0; i < LISTS; i++) {
		struct cpu_id cpu = cpu_of(i);
		struct eventlist *json = from_json(i, &cpu), *list;
		unsigned n = 0;

		assert_int_equal(builtin_lists(model_of(i), &cpu, &list), 0);
		for (; (a = eventlist_at(json, n)) != NULL; n++)
			if ((b = eventlist_at(list, n)) == NULL || !same(a, b))
				fail_msg("%s: %s", lists[i].file[0], a->name);
		assert_null(eventlist_at(list, n));
		if (n != lists[i].events)
			fail_msg("%s: %u", lists[i].file[0], n);
		assert_null(eventlist_used(list));
		eventlist_free(json);
		eventlist_free(list);
	}
}

/* The control values are those of the register references. */
static void
a_name_alone_is_enough(void **state)
{
	static const struct {
		const char *model, *text;
		uint64_t ctl;
	} t[] = {
		{ "hsx", "core MEM_LOAD_UOPS_RETIRED.L3_MISS", 0x4320d1 },
		{ "skx", "core MEM_LOAD_RETIRED.L3_MISS", 0x4320d1 },
		{ "icx", "core MEM_LOAD_RETIRED.L3_MISS", 0x4320d1 },
		{ "icxd", "core MEM_LOAD_RETIRED.L3_MISS", 0x4320d1 },
		{ "spr", "core MEM_LOAD_RETIRED.L3_MISS", 0x4320d1 },
		{ "emr", "core mem_load_retired.l3_miss", 0x4320d1 },
		{ "gnr", "core MEM_LOAD_RETIRED.L3_MISS", 0x4320d1 },
		{ "slm", "core MEM_UOPS_RETIRED.L2_MISS_LOADS", 0x430404 },
		{ "skx", "event MEM_LOAD_RETIRED.L3_MISS", 0x4320d1 },
		{ "skx", "core MEM_LOAD_RETIRED.L3_MISS:cmask=1", 0x14320d1 },
		{ "skx", "imc CAS_COUNT.RD", 0x400304 },
	};
	struct config cfg;
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const struct used *used;

		assert_int_equal(config_init(&cfg, model_named(t[i].model)), 0);
		if (config_parse(&cfg, "t", t[i].text, strlen(t[i].text),
		    &why) < 0)
			fail_msg("%s: %s", t[i].model, why.text);
		if (cfg.nwant != 1 || cfg.want[0].ctl != t[i].ctl)
			fail_msg("%s: %s: 0x%llx", t[i].model, t[i].text,
			    (unsigned long long)cfg.want[0].ctl);
		/* and the dump will say which list it was */
		assert_non_null(used = eventlist_used(cfg.builtin));
		assert_int_equal(used->name[0], '@');
		assert_null(used->next);
		config_fini(&cfg);
	}
}

/* A line with that name; the want that it becomes is the last of cfg. */
static const struct want *
counted(struct config *cfg, const struct listed_event *e, unsigned n)
{
	struct diag why;
	char *line;

	/* "@" and what follows tells two of one event apart */
	assert_true(asprintf(&line, "%s %s@%u\n", e->type->name, e->name, n) >
	    0);
	if (config_parse(cfg, "t", line, strlen(line), &why) < 0)
		fail_msg("%s", why.text);
	free(line);
	return &cfg->want[cfg->nwant - 1];
}

static bool
counts(const struct want *w, const struct listed_event *e)
{
	if (e == NULL || e->fixed >= 0)
		return e != NULL && w->kind == WANT_FIXED &&
		    w->counter == e->fixed;
	return w->kind == WANT_EVENT && w->ctl == e->ctl &&
	    w->filters == e->filters &&
	    memcmp(w->filter, e->filter, sizeof(w->filter)) == 0;
}

static void
a_thousand_names_drawn_by_lot_count_what_the_list_says(void **state)
{
	uint32_t lot = 1;

	(void)state;
	for (size_t i = 0; i < LISTS; i++) {
		struct cpu_id cpu = cpu_of(i);
		struct eventlist *json = from_json(i, &cpu);
		const struct listed_event *e;
		struct config cfg;

		assert_int_equal(config_init(&cfg, model_of(i)), 0);
		cfg.cpu = &cpu;
		for (unsigned n = 0; n < 1000; n++) {
			const struct want *w;

			lot = lot * 1664525 + 1013904223;
			e = eventlist_at(json, (lot >> 8) % lists[i].events);
			/* one of two that share a name is meant */
			if (e->type == NULL || (e = eventlist_find_in(json,
			    e->type, e->name)) == NULL)
				continue;
			w = counted(&cfg, e, n);
			/* by its second register, where the first is taken */
			if (!counts(w, e) && !counts(w, e->other))
				fail_msg("%s: %s: 0x%llx", lists[i].file[0],
				    e->name, (unsigned long long)w->ctl);
		}
		config_fini(&cfg);
		eventlist_free(json);
	}
}

/* What stands behind a colon is the name's where the list says so. */
static void
a_name_may_have_colons_and_values(void **state)
{
	static const char text[] =
	    "core OFFCORE_RESPONSE:request=ALL_DATA_RD:response=ANY_RESPONSE\n"
	    "event OFFCORE_RESPONSE:request=ALL_RFO:response=ANY_RESPONSE\n"
	    "core MEM_LOAD_RETIRED.LOCAL_PMM:cmask=2\n";
	struct cpu_id cpu = cpu_of(2);
	struct config cfg;
	struct diag why;

	(void)state;
	assert_int_equal(config_init(&cfg, model_of(2)), 0);
	cfg.cpu = &cpu;
	if (config_parse(&cfg, "t", text, strlen(text), &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(cfg.want[0].ctl, 0x4301b7);
	assert_int_equal(cfg.want[0].filter[0], 0x10491);
	assert_int_equal(cfg.want[1].ctl, 0x4301bb);
	assert_int_equal(cfg.want[1].filter[1], 0x10122);
	assert_int_equal(cfg.want[2].ctl, 0x24380d1);
	config_fini(&cfg);
}

static void
a_cpu_without_tables_has_the_terms_of_the_kernels_pmu(void **state)
{
	static const char text[] = "event MEM_LOAD_UOPS_RETIRED.L3_MISS\n";
	static const char wrong[] = "event MEM_LOAD_UOPS_RETIRED.L3_MIZZ\n";
	static const char none[] = "event QUITE_ANOTHER\n";
	struct cpu_id cpu = cpu_of(9);
	struct config cfg;
	struct diag why;

	(void)state;
	assert_int_equal(config_init(&cfg, model_of(9)), 0);
	cfg.cpu = &cpu;
	if (config_parse(&cfg, "t", text, strlen(text), &why) < 0)
		fail_msg("%s", why.text);
	assert_string_equal(cfg.want[0].perf->pmu, "cpu");
	assert_string_equal(cfg.want[0].perf->terms, "event=0xd1,umask=0x20");
	assert_int_equal(config_parse(&cfg, "t", wrong, strlen(wrong), &why),
	    -EINVAL);
	assert_non_null(strstr(why.text, "did you mean "
	    "MEM_LOAD_UOPS_RETIRED.L3_MISS, "));
	assert_int_equal(config_parse(&cfg, "t", none, strlen(none), &why),
	    -EINVAL);
	assert_non_null(strstr(why.text, "or a name that `tallyd --list "
	    "events` has"));
	config_fini(&cfg);
}

static void
without_such_a_name_no_list_is_looked_up(void **state)
{
	static const char text[] = "core A event=1\nimc fixed\nread aperf\n";
	struct config cfg;
	struct diag why;

	(void)state;
	assert_int_equal(config_init(&cfg, model_named("skx")), 0);
	assert_int_equal(config_parse(&cfg, "t", text, strlen(text), &why), 0);
	assert_false(cfg.looked_up);
	config_fini(&cfg);
}

static void
a_list_that_is_given_goes_before_what_is_built_in(void **state)
{
	static const char json[] = "[{\"EventName\": \"MEM_LOAD_RETIRED.L3_MISS\","
	    " \"EventCode\": \"0x12\", \"UMask\": \"0x34\"}]";
	static const char text[] = "core MEM_LOAD_RETIRED.L3_MISS\n"
	    "core MEM_LOAD_RETIRED.L3_HIT\n";
	struct config cfg;
	struct diag why;

	(void)state;
	assert_int_equal(config_init(&cfg, model_named("skx")), 0);
	assert_int_equal(eventlist_parse(&cfg.list, cfg.model, "l.json", json,
	    strlen(json), &why), 0);
	assert_int_equal(config_parse(&cfg, "t", text, strlen(text), &why), 0);
	assert_int_equal(cfg.want[0].ctl, 0x433412);
	assert_int_equal(cfg.want[1].ctl, 0x4304d1);
	config_fini(&cfg);
}

static void
an_unknown_name_gets_the_three_nearest(void **state)
{
	static const struct {
		const char *model, *text, *words;
	} t[] = {
		{ "skx", "core MEM_LOAD_RETIRED.L3_MIS", "t:1: CORE has no "
		  "event \"MEM_LOAD_RETIRED.L3_MIS\"; did you mean "
		  "MEM_LOAD_RETIRED.L3_MISS, MEM_LOAD_RETIRED.L3_HIT or "
		  "MEM_LOAD_RETIRED.L1_MISS?" },
		{ "skx", "imc CAS_CUONT.RD", "t:1: IMC has no event "
		  "\"CAS_CUONT.RD\"; did you mean CAS_COUNT.RD, " },
		{ "icx", "event MEM_LOAD_RETIRED.L3_MIS", "t:1: there is no "
		  "event \"MEM_LOAD_RETIRED.L3_MIS\"; did you mean "
		  "MEM_LOAD_RETIRED.L3_MISS, " },
		{ "zen3", "core instr_retird", "t:1: CORE has no event "
		  "\"instr_retird\"; did you mean instr_retired" },
		{ "skx", "imc MEM_LOAD_RETIRED.L3_MISS", "t:1: "
		  "MEM_LOAD_RETIRED.L3_MISS is an event of CORE, not of IMC" },
	};
	struct config cfg;
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		assert_int_equal(config_init(&cfg, model_named(t[i].model)), 0);
		assert_int_equal(config_parse(&cfg, "t", t[i].text,
		    strlen(t[i].text), &why), -EINVAL);
		if (strncmp(why.text, t[i].words, strlen(t[i].words)) != 0 ||
		    strchr(why.text, '\n') != NULL)
			fail_msg("%s", why.text);
		config_fini(&cfg);
	}
}

/* What --list events prints of a model; words when it refuses. */
static char *
listing(const char *model, const char *pattern, struct diag *why)
{
	struct config cfg;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int rc;

	assert_non_null(f);
	assert_int_equal(config_init(&cfg, model_named(model)), 0);
	rc = list_events(f, cfg.model, &cfg, pattern, why);
	fclose(f);
	config_fini(&cfg);
	if (rc == 0)
		return text;
	assert_int_equal(rc, -ENOENT);
	assert_string_equal(text, "");
	free(text);
	return NULL;
}

static void
a_pattern_lists_names_with_their_encodings(void **state)
{
	static const struct {
		const char *model, *pattern, *line;
		unsigned lines;
	} t[] = {
		{ "hsx", "MEM_LOAD*",
		  "CORE\tMEM_LOAD_UOPS_RETIRED.L3_MISS\t0x4320d1\t\n", 15 },
		{ "skx", "MEM_LOAD*",
		  "CORE\tMEM_LOAD_RETIRED.L3_MISS\t0x4320d1\t\n", 16 },
		{ "icx", "MEM_LOAD*",
		  "CORE\tMEM_LOAD_RETIRED.L3_MISS\t0x4320d1\t\n", 18 },
		{ "spr", "MEM_LOAD*",
		  "CORE\tMEM_LOAD_RETIRED.L3_MISS\t0x4320d1\t\n", 19 },
		{ "emr", "mem_load*",
		  "CORE\tMEM_LOAD_RETIRED.L3_MISS\t0x4320d1\t\n", 17 },
		{ "gnr", "MEM_LOAD*",
		  "CORE\tMEM_LOAD_RETIRED.L3_MISS\t0x4320d1\t\n", 19 },
		{ "slm", "L2_MISS_LOADS",
		  "CORE\tMEM_UOPS_RETIRED.L2_MISS_LOADS\t0x430404\t\n", 1 },
		{ "skx", "UNC_CHA_TOR_INSERTS.IA_MISS_CRD",
		  "CHA\tUNC_CHA_TOR_INSERTS.IA_MISS_CRD\t"
		  "0x402135,filter1=0x40233\t\n", 1 },
		{ "skx", "CPU_CLK_UNHALTED.THREAD",
		  "CORE\tCPU_CLK_UNHALTED.THREAD\tfixed\t\n", 4 },
		{ "zen3", "returns*", "CORE\treturns\t0xc8\t\n", 2 },
		{ "grace", "L1D_CACHE_REFILL", "CORE\tL1D_CACHE_REFILL\t0x3\t\n",
		  5 },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char *text = listing(t[i].model, t[i].pattern, &why);
		unsigned n = 0;

		if (text == NULL || strstr(text, t[i].line) == NULL)
			fail_msg("%s: %s", t[i].model, text != NULL ? text :
			    why.text);
		for (const char *s = text; *s != '\0'; s++)
			n += *s == '\n';
		if (n != t[i].lines)
			fail_msg("%s %s: %u", t[i].model, t[i].pattern, n);
		free(text);
	}
	assert_null(listing("skx", "MEM_LOAD_RETIRE.L3_MIS", &why));
	assert_string_equal(why.text, "--list events: none of Skylake-SP / "
	    "Cascade Lake-SP is called MEM_LOAD_RETIRE.L3_MIS; did you mean "
	    "MEM_LOAD_RETIRED.L3_MISS, MEM_LOAD_RETIRED.L3_HIT or "
	    "MEM_LOAD_RETIRED.L1_MISS?");
	assert_null(listing("skx", "QUITE*ANOTHER", &why));
	assert_null(strstr(why.text, "mean"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cpu_has_all_events_of_its_own_list),
		cmocka_unit_test(a_name_alone_is_enough),
		cmocka_unit_test(
		    a_thousand_names_drawn_by_lot_count_what_the_list_says),
		cmocka_unit_test(a_name_may_have_colons_and_values),
		cmocka_unit_test(
		    a_cpu_without_tables_has_the_terms_of_the_kernels_pmu),
		cmocka_unit_test(without_such_a_name_no_list_is_looked_up),
		cmocka_unit_test(
		    a_list_that_is_given_goes_before_what_is_built_in),
		cmocka_unit_test(an_unknown_name_gets_the_three_nearest),
		cmocka_unit_test(a_pattern_lists_names_with_their_encodings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
