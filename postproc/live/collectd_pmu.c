/*
 * postproc/live/collectd_pmu.c - counts as collectd's intel_pmu plugin names them.
 */
#include "postproc/live/collectd_pmu.h"

#include <math.h>
#include <string.h>

#include "postproc/live/exposer.h"

#define NAME_SIZE 128           /* collectd's DATA_MAX_NAME_LEN */

void
collectd_part(FILE *f, const char *s, size_t room)
{
	for (; *s != '\0' && room > 1; s++, room--)
		putc(*s == '/' || *s == '"' || *s == '\\' ? '_' : *s, f);
}

/* The plugin's instance, in buf; false: these are sums that the plugin has not. */
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

/* PUTVAL "HOST/intel_pmu-INSTANCE/TYPE-EVENT" interval=S N: */
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

/* Does this event have a scaled value beside the raw one? */
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

static void
pmu_group(void *to, const struct exposed_group *g)
{
	(void)to, (void)g;
}

static void
pmu_value(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	const struct collectd_pmu *p = to;

	if (!is_scaled(p, g, value_label(l, "event")) &&
	    collectd_pmu_put_head(p, g, l, "counter"))
		fprintf(p->f, "%.0f\n", floor(v));
}

/* The plugin's value is the scaled one; all four are beside it. */
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

void
collectd_pmu_put(struct collectd_pmu *p)
{
	const struct exposer out = { .to = p, .group = pmu_group,
	    .value = pmu_value, .turns = pmu_turns };

	expose(p->x, &out);
}
