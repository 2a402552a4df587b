/*
 * postproc/live/exposer.c - names, labels and values of series.
 */
#include "postproc/live/expose_int.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

	/* a metric's own name; a gauge's has its unit */
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
