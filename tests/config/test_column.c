/*
 * tests/config/test_column.c - which number a column is: its printed form, taken apart
 * and made again, and what its family and its class are known by.
 */
#include "tests/lib/files.h"
#include "tests/lib/named.h"

#include "config/dump/column.h"
#include "config/dump/read.h"
#include "config/dump/store.h"

#include <stdlib.h>
#include <string.h>

/* ---- printed and parsed ----------------------------------------------- */

static const struct family imc = { .name = "imc_counts" };
static const struct family cores = { .name = "core_group_counts" };

static const struct {
	int line;
	const char *text, *suffixed;
	struct column_id id;
} shapes[] = {
	{ __LINE__, "imc_counts", "imc_counts_control", { .family = &imc } },
	{ __LINE__, "imc_counts[0]", "imc_counts_control[0]",
	    { .family = &imc, .nindex = 1 } },
	{ __LINE__, "imc_counts[17]", "imc_counts_control[17]",
	    { .family = &imc, .nindex = 1, .index = { 17 } } },
	{ __LINE__, "imc_counts[1][30]", "imc_counts_control[1][30]",
	    { .family = &imc, .nindex = 2, .index = { 1, 30 } } },
	{ __LINE__, "imc_counts[1][30][\"CAS.RD\"]",
	    "imc_counts_control[1][30][\"CAS.RD\"]", { .family = &imc,
	    .nindex = 2, .index = { 1, 30 }, .event = "CAS.RD" } },
	{ __LINE__, "imc_counts[\"X\"]", "imc_counts_control[\"X\"]",
	    { .family = &imc, .event = "X" } },
	{ __LINE__, "imc_counts[\"a[3]\"]", "imc_counts_control[\"a[3]\"]",
	    { .family = &imc, .event = "a[3]" } },
	{ __LINE__, "imc_counts[1][2][3][999999999]",
	    "imc_counts_control[1][2][3][999999999]", { .family = &imc,
	    .nindex = 4, .index = { 1, 2, 3, 999999999 } } },
	{ __LINE__, "core_group_counts[\"0-3\"][\"X\"]",
	    "core_group_counts_control[\"0-3\"][\"X\"]",
	    { .family = &cores, .lprocs = "0-3", .event = "X" } },
	/* what is none of ours */
	{ __LINE__, "imc_counts[007]", "imc_counts_control[007]",
	    { .family = &imc, .odd = "[007]", .nindex = 1, .index = { 7 } } },
	{ __LINE__, "imc_counts['X']", "imc_counts_control['X']",
	    { .family = &imc, .odd = "['X']", .event = "X" } },
	{ __LINE__, "imc_counts[\"X\"][3]", "imc_counts_control[\"X\"][3]",
	    { .family = &imc, .odd = "[\"X\"][3]", .event = "X", .nindex = 1,
	    .index = { 3 } } },
	{ __LINE__, "imc_counts[2][\"Y\"][\"X\"]",
	    "imc_counts_control[2][\"Y\"][\"X\"]", { .family = &imc,
	    .odd = "[2][\"Y\"][\"X\"]", .lprocs = "Y", .event = "X",
	    .nindex = 1, .index = { 2 } } },
	{ __LINE__, "imc_counts[1][2][3][4][5]",
	    "imc_counts_control[1][2][3][4][5]", { .family = &imc,
	    .odd = "[1][2][3][4][5]", .nindex = 4, .index = { 1, 2, 3, 4 } } },
	{ __LINE__, "imc_counts[-1]", "imc_counts_control[-1]",
	    { .family = &imc, .odd = "[-1]", .nindex = 1 } },
	{ __LINE__, "imc_counts[4294967297]", "imc_counts_control[4294967297]",
	    { .family = &imc, .odd = "[4294967297]", .nindex = 1,
	    .index = { 1 } } },
};

static bool
label_is(const char *label, size_t len, const char *want)
{
	return want == NULL ? label == NULL : label != NULL &&
	    len == strlen(want) && memcmp(label, want, len) == 0;
}

