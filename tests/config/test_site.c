/*
 * tests/config/test_site.c - groups of SoC events, the site's programming of them,
 * and the statements that ask for them.  Names and orders are the reference's
 * (rangeley-soc, section 5), not the code's.
 */
#include "tests/lib/rig.h"

#include "config/lang/events.h"
#include "config/lang/site.h"
#include "config/texts.h"
#include "regs/model.h"

#include <errno.h>
#include <string.h>

static struct config *
new_config(void)
{
	static struct config cfg;
	struct diag why;

	assert_int_equal(config_init(&cfg, model_named("slm")), 0);
	if (config_groups(&cfg, &why) < 0)
		fail_msg("%s", why.text);
	return &cfg;
}

static const struct soc_group *
group(const struct config *cfg, const char *name)
{
	return soc_group_find(cfg->groups,
	    (struct word){ name, strlen(name) });
}

static const struct {
	const char *name;
	unsigned events;
	int clock;
	const char *first, *last, *alias;
} groups[] = {
	{ "UNC_SOC_Memory_DDR_BW", 8, -1, "DDR_Chan0_Read32B",
	    "DDR_Chan1_Write64B", "UNC_SOC_Memory_BW" },
	{ "UNC_SOC_Memory_DDR0_BW", 5, 4, "DDR_Chan0_Read32B", "Clock_Counter",
	    "UNC_SOC_MEMORY_DDR0_BW" },
	{ "UNC_SOC_Memory_DDR1_BW", 5, 4, "DDR_Chan1_Read32B", "Clock_Counter",
	    "UNC_SOC_MEMORY_DDR1_BW" },
	{ "UNC_SOC_DDR_Self_Refresh", 3, 2, "DDR_Chan0_Self_Refresh",
	    "Clock_Counter", NULL },
	{ "UNC_SOC_All_Reqs", 7, 6, "Mod0_Reqs", "Clock_Counter", NULL },
	{ "UNC_SOC_Module0_BW", 7, 6, "Mod0_ReadPartial", "Clock_Counter",
	    NULL },
	{ "UNC_SOC_Module1_BW", 7, 6, "Mod1_ReadPartial", "Clock_Counter",
	    NULL },
	{ "UNC_SOC_Module2_BW", 7, 6, "Mod2_ReadPartial", "Clock_Counter",
	    NULL },
	{ "UNC_SOC_Module3_BW", 7, 6, "Mod3_ReadPartial", "Clock_Counter",
	    NULL },
	{ "UNC_SOC_Module0_1_BW", 8, -1, "Mod0_Read32B", "Mod1_Write64B",
	    NULL },
	{ "UNC_SOC_Module2_3_BW", 8, -1, "Mod2_Read32B", "Mod3_Write64B",
	    NULL },
	{ "UNC_SOC_Module0_1_Snoops", 5, 4, "Mod0_Snoop_Replies",
	    "Clock_Counter", "UNC_SOC_Module0_1" },
	{ "UNC_SOC_Module2_3_Snoops", 5, 4, "Mod2_Snoop_Replies",
	    "Clock_Counter", NULL },
	{ "UNC_SOC_Module0_1_2_3_Snoops", 8, -1, "Mod0_Snoop_Replies",
	    "Mod3_Snoop_Reqs", NULL },
	{ "UNC_SOC_LowSpeedPF_BW", 7, 6, "LowSpeedPF_ReadPartial",
	    "Clock_Counter", "UNC_SOC_LowSpeed_BW" },
	{ "UNC_SOC_HighSpeedPF_BW", 7, 6, "HighSpeedPF_ReadPartial",
	    "Clock_Counter", NULL },
};

static void
the_16_groups_are_those_of_the_article(void **state)
{
	struct config *cfg = new_config();

	(void)state;
	assert_int_equal(cfg->groups->n, 16);
	for (unsigned i = 0; i < 16; i++) {
		const struct soc_group *g = &cfg->groups->group[i];

		assert_string_equal(g->name, groups[i].name);
		assert_int_equal(g->nevent, groups[i].events);
		assert_int_equal(g->clock, groups[i].clock);
		assert_string_equal(g->event[0], groups[i].first);
		assert_string_equal(g->event[g->nevent - 1], groups[i].last);
		if (g->clock >= 0)
			assert_string_equal(g->event[g->clock],
			    "Clock_Counter");
		if (groups[i].alias != NULL)
			assert_ptr_equal(group(cfg, groups[i].alias), g);
	}
	assert_string_equal(group(cfg, "UNC_SOC_Memory_BW")->event[5],
	    "DDR_Chan1_Read64B");
	assert_string_equal(group(cfg, "UNC_SOC_All_Reqs")->event[4],
	    "HighSpeedPF_Reqs");
	assert_string_equal(group(cfg, "UNC_SOC_Module2_BW")->event[3],
	    "Mod2_WritePartial");
	config_fini(cfg);
}

