/*
 * tests/postproc/metrics/test_grace_metrics.c - every formula of NVIDIA's Grace guide.  Numbers
 * are the guide's examples where it gives them ("guide"), else worked out by
 * hand.
 */
#include "tests/lib/files.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config/texts.h"
#include "postproc/metrics/gather.h"

struct given {
	const char *event;              /* core, scf, pcie or c2c0 first; or
	                                 * "= NAME": in the head */
	uint64_t count;
};

/* The value of a metric over a dump; note: what tally metrics says beside it. */
static double
value_in(const char *path, const char *metric, char *note, size_t size)
{
	struct metrics metrics;
	struct gather g;
	struct diag why = { "" };
	const struct metric *m;
	struct window w;
	struct figure f;
	unsigned bound;

	assert_int_equal(metrics_init(&metrics), 0);
	if (metrics_load_for(&metrics, NULL, "grace", &why) < 0 ||
	    gather_open(&g, path, &metrics, NULL, NULL, &why) < 0)
		fail_msg("%s", why.text);
	if ((m = metrics_find(&metrics, metric)) == NULL)
		fail_msg("no metric %s", metric);
	if (binding_add(&g.binding, m, &bound, &why) < 0)
		fail_msg("%s: %s", metric, why.text);
	snprintf(note, size, "%s", "missing");
	assert_int_equal(gather_all(&g, &why), 0);
	assert_true(binding_window(&g.binding, bound, SCOPE_OF_NODE, 0, &w));
	f = binding_eval(&g.binding, bound, &w, gather_sums(&g));
	if (g.binding.bound[bound].nmissing == 0)
		figure_note(&g.binding, &f, NULL, note, size);
	gather_close(&g);
	metrics_fini(&metrics);
	return f.value;
}

static double
noted(const char *metric, uint64_t ns, const struct given *given, char *note,
    size_t size)
{
	char path[512];
	double value;
	FILE *f = temp_file(path);

	assert_non_null(f);
	fprintf(f, "model = \"grace\"\nnr_cpus = 1\npackages = 1\n"
	    "lproc_package[0] = 0\nlproc_core[0] = 0\nlproc_thread[0] = 0\n"
	    "family_bits = {}\nfamily_unit = {}\n");
	for (unsigned i = 0; i < 6; i++) {
		static const char *const family[] = { "core_counts",
		    "scf_counts", "pcie_counts", "c2c0_counts",
		    "c2c1_counts", "cnvlink_counts" };

		fprintf(f, "family_bits[\"%s\"] = 64\nfamily_unit[\"%s\"] = "
		    "\"events\"\n", family[i], family[i]);
	}
	for (const struct given *e = given; e->event != NULL; e++)
		if (*e->event == '=')
			fprintf(f, "%s = %llu\n", e->event + 2,
			    (unsigned long long)e->count);
	for (unsigned s = 0; s < 2; s++) {
		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = 1000\n"
		    "walltime[1][%u] = %llu\n", s, s * (unsigned long long)ns,
		    s, s, s * (unsigned long long)ns / 1000);
		for (const struct given *e = given; e->event != NULL; e++)
			if (*e->event != '=')
				fprintf(f, "%.*s_counts[0][\"%s\"][%u] = "
				    "%llu\n", (int)strcspn(e->event, " "),
				    e->event, strchr(e->event, ' ') + 1, s,
				    s * (unsigned long long)e->count);
	}
	fclose(f);
	value = value_in(path, metric, note, size);
	unlink(path);
	if (strcmp(note, "missing") == 0)
		return INFINITY;
	return value;
}

static double
evaluate(const char *metric, uint64_t ns, const struct given *given)
{
	char note[120];

	return noted(metric, ns, given, note, sizeof(note));
}

#define S 1000000000u

