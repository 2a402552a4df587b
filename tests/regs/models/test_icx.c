/*
 * tests/regs/models/test_icx.c - Ice Lake-SP from end to end: its boxes on the simulated
 * node, to the count; what its memory controllers' BARs can get wrong; the
 * events of Intel's lists.  Expected numbers are the rates that are written
 * in icx-8358-2s.machine, and encodings worked out by hand from the fields of
 * the reference (intel-server-pmon.md 3.2, 5.2 and 11).
 */
#include "tests/lib/encoded.h"
#include "tests/lib/rig.h"
#include "tests/lib/sim_compare.h"

#include "config/eventlist.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define SECOND 1000000000ull

/* The node with `more` appended to its machine, and a configuration text
 * (NULL: the default one). */
static struct rig *
icx(const char *more, const char *config)
{
	return rig_with("@icx-8358-2s", more, config);
}

static void
every_box_counts_its_own_rate_to_the_count(void **state)
{
	static const struct {
		int line;
		const char *column;
		uint64_t idle, near;
	} rows[] = {
		/* rate + instance * step + package * pkgstep */
		{ __LINE__, "cha_counts[0][0][\"CLOCKTICKS\"]", 2400000000,
		  2400000000 },
		{ __LINE__, "cha_counts[0][17][\"CLOCKTICKS\"]",
		  2400000000 + 17 * 3, 0 },
		{ __LINE__, "cha_counts[1][18][\"CLOCKTICKS\"]",
		  2400000000 + 18 * 3 + 5, 0 },
		{ __LINE__, "cha_counts[1][31][\"SF_EVICTION.E_STATE\"]",
		  200 + 31 * 3 + 5, 0 },
		{ __LINE__, "imc_counts[0][0][\"CAS_COUNT.RD\"]", 50000,
		  500000 },
		{ __LINE__, "imc_counts[1][7][\"CAS_COUNT.WR\"]", 25000,
		  25000 },
		{ __LINE__, "imc_counts[1][5][\"DCLK\"]",
		  1600000000 + 5 + 11, 0 },
		{ __LINE__, "imc_counts[0][6][\"ACT_COUNT.ALL\"]",
		  30000 + 6 * 7, 0 },
		{ __LINE__, "upi_counts[1][2][\"TxL_FLITS.ALL_DATA\"]", 10000,
		  30000000 },
		{ __LINE__, "iio_counts[0][0][\"DATA_REQ_OF_CPU.MEM_WRITE\"]",
		  0, 2560000000 },
		{ __LINE__, "iio_counts[0][3][\"DATA_REQ_OF_CPU.MEM_WRITE\"]",
		  2500000, 2500000 },
		{ __LINE__, "iio_counts[1][4][\"DATA_REQ_OF_CPU.MEM_READ\"]",
		  50000000, 50000000 },
		{ __LINE__, "pcu_counts[1][\"FREQ_TRANS_CYCLES\"]",
		  3100 + 3, 0 },
		{ __LINE__, "ubox_uclk[1]", 2400000000 + 7, 0 },
		{ __LINE__, "iio_CBDMA_clocks[0]", 500000000, 500000000 },
		{ __LINE__, "iio_PCIe0_port0_in_bytes[0]", 0, 2561000000 },
		{ __LINE__, "iio_PCIe3_port7_out_bytes[1]",
		  100 + 7 * 3 + 5, 0 },
		/* lproc 33 is core 1 of package 1 */
		{ __LINE__, "core_fixed_counts[33][\"TOPDOWN.SLOTS\"]",
		  16000000 + 19 + 3, 0 },
		{ __LINE__, "core_counts[33][\"LONGEST_LAT_CACHE.MISS\"]",
		  9000 + 7 + 5, 0 },
	};
	struct rig *r = icx("", NULL);
	size_t n = sizeof(rows) / sizeof(rows[0]);

	(void)state;
	rig_program(r);
	/* one second a row, so the machine stays idle for these ten */
	for (size_t i = 0; i < n; i++) {
		struct rig *one = i % 8 == 7 ? icx("", NULL) : NULL;

		if (one != NULL) {
			rig_close(r);
			r = one;
			rig_program(r);
		}
		if (rows[i].idle != 0 &&
		    rig_second(r, rows[i].column) != rows[i].idle)
			fail_msg("idle rate of row at line %d", rows[i].line);
	}
	rig_close(r);
	r = icx("", NULL);
	rig_program(r);
	sim_advance(rig_sim(r), 12 * SECOND);
	for (size_t i = 0; i < n; i++)
		if (rows[i].near != 0 &&
		    rig_second(r, rows[i].column) != rows[i].near)
			fail_msg("near rate of row at line %d", rows[i].line);
	rig_close(r);
}

