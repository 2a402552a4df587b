/*
 * postproc/live/exposer.h - series as exporters are given them: a name, a few
 * labels, a value.
 */
#ifndef POSTPROC_LIVE_EXPOSER_H
#define POSTPROC_LIVE_EXPOSER_H

#include "postproc/data/series.h"
#include "lib/lookup.h"
#include "postproc/metrics/metrics.h"

/* Series of one name. */
struct exposed_group {
	char name[160];         /* "tallyd_package_dram_read_bytes": no _total */
	const char *unit;       /* that it ends with, "bytes"; "": none */
	char help[200];         /* one line */
	bool counter;           /* grows until the daemon starts again */
	enum scope scope;       /* SCOPES: of the exporter, or of no place */
	const struct metric *metric;    /* that it is of; NULL: of none */
	const struct series *series;    /* raw: the counters that it is of */
};

/* Where in the node: "package" "1", "channel" "4", "event" "CAS_COUNT.RD". */
#define EXPOSED_LABELS 8
struct exposed_labels {
	unsigned n;
	const char *key[EXPOSED_LABELS];
	char value[EXPOSED_LABELS][96];
};

/* Events that took turns on the counters, and how long they had them (s): a
 * group of their own, "tallyd_scaled_...", beside the raw one. */
struct exposed_turns {
	double scaled, raw, enabled, running;
};

/* All series of a group come one after another. */
struct exposer {
	void *to;
	void (*group)(void *to, const struct exposed_group *);
	void (*value)(void *to, const struct exposed_group *,
	    const struct exposed_labels *, double);
	/* instead of the value of a scaled group; NULL: value has it */
	void (*turns)(void *to, const struct exposed_group *,
	    const struct exposed_labels *, const struct exposed_turns *);
};

/* Where a system has a text for a value and its place: collectd, SNMP's table of all
 * values. */
/*
 * value_name - "dram_read" of a total, "dram_read_bytes_per_second" of what is now,
 * "imc_counts.CAS_COUNT.READS" of counts.
 * value_place - "package0-channel3", "lproc17"; "node".
 * Both as snprintf.
 */
int value_name(const struct exposed_group *, const struct exposed_labels *,
    char *buf, size_t size);
size_t value_place(const struct exposed_labels *, char *buf, size_t size);

/* value_label - the value of a label; NULL: there is none of that key. */
const char *value_label(const struct exposed_labels *, const char *key);

/* What totals were when a store was over: those of the next one go on from there. */

struct carried {
	struct carried_total *total;
	unsigned n, room;
	struct lookup by_series;
};

/* carried_find - of a series by its group's name and its labels; NULL: none.
 * carried_set - what it is by now; without memory it begins again. */
const struct exposed_turns *carried_find(const struct carried *,
    const struct exposed_group *, const struct exposed_labels *);
void carried_set(struct carried *, const struct exposed_group *,
    const struct exposed_labels *, const struct exposed_turns *);
void carried_fini(struct carried *);

#endif
