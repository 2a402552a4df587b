/*
 * tests/config/test_events.c - the configuration language: what its statements mean,
 * and what it says about those that mean nothing.
 */
#include "tests/lib/rig.h"

#include "config/lang/want.h"
#include "config/lang/events.h"
#include "config/eventlist.h"
#include "config/lang/readable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CORE 0x430000ull                /* EN, OS, USR */
#define EN 0x400000ull

static struct config cfg;

/* The wants of one text, for skx; nothing may be wrong with it. */
static const struct want *
parse(const char *text)
{
	struct diag why;

	config_fini(&cfg);
	assert_int_equal(config_init(&cfg, model_named("skx")), 0);
	if (config_parse(&cfg, "t.conf", text, strlen(text), &why) < 0)
		fail_msg("%s", why.text);
	return cfg.want;
}

static const struct box_type *
box(const char *name)
{
	return model_box(model_named("skx"), name);
}

static int
tear_down(void **state)
{
	(void)state;
	config_fini(&cfg);
	return 0;
}

static void
a_count_says_event_box_and_line(void **state)
{
	const struct want *w = parse("# comment\n\n"
	    "imc CAS_COUNT.READS event=0x04,umask=0x03   # more\r\n"
	    "\tcha\tSF_EVICTION.M_STATE\t0x0040013d");

	(void)state;
	assert_int_equal(cfg.nwant, 2);
	assert_int_equal(w[0].kind, WANT_EVENT);
	assert_ptr_equal(w[0].type, box("IMC"));
	assert_int_equal(w[0].pkg, ALL_PKG);
	assert_int_equal(w[0].first, 0);
	assert_int_equal(w[0].last, ALL_INST);
	assert_string_equal(w[0].name, "CAS_COUNT.READS");
	assert_int_equal(w[0].ctl, EN | 0x304);
	assert_int_equal(w[0].counter, -1);
	assert_int_equal(w[0].counters, 0xf);
	assert_int_equal(w[0].filters, 0);
	assert_false(w[0].optional);
	assert_int_equal(w[0].set, 0);
	assert_string_equal(w[0].file, "t.conf");
	assert_int_equal(w[0].line, 3);
	assert_ptr_equal(w[1].type, box("cha"));
	assert_int_equal(w[1].ctl, 0x40013d);
	assert_int_equal(w[1].line, 4);
}

