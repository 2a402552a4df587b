/*
 * tests/config/test_eventlist.c - Intel's event lists become the control values that
 * the field positions of the manuals give.
 *
 * The table's numbers were put together by hand from intel-server-pmon.md:
 * sections 3.2 and 5.2 (where a field is), 7.2 (filters) and 11 (codes).
 */
#include "tests/lib/rig.h"

#include "config/eventlist.h"

#include <stdio.h>
#include <string.h>

/* Filters by index in the model's table. */
enum { F0 = 1, F1 = 2, RSP0 = 1, RSP1 = 2, FRONTEND = 4, LDLAT = 8 };

static const struct golden {
	unsigned line;
	const char *box, *name;
	uint64_t ctl;
	unsigned counters;
	unsigned filters;               /* one of the above, with value: */
	uint64_t filter;
} skx_golden[] = {
	/* Core: 0x430000 is EN, OS, USR; umask << 8 | event.  The counters
	 * are those with Hyper-Threading off, from the list. */
	{ __LINE__, "core", "INST_RETIRED.ANY_P", 0x4300c0, 0xff, 0, 0 },
	{ __LINE__, "core", "CPU_CLK_UNHALTED.THREAD_P", 0x43003c, 0xff, 0, 0 },
	{ __LINE__, "core", "UOPS_ISSUED.ANY", 0x43010e, 0xff, 0, 0 },
	{ __LINE__, "core", "UOPS_RETIRED.RETIRE_SLOTS", 0x4302c2, 0xff, 0, 0 },
	/* cmask 1 << 24, inv bit 23 */
	{ __LINE__, "core", "UOPS_RETIRED.STALL_CYCLES", 0x01c302c2, 0xff, 0,
	  0 },
	{ __LINE__, "core", "IDQ_UOPS_NOT_DELIVERED.CORE", 0x43019c, 0xff, 0,
	  0 },
	{ __LINE__, "core", "CYCLE_ACTIVITY.STALLS_TOTAL", 0x044304a3, 0xff, 0,
	  0 },
	{ __LINE__, "core", "CYCLE_ACTIVITY.STALLS_L1D_MISS", 0x0c430ca3, 0xff,
	  0, 0 },
	{ __LINE__, "core", "CYCLE_ACTIVITY.STALLS_MEM_ANY", 0x144314a3, 0xf,
	  0, 0 },
	/* cmask 1, edge bit 18 */
	{ __LINE__, "core", "MACHINE_CLEARS.COUNT", 0x014701c3, 0xff, 0, 0 },
	{ __LINE__, "core", "LONGEST_LAT_CACHE.REFERENCE", 0x434f2e, 0xff, 0,
	  0 },
	{ __LINE__, "core", "L2_RQSTS.REFERENCES", 0x43ff24, 0xff, 0, 0 },
	{ __LINE__, "core", "MEM_INST_RETIRED.ALL_LOADS", 0x4381d0, 0xf, 0, 0 },
	/* AnyThread bit 21 */
	{ __LINE__, "core", "CPU_CLK_UNHALTED.THREAD_P_ANY", 0x63003c, 0xff, 0,
	  0 },
	{ __LINE__, "core", "CPU_CLK_UNHALTED.THREAD_ANY", 0x63003c, 0xff, 0,
	  0 },
	{ __LINE__, "core", "INST_RETIRED.PREC_DIST", 0x4301c0, 0x2, 0, 0 },
	{ __LINE__, "core",
	  "OFFCORE_RESPONSE.DEMAND_DATA_RD.L3_MISS.ANY_SNOOP", 0x4301b7, 0xf,
	  RSP0, 0x3fbc000001 },
	{ __LINE__, "core", "FRONTEND_RETIRED.DSB_MISS", 0x4301c6, 0xf,
	  FRONTEND, 0x11 },
	{ __LINE__, "core", "MEM_TRANS_RETIRED.LOAD_LATENCY_GT_128", 0x4301cd,
	  0xf, LDLAT, 0x80 },
	/* Boxes: EN is 0x400000. */
	{ __LINE__, "IMC", "UNC_M_CLOCKTICKS", 0x400000, 0xf, 0, 0 },
	{ __LINE__, "IMC", "UNC_M_CAS_COUNT.RD", 0x400304, 0xf, 0, 0 },
	{ __LINE__, "IMC", "UNC_M_CAS_COUNT.WR", 0x400c04, 0xf, 0, 0 },
	{ __LINE__, "IMC", "UNC_M_CAS_COUNT.ALL", 0x400f04, 0xf, 0, 0 },
	{ __LINE__, "IMC", "UNC_M_ACT_COUNT.RD", 0x400101, 0xf, 0, 0 },
	{ __LINE__, "IMC", "UNC_M_PRE_COUNT.PAGE_MISS", 0x400102, 0xf, 0, 0 },
	{ __LINE__, "IMC", "UNC_M_RPQ_INSERTS", 0x400010, 0xf, 0, 0 },
	{ __LINE__, "IMC", "UNC_M_RPQ_OCCUPANCY", 0x400080, 0xf, 0, 0 },
	{ __LINE__, "IMC", "UNC_M_WPQ_OCCUPANCY", 0x400081, 0xf, 0, 0 },
	{ __LINE__, "M2M", "UNC_M2M_CLOCKTICKS", 0x400000, 0xf, 0, 0 },
	{ __LINE__, "M2M", "UNC_M2M_IMC_READS.ALL", 0x400437, 0xf, 0, 0 },
	{ __LINE__, "M2M", "UNC_M2M_IMC_WRITES.ALL", 0x401038, 0xf, 0, 0 },
	{ __LINE__, "M2M", "UNC_M2M_DIRECTORY_LOOKUP.ANY", 0x40012d, 0xf, 0,
	  0 },
	{ __LINE__, "M2M", "UNC_M2M_DIRECTORY_UPDATE.ANY", 0x40012e, 0xf, 0,
	  0 },
	{ __LINE__, "M2M", "UNC_M2M_DIRECT2CORE_TAKEN", 0x400023, 0xf, 0, 0 },
	{ __LINE__, "UPI", "UNC_UPI_CLOCKTICKS", 0x400001, 0xf, 0, 0 },
	{ __LINE__, "UPI", "UNC_UPI_TxL_FLITS.ALL_DATA", 0x400f02, 0xf, 0, 0 },
	{ __LINE__, "UPI", "UNC_UPI_TxL_FLITS.NON_DATA", 0x409702, 0xf, 0, 0 },
	{ __LINE__, "UPI", "UNC_UPI_TxL_FLITS.IDLE", 0x404702, 0xf, 0, 0 },
	{ __LINE__, "UPI", "UNC_UPI_L1_POWER_CYCLES", 0x400021, 0xf, 0, 0 },
	/* umask_ext 2 at bit 32 */
	{ __LINE__, "UPI", "UNC_UPI_TxL_HDR_MATCH.LOC", 0x200400004, 0xf, 0,
	  0 },
	{ __LINE__, "M3UPI", "UNC_M3UPI_CLOCKTICKS", 0x400001, 0x7, 0, 0 },
	{ __LINE__, "UBOX", "UNC_U_EVENT_MSG.DOORBELL_RCVD", 0x400842, 0x3, 0,
	  0 },
	{ __LINE__, "UBOX", "UNC_U_LOCK_CYCLES", 0x400044, 0x3, 0, 0 },
	{ __LINE__, "PCU", "UNC_P_CLOCKTICKS", 0x400000, 0xf, 0, 0 },
	/* occupancy select is bits 15:14 */
	{ __LINE__, "PCU", "UNC_P_POWER_STATE_OCCUPANCY.CORES_C0", 0x404080,
	  0xf, 0, 0 },
	{ __LINE__, "PCU", "UNC_P_POWER_STATE_OCCUPANCY.CORES_C6", 0x40c080,
	  0xf, 0, 0 },
	{ __LINE__, "PCU", "UNC_P_FREQ_MAX_LIMIT_THERMAL_CYCLES", 0x400004,
	  0xf, 0, 0 },
	{ __LINE__, "PCU", "UNC_P_FREQ_TRANS_CYCLES", 0x400074, 0xf, 0, 0 },
	{ __LINE__, "CHA", "UNC_CHA_CLOCKTICKS", 0x400000, 0xf, 0, 0 },
	/* all cache states of filter0, 26:17: 0x3ff << 17 */
	{ __LINE__, "CHA", "UNC_CHA_LLC_LOOKUP.ANY", 0x401134, 0xf, F0,
	  0x7fe0000 },
	{ __LINE__, "CHA", "UNC_CHA_LLC_LOOKUP.DATA_READ", 0x400334, 0xf, F0,
	  0x7fe0000 },
	{ __LINE__, "CHA", "UNC_CHA_LLC_VICTIMS.TOTAL_M", 0x400137, 0xf, 0, 0 },
	{ __LINE__, "CHA", "UNC_CHA_SF_EVICTION.M_STATE", 0x40013d, 0xf, 0, 0 },
	{ __LINE__, "CHA", "UNC_CHA_SF_EVICTION.S_STATE", 0x40043d, 0xf, 0, 0 },
	{ __LINE__, "CHA", "UNC_CHA_XSNP_RESP.EVICT_RSP_HITFSE", 0x408132, 0xf, 0,
	  0 },
	{ __LINE__, "CHA", "UNC_CHA_REQUESTS.READS", 0x400350, 0xf, 0, 0 },
	{ __LINE__, "CHA", "UNC_CHA_DIR_LOOKUP.SNP", 0x400153, 0xf, 0, 0 },
	/* filter1 without an opcode: 0x3b */
	{ __LINE__, "CHA", "UNC_CHA_TOR_INSERTS.IA", 0x403135, 0xf, F1, 0x3b },
	{ __LINE__, "CHA", "UNC_CHA_TOR_INSERTS.IO_HIT", 0x401435, 0xf, F1,
	  0x3b },
	/* 0x33 | opcode << 9: DRd 0x202, LLC prefetch DRd 0x25a, RdCur 0x21e */
	{ __LINE__, "CHA", "UNC_CHA_TOR_INSERTS.IA_MISS_DRD", 0x402135, 0xf,
	  F1, 0x40433 },
	{ __LINE__, "CHA", "UNC_CHA_TOR_INSERTS.IA_MISS_LlcPrefDRD", 0x402135,
	  0xf, F1, 0x4b433 },
	{ __LINE__, "CHA", "UNC_CHA_TOR_INSERTS.IO_MISS_RDCUR", 0x402435, 0xf,
	  F1, 0x43c33 },
	{ __LINE__, "CHA", "UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD", 0x402136, 0x1,
	  F1, 0x40433 },
	{ __LINE__, "IIO", "UNC_IIO_CLOCKTICKS", 0x400001, 0xf, 0, 0 },
	/* ch_mask at 36, fc_mask at 44 */
	{ __LINE__, "IIO", "UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE.PART0",
	  0x701000400183, 0x3, 0, 0 },
	{ __LINE__, "IIO", "UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART3",
	  0x708000400483, 0x3, 0, 0 },
	{ __LINE__, "IIO", "UNC_IIO_DATA_REQ_BY_CPU.MEM_READ.PART0",
	  0x7010004004c0, 0xc, 0, 0 },
	{ __LINE__, "IIO", "UNC_IIO_TXN_REQ_OF_CPU.MEM_READ.VTD0",
	  0x710000400484, 0xf, 0, 0 },
	{ __LINE__, "IIO", "UNC_IIO_TXN_REQ_OF_CPU.MEM_READ.VTD1",
	  0x720000400484, 0xf, 0, 0 },
	{ __LINE__, "IIO", "UNC_IIO_COMP_BUF_INSERTS.CMPD.PART0",
	  0x4010004003c2, 0xf, 0, 0 },
	{ __LINE__, "IIO", "UNC_IIO_COMP_BUF_INSERTS.CMPD.ALL_PARTS",
	  0x40f0004003c2, 0xf, 0, 0 },
	{ __LINE__, "IIO", "UNC_IIO_COMP_BUF_OCCUPANCY.CMPD.PART0",
	  0x4000004001d5, 0xc, 0, 0 },
	{ __LINE__, "IIO", "UNC_IIO_VTD_ACCESS.TLB_MISS", 0x402041, 0xf, 0, 0 },
	{ __LINE__, "IIO", "UNC_IIO_VTD_OCCUPANCY", 0x400040, 0xf, 0, 0 },
	{ __LINE__, "IRP", "UNC_I_CLOCKTICKS", 0x400001, 0x3, 0, 0 },
	{ __LINE__, "IRP", "UNC_I_CACHE_TOTAL_OCCUPANCY.MEM", 0x40040f, 0x3, 0,
	  0 },
	{ __LINE__, "IRP", "UNC_I_COHERENT_OPS.PCIRDCUR", 0x400110, 0x3, 0, 0 },
	{ __LINE__, "IRP", "UNC_I_FAF_INSERTS", 0x400018, 0x3, 0, 0 },
	{ __LINE__, "IRP", "UNC_I_SNOOP_RESP.ALL_HIT_M", 0x407812, 0x3, 0, 0 },
	{ __LINE__, "IRP", "UNC_I_TRANSACTIONS.WR_PREF", 0x400811, 0x3, 0, 0 },
};

