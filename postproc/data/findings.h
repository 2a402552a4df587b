/*
 * postproc/data/findings.h - what tally check has to say of a dump, and the watchdog,
 * which finds deltas that are not good and values that are absent.
 */
#ifndef POSTPROC_DATA_FINDINGS_H
#define POSTPROC_DATA_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "postproc/data/intervals.h"

struct finding {
	bool note;              /* worth knowing, but nothing is wrong */
	bool usual;             /* a note on what this CPU does not have: shown
				 * only if it is asked for (-v) */
	bool sampled;           /* it is about the samples first to last */
	uint64_t first, last;
	const char *what;       /* "reset", "gap", "clock", ...: a constant */
	char *text;
};

struct findings {
	struct finding *finding;
	unsigned n;
	uint64_t unkept;        /* how many there were beyond MAX_FINDINGS */
	bool lost;              /* memory ran out, some are missing */
};

#define MAX_FINDINGS 2000

/* finding_add - adds a finding, whose text is given as for printf.  Returns it, so that the
 * caller can set its other members until the next finding_add; NULL: it was not kept, as
 * there are too many or memory ran out. */
struct finding *finding_add(struct findings *, const char *what,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* finding_at - the same for samples first to last. */
struct finding *finding_at(struct findings *, const char *what, uint64_t first,
    uint64_t last, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* findings_sort - by their first sample; those without samples first, notes last. */
void findings_sort(struct findings *);
void findings_fini(struct findings *);

/* unit_words - ", lprocs 0-47 96": the units of columns of one family and event, which
 * have to be in rising order.  Returns buf; NULL: out of memory. */
const char *unit_words(const struct reader *, const unsigned *column,
    unsigned n, char *buf, size_t size);

/*
 * The watchdog makes one finding of all columns of a family and event that have the same
 * fault, for as many intervals as it lasts.  The caller sets the pointers and zeroes the
 * rest.
 */
struct watchdog {
	struct findings *findings;
	const struct reader *reader;
	const struct limits *limits;
	const struct tampers *tampers;
	const struct doubts *doubts;
	struct open_case *open; /* by kind of column and enum delta_kind */
	unsigned nopen;
};

/* watchdog_interval - looks for faults in an interval.  Returns 0 or -ENOMEM. */
int watchdog_interval(struct watchdog *, const struct interval *);
void watchdog_fini(struct watchdog *);

#endif
