/*
 * daemon/plan/plan_perf.c - the columns that the kernel counts: from the same
 * configuration, in the same families, as the registers would give.
 *
 * A group is counted at one time on one CPU and is one system call a sample.
 * Where groups share counters the kernel gives them turns; how long a group
 * was enabled and how long it ran are columns beside its counts:
 *   core_enabled[lproc]["GROUP"]  core_running[lproc]["GROUP"]     ns
 *   scf_enabled[pkg]["GROUP"]     cha_running[pkg][box]["GROUP"]   ...
 * with event_group["core_counts"]["EVENT"] = "GROUP" in the head.  A group has
 * the name of its set, else of its first event.
 */
#include "daemon/plan/plan_int.h"

#include "config/suggest.h"
#include "lib/printable.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Are two statements planned in one run: counted at the same kind of places? */
static bool
plan_perf_alike(const struct want *a, const struct want *b)
{
	const struct box_type *ta, *tb;
	enum domain d = perf_domain(a, &ta);

	if (d != perf_domain(b, &tb))
		return false;
	return d == ON_BOXES ? ta == tb : d != ON_PMU ||
	    strcmp(a->perf->pmu, b->perf->pmu) == 0;
}

static void
keep_first(void *ctx, const char *name, int n)
{
	char *buf = ctx;

	(void)n;
	if (buf[0] == '\0')
		snprintf(buf, 64, "%s", name);
}

/* The PMUs of this node, each kind once, and the one whose name is most like the
 * wanted one. */
struct pmu_search {
	struct near near;
	char have[400];
};

static void
try_pmu(void *ctx, const char *name)
{
	struct pmu_search *s = ctx;
	size_t n = strlen(name);
	char kind[64];

	while (n > 0 && isdigit((unsigned char)name[n - 1]))
		n--;
	if (n == strlen(name) || n < 2 || name[n - 1] != '_')
		n = strlen(name) + 1;
	if (n > sizeof(kind))
		return;
	memcpy(kind, name, n - 1);
	kind[n - 1] = '\0';
	near_try(&s->near, kind);
	if (!has_word(s->have, ' ', kind))
		choices_add(s->have, sizeof(s->have), kind);
}

/* "this node has no PMU uncore_chaa; did you mean uncore_cha?" */
static void
no_such_pmu(struct run *r, const char *pmu, char *buf, size_t size)
{
	struct access *acc = r->plan->build->acc;
	struct pmu_search s = { .have = "" };

	near_init(&s.near, pmu);
	access_list(acc, PMU_DIR, try_pmu, &s);
	if (s.near.name != NULL)
		snprintf(buf, size, "this node has no PMU %s; did you mean %s?",
		    pmu, s.near.name);
	else
		snprintf(buf, size, "this node has no PMU %s; it has %s",
		    pmu, s.have[0] != '\0' ? s.have : "none");
}

/* Loads the PMU whose formats hold for the run; without one, type is UINT32_MAX. */
static int
find_pmu(struct run *r, const struct want *w)
{
	struct plan_build *b = r->plan->build;
	char name[64] = "";

	memset(r->pmu, 0, sizeof(*r->pmu));
	r->pmu->type = UINT32_MAX;
	switch (r->domain) {
	case ON_CPUS:
		return 0;
	case ON_CORES:
		if (pmu_core(b->acc, name, sizeof(name)) == NULL && errno != 0)
			snprintf(r->pmu->wrong, sizeof(r->pmu->wrong),
			    PMU_DIR ": %s", strerror(errno));
		break;
	case ON_BOXES:
		for (unsigned i = 0; i < b->inv->n && name[0] == '\0'; i++)
			if (b->inv->unit[i].type == r->type &&
			    b->inv->unit[i].present)
				snprintf(name, sizeof(name), "%s",
				    b->inv->unit[i].pmu);
		break;
	case ON_PMU:
		r->pmu_name = w->perf->pmu;
		pmu_each(b->acc, r->pmu_name, keep_first, name);
		break;
	}
	if (name[0] != '\0' && pmu_load(r->pmu, b->acc, name) < 0)
		r->pmu->type = UINT32_MAX;
	r->pmu->box = r->type;
	return 0;
}

