/*
 * regs/chap.h - Intel's CHAP counter unit behind the message bus: eight
 * 32-bit counters, each with a command, an event, a status and a data
 * register.  The data register is a latch: it changes on Sample alone.
 */
#ifndef REGS_CHAP_H
#define REGS_CHAP_H

#include "regs/access.h"
#include "lib/diag.h"

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