static void
control_values_are_made_of_the_fields(void **state)
{
	static const struct {
		unsigned line;
		const char *text;
		uint64_t ctl;
	} cases[] = {
		{ __LINE__, "imc A event=4,umask=3", EN | 0x304 },
		{ __LINE__, "imc A umask=3 event=4", EN | 0x304 },
		{ __LINE__, "imc A 0x304", EN | 0x304 },
		{ __LINE__, "imc A 0x304,umask=4", EN | 0x404 },
		{ __LINE__, "imc A event=4,thresh=255,inv=1,edge=1",
		  EN | 0xff840004 },
		{ __LINE__, "core A event=0x3c", CORE | 0x3c },
		{ __LINE__, "core A event=0x3c,os=1", 0x42003c },
		{ __LINE__, "core A event=0x3c,usr=1", 0x41003c },
		{ __LINE__, "core A event=0x3c,usr=1,os=1", 0x43003c },
		/* one of them off leaves the other */
		{ __LINE__, "core A event=0x3c,os=0", 0x41003c },
		{ __LINE__, "core A event=0x3c,usr=0", 0x42003c },
		{ __LINE__, "core A event=0x3c,usr=0,os=1", 0x42003c },
		{ __LINE__, "core A event=0x3c,os=1,usr=0", 0x42003c },
		{ __LINE__, "core A event=0x3c,any=1", CORE | 0x20003c },
		{ __LINE__, "core A event=0xc2,umask=2,cmask=1,inv=1",
		  CORE | 0x018002c2 },
		{ __LINE__, "core A event=0xc0,in_tx=1", CORE | 0x1000000c0 },
		/* raw values keep the rings they have */
		{ __LINE__, "core A 0x0063013c", 0x63013c },
		{ __LINE__, "core A 0x0041003c", 0x41003c },
		{ __LINE__, "core A 0x1003c", 0x41003c },
		{ __LINE__, "iio A event=0x83,umask=4,ch_mask=8,fc_mask=7",
		  0x708000400483 },
		{ __LINE__, "upi A event=4,umask_ext=2", 0x200400004 },
		/* as perf writes both in one: perf-event 8.4 */
		{ __LINE__, "upi A event=4,umask=0x203", 0x200400304 },
		{ __LINE__, "event uncore_upi/event=4,umask=0x203/",
		  0x200400304 },
		{ __LINE__, "pcu A 0x00400074", 0x400074 },
		{ __LINE__, "core A:event=0xc0,umask=1 cmask=2",
		  CORE | 0x020001c0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (parse(cases[i].text)->ctl != cases[i].ctl)
			fail_msg("line %u: 0x%llx", cases[i].line,
			    (unsigned long long)cfg.want->ctl);
}

static void
boxes_are_named_by_package_and_ranges(void **state)
{
	static const struct {
		unsigned line;
		const char *text;
		unsigned n;
		struct { int pkg; uint32_t first, last; } at[3];
	} cases[] = {
		{ __LINE__, "imc fixed", 1, { { ALL_PKG, 0, ALL_INST } } },
		{ __LINE__, "imc[*] fixed", 1, { { ALL_PKG, 0, ALL_INST } } },
		{ __LINE__, "imc[5] fixed", 1, { { ALL_PKG, 5, 5 } } },
		{ __LINE__, "imc[0-3] fixed", 1, { { ALL_PKG, 0, 3 } } },
		{ __LINE__, "imc[1/2] fixed", 1, { { 1, 2, 2 } } },
		{ __LINE__, "imc[0/*] fixed", 1, { { 0, 0, ALL_INST } } },
		{ __LINE__, "imc[*/1] fixed", 1, { { ALL_PKG, 1, 1 } } },
		{ __LINE__, "imc[1/0,2-3,5] fixed", 3,
		  { { 1, 0, 0 }, { 1, 2, 3 }, { 1, 5, 5 } } },
		{ __LINE__, "core[0-95] fixed", 1, { { ALL_PKG, 0, 95 } } },
		{ __LINE__, "ubox[1/0] fixed", 1, { { 1, 0, 0 } } },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct want *w = parse(cases[i].text);

		if (cfg.nwant != cases[i].n)
			fail_msg("line %u: %u wants", cases[i].line, cfg.nwant);
		for (unsigned k = 0; k < cfg.nwant; k++)
			if (w[k].kind != WANT_FIXED || w[k].name != NULL ||
			    w[k].pkg != cases[i].at[k].pkg ||
			    w[k].first != cases[i].at[k].first ||
			    w[k].last != cases[i].at[k].last)
				fail_msg("line %u: %d/%u-%u", cases[i].line,
				    w[k].pkg, w[k].first, w[k].last);
	}
}

static void
filters_belong_to_an_event_or_to_the_box(void **state)
{
	const struct want *w = parse("cha filter1=0x3b filter0=0x7fe0000\n"
	    "cha[3] T event=0x35,umask=0x21,filter1=0x40433\n"
	    "core O event=0xb7,umask=1,offcore_rsp_0=0x3fbc000001\n");

	(void)state;
	assert_int_equal(cfg.nwant, 4);
	assert_int_equal(w[0].kind, WANT_FILTER);
	assert_string_equal(w[0].name, "filter1");
	assert_int_equal(w[0].ctl, 0x3b);
	assert_int_equal(w[0].filters, 2);
	assert_int_equal(w[0].filter[1], 0x3b);
	assert_string_equal(w[1].name, "filter0");
	assert_int_equal(w[1].filters, 1);
	assert_int_equal(w[1].filter[0], 0x7fe0000);
	assert_int_equal(w[2].kind, WANT_EVENT);
	assert_int_equal(w[2].ctl, 0x402135);
	assert_int_equal(w[2].filters, 2);
	assert_int_equal(w[2].filter[1], 0x40433);
	assert_int_equal(w[3].filters, 1);
	assert_int_equal(w[3].filter[0], 0x3fbc000001);
}

static void
config1_goes_where_perf_puts_it(void **state)
{
	const struct want *w = parse(
	    "cha A event=0x35,umask=0x21,config1=0x4043300000000\n"
	    "cha B event=0x34,umask=0x11,config1=0x7fe0000\n"
	    "core C event=0xb7,umask=1 config1=0x3fbc000001\n"
	    "core D:event=0xc6,umask=1,config1=0x11\n"
	    "pcu E event=0x0b config1=0x20\n");

	(void)state;
	assert_int_equal(w[0].filters, 2);
	assert_int_equal(w[0].filter[1], 0x40433);
	assert_int_equal(w[1].filters, 1);
	assert_int_equal(w[1].filter[0], 0x7fe0000);
	assert_int_equal(w[2].filters, 1);
	assert_int_equal(w[2].filter[0], 0x3fbc000001);
	assert_int_equal(w[3].filters, 4);
	assert_int_equal(w[3].filter[2], 0x11);
	assert_int_equal(w[4].filters, 1);
	assert_int_equal(w[4].filter[0], 0x20);
}

static void
counters_can_be_pinned_and_are_limited_by_the_event(void **state)
{
	const struct want *w = parse("core A event=0x3c,counter=3\n"
	    "cha B event=0x36\niio C event=0xc0\nm3upi D event=1\n");

	(void)state;
	assert_int_equal(w[0].counter, 3);
	assert_int_equal(w[1].counter, -1);
	assert_int_equal(w[1].counters, 0x1);
	assert_int_equal(w[2].counters, 0xc);
	assert_int_equal(w[3].counters, 0x7);
}

static void
sets_optional_and_reads(void **state)
{
	const struct want *w = parse("read aperf iio_bytes\n"
	    "set io\noptional upi A event=1\nset mem\nimc A event=1\n"
	    "set io\nimc B event=1\noptional read ib all\n");

	(void)state;
	assert_int_equal(cfg.nwant, 7);
	assert_int_equal(cfg.nset, 3);
	assert_string_equal(cfg.set[0], "");
	assert_string_equal(cfg.set[1], "io");
	assert_string_equal(cfg.set[2], "mem");
	assert_int_equal(w[0].kind, WANT_READ);
	assert_null(w[0].type);
	assert_string_equal(w[0].name, "aperf");
	assert_string_equal(w[1].name, "iio_bytes");
	assert_int_equal(w[1].set, 0);
	assert_true(w[2].optional);
	assert_int_equal(w[2].set, 1);
	assert_false(w[3].optional);
	assert_int_equal(w[3].set, 2);
	assert_int_equal(w[4].set, 1);
	assert_true(w[5].optional);
	assert_string_equal(w[6].name, "all");
}

static void
kinds_of_free_running_counters_have_names(void **state)
{
	unsigned bytes = 0, busy = 0, clocks = 0;

	(void)state;
	for (const struct freerun *f = model_named("skx")->freerun;
	    f->family != NULL; f++) {
		bytes += readable_is("iio_bytes", f);
		busy += readable_is("iio_busy", f);
		clocks += readable_is("iio_clocks", f);
		assert_false(readable_is("ib", f));
	}
	assert_int_equal(bytes, 2);
	assert_int_equal(busy, 2);
	assert_int_equal(clocks, 1);
}

static void
an_event_of_a_fixed_counter_is_that_counter(void **state)
{
	const struct want *w = parse("core INST_RETIRED.ANY\n"
	    "core CPU_CLK_Unhalted.Ref\n");

	(void)state;
	assert_int_equal(w[0].kind, WANT_FIXED);
	assert_int_equal(w[0].counter, 0);
	assert_string_equal(w[0].name, "INST_RETIRED.ANY");
	assert_int_equal(w[1].kind, WANT_FIXED);
	assert_int_equal(w[1].counter, 2);
}

/* A list of a few events, as Intel writes them. */
static const char list[] = "["
"{\"EventName\": \"INST_RETIRED.ANY_P\", \"EventCode\": \"0xC0\","
" \"Counter\": \"0,1,2,3\"},"
"{\"EventName\": \"PREC\", \"EventCode\": \"0xC0\", \"UMask\": \"1\","
" \"Counter\": \"1\"},"
"{\"EventName\": \"OCR.A\", \"EventCode\": \"0xB7, 0xBB\", \"UMask\": \"0x01\","
" \"MSRIndex\": \"0x1a6,0x1a7\", \"MSRValue\": \"0x10001\"},"
"{\"EventName\": \"OCR.B\", \"EventCode\": \"0xB7, 0xBB\", \"UMask\": \"0x01\","
" \"MSRIndex\": \"0x1a6,0x1a7\", \"MSRValue\": \"0x10002\"},"
"{\"Unit\": \"CHA\", \"EventName\": \"UNC_CHA_TOR_INSERTS.IA_MISS\","
" \"EventCode\": \"0x35\", \"UMask\": \"0x21\", \"Counter\": \"0,1,2,3\","
" \"Filter\": \"CHAFilter1[31:0]\"},"
"{\"EventName\": \"LONELY\", \"EventCode\": \"0xC6\", \"UMask\": \"0x01\","
" \"Counter\": \"0,1,2,3\", \"MSRIndex\": \"0x3F7\", \"MSRValue\": \"0x11\","
" \"TakenAlone\": \"1\"},"
"{\"Unit\": \"iMC\", \"EventName\": \"UNC_M_CLOCKTICKS_F\","
" \"EventCode\": \"0\", \"Counter\": \"FIXED\"},"
"{\"Unit\": \"SBO\", \"EventName\": \"UNC_S_CLOCKTICKS\","
" \"EventCode\": \"0\"}]";

static int
parse_with_list(const char *text, struct diag *why)
{
	config_fini(&cfg);
	assert_int_equal(config_init(&cfg, model_named("skx")), 0);
	assert_int_equal(eventlist_parse(&cfg.list, cfg.model, "l", list,
	    sizeof(list) - 1, why), 0);
	return config_parse(&cfg, "t.conf", text, strlen(text), why);
}

/* perf-event 8.3. */
static void
an_event_that_its_list_takes_alone_has_no_others_beside_it(void **state)
{
	static const struct { int line; const char *text, *says; } t[] = {
		{ __LINE__, "core LONELY\ncore A event=1", "t.conf:2: A cannot "
		    "be counted beside LONELY (t.conf:1): its list has LONELY "
		    "alone on the counters (TakenAlone); put them in two "
		    "`set`s" },
		{ __LINE__, "core A event=1\nset a\ncore LONELY", "t.conf:3: "
		    "LONELY cannot be counted beside A (t.conf:1): its list "
		    "has LONELY alone on the counters (TakenAlone); put them "
		    "in two `set`s" },
		{ __LINE__, "core fixed\nimc B event=1\nset a\ncore LONELY\n"
		    "set b\ncore A event=1", NULL },
		{ __LINE__, "core[0] LONELY\ncore[1] A event=1", NULL },
		/* spelled out, it is the writer's business */
		{ __LINE__, "core LONELY event=0xc6,umask=1,frontend=0x11\n"
		    "core A event=1", NULL },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		int rc = parse_with_list(t[i].text, &why);

		if (rc == 0)
			rc = config_alone(&cfg, &why);
		if (rc != (t[i].says != NULL ? -EINVAL : 0) ||
		    (rc < 0 && strcmp(why.text, t[i].says) != 0))
			fail_msg("line %d: %d %s", t[i].line, rc, why.text);
	}
}

/* It gives one group at a time its turn. */
static void
where_the_kernel_counts_it_is_alone_in_its_group(void **state)
{
	struct diag why;

	(void)state;
	assert_int_equal(parse_with_list("event LONELY INST_RETIRED.ANY_P\n"
	    "core A event=1", &why), 0);
	cfg.perf = true;
	assert_int_equal(config_alone(&cfg, &why), 0);
	assert_int_equal(parse_with_list("event LONELY,INST_RETIRED.ANY_P",
	    &why), 0);
	cfg.perf = true;
	assert_int_equal(config_alone(&cfg, &why), -EINVAL);
	assert_string_equal(why.text, "t.conf:1: INST_RETIRED.ANY_P cannot be "
	    "counted beside LONELY (t.conf:1): its list has LONELY alone on "
	    "the counters (TakenAlone); put them in two words");
}

static void
names_come_from_the_list_and_may_be_changed(void **state)
{
	const struct want *w;
	struct diag why;

	(void)state;
	if (parse_with_list("core INST_RETIRED.ANY_P\n"
	    "core INST_RETIRED.ANY_P:os=1 counter=2\n"
	    "core PREC\n"
	    "cha TOR_INSERTS.IA_MISS filter1=0x40433\n"
	    "cha UNC_CHA_TOR_INSERTS.IA_MISS:config1=0x4043300000000\n"
	    "imc UNC_M_CLOCKTICKS_F\n", &why) < 0)
		fail_msg("%s", why.text);
	w = cfg.want;
	assert_string_equal(w[0].name, "INST_RETIRED.ANY_P");
	assert_int_equal(w[0].ctl, CORE | 0xc0);
	assert_int_equal(w[0].counters, 0xf);
	assert_string_equal(w[1].name, "INST_RETIRED.ANY_P:os=1");
	assert_int_equal(w[1].ctl, 0x4200c0);
	assert_int_equal(w[1].counter, 2);
	assert_int_equal(w[2].counters, 0x2);
	assert_string_equal(w[3].name, "TOR_INSERTS.IA_MISS");
	assert_int_equal(w[3].ctl, 0x402135);
	assert_int_equal(w[3].filter[1], 0x40433);
	assert_int_equal(w[3].weak, 0);
	assert_int_equal(w[4].filter[1], 0x40433);
	assert_int_equal(w[5].kind, WANT_FIXED);
	assert_string_equal(w[5].name, "UNC_M_CLOCKTICKS_F");
	/* "All" has those of fixed counters, too */
	assert_int_equal(parse_with_list("event All", &why), 0);
	assert_int_equal(cfg.nwant, 7);
}

/* Silvermont: the fixed counter's own name is that of 0x13c in Intel's list. */
static void
a_name_of_the_list_goes_before_a_fixed_counters_own(void **state)
{
	static const char listed[] = "[{\"EventName\": \"CPU_CLK_UNHALTED.REF\","
	    "\"EventCode\": \"0x3C\", \"UMask\": \"0x01\","
	    "\"Counter\": \"0,1\"}]";
	static const char text[] = "core CPU_CLK_UNHALTED.REF";
	struct diag why;

	(void)state;
	for (int i = 0; i < 2; i++) {
		config_fini(&cfg);
		assert_int_equal(config_init(&cfg, model_named("slm")), 0);
		if (i == 1)
			assert_int_equal(eventlist_parse(&cfg.list, cfg.model,
			    "l", listed, sizeof(listed) - 1, &why), 0);
		assert_int_equal(config_parse(&cfg, "t.conf", text,
		    sizeof(text) - 1, &why), 0);
		assert_int_equal(cfg.want[0].kind, WANT_EVENT);
		assert_int_equal(cfg.want[0].ctl & 0xffff, 0x13c);
	}
	assert_int_equal(cfg.want[0].ctl, CORE | 0x13c);
}

static void
a_second_offcore_event_takes_the_second_register(void **state)
{
	const struct want *w;
	struct diag why;

	(void)state;
	assert_int_equal(parse_with_list("core OCR.A\ncore OCR.B\n"
	    "set x\ncore OCR.B\n", &why), 0);
	w = cfg.want;
	assert_int_equal(w[0].ctl, CORE | 0x1b7);
	assert_int_equal(w[0].filters, 1);
	assert_int_equal(w[0].filter[0], 0x10001);
	assert_int_equal(w[1].ctl, CORE | 0x1bb);
	assert_int_equal(w[1].filters, 2);
	assert_int_equal(w[1].filter[1], 0x10002);
	assert_int_equal(w[2].ctl, CORE | 0x1b7);
}

static void
a_filter_line_replaces_the_default_of_listed_events(void **state)
{
	struct diag why;

	(void)state;
	assert_int_equal(parse_with_list("cha TOR_INSERTS.IA_MISS\n", &why), 0);
	assert_int_equal(cfg.want[0].filters, 2);
	assert_int_equal(cfg.want[0].filter[1], 0x3b);
	assert_int_equal(cfg.want[0].weak, 2);
	assert_int_equal(parse_with_list("cha TOR_INSERTS.IA_MISS\n"
	    "cha filter1=0x40433\n", &why), 0);
	assert_int_equal(cfg.want[0].filters, 0);
	assert_int_equal(parse_with_list("cha filter1=0x40433\n"
	    "cha TOR_INSERTS.IA_MISS\n", &why), 0);
	assert_int_equal(cfg.want[1].filters, 0);
}

static void
mistakes_are_told_with_what_would_be_right(void **state)
{
	static const struct {
		unsigned line;
		const char *text, *words;
	} cases[] = {
		{ __LINE__, "\nsbo A event=1", "t.conf:2: \"sbo\" is no box of "
		  "Skylake-SP / Cascade Lake-SP: it has core ubox pcu cha iio "
		  "irp imc m2m upi m3upi m2pcie; a line may also begin with" },
		{ __LINE__, "cha A evnt=1,event=2", "t.conf:1: CHA has no "
		  "field \"evnt\"; its fields are event umask edge tid_en inv "
		  "thresh, its filters filter0 filter1" },
		{ __LINE__, "cha A event=0x100", "t.conf:1: event 0x100 is too "
		  "large for CHA, where it has bits 7:0: 0xff at most" },
		{ __LINE__, "cha A 0x10040013d", "t.conf:1: control value "
		  "0x10040013d sets bit 32, which CHA may not set" },
		{ __LINE__, "core A 0x53003c", "t.conf:1: control value "
		  "0x53003c sets bit 20, which CORE may not set" },
		{ __LINE__, "core A event=x", "t.conf:1: value \"x\" is no "
		  "number" },
		{ __LINE__, "core A event=-1", "t.conf:1: value \"-1\" is no" },
		{ __LINE__, "core A event=", "t.conf:1: value \"\" is no" },
		{ __LINE__, "core A event=0x", "t.conf:1: value \"0x\" is no" },
		{ __LINE__, "core A event=99999999999999999999",
		  "t.conf:1: value 99999999999999999999 is too large" },
		{ __LINE__, "core A event=1 event=2", "t.conf:1: \"event\" is "
		  "given twice" },
		{ __LINE__, "core A event=1,", "t.conf:1: a comma with nothing "
		  "beside it" },
		{ __LINE__, "core A event=1 2", "t.conf:1: \"2\" is no FIELD=" },
		{ __LINE__, "core A event=1 =2", "t.conf:1: \"=2\" is no FIEL" },
		{ __LINE__, "core A event=1,counter=8", "t.conf:1: counter 8 "
		  "is not there: CORE has counters 0 to 7" },
		{ __LINE__, "cha A event=0x36,counter=1", "t.conf:1: counter 1 "
		  "of CHA cannot count event 0x36, only 0 can" },
		{ __LINE__, "core A", "t.conf:1: CORE has no event \"A\"; "
		  "write event=0x..,umask=0x.. after it (tallyd --list events "
		  "'*WORD*' looks for names)" },
		{ __LINE__, "core \"A event=1", "t.conf:1: event name \"\"A\" "
		  "has a character that cannot be in a name" },
		{ __LINE__, "imc A event=1\nimc[2] A event=2",
		  "t.conf:2: A of IMC is counted already (t.conf:1)" },
		{ __LINE__, "cha filter1=1 filter1=2", "t.conf:1: two values "
		  "for filter1" },
		{ __LINE__, "cha filter2=1", "t.conf:1: CHA has no filter "
		  "\"filter2\"; its filters: filter0 filter1" },
		{ __LINE__, "cha filter1=4", "t.conf:1: filter1 0x4 sets bit "
		  "2; filter1 of CHA has bits 0-1, 3-5, 9-31" },
		{ __LINE__, "core A event=0xb7,offcore_rsp_1=1", "t.conf:1: "
		  "offcore_rsp_1 is for event 0xbb alone, and this is event "
		  "0xb7" },
		{ __LINE__, "iio A event=1,config1=1", "t.conf:1: config1 0x1 "
		  "has no register to go to" },
		{ __LINE__, "imc A umsk=1", "t.conf:1: IMC has no field "
		  "\"umsk\"; its fields are event umask edge inv thresh" },
		{ __LINE__, "core fxied", "t.conf:1: CORE has no event "
		  "\"fxied\"; did you mean fixed?" },
		{ __LINE__, "cha fxied", "t.conf:1: CHA has no event \"fxied\"" },
		{ __LINE__, "irp fixed", "t.conf:1: IRP has no fixed counter; "
		  "core UBOX IMC have" },
		{ __LINE__, "imc fixed now", "t.conf:1: \"now\" is one word "
		  "too many" },
		{ __LINE__, "imc", "t.conf:1: what of IMC?" },
		{ __LINE__, "imc[6] fixed", "t.conf:1: there is no IMC 6: they "
		  "are 0 to 5 in each package (of package 1: [1/5])" },
		{ __LINE__, "pcu[1] A event=1", "t.conf:1: there is no PCU 1: "
		  "a package has one, number 0 (of package 1: [1/0])" },
		{ __LINE__, "imc[3-1] fixed", "t.conf:1: box range 3-1 runs "
		  "backwards" },
		{ __LINE__, "imc[1 fixed", "t.conf:1: the boxes in [ ] have no "
		  "] at their end" },
		{ __LINE__, "imc[] fixed", "t.conf:1: box \"\" is no number" },
		{ __LINE__, "imc[x] fixed", "t.conf:1: box \"x\" is no number" },
		{ __LINE__, "imc[x/1] fixed", "t.conf:1: package \"x\" is no" },
		{ __LINE__, "core[70000] fixed", "t.conf:1: lproc 70000 is too "
		  "large" },
		{ __LINE__, "read", "t.conf:1: read what?" },
		{ __LINE__, "read aperv", "t.conf:1: nothing called \"aperv\" "
		  "can be read; did you mean aperf?" },
		{ __LINE__, "read zzz", "t.conf:1: nothing called \"zzz\" can "
		  "be read; there are iio_bytes iio_busy iio_clocks ib all "
		  "pkg_temperature" },
		{ __LINE__, "set", "t.conf:1: a set needs a name" },
		{ __LINE__, "set a b", "t.conf:1: \"b\" is one word too many" },
		{ __LINE__, "set a\"", "t.conf:1: \"a\"\" is no name for a set" },
		{ __LINE__, "optional", "t.conf:1: optional is a word before" },
		{ __LINE__, "optional set a", "t.conf:1: \"set\" is no box" },
		{ __LINE__, "imc \x01", "t.conf:1: byte 0x01 is no text" },
	};
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int rc;

		config_fini(&cfg);
		assert_int_equal(config_init(&cfg, model_named("skx")), 0);
		why.text[0] = '\0';
		rc = config_parse(&cfg, "t.conf", cases[i].text,
		    strlen(cases[i].text), &why);
		if (rc != -EINVAL || strstr(why.text, cases[i].words) !=
		    why.text)
			fail_msg("line %u: %d %s", cases[i].line, rc, why.text);
	}
}

static void
a_name_that_the_list_has_not_is_told_with_the_nearest(void **state)
{
	static const struct {
		const char *text, *words;
	} cases[] = {
		{ "core INST_RETIERD.ANY_P", "t.conf:1: CORE has no event "
		  "\"INST_RETIERD.ANY_P\"; did you mean INST_RETIRED.ANY_P?" },
		{ "core QUITE_ANOTHER", "t.conf:1: CORE has no event "
		  "\"QUITE_ANOTHER\"; write event=0x..,umask=0x.." },
		{ "imc PREC", "t.conf:1: PREC is an event of CORE, not of "
		  "IMC" },
		{ "imc UNC_S_CLOCKTICKS", "t.conf:1: UNC_S_CLOCKTICKS cannot "
		  "be counted in IMC: this model has no unit SBO" },
		{ "core PREC counter=0", "t.conf:1: counter 0 of CORE cannot "
		  "count event 0xc0, only 1 can" },
		{ "imc UNC_M_CLOCKTICKS_F umask=1", "t.conf:1: "
		  "UNC_M_CLOCKTICKS_F has a fixed counter, which takes no" },
	};
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int rc = parse_with_list(cases[i].text, &why);

		if (rc != -EINVAL ||
		    strstr(why.text, cases[i].words) != why.text)
			fail_msg("%s: %d %s", cases[i].text, rc, why.text);
	}
}

