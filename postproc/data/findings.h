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
	bool note;              /* worth knowing, but nothing wrong */
	bool usual;             /* a note of what the part is: for who asks */
	bool sampled;           /* first and last are meant */
	uint64_t first, last;   /* samples */
	const char *what;       /* "reset", "gap", "clock", ...: a constant */
	char *text;
};

struct findings {
	struct finding *finding;
	unsigned n;
	uint64_t unkept;        /* beyond MAX_FINDINGS */
	bool lost;              /* memory ran out: some are not there */
};

#define MAX_FINDINGS 2000

/* finding_add - one more, its text as printf would have it.  Returns it, for
 * first, last, note and usual, until the next finding_add; NULL when it was not kept
 * (there are too many, or memory ran out). */
struct finding *finding_add(struct findings *, const char *what,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* finding_at - the same, of samples first to last. */
struct finding *finding_at(struct findings *, const char *what, uint64_t first,
    uint64_t last, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* findings_sort - by sample; those of no sample first, notes last. */
void findings_sort(struct findings *);
void findings_fini(struct findings *);

/* unit_words - "lprocs 0-47 96" for the columns of one family and event, by
 * number.  Returns buf; NULL: no memory. */
const char *unit_words(const struct reader *, const unsigned *column,
    unsigned n, char *buf, size_t size);

/*
 * The watchdog makes one finding of what befell the units of one family and event
 * together, however many intervals it lasts.  Zeroed but for the pointers.
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

/* watchdog_interval - takes note of an interval; 0 or -ENOMEM. */
int watchdog_interval(struct watchdog *, const struct interval *);
void watchdog_fini(struct watchdog *);

#endif