static void
a_printed_form_taken_apart_is_the_column_that_it_was_made_of(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct column_id *id = &shapes[i].id;
		size_t len = strlen(shapes[i].text);
		struct column_words w;
		char text[64], *whole;

		assert_int_equal(column_text(id, "", text, sizeof(text)), len);
		assert_string_equal(text, shapes[i].text);
		whole = column_string(id, "_control");
		assert_string_equal(whole, shapes[i].suffixed);
		free(whole);
		column_parse(&w, shapes[i].text, len);
		if (!label_is(w.family, w.family_len, id->family->name) ||
		    !label_is(w.event, w.event_len, id->event) ||
		    !label_is(w.lprocs, w.lprocs_len, id->lprocs) ||
		    !label_is(w.odd, w.odd != NULL ? (size_t)(shapes[i].text +
		    len - w.odd) : 0, id->odd) || w.nindex != id->nindex ||
		    memcmp(w.index, id->index, sizeof(w.index)) != 0)
			fail_msg("line %d: %s", shapes[i].line,
			    shapes[i].text);
	}
}

static void
a_form_that_does_not_fit_is_cut_and_measured(void **state)
{
	const struct column_id id = { .family = &imc, .nindex = 2,
	    .index = { 0, 3 }, .event = "X" };
	char text[12] = "...........";

	(void)state;
	assert_int_equal(column_text(&id, "", text, sizeof(text)), 21);
	assert_string_equal(text, "imc_counts[");
	assert_int_equal(column_text(&id, "", NULL, 0), 21);
}

/* Whatever it is, nothing is read behind its end. */
static void
half_a_name_is_taken_apart_as_far_as_it_goes(void **state)
{
	static const char name[] = "a[0][\"x\\\"y\"][12";

	(void)state;
	for (size_t n = 0; n < sizeof(name); n++) {
		char *exact = malloc(n + 1);
		struct column_words w;

		memcpy(exact, name, n);
		exact[n] = '\0';
		column_parse(&w, exact, n);
		assert_true(w.family == exact && w.family_len <= 1);
		if (n > 1 && n < 4)
			assert_true(w.odd == exact + 1);
		free(exact);
	}
}

/* ---- compared --------------------------------------------------------- */

