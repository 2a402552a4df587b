/*
 * tests/regs/models/test_models.c - the tables of every model: sound in themselves, and in
 * what they say beside addresses (test_registers.c) as the tables below, which
 * were written from the reference, not from the code.  Section numbers are
 * those of intel-server-pmon.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "regs/model.h"

/* ---- what the reference says ---- */

/* 3.1, 4.1, 5.4: registers of no box, how wide a counter in them is (0: never
 * a counter), and at which level they differ. */
static const struct {
	uint32_t reg;
	uint8_t bits;
	unsigned scopes;                /* 1 << SCOPE_... */
} scalars[] = {
#define PKG  (1 << SCOPE_PKG)
#define CORE (1 << SCOPE_CORE)
#define LPROC (1 << SCOPE_LPROC)
	{ 0x34, 32, PKG | CORE | LPROC },        /* SMI_COUNT */
	{ 0xe7, 64, LPROC },                     /* MPERF */
	{ 0xe8, 64, LPROC },                     /* APERF */
	{ 0x64e, 64, LPROC },                    /* PPERF */
	{ 0x198, 0, LPROC },
	{ 0x19c, 0, CORE },
	{ 0x1b1, 0, PKG },
	{ 0x329, 0, LPROC },                     /* PERF_METRICS */
	{ 0x3f8, 64, PKG }, { 0x3f9, 64, PKG },
	{ 0x3fa, 64, PKG }, { 0x60d, 64, PKG },
	{ 0x3fc, 64, CORE }, { 0x3fd, 64, CORE },
	{ 0x3fe, 64, CORE }, { 0x660, 64, CORE },
	{ 0x664, 64, CORE },
	{ 0x611, 32, PKG }, { 0x613, 32, PKG },
	{ 0x619, 32, PKG }, { 0x61b, 32, PKG },
	{ 0x639, 32, PKG }, { 0x64d, 32, PKG },
	{ 0x620, 0, PKG }, { 0x621, 0, PKG },
	{ 0x64f, 0, PKG | CORE }, { 0x6b1, 0, PKG },
	{ 0x690, 0, PKG },                        /* HSX alone */
#undef PKG
#undef CORE
#undef LPROC
};

static const char *const intel_server[] = { "hsx", "skx", "icx" };

static void
scalars_have_the_width_and_scope_of_the_reference(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		const struct model *m = model_named(intel_server[k]);
		const struct scalar *s;

		assert_non_null(m);
		for (unsigned j = 0; (s = model_scalar(m, j)) != NULL; j++) {
			size_t i, n = sizeof(scalars) / sizeof(scalars[0]);

			for (i = 0; i < n; i++)
				if (s->space == REG_MSR &&
				    s->reg == scalars[i].reg)
					break;
			if (i == n || (s->bits != 0 &&
			    s->bits != scalars[i].bits) ||
			    !(scalars[i].scopes >> s->scope & 1)) {
				print_error("%s: %s 0x%x, %u bits, scope %u\n",
				    m->name, s->family, s->reg, s->bits,
				    s->scope);
				wrong++;
			}
		}
	}
	assert_int_equal(wrong, 0);
}

/* 4.1, quirk 14: limit reasons are at 0x690 on HSX, and an entry of the LBR is
 * there from SKX on; PPERF came with SKX. */
static void
limit_reasons_are_where_the_generation_has_them(void **state)
{
	(void)state;
	for (size_t k = 0; k < 3; k++) {
		const struct model *m = model_named(intel_server[k]);
		const struct scalar *s;
		bool hsx = k == 0;

		for (unsigned j = 0; (s = model_scalar(m, j)) != NULL; j++) {
			assert_int_not_equal(s->reg, hsx ? 0x64f : 0x690);
			assert_false(hsx && s->reg == 0x64e);
		}
	}
}

/* 6.3, 7.3, 8.3: the device id of each function. */
static const struct {
	int line;
	const char *model, *box;
	uint8_t n;
	uint16_t devid[8];
} devids[] = {
	{ __LINE__, "hsx", "HA", 2, { 0x2f30, 0x2f38 } },
	{ __LINE__, "hsx", "IMC", 8,
	    { 0x2fb0, 0x2fb1, 0x2fb4, 0x2fb5, 0x2fd0, 0x2fd1, 0x2fd4, 0x2fd5 } },
	{ __LINE__, "hsx", "IRP", 1, { 0x2f39 } },
	{ __LINE__, "hsx", "QPI", 3, { 0x2f32, 0x2f33, 0x2f3a } },
	{ __LINE__, "hsx", "R2PCIe", 1, { 0x2f34 } },
	{ __LINE__, "hsx", "R3QPI", 3, { 0x2f36, 0x2f37, 0x2f3e } },
	{ __LINE__, "bdx", "HA", 2, { 0x6f30, 0x6f38 } },
	{ __LINE__, "bdx", "IMC", 8,
	    { 0x6fb0, 0x6fb1, 0x6fb4, 0x6fb5, 0x6fd0, 0x6fd1, 0x6fd4, 0x6fd5 } },
	{ __LINE__, "bdx", "IRP", 1, { 0x6f39 } },
	{ __LINE__, "bdx", "QPI", 3, { 0x6f32, 0x6f33, 0x6f3a } },
	{ __LINE__, "bdx", "R2PCIe", 1, { 0x6f34 } },
	{ __LINE__, "bdx", "R3QPI", 3, { 0x6f36, 0x6f37, 0x6f3e } },
	{ __LINE__, "skx", "IMC", 6,
	    { 0x2042, 0x2046, 0x204a, 0x2042, 0x2046, 0x204a } },
	{ __LINE__, "skx", "M2M", 2, { 0x2066, 0x2066 } },
	{ __LINE__, "skx", "UPI", 3, { 0x2058, 0x2058, 0x2058 } },
	{ __LINE__, "skx", "M3UPI", 3, { 0x204d, 0x204e, 0x204d } },
	{ __LINE__, "skx", "M2PCIe", 4, { 0x2088, 0x2088, 0x2088, 0x2088 } },
	{ __LINE__, "icx", "M2M", 4, { 0x344a, 0x344a, 0x344a, 0x344a } },
	{ __LINE__, "icx", "UPI", 3, { 0x3441, 0x3441, 0x3441 } },
	{ __LINE__, "icx", "M3UPI", 3, { 0x3446, 0x3446, 0x3446 } },
};

