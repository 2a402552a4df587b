/*
 * config/lang/want.h - what is to be counted, whatever text asked for it.
 */
#ifndef CONFIG_LANG_WANT_H
#define CONFIG_LANG_WANT_H

#include "config/arena.h"
#include "config/lang/cores.h"
#include "lib/lookup.h"
#include "config/used.h"
#include "regs/diag.h"
#include "regs/model.h"
#include "regs/perf.h"

enum want_kind {
	WANT_EVENT,             /* ctl on a counter of a box */
	WANT_FIXED,             /* the fixed counter(s) of a box */
	WANT_FILTER,            /* a filter register, whatever the events */
	WANT_READ,              /* a scalar or free-running counter */
	WANT_CONTROL,           /* core control register: fixed_ctrl, global_ctrl */
	WANT_SOC,               /* a group of SoC events: `group` */
	WANT_PERF,              /* an event that only the kernel counts: `perf` */
};

/* What becomes of the boxes of a package, where the kernel counts. */
enum dispatch {
	DISPATCH_ON,            /* a column each */
	DISPATCH_OFF,           /* one column, their sum */
	DISPATCH_TYPE,          /* a column each, named EVENT:type=N, too */
};

/* How the kernel is asked for an event. */
struct perf_want {
	bool known;                     /* attr is what to ask for; else: */
	struct perf_attr attr;
	const char *family;             /* of its column, if known */
	const char *pmu, *terms;        /* pmu/terms/, to be looked up */
	const struct box_type *type;    /* that the PMU is of; or NULL */
	const char *why;                /* registers cannot; or NULL */
};

#define ALL_PKG (-1)
#define ALL_INST UINT32_MAX

struct want {
	enum want_kind kind;
	const struct box_type *type;    /* NULL for WANT_READ */
	int pkg;                        /* or ALL_PKG */
	uint32_t first, last;           /* instances; lprocs for the core */
	const char *name;               /* event, filter or family; NULL for a
	                                 * fixed counter by its own name */
	uint64_t ctl;                   /* control value, enable bits set; or
	                                 * the value of a filter or control */
	int counter;                    /* -1: any of `counters`; for
	                                 * WANT_FIXED: -1 is all there are */
	unsigned counters;              /* bit n: counter n can count it */
	unsigned filters;               /* bit f: filter[f] is asked for, by
	                                 * an event or by WANT_FILTER */
	uint64_t filter[MAX_FILTERS];
	unsigned weak;                  /* bit f: filter[f] is what it counts
	                                 * with by default; gives way to a
	                                 * WANT_FILTER (config_add sees to it),
	                                 * not to another event */
	const struct raw_read *raw;     /* WANT_READ of the user's own register;
	                                 * or NULL.  config/lang/raw_read.h */
	const struct file_read *of_file;        /* WANT_READ of a file; or NULL.
	                                 * config/lang/file_read.h */
	const struct soc_group *group;  /* WANT_SOC; config/lang/soc_groups.h */
	const struct perf_want *perf;   /* WANT_PERF; of a WANT_EVENT NULL, or
	                                 * the kernel's own name for it */
	unsigned together;              /* events of one number are a group;
	                                 * 0: as they fit */
	const struct core_group *sum;   /* lprocs to be added up; or NULL */
	const struct cores *cores;      /* of a package's event: which CPUs */
	enum dispatch dispatch;         /* of the boxes of a package */
	bool dispatch_if;               /* where the kernel counts; else
					 * DISPATCH_ON */
	bool optional;
	bool alone;                     /* its list says: no other event on the
	                                 * box's counters at the same time */
	unsigned every;                 /* WANT_EVENT, and WANT_READ of what is
					 * built in: samples from one reading to
					 * the next; 0: 1 */
	unsigned set;                   /* index into config.set */
	const char *file;
	unsigned line;
};

struct file_read;
struct option_line;
struct raw_read;
struct soc_group;
struct soc_groups;
struct site;

#define MAX_CONSTANTS 8

/* What was left out, though asked for, and why. */
struct left_unread {
	const char *why;
	const struct left_unread *next;
};

/* What a site knows the most of (config/lang/peaks.h). */
enum peak_of { PEAK_DRAM, PEAK_FLOPS, PEAKS };
/* As many as the kernel can be asked for: more are a list gone wrong. */
#define MAX_WANTS 65536

struct config {
	struct arena *arena;            /* owns every string below */
	const struct model *model;
	const struct cpu_id *cpu;       /* the node's; NULL: the model's */
	struct eventlist *list;         /* that was given; NULL: none */
	struct eventlist *builtin;      /* config/lang/listed.h */
	bool looked_up;                 /* what is built in */
	struct want *want;
	unsigned nwant, want_room;
	struct lookup seen;             /* wants, by what must not be twice,
	                                 * and sets by name */
	const char *made_default;       /* what @default-any stands for on this
	                                 * node; NULL: nobody has looked */
	const char **set;               /* names; set[0] is "" (no `set` line) */
	unsigned nset, set_room;
	unsigned turns;                 /* that sets have from one sample to the
					 * next, all together; 0: one */
	bool turns_fit;                 /* nobody asked for these: fewer, or none,
					 * where they take too much */
	bool perf;                      /* the kernel counts it (--access) */
	bool hybrid;                    /* and we read what can be (as well) */
	bool pinned;                    /* and it does so always, or not at all */
	unsigned ngroup;                /* groups of events so far */
	const struct cores *cores;      /* that hold now; NULL: all lprocs */
	const struct cores *cores_said; /* all lists, the latest first */
	enum dispatch dispatch;         /* that holds now */
	const struct left_unread *unread;    /* of another program's language, the
	                                 * latest first; or NULL */
	bool lacks;                     /* a statement named a box or register that
					 * this CPU has not */
	struct used *used;              /* files that it was read from, event
	                                 * lists aside */
	struct soc_groups *groups;      /* that there are; NULL: not looked up */
	const struct option_line *options;      /* that were taken at the start;
	                                 * config/lang/option_lines.h */
	struct site *site;              /* config/lang/site.h; NULL: not looked up */
	const struct run_report *report;        /* after `-- PROGRAM`; NULL: that
						 * of the node */
	struct {
		const char *name;
		uint64_t value;
	} constant[MAX_CONSTANTS];
	unsigned nconstant;
	struct {
		double value;           /* bytes/s, FLOP/s; 0: it is not said */
		const char *words;      /* on what it rests */
	} peak[PEAKS];
};

/* config_init - nothing yet, of this model.  0 or -ENOMEM. */
int config_init(struct config *, const struct model *);
void config_fini(struct config *);      /* NULL and half-built accepted */

/* config_add - append a want; file, set and line must be set, strings be in
 * the arena or constant.  0, -ENOMEM; -EINVAL when an event of that name is
 * counted in that box and set already, or there are MAX_WANTS. */
int config_add(struct config *, const struct want *, struct diag *why);

/* config_set - the number of a set by name, new or there already; -ENOMEM. */
int config_set(struct config *, struct word name);

/* config_alone - is every event by itself that has to be: in its set, or, where
 * the kernel counts, in its group?  Once it is known who counts.  0, -EINVAL. */
int config_alone(const struct config *, struct diag *why);

/* config_other_set - an earlier statement that is the same column as statement
 * i, in another set; or NULL. */
const struct want *config_other_set(const struct config *, uint32_t i);
/* want_same_column - would two events be one column? */
bool want_same_column(const struct want *, const struct want *);

#endif
