/*
 * postproc/groups.c - events that the kernel counted in groups.
 *
 * event_group["core_counts"]["X"] = "top" in the head says that the times of
 * core_counts[5]["X"] are core_enabled[5]["top"] and core_running[5]["top"].
 */
#include "postproc/groups.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
times(const struct reader *r, const struct read_column *c, const char *group,
    const char *what)
{
	size_t family = strlen(c->family);
	const char *index = c->name + family, *last = strrchr(c->name, '[');
	char name[400];

	if (family < 8 || strcmp(c->family + family - 7, "_counts") != 0 ||
	    last == NULL || last < index)
		return -1;
	snprintf(name, sizeof name, "%.*s_%s%.*s[\"%s\"]", (int)family - 7,
	    c->family, what, (int)(last - index), index, group);
	return read_find(r, name);
}

int
groups_load(struct groups *g, const struct reader *r)
{
	unsigned n = read_columns(r);

	for (unsigned i = 0; g->ncol == 0 && !g->any &&
	    i < read_constants(r); i++)
		g->any = strncmp(read_constant(r, i)->name, "event_group[",
		    12) == 0;
	if (!g->any || n == g->ncol)
		return 0;
	if (n > g->room) {
		unsigned room = n + n / 4 + 64;
		int32_t *e = realloc(g->enabled, room * sizeof *e), *d;

		if (e == NULL)
			return -ENOMEM;
		g->enabled = e;
		if ((d = realloc(g->running, room * sizeof *d)) == NULL)
			return -ENOMEM;
		g->running = d;
		g->room = room;
	}
	for (; g->ncol < n; g->ncol++) {
		const struct read_column *c = read_column(r, g->ncol);
		const char *group = NULL;
		char name[400];

		if (c->event != NULL) {
			snprintf(name, sizeof name,
			    "event_group[\"%s\"][\"%s\"]", c->family, c->event);
			group = read_text(r, name, NULL);
		}
		g->enabled[g->ncol] = group == NULL ? -1 : times(r, c, group,
		    "enabled");
		g->running[g->ncol] = group == NULL ? -1 : times(r, c, group,
		    "running");
	}
	return 0;
}

void
groups_fini(struct groups *g)
{
	free(g->enabled);
	free(g->running);
	*g = (struct groups){ 0 };
}

double
groups_share(const struct groups *g, unsigned column, const uint64_t *delta,
    unsigned ncol)
{
	int32_t e, r;

	if (column >= g->ncol)
		return 1;
	e = g->enabled[column];
	r = g->running[column];
	if (e < 0 || r < 0 || (unsigned)e >= ncol || (unsigned)r >= ncol)
		return 1;
	if (delta[e] == 0 || delta[r] >= delta[e])
		return delta[e] == 0 ? 0 : 1;
	return (double)delta[r] / (double)delta[e];
}
