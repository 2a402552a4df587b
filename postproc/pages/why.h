/*
 * postproc/pages/why.h - what limits a run: the rules that hold, the worst first, with
 * where, when and how much.
 */
#ifndef POSTPROC_PAGES_WHY_H
#define POSTPROC_PAGES_WHY_H

#include "postproc/formula/compiled.h"
#include "postproc/metrics/gather.h"
#include "postproc/metrics/rules.h"
#include "postproc/out/table.h"

/* ---- a rule over time: in which units it held, for how long, with what value -
 *
 *	why_units_init(&u, g, rule, bound);
 *	while (... an interval, or a round of event sets ...)
 *		why_units_take(&u, g, compiled, sums, stretch);
 *	why_units_end(&u);
 *
 * A round of event sets in which a program changes what it does has events of
 * before and of after.  Where a formula takes events that are not counted at one
 * time it may hold for that alone: one round counts where the next holds as well,
 * or where there is no other.
 */

/* A stretch of time between two samples, as -s takes them. */
struct why_stretch {
	uint64_t first, last;
	double seconds;
};

/* The value of a unit in a stretch. */
struct why_value {
	double value, of;       /* of: the value it is compared with; NaN: the rule
				 * compares with a number */
	double error;           /* its standard error; 0: none; NaN: not known */
	struct why_stretch in;
};

/* Sums of squares for the standard error of a mean of values weighted by seconds. */
struct why_error {
	double square;          /* (error x seconds)^2, where the error is known */
	double known, all;      /* seconds^2 of those values, and of all */
};

struct why_unit {
	struct window window;
	char where[80];         /* as window_name has it */
	double now;             /* the value of this stretch; NaN: not known */
	double now_error;       /* its standard error, as in why_value */
	struct batch_steps steps;       /* the values before, from which now_error is
				 * estimated */
	double other;           /* the mean in the other run; NaN: not known */
	double other_error;     /* its standard error */
	double known_s;         /* s for which the value was known */
	double held_s;          /* s of these in which the rule held */
	double unsure_s;        /* s of held_s in which it would not hold if the value
				 * were nearer to the limit by two standard errors */
	double unknown_s;       /* s of held_s in which the error is not known */
	struct why_error error; /* of sum */
	double sum, of_sum;     /* while it held: sums of value x seconds and
				 * of limit x seconds; AGAINST_OTHER: of all
				 * values, until the end */
	double worst;
	struct why_stretch now_held, longest;
	struct why_value doubt; /* held in a round whose events were not counted
				 * at one time; seconds > 0 */
	unsigned nknown;
	uint64_t first, last;   /* the samples between which it held */
	struct figure figure;   /* one of the values, for its note */
	unsigned number;        /* the number that why_units_compile gave it */
	struct why_value *past; /* AGAINST_ITSELF: all values */
	unsigned npast, past_room;
};

struct why_units {
	const struct rule *rule;
	unsigned bound;
	bool rounds;            /* its events are multiplexed */
	struct why_unit *unit;
	unsigned n;
	double *sorted;         /* [n] values of peers */
};

/* why_units_init - makes the units of a rule whose formula is bound.  0 or -ENOMEM;
 * why_units_fini accepts either, and a zeroed struct. */
int why_units_init(struct why_units *, const struct gather *,
    const struct rule *, unsigned bound);
void why_units_fini(struct why_units *);

/* why_units_compile - compiles the formula for each unit; to be called again when there
 * are more columns.
 * why_units_take - takes the sums of a stretch for all units; lane: where the compiled
 * formulas have their values.
 * Both return 0 or -ENOMEM. */
int why_units_compile(struct why_units *, struct compiled *);
int why_units_take(struct why_units *, const struct gather *,
    const struct compiled *, const struct sums *, unsigned lane,
    const struct why_stretch *);
/* why_units_end - call after the last stretch; 0 or -ENOMEM. */
int why_units_end(struct why_units *);

/*
 * why_unit_share - the part (0 to 1) of the time with a known value in which
 * the rule held; 0 if that is less than the rule asks for.
 */
double why_unit_share(const struct why_units *, const struct why_unit *);

