/*
 * postproc/live/exporters.h - the monitoring systems that `tally export` speaks
 * to: a row each, and a file, export_NAME.c.
 */
#ifndef POSTPROC_LIVE_EXPORTERS_H
#define POSTPROC_LIVE_EXPORTERS_H

#include <stdio.h>

#include "postproc/live/expose.h"

#define EXPORT_HOSTS 16

struct export_ask {
	struct exposed x;
	const char *listen;     /* prometheus: where; NULL: nowhere */
	bool public;
	const char *host[EXPORT_HOSTS + 1];     /* names that are ours, too */
	const char *textfile;   /* prometheus: a folder */
	const char *to;         /* influx: a daemon's socket; NULL: stdout */
	bool cockpit;           /* influx: ClusterCockpit's names */
	bool intel_pmu;         /* collectd: that plugin's names */
	bool once;              /* what there is now, and no more */
	double every;           /* s; 0: the daemon's interval */
};

struct exporter {
	const char *name, *what;
	const char *options;    /* letters of those that only some have */
	/* tally's exit status, with words on stderr */
	int (*run)(struct export_ask *);
};

#define EXPORTERS(row) \
	row(prometheus) \
	row(collectd) \
	row(influx) \
	row(snmp)

#define EXPORTER_DECLARE(name) extern const struct exporter export_##name;
EXPORTERS(EXPORTER_DECLARE)

/*
 * export_wait - until the next time: true; SIGINT or SIGTERM: false.  seconds: at
 * least so long.  Meanwhile the store is followed, so that none of a run in
 * segments is missed.
 * export_pause - seconds from one look at it to the next.
 */
bool export_wait(struct exposed *, double seconds);
double export_pause(const struct exposed *);

/* snmp_serve - answer the requests of `in` on `out`, until there are no more. */
void snmp_serve(struct export_ask *, FILE *in, FILE *out);

/* ---- the text formats of Prometheus, for its exporter and for textfiles ---- */

/* OpenMetrics 1.0; or the older text format 0.0.4, as node_exporter's textfile
 * collector has it. */
enum prometheus_format { PROMETHEUS_TEXT, PROMETHEUS_OPENMETRICS };

/* The values of HTTP's Content-Type, by format. */
extern const char *const prometheus_types[];

/* prometheus_put - a page of what there is now. */
void prometheus_put(struct exposed *, enum prometheus_format, FILE *);

#endif
