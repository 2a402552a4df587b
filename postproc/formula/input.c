/*
 * postproc/formula/input.c - which columns a reference of a formula names.
 *
 * imc["CAS_COUNT.RD"] finds imc_counts[..]["CAS_COUNT.RD"], else the same event under
 * the name of Intel's lists (UNC_M_CAS_COUNT.RD), else its synonyms.  Where there is
 * none of these, it finds an event that has that name in other case (sysfs's
 * cas_count.rd) or with a word behind it (CAS_COUNT.RD@mine), if there is only one.
 * At units that have none of these, it finds one that a configuration gave by number
 * (nvidia_scf_pmu_0/event=0x1a5/, r80C0): the model's table has the number of the
 * event, and the dump's head the control value of each column.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config/dump/read.h"
#include "postproc/data/select.h"
#include "postproc/formula/bind_int.h"
#include "regs/perf.h"

/* A series that a reference names. */
struct input_found {
	const struct series *series;
	const char *star;       /* what the '*' of a pattern stands for in the
	                         * family's name; NULL: there is no '*' */
	size_t star_len;
};

#define MAX_FOUND 1024

/* Are two names the same, apart from case and from what stands behind an @? */
static bool
input_alike(const char *a, const char *b)
{
	size_t n = strcspn(a, "@");

	return n == strcspn(b, "@") && strncasecmp(a, b, n) == 0;
}

/* Is this the event that is asked for? */
static bool
event_fits(const struct series *s, const char *event, bool loose)
{
	const char *none, *star, *name;
	size_t len;

	if (s->event == NULL || event == NULL)
		return s->event == event;
	name = event_plain(s->event, &none);
	return loose ? input_alike(event, name) :
	    label_matches(event, name, &star, &len);
}

/* Finds all series of a family (or of a pattern of families) that count an event; event
 * NULL: series without one.  A loose search, as input_alike has names, finds nothing
 * where they are of several events. */
static unsigned
input_search(const struct seriesset *set, const char *family,
    const char *suffix,
    const char *event, bool loose, struct input_found *found)
{
	const char *star = NULL;
	const struct family *looked = NULL;
	size_t star_len = 0;
	bool fits = family == NULL;
	unsigned n = 0;
	char full[128];

	if (family != NULL && strlen(family) + strlen(suffix) >= sizeof full)
		return 0;
	/* thousands of times: snprintf takes longer than the search */
	if (family != NULL)
		strcpy(stpcpy(full, family), suffix);
	for (uint32_t i = 0; i < set->n && n < MAX_FOUND; i++) {
		const struct series *s = &set->series[i];

		if ((s->event == NULL) != (event == NULL))
			continue;
		/* series of a family mostly stand together: match it once */
		if (family != NULL && s->family != looked) {
			looked = s->family;
			fits = label_matches(full, looked->name, &star,
			    &star_len);
		}
		if (!fits || !event_fits(s, event, loose))
			continue;
		if (n > 0 && s->level != found[0].series->level)
			continue;
		/* without a pattern, one family is meant */
		if (n > 0 && (family == NULL || star == NULL) &&
		    s->family != found[0].series->family)
			continue;
		if (loose && n > 0 &&
		    strcmp(s->event, found[0].series->event) != 0)
			return 0;
		found[n++] = (struct input_found){ s, star, star_len };
	}
	return n;
}

/* Is there a series of that event whose family's name begins as this one, up to its '*'?
 * Most of what is looked for is not there, and need not be looked for with each suffix. */
static bool
may_be_found(const struct seriesset *set, const char *family,
    const char *event, bool loose)
{
	size_t n = strcspn(family, "*");

	for (uint32_t i = 0; i < set->n; i++) {
		const struct series *s = &set->series[i];
		const char *name = s->family->name;

		if ((s->event == NULL) == (event == NULL) &&
		    (n == 0 || *name == *family) &&
		    strncmp(name, family, n) == 0 &&
		    event_fits(s, event, loose))
			return true;
	}
	return false;
}

static unsigned
search_event(const struct seriesset *set, const char *family,
    const char *event, bool loose, struct input_found *found)
{
	static const char *const suffix[] = { "", "_counts", "_fixed_counts" };
	const char *box = NULL;
	unsigned n = 0;

	if (event != NULL)
		event = event_plain(event, &box);
	if (family == NULL && (family = box) == NULL)
		return input_search(set, NULL, "", event, loose, found);
	if (!may_be_found(set, family, event, loose))
		return 0;
	for (unsigned i = 0; n == 0 && i < 3; i++)
		n = input_search(set, family, suffix[i], event, loose, found);
	return n;
}

/* Do all columns have these bits in their control value?  Those whose control value the
 * dump lacks count as if they had. */