static void
a_table_has_what_is_in_it(void **state)
{
	static const struct { const char *id, *table; bool in; } cases[] = {
		{ "core_counts[5][\"X\"]", "core_counts[5]", true },
		{ "core_counts[5][\"X\"]", "core_counts[5][\"X\"]", true },
		{ "core_counts[5][\"X\"]", "core_counts[5][\"XY\"]", false },
		{ "core_counts[55][\"X\"]", "core_counts[5]", false },
		{ "core_counts[5][\"X\"]", "core_count[5]", false },
		{ "core_counts[5][\"X\"]", "core_counts", true },
		{ "imc_counts[0][3][\"X\"]", "imc_counts[0]", true },
		{ "imc_counts[0][3][\"X\"]", "imc_counts[0][3]", true },
		{ "imc_counts[0][3][\"X\"]", "imc_counts[3]", false },
		{ "imc_counts[0]", "imc_counts[0][3]", false },
		{ "core_group_counts[\"0-3\"][\"X\"]",
		    "core_group_counts[\"0-3\"][\"X\"]", true },
		{ "core_group_counts[\"0-3\"][\"X\"]",
		    "core_group_counts[\"0-4\"][\"X\"]", false },
		{ "core_group_counts[\"0-3\"][\"X\"]",
		    "core_group_counts", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct column c[2] = { { .name = cases[i].id, .bits = 64 },
		    { .name = cases[i].table, .bits = 64 } };

		columns_named(c, 2);
		if (column_in(&c[0].id, &c[1].id) != cases[i].in)
			fail_msg("%s, %s", cases[i].id, cases[i].table);
		assert_int_equal(column_same(&c[0].id, &c[1].id),
		    strcmp(cases[i].id, cases[i].table) == 0);
		assert_true(column_order(&c[0].id, &c[1].id) ==
		    -column_order(&c[1].id, &c[0].id) ||
		    (column_order(&c[0].id, &c[1].id) > 0) ==
		    (column_order(&c[1].id, &c[0].id) < 0));
	}
}

/* ---- declared --------------------------------------------------------- */

static char declared[512];

static void
put(void *ctx, const char *text, size_t n)
{
	(void)ctx;
	strncat(declared, text, n);
}

static void
each_table_is_declared_once_before_what_is_in_it(void **state)
{
	struct column c[] = { { .name = "imc_counts[0][3][\"X\"]" },
	    { .name = "imc_counts[0][4][\"X\"]" }, { .name = "tsc" } };
	struct declared *d = declare_new(put, NULL);

	(void)state;
	columns_named(c, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(declare_tables(d, &c[i].id, "", i > 0), 0);
	declare_free(d);
	assert_string_equal(declared, "imc_counts = {}\nimc_counts[0] = {}\n"
	    "imc_counts[0][3] = {}\nimc_counts[0][4] = {}\n"
	    "imc_counts[0][4][\"X\"] = {}\ntsc = {}\n");
}

/* ---- families --------------------------------------------------------- */

static const struct {
	int line;
	const char *model, *name;
	unsigned bits, mul;
	enum column_class cls;
	enum family_of of;
	enum family_part part;
	enum family_sum sum;
} families[] = {
#define L __LINE__
	{ L, "skx", "tsc", 64, 1, CLASS_TSC, OF_NODE, 0, 0 },
	{ L, "skx", "lproc_tsc", 64, 1, CLASS_TSC, OF_LPROC, 0, 0 },
	{ L, "skx", "walltime", 0, 1, CLASS_WALL, OF_NODE, 0, 0 },
	{ L, "skx", "set_running", 64, 1, CLASS_UCLK, OF_NODE, 0, 0 },
	{ L, "skx", "ib_recv_bytes", 64, 4, CLASS_BYTES_NET, OF_PORT, 0, 0 },
	{ L, "skx", "aperf", 64, 1, CLASS_CYCLES, OF_LPROC, 0, 0 },
	{ L, "skx", "mperf", 64, 1, CLASS_REF, OF_LPROC, 0, 0 },
	{ L, "skx", "aperfs", 0, 1, CLASS_UNKNOWN, OF_PKG, 0, 0 },
	{ L, "any", "pperf", 64, 1, CLASS_CYCLES, OF_LPROC, 0, 0 },
	{ L, "skx", "core_c6_residency", 64, 1, CLASS_CYCLES, OF_CORE, 0, 0 },
	{ L, "skx", "rapl_pkg_energy", 32, 1, CLASS_ENERGY_PKG, OF_PKG, 0, 0 },
	{ L, "skx", "pkg_temperature", 0, 1, CLASS_TEMP, OF_PKG, 0, 0 },
	{ L, "icx", "core_perf_metrics", 0, 1, CLASS_READING, OF_LPROC, 0, 0 },
	{ L, "skx", "iio_PCIe0_port1_in_bytes", 36, 4, CLASS_BYTES_IO, OF_PKG,
	    0, 0 },
	{ L, "skx", "iio_PCIe0_clocks", 36, 1, CLASS_UCLK, OF_PKG, 0, 0 },
	{ L, "skx", "iio_PCIe0_portx_in_bytes", 0, 1, CLASS_UNKNOWN, OF_PKG,
	    0, 0 },
	{ L, "icx", "imc_ddr_read_bytes", 48, 64, CLASS_BYTES_NET, OF_PKG,
	    0, 0 },
	{ L, "skx", "ubox_uclk", 48, 1, CLASS_UCLK, OF_PKG, 0, 0 },
	{ L, "skx", "core_fixed_counts", 48, 1, CLASS_CYCLES, OF_LPROC,
	    PART_COUNTS, 0 },
	{ L, "skx", "core_counts", 48, 1, CLASS_EVENT, OF_LPROC, PART_COUNTS,
	    0 },
	{ L, "skx", "imc_counts", 48, 1, CLASS_OCCUPANCY, OF_PKG, PART_COUNTS,
	    0 },
	{ L, "skx", "cha_counts", 48, 1, CLASS_UNCORE, OF_PKG, PART_COUNTS,
	    0 },
	{ L, "hsx", "r3qpi_counts", 44, 1, CLASS_UNCORE, OF_PKG, PART_COUNTS,
	    0 },
	{ L, "slm", "soc_counts", 32, 1, CLASS_SOC, OF_NODE, PART_COUNTS, 0 },
	{ L, "grace", "scf_counts", 64, 1, CLASS_KERNEL, OF_PKG, PART_COUNTS,
	    0 },
	{ L, "skx", "core_enabled", 64, 1, CLASS_UCLK, OF_LPROC, PART_ENABLED,
	    0 },
	{ L, "skx", "imc_scaled", 0, 1, CLASS_READING, OF_PKG, PART_SCALED, 0 },
	{ L, "skx", "core_group_counts", 64, 1, CLASS_KERNEL, OF_LPROC,
	    PART_COUNTS, SUM_LPROCS },
	{ L, "skx", "cha_sum_scaled", 64, 1, CLASS_KERNEL, OF_PKG, PART_SCALED,
	    SUM_BOXES },
	{ L, "skx", "cha_sum_running", 64, 1, CLASS_KERNEL, OF_PKG,
	    PART_RUNNING, SUM_BOXES },
	/* of the user's own, whatever their names end in */
	{ L, "skx", "raw_lproc_TJ", 64, 1, CLASS_RAW, OF_LPROC, 0, 0 },
	{ L, "skx", "raw_pkg_0x611", 64, 1, CLASS_RAW, OF_PKG, 0, 0 },
	{ L, "any", "raw_pci_imc_counts", 64, 1, CLASS_RAW, OF_PKG, 0, 0 },
	{ L, "skx", "raw_counts", 48, 1, CLASS_UNCORE, OF_PKG, PART_COUNTS,
	    0 },
	/* of PMUs that no table has */
	{ L, "skx", "core_msr_counts", 48, 1, CLASS_EVENT, OF_LPROC,
	    PART_COUNTS, 0 },
	{ L, "skx", "software_counts", 48, 1, CLASS_EVENT, OF_LPROC,
	    PART_COUNTS, 0 },
	{ L, "skx", "power_counts", 48, 1, CLASS_UNCORE, OF_PKG, PART_COUNTS,
	    0 },
#undef L
};

static void
a_family_is_described_by_the_models_tables_and_its_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		const struct model *m = model_named(families[i].model);
		struct family f;

		family_describe(&f, m != NULL ? m : &model_any,
		    families[i].name);
		if (f.bits != families[i].bits || f.mul != families[i].mul ||
		    f.cls != families[i].cls || f.of != families[i].of ||
		    f.part != families[i].part || f.sum != families[i].sum)
			fail_msg("line %d: %s: %u %u %s of %u part %u sum %u",
			    families[i].line, families[i].name, f.bits, f.mul,
			    class_word(f.cls), f.of, f.part, f.sum);
	}
}