static void
memory_controllers_count_by_themselves_in_units_of_64_bytes(void **state)
{
	struct rig *r = icx("", "optional read imcfree_ddr_reads "
	    "imcfree_ddr_writes imcfree_dclk\nread aperf\n");
	const char *column = "imc_ddr_read_bytes[0][3]";

	(void)state;
	rig_program(r);
	assert_int_equal(sim_writes(rig_sim(r)), 0);
	/* twice a channel's rate; the counter wraps meanwhile */
	assert_int_equal(rig_second(r, column), 100000);
	assert_int_equal(rig_second(r, "imc_ddr_write_bytes[1][0]"), 50000);
	assert_int_equal(rig_second(r, "imc_dclk[1][2]"), 1600000002);
	rig_close(r);
}

/* CHA slots are in three ranges; the third is beyond this part's 32. */
static void
a_part_with_all_its_chas_uses_all_three_ranges(void **state)
{
	struct rig *r = icx("box cha present=0x3ffffffffff\n"
	    "pci bus1:1e.3 0x9c = 0xffffffff\npci bus1:1e.3 0xa0 = 0x3ff\n",
	    "cha CLOCKTICKS event=0\n");

	(void)state;
	rig_program(r);
	assert_int_equal(rig_second(r, "cha_counts[0][33][\"CLOCKTICKS\"]"),
	    2400000000 + 33 * 3);
	assert_int_equal(rig_second(r, "cha_counts[0][34][\"CLOCKTICKS\"]"),
	    2400000000 + 34 * 3);
	assert_int_equal(rig_second(r, "cha_counts[1][41][\"CLOCKTICKS\"]"),
	    2400000000ull + 41 * 3 + 5);
	rig_close(r);
}

static void
a_bar_that_is_not_set_up_is_named_and_the_rest_is_there(void **state)
{
	static const struct {
		int line;
		const char *machine, *says;
		unsigned inst;
		bool others;            /* of the same package */
	} rows[] = {
		{ __LINE__, "pci bus0:00.1 0xdc = 0 pkg=1",
		  "MEM1 BAR (fe:00.1 register 0xdc) is 00000000", 2, true },
		{ __LINE__, "pci bus0:00.1 0xe4 = 0xffffffff pkg=1",
		  "MEM3 BAR (fe:00.1 register 0xe4) is ffffffff", 7, true },
		{ __LINE__, "pci bus0:00.1 0xd0 = 0 pkg=1",
		  "base BAR (fe:00.1 register 0xd0) is 00000000", 0, false },
		{ __LINE__, "pci bus0:00.1 0xd0 = 0xffffffff pkg=1",
		  "base BAR (fe:00.1 register 0xd0) is ffffffff", 0, false },
		{ __LINE__, "pci fe:00.1 none", "BAR device fe:00.1 reads id "
		  "ffffffff, expected 34518086", 4, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r = icx(rows[i].machine, NULL);
		const struct unit *u = rig_unit(r, "IMC", 1, rows[i].inst);

		if (u->present || strcmp(u->reason, rows[i].says) != 0)
			fail_msg("row at line %d: %s", rows[i].line,
			    u->reason);
		assert_int_equal(rig_unit(r, "IMC", 1, 5)->present,
		    rows[i].others);
		assert_true(rig_unit(r, "IMC", 0, rows[i].inst)->present);
		assert_true(rig_unit(r, "UPI", 1, 0)->present);
		rig_close(r);
	}
}

/* A backend in front of the simulated node that the kernel denies /dev/mem. */
static struct access *behind;

static int
denied_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	(void)acc;
	return addr->space == REG_MMIO ? -EPERM :
	    behind->ops->read(behind, addr, raw);
}