static bool
controls_have(const struct binding *b, uint64_t bits,
    const struct input_found *found, unsigned n)
{
	for (unsigned f = 0; f < n && bits != 0 && b->reader != NULL; f++)
		for (uint32_t i = 0; i < found[f].series->n; i++) {
			const struct column *of = read_column(b->reader,
			    found[f].series->unit[i].column);
			const struct constant *c = head_constant(b->reader,
			    HEAD_CONTROL, OF_COLUMN(&of->id));

			if (c != NULL && (c->u & bits) != bits)
				return false;
		}
	return true;
}

/* The control value of a series' i-th column; ABSENT: the head has none. */
static uint64_t
number_at(const struct reader *r, const struct series *s, uint32_t i)
{
	const struct column *of = read_column(r, s->unit[i].column);
	const struct constant *c = head_constant(r, HEAD_CONTROL,
	    OF_COLUMN(&of->id));

	return c != NULL ? c->u : ABSENT;
}

/* Do all columns of a series have the same control value? */
static bool
all_alike(const struct reader *r, const struct series *s)
{
	for (uint32_t i = 1; i < s->n; i++)
		if (number_at(r, s, i) != number_at(r, s, 0))
			return false;
	return true;
}

/* Is it the number of the event, or of one that matches the pattern? */
static bool
input_number_counts(const struct box_type *type, uint64_t number,
    const char *event)
{
	for (const struct event_name *e = type->event; e->name != NULL; e++)
		if (e->event == number && pattern_match(event, e->name))
			return true;
	return false;
}

#define BARE 80                 /* bytes of an event's name without its word */

/* Copies an event's name without the word behind an @. */
static void
bare_name(char name[BARE], const char *event)
{
	size_t n = strcspn(event, "@");

	n = n < BARE ? n : BARE - 1;
	memcpy(name, event, n);
	name[n] = '\0';
}

/* Is it one of the kernel's own events?  Their numbers are not those of a PMU. */
static bool
is_kernels(const char *event)
{
	char name[BARE];

	bare_name(name, event);
	return perf_named(name) != NULL;
}

/* Is a series one of programmed counters of that family, whose events have numbers? */
static bool
in_family(const struct series *s, const char *family)
{
	const char *name = s->family->name;
	size_t n;

	if (s->event == NULL || s->family->part != PART_COUNTS ||
	    s->family->type == NULL || s->family->type->event == NULL ||
	    *name != *family)
		return false;
	n = strlen(family);
	return strncmp(name, family, n) == 0 &&
	    (name[n] == '\0' || strcmp(name + n, "_counts") == 0);
}

/* Do both have a column of the same unit? */
static bool
share_unit(const struct series *a, const struct series *b)
{
	for (uint32_t i = 0; i < a->n; i++)
		for (uint32_t k = 0; k < b->n; k++)
			if (a->unit[i].unit == b->unit[k].unit &&
			    a->unit[i].box == b->unit[k].box)
				return true;
	return false;
}

/* Is one of its units among those found already, with the same number or none? */
static bool
is_had(const struct binding *b, const struct series *s, uint64_t number,
    const struct input_found *found, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t had = number_at(b->reader, found[i].series, 0);

		if ((had == number || had == ABSENT) &&
		    share_unit(found[i].series, s))
			return true;
	}
	return false;
}

/* Adds to the `had` series found so far those that count an event by its number, at
 * units that have no series so far.  Returns how many there are then; `had` where a unit
 * has two of the same number. */
static unsigned
input_by_number(const struct binding *b, const char *family,
    const char *event, struct input_found *found, unsigned had)
{
	unsigned n = had;
	char name[BARE];

	bare_name(name, event);
	for (uint32_t i = 0; b->reader != NULL && i < b->series->n; i++) {
		const struct series *s = &b->series->series[i];
		uint64_t number;

		if (!in_family(s, family) || s->n == 0)
			continue;
		number = number_at(b->reader, s, 0);
		if (!input_number_counts(s->family->type, number, name) ||
		    is_kernels(s->event) || !all_alike(b->reader, s) ||
		    is_had(b, s, number, found, had))
			continue;
		if (n == MAX_FOUND || is_had(b, s, number, found + had,
		    n - had))
			return had;             /* nobody knows which is meant */
		found[n++] = (struct input_found){ .series = s };
	}
	return n;
}

static unsigned
search_all(const struct binding *b, const char *family, const char *event,
    struct input_found *found)
{
	unsigned n = search_event(b->series, family, event, false, found);
	const struct synonyms *syn;

	if (n > 0 || event == NULL)
		return n;
	syn = synonyms_find(b->metrics, event);
	if (family == NULL)     /* synonyms of UNC_M_... are of the same box */
		event_plain(event, &family);
	for (unsigned i = 0; n == 0 && syn != NULL && i < syn->n; i++) {
		n = search_event(b->series, family, syn->name[i], false, found);
		if (!controls_have(b, syn->bits, found, n))
			n = 0;
	}
	if (n > 0 || family == NULL)
		return n;
	n = search_event(b->series, family, event, true, found);
	return input_by_number(b, family, event, found, n);
}

