/*
 * postproc/formula/domain.c - which units inputs of one kind can be of (domains), and
 * what boxes are called.
 */
#include "postproc/formula/bind_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

bool
label_matches(const char *pattern, const char *name, const char **star,
    size_t *len)
{
	const char *s;
	size_t head, tail, n;

	*star = NULL;
	if (*pattern != *name && *pattern != '*')
		return false;
	s = strchr(pattern, '*');
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

/* Boxes that have names instead of numbers get numbers from 0x80000000 on. */
int
domain_label(struct binding *b, const char *text, size_t len, uint32_t *out)
{
	for (uint32_t i = 0; i < b->nlabel; i++)
		if (strncmp(b->label[i], text, len) == 0 &&
		    b->label[i][len] == '\0') {
			*out = 0x80000000u + i;
			return 0;
		}
	if (!array_room(&b->label, b->nlabel, &b->label_room, sizeof *b->label))
		return -ENOMEM;
	if ((b->label[b->nlabel] = strndup(text, len)) == NULL)
		return -ENOMEM;
	*out = 0x80000000u + b->nlabel++;
	return 0;
}

/* Does a stack's name match?  One without a name, or with a number alone ("stack3"), is
 * taken for PCIe, as most are. */
static bool
input_called(const char *only, const char *name)
{
	const char *star;
	size_t len;

	if (name == NULL || strncmp(name, "stack", 5) == 0)
		name = "PCIe";
	return label_matches(only, name, &star, &len);
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

/* Does a series have one column per core, and no core two? */
static bool
by_core(const struct binding *b, const struct series *s)
{
	const struct topology *t = b->topo;
	uint32_t *seen;
	bool once = s->event == NULL && s->family->of == OF_CORE;

	if (!once || (seen = calloc(t->ncore + 1, sizeof *seen)) == NULL)
		return false;
	for (uint32_t i = 0; once && i < s->n; i++) {
		uint32_t l = s->unit[i].unit;

		once = l >= t->max_lproc || t->rank_of[l] == NO_RANK ||
		    seen[t->core_of[t->rank_of[l]]]++ == 0;
	}
	free(seen);
	return once;
}

/* The node has the lprocs that are online, and those that have a column. */
static void
lprocs_there(const struct binding *b, struct domain *d)
{
	const struct topology *t = b->topo;

	for (uint32_t r = 0; b->reader != NULL && r < t->nlproc; r++)
		d->there[r] = head_number(b->reader, HEAD_LPROC_ONLINE,
		    AT(t->lproc_at[r]), 0) == 1;
	for (uint32_t i = 0; i < b->series->n; i++) {
		const struct series *s = &b->series->series[i];

		for (uint32_t k = 0; s->level == LEVEL_LPROC && k < s->n; k++) {
			uint32_t l = s->unit[k].unit;

			if (l < t->max_lproc && t->rank_of[l] != NO_RANK)
				d->there[t->rank_of[l]] = true;
		}
	}
}

/* A core is represented by the lproc that has its column; a core without a column by its
 * first lproc that is there. */
static void
cores_there(const struct binding *b, struct domain *d, const struct series *s)
{
	const struct topology *t = b->topo;

	lprocs_there(b, d);
	for (uint32_t c = 0; c < t->ncore; c++) {
		bool had = false;

		for (uint32_t r = t->core_first[c]; r < t->core_first[c + 1];
		    r++) {
			d->there[r] = d->there[r] && !had;
			had |= d->there[r];
		}
	}
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t l = s->unit[i].unit, r;

		if (l >= t->max_lproc || (r = t->rank_of[l]) == NO_RANK)
			continue;
		memset(d->there + t->core_first[t->core_of[r]], 0,
		    t->core_first[t->core_of[r] + 1] -
		    t->core_first[t->core_of[r]]);
		d->there[r] = true;
	}
}

static int
domain_by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Did CPUID announce box i of package p, while its registers did not answer?  It may be
 * in use, though it is not counted. */
static bool
domain_is_silent(const struct binding *b, const struct domain *d, unsigned p,
    unsigned i)
{
	const struct constant *k = d->type->presence != PRESENT_CPUID &&
	    d->type->presence != PRESENT_UMC ? NULL :
	    head_constant(b->reader, HEAD_UNIT_ABSENT,
	    (struct head_at){ .name = { d->type->name }, .n = { p, i } });

	return k != NULL && k->text != NULL && strncmp(k->text, "msr ", 4) == 0;
}

/* Adds to the n boxes that are counted those that are not, though the head says that they
 * are present, or they are silent.  Returns how many there are then. */
static unsigned
add_uncounted(const struct binding *b, const struct domain *d,
    const struct series *of, struct entry *e, unsigned n)
{
	unsigned all = n;

	for (unsigned p = 0; d->type != NULL && p < b->topo->npkg; p++)
		for (unsigned i = 0; i < d->type->instances; i++) {
			struct head_at at = { .name = { d->type->name },
			    .n = { p, i } };
			bool counted = false;

			for (unsigned k = 0; k < n && !counted; k++)
				counted = e[k].pkg == p && e[k].box == i;
			if (!counted && box_is_called(b, of, d->only, p, i) &&
			    (domain_is_silent(b, d, p, i) || head_constant(
			    b->reader, HEAD_UNIT_PRESENT, at) != NULL))
				e[all++] = (struct entry){ .pkg = p, .box = i };
		}
	return n > 0 ? all : n;
}

/* Lays out the units of a domain: every package has a slot for each box number that
 * occurs in any package. */
static int
boxes_there(struct binding *b, struct domain *d, const struct entry *e,
    unsigned n)
{
	uint32_t *label = arena_alloc(b->arena, (n + 1) * sizeof *label);

	if (label == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++)
		label[i] = e[i].box;
	qsort(label, n, sizeof *label, domain_by_number);
	for (unsigned i = 0; i < n; i++)
		if (i == 0 || label[i] != label[d->nslot - 1])
			label[d->nslot++] = label[i];
	d->label = label;
	d->nunit = b->topo->npkg * d->nslot;
	d->there = arena_alloc(b->arena, 2 * (size_t)d->nunit + 1);
	if (d->there == NULL)
		return -ENOMEM;
	memset(d->there, 0, 2 * (size_t)d->nunit + 1);
	for (unsigned i = 0; i < n; i++)
		d->there[domain_box(d, e[i].pkg, e[i].box)] = true;
	return 0;
}

uint32_t
domain_box(const struct domain *d, uint32_t pkg, uint32_t box)
{
	const uint32_t *at = bsearch(&box, d->label, d->nslot, sizeof box,
	    domain_by_number);

	return pkg * d->nslot + (uint32_t)(at - d->label);
}

/* Finds all boxes of a family, whatever they count; of a pattern of families the boxes
 * of the input's own columns. */
static int
boxes(struct binding *b, struct domain *d, const struct series *of,
    const struct entry *e, unsigned n)
{
	struct entry *all;
	size_t most = 0;
	unsigned have = 0;
	int rc;

	if (strchr(d->family, '*') != NULL)
		return boxes_there(b, d, e, n);
	for (uint32_t i = 0; i < b->series->n; i++)
		most += b->series->series[i].n;
	if (d->type != NULL)
		most += (size_t)b->topo->npkg * d->type->instances;
	if ((all = malloc((most + 1) * sizeof *all)) == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < b->series->n; i++) {
		const struct series *s = &b->series->series[i];

		if (s->level != LEVEL_BOX ||
		    strcmp(s->family->name, d->family) != 0)
			continue;
		for (uint32_t k = 0; k < s->n; k++)
			if (s->unit[k].unit < b->topo->npkg &&
			    box_is_called(b, s, d->only, s->unit[k].unit,
			    s->unit[k].box))
				all[have++] = (struct entry){
				    .pkg = s->unit[k].unit,
				    .box = s->unit[k].box };
	}
	rc = boxes_there(b, d, all, add_uncounted(b, d, of, all, have));
	free(all);
	return rc;
}

int
domain_find(struct binding *b, struct input *in, const struct series *s,
    const char *family, const struct entry *e, unsigned n)
{
	bool core = in->level == LEVEL_LPROC && by_core(b, s);
	struct domain d = { .level = in->level, .by_core = core, .family =
	    in->level == LEVEL_BOX ? family : core ? s->family->name : "",
	    .only = in->level == LEVEL_BOX ? in->only : NULL };
	int rc = 0;

	/* the head does not list the boxes of a pattern, or of free-running
	 * counters */
	if (family == s->family->name && s->family->part == PART_COUNTS)
		d.type = s->family->type;

	for (in->domain = 0; in->domain < b->ndomain; in->domain++) {
		const struct domain *p = &b->domain[in->domain];

		if (p->level == d.level && strcmp(p->family, d.family) == 0 &&
		    (p->only == d.only || (p->only != NULL && d.only != NULL &&
		    strcmp(p->only, d.only) == 0)))
			return 0;
	}
	if (d.level == LEVEL_BOX) {
		if ((rc = boxes(b, &d, s, e, n)) < 0)
			return rc;
	} else {
		d.nunit = d.level == LEVEL_LPROC ? b->topo->nlproc :
		    d.level == LEVEL_PACKAGE ? b->topo->npkg : 1;
		d.there = arena_alloc(b->arena, 2 * (size_t)d.nunit + 1);
		if (d.there == NULL)
			return -ENOMEM;
		memset(d.there, d.level == LEVEL_LPROC ? 0 : 1,
		    2 * (size_t)d.nunit + 1);
		if (core)
			cores_there(b, &d, s);
		else if (d.level == LEVEL_LPROC)
			lprocs_there(b, &d);
	}
	d.common = d.there + d.nunit;
	if (!array_room(&b->domain, b->ndomain, &b->domain_room,
	    sizeof *b->domain))
		return -ENOMEM;
	b->domain[b->ndomain++] = d;
	return 0;
}