static const struct formula {
	int line;
	const char *metric;
	uint64_t ns;
	struct given given[9];
	double value;
} formulas[] = {
	/* guide: the fabric's examples */
	{ __LINE__, "scf_freq", 168225760, { { "scf CYCLES", 10515321 } },
	    0.0625072 },
	{ __LINE__, "cmem_wr_bw", 127496157,
	    { { "scf CMEM_WR_TOTAL_BYTES", 1009299148 } }, 7.916310 },
	{ __LINE__, "remote_rd_bw", 134526031,
	    { { "scf REMOTE_SOCKET_RD_DATA", 36189087 } }, 8.608377 },
	{ __LINE__, "cmem_rd_bw", 134526031,
	    { { "scf CMEM_RD_DATA", 33542984 } }, 7.978943 },
	{ __LINE__, "remote_wr_bw", 172847464,
	    { { "scf REMOTE_SOCKET_WR_TOTAL_BYTES", 961728219 } }, 5.564028 },
	{ __LINE__, "cmem_wr_bw", 172847464,
	    { { "scf CMEM_WR_TOTAL_BYTES", 993278696 } }, 5.746562 },
	{ __LINE__, "cmem_rd_bw", 88826372,
	    { { "scf CMEM_RD_DATA", 35572420 } }, 12.815084 },
	/* guide: over C2C; total is the sum of both */
	{ __LINE__, "c2c0_rd_bw", S, { { "c2c0 RD_BYTES_LOC", 208418816 },
	    { "c2c0 RD_BYTES_REM", 0 } }, 0.208418816 },
	{ __LINE__, "c2c0_wr_bw", S, { { "c2c0 WR_BYTES_LOC", 4026531840 },
	    { "c2c0 WR_BYTES_REM", 0 } }, 4.02653184 },
	{ __LINE__, "c2c0_bw", S, { { "c2c0 TOTAL_BYTES_LOC", 4234950656 },
	    { "c2c0 TOTAL_BYTES_REM", 0 } }, 4.234950656 },
	{ __LINE__, "c2c0_bw", S, { { "c2c0 RD_BYTES_LOC", 208418816 },
	    { "c2c0 RD_BYTES_REM", 0 }, { "c2c0 WR_BYTES_LOC", 4026531840 },
	    { "c2c0 WR_BYTES_REM", 0 } }, 4.234950656 },
	/* by hand from here on */
	/* 1.5 GHz; 6000 / 20 cycles at 1.5 GHz; in GB/s 3 + 1, 3 + 2 and the sum
	 * of both, from the totals and without them */
#define LINK(name) \
	{ __LINE__, name "_freq", S, { { name " CYCLES", 1500000000 } }, 1.5 }, \
	{ __LINE__, name "_rd_latency", S, { { name " RD_CUM_OUTS_LOC", 6000 }, \
	    { name " RD_REQ_LOC", 20 }, { name " CYCLES", 1500000000 } }, 200 }, \
	{ __LINE__, name "_rd_bw", S, { { name " RD_BYTES_LOC", 3ull * S }, \
	    { name " RD_BYTES_REM", S } }, 4 }, \
	{ __LINE__, name "_wr_bw", S, { { name " WR_BYTES_LOC", 3ull * S }, \
	    { name " WR_BYTES_REM", 2ull * S } }, 5 }, \
	{ __LINE__, name "_bw", S, { { name " TOTAL_BYTES_LOC", 6ull * S }, \
	    { name " TOTAL_BYTES_REM", 3ull * S } }, 9 }, \
	{ __LINE__, name "_bw", S, { { name " RD_BYTES_LOC", 3ull * S }, \
	    { name " RD_BYTES_REM", S }, { name " WR_BYTES_LOC", 3ull * S }, \
	    { name " WR_BYTES_REM", 2ull * S } }, 9 }
	LINK("c2c0"), LINK("c2c1"), LINK("cnvlink"),
	/* 32 + 8 of CPUs, 1 + 2 of own devices, 1 + 1 of the other socket's */
	{ __LINE__, "dram_bw_estimate", S, { { "scf CMEM_RD_DATA", S },
	    { "scf CMEM_WR_TOTAL_BYTES", 8ull * S },
	    { "pcie RD_BYTES_LOC", S }, { "pcie WR_BYTES_LOC", 2ull * S },
	    { "c2c0 RD_BYTES_LOC", S }, { "c2c0 WR_BYTES_LOC", S } }, 45 },
	{ __LINE__, "pcie_loc_bw", S, { { "pcie RD_BYTES_LOC", S },
	    { "pcie WR_BYTES_LOC", 2ull * S } }, 3 },
	{ __LINE__, "pcie_rem_bw", S, { { "pcie RD_BYTES_REM", 4ull * S },
	    { "pcie WR_BYTES_REM", 2ull * S } }, 6 },
	{ __LINE__, "gmem_rd_bw", S, { { "scf GMEM_RD_DATA", S } }, 32 },
	{ __LINE__, "gmem_wr_bw", S, { { "scf GMEM_WR_TOTAL_BYTES", S } }, 1 },
	/* 8, 4 and 2 requests a cycle */
	{ __LINE__, "cmem_rd_util", S, { { "scf CMEM_RD_ACCESS", 400 },
	    { "scf CYCLES", 100 } }, 50 },
	{ __LINE__, "cmem_wr_util", S, { { "scf CMEM_WB_ACCESS", 300 },
	    { "scf CMEM_WR_ACCESS", 100 }, { "scf CYCLES", 100 } }, 50 },
	{ __LINE__, "gmem_rd_util", S, { { "scf GMEM_RD_ACCESS", 100 },
	    { "scf CYCLES@scf_gmem", 100 } }, 25 },
	{ __LINE__, "gmem_wr_util", S, { { "scf GMEM_WB_ACCESS", 150 },
	    { "scf GMEM_WR_ACCESS", 50 }, { "scf CYCLES", 100 } }, 50 },
	{ __LINE__, "remote_rd_util", S, { { "scf SOCKET_1_RD_ACCESS", 50 },
	    { "scf CYCLES@scf_remote", 100 } }, 25 },
	{ __LINE__, "remote_wr_util", S, { { "scf SOCKET_1_WB_ACCESS", 30 },
	    { "scf SOCKET_1_WR_ACCESS", 20 }, { "scf CYCLES@scf_remote", 100 } },
	    25 },
	/* (outstanding / accesses) cycles at 2 GHz */
	{ __LINE__, "cmem_rd_latency", S, { { "scf CMEM_RD_OUTSTANDING", 24000 },
	    { "scf CMEM_RD_ACCESS", 100 }, { "scf CYCLES", 2000000000 } }, 120 },
	{ __LINE__, "gmem_rd_latency", S, { { "scf GMEM_RD_OUTSTANDING", 80000 },
	    { "scf GMEM_RD_ACCESS", 100 }, { "scf CYCLES", 2000000000 } }, 400 },
	{ __LINE__, "remote_rd_latency", S, {
	    { "scf SOCKET_1_RD_OUTSTANDING", 60000 },
	    { "scf SOCKET_1_RD_ACCESS", 100 }, { "scf CYCLES", 2000000000 } },
	    300 },
	/* of all other sockets, whether they are counted together or apart */
	{ __LINE__, "remote_rd_util", S, {
	    { "scf REMOTE_SOCKET_RD_ACCESS", 50 },
	    { "scf SOCKET_1_RD_ACCESS", 20 }, { "scf CYCLES", 100 } }, 25 },
	{ __LINE__, "remote_rd_util", S, { { "scf SOCKET_1_RD_ACCESS", 20 },
	    { "scf SOCKET_2_RD_ACCESS", 30 }, { "scf CYCLES", 100 } }, 25 },
	{ __LINE__, "remote_rd_latency", S, {
	    { "scf REMOTE_SOCKET_RD_OUTSTANDING", 60000 },
	    { "scf REMOTE_SOCKET_RD_ACCESS", 100 },
	    { "scf SOCKET_1_RD_OUTSTANDING", 10000 },
	    { "scf SOCKET_1_RD_ACCESS", 50 }, { "scf CYCLES", 2000000000 } },
	    300 },
	{ __LINE__, "scf_cache_rate", 2ull * S, { { "scf SCF_CACHE", 5ull * S
	    } }, 2.5 },
	{ __LINE__, "ll_hit_estimate", S, { { "scf SCF_CACHE_REFILL", 30 },
	    { "scf SCF_CACHE", 120 } }, 75 },
	{ __LINE__, "pcie_freq", S, { { "pcie CYCLES", 1800000000 } }, 1.8 },
	{ __LINE__, "pcie_rd_bw", S, { { "pcie RD_BYTES_LOC", 2 * (uint64_t)S },
	    { "pcie RD_BYTES_REM", S } }, 3 },
	{ __LINE__, "pcie_wr_bw", S, { { "pcie WR_BYTES_LOC", 4 * (uint64_t)S },
	    { "pcie WR_BYTES_REM", S } }, 5 },
	{ __LINE__, "pcie_bw", S, { { "pcie RD_BYTES_LOC", 2 * (uint64_t)S },
	    { "pcie RD_BYTES_REM", S }, { "pcie WR_BYTES_LOC", S },
	    { "pcie WR_BYTES_REM", S } }, 5 },
	{ __LINE__, "pcie_rd_util", S, { { "pcie RD_REQ_LOC", 400 },
	    { "pcie RD_REQ_REM", 100 }, { "pcie CYCLES@pcie_requests", 100 } },
	    50 },
	{ __LINE__, "pcie_wr_util", S, { { "pcie WR_REQ_LOC", 200 },
	    { "pcie WR_REQ_REM", 50 }, { "pcie CYCLES@pcie_requests", 100 } },
	    25 },
	/* of 10 ports, 3, 1 */
	{ __LINE__, "pcie_rd_port_util", S, { { "= pcie_root_ports[0]", 10 },
	    { "pcie RD_REQ_LOC", 400 }, { "pcie RD_REQ_REM", 100 },
	    { "pcie CYCLES@pcie_requests", 100 } }, 50 },
	{ __LINE__, "pcie_rd_port_util", S, { { "= pcie_root_ports[0]", 3 },
	    { "pcie RD_REQ_LOC", 60 }, { "pcie RD_REQ_REM", 15 },
	    { "pcie CYCLES@pcie_requests", 100 } }, 25 },
	{ __LINE__, "pcie_wr_port_util", S, { { "= pcie_root_ports[0]", 1 },
	    { "pcie WR_REQ_LOC", 60 }, { "pcie WR_REQ_REM", 15 },
	    { "pcie CYCLES@pcie_requests", 100 } }, 75 },
	/* the guide's own: of ten, whichever are counted */
	{ __LINE__, "pcie_rd_util", S, { { "= pcie_root_ports[0]", 1 },
	    { "pcie RD_REQ_LOC", 60 }, { "pcie RD_REQ_REM", 15 },
	    { "pcie CYCLES@pcie_requests", 100 } }, 7.5 },
	{ __LINE__, "pcie_root_ports", S, { { "= pcie_root_ports[0]", 3 } }, 3 },
	{ __LINE__, "pcie_loc_rd_latency", S, { { "pcie RD_CUM_OUTS_LOC", 9000 },
	    { "pcie RD_REQ_LOC", 10 }, { "pcie CYCLES", 1800000000 } }, 500 },
	{ __LINE__, "pcie_rem_rd_latency", S, { { "pcie RD_CUM_OUTS_REM", 18000 },
	    { "pcie RD_REQ_REM", 10 }, { "pcie CYCLES", 1800000000 } }, 1000 },
	{ __LINE__, "mean_frequency", S, { { "core CPU_CYCLES", 3ull * S } }, 3 },
	/* ticks of 1 GHz: the TSC of that dump */
	{ __LINE__, "utilisation", S, { { "core CNT_CYCLES", S / 4 } }, 25 },
	{ __LINE__, "frequency", S, { { "core CPU_CYCLES", 3ull * S / 4 },
	    { "core CNT_CYCLES", S / 4 } }, 3 },
	{ __LINE__, "instructions", 2ull * S, { { "core INST_RETIRED", 5ull * S
	    } }, 2.5 },
	{ __LINE__, "ipc", S, { { "core INST_RETIRED", 450 },
	    { "core CPU_CYCLES", 300 } }, 1.5 },
	/* 0.9 of what was issued retired; half of 8 x 100 slots stalled */
	{ __LINE__, "retiring", S, { { "core OP_RETIRED", 360 },
	    { "core OP_SPEC", 400 }, { "core STALL_SLOT", 400 },
	    { "core CPU_CYCLES", 100 } }, 45 },
	/* 0.1 x 0.5, and 2 x 4 / 100 */
	{ __LINE__, "bad_speculation", S, { { "core OP_RETIRED", 360 },
	    { "core OP_SPEC", 400 }, { "core STALL_SLOT", 400 },
	    { "core BR_MIS_PRED", 2 }, { "core CPU_CYCLES", 100 } }, 13 },
	{ __LINE__, "backend_stalled_cycles", S, { { "core STALL_BACKEND", 30 },
	    { "core CPU_CYCLES", 120 } }, 25 },
	{ __LINE__, "frontend_stalled_cycles", S, { { "core STALL_FRONTEND", 6 },
	    { "core CPU_CYCLES@flop", 120 } }, 5 },
	{ __LINE__, "sve_flops", S, { { "core FP_SCALE_OPS_SPEC", 7 * (uint64_t)S
	    } }, 7 },
	{ __LINE__, "nonsve_flops", S, { { "core FP_FIXED_OPS_SPEC", S } }, 1 },
	{ __LINE__, "flops", S, { { "core FP_SCALE_OPS_SPEC", 7 * (uint64_t)S },
	    { "core FP_FIXED_OPS_SPEC", S } }, 8 },
	{ __LINE__, "arithmetic_intensity", S, { { "core FP_SCALE_OPS_SPEC",
	    7 * (uint64_t)S }, { "core FP_FIXED_OPS_SPEC", S },
	    { "scf CMEM_RD_DATA", S / 16 },
	    { "scf CMEM_WR_TOTAL_BYTES", 2 * (uint64_t)S } }, 2 },
#define MIX(name, event, set) { __LINE__, name, S, { { "core " event, 30 }, \
	    { "core INST_SPEC" set, 120 } }, 25 }
	MIX("load_pct", "LD_SPEC", ""), MIX("store_pct", "ST_SPEC", ""),
	MIX("integer_pct", "DP_SPEC", ""),
	MIX("fp_scalar_pct", "VFP_SPEC", "@mix2"),
	MIX("crypto_pct", "CRYPTO_SPEC", "@mix2"),
	MIX("sve_pct", "SVE_INST_SPEC", "@mix2"),
	MIX("advsimd_pct", "ASE_INST_SPEC", "@mix2"),
	MIX("fp16_pct", "FP_HP_SPEC", "@mix3"),
	MIX("fp32_pct", "FP_SP_SPEC", "@mix3"),
	MIX("fp64_pct", "FP_DP_SPEC", "@mix2"),
	MIX("sve_full_pct", "SVE_PRED_FULL_SPEC", "@pred"),
	MIX("sve_partial_pct", "SVE_PRED_PARTIAL_SPEC", "@pred"),
	MIX("sve_empty_pct", "SVE_PRED_EMPTY_SPEC", "@pred"),
	{ __LINE__, "branch_pct", S, { { "core BR_IMMED_SPEC", 10 },
	    { "core BR_INDIRECT_SPEC", 5 }, { "core INST_SPEC", 60 } }, 25 },
	{ __LINE__, "sync_pct", S, { { "core ISB_SPEC", 1 },
	    { "core DSB_SPEC", 2 }, { "core DMB_SPEC", 3 },
	    { "core INST_SPEC@mix3", 60 } }, 10 },
	{ __LINE__, "simd_pct", S, { { "core SVE_INST_SPEC", 10 },
	    { "core ASE_INST_SPEC", 5 }, { "core INST_SPEC@mix2", 60 } }, 25 },
