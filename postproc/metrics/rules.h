/*
 * postproc/metrics/rules.h - rules of tally why: a formula, what its value is compared
 * with, and a sentence of advice, all of them read from a text.
 *
 * The language is specified in config/rules/README.
 */
#ifndef POSTPROC_METRICS_RULES_H
#define POSTPROC_METRICS_RULES_H

#include "postproc/formula/metrics.h"

/* What a value is compared with: a number; or so many percent more or less than the
 * median of the other units, the median of the run's own stretches of time, or the
 * value of another run. */
enum rule_against { AGAINST_NUMBER, AGAINST_PEERS, AGAINST_ITSELF,
	AGAINST_OTHER };

struct rule {
	struct metric metric;   /* its formula, unit and scope; metric.text is
	                         * what the rule says of a run */
	const char *name, *advice;
	const char *formula;    /* as it was written, in one line */
	bool below;             /* it holds below the limit, not above */
	uint8_t against;        /* enum rule_against */
	double limit;           /* in the unit; AGAINST_PEERS and so on: percent */
	double least;           /* the rule only holds where what the value is
	                         * compared with is at least this */
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

/* rules_parse - add the rules of a text.  One that has the name of a rule of another
 * file replaces it.  0, -EINVAL with "file:line:col: ..." in why, -ENOMEM.
 * rules_load - the same for a file or a built-in text ("@limits"). */
int rules_parse(struct rules *, const char *file, const char *text,
    size_t size, struct diag *why);
int rules_load(struct rules *, const char *file, struct diag *why);

/* rule_limit - the number beyond which the rule holds, where it is compared with `of`
 * (AGAINST_NUMBER ignores that).  rule_holds - is a value beyond it? */
double rule_limit(const struct rule *, double of);
bool rule_holds(const struct rule *, double value, double of);

#endif
