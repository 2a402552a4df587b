/*
 * tests/regs/models/test_spr_lists.c - the events of Intel's lists on Sapphire Rapids: each
 * has an encoding.  Expected encodings are worked out by hand from the fields of the
 * reference (intel-server-pmon.md 3.2, 5.3, 9 and 11).
 */
#include "tests/lib/encoded.h"
#include "tests/lib/rig.h"

#include "config/eventlist.h"

#include <string.h>

static struct eventlist *
lists(void)
{
	return lists_of("spr", (const char *[]){
	    "SPR/events/sapphirerapids_core.json",
	    "SPR/events/sapphirerapids_uncore.json",
	    "SPR/events/sapphirerapids_uncore_experimental.json", NULL });
}

static void
every_listed_event_encodes(void **state)
{
	struct eventlist *list = lists();
	const struct listed_event *e;
	unsigned n, freerun = 0;

	(void)state;
	for (n = 0; (e = eventlist_at(list, n)) != NULL; n++) {
		if (e->type != NULL) {
			assert_true((e->ctl & ~box_ctl_valid(e->type) &
			    ~e->type->fixed.enable) == 0);
			continue;
		}
		if (e->why_not != NULL && strstr(e->why_not, "free-running"))
			freerun++;
		else
			fail_msg("%s: %s", e->name, e->why_not);
	}
	assert_int_equal(n, 411 + 289 + 1993);
	assert_int_equal(freerun, 17);
	eventlist_free(list);
}

/* Control values by hand: event | umask << 8 | fields, without an enable bit;
 * cores with EN (0x400000), user and kernel (0x30000) on top. */
