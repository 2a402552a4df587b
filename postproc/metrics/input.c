/*
 * postproc/metrics/input.c - which columns a reference of a formula names.
 *
 * imc["CAS_COUNT.RD"] finds imc_counts[..]["CAS_COUNT.RD"], the same event
 * under the name of Intel's lists (UNC_M_CAS_COUNT.RD), and its synonyms; else
 * the one event that is called so in other letters (sysfs's cas_count.rd) or
 * by that name and a word of its own (CAS_COUNT.RD@mine), and at other units
 * the one that has its number in the model's table (input_number.c).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/array.h"

#include "postproc/metrics/bind.h"

/* A pattern is a name, or a head and a tail around one '*'.  Where it
 * matches, *star is what the '*' stands for. */
static bool
input_matches(const char *pattern, const char *name, const char **star,
    size_t *len)
{
	const char *s = strchr(pattern, '*');
	size_t head, tail, n;

	*star = NULL;
	if (s == NULL)
		return strcmp(pattern, name) == 0;
	head = (size_t)(s - pattern);
	tail = strlen(s + 1);
	n = strlen(name);
	if (n < head + tail || memcmp(pattern, name, head) != 0 ||
	    memcmp(s + 1, name + n - tail, tail) != 0)
		return false;
	*star = name + head;
	*len = n - head - tail;
	return true;
}

/* The same name, but for upper and lower case and what stands behind an @. */
static bool
input_alike(const char *a, const char *b)
{
	size_t n = strcspn(a, "@");

	return n == strcspn(b, "@") && strncasecmp(a, b, n) == 0;
}

/* All series of these families with this event; event NULL: with none.  Of a
 * loose search all are of one event, or there is none. */