/* why_unit_unsure - would a rule that holds there not hold, were its values nearer to
 * the limit by two of their standard errors?
 * why_unit_error - the standard error of the mean of the values for which it held (of
 * AGAINST_OTHER: of all); 0: none, NaN: not known. */
bool why_unit_unsure(const struct why_units *, const struct why_unit *);
double why_unit_error(const struct why_unit *);

/*
 * why_unit_mean - the mean of all values, weighted by seconds; only for
 * AGAINST_OTHER.
 */
double why_unit_mean(const struct why_unit *);

/* ---- what limits a run ------------------------------------------------- */

enum { WHY_FILES = 16 };

struct why_ask {
	const struct gather_ask *in;
	const char *rules[WHY_FILES];   /* beside the built-in ones */
	unsigned nrules;
	const char *against;            /* another run's dump; or NULL */
};

/* A rule that holds in some units. */
struct why_found {
	const struct why_units *units;
	const struct why_unit *worst;   /* of the units that it holds in */
	unsigned n;                     /* number of units that it holds in */
	double share, score;
};

/* A rule that cannot be judged, the first input that the dump lacks, and the
 * configuration by which tallyd would count all of them. */
struct why_lacks {
	const struct rule *rule;
	const char *missing;            /* "": the other run lacks it */
	const char *count;              /* "@hpc" or an option of tallyd that
					 * gives all; NULL: there is none */
};

#define WHY_COUNTS 5

struct why {
	struct rules rules;
	struct metrics metrics;
	struct gather own;              /* of why_read */
	struct gather *gather;          /* that, or another one */
	struct why_units *units;        /* [nunits] rules that are judged */
	unsigned nunits;
	struct compiled *compiled[2];   /* the formulas, of intervals and of
					 * rounds */
	unsigned ncol[2];               /* how many columns each was compiled
					 * for */
	bool beside;                    /* somebody else evaluates formulas of
					 * intervals (why_take_beside) */
	int rc;                         /* of those that were, as columns came */
	struct why_found *found;        /* the worst first */
	unsigned nfound;
	struct why_lacks *lacks;
	unsigned nlacks;
	struct would would[WHY_COUNTS]; /* configurations that may be suggested */
	bool rounds;                    /* some rule's events take turns */
	struct why_stretch turns;       /* the present round of these */
	double seconds;
};

/*
 * why_read - judge a dump's range.  Returns 0; -ENODATA: it has no interval; or
 * -errno; words in the diag ("": memory ran out).  why_fini accepts either.
 */
int why_read(struct why *, const char *path, const struct why_ask *,
    struct diag *why);
void why_fini(struct why *);

/*
 * These judge what a caller reads, which is not compared with another run:
 *
 * why_begin  begins with a gather, before its first interval
 * why_next   takes the sums of one interval
 * why_round  takes the sums of a round of event sets; after why_next of the round's last
 *            interval, and before gather_afresh
 * why_end    ends, after the last interval
 */
int why_begin(struct why *, struct gather *, const struct why_ask *,
    struct diag *why);
int why_next(struct why *, const struct sums *);
int why_round(struct why *, const struct sums *);
int why_end(struct why *, struct diag *why);

/*
 * For the caller that evaluates the formulas of a struct why that is `beside`:
 *
 * why_compile_beside  adds the formulas that have a value per interval; 0 or -errno
 * why_take_beside     takes their values in an interval.  To be called for each interval that
 *                     why_next was given, in the same order, and before why_end.
 */
int why_compile_beside(void *why, struct compiled *);
void why_take_beside(void *why, struct compiled *, const struct sums *, unsigned lane);

/* why_own - does a rule come from a file of the user? */
bool why_own(const struct rule *);

/* why_evidence - write where a rule holds, and with what values.
 * why_held - write for how long it does, of how much time.
 * Neither ends its line. */
void why_evidence(FILE *, const struct why *, const struct why_found *);
void why_held(FILE *, const struct why_found *);

/*
 * why_view - the view with a row per rule and unit; view_put is given the
 * struct why. The format for people prints the first `most` rules in full, and
 * of the others the first line.
 */
const struct view *why_view(void);

#endif
