/*
 * config/lang/want.h - a want: one thing to be counted, in whatever language the user
 * asked for it; and the configuration, a list of wants.
 */
#ifndef CONFIG_LANG_WANT_H
#define CONFIG_LANG_WANT_H

#include "config/arena.h"
#include "config/scan.h"
#include "config/texts.h"
#include "lib/diag.h"
#include "lib/lookup.h"
#include "regs/model.h"
#include "regs/perf.h"

enum want_kind {
	WANT_EVENT,             /* ctl on a counter of a box */
	WANT_FIXED,             /* the fixed counter(s) of a box */
	WANT_FILTER,            /* a filter register of a box, for all its events */
	WANT_READ,              /* a scalar or free-running counter */
	WANT_CONTROL,           /* core control register: fixed_ctrl, global_ctrl */
	WANT_SOC,               /* a group of SoC events: `group` */
	WANT_PERF,              /* an event that only the kernel counts */
};

/* How the boxes of a package become columns, if the kernel counts. */
enum dispatch {
	DISPATCH_ON,            /* a column each */
	DISPATCH_OFF,           /* one column, their sum */
	DISPATCH_TYPE,          /* a column each, named EVENT:type=N */
};

/* How the kernel is asked for an event. */
struct perf_want {
	bool known;                     /* attr is set; else use pmu, terms */
	struct perf_attr attr;
	const char *family;             /* of its column, if known */
	const char *pmu, *terms;        /* pmu/terms/, to be looked up */
	const struct box_type *type;    /* box type of the PMU; or NULL */
	const char *why;                /* why registers cannot count it; or
					 * NULL */
};

#define ALL_PKG (-1)
#define ALL_INST UINT32_MAX

struct want {
	enum want_kind kind;
	const struct box_type *type;    /* NULL for WANT_READ */
	int pkg;                        /* package, or ALL_PKG */
	uint32_t first, last;           /* instances; lprocs for the core */
	const char *name;               /* event, filter or family; NULL for a
	                                 * fixed counter by its own name */
	uint64_t ctl;                   /* control value, enable bits set; or
	                                 * the value of a filter or control */
	int counter;                    /* number of the counter; -1: any of
	                                 * `counters`; for WANT_FIXED: all */
	unsigned counters;              /* bit n: counter n can count it */
	unsigned filters;               /* bit f: filter[f] is asked for, by
	                                 * an event or by WANT_FILTER */
	uint64_t filter[MAX_FILTERS];
	unsigned weak;                  /* bit f: filter[f] is the event's default;
	                                 * a WANT_FILTER replaces it (config_add),
	                                 * another event does not */
	const struct raw_read *raw;     /* WANT_READ of a register by address;
	                                 * or NULL.  config/lang/readable.h */
	const struct file_read *of_file;        /* WANT_READ of a file; or NULL.
	                                 * config/lang/readable.h */
	const struct soc_group *group;  /* WANT_SOC; config/lang/site.h */
	const struct perf_want *perf;   /* how to ask the kernel for it; NULL
	                                 * only for a WANT_EVENT */
	unsigned together;              /* number of its perf group; 0: grouped
	                                 * as the counters allow */
	const struct core_group *sum;   /* lprocs to be added up; or NULL */
	const struct cores *cores;      /* `cores` list for a package's event */
	enum dispatch dispatch;         /* of the boxes of a package */
	bool dispatch_if;               /* dispatch applies only if the kernel
					 * counts; else DISPATCH_ON */
	bool optional;
	bool alone;                     /* TakenAlone in its event list: no
	                                 * other event on the box's counters */
	unsigned every;                 /* WANT_EVENT and built-in WANT_READ:
					 * read in every nth sample; 0: 1 */
	unsigned set;                   /* index into config.set */
	const char *named;              /* the text that the user named; set by
					 * config_add */
	const char *file;               /* that, or one that it includes */
	unsigned line;
};

struct file_read;
struct included;
struct option_line;
struct raw_read;
struct soc_group;
struct soc_groups;
struct site;

#define MAX_CONSTANTS 8

/* A statement that was skipped, and why. */
struct left_unread {
	const char *why;
	const struct left_unread *next;
};

/* Peak values that a site can give (config/lang/statements.h). */
enum peak_of { PEAK_DRAM, PEAK_FLOPS, PEAKS };
/* Limit of perf events that the kernel accepts; more wants are a mistake. */
#define MAX_WANTS 65536