#define RATIO(name, a, b) { __LINE__, name, S, { { "core " a, 3 }, \
	    { "core " b, 60 } }, 0.05 }
#define MPKI(name, a, set) { __LINE__, name, S, { { "core " a, 3 }, \
	    { "core INST_RETIRED" set, 6000 } }, 0.5 }
	RATIO("l1d_miss_ratio", "L1D_CACHE_REFILL", "L1D_CACHE"),
	MPKI("l1d_mpki", "L1D_CACHE_REFILL", "@l1"),
	RATIO("l1i_miss_ratio", "L1I_CACHE_REFILL", "L1I_CACHE"),
	MPKI("l1i_mpki", "L1I_CACHE_REFILL", "@l1"),
	RATIO("l2_miss_ratio", "L2D_CACHE_REFILL", "L2D_CACHE"),
	MPKI("l2_mpki", "L2D_CACHE_REFILL", "@l2"),
	{ __LINE__, "ll_read_hit_ratio", S, { { "core LL_CACHE_RD", 60 },
	    { "core LL_CACHE_MISS_RD", 3 } }, 0.95 },
	RATIO("ll_read_miss_ratio", "LL_CACHE_MISS_RD", "LL_CACHE_RD"),
	MPKI("ll_read_mpki", "LL_CACHE_MISS_RD", "@l2"),
	RATIO("l1d_tlb_miss_ratio", "L1D_TLB_REFILL", "L1D_TLB"),
	MPKI("l1d_tlb_mpki", "L1D_TLB_REFILL", "@dtlb"),
	RATIO("l1i_tlb_miss_ratio", "L1I_TLB_REFILL", "L1I_TLB"),
	MPKI("l1i_tlb_mpki", "L1I_TLB_REFILL", "@front"),
	MPKI("dtlb_mpki", "DTLB_WALK", "@dtlb"),
	RATIO("dtlb_walk_ratio", "DTLB_WALK", "L1D_TLB"),
	MPKI("itlb_mpki", "ITLB_WALK", "@front"),
	RATIO("itlb_walk_ratio", "ITLB_WALK", "L1I_TLB"),
	RATIO("l2_tlb_miss_ratio", "L2D_TLB_REFILL", "L2D_TLB"),
	MPKI("l2_tlb_mpki", "L2D_TLB_REFILL", "@dtlb"),
	RATIO("branch_mispred_ratio", "BR_MIS_PRED_RETIRED", "BR_RETIRED"),
	MPKI("branch_mpki", "BR_MIS_PRED_RETIRED", "@front"),
	/* by its plain name, where a configuration has an event once; as sysfs
	 * spells it; with a word of the configuration's own */
	MPKI("branch_mpki", "BR_MIS_PRED_RETIRED", ""),
	MPKI("branch_mpki", "br_mis_pred_retired", ""),
	MPKI("branch_mpki", "BR_MIS_PRED_RETIRED@mine", "@mine"),
	/* by the kernel's own names: reference 2.1 */
	{ __LINE__, "ipc", S, { { "core instructions", 450 },
	    { "core cpu-cycles", 300 } }, 1.5 },
	{ __LINE__, "backend_stalled_cycles", S, {
	    { "core stalled-cycles-backend", 30 }, { "core cpu-cycles", 120 } },
	    25 },
	{ __LINE__, "frontend_stalled_cycles", S, {
	    { "core stalled-cycles-frontend", 6 }, { "core cpu-cycles", 120 } },
	    5 },
	RATIO("l1d_miss_ratio", "cache-misses", "cache-references"),
	RATIO("l1d_miss_ratio", "L1-dcache-load-misses", "L1-dcache-loads"),
	RATIO("l1i_miss_ratio", "L1-icache-load-misses", "L1-icache-loads"),
	RATIO("ll_read_miss_ratio", "LLC-load-misses", "LLC-loads"),
	RATIO("l1d_tlb_miss_ratio", "dTLB-load-misses", "dTLB-loads"),
	RATIO("l1i_tlb_miss_ratio", "iTLB-load-misses", "iTLB-loads"),
	RATIO("branch_mispred_ratio", "BR_MIS_PRED_RETIRED", "branches"),
	{ __LINE__, "l1d_mpki", S, { { "core cache-misses", 3 },
	    { "core instructions", 6000 } }, 0.5 },
	{ __LINE__, "bad_speculation", S, { { "core OP_RETIRED", 360 },
	    { "core OP_SPEC", 400 }, { "core STALL_SLOT", 400 },
	    { "core branch-misses", 2 }, { "core cpu-cycles", 100 } }, 13 },
};