static const struct {
	const char *box, *name;
	int fixed;
} skx_fixed_golden[] = {
	{ "core", "INST_RETIRED.ANY", 0 },
	{ "core", "CPU_CLK_UNHALTED.THREAD", 1 },
	{ "core", "CPU_CLK_UNHALTED.REF_TSC", 2 },
	{ "UBOX", "UNC_U_CLOCKTICKS", 0 },
	{ "IMC", "UNC_M_CLOCKTICKS_F", 0 },
};

/* The three Skylake-SP lists. */
static struct eventlist *
skx_lists(void)
{
	static const char *const files[] = { "core", "uncore",
	    "uncore_experimental" };
	struct eventlist *list = NULL;
	struct diag why;
	char name[128], path[512];

	for (unsigned i = 0; i < 3; i++) {
		snprintf(name, sizeof(name),
		    "SKX/events/skylakex_%s.json", files[i]);
		if (eventlist_load(&list, model_named("skx"), NULL,
		    perfmon(name, path), &why) < 0)
			fail_msg("%s", why.text);
	}
	return list;
}

static void
check_golden(const struct eventlist *list, const struct golden *g)
{
	const struct box_type *type = model_box(model_named("skx"), g->box);
	const struct listed_event *e = eventlist_find(list, g->name);

	if (e == NULL || e->type == NULL)
		fail_msg("line %u: %s: no event", g->line, g->name);
	if (e->type != type || e->ctl != g->ctl || e->fixed != -1 ||
	    e->counters != g->counters || e->filters != g->filters)
		fail_msg("line %u: %s: %s 0x%llx counters 0x%x filters 0x%x",
		    g->line, g->name, e->type->name, (unsigned long long)e->ctl,
		    e->counters, e->filters);
	for (unsigned f = 0; f < MAX_FILTERS; f++)
		if ((g->filters >> f & 1) != 0 && e->filter[f] != g->filter)
			fail_msg("line %u: %s: filter 0x%llx", g->line, g->name,
			    (unsigned long long)e->filter[f]);
}

