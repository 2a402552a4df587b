/*
 * tests/regs/models/test_zen_events.c - every event of AMD's cores that the register reference
 * has (amd-zen.md 9.1 to 9.5), for each generation: as a control register has it,
 * and as the kernel's PMU is asked for it.  The table is made from the reference
 * alone; the encoding is put together here (its 2.1 and 10.1).
 */
#include "tests/lib/rig.h"

#include "config/lang/events.h"
#include "config/lang/terms.h"
#include "daemon/plan/plan_int.h"
#include "regs/linux/linux.h"

#include <stdlib.h>
#include <string.h>

#define CPU PMU_DIR "/cpu/"

static const char *const generation[] = { "zen2", "zen3", "zen4", "zen5" };

/* An event of the table in a generation; false: it has none. */
struct event {
	unsigned number, umask;
	bool merge;
};

static bool
event_of(const struct table *t, unsigned gen, struct event *e)
{
	e->merge = strcmp(t->cell[2], "merge") == 0;
	return sscanf(t->cell[3 + gen], "%x/%x", &e->number, &e->umask) == 2;
}

/* The control register; the kernel's config is that without bits 16, 17, 22. */
static uint64_t
control_of(const struct event *e)
{
	return (e->number & 0xff) | (uint64_t)e->umask << 8 | 0x430000 |
	    (uint64_t)(e->number >> 8) << 32;
}

static uint64_t
config_of(const struct event *e)
{
	return control_of(e) & ~0x430000ull;
}

/* One statement, as a model has it: 0, or words in why. */
static int
parse(struct config *cfg, unsigned gen, const char *text, struct diag *why)
{
	assert_int_equal(config_init(cfg, model_named(generation[gen])), 0);
	return config_parse(cfg, "t.conf", text, strlen(text), why);
}

static void
every_event_of_the_reference_has_its_control_value(void **state)
{
	unsigned found[4] = { 0 }, none = 0, wrong = 0, merge = 0;
	struct config cfg;
	struct diag why;
	struct table t;
	struct event e;
	char line[80];

	(void)state;
	table_open(&t, "tests/data/zen-events.tsv");
	while (table_next(&t, "event"))
		for (unsigned gen = 0; gen < 4; gen++) {
			bool there = event_of(&t, gen, &e);
			const char *words = t.cell[3 + gen][0] == '-' ?
			    "has no such event" : "an erratum of Zen 5 makes it";
			int rc;

			snprintf(line, sizeof(line), "core %s", t.cell[0]);
			rc = parse(&cfg, gen, line, &why);
			if ((rc == 0) != there || (there && cfg.want[0].ctl !=
			    control_of(&e)) || (!there && strstr(why.text,
			    words) == NULL))
				fail_msg("%s on %s", t.cell[0], generation[gen]);
			if (there && box_pairs(cfg.model->core,
			    cfg.want[0].ctl) != e.merge)
				fail_msg("%s: a pair?", t.cell[0]);
			config_fini(&cfg);
			found[gen] += there;
			none += !there && words[0] == 'h';
			wrong += !there && words[0] == 'a';
			merge += there && e.merge;
		}
	fclose(t.f);
	/* as many as the reference's tables have */
	assert_int_equal(found[0], 62);
	assert_int_equal(found[1], 78);
	assert_int_equal(found[2], 104);
	assert_int_equal(found[3], 107);
	assert_int_equal(none, 4 * 112 - 351 - 4);
	assert_int_equal(wrong, 4);
	assert_int_equal(merge, 5 + 5 + 6 + 10);
}

static void
no_event_is_offered_that_the_reference_lacks(void **state)
{
	(void)state;
	for (unsigned gen = 0; gen < 4; gen++) {
		const struct box_type *core = model_named(generation[gen])->core;
		const struct event_name *e = core->event;
		struct table t;
		unsigned n = 0;

		for (; e->name != NULL; e++, n++)
			for (const struct event_name *o = core->event; o < e; o++)
				assert_string_not_equal(o->name, e->name);
		assert_int_equal(n, 112);
		table_open(&t, "tests/data/zen-events.tsv");
		while (table_next(&t, "event"))
			n -= event_named(core, t.cell[0]) != NULL;
		fclose(t.f);
		assert_int_equal(n, 0);
	}
}

/* A node with the kernel's PMU of these cores. */
static struct access *
kernel(const char *dir)
{
	struct access *acc;

	tree_text(dir, CPU "type", "4\n");
	tree_text(dir, CPU "format/event", "config:0-7,32-35\n");
	tree_text(dir, CPU "format/umask", "config:8-15\n");
	tree_text(dir, CPU "format/edge", "config:18\n");
	tree_text(dir, CPU "format/inv", "config:23\n");
	tree_text(dir, CPU "format/cmask", "config:24-31\n");
	assert_int_equal(linux_open(&acc, dir, NULL), 0);
	return acc;
}

static void
asked(const char *name, const char *how, const struct perf_attr *attr,
    const struct event *e)
{
	if (attr->type != 4 || attr->config[0] != config_of(e) ||
	    attr->config[1] != 0 || attr->no_user || attr->no_kernel)
		fail_msg("%s %s: 0x%llx", name, how,
		    (unsigned long long)attr->config[0]);
}

/* Of an event that needs a pair, the kernel adds the merge event itself. */
static void
the_kernel_is_asked_for_the_same_by_name_by_number_and_by_terms(void **state)
{
	char *dir = tree_new(), line[160];
	struct access *acc = kernel(dir);
	struct pmu *pmu = calloc(1, sizeof(*pmu));
	struct config cfg;
	struct diag why;
	struct table t;
	struct event e;
	unsigned n = 0;

	(void)state;
	assert_int_equal(pmu_load(pmu, acc, "cpu"), 0);
	table_open(&t, "tests/data/zen-events.tsv");
	while (table_next(&t, "event"))
		for (unsigned gen = 0; gen < 4; gen++) {
			struct word terms = { line, 0 };
			struct pmu_event says;
			struct perf_attr attr;

			if (!event_of(&t, gen, &e))
				continue;
			snprintf(line, sizeof(line), "event %s\nevent "
			    "cpu/event=0x%x,umask=0x%x,name=N/\n", t.cell[0],
			    e.number, e.umask);
			assert_int_equal(parse(&cfg, gen, line, &why), 0);
			assert_int_equal(cfg.nwant, 2);
			for (unsigned i = 0; i < 2; i++) {
				assert_ptr_equal(cfg.want[i].type,
				    cfg.model->core);
				assert_int_equal(perf_encode(&cfg, &cfg.want[i],
				    pmu, &attr, &why), 0);
				asked(t.cell[0], i == 0 ? "by name" :
				    "by number", &attr, &e);
			}
			config_fini(&cfg);
			terms.n = (size_t)snprintf(line, sizeof(line),
			    "event=0x%x,umask=0x%x", e.number, e.umask);
			assert_int_equal(terms_encode(pmu, acc, terms,
			    (struct place){ "t", 1 }, &says, &why), 0);
			asked(t.cell[0], "by terms", &says.attr, &e);
			n++;
		}
	fclose(t.f);
	assert_int_equal(n, 351);
	free(pmu);
	access_close(acc);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    every_event_of_the_reference_has_its_control_value),
		cmocka_unit_test(no_event_is_offered_that_the_reference_lacks),
		cmocka_unit_test(
		    the_kernel_is_asked_for_the_same_by_name_by_number_and_by_terms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
