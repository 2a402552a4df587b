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

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

/* ---- objects by ascending OID ----------------------------------------------- */

#define SNMP_IDS 128            /* of an OID: SNMP has no more */

enum snmp_type { SNMP_COUNTER, SNMP_GAUGE, SNMP_TEXT };

struct oid {
	unsigned n;             /* of the ids */
	uint32_t id[SNMP_IDS];
};

struct snmp_object {
	struct oid oid;
	enum snmp_type type;
	uint64_t value;
	char text[96];
};

struct snmp_objects {
	struct snmp_object *object;
	unsigned n, room;
};

/* net-snmp's OID for objects without a registered number */
#define ROOT 1, 3, 6, 1, 4, 1, 8072, 9999, 9999, 84
/* Limits of the texts of an index, so that both, and their lengths, fit into an OID. */
#define NAME_ROOM 80
#define PLACE_ROOM 32

static int
snmp_objects_compare(const struct oid *a, const struct oid *b)
{
	for (unsigned i = 0; i < a->n && i < b->n; i++)
		if (a->id[i] != b->id[i])
			return a->id[i] < b->id[i] ? -1 : 1;
	return (a->n > b->n) - (a->n < b->n);
}

static int
by_oid(const void *a, const void *b)
{
	return snmp_objects_compare(&((const struct snmp_object *)a)->oid,
	    &((const struct snmp_object *)b)->oid);
}

static bool
parse_oid(struct oid *o, const char *s)
{
	o->n = 0;
	while (*s == '.') {
		char *end;
		unsigned long id;

		if (s[1] < '0' || s[1] > '9' || o->n == SNMP_IDS)
			return false;
		errno = 0;
		id = strtoul(s + 1, &end, 10);
		if (errno != 0 || id > UINT32_MAX)
			return false;
		o->id[o->n++] = (uint32_t)id;
		s = end;
	}
	return *s == '\0' && o->n > 0;
}

/* Adds a counter of 0.  Its OID is ROOT.tail, where tail is 1.TABLE.1.COLUMN.INDEX... or
 * 1.GROUP.OBJECT.0.  NULL: out of memory. */
static struct snmp_object *
snmp_add(struct snmp_objects *a, const uint32_t *tail, unsigned n)
{
	static const uint32_t root[] = { ROOT };
	struct snmp_object *o;

	if (!array_room(&a->object, a->n, &a->room, sizeof(*a->object)))
		return NULL;
	o = &a->object[a->n++];
	*o = (struct snmp_object){ .type = SNMP_COUNTER };
	for (unsigned i = 0; i < sizeof(root) / sizeof(root[0]); i++)
		o->oid.id[o->oid.n++] = root[i];
	for (unsigned i = 0; i < n; i++)
		o->oid.id[o->oid.n++] = tail[i];
	return o;
}

/* Adds ROOT.1.1.number.0 with its value. */
static void
snmp_add_scalar(struct snmp_objects *a, uint32_t number, enum snmp_type type,
    double v)
{
	struct snmp_object *o = snmp_add(a, (const uint32_t[]){ 1, 1, number,
	    0 }, 4);

	if (o == NULL)
		return;
	o->type = type;
	o->value = v > 0 ? (uint64_t)v : 0;
}

static void
snmp_add_text(struct snmp_objects *a, const uint32_t *tail, unsigned n,
    const char *text)
{
	struct snmp_object *o = snmp_add(a, tail, n);

	if (o == NULL)
		return;
	o->type = SNMP_TEXT;
	snprintf(o->text, sizeof(o->text), "%.95s", text);
	/* an answer has the text as one line */
	for (char *c = o->text; *c != '\0'; c++)
		if ((unsigned char)*c < ' ')
			*c = '?';
}

/* Writes a text as a part of an index: its length, then its bytes. */
static unsigned
index_text(uint32_t *id, const char *s)
{
	unsigned n = 0;

	for (; s[n] != '\0'; n++)
		id[n + 1] = (unsigned char)s[n];
	id[0] = n;
	return n + 1;
}

/* Adds a row of the table of all values, whose index is the value's name and place. */
static void
snmp_add_value(struct snmp_objects *a, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	bool thousandths = strcmp(g->unit, "joules") == 0 ||
	    strcmp(g->unit, "seconds") == 0;
	bool scaled = strstr(g->name, "scaled_") != NULL && g->series != NULL;
	char name[NAME_ROOM + 1], place[PLACE_ROOM + 1], text[96];
	uint32_t tail[SNMP_IDS] = { 1, 6, 1, 1 };
	struct snmp_object *o;
	unsigned n = 4;

	/* the state of the daemon has other objects */
	if (isnan(v) || (g->metric == NULL && g->series == NULL))
		return;
	/* texts that were cut could be equal to others */
	if (value_name(g, l, name, sizeof(name)) + (scaled ? 7 : 0) >
	    NAME_ROOM ||
	    value_place(l, place, sizeof(place)) > PLACE_ROOM)
		return;
	if (scaled)
		strcat(name, ".scaled");
	n += index_text(tail + n, name);
	n += index_text(tail + n, place);
	tail[3] = 3;
	snprintf(text, sizeof(text), "%s%s", g->counter && thousandths ?
	    "milli" : "", g->unit);
	snmp_add_text(a, tail, n, text);
	tail[3] = g->counter ? 4 : 5;
	if (!g->counter) {
		snprintf(text, sizeof(text), "%.15g", v);
		snmp_add_text(a, tail, n, text);
	} else if ((o = snmp_add(a, tail, n)) != NULL) {
		v *= thousandths ? 1e3 : 1;
		o->value = v > 0 && v < 1.8e19 ? (uint64_t)v : 0;
	}
}

/* The object of an OID, or (next) the first one after it; NULL: there is none. */
static const struct snmp_object *
snmp_find(const struct snmp_objects *a, const char *text, bool next)
{
	unsigned lo = 0, hi = a->n;
	struct oid oid;

	if (!parse_oid(&oid, text))
		return NULL;
	/* find the first object that is not before it, or (next) is after it */
	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;
		int c = snmp_objects_compare(&a->object[mid].oid, &oid);

		if (c < 0 || (next && c == 0))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == a->n ||
	    (!next && snmp_objects_compare(&a->object[lo].oid, &oid) != 0))
		return NULL;
	return &a->object[lo];
}

/* ---- the agent --------------------------------------------------------------- */

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
		if (!array_room(&a->device, i, &a->device_room,
		    sizeof(*a->device)))
			return 0;
		d = &a->device[a->ndevice++];
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
	snmp_add_scalar(&a->all, 1, SNMP_GAUGE,
	    f->state == FOLLOW_LIVE ? 1 : 2);
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
		snmp_add_scalar(&a->all, 8, SNMP_COUNTER,
		    f->gather.wall_last * 1e3);
	}
	qsort(a->all.object, a->all.n, sizeof(a->all.object[0]), by_oid);
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
	.name = "snmp", .run = export_snmp_run,
	.what = "pass_persist of net-snmp's snmpd",
};
