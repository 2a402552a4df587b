/*
 * postproc/formula/bind.h - metrics bound to the columns of one dump, and their values.
 *
 * A formula is evaluated in a window of the node: an lproc, a core, a box, a
 * package, or all of it.  Each of its references has there the sum over the units
 * inside that window.
 */
#ifndef POSTPROC_FORMULA_BIND_H
#define POSTPROC_FORMULA_BIND_H

#include "postproc/formula/metrics.h"
#include "postproc/data/series.h"
#include "postproc/data/layout.h"
#include "postproc/data/batches.h"
#include "postproc/data/own_time.h"
#include "postproc/data/together.h"

/* What was counted over a stretch of time: arrays have one number per column. */
struct sums {
	uint64_t number;        /* of these sums: others that a binding is evaluated
				 * with have another one; 0: they have none */
	uint64_t before, sample;        /* the samples between which they are */
	double seconds;
	double wall;            /* seconds by the wall clock; NaN: none */
	double tsc_hz;
	uint64_t intervals;
	unsigned ncol;          /* columns that these sums have; the reader may
	                         * know more by now */
	const double *value;    /* counters: the sum of good deltas; readings:
	                         * their mean; NaN: nothing is known */
	const double *share;    /* the part of the time that value covers, 0 to 1;
	                         * NULL: all of it */
	const double *stretch;  /* the time by the stamps of the column's block
	                         * divided by that of the intervals; NULL: they
	                         * are the same */
	const struct turns *turns;      /* which events took turns, so that share
	                         * is below 1; NULL: none did */
	const uint32_t *left_out;       /* deltas that are not in value; or NULL */
	const uint8_t *doubt;           /* enum na: why, where a single interval
	                                 * does not tell; or NULL */
	const double *bit;      /* [nbit] by watch: the share of the samples that
	                         * had the bit set */
	uint32_t nbit;          /* watches that were bound before the samples */
	/* where event sets took turns over several intervals: what columns that
	 * always count did while each set ran, and over which time; else zeros */
	struct together together;
	struct own_time own;
	/* where each event had several turns: batches of turns, and the sums
	 * without each batch in turn, which tell the standard error; NULL: not
	 * known */
	const struct batches *batches;
	const struct sums *without;
	/* in an element of `without`, for one evaluation: the sums with all
	 * batches, from which columns are taken that are not of the turn `only`
	 * (turns.whose); NULL: all columns lack the batch */
	const struct sums *others;
	uint32_t only;
};

/* A bit of a status register that some formula asks for: bit(NAME, N). */
struct watch {
	uint32_t column;
	uint8_t bit;
};

/* The part of the node that a formula is evaluated in. */
struct window {
	uint8_t scope;          /* enum scope */
	uint32_t lo, hi;        /* lprocs of these ranks: lo <= rank < hi */
	uint32_t pkg_lo, pkg_hi;        /* packages, likewise */
	bool in_box;            /* one box alone: */
	uint32_t box;           /* its label */
	int thread;             /* only lprocs that are this thread of their
	                         * core; -1: all */
	uint8_t only;           /* SCOPE_OF_CCX, _DIE, _NUMA: only lprocs of
	                         * region `in`; SCOPE_OF_NODE: only those that
	                         * topology_choose chose; 0: all */
	uint32_t in;            /* the number of a CCX, die or NUMA node */
};

/* The value of a metric in a window, and all that has to be known of it. */
struct figure {
	double value;           /* NaN: not available, for a reason (enum na) */
	double error;           /* its standard error: 0 where it was counted all
	                         * the time, NaN where that is not known */
	double chance;          /* the part of that which is chance, as events
	                         * were few */
	const struct metric *metric;    /* NULL: it is of none */
	const char *missing;    /* an input that the dump lacks; or NULL */
	const char *without;    /* inputs that parts() did without; or NULL */
	uint32_t left_out;      /* deltas that should have been in it */
	double known;           /* the part of the time that its inputs without turns
	                         * are known, the least of them; 0: it has none */
	uint32_t have, of;      /* it is of `have` units of `of` that there are;
	                         * 0 of 0: of all */
	uint32_t domain;        /* of which units: binding.domain */
	double ran;             /* the part of the time that its events were
	                         * counted, the least of them; 1: always */
	bool unscaled;          /* it has a total() of that part alone */
	bool apart;             /* its events were counted at different times */
	bool guessed;           /* some inputs are estimates for the time that the
	                         * others were counted: an impossible value does
	                         * not mean a bad counter, and becomes n/a */
	double guess;           /* NA_BEYOND: the value before it became n/a */
	uint8_t no_turn;        /* enum turn: n/a, as this one never had its turn */
	bool wrong;             /* it cannot be: */
	bool outside;           /* because it is outside the metric's range */
	const char *misleads;   /* what a note says, or the tables against an
	                         * event of it; or NULL */
};

/*
 * Units of one kind, which several inputs share: lprocs, cores, packages, or the
 * boxes of one family.  A sum is over the units that have all inputs of the
 * formula; where they are fewer than the node has, the figure says so.
 */
