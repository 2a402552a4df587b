/*
 * postproc/formula/metrics.h - the metrics of a list: names, units, scopes, formulas.
 *
 * The language is specified in config/metrics/README.
 */
#ifndef POSTPROC_FORMULA_METRICS_H
#define POSTPROC_FORMULA_METRICS_H

#include "lib/lookup.h"
#include "postproc/formula/expr.h"

/* From narrow to wide.  A box is in no core, and the die or NUMA node that it is in
 * may be unknown.  A CCX is a group of AMD cores with one L3; some boxes are of a CCX. */
enum scope { SCOPE_OF_LPROC, SCOPE_OF_CORE, SCOPE_OF_CCX, SCOPE_OF_BOX,
	SCOPE_OF_DIE, SCOPE_OF_NUMA, SCOPE_OF_PACKAGE, SCOPE_OF_NODE, SCOPES };

/* A name that one formula uses for something else: a, b, c of Intel's lists. */
struct metric_local {
	const char *name;
	const char *stands_for; /* an event or a metric, as the dump or the
	                         * metrics file names it */
	bool one_unit;          /* the average of its units, not their sum */
	bool is_number;         /* it stands for `number` */
	double number;
};

struct metric {
	const char *name, *unit, *text;
	const char *file;
	unsigned line;
	enum scope scope;       /* the narrowest scope that has it */
	bool hidden;            /* only other metrics use it */
	bool own;               /* of a list that the user gave beside ours */
	bool placed;            /* `after` put it behind another, not at the end */
	bool ranged;            /* outside lo to hi something is wrong */
	bool each;              /* hi is per unit of its scope */
	double lo, hi;
	const char *most;       /* the metric whose value is hi; NULL: hi is a
	                         * number */
	const char *note;       /* stands beside its figures; or NULL */
	struct expr expr;
	const struct metric_local *local;
	unsigned nlocal;
};

/* Several names of the same event; any of them finds it.  With bits, only the first
 * name finds the others, and only where the control value of their columns, if the
 * dump has it, has all of these bits. */
struct synonyms {
	const char **name;
	unsigned n;
	uint64_t bits;
};

/* A metric that is left out, and why; in its name, * and ? stand for any text. */
struct withheld {
	const char *name, *why;
	const char *unread;     /* the list of Intel's whose formula cannot be read;
	                         * NULL: left out for another reason */
	const struct withheld *next;
};

struct metrics {
	struct arena *arena;
	struct metric *metric;
	unsigned n, room;
	uint32_t *listed;       /* [n] in the order in which they are printed */
	unsigned listed_room;
	/* of the next new metric: its place in that order, whether an `after` says
	 * that place, and whether it is the user's own */
	unsigned at;
	bool after;
	bool own;
	struct lookup named;    /* metric[], by name */
	struct synonyms *synonyms;
	unsigned nsynonyms, synonyms_room;
	struct lookup synonym;  /* synonyms[], by event_plain of each name */
	const struct withheld *withheld;
	const struct included *included;        /* lists that have been read */
	struct include *reading;        /* the list that is being read */
};

int metrics_init(struct metrics *);
void metrics_fini(struct metrics *);

/* metrics_parse - add the metrics of a text in our language.  0, -EINVAL with
 * "file:line:col: ..." in why, -ENOMEM. */
int metrics_parse(struct metrics *, const char *file, const char *text,
    size_t size, struct diag *why);
/* metrics_parse_intel - add one of Intel's published lists (JSON).  A metric whose
 * formula cannot be read is withheld; the others are added.
 * metrics_unread - how many of that list are withheld; *of: of how many. */
int metrics_parse_intel(struct metrics *, const char *file, const char *text,
    size_t size, struct diag *why);
unsigned metrics_unread(const struct metrics *, const char *file, unsigned *of);
/* metrics_load - add a file or a built-in text of either language.  Before the first
 * one it adds the built-in @names. */
int metrics_load(struct metrics *, const char *file, struct diag *why);

/* metrics_load_for - load `file`; where it is NULL, the list that is built in for the
 * model of a dump ("icx").  Dumps of the original name none, and are of an skx. */
int metrics_load_for(struct metrics *, const char *file, const char *model,
    struct diag *why);

const struct metric *metrics_find(const struct metrics *, const char *name);
/* metrics_withheld - why the metric of a name, or of a pattern with * and ?, is
 * withheld; case is ignored.  NULL: none is. */
const char *metrics_withheld(const struct metrics *, const char *name);
/* metrics_none - 0 where some metric has that name or matches that pattern; else
 * -ENOENT, and why names the dump (path) and the metrics that may be meant. */
int metrics_none(const struct metrics *, const char *name, const char *path,
    struct diag *why);
/* metrics_at - the i-th metric in the order in which they are printed. */
const struct metric *metrics_at(const struct metrics *, unsigned i);
/* metrics_put - add a metric; one of the same name is replaced.  0 or -ENOMEM. */
int metrics_put(struct metrics *, const struct metric *);

/* synonyms_add - add names of an event; 0 or -ENOMEM.  synonyms_find - the names of
 * an event; NULL: it has one alone. */
int synonyms_add(struct metrics *, const struct synonyms *);
const struct synonyms *synonyms_find(const struct metrics *,
    const char *event);
/* event_plain - the name in our dumps of an event of Intel's lists; *family becomes
 * the box that Intel's name has: CAS_COUNT.RD and "imc" for UNC_M_CAS_COUNT.RD. */
const char *event_plain(const char *event, const char **family);

/* metric_adds - does it add up over time, as package_energy does?  Rates and ratios
 * do not. */
bool metric_adds(const struct metric *);

/* metric_excludes - is a value below the metric's range, or above `most`, the end of
 * the range in a window (binding_most)?  NaN is not. */
bool metric_excludes(const struct metric *, double most, double value);

/* metric_settled - 100 or 0 for a percentage that is above 100 or below 0 by no more
 * than two clocks differ; only of metrics whose range ends at 100 to 101.  Any other
 * value is returned as it is, so that a real excess is seen. */
double metric_settled(const struct metric *, double value);

const char *scope_name(enum scope);
/* scope_number - the number of a scope in files, which never changes;
 * scope_numbered - the scope of such a number; SCOPES: of none. */
unsigned scope_number(enum scope);
enum scope scope_numbered(unsigned);
/* scope_find - the scope of a name; SCOPES: there is none.
 * scope_take - takes the name of one.  0, or -EINVAL with why. */
enum scope scope_find(const char *name);
int scope_take(struct lex *, enum scope *out, struct diag *why);
/* scope_widens - does a metric of scope `from` also have values at `to`? */
bool scope_widens(enum scope from, enum scope to);

#endif
