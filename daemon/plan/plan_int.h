/*
 * daemon/plan/plan_int.h - what the files that build a plan share.
 */
#ifndef DAEMON_PLAN_PLAN_INT_H
#define DAEMON_PLAN_PLAN_INT_H

#include "lib/lookup.h"
#include "daemon/plan/plan.h"

/* A read before reads are sorted by lproc. */
struct want_read {
	struct reg_addr addr;
	unsigned lproc;
	int pkg;                        /* -1: the lproc's own */
	bool dropped;
};

/* Where a column's value comes from, until plan_blocks gives it a cell. */
struct read_from {
	enum {
		FROM_BLOCK,             /* plan_build.read[at] */
		FROM_SETS,              /* plan.sets.cell[at] */
		FROM_FILE,              /* plan.apart.file[at] */
		FROM_SLOW               /* plan.apart.slow[at] */
	} list;
	unsigned at;
	bool bus;                       /* a package's register that is no MSR */
};

struct plan_build {
	const struct config *config;
	const struct topo *topo;
	const struct inventory *inv;
	struct access *acc;
	struct diag *why;
	struct want_read *read;
	unsigned nread, read_room;
	struct lookup reads;            /* of read, by address */
	struct lookup freeruns;         /* columns of free-running counters, by
	                                 * family and place */
	struct lookup told;             /* events the head tells of: where in
	                                 * its text, by name */
	struct read_from *source;          /* of each column */
	unsigned source_room;
	unsigned column_room, write_room, note_room, remark_room;
	unsigned rot_room, value_room, shared_room, cell_room, control_room;
	unsigned opened_room, file_room, slow_room, sat_room;
	unsigned nvalue, ncell;         /* of plan.sets.value, .cell */
};

/* A box, or the core PMU of one lproc, that is programmed. */
struct target {
	const struct box_type *type;
	int pkg;
	unsigned inst;                  /* instance; lproc for the core */
	unsigned counters;              /* that this node has */
	uint8_t bits;
	unsigned lproc;                 /* that reads it */
	int block;                      /* the package whose block it is in; -1:
					 * the lproc's */
	struct reg_addr where;          /* space and unit; offset = base */
	uint32_t ctl, ctr;              /* how its registers lie */
	uint8_t ctl_step, ctr_step;
	bool box_ctl;                   /* it has one */
};

/* One event on its counter. */
struct slot {
	const struct want *want;
	int counter;
	bool pair;                      /* and takes the next counter, too */
};

/* plan_boxes.c: the columns of boxes and cores, of consecutive statements about
 * one type */
int plan_boxes(struct plan *, const struct want *first, unsigned n);

/* plan_slots.c: targets, one by one. */
/* Next target of a type, in the order package, instance (lproc for the
 * core); *at starts at 0.  False at the end; absent ones are passed over. */
bool next_target(struct plan_build *, const struct box_type *, unsigned *at,
    struct target *);
struct reg_addr target_addr(const struct target *, uint32_t reg,
    unsigned bytes);
/* plan_slots - the counters of the events of a set; slot_counters - those that
 * one has; want_matches - is it about that target? */
bool want_matches(const struct want *, const struct target *);
int plan_slots(struct plan_build *, const struct target *, unsigned set,
    struct slot *, unsigned *n);
unsigned slot_counters(const struct slot *);

/* plan_core.c: the programming of boxes and cores */
int plan_program(struct plan *, const struct target *);

/* plan_lists.c: the lists */
/* plan_no_memory - sets why, and returns -ENOMEM. */
int plan_no_memory(const struct plan *);
int plan_add_write(struct plan *, const struct plan_write *);
/* plan_family - the family of a name, and what the head is to say of it: as
 * family_describe has it, but for the width, and the unit where it is not NULL;
 * the first column settles it.  NULL: out of memory.  plan_text - a copy. */
const struct family *plan_family(struct plan *, const char *name, int bits,
    const char *unit);
const char *plan_text(struct plan *, const char *);
/* plan_event - an event's name as its columns have it, cut where it is too long;
 * NULL: out of memory. */
const char *plan_event(struct plan *, const char *);
/* A column that shows the register at addr, read from lproc; pkg: it is a
 * register of that package, -1: of the lproc.  Of the column its cell is still
 * to be found. */
int plan_add_column(struct plan *, const struct column *,
    const struct reg_addr *, unsigned lproc, int pkg);
/* plan_add_from - a column whose value comes from any of the lists. */
int plan_add_from(struct plan *, const struct column *, struct read_from);
/* The read of a register, new or there already; -1 when out of memory. */
int plan_add_read(struct plan *, const struct reg_addr *, unsigned lproc,
    int pkg);
int plan_add_control(struct plan *, const struct column_id *, uint64_t ctl,
    unsigned set);
/* An event that the kernel counts, for people to see. */
int plan_add_opened(struct plan *, const struct column_id *, unsigned cpu,
    unsigned group, const struct perf_attr *);
/* plan_head_error - 0, or -ENOMEM where a line for the head found no memory. */
int plan_head_error(struct plan *);
/* plan_note - a line on what is not counted.  plan_remark - on what is. */
void plan_note(struct plan *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void plan_remark(struct plan *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Counters that stop at their end.
 * One of a target, if it does; once all is known, where their values go. */
int plan_add_saturating(struct plan *, const struct target *, unsigned counter);
void plan_saturating(struct plan *);

/* plan_blocks.c: what follows from columns and writes once all are known */
int plan_blocks(struct plan *);

/* plan_sets.c: what event sets share.
 * A column of an event that shares its counter with other sets. */
int plan_add_rotated(struct plan *, const struct column *,
    const struct target *, const struct reg_addr *, unsigned set);
/* A register with a value for each set, value[1..nset-1]. */
int plan_add_rotating(struct plan *, const struct plan_write *,
    const uint64_t *value);
/* plan_in_sets - what always counts on an lproc whose counters sets share, for each
 * of its turns; once all columns are known. */
int plan_in_sets(struct plan *);
/* Lists by block, once the blocks are known. */
int plan_sort_sets(struct plan *);

/* plan_soc.c: the counters behind a message bus */
int plan_soc(struct plan *, const struct want *first, unsigned n);

/* plan_core.c: cores that share a register want the same of it? */
int plan_modules(struct plan_build *);

/* plan_perf.c: what the kernel counts */
int plan_perf(struct plan *, const struct want *first, unsigned n);
/* 0, or -ENOTSUP for a statement that registers cannot follow. */
int plan_perf_only(const struct want *, struct diag *why);

/* plan_free.c: registers that always count */
int plan_scalar(struct plan *, const struct want *first, unsigned n);
/* plan_raw.c: a register of the user's own */
int plan_raw(struct plan *, const struct want *);
/* plan_apart.c: files */
int plan_file(struct plan *, const struct want *);
/* plan_cells_apart - cells of files and slow registers, and of the stamps of their
 * statements, behind the cells of all blocks. */
void plan_cells_apart(struct plan *);
/* plan_apart.c: a column that shows a register which is read every so many
 * samples.  The head says so of its family; of its event, where it has one.
 * lproc and pkg are as of plan_add_column. */
int plan_add_slow(struct plan *, const struct column *,
    const struct reg_addr *, unsigned every, unsigned lproc, int pkg);
/* The column of a free-running counter; its family NULL: out of memory. */
struct column_id freerun_id(const struct freerun *, const struct family *,
    unsigned pkg, unsigned inst);

#endif
