/*
 * tests/regs/models/test_zen_ways.c - AMD's events by registers and by the kernel: the same
 * columns, and of each what the kernel is asked for is what the control register
 * holds, less the bits that switch it on.  Held against the reference's own tables
 * the controls are in test_zen_events.c, test_zen_df.c, test_zen_l3.c and test_umc.c.
 */
#include "tests/lib/rig.h"

#include "config/lang/events.h"
#include "daemon/node/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bits 16, 17 and 22 of a core's control; 22 or 31 of the others'. */
#define CORE_ON 0x430000
#define BOX_ON 0x400000
#define UMC_ON 0x80000000

static const char *const machine[] = {
	"@rome-7742-2s", "@milan-7763-2s", "@genoa-9654-2s", "@turin-2s"
};

static struct rig *
planned(const char *node, enum access_mode by, const char *config)
{
	struct rig *r = rig_bare(node, "");
	struct diag why;

	r->o.node.access = by;
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	if (config_parse(&r->node.config, "test.conf", config, strlen(config),
	    &why) < 0 || choose_access(&r->node, &r->o, &why) < 0 ||
	    node_plan(&r->node, &why) < 0)
		fail_msg("%s: %s", node, why.text);
	return r;
}

/* Every event of a type that is offered, by name or by its PMU's terms; on one
 * lproc where it is the core's.  A set has no more than the counters. */
static char *
all_events(const struct box_type *type, unsigned each, bool by_name)
{
	char *text = NULL, terms[64], pmu[64];
	const char *where = type->scope == SCOPE_LPROC ? "[97]" : "";
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	unsigned n = 0;

	if (where[0] != '\0' && !by_name)
		fprintf(f, "cores \"[97]\"\n");

	for (const struct event_name *e = type->event; e->name != NULL; e++) {
		if (e->misleads != NULL)
			continue;
		if (n++ % each == 0)
			fprintf(f, "set s%u\n", n);
		event_terms(type, e, terms, sizeof(terms));
		if (by_name)
			fprintf(f, "%s%s %s\n", type->name, where, e->name);
		else
			fprintf(f, "event %s/%s,name=%s/\n", box_pmu(type, pmu,
			    sizeof(pmu)), terms, e->name);
	}
	fclose(f);
	return text;
}

/* The controls of both, which come in the same order: how many. */
static unsigned
same_controls(const struct rig *raw, const struct rig *perf, uint64_t on)
{
	const struct plan *a = &raw->node.plan, *b = &perf->node.plan;
	char one[160], two[160];

	for (unsigned i = 0; i < a->ncontrol; i++) {
		unsigned k = 0;

		column_text(&a->control[i].id, "", one, sizeof(one));
		for (; k < b->ncontrol; k++) {
			column_text(&b->control[k].id, "", two, sizeof(two));
			if (strcmp(one, two) == 0)
				break;
		}
		if (k == b->ncontrol)
			fail_msg("the kernel has no %s", one);
		if (b->control[k].ctl != (a->control[i].ctl & ~on))
			fail_msg("%s: 0x%llx and 0x%llx", one,
			    (unsigned long long)a->control[i].ctl,
			    (unsigned long long)b->control[k].ctl);
	}
	assert_int_equal(a->ncontrol, b->ncontrol);
	return a->ncontrol;
}

/* How many columns of a type's events a node has, the same by either way. */
static unsigned
columns(const char *node, const struct box_type *type, uint64_t on,
    unsigned each, bool by_name)
{
	char *text = all_events(type, each, by_name);
	struct rig *raw = planned(node, ACCESS_RAW, text);
	struct rig *perf = planned(node, ACCESS_PERF, text);
	unsigned n = same_controls(raw, perf, on);

	free(text);
	rig_close(raw);
	rig_close(perf);
	return n;
}

/* Numbers of events are the reference's, by the places that each node has. */
static void
each_event_is_the_same_by_either_way(void **state)
{
	static const char *const model[] = { "zen2", "zen3", "zen4", "zen5" };
	static const struct {
		const char *type;
		uint64_t on;
		unsigned each[4], columns[4];
	} box[] = {
		/* sets of three: each may need a pair */
		{ "CORE", CORE_ON, { 3, 3, 3, 3 }, { 62, 78, 104, 107 } },
		{ "L3", BOX_ON, { 6, 6, 6, 6 }, { 5 * 32, 5 * 16, 17 * 24,
		  17 * 32 } },
		/* and reads and writes of four ports of CXL memory */
		{ "DF", BOX_ON, { 4, 4, 16, 16 }, { 12 * 2, 12 * 2, 136 * 2,
		  (204 + 8) * 2 } },
		{ "UMC", UMC_ON, { 4, 4, 4, 4 }, { 0, 0, 13 * 24, 13 * 24 } },
	};

	(void)state;
	for (unsigned m = 0; m < 4; m++)
		for (size_t i = 0; i < sizeof(box) / sizeof(box[0]); i++) {
			const struct box_type *type = model_box(model_named(
			    model[m]), box[i].type);

			for (unsigned by = 0; type != NULL && by < 2; by++) {
				unsigned n = columns(machine[m], type,
				    box[i].on, box[i].each[m], by == 1);

				if (n != box[i].columns[m])
					fail_msg("%s of %s: %u", box[i].type,
					    machine[m], n);
			}
			if (type == NULL)
				assert_int_equal(box[i].columns[m], 0);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_event_is_the_same_by_either_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
