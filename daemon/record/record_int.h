/*
 * daemon/record/record_int.h - what the files of a recording share.
 *
 * recorder.c          what is read, kept
 * record_cpuid.c      CPUID of every lproc: read and written
 * record_walk.c       every register there is
 * record_samples.c    some of them, ten times
 * record_registers.c  registers as lines
 * record_pmus.c       the kernel's PMUs
 * record_files.c      files as lines
 * record_text.c       the whole text
 *
 * daemon/record_node.c has the order of it all.
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
	unsigned left_out;      /* files that were read, and are not told */
};

/* record_cpuid_read - can the leaves be read?  record_cpuid - as lines. */
bool record_cpuid_read(const struct recording *);
void record_cpuid(struct recording *);

/* record_walk - read every register of the model's tables and the head of
 * every PCI function.  record_extra - what helps who looks at the file. */
int record_walk(struct recording *);
void record_extra(struct recording *);
/* record_samples - the clocks, and what the plan reads, ten times. */
int record_samples(struct recording *);

void record_registers(struct recording *);
/* record_body - "= 0x12" or what else stands behind an address. */
void record_body(const struct recording *, const struct recorded *,
    char *buf, size_t size);

/* record_pmus_read - the directories of the kernel's PMUs.  record_pmus - as
 * lines, so that their events can be opened. */
void record_pmus_read(struct recording *);
void record_pmus(struct recording *);
/* record_files - those that the machine of the text so far does not have so. */
int record_files(struct recording *, struct access *so_far);

/* record_text - all of it; free() it. */
int record_text(struct recording *, char **text, size_t *size,
    struct diag *why);

#endif