/* A statement for which this node has no PMU: an error, or a note if it is optional. */
static int
none_here(struct run *r, const struct want *w)
{
	struct plan_build *b = r->plan->build;
	const struct unit *u = NULL;
	char words[640] = "";

	for (unsigned i = 0; i < b->inv->n && u == NULL; i++)
		if (b->inv->unit[i].type == r->type &&
		    !b->inv->unit[i].present)
			u = &b->inv->unit[i];
	if (r->pmu->wrong[0] != '\0')
		snprintf(words, sizeof(words), "PMU %s: %s",
		    r->pmu->name[0] != '\0' ? r->pmu->name : "of the cores",
		    r->pmu->wrong);
	else if (r->domain == ON_CORES)
		strcpy(words, "no hardware PMU is visible, this is probably a "
		    "virtual machine; software events work (-c "
		    "@software)");
	else if (r->domain == ON_BOXES)
		snprintf(words, sizeof(words), "this node has no %s: %s",
		    r->type->name, u != NULL ? u->reason : "no such PMU");
	else
		no_such_pmu(r, r->pmu_name, words, sizeof(words));
	if (!w->optional)
		return diag_at(b->why, w->file, w->line, "%s: %s", w->name !=
		    NULL ? w->name : "fixed", words);
	plan_note(r->plan, "%s: %s", w->name != NULL ? w->name : "fixed",
	    words);
	return 0;
}

/* Reports events that are counted at no place of this node. */
static int
check_used(struct run *r)
{
	struct plan_build *b = r->plan->build;

	for (unsigned i = 0; i < r->nevent; i++) {
		const struct perf_event *e = &r->event[i];
		const struct want *w = e->want;
		char words[640] = "this node has none of the lprocs or boxes "
		    "asked for";
		bool own = false;

		if (e->dropped != 0 || e->placed)
			continue;
		for (unsigned p = 0; p < r->nplace; p++)
			own |= perf_own_socket(r, e, &r->place[p]);
		if (own && w->optional)
			continue;       /* as on any node of one socket */
		if (own)
			snprintf(words, sizeof(words), "this node has no other "
			    "socket to count it at (at the socket itself: "
			    "%s[0/0])", r->type->name);
		else if (perf_names_pmu(w) && pmu_each(b->acc, w->perf->pmu,
		    NULL, NULL) == 0)
			no_such_pmu(r, w->perf->pmu, words, sizeof(words));
		if (!w->optional)
			return diag_at(b->why, w->file, w->line, "%s: %s",
			    e->name, words);
		if (w->pkg >= (int)b->topo->npkg)
			plan_note(r->plan, "%s: there is no package %d",
			    e->name, w->pkg);
		else
			plan_note(r->plan, "%s: none of the lprocs or boxes "
			    "asked for", e->name);
	}
	return 0;
}

static int
plan_run(struct plan *plan, const struct want *first, unsigned n)
{
	struct run r = { .plan = plan };
	int rc = 0;

	r.domain = perf_domain(first, &r.type);
	if (r.domain == ON_CORES)
		r.type = plan->build->topo->model->core;
	if ((r.pmu = malloc(sizeof(*r.pmu))) == NULL)
		return plan_no_memory(r.plan);
	find_pmu(&r, first);
	for (unsigned i = 0; i < n && rc == 0; i++) {
		const struct want *w = &first[i];
		bool known = w->perf != NULL && w->perf->known;

		if (w->kind == WANT_FILTER || w->kind == WANT_CONTROL)
			continue;
		/* events with the kernel's own names need no PMU of sysfs */
		if (r.pmu->type == UINT32_MAX && !known)
			rc = none_here(&r, w);
		else
			rc = perf_add_event(&r, w);
	}
	if (rc == 0)
		rc = perf_make_places(&r);
	if (rc == 0)
		rc = perf_chain(&r);
	for (unsigned i = 0; i < r.nplace && rc == 0; i++)
		rc = perf_add_groups(&r, &r.place[i]);
	if (rc == 0)
		rc = check_used(&r);
	if (rc == 0)
		rc = perf_note_ports(&r);
	if (rc == 0)
		perf_note_silent(&r);
	for (unsigned i = 0; i < r.nplace; i++) {
		free(r.place[i].cpu);
		free(r.place[i].type);
	}
	free(r.place);
	free(r.core_type);
	free(r.event);
	free(r.pmu);
	lookup_fini(&r.cores);
	return rc;
}

/* Refuses an event of the same name in two sets: both would have one column. */
static int
check_names(const struct config *cfg, struct diag *why)
{
	for (unsigned i = 0; i < cfg->nwant; i++) {
		const struct want *a = &cfg->want[i];
		const struct want *b = config_other_set(cfg, i);

		if (b != NULL)
			return diag_at(why, a->file, a->line, "%s is in set "
			    "\"%s\", too (line %u): here it needs another "
			    "name, such as %s@%s", a->name, cfg->set[b->set],
			    b->line, a->name, cfg->set[a->set]);
	}
	return 0;
}

/* The kind of PMU that counts an event. */
static const char *
counted_by(const struct want *w)
{
	const struct box_type *type = w->kind == WANT_PERF && !w->perf->known ?
	    w->perf->type : w->type;

	if (w->kind == WANT_PERF && w->perf->known)
		return w->perf->attr.type == PERF_SOFTWARE ? "software" : "core";
	if (type == NULL)
		return pmu_is_core(w->perf->pmu) ? "core" : w->perf->pmu;
	return type->scope == SCOPE_LPROC ? "core" : type->name;
}