static void
no_newline_a_nul_and_a_very_long_line(void **state)
{
	size_t size = 1 << 20;
	char *text = malloc(size);
	struct diag why;

	(void)state;
	assert_non_null(text);
	assert_int_equal(parse("imc A event=1")->ctl, EN | 1);
	assert_int_equal(config_parse(&cfg, "t.conf", "imc B\0 event=1", 15,
	    &why), -EINVAL);
	assert_string_equal(why.text, "t.conf:1: byte 0x00 is no text; is this "
	    "the right file?");
	memset(text, 'x', size);
	memcpy(text, "imc ", 4);
	assert_int_equal(config_parse(&cfg, "t.conf", text, size, &why),
	    -EINVAL);
	assert_non_null(strstr(why.text, "is longer than 120 characters"));
	memset(text, ' ', size);
	assert_int_equal(config_parse(&cfg, "t.conf", text, size, &why), 0);
	free(text);
}

static void
what_is_asked_for_twice_is_read_once(void **state)
{
	const struct want *w = parse("read aperf mperf\ncore fixed\n"
	    "read mperf smi_count aperf\ncore fixed\nubox fixed\n");

	(void)state;
	assert_int_equal(cfg.nwant, 5);
	assert_string_equal(w[1].name, "mperf");
	assert_string_equal(w[3].name, "smi_count");
	assert_int_equal(w[4].kind, WANT_FIXED);
}