static void
skylake_events_encode_as_the_manuals_place_the_fields(void **state)
{
	struct eventlist *list = skx_lists();

	(void)state;
	for (unsigned i = 0; i < sizeof(skx_golden) / sizeof(*skx_golden); i++)
		check_golden(list, &skx_golden[i]);
	for (unsigned i = 0; i < sizeof(skx_fixed_golden) /
	    sizeof(*skx_fixed_golden); i++) {
		const struct listed_event *e = eventlist_find(list,
		    skx_fixed_golden[i].name);

		assert_non_null(e);
		assert_ptr_equal(e->type, model_box(model_named("skx"),
		    skx_fixed_golden[i].box));
		assert_int_equal(e->fixed, skx_fixed_golden[i].fixed);
	}
	eventlist_free(list);
}

static void
every_skylake_event_has_an_encoding(void **state)
{
	struct eventlist *list = skx_lists();
	const struct listed_event *e;
	unsigned n = 0;

	(void)state;
	for (; (e = eventlist_at(list, n)) != NULL; n++) {
		if (e->type == NULL)
			fail_msg("%s: %s", e->name, e->why_not);
		if ((e->ctl & ~box_ctl_valid(e->type)) != 0)
			fail_msg("%s: 0x%llx", e->name,
			    (unsigned long long)e->ctl);
		if (e->fixed < 0 && e->counters == 0)
			fail_msg("%s: no counter counts it", e->name);
	}
	/* 470 core, 269 uncore, 3039 experimental: grep -c EventName */
	assert_int_equal(n, 470 + 269 + 3039);
	eventlist_free(list);
}

