/*
 * postproc/metrics/rules.h - what tally why looks for: a formula, what its value is
 * held against, and a sentence of advice, each of them text.
 *
 * The language is specified in config/rules/README.
 */
#ifndef POSTPROC_METRICS_RULES_H
#define POSTPROC_METRICS_RULES_H

#include "postproc/metrics/metrics.h"

/* What a value is held against: a number; the median of the other units, of the
 * run's own stretches of time, or the same of another run, by so many percent. */
enum rule_against { AGAINST_NUMBER, AGAINST_PEERS, AGAINST_ITSELF,
	AGAINST_OTHER };

struct rule {
	struct metric metric;   /* its formula, unit and scope; text: what it
	                         * says of a run */
	const char *name, *advice;
	const char *formula;    /* as it was written, in one line */
	bool below;
	uint8_t against;        /* enum rule_against */
	double limit;           /* in the unit; or percent */
	double least;           /* peers, itself, other: of less than that they
	                         * say nothing */
	double part;            /* % of the time that it has to hold */
	double weight;
};

struct rules {
	struct arena *arena;
	struct rule *rule;
	unsigned n, room;
};

int rules_init(struct rules *);
void rules_fini(struct rules *);        /* zeros are accepted */

/* rules_parse - add a text's.  One whose name another file has used stands in
 * its place.  0, -EINVAL with "file:line:col: ..." in why, -ENOMEM.
 * rules_load - of a file, or of a text that is built in ("@limits"). */
int rules_parse(struct rules *, const char *file, const char *text,
    size_t size, struct diag *why);
int rules_load(struct rules *, const char *file, struct diag *why);

/* rule_limit - the number that a value has to be beyond, of what it is held
 * against (AGAINST_NUMBER: of nothing).  rule_holds - is it? */
double rule_limit(const struct rule *, double of);
bool rule_holds(const struct rule *, double value, double of);

#endif
