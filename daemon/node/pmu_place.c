/*
 * daemon/node/pmu_place.c - see pmu_place.h.
 */
#include "daemon/node/pmu_place.h"

#include <stdlib.h>
#include <string.h>

/* The unit of a PMU's name: by the kernel's, or as if it numbered them. */
static const struct unit *
pmu_place_unit_of(const struct inventory *inv, const struct box_type *type,
    const char *pmu)
{
	unsigned n = (unsigned)atoi(strrchr(pmu, '_') + 1);

	for (unsigned i = 0; i < inv->n; i++) {
		const struct unit *u = &inv->unit[i];

		if (u->type != type || !u->present)
			continue;
		if (u->pmu[0] != '\0' ? strcmp(u->pmu, pmu) == 0 : n-- == 0)
			return u;
	}
	return NULL;
}

static bool
pmu_place_is_numbered(const char *pmu)
{
	const char *n = strrchr(pmu, '_');

	return n != NULL && n[1] != '\0' &&
	    n[1 + strspn(n + 1, "0123456789")] == '\0';
}

void
pmu_place(struct config *cfg, const struct inventory *inv)
{
	for (unsigned i = 0; i < cfg->nwant; i++) {
		struct want *w = &cfg->want[i];
		const struct unit *u;

		if (w->kind != WANT_EVENT || w->perf == NULL ||
		    w->perf->pmu == NULL || !w->type->pmu_of_pkg ||
		    !pmu_place_is_numbered(w->perf->pmu))
			continue;
		u = pmu_place_unit_of(inv, w->type, w->perf->pmu);
		w->pkg = u != NULL ? u->pkg : ALL_PKG;
		w->first = w->last = u != NULL ? u->inst : UINT16_MAX;
	}
}
