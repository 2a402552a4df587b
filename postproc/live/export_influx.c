/*
 * postproc/live/export_influx.c - series in InfluxDB's line protocol, to standard output
 * or to a socket, once for each sample.  With --clustercockpit only those figures that
 * ClusterCockpit has a name for, under that name; its tags are hostname, type, type-id.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "postproc/live/exporters.h"
#include "postproc/live/sockets.h"

struct points {
	FILE *f;
	const struct follow *follow;
	bool cockpit;
};

static const struct {
	const char *metric, *name;
	double times;           /* factor from the base unit */
} cockpit[] = {
	{ "dram_bandwidth", "mem_bw", 1e-9 },           /* GB/s */
	{ "flops", "flops_any", 1e-9 },                 /* GF/s */
	{ "flops_double", "flops_dp", 1e-9 },
	{ "flops_single", "flops_sp", 1e-9 },
	{ "ipc", "ipc", 1 },
	{ "frequency", "clock", 1e-6 },                 /* MHz */
	{ "package_power", "cpu_power", 1 },            /* W */
	{ "dram_power", "mem_power", 1 },
};

/* Writes the name or value of a tag: with \ before a comma, a blank and =. */
static void
export_influx_put_escaped(FILE *f, const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == ',' || *s == ' ' || *s == '=')
			putc('\\', f);
		putc(*s == '\n' ? ' ' : *s, f);
	}
}

static void
export_influx_put_time(const struct points *p)
{
	if (p->follow->open && p->follow->gather.wall_last > 0)
		fprintf(p->f, " %.0f000", p->follow->gather.wall_last * 1e6);
	putc('\n', p->f);
}

static void
put_cockpit(const struct points *p, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	const char *type = g->scope == SCOPE_OF_NODE ? "node" :
	    g->scope == SCOPE_OF_PACKAGE ? "socket" :
	    g->scope == SCOPE_OF_LPROC ? "hwthread" : NULL;
	const char *id = g->scope == SCOPE_OF_NODE ? "0" :
	    l->value[g->scope == SCOPE_OF_LPROC];

	if (g->metric == NULL || g->counter || type == NULL)
		return;
	for (unsigned i = 0; i < sizeof(cockpit) / sizeof(cockpit[0]); i++) {
		if (strcmp(cockpit[i].metric, g->metric->name) != 0)
			continue;
		fprintf(p->f, "%s,hostname=", cockpit[i].name);
		export_influx_put_escaped(p->f, p->follow->gather.host);
		fprintf(p->f, ",type=%s,type-id=%s value=%.15g", type, id,
		    v * cockpit[i].times);
		export_influx_put_time(p);
	}
}

static void
export_influx_put_value(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	const struct points *p = to;

	if (p->cockpit) {
		put_cockpit(p, g, l, v);
		return;
	}
	fprintf(p->f, "%s%s,host=", g->name, g->counter ? "_total" : "");
	export_influx_put_escaped(p->f,
	    p->follow->open ? p->follow->gather.host : "?");
	for (unsigned i = 0; i < l->n; i++) {
		if (l->value[i][0] == '\0')
			continue;
		fprintf(p->f, ",%s=", l->key[i]);
		export_influx_put_escaped(p->f, l->value[i]);
	}
	fprintf(p->f, " value=%.15g", v);
	export_influx_put_time(p);
}

/* Writes the points of a sample to standard output or to the daemon.  Returns an exit
 * status. */
static int
export_influx_put_points(struct export_ask *ask, struct points *p,
    struct line_sender *sender)
{
	const struct exposer out = { .to = p,
	    .value = export_influx_put_value };
	char *lines = NULL;
	size_t size;
	int rc;

	p->f = sender == NULL ? stdout : open_memstream(&lines, &size);
	if (p->f == NULL)
		return 2;
	expose(&ask->x, &out);
	if (sender == NULL)
		return fflush(stdout) != 0 ? 2 : 0;
	rc = fclose(p->f) != 0 || line_sender_send(sender, lines, size) < 0 ?
	    2 : 0;
	free(lines);
	return rc;
}

static int
export_influx_run(struct export_ask *ask)
{
	const struct follow *f = &ask->x.follow;
	struct points p = { stdout, f, ask->cockpit };
	uint64_t last = 0;
	struct line_sender sender;
	struct diag why = { "" };
	bool any = false;
	int status = 0;

	if (ask->to != NULL && line_sender_init(&sender, ask->to, &why) < 0)
		return fprintf(stderr, "tally: %s\n", why.text), EX_USAGE;
	do {
		uint64_t samples;

		follow_poll(&ask->x.follow);
		samples = f->open ? exposed_samples(&ask->x) : 0;
		/* once for each sample, and once more when the daemon is gone */
		if (any && samples == last && f->state == FOLLOW_LIVE)
			continue;
		last = samples;
		any = true;
		status = export_influx_put_points(ask, &p,
		    ask->to != NULL ? &sender : NULL);
		if (status != 0 && ask->to == NULL)
			break;
	} while (!ask->once && export_wait(&ask->x, ask->every > 0 ? ask->every :
	    f->open && f->every > 0 ? f->every : 1));
	if (ask->to != NULL)
		line_sender_fini(&sender);
	return status;
}

const struct exporter export_influx = {
	.name = "influx", .run = export_influx_run,
	.options = { "to", "clustercockpit" },
	.what = "InfluxDB's line protocol, for telegraf's execd and others",
};
