/*
 * postproc/live/export_snmp.c - net-snmp's pass_persist: requests on standard input,
 * answers on standard output.  doc/monitoring/TALLYD-MIB.txt defines the objects.
 *
 *   PING                            PONG
 *   get, OID                        OID, type, value; or NONE
 *   getnext, OID                    the same of the next one
 *   set, OID, value                 not-writable
 */
#include "postproc/live/exporters.h"
#include "postproc/live/snmp_objects.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

#define FRESH 0.5               /* s for which answers are of the same sample */

/* Devices have names, but SNMP needs numbers.  A device keeps its number, also while it
 * has no values. */
struct device {
	uint32_t package, number;
	char name[96];
	bool listed;            /* its name is among the current objects */
};

struct agent {
	struct export_ask *ask;
	struct snmp_objects all;
	struct device *device;
	unsigned ndevice, device_room;
	double seen;            /* when `all` was made, CLOCK_MONOTONIC, s; 0: never */
};

/* The columns of the tables.  A metric has the same column in each table. */
static const struct {
	const char *metric;
	bool total;
	double times;           /* factor from its base unit */
	uint32_t column;        /* from 1 */
} columns[] = {
	{ "dram_read", true, 1, 3 },
	{ "dram_write", true, 1, 4 },
	{ "package_energy", true, 1e3, 5 },
	{ "dram_energy", true, 1e3, 6 },
	{ "temperature", false, 1, 7 },
	{ "package_power", false, 1e3, 8 },
	{ "instructions", true, 1, 9 },
	{ "utilisation", false, 1e4, 10 },
	{ "frequency", false, 1e-6, 11 },
	{ "upi_out", true, 1, 12 },
	{ "io_in", true, 1, 13 },
	{ "io_out", true, 1, 14 },
};

/* ---- what there is ----------------------------------------------------------- */

/* The table that a value belongs to, its index there, and the name of its row; 0: no
 * table. */
static unsigned
export_snmp_place(const struct exposed_group *g, const struct exposed_labels *l,
    uint32_t *index, const char **name)
{
	*name = "node";
	index[0] = 1;
	if (g->scope == SCOPE_OF_NODE)
		return 2;
	if (l->n == 0 || strcmp(l->key[0], "package") != 0)
		return 0;
	*name = l->value[0];
	index[0] = (uint32_t)strtoul(l->value[0], NULL, 10) + 1;
	if (g->scope == SCOPE_OF_PACKAGE)
		return 3;
	if (g->scope != SCOPE_OF_BOX || l->n < 2)
		return 0;
	*name = l->value[1];
	if (strcmp(l->key[1], "channel") == 0) {
		index[1] = (uint32_t)strtoul(l->value[1], NULL, 10) + 1;
		return 4;
	}
	index[1] = 0;           /* device_number gives it */
	return strcmp(l->key[1], "link") == 0 ? 0 : 5;
}

/* The number of a device, from 1 in each package; 0: out of memory. */
static uint32_t
device_number(struct agent *a, uint32_t package, const char *name)
{
	struct device *d;
	uint32_t number = 1;
	unsigned i;

	for (i = 0; i < a->ndevice; i++) {
		d = &a->device[i];
		if (d->package == package && strcmp(d->name, name) == 0)
			break;
		number += d->package == package;
	}
	if (i == a->ndevice) {
		if ((d = array_grow(a->device, i, &a->device_room,
		    sizeof(*d))) == NULL)
			return 0;
		a->device = d;
		d += a->ndevice++;
		*d = (struct device){ .package = package, .number = number };
		snprintf(d->name, sizeof(d->name), "%s", name);
	}
	d = &a->device[i];
	if (!d->listed)
		snmp_add_text(&a->all, (const uint32_t[]){ 1, 5, 1, 15, package,
		    d->number }, 6, name);
	d->listed = true;
	return d->number;
}

static void
export_snmp_put_value(void *to, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	struct agent *a = to;
	uint32_t index[2] = { 0, 0 };
	const char *name;
	unsigned table, n;
	struct snmp_object *o;

	snmp_add_value(&a->all, g, l, v);
	if (g->scope != SCOPE_OF_NODE && g->scope != SCOPE_OF_PACKAGE &&
	    g->scope != SCOPE_OF_BOX)
		return;
	for (unsigned i = 0; g->metric != NULL && !isnan(v) &&
	    i < sizeof(columns) / sizeof(columns[0]); i++) {
		if (strcmp(columns[i].metric, g->metric->name) != 0 ||
		    columns[i].total != g->counter ||
		    (table = export_snmp_place(g, l, index, &name)) == 0)
			continue;
		n = table >= 4 ? 2 : 1;
		if (table == 5 && (index[1] = device_number(a, index[0],
		    name)) == 0)
			return;
		o = snmp_add(&a->all, (const uint32_t[]){ 1, table, 1,
		    columns[i].column, index[0], index[1] }, 4 + n);
		if (o == NULL)
			return;
		o->type = columns[i].total ? SNMP_COUNTER : SNMP_GAUGE;
		v *= columns[i].times;
		o->value = v < 0 ? 0 : o->type == SNMP_GAUGE && v > UINT32_MAX ?
		    UINT32_MAX : (uint64_t)v;
	}
}