static void
without_dev_mem_there_is_no_imc_and_the_rest_is_there(void **state)
{
	struct rig *r = icx("", NULL);
	struct access_ops ops = *r->node.acc->ops;
	struct access denied = { .ops = &ops };
	struct inventory inv;
	struct diag why = { "" };

	(void)state;
	behind = r->node.acc;
	ops.read = denied_read;
	memset(&inv, 0xff, sizeof(inv));        /* whatever it was before */
	assert_int_equal(inventory_load(&inv, &r->node.topo, &denied, &why),
	    0);
	for (unsigned i = 0; i < inv.n; i++) {
		const struct unit *u = &inv.unit[i];

		if (u->type->space != REG_MMIO) {
			assert_true(u->present || u->inst >= 32);
			continue;
		}
		assert_false(u->present);
		assert_non_null(strstr(u->reason, "/dev/mem: Operation not "
		    "permitted"));
	}
	inventory_free(&inv);
	rig_close(r);
}

/* Configuration space as the kernel shows it without CAP_SYS_ADMIN. */
static int
short_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	(void)acc;
	return addr->space == REG_PCI && addr->offset >= 64 ? -EACCES :
	    behind->ops->read(behind, addr, raw);
}

static void
what_the_kernel_cuts_off_is_asked_for_by_its_capability(void **state)
{
	struct rig *r = icx("", NULL);
	struct access_ops ops = *r->node.acc->ops;
	struct access denied = { .ops = &ops };
	struct inventory inv;
	struct diag why = { "" };
	const struct unit *u;

	(void)state;
	behind = r->node.acc;
	ops.read = short_read;
	assert_int_equal(inventory_load(&inv, &r->node.topo, &denied, &why),
	    0);
	u = inventory_find(&inv, model_box(r->node.topo.model, "CHA"), 1, 0);
	assert_non_null(u);
	assert_false(u->present);
	assert_non_null(strstr(u->reason, "the kernel shows only the first "
	    "bytes of it: run tallyd with CAP_SYS_ADMIN"));
	inventory_free(&inv);
	assert_null(inventory_find(&inv, model_box(r->node.topo.model, "CHA"),
	    1, 0));
	rig_close(r);
}

static void
the_base_of_a_controller_is_computed_as_the_reference_says(void **state)
{
	struct rig *r = icx("", NULL);

	(void)state;
	/* (0x1f6 << 23) + (0x180 << 12), (0x1f7 << 23) + (0x200 << 12) */
	assert_true(rig_unit(r, "IMC", 0, 5)->base == 0xfb180000);
	assert_true(rig_unit(r, "IMCFREE", 1, 3)->base == 0xfba00000);
	rig_close(r);
}

static void
a_node_without_its_ubox_bus_says_so_and_keeps_its_msrs(void **state)
{
	struct rig *r = icx("pci fe:00.0 none", NULL);

	(void)state;
	assert_int_equal(r->node.topo.pkg[0].bus[0], 0x7e);
	assert_int_equal(r->node.topo.pkg[0].bus[1], 0x7f);
	assert_int_equal(r->node.topo.pkg[1].bus[0], -1);
	assert_false(rig_unit(r, "IMC", 1, 0)->present);
	assert_false(rig_unit(r, "UPI", 1, 0)->present);
	assert_true(rig_unit(r, "CHA", 0, 0)->present);
	rig_close(r);
}

/* The map of node ids may cross packages over. */
static void
packages_are_told_by_the_map_of_node_ids(void **state)
{
	struct rig *r = icx("pci bus0:00.0 0xd4 = 0xfac681\n", NULL);

	(void)state;
	/* field 0 is 1, field 1 is 0 */
	assert_int_equal(r->node.topo.pkg[0].bus[0], 0xfe);
	assert_int_equal(r->node.topo.pkg[1].bus[0], 0x7e);
	assert_int_equal(r->node.topo.pkg[0].nodeid, 1);
	rig_close(r);
}

