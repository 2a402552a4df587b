/*
 * tests/config/test_head.c - the head of a dump: its table of keys, what is put by it
 * and read back, and the manual page that lists it.
 */
#include "tests/lib/rig.h"

#include "config/dump/head.h"
#include "config/dump/read.h"
#include "daemon/run/preamble.h"
#include "lib/printable.h"
#include "regs/sideband.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What nobody should name a node, an event or a device. */
#define NASTY "a\"b\\c'd\ne\tf\x01g\xffh\xc3\xa9]['"

static const struct family imc = { .name = "imc_counts" };
static const struct column_id counted = { .family = &imc, .nindex = 2,
	.index = { 0, 3 }, .event = "X" };

static struct reader *
opened(const char *text)
{
	struct reader *r;
	struct diag why;

	if (read_open(&r, test_put("head.lua", text), &why) < 0)
		fail_msg("%s", why.text);
	return r;
}

/* ---- the table ---- */

static void
a_key_is_called_as_it_is_spelled_and_found_by_that(void **state)
{
	static const struct { const char *key, *name; } rows[] = {
#define ROW(key, name, shape, type, unit) { #key, name },
#include "config/dump/head_rows.h"
#undef ROW
	};

	(void)state;
	for (unsigned i = 0; i < HEAD_KEYS; i++) {
		const char *k = rows[i].key + 5, *n = rows[i].name;

		assert_memory_equal(rows[i].key, "HEAD_", 5);
		assert_int_equal(head_find(n, strlen(n)), i);
		n += strspn(n, "*_");
		for (; *n != '\0'; n++, k++)
			if (toupper((unsigned char)*n) != *k)
				fail_msg("%s is \"%s\"", rows[i].key,
				    rows[i].name);
		assert_int_equal(*k, '\0');
	}
	assert_int_equal(head_find("imc_counts_control", 18), HEAD_CONTROL);
	assert_int_equal(head_find("lproc_core[5]", 10), HEAD_LPROC_CORE);
	assert_int_equal(head_find("lproc_cor", 9), HEAD_KEYS);
	assert_int_equal(head_find("_control", 8), HEAD_KEYS);
}

/* How the page writes the indices of a shape. */
static const char *const shape_text[HEAD_SHAPES] = {
	[HEAD_ALONE] = "", [HEAD_BY_PACKAGE] = "[package]",
	[HEAD_BY_LPROC] = "[lproc]", [HEAD_BY_NODE] = "[node]",
	[HEAD_BY_DEVICE] = "[device]", [HEAD_BY_SAMPLE] = "[sample]",
	[HEAD_BY_NUMBER] = "[n]", [HEAD_BY_STACK] = "[package][stack]",
	[HEAD_BY_BOX] = "[type][package][box]", [HEAD_BY_FAMILY] = "[family]",
	[HEAD_BY_EVENT] = "[family][event]", [HEAD_BY_MODE] = "[mode]",
	[HEAD_BY_SET] = "[set]", [HEAD_BY_GROUP] = "[group][n]",
	[HEAD_BY_COLUMN] = "...",
};

/* The line of the page's item `at` is that of a key, and a line that says what
 * the key means follows it.  Returns what comes after both. */
static const char *
listed(const char *at, const struct head_row *row)
{
	const char *kind = row->unit[0] != '\0' ? row->unit :
	    row->type == HEAD_TEXT || row->type == HEAD_COLUMN ? "text" :
	    row->type == HEAD_HEX || row->type == HEAD_HEX8 ? "hex" : "";
	char want[256];
	int n = snprintf(want, sizeof(want), ".It Va %s%s%s%s%s\n",
	    row->name[0] == '*' ? "FAMILY" : "",
	    row->name + (row->name[0] == '*'), shape_text[row->shape],
	    kind[0] != '\0' ? " Pq " : "", kind);

	if (strncmp(at, want, (size_t)n) != 0)
		fail_msg("doc/tallyd-dump.5 has not this item: %s"
		    "It has there: %.60s", want, at);
	at += n;
	if (*at == '.' || strcspn(at, "\n") < 5)
		fail_msg("doc/tallyd-dump.5 does not say what %s is",
		    row->name);
	return strchr(at, '\n') + 1;
}

