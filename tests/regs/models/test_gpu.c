/*
 * tests/regs/models/test_gpu.c - a Xeon Max node whose GPUs have PMON discovery devices of their
 * own (8086:09a7, at the addresses of a real node with four Ponte Vecchio): awake with
 * a table like a CPU's, asleep, or not there.
 */
#include "tests/lib/rig.h"

#include "regs/sim/sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GPU_MEMORY UINT64_C(0x20000000000)     /* above all that is a CPU's */

enum form { AWAKE, ASLEEP, GONE };

/* A GPU's three functions; in its memory a table of one memory controller of a CPU,
 * whose registers are in that memory, too. */
static void
put_gpu(FILE *f, enum form form, const char *bus, unsigned i)
{
	static const unsigned device[] = { 0x09a6, 0x09a7, 0x09a8 };
	uint64_t at = GPU_MEMORY + (uint64_t)i * 0x100000000;

	for (unsigned fn = 0; fn < 3; fn++)
		fprintf(f, "file /sys/bus/pci/devices/0000:%s:00.%u/vendor = 0x8086\n"
		    "file /sys/bus/pci/devices/0000:%s:00.%u/device = 0x%04x\n"
		    "file /sys/bus/pci/devices/0000:%s:00.%u/numa_node = %u\n"
		    "pci %s:00.%u 0 = 0x%04x8086\n", bus, fn, bus, fn, device[fn],
		    bus, fn, i / 2, bus, fn, device[fn]);
	if (form == ASLEEP) {
		fprintf(f, "pci %s:00.1 4 words 0xffffffff 0xffffffff 0xffffffff "
		    "0xffffffff 0xffffffff\npci %s:00.1 0x100 = 0xffffffff\n",
		    bus, bus);
		return;
	}
	fprintf(f, "pci %s:00.1 4 = 0x00100006\npci %s:00.1 0x10 = 4\n"
	    "pci %s:00.1 0x14 = 0x%x\npci %s:00.1 0x100 words 0x00010023 "
	    "0x01008086 0x1 0\n", bus, bus, bus, (unsigned)(at >> 32), bus);
	fprintf(f, "mmio 0x%" PRIx64 " words 0x00020300 0x2ff0 0x802\n"
	    "mmio 0x%" PRIx64 " words 0x4000005c08304004 0x%" PRIx64 " 0x0800000006\n",
	    at, at + 24, at + 0x22800);
}

static char *
node_of(enum form form)
{
	static const char *const bus[] = { "4c", "5d", "9b", "cb" };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	for (unsigned i = 0; i < 4 && form != GONE; i++)
		put_gpu(f, form, bus[i], i);
	fclose(f);
	return text;
}

/* What is done to the node, but for reads of a GPU's own config space, which say
 * what it is: each access to memory, each write, what is mapped, in order. */
struct deed {
	char what;              /* r, w, m */
	struct reg_addr addr;
};
static struct deed *deed;
static size_t ndeed;
static const struct access_ops *own;

static void
note(char what, const struct reg_addr *addr)
{
	if (addr->space == REG_MSR)
		return;
	if ((ndeed & (ndeed - 1)) == 0)
		assert_non_null(deed = realloc(deed,
		    (ndeed ? 2 * ndeed : 1) * sizeof(*deed)));
	deed[ndeed++] = (struct deed){ what, *addr };
}

static bool
is_identity(const struct reg_addr *addr)
{
	uint8_t bus = (uint8_t)(addr->unit >> 8);

	return addr->space == REG_PCI && (bus == 0x4c || bus == 0x5d ||
	    bus == 0x9b || bus == 0xcb);
}

static int
noted_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	if (!is_identity(addr))
		note('r', addr);
	return own->read(acc, addr, raw);
}

static int
noted_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	note('w', addr);
	return own->write(acc, addr, raw);
}

static int
noted_map(struct access *acc, const struct reg_addr *addr)
{
	note('m', addr);
	return own->map == NULL ? 0 : own->map(acc, addr);
}

static void
boxes_of_the_cpus_are_there_whatever_gpus_show(void **state)
{
	struct rig *none = rig_bare("@spr-9480-2s", "");

	(void)state;
	for (enum form form = AWAKE; form <= GONE; form++) {
		char *text = node_of(form);
		struct rig *r = rig_bare("@spr-9480-2s", text);
		const struct inventory *inv = &r->node.inv;
		unsigned foreign = 0;

		assert_int_equal(inv->n, none->node.inv.n);
		for (unsigned i = 0; i < inv->n; i++) {
			const struct unit *u = &inv->unit[i];
			const struct unit *v = &none->node.inv.unit[i];

			if (u->present != v->present || u->pkg != v->pkg ||
			    u->where != v->where || u->base != v->base)
				fail_msg("form %d: %s %u of package %d: %s", form,
				    u->type->name, u->inst, u->pkg, u->reason);
		}
		for (unsigned i = 0; i < inv->found.n; i++) {
			const struct discovery_site *s = &inv->found.site[i];

			foreign += s->foreign;
			assert_int_equal(s->foreign, s->at.dev == 0);
			assert_int_equal(s->foreign, s->pkg < 0);
		}
		assert_int_equal(foreign, form == GONE ? 0 : 4);
		rig_close(r);
		free(text);
	}
	rig_close(none);
}

