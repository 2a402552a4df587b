/*
 * regs/models/model_list.h - the models there are; for model.c and model_*.c alone.
 */
#ifndef REGS_MODELS_MODEL_LIST_H
#define REGS_MODELS_MODEL_LIST_H

#include "regs/model.h"

extern const struct model model_hsx;
extern const struct model model_skx;
extern const struct model model_grace;
extern const struct model model_icx, model_icxd;
extern const struct model model_slm;

/* model_intel.c: what several generations of Intel's servers share. */
extern const struct field intel_core_fields[];  /* up to Skylake */
extern const struct field intel_std_fields[];   /* IMC, IRP, M3UPI, HA ... */
extern const struct field intel_tid_fields[];   /* CBO, SBO, CHA of Skylake */
extern const struct field intel_ubox_fields[];
extern const struct field intel_pcu_fields[];
extern const struct core_fixed intel_fixed;     /* three, up to Skylake */
extern const struct need intel_core_need[];

#define EN (1ull << 22)           /* of a counter control */
#define BOX_FREEZE (1ull << 8)    /* of a box control, up to Ice Lake */

/* Rows of the scalars, where the SDM has them on every server (reference 4.1);
 * of a package first, of lprocs and cores then. */
#define INTEL_PKG_SCALARS \
	{ "pkg_temperature", REG_MSR, SCOPE_PKG, 0x1b1, 0, PRINT_TEMP, "C" }, \
	{ "rapl_pkg_energy", REG_MSR, SCOPE_PKG, 0x611, 32, PRINT_DEC, \
	  "rapl_pkg" }, \
	{ "rapl_dram_energy", REG_MSR, SCOPE_PKG, 0x619, 32, PRINT_DEC, \
	  "rapl_dram" }, \
	{ "rapl_pkg_throttled", REG_MSR, SCOPE_PKG, 0x613, 32, PRINT_DEC, \
	  "rapl_time" }, \
	{ "pkg_therm_status", REG_MSR, SCOPE_PKG, 0x1b1, 0, PRINT_HEX, \
	  "bits" }, \
	{ "pkg_ring_perf_limit_reasons", REG_MSR, SCOPE_PKG, 0x6b1, 0, \
	  PRINT_HEX, "bits" }, \
	{ "smi_count", REG_MSR, SCOPE_PKG, 0x34, 32, PRINT_DEC, "SMIs" }, \
	{ "rapl_dram_throttled", REG_MSR, SCOPE_PKG, 0x61b, 32, PRINT_DEC, \
	  "rapl_time" }, \
	{ "pkg_c2_residency", REG_MSR, SCOPE_PKG, 0x60d, 64, PRINT_DEC, \
	  "tsc" }, \
	{ "pkg_c6_residency", REG_MSR, SCOPE_PKG, 0x3f9, 64, PRINT_DEC, \
	  "tsc" }, \
	{ "pkg_uncore_ratio", REG_MSR, SCOPE_PKG, 0x621, 0, PRINT_HEX, \
	  "bits" }
#define INTEL_CORE_SCALARS \
	{ "aperf", REG_MSR, SCOPE_LPROC, 0xe8, 64, PRINT_DEC, "cycles" }, \
	{ "mperf", REG_MSR, SCOPE_LPROC, 0xe7, 64, PRINT_DEC, "cycles" }, \
	{ "core_therm_status", REG_MSR, SCOPE_CORE, 0x19c, 0, PRINT_HEX, \
	  "bits" }, \
	{ "core_c6_residency", REG_MSR, SCOPE_CORE, 0x3fd, 64, PRINT_DEC, \
	  "tsc" }

#endif