static void
every_formula_gives_the_guides_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(formulas) / sizeof(formulas[0]); i++) {
		const struct formula *t = &formulas[i];
		double v = evaluate(t->metric, t->ns, t->given);

		if (!(fabs(v - t->value) <= fabs(t->value) * 1e-5))
			fail_msg("line %d: %s is %.9g, not %.9g", t->line,
			    t->metric, v, t->value);
	}
}

static void
nothing_accessed_has_no_latency(void **state)
{
	static const struct given none[] = { { "scf CMEM_RD_OUTSTANDING", 0 },
	    { "scf CMEM_RD_ACCESS", 0 }, { "scf CYCLES", 100 }, { NULL, 0 } };
	static const struct given idle[] = { { "core INST_RETIRED", 0 },
	    { "core CPU_CYCLES", 0 }, { NULL, 0 } };

	(void)state;
	assert_true(isnan(evaluate("cmem_rd_latency", S, none)));
	assert_true(isnan(evaluate("ipc", S, idle)));
}

/* The guide's lines count total_bytes_loc, rd_bytes_loc and wr_bytes_loc. */
static void
bandwidths_are_of_the_parts_that_are_there_and_say_what_they_lack(void **state)
{
	static const struct {
		int line;
		const char *metric;
		struct given given[5];
		double value;
		const char *lacks;
	} t[] = {
		{ __LINE__, "c2c0_rd_bw", { { "c2c0 RD_BYTES_LOC", 208418816 } },
		    0.208418816, NULL },
		{ __LINE__, "c2c0_bw", { { "c2c0 TOTAL_BYTES_LOC", 4234950656 },
		    { "c2c0 RD_BYTES_LOC", 208418816 },
		    { "c2c0 WR_BYTES_LOC", 4026531840 } }, 4.234950656,
		    NULL },
		{ __LINE__, "c2c1_bw", { { "c2c1 rd_bytes_loc", 6145280 },
		    { "c2c1 wr_bytes_loc", 17756416 } }, 0.023901696,
		    NULL },
		{ __LINE__, "c2c1_bw", { { "c2c1 wr_bytes_loc", 17756416 } },
		    0.017756416, "without c2c1[\"RD_BYTES_LOC\"], "
		    "c2c1[\"RD_BYTES_REM\"]" },
		{ __LINE__, "cnvlink_wr_bw", { { "cnvlink WR_BYTES_REM", S } },
		    1, "without cnvlink[\"WR_BYTES_LOC\"]" },
		{ __LINE__, "pcie_bw", { { "pcie RD_BYTES_LOC", S },
		    { "pcie WR_BYTES_LOC", S } }, 2, "without "
		    "pcie[\"RD_BYTES_REM\"], pcie[\"WR_BYTES_REM\"]" },
		{ __LINE__, "pcie_bw", { { "pcie TOTAL_BYTES_LOC", S },
		    { "pcie RD_BYTES_LOC", 7 } }, 1, "without "
		    "pcie[\"TOTAL_BYTES_REM\"]" },
		{ __LINE__, "pcie_rem_bw", { { "pcie RD_BYTES_REM", S } }, 1,
		    "without pcie[\"WR_BYTES_REM\"]" },
		/* all of it lacks nothing */
		{ __LINE__, "pcie_bw", { { "pcie TOTAL_BYTES_LOC", S },
		    { "pcie TOTAL_BYTES_REM", S } }, 2, NULL },
		{ __LINE__, "c2c0_bw", { { "c2c0 RD_BYTES_LOC", S },
		    { "c2c0 RD_BYTES_REM", 0 }, { "c2c0 WR_BYTES_LOC", S },
		    { "c2c0 WR_BYTES_REM", 0 } }, 2, NULL },
		{ __LINE__, "pcie_loc_bw", { { "pcie TOTAL_BYTES_LOC", S } }, 1,
		    NULL },
	};
	char note[240];

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		double v = noted(t[i].metric, S, t[i].given, note,
		    sizeof(note));
		const char *lacks = strstr(note, "without ");

		if (!(fabs(v - t[i].value) <= t[i].value * 1e-9) ||
		    (t[i].lacks == NULL ? lacks != NULL : lacks == NULL ||
		    strncmp(lacks, t[i].lacks, strlen(t[i].lacks)) != 0 ||
		    (lacks[strlen(t[i].lacks)] | ';') != ';'))
			fail_msg("line %d: %.9g, \"%s\"", t[i].line, v, note);
	}
}