static void
export_snmp_look(struct agent *a)
{
	const struct follow *f = &a->ask->x.follow;
	double now = follow_clock(CLOCK_MONOTONIC);

	/* answers within FRESH seconds are of the same sample */
	if (a->seen > 0 && now - a->seen < FRESH)
		return;
	a->seen = now;
	a->all.n = 0;
	for (unsigned i = 0; i < a->ndevice; i++)
		a->device[i].listed = false;
	expose(&a->ask->x, &(struct exposer){ .to = a,
	    .value = export_snmp_put_value });
	snmp_add_scalar(&a->all, 1, SNMP_GAUGE, f->state == FOLLOW_LIVE ? 1 : 2);
	if (f->open) {
		snmp_add_text(&a->all, (const uint32_t[]){ 1, 1, 2, 0 }, 4,
		    f->gather.host);
		snmp_add_scalar(&a->all, 3, SNMP_GAUGE, f->every * 1e3);
	}
	if (f->open && f->start > 0) {
		snmp_add_scalar(&a->all, 4, SNMP_COUNTER,
		    (double)exposed_samples(&a->ask->x));
		snmp_add_scalar(&a->all, 5, SNMP_GAUGE, f->age * 1e3);
		snmp_add_scalar(&a->all, 6, SNMP_COUNTER,
		    exposed_start(&a->ask->x));
		snmp_add_scalar(&a->all, 7, SNMP_COUNTER,
		    (double)exposed_left_out(&a->ask->x));
		snmp_add_scalar(&a->all, 8, SNMP_COUNTER, f->gather.wall_last * 1e3);
	}
	snmp_sort(&a->all);
}

/* ---- requests ------------------------------------------------------------------ */

static void
export_snmp_answer(const struct snmp_object *o, FILE *out)
{
	static const char *const types[] = { "counter64", "gauge", "string" };

	if (o == NULL) {
		fputs("NONE\n", out);
		return;
	}
	for (unsigned i = 0; i < o->oid.n; i++)
		fprintf(out, ".%u", o->oid.id[i]);
	fprintf(out, "\n%s\n", types[o->type]);
	if (o->type == SNMP_TEXT)
		fprintf(out, "%s\n", o->text);
	else
		fprintf(out, "%llu\n", (unsigned long long)o->value);
}

/* Reads a line, without its end; what does not fit is dropped.  False: end of input. */
static bool
export_snmp_line(FILE *in, char *buf, size_t size)
{
	size_t n = 0;
	int c;

	while ((c = getc(in)) != EOF && c != '\n')
		if (c != '\r' && n < size - 1)
			buf[n++] = (char)c;
	buf[n] = '\0';
	return c != EOF || n > 0;
}

/* Reads and answers a request; false: there will be no more. */
static bool
request(struct agent *a, FILE *in, FILE *out)
{
	char word[16], oid[512], value[512];
	bool next;

	/* net-snmp ends with an empty line */
	if (!export_snmp_line(in, word, sizeof(word)) || word[0] == '\0')
		return false;
	next = strcmp(word, "getnext") == 0;
	if (strcmp(word, "PING") == 0) {
		fputs("PONG\n", out);
	} else if (strcmp(word, "set") == 0) {
		if (!export_snmp_line(in, oid, sizeof(oid)) ||
		    !export_snmp_line(in, value, sizeof(value)))
			return false;
		fputs("not-writable\n", out);
	} else if (next || strcmp(word, "get") == 0) {
		if (!export_snmp_line(in, oid, sizeof(oid)))
			return false;
		export_snmp_look(a);
		export_snmp_answer(snmp_find(&a->all, oid, next), out);
	} else {
		fputs("NONE\n", out);
	}
	return fflush(out) == 0;
}

/* Follows the store until a request comes, so that short segments are seen. */
static void
follow_until_asked(struct export_ask *ask, int fd)
{
	struct pollfd p = { fd, POLLIN, 0 };

	while (poll(&p, 1, (int)(export_pause(&ask->x) * 1e3)) == 0)
		follow_poll(&ask->x.follow);
}

void
snmp_serve(struct export_ask *ask, FILE *in, FILE *out)
{
	struct agent a = { .ask = ask };

	ask->x.figures.scopes |= 1u << SCOPE_OF_NODE | 1u << SCOPE_OF_PACKAGE |
	    1u << SCOPE_OF_BOX;
	/* unbuffered, as poll would not see what is in stdio's buffer */
	if (fileno(in) >= 0)
		setvbuf(in, NULL, _IONBF, 0);
	do {
		if (fileno(in) >= 0)
			follow_until_asked(ask, fileno(in));
	} while (request(&a, in, out));
	free(a.all.object);
	free(a.device);
}

static int
export_snmp_run(struct export_ask *ask)
{
	snmp_serve(ask, stdin, stdout);
	return 0;
}

const struct exporter export_snmp = {
	.name = "snmp", .run = export_snmp_run, .options = "",
	.what = "pass_persist of net-snmp's snmpd",
};