static void
families_of_one_stem_name_one_another(void **state)
{
	struct family f;
	char name[64];

	(void)state;
	family_describe(&f, model_named("skx"), "imc_sum_counts");
	assert_int_equal(f.stem, 3);
	assert_string_equal(f.type->name, "IMC");
	assert_string_equal(family_name(f.name, f.stem, f.sum, PART_ENABLED,
	    name, sizeof(name)), "imc_sum_enabled");
	assert_string_equal(family_name("core", 4, SUM_LPROCS, PART_SCALED,
	    name, sizeof(name)), "core_group_scaled");
	assert_string_equal(family_name("ubox_uclk", 9, SUM_BOXES, PART_NONE,
	    name, sizeof(name)), "ubox_uclk_sum");
	/* neither a set's time nor a stem of nothing is one of them */
	family_describe(&f, model_named("skx"), "set_enabled");
	assert_int_equal(f.part, PART_NONE);
	family_describe(&f, model_named("skx"), "_counts");
	assert_int_equal(f.part, PART_NONE);
}

static void
what_the_dump_says_of_a_family_holds(void **state)
{
	struct family f;

	(void)state;
	family_describe(&f, model_named("skx"), "core_counts");
	family_say(&f, "events", 64, 1);
	assert_int_equal(f.cls, CLASS_KERNEL);
	assert_int_equal(f.bits, 64);
	family_describe(&f, model_named("skx"), "core_counts");
	family_say(&f, "count", 40, 0);
	assert_int_equal(f.cls, CLASS_EVENT);
	assert_int_equal(f.bits, 40);
	family_describe(&f, model_named("skx"), "wheel_turns");
	family_say(&f, "bytes", 12, 5);
	assert_int_equal(f.cls, CLASS_BYTES_NET);
	assert_int_equal(f.mul, 5);
	family_describe(&f, model_named("skx"), "wheel_turns");
	family_say(&f, NULL, 12, 0);
	assert_int_equal(f.cls, CLASS_UNCORE);
	/* of no width: no counter */
	family_describe(&f, model_named("skx"), "aperf");
	family_say(&f, "cycles", 0, 0);
	assert_int_equal(f.cls, CLASS_READING);
}

