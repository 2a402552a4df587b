/*
 * config/dump/family.h - a family of columns: they share the name before the
 * indices, the meaning of the indices, width, unit and class.
 *
 * Each program has one object for a family.  The plan makes it from a row of
 * the model's tables, the reader from its name and the head of the dump.  Both
 * use family_describe for the rest, so both get the same result.
 */
#ifndef CONFIG_DUMP_FAMILY_H
#define CONFIG_DUMP_FAMILY_H

#include "config/arena.h"
#include "lib/lookup.h"
#include "regs/model.h"

#include <stddef.h>

/* The meaning of the index of a family's columns.  If they have two indices,
 * these are package and box, unless stated otherwise. */
enum family_of {
	OF_NODE,                /* of the whole node: walltime[0] */
	OF_LPROC,               /* aperf[lproc] */
	OF_CORE,                /* core_c6_residency[first lproc of the core] */
	OF_CCX,                 /* two indices: package and core complex */
	OF_PKG,                 /* rapl_pkg_energy[package] */
	OF_PORT,                /* ib_recv_bytes[port of the node] */
};

/* The parts of names of related families: imc_counts, imc_enabled,
 * imc_sum_counts. */
enum family_part {
	PART_NONE,              /* the name has no such part: aperf */
	PART_COUNTS,
	PART_ENABLED,           /* perf's time_enabled of a group, in ns */
	PART_RUNNING,           /* perf's time_running of a group, in ns */
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
	const char *value;      /* what is printed: "raw", or its formula */
	uint8_t bits;           /* of the raw counter; 0: no counter */
	uint8_t mul;            /* raw * mul is what is printed; at least 1 */
	uint8_t cls;            /* enum column_class, unless the event has its
				 * own */
	uint8_t of;             /* enum family_of */
	uint8_t part, sum;      /* enum family_part, family_sum */
	uint16_t stem;          /* length of the name without these: "imc" */
	bool raw;               /* a register of the user's own */
	bool known;             /* by its name: its arrays hold samples */
	bool said;              /* bits, mul and unit are from the head */
	bool fixed;             /* the fixed counters of a core or of boxes */
	/* the row of the model's tables: one of these, or none */
	const struct box_type *type;
	const struct scalar *scalar;
	const struct freerun *freerun;
};

/* family_describe - fill in what follows from the family's name and the
 * model. */
void family_describe(struct family *, const struct model *, const char *name);

/* family_say - set what the dump's head says of the family; unit NULL, bits
 * below 0 or mul 0: it says nothing of these.
 * family_say_value - the same for `value`; NULL: nothing. */
void family_say(struct family *, const char *unit, int bits, unsigned mul);
void family_say_value(struct family *, const char *value);

/* family_event - the class of an event, by its control value, or by its name if
 * the control value is unknown (ctl ABSENT). */
enum column_class family_event(const struct family *, const struct model *,
    const char *event, uint64_t ctl);

/* family_name - the family's name from its parts: "imc", SUM_BOXES and
 * PART_ENABLED give "imc_sum_enabled". */
const char *family_name(const char *stem, size_t stem_len, enum family_sum,
    enum family_part, char *buf, size_t size);

/* All families, each name once. */
struct families {
	struct arena *arena;            /* the owner's */
	const struct model *model;
	struct family **family;
	unsigned n, room, last;         /* last: the one found last */
	struct lookup by_name;
};

/* families_get - find a family by name, or add it, described by
 * family_describe; NULL: out of memory.
 * families_find - find a family by name; NULL if it was not added yet. */
struct family *families_get(struct families *, const char *name, size_t len);
struct family *families_find(struct families *, const char *name, size_t len);
void families_fini(struct families *);

#endif