static void
pci_functions_have_the_device_ids_of_the_reference(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(devids) / sizeof(devids[0]); i++) {
		const struct model *m = model_named(devids[i].model);
		const struct box_type *b;

		assert_non_null(m);
		b = model_box(m, devids[i].box);
		if (b == NULL || b->devid == NULL ||
		    b->instances != devids[i].n ||
		    memcmp(b->devid, devids[i].devid,
		    devids[i].n * sizeof(b->devid[0])) != 0)
			fail_msg("line %d: %s %s", devids[i].line,
			    devids[i].model, devids[i].box);
	}
}

/* 6.2, 7.2, 7.3, 8.2: events that not every counter of their box can count. */
static const struct {
	int line;
	const char *model, *box;
	uint8_t first, last;            /* events */
	unsigned counters;
} constraints[] = {
	{ __LINE__, "hsx", "CBO", 0x01, 0x01, 0x1 },
	{ __LINE__, "hsx", "CBO", 0x09, 0x09, 0x1 },
	{ __LINE__, "hsx", "CBO", 0x11, 0x11, 0x1 },
	{ __LINE__, "hsx", "CBO", 0x36, 0x36, 0x1 },
	{ __LINE__, "hsx", "CBO", 0x38, 0x38, 0x3 },
	{ __LINE__, "hsx", "CBO", 0x3b, 0x3b, 0x1 },
	{ __LINE__, "hsx", "CBO", 0x3e, 0x3e, 0x1 },
	{ __LINE__, "hsx", "CBO", 0x34, 0x35, 0xf },
	{ __LINE__, "hsx", "R3QPI", 0x01, 0x01, 0x7 },
	{ __LINE__, "bdx", "CBO", 0x01, 0x01, 0xf },
	{ __LINE__, "bdx", "CBO", 0x09, 0x09, 0x3 },
	{ __LINE__, "bdx", "CBO", 0x11, 0x11, 0x1 },
	{ __LINE__, "bdx", "CBO", 0x36, 0x36, 0x1 },
	{ __LINE__, "bdx", "CBO", 0x38, 0x38, 0xf },
	{ __LINE__, "bdx", "CBO", 0x3b, 0x3b, 0xf },
	{ __LINE__, "bdx", "CBO", 0x3e, 0x3e, 0x1 },
	{ __LINE__, "bdx", "R2PCIe", 0x23, 0x23, 0x1 },
	{ __LINE__, "bdx", "R2PCIe", 0x2c, 0x2d, 0x3 },
	{ __LINE__, "bdx", "R3QPI", 0x13, 0x13, 0x1 },
	{ __LINE__, "bdx", "R3QPI", 0x1f, 0x23, 0x3 },
	{ __LINE__, "bdx", "R3QPI", 0x25, 0x26, 0x3 },
	{ __LINE__, "bdx", "PCU", 0x80, 0x80, 0xe },
	{ __LINE__, "skx", "CHA", 0x11, 0x11, 0x1 },
	{ __LINE__, "skx", "CHA", 0x36, 0x36, 0x1 },
	{ __LINE__, "skx", "CHA", 0x35, 0x35, 0xf },
	{ __LINE__, "skx", "IIO", 0x83, 0x83, 0x3 },
	{ __LINE__, "skx", "IIO", 0x88, 0x88, 0xc },
	{ __LINE__, "skx", "IIO", 0x95, 0x95, 0xc },
	{ __LINE__, "skx", "IIO", 0xc0, 0xc0, 0xc },
	{ __LINE__, "skx", "IIO", 0xc5, 0xc5, 0xc },
	{ __LINE__, "skx", "IIO", 0xd4, 0xd5, 0xc },
	{ __LINE__, "skx", "M3UPI", 0x1d, 0x1e, 0x1 },
	{ __LINE__, "skx", "M3UPI", 0x40, 0x40, 0x7 },
	{ __LINE__, "skx", "M3UPI", 0x4e, 0x52, 0x7 },
	{ __LINE__, "skx", "M2PCIe", 0x23, 0x23, 0x3 },
	{ __LINE__, "skx", "IMC", 0x04, 0x04, 0xf },
	{ __LINE__, "icx", "CHA", 0x11, 0x11, 0x1 },
	{ __LINE__, "icx", "CHA", 0x36, 0x36, 0x1 },
	{ __LINE__, "icx", "IIO", 0x02, 0x03, 0x3 },
	{ __LINE__, "icx", "IIO", 0x83, 0x83, 0x3 },
	{ __LINE__, "icx", "IIO", 0xc0, 0xc0, 0xc },
	{ __LINE__, "icx", "IIO", 0xc5, 0xc5, 0xc },
	{ __LINE__, "icx", "IIO", 0xd5, 0xd5, 0xc },
	{ __LINE__, "icx", "M2PCIe", 0x14, 0x14, 0x3 },
	{ __LINE__, "icx", "M2PCIe", 0x23, 0x23, 0x3 },
	{ __LINE__, "icx", "M2PCIe", 0x2d, 0x2d, 0x3 },
	{ __LINE__, "icx", "M3UPI", 0x1c, 0x1f, 0x1 },
	{ __LINE__, "icx", "M3UPI", 0x40, 0x40, 0x7 },
	{ __LINE__, "icx", "M3UPI", 0x4e, 0x50, 0x7 },
};