static void
a_share_of_what_can_be_is_given_of_all_parts_alone(void **state)
{
	static const struct given local[] = { { "pcie RD_REQ_LOC", 150 },
	    { "pcie CYCLES", 100 }, { NULL, 0 } };
	static const struct given dram[] = { { "scf CMEM_RD_DATA", 1 },
	    { "scf CMEM_WR_TOTAL_BYTES", 1 }, { "pcie RD_BYTES_LOC", 1 },
	    { "c2c0 TOTAL_BYTES_LOC", 1 }, { NULL, 0 } };

	(void)state;
	assert_true(isinf(evaluate("pcie_rd_util", S, local)));
	assert_true(isinf(evaluate("dram_bw_estimate", S, dram)));
}

/* By what a configuration calls them nothing could tell. */
static void
events_given_by_number_find_their_metrics(void **state)
{
	static const struct {
		int line;
		const char *metric;
		struct given given[7];
		double value;           /* INFINITY: missing */
	} t[] = {
		{ __LINE__, "cmem_rd_bw", {
		    { "= scf_counts_control[0][\"nvidia_scf_pmu_0/event=0x1a5/\"]",
		      0x1a5 },
		    { "scf nvidia_scf_pmu_0/event=0x1a5/", S } }, 32 },
		{ __LINE__, "scf_freq", {
		    { "= scf_counts_control[0][\"c\"]", 0x100000000 },
		    { "scf c", S } }, 1 },
		{ __LINE__, "flops", {
		    { "= core_counts_control[0][\"r80C0\"]", 0x80c0 },
		    { "= core_counts_control[0][\"r80C1\"]", 0x80c1 },
		    { "core r80C0", S }, { "core r80C1", 2ull * S } }, 3 },
		/* event 0 is one */
		{ __LINE__, "c2c1_rd_bw", {
		    { "= c2c1_counts_control[0][\"a\"]", 0 },
		    { "c2c1 a", S } }, 1 },
		{ __LINE__, "remote_rd_util", {
		    { "= scf_counts_control[0][\"a\"]", 0x12e },
		    { "= scf_counts_control[0][\"b\"]", 0x12f },
		    { "= scf_counts_control[0][\"c\"]", 0x100000000 },
		    { "scf a", 15 }, { "scf b", 5 }, { "scf c", 100 } }, 10 },
		/* twice: which of them?  Another block's; nobody's. */
		{ __LINE__, "cmem_rd_bw", {
		    { "= scf_counts_control[0][\"a\"]", 0x1a5 },
		    { "= scf_counts_control[0][\"b\"]", 0x1a5 },
		    { "scf a", S }, { "scf b", S } }, INFINITY },
		{ __LINE__, "c2c0_rd_bw", {
		    { "= c2c1_counts_control[0][\"a\"]", 0 },
		    { "c2c1 a", S } }, INFINITY },
		{ __LINE__, "cmem_rd_bw", { { "scf event=0x1a5", S } },
		    INFINITY },
		/* the kernel's own number 1 is not event 1 of the core */
		{ __LINE__, "l1i_mpki", {
		    { "= core_counts_control[0][\"instructions\"]", 1 },
		    { "core instructions", S } }, INFINITY },
		{ __LINE__, "l1i_tlb_mpki", {
		    { "= core_counts_control[0][\"LLC-loads@b\"]", 2 },
		    { "= core_counts_control[0][\"instructions\"]", 1 },
		    { "core LLC-loads@b", S }, { "core instructions", S } },
		    INFINITY },
		/* one that has the name is the one */
		{ __LINE__, "cmem_rd_bw", {
		    { "= scf_counts_control[0][\"a\"]", 0x1a5 },
		    { "scf a", S }, { "scf cmem_rd_data", 2ull * S } }, 64 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		double v = evaluate(t[i].metric, S, t[i].given);

		if (isinf(t[i].value) ? !isinf(v) :
		    !(fabs(v - t[i].value) <= 1e-9))
			fail_msg("line %d: %.9g", t[i].line, v);
	}
}

/* Of a second, the group ran a quarter: 0.5e9 cycles are 2 GHz, and 60 of them
 * 30 ns; a fabric at 0.5 GHz would have made 120 ns of them. */
static void
a_group_that_ran_for_a_part_is_scaled_and_one_that_never_ran_is_not_known(
    void **state)
{
	static const char *const event[] = { "CYCLES", "CMEM_RD_ACCESS",
	    "CMEM_RD_OUTSTANDING" };
	static const unsigned long count[] = { 500000000, 100, 6000 };

	(void)state;
	for (unsigned ran = 0; ran < 2; ran++) {
		char path[512], note[120];
		FILE *f = temp_file(path);

		assert_non_null(f);
		fprintf(f, "model = \"grace\"\npackages = 1\nfamily_bits = {}\n"
		    "family_bits[\"scf_counts\"] = 64\n"
		    "family_bits[\"scf_enabled\"] = 64\n"
		    "family_bits[\"scf_running\"] = 64\nevent_group = {}\n"
		    "event_group[\"scf_counts\"] = {}\n");
		for (unsigned i = 0; i < 3; i++)
			fprintf(f, "event_group[\"scf_counts\"][\"%s\"] = "
			    "\"scf_cmem\"\n", event[i]);
		for (unsigned s = 0; s < 3; s++) {
			fprintf(f, "tsc[%u] = %u\nwalltime[0][%u] = %u\n"
			    "walltime[1][%u] = 0\n"
			    "scf_enabled[0][\"scf_cmem\"][%u] = %u\n"
			    "scf_running[0][\"scf_cmem\"][%u] = %u\n", s,
			    s * S, s, 1000 + s, s, s, s * S, s,
			    ran * s * 250000000);
			/* as the daemon has it: no value without a turn, but
			 * for columns to be known */
			for (unsigned i = 0; i < 3 && (ran || s == 0); i++)
				fprintf(f, "scf_counts[0][\"%s\"][%u] = %lu\n",
				    event[i], s, s * count[i]);
		}
		fclose(f);
		if (ran) {
			double ns = value_in(path, "cmem_rd_latency", note,
			    sizeof(note));

			assert_true(fabs(ns - 30) < 1e-6);
			assert_non_null(strstr(note, "counted 25.0 % of"));
		} else {
			assert_true(isnan(value_in(path, "cmem_rd_latency",
			    note, sizeof(note))));
			assert_string_equal(note, "its event group did not run");
			assert_true(isnan(value_in(path, "scf_freq", note,
			    sizeof(note))));
		}
		unlink(path);
	}
}

/* The set of @hpc that counts an event of a family; the
 * event may have a '*', and must not be in several sets then. */
static void
set_of(const char *family, const char *event, char *set, size_t size)
{
	const struct text *t = text_named("@hpc-grace", TEXT_CONFIG);
	char now[64] = "", box[32], name[64], line[160];

	assert_non_null(t);
	set[0] = '\0';
	for (const char *p = t->data; p < t->end; p += strcspn(p, "\n") + 1) {
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(p, "\n"), p);
		if (sscanf(line, "set %63s", now) == 1 ||
		    sscanf(line, "optional %31s %63s", box, name) != 2)
			continue;
		box[strcspn(box, "[")] = '\0';
		if (strcmp(box, family) != 0 || fnmatch(event, name, 0) != 0)
			continue;
		if (set[0] != '\0' && strcmp(set, now) != 0)
			fail_msg("%s is in %s and %s", event, set, now);
		snprintf(set, size, "%s", now);
	}
}

