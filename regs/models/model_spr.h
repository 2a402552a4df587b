/*
 * regs/models/model_spr.h - what Granite Rapids shares with Sapphire Rapids: the core,
 * and the fields of boxes; and what Sierra Forest and Clearwater Forest share with
 * Granite Rapids: everything but the core.  For model_spr.c, model_gnr.c and
 * model_srf.c.
 */
#ifndef REGS_MODELS_MODEL_SPR_H
#define REGS_MODELS_MODEL_SPR_H

#include "regs/models/model_list.h"

#define SPR_FROZEN 1            /* in a box control */

/* Boxes of 16 MSRs each: control n at +2+n, counter n at +8+n. */
#define SPR_LISTED(type, at, n) \
	.space = REG_MSR, .scope = SCOPE_PKG, .presence = PRESENT_TABLE, \
	.table.number = (type), .counters = (n), .bits = 48, .box_ctl = (at), \
	.ctl = (at) + 2, .ctl_step = 1, .ctr = (at) + 8, .ctr_step = 1, \
	.stride = 0x10, .freeze = SPR_FROZEN
/* Boxes of which only the discovery table has the layout. */
#define SPR_LAID(type, where, n) \
	.space = (where), .scope = SCOPE_PKG, .presence = PRESENT_TABLE, \
	.table.number = (type), .table.only = true, .table.laid = true, \
	.counters = (n), .bits = 48, .freeze = SPR_FROZEN
/* Memory channels, of DDR and of HBM: controls of 32 bits. */
#define SPR_CHANNEL(type, at, of) \
	.space = REG_MMIO, .scope = SCOPE_PKG, .presence = PRESENT_TABLE, \
	.table.number = (type), .classes = (of), .cls = CLASS_OCCUPANCY, \
	.counters = 4, .bits = 48, .box_ctl = (at), .ctl = (at) + 0x40, \
	.ctl_step = 4, .ctr = (at) + 8, .ctr_step = 8, .freeze = SPR_FROZEN, \
	.field = intel_std_fields, DCLK((at) + 0x54, (at) + 0x38)
/* CXL ports: both types have the same ids, with gaps (reference 9.1); up to 19 were
 * seen. */
#define SPR_CXL \
	{ .name = "CXLCM", .family = "cxlcm_counts", \
	  SPR_LAID(12, REG_MMIO, 8), .instances = 32, \
	  .field = intel_std_fields, .only = spr_cxlcm_only }, \
	{ .name = "CXLDP", .family = "cxldp_counts", \
	  SPR_LAID(13, REG_MMIO, 4), .instances = 32, \
	  .field = intel_std_fields }

extern const struct field spr_cha_fields[];
extern const struct constraint spr_cha_only[];
extern const struct constraint spr_cxlcm_only[];
extern const struct event_class spr_pcu_classes[];
extern const struct event_class spr_cha_classes[];
extern const struct event_class spr_iio_classes[];
extern const struct event_class spr_irp_classes[];
extern const struct event_class spr_m2m_classes[];
extern const struct event_class spr_m3upi_classes[];
extern const struct event_class spr_mdf_classes[];
extern const struct box_type spr_core;
extern const struct scalar *const spr_scalars[];

extern const struct box_type gnr_boxes[];
extern const struct freerun gnr_freerun[];
extern const char *const gnr_stacks[];
extern const struct bus_list gnr_buses;

#endif
