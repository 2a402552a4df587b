/*
 * postproc/metrics/bind.h - metrics bound to the columns of one dump, and their values.
 *
 * Scope is all there is to a roll-up: a formula is evaluated in a window of
 * the node (an lproc, a core, a box, a package, all of it), and each of its
 * references is worth the sum over the units inside that window.
 */
#ifndef POSTPROC_METRICS_BIND_H
#define POSTPROC_METRICS_BIND_H

#include "postproc/metrics/metrics.h"
#include "postproc/data/series.h"
#include "postproc/data/layout.h"
#include "postproc/data/batches.h"
#include "postproc/data/own_time.h"
#include "postproc/data/together.h"

/* What was counted over a stretch of time, a number a column. */
struct sums {
	double seconds;
	double wall;            /* seconds by the wall clock; NaN: none */
	double tsc_hz;
	uint64_t intervals;
	unsigned ncol;          /* columns that it has: the reader may be
	                         * ahead, and know more */
	const double *value;    /* counters: good deltas added; readings: their
	                         * mean; NaN: nothing is known */
	const double *share;    /* of the time that value covers, 0..1;
	                         * NULL: all of it */
	const double *stretch;  /* the time that value is of, by the stamps of
	                         * its block, by that of the intervals; NULL:
	                         * the same */
	const struct turns *turns;      /* is that because its events took
	                         * turns?  NULL: of none */
	const uint32_t *left_out;       /* deltas that are not in value; or NULL */
	const uint8_t *doubt;           /* enum na: why, where one interval
	                                 * alone does not say it; or NULL */
	const double *bit;      /* a watch each: share of the samples that
	                         * had the bit set */
	uint32_t nbit;          /* watches bound after the samples have none */
	/* of several intervals in which sets took turns: what always counts,
	 * while each set ran, and of what time that is; else zeros */
	struct together together;
	struct own_time own;
	/* of several turns of each event: how they differ, and the same without
	 * each of the batches; NULL: that is not known */
	const struct batches *batches;
	const struct sums *without;
	/* of these, for one evaluation: only what is of this turn (turns.whose)
	 * lacks a batch, all else is as in these; NULL: all lacks it */
	const struct sums *others;
	uint32_t only;
};

/* A status bit that some formula decodes. */
struct watch {
	uint32_t column;
	uint8_t bit;
};

struct window {
	uint8_t scope;          /* enum scope */
	uint32_t lo, hi;        /* ranks of lprocs */
	uint32_t pkg_lo, pkg_hi;
	bool in_box;
	uint32_t box;           /* its label, when in_box */
	int thread;             /* only these lprocs; -1: all */
	uint8_t only;           /* SCOPE_OF_CCX, _DIE, _NUMA: only lprocs of
	                         * region `in`; SCOPE_OF_NODE: only those that
	                         * are chosen; 0: all */
	uint32_t in;            /* of the topology's CCXs, dies or NUMA nodes */
};

struct figure {
	double value;           /* NaN: not available; na.h: why */
	double error;           /* its standard error, where its events took turns:
	                         * NaN where nobody knows; 0: it has none, being
	                         * of all of the time */
	const struct metric *metric;    /* that it is of; NULL: of none */
	const char *missing;    /* an input that the dump lacks; or NULL */
	const char *without;    /* what a sum of parts lacks of them; or NULL */
	uint32_t left_out;      /* deltas that should have been in it */
	uint32_t have, of;      /* units that it is of, where they are fewer
	                         * than there are; else 0 of 0 */
	uint32_t domain;        /* of what: binding.domain */
	double ran;             /* the part of the time that its events were
	                         * counted, of those least; 1: always */
	bool unscaled;          /* some total() is of that part alone */
	bool apart;             /* its events were not counted at one time */
	bool guessed;           /* some of its inputs are estimates of what they
	                         * counted while the others did: a value that
	                         * cannot be is no fault of theirs, and is n/a */
	double guess;           /* NA_BEYOND: what the value was */
	uint8_t no_turn;        /* enum turn: n/a, for that never had one */
	bool wrong;             /* it cannot be: */
	bool outside;           /* not by the metric's range */
	const char *misleads;   /* an event of it, or a note; or NULL */
};