/* What is divided must have been counted at one time: all events of a formula
 * are of one set. */
static void
the_events_of_a_formula_are_of_one_group(void **state)
{
	struct metrics m;
	struct diag why;
	unsigned checked = 0;

	(void)state;
	assert_int_equal(metrics_init(&m), 0);
	assert_int_equal(metrics_load_for(&m, NULL, "grace", &why), 0);
	for (unsigned i = 0; i < m.n; i++) {
		const struct metric *x = &m.metric[i];
		char first[64] = "", set[64];

		for (unsigned k = 0; k < x->expr.nref; k++) {
			const struct expr_ref *r = &x->expr.ref[k];

			/* a sum needs no common time; cores and fabric are
			 * two PMUs, which no group is of; TOTAL_* and
			 * REMOTE_* stand in for others */
			if (r->event == NULL ||
			    strcmp(x->file, "@grace") != 0 ||
			    strcmp(x->name, "dram_bw_estimate") == 0 ||
			    strcmp(x->name, "arithmetic_intensity") == 0 ||
			    strcmp(r->name, "software") == 0 ||
			    strncmp(r->event, "TOTAL_", 6) == 0 ||
			    fnmatch("REMOTE_SOCKET_RD_[AO]*", r->event, 0) == 0)
				continue;
			set_of(r->name, r->event, set, sizeof(set));
			if (set[0] == '\0')
				fail_msg("%s: %s is in no set", x->name,
				    r->event);
			if (first[0] != '\0' && strcmp(first, set) != 0)
				fail_msg("%s: %s is of set %s, not %s",
				    x->name, r->event, set, first);
			snprintf(first, sizeof(first), "%s", set);
			checked++;
		}
	}
	assert_true(checked > 150);
	metrics_fini(&m);
}

