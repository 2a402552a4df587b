/*
 * regs/models/zen_events.h - events of AMD's Zen cores by name, for model_zen.c alone:
 * a row for each event with its event and unit mask on Zen 2 to Zen 5; and those of
 * Zen 1.
 *
 * Numbers as in Linux's lists of events; another source (libpfm4, LIKWID) agrees
 * on nearly all (the project's reference "amd-zen", section 9 and its remarks).
 */
#ifndef REGS_MODELS_ZEN_EVENTS_H
#define REGS_MODELS_ZEN_EVENTS_H

/* Event, unit mask. */
#define E(event, umask) ((umask) << 16 | (event))
/* This generation has no such event, or counts it wrongly (errata 1569, 1583). */
#define NO 0xffff
#define WRONG 0xfffe
/* The same on all four generations, or from Zen 3 or Zen 4 on. */
#define ALL(event, umask) \
	E(event, umask), E(event, umask), E(event, umask), E(event, umask)
#define FROM_3(event, umask) \
	NO, E(event, umask), E(event, umask), E(event, umask)
#define FROM_4(event, umask) NO, NO, E(event, umask), E(event, umask)

#define ZEN_EVENTS(row) \
	row("instr_retired", ALL(0xc0, 0x00)) \
	row("ops_retired", ALL(0xc1, 0x00)) \
	row("cycles_unhalted", ALL(0x76, 0x00)) \
	row("ref_cycles_p0", FROM_4(0x120, 0x01)) \
	row("branches", ALL(0xc2, 0x00)) \
	row("branches_mispredicted", ALL(0xc3, 0x00)) \
	row("branches_taken", ALL(0xc4, 0x00)) \
	row("branches_taken_mispredicted", ALL(0xc5, 0x00)) \
	row("branches_conditional", ALL(0xd1, 0x00)) \
	row("branches_far", ALL(0xc6, 0x00)) \
	row("returns", ALL(0xc8, 0x00)) \
	row("returns_mispredicted", ALL(0xc9, 0x00)) \
	row("indirect_mispredicted", ALL(0xca, 0x00)) \
	row("indirect_branches", FROM_3(0xcc, 0x00)) \
	row("uncond_branches", FROM_4(0x1c9, 0x00)) \
	row("interrupts_taken", ALL(0x2c, 0x00)) \
	row("smi_received", ALL(0x2b, 0x00)) \
	row("rdtsc_count", E(0x2d, 0x00), E(0x2d, 0x00), NO, NO) \
	row("cpuid_retired", ALL(0x27, 0x00)) \
	row("clflush_retired", ALL(0x26, 0x00)) \
	row("locks_bus", ALL(0x25, 0x01)) \
	row("div_busy_cycles", ALL(0xd3, 0x00)) \
	row("div_count", ALL(0xd4, 0x00)) \
	row("ucode_instr", FROM_4(0x1c1, 0x00)) \
	row("ucode_ops", FROM_4(0x1c2, 0x00)) \
	row("fused_instr", ALL(0x1d0, 0x00)) \
	row("op_queue_empty_cycles", ALL(0xa9, 0x00)) \
	row("ops_dispatched_all", E(0xaa, 0x03), NO, \
	    E(0xaa, 0x07), E(0xaa, 0x07)) \
	row("ops_from_decoder", E(0xaa, 0x01), NO, \
	    E(0xaa, 0x01), E(0xaa, 0x01)) \
	row("ops_from_op_cache", E(0xaa, 0x02), NO, \
	    E(0xaa, 0x02), E(0xaa, 0x02)) \
	row("int_ops_dispatched", FROM_3(0xab, 0x08)) \
	row("fp_ops_dispatched", FROM_3(0xab, 0x04)) \
	row("slots_frontend", FROM_4(0x1a0, 0x01)) \
	row("slots_backend", FROM_4(0x1a0, 0x1e)) \
	row("slots_smt", FROM_4(0x1a0, 0x60)) \
	row("no_retire_empty", FROM_4(0xd6, 0x01)) \
	row("no_retire_not_complete", FROM_4(0xd6, 0x02)) \
	row("no_retire_other", FROM_4(0xd6, 0x08)) \
	row("no_retire_thread", FROM_4(0xd6, 0x10)) \
	row("no_retire_load", FROM_4(0xd6, 0xa2)) \
	row("no_retire_all", FROM_4(0xd6, 0x1b)) \
	row("resyncs", NO, NO, E(0x96, 0x00), E(0x9f, 0x01)) \
	row("dc_dispatched_loads", ALL(0x29, 0x01)) \
	row("dc_dispatched_stores", ALL(0x29, 0x02)) \
	row("dc_accesses", ALL(0x29, 0x07)) \
	row("stl_forwards", ALL(0x35, 0x00)) \
	row("mab_allocated_all", NO, E(0x41, 0x7f), \
	    E(0x41, 0x7f), E(0x41, 0x0f)) \
	row("mab_occupancy", FROM_3(0x5f, 0x00)) \
	row("demand_fill_l2", ALL(0x43, 0x01)) \
	row("demand_fill_ccx", ALL(0x43, 0x02)) \
	row("demand_fill_near_cache", FROM_3(0x43, 0x04)) \
	row("demand_fill_near_dram", ALL(0x43, 0x08)) \
	row("demand_fill_far_cache", ALL(0x43, 0x10)) \
	row("demand_fill_far_dram", ALL(0x43, 0x40)) \
	row("demand_fill_cxl", FROM_4(0x43, 0x80)) \
	row("any_fill_ccx_all", FROM_3(0x44, 0x03)) \
	row("any_fill_other_ccx", FROM_3(0x44, 0x14)) \
	row("any_fill_dram", FROM_3(0x44, 0x48)) \
	row("any_fill_far", FROM_3(0x44, 0x50)) \
	row("any_fill_all", FROM_3(0x44, 0xff)) \
	row("swpf_fill_near_dram", ALL(0x59, 0x08)) \
	row("hwpf_fill_near_dram", ALL(0x5a, 0x08)) \
	row("hwpf_fill_far_dram", ALL(0x5a, 0x40)) \
	row("hwpf_fill_all", FROM_4(0x5a, 0xdf)) \
	row("dtlb_l1_miss", ALL(0x45, 0xff)) \
	row("dtlb_l2_miss", ALL(0x45, 0xf0)) \
	row("itlb_l1_miss_l2_hit", ALL(0x84, 0x00)) \
	row("itlb_l2_miss", E(0x85, 0x07), E(0x85, 0x0f), \
	    E(0x85, 0x0f), E(0x85, 0x0f)) \
	row("tlb_flushes", E(0x78, 0xdf), E(0x78, 0xff), E(0x78, 0xff), WRONG) \
	row("misaligned_loads_64", FROM_3(0x47, 0x01)) \
	row("misaligned_loads_4k", FROM_3(0x47, 0x02)) \
	row("l2_req_no_prefetch", E(0x60, 0xf9), E(0x60, 0xf9), \
	    E(0x60, 0xf9), E(0x60, 0xf1)) \
	row("l2_req_dc", E(0x60, 0xc8), E(0x60, 0xe8), \
	    E(0x60, 0xe8), E(0x60, 0xe0)) \
	row("l2_req_ic", ALL(0x60, 0x10)) \
	row("l2_req_all", NO, NO, E(0x60, 0xff), E(0x60, 0xf7)) \
	row("l2_miss_ic_dc", ALL(0x64, 0x09)) \
	row("l2_miss_ic", ALL(0x64, 0x01)) \
	row("l2_miss_dc", ALL(0x64, 0x08)) \
	row("l2_hit_ic_dc", ALL(0x64, 0xf6)) \
	row("l2_hit_ic", ALL(0x64, 0x06)) \
	row("l2_hit_dc", E(0x64, 0x70), E(0x64, 0xf0), \
	    E(0x64, 0xf0), E(0x64, 0xf0)) \
	row("l2pf_hit_l2", E(0x70, 0xff), E(0x70, 0xff), \
	    E(0x70, 0xff), E(0x70, 0x1f)) \
	row("l2pf_miss_l2_hit_l3", E(0x71, 0xff), E(0x71, 0xff), \
	    E(0x71, 0xff), E(0x71, 0x1f)) \
	row("l2pf_miss_l3", E(0x72, 0xff), E(0x72, 0xff), \
	    E(0x72, 0xff), E(0x72, 0x1f)) \
	row("l2_fill_near_dram", NO, NO, NO, E(0x165, 0x08)) \
	row("l2_fill_far_dram", NO, NO, NO, E(0x165, 0x40)) \
	row("l2_fill_all", NO, NO, NO, E(0x165, 0xde)) \
	row("ic_fill_l2", ALL(0x82, 0x00)) \
	row("ic_fill_system", ALL(0x83, 0x00)) \
	row("ic_fetch_hit", NO, E(0x18e, 0x07), E(0x18e, 0x07), WRONG) \
	row("ic_fetch_miss", NO, E(0x18e, 0x18), E(0x18e, 0x18), WRONG) \
	row("ic_fetch_all", NO, E(0x18e, 0x1f), E(0x18e, 0x1f), WRONG) \
	row("op_cache_hit", FROM_3(0x28f, 0x03)) \
	row("op_cache_miss", FROM_3(0x28f, 0x04)) \
	row("op_cache_all", FROM_3(0x28f, 0x07)) \
	row("flops_add_sub", ALL(0x3, 0x01)) \
	row("flops_mul", ALL(0x3, 0x02)) \
	row("flops_div_sqrt", ALL(0x3, 0x04)) \
	row("flops_fma", ALL(0x3, 0x08)) \
	row("flops_all", E(0x3, 0x0f), E(0x3, 0x0f), \
	    E(0x3, 0x1f), E(0x3, 0x0f)) \
	row("flops_bf16", NO, NO, E(0x3, 0x10), E(0x3, 0x2f)) \
	row("flops_sp_scalar", NO, NO, NO, E(0x3, 0x4f)) \
	row("flops_sp_packed", NO, NO, NO, E(0x3, 0x6f)) \
	row("flops_dp_scalar", NO, NO, NO, E(0x3, 0x8f)) \
	row("flops_dp_packed", NO, NO, NO, E(0x3, 0xaf)) \
	row("flops_x87", FROM_4(0x2, 0x07)) \
	row("fp_ops_scalar", FROM_4(0x8, 0x04)) \
	row("fp_ops_128", FROM_4(0x8, 0x08)) \
	row("fp_ops_256", FROM_4(0x8, 0x10)) \
	row("fp_ops_512", FROM_4(0x8, 0x20)) \
	row("fp_ops_width_all", FROM_4(0x8, 0x3f)) \
	row("sse_avx_stalls", ALL(0xe, 0x0e))