/* Events of one word are counted at one time, so they must be of one PMU.  Software
 * events are counted apart from the rest, which a remark says. */
static int
check_words(struct plan *plan)
{
	const struct config *cfg = plan->build->config;
	unsigned remarked = 0;

	for (unsigned i = 1; i < cfg->nwant; i++) {
		const struct want *a = &cfg->want[i - 1], *b = &cfg->want[i];
		const char *x, *y;

		if (a->kind == WANT_READ || b->kind == WANT_READ ||
		    b->together == 0 || a->together != b->together)
			continue;
		x = counted_by(a);
		y = counted_by(b);
		if (strcmp(x, y) == 0)
			continue;
		if (strcmp(x, "software") != 0 && strcmp(y, "software") != 0)
			return diag_at(plan->build->why, b->file, b->line,
			    "%s (%s) and %s (%s) cannot be counted at one time: "
			    "write a space between them, not a comma", a->name,
			    x, b->name, y);
		if (remarked != b->together)
			plan_remark(plan, "%s:%u: %s and %s are counted apart, "
			    "not as one group", b->file, b->line, a->name,
			    b->name);
		remarked = b->together;
	}
	return 0;
}

int
plan_perf_only(const struct want *w, struct diag *why)
{
	const char *what = w->name != NULL ? w->name : "fixed";

	if (w->kind == WANT_PERF && !(w->perf->known &&
	    w->perf->attr.type == PERF_SOFTWARE))
		diag_at(why, w->file, w->line, w->perf->why != NULL ?
		    "%s: %s; the kernel may count it: --access perf" :
		    "%s: only the kernel can count it as it is written "
		    "here%s: --access perf", what, w->perf->why != NULL ?
		    w->perf->why : "");
	else if (w->kind != WANT_PERF && (w->sum != NULL ||
	    (w->dispatch == DISPATCH_OFF && !w->dispatch_if)))
		diag_at(why, w->file, w->line, "%s: only the kernel adds up "
		    "lprocs or boxes (cores, dispatch off): --access perf",
		    what);
	else if (w->kind != WANT_PERF && w->dispatch == DISPATCH_TYPE &&
	    !w->dispatch_if)
		diag_at(why, w->file, w->line, "%s: the numbers of PMUs are "
		    "the kernel's (dispatch type): --access perf", what);
	else
		return 0;
	return -ENOTSUP;
}

/* `read` statements: as registers where tallyd can read these (hybrid), else from the
 * kernel's PMUs. */
static int
read_statements(struct plan *plan, const struct want *first, unsigned n)
{
	struct plan_build *b = plan->build;
	const struct inventory *kernels = b->inv;
	int rc;

	if (kernels->registers == NULL)
		return plan_perf_read(plan, first, n);
	b->inv = kernels->registers;
	rc = plan_scalar(plan, first, n);
	b->inv = kernels;
	return rc;
}

/* Remarks on `every`, which does not hold for what the kernel counts. */
static void
remark_rates(struct plan *plan, const struct want *first, unsigned n)
{
	bool registers = plan->build->inv->registers != NULL;

	for (const struct want *w = first; w < first + n; w++)
		if (w->every > 1 && (w->kind == WANT_EVENT || !registers))
			plan_remark(plan, "%s every %u: the kernel counts it, "
			    "and it is read in each sample", w->name, w->every);
}

/* Is there any statement that is not about files? */
static bool
asks_kernel(const struct want *first, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (first[i].of_file == NULL)
			return true;
	return false;
}

int
plan_perf(struct plan *plan, const struct want *first, unsigned n)
{
	struct plan_build *b = plan->build;
	int rc = 0;

	remark_rates(plan, first, n);

	if ((asks_kernel(first, n) && (rc = perf_check(b->acc, b->topo->npkg >
	    0 ? b->topo->pkg[0].first_lproc : 0, b->why)) < 0) ||
	    (rc = check_names(b->config, b->why)) < 0 ||
	    (rc = check_words(plan)) < 0)
		return rc;
	for (unsigned i = 0, k; i < n && rc == 0; i += k) {
		const struct want *w = &first[i];

		k = 1;
		if (w->kind == WANT_SOC)
			return diag_at(b->why, w->file, w->line, "SoC "
			    "counters are behind a message bus, which the "
			    "kernel does not show: --access raw");
		if (w->kind == WANT_FILTER || w->kind == WANT_CONTROL)
			continue;
		while (i + k < n && (w->kind == WANT_READ ?
		    first[i + k].kind == WANT_READ :
		    first[i + k].kind != WANT_READ &&
		    first[i + k].kind != WANT_SOC &&
		    plan_perf_alike(w, &first[i + k])))
			k++;
		rc = w->kind == WANT_READ ? read_statements(plan, w, k) :
		    plan_run(plan, w, k);
	}
	return rc;
}
