/*
 * postproc/live/prometheus.c - series as text for Prometheus.
 *
 * Values have no timestamps: a series would end up between those of other
 * scrapes, and windows of a rate would miss them.
 */
#include "postproc/live/prometheus.h"

#include <math.h>
#include <string.h>

const char *const prometheus_types[] = {
	"text/plain; version=0.0.4; charset=utf-8",
	"application/openmetrics-text; version=1.0.0; charset=utf-8",
};

struct page_of {
	FILE *f;
	enum prometheus_format format;
};

static void
prometheus_put_escaped(FILE *f, const char *s, bool quotes)
{
	for (; *s != '\0'; s++)
		if (*s == '\n')
			fputs("\\n", f);
		else if (*s == '\\' || (*s == '"' && quotes))
			fprintf(f, "\\%c", *s);
		else
			putc(*s, f);
}

static void
prometheus_put_group(void *to, const struct exposed_group *g)
{
	const struct page_of *p = to;
	/* the older format knows no name but the series' own */
	const char *total = g->counter && p->format == PROMETHEUS_TEXT ?
	    "_total" : "";

	fprintf(p->f, "# HELP %s%s ", g->name, total);
	prometheus_put_escaped(p->f, g->help,
	    p->format == PROMETHEUS_OPENMETRICS);
	fprintf(p->f, "\n# TYPE %s%s %s\n", g->name, total,
	    g->counter ? "counter" : "gauge");
	if (p->format == PROMETHEUS_OPENMETRICS && g->unit[0] != '\0')
		fprintf(p->f, "# UNIT %s %s\n", g->name, g->unit);
}

static void
prometheus_put_value(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	const struct page_of *p = to;

	fprintf(p->f, "%s%s", g->name, g->counter ? "_total" : "");
	for (unsigned i = 0; i < l->n; i++) {
		fprintf(p->f, "%c%s=\"", i == 0 ? '{' : ',', l->key[i]);
		prometheus_put_escaped(p->f, l->value[i], true);
		putc('"', p->f);
	}
	if (l->n > 0)
		putc('}', p->f);
	/* whole numbers are exact up to 2^53 */
	if (v == floor(v) && fabs(v) < 9007199254740992.0)
		fprintf(p->f, " %.0f\n", v);
	else
		fprintf(p->f, " %.15g\n", v);
}

void
prometheus_put(struct exposed *x, enum prometheus_format format, FILE *f)
{
	struct page_of p = { f, format };

	expose(x, &(struct exposer){ .to = &p, .group = prometheus_put_group,
	    .value = prometheus_put_value });
	if (format == PROMETHEUS_OPENMETRICS)
		fputs("# EOF\n", f);
}