static void
every_register_is_as_found_after_a_restore(void **state)
{
	struct rig *before = icx("", NULL), *r = icx("", NULL);

	(void)state;
	rig_put_back(r, before, 1000);
}

/* 2, 8.1, 8.4: Ice Lake-D has three channels a controller, and its own map of
 * stacks; all else is as on Ice Lake-SP. */
static void
ice_lake_d_has_three_channels_a_controller(void **state)
{
	static const uint8_t pmon[] = { 2, 5, 1, 0, 3, 4 };
	const struct model *m = model_find("GenuineIntel", 6, 0x6c, 1);
	const struct box_type *imc;

	(void)state;
	assert_non_null(m);
	assert_string_equal(m->name, "icxd");
	imc = model_box(m, "IMC");
	assert_int_equal(imc->instances, 12);
	assert_int_equal(imc->unit_of[11], 3);
	assert_int_equal(box_ctl_reg(imc, 11), 0x22800 + 2 * 0x4000);
	assert_int_equal(box_counter_ctr(imc, 3, 2), 0x22808 + 2 * 8);
	assert_memory_equal(m->stacks.pmon, pmon, sizeof(pmon));
}

/* ---- events of Intel's lists ---- */

static struct eventlist *
lists(void)
{
	return lists_of("icx", (const char *[]){
	    "ICX/events/icelakex_core.json",
	    "ICX/events/icelakex_uncore.json",
	    "ICX/events/icelakex_uncore_experimental.json", NULL });
}

static void
every_listed_event_encodes(void **state)
{
	struct eventlist *list = lists();
	const struct listed_event *e;
	unsigned n, left = 0;

	(void)state;
	for (n = 0; (e = eventlist_at(list, n)) != NULL; n++) {
		if (e->type != NULL) {
			assert_true((e->ctl & ~box_ctl_valid(e->type)) == 0);
			continue;
		}
		/* 17 of IIO, one of the memory controller */
		if (strstr(e->why_not, "free-running") == NULL)
			fail_msg("%s: %s", e->name, e->why_not);
		left++;
	}
	assert_int_equal(n, 363 + 271 + 3716);
	assert_int_equal(left, 18);
	eventlist_free(list);
}

/* Control values by hand: event | umask << 8 | fields, EN = 0x400000; cores
 * with user and kernel (0x30000) on top. */
