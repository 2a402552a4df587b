/*
 * postproc/data/layout.c - which lproc of a dump is in which core, die, NUMA node
 * and package.
 */
#include "postproc/data/layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regs/access.h"

struct ranked {
	int pkg, die, core, thread, numa, ccx;
	unsigned lproc;
};

/* The kinds of regions.  Dies and CCXs are numbered in their package, NUMA nodes in the
 * whole node. */
enum region_of { BY_DIE, BY_NUMA, BY_CCX };

static int
layout_by_place(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->pkg != y->pkg)
		return x->pkg < y->pkg ? -1 : 1;
	if (x->die != y->die)
		return x->die < y->die ? -1 : 1;
	if (x->core != y->core)
		return x->core < y->core ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->lproc < y->lproc ? -1 : 1;
}

static void
count_up(struct topology *t, const struct ranked *r, unsigned n)
{
	unsigned pkg = 0;

	for (unsigned i = 0; i < n; i++) {
		bool same = i > 0 && r[i].pkg == r[i - 1].pkg &&
		    r[i].die == r[i - 1].die &&
		    r[i].core == r[i - 1].core && r[i].core >= 0;

		for (; pkg <= (unsigned)r[i].pkg; pkg++) {
			t->pkg_first[pkg] = i;
			t->pkg_core[pkg] = t->ncore;
		}
		if (!same) {
			t->core_first[t->ncore] = i;
			t->core_id[t->ncore++] = r[i].core >= 0 ? r[i].core :
			    (int)r[i].lproc;
		}
		t->rank_of[r[i].lproc] = i;
		t->lproc_at[i] = r[i].lproc;
		t->core_of[i] = t->ncore - 1;
		/* threads without a number are counted in their core */
		t->thread[i] = (uint8_t)(r[i].thread >= 0 ? r[i].thread :
		    (int)(i - t->core_first[t->ncore - 1]));
		if (i - t->core_first[t->ncore - 1] >= t->threads)
			t->threads = i - t->core_first[t->ncore - 1] + 1;
	}
	for (; pkg <= t->npkg; pkg++) {
		t->pkg_first[pkg] = n;
		t->pkg_core[pkg] = t->ncore;
	}
	t->core_first[t->ncore] = n;
}

static int
layout_id_of(const struct ranked *r, enum region_of what)
{
	return what == BY_DIE ? r->die : what == BY_NUMA ? r->numa : r->ccx;
}

/* The index of the region that an lproc is in, which is added if it is new. */
static uint32_t
region_of(struct regions *s, const struct ranked *r, enum region_of what)
{
	int id = layout_id_of(r, what);
	uint32_t at = 0;

	while (at < s->n && (s->region[at].id != id || (what != BY_NUMA &&
	    s->region[at].pkg_lo != (uint32_t)r->pkg)))
		at++;
	if (at == s->n)
		s->region[s->n++] = (struct region){ .id = id,
		    .pkg_lo = (uint32_t)r->pkg };
	return at;
}

