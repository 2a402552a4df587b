/*
 * regs/models/zen_df.c - fields and events of the data fabric of AMD's Zen.
 *
 * An event is of an instance: instance << 6 | code.  Instances that have nothing
 * behind them (a channel without memory) count 0.  Names and numbers as in the
 * reference "amd-zen" 5 and 9.6, which says who else has them; left out is what
 * LIKWID alone names, but for ports of CXL memory on Zen 5.
 */
#include "regs/models/zen_df.h"

#include <stddef.h>

const struct field zen_df_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "event", 32, 35 },
	{ "event", 59, 60 }, { NULL, 0, 0 }
};
const struct field zen_df_v2_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "umask", 24, 27 },
	{ "event", 32, 37 }, { NULL, 0, 0 }
};

#define AT(name, code, n, umask) { name, (code) + ((n) << 6), NULL, umask },
#define END { NULL, 0, NULL, 0 }

#define FIRST_4(row) row(0) row(1) row(2) row(3)
#define FIRST_6(row) FIRST_4(row) row(4) row(5)
#define FIRST_8(row) FIRST_6(row) row(6) row(7)
#define FIRST_12(row) FIRST_8(row) row(8) row(9) row(10) row(11)

/* Zen 1 to Zen 3: 64 bytes of a channel, read or written; 32 bytes of a link. */
#define CHANNEL(n) AT("dram_ch_" #n, 0x07, n, 0x38)
#define LINK_2(n) AT("xgmi_out_" #n, 0x7c7, n, 0x02)
const struct event_name zen2_df_events[] = {
	FIRST_8(CHANNEL)
	FIRST_4(LINK_2)
	END
};

/* From Zen 4 on: beats of 64 bytes; what cores read is in beats of 32.  The unit
 * mask says which way, and for a request of this socket or of the other. */
#define READ_LOCAL 0x7fe
#define WRITE_LOCAL 0x7ff
#define READ_REMOTE 0xbfe
#define WRITE_REMOTE 0xbff
#define READ 0xffe
#define WRITE 0xfff
#define LINK_OUT 0xf3e
#define LINK_IN 0xf3f

/* The two ports of a core complex's interface, 0x41e and 0x41f. */
#define CCM(n) \
	AT("ccm_in_local_" #n "_0", 0x41e, n, READ_LOCAL) \
	AT("ccm_out_local_" #n "_0", 0x41e, n, WRITE_LOCAL) \
	AT("ccm_in_remote_" #n "_0", 0x41e, n, READ_REMOTE) \
	AT("ccm_out_remote_" #n "_0", 0x41e, n, WRITE_REMOTE) \
	AT("ccm_in_local_" #n "_1", 0x41f, n, READ_LOCAL) \
	AT("ccm_out_local_" #n "_1", 0x41f, n, WRITE_LOCAL) \
	AT("ccm_in_remote_" #n "_1", 0x41f, n, READ_REMOTE) \
	AT("ccm_out_remote_" #n "_1", 0x41f, n, WRITE_REMOTE)
#define IO(n) \
	AT("io_rd_local_" #n, 0x81f, n, READ_LOCAL) \
	AT("io_wr_local_" #n, 0x81f, n, WRITE_LOCAL) \
	AT("io_rd_remote_" #n, 0x81f, n, READ_REMOTE) \
	AT("io_wr_remote_" #n, 0x81f, n, WRITE_REMOTE)

#define CHANNEL_4(n) \
	AT("dram_rd_local_" #n, 0x1f, n, READ_LOCAL) \
	AT("dram_wr_local_" #n, 0x1f, n, WRITE_LOCAL) \
	AT("dram_rd_remote_" #n, 0x1f, n, READ_REMOTE) \
	AT("dram_wr_remote_" #n, 0x1f, n, WRITE_REMOTE)
#define LINK_4(n) AT("xgmi_out_" #n, 0xb5f, n, LINK_OUT)
const struct event_name zen4_df_events[] = {
	FIRST_12(CHANNEL_4)
	FIRST_4(IO)
	FIRST_8(LINK_4)
	FIRST_8(CCM)
	END
};

/* Zen 5 has masks for both sockets at once; reads of DRAM by this one alone are
 * in no list but LIKWID's. */
#define CHANNEL_5(n) \
	AT("dram_rd_" #n, 0x1f, n, READ) \
	AT("dram_wr_" #n, 0x1f, n, WRITE) \
	AT("dram_wr_local_" #n, 0x1f, n, WRITE_LOCAL) \
	AT("dram_wr_remote_" #n, 0x1f, n, WRITE_REMOTE)
#define CXL(n) \
	AT("cxl_rd_" #n, 0x31f, n, READ) \
	AT("cxl_wr_" #n, 0x31f, n, WRITE)
#define IO_5(n) \
	AT("io_rd_" #n, 0x81f, n, READ) \
	AT("io_wr_" #n, 0x81f, n, WRITE) \
	IO(n)
#define CCM_5(n) \
	AT("ccm_in_" #n "_0", 0x41e, n, READ) \
	AT("ccm_out_" #n "_0", 0x41e, n, WRITE) \
	AT("ccm_in_" #n "_1", 0x41f, n, READ) \
	AT("ccm_out_" #n "_1", 0x41f, n, WRITE) \
	CCM(n)
#define LINK_5(n) \
	AT("xgmi_out_" #n, 0xd5f, n, LINK_OUT) \
	AT("xgmi_in_" #n, 0xd5f, n, LINK_IN)
const struct event_name zen5_df_events[] = {
	FIRST_12(CHANNEL_5)
	FIRST_4(CXL)
	FIRST_8(IO_5)
	FIRST_6(LINK_5)
	FIRST_8(CCM_5)
	END
};