static void
an_offcore_event_has_a_second_register(void **state)
{
	struct eventlist *list = skx_lists();
	const struct listed_event *e;

	(void)state;
	e = eventlist_find(list,
	    "OFFCORE_RESPONSE.DEMAND_DATA_RD.L3_MISS.ANY_SNOOP");
	assert_non_null(e->other);
	assert_int_equal(e->other->ctl, 0x4301bb);
	assert_int_equal(e->other->filters, RSP1);
	assert_int_equal(e->other->filter[1], 0x3fbc000001);
	eventlist_free(list);
}

/* What is nearest to the name. */
static const char *
nearest(const struct eventlist *list, const struct box_type *type,
    const char *name)
{
	static struct near near;

	near_init(&near, name);
	eventlist_near(list, type, &near);
	return near.name;
}

static void
names_are_found_in_any_case_and_without_their_prefix(void **state)
{
	struct eventlist *list = skx_lists();
	const struct model *skx = model_named("skx");
	const struct box_type *imc = model_box(skx, "imc");
	const struct box_type *upi = model_box(skx, "upi");

	(void)state;
	assert_string_equal(eventlist_find(list, "unc_m_cas_count.rd")->name,
	    "UNC_M_CAS_COUNT.RD");
	assert_string_equal(eventlist_find(list, "CAS_COUNT.RD")->name,
	    "UNC_M_CAS_COUNT.RD");
	assert_ptr_equal(eventlist_find_in(list, imc, "CLOCKTICKS")->type, imc);
	assert_ptr_equal(eventlist_find_in(list, upi, "CLOCKTICKS")->type, upi);
	/* UNC_C_TOR_INSERTS.IA_MISS is the deprecated name. */
	assert_string_equal(eventlist_find(list, "TOR_INSERTS.IA_MISS")->name,
	    "UNC_CHA_TOR_INSERTS.IA_MISS");
	assert_null(eventlist_find_in(list, imc, "TOR_INSERTS.IA_MISS"));
	assert_null(eventlist_find(list, "NO_SUCH_EVENT"));
	assert_string_equal(nearest(list, imc, "UNC_M_CAS_CUONT.RD"),
	    "UNC_M_CAS_COUNT.RD");
	assert_string_equal(nearest(list, imc, "CAS_COUNT.READ"),
	    "CAS_COUNT.RD");
	assert_null(nearest(list, imc, "SOMETHING_ELSE_ENTIRELY"));
	eventlist_free(list);
}

