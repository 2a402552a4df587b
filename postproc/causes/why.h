/*
 * postproc/causes/why.h - what limits a run: the rules that hold, the worst first,
 * with where, when and how much.
 */
#ifndef POSTPROC_CAUSES_WHY_H
#define POSTPROC_CAUSES_WHY_H

#include "postproc/causes/why_units.h"
#include "postproc/out/table.h"

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
	const char *count;              /* "@hpc"; NULL: no built-in one
					 * counts all */
};

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
	struct why_stretch kept[EXPR_LANES];    /* intervals that are to be
					 * evaluated at once */
	int rc;                         /* of those that were, as columns came */
	struct why_found *found;        /* the worst first */
	unsigned nfound;
	struct why_lacks *lacks;
	unsigned nlacks;
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
 * The same of what somebody else reads, against no other run:
 * why_begin - of a gather, from its first interval on.
 * why_next - an interval, its sums.
 * why_round - a round of event sets, its sums: after why_next of its last interval,
 * and before gather_afresh.
 * why_end - after the last.
 */
int why_begin(struct why *, struct gather *, const struct why_ask *,
    struct diag *why);
int why_next(struct why *, const struct sums *);
int why_round(struct why *, const struct sums *);
int why_end(struct why *, struct diag *why);

/* why_own - does a rule come from a file of the user? */
bool why_own(const struct rule *);

/* why_evidence - where a rule holds, and with what values; why_held - for how long,
 * of how much time.  Neither ends its line. */
void why_evidence(FILE *, const struct why *, const struct why_found *);
void why_held(FILE *, const struct why_found *);

/*
 * why_lacks_put - prints the rules that were not judged, one line per reason.
 */
void why_lacks_put(FILE *, const struct why *);
/* why_count - the configuration that has what a rule needs; NULL: none. */
int why_count(struct why *, const struct rule *, const char **count,
    struct diag *why);

/*
 * why_view - the view with a row per rule and unit; view_put is given the
 * struct why. The format for people prints the first `most` rules in full, and
 * of the others the first line.
 */
const struct view *why_view(void);

#endif
