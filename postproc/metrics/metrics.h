/*
 * postproc/metrics/metrics.h - what metrics there are: names, units, scopes, formulas.
 *
 * The language is specified in config/metrics/README.
 */
#ifndef POSTPROC_METRICS_METRICS_H
#define POSTPROC_METRICS_METRICS_H

#include "lib/lookup.h"
#include "postproc/metrics/expr.h"

/* From narrow to wide; a box is in no core, and perhaps in no die or NUMA node
 * that anybody knows of.  A CCX, AMD's cores of one L3, has the boxes that are of
 * CCXs. */
enum scope { SCOPE_OF_LPROC, SCOPE_OF_CORE, SCOPE_OF_CCX, SCOPE_OF_BOX,
	SCOPE_OF_DIE, SCOPE_OF_NUMA, SCOPE_OF_PACKAGE, SCOPE_OF_NODE, SCOPES };

/* A name that a formula uses for something else: a, b, c of Intel's lists. */
struct metric_local {
	const char *name;
	const char *stands_for; /* an event or a metric, as the dump or the
	                         * metrics file names it */
	bool one_unit;          /* the average unit, not the sum of all */
	bool is_number;         /* stands for `number` */
	double number;
};

struct metric {
	const char *name, *unit, *text;
	const char *file;
	unsigned line;
	enum scope scope;       /* the narrowest that it is given for */
	bool hidden;            /* only for use by others */
	bool own;               /* of a list that the user gave beside ours */
	bool placed;            /* stands behind another by `after`, not last */
	bool ranged;            /* outside lo..hi something is wrong; */
	bool each;              /* hi is of each unit of its scope */
	double lo, hi;
	const char *most;       /* a metric that says hi; NULL: a number */
	const char *note;       /* to stand beside its figures; NULL: nothing */
	struct expr expr;
	const struct metric_local *local;
	unsigned nlocal;
};

/* Several names of the same event; any of them finds it.  With bits, the first
 * finds the others where their control value, if the dump has it, has them. */
struct synonyms {
	const char **name;
	unsigned n;
	uint64_t bits;
};

/* A metric that is not given, and why; * and ? of its name stand for any text. */
struct withheld {
	const char *name, *why;
	const char *unread;     /* the list of Intel's that has it, as it cannot be
	                         * read; else NULL */
	const struct withheld *next;
};

/* A list that has been read. */
struct included {
	const char *name;
	const struct included *next;
};

struct metrics {
	struct arena *arena;
	struct metric *metric;
	unsigned n, room;
	uint32_t *listed;       /* which is printed first, second ... */
	unsigned listed_room;
	unsigned at;            /* where in that order the next new one goes, */
	bool after;             /* as an `after` says; */
	bool own;               /* and whether that one is the user's */
	struct lookup named;    /* metric[] by name */
	struct synonyms *synonyms;
	unsigned nsynonyms, synonyms_room;
	struct lookup synonym;  /* synonyms[] by each name, as event_plain has it */
	const struct withheld *withheld;
	const struct included *included;
};

int metrics_init(struct metrics *);
void metrics_fini(struct metrics *);

/* metrics_parse - add a text in our language.  0, -EINVAL with
 * "file:line:col: ..." in why, -ENOMEM. */
int metrics_parse(struct metrics *, const char *file, const char *text,
    size_t size, struct diag *why);
/* metrics_parse_intel - add one of Intel's published lists (JSON).  A formula that
 * cannot be read is withheld, the others are there; metrics_unread - how many of
 * that list are, and of how many. */
int metrics_parse_intel(struct metrics *, const char *file, const char *text,
    size_t size, struct diag *why);
unsigned metrics_unread(const struct metrics *, const char *file, unsigned *of);
/* metrics_load - either, by content, from a file or a built-in text; the
 * built-in @names is read before the first. */
int metrics_load(struct metrics *, const char *file, struct diag *why);

/* metrics_load_for - file, or where it is NULL what is built in for the model
 * of a dump ("skx"; the original's dumps say none, and are of that). */
int metrics_load_for(struct metrics *, const char *file, const char *model,
    struct diag *why);

const struct metric *metrics_find(const struct metrics *, const char *name);
/* metrics_withheld - why there is no metric of that name (or of a pattern with
 * * and ?), case ignored; NULL where none of it is withheld. */
const char *metrics_withheld(const struct metrics *, const char *name);
/* metrics_none - 0 where one has that name (or a pattern's); else -ENOENT, with
 * words of the dump at path, and the names that were probably meant. */
int metrics_none(const struct metrics *, const char *name, const char *path,
    struct diag *why);
/* metrics_at - the i-th in the order in which they are printed. */
const struct metric *metrics_at(const struct metrics *, unsigned i);
/* metrics_put - one more, or in the place of the one of its name.  -ENOMEM. */
int metrics_put(struct metrics *, const struct metric *);

/* synonyms_add - -ENOMEM.  synonyms_find - of an event, or NULL. */
int synonyms_add(struct metrics *, const struct synonyms *);
const struct synonyms *synonyms_find(const struct metrics *,
    const char *event);
/* event_plain - what our dumps call an event of Intel's lists, and in *family
 * the box that its name says: CAS_COUNT.RD of "imc" for UNC_M_CAS_COUNT.RD. */
const char *event_plain(const char *event, const char **family);

/* metric_adds - is it a sum over the time that it is asked for, package_energy,
 * and no rate or ratio? */
bool metric_adds(const struct metric *);

/* metric_excludes - is a value less than its range has, or above the most of that
 * in a window (binding_most)?  NaN is not. */
bool metric_excludes(const struct metric *, double most, double value);

/* metric_settled - a share of all (in %, of a range that ends at 100 to 101) that is
 * more than all, or less than nothing, by no more than clocks are apart: all, or
 * nothing.  Any other value as it is: a real excess has to be seen. */
double metric_settled(const struct metric *, double value);

const char *scope_name(enum scope);
/* scope_number - its number in files, which is always the same; scope_numbered -
 * the scope of such a one. */
unsigned scope_number(enum scope);
enum scope scope_numbered(unsigned);
/* scope_find - by name; SCOPES when there is none. */
enum scope scope_find(const char *name);
/* scope_widens - is a metric of scope `from` also given at `to`? */
bool scope_widens(enum scope from, enum scope to);

#endif