static int
input_collect(struct binding *b, struct input *in,
    const struct input_found *found,
    unsigned nfound, struct entry *e, unsigned *count)
{
	unsigned n = 0;
	int rc;

	for (unsigned f = 0; f < nfound; f++) {
		const struct series *s = found[f].series;
		uint32_t box = 0;

		if (found[f].star != NULL && s->level == LEVEL_PACKAGE &&
		    (rc = domain_label(b, found[f].star, found[f].star_len,
		    &box)) < 0)
			return rc;
		for (uint32_t i = 0; i < s->n; i++) {
			const struct series_unit *u = &s->unit[i];
			struct entry x = { .pkg = u->unit, .column = u->column,
			    .box = in->level == s->level ? u->box : box };

			if (in->level == LEVEL_BOX &&
			    !box_is_called(b, s, in->only, x.pkg, x.box))
				continue;
			if (in->level == LEVEL_LPROC) {
				if (u->unit >= b->topo->max_lproc || (x.unit =
				    b->topo->rank_of[u->unit]) == NO_RANK)
					continue;
			} else if (in->level != LEVEL_NODE) {
				if (u->unit >= b->topo->npkg)
					continue;
				x.unit = u->unit;
			}
			e[n++] = x;
		}
	}
	*count = n;
	return 0;
}

static int
input_by_column(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Puts the columns of a unit in order, which they mostly are. */
static void
input_put_in_order(uint32_t *column, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (column[i - 1] > column[i]) {
			qsort(column, n, sizeof *column, input_by_column);
			break;
		}
}

static int
input_lay_out(struct binding *b, struct input *in, struct entry *e, unsigned n)
{
	const struct domain *d = &b->domain[in->domain];
	uint32_t units = d->nunit, *first, *column;

	in->nslot = d->nslot;
	in->label = d->label;
	for (unsigned i = 0; d->level == LEVEL_BOX && i < n; i++)
		e[i].unit = domain_box(d, e[i].pkg, e[i].box);
	first = arena_alloc(b->arena, (units + 1) * sizeof *first);
	column = arena_alloc(b->arena, (n + 1) * sizeof *column);
	if (first == NULL || column == NULL)
		return -ENOMEM;
	/* how many each unit has; where they end, which is where they begin once all
	 * are there */
	for (unsigned i = 0; i < n; i++)
		first[e[i].unit]++;
	for (uint32_t u = 0, end = 0; u <= units; u++) {
		in->most = first[u] > in->most ? first[u] : in->most;
		first[u] = end += first[u];
	}
	for (unsigned i = n; i-- > 0;)
		column[--first[e[i].unit]] = e[i].column;
	for (uint32_t u = 0; u < units; u++)
		input_put_in_order(column + first[u], first[u + 1] - first[u]);
	in->first = first;
	in->column = column;
	if (in->how != REF_BIT)
		return 0;
	in->watch = b->nwatch;
	if (b->nwatch + n > b->watch_room) {
		uint32_t room = (b->nwatch + n) * 2;
		struct watch *w = realloc(b->watch, room * sizeof *w);

		if (w == NULL)
			return -ENOMEM;
		b->watch = w;
		b->watch_room = room;
	}
	for (unsigned i = 0; i < n; i++)
		b->watch[b->nwatch++] = (struct watch){ column[i], in->bit };
	return 0;
}

int
input_columns(struct binding *b, struct input *in)
{
	/* too large for a small stack */
	struct input_found *found = malloc(MAX_FOUND * sizeof *found);
	unsigned nfound, n = 0;
	size_t most = 0;
	struct entry *e = NULL;
	int rc = 0;

	if (found == NULL)
		return -ENOMEM;
	nfound = search_all(b, in->event || in->name ? in->name : NULL,
	    in->event, found);
	if (nfound == 0)
		goto out;
	for (unsigned i = 0; i < nfound; i++)
		most += found[i].series->n;
	in->level = (uint8_t)found[0].series->level;
	in->counter = found[0].series->counter;
	in->is_time = found[0].series->family->cls == CLASS_TSC;
	if (found[0].star != NULL && in->level == LEVEL_PACKAGE)
		in->level = LEVEL_BOX;
	rc = (e = malloc((most + 1) * sizeof *e)) == NULL ? -ENOMEM :
	    input_collect(b, in, found, nfound, e, &n);
	if (rc == 0 && n > 0)
		rc = domain_find(b, in, found[0].series, found[0].star != NULL ?
		    in->name : found[0].series->family->name, e, n);
	if (rc == 0 && n > 0)
		rc = input_lay_out(b, in, e, n);
out:
	free(e);
	free(found);
	return rc < 0 ? rc : n > 0;
}