/*
 * Units that inputs of a formula have in common: lprocs, cores, packages, or
 * the boxes of one family.  A sum is over those that have all of the inputs;
 * where these are fewer than there are, the figure says so.
 */
struct domain {
	uint8_t level;          /* enum level */
	bool by_core;           /* lprocs that stand for their core */
	const char *family;     /* of boxes: its name, or a pattern */
	const char *only;       /* those alone that are named so; NULL: all */
	const struct box_type *type;    /* those boxes, where it is known */
	uint32_t nunit;
	uint32_t nslot;         /* LEVEL_BOX: boxes a package */
	const uint32_t *label;  /* of each slot, ascending */
	uint8_t *there;         /* [nunit] the node has it */
	uint8_t *common;        /* [nunit] of the present evaluation */
	uint32_t stamp;         /* of that one */
};

/* When the events of an input were counted, in the present evaluation. */
struct counted {
	double ran;             /* as in figure */
	bool part;              /* while their turns went on, not always */
	bool steady;            /* some columns take no turns */
	bool loose;             /* and what they did in the set's time is not
				 * known, or a guess */
	uint32_t whose;         /* turn: turns.whose; 0: they take none */
	/* of columns that take none, the part of the time that they are known:
	 * the sum, of how many */
	double known;
	unsigned nknown;
};

struct bound {
	const struct metric *metric;
	const struct metrics *metrics;  /* among which its names are looked up */
	uint32_t op, nop;       /* into binding.op */
	const char **missing;   /* inputs that the dump lacks: no value then */
	unsigned nmissing;
	const char *without;    /* inputs that parts() did without; or NULL */
	const char *misleads;   /* an event of it, or a note; or NULL */
	int box_input;          /* whose boxes it has at box scope; -1: none */
	int most;               /* the bound of metric->most; -1: none */
	bool asked;             /* by binding_add, not for being such a one */
	bool has_lproc;         /* does it look at any lproc's columns? */
};

struct binding {
	const struct metrics *metrics;  /* of what is bound next */
	const struct seriesset *series;
	const struct topology *topo;
	const struct reader *reader;
	double tsc_hz;          /* as the clocks say; 0: they do not */
	struct arena *arena;
	struct expr_op *op;
	uint32_t nop, op_room;
	struct input *input;
	uint32_t ninput, input_room;
	struct input *missed;   /* that no column is, by the synonyms so far */
	uint32_t nmissed, missed_room;
	struct lookup missing;  /* these, by hash */
	const struct metrics *missed_of;
	size_t missed_by;       /* synonyms */
	struct domain *domain;
	uint32_t ndomain, domain_room;
	struct watch *watch;
	uint32_t nwatch, watch_room;
	struct bound *bound;
	unsigned nbound, bound_room;
	char **label;           /* of boxes that have no number */
	uint32_t nlabel, label_room;
	uint32_t *used, *used_at;       /* [inputs] of the present evaluation,
	                         * and where each stands there */
	struct counted *counted;        /* of each of used */
	uint32_t *seen;         /* [0] evaluations so far, [1 + column] the one
	                         * that counted what it left out */
	uint32_t nseen;
};

int binding_init(struct binding *, const struct metrics *,
    const struct seriesset *, const struct topology *, const struct reader *);
void binding_fini(struct binding *);

/*
 * binding_add - bind one metric; *out is its number in binding.bound.
 * A metric whose inputs are not there is bound too, with their names.
 * Returns 0; -EINVAL with file:line in why (it refers to itself, or is too
 * long), -ENOMEM.
 */
int binding_add(struct binding *, const struct metric *, unsigned *out,
    struct diag *why);

/* A configuration that tallyd might have been given. */
struct would {
	const struct text *text;        /* its lines */
	const struct metrics *metrics;  /* other names of its events */
	const struct model *model;      /* the names of fixed counters; or NULL */
};

/* binding_would - would all inputs of a metric be there, had tallyd counted what
 * a configuration says?  As binding_add. */
