/*
 * daemon/node/replay.h - a recorded dump as the machine: the simulated backend,
 * its registers fed from the recording, sample by sample.
 */
#ifndef DAEMON_NODE_REPLAY_H
#define DAEMON_NODE_REPLAY_H

#include "config/dump/read.h"
#include "config/lang/want.h"
#include "daemon/plan/plan.h"
#include "regs/sim/sim.h"

struct replay;

/* replay_open - read a dump, and build a machine of its shape: as many
 * lprocs and boxes, its constants in the registers that they were read from. */
int replay_open(struct replay **, const char *dump, struct diag *why);
struct sim *replay_machine(struct replay *);

/* replay_config - count what the dump has, on the counters in its order. */
int replay_config(struct replay *, struct config *, struct diag *why);

/* replay_bind - feed every column of a plan that the dump has from it; the
 * columns that it lacks are taken out of the plan. */
int replay_bind(struct replay *, struct plan *, struct diag *why);

/* replay_digits - a number of the head as the dump spells it; or NULL. */
const char *replay_digits(const struct replay *, enum head_key);

/* replay_system - puts into the head what the dump says of its system, of discovery
 * tables and of HBM. */
void replay_system(const struct replay *, struct head *);

/* replay_samples - how many samples the dump has. */
uint64_t replay_samples(const struct replay *);

void replay_close(struct replay *);     /* NULL accepted */

struct replay {
	struct reader *reader;
	const struct model *model;
	struct sim *sim;
	uint64_t **value;               /* [column][sample] as printed */
	uint64_t **raw;                 /* what was fed, to be freed */
	unsigned ncolumn, nraw;
	unsigned n, room;               /* samples */
	struct stamp *clock;
};

#endif
