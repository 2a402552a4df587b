/*
 * daemon/list_tables.c - rows of discovery tables.
 */
#include "daemon/list_tables.h"

#include <inttypes.h>

enum { TYPE_UPI = 8, TYPE_M3UPI = 9 };  /* reference 9.1 */

/* Does the model have a type of that number?  Links are found by its own list. */
static bool
known_type(const struct model *m, unsigned type)
{
	if (type == TYPE_UPI || type == TYPE_M3UPI)
		return true;
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		if (b->presence == PRESENT_TABLE && b->table_type == type)
			return true;
	return false;
}

static void
row(FILE *out, const struct discovery_site *s, unsigned n, const char *state)
{
	fprintf(out, "TABLE\t%d\t%u\t%s\t%04x:%02x:%02x.%x: ", s->pkg, n, state,
	    s->at.seg & 0xffff, s->at.bus, s->at.dev, s->at.fn);
}

static void
list_table(FILE *out, const struct discovery_site *s, unsigned n,
    const struct model *m)
{
	const struct discovery_table *t = &s->table;

	if (s->no_table[0] != '\0') {
		row(out, s, n, "absent");
		fprintf(out, "%s\n", s->no_table);
		return;
	}
	row(out, s, n, "present");
	fprintf(out, "%u boxes, at 0x%" PRIx64 "%s%s%s\n", t->n, s->address,
	    s->note[0] != '\0' ? "; " : "", s->note, s->pkg < 0 ?
	    "; of which package is not known: not used" : "");
	for (unsigned i = 0; i < t->nleft; i++) {
		row(out, s, n, "left out");
		fprintf(out, "entry %u", t->left[i].first);
		if (t->left[i].last != t->left[i].first)
			fprintf(out, " to %u", t->left[i].last);
		fprintf(out, ": %s\n", t->left[i].why);
	}
	for (unsigned i = 0; i < t->n; i++)
		if (!known_type(m, t->unit[i].type)) {
			row(out, s, n, "not used");
			fprintf(out, "entry %u: type %u id %u\n",
			    t->unit[i].entry, t->unit[i].type, t->unit[i].id);
		}
}

void
list_tables(FILE *out, const struct inventory *inv, const struct model *m)
{
	for (unsigned i = 0; i < inv->found.n; i++)
		list_table(out, &inv->found.site[i], i, m);
}