static const struct encoded_event golden[] = {
	/* 11.1; cmask << 24, inv 0x800000, edge 0x40000 */
	{ __LINE__, "CORE", "INST_RETIRED.ANY_P", 0x4300c0 },
	{ __LINE__, "CORE", "CPU_CLK_UNHALTED.DISTRIBUTED", 0x4302ec },
	{ __LINE__, "CORE", "CPU_CLK_UNHALTED.REF_DISTRIBUTED", 0x43083c },
	{ __LINE__, "CORE", "TOPDOWN.SLOTS_P", 0x4301a4 },
	{ __LINE__, "CORE", "TOPDOWN.BACKEND_BOUND_SLOTS", 0x4302a4 },
	{ __LINE__, "CORE", "UOPS_RETIRED.SLOTS", 0x4302c2 },
	{ __LINE__, "CORE", "UOPS_RETIRED.STALL_CYCLES", 0x1c302c2 },
	{ __LINE__, "CORE", "CYCLE_ACTIVITY.STALLS_TOTAL", 0x44304a3 },
	{ __LINE__, "CORE", "CYCLE_ACTIVITY.STALLS_L1D_MISS", 0xc430ca3 },
	{ __LINE__, "CORE", "CYCLE_ACTIVITY.STALLS_L3_MISS", 0x64306a3 },
	{ __LINE__, "CORE", "CYCLE_ACTIVITY.STALLS_MEM_ANY", 0x144314a3 },
	{ __LINE__, "CORE", "EXE_ACTIVITY.BOUND_ON_STORES", 0x24340a6 },
	{ __LINE__, "CORE", "MACHINE_CLEARS.COUNT", 0x14701c3 },
	{ __LINE__, "CORE", "LONGEST_LAT_CACHE.MISS", 0x43412e },
	{ __LINE__, "CORE", "L1D_PEND_MISS.PENDING", 0x430148 },
	{ __LINE__, "CORE", "MEM_LOAD_RETIRED.L3_MISS", 0x4320d1 },
	{ __LINE__, "CORE", "BR_INST_RETIRED.COND", 0x4311c4 },
	{ __LINE__, "CORE", "OCR.DEMAND_DATA_RD.L3_MISS", 0x4301b7 },
	/* 11.2 */
	{ __LINE__, "IMC", "CAS_COUNT.RD", 0x400f04 },
	{ __LINE__, "IMC", "CAS_COUNT.WR", 0x403004 },
	{ __LINE__, "IMC", "CAS_COUNT.ALL", 0x403f04 },
	{ __LINE__, "IMC", "CAS_COUNT.RD_REG", 0x400104 },
	{ __LINE__, "IMC", "CAS_COUNT.RD_UNDERFILL", 0x400404 },
	{ __LINE__, "IMC", "ACT_COUNT.ALL", 0x400b01 },
	{ __LINE__, "IMC", "PRE_COUNT.PAGE_MISS", 0x400c02 },
	{ __LINE__, "IMC", "PRE_COUNT.PGT", 0x401002 },
	{ __LINE__, "IMC", "PRE_COUNT.ALL", 0x401c02 },
	{ __LINE__, "IMC", "RPQ_INSERTS.PCH0", 0x400110 },
	{ __LINE__, "IMC", "RPQ_OCCUPANCY_PCH0", 0x400080 },
	{ __LINE__, "IMC", "WPQ_INSERTS.PCH0", 0x400120 },
	{ __LINE__, "IMC", "WPQ_OCCUPANCY_PCH0", 0x400082 },
	{ __LINE__, "IMC", "PMM_RPQ_INSERTS", 0x4000e3 },
	{ __LINE__, "IMC", "TAGCHK.HIT", 0x4001d3 },
	/* 11.3; umask_ext << 32 */
	{ __LINE__, "M2M", "CLOCKTICKS", 0x400000 },
	{ __LINE__, "M2M", "IMC_READS.ALL", 0x700400437 },
	{ __LINE__, "M2M", "IMC_WRITES.ALL", 0x1c00401038 },
	{ __LINE__, "M2M", "IMC_READS.TO_PMM", 0x700402037 },
	{ __LINE__, "M2M", "DIRECTORY_LOOKUP.ANY", 0x40012d },
	{ __LINE__, "M2M", "TAG_HIT.NM_RD_HIT_CLEAN", 0x40012c },
	{ __LINE__, "UBOX", "EVENT_MSG.DOORBELL_RCVD", 0x400842 },
	/* 11.4 */
	{ __LINE__, "UPI", "CLOCKTICKS", 0x400001 },
	{ __LINE__, "UPI", "TxL_FLITS.ALL_DATA", 0x400f02 },
	{ __LINE__, "UPI", "TxL_FLITS.NON_DATA", 0x409702 },
	{ __LINE__, "UPI", "TxL_FLITS.IDLE", 0x404702 },
	{ __LINE__, "UPI", "RxL_FLITS.ALL_DATA", 0x400f03 },
	{ __LINE__, "UPI", "L1_POWER_CYCLES", 0x400021 },
	{ __LINE__, "UPI", "DIRECT_ATTEMPTS.D2C", 0x400112 },
	{ __LINE__, "M3UPI", "CLOCKTICKS", 0x400001 },
	{ __LINE__, "M2PCIe", "CLOCKTICKS", 0x400001 },
	/* 11.5 */
	{ __LINE__, "PCU", "CLOCKTICKS", 0x400000 },
	{ __LINE__, "PCU", "POWER_STATE_OCCUPANCY.CORES_C0", 0x404080 },
	{ __LINE__, "PCU", "POWER_STATE_OCCUPANCY.CORES_C6", 0x40c080 },
	{ __LINE__, "PCU", "FREQ_TRANS_CYCLES", 0x400074 },
	{ __LINE__, "PCU", "FREQ_CLIP_AVX256", 0x400049 },
	{ __LINE__, "PCU", "PMAX_THROTTLED_CYCLES", 0x400006 },
	/* 11.6, 11.7; umask_ext << 32 */
	{ __LINE__, "CHA", "CLOCKTICKS", 0x400000 },
	{ __LINE__, "CHA", "LLC_LOOKUP.ALL", 0x1fff0040ff34 },
	{ __LINE__, "CHA", "LLC_LOOKUP.DATA_READ_MISS", 0x1bc100400134 },
	{ __LINE__, "CHA", "LLC_VICTIMS.LOCAL_ALL", 0x2000400f37 },
	{ __LINE__, "CHA", "SF_EVICTION.M_STATE", 0x40013d },
	{ __LINE__, "CHA", "REQUESTS.READS", 0x400350 },
	{ __LINE__, "CHA", "IMC_READS_COUNT.NORMAL", 0x400159 },
	{ __LINE__, "CHA", "DIR_LOOKUP.SNP", 0x400153 },
	{ __LINE__, "CHA", "TOR_INSERTS.IA", 0xc001ff00400135 },
	{ __LINE__, "CHA", "TOR_INSERTS.IA_MISS_DRD", 0xc817fe00400135 },
	{ __LINE__, "CHA", "TOR_INSERTS.IO_PCIRDCUR", 0xc8f3ff00400435 },
	{ __LINE__, "CHA", "TOR_INSERTS.IO_MISS_PCIRDCUR", 0xc8f3fe00400435 },
	{ __LINE__, "CHA", "TOR_INSERTS.IO_MISS_ITOM", 0xcc43fe00400435 },
	{ __LINE__, "CHA", "TOR_INSERTS.IO_MISS_ITOMCACHENEAR",
	  0xcd43fe00400435 },
	{ __LINE__, "CHA", "TOR_INSERTS.IO_MISS_RFO", 0xc803fe00400435 },
	{ __LINE__, "CHA", "TOR_INSERTS.ALL", 0xc001ff0040ff35 },
	{ __LINE__, "CHA", "TOR_OCCUPANCY.IA_MISS_DRD", 0xc817fe00400136 },
	/* 11.8; ch_mask << 36, fc_mask << 48 */
	{ __LINE__, "IIO", "CLOCKTICKS", 0x400001 },
	{ __LINE__, "IIO", "DATA_REQ_OF_CPU.MEM_WRITE.PART0",
	  0x7001000400183 },
	{ __LINE__, "IIO", "DATA_REQ_OF_CPU.MEM_WRITE.PART7",
	  0x7080000400183 },
	{ __LINE__, "IIO", "DATA_REQ_OF_CPU.MEM_READ.PART2", 0x7004000400483 },
	{ __LINE__, "IIO", "DATA_REQ_OF_CPU.PEER_WRITE.PART0",
	  0x7001000400283 },
	{ __LINE__, "IIO", "DATA_REQ_OF_CPU.CMPD.PART0", 0x7001000408083 },
	{ __LINE__, "IIO", "DATA_REQ_BY_CPU.MEM_WRITE.PART0",
	  0x70010004001c0 },
	{ __LINE__, "IIO", "DATA_REQ_BY_CPU.MEM_READ.PART0", 0x70010004004c0 },
	{ __LINE__, "IIO", "TXN_REQ_OF_CPU.MEM_READ.IOMMU0",
	  0x7100000400484 },
	{ __LINE__, "IIO", "TXN_REQ_OF_CPU.MEM_READ.IOMMU1",
	  0x7200000400484 },
	{ __LINE__, "IIO", "COMP_BUF_INSERTS.CMPD.PART0", 0x40010004003c2 },
	{ __LINE__, "IIO", "COMP_BUF_INSERTS.CMPD.ALL_PARTS",
	  0x40ff0004003c2 },
	{ __LINE__, "IIO", "COMP_BUF_OCCUPANCY.CMPD.ALL_PARTS",
	  0x400000040ffd5 },
	{ __LINE__, "IIO", "IOMMU0.FIRST_LOOKUPS", 0x400140 },
	{ __LINE__, "IIO", "IOMMU0.4K_HITS", 0x400440 },
	{ __LINE__, "IIO", "IOMMU0.MISSES", 0x402040 },
	{ __LINE__, "IIO", "IOMMU1.NUM_MEM_ACCESSES", 0x404041 },
	{ __LINE__, "IIO", "PWT_OCCUPANCY", 0x400042 },
	{ __LINE__, "IIO", "NUM_REQ_OF_CPU_BY_TGT.MEM", 0x70ff00040088e },
	{ __LINE__, "IIO", "NUM_OUTSTANDING_REQ_OF_CPU.IOMMU_REQ",
	  0x70ff000400188 },
	/* 11.9 */
	{ __LINE__, "IRP", "CLOCKTICKS", 0x400001 },
	{ __LINE__, "IRP", "CACHE_TOTAL_OCCUPANCY.MEM", 0x40040f },
	{ __LINE__, "IRP", "TRANSACTIONS.WR_PREF", 0x400811 },
	{ __LINE__, "IRP", "COHERENT_OPS.PCITOM", 0x401010 },
	{ __LINE__, "IRP", "FAF_INSERTS", 0x400018 },
	{ __LINE__, "IRP", "FAF_OCCUPANCY", 0x400019 },
	{ __LINE__, "IRP", "MISC1.LOST_FWD", 0x40101f },
	{ __LINE__, "IRP", "SNOOP_RESP.ALL_HIT_M", 0x407812 },
};

