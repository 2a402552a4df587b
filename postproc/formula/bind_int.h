/*
 * postproc/formula/bind_int.h - a binding from inside: between bind.c, which binds
 * metrics, place.c, input.c and domain.c, which it has look up what a formula names, and
 * window.c, worth.c and figure.c, which evaluate it.
 */
#ifndef POSTPROC_FORMULA_BIND_INT_H
#define POSTPROC_FORMULA_BIND_INT_H

#include "postproc/formula/bind.h"

/* ---- binding a formula (bind.c, place.c) --------------------------------- */

#define MAX_USES 16             /* metrics inside metrics */

/* The formula that is being bound. */
struct bind {
	struct binding *b;
	const struct metric *chain[MAX_USES];   /* each uses the one behind it */
	unsigned depth;
	const char **missing;   /* inputs that the dump lacks, as often as they
	                         * are named */
	unsigned nmissing, missing_room;
	const char **without;   /* inputs that parts() does without, the same */
	unsigned nwithout, without_room;
	const char *misleads;   /* what a note says, or the tables against an
	                         * event of it; or NULL */
	const char *only;       /* name of the boxes that are meant; NULL: all */
	const struct would *would;      /* what this configuration counts is not
	                         * missing; NULL: there is none */
	uint32_t floor;         /* operations before this one are not folded: they
	                         * belong to a side, a fold or an alternative */
	struct diag *why;
};

/*
 * place_ref - bind a name that is no metric's.  It is, in this order: a built-in
 * one, columns of a family, a constant of the dump's head, an event of any family.
 * Else it is put into `missing`, and NaN in its place.  0, or -ENOMEM.
 *
 * one_unit  the average unit is meant, not the sum of all
 */
int place_ref(struct bind *, const struct expr_ref *, bool one_unit);

/* place_emit - append an operation; place_fence - one that ends what can be folded;
 * place_number - a constant. */
int place_emit(struct bind *, struct expr_op);
int place_fence(struct bind *, struct expr_op);
int place_number(struct bind *, double);

/* ---- inputs and their units (input.c, domain.c) ----------------------------- */

/* A column of an input, and which unit it is of. */
struct entry {
	uint32_t pkg, box, unit, column;
};

/* input_columns - find the columns that a reference names and fill in the input.
 * Returns 1, 0 when the dump has none, -ENOMEM. */
int input_columns(struct binding *, struct input *);

/*
 * domain_find - find the domain of an input, or add it.
 *
 * s       one of the input's series
 * family  of boxes: their family, or a pattern of families
 * entry   n columns; of a pattern they say which boxes there are
 *
 * Returns 0 or -ENOMEM.  domain_box - the unit of a box of a package.
 */
int domain_find(struct binding *, struct input *, const struct series *s,
    const char *family, const struct entry *entry, unsigned n);
uint32_t domain_box(const struct domain *, uint32_t pkg, uint32_t box);

/* label_matches - does a name match a pattern with at most one '*'?  *star and *len
 * are what the '*' stands for; without one, *star is NULL.
 * domain_label - the number of a box that has a name instead of one. */
bool label_matches(const char *pattern, const char *name, const char **star,
    size_t *len);
int domain_label(struct binding *, const char *text, size_t len,
    uint32_t *out);

/* box_is_called - does a box of series s have this name (NULL: any)?  A stack is
 * called as the dump's head says, a box that a pattern found by what the '*' stands
 * for.  Other boxes have no name: true. */
bool box_is_called(const struct binding *, const struct series *s,
    const char *only, uint32_t pkg, uint32_t box);

/* ---- windows (window.c) ----------------------------------------------------- */

/* window_narrow - narrow the window to the n-th unit of a fold; false: the fold has
 * fewer. */
bool window_narrow(const struct binding *, const struct expr_op *, unsigned n,
    struct window *);
/* window_has - is the lproc of that rank in it? */
bool window_has(const struct topology *, const struct window *, uint32_t rank);
/* window_has_box - is a unit of a domain of boxes in it?  Boxes of CCXs are where
 * their lprocs are; of others only the package is known. */