/* eventlist_parse of a text for skx; what it says when it refuses. */
static struct eventlist *
parse(const char *text, struct diag *why)
{
	struct eventlist *list = NULL;

	why->text[0] = '\0';
	if (eventlist_parse(&list, model_named("skx"), "list.json", text,
	    strlen(text), why) < 0) {
		eventlist_free(list);
		return NULL;
	}
	return list;
}

static void
a_bare_array_and_bare_numbers_are_accepted(void **state)
{
	struct diag why;
	struct eventlist *list = parse("[{\"EventName\": \"A\", "
	    "\"EventCode\": 196, \"UMask\": \"0x11\"}]", &why);

	(void)state;
	assert_non_null(list);
	assert_int_equal(eventlist_at(list, 0)->ctl, 0x4311c4);
	assert_null(eventlist_at(list, 1));
	eventlist_free(list);
}

/* Where no table describes the boxes, events are the kernel's terms; it has
 * events for four fixed counters of the core. */
static void
a_fixed_counter_that_the_kernel_has_no_event_for_has_no_terms(void **state)
{
	static const char text[] = "{\"Events\": [\n"
	    "{\"EventName\": \"A\", \"EventCode\": \"0x00\", \"UMask\": \"0x01\","
	    "\n \"Counter\": \"Fixed counter 0\"},\n"
	    "{\"EventName\": \"B\", \"EventCode\": \"0x00\", \"UMask\": \"0x05\","
	    "\n \"Counter\": \"Fixed counter 4\"}]}";
	struct eventlist *list = NULL;
	struct diag why;

	(void)state;
	assert_int_equal(eventlist_parse(&list, &model_any, "list.json", text,
	    sizeof(text) - 1, &why), 0);
	assert_string_equal(eventlist_at(list, 0)->pmu, "cpu");
	assert_string_equal(eventlist_at(list, 0)->terms, "event=0xc0");
	assert_null(eventlist_at(list, 1)->pmu);
	assert_null(eventlist_at(list, 1)->terms);
	eventlist_free(list);
}