static void
the_manual_page_lists_these_keys_and_no_others(void **state)
{
	char *page = file_text("doc/tallyd-dump.5", NULL);
	const char *at = strstr(page, ".Ss Constants\n");

	(void)state;
	assert_non_null(at);
	assert_non_null(at = strstr(at, ".It "));
	for (enum head_key key = 0; key < HEAD_KEYS; key++)
		at = listed(at, head_row(key));
	assert_memory_equal(at, ".El\n", 4);
	assert_null(strstr(at, ".It "));
	free(page);
}

/* ---- names ---- */

static void
indices_are_printed_by_the_shape_of_the_key(void **state)
{
	static const struct {
		int line;
		enum head_key key;
		struct head_at at;
		unsigned depth;
		const char *name;
	} t[] = {
		{ __LINE__, HEAD_NR_CPUS, { .name = { NULL },
		  .n = { 7 } }, HEAD_WHOLE,
		  "nr_cpus" },
		{ __LINE__, HEAD_LPROC_CORE, { .name = { NULL },
		  .n = { 5 } }, HEAD_WHOLE,
		  "lproc_core[5]" },
		{ __LINE__, HEAD_LPROC_CORE, { .name = { NULL },
		  .n = { 5 } }, 0,
		  "lproc_core" },
		{ __LINE__, HEAD_IO_STACK_BUS, { .name = { NULL },
		  .n = { 1, 2 } },
		  HEAD_WHOLE, "io_stack_bus[1][2]" },
		{ __LINE__, HEAD_UNIT_ABSENT, { .name = { "CHA" },
		  .n = { 0, 24 } },
		  HEAD_WHOLE, "unit_absent[\"CHA\"][0][24]" },
		{ __LINE__, HEAD_UNIT_ABSENT, { .name = { "CHA" },
		  .n = { 0, 24 } }, 2,
		  "unit_absent[\"CHA\"][0]" },
		{ __LINE__, HEAD_EVENT_SET, { .name = { "core_counts", "X\"Y" },
		  .n = { 0 } },
		  HEAD_WHOLE, "event_set[\"core_counts\"][\"X\\\"Y\"]" },
		{ __LINE__, HEAD_EVENT_SET, { .name = { "core_counts" },
		  .n = { 0 } }, 1,
		  "event_set[\"core_counts\"]" },
		{ __LINE__, HEAD_EVENT_SET, { .name = { "core_counts" },
		  .n = { 0 } },
		  HEAD_WHOLE, "" },
		{ __LINE__, HEAD_CONTROL, { .column = &counted }, HEAD_WHOLE,
		  "imc_counts_control[0][3][\"X\"]" },
		{ __LINE__, HEAD_INTERVAL_MULTIPLE, { .name = { NULL },
		  .n = { UINT64_MAX } }, HEAD_WHOLE,
		  "interval_multiple[18446744073709551615]" },
	};
	char name[HEAD_NAME_SIZE];

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		size_t n = head_name(name, t[i].key, t[i].at, t[i].depth);

		if (strcmp(name, t[i].name) != 0 || n != strlen(t[i].name))
			fail_msg("line %d: %s", t[i].line, name);
	}
}

static void
a_name_that_is_too_long_is_none(void **state)
{
	char name[HEAD_NAME_SIZE], *family = malloc(2000);

	(void)state;
	assert_non_null(family);
	memset(family, 'x', 2000);
	/* family_bits[""] are 15 bytes */
	for (size_t n = 400; n < 2000; n++) {
		size_t len;

		family[n] = '\0';
		len = head_name(name, HEAD_FAMILY_BITS, OF(family), HEAD_WHOLE);
		assert_int_equal(len, strlen(name));
		assert_true(len == n + 15 || len == 0);
		assert_true(n > 450 || len > 0);
		assert_true(n < 1009 || len == 0);
		family[n] = 'x';
	}
	free(family);
}