static void
pinned_events_are_kept_to_the_counters_of_the_reference(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(constraints) / sizeof(constraints[0]); i++) {
		const struct model *m = model_named(constraints[i].model);
		const struct box_type *b;

		assert_non_null(m);
		b = model_box(m, constraints[i].box);
		assert_non_null(b);
		for (unsigned e = constraints[i].first;
		    e <= constraints[i].last; e++)
			if (box_event_mask(b, 0x400000 | 0xff00 | e) !=
			    constraints[i].counters)
				fail_msg("line %d: %s %s event 0x%x: 0x%x",
				    constraints[i].line, constraints[i].model,
				    constraints[i].box, e,
				    box_event_mask(b, e));
	}
}

/* 11.1, [2]: only with that unit mask. */
static void
a_constraint_may_be_of_one_unit_mask(void **state)
{
	const struct box_type *core = model_named("hsx")->core;

	(void)state;
	assert_int_equal(box_event_mask(core, 0x430148), 0x4);
	assert_int_equal(box_event_mask(core, 0x430248), 0xff);
	assert_int_equal(box_event_mask(core, 0xc430ca3), 0x4);
	assert_int_equal(box_event_mask(core, 0x14301a3), 0xff);
}

/* 3.2, 5.2: where the fields of a control are. */
static const struct {
	int line;
	const char *model, *box, *field;
	uint8_t hi, lo;
} fields[] = {
	{ __LINE__, "hsx", "CORE", "any", 21, 21 },
	{ __LINE__, "hsx", "CORE", "cmask", 31, 24 },
	{ __LINE__, "hsx", "CORE", "in_tx", 32, 32 },
	{ __LINE__, "hsx", "UBOX", "thresh", 28, 24 },
	{ __LINE__, "hsx", "PCU", "thresh", 28, 24 },
	{ __LINE__, "hsx", "PCU", "occ_invert", 30, 30 },
	{ __LINE__, "hsx", "PCU", "occ_edge", 31, 31 },
	{ __LINE__, "hsx", "CBO", "tid_en", 19, 19 },
	{ __LINE__, "hsx", "CBO", "thresh", 31, 24 },
	{ __LINE__, "hsx", "SBO", "tid_en", 19, 19 },
	{ __LINE__, "hsx", "QPI", "xsel", 21, 21 },
	{ __LINE__, "hsx", "HA", "inv", 23, 23 },
	{ __LINE__, "skx", "CORE", "event", 7, 0 },
	{ __LINE__, "skx", "CORE", "umask", 15, 8 },
	{ __LINE__, "skx", "CORE", "edge", 18, 18 },
	{ __LINE__, "skx", "CORE", "any", 21, 21 },
	{ __LINE__, "skx", "CORE", "inv", 23, 23 },
	{ __LINE__, "skx", "CORE", "cmask", 31, 24 },
	{ __LINE__, "skx", "UBOX", "thresh", 28, 24 },
	{ __LINE__, "skx", "CHA", "event", 7, 0 },
	{ __LINE__, "skx", "CHA", "umask", 15, 8 },
	{ __LINE__, "skx", "CHA", "edge", 18, 18 },
	{ __LINE__, "skx", "CHA", "inv", 23, 23 },
	{ __LINE__, "skx", "CHA", "thresh", 31, 24 },
	{ __LINE__, "skx", "IIO", "thresh", 35, 24 },
	{ __LINE__, "skx", "IIO", "ch_mask", 43, 36 },
	{ __LINE__, "skx", "IIO", "fc_mask", 46, 44 },
	{ __LINE__, "skx", "IMC", "thresh", 31, 24 },
	{ __LINE__, "icx", "CORE", "cmask", 31, 24 },
	{ __LINE__, "icx", "UBOX", "thresh", 28, 24 },
	{ __LINE__, "icx", "CHA", "thresh", 31, 24 },
	{ __LINE__, "icx", "CHA", "umask_ext", 57, 32 },
	{ __LINE__, "icx", "IIO", "thresh", 35, 24 },
	{ __LINE__, "icx", "IIO", "ch_mask", 47, 36 },
	{ __LINE__, "icx", "IIO", "fc_mask", 50, 48 },
	{ __LINE__, "icx", "UPI", "umask_ext", 55, 32 },
	{ __LINE__, "icx", "M2M", "umask_ext", 39, 32 },
};

static void
control_fields_lie_where_the_reference_puts_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct model *m = model_named(fields[i].model);
		const struct field *f;

		assert_non_null(m);
		f = field_named(model_box(m, fields[i].box)->field,
		    fields[i].field);
		if (f == NULL || f->hi != fields[i].hi || f->lo != fields[i].lo)
			fail_msg("line %d: %s %s %s", fields[i].line,
			    fields[i].model, fields[i].box, fields[i].field);
	}
	/* 3.1, quirk 9: AnyThread is reserved from ICX on */
	assert_null(field_named(model_named("icx")->core->field, "any"));
}