struct domain {
	uint8_t level;          /* enum level */
	bool by_core;           /* each core has one lproc that stands for it */
	const char *family;     /* of boxes: their family, or a pattern */
	const char *only;       /* only boxes of this name; NULL: all */
	const struct box_type *type;    /* of boxes, where it is known */
	uint32_t nunit;
	uint32_t nslot;         /* LEVEL_BOX: boxes per package */
	const uint32_t *label;  /* [nslot] their numbers, ascending */
	uint8_t *there;         /* [nunit] does the node have this unit? */
	uint8_t *common;        /* [nunit] does it have all inputs? */
	uint32_t stamp;         /* number of the evaluation that `common` is of */
};

/* When the events of an input were counted, in the present evaluation. */
struct counted {
	double ran;             /* as in figure */
	bool part;              /* they were counted for a part of the time */
	bool steady;            /* some columns take no turns */
	bool loose;             /* and what these did while the set ran is not
				 * known, or a guess */
	uint32_t whose;         /* whose turn: turns.whose; 0: they take none */
	/* the parts of the time that columns without turns are known: their sum,
	 * and how many columns that is */
	double known;
	unsigned nknown;
	/* of those that do: how many counts these are; the variance of their
	 * sum, scaled to all of the time, by chance; and what one count more
	 * would add to it, squared */
	double counts, chance, one;
};

/* A metric, bound. */
struct bound {
	const struct metric *metric;
	const struct metrics *metrics;  /* the list in which its names were found */
	uint32_t op, nop;       /* its operations: binding.op[op], nop of them */
	const char **missing;   /* inputs that the dump lacks; where there are any
	                         * it has no value */
	unsigned nmissing;
	const char *without;    /* inputs that parts() did without; or NULL */
	const char *misleads;   /* as in figure */
	int box_input;          /* at box scope it is given for the boxes of this
	                         * input; -1: for none */
	int most;               /* number of the bound metric that says the end of
	                         * its range (metric->most); -1: none */
	bool asked;             /* binding_add bound it; else it is such a `most` */
	bool has_lproc;         /* some input is a column of lprocs */
};

struct binding {
	const struct metrics *metrics;  /* the list for what is bound next */
	const struct seriesset *series;
	const struct topology *topo;
	const struct reader *reader;
	const struct model *model;      /* of the CPU; NULL: not known */
	double tsc_hz;          /* measured by the clocks; 0: not known */
	struct arena *arena;
	struct expr_op *op;
	uint32_t nop, op_room;
	struct input *input;
	uint32_t ninput, input_room;
	struct lookup inputs;   /* into input, by hash */
	/* inputs that were looked for in vain, so that nobody looks again */
	struct input *missed;
	uint32_t nmissed, missed_room;
	struct lookup missing;  /* into missed, by hash */
	const struct metrics *missed_of;        /* the list at that time, */
	size_t missed_by;       /* and how many synonyms it had */
	struct domain *domain;
	uint32_t ndomain, domain_room;
	struct watch *watch;
	uint32_t nwatch, watch_room;
	struct bound *bound;
	unsigned nbound, bound_room;
	char **label;           /* of boxes that have no number */
	uint32_t nlabel, label_room;
	/* of the present evaluation: inputs that were used, the place of each
	 * input among them, and when they were counted */
	uint32_t *used, *used_at;
	struct counted *counted;
	uint32_t *seen;         /* [0]: evaluations so far; [1 + column]: the last
	                         * one that has counted the column's left_out */
	uint32_t nseen;
	struct kept_input *kept;        /* sums of inputs, to be used again; */
	struct figure_kept *figures;    /* and figures */
};

int binding_init(struct binding *, const struct metrics *,
    const struct seriesset *, const struct topology *, const struct reader *);
void binding_fini(struct binding *);

/*
 * binding_add - bind one metric; *out is its number in binding.bound.
 * A metric whose inputs the dump lacks is bound, too: bound.missing names them.
 * Returns 0; -EINVAL with file:line in why (it refers to itself, or is too
 * long), -ENOMEM.
 */
int binding_add(struct binding *, const struct metric *, unsigned *out,
    struct diag *why);

/* A configuration that tallyd might have been given. */
#define WOULD_TEXTS 16
struct would {
	const struct text *text[WOULD_TEXTS];   /* it, and what it includes */
	unsigned ntext;                 /* 0: there is no such configuration */
	const struct metrics *metrics;  /* other names of its events */
	const struct model *model;      /* the names of fixed counters; or NULL */
	bool dram_measured;             /* what DRAM can do at most is known, too */
};

/* would_add - add a text (NULL: none) and what it includes to what is counted. */
void would_add(struct would *, const struct text *);
/* binding_would - would all inputs of a metric be there, had tallyd counted what
 * a configuration says?  As binding_add. */
int binding_would(struct binding *, const struct metric *,
    const struct would *, bool *would, struct diag *why);

/* binding_forget - forget which inputs were missed: they may be there by now. */
void binding_forget(struct binding *);
/* binding_renew - bind all metrics again, to the columns that there are by now.
 * Their numbers and windows stay; inputs and watches do not.  Returns as
 * binding_add. */
