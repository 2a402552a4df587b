/*
 * postproc/pages/regions_report.c - dies and NUMA nodes that are parts of packages.
 *
 * Their boxes are not among the figures: no source says which CHAs and memory
 * channels of a package are whose.
 */
#include "postproc/pages/regions_report.h"

static const struct {
	const char *title, *metric;
	int decimals;
} shown[] = {
	{ "utilisation", "utilisation", 2 },
	{ "frequency, unhalted", "frequency", 3 },
	{ "instructions per cycle", "ipc", 3 },
	{ "instructions", "instructions", 3 },
};
#define NSHOWN (sizeof shown / sizeof *shown)

static const struct {
	enum scope scope;
	const char *title;
} kind[] = {
	{ SCOPE_OF_DIE, "Dies" }, { SCOPE_OF_NUMA, "NUMA nodes" },
};

static const struct regions *
regions(const struct page *p, enum scope scope)
{
	const struct topology *t = &p->gather.topo;

	return scope == SCOPE_OF_DIE ? &t->die : &t->numa;
}

bool
regions_parted(const struct regions *s)
{
	bool parted = false;

	for (uint32_t i = 0; i < s->n; i++)
		parted |= !s->region[i].whole;
	return parted;
}

static void
put_region(struct page *p, FILE *f, unsigned k, uint32_t n)
{
	const struct region *r = &regions(p, kind[k].scope)->region[n];
	const struct window w = { .scope = (uint8_t)kind[k].scope,
	    .pkg_lo = r->pkg_lo, .in = n };
	char id[32];

	window_name(&p->gather.binding, &w, id, sizeof id);
	fprintf(f, "  %-5s package%s %u", id, r->pkg_hi - r->pkg_lo > 1 ? "s" :
	    "", r->pkg_lo);
	if (r->pkg_hi - r->pkg_lo > 1)
		fprintf(f, " to %u", r->pkg_hi - 1);
	fprintf(f, "%6u lprocs ", r->n);
	for (size_t i = 0; i < NSHOWN; i++) {
		unsigned m;

		if (page_bind(p, shown[i].metric, &m))
			page_put(p, f, page_figure(p, m, kind[k].scope, n), 11,
			    shown[i].decimals);
	}
	fputc('\n', f);
}

void
regions_print(struct page *p, FILE *f)
{
	unsigned m;

	for (unsigned k = 0; k < 2; k++) {
		const struct regions *s = regions(p, kind[k].scope);

		if (!regions_parted(s))
			continue;
		fprintf(f, "\n%-30s", kind[k].title);
		for (size_t i = 0; i < NSHOWN; i++)
			if (page_bind(p, shown[i].metric, &m))
				fprintf(f, "%12s", p->gather.binding.bound[m]
				    .metric->unit);
		fputc('\n', f);
		for (uint32_t n = 0; n < s->n; n++)
			put_region(p, f, k, n);
		fprintf(f, "  (parts of packages: which boxes and memory "
		    "channels are whose is not known)\n");
	}
}

void
regions_rows(struct page *p, struct out *out)
{
	const struct binding *b = &p->gather.binding;
	unsigned m;

	for (unsigned k = 0; k < 2; k++)
		for (size_t i = 0; i < NSHOWN; i++)
			if (regions_parted(regions(p, kind[k].scope)) &&
			    page_bind(p, shown[i].metric, &m))
				report_rows_of(out, p, shown[i].title, m,
				    kind[k].scope, b->bound[m].metric->note);
}