static void
check_uncore_widths_and_switches(const char *name, unsigned freeze,
    unsigned unfreeze, unsigned freerun_bits)
{
	const struct model *m = model_named(name);

	assert_non_null(m);
	assert_int_equal(m->global_ctl, 0x700);                 /* 5.4 */
	assert_true(m->global_freeze == 1ull << freeze);
	assert_true(m->global_unfreeze == 1ull << unfreeze);
	assert_int_equal(m->dram_unit_log2, 16);                /* 4.2 */
	assert_int_equal(m->core->bits, 48);                    /* 3.3 */
	for (const struct box_type *b = m->box; b->name != NULL; b++) {
		if (b->counters == 0)
			continue;
		assert_int_equal(b->bits, freeze == 31 &&       /* 5.5 */
		    strcmp(b->name, "R3QPI") == 0 ? 44 : 48);
		assert_true(b->enable == 1ull << 22);           /* 5.2 */
		if (strcmp(b->name, "UBOX") == 0)               /* 5.1 */
			assert_int_equal(b->box_ctl, 0);
		else
			assert_true(b->freeze == 1ull << 8);
		if (b->fixed.name != NULL) {
			assert_int_equal(b->fixed.bits, 48);
			assert_true(b->fixed.enable == 1ull << 22);
		}
	}
	for (const struct freerun *f = m->freerun;
	    f != NULL && f->family != NULL; f++) {
		assert_int_equal(f->bits, freerun_bits);        /* 5.5 */
		if (strncmp(f->role, "bw_", 3) == 0)            /* 7.2, 8.2 */
			assert_int_equal(f->mul, 4);
		else if (strncmp(f->role, "ddr_", 4) == 0 ||
		    strncmp(f->role, "pmm_", 4) == 0)           /* 8.4 */
			assert_int_equal(f->mul, 64);
		else
			assert_true(f->mul <= 1);
	}
}

static void
counters_are_as_wide_as_the_reference_says(void **state)
{
	(void)state;
	check_uncore_widths_and_switches("hsx", 31, 29, 0);
	check_uncore_widths_and_switches("skx", 63, 61, 36);
	check_uncore_widths_and_switches("icx", 63, 61, 48);
}

/* Section 7.1, 8.1; the CHAs that are there. */
static void
chas_are_told_by_the_capability_registers_of_the_reference(void **state)
{
	const struct model *skx = model_named("skx"), *icx = model_named("icx");

	(void)state;
	assert_int_equal(skx->capid.bus, 1);
	assert_int_equal(skx->capid.devfn, PCI_DEVFN(0x1e, 3));
	assert_int_equal(skx->capid.devid, 0x2083);
	assert_int_equal(skx->capid.offset[0], 0x9c);
	assert_int_equal(skx->capid.mask[0], 0x0fffffff);
	assert_int_equal(skx->capid.offset[1], 0);
	assert_int_equal(icx->capid.devfn, PCI_DEVFN(0x1e, 3));
	assert_int_equal(icx->capid.devid, 0x345b);
	assert_int_equal(icx->capid.offset[0], 0x9c);
	assert_int_equal(icx->capid.offset[1], 0xa0);
}

/* 7.2 and quirk 1: filter1 = 0 matches nothing. */
static void
skx_cha_filter1_idles_at_match_everything(void **state)
{
	const struct box_type *cha = model_box(model_named("skx"), "CHA");

	(void)state;
	assert_string_equal(cha->filter[0].name, "filter0");
	assert_true(cha->filter[0].valid == 0x07fe1fff);
	assert_true(cha->filter[0].idle == 0);
	assert_string_equal(cha->filter[1].name, "filter1");
	assert_true(cha->filter[1].valid == 0xfffffe3b);
	assert_true(cha->filter[1].idle == 0x3b);
}

/* 6.1, 6.2. */
static void
hsx_finds_buses_cbos_and_sbos_as_the_reference_says(void **state)
{
	const struct model *m = model_named("hsx");
	const struct box_count *cbo = model_box(m, "CBO")->count;
	const struct box_count *sbo = model_box(m, "SBO")->count;

	(void)state;
	assert_int_equal(m->ubox.devfn, PCI_DEVFN(0x10, 5));
	assert_int_equal(m->ubox.devid, 0x2f1e);
	assert_int_equal(m->ubox.node_reg, 0x40);
	assert_int_equal(m->ubox.map_reg, 0x54);
	assert_int_equal(cbo->reg, 0x702);
	assert_int_equal(cbo->lo, 0);
	assert_int_equal(cbo->hi, 5);
	assert_int_equal(sbo->devfn, PCI_DEVFN(0x1e, 3));
	assert_int_equal(sbo->devid, 0x2fc0);
	assert_int_equal(sbo->reg, 0x94);
	assert_int_equal(sbo->lo, 6);
	assert_int_equal(sbo->hi, 7);
	assert_memory_equal(sbo->many, "\2\4\4\4", 4);
}

/* 6.2: filter0 is TID 5:0, link 8:6, LLC state 23:17; filter1 NID 15:0, opcode
 * 28:20, C6, NC and ISOC. */
static void
hsx_cbo_filters_have_the_bits_of_the_reference(void **state)
{
	const struct box_type *cbo = model_box(model_named("hsx"), "CBO");

	(void)state;
	assert_string_equal(cbo->filter[0].name, "filter0");
	assert_true(cbo->filter[0].valid == 0x00fe01ff);
	assert_string_equal(cbo->filter[1].name, "filter1");
	assert_true(cbo->filter[1].valid == 0xfff0ffff);
	assert_true(cbo->filter[0].idle == 0 && cbo->filter[1].idle == 0);
}

