/*
 * regs/sideband.h - the message bus of an Atom SoC, and the counters behind it.  The bus
 * is reached through three registers of PCI function 0:0.0, so any method that has PCI
 * space will do.
 *
 * The bus reaches units that can hang the machine, so its door is locked until
 * sideband_unlock has seen which SoC this is; nothing is written before.
 * Only one thread may use it: the three registers are one mailbox.
 */
#ifndef REGS_SIDEBAND_H
#define REGS_SIDEBAND_H

#include "lib/diag.h"
#include "regs/access.h"

/* REG_SIDEBAND's unit.  Bit 0 of the opcode says write: a register has the
 * opcode that reads it, and is written with the one above. */
#define SIDEBAND_UNIT(port, opcode) \
	((uint32_t)(port) << 8 | ((uint32_t)(opcode) & 0xfe))

/* A SoC with counters behind its message bus: a part of a model. */
struct soc {
	const char *title;              /* "Atom C2000" */
	uint8_t family, cpu;            /* CPUID */
	uint16_t bridge_lo, bridge_hi;  /* device id of 0:0.0 */
	/* The register that holds the ECAM window: bits 31:28, bit 0 set. */
	uint8_t ecam_port, ecam_opcode, ecam_reg;
	/* Where counters and the muxes in front of them answer, unless the site's
	 * file says otherwise. */
	uint8_t counter_port, mux_port, opcode;
	double max_interval;            /* s; a counter may wrap only once */
	const char *groups;             /* text that describes the groups */
	const char *site;               /* path of the site's file with its events */
	const char *const *constant;    /* names that a configuration may set */
};

/*
 * sideband_unlock - is this the SoC that we know?
 *
 * family, cpu   of the processor, from CPUID
 *
 * Reads 0:0.0's id; writes nothing.  Returns 0 with the door open, or -errno
 * with the door locked and the reason in why.
 */
int sideband_unlock(struct access *, const struct soc *, unsigned family,
    unsigned cpu, struct diag *why);

/*
 * sideband_check - does the mailbox return what is known from elsewhere?
 *
 * Reads the ECAM window of the memory arbiter and compares it with the one
 * that the firmware reports.  Returns 0, or -errno with the door locked.
 */
int sideband_check(struct access *, const struct soc *, struct diag *why);

/*
 * sideband_read, sideband_write - one transaction, for the backends.
 *
 * In the order of the reference: data (write), high offset, then the command
 * word, which starts it; data (read).  The high offset is written each time,
 * as another agent may have left one, and is 0 afterwards, as firmware
 * expects.  Returns 0 or -errno: -EPERM the door is locked, -EINVAL no such
 * address.
 */
int sideband_read(struct access *, const struct reg_addr *, uint64_t *raw);
int sideband_write(struct access *, const struct reg_addr *, uint64_t raw);

/*
 * Intel's CHAP counter unit behind the message bus: eight 32-bit counters, each with a
 * command, an event, a status and a data register.  The data register is a latch: it
 * changes on Sample alone.
 */

enum { CHAP_COUNTERS = 8, CHAP_STEP = 0x10 };

/* Registers of counter 0; counter n has them at + n * CHAP_STEP. */
enum chap_reg {
	CHAP_COMMAND = 0x28, CHAP_EVENT = 0x2c, CHAP_STATUS = 0x30,
	CHAP_DATA = 0x34,
};

/* Commands, effective at once. */
enum chap_command {
	CHAP_HOLD = 0x00000000,         /* stop; the count is kept */
	CHAP_RUN = 0x00110000,          /* start, as Intel's SoC driver does */
	CHAP_SAMPLE = 0x00020000,       /* latch the count; it runs on */
	CHAP_RESET = 0x00040000,        /* count 0, and stop */
	CHAP_PRELOAD = 0x000f0000,      /* count = data */
};

#define CHAP_ACTIVE (1u << 29)          /* status: counting */
#define CHAP_CLAIMED (1u << 28)         /* status: see chap_self_test */

/* Where a counter unit answers. */
struct chap {
	uint8_t port, opcode;           /* opcode: the one that reads */
};

/* One register write of a list that must be written in order. */
struct reg_step {
	struct reg_addr addr;
	uint64_t value;
};

struct reg_addr chap_addr(const struct chap *, unsigned n, enum chap_reg);

/*
 * Each function fills `step` with the writes that do something to counters 0 to
 * n-1, and returns how many there are: at most 2 * CHAP_COUNTERS.
 *
 * chap_reset    data 0, then Reset: before programming, and at the very end.
 *               It destroys the counts, so sample first.
 * chap_start    the command `start`: CHAP_RUN unless the site's file has another
 * chap_sample   latch all counters back to back, so that they are of one time
 */
unsigned chap_reset(const struct chap *, unsigned n, struct reg_step *step);
unsigned chap_start(const struct chap *, unsigned n, uint32_t start,
    struct reg_step *step);
unsigned chap_sample(const struct chap *, unsigned n, struct reg_step *step);

/* reg_steps - do the writes in order.  Goes on after one that fails, so that a list
 * that stops counters stops as many as it can.  Returns 0 or the first -errno. */
int reg_steps(struct access *, const struct reg_step *, unsigned n);

/* chap_running - is counter 0 counting already?  1, 0, or -errno where no counter
 * answers (chap_self_test then says why). */
int chap_running(struct access *, const struct chap *);

/*
 * chap_self_test - do counters answer here?
 *
 * Resets, starts and resets counter 0, and looks whether bit 29 of its status
 * follows.  The counter's value is lost, so call it before a run.  Returns 0 or
 * -errno with the reason in why.
 */
int chap_self_test(struct access *, const struct chap *, uint32_t start,
    struct diag *why);

/* chap_legal - may a list of writes touch this register offset, as Intel's driver
 * for this SoC has it? */
bool chap_legal(uint32_t offset);
/* chap_is_command - is it the command register of a counter? */
bool chap_is_command(uint32_t offset);

#endif