struct config {
	struct arena *arena;            /* owns every string below */
	const struct model *model;
	const struct cpu_id *cpu;       /* the node's; NULL: the model's */
	struct eventlist *list;         /* that was given; NULL: none */
	struct eventlist *builtin;      /* listed_builtin */
	bool looked_up;                 /* what is built in */
	struct want *want;
	unsigned nwant, want_room;
	struct lookup seen;             /* finds duplicate wants, and sets by
	                                 * name */
	const char *made_default;       /* text of @default-any on this node;
	                                 * NULL: not made yet */
	const char **set;               /* names; set[0] is "" (no `set` line) */
	unsigned nset, set_room;
	unsigned turns;                 /* turns of all sets together between
					 * two samples; 0: one */
	bool turns_fit;                 /* turns is a default: reduce it if it
					 * costs too much time */
	bool perf;                      /* the kernel counts (--access perf) */
	bool hybrid;                    /* perf, and registers where possible */
	bool pinned;                    /* perf groups are pinned, not
					 * multiplexed */
	unsigned ngroup;                /* groups of events so far */
	const struct cores *cores;      /* in effect now; NULL: all lprocs */
	const struct cores *cores_said; /* all lists, the latest first */
	enum dispatch dispatch;         /* in effect now */
	const struct left_unread *unread;       /* skipped statements of another
	                                 * program's language, the latest first;
	                                 * or NULL */
	bool lacks;                     /* a statement named a box or register
					 * that this CPU lacks */
	struct used *used;              /* files that it was read from, without
	                                 * event lists */
	const char *named;              /* the text that is being read, which
					 * may include others; or NULL */
	const struct included *included;        /* those of them that have been
					 * read, by set: config/include.h */
	struct soc_groups *groups;      /* all SoC groups; NULL: not read yet */
	const struct option_line *options;      /* options taken at the start;
	                                 * config/lang/statements.h */
	struct site *site;              /* config/lang/site.h; NULL: not read
					 * yet */
	const struct run_report *report;        /* after `-- PROGRAM`; NULL: the
						 * report on the node */
	struct {
		const char *name;
		uint64_t value;
	} constant[MAX_CONSTANTS];
	unsigned nconstant;
	struct {
		double value;           /* bytes/s, FLOP/s; 0: not given */
		const char *words;      /* its source, for readers */
	} peak[PEAKS];
};

/* config_init - an empty configuration for this model.  0 or -ENOMEM. */
int config_init(struct config *, const struct model *);
void config_fini(struct config *);      /* NULL and half-built accepted */

/* config_add - append a want; file, set and line must be set, strings be in
 * the arena or constant.  0, -ENOMEM; -EINVAL when an event of that name is
 * counted in that box and set already, or there are MAX_WANTS. */
int config_add(struct config *, const struct want *, struct diag *why);

/* config_set - the number of a set by name, new or there already; -ENOMEM. */
int config_set(struct config *, struct word name);

/* config_alone - check that no event marked `alone` shares its set (or its perf
 * group, if the kernel counts) with another event of the box.  Call it when it
 * is known whether the kernel counts.  0 or -EINVAL. */
int config_alone(const struct config *, struct diag *why);

/* config_other_set - an earlier want that is the same column as want i, but in
 * another set; or NULL. */
const struct want *config_other_set(const struct config *, uint32_t i);

/*
 * config_doubt - does want number i lack a filter that it cannot count
 * without?  True with file:line, what it lacks and what to write in why.  Ask
 * when the configuration is complete: a later line may give the filter.
 */
bool config_doubt(const struct config *, unsigned i, struct diag *why);

/* ---- cores --------------------------------------------------------------- */

/*
 * Which lprocs an event is counted on, in the notation of collectd's intel_pmu plugin.
 *
 *   cores = string { string }
 *   string = "[" list "]"          each lproc by itself
 *          | list                  the lprocs of the list, added up
 *   list  = [ range ] { "," [ range ] }
 *   range = NUMBER [ "-" NUMBER ]  either way round; 0x.. and 0.. as in C
 *
 * "0-3" is one group of four, "[4-7]" four groups of one, "" every lproc.
 */
struct core_group {
	const char *label;              /* "0-3", as written; "4" of [4-7] */
	unsigned n;
	unsigned *lproc;
};

struct cores {
	unsigned n;                     /* 0: every lproc by itself */
	struct core_group *group;
	struct place at;                /* where they were listed */
	const struct cores *before;     /* the previous `cores` statement; or NULL */
};

/* cores_add - add the groups of one string without its quotes.  0, -ENOMEM, or -EINVAL
 * with a message. */
int cores_add(struct cores *, struct arena *, struct word, struct place,
    struct diag *why);

/* cores_missing - how many of the listed lprocs do not exist on a node with nlproc
 * lprocs.  first: out, one of them. */
unsigned cores_missing(const struct cores *, unsigned nlproc, unsigned *first);

/* cores_listed - how many lprocs are listed. */
unsigned cores_listed(const struct cores *);

#endif
