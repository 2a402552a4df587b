/*
 * regs/models/model_list.h - the list of models; each has a row here and a file
 * model_NAME.c.  For models.c and those files alone.
 */
#ifndef REGS_MODELS_MODEL_LIST_H
#define REGS_MODELS_MODEL_LIST_H

#include "regs/model.h"

/* bdx is in model_hsx.c, icxd in model_icx.c, emr in model_spr.c, cwf in model_srf.c,
 * zen1 to zen5 in model_zen.c. */
#define MODELS(row) \
	row(hsx) \
	row(bdx) \
	row(skx) \
	row(icx) \
	row(icxd) \
	row(slm) \
	row(grace) \
	row(spr) \
	row(emr) \
	row(gnr) \
	row(srf) \
	row(cwf) \
	row(zen1) \
	row(zen2) \
	row(zen3) \
	row(zen4) \
	row(zen5)

#define MODEL_IS(name) extern const struct model model_##name;
MODELS(MODEL_IS)

/* model_intel.c: what several generations of Intel's servers share. */
extern const struct field intel_core_fields[];  /* up to Skylake */
extern const struct field intel_std_fields[];   /* IMC, IRP, M3UPI, HA ... */
extern const struct field intel_tid_fields[];   /* CBO, SBO, CHA of Skylake */
extern const struct field intel_ubox_fields[];
extern const struct field intel_pcu_fields[];
extern const struct common_msrs intel_msrs;     /* of servers */
extern const struct core_fixed intel_fixed;     /* three, up to Skylake */
extern const struct need intel_core_need[];
extern const struct scalar intel_scalars[];     /* on every server */
extern const struct scalar intel_skl_scalars[]; /* from Skylake on */
extern const struct event_class intel_core_classes[];   /* from Skylake on */
extern const struct event_class intel_imc_classes[];

#define QUEUE(event, name) { event, CLASS_OCCUPANCY, name }
#define TICKS(event) { event, CLASS_TICKS, "CLOCKTICKS" }
/* Classes of events of Intel's server cores: unhalted clocks, but for the crystal's,
 * which is not the core's, and one_thread_active, which stands still while both threads
 * run; and retired instructions of one kind.  NAME_ALONE is no event number: such a row
 * is for the names in dumps without control values. */
#define CORE_CLOCKS \
	{ 0x013c, CLASS_REF, "CPU_CLK_UNHALTED.REF_XCLK" }, \
	{ 0x013c, CLASS_REF, "CPU_CLK_UNHALTED.REF_XCLK_ANY" }, \
	{ 0x023c, CLASS_EVENT, "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE" }, \
	{ 0x083c, CLASS_REF, "CPU_CLK_UNHALTED.REF_DISTRIBUTED" }, \
	{ 0x3c, CLASS_CYCLES, "CPU_CLK_UNHALTED" }
#define RETIRED \
	{ 0xc4, CLASS_INSTR_KIND, "BR_INST_RETIRED" }, \
	{ 0xc5, CLASS_INSTR_KIND, "BR_MISP_RETIRED" }, \
	{ NAME_ALONE, CLASS_EVENT, "INST_RETIRED.TOTAL_CYCLES" }, \
	{ NAME_ALONE, CLASS_EVENT, "INST_RETIRED.TOTAL_CYCLES_PS" }
#define NAME_ALONE 0xffff
#define END_OF_CLASSES { 0, 0, NULL }

#define EN (1ull << 22)           /* in a counter's control */
#define BOX_FREEZE (1ull << 8)    /* in a box control, up to Ice Lake */

#endif
