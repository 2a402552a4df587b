/*
 * daemon/record/record_int.h - what the files of a recording share.
 *
 * recorder.c          keeps what is read
 * record_cpuid.c      CPUID of every lproc: read and written
 * record_walk.c       every register there is
 * record_samples.c    those that change, ten times
 * record_registers.c  registers as lines
 * record_pmus.c       the kernel's PMUs
 * record_files.c      files as lines
 * record_text.c       the whole text
 *
 * daemon/record_node.c calls these in order.
 *
 * Where a function returns int, that is 0 or -errno.
 */
#ifndef DAEMON_RECORD_RECORD_INT_H
#define DAEMON_RECORD_RECORD_INT_H

#include "daemon/node/node.h"
#include "daemon/record/recorder.h"

#include <stdio.h>

struct recording {
	struct node *node;
	struct recorder *kept;
	struct stamp at[RECORD_SAMPLES];
	unsigned nsample;       /* of registers; the clocks have ten */
	uint64_t interval_ns;
	FILE *out;
	unsigned unreadable;    /* registers */
	unsigned left_out;      /* files that were read and not recorded */
};

/* record_cpuid_read - reads the leaves; false: they cannot be read.  record_cpuid -
 * writes them as lines. */
bool record_cpuid_read(const struct recording *);
void record_cpuid(struct recording *);

/* record_walk - read every register of the model's tables and the head of
 * every PCI function.  record_extra -
 * registers that help whoever looks at the file. */
int record_walk(struct recording *);
void record_extra(struct recording *);
/* record_samples - the clocks, and what the plan reads, ten times. */
int record_samples(struct recording *);

void record_registers(struct recording *);
/* record_body - "= 0x12", or what else follows the address on a line. */
void record_body(const struct recording *, const struct recorded *,
    char *buf, size_t size);

/* record_pmus_read - reads the directories of the kernel's PMUs.  record_pmus - writes
 * them as lines, so that their events can be opened. */
void record_pmus_read(struct recording *);
void record_pmus(struct recording *);
/* record_files - files that the machine of the text so far has not, or has another
 * way. */
int record_files(struct recording *, struct access *so_far);

/* record_text - the whole text, for the caller to free. */
int record_text(struct recording *, char **text, size_t *size,
    struct diag *why);

#endif
