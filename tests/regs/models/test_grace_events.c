/*
 * tests/regs/models/test_grace_events.c - every event of Grace's tables by its number: the
 * same as in tests/data/grace-events.tsv, which was written from the reference
 * and not from the code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "regs/model.h"

#define EVENTS "tests/data/grace-events.tsv"
#define MAX_ROWS 300

struct listed_row {
	char box[16], name[48];
	uint64_t event;
	int toward;                     /* -1: of no socket */
};

static unsigned
load_rows(struct listed_row *row)
{
	FILE *fp = fopen(EVENTS, "r");
	char line[160];
	unsigned n = 0;

	if (fp == NULL)
		fail_msg(EVENTS ": cannot be read; run from the top directory");
	while (fgets(line, sizeof(line), fp) != NULL) {
		struct listed_row *r = &row[n];
		long event;

		if (line[0] == '#')
			continue;
		r->toward = -1;
		assert_true(n < MAX_ROWS);
		if (sscanf(line, "%15[^\t]\t%47[^\t]\t%li\t%d", r->box,
		    r->name, &event, &r->toward) < 3)
			fail_msg(EVENTS ": not a row: %s", line);
		r->event = (uint64_t)event;
		n++;
	}
	fclose(fp);
	return n;
}

static void
every_event_of_the_reference_has_its_number(void **state)
{
	const struct model *grace = model_named("grace");
	struct listed_row row[MAX_ROWS];
	unsigned n = load_rows(row), wrong = 0;

	(void)state;
	assert_non_null(grace);
	assert_int_equal(n, 255);
	for (unsigned i = 0; i < n; i++) {
		const struct listed_row *r = &row[i];
		const struct box_type *type = model_box(grace, r->box);
		const struct event_name *e;

		assert_non_null(type);
		e = event_named(type, r->name);
		if (e != NULL && e->event == r->event &&
		    box_toward(type, e->event) == r->toward)
			continue;
		print_error("%s %s: 0x%llx, toward %d\n", r->box, r->name,
		    e != NULL ? (unsigned long long)e->event : 0,
		    e != NULL ? box_toward(type, e->event) : -1);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

static unsigned
count_rows(const struct listed_row *row, unsigned n, const char *box,
    const char *name)
{
	unsigned found = 0;

	for (unsigned i = 0; i < n; i++)
		found += strcmp(row[i].box, box) == 0 &&
		    strcmp(row[i].name, name) == 0;
	return found;
}

static void
no_event_is_there_that_the_reference_does_not_have(void **state)
{
	const struct model *grace = model_named("grace");
	struct listed_row row[MAX_ROWS];
	unsigned n = load_rows(row), events = 0;

	(void)state;
	for (const struct event_name *e = grace->core->event; e->name != NULL;
	    e++, events++)
		assert_int_equal(count_rows(row, n, "CORE", e->name), 1);
	for (const struct box_type *b = grace->box; b->name != NULL; b++)
		for (const struct event_name *e = b->event; e->name != NULL;
		    e++, events++)
			assert_int_equal(count_rows(row, n, b->name, e->name),
			    1);
	assert_int_equal(events, 255);
}

/* 1.4: a counter of their own; 3.1: two that mislead on this core. */
static void
cycles_have_a_counter_of_their_own_and_slot_stalls_mislead(void **state)
{
	const struct model *grace = model_named("grace");
	unsigned misleading = 0;

	(void)state;
	assert_int_equal(grace->core->kernel.own_counter, 0x11);
	assert_int_equal(grace->core->counters, 6);
	for (const struct box_type *b = grace->box; b->name != NULL; b++) {
		assert_int_equal(b->kernel.own_counter, 0x100000000);
		assert_int_equal(b->counters, 6);
	}
	for (const struct event_name *e = grace->core->event; e->name != NULL;
	    e++)
		misleading += e->misleads != NULL;
	assert_int_equal(misleading, 2);
	assert_non_null(event_named(grace->core, "STALL_SLOT_BACKEND")->
	    misleads);
	assert_non_null(event_named(grace->core, "STALL_SLOT_FRONTEND")->
	    misleads);
}

/* 5.2: the whole of a filter unless somebody narrows it. */
static void
filters_are_as_wide_as_the_reference_says(void **state)
{
	static const struct {
		const char *box, *pmu, *filter;
		uint64_t valid, idle;
	} t[] = {
		{ "SCF", "nvidia_scf_pmu", NULL, 0, 0 },
		{ "PCIE", "nvidia_pcie_pmu", "root_port", 0x3ff, 0x3ff },
		{ "C2C0", "nvidia_nvlink_c2c0_pmu", "port", 0x3, 0 },
		{ "C2C1", "nvidia_nvlink_c2c1_pmu", "port", 0x3, 0 },
		{ "CNVLINK", "nvidia_cnvlink_pmu", "rem_socket", 0xf, 0xf },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const struct box_type *b = model_box(model_named("grace"),
		    t[i].box);

		assert_non_null(b);
		assert_string_equal(b->kernel.pmu, t[i].pmu);
		if (t[i].filter == NULL) {
			assert_null(b->filter[0].name);
			continue;
		}
		assert_string_equal(b->filter[0].name, t[i].filter);
		assert_int_equal(b->filter[0].valid, t[i].valid);
		assert_int_equal(b->filter[0].idle, t[i].idle);
		assert_null(b->filter[1].name);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_event_of_the_reference_has_its_number),
		cmocka_unit_test(
		    no_event_is_there_that_the_reference_does_not_have),
		cmocka_unit_test(
		    cycles_have_a_counter_of_their_own_and_slot_stalls_mislead),
		cmocka_unit_test(filters_are_as_wide_as_the_reference_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