static void
masks_that_a_list_repeats_in_umask_ext_are_no_field(void **state)
{
	struct diag why;
	const struct listed_event *e;
	struct eventlist *list = parse("{\"Events\": [\n"
	    "{\"Unit\": \"IIO\", \"EventName\": \"A\", \"EventCode\": \"0x83\",\n"
	    " \"UMask\": \"1\", \"PortMask\": \"0x1\", \"FCMask\": \"0x7\",\n"
	    " \"UMaskExt\": \"0x7010\"},\n"
	    "{\"Unit\": \"IIO\", \"EventName\": \"B\", \"EventCode\": \"0x83\",\n"
	    " \"UMask\": \"1\", \"PortMask\": \"0x1\", \"FCMask\": \"0x7\",\n"
	    " \"UMaskExt\": \"0x7020\"}]}", &why);

	(void)state;
	assert_non_null(list);
	assert_non_null(e = eventlist_at(list, 0));
	assert_non_null(e->type);
	assert_int_equal(e->ctl & 0x7ff00000ffff, 0x701000000183);
	assert_non_null(e = eventlist_at(list, 1));
	assert_null(e->type);
	eventlist_free(list);
}

static void
what_the_model_lacks_is_kept_with_the_reason(void **state)
{
	struct diag why;
	const struct listed_event *e;
	struct eventlist *list = parse("{\"Events\": [\n"
	    "{\"Unit\": \"SBO\", \"EventName\": \"A\", \"EventCode\": \"1\"},\n"
	    "{\"Unit\": \"IIO\", \"EventName\": \"B\", \"EventCode\": \"0\",\n"
	    " \"CounterType\": \"FREERUN\"},\n"
	    "{\"EventName\": \"C\", \"EventCode\": \"1\", \"MSRValue\": \"2\","
	    "\n \"MSRIndex\": \"0x123\"},\n"
	    "{\"Unit\": \"CHA\", \"EventName\": \"D\", \"EventCode\": \"0x35\","
	    "\n \"UMaskExt\": \"0xC817FE\"}]}", &why);

	(void)state;
	assert_non_null(list);
	for (unsigned i = 0; (e = eventlist_at(list, i)) != NULL; i++) {
		assert_null(e->type);
		assert_non_null(e->why_not);
	}
	assert_string_equal(eventlist_at(list, 0)->why_not,
	    "this model has no unit SBO");
	assert_string_equal(eventlist_at(list, 2)->why_not,
	    "this model has no MSR 0x123");
	assert_string_equal(eventlist_at(list, 3)->why_not,
	    "its box has no field umask_ext");
	eventlist_free(list);
}