bool window_has_box(const struct topology *, const struct window *,
    const struct domain *, uint32_t unit);
/* window_has_unit - is a unit of any domain in it? */
bool window_has_unit(const struct topology *, const struct window *,
    const struct domain *, uint32_t unit);
/* window_parts - is it a part of what the metric counts for whole packages or
 * boxes, so that nobody knows which share is its own? */
bool window_parts(const struct window *, const struct metric *);

/* input_constant - an input that does not depend on time: numbers of units in a
 * window, or what the head says of it.  common: count only these lprocs or packages;
 * NULL: all. */
double input_constant(const struct binding *, const struct input *,
    const struct window *, const uint8_t *common);

/* ---- sums over units (worth.c) ---------------------------------------------- */

#define ALWAYS 0.9999           /* the part of the time that still means always:
                                 * changing sets takes some of it */
#define KNOWN_APART 0.002       /* known parts of the time: less than what figures
                                 * call another time */
#define WHOSE_SEVERAL UINT32_MAX        /* counted.whose: of several turns */
#define MAX_WINDOWS (EXPR_MAX_NEST + 2)

/*
 * Over what time inputs are taken where events took turns.  Events of one set,
 * beside columns that always count: over the intervals in which that set ran, so
 * that all is of one time.  Else each event is extrapolated to all of the time,
 * those of cores by their unhalted cycles: events of several sets, of one set with
 * nothing beside it but time, or beside a counter that is not known in these
 * intervals.
 */
struct worth_view {
	const struct sums *sums;
	const struct topology *topo;
	uint32_t set;           /* 1 + the set whose intervals count; 0: all do */
	bool by_cycles;         /* is an event extrapolated by cycles? */
};

/* One evaluation of a formula: what it has met so far. */
struct eval {
	const struct binding *b;
	const struct sums *sums;
	struct worth_view view;
	uint32_t left_out;      /* deltas that should have been in it */
	uint32_t nused;         /* of binding.used */
	bool partial;           /* some input lacks some unit */
	bool common;            /* take only units that have all inputs */
	uint8_t no_turn;        /* enum turn: what had none */
	/* the least and the greatest part of the time that a column is known */
	double least_known, most_known;
	uint32_t chance_of;     /* 1 + the input to which its standard error by
				 * chance is added; 0: none */
	/* the window that is asked for, and those that folds narrowed it to */
	unsigned depth;
	struct window window[MAX_WINDOWS];
};

/* view_foreseen - the view that the inputs of bound m will probably need;
 * view_asked - the one that those need which were used (`all`, joined). */
struct worth_view view_foreseen(const struct binding *, unsigned m,
    const struct sums *);
struct worth_view view_asked(const struct binding *, const struct counted *all,
    const struct sums *);

/* worth_input - the sum of an input over its units in the innermost window, of
 * readings their mean.  NaN says why there is none (enum na).
 * worth_has_unit - has a unit all columns that the input asks for? */
double worth_input(struct eval *, const struct input *);
bool worth_has_unit(const struct eval *, const struct input *, uint32_t unit);

/* worth_kept_new - room for the sums that worth_input keeps, to be freed; or NULL.
 * figure_kept_new - the same for the figures that binding_eval keeps. */
struct kept_input *worth_kept_new(void);
struct figure_kept *figure_kept_new(void);

/*
 * worth_column - what a column of an input, the i-th, which is of `unit`, is worth in a
 * view, and when it was counted; false: it may lack deltas.
 * worth_pace - the rate of unhalted cycles of an lproc's core while a set ran, divided by
 * their rate in all of the time; 1 where that is not known.  It is of the core, not of
 * the lproc, as some events count the other thread's work, too.
 */
bool worth_column(const struct worth_view *, const struct input *, uint32_t unit,
    uint32_t i, double *value, struct counted *when);
double worth_pace(const struct worth_view *, const struct sums *, uint32_t rank,
    unsigned set);

/* counted_join - add when *one was counted to *all: what holds for both together. */
void counted_join(struct counted *all, const struct counted *one);

#endif
