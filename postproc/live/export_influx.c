/*
 * postproc/live/export_influx.c - series in InfluxDB's line protocol, to standard
 * output: a point each sample.
 */
#include <math.h>
#include <stdio.h>

#include "postproc/live/exporters.h"

struct points {
	FILE *f;
	const struct follow *follow;
};

/* Names and values of tags: a comma, a blank and = stand behind a \. */
static void
put_escaped(FILE *f, const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == ',' || *s == ' ' || *s == '=')
			putc('\\', f);
		putc(*s == '\n' ? ' ' : *s, f);
	}
}

static void
put_group(void *to, const struct exposed_group *g)
{
	(void)to, (void)g;
}

static void
put_value(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	const struct points *p = to;

	fprintf(p->f, "%s%s,host=", g->name, g->counter ? "_total" : "");
	put_escaped(p->f, p->follow->open ? p->follow->gather.host : "?");
	for (unsigned i = 0; i < l->n; i++) {
		if (l->value[i][0] == '\0')
			continue;
		fprintf(p->f, ",%s=", l->key[i]);
		put_escaped(p->f, l->value[i]);
	}
	fprintf(p->f, " value=%.15g", v);
	if (p->follow->open && p->follow->gather.wall_last > 0)
		fprintf(p->f, " %.0f000", p->follow->gather.wall_last * 1e6);
	putc('\n', p->f);
}

static int
run(struct export_ask *ask)
{
	const struct follow *f = &ask->x.follow;
	struct points p = { stdout, f };
	const struct exposer out = { .to = &p, .group = put_group,
	    .value = put_value };
	uint64_t last = 0;
	bool any = false;

	do {
		uint64_t samples;

		follow_poll(&ask->x.follow);
		samples = f->open ? intervals_samples(f->gather.intervals) : 0;
		/* once a sample, and once that there are no more */
		if (any && samples == last && f->state == FOLLOW_LIVE)
			continue;
		last = samples;
		any = true;
		expose(&ask->x, &out);
		if (fflush(stdout) != 0)
			return 2;
	} while (!ask->once && export_wait(ask->every > 0 ? ask->every :
	    f->open && f->every > 0 ? f->every : 1));
	return 0;
}

const struct exporter export_influx = {
	.name = "influx", .run = run, .options = "",
	.what = "InfluxDB's line protocol, for telegraf's execd and others",
};