/* Section 2. */
static void
a_processor_is_known_by_family_model_and_stepping(void **state)
{
	static const struct {
		int line;
		unsigned family, model, stepping;
		const char *name;
	} cpu[] = {
		{ __LINE__, 6, 0x3f, 2, "hsx" },
		{ __LINE__, 6, 0x4f, 1, "bdx" },
		{ __LINE__, 6, 0x56, 3, "none" },       /* BDX-DE: no tables */
		{ __LINE__, 6, 0x55, 0, "skx" },
		{ __LINE__, 6, 0x55, 4, "skx" },        /* SKX */
		{ __LINE__, 6, 0x55, 5, "skx" },        /* CLX */
		{ __LINE__, 6, 0x55, 7, "skx" },
		{ __LINE__, 6, 0x55, 9, "skx" },
		{ __LINE__, 6, 0x6a, 6, "icx" },
		{ __LINE__, 6, 0x01, 0, "none" },
		{ __LINE__, 0x55, 0x55, 4, "none" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cpu) / sizeof(cpu[0]); i++) {
		const struct model *m = model_find("GenuineIntel", cpu[i].family, cpu[i].model,
		    cpu[i].stepping);

		if (m != model_named(cpu[i].name))
			fail_msg("line %d: %s", cpu[i].line,
			    m != NULL ? m->name : "none");
	}
	/* CPX has six UPI links and other M3UPI functions: 7.3 */
	assert_ptr_not_equal(model_find("GenuineIntel", 6, 0x55, 0xb), model_named("skx"));
}

/* ---- every model, whatever it is ---- */

/* ---- what an event counts ---- */

/* By the event codes of Intel's lists, whatever else a control says. */
static const struct {
	int line;
	const char *model, *box;
	uint64_t ctl;
	enum column_class cls;
} counted[] = {
	{ __LINE__, "skx", "core", 0x43003c, CLASS_CYCLES },
	{ __LINE__, "skx", "core", 0x63013c, CLASS_REF },
	{ __LINE__, "skx", "core", 0x43023c, CLASS_EVENT },
	{ __LINE__, "icx", "core", 0x43083c, CLASS_REF },
	{ __LINE__, "skx", "core", 0x4300c0, CLASS_INSTR },
	{ __LINE__, "skx", "core", 0x4301c0, CLASS_INSTR },
	{ __LINE__, "skx", "core", 0x4302c0, CLASS_INSTR_KIND },
	{ __LINE__, "hsx", "core", 0x4302c0, CLASS_INSTR_KIND },
	{ __LINE__, "icx", "core", 0x4320c4, CLASS_INSTR_KIND },
	{ __LINE__, "skx", "core", 0x4300c5, CLASS_INSTR_KIND },
	{ __LINE__, "skx", "core", 0x4300c6, CLASS_EVENT },
	{ __LINE__, "skx", "core", 0x430148, CLASS_OCCUPANCY },
	{ __LINE__, "skx", "core", 0x430160, CLASS_OCCUPANCY },
	{ __LINE__, "skx", "core", 0x431008, CLASS_OCCUPANCY },
	{ __LINE__, "skx", "core", 0x430108, CLASS_EVENT },
	{ __LINE__, "skx", "core", 0x431049, CLASS_OCCUPANCY },
	{ __LINE__, "skx", "core", 0x431085, CLASS_OCCUPANCY },
	{ __LINE__, "skx", "core", 0x43104f, CLASS_OCCUPANCY },
	{ __LINE__, "icx", "core", 0x431008, CLASS_OCCUPANCY },
	{ __LINE__, "hsx", "core", 0x43003c, CLASS_CYCLES },
	{ __LINE__, "hsx", "core", 0x430148, CLASS_OCCUPANCY },
	{ __LINE__, "hsx", "core", 0x431008, CLASS_EVENT },
	{ __LINE__, "slm", "core", 0x43003c, CLASS_CYCLES },
	{ __LINE__, "slm", "core", 0x43013c, CLASS_REF },
	{ __LINE__, "slm", "core", 0x4300c0, CLASS_INSTR },
	{ __LINE__, "slm", "core", 0x437ec4, CLASS_INSTR_KIND },
	{ __LINE__, "slm", "soc", 0, CLASS_SOC },
	{ __LINE__, "skx", "imc", 0x400304, CLASS_CAS },
	{ __LINE__, "skx", "imc", 0x400c04, CLASS_CAS },
	{ __LINE__, "skx", "imc", 0x400b01, CLASS_MEMCMD },
	{ __LINE__, "skx", "imc", 0x400102, CLASS_MEMCMD },
	{ __LINE__, "skx", "imc", 0x400000, CLASS_MEMCMD },
	{ __LINE__, "skx", "imc", 0x400080, CLASS_OCCUPANCY },
	{ __LINE__, "skx", "imc", 0x400005, CLASS_OCCUPANCY },
	{ __LINE__, "icx", "imc", 0x400f04, CLASS_CAS },
	{ __LINE__, "hsx", "imc", 0x400304, CLASS_CAS },
	{ __LINE__, "skx", "cha", 0x400136, CLASS_OCCUPANCY },
	{ __LINE__, "skx", "cha", 0x400135, CLASS_UNCORE },
	{ __LINE__, "skx", "cha", 0x40013d, CLASS_UNCORE },
	{ __LINE__, "skx", "cha", 0x400494, CLASS_OCCUPANCY },
	{ __LINE__, "icx", "cha", 0x400494, CLASS_UNCORE },
	{ __LINE__, "icx", "cha", 0x4004a0, CLASS_OCCUPANCY },
	{ __LINE__, "icx", "iio", 0x4000d5, CLASS_OCCUPANCY },
	{ __LINE__, "icx", "iio", 0x400083, CLASS_UNCORE },
	{ __LINE__, "icx", "m2pcie", 0x400014, CLASS_OCCUPANCY },
	{ __LINE__, "hsx", "cbo", 0x400136, CLASS_OCCUPANCY },
	{ __LINE__, "hsx", "ha", 0x400404, CLASS_OCCUPANCY },
	{ __LINE__, "hsx", "qpi", 0x400007, CLASS_OCCUPANCY },
	{ __LINE__, "skx", "ubox", 0x400042, CLASS_UNCORE },
	{ __LINE__, "skx", "upi", 0x400032, CLASS_OCCUPANCY },
	{ __LINE__, "skx", "upi", 0x400033, CLASS_UNCORE },
	{ __LINE__, "skx", "upi", 0x400042, CLASS_OCCUPANCY },
	{ __LINE__, "skx", "upi", 0x400044, CLASS_OCCUPANCY },
	{ __LINE__, "skx", "upi", 0x400001, CLASS_TICKS },
	{ __LINE__, "skx", "cha", 0x400000, CLASS_TICKS },
	{ __LINE__, "skx", "cha", 0x4000c0, CLASS_TICKS },
	{ __LINE__, "icx", "m2pcie", 0x4000c0, CLASS_TICKS },
	{ __LINE__, "icx", "iio", 0x400001, CLASS_TICKS },
	{ __LINE__, "hsx", "qpi", 0x400014, CLASS_TICKS },
	{ __LINE__, "hsx", "qpi", 0x400001, CLASS_UNCORE },
	{ __LINE__, "hsx", "sbo", 0x400000, CLASS_TICKS },
	{ __LINE__, "spr", "imc", 0xcf05, CLASS_CAS },
	{ __LINE__, "spr", "mchbm", 0xcf05, CLASS_MEMCMD },
	{ __LINE__, "grace", "core", 0x11, CLASS_KERNEL },
	{ __LINE__, "grace", "scf", 0x1a7, CLASS_KERNEL },
};