/* ---- classes ---------------------------------------------------------- */

/* One value of a column in a dump with that head. */
static enum column_class
class_in(const char *head, const char *name)
{
	char text[512];
	struct reader *r;
	struct diag why;
	enum column_class cls;
	int c;

	snprintf(text, sizeof(text), "%s%s[0] = 1\n", head, name);
	if (read_open(&r, test_put("dump", text), &why) < 0)
		fail_msg("%s", why.text);
	while (read_next(r, &(struct read_row){ 0 }, &why) > 0)
		;
	c = read_find(r, name);
	assert_true(c >= 0);
	cls = read_column(r, (unsigned)c)->cls;
	read_close(r);
	return cls;
}

#define CAS "imc_counts[0][0][\"CAS_COUNT.READS\"]"
#define MINE "cha_counts[0][0][\"MINE\"]"
#define TOR "cha_counts[0][0][\"TOR_OCCUPANCY.IA\"]"

/* Plausibility hangs on it: too tight a bound throws counts away. */
static void
an_event_has_the_class_that_the_dump_says_else_its_controls_else_its_names(
    void **state)
{
	(void)state;
	/* the original's dumps say neither */
	assert_int_equal(class_in("", CAS), CLASS_CAS);
	assert_int_equal(class_in("", "imc_counts[0][0][\"ACT.ALL\"]"),
	    CLASS_MEMCMD);
	assert_int_equal(class_in("", "imc_counts[0][0][\"DCLK\"]"),
	    CLASS_MEMCLK);
	assert_int_equal(class_in("", "imc_counts[0][0][\"DCLK2\"]"),
	    CLASS_OCCUPANCY);
	assert_int_equal(class_in("", TOR), CLASS_OCCUPANCY);
	assert_int_equal(class_in("", MINE), CLASS_UNCORE);
	assert_int_equal(class_in("",
	    "core_fixed_counts[0][\"Inst_Retired.Any\"]"), CLASS_INSTR);
	assert_int_equal(class_in("",
	    "core_fixed_counts[0][\"CPU_CLK_Unhalted.Ref\"]"), CLASS_REF);
	assert_int_equal(class_in("",
	    "core_counts[0][\"CPU_CLK_UNHALTED.REF_XCLK\"]"), CLASS_REF);
	assert_int_equal(class_in("", "core_counts[0][\"INST_RETIRED.X\"]"),
	    CLASS_INSTR);
	/* a control value outweighs any name */
	assert_int_equal(class_in("cha_counts_control[0][0][\"MINE\"] = "
	    "0x400136\n", MINE), CLASS_OCCUPANCY);
	assert_int_equal(class_in("cha_counts_control[0][0]"
	    "[\"TOR_OCCUPANCY.IA\"] = 0x40013d\n", TOR), CLASS_UNCORE);
	/* by the tables of the dump's own model */
	assert_int_equal(class_in("model = \"hsx\"\n"
	    "cbo_counts_control[0][0][\"X\"] = 0x400136\n",
	    "cbo_counts[0][0][\"X\"]"), CLASS_OCCUPANCY);
	/* of a kind, those of its first column hold for all */
	assert_int_equal(class_in("cha_counts_control[0][0][\"MINE\"] = "
	    "0x400136\ncha_counts[0][0][\"MINE\"][0] = 1\n",
	    "cha_counts[0][1][\"MINE\"]"), CLASS_OCCUPANCY);
	/* and what the dump says, both */
	assert_int_equal(class_in("event_class[\"cha_counts\"][\"MINE\"] = "
	    "\"cycles\"\ncha_counts_control[0][0][\"MINE\"] = 0x400136\n",
	    MINE), CLASS_CYCLES);
	assert_int_equal(class_in("event_class[\"cha_counts\"][\"MINE\"] = "
	    "\"of a kind to come\"\n", MINE), CLASS_UNCORE);
	/* sums have no limit of one counter */
	assert_int_equal(class_in("", "imc_sum_counts[0]"
	    "[\"CAS_COUNT.READS\"]"), CLASS_KERNEL);
	/* a reading has no events */
	assert_int_equal(class_in("family_bits[\"cha_counts\"] = 0\n"
	    "event_class[\"cha_counts\"][\"MINE\"] = \"cycles\"\n", MINE),
	    CLASS_READING);
}

