/*
 * regs/models/zen_umc.c - what the memory controllers of AMD's Zen 4 and Zen 5
 * count.
 *
 * Sources, as gathered in the project's reference "amd-zen", sections 6 and 9.6:
 * Linux (perf's amd uncore code and its lists of events), LIKWID, FreeBSD's hwpmc.
 * They agree but for the clocks of the data bus, 0x14 of Linux and 0x12 of LIKWID.
 */
#include "regs/models/zen_umc.h"

/* rdwrmask: 1 reads alone, 2 writes alone, 0 both. */
const struct field zen_umc_fields[] = {
	{ "event", 0, 7 }, { "rdwrmask", 8, 9 }, { NULL, 0, 0 }
};

/* The data bus moves twice a clock, and its clocks are half as long. */
#define CAS(name) { 0x0a, CLASS_CAS, name }
#define COMMAND(event, name) { event, CLASS_MEMCMD, name }
const struct event_class zen_umc_classes[] = {
	{ 0x00, CLASS_MEMCLK, "umc_clk" },
	CAS("umc_cas_all"), CAS("umc_cas_rd"), CAS("umc_cas_wr"),
	COMMAND(0x05, "umc_act_all"), COMMAND(0x05, "umc_act_rd"),
	COMMAND(0x05, "umc_act_wr"), COMMAND(0x06, "umc_pchg_all"),
	COMMAND(0x06, "umc_pchg_rd"), COMMAND(0x06, "umc_pchg_wr"),
	{ 0, 0, NULL }
};

#define EVENT(name, event, rdwrmask) { name, event, NULL, rdwrmask }
#define EVENTS(name, event) \
	EVENT(name "_all", event, 0), EVENT(name "_rd", event, 1), \
	EVENT(name "_wr", event, 2)
const struct event_name zen_umc_events[] = {
	EVENT("umc_clk", 0x00, 0),
	EVENTS("umc_act", 0x05),
	EVENTS("umc_pchg", 0x06),
	EVENTS("umc_cas", 0x0a),
	EVENTS("umc_slot_clks", 0x14),
	{ NULL, 0, NULL, 0 }
};
