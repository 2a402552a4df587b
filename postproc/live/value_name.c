/*
 * postproc/live/value_name.c - names and places of values, as text.
 */
#include "postproc/live/value_name.h"

#include <stdio.h>
#include <string.h>

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
