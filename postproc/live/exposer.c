/*
 * postproc/live/exposer.c - names, labels and values of series, and the totals of stores
 * that have ended.
 */
#include "postproc/live/expose_int.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

/* ---- totals of stores that have ended -------------------------------------- */

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

/* ---- series ---------------------------------------------------------------- */

void
expose_group(struct pass *p, const struct exposed_group *g)
{
	if (p->out->group != NULL)
		p->out->group(p->out->to, g);
}

void
expose_value(struct pass *p, const struct exposed_group *g,
    const struct exposed_labels *l, double v)
{
	const struct exposed_turns *had = g->counter ?
	    carried_find(&p->x->carried, g, l) : NULL;

	p->n++;
	p->out->value(p->out->to, g, l, had != NULL ? had->scaled + v : v);
}

void
expose_turns(struct pass *p, const struct exposed_group *g,
    const struct exposed_labels *l, const struct exposed_turns *t)
{
	const struct exposed_turns *had = carried_find(&p->x->carried, g, l);
	struct exposed_turns sum = *t;

	if (had != NULL) {
		sum.scaled += had->scaled;
		sum.raw += had->raw;
		sum.enabled += had->enabled;
		sum.running += had->running;
	}
	p->n++;
	p->out->turns(p->out->to, g, l, &sum);
}

void
expose_label(struct exposed_labels *l, const char *key, const char *fmt, ...)
{
	va_list ap;

	if (l->n == EXPOSED_LABELS)
		return;
	l->key[l->n] = key;
	va_start(ap, fmt);
	vsnprintf(l->value[l->n++], sizeof(l->value[0]), fmt, ap);
	va_end(ap);
}

void
expose_name(struct exposed_group *g, const char *scope, const char *name,
    const char *unit)
{
	snprintf(g->name, sizeof(g->name), "tallyd_%s%s%s%s%s",
	    scope != NULL ? scope : "", scope != NULL ? "_" : "", name,
	    unit[0] != '\0' ? "_" : "", unit);
	for (char *c = g->name; *c != '\0'; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	g->unit = unit;
}

const char *
value_label(const struct exposed_labels *l, const char *key)
{
	for (unsigned i = 0; i < l->n; i++)
		if (strcmp(l->key[i], key) == 0)
			return l->value[i];
	return NULL;
}

int
value_name(const struct exposed_group *g, const struct exposed_labels *l,
    char *buf, size_t size)
{
	const char *event = value_label(l, "event");

	/* the metric's name; for a gauge with its unit */
	if (g->metric != NULL && g->counter)
		return snprintf(buf, size, "%s", g->metric->name);
	if (g->metric != NULL)
		return snprintf(buf, size, "%s%s%s", g->metric->name,
		    g->unit[0] != '\0' ? "_" : "", g->unit);
	if (g->series != NULL)
		return snprintf(buf, size, "%s%s%s", g->series->family->name,
		    event != NULL ? "." : "", event != NULL ? event : "");
	return snprintf(buf, size, "%s", g->name + strlen("tallyd_"));
}

size_t
value_place(const struct exposed_labels *l, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < l->n; i++)
		if (strcmp(l->key[i], "event") != 0)
			n += (size_t)snprintf(buf + (n < size ? n : size - 1),
			    n < size ? size - n : 1, "%s%s%s", n > 0 ? "-" : "",
			    l->key[i], l->value[i]);
	if (n == 0)
		n = (size_t)snprintf(buf, size, "node");
	return n;
}
