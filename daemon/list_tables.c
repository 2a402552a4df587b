/*
 * daemon/list_tables.c - rows of discovery tables.
 */
#include "daemon/list_tables.h"

#include <inttypes.h>

/* Is there a place for it in the model?  Links of which the tables are known to
 * be wrong are found by the model's own list. */
static bool
has_place(const struct model *m, const struct discovered *d)
{
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		if (b->presence == PRESENT_TABLE ? b->table_type == d->type &&
		    (b->devid != NULL || d->id < b->instances) :
		    b->table_type != 0 && b->table_type == d->type)
			return true;
	return false;
}

/* Is a box of that type and id in an earlier table of the same package?  Whether
 * ids are of a package or of each of its dies no source says for Granite Rapids. */
static bool
listed_before(const struct inventory *inv, unsigned n,
    const struct discovered *d)
{
	for (unsigned i = 0; i < n; i++) {
		const struct discovery_site *s = &inv->found.site[i];

		for (unsigned k = 0; s->pkg == inv->found.site[n].pkg &&
		    k < s->table.n; k++)
			if (s->table.unit[k].type == d->type &&
			    s->table.unit[k].id == d->id)
				return true;
	}
	return false;
}

static void
list_tables_row(FILE *out, const struct discovery_site *s, unsigned n,
    const char *state)
{
	fprintf(out, "TABLE\t%d\t%u\t%s\t%04x:%02x:%02x.%x: ", s->pkg, n, state,
	    s->at.seg & 0xffff, s->at.bus, s->at.dev, s->at.fn);
}

static void
list_table(FILE *out, const struct inventory *inv, unsigned n,
    const struct model *m)
{
	const struct discovery_site *s = &inv->found.site[n];
	const struct discovery_table *t = &s->table;

	if (s->no_table[0] != '\0') {
		list_tables_row(out, s, n, "absent");
		fprintf(out, "%s\n", s->no_table);
		return;
	}
	list_tables_row(out, s, n, "present");
	fprintf(out, "%u boxes, at 0x%" PRIx64 "%s%s%s\n", t->n, s->address,
	    s->note[0] != '\0' ? "; " : "", s->note, s->pkg < 0 ?
	    "; of which package is not known: not used" : "");
	for (unsigned i = 0; i < t->nleft; i++) {
		list_tables_row(out, s, n, "left out");
		fprintf(out, "entry %u", t->left[i].first);
		if (t->left[i].last != t->left[i].first)
			fprintf(out, " to %u", t->left[i].last);
		fprintf(out, ": %s\n", t->left[i].why);
	}
	for (unsigned i = 0; i < t->n; i++) {
		bool again = listed_before(inv, n, &t->unit[i]);

		if (has_place(m, &t->unit[i]) && !again)
			continue;
		list_tables_row(out, s, n, "not used");
		fprintf(out, "entry %u: type %u id %u%s\n", t->unit[i].entry,
		    t->unit[i].type, t->unit[i].id, again ? ": an earlier table "
		    "of this package has one, too" : "");
	}
}

void
list_tables(FILE *out, const struct inventory *inv, const struct model *m)
{
	for (unsigned i = 0; i < inv->found.n; i++)
		list_table(out, inv, i, m);
}

void
list_table_words(FILE *out, const struct inventory *inv)
{
	for (unsigned i = 0; i < inv->found.n; i++) {
		const struct discovery_site *s = &inv->found.site[i];
		uint64_t word[3];
		size_t at;

		for (unsigned k = 0; discovery_words(s, k, word, &at); k++) {
			if ((word[0] | word[1] | word[2]) == 0)
				continue;
			list_tables_row(out, s, i, "words");
			fprintf(out, "mmio 0x%" PRIx64 " words 0x%" PRIx64 " 0x%"
			    PRIx64 " 0x%" PRIx64 "\n", s->address + at, word[0],
			    word[1], word[2]);
		}
	}
}

static void
laid_row(FILE *out, const struct unit *u, const char *role, int n, uint32_t reg)
{
	struct reg_addr addr = unit_addr(u, reg, 4);
	char number[16] = "", text[64];

	if (n >= 0)
		snprintf(number, sizeof(number), "%d", n);
	fprintf(out, "%s\t%u\t%s%s\tpackage %u\t%s\n", u->type->name, u->inst,
	    role, number, u->pkg, reg_addr_text(&addr, text, sizeof(text)));
}

/* The registers of a unit that only a table knows. */
static void
list_laid(FILE *out, const struct unit *u)
{
	laid_row(out, u, "boxctl", -1, u->type->box_ctl);
	for (int n = 0; n < u->counters; n++)
		laid_row(out, u, "ctl", n, u->ctl + (unsigned)n * u->ctl_step);
	for (int n = 0; n < u->counters; n++)
		laid_row(out, u, "ctr", n, u->ctr + (unsigned)n * u->ctr_step);
}

void
list_laid_registers(FILE *out, const struct model *m,
    const struct inventory *inv)
{
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		if (b->table_laid && inv == NULL)
			fprintf(out, "%s\t0\tboxctl\ttable\tas the discovery "
			    "table of a node says\n", b->name);
	for (unsigned i = 0; inv != NULL && i < inv->n; i++)
		if (inv->unit[i].type->table_laid && inv->unit[i].present)
			list_laid(out, &inv->unit[i]);
}