static void
wrong_groups_are_refused(void **state)
{
	static const struct {
		unsigned line;
		const char *text, *words;
	} cases[] = {
		{ __LINE__, "alias X\n", "before the first group" },
		{ __LINE__, "group\n", "name is missing" },
		{ __LINE__, "group A B\n", "one name too many" },
		{ __LINE__, "group A\ncounters X\ngroup A\ncounters Y\n",
		    "a group \"A\" already" },
		{ __LINE__, "group A\n", "A has no counters" },
		{ __LINE__, "group A\ncounters a b c d e f g h i\n",
		    "\"i\" is one name too many" },
		{ __LINE__, "group A\ncounters a a\n", "twice" },
		{ __LINE__, "group A\ncounters a\nclock 1\n",
		    "no counter 1" },
		{ __LINE__, "group A\ncounters a\nclock x\n", "no number" },
		{ __LINE__, "group A\ncounters a\"b\n", "is no name" },
		{ __LINE__, "group A\ncolour red\n", "unknown word" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena *arena = arena_new();
		struct soc_groups gs;
		struct diag why = { "" };

		if (soc_groups_parse(&gs, arena, "g", cases[i].text,
		    strlen(cases[i].text), &why) != -EINVAL ||
		    strstr(why.text, cases[i].words) == NULL ||
		    strncmp(why.text, "g:", 2) != 0)
			fail_msg("line %u: %s", cases[i].line, why.text);
		arena_free(arena);
	}
}

static int
parse(struct config *cfg, struct site *site, const char *text,
    struct diag *why)
{
	int rc = site_parse(cfg, "my.site", text, strlen(text), why);

	if (rc == 0)
		*site = *cfg->site;
	return rc;
}

/* The example of the reference, section 6. */
static void
the_format_of_the_reference_is_read(void **state)
{
	static const char text[] =
	    "soc_counter_port 0x17          # default, unverified on C2000\n"
	    "group UNC_SOC_Memory_DDR_BW\n"
	    "w 0x18 0x9900 0x00000000\n"
	    "w 0x17 0x0008 0x00000011 0x11\n"
	    "event 2 0x00000077\n"
	    "start 0x00010000\n"
	    "end\n"
	    "group UNC_SOC_LowSpeed_BW      # an alias\n"
	    "w 0x17 0x68 0x00110000\n"
	    "end\n";
	struct config *cfg = new_config();
	const struct site_group *g;
	struct site site;
	struct diag why = { "" };

	(void)state;
	if (parse(cfg, &site, text, &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(site.n, 2);
	assert_int_equal(site.counter_port, 0x17);
	assert_int_equal(site.mux_port, 0x18);
	assert_true(site.max_interval == 2.0);
	g = site_find(&site, group(cfg, "UNC_SOC_Memory_DDR_BW"));
	assert_non_null(g);
	assert_int_equal(g->n, 3);
	assert_int_equal(g->start, 0x00010000);
	assert_false(g->starts);
	/* file order, opcode 0x01 where none is given */
	assert_int_equal(g->write[0].port, 0x18);
	assert_int_equal(g->write[0].offset, 0x9900);
	assert_int_equal(g->write[0].opcode, 0x01);
	assert_int_equal(g->write[1].opcode, 0x11);
	assert_int_equal(g->write[1].value, 0x11);
	assert_int_equal(g->write[2].port, 0x17);
	assert_int_equal(g->write[2].offset, 0x4c);     /* event of counter 2 */
	assert_int_equal(g->write[2].value, 0x77);
	g = site_find(&site, group(cfg, "UNC_SOC_LowSpeedPF_BW"));
	assert_non_null(g);
	assert_true(g->starts);         /* its list has start commands */
	assert_null(site_find(&site, group(cfg, "UNC_SOC_All_Reqs")));
	config_fini(cfg);
}

#define G "group UNC_SOC_All_Reqs\n"

static void
wrong_programming_is_refused(void **state)
{
	static const struct {
		unsigned line;
		const char *text, *words;
	} cases[] = {
		{ __LINE__, G "w 0x18 0x9904 0 0x00\nend\n",
		    "my.site:2: opcode 0x00 reads" },
		{ __LINE__, G "w 0x18 0x9904 0 0x10\nend\n", "opcode 0x10" },
		{ __LINE__, G "w 0x18 0x9000 0\nend\n",
		    "my.site:2: offset 0x9000 is not one" },
		{ __LINE__, G "w 0x18 0x9902 0\nend\n", "offset 0x9902" },
		{ __LINE__, G "w 0x17 0x04 0\nend\n", "offset 0x4 " },
		{ __LINE__, G "w 0x04 0x08 0\nend\n",
		    "my.site:2: port 0x04 is neither" },
		{ __LINE__, G "w 0x100 0x08 0\nend\n", "port 0x100" },
		{ __LINE__, G "w 0x18 0x9904 0x100000000\nend\n", "value" },
		{ __LINE__, G "w 0x18 0x9904\nend\n", "value is missing" },
		{ __LINE__, G "w 0x18 0x9904 0 1 2\nend\n", "" },
		{ __LINE__, G "event 7 0\nend\n", "counters 0 to 6" },
		{ __LINE__, G "event 8 0\nend\n", "counter" },
		{ __LINE__, G "start 0x110000\nend\n",
		    "my.site:1: group UNC_SOC_All_Reqs writes nothing" },
		{ __LINE__, G "w 0x18 0x9904 0\n", "has no end" },
		{ __LINE__, G "unchecked\nend\n", "unknown word \"unchecked\"" },
		{ __LINE__, G "group UNC_SOC_Module0_BW\n", "unknown word" },
		{ __LINE__, "group UNC_SOC_Nothing\n", "no group" },
		{ __LINE__, "group\n", "which group" },
		{ __LINE__, G "w 0x18 0x9904 0\nend\n" G, "programmed twice" },
		{ __LINE__, G "w 0x18 0x9904 0\nend\nsoc_mux_port 0x1a\n",
		    "before the first group" },
		{ __LINE__, "soc_counter_port 0x03\n", "must not be written" },
		{ __LINE__, "soc_mux_port 8\n", "must not be written" },
		{ __LINE__, "soc_counter_port 0x117\n", "too large" },
		{ __LINE__, "soc_opcode 1\n", "even" },
		{ __LINE__, "soc_max_interval 0\n", "seconds" },
		{ __LINE__, "soc_max_interval nan\n", "seconds" },
		{ __LINE__, "soc_max_interval 61\n", "seconds" },
		{ __LINE__, "soc_preprogrammed 2\n", "too large" },
		{ __LINE__, "source\n", "source of what" },
		{ __LINE__, "w 0x18 0x9904 0\n", "unknown word \"w\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct config *cfg = new_config();
		struct diag why = { "" };
		struct site site;

		if (parse(cfg, &site, cases[i].text, &why) != -EINVAL ||
		    strncmp(why.text, "my.site:", 8) != 0 ||
		    strstr(why.text, cases[i].words) == NULL)
			fail_msg("line %u: %s", cases[i].line, why.text);
		config_fini(cfg);
	}
}

static void
settings_replace_the_defaults(void **state)
{
	struct config *cfg = new_config();
	struct diag why = { "" };
	struct site site;

	(void)state;
	if (parse(cfg, &site, "soc_counter_port 0x22\nsoc_mux_port 0x23\n"
	    "soc_opcode 0x06\nsoc_max_interval 0.5\nsoc_readback 1\n"
	    "soc_preprogrammed 1\nsource log of 2019-05-01, \"node 7\"\n"
	    "simulation\n" G "w 0x23 0x9904 1\nevent 0 5\nend\n", &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(site.counter_port, 0x22);
	assert_int_equal(site.group[0].write[0].port, 0x23);
	assert_int_equal(site.group[0].write[1].port, 0x22);
	assert_int_equal(site.group[0].write[1].opcode, 0x07);
	assert_true(site.max_interval == 0.5);
	assert_true(site.readback && site.preprogrammed && site.simulation);
	/* fit for a quoted string in the dump's header */
	assert_string_equal(site.source, "log of 2019-05-01, 'node 7'");
	config_fini(cfg);
}

/* What is shipped programs the simulation alone. */
static void
the_stand_in_is_marked_as_one(void **state)
{
	const struct text *t = text_named("@c2758", TEXT_SITE);
	struct config *cfg = new_config();
	struct diag why = { "" };
	struct site site;

	(void)state;
	assert_non_null(t);
	if (site_parse(cfg, t->name, t->data, (size_t)(t->end - t->data),
	    &why) < 0)
		fail_msg("%s", why.text);
	site = *cfg->site;
	assert_true(site.simulation);
	assert_int_equal(site.n, 16);
	assert_non_null(strstr(site.source, "simulated"));
	config_fini(cfg);
}

static int
configure(struct config *cfg, const char *text, struct diag *why)
{
	return config_parse(cfg, "t.conf", text, strlen(text), why);
}

static void
a_configuration_asks_for_a_group_by_name_or_alias(void **state)
{
	struct config *cfg = new_config();
	struct diag why = { "" };

	(void)state;
	if (configure(cfg, "constant dram_base_hz 666666667\n"
	    "set a\nsoc UNC_SOC_Memory_BW\n"
	    "set b\noptional soc UNC_SOC_All_Reqs\n", &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(cfg->nwant, 2);
	assert_int_equal(cfg->want[0].kind, WANT_SOC);
	assert_string_equal(cfg->want[0].name, "UNC_SOC_Memory_DDR_BW");
	assert_int_equal(cfg->want[0].set, 1);
	assert_int_equal(cfg->want[1].set, 2);
	assert_true(cfg->want[1].optional);
	assert_int_equal(cfg->nconstant, 1);
	assert_string_equal(cfg->constant[0].name, "dram_base_hz");
	assert_int_equal(cfg->constant[0].value, 666666667);
	config_fini(cfg);
}

static void
two_groups_at_once_are_refused(void **state)
{
	static const struct {
		unsigned line;
		const char *text, *words;
	} cases[] = {
		{ __LINE__, "soc UNC_SOC_All_Reqs\nsoc UNC_SOC_Memory_BW\n",
		    "t.conf:2: UNC_SOC_Memory_DDR_BW and UNC_SOC_All_Reqs "
		    "(t.conf:1) at once" },
		{ __LINE__, "set a\nsoc UNC_SOC_All_Reqs\n"
		    "soc UNC_SOC_Module0_BW\n", "`set NAME`" },
		{ __LINE__, "soc UNC_SOC_All_Reqs\nset a\n"
		    "soc UNC_SOC_Module0_BW\n", "at once" },
		{ __LINE__, "soc UNC_SOC_All_Reqs\nsoc UNC_SOC_All_Reqs\n",
		    "at once" },
		{ __LINE__, "soc\n", "no group \"\"" },
		{ __LINE__, "soc UNC_SOC_Memory\n", "there are UNC_SOC_Memory_"
		    "DDR_BW UNC_SOC_Memory_DDR0_BW" },
		{ __LINE__, "soc UNC_SOC_All_Reqs event=1\n", "" },
		{ __LINE__, "constant dram_hz 5\n", "there are dram_base_hz" },
		{ __LINE__, "constant dram_base_hz fast\n", "no number" },
		{ __LINE__, "constant\n", "is no constant" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct config *cfg = new_config();
		struct diag why = { "" };

		if (configure(cfg, cases[i].text, &why) != -EINVAL ||
		    strstr(why.text, cases[i].words) == NULL)
			fail_msg("line %u: %s", cases[i].line, why.text);
		config_fini(cfg);
	}
}

static void
every_shipped_configuration_of_the_groups_is_read(void **state)
{
	unsigned n = 0;

	(void)state;
	for (const struct text *t = texts; t->name != NULL; t++) {
		struct config *cfg;
		struct diag why = { "" };
		unsigned groups_asked = 0;

		if (memmem(t->data, (size_t)(t->end - t->data), "\nsoc UNC_",
		    9) == NULL)
			continue;
		cfg = new_config();
		if (config_parse(cfg, t->name, t->data, (size_t)(t->end -
		    t->data), &why) < 0)
			fail_msg("%s", why.text);
		for (unsigned i = 0; i < cfg->nwant; i++)
			groups_asked += cfg->want[i].kind == WANT_SOC;
		assert_int_equal(groups_asked,
		    strcmp(t->name, "all.conf") == 0 ? 16 : 1);
		n++;
		config_fini(cfg);
	}
	assert_int_equal(n, 17);
}

static void
another_model_has_no_such_statements(void **state)
{
	struct config cfg;
	struct diag why = { "" };

	(void)state;
	assert_int_equal(config_init(&cfg, model_named("skx")), 0);
	assert_int_equal(configure(&cfg, "soc UNC_SOC_All_Reqs\n", &why),
	    -EINVAL);
	assert_non_null(strstr(why.text, "\"soc\" is no box"));
	assert_int_equal(site_configure(&cfg, NULL, NULL, false, &why), 0);
	assert_null(cfg.site);
	assert_int_equal(site_configure(&cfg, NULL, NULL, true, &why), -EINVAL);
	assert_int_equal(site_configure(&cfg, NULL, "x", false, &why), -EINVAL);
	config_fini(&cfg);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_16_groups_are_those_of_the_article),
		cmocka_unit_test(wrong_groups_are_refused),
		cmocka_unit_test(the_format_of_the_reference_is_read),
		cmocka_unit_test(wrong_programming_is_refused),
		cmocka_unit_test(settings_replace_the_defaults),
		cmocka_unit_test(the_stand_in_is_marked_as_one),
		cmocka_unit_test(a_configuration_asks_for_a_group_by_name_or_alias),
		cmocka_unit_test(two_groups_at_once_are_refused),
		cmocka_unit_test(every_shipped_configuration_of_the_groups_is_read),
		cmocka_unit_test(another_model_has_no_such_statements),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