/* Which of two is meant is not known. */
static void
an_event_that_is_there_twice_under_other_names_is_missing(void **state)
{
	static const struct given twice[] = { { "core INST_RETIRED@a", 6000 },
	    { "core INST_RETIRED@b", 5000 }, { "core BR_MIS_PRED_RETIRED", 3 },
	    { NULL, 0 } };

	(void)state;
	assert_true(isinf(evaluate("branch_mpki", S, twice)));
}

static void
events_of_different_root_ports_have_no_utilisation(void **state)
{
	static const struct given mixed[] = { { "= pcie_root_ports[0]", 0 },
	    { "pcie RD_REQ_LOC", 400 }, { "pcie RD_REQ_REM", 100 },
	    { "pcie CYCLES@pcie_requests", 100 }, { NULL, 0 } };

	(void)state;
	assert_true(isnan(evaluate("pcie_rd_port_util", S, mixed)));
}

/* With a GPU, C2C0 is the GPU's, and PCIe's devices reach its memory, too. */
static void
the_sum_for_a_superchip_is_not_given_beside_a_gpu(void **state)
{
	static const struct given gpu[] = { { "scf CMEM_RD_DATA", S },
	    { "scf CMEM_WR_TOTAL_BYTES", 8ull * S },
	    { "pcie RD_BYTES_LOC", S }, { "pcie WR_BYTES_LOC", 2ull * S },
	    { "c2c0 RD_BYTES_LOC", S }, { "c2c0 WR_BYTES_LOC", S },
	    { "scf GMEM_RD_DATA", S }, { NULL, 0 } };

	(void)state;
	assert_true(isnan(evaluate("dram_bw_estimate", S, gpu)));
}

