/*
 * postproc/live/snmp_objects.c - SNMP objects and their OIDs; the table of all values,
 * whose index is two texts.
 */
#include "postproc/live/snmp_objects.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

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

struct snmp_object *
snmp_add(struct snmp_objects *a, const uint32_t *tail, unsigned n)
{
	static const uint32_t root[] = { ROOT };
	struct snmp_object *o = array_grow(a->object, a->n, &a->room,
	    sizeof(*o));

	if (o == NULL)
		return NULL;
	a->object = o;
	o += a->n++;
	*o = (struct snmp_object){ .type = SNMP_COUNTER };
	for (unsigned i = 0; i < sizeof(root) / sizeof(root[0]); i++)
		o->oid.id[o->oid.n++] = root[i];
	for (unsigned i = 0; i < n; i++)
		o->oid.id[o->oid.n++] = tail[i];
	return o;
}

void
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

void
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

void
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
	if (value_name(g, l, name, sizeof(name)) + (scaled ? 7 : 0) > NAME_ROOM ||
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

void
snmp_sort(struct snmp_objects *a)
{
	qsort(a->object, a->n, sizeof(a->object[0]), by_oid);
}

const struct snmp_object *
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
