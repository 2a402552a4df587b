/*
 * daemon/instead/recorder.h - keeps what is read of a node: registers by address, files by
 * path.
 */
#ifndef DAEMON_INSTEAD_RECORDER_H
#define DAEMON_INSTEAD_RECORDER_H

#include "daemon/node/node.h"
#include "lib/lookup.h"
#include "regs/access.h"
#include "regs/perf.h"

#include <stdio.h>

#define RECORD_SAMPLES 10

/* A register, with the value that was read first. */
struct recorded {
	struct reg_addr addr;
	int error;              /* -errno: it could not be read */
	uint64_t raw;
	uint8_t bits;           /* of a counter; 0: it is not known to be one */
	bool reading;           /* no counter: it goes up and down */
	bool writable;          /* a run on the recorded node would write it */
	uint64_t *series;       /* [RECORD_SAMPLES], or NULL */
};

struct recorded_file {
	char *path;
	int error;              /* -errno: there is none */
	bool link;
	char *text;             /* [size], and a NUL behind it */
	size_t size;
};

/* How large groups of a PMU's events can be. */
struct recorded_pmu {
	uint32_t type;
	unsigned most;          /* members of the largest group that was taken */
	uint64_t own[PERF_MEMBERS];     /* events that all of those have */
	unsigned nown;
	unsigned refused;       /* members of the smallest that was refused; 0 */
};

struct recorder {
	struct access_ops ops;          /* the method's, but for what is kept: first */
	struct host_ops host;
	struct perf_ops perf;
	const struct access_ops *own;
	struct recorded *reg;
	unsigned nreg, reg_room;
	struct lookup regs;
	struct recorded_file *file;
	unsigned nfile, file_room;
	struct lookup files;
	char **text;                    /* paths of REG_TEXT units */
	unsigned ntext, text_room;
	struct recorded_pmu *pmu;
	unsigned npmu, pmu_room;
	bool lost;                      /* memory ran out: something is missing */
};

/* recorder_start - keeps from now on what is read by `access`; NULL when out of memory.
 * recorder_stop - gives `access` its method back, and frees all; NULL accepted. */
struct recorder *recorder_start(struct access *);
void recorder_stop(struct recorder *, struct access *);

/* recorder_read - reads and keeps a whole register: one of 64 bits in PCI space is one,
 * not two halves.  NULL: out of memory. */
struct recorded *recorder_read(struct recorder *, struct access *,
    const struct reg_addr *);

/* recorder_sorted - the files by path; free() it; NULL: out of memory. */
struct recorded_file **recorder_sorted(const struct recorder *);
/* recorder_file - what was read of a path; NULL: nothing was. */
const struct recorded_file *recorder_file(const struct recorder *,
    const char *path);

/*
 * What the files of a recording share.
 *
 * recorder.c          keeps what is read
 * record_registers.c  registers as lines
 * record_text.c       the whole text; CPUID, the kernel's PMUs and files as lines
 *
 * daemon/instead/record_node.c reads every register there is, those that change ten
 * times, and calls these in order.
 *
 * Where a function returns int, that is 0 or -errno.
 */

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

void record_registers(struct recording *);
/* record_body - "= 0x12", or what else follows the address on a line. */
void record_body(const struct recording *, const struct recorded *,
    char *buf, size_t size);

/* record_pmus_read - reads the directories of the kernel's PMUs. */
void record_pmus_read(struct recording *);

/* record_text - the whole text, for the caller to free. */
int record_text(struct recording *, char **text, size_t *size,
    struct diag *why);

#endif
