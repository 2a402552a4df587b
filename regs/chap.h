/*
 * regs/chap.h - Intel's CHAP counter unit behind the message bus: eight
 * 32-bit counters, each with a command, an event, a status and a data
 * register.  The data register is a latch: it changes on Sample alone.
 */
#ifndef REGS_CHAP_H
#define REGS_CHAP_H

#include "regs/access.h"
#include "regs/diag.h"

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

/* A register to write as it stands, in a list whose order matters. */
struct reg_step {
	struct reg_addr addr;
	uint64_t value;
};

struct reg_addr chap_addr(const struct chap *, unsigned n, enum chap_reg);

/*
 * The lists of steps, for counters 0 to n-1; each returns how many steps it
 * wrote into `step`, at most 2 * CHAP_COUNTERS.
 *
 * chap_reset    data 0, then Reset: before programming, and at the very end.
 *               It destroys the counts, so sample first.
 * chap_start    by the command `start`, CHAP_RUN unless a site knows better
 * chap_sample   latch all, one right after the other, so that they lie close
 */
unsigned chap_reset(const struct chap *, unsigned n, struct reg_step *step);
unsigned chap_start(const struct chap *, unsigned n, uint32_t start,
    struct reg_step *step);
unsigned chap_sample(const struct chap *, unsigned n, struct reg_step *step);

/* reg_steps - write them in order.  Goes on after a failure, so that what
 * stops something stops all it can; returns 0 or the first -errno. */
int reg_steps(struct access *, const struct reg_step *, unsigned n);

/* chap_running - is counter 0 counting, for somebody?  1, 0, or -errno where
 * nothing like a counter answers (which the self test says better). */
int chap_running(struct access *, const struct chap *);

/*
 * chap_self_test - do counters answer here?
 *
 * Reset, start and reset counter 0; bit 29 of its status must follow.  What
 * it counted is lost: for the start of a run.  Returns 0 or -errno with the
 * reason in why.
 */
int chap_self_test(struct access *, const struct chap *, uint32_t start,
    struct diag *why);

/* chap_legal - is this one of the register offsets that Intel's driver lets
 * a list for this SoC write? */
bool chap_legal(uint32_t offset);
/* chap_is_command - is it the command register of a counter? */
bool chap_is_command(uint32_t offset);

#endif