int binding_renew(struct binding *, struct diag *why);

/* binding_again - bind what another binding has bound, in its order, to other columns;
 * this one has nothing bound yet.  Returns as binding_add. */
int binding_again(struct binding *, const struct binding *of, struct diag *why);

/* binding_windows - how many windows bound m has at a scope.
 * binding_window - the n-th of them; false: there is none of that number. */
unsigned binding_windows(const struct binding *, unsigned m, enum scope);
bool binding_window(const struct binding *, unsigned m, enum scope, unsigned n,
    struct window *);
/* binding_chosen - the window of the lprocs that topology_choose chose. */
void binding_chosen(const struct binding *, struct window *);
/* window_name - write "17" (lproc), "0/3" (core or box of a package), "1" (package,
 * NUMA node) or "" (node). */
void window_name(const struct binding *, const struct window *, char *buf,
    size_t size);

/* binding_eval - the value of bound m in a window.  binding_eval_quick - without its
 * standard error, which costs as much as several values. */
struct figure binding_eval(const struct binding *, unsigned m,
    const struct window *, const struct sums *);
struct figure binding_eval_quick(const struct binding *, unsigned m,
    const struct window *, const struct sums *);

/* binding_doubt - mark the columns that bound m has in a window, except those of time.
 * binding_doubtful - is one of them marked? */
void binding_doubt(const struct binding *, unsigned m, const struct window *,
    bool *column);
bool binding_doubtful(const struct binding *, unsigned m,
    const struct window *, const bool *column);

/* binding_most - the upper end of the range of bound m in a window; HUGE_VAL: it has
 * none.
 * binding_each - how many units of its scope are there, where the range is of each.
 * binding_excludes - is a value outside of the range?  NaN is not. */
double binding_most(const struct binding *, unsigned m, const struct window *,
    const struct sums *);
unsigned binding_each(const struct binding *, unsigned m,
    const struct window *);
bool binding_excludes(const struct binding *, unsigned m,
    const struct window *, const struct sums *, double value);

/* figure_lacks - does it lack some of its units or of their deltas?
 * figure_is_estimate - was it counted for a part of the time, as events took turns?
 * figure_mark - how pages mark it: '!' wrong, '*' lacks some, ' ' neither. */
bool figure_lacks(const struct figure *);
/* figure_part - how complete a figure is, to be compared with that of another time:
 * the part of its units that it is of, less 1 where some of their deltas lack. */
double figure_part(const struct figure *);
bool figure_is_estimate(const struct figure *);
char figure_mark(const struct figure *);
/* figure_why - write why it is n/a: "divided by mperf, which was 0"; "" where it has a
 * value, or no reason is known.  Returns buf. */
const char *figure_why(const struct binding *, const struct figure *,
    char *buf, size_t size);
/*
 * figure_note - write what has to be known to read it right: "of 4 of 96 lprocs;
 * estimate: counted 8.9 % of the time ...", then `more` (or NULL); "" where there is
 * nothing to say.  Returns buf.
 */
const char *figure_note(const struct binding *, const struct figure *,
    const char *more, char *buf, size_t size);

/* What a reference of a formula stands for: columns of the dump, or a number that
 * does not come from columns. */
enum input_kind { INPUT_COLUMNS, INPUT_TIME, INPUT_WALL_TIME, INPUT_TSC_HZ,
	INPUT_MONOTONIC_HZ, INPUT_LPROCS,
	INPUT_CORES, INPUT_PACKAGES, INPUT_NODE_PACKAGES, INPUT_INTERVALS,
	INPUT_HEAD };

struct input {
	uint8_t kind;           /* enum input_kind */
	uint8_t level;          /* enum level of its units */
	uint8_t how;            /* enum expr_how */
	uint8_t bit;
	bool counter, one_unit;
	bool is_time;           /* its columns are stamps: the TSC */
	uint32_t hash;          /* of the reference, to find it again: */
	const char *name, *event;
	const char *only;       /* name of the boxes that are meant; NULL: all */
	uint32_t domain;        /* its units: binding.domain */
	uint32_t nslot;         /* as in the domain */
	const uint32_t *label;
	uint32_t most;          /* columns of a unit that lacks none */
	const uint32_t *first;  /* [units + 1]: columns of unit u are */
	const uint32_t *column; /* column[first[u]] to column[first[u + 1] - 1] */
	uint32_t watch;         /* REF_BIT: the watch of column[0]; those of the
	                         * others follow */
};

/* input_ncolumn - how many columns an input has. */
uint32_t input_ncolumn(const struct binding *, const struct input *);

/* binding_column - the next column that metric m reads, one that it names twice twice; at:
 * zeros at first.  False: there is none left. */
struct bound_at {
	uint32_t op, k;
};
bool binding_column(const struct binding *, unsigned m, struct bound_at *at,
    uint32_t *column);

/* stack_is_called - does the name of an I/O stack match ("PCIe*")?  A stack without a
 * name is taken for PCIe. */
bool stack_is_called(const struct reader *, const char *only, uint32_t pkg,
    uint32_t stack);

#endif