static const struct encoded_event golden[] = {
	/* 11.1; cmask << 24, inv 0x800000, edge 0x40000 */
	{ __LINE__, "CORE", "INST_RETIRED.ANY_P", 0x4300c0 },
	{ __LINE__, "CORE", "CPU_CLK_UNHALTED.DISTRIBUTED", 0x4302ec },
	{ __LINE__, "CORE", "CPU_CLK_UNHALTED.REF_DISTRIBUTED", 0x43083c },
	{ __LINE__, "CORE", "TOPDOWN.SLOTS_P", 0x4301a4 },
	{ __LINE__, "CORE", "TOPDOWN.BACKEND_BOUND_SLOTS", 0x4302a4 },
	{ __LINE__, "CORE", "TOPDOWN.BAD_SPEC_SLOTS", 0x4304a4 },
	{ __LINE__, "CORE", "TOPDOWN.MEMORY_BOUND_SLOTS", 0x4310a4 },
	{ __LINE__, "CORE", "UOPS_ISSUED.ANY", 0x4301ae },
	{ __LINE__, "CORE", "UOPS_RETIRED.SLOTS", 0x4302c2 },
	{ __LINE__, "CORE", "UOPS_RETIRED.STALLS", 0x1c302c2 },
	{ __LINE__, "CORE", "CYCLE_ACTIVITY.STALLS_TOTAL", 0x44304a3 },
	{ __LINE__, "CORE", "CYCLE_ACTIVITY.STALLS_L1D_MISS", 0xc430ca3 },
	{ __LINE__, "CORE", "CYCLE_ACTIVITY.STALLS_L3_MISS", 0x64306a3 },
	{ __LINE__, "CORE", "EXE_ACTIVITY.BOUND_ON_LOADS", 0x54321a6 },
	{ __LINE__, "CORE", "EXE_ACTIVITY.BOUND_ON_STORES", 0x24340a6 },
	{ __LINE__, "CORE", "MACHINE_CLEARS.COUNT", 0x14701c3 },
	{ __LINE__, "CORE", "LONGEST_LAT_CACHE.MISS", 0x43412e },
	{ __LINE__, "CORE", "L2_LINES_IN.ALL", 0x431f25 },
	{ __LINE__, "CORE", "L2_LINES_OUT.NON_SILENT", 0x430226 },
	{ __LINE__, "CORE", "MEM_LOAD_RETIRED.L3_MISS", 0x4320d1 },
	{ __LINE__, "CORE", "OFFCORE_REQUESTS.DEMAND_DATA_RD", 0x430121 },
	{ __LINE__, "CORE", "DTLB_LOAD_MISSES.WALK_COMPLETED", 0x430e12 },
	{ __LINE__, "CORE", "BR_INST_RETIRED.COND", 0x4311c4 },
	{ __LINE__, "CORE", "OCR.DEMAND_DATA_RD.L3_MISS", 0x43012a },
	/* 11.2 */
	{ __LINE__, "IMC", "CLOCKTICKS", 0x101 },
	{ __LINE__, "IMC", "HCLOCKTICKS", 0x1 },
	{ __LINE__, "IMC", "CAS_COUNT.RD", 0xcf05 },
	{ __LINE__, "IMC", "CAS_COUNT.WR", 0xf005 },
	{ __LINE__, "IMC", "CAS_COUNT.ALL", 0xff05 },
	{ __LINE__, "IMC", "CAS_COUNT.RD_REG", 0xc105 },
	{ __LINE__, "IMC", "CAS_COUNT.RD_UNDERFILL", 0xc405 },
	{ __LINE__, "IMC", "ACT_COUNT.ALL", 0xff02 },
	{ __LINE__, "IMC", "PRE_COUNT.PGT", 0x8803 },
	{ __LINE__, "IMC", "PRE_COUNT.RD", 0x1103 },
	{ __LINE__, "IMC", "PRE_COUNT.WR", 0x2203 },
	{ __LINE__, "IMC", "PRE_COUNT.ALL", 0xff03 },
	{ __LINE__, "IMC", "RPQ_INSERTS.PCH0", 0x110 },
	{ __LINE__, "IMC", "RPQ_OCCUPANCY_PCH0", 0x80 },
	{ __LINE__, "IMC", "WPQ_INSERTS.PCH1", 0x220 },
	{ __LINE__, "IMC", "WPQ_OCCUPANCY_PCH1", 0x83 },
	{ __LINE__, "IMC", "PMM_RPQ_INSERTS", 0xe3 },
	{ __LINE__, "IMC", "TAGCHK.HIT", 0x1d3 },
	{ __LINE__, "MCHBM", "CLOCKTICKS", 0x101 },
	{ __LINE__, "MCHBM", "CAS_COUNT.RD", 0xcf05 },
	{ __LINE__, "MCHBM", "CAS_COUNT.WR", 0xf005 },
	{ __LINE__, "MCHBM", "ACT_COUNT.ALL", 0xff02 },
	/* 11.3; umask_ext << 32 */
	{ __LINE__, "M2M", "CLOCKTICKS", 0x1 },
	{ __LINE__, "M2M", "IMC_READS.ALL", 0x300000424 },
	{ __LINE__, "M2M", "IMC_WRITES.ALL", 0x1800001025 },
	{ __LINE__, "M2M", "IMC_READS.TO_PMM", 0x300002024 },
	{ __LINE__, "M2M", "DIRECTORY_LOOKUP.ANY", 0x120 },
	{ __LINE__, "M2M", "DIRECTORY_UPDATE.ANY", 0x300000121 },
	{ __LINE__, "M2M", "TAG_HIT.NM_RD_HIT_CLEAN", 0x11f },
	{ __LINE__, "M2HBM", "CLOCKTICKS", 0x1 },
	{ __LINE__, "M2HBM", "DIRECTORY_LOOKUP.ANY", 0x120 },
	{ __LINE__, "UBOX", "EVENT_MSG.DOORBELL_RCVD", 0x842 },
	{ __LINE__, "CXLCM", "CLOCKTICKS", 0x201 },
	{ __LINE__, "CXLCM", "RxC_PACK_BUF_INSERTS.MEM_DATA", 0x1041 },
	{ __LINE__, "CXLCM", "RxC_PACK_BUF_INSERTS.MEM_REQ", 0x841 },
	{ __LINE__, "CXLCM", "TxC_PACK_BUF_INSERTS.MEM_DATA", 0x1002 },
	{ __LINE__, "CXLDP", "CLOCKTICKS", 0x101 },
	{ __LINE__, "CXLDP", "TxC_AGF_INSERTS.M2S_DATA", 0x2002 },
	/* 11.4 */
	{ __LINE__, "UPI", "CLOCKTICKS", 0x1 },
	{ __LINE__, "UPI", "TxL_FLITS.ALL_DATA", 0xf02 },
	{ __LINE__, "UPI", "TxL_FLITS.NON_DATA", 0x9702 },
	{ __LINE__, "UPI", "TxL_FLITS.IDLE", 0x4702 },
	{ __LINE__, "UPI", "RxL_FLITS.ALL_DATA", 0xf03 },
	{ __LINE__, "UPI", "L1_POWER_CYCLES", 0x21 },
	{ __LINE__, "M3UPI", "CLOCKTICKS", 0x1 },
	{ __LINE__, "M2PCIe", "CLOCKTICKS", 0x1 },
	/* 11.5 */
	{ __LINE__, "PCU", "CLOCKTICKS", 0x1 },
	{ __LINE__, "PCU", "POWER_STATE_OCCUPANCY_CORES_C0", 0x35 },
	{ __LINE__, "PCU", "POWER_STATE_OCCUPANCY_CORES_C6", 0x37 },
	{ __LINE__, "PCU", "FREQ_TRANS_CYCLES", 0x74 },
	{ __LINE__, "PCU", "FREQ_CLIP_AVX256", 0x49 },
	{ __LINE__, "PCU", "PMAX_THROTTLED_CYCLES", 0x6 },
	{ __LINE__, "PCU", "PKG_RESIDENCY_C6_CYCLES", 0x2d },
	/* 11.6, 11.7; umask_ext << 32 */
	{ __LINE__, "CHA", "CLOCKTICKS", 0x1 },
	{ __LINE__, "CHA", "LLC_LOOKUP.ALL", 0x1fff0000ff34 },
	{ __LINE__, "CHA", "LLC_LOOKUP.DATA_READ_MISS", 0x1fc100000134 },
	{ __LINE__, "CHA", "LLC_LOOKUP.RFO", 0x1bc80000ff34 },
	{ __LINE__, "CHA", "LLC_VICTIMS.TOTAL_M", 0x137 },
	{ __LINE__, "CHA", "LLC_VICTIMS.LOCAL_ALL", 0x2000000f37 },
	{ __LINE__, "CHA", "REQUESTS.READS", 0x350 },
	{ __LINE__, "CHA", "REQUESTS.WRITES", 0xc50 },
	{ __LINE__, "CHA", "IMC_READS_COUNT.NORMAL", 0x159 },
	{ __LINE__, "CHA", "DIR_LOOKUP.SNP", 0x153 },
	{ __LINE__, "CHA", "TOR_INSERTS.IA", 0xc001ff00000135 },
	{ __LINE__, "CHA", "TOR_INSERTS.IA_MISS_DRD", 0xc817fe00000135 },
	{ __LINE__, "CHA", "TOR_INSERTS.IA_MISS_CXL_ACC",
	  0x10c0018200000135 },
	{ __LINE__, "CHA", "TOR_INSERTS.IO_PCIRDCUR", 0xc8f3ff00000435 },
	{ __LINE__, "CHA", "TOR_INSERTS.IO_MISS_ITOM", 0xcc43fe00000435 },
	{ __LINE__, "CHA", "TOR_INSERTS.IO_MISS_ITOMCACHENEAR",
	  0xcd43fe00000435 },
	{ __LINE__, "CHA", "TOR_INSERTS.ALL", 0xc001ff0000ff35 },
	{ __LINE__, "CHA", "TOR_OCCUPANCY.IA_MISS_DRD", 0xc817fe00000136 },
	/* 11.8; ch_mask << 36, fc_mask << 48 */
	{ __LINE__, "IIO", "CLOCKTICKS", 0x1 },
	{ __LINE__, "IIO", "DATA_REQ_OF_CPU.MEM_WRITE.PART0",
	  0x7001000000183 },
	{ __LINE__, "IIO", "DATA_REQ_OF_CPU.MEM_READ.PART7",
	  0x7080000000483 },
	{ __LINE__, "IIO", "DATA_REQ_OF_CPU.CMPD.PART0", 0x7001000008083 },
	{ __LINE__, "IIO", "DATA_REQ_BY_CPU.MEM_WRITE.PART0",
	  0x70010000001c0 },
	{ __LINE__, "IIO", "COMP_BUF_INSERTS.CMPD.ALL_PARTS",
	  0x70ff0000004c2 },
	{ __LINE__, "IIO", "COMP_BUF_OCCUPANCY.CMPD.ALL_PARTS",
	  0x70ff00000ffd5 },
	{ __LINE__, "IIO", "IOMMU0.FIRST_LOOKUPS", 0x140 },
	{ __LINE__, "IIO", "IOMMU0.MISSES", 0x2040 },
	{ __LINE__, "IIO", "IOMMU1.NUM_MEM_ACCESSES", 0xc041 },
	{ __LINE__, "IIO", "PWT_OCCUPANCY", 0xff42 },
	{ __LINE__, "IIO", "NUM_REQ_OF_CPU_BY_TGT.MEM", 0x70ff00000088e },
	/* its fc_mask is in UMaskExt alone, 0x70000 */
	{ __LINE__, "IIO", "NUM_TGT_MATCHED_REQ_OF_CPU", 0x700000000008f },
	/* 11.9 */
	{ __LINE__, "IRP", "CLOCKTICKS", 0x1 },
	{ __LINE__, "IRP", "CACHE_TOTAL_OCCUPANCY.MEM", 0x40f },
	{ __LINE__, "IRP", "TRANSACTIONS.WR_PREF", 0x811 },
	{ __LINE__, "IRP", "FAF_INSERTS", 0x18 },
	{ __LINE__, "IRP", "FAF_OCCUPANCY", 0x19 },
	{ __LINE__, "IRP", "MISC1.LOST_FWD", 0x101f },
	{ __LINE__, "IRP", "SNOOP_RESP.ALL_HIT_M", 0x7812 },
};