static void
listed_events_have_the_control_values_of_the_reference(void **state)
{
	struct eventlist *list = lists();

	(void)state;
	encoded_listed(list, "icx", golden, sizeof(golden) / sizeof(golden[0]));
	eventlist_free(list);
}

static void
fixed_counters_and_the_offcore_register_are_found_by_name(void **state)
{
	const struct model *m = model_named("icx");
	struct eventlist *list = lists();
	const struct listed_event *e;

	(void)state;
	e = eventlist_find_in(list, m->core, "TOPDOWN.SLOTS");
	assert_non_null(e);
	assert_int_equal(e->fixed, 3);
	e = eventlist_find_in(list, m->core, "INST_RETIRED.ANY");
	assert_int_equal(e->fixed, 0);
	e = eventlist_find_in(list, model_box(m, "UBOX"), "CLOCKTICKS");
	assert_int_equal(e->fixed, 0);
	e = eventlist_find_in(list, m->core, "OCR.DEMAND_DATA_RD.L3_MISS");
	assert_int_equal(e->filters, 1);
	assert_true(e->filter[0] == 0x3fbfc00001);
	/* 11.1, [0-3] */
	e = eventlist_find_in(list, m->core, "MEM_LOAD_RETIRED.L3_MISS");
	assert_int_equal(e->counters, 0xf);
	e = eventlist_find_in(list, model_box(m, "IIO"),
	    "DATA_REQ_BY_CPU.MEM_READ.PART0");
	assert_int_equal(e->counters, 0xc);
	eventlist_free(list);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_box_counts_its_own_rate_to_the_count),
		cmocka_unit_test(
		    memory_controllers_count_by_themselves_in_units_of_64_bytes),
		cmocka_unit_test(
		    a_part_with_all_its_chas_uses_all_three_ranges),
		cmocka_unit_test(
		    a_bar_that_is_not_set_up_is_named_and_the_rest_is_there),
		cmocka_unit_test(
		    without_dev_mem_there_is_no_imc_and_the_rest_is_there),
		cmocka_unit_test(
		    what_the_kernel_cuts_off_is_asked_for_by_its_capability),
		cmocka_unit_test(
		    the_base_of_a_controller_is_computed_as_the_reference_says),
		cmocka_unit_test(
		    a_node_without_its_ubox_bus_says_so_and_keeps_its_msrs),
		cmocka_unit_test(packages_are_told_by_the_map_of_node_ids),
		cmocka_unit_test(every_register_is_as_found_after_a_restore),
		cmocka_unit_test(ice_lake_d_has_three_channels_a_controller),
		cmocka_unit_test(every_listed_event_encodes),
		cmocka_unit_test(
		    listed_events_have_the_control_values_of_the_reference),
		cmocka_unit_test(
		    fixed_counters_and_the_offcore_register_are_found_by_name),
	};

	return cmocka_run_group_tests_name("icx", tests, NULL, NULL);
}
