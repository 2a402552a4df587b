/*
 * config/dump/family.h - what the columns of a family have in common: the name
 * before their indices, what those are, width, unit and class.
 *
 * A family is one object in each program that knows it: the plan makes it from
 * the row of the model's tables that its registers are in, the reader from its
 * name and what the head of the dump says.  What neither says is found in the
 * same place, family_describe, so that both come to the same.
 */
#ifndef CONFIG_DUMP_FAMILY_H
#define CONFIG_DUMP_FAMILY_H

#include "config/arena.h"
#include "lib/lookup.h"
#include "regs/model.h"

#include <stddef.h>

/* What the one index of a family's columns names; of two they are package and
 * box, whatever the family. */
enum family_of {
	OF_NODE,                /* none, or no unit: walltime[0] */
	OF_LPROC,               /* aperf[lproc] */
	OF_CORE,                /* core_c6_residency[first lproc of the core] */
	OF_CCX,                 /* of two: package and core complex */
	OF_PKG,                 /* rapl_pkg_energy[package] */
	OF_PORT,                /* ib_recv_bytes[port of the node] */
};

/* Families that belong together differ in these: imc_counts, imc_enabled,
 * imc_sum_counts. */
enum family_part {
	PART_NONE,              /* its name is a whole: aperf */
	PART_COUNTS,
	PART_ENABLED,           /* ns that the kernel had a group enabled, */
	PART_RUNNING,           /* and counted it */
	PART_SCALED,            /* counts times enabled / running */
	PARTS
};

enum family_sum {
	SUM_NONE,
	SUM_LPROCS,             /* core_group_counts["0-3"] */
	SUM_BOXES,              /* cha_sum_counts[package] */
	SUMS
};

struct family {
	const char *name;       /* "imc_counts" */
	const char *unit;       /* "count", "bytes", "rapl_pkg"; "": not known */
	const char *value;      /* what is printed: "raw", or made of that how */
	uint8_t bits;           /* of the raw counter; 0: no counter */
	uint8_t mul;            /* raw * mul is what is printed; at least 1 */
	uint8_t cls;            /* enum column_class, where an event has no other */
	uint8_t of;             /* enum family_of */
	uint8_t part, sum;      /* enum family_part, family_sum */
	uint16_t stem;          /* length of the name without them: "imc" */
	bool raw;               /* a register of the user's own */
	bool known;             /* by its name: its columns are samples */
	bool said;              /* bits, mul and unit are the dump's own */
	bool fixed;             /* the fixed counters of a core or of boxes */
	const struct box_type *type;            /* whose counters, */
	const struct scalar *scalar;            /* or what register, */
	const struct freerun *freerun;          /* where the model has it */
};

/* family_describe - what is known of a family by its name alone. */
void family_describe(struct family *, const struct model *, const char *name);

/* family_say - what its dump says: unit NULL, bits below 0, mul 0: nothing.
 * family_say_value - what it says of its values; NULL: nothing. */
void family_say(struct family *, const char *unit, int bits, unsigned mul);
void family_say_value(struct family *, const char *value);

/* family_event - what an event of it counts: by the control value that counts
 * it where one is known (else ABSENT), by its name where none is. */
enum column_class family_event(const struct family *, const struct model *,
    const char *event, uint64_t ctl);

/* family_name - of the family of that stem: "imc", SUM_BOXES, PART_ENABLED. */
const char *family_name(const char *stem, size_t stem_len, enum family_sum,
    enum family_part, char *buf, size_t size);

/* One object a family: no two of one name. */
struct families {
	struct arena *arena;            /* the owner's */
	const struct model *model;
	struct family **family;
	unsigned n, room, last;         /* last: the one found last */
	struct lookup by_name;
};

/* families_get - by name, described and not yet said; NULL: out of memory.
 * families_find - or NULL when there is none so far. */
struct family *families_get(struct families *, const char *name, size_t len);
struct family *families_find(struct families *, const char *name, size_t len);
void families_fini(struct families *);

#endif
