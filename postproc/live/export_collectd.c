/*
 * postproc/live/export_collectd.c - lines for collectd's exec plugin:
 * doc/monitoring/collectd.conf, and the types in doc/monitoring/types.db.
 *
 *   PUTVAL "HOST/tallyd-package0/tallyd_bytes-dram_read" interval=1 N:64000000
 *
 * collectd's own counters are whole numbers: joules and seconds are given in
 * millionths.  What takes turns on the counters has four values, scaled, raw,
 * enabled and running (us).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/live/collectd_pmu.h"
#include "postproc/live/exporters.h"
#include "postproc/live/exposer.h"

#define NAME_SIZE 128           /* collectd's DATA_MAX_NAME_LEN */

struct lines {
	struct export_ask *ask;
	const char *host;
	double interval;
};

/* The type of a group, and what one of its unit is in it. */
static const char *
export_collectd_type_of(const struct exposed_group *g, double *times)
{
	*times = 1;
	if (!g->counter)
		return "gauge";
	if (strcmp(g->unit, "bytes") == 0)
		return "tallyd_bytes";
	if (strcmp(g->unit, "joules") == 0 || strcmp(g->unit, "seconds") == 0) {
		*times = 1e6;
		return g->unit[0] == 'j' ? "tallyd_uj" : "tallyd_us";
	}
	return "tallyd_events";
}

static void
put_identifier(const struct lines *x, const struct exposed_group *g,
    const struct exposed_labels *l, const char *type)
{
	char what[NAME_SIZE], place[NAME_SIZE];

	value_name(g, l, what, sizeof(what));
	value_place(l, place, sizeof(place));
	printf("PUTVAL \"");
	collectd_part(stdout, x->host, NAME_SIZE);
	printf("/tallyd-");
	collectd_part(stdout, place, NAME_SIZE - sizeof("tallyd-"));
	printf("/%s-", type);
	collectd_part(stdout, what, NAME_SIZE - strlen(type) - 1);
	printf("\" interval=%g N:", x->interval);
}

static void
export_collectd_put_group(void *to, const struct exposed_group *g)
{
	(void)to, (void)g;
}

static void
export_collectd_put_value(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	const struct lines *x = to;
	double times;
	const char *type = export_collectd_type_of(g, &times);

	/* text in a label is nothing that collectd has a place for */
	if (value_label(l, "nodename") != NULL)
		return;
	put_identifier(x, g, l, type);
	if (g->counter)
		printf("%.0f\n", floor(v * times));
	else
		printf("%.15g\n", v);
}

static void
put_turns(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, const struct exposed_turns *t)
{
	put_identifier(to, g, l, "tallyd_pmu");
	printf("%.0f:%.0f:%.0f:%.0f\n", floor(t->scaled), t->raw,
	    t->enabled * 1e6, t->running * 1e6);
}

static int
export_collectd_run(struct export_ask *ask)
{
	const char *every = getenv("COLLECTD_INTERVAL");
	const char *host = getenv("COLLECTD_HOSTNAME");
	const struct follow *f = &ask->x.follow;
	struct lines x = { .ask = ask, .interval = ask->every };
	const struct exposer out = { .to = &x,
	    .group = export_collectd_put_group,
	    .value = export_collectd_put_value, .turns = put_turns };

	if (!(x.interval > 0) && every != NULL)
		x.interval = strtod(every, NULL);
	if (!(x.interval >= 0.01 && x.interval <= 86400))
		x.interval = 10;
	if (ask->intel_pmu)
		ask->x.figures.scopes = COLLECTD_PMU_SCOPES;
	do {
		follow_poll(&ask->x.follow);
		x.host = host != NULL ? host : f->open ? f->gather.host :
		    "localhost";
		if (ask->intel_pmu)
			collectd_pmu_put(&(struct collectd_pmu){ stdout,
			    &ask->x, x.host, x.interval });
		else
			expose(&ask->x, &out);
		if (fflush(stdout) != 0)
			return 2;
	} while (!ask->once && export_wait(&ask->x, x.interval));
	return 0;
}

const struct exporter export_collectd = {
	.name = "collectd", .run = export_collectd_run, .options = "I",
	.what = "lines for the exec plugin of collectd",
};
