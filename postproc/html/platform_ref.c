/*
 * postproc/html/platform_ref.c - a part of a node's drawing: its place, its figures
 * and their lines, and why it has none.
 */
#include "postproc/html/platform.h"

#include <stdio.h>
#include <string.h>

#include "lib/array.h"

enum part_place
platform_place(const struct view_line *kind)
{
	static const char *const word[PLACES] = { "title", "above", "beside",
	    "cores", "modules", "caches", "slices", "inside", "below",
	    "stacks" };
	unsigned place = 0;

	while (place + 1 < PLACES && strcmp(kind->place, word[place]) != 0)
		place++;
	return (enum part_place)place;
}

struct node_part *
platform_add(struct platform *d, const struct view_line *kind, unsigned pkg)
{
	struct node_part *x = array_grow(d->part, d->n, &d->room, sizeof *x);

	if (x == NULL)
		return NULL;
	d->part = x;
	x += d->n++;
	*x = (struct node_part){ .kind = kind,
	    .place = platform_place(kind), .pkg = pkg };
	return x;
}

static const struct line *
platform_find_line_of(const struct timeline *t, const char *metric,
    enum scope scope, const char *where)
{
	unsigned m = 0;

	while (m < t->nmetric && strcmp(t->metric[m].metric->name, metric) != 0)
		m++;
	for (unsigned i = 0; m < t->nmetric && i < t->nline; i++)
		if (t->line[i].metric == m && t->line[i].window.scope == scope &&
		    strcmp(t->line[i].where, where) == 0)
			return &t->line[i];
	return NULL;
}

bool
platform_ref(struct platform *d, const char *metric, enum scope scope,
    const char *where, struct part_ref *out)
{
	const struct binding *b = &d->page->gather.binding;
	unsigned n, from = out->n;
	struct window w;
	char name[40];

	*out = (struct part_ref){ .scope = scope };
	if (metric == NULL || !page_bind(d->page, metric, &out->bound))
		return false;
	n = binding_windows(b, out->bound, scope);
	for (unsigned i = 0; i < n; i++) {
		out->n = (from + i) % n;
		if (!binding_window(b, out->bound, scope, out->n, &w))
			continue;
		window_name(b, &w, name, sizeof name);
		if (strcmp(name, where) != 0)
			continue;
		out->line = platform_find_line_of(d->timeline, metric, scope,
		    where);
		return true;
	}
	return false;
}

void
platform_why(struct platform *d, const struct view_line *kind, char *buf,
    size_t size)
{
	const struct binding *b = &d->page->gather.binding;
	unsigned m;

	snprintf(buf, size, "%s", "no metric of this CPU is of it");
	for (unsigned i = 0; i < kind->nitem && !kind->item[i].with; i++) {
		const char *metric = kind->item[i].metric;

		if (metrics_find(&d->page->metrics, metric) == NULL)
			continue;
		snprintf(buf, size, "%s is not counted here", metric);
		if (!page_bind(d->page, metric, &m) && m < b->nbound &&
		    b->bound[m].nmissing > 0)
			snprintf(buf, size, "%s: missing %s", metric,
			    b->bound[m].missing[0]);
		return;
	}
}
