/*
 * postproc/pages/regions_report.c - dies and NUMA nodes that are parts of packages.
 *
 * Their boxes are not among the figures: no source says which CHAs and memory
 * channels of a package are whose.
 */
#include "postproc/pages/report_parts.h"

#include <string.h>

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
put_region(struct page *p, FILE *f, const struct view_line *x, uint32_t n)
{
	const struct region *r = &regions(p, x->scope)->region[n];
	const struct window w = { .scope = (uint8_t)x->scope,
	    .pkg_lo = r->pkg_lo, .in = n };
	char id[32];

	window_name(&p->gather.binding, &w, id, sizeof id);
	fprintf(f, "  %-5s package%s %u", id, r->pkg_hi - r->pkg_lo > 1 ? "s" :
	    "", r->pkg_lo);
	if (r->pkg_hi - r->pkg_lo > 1)
		fprintf(f, " to %u", r->pkg_hi - 1);
	fprintf(f, "%6u lprocs ", r->n);
	for (unsigned i = 0; i < x->nitem; i++) {
		unsigned m;

		if (page_bind(p, x->item[i].metric, &m))
			page_put(p, f, page_figure(p, m, x->scope, n), 11,
			    x->item[i].decimals);
	}
	fputc('\n', f);
}

/* The next table of dies or NUMA nodes behind `x` that are parts of packages. */
static const struct view_line *
next_table(const struct page *p, const struct view_line *x)
{
	while ((x = view_next(&p->view, VIEW_TABLE, x)) != NULL)
		if (strcmp(x->place, "parts") == 0 &&
		    (x->scope == SCOPE_OF_DIE || x->scope == SCOPE_OF_NUMA) &&
		    regions_parted(regions(p, x->scope)))
			return x;
	return NULL;
}

void
regions_print(struct page *p, FILE *f)
{
	const struct view_line *x = NULL;
	unsigned m;

	while ((x = next_table(p, x)) != NULL) {
		fprintf(f, "\n%-30s", x->title);
		for (unsigned i = 0; i < x->nitem; i++)
			if (page_bind(p, x->item[i].metric, &m))
				fprintf(f, "%12s", p->gather.binding.bound[m]
				    .metric->unit);
		fputc('\n', f);
		for (uint32_t n = 0; n < regions(p, x->scope)->n; n++)
			put_region(p, f, x, n);
		fprintf(f, "  (parts of packages: which boxes and memory "
		    "channels are whose is not known)\n");
	}
}

void
regions_rows(struct page *p, struct out *out)
{
	const struct view_line *x = NULL;
	unsigned m;

	while ((x = next_table(p, x)) != NULL)
		for (unsigned i = 0; i < x->nitem; i++)
			if (page_bind(p, x->item[i].metric, &m))
				report_rows_of(out, p, x->item[i].title, m,
				    x->scope, p->gather.binding.bound[m]
				    .metric->note);
}