static void
what_a_constant_is_called_gives_its_key_and_indices(void **state)
{
	static const struct {
		int line;
		const char *name;
		enum head_key key;
		const char *text;
		uint64_t n[2];
	} t[] = {
		{ __LINE__, "nr_cpus", HEAD_NR_CPUS, NULL, { 0 } },
		{ __LINE__, "nr_cpus[1]", HEAD_KEYS, NULL, { 0 } },
		{ __LINE__, "lproc_core[5]", HEAD_LPROC_CORE, NULL, { 5 } },
		{ __LINE__, "lproc_core", HEAD_KEYS, NULL, { 0 } },
		{ __LINE__, "lproc_core[\"a\"]", HEAD_KEYS, NULL, { 0 } },
		{ __LINE__, "lproc_core[5][6]", HEAD_KEYS, NULL, { 0 } },
		{ __LINE__, "unit_absent[\"CHA\"][0][24]", HEAD_UNIT_ABSENT,
		  "CHA", { 0, 24 } },
		{ __LINE__, "unit_absent['CHA'][1][2]", HEAD_UNIT_ABSENT,
		  "CHA", { 1, 2 } },
		{ __LINE__, "family_bits[\"a\\\"]\\\\\\n\"]", HEAD_FAMILY_BITS,
		  "a\"]\\ ", { 0 } },
		{ __LINE__, "imc_counts_control[0][1][\"X\"]", HEAD_CONTROL,
		  NULL, { 0 } },
		{ __LINE__, "what_is_this[3]", HEAD_KEYS, NULL, { 0 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char text[128];
		struct reader *r;
		const struct constant *c;

		snprintf(text, sizeof(text), "%s = 1\n", t[i].name);
		r = opened(text);
		assert_int_equal(read_constants(r), 1);
		c = read_constant(r, 0);
		if (c->key != t[i].key || (c->key != HEAD_KEYS &&
		    (c->at.n[0] != t[i].n[0] || c->at.n[1] != t[i].n[1] ||
		    (c->at.name[0] == NULL) != (t[i].text == NULL) ||
		    (t[i].text && strcmp(c->at.name[0], t[i].text) != 0))))
			fail_msg("line %d: %s", t[i].line, c->name);
		read_close(r);
	}
}

/* ---- values ---- */

static void
any_text_is_quoted_for_both_languages(void **state)
{
	static const struct { int line; const char *text, *quoted; } t[] = {
		{ __LINE__, "", "\"\"" },
		{ __LINE__, "c591-803.frontera", "\"c591-803.frontera\"" },
		{ __LINE__, "a\"b'c\\d", "\"a\\\"b'c\\\\d\"" },
		{ __LINE__, "tab\tnewline\nreturn\r",
		  "\"tab\\tnewline\\nreturn\\r\"" },
		{ __LINE__, "\x01\x1b\x7f", "\"???\"" },
		/* \u00e9, \u20ac, U+1F600; then what is no UTF-8 */
		{ __LINE__, "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
		  "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"" },
		{ __LINE__, "\xe9t\xe9", "\"?t?\"" },
		{ __LINE__, "\xc0\x80 \xe0\x80\x80", "\"?? ???\"" },
		{ __LINE__, "\xed\xa0\x80", "\"???\"" },
		{ __LINE__, "\xf4\x90\x80\x80 \xff", "\"???? ?\"" },
		{ __LINE__, "\xe2\x82", "\"??\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char to[LUA_QUOTED(64)];
		size_t n = lua_quote(to, t[i].text, '"');

		if (n != strlen(t[i].quoted) ||
		    memcmp(to, t[i].quoted, n) != 0)
			fail_msg("line %d: %.*s", t[i].line, (int)n, to);
	}
}

static void
quotes_are_taken_away_up_to_the_end_of_the_text(void **state)
{
	static const struct { const char *quoted; size_t n; const char *text; }
	    t[] = {
		{ "a\\\"b", 4, "a\"b" }, { "a\\", 2, "a\\" },
		/* what is behind its end is not part of it */
		{ "a\\n", 2, "a\\" }, { "\\", 1, "\\" }, { "", 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char s[8];

		strcpy(s, t[i].quoted);
		assert_int_equal(lua_unquote(s, t[i].n), strlen(t[i].text));
		assert_string_equal(s, t[i].text);
	}
}

static void
a_line_that_does_not_fit_is_left_out_whole(void **state)
{
	char buf[40];
	struct head h = head_buffer(buf, sizeof(buf));

	(void)state;
	head_put_int(&h, HEAD_PACKAGES, ALONE, 2);
	head_put_text(&h, HEAD_HOST, ALONE, "a-name-that-is-too-long-for-it");
	assert_string_equal(buf, "packages = 2\n");
	assert_int_equal(h.error, -ENOSPC);
	/* nor anything after it: what is there has no hole in it */
	head_put_int(&h, HEAD_PACKAGES, ALONE, 3);
	assert_string_equal(buf, "packages = 2\n");
}

static void
a_value_is_of_the_type_of_its_key(void **state)
{
	struct head h = { .text = NULL };

	(void)state;
	head_put_text(&h, HEAD_PACKAGES, ALONE, "two");
	assert_int_equal(h.error, -EINVAL);
	assert_null(head_take(&h));
	head_put_int(&h, HEAD_HOST, ALONE, 2);
	assert_null(head_take(&h));
	head_put_hex(&h, HEAD_SAMPLES, ALONE, 2);
	assert_null(head_take(&h));
}

static void
what_is_no_number_has_no_line(void **state)
{
	struct head h = { .text = NULL };

	(void)state;
	head_put_real(&h, HEAD_INTERVAL, ALONE, 0.0 / 0.0);
	head_put_real(&h, HEAD_INTERVAL, ALONE, 1 / 0.0);
	head_put_digits(&h, HEAD_INTERVAL, ALONE, "1,5");
	head_put_digits(&h, HEAD_INTERVAL, ALONE, "0x10");
	head_put_digits(&h, HEAD_INTERVAL, ALONE, "007");
	assert_null(h.text);
	head_put_digits(&h, HEAD_INTERVAL, ALONE, "0.000061035");
	head_put_real(&h, HEAD_SOC_MAX_INTERVAL, ALONE, 1e-9);
	head_put_real(&h, HEAD_PEAK_FLOPS, ALONE, 3.2e12);
	head_put_real(&h, HEAD_PEAK_DRAM, ALONE, -0.0000123456789);
	assert_string_equal(h.text, "interval = 0.000061035\n"
	    "soc_max_interval = 0.000000001\n"
	    "peak_flops = 3200000000000\n"
	    "peak_dram = -0.0000123456789\n");
	assert_int_equal(h.error, 0);
	head_fini(&h);
}

static void
what_is_put_is_read_back(void **state)
{
	struct head h = { .text = NULL };
	const struct constant *c;
	struct reader *r;

	(void)state;
	head_put_text(&h, HEAD_HOST, ALONE, "a\"b\\c'd\ne\tf");
	head_put_table(&h, HEAD_FAMILY_BITS, ALONE, 0);
	head_put_int(&h, HEAD_FAMILY_BITS, OF("x\"y"), 48);
	head_put_text(&h, HEAD_TAMPER_COLUMN, AT(2), "imc_counts[0][\"X\"]");
	head_put_count(&h, HEAD_REFERENCE_TSC, ALONE, UINT64_MAX);
	head_put_int(&h, HEAD_LPROC_PACKAGE, AT(7), -1);
	head_put_hex(&h, HEAD_CONTROL, OF_COLUMN(&counted), 0x304);
	assert_string_equal(strstr(h.text, "tamper_column"),
	    "tamper_column[2] = 'imc_counts[0][\"X\"]'\n"
	    "Reference_TSC = 18446744073709551615\nlproc_package[7] = -1\n"
	    "imc_counts_control[0][3][\"X\"] = 0x00000304\n");
	r = opened(h.text);
	assert_int_equal(read_problems(r, PROBLEM_KINDS), 0);
	/* exactly, and on one line as it is shown */
	assert_string_equal(head_constant(r, HEAD_HOST, ALONE)->exact,
	    "a\"b\\c'd\ne\tf");
	assert_string_equal(head_text(r, HEAD_HOST, ALONE, ""),
	    "a\"b\\c'd e f");
	assert_true(head_number(r, HEAD_FAMILY_BITS, OF("x\"y"), 0) == 48);
	assert_string_equal(head_text(r, HEAD_TAMPER_COLUMN, AT(2), ""),
	    "imc_counts[0][\"X\"]");
	assert_null(head_text(r, HEAD_TAMPER_COLUMN, AT(1), NULL));
	assert_true(head_number(r, HEAD_LPROC_PACKAGE, AT(7), 0) == -1);
	assert_true(head_number(r, HEAD_HOST, ALONE, 5) == 5);
	c = head_constant(r, HEAD_CONTROL, OF_COLUMN(&counted));
	assert_int_equal(c->u, 0x304);
	assert_int_equal(head_constant(r, HEAD_REFERENCE_TSC, ALONE)->u,
	    UINT64_MAX);
	read_close(r);
	head_fini(&h);
}

static void
what_has_been_put_is_known(void **state)
{
	struct head h = { .text = NULL };

	(void)state;
	assert_false(head_has(&h, HEAD_EVENT_SET, ALONE, 0));
	head_put_table(&h, HEAD_SET_NAME, ALONE, 0);
	head_put_text(&h, HEAD_SET_NAME, AT(0), "event_set = {}\n");
	assert_false(head_has(&h, HEAD_EVENT_SET, ALONE, 0));
	head_put_table(&h, HEAD_EVENT_SET, ALONE, 0);
	head_put_table(&h, HEAD_EVENT_SET, OF("a"), 1);
	assert_true(head_has(&h, HEAD_EVENT_SET, ALONE, 0));
	assert_true(head_has(&h, HEAD_EVENT_SET, OF("a"), 1));
	assert_false(head_has(&h, HEAD_EVENT_SET, OF("b"), 1));
	assert_false(head_has(&h, HEAD_EVENT_SET, OF("a", "X"), HEAD_WHOLE));
	assert_true(head_has(&h, HEAD_SET_NAME, AT(0), HEAD_WHOLE));
	head_fini(&h);
}

/* ---- heads that the daemon writes ---- */

static char *
head_of(struct rig *r)
{
	struct preamble_info info = { .interval = 1, .watch = 7, .access = "sim",
	    .schedule = "", .version = "", .sweep = &r->sweep,
	    .config = &r->node.config };
	char *text = preamble_make(&r->node.plan, &r->node.topo, &r->node.inv,
	    r->node.acc, &info);

	assert_non_null(text);
	return text;
}

static void
every_constant_of_every_machine_is_in_the_table(void **state)
{
	static const struct { const char *machine, *config; } t[] = {
		{ "@skx-8160-2s", NULL },
		{ "@skx-8160-2s", "@io-skx" },
		{ "@skx-8160-2s", "@software" },
		{ "@icx-8358-2s", NULL },
		{ "@hsx-2699-2s", NULL }, { "@grace-2s", NULL },
		{ "@c2758", "@all" }, { "@skx-locked", NULL },
		{ "@milan-7763-2s", NULL }, { "@genoa-9654-2s", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct rig *rig = rig_open(t[i].machine, t[i].config);
		char *text = head_of(rig);
		struct reader *r = opened(text);

		assert_int_equal(read_problems(r, PROBLEM_KINDS), 0);
		assert_true(read_constants(r) > 100);
		assert_true(head_number(r, HEAD_WATCH, ALONE, 0) == 7);
		for (unsigned k = 0; k < read_constants(r); k++) {
			const struct constant *c = read_constant(r, k);
			unsigned type = head_row(c->key)->type;

			if (c->key == HEAD_KEYS ||
			    (c->kind == CONSTANT_TEXT) != (type == HEAD_TEXT))
				fail_msg("%s: %s = %s", t[i].machine, c->name,
				    c->text);
		}
		read_close(r);
		free(text);
		rig_close(rig);
	}
}

/* Whatever the firmware has put there, and whoever named the node. */
static void
nasty_names_leave_assignments_alone(void **state)
{
	struct rig *rig = rig_open("@icx-8358-2s", NULL);
	struct topo *topo = &rig->node.topo;
	struct reader *r;
	char *text;

	(void)state;
	snprintf(topo->host, sizeof(topo->host), "%s", NASTY);
	snprintf(topo->cpu.name, sizeof(topo->cpu.name), "%s", NASTY);
	snprintf(rig->node.inv.unit[0].reason,
	    sizeof(rig->node.inv.unit[0].reason), "%s", NASTY);
	rig->node.inv.unit[0].present = false;
	text = head_of(rig);
	assert_non_null(strstr(text, "\nhost = \"a\\\"b\\\\c'd\\ne\\tf?g?h"
	    "\xc3\xa9]['\"\n"));
	r = opened(text);
	assert_int_equal(read_problems(r, PROBLEM_KINDS), 0);
	assert_string_equal(head_constant(r, HEAD_HOST, ALONE)->exact,
	    "a\"b\\c'd\ne\tf?g?h\xc3\xa9]['");
	assert_string_equal(head_text(r, HEAD_CPU, ALONE, ""),
	    "a\"b\\c'd e f?g?h\xc3\xa9]['");
	read_close(r);
	free(text);
	rig_close(rig);
}

/* A configuration names them, the model says which. */
static void
constants_of_a_configuration_are_keys_of_the_head(void **state)
{
	const struct model *slm = model_named("slm");

	(void)state;
	for (const char *const *s = slm->soc->constant; *s != NULL; s++) {
		enum head_key key = head_find(*s, strlen(*s));

		assert_int_not_equal(key, HEAD_KEYS);
		assert_int_equal(head_row(key)->type, HEAD_INT);
		assert_int_equal(head_row(key)->shape, HEAD_ALONE);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_key_is_called_as_it_is_spelled_and_found_by_that),
		cmocka_unit_test(
		    the_manual_page_lists_these_keys_and_no_others),
		cmocka_unit_test(indices_are_printed_by_the_shape_of_the_key),
		cmocka_unit_test(a_name_that_is_too_long_is_none),
		cmocka_unit_test(
		    what_a_constant_is_called_gives_its_key_and_indices),
		cmocka_unit_test(any_text_is_quoted_for_both_languages),
		cmocka_unit_test(
		    quotes_are_taken_away_up_to_the_end_of_the_text),
		cmocka_unit_test(a_line_that_does_not_fit_is_left_out_whole),
		cmocka_unit_test(a_value_is_of_the_type_of_its_key),
		cmocka_unit_test(what_is_no_number_has_no_line),
		cmocka_unit_test(what_is_put_is_read_back),
		cmocka_unit_test(what_has_been_put_is_known),
		cmocka_unit_test(
		    every_constant_of_every_machine_is_in_the_table),
		cmocka_unit_test(nasty_names_leave_assignments_alone),
		cmocka_unit_test(
		    constants_of_a_configuration_are_keys_of_the_head),
	};

	return cmocka_run_group_tests_name("the head of a dump", tests,
	    test_dir_new, test_dir_free);
}