static void
what_would_mislead_is_withheld_and_asking_says_why(void **state)
{
	static const char misleads[] = "SDEN-2332927", *const none[] = {
	    "ipc", "backend_stalled_cycles", "c2c0_bw", "pcie_rd_util",
	    "cmem_rd_util", "retiring" };
	static const struct { const char *name, *why; } t[] = {
		{ "backend_bound", misleads }, { "frontend_bound", misleads },
		{ "topdown_backend_bound", misleads },
		{ "stall_slot_backend", misleads },
		{ "stall_slot_frontend_rate", misleads },
		{ "c2c0_rd_util", "not published" },
		{ "c2c1_util", "not published" },
		{ "c2c_utilisation", "not published" },
		{ "cnvlink_wr_util", "not published" },
		{ "STALL_SLOT_BACKEND", misleads },
		{ "BACKEND_BOUND", misleads },
		{ "backend_bound_pct", misleads },
		{ "frontend_bound*", misleads },
		{ "backend?bound", misleads },
	};
	struct metrics m;
	struct diag why;

	(void)state;
	assert_int_equal(metrics_init(&m), 0);
	assert_int_equal(metrics_load_for(&m, NULL, "grace", &why), 0);
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const char *says = metrics_withheld(&m, t[i].name);

		assert_null(metrics_find(&m, t[i].name));
		if (says == NULL || strstr(says, t[i].why) == NULL)
			fail_msg("%s: %s", t[i].name, says ? says : "offered");
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_null(metrics_withheld(&m, none[i]));
	metrics_fini(&m);
}

/* Counted by number, or not at all: a formula of the user's own says so. */
static void
a_formula_on_what_misleads_says_so(void **state)
{
	static const char own[] = "metric mine lproc \"%\" \"x\" "
	    "= core[\"stall_slot_backend\"] / core[\"CPU_CYCLES\"]\n";
	static const char why[] = "it misleads on this core (Arm's errata "
	    "notice SDEN-2332927)";

	(void)state;
	for (int counted = 0; counted < 2; counted++) {
		char path[512], note[300] = "";
		FILE *f = temp_file(path);
		struct metrics m;
		struct gather g;
		struct diag d = { "" };
		struct window w;
		struct figure x;
		unsigned b;

		assert_non_null(f);
		fprintf(f, "model = \"grace\"\nnr_cpus = 1\n");
		for (unsigned s = 0; s < 3; s++) {
			fprintf(f, "tsc[%u] = %u\nwalltime[0][%u] = %u\n"
			    "walltime[1][%u] = 0\n"
			    "core_counts[0][\"CPU_CYCLES\"][%u] = %u\n", s,
			    s * S, s, 1000 + s, s, s, s * 1000);
			if (counted)
				fprintf(f, "core_counts[0]"
				    "[\"STALL_SLOT_BACKEND\"][%u] = %u\n", s,
				    s * 500);
		}
		fclose(f);
		assert_int_equal(metrics_init(&m), 0);
		assert_int_equal(gather_open(&g, path, &m, NULL, NULL, &d), 0);
		assert_int_equal(metrics_parse(&m, "own", own, strlen(own),
		    &d), 0);
		assert_int_equal(binding_add(&g.binding, &m.metric[0], &b, &d),
		    0);
		if (counted) {
			assert_int_equal(gather_all(&g, &d), 0);
			assert_true(binding_window(&g.binding, b,
			    SCOPE_OF_NODE, 0, &w));
			x = binding_eval(&g.binding, b, &w, gather_sums(&g));
			assert_true(x.value == 0.5);
			figure_note(&g.binding, &x, NULL, note, sizeof(note));
			assert_ptr_equal(strstr(note, "stall_slot_backend: "),
			    note);
		} else {
			assert_int_equal(g.binding.bound[b].nmissing, 1);
			snprintf(note, sizeof(note), "%s",
			    g.binding.bound[b].missing[0]);
			assert_ptr_equal(strstr(note, "core["
			    "\"stall_slot_backend\"], not offered: "), note);
		}
		if (strstr(note, why) == NULL)
			fail_msg("%s", note);
		gather_close(&g);
		metrics_fini(&m);
		unlink(path);
	}
}

/* Nothing that the list has is left untested; figures of links that the guide
 * gives no formulas for say so. */
static void
every_metric_has_a_number_worked_out(void **state)
{
	static const char *const by_the_kernel[] = { "context_switches",
	    "page_faults", "cpu_migrations" };
	struct metrics m;
	struct diag why;

	(void)state;
	assert_int_equal(metrics_init(&m), 0);
	assert_int_equal(metrics_load_for(&m, NULL, "grace", &why), 0);
	for (unsigned i = 0; i < m.n; i++) {
		const struct metric *x = &m.metric[i];
		bool tested = x->hidden, link = strncmp(x->name, "c2c", 3) ==
		    0 || strncmp(x->name, "cnvlink", 7) == 0;

		for (size_t k = 0; k < sizeof(formulas) / sizeof(formulas[0]);
		    k++)
			tested |= strcmp(formulas[k].metric, x->name) == 0;
		for (size_t k = 0; k < 3; k++)
			tested |= strcmp(by_the_kernel[k], x->name) == 0;
		if (strcmp(x->file, "@grace") == 0 && !tested)
			fail_msg("%s has no test", x->name);
		if (link && (x->note == NULL || strcmp(x->note, "derived")))
			fail_msg("%s is not marked as derived", x->name);
	}
	metrics_fini(&m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_formula_gives_the_guides_numbers),
		cmocka_unit_test(nothing_accessed_has_no_latency),
		cmocka_unit_test(bandwidths_are_of_the_parts_that_are_there_and_say_what_they_lack),
		cmocka_unit_test(events_given_by_number_find_their_metrics),
		cmocka_unit_test(a_share_of_what_can_be_is_given_of_all_parts_alone),
		cmocka_unit_test(a_group_that_ran_for_a_part_is_scaled_and_one_that_never_ran_is_not_known),
		cmocka_unit_test(the_events_of_a_formula_are_of_one_group),
		cmocka_unit_test(an_event_that_is_there_twice_under_other_names_is_missing),
		cmocka_unit_test(events_of_different_root_ports_have_no_utilisation),
		cmocka_unit_test(what_would_mislead_is_withheld_and_asking_says_why),
		cmocka_unit_test(the_sum_for_a_superchip_is_not_given_beside_a_gpu),
		cmocka_unit_test(a_formula_on_what_misleads_says_so),
		cmocka_unit_test(every_metric_has_a_number_worked_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
