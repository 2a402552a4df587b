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
	unsigned n;                     /* how many those are */
	double share, score;
};

/* A rule that cannot be judged, the first input that the dump lacks, and the
 * configuration by which tallyd would count all of them. */
struct why_lacks {
	const struct rule *rule;
	const char *missing;            /* "": the other run is */
	const char *count;              /* "@hpc"; NULL: none that is built in */
};

struct why {
	struct rules rules;
	struct metrics metrics;
	struct gather gather;
	struct why_units *units;        /* [nunits] rules that are judged */
	unsigned nunits;
	struct compiled *compiled[2];   /* formulas of intervals, and of rounds; */
	unsigned ncol[2];               /* of so many columns */
	struct why_found *found;        /* the worst first */
	unsigned nfound;
	struct why_lacks *lacks;
	unsigned nlacks;
	double seconds;
};

/*
 * why_read - judge a dump's range.  Returns 0; -ENODATA: it has no interval; or
 * -errno; words in the diag ("": memory ran out).  why_fini accepts either.
 */
int why_read(struct why *, const char *path, const struct why_ask *,
    struct diag *why);
void why_fini(struct why *);

/* why_own - is a rule of a file of the user's? */
bool why_own(const struct rule *);

/* why_evidence - where a rule holds, and with what values; why_held - for how long,
 * of how much time.  Neither ends its line. */
void why_evidence(FILE *, const struct why *, const struct why_found *);
void why_held(FILE *, const struct why_found *);

/* why_lacks_put - the rules that were not judged, a line a reason. */
void why_lacks_put(FILE *, const struct why *);
/* why_count - the configuration that has what a rule needs; NULL: none. */
int why_count(struct why *, const struct rule *, const char **count,
    struct diag *why);

/* why_view - a row a rule and unit; what is put is the struct why.  In the format
 * for people, all of the first `most`, and the others' first lines. */
const struct view *why_view(void);

#endif