static void
an_events_code_tells_what_it_counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
		const struct box_type *b = model_box(model_named(
		    counted[i].model), counted[i].box);

		assert_non_null(b);
		if (box_class(b, counted[i].ctl) != counted[i].cls)
			fail_msg("line %d: %s", counted[i].line,
			    class_word(box_class(b, counted[i].ctl)));
	}
}

/* Where a dump tells no control value: the original tool's. */
static void
so_does_its_name_and_no_part_of_one(void **state)
{
	static const struct {
		const char *box, *event;
		enum column_class cls;
	} named[] = {
		{ "imc", "CAS_COUNT.READS", CLASS_CAS },
		{ "imc", "UNC_M_CAS_COUNT.RD", CLASS_CAS },
		{ "imc", "ACT.ALL", CLASS_MEMCMD },
		{ "imc", "ACT_COUNT.WR", CLASS_MEMCMD },
		{ "imc", "PRE_COUNT.MISS", CLASS_MEMCMD },
		{ "imc", "UNC_M_CLOCKTICKS", CLASS_MEMCMD },
		{ "imc", "CASUAL", CLASS_OCCUPANCY },
		{ "imc", "PRE", CLASS_OCCUPANCY },
		{ "core", "CPU_CLK_UNHALTED.REF_XCLK", CLASS_REF },
		{ "core", "CPU_CLK_UNHALTED.KERNEL", CLASS_CYCLES },
		{ "core", "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE", CLASS_EVENT },
		{ "core", "INST_RETIRED.TOTAL_CYCLES_PS", CLASS_EVENT },
		{ "core", "INST_RETIRED.NOP", CLASS_INSTR_KIND },
		{ "core", "BR_MISP_RETIRED.RET", CLASS_INSTR_KIND },
		{ "core", "BR_INST_EXEC.ALL", CLASS_EVENT },
		{ "upi", "UNC_UPI_CLOCKTICKS", CLASS_TICKS },
		{ "core", "MY_CPU_CLK_UNHALTED", CLASS_EVENT },
		{ "core", "L1D_PEND_MISS.PENDING", CLASS_OCCUPANCY },
		{ "core", "ITLB_MISSES.WALK_PENDING", CLASS_OCCUPANCY },
		{ "core", "ITLB_MISSES.STLB_HIT", CLASS_EVENT },
		{ "core", "INST_RETIRED.KERNEL", CLASS_INSTR },
		{ "cha", "UNC_CHA_TOR_OCCUPANCY.IA_MISS", CLASS_OCCUPANCY },
		{ "cha", "TOR_INSERTS.IA_MISS", CLASS_UNCORE },
		{ "cha", "SF_EVICTION.M_STATE", CLASS_UNCORE },
	};
	const struct model *skx = model_named("skx");

	(void)state;
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (box_class_named(model_box(skx, named[i].box),
		    named[i].event) != named[i].cls)
			fail_msg("%s", named[i].event);
}

