/*
 * tests/lib/rig.c - a simulated node, planned and ready.
 */
#include "tests/lib/rig.h"
#include "tests/lib/named.h"
#include "tests/lib/sim_compare.h"

#include "config/dump/store.h"

#include "config/lang/events.h"
#include "config/sim/machine.h"
#include "config/texts.h"
#include "daemon/node/choose.h"
#include "daemon/node/program.h"
#include "regs/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
fail_with(const struct diag *why)
{
	fail_msg("%s", why->text);
}

struct sim *
machine_with(const char *machine, const char *more)
{
	const struct text *t = text_named(machine, TEXT_MACHINE);
	char *text = NULL;
	struct sim *sim;
	struct diag why;

	assert_non_null(t);
	assert_true(asprintf(&text, "%.*s\n%s\n", (int)(t->end - t->data),
	    t->data, more) > 0);
	if (machine_parse(&sim, "test.machine", text, strlen(text), &why) < 0)
		fail_with(&why);
	free(text);
	sim_virtual(sim, true);
	return sim;
}

static struct rig *
rig_found(struct access *acc)
{
	struct rig *r = calloc(1, sizeof(*r));
	struct diag why;

	assert_non_null(r);
	r->node.acc = acc;
	if (topo_load(&r->node.topo, r->node.acc, &why) < 0 ||
	    inventory_load(&r->node.inv, &r->node.topo, r->node.acc,
	    &why) < 0)
		fail_with(&why);
	assert_non_null(r->node.topo.model);
	return r;
}

/* text NULL: what the options say. */
static struct rig *
rig_plan(struct rig *r, const char *text)
{
	struct diag why;

	if (text == NULL) {
		if (node_configure(&r->node, &r->o, r->node.topo.model,
		    &why) < 0)
			fail_with(&why);
	} else {
		assert_int_equal(config_init(&r->node.config,
		    r->node.topo.model), 0);
		if (config_parse(&r->node.config, "test.conf", text,
		    strlen(text), &why) < 0)
			fail_with(&why);
	}
	if (node_plan(&r->node, &why) < 0)
		fail_with(&why);
	r->row = calloc(r->node.plan.ncell, sizeof(r->row[0]));
	assert_non_null(r->row);
	if (sweep_init(&r->sweep, &r->node.plan, r->node.acc, READ_REMOTE,
	    -1, &why) < 0)
		fail_with(&why);
	return r;
}

struct rig *
rig_open(const char *machine, const char *config)
{
	struct rig *r;
	struct sim *sim;
	struct diag why;

	if (machine_load(&sim, machine, &why) < 0)
		fail_with(&why);
	sim_virtual(sim, true);
	r = rig_found(sim_access(sim));
	if (config != NULL) {
		r->o.count.config.name[0] = config;
		r->o.count.config.n = 1;
	}
	return rig_plan(r, NULL);
}

struct rig *
rig_on(struct access *acc, const char *config)
{
	return rig_plan(rig_found(acc), config);
}

struct rig *
rig_bare(const char *machine, const char *more)
{
	return rig_found(sim_access(machine_with(machine, more)));
}

struct rig *
rig_with(const char *machine, const char *more, const char *config)
{
	return rig_plan(rig_bare(machine, more), config);
}

struct rig *
rig_text(const char *more, const char *config)
{
	return rig_with("@skx-8160-2s", more, config);
}

bool
rig_choose(struct rig *r, const char *config, struct diag *why)
{
	if (config_parse(&r->node.config, "test.conf", config, strlen(config),
	    why) < 0 || choose_access(&r->node, &r->o, why) < 0 ||
	    node_plan(&r->node, why) < 0) {
		rig_close(r);
		return false;
	}
	r->row = calloc(r->node.plan.ncell, sizeof(r->row[0]));
	assert_int_equal(sweep_init(&r->sweep, &r->node.plan, r->node.acc,
	    READ_REMOTE, -1, why), 0);
	return true;
}

void
rig_close(struct rig *r)
{
	sweep_fini(&r->sweep);
	node_close(&r->node);
	free(r->row);
	free(r);
}

void
rig_program(struct rig *r)
{
	struct diag why;

	if (program_save(&r->node.plan, r->node.acc, &why) < 0 ||
	    program_write(&r->node.plan, r->node.acc, &why) < 0)
		fail_with(&why);
}

void
rig_restore(struct rig *r)
{
	struct diag why;

	if (program_restore(&r->node.plan, r->node.acc, &why) != 0)
		fail_with(&why);
}

void
rig_sample(struct rig *r)
{
	row_take(&r->sweep, &r->node.plan, r->node.acc, 0, r->row);
}

struct sim *
rig_sim(const struct rig *r)
{
	return (struct sim *)(void *)r->node.acc;
}