static void
bad_lists_are_refused_with_their_line(void **state)
{
	static const struct {
		unsigned line;
		const char *text, *words;
	} cases[] = {
		{ __LINE__, "", "list.json:1: the file ends" },
		{ __LINE__, "{}", "list.json:1: no event list" },
		{ __LINE__, "[]", "list.json:1: no event list" },
		{ __LINE__, "7", "list.json:1: no event list" },
		{ __LINE__, "[\n\n7]", "list.json:3: a number where an event" },
		{ __LINE__, "[{\"EventCode\": \"1\"}]",
		  "list.json:1: an event without EventName" },
		{ __LINE__, "[\n{\"EventName\": \"A\"}]",
		  "list.json:2: A has no EventCode" },
		{ __LINE__, "[\n{\"EventName\": \"A\", \"EventCode\": \"x\"}]",
		  "list.json:2: A: EventCode is \"x\", which is no number" },
		{ __LINE__, "[{\"EventName\": \"A\", \"EventCode\": \"1\",\n"
		  "\"UMask\": \"0x100\"}]",
		  "list.json:1: umask 0x100 is too large for CORE" },
		{ __LINE__, "[{\"EventName\": \"A\", \"EventCode\": \"1,2,3\"}]",
		  "list.json:1: A: EventCode is \"1,2,3\"" },
		{ __LINE__, "[{\"EventName\": \"A\", \"Unit\": \"IIO\", "
		  "\"EventCode\": \"1\", \"FCMask\": \"8\"}]",
		  "list.json:1: fc_mask 0x8 is too large for IIO" },
	};
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (parse(cases[i].text, &why) != NULL ||
		    strstr(why.text, cases[i].words) != why.text)
			fail_msg("line %u: %s", cases[i].line, why.text);
	assert_int_equal(eventlist_load(&(struct eventlist *){ NULL },
	    model_named("skx"), NULL, "/no/such/list.json", &why), -2);
}

/* What the mapfile.csv of dir says of a list in it. */
static int
asked_of(const char *dir, const struct model *m, const struct cpu_id *cpu,
    const char *list, struct diag *why)
{
	char path[512];

	tree_text(dir, list, "[]");
	snprintf(path, sizeof(path), "%s%s", dir, list);
	return mapfile_check(m, cpu, path, why);
}