static void
fixed_counters_count_instructions_slots_and_clocks(void **state)
{
	const struct core_fixed *f = model_named("icx")->fixed;

	(void)state;
	assert_int_equal(core_fixed_class(f, "Inst_Retired.Any"), CLASS_INSTR);
	assert_int_equal(core_fixed_class(f, "INST_RETIRED.ANY"), CLASS_INSTR);
	assert_int_equal(core_fixed_class(f, "CPU_CLK_UNHALTED.THREAD"),
	    CLASS_CYCLES);
	assert_int_equal(core_fixed_class(f, "CPU_CLK_Unhalted.Ref"),
	    CLASS_REF);
	assert_int_equal(core_fixed_class(f, "TOPDOWN.SLOTS"), CLASS_SLOTS);
	assert_int_equal(core_fixed_class(f, "another"), CLASS_REF);
	f = model_named("skx")->fixed;
	assert_int_equal(core_fixed_class(f, "TOPDOWN.SLOTS"), CLASS_REF);
}

static void
the_word_of_a_class_names_it_again(void **state)
{
	(void)state;
	for (enum column_class c = CLASS_UNKNOWN; c < CLASSES; c++)
		assert_int_equal(class_named(class_word(c)), c);
	assert_int_equal(class_named("occupancy"), CLASS_OCCUPANCY);
	assert_int_equal(class_named("queue"), CLASSES);
	assert_false(class_is_counter(CLASS_UNKNOWN));
	assert_false(class_is_counter(CLASS_READING));
	assert_false(class_is_counter(CLASS_WALL));
	assert_true(class_is_counter(CLASS_TSC));
	assert_true(class_is_counter(CLASS_SOC));
}

/* Everything that is counted has a class of counters, and readings have none. */
static void
what_has_a_width_has_the_class_of_a_counter(void **state)
{
	(void)state;
	for (const struct model *const *m = models; *m != NULL; m++) {
		const struct scalar *s;

		for (unsigned i = 0; (s = model_scalar(*m, i)) != NULL; i++) {
			assert_int_equal(class_is_counter(s->cls), s->bits > 0);
			assert_int_not_equal(s->cls, CLASS_UNKNOWN);
		}
		for (const struct freerun *f = (*m)->freerun; f != NULL &&
		    f->family != NULL; f++)
			assert_true(class_is_counter(f->cls));
		for (const struct box_type *b = (*m)->box; b->name != NULL; b++)
			assert_int_equal(class_is_counter(b->fixed.cls),
			    b->fixed.name != NULL);
	}
}

/* 3.1, 3.4: registers that only some core events look at; 0 asks nothing of
 * them.  Haswell-EP has no MSR_PEBS_FRONTEND.  0x3f6 is MSR_PEBS_LD_LAT in
 * Intel's SDM, volume 4. */
static const struct {
	const char *name;
	uint32_t reg;
	uint16_t event;
} extras[] = {
	{ "offcore_rsp_0", 0x1a6, 0xb7 }, { "offcore_rsp_1", 0x1a7, 0xbb },
	{ "frontend", 0x3f7, 0xc6 }, { "ldlat", 0x3f6, 0xcd },
};

static void
extra_registers_of_core_events_idle_at_0(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		const struct box_type *core = model_named(intel_server[k])->core;
		unsigned n = 0;

		for (unsigned i = 0; i < MAX_FILTERS &&
		    core->filter[i].name != NULL; i++, n++) {
			const struct box_filter *f = &core->filter[i];
			unsigned e = 0;

			while (e < 4 && strcmp(extras[e].name, f->name) != 0)
				e++;
			assert_true(e < 4);
			assert_int_equal(f->reg, extras[e].reg);
			assert_int_equal(f->event, extras[e].event);
			assert_int_equal(f->idle, 0);
		}
		assert_int_equal(n, k == 0 ? 3 : 4);
	}
}

static void
model_names_are_set_and_unique(void **state)
{
	(void)state;
	assert_non_null(models[0]);
	for (const struct model *const *m = models; *m != NULL; m++) {
		assert_non_null((*m)->name);
		assert_non_null((*m)->title);
		assert_ptr_equal(model_named((*m)->name), *m);
	}
}

static void
check_types(const struct model *m)
{
	for (const struct box_type *b = m->box; b->name != NULL; b++) {
		assert_true(b->name[0] != '\0');
		assert_ptr_equal(model_box(m, b->name), b);
		assert_true(b->instances >= 1);
		assert_true(b->counters <= MAX_COUNTERS);
		if (b->counters == 0)
			continue;
		assert_non_null(b->family);
		assert_true(b->bits >= 1 && b->bits <= 64);
		for (const struct box_type *c = m->box; c != b; c++)
			assert_true(c->family == NULL ||
			    strcmp(c->family, b->family) != 0);
		if (b->fixed.name != NULL)
			assert_true(b->fixed.bits >= 1 && b->fixed.bits <= 64);
	}
}

static void
box_types_are_named_once_and_have_a_width(void **state)
{
	(void)state;
	for (const struct model *const *m = models; *m != NULL; m++) {
		check_types(*m);
		if ((*m)->core != NULL)
			assert_true((*m)->core->counters <= MAX_COUNTERS &&
			    (*m)->core->bits >= 1 && (*m)->core->bits <= 64);
	}
}