static void
a_file_that_is_not_there_is_told(void **state)
{
	struct diag why;

	(void)state;
	parse("");
	assert_int_equal(config_load(&cfg, "/no/such.conf", &why), -ENOENT);
	assert_ptr_equal(strstr(why.text, "/no/such.conf: "), why.text);
	assert_int_equal(config_load(&cfg, "/", &why), -EISDIR);
	assert_string_equal(why.text, "/: a directory");
	config_fini(NULL);
}

/* Reference 12, 13.1, 13.3; perf-event 8.3. */
static void
an_event_without_the_filter_that_it_needs_is_doubted(void **state)
{
	static const struct {
		int line;
		const char *model, *text, *says;        /* of want 0 */
	} t[] = {
		{ __LINE__, "skx", "cha A event=0x34,umask=0x03", "t.conf:1: A "
		    "counts nothing without a state of the line in filter0 "
		    "(0x7fe0000: all)" },
		{ __LINE__, "skx", "cha A event=0x34,umask=0x03,"
		    "filter0=0x20000", NULL },
		{ __LINE__, "skx", "cha A event=0x34,umask=0x03\n"
		    "cha[3] filter0=0x20000", NULL },
		{ __LINE__, "skx", "cha[0-2] A event=0x34,umask=0x03\n"
		    "cha[3] filter0=0x20000", "t.conf:1: A counts nothing "
		    "without a state of the line in filter0 (0x7fe0000: all)" },
		{ __LINE__, "skx", "cha A event=0x35,umask=0x21", NULL },
		{ __LINE__, "skx", "cha A event=0x35,umask=0x21\n"
		    "cha filter1=0", "t.conf:1: A counts nothing without one "
		    "of the bits 0x3b in filter1 (0x3b: all; 0x33 | opcode << "
		    "9)" },
		{ __LINE__, "hsx", "cbo A event=0x34,umask=0x11", "t.conf:1: A "
		    "counts nothing without a state of the line in filter0 "
		    "(0xfe0000: all)" },
		{ __LINE__, "hsx", "cbo A event=0x35,umask=0x23", "t.conf:1: A "
		    "counts nothing of use without an opcode in filter1 28:20 "
		    "(0x19e << 20: PCIeRdCur)" },
		{ __LINE__, "hsx", "cbo A event=0x35,umask=0x2a", NULL },
		{ __LINE__, "hsx", "cbo A event=0x36,umask=0x43,"
		    "filter1=0x19e00000", "t.conf:1: A counts nothing of use "
		    "without a node in filter1 15:0" },
		{ __LINE__, "icx", "core A event=0xcd,umask=0x01,ldlat=0x80",
		    "t.conf:1: A needs PEBS to count correctly, which tallyd "
		    "does not use" },
		{ __LINE__, "slm", "core A event=0xb7,umask=0x02", "t.conf:1: "
		    "A counts by what offcore_rsp_1 happens to hold; give "
		    "offcore_rsp_1=0x.." },
		{ __LINE__, "slm", "core A event=0xb7,umask=0x02,"
		    "offcore_rsp_1=0x10001", NULL },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		bool doubt;

		config_fini(&cfg);
		assert_int_equal(config_init(&cfg, model_named(t[i].model)), 0);
		if (config_parse(&cfg, "t.conf", t[i].text, strlen(t[i].text),
		    &why) < 0)
			fail_msg("line %d: %s", t[i].line, why.text);
		doubt = config_doubt(&cfg, 0, &why);
		if (doubt != (t[i].says != NULL) ||
		    (doubt && strcmp(why.text, t[i].says) != 0))
			fail_msg("line %d: \"%s\"", t[i].line, doubt ? why.text :
			    "");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_count_says_event_box_and_line),
		cmocka_unit_test(control_values_are_made_of_the_fields),
		cmocka_unit_test(boxes_are_named_by_package_and_ranges),
		cmocka_unit_test(filters_belong_to_an_event_or_to_the_box),
		cmocka_unit_test(config1_goes_where_perf_puts_it),
		cmocka_unit_test(
		    counters_can_be_pinned_and_are_limited_by_the_event),
		cmocka_unit_test(sets_optional_and_reads),
		cmocka_unit_test(kinds_of_free_running_counters_have_names),
		cmocka_unit_test(an_event_of_a_fixed_counter_is_that_counter),
		cmocka_unit_test(
		    an_event_that_its_list_takes_alone_has_no_others_beside_it),
		cmocka_unit_test(
		    where_the_kernel_counts_it_is_alone_in_its_group),
		cmocka_unit_test(names_come_from_the_list_and_may_be_changed),
		cmocka_unit_test(
		    a_name_of_the_list_goes_before_a_fixed_counters_own),
		cmocka_unit_test(
		    a_second_offcore_event_takes_the_second_register),
		cmocka_unit_test(
		    a_filter_line_replaces_the_default_of_listed_events),
		cmocka_unit_test(mistakes_are_told_with_what_would_be_right),
		cmocka_unit_test(
		    an_event_without_the_filter_that_it_needs_is_doubted),
		cmocka_unit_test(
		    a_name_that_the_list_has_not_is_told_with_the_nearest),
		cmocka_unit_test(no_newline_a_nul_and_a_very_long_line),
		cmocka_unit_test(what_is_asked_for_twice_is_read_once),
		cmocka_unit_test(a_file_that_is_not_there_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, tear_down);
}