static void
listed_events_have_the_control_values_of_the_reference(void **state)
{
	struct eventlist *list = lists();

	(void)state;
	encoded_listed(list, "spr", golden, sizeof(golden) / sizeof(golden[0]));
	eventlist_free(list);
}

/* 3.3: as Intel's list has them, the table of the model has them. */
static void
events_of_cores_are_kept_to_the_counters_that_have_them(void **state)
{
	struct eventlist *list = lists();
	const struct listed_event *e;

	(void)state;
	for (unsigned n = 0; (e = eventlist_at(list, n)) != NULL; n++)
		if (e->type == model_named("spr")->core && e->fixed < 0 &&
		    e->counters != box_event_mask(e->type, e->ctl))
			fail_msg("%s: 0x%x in the list", e->name, e->counters);
	e = eventlist_find_in(list, model_named("spr")->core,
	    "TOPDOWN.BAD_SPEC_SLOTS");
	assert_int_equal(e->counters, 0x1);
	e = eventlist_find_in(list, model_named("spr")->core,
	    "OCR.DEMAND_DATA_RD.L3_MISS");
	assert_int_equal(e->filters, 1);
	assert_true(e->filter[0] == 0x3fbfc00001);
	assert_non_null(e->other);
	assert_true(e->other->ctl == 0x43012b);
	eventlist_free(list);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_listed_event_encodes),
		cmocka_unit_test(listed_events_have_the_control_values_of_the_reference),
		cmocka_unit_test(
		    events_of_cores_are_kept_to_the_counters_that_have_them),
	};

	return cmocka_run_group_tests_name("spr lists", tests, NULL, NULL);
}
