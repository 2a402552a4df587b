/*
 * daemon/plan/plan_int.h - what the files that build a plan share.
 */
#ifndef DAEMON_PLAN_PLAN_INT_H
#define DAEMON_PLAN_PLAN_INT_H

#include "config/lang/terms.h"
#include "daemon/plan/plan.h"
#include "lib/lookup.h"
#include "regs/access.h"

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
	struct unit *core;              /* by lproc: its core PMU */
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

/* One event on its counter. */
struct slot {
	const struct want *want;
	int counter;
	bool pair;                      /* and takes the next counter, too */
};

/* plan_boxes.c: boxes and cores.
 * plan_boxes - their columns, of consecutive statements about one type.
 * plan_program - the control registers of one of them.
 * plan_modules - do cores that share a register want the same of it? */
int plan_boxes(struct plan *, const struct want *first, unsigned n);
int plan_program(struct plan *, const struct unit *);
int plan_modules(struct plan_build *);

/* plan_slots.c: boxes, and the core PMU of each lproc, one by one: what is programmed.
 * plan_cores - makes plan_build.core: of one that is not programmed the type is NULL.
 * next_unit - the next unit of a type, in the order package, instance (lproc for the
 * core); *at starts at 0.  NULL at the end; absent ones are passed over.
 * unit_reader - the lproc that reads a unit.  unit_block - the package in whose block it
 * is; -1: it is in the lproc's.  unit_bits - the width of its counters. */
int plan_cores(struct plan_build *);
const struct unit *next_unit(const struct plan_build *, const struct box_type *,
    unsigned *at);
unsigned unit_reader(const struct plan_build *, const struct unit *);
int unit_block(const struct unit *);
uint8_t unit_bits(const struct plan_build *, const struct unit *);
/* plan_slots - the counters of the events of a set; slot_counters - those that
 * one has; want_matches - is it about that unit? */
bool want_matches(const struct want *, const struct unit *);
int plan_slots(struct plan_build *, const struct unit *, unsigned set,
    struct slot *, unsigned *n);
unsigned slot_counters(const struct slot *);

/* plan_blocks.c: the lists */
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
 * One of a unit, if it does; once all is known, where their values go. */
int plan_add_saturating(struct plan *, const struct unit *, unsigned counter);
void plan_saturating(struct plan *);

/* plan_blocks.c: what follows from columns and writes once all are known.
 * plan_blocks - the blocks, lproc by lproc, and the cells of what they read.
 * plan_watch - which controls are checked in which block: an lproc's in the block of
 * that lproc, a package's in a block of its package.
 * plan_tell_stamps - says in the head which families have the stamp of their package's
 * bus block.
 * plan_packages - fills in plan.lproc.
 * plan_own_columns - adds clocks before all other columns, stamps and costs behind.
 * 0 or -ENOMEM. */
int plan_blocks(struct plan *);
int plan_watch(struct plan *);
int plan_tell_stamps(struct plan *);
int plan_packages(struct plan *);
int plan_own_columns(struct plan *);

/* plan_sets.c: what event sets share.
 * A column of an event that shares its counter with other sets; lproc and pkg are as
 * of plan_add_column. */
int plan_add_rotated(struct plan *, const struct column *,
    const struct reg_addr *, unsigned lproc, int pkg, unsigned set);
/* A register with a value for each set, value[1..nset-1]. */
int plan_add_rotating(struct plan *, const struct plan_write *,
    const uint64_t *value);
/* plan_in_sets - what always counts on an lproc whose counters sets share, for each
 * of its turns; once all columns are known. */
int plan_in_sets(struct plan *);
/* Lists by block, and cells of the columns, once the blocks are known. */
int plan_sort_sets(struct plan *);

/* plan_soc.c: the counters behind a message bus */
int plan_soc(struct plan *, const struct want *first, unsigned n);

/* plan_perf.c: what the kernel counts */
int plan_perf(struct plan *, const struct want *first, unsigned n);
/* 0, or -ENOTSUP for a statement that registers cannot follow. */
int plan_perf_only(const struct want *, struct diag *why);

/* plan_free.c: registers that always count */
int plan_scalar(struct plan *, const struct want *first, unsigned n);
/* plan_apart.c: files */
int plan_file(struct plan *, const struct want *);
/* plan_cells_apart - cells of files and slow registers, of their columns, and of the
 * stamps of their statements, behind the cells of all blocks. */
void plan_cells_apart(struct plan *);
/* plan_apart.c: a column that shows a register which is read every so many
 * samples.  The head says so of its family; of its event, where it has one.
 * lproc and pkg are as of plan_add_column. */
int plan_add_slow(struct plan *, const struct column *,
    const struct reg_addr *, unsigned every, unsigned lproc, int pkg);
/* The column of a free-running counter; its family NULL: out of memory. */
struct column_id freerun_id(const struct freerun *, const struct family *,
    unsigned pkg, unsigned inst);

/* What the files that plan for the kernel's counting share. */

enum domain { ON_CPUS, ON_CORES, ON_BOXES, ON_PMU };

/* An event that the kernel is asked to count. */
struct perf_event {
	const struct want *want;
	const char *name;               /* of the event in its column; "": none */
	struct family family;           /* of its column, where it is not added up */
	uint8_t cls;                    /* enum column_class; 0: its family's */
	struct perf_attr attr;
	bool own;                       /* needs none of the general counters */
	unsigned dropped;               /* 1: the run's cores cannot count it;
					 * 2: those of another PMU cannot */
	unsigned probed;                /* where that was tried: the same bits */
	struct pmu_event says;          /* scale and unit, from sysfs */
	const struct core_group *sum;   /* lprocs to be added up; or NULL */
	const uint8_t *listed;          /* by lproc, CORES_ALONE ...; NULL: it
	                                 * has no cores list */
	/* a list of events that could be in one group: */
	unsigned first, next;           /* NO_EVENT: none */
	unsigned last, owns;            /* of the first: how many have .own */
	/* a list of events with the same sum: */
	unsigned next_sum;              /* NO_EVENT: none */
	unsigned last_sum;              /* of the first */
	bool placed;                    /* it is counted somewhere */
	unsigned handle;                /* of its first group, + 1; 0: none */
};