void
rig_fault(const struct rig *r, const char *line)
{
	struct diag why;

	if (machine_fault(rig_sim(r), line, &why) < 0)
		fail_msg("%s: %s", line, why.text);
}

void
rig_same(const struct rig *r, const struct rig *other)
{
	struct diag why;

	if (sim_compare(rig_sim(r), rig_sim(other), &why) < 0)
		fail_with(&why);
}

void
rig_put_back(struct rig *r, struct rig *before, unsigned least)
{
	rig_program(r);
	assert_true(sim_writes(rig_sim(r)) > least);
	rig_restore(r);
	rig_same(r, before);
	rig_close(r);
	rig_close(before);
}

static const struct column *
column_named(const struct rig *r, const char *name)
{
	for (unsigned i = 0; i < r->node.plan.ncolumn; i++)
		if (is_named(&r->node.plan.column[i].id, name))
			return &r->node.plan.column[i];
	return NULL;
}

bool
rig_has(const struct rig *r, const char *column)
{
	return column_named(r, column) != NULL;
}

uint64_t
rig_value(const struct rig *r, const char *column)
{
	const struct column *c = column_named(r, column);

	if (c == NULL)
		fail_msg("no column %s", column);
	return r->row[c->cell];
}

uint64_t
rig_second(struct rig *r, const char *column)
{
	uint64_t before;

	rig_sample(r);
	before = rig_value(r, column);
	sim_advance(rig_sim(r), 1000000000);
	rig_sample(r);
	return (rig_value(r, column) - before) & ((1ull << 48) - 1);
}

unsigned
rig_counted(struct rig *r, const struct rig_rate *rate, size_t n)
{
	uint64_t before[64];
	unsigned wrapped = 0;

	assert_true(n <= 64);
	rig_program(r);
	rig_sample(r);
	for (unsigned s = 0; s < 30; s++) {
		for (size_t i = 0; i < n; i++)
			before[i] = rig_value(r, rate[i].column);
		sim_advance(rig_sim(r), 1000000000);
		rig_sample(r);
		for (size_t i = 0; i < n; i++) {
			uint64_t now = rig_value(r, rate[i].column);
			uint64_t mask = ~0ull >> (64 - rate[i].bits);

			wrapped += now < before[i];
			if (((now - before[i]) & mask) != (s < 10 ?
			    rate[i].idle : rate[i].work))
				fail_msg("%s in second %u: %llu",
				    rate[i].column, s, (unsigned long long)
				    ((now - before[i]) & mask));
		}
	}
	rig_restore(r);
	return wrapped;
}

const struct unit *
rig_unit(const struct rig *r, const char *type, unsigned pkg, unsigned inst)
{
	const struct unit *u = inventory_find(&r->node.inv,
	    model_box(r->node.topo.model, type), pkg, inst);

	assert_non_null(u);
	return u;
}

struct eventlist *
lists_of(const char *model, const char *const *file)
{
	struct eventlist *list = NULL;
	struct diag why = { "" };
	char path[512];

	for (; *file != NULL; file++)
		if (eventlist_load(&list, model_named(model), NULL,
		    perfmon(*file, path), &why) < 0)
			fail_with(&why);
	return list;
}

uint64_t
bus_pci(struct access *acc, unsigned offset)
{
	struct reg_addr addr = { REG_PCI, 4, 0, offset };
	uint64_t raw;

	assert_int_equal(access_read(acc, &addr, &raw), 0);
	return raw;
}

void
bus_put(struct access *acc, unsigned port, unsigned offset, uint64_t value)
{
	struct reg_addr addr = { REG_SIDEBAND, 4, port << 8, offset };

	assert_int_equal(access_write(acc, &addr, value), 0);
}

uint64_t
bus_get(struct access *acc, unsigned port, unsigned offset)
{
	struct reg_addr addr = { REG_SIDEBAND, 4, port << 8, offset };
	uint64_t raw;

	assert_int_equal(access_read(acc, &addr, &raw), 0);
	return raw;
}

uint64_t
rig_stored(const struct rig *r, const struct store *st, uint64_t row,
    const char *column)
{
	const struct plan *p = &r->node.plan;
	uint64_t raw;

	for (unsigned i = 0; i < p->ncolumn; i++)
		if (is_named(&p->column[i].id, column)) {
			assert_int_equal(store_read(st, row,
			    p->column[i].cell, 1, &raw), 0);
			return raw;
		}
	fail_msg("no column %s", column);
	return 0;
}

unsigned
rig_present(const struct rig *r, const char *type, unsigned pkg)
{
	const struct inventory *inv = &r->node.inv;
	unsigned n = 0;

	for (unsigned i = 0; i < inv->n; i++)
		n += strcmp(inv->unit[i].type->name, type) == 0 &&
		    inv->unit[i].pkg == pkg && inv->unit[i].present;
	return n;
}