static int
by_region(const void *a, const void *b)
{
	const struct region *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int
layout_by_package(const void *a, const void *b)
{
	const struct region *x = a, *y = b;

	return x->pkg_lo != y->pkg_lo ? (x->pkg_lo < y->pkg_lo ? -1 : 1) :
	    by_region(a, b);
}

static int
find_regions(struct topology *t, struct regions *s, const struct ranked *r,
    enum region_of what)
{
	s->region = calloc(t->nlproc + 1, sizeof *s->region);
	s->of = malloc((t->nlproc + 1) * sizeof *s->of);
	if (s->region == NULL || s->of == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < t->nlproc; i++)
		if (layout_id_of(&r[i], what) >= 0)
			region_of(s, &r[i], what);
	/* dies are in the order of the ranks already */
	if (what != BY_DIE)
		qsort(s->region, s->n, sizeof *s->region, what == BY_NUMA ?
		    by_region : layout_by_package);
	for (uint32_t i = 0; i < t->nlproc; i++) {
		struct region *at;

		s->of[i] = NO_RANK;
		if (layout_id_of(&r[i], what) < 0)
			continue;
		at = &s->region[s->of[i] = region_of(s, &r[i], what)];
		if (at->n++ == 0)
			at->first = i;
		at->pkg_hi = (uint32_t)r[i].pkg + 1;
	}
	for (uint32_t k = 0; k < s->n; k++)
		s->region[k].whole = s->region[k].n ==
		    t->pkg_first[s->region[k].pkg_hi] -
		    t->pkg_first[s->region[k].pkg_lo];
	return 0;
}

int
topology_init(struct topology *t, const struct lproc_place *place, unsigned n,
    unsigned npkg, struct diag *why)
{
	struct ranked *r;
	unsigned m = 0;
	int rc;

	*t = (struct topology){ .npkg = npkg ? npkg : 1, .max_lproc = n,
	    .how = "dump" };
	if (n > MAX_LPROCS || t->npkg > TOPO_MAX_PKG)
		return diag_set(why, -E2BIG, "%u lprocs and %u packages are "
		    "more than the %d and %d that a node can have here", n,
		    npkg, MAX_LPROCS, TOPO_MAX_PKG);
	r = malloc((n + 1) * sizeof *r);
	t->rank_of = malloc((n + 1) * sizeof *t->rank_of);
	t->lproc_at = malloc((n + 1) * sizeof *t->lproc_at);
	t->thread = calloc(n + 1, 1);
	t->core_of = malloc((n + 1) * sizeof *t->core_of);
	t->core_first = malloc((n + 1) * sizeof *t->core_first);
	t->core_id = malloc((n + 1) * sizeof *t->core_id);
	if (!r || !t->rank_of || !t->lproc_at || !t->thread || !t->core_of ||
	    !t->core_first || !t->core_id) {
		free(r);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < n; i++) {
		t->rank_of[i] = NO_RANK;
		if ((unsigned)place[i].pkg >= t->npkg)
			continue;               /* also -1: unknown */
		r[m++] = (struct ranked){ .pkg = place[i].pkg,
		    .die = place[i].die, .core = place[i].core,
		    .thread = place[i].thread > 63 ? 63 : place[i].thread,
		    .numa = place[i].numa, .ccx = place[i].ccx, .lproc = i };
	}
	qsort(r, m, sizeof *r, layout_by_place);
	t->nlproc = m;
	count_up(t, r, m);
	if ((rc = find_regions(t, &t->die, r, BY_DIE)) == 0 &&
	    (rc = find_regions(t, &t->numa, r, BY_NUMA)) == 0)
		rc = find_regions(t, &t->ccx, r, BY_CCX);
	free(r);
	return rc;
}

void
topology_fini(struct topology *t)
{
	if (t == NULL)
		return;
	free(t->rank_of);
	free(t->lproc_at);
	free(t->thread);
	free(t->core_of);
	free(t->core_first);
	free(t->core_id);
	free(t->die.region);
	free(t->die.of);
	free(t->numa.region);
	free(t->numa.of);
	free(t->ccx.region);
	free(t->ccx.of);
	free(t->chosen.region);
	free(t->chosen.of);
	*t = (struct topology){ 0 };
}

int
topology_choose(struct topology *t, const bool *lproc, unsigned n)
{
	struct regions *s = &t->chosen;

	if (s->of == NULL && (s->of = malloc((t->nlproc + 1) *
	    sizeof *s->of)) == NULL)
		return -ENOMEM;
	if (s->region == NULL && (s->region = calloc(1,
	    sizeof *s->region)) == NULL)
		return -ENOMEM;
	s->n = 1;
	*s->region = (struct region){ .pkg_hi = t->npkg };
	for (uint32_t r = 0; r < t->nlproc; r++) {
		bool in = t->lproc_at[r] < n && lproc[t->lproc_at[r]];

		s->of[r] = in ? 0 : NO_RANK;
		s->region->n += in;
	}
	s->region->whole = s->region->n == t->nlproc;
	return (int)s->region->n;
}

int
topology_rule(struct lproc_place *place, unsigned n, unsigned npkg,
    const char *rule, struct diag *why)
{
	/* an odd number of lprocs a package cannot be two a core */
	unsigned threads = npkg && n % (2 * npkg) == 0 && n > npkg ? 2 : 1;
	unsigned half = n / threads, share = half / (npkg ? npkg : 1);
	bool block = strcmp(rule, "block") == 0;
	char *text;
	size_t size;
	int rc;

	if (!block && strcmp(rule, "interleaved") != 0) {
		if ((rc = text_load(rule, NULL, &text, &size, why)) < 0)
			return diag_set(why, rc, "%s: cannot read it (a topology "
			    "is `block`, `interleaved` or a file of lines "
			    "`LPROC PACKAGE CORE [THREAD]`)", rule);
		rc = topology_parse(place, n, npkg, &(struct text){ rule, text,
		    text + size }, why);
		free(text);
		return rc;
	}
	if (npkg == 0 || n % npkg != 0)
		return diag_set(why, -EINVAL, "lprocs: %u, no multiple of the "
		    "%u packages; give --topology FILE", n, npkg);
	for (unsigned i = 0; i < n; i++) {
		unsigned k = i % half;

		place[i] = (struct lproc_place){
			.pkg = (int)(block ? k / share : k % npkg),
			.core = (int)(block ? k % share : k / npkg),
			.thread = (int)(i / half), .die = -1, .numa = -1,
			.ccx = -1 };
	}
	return 0;
}

static bool
layout_field(const char **p, const char *end, long *out)
{
	long v = 0;
	const char *start;

	while (*p < end && (**p == ' ' || **p == '\t' || **p == ',' ||
	    **p == '\r'))
		(*p)++;
	for (start = *p; *p < end && **p >= '0' && **p <= '9'; (*p)++)
		if ((v = v * 10 + (**p - '0')) > 1000000)
			return false;
	*out = v;
	return *p > start;
}

int
topology_parse(struct lproc_place *place, unsigned n, unsigned npkg,
    const struct text *text, struct diag *why)
{
	const char *p = text->data, *end = text->end;

	for (unsigned i = 0; i < n; i++)
		place[i] = (struct lproc_place){ -1, -1, -1, -1, -1, -1 };
	for (unsigned line = 1; p < end; line++) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *stop = nl ? nl : end;
		const char *hash = memchr(p, '#', (size_t)(stop - p));
		const char *e = hash ? hash : stop;
		long l, pkg, core, thread = -1, more;

		while (e > p && (e[-1] == ' ' || e[-1] == '\t' || e[-1] == '\r'))
			e--;
		if (e > p) {
			if (!layout_field(&p, e, &l) ||
			    !layout_field(&p, e, &pkg) ||
			    !layout_field(&p, e, &core) ||
			    (p < e && !layout_field(&p, e, &thread)) || p < e ||
			    layout_field(&p, e, &more))
				return diag_at(why, text->name, line, "not a line "
				    "`LPROC PACKAGE CORE [THREAD]`");
			if (l >= (long)n || pkg >= (long)npkg)
				return diag_at(why, text->name, line, "lproc %ld of "
				    "package %ld, but the dump has %u lprocs "
				    "and %u packages", l, pkg, n, npkg);
			if (place[l].pkg >= 0)
				return diag_at(why, text->name, line,
				    "lproc %ld again", l);
			place[l].pkg = (int)pkg;
			place[l].core = (int)core;
			place[l].thread = (int)thread;
		}
		p = nl ? nl + 1 : end;
	}
	for (unsigned i = 0; i < n; i++)
		if (place[i].pkg < 0)
			return diag_set(why, -EINVAL, "%s: lproc %u is not "
			    "there; the dump has %u", text->name, i, n);
	return 0;
}