/* From its start to the end of a run, with the default of the CPU. */
static void
run_noted(enum form form)
{
	char *text = node_of(form);
	struct access *acc = sim_access(machine_with("@spr-9480-2s", text));
	struct access_ops noted = *acc->ops;
	struct rig *r;

	own = acc->ops;
	noted.read = noted_read;
	noted.write = noted_write;
	noted.map = noted_map;
	noted.dwords = NULL;            /* each by itself, by read */
	acc->ops = &noted;
	ndeed = 0;
	r = rig_on(acc, NULL);
	rig_program(r);
	for (unsigned i = 0; i < 3; i++)
		rig_sample(r);
	rig_restore(r);
	acc->ops = own;
	rig_close(r);
	free(text);
}

static void
a_run_does_to_a_node_what_it_does_without_gpus(void **state)
{
	struct deed *alone;
	size_t n, writes = 0, memory = 0;

	(void)state;
	run_noted(GONE);
	alone = deed;
	n = ndeed;
	deed = NULL;
	for (size_t i = 0; i < n; i++) {
		writes += alone[i].what == 'w';
		memory += alone[i].addr.space == REG_MMIO;
	}
	assert_true(writes > 100 && memory > 100);
	for (enum form form = AWAKE; form < GONE; form++) {
		run_noted(form);
		for (size_t i = 0; i < n && i < ndeed; i++)
			if (deed[i].what != alone[i].what ||
			    deed[i].addr.space != alone[i].addr.space ||
			    deed[i].addr.unit != alone[i].addr.unit ||
			    deed[i].addr.offset != alone[i].addr.offset)
				fail_msg("form %d: %c of space %d, 0x%x, 0x%"
				    PRIx64, form, deed[i].what,
				    deed[i].addr.space, deed[i].addr.unit,
				    deed[i].addr.offset);
		assert_int_equal(ndeed, n);
		free(deed);
		deed = NULL;
	}
	free(alone);
}

/* The same at another device number: bridges say where it is. */
static void
a_function_behind_a_bridge_is_no_packages(void **state)
{
	struct rig *r = rig_bare("@spr-9480-2s",
	    "file /sys/bus/pci/devices/0000:69:01.0/vendor = 0x8086\n"
	    "file /sys/bus/pci/devices/0000:69:01.0/device = 0x352a\n"
	    "file /sys/bus/pci/devices/0000:69:01.0/class = 0x060400\n"
	    "pci 69:01.0 0 = 0x352a8086\npci 69:01.0 0x18 = 0x006b6a69\n");
	const struct discovery *d = &r->node.inv.found;

	(void)state;
	assert_int_equal(d->n, 2);
	assert_true(d->site[0].foreign);
	assert_non_null(strstr(d->site[0].no_table, "(behind bridge "
	    "0000:69:01.0)"));
	assert_false(d->site[1].foreign);
	rig_close(r);
}

static void
a_unit_in_the_memory_of_another_function_is_left_out(void **state)
{
	struct rig *r = rig_bare("@spr-9480-2s", "file /proc/iomem = "
	    "d0000000-dfffffff : PCI Bus 0000:6a\\n"
	    "  d1a00000-d1a3ffff : 0000:4b:00.0\\n"
	    "  d1e00000-d1e03fff : 0000:6a:03.1\\n\n");
	const struct discovery_table *t = &r->node.inv.found.site[0].table;
	bool said = false;

	(void)state;
	for (unsigned i = 0; i < t->nleft; i++)
		said |= strstr(t->left[i].why, " is in memory of PCI function "
		    "0000:4b:00.0") != NULL;
	assert_true(said);
	for (unsigned i = 0; i < t->n; i++)
		assert_false(t->unit[i].space == REG_MMIO && t->unit[i].box_ctl >=
		    0xd1a00000 && t->unit[i].box_ctl <= 0xd1a3ffff);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_of_the_cpus_are_there_whatever_gpus_show),
		cmocka_unit_test(a_run_does_to_a_node_what_it_does_without_gpus),
		cmocka_unit_test(a_function_behind_a_bridge_is_no_packages),
		cmocka_unit_test(
		    a_unit_in_the_memory_of_another_function_is_left_out),
	};

	return cmocka_run_group_tests_name("gpu", tests, NULL, NULL);
}
