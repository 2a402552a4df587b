/*
 * postproc/live/exporters.h - the monitoring systems that `tally export` writes for.
 * Each has a row in EXPORTERS and a file, export_NAME.c.
 */
#ifndef POSTPROC_LIVE_EXPORTERS_H
#define POSTPROC_LIVE_EXPORTERS_H

#include <stdio.h>

#include "postproc/live/expose.h"

#define EXPORT_HOSTS 16

struct export_ask {
	struct exposed x;
	const char *listen;     /* prometheus: address to serve at; NULL: none */
	bool public;            /* which other nodes may reach */
	const char *host[EXPORT_HOSTS + 1];     /* more names of the server; ends with
	                         * NULL */
	const char *textfile;   /* prometheus: folder of node_exporter's textfiles */
	const char *to;         /* influx: address of a daemon; NULL: stdout */
	bool cockpit;           /* influx: names as ClusterCockpit has them */
	bool intel_pmu;         /* collectd: names as its intel_pmu plugin has them */
	bool once;              /* write what there is now, and end */
	double every;           /* s between writes; 0: the daemon's interval */
};

struct exporter {
	const char *name, *what;
	const char *const options[5];   /* those that not all exporters take, to NULL */
	/* run - exports until it is ended.  Returns tally's exit status; errors are
	 * printed on stderr. */
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
 * export_wait - waits so many seconds, and follows the store meanwhile, so that no
 * segment of a run is missed.  Returns false when there is no next time: the dump is
 * finished, or SIGINT or SIGTERM came.
 * export_pause - seconds between two looks at the store.
 */
bool export_wait(struct exposed *, double seconds);
double export_pause(const struct exposed *);

/* snmp_serve - answers net-snmp's requests from `in` on `out`, until the end of `in`. */
void snmp_serve(struct export_ask *, FILE *in, FILE *out);

/* ---- the text formats of Prometheus, for its exporter and for textfiles ---- */

/* The text format 0.0.4, which node_exporter's textfile collector reads; OpenMetrics
 * 1.0. */
enum prometheus_format { PROMETHEUS_TEXT, PROMETHEUS_OPENMETRICS };

/* prometheus_put - writes a page of all series as they are now. */
void prometheus_put(struct exposed *, enum prometheus_format, FILE *);

#endif