int binding_would(struct binding *, const struct metric *,
    const struct would *, bool *would, struct diag *why);

/* binding_forget - what was missed: it may be there by now. */
void binding_forget(struct binding *);
/* binding_renew - all of them again, by the columns that there are by now: their
 * numbers, and windows, stay; inputs and watches do not.  As binding_add. */
int binding_renew(struct binding *, struct diag *why);

/* binding_windows - how many windows bound m has at a scope; binding_window -
 * the n-th; false: a gap in the numbers. */
unsigned binding_windows(const struct binding *, unsigned m, enum scope);
bool binding_window(const struct binding *, unsigned m, enum scope, unsigned n,
    struct window *);
/* binding_chosen - the node, but of its lprocs only those of topology_choose. */
void binding_chosen(const struct binding *, struct window *);
/* window_name - "17" (lproc), "0/3" (core or box of a package), "1", "". */
void window_name(const struct binding *, const struct window *, char *buf,
    size_t size);

/* binding_eval - the value of bound m in a window.  binding_eval_quick - without its
 * standard error, which costs as much as several values. */
struct figure binding_eval(const struct binding *, unsigned m,
    const struct window *, const struct sums *);
struct figure binding_eval_quick(const struct binding *, unsigned m,
    const struct window *, const struct sums *);

/* binding_doubt - marks the columns that bound m has in a window, those of time aside.
 * binding_doubtful - is one of them marked? */
void binding_doubt(const struct binding *, unsigned m, const struct window *,
    bool *column);
bool binding_doubtful(const struct binding *, unsigned m,
    const struct window *, const bool *column);

/* binding_most - the greatest value that the range of bound m has there; without
 * limit HUGE_VAL.  binding_each - of how many units of its scope that is, where it
 * is of each.  binding_excludes - is a value outside of it?  NaN is not. */
double binding_most(const struct binding *, unsigned m, const struct window *,
    const struct sums *);
unsigned binding_each(const struct binding *, unsigned m,
    const struct window *);
bool binding_excludes(const struct binding *, unsigned m,
    const struct window *, const struct sums *, double value);

/* figure_lacks - does it lack some of its units or of their deltas?
 * figure_is_estimate - is it of a part of the time, its events having taken turns?
 * figure_mark - on a page: '!' wrong, '*' lacks some, ' ' neither. */
bool figure_lacks(const struct figure *);
/* figure_part - how much of the same a figure is of, to be compared with that at
 * another time: the part of its units, and 1 less where deltas of these lack. */
double figure_part(const struct figure *);
bool figure_is_estimate(const struct figure *);
char figure_mark(const struct figure *);
/* figure_why - why it is n/a: `divided by 0`; "" where it is not, or no reason is
 * known.  Returns buf. */
const char *figure_why(const struct binding *, const struct figure *,
    char *buf, size_t size);
/*
 * figure_note - all that has to be known of it to read it right: "of 4 of 96
 * lprocs; estimate: counted 8.9 % of the time ...", and more, or NULL; "" where
 * there is nothing.  Returns buf.
 */
const char *figure_note(const struct binding *, const struct figure *,
    const char *more, char *buf, size_t size);

/* What a formula takes from a dump, for those who look into one. */
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
	bool is_time;           /* stamps, the TSC */
	uint32_t hash;
	const char *name, *event;       /* the reference, to find it again */
	const char *only;       /* of boxes that are named so; NULL: of all */
	uint32_t domain;
	uint32_t nslot;         /* its domain's */
	const uint32_t *label;
	uint32_t most;          /* columns that a unit with all of them has */
	const uint32_t *first;  /* [units + 1] into column */
	const uint32_t *column;
	uint32_t watch;         /* REF_BIT: of column[0]; the others follow */
};

/* input_ncolumn - how many columns an input has. */
uint32_t input_ncolumn(const struct binding *, const struct input *);

/* stack_is_called - has an I/O stack such a name ("PCIe*")?  To one without a name
 * that of PCIe is given. */
bool stack_is_called(const struct reader *, const char *only, uint32_t pkg,
    uint32_t stack);

#endif