/* ---- of a dump ----------------------------------------------------------- */

static int
declared_number(const struct reader *r, enum head_key key, unsigned lproc)
{
	double v = head_number(r, key, AT(lproc), -1);

	return v > -1e6 && v < 1e6 ? (int)v : -1;
}

/* lproc_package[5] = 0 and so on; -1 where the head has none. */
static void
declared_places(const struct reader *r, struct lproc_place *place, unsigned n)
{
	for (unsigned l = 0; l < n; l++)
		place[l] = (struct lproc_place){
		    .pkg = declared_number(r, HEAD_LPROC_PACKAGE, l),
		    .core = declared_number(r, HEAD_LPROC_CORE, l),
		    .thread = declared_number(r, HEAD_LPROC_THREAD, l),
		    .die = declared_number(r, HEAD_LPROC_DIE, l),
		    .numa = declared_number(r, HEAD_LPROC_NODE, l),
		    .ccx = declared_number(r, HEAD_LPROC_CCX, l) };
}

const char *
topology_unplaced(const struct reader *r, char *buf, size_t size)
{
	bool seen[MAX_LPROCS] = { false };
	double npkg = head_number(r, HEAD_PACKAGES, ALONE, TOPO_MAX_PKG);
	unsigned n = 0, first = 0;
	char more[24] = "";

	if (head_constant(r, HEAD_LPROC_PACKAGE, AT(0)) == NULL)
		return NULL;
	for (unsigned c = 0; c < read_columns(r); c++) {
		const struct column_id *id = &read_column(r, c)->id;
		uint32_t l = id->index[0];
		int pkg;

		if (id->family->of != OF_LPROC || l >= MAX_LPROCS || seen[l])
			continue;
		seen[l] = true;
		pkg = declared_number(r, HEAD_LPROC_PACKAGE, l);
		if (pkg >= 0 && pkg < npkg)
			continue;
		first = n++ == 0 || l < first ? l : first;
	}
	if (n == 0)
		return NULL;
	if (n > 1)
		snprintf(more, sizeof(more), " and %u more", n - 1);
	snprintf(buf, size, "lproc %u%s counted, but lproc_package says no "
	    "package of the node: it is in no figure of one or of the node "
	    "(--topology)", first, more);
	return buf;
}

int
topology_of_dump(struct topology *t, const struct reader *r, unsigned n,
    unsigned npkg, const char *rule, struct diag *why)
{
	double cpus = head_number(r, HEAD_NR_CPUS, ALONE, 0);
	double packages = head_number(r, HEAD_PACKAGES, ALONE, 0);
	bool declared = head_constant(r, HEAD_LPROC_PACKAGE, AT(0)) != NULL;
	struct lproc_place *place;
	int rc = 0;

	if (cpus > n && cpus <= MAX_LPROCS)
		n = (unsigned)cpus;
	if (packages >= 1 && packages <= TOPO_MAX_PKG)
		npkg = (unsigned)packages;
	if ((place = calloc(n + 1, sizeof *place)) == NULL)
		return -ENOMEM;
	if (rule == NULL && declared)
		declared_places(r, place, n);
	else
		rc = topology_rule(place, n, npkg ? npkg : 1,
		    rule ? rule : "block", why);
	if (rc == 0)
		rc = topology_init(t, place, n, npkg, why);
	if (rc == 0 && (rule != NULL || !declared)) {
		t->how = rule ? rule : "block";
		t->assumed = rule == NULL && npkg > 1;
	}
	free(place);
	return rc;
}