static unsigned
input_search(const struct seriesset *set, const char *family,
    const char *suffix,
    const char *event, bool loose, struct input_found *found)
{
	const char *none = NULL, *star = NULL, *in_event;
	const struct family *looked = NULL;
	size_t len = 0, star_len = 0;
	bool fits = family == NULL;
	unsigned n = 0;
	char full[128];

	if (family != NULL && snprintf(full, sizeof full, "%s%s", family,
	    suffix) >= (int)sizeof full)
		return 0;
	for (uint32_t i = 0; i < set->n && n < MAX_FOUND; i++) {
		const struct series *s = &set->series[i];

		if ((s->event == NULL) != (event == NULL))
			continue;
		/* those of a family mostly stand together */
		if (family != NULL && s->family != looked) {
			looked = s->family;
			fits = input_matches(full, looked->name, &star,
			    &star_len);
		}
		if (!fits || (event != NULL && !(loose ? input_alike(event,
		    event_plain(s->event, &none)) : input_matches(event,
		    event_plain(s->event, &none), &in_event, &len))))
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
	for (unsigned i = 0; n == 0 && i < 3; i++)
		n = input_search(set, family, suffix[i], event, loose, found);
	return n;
}

/* Have they these bits in their control value, as far as the dump has it? */
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

static unsigned
search_all(const struct binding *b, const char *family, const char *event,
    struct input_found *found)
{
	unsigned n = search_event(b->series, family, event, false, found);
	const struct synonyms *syn;

	if (n > 0 || event == NULL)
		return n;
	syn = synonyms_find(b->metrics, event);
	if (family == NULL)     /* UNC_M_...: the synonyms mean the same box */
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

/* Boxes without a number are numbered from 0x80000000, by name. */
static int
label_of(struct binding *b, const char *text, size_t len, uint32_t *out)
{
	char **p;

	for (uint32_t i = 0; i < b->nlabel; i++)
		if (strncmp(b->label[i], text, len) == 0 &&
		    b->label[i][len] == '\0') {
			*out = 0x80000000u + i;
			return 0;
		}
	if ((p = array_grow(b->label, b->nlabel, &b->label_room,
	    sizeof *p)) == NULL)
		return -ENOMEM;
	b->label = p;
	if ((b->label[b->nlabel] = strndup(text, len)) == NULL)
		return -ENOMEM;
	*out = 0x80000000u + b->nlabel++;
	return 0;
}

/* A stack without a name is taken for PCIe, which most are; "stack3" is a number. */
static bool
input_called(const char *only, const char *name)
{
	const char *star;
	size_t len;

	if (name == NULL || strncmp(name, "stack", 5) == 0)
		name = "PCIe";
	return input_matches(only, name, &star, &len);
}

bool
stack_is_called(const struct reader *r, const char *only, uint32_t pkg,
    uint32_t stack)
{
	return input_called(only,
	    head_text(r, HEAD_IO_STACK_NAME, AT(pkg, stack), NULL));
}

bool
box_is_called(const struct binding *b, const struct series *s, const char *only,
    uint32_t pkg, uint32_t box)
{
	static const char *const of_stacks[] = { "IIO", "IRP", "M2PCIe" };

	if (only == NULL)
		return true;
	if (only[0] >= '0' && only[0] <= '9')
		return box == strtoul(only, NULL, 10);
	if (box & 0x80000000u)
		return input_called(only, b->label[box & 0x7fffffff]);
	for (unsigned i = 0; i < 3 && b->reader != NULL; i++)
		if (series_counts(s, of_stacks[i]))
			return stack_is_called(b->reader, only, pkg, box);
	return true;
}

static int
by_unit(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->unit != y->unit ? (x->unit < y->unit ? -1 : 1) :
	    x->column < y->column ? -1 : x->column > y->column;
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
		    (rc = label_of(b, found[f].star, found[f].star_len,
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
input_lay_out(struct binding *b, struct input *in, struct entry *e, unsigned n)
{
	const struct domain *d = &b->domain[in->domain];
	uint32_t units = d->nunit, *first, *column;

	in->nslot = d->nslot;
	in->label = d->label;
	for (unsigned i = 0; d->level == LEVEL_BOX && i < n; i++)
		e[i].unit = domain_box(d, e[i].pkg, e[i].box);
	for (unsigned i = 1; i < n; i++)
		if (by_unit(&e[i - 1], &e[i]) > 0) {
			qsort(e, n, sizeof *e, by_unit);
			break;
		}
	first = arena_alloc(b->arena, (units + 1) * sizeof *first);
	column = arena_alloc(b->arena, (n + 1) * sizeof *column);
	if (first == NULL || column == NULL)
		return -ENOMEM;
	for (uint32_t u = 0, i = 0; u <= units; u++) {
		first[u] = i;
		for (; i < n && e[i].unit == u; i++)
			column[i] = e[i].column;
		if (i - first[u] > in->most)
			in->most = i - first[u];
	}
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
	struct input_found found[MAX_FOUND];
	unsigned nfound, n = 0;
	size_t most = 0;
	struct entry *e;
	int rc;

	nfound = search_all(b, in->event || in->name ? in->name : NULL,
	    in->event, found);
	if (nfound == 0)
		return 0;
	for (unsigned i = 0; i < nfound; i++)
		most += found[i].series->n;
	in->level = (uint8_t)found[0].series->level;
	in->counter = found[0].series->counter;
	in->is_time = found[0].series->family->cls == CLASS_TSC;
	if (found[0].star != NULL && in->level == LEVEL_PACKAGE)
		in->level = LEVEL_BOX;
	if ((e = malloc((most + 1) * sizeof *e)) == NULL)
		return -ENOMEM;
	rc = input_collect(b, in, found, nfound, e, &n);
	if (rc == 0 && n > 0)
		rc = domain_find(b, in, found[0].series, found[0].star != NULL ?
		    in->name : found[0].series->family->name, e, n);
	if (rc == 0 && n > 0)
		rc = input_lay_out(b, in, e, n);
	free(e);
	return rc < 0 ? rc : n > 0;
}
