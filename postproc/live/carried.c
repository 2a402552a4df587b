/*
 * postproc/live/carried.c - totals of stores that are over.
 */
#include "postproc/live/exposer.h"

#include "lib/array.h"

#include <stdlib.h>
#include <string.h>

struct carried_total {
	char *series;
	struct exposed_turns value;
};

struct series_key {
	char text[160 + EXPOSED_LABELS * 128];
	uint64_t hash;
};

static struct series_key
carried_key_of(const struct exposed_group *g, const struct exposed_labels *l)
{
	struct series_key k;
	char *p = stpcpy(k.text, g->name);

	for (unsigned i = 0; i < l->n; i++) {
		*p++ = '\n';
		p = stpcpy(p, l->key[i]);
		*p++ = '=';
		p = stpcpy(p, l->value[i]);
	}
	k.hash = lookup_hash(0, k.text, (size_t)(p - k.text));
	return k;
}

static struct carried_total *
carried_search(const struct carried *c, const struct series_key *k)
{
	for (uint32_t at = lookup_first(&c->by_series, k->hash);
	    at != LOOKUP_END; at = lookup_next(&c->by_series, at)) {
		struct carried_total *t = &c->total[lookup_value(&c->by_series,
		    at)];

		if (strcmp(t->series, k->text) == 0)
			return t;
	}
	return NULL;
}

const struct exposed_turns *
carried_find(const struct carried *c, const struct exposed_group *g,
    const struct exposed_labels *l)
{
	const struct carried_total *t;
	struct series_key k;

	if (c->n == 0)
		return NULL;
	k = carried_key_of(g, l);
	t = carried_search(c, &k);
	return t != NULL ? &t->value : NULL;
}

void
carried_set(struct carried *c, const struct exposed_group *g,
    const struct exposed_labels *l, const struct exposed_turns *value)
{
	struct series_key k = carried_key_of(g, l);
	struct carried_total *t = carried_search(c, &k);

	if (t == NULL) {
		t = array_grow(c->total, c->n, &c->room, sizeof(*t));
		if (t == NULL)
			return;
		c->total = t;
		t += c->n;
		if ((t->series = strdup(k.text)) == NULL)
			return;
		if (lookup_add(&c->by_series, k.hash, c->n) < 0) {
			free(t->series);
			return;
		}
		c->n++;
	}
	t->value = *value;
}

void
carried_fini(struct carried *c)
{
	for (unsigned i = 0; i < c->n; i++)
		free(c->total[i].series);
	free(c->total);
	lookup_fini(&c->by_series);
	*c = (struct carried){ .n = 0 };
}