static void
a_list_of_another_cpu_is_refused(void **state)
{
	static const char map[] =
	    "Family-model,Version,Filename,EventType,Core Type\n"
	    "GenuineIntel-6-55-[01234],V1,/SKX/events/skx.json,core,,,\r\n"
	    "GenuineIntel-6-55-[56789],V1,/CLX/events/clx.json,core,,,\n"
	    "GenuineIntel-6-55-[AB],V1,/CPX/events/cpx.json,core,,,\n"
	    "GenuineIntel-6-6A,V1,/ICX/events/icx.json,core,,,\n"
	    "GenuineIntel-6-6C,V1,/ICX/events/icx.json,core,,,\n"
	    "GenuineIntel-18-55,V1,/N/events/n.json,core";
	static const struct cpu_id nova = { .vendor = "GenuineIntel",
	    .family = 18, .model = 0x55, .stepping = 3 },
	    skylake = { .vendor = "GenuineIntel", .family = 6, .model = 0x55,
	    .stepping = 4 }, cascade = { .vendor = "GenuineIntel",
	    .family = 6, .model = 0x55, .stepping = 7 }, none = { .family = 0 };
	const struct model *skx = model_named("skx");
	struct eventlist *list = NULL;
	char path[512], *dir = tree_new();
	struct diag why;

	(void)state;
	tree_text(dir, "/mapfile.csv", map);
	/* without tables it is the node's own CPU that counts */
	assert_int_equal(asked_of(dir, &model_any, &nova, "/N/events/n.json",
	    &why), 0);
	assert_int_equal(asked_of(dir, &model_any, &nova, "/SKX/events/skx.json",
	    &why), -22);
	assert_non_null(strstr(why.text, "this list is of other CPUs "
	    "(GenuineIntel-6-55-[01234], says mapfile.csv), not of this one "
	    "(GenuineIntel-18-55-3)"));
	assert_int_equal(asked_of(dir, skx, NULL, "/SKX/events/skx.json",
	    &why), 0);
	assert_int_equal(asked_of(dir, skx, NULL, "/X/events/x.json", &why), 1);
	assert_int_equal(asked_of(dir, skx, NULL, "/CPX/events/cpx.json",
	    &why), -22);
	assert_int_equal(asked_of(dir, skx, NULL, "/N/events/n.json",
	    &why), -22);
	assert_int_equal(asked_of(dir, skx, NULL, "/ICX/events/icx.json",
	    &why), -22);
	assert_non_null(strstr(why.text, "this list is of other CPUs "
	    "(GenuineIntel-6-6A GenuineIntel-6-6C, says mapfile.csv), not of "
	    "Skylake-SP / Cascade Lake-SP"));
	/* of the generations that the model has, the node is one */
	assert_int_equal(asked_of(dir, skx, &cascade, "/SKX/events/skx.json",
	    &why), -22);
	assert_non_null(strstr(why.text, "this list is of other CPUs "
	    "(GenuineIntel-6-55-[01234], says mapfile.csv), not of this one "
	    "(GenuineIntel-6-55-7)"));
	assert_int_equal(asked_of(dir, skx, &cascade, "/CLX/events/clx.json",
	    &why), 0);
	assert_int_equal(asked_of(dir, skx, &skylake, "/SKX/events/skx.json",
	    &why), 0);
	assert_int_equal(asked_of(dir, skx, &skylake, "/CLX/events/clx.json",
	    &why), -22);
	assert_int_equal(asked_of(dir, skx, &none, "/CLX/events/clx.json",
	    &why), 0);
	assert_int_equal(eventlist_load(&list, skx, NULL,
	    perfmon("HSX/events/haswellx_core.json", path), &why), -22);
	assert_non_null(strstr(why.text, "haswellx_core.json: this list "
	    "is of other CPUs (GenuineIntel-6-3F"));
	tree_free(dir);
	eventlist_free(list);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    skylake_events_encode_as_the_manuals_place_the_fields),
		cmocka_unit_test(every_skylake_event_has_an_encoding),
		cmocka_unit_test(an_offcore_event_has_a_second_register),
		cmocka_unit_test(
		    names_are_found_in_any_case_and_without_their_prefix),
		cmocka_unit_test(a_bare_array_and_bare_numbers_are_accepted),
		cmocka_unit_test(
		    a_fixed_counter_that_the_kernel_has_no_event_for_has_no_terms),
		cmocka_unit_test(
		    masks_that_a_list_repeats_in_umask_ext_are_no_field),
		cmocka_unit_test(what_the_model_lacks_is_kept_with_the_reason),
		cmocka_unit_test(bad_lists_are_refused_with_their_line),
		cmocka_unit_test(a_list_of_another_cpu_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
