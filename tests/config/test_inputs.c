/*
 * tests/config/test_inputs.c - the original tool's input files, unchanged.
 */
#include "tests/lib/rig.h"

#include "config/lang/events.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct config cfg;

static void
start(void)
{
	config_fini(&cfg);
	assert_int_equal(config_init(&cfg, model_named("skx")), 0);
}

static int
tear_down(void **state)
{
	(void)state;
	config_fini(&cfg);
	return 0;
}

/* The want of that kind, box and name; the test fails without it. */
static const struct want *
find(enum want_kind kind, const char *box, int pkg, unsigned inst,
    const char *name)
{
	const struct box_type *type = box == NULL ? NULL :
	    model_box(model_named("skx"), box);

	for (unsigned i = 0; i < cfg.nwant; i++) {
		const struct want *w = &cfg.want[i];

		if (w->kind == kind && w->type == type && w->pkg == pkg &&
		    w->first <= inst && inst <= w->last &&
		    (name == NULL ? w->name == NULL : w->name != NULL &&
		    strcmp(w->name, name) == 0))
			return w;
	}
	fail_msg("no %s", name);
	return NULL;
}

static void
the_original_files_are_read_unchanged(void **state)
{
	struct diag why;
	const struct want *w;
	unsigned n[WANT_CONTROL + 1] = { 0 };

	(void)state;
	start();
	if (config_inputs(&cfg, "tests/data/original", &why) < 0)
		fail_msg("%s", why.text);
	for (unsigned i = 0; i < cfg.nwant; i++)
		n[cfg.want[i].kind]++;
	/* By wc -l: 4 core, 336 CHA (of 6 lines, 2 are filters), 60 IMC (of 5,
	 * 1 is DCLK), 8 PCU. */
	assert_int_equal(n[WANT_EVENT], 4 + 224 + 48 + 8);
	assert_int_equal(n[WANT_FILTER], 112);
	assert_int_equal(n[WANT_FIXED], 12 + 2);
	assert_int_equal(n[WANT_CONTROL], 2);

	w = find(WANT_CONTROL, "core", ALL_PKG, 0, "global_ctrl");
	assert_int_equal(w->ctl, 0x70000000f);
	assert_int_equal(w->first, 0);
	assert_int_equal(w->last, 95);
	assert_int_equal(find(WANT_CONTROL, "core", ALL_PKG, 95,
	    "fixed_ctrl")->ctl, 0x333);
	w = find(WANT_EVENT, "core", ALL_PKG, 7, "CPU_CLK_UNHALTED.REF_XCLK");
	assert_int_equal(w->ctl, 0x63013c);
	assert_int_equal(w->counter, 1);
	w = find(WANT_EVENT, "CHA", 1, 27, "SF_EVICTION.S_STATE");
	assert_int_equal(w->ctl, 0x40043d);
	assert_int_equal(w->counter, 3);
	assert_true(w->optional);       /* 28 are listed, 24 are there */
	w = find(WANT_FILTER, "CHA", 0, 13, "filter1");
	assert_int_equal(w->ctl, 0x3b);
	assert_int_equal(w->filters, 2);
	assert_int_equal(w->filter[1], 0x3b);
	assert_int_equal(find(WANT_FILTER, "CHA", 0, 13, "filter0")->ctl, 0);
	/* IMC 1, channel 2 is channel 5 of the package. */
	w = find(WANT_EVENT, "IMC", 1, 5, "CAS_COUNT.WRITES");
	assert_int_equal(w->ctl, 0x400c04);
	assert_int_equal(w->counter, 1);
	find(WANT_FIXED, "IMC", 0, 4, "DCLK");
	w = find(WANT_EVENT, "PCU", 1, 0, "FREQ_TRANS_CYCLES");
	assert_int_equal(w->ctl, 0x400074);
	assert_int_equal(w->counter, 3);
	find(WANT_FIXED, "core", ALL_PKG, 95, NULL);
	find(WANT_FIXED, "UBOX", ALL_PKG, 0, NULL);
	find(WANT_READ, NULL, ALL_PKG, 0, "aperf");
	find(WANT_READ, NULL, ALL_PKG, 0, "pkg_ring_perf_limit_reasons");
	find(WANT_READ, NULL, ALL_PKG, 0, "iio_CBDMA_port1_in_bytes");
	find(WANT_READ, NULL, ALL_PKG, 0, "iio_PCIe2_port0_out_bytes");
	find(WANT_READ, NULL, ALL_PKG, 0, "ib");
}