/*
 * Zen 1 by the same names, where two public lists have the event (reference
 * "more-cpus" 4.1).  FLOPs have a mask bit for each operation and precision there; on
 * later generations one for each operation.
 */
#define ZEN1_EVENTS(row) \
	row("instr_retired", E(0xc0, 0x00)) row("ops_retired", E(0xc1, 0x00)) \
	row("cycles_unhalted", E(0x76, 0x00)) \
	row("branches", E(0xc2, 0x00)) \
	row("branches_mispredicted", E(0xc3, 0x00)) \
	row("branches_taken", E(0xc4, 0x00)) \
	row("branches_taken_mispredicted", E(0xc5, 0x00)) \
	row("branches_conditional", E(0xd1, 0x00)) \
	row("branches_far", E(0xc6, 0x00)) \
	row("returns", E(0xc8, 0x00)) row("returns_mispredicted", E(0xc9, 0x00)) \
	row("indirect_mispredicted", E(0xca, 0x00)) \
	row("locks_bus", E(0x25, 0x01)) \
	row("div_busy_cycles", E(0xd3, 0x00)) row("div_count", E(0xd4, 0x00)) \
	row("fused_instr", E(0x1d0, 0x00)) \
	row("ops_dispatched_all", E(0xaa, 0x03)) \
	row("dc_dispatched_loads", E(0x29, 0x01)) \
	row("dc_dispatched_stores", E(0x29, 0x02)) \
	row("dc_accesses", E(0x29, 0x07)) row("stl_forwards", E(0x35, 0x00)) \
	row("demand_fill_l2", E(0x43, 0x01)) \
	row("demand_fill_ccx", E(0x43, 0x02)) \
	row("demand_fill_near_dram", E(0x43, 0x08)) \
	row("demand_fill_far_cache", E(0x43, 0x10)) \
	row("demand_fill_far_dram", E(0x43, 0x40)) \
	row("swpf_fill_near_dram", E(0x59, 0x08)) \
	row("hwpf_fill_near_dram", E(0x5a, 0x08)) \
	row("hwpf_fill_far_dram", E(0x5a, 0x40)) \
	row("dtlb_l1_miss", E(0x45, 0xff)) row("dtlb_l2_miss", E(0x45, 0xf0)) \
	row("itlb_l1_miss_l2_hit", E(0x84, 0x00)) \
	row("itlb_l2_miss", E(0x85, 0x07)) \
	row("l2_req_no_prefetch", E(0x60, 0xf9)) \
	row("l2_req_dc", E(0x60, 0xc8)) row("l2_req_ic", E(0x60, 0x10)) \
	row("l2_miss_ic_dc", E(0x64, 0x09)) row("l2_miss_ic", E(0x64, 0x01)) \
	row("l2_miss_dc", E(0x64, 0x08)) row("l2_hit_ic_dc", E(0x64, 0xf6)) \
	row("l2_hit_ic", E(0x64, 0x06)) row("l2_hit_dc", E(0x64, 0x70)) \
	row("l2pf_hit_l2", E(0x70, 0xff)) \
	row("l2pf_miss_l2_hit_l3", E(0x71, 0xff)) \
	row("l2pf_miss_l3", E(0x72, 0xff)) \
	row("ic_fill_l2", E(0x82, 0x00)) row("ic_fill_system", E(0x83, 0x00)) \
	row("flops_add_sub", E(0x3, 0x11)) row("flops_mul", E(0x3, 0x22)) \
	row("flops_div_sqrt", E(0x3, 0x44)) row("flops_fma", E(0x3, 0x88)) \
	row("flops_sp", E(0x3, 0x0f)) row("flops_dp", E(0x3, 0xf0)) \
	row("flops_all", E(0x3, 0xff)) row("flops_x87", E(0x2, 0x07))

#endif
