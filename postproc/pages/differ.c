/*
 * postproc/pages/differ.c - what nodes differ in.
 */
#include "postproc/pages/differ.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/lookup.h"

#define SHOWN 4                 /* kinds of node, and names of each */

/* Each event of each family once, in whatever order. */
static int
digest(struct traits *t, const struct gather *g)
{
	unsigned n = read_columns(g->reader), events = 0;
	bool *seen = calloc((size_t)n + 1, sizeof *seen);

	if (seen == NULL)
		return -ENOMEM;
	t->digest = 0;
	for (unsigned i = 0; i < n; i++) {
		const struct column *c = read_column(g->reader, i);

		if (c->kind >= n || seen[c->kind] || c->id.event == NULL)
			continue;
		seen[c->kind] = true;
		events++;
		t->digest += lookup_text(lookup_text(0, c->id.family->name),
		    c->id.event);
	}
	free(seen);
	snprintf(t->text[TRAIT_EVENTS], sizeof t->text[0], "%u events", events);
	return 0;
}

int
traits_take(struct traits *t, const struct gather *g)
{
	const char *cpu = head_text(g->reader, HEAD_CPU, ALONE, NULL);
	const struct topology *topo = &g->topo;

	snprintf(t->text[TRAIT_CPU], sizeof t->text[0], "%s", cpu != NULL ?
	    cpu : head_text(g->reader, HEAD_MODEL, ALONE, "unknown"));
	snprintf(t->text[TRAIT_TOPOLOGY], sizeof t->text[0], "%u package%s, "
	    "%u cores, %u lprocs", topo->npkg, topo->npkg == 1 ? "" : "s",
	    topo->ncore, topo->nlproc);
	return digest(t, g);
}

static bool
same(enum trait trait, const struct traits *a, const struct traits *b)
{
	return strcmp(a->text[trait], b->text[trait]) == 0 &&
	    (trait != TRAIT_EVENTS || a->digest == b->digest);
}

/* One more word; what has no room is cut off. */
static void
add(char *buf, size_t size, const char *before, const char *word)
{
	size_t used = strlen(buf);

	snprintf(buf + used, size - used, "%s%s", before, word);
}

/* All nodes that are as node k is, the first of them. */
static void
add_kind(char *buf, size_t size, const struct trait_list *l, enum trait trait,
    unsigned k)
{
	unsigned found = 0;
	char more[32];

	for (unsigned i = k; i < l->n; i++)
		if (same(trait, l->of[k], l->of[i]) && found++ < SHOWN)
			add(buf, size, found == 1 ? " (" : " ", l->host[i]);
	snprintf(more, sizeof more, " and %u more", found - SHOWN);
	add(buf, size, found > SHOWN ? more : "", ")");
}

bool
traits_differ(const struct trait_list *l, enum trait trait, char *buf,
    size_t size)
{
	static const char *const title[TRAITS] = { "CPU", "topology",
	    "what they count" };
	unsigned kinds = 0;

	snprintf(buf, size, "%s", title[trait]);
	for (unsigned i = 0; i < l->n; i++) {
		unsigned k = 0;

		while (k < i && !same(trait, l->of[k], l->of[i]))
			k++;
		if (k < i || kinds++ >= SHOWN)
			continue;
		add(buf, size, kinds == 1 ? ": " : ", ", l->of[i]->text[trait]);
		add_kind(buf, size, l, trait, i);
	}
	if (kinds > SHOWN)
		add(buf, size, ", ", "and others");
	return kinds > 1;
}