static void
a_file_that_is_not_there_adds_nothing(void **state)
{
	char *dir = tree_new();
	struct diag why;

	(void)state;
	tree_text(dir, "/pcu_perfevtsel.input", "# events\r\n\r\n"
	    "0 1 0x00400005 FREQ_MAX_LIMIT_POWER_CYCLES\r\n");
	start();
	if (config_inputs(&cfg, dir, &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(cfg.want[0].kind, WANT_EVENT);
	assert_int_equal(cfg.want[0].line, 3);
	assert_int_equal(cfg.want[1].kind, WANT_FIXED);
	tree_free(dir);
}

static void
a_folder_without_any_is_an_error(void **state)
{
	char *dir = tree_new();
	struct diag why;

	(void)state;
	start();
	assert_int_equal(config_inputs(&cfg, dir, &why), -ENOENT);
	assert_non_null(strstr(why.text, "none of core_msr_control.input, "
	    "core_msr_perfevtsel.input, cha_perfevtsel.input, "
	    "imc_perfevtsel.input, pcu_perfevtsel.input is there"));
	tree_free(dir);
}

static void
mistakes_are_told_with_what_would_be_right(void **state)
{
	static const char control[] = "core_msr_control.input";
	static const char core[] = "core_msr_perfevtsel.input";
	static const char cha[] = "cha_perfevtsel.input";
	static const char imc[] = "imc_perfevtsel.input";
	static const char pcu[] = "pcu_perfevtsel.input";
	static const struct {
		unsigned line;
		const char *file, *text, *words;
	} cases[] = {
		{ __LINE__, pcu, "0 1 0x400005", "1: the name is missing; a "
		  "line here is: PACKAGE COUNTER VALUE NAME" },
		{ __LINE__, pcu, "\n0 1", "2: VALUE is missing; a line" },
		{ __LINE__, pcu, "0 1 2 A B", "1: \"B\" is one word too many" },
		{ __LINE__, pcu, "0 x 2 A", "1: COUNTER \"x\" is no number" },
		{ __LINE__, pcu, "0 4 2 A", "1: the PCU has counters 0 to 3" },
		{ __LINE__, pcu, "0 1 0x500005 A", "1: control value 0x500005 "
		  "sets bit 20, which PCU may not set" },
		{ __LINE__, pcu, "0 1 1 A\n0 2 2 A", "2: A of PCU is counted "
		  "already (pcu_perfevtsel.input:1)" },
		{ __LINE__, pcu, "0 1 1 \"", "1: \"\"\" cannot be a name" },
		{ __LINE__, pcu, "9999 1 1 A", "1: no node has that many" },
		{ __LINE__, imc, "0 0 3 0 1 A", "1: an IMC has channels 0 to 2" },
		{ __LINE__, imc, "0 2 0 0 1 A", "1: there is no such IMC: a "
		  "package has 6, from 0" },
		{ __LINE__, imc, "0 0 0 5 1 A", "1: an IMC channel has counters "
		  "0 to 3, and 4 is the fixed one" },
		{ __LINE__, imc, "0 0 0 4 1 A", "1: the fixed counter has no "
		  "control bit but" },
		{ __LINE__, cha, "0 28 0 1 A", "1: there is no such CHA: a "
		  "package has 28, from 0" },
		{ __LINE__, cha, "0 0 6 1 A", "1: a CHA has counters 0 to 3, 4 "
		  "is filter0 and 5 is filter1" },
		{ __LINE__, cha, "0 0 5 4 A", "1: filter1 0x4 sets bit 2;" },
		{ __LINE__, cha, "0 0 1 0x36 A", "1: counter 1 of CHA cannot "
		  "count event 0x36, only 0 can" },
		{ __LINE__, core, "0 95 0x187 0 0x42003c A", "1: counter N of "
		  "a core, 0 to 7, has its control in MSR 0x186 + N; these do "
		  "not fit together" },
		{ __LINE__, core, "5 4 0x186 0 0x42003c A", "1: the line "
		  "starts with the first and the last lproc" },
		{ __LINE__, control, "0 95 0x1a0 1 A", "1: MSR 0x38f "
		  "(IA32_PERF_GLOBAL_CTRL) and 0x38d (IA32_FIXED_CTR_CTRL) are "
		  "the ones" },
		{ __LINE__, control, "0 95 0x38d 0x888 A", "1: the value sets "
		  "bit 3, 7, 11, which may not be set" },
		{ __LINE__, control, "0 95 0x38f 0x800000000 A", "1: the value "
		  "sets bit 35, which may not be set" },
		{ __LINE__, control, "0 95 0x38f \x02", "1: byte 0x02 is no "
		  "text" },
	};
	struct diag why;
	char words[256];

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int rc;

		start();
		why.text[0] = '\0';
		rc = config_parse_input(&cfg, cases[i].file, cases[i].text,
		    strlen(cases[i].text), &why);
		snprintf(words, sizeof(words), "%s:%s", cases[i].file,
		    cases[i].words);
		if (rc != -EINVAL || strstr(why.text, words) != why.text)
			fail_msg("line %u: %d %s", cases[i].line, rc, why.text);
	}
	assert_int_equal(config_parse_input(&cfg, "dir/iio.input", "", 0,
	    &why), -EINVAL);
	assert_string_equal(why.text, "dir/iio.input: no input file has that "
	    "name");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_original_files_are_read_unchanged),
		cmocka_unit_test(a_file_that_is_not_there_adds_nothing),
		cmocka_unit_test(a_folder_without_any_is_an_error),
		cmocka_unit_test(mistakes_are_told_with_what_would_be_right),
	};

	return cmocka_run_group_tests(tests, NULL, tear_down);
}