static void
check_fields(const struct model *m, const struct box_type *b)
{
	for (const struct field *f = b->field; f != NULL && f->name != NULL; f++) {
		uint64_t bits;

		if (f->lo > f->hi || f->hi > 63)
			fail_msg("%s %s %s %u:%u", m->name, b->name, f->name,
			    f->hi, f->lo);
		bits = field_bits(f);
		if (bits & b->enable)
			fail_msg("%s %s %s takes the enable bit", m->name,
			    b->name, f->name);
		/* a further piece has the higher bits */
		if (field_named(b->field, f->name) != f)
			assert_true(f->lo >
			    field_named(b->field, f->name)->hi);
		for (const struct field *g = b->field; g != f; g++) {
			bool alias = g->lo == f->lo && g->hi == f->hi;

			if (!alias && (field_bits(g) & bits) != 0)
				fail_msg("%s %s %s overlaps %s", m->name,
				    b->name, f->name, g->name);
		}
	}
	for (const struct constraint *c = b->only;
	    c != NULL && c->counters != 0; c++) {
		if (c->counters >> b->counters != 0)
			fail_msg("%s %s event 0x%x: counters 0x%x of %u",
			    m->name, b->name, c->event, c->counters,
			    b->counters);
		assert_int_equal(box_event_mask(b, c->event), c->counters);
	}
	for (unsigned i = 0; i < MAX_FILTERS; i++)
		if (b->filter[i].name != NULL &&
		    (b->filter[i].idle & ~b->filter[i].valid) != 0)
			fail_msg("%s %s %s idles outside its valid bits",
			    m->name, b->name, b->filter[i].name);
}

static void
fields_filters_and_constraints_fit_their_registers(void **state)
{
	(void)state;
	for (const struct model *const *m = models; *m != NULL; m++) {
		if ((*m)->core != NULL)
			check_fields(*m, (*m)->core);
		for (const struct box_type *b = (*m)->box; b->name != NULL; b++)
			check_fields(*m, b);
	}
}

static void
check_places(const struct model *m, const struct box_type *b)
{
	for (unsigned i = 0; i < b->instances; i++) {
		if (b->space == REG_PCI && !b->table.only && (b->devfn == NULL ||
		    b->devfn[i] == 0 || b->devid == NULL || b->devid[i] == 0))
			fail_msg("%s %s %u: no function or device id", m->name,
			    b->name, i);
		if (b->table.laid && (!b->table.only || b->box_ctl != 0 ||
		    b->ctl != 0 || b->ctr != 0 || b->stride != 0))
			fail_msg("%s %s: both the model and the table say "
			    "where it is", m->name, b->name);
		if (b->space == REG_MMIO && b->unit_of == NULL &&
		    !b->table.laid && (b->bar == NULL || !b->table.only))
			fail_msg("%s %s %u: no BAR", m->name, b->name, i);
		if (b->presence == PRESENT_PCI_ID && b->devid == NULL)
			fail_msg("%s %s %u: no device id", m->name, b->name, i);
	}
}

static void
every_instance_has_its_function_and_device_id(void **state)
{
	(void)state;
	for (const struct model *const *m = models; *m != NULL; m++)
		for (const struct box_type *b = (*m)->box; b->name != NULL; b++)
			check_places(*m, b);
}

static void
scalar_families_are_unique_and_not_too_wide(void **state)
{
	const struct scalar *s;

	(void)state;
	for (const struct model *const *m = models; *m != NULL; m++)
		for (unsigned n = 0; (s = model_scalar(*m, n)) != NULL; n++) {
			assert_true(s->bits <= 64);
			assert_non_null(s->unit);
			if (scalar_named(*m, s->family) != s)
				fail_msg("%s: %s twice", (*m)->name, s->family);
		}
}

static void
free_running_counters_have_a_width_a_unit_and_a_box(void **state)
{
	(void)state;
	for (const struct model *const *m = models; *m != NULL; m++)
		for (const struct freerun *f = (*m)->freerun;
		    f != NULL && f->family != NULL; f++) {
			assert_true(f->bits >= 1 && f->bits <= 64);
			assert_non_null(f->unit);
			assert_non_null(f->role);
			if (model_box(*m, f->box) == NULL)
				fail_msg("%s %s: no box %s", (*m)->name,
				    f->family, f->box);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scalars_have_the_width_and_scope_of_the_reference),
		cmocka_unit_test(limit_reasons_are_where_the_generation_has_them),
		cmocka_unit_test(pci_functions_have_the_device_ids_of_the_reference),
		cmocka_unit_test(pinned_events_are_kept_to_the_counters_of_the_reference),
		cmocka_unit_test(a_constraint_may_be_of_one_unit_mask),
		cmocka_unit_test(control_fields_lie_where_the_reference_puts_them),
		cmocka_unit_test(counters_are_as_wide_as_the_reference_says),
		cmocka_unit_test(chas_are_told_by_the_capability_registers_of_the_reference),
		cmocka_unit_test(skx_cha_filter1_idles_at_match_everything),
		cmocka_unit_test(
		    hsx_finds_buses_cbos_and_sbos_as_the_reference_says),
		cmocka_unit_test(hsx_cbo_filters_have_the_bits_of_the_reference),
		cmocka_unit_test(a_processor_is_known_by_family_model_and_stepping),
		cmocka_unit_test(an_events_code_tells_what_it_counts),
		cmocka_unit_test(so_does_its_name_and_no_part_of_one),
		cmocka_unit_test(
		    fixed_counters_count_instructions_slots_and_clocks),
		cmocka_unit_test(the_word_of_a_class_names_it_again),
		cmocka_unit_test(what_has_a_width_has_the_class_of_a_counter),
		cmocka_unit_test(extra_registers_of_core_events_idle_at_0),
		cmocka_unit_test(model_names_are_set_and_unique),
		cmocka_unit_test(box_types_are_named_once_and_have_a_width),
		cmocka_unit_test(fields_filters_and_constraints_fit_their_registers),
		cmocka_unit_test(every_instance_has_its_function_and_device_id),
		cmocka_unit_test(scalar_families_are_unique_and_not_too_wide),
		cmocka_unit_test(free_running_counters_have_a_width_a_unit_and_a_box),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
