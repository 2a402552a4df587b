/*
 * postproc/live/expose.h - what a running daemon has to say, as series: a name, a few
 * labels, a value.  Exporters write them in the format of their monitoring system.
 *
 * Totals go on growing across the stores of a run in segments, reloads and restarts.
 */
#ifndef POSTPROC_LIVE_EXPOSE_H
#define POSTPROC_LIVE_EXPOSE_H

#include "lib/lookup.h"
#include "postproc/data/series.h"
#include "postproc/formula/metrics.h"
#include "postproc/live/follow.h"

/* What all series of one name have in common. */
struct exposed_group {
	char name[160];         /* "tallyd_package_dram_read_bytes", without _total */
	const char *unit;       /* its last word, "bytes"; "": none */
	char help[200];         /* one line */
	bool counter;           /* grows until the daemon starts again */
	enum scope scope;       /* SCOPES: of the daemon itself, or of no place */
	const struct metric *metric;    /* whose values these are; NULL: no metric's */
	const struct series *series;    /* of raw counts, the counters */
};

/* Where in the node: "package" "1", "channel" "4"; and which event: "event"
 * "CAS_COUNT.RD". */
#define EXPOSED_LABELS 8
struct exposed_labels {
	unsigned n;
	const char *key[EXPOSED_LABELS];
	char value[EXPOSED_LABELS][96];
};

/* The count of a multiplexed event: scaled to all of the time, as counted, and how long
 * (s) its group was enabled and ran.  The group "tallyd_scaled_..." has these. */
struct exposed_turns {
	double scaled, raw, enabled, running;
};

/* How an exporter takes the series.  All series of a group follow one another. */
struct exposer {
	void *to;
	/* before the first series of a group; NULL: not needed */
	void (*group)(void *to, const struct exposed_group *);
	void (*value)(void *to, const struct exposed_group *,
	    const struct exposed_labels *, double);
	/* the series of a scaled group; NULL: value gets the scaled count */
	void (*turns)(void *to, const struct exposed_group *,
	    const struct exposed_labels *, const struct exposed_turns *);
};

/* value_label - the value of the label with that key; NULL: there is none. */
const char *value_label(const struct exposed_labels *, const char *key);

/*
 * Names for systems without labels, collectd and SNMP.  Both work as snprintf does.
 *
 * value_name - what is measured: "dram_read" of a total, "dram_read_bytes_per_second" of
 * a rate, "imc_counts.CAS_COUNT.READS" of raw counts.
 * value_place - where: "package0-channel3", "lproc17", "node".
 */
int value_name(const struct exposed_group *, const struct exposed_labels *,
    char *buf, size_t size);
size_t value_place(const struct exposed_labels *, char *buf, size_t size);

/* The totals of the stores that have ended, by series.  A zeroed one is empty. */
struct carried {
	struct carried_total *total;
	unsigned n, room;
	struct lookup by_series;
};

/* carried_set - sets the total of a series, known by its group's name and its labels.
 * Without memory it is not kept, and the total starts anew. */
void carried_set(struct carried *, const struct exposed_group *,
    const struct exposed_labels *, const struct exposed_turns *);
void carried_fini(struct carried *);

struct exposed {
	struct follow follow;   /* has to be first: its callbacks cast it back */
	struct figures figures;
	bool no_raw;            /* metrics only, no raw counts */
	/* of the stores that have ended */
	struct carried carried;
	double start;           /* first sample, s since 1970; 0: no store has ended */
	double seam;            /* last sample, s since 1970 */
	uint64_t samples, left_out;
};

/* exposed_init - store NULL: the one there is; scopes: a bit for each that is wanted.
 * exposed_fini frees it. */
void exposed_init(struct exposed *, const char *store, unsigned scopes);
void exposed_fini(struct exposed *);

/* Since the totals began: exposed_start - when that was, s since 1970;
 * exposed_samples - how many samples; exposed_left_out - how many counts of single
 * intervals are missing in the totals. */
double exposed_start(const struct exposed *);
uint64_t exposed_samples(const struct exposed *);
uint64_t exposed_left_out(const struct exposed *);

/* expose - reads what the daemon has written since, and gives all series.  Of a daemon
 * that is gone or late it gives only those that say so. */
void expose(struct exposed *, const struct exposer *);

/* ---- what expose.c and exposer.c share -------------------------------------- */

/* One pass over all series. */
struct pass {
	struct exposed *x;
	const struct exposer *out;
	unsigned n;             /* series given so far */
};

/* expose_group, expose_value - give a group or a series to the exporter; what earlier
 * stores had of a total is added. */
void expose_group(struct pass *, const struct exposed_group *);
void expose_value(struct pass *, const struct exposed_group *,
    const struct exposed_labels *, double);

/* expose_label - adds a label, with its value as printf has it.
 * expose_name - sets the name to tallyd_SCOPE_NAME_UNIT, with _ for all but letters and
 * digits; scope NULL: without it. */
__attribute__((format(printf, 3, 4))) void
expose_label(struct exposed_labels *, const char *key, const char *fmt, ...);
void expose_name(struct exposed_group *, const char *scope, const char *name,
    const char *unit);

/* expose_counters - gives all raw and scaled counts. */
void expose_counters(struct pass *);

#endif