/* Marks of `listed`: in a list that is added up; in a list of one. */
enum { CORES_SUMMED = 1, CORES_ALONE = 2 };
#define NO_EVENT UINT32_MAX

/* Where events are counted: on one CPU, or on several whose counts are added up. */
struct perf_place {
	struct column_id at;            /* of the columns, all but family and
	                                 * event */
	enum family_sum adds;           /* what is added up */
	unsigned lproc;                 /* that reads it, where pkg is -1 */
	int pkg;                        /* -1: the lproc's */
	unsigned n;
	unsigned *cpu;
	uint32_t *type;                 /* PMU of each; 0: as the event says */
	unsigned room;                  /* counters there */
	const struct unit *unit;        /* a box of the model; or NULL */
	const struct core_group *sum;   /* the lprocs of it; or NULL */
	unsigned first_event;           /* the first that may belong there */
};

/* Events of one kind, and where they are counted. */
struct run {
	struct plan *plan;
	enum domain domain;
	const struct box_type *type;    /* ON_BOXES; ON_CORES: may be NULL */
	const char *pmu_name;           /* ON_PMU */
	struct pmu *pmu;                /* whose formats hold; type UINT32_MAX:
	                                 * there is none */
	unsigned ran, silent;           /* the largest group that ran, and the
	                                 * smallest that did not, in counters;
	                                 * 0: not tried */
	uint32_t *core_type;            /* by lproc, the type of its PMU, where
	                                 * cores have several; or NULL */
	struct perf_event *event;
	unsigned nevent, event_room;
	struct lookup cores;            /* one event of each cores list */
	struct perf_place *place;
	unsigned nplace, place_room;
};


/* perf_domain - where the events of a statement are counted; *type is the box
 * type, the core's, or NULL. */
enum domain perf_domain(const struct want *, const struct box_type **type);
/* perf_add_event - the event(s) of one statement.  0 or -errno. */
int perf_add_event(struct run *, const struct want *);
/* perf_generic - is it one of the kernel's own events, for any core PMU? */
bool perf_generic(const struct perf_event *);
/* perf_places.c: all places that the events of a run ask for. */
int perf_make_places(struct run *);
/* perf_names_pmu - does a statement name one PMU of its kind, uncore_cha_3? */
bool perf_names_pmu(const struct want *);
/* perf_other_core - has that lproc another PMU than the run's? */
bool perf_other_core(const struct run *, const struct perf_place *);
/* perf_belongs - is the event counted at that place? */
bool perf_belongs(const struct run *, const struct perf_event *,
    const struct perf_place *);
/* perf_own_socket - it would count accesses to a socket at that very socket,
 * which is not what the event is for: left out unless the line names the
 * package or the PMU. */
bool perf_own_socket(const struct run *, const struct perf_event *,
    const struct perf_place *);
/* perf_groups.c: which events could be counted together, in their order. */
int perf_chain(struct run *);
/* open the groups of a place, and add their columns. */
int perf_add_groups(struct run *, struct perf_place *);
/* perf_open.c: perf_attr_at - what the kernel is asked for on CPU i of a place. */
const struct perf_attr *perf_attr_at(const struct run *,
    const struct perf_event *, const struct perf_place *, unsigned i,
    struct perf_attr *);
/* perf_open_group - events together at a place: the handle, or -errno; *first the
 * group on its first CPU, *bad the event that was refused. */
int perf_open_group(struct run *, const struct perf_place *,
    struct perf_event *const *member, unsigned n, struct perf_group *first,
    unsigned *bad);
/* perf_takes - how many counters an event takes; the kernel adds the
 * second of a pair. */
unsigned perf_takes(const struct run *, const struct perf_event *);
/* perf_too_large - would the group be opened, and never run? */
bool perf_too_large(struct run *, const struct perf_place *,
    struct perf_event *const *member, unsigned n);
/* perf_note_silent - tell of those that do not run. */
void perf_note_silent(struct run *);
/* perf_files - about how many descriptors all statements need. */
unsigned perf_files(const struct plan *);
/* perf_note_ports - how many ports the events of a run count, into the head. */
int perf_note_ports(struct run *);

/*
 * perf_encode - the attribute for an event of a box.
 *
 * What a control register would hold is what config holds, less the bits that
 * switch it on; filters go to config1, or to the format term of their name.
 * Returns 0, or -EINVAL with words in why where the PMU's formats cannot.
 */
int perf_encode(const struct config *, const struct want *, const struct pmu *,
    struct perf_attr *, struct diag *why);

/* plan_perf_read - the registers of a `read` statement, as far as some PMU of
 * the kernel has them. */
int plan_perf_read(struct plan *, const struct want *first, unsigned n);

/* The files of a node that a path with * in it names. */

#define MAX_MATCHES 4096

struct file_match {
	char *path;
	char *label;            /* what the stars stand for, "/" between them */
};

struct file_matches {
	struct file_match *match;
	unsigned n, room;
};

/*
 * file_match - all of them, in the order of their labels, numbers in them by size.
 * A path without a * is one match, there or not, with a label "".
 *
 * Returns 0, -ENOMEM, or -E2BIG above MAX_MATCHES.  file_match_fini in any case.
 */
int file_match(struct file_matches *, struct access *, const char *path);
void file_match_fini(struct file_matches *);

#endif
