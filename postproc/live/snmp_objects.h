/*
 * postproc/live/snmp_objects.h - the objects of an SNMP agent at one time, by
 * ascending OID.
 */
#ifndef POSTPROC_LIVE_SNMP_OBJECTS_H
#define POSTPROC_LIVE_SNMP_OBJECTS_H

#include "postproc/live/expose.h"

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

/*
 * snmp_add - adds a counter of 0.  Its OID is ROOT.tail, where tail is
 * 1.TABLE.1.COLUMN.INDEX... or 1.GROUP.OBJECT.0.  NULL: out of memory.
 * snmp_add_scalar - adds ROOT.1.1.number.0 with its value.
 * snmp_add_text - adds a text.
 */
struct snmp_object *snmp_add(struct snmp_objects *, const uint32_t *tail,
    unsigned n);
void snmp_add_scalar(struct snmp_objects *, uint32_t number, enum snmp_type,
    double v);
void snmp_add_text(struct snmp_objects *, const uint32_t *tail, unsigned n,
    const char *text);

/* snmp_add_value - adds a row of the table of all values, whose index is the value's
 * name and place. */
void snmp_add_value(struct snmp_objects *, const struct exposed_group *,
    const struct exposed_labels *, double v);

/* snmp_sort - by OID, once all are added.
 * snmp_find - the object of an OID, or (next) the first one after it; NULL: there is
 * none. */
void snmp_sort(struct snmp_objects *);
const struct snmp_object *snmp_find(const struct snmp_objects *,
    const char *oid, bool next);

#endif
