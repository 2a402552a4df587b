/*
 * postproc/live/export_collectd.c - lines for collectd's exec plugin:
 * doc/monitoring/collectd.conf, and the types in doc/monitoring/types.db.
 *
 *   PUTVAL "HOST/tallyd-package0/tallyd_bytes-dram_read" interval=1 N:64000000
 *
 * Counters of collectd are whole numbers, so joules and seconds are given in millionths.
 * A multiplexed event has four values: scaled, raw, enabled and running (us).
 *
 * With --intel-pmu counts have the names that collectd's intel_pmu plugin gives them,
 * so that its dashboards find them:
 *
 *   PUTVAL "HOST/intel_pmu-0/counter-L2_RQSTS.PF_MISS" interval=1 N:640000
 *
 * The instance behind intel_pmu- is the lproc, or the list of lprocs whose counts were
 * added up; of a box it is the first lproc of its package, where the plugin opens it.
 */
#include "postproc/live/exporters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the names of the intel_pmu plugin ------------------------------------- */

#define NAME_SIZE 128           /* collectd's DATA_MAX_NAME_LEN */

/* Prints a part of an identifier, no longer than room, without / and quotes. */
static void
collectd_part(FILE *f, const char *s, size_t room)
{
	for (; *s != '\0' && room > 1; s++, room--)
		putc(*s == '/' || *s == '"' || *s == '\\' ? '_' : *s, f);
}

struct collectd_pmu {
	FILE *f;
	struct exposed *x;
	const char *host;
	double interval;        /* s */
};

#define COLLECTD_PMU_SCOPES (1u << SCOPE_OF_LPROC | 1u << SCOPE_OF_PACKAGE)

/* Writes the instance of a series to buf; false: the plugin has no such series (sums over
 * lprocs). */
static bool
instance_of(const struct collectd_pmu *p, const struct exposed_group *g,
    const struct exposed_labels *l, char *buf, size_t size)
{
	const struct topology *t = &p->x->follow.gather.topo;
	const char *lproc = value_label(l, "lproc");
	const char *lprocs = value_label(l, "lprocs");
	const char *package = value_label(l, "package");
	unsigned pkg, rank;

	if (g->scope == SCOPE_OF_LPROC || lprocs != NULL) {
		snprintf(buf, size, "%s", lprocs != NULL ? lprocs :
		    lproc != NULL ? lproc : "?");
		return true;
	}
	if (g->series->level == LEVEL_LPROC || package == NULL ||
	    sscanf(package, "%u", &pkg) != 1 || pkg >= t->npkg)
		return false;
	rank = t->pkg_first[pkg];
	if (rank >= t->nlproc)
		return false;
	snprintf(buf, size, "%u", t->lproc_at[rank]);
	return true;
}

/* Prints PUTVAL "HOST/intel_pmu-INSTANCE/TYPE-EVENT" interval=S N: and returns true;
 * false: the series is none of the plugin's. */
static bool
collectd_pmu_put_head(const struct collectd_pmu *p,
    const struct exposed_group *g,
    const struct exposed_labels *l, const char *type)
{
	const char *event = value_label(l, "event");
	char instance[NAME_SIZE];

	if (g->series == NULL || g->series->family->part != PART_COUNTS ||
	    event == NULL || !instance_of(p, g, l, instance, sizeof(instance)))
		return false;
	fputs("PUTVAL \"", p->f);
	collectd_part(p->f, p->host, NAME_SIZE);
	fputs("/intel_pmu-", p->f);
	collectd_part(p->f, instance, NAME_SIZE - sizeof("intel_pmu-"));
	fprintf(p->f, "/%s-", type);
	collectd_part(p->f, event, NAME_SIZE - strlen(type) - 1);
	fprintf(p->f, "\" interval=%g N:", p->interval);
	return true;
}

/* Does this event also have a scaled count?  Then pmu_turns prints it. */
static bool
is_scaled(const struct collectd_pmu *p, const struct exposed_group *g,
    const char *event)
{
	const struct seriesset *set = &p->x->follow.gather.series;
	const struct sums *sums = gather_sums(&p->x->follow.gather);

	for (uint32_t i = 0; g->series != NULL && event != NULL && i < set->n;
	    i++)
		if (set->series[i].family == g->series->family &&
		    set->series[i].event != NULL &&
		    strcmp(set->series[i].event, event) == 0)
			return !isnan(figures_scaled(&p->x->figures, sums,
			    set->series[i].unit[0].column));
	return false;
}

/* Prints a count, unless its event also has a scaled one, which pmu_turns prints. */
static void
pmu_value(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	const struct collectd_pmu *p = to;

	if (!is_scaled(p, g, value_label(l, "event")) &&
	    collectd_pmu_put_head(p, g, l, "counter"))
		fprintf(p->f, "%.0f\n", floor(v));
}

/* Prints the scaled count, as the plugin does, and all four values of a multiplexed event
 * as a type of our own. */
static void
pmu_turns(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, const struct exposed_turns *t)
{
	const struct collectd_pmu *p = to;

	if (collectd_pmu_put_head(p, g, l, "counter"))
		fprintf(p->f, "%.0f\n", floor(t->scaled));
	if (collectd_pmu_put_head(p, g, l, "tallyd_pmu"))
		fprintf(p->f, "%.0f:%.0f:%.0f:%.0f\n", floor(t->scaled), t->raw,
		    t->enabled * 1e6, t->running * 1e6);
}

static void
collectd_pmu_put(struct collectd_pmu *p)
{
	const struct exposer out = { .to = p,
	    .value = pmu_value, .turns = pmu_turns };

	expose(p->x, &out);
}

/* ---- names of our own ------------------------------------------------------ */

struct lines {
	struct export_ask *ask;
	const char *host;
	double interval;
};

/* The collectd type of a group, and the factor from the group's unit to that type's. */
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
export_collectd_put_value(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	const struct lines *x = to;
	double times;
	const char *type = export_collectd_type_of(g, &times);

	/* node_info, whose contents are labels, has no place in collectd */
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
	.name = "collectd", .run = export_collectd_run, .options = { "intel-pmu" },
	.what = "lines for the exec plugin of collectd",
};