static void
a_store_carries_ids_and_classes(void **state)
{
	struct column c[] = { { .name = "tsc", .bits = 64 },
	    { .name = "cha_counts[1][27][\"MINE\"]", .cell = 1, .bits = 48 },
	    { .name = "core_group_counts[\"0-3\"][\"X\"]", .cell = 2,
	    .bits = 64 }, { .name = "cha_counts[1][28][\"MINE\"]", .cell = 1,
	    .bits = 48 } };
	struct store_shape shape = { .column = c, .ncolumn = 4, .ncell = 3,
	    .capacity = 1, .preamble = "", .model = "skx" };
	char path[512];
	const struct column *got;
	struct store *st;
	struct reader *r;
	struct diag why;

	(void)state;
	columns_named(c, 4);
	c[1].cls = c[3].cls = CLASS_OCCUPANCY;
	snprintf(path, sizeof(path), "%s/store", test_dir);
	assert_int_equal(store_create(&st, path, &shape, &why), 0);
	got = store_shape(st)->column;
	for (unsigned i = 0; i < 4; i++) {
		assert_true(column_same(&got[i].id, &c[i].id));
		assert_int_equal(got[i].cls, c[i].cls);
	}
	assert_ptr_equal(got[1].id.family, got[3].id.family);
	assert_string_equal(got[1].id.family->type->name, "CHA");
	store_commit(st);
	store_close(st);
	assert_int_equal(read_open(&r, path, &why), 0);
	got = read_column(r, (unsigned)read_find(r, c[1].name));
	assert_int_equal(got->cls, CLASS_OCCUPANCY);
	assert_int_equal(got->id.index[1], 27);
	assert_int_equal(read_column(r, 2)->cls, CLASS_KERNEL);
	assert_int_equal(read_find_id(r, &c[2].id), 2);
	read_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
	a_printed_form_taken_apart_is_the_column_that_it_was_made_of),
		cmocka_unit_test(a_form_that_does_not_fit_is_cut_and_measured),
		cmocka_unit_test(half_a_name_is_taken_apart_as_far_as_it_goes),
		cmocka_unit_test(a_table_has_what_is_in_it),
		cmocka_unit_test(
		    each_table_is_declared_once_before_what_is_in_it),
		cmocka_unit_test(
		    a_family_is_described_by_the_models_tables_and_its_name),
		cmocka_unit_test(families_of_one_stem_name_one_another),
		cmocka_unit_test(what_the_dump_says_of_a_family_holds),
		cmocka_unit_test(
an_event_has_the_class_that_the_dump_says_else_its_controls_else_its_names),
		cmocka_unit_test(a_store_carries_ids_and_classes),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
