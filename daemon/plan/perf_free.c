/*
 * daemon/plan/perf_free.c - `read` statements where the kernel counts: the
 * registers that always run, as far as one of its PMUs has them.
 *
 * Which PMU has what: reference perf-event sections 5.5, 5.6 and 6.  Power
 * and the like come in the kernel's own units, which the head says; what no
 * PMU has (temperatures, limits, throttled time) is named in a note.
 *
 * What is read of one lproc or package is one group for each PMU, without
 * columns of times: these counters are never given turns.  Events of the msr
 * PMU are software events to the kernel and may join any group: a package's do.
 * An lproc's do not join the residencies of its core, which the kernel hands
 * on, with all their group, to the core's other lproc when this one goes
 * offline; nor events of the core PMU, which may have to wait for their turn.
 */
#include "daemon/plan/plan_int.h"

#include "config/lang/readable.h"
#include "lib/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *family, *pmu, *event;
} known[] = {
	{ "rapl_pkg_energy", "power", "energy-pkg" },
	{ "rapl_core_energy", "power_core", "energy-core" },
	{ "rapl_dram_energy", "power", "energy-ram" },
	{ "rapl_pp0_energy", "power", "energy-cores" },
	{ "smi_count", "msr", "smi" },
	{ "aperf", "msr", "aperf" },
	{ "mperf", "msr", "mperf" },
	{ "pperf", "msr", "pperf" },
	{ "irperf", "msr", "irperf" },
	{ "core_c1_residency", "cstate_core", "c1-residency" },
	{ "core_c3_residency", "cstate_core", "c3-residency" },
	{ "core_c6_residency", "cstate_core", "c6-residency" },
	{ "core_c7_residency", "cstate_core", "c7-residency" },
	{ "pkg_c2_residency", "cstate_pkg", "c2-residency" },
	{ "pkg_c3_residency", "cstate_pkg", "c3-residency" },
	{ "pkg_c6_residency", "cstate_pkg", "c6-residency" },
};

#define NKNOWN (sizeof(known) / sizeof(known[0]))

/* The head says what an energy count is worth: the `power` PMU counts units of 2^-32 J. */
static int
put_rapl_unit(struct plan *plan)
{
	static const char joules[] = "0.00000000023283064365386962890625";
	struct head *h = &plan->head;

	if (!head_has(h, HEAD_RAPL_PKG_ENERGY_UNIT, ALONE, HEAD_WHOLE)) {
		head_put_int(h, HEAD_RAPL_PKG_ENERGY_UNIT_LOG2, ALONE, 32);
		head_put_int(h, HEAD_RAPL_DRAM_ENERGY_UNIT_LOG2, ALONE, 32);
		head_put_digits(h, HEAD_RAPL_PKG_ENERGY_UNIT, ALONE, joules);
		head_put_digits(h, HEAD_RAPL_DRAM_ENERGY_UNIT, ALONE, joules);
	}
	return plan_head_error(plan);
}

/* A column that a PMU can count, until its group is opened. */
struct found {
	char family[96];
	struct column column;
	struct perf_attr attr;
	unsigned cpu;
	int pkg;                        /* -1: the lproc's */
	bool software, done;
};

struct search {
	struct plan *plan;
	struct found *found;
	unsigned n, room;
};

/* Is it an error of the run, not only of this event? */
static bool
is_fatal(int rc)
{
	return rc == -ENOMEM || rc == -EMFILE || rc == -EDQUOT;
}

static const char *
found_name(const struct found *f, char *buf, size_t size)
{
	struct family family = { .name = f->family };
	struct column_id id = f->column.id;

	id.family = &family;
	column_text(&id, "", buf, size);
	return buf;
}

/* Opens an event alone at one place, and keeps it as a column if that succeeds.  0;
 * -ENOENT: this node cannot count it; or -errno. */
static int
perf_free_find(struct search *s, const struct found *like, const char *pmu_name,
    const char *terms)
{
	struct access *acc = s->plan->build->acc;
	struct pmu *pmu = calloc(1, sizeof(*pmu));
	struct perf_group g = { .cpu = like->cpu, .n = 1 };
	struct found *f;
	struct pmu_event says;
	char name[160];
	unsigned bad = 0;
	int rc = -ENOMEM;

	if (array_room(&s->found, s->n, &s->room, sizeof(*s->found)) &&
	    pmu != NULL &&
	    (rc = pmu_load(pmu, acc, pmu_name)) == 0 &&
	    (rc = terms_encode(pmu, acc, (struct word){ terms,
	    strlen(terms) }, (struct place){ pmu_name, 0 }, &says,
	    NULL)) == 0) {
		g.attr[0] = says.attr;
		rc = access_perf_open(acc, &g, 1, &bad);
	}
	found_name(like, name, sizeof(name));
	if (pmu != NULL && pmu->wrong[0] != '\0')
		plan_note(s->plan, "%s: PMU %s: %s", name, pmu_name,
		    pmu->wrong);
	free(pmu);
	if (rc < 0)
		return is_fatal(rc) ? perf_explain(acc, rc, name, &g, bad,
		    s->plan->build->why) : -ENOENT;
	access_perf_drop(acc, (unsigned)rc);
	f = &s->found[s->n++];
	*f = *like;
	f->attr = g.attr[0];
	f->software = strcmp(pmu_name, "msr") == 0;
	return 0;
}

/* Adds the column of an event whose group was opened; it is read as `addr`. */
static int
add_found(struct plan *plan, struct found *f, const struct reg_addr *addr,
    unsigned lproc)
{
	struct column *c = &f->column;
	int rc;

	c->id.family = plan_family(plan, f->family, c->bits, NULL);
	if (c->id.family == NULL)
		return plan_no_memory(plan);
	rc = plan_add_opened(plan, &c->id, f->cpu, addr->unit, &f->attr);
	return rc < 0 ? rc : plan_add_column(plan, c, addr, lproc, f->pkg);
}

/* Opens a group; where the kernel refuses it, its halves. */
static int
open_group(struct plan *plan, struct found **member, unsigned n)
{
	struct access *acc = plan->build->acc;
	const struct found *lead = member[0];
	struct perf_group g = { .cpu = lead->cpu, .n = n };
	struct reg_addr addr = { REG_PERF, 8, 0, PERF_ENABLED };
	unsigned bad = 0, lproc = lead->pkg >= 0 ?
	    plan->build->topo->pkg[lead->pkg].first_lproc : lead->cpu;
	char name[160];
	int rc;

	for (unsigned k = 0; k < n; k++)
		g.attr[k] = member[k]->attr;
	rc = access_perf_open(acc, &g, 1, &bad);
	if (rc == -EINVAL && n > 1) {
		rc = open_group(plan, member, n / 2);
		return rc < 0 ? rc : open_group(plan, member + n / 2,
		    n - n / 2);
	}
	if (rc < 0)             /* it went offline just now */
		return is_fatal(rc) ? perf_explain(acc, rc, found_name(lead,
		    name, sizeof(name)), &g, bad, plan->build->why) : 0;
	addr.unit = (uint32_t)rc;
	if (plan_add_read(plan, &addr, lproc, lead->pkg) < 0)
		return -ENOMEM;
	addr.offset = PERF_FIRST;
	for (unsigned k = 0; k < n; k++, addr.offset++)
		if ((rc = add_found(plan, member[k], &addr, lproc)) < 0)
			return rc;
	return 0;
}

/* May an event join the group of `lead`, which has a member `hard` of another PMU than
 * msr (or NULL)? */
static bool
may_join(const struct found *lead, const struct found *hard,
    const struct found *f)
{
	if (f->done || f->cpu != lead->cpu || f->pkg != lead->pkg)
		return false;
	if (f->pkg < 0 && f->software != lead->software)
		return false;
	return f->software || hard == NULL || hard->attr.type == f->attr.type;
}

static int
open_groups(struct search *s)
{
	struct found *member[PERF_MEMBERS];
	int rc = 0;

	for (unsigned i = 0; i < s->n && rc >= 0; i++) {
		const struct found *hard = NULL;
		unsigned n = 0;

		for (unsigned k = i; k < s->n && n < PERF_MEMBERS; k++) {
			struct found *f = &s->found[k];

			if (!may_join(&s->found[i], hard, f))
				continue;
			if (!f->software)
				hard = f;
			member[n++] = f;
		}
		for (unsigned k = 0; k < n; k++)
			member[k]->done = true;
		if (n > 0)
			rc = open_group(s->plan, member, n);
	}
	return rc;
}

struct dies {
	const struct topo *topo;
	unsigned n[MAX_PKG];
};

static void
count_die(void *ctx, unsigned cpu)
{
	struct dies *d = ctx;

	if (d->topo->lproc[cpu].pkg >= 0)
		d->n[d->topo->lproc[cpu].pkg]++;
}

/* Remarks that a package's column is of its first die alone, where the PMU has a CPU
 * for each of several dies. */
static void
note_dies(struct plan *plan, const char *family, const char *pmu_name)
{
	struct dies d = { .topo = plan->build->topo };
	struct pmu *pmu = malloc(sizeof(*pmu));

	if (pmu != NULL && pmu_load(pmu, plan->build->acc, pmu_name) == 0)
		cpulist_parse(pmu->cpumask, d.topo->nlproc, count_die, &d);
	free(pmu);
	for (unsigned p = 0; p < d.topo->npkg; p++)
		if (d.n[p] > 1)
			plan_remark(plan, "%s[%u] is that of the first of the "
			    "package's %u dies alone", family, p, d.n[p]);
}

static int
perf_free_read_one(struct search *to, const struct scalar *s, unsigned k)
{
	struct plan *plan = to->plan;
	const struct topo *topo = plan->build->topo;
	struct found like = { .column = { .bits = 64,
	    .print = s->print, .cls = s->cls, .id = { .nindex = 1 } } };
	bool pkg = s->scope == SCOPE_PKG;
	unsigned units = pkg ? topo->npkg : topo->nlproc, found = 0;
	int rc;

	snprintf(like.family, sizeof(like.family), "%s", s->family);
	for (unsigned u = 0; u < units; u++) {
		if (!pkg && (!topo->lproc[u].online ||
		    (s->scope == SCOPE_CORE && topo->lproc[u].thread != 0)))
			continue;
		like.cpu = pkg ? topo->pkg[u].first_lproc : u;
		like.pkg = pkg ? (int)u : -1;
		like.column.id.index[0] = u;
		rc = perf_free_find(to, &like, known[k].pmu, known[k].event);
		if (rc == -ENOENT)
			break;
		if (rc < 0)
			return rc;
		found++;
	}
	if (found == 0)
		plan_note(plan, "%s: the kernel has no PMU event %s/%s/",
		    s->family, known[k].pmu, known[k].event);
	else if (pkg)
		note_dies(plan, s->family, known[k].pmu);
	return found > 0 && class_is_rapl(s->cls) ? put_rapl_unit(plan) : 0;
}

static int
read_scalar(struct search *to, const struct scalar *s)
{
	for (unsigned k = 0; k < NKNOWN; k++)
		if (strcmp(known[k].family, s->family) == 0)
			return perf_free_read_one(to, s, k);
	plan_note(to->plan, "%s: no PMU of the kernel has it (register 0x%x "
	    "needs --access raw)", s->family, s->reg);
	return 0;
}

/* Free-running counters of a box: uncore_iio_free_running_2/bw_in_port0/. */
struct freerun_search {
	struct search *to;
	const struct freerun *f;
	int rc;
	unsigned found;
	const char *only;       /* one family; NULL: all */
};

static void
read_ports(void *ctx, const char *pmu, int n)
{
	struct freerun_search *s = ctx;
	const struct freerun *f = s->f;
	const struct topo *topo = s->to->plan->build->topo;
	const struct box_type *type = model_box(topo->model, f->box);
	struct found like = { .column = { .bits = 64, .mul = f->mul,
	    .cls = f->cls } };
	char event[48];

	if (n < 0 || type == NULL || n >= type->instances)
		return;
	for (unsigned p = 0; p < topo->npkg && s->rc >= 0; p++)
		for (unsigned k = 0; k < (f->ports > 0 ? f->ports : 1); k++) {
			if (f->event != NULL)
				snprintf(event, sizeof(event), "%s", f->event);
			else
				snprintf(event, sizeof(event), "%s_port%u",
				    f->role, k);
			freerun_family(topo->model, f, (unsigned)n, k,
			    like.family, sizeof(like.family));
			if (s->only != NULL && strcmp(s->only, like.family) !=
			    0)
				continue;
			like.column.id = freerun_id(f, NULL, p, (unsigned)n);
			like.cpu = topo->pkg[p].first_lproc;
			like.pkg = (int)p;
			s->rc = perf_free_find(s->to, &like, pmu, event);
			if (s->rc == -ENOENT)
				s->rc = 0;
			else if (s->rc >= 0)
				s->found++;
		}
}

/* Adds free-running counters of a kind; NULL: all, without a note if there are none. */
static int
perf_free_read_freerun(struct search *to, const char *kind)
{
	struct plan *plan = to->plan;
	const struct model *m = plan->build->topo->model;
	const struct freerun *port = kind != NULL ? readable_port(m, kind) :
	    NULL;
	struct freerun_search s = { .to = to,
	    .only = port != NULL ? kind : NULL };
	char name[64];

	for (s.f = m->freerun; s.f != NULL && s.f->family != NULL; s.f++) {
		if (kind != NULL && s.f != port && !readable_is(kind, s.f))
			continue;
		if (model_box(m, s.f->box)->kernel.pmu != NULL)
			snprintf(name, sizeof(name), "%s", model_box(m,
			    s.f->box)->kernel.pmu);
		else
			snprintf(name, sizeof(name),
			    "uncore_%.20s_free_running", s.f->box);
		for (char *c = name; *c != '\0'; c++)
			*c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
		pmu_each(plan->build->acc, name, read_ports, &s);
	}
	if (s.rc >= 0 && s.found == 0 && kind != NULL)
		plan_note(plan, "%s: the kernel has no such PMU", kind);
	return s.rc;
}

/* One `read` statement. */
static int
read_want(struct search *to, const struct want *w)
{
	const struct model *m = to->plan->build->topo->model;
	const struct scalar *s = scalar_named(m, w->name);
	struct want ib = *w;
	int rc = 0;

	if (w->of_file != NULL)
		return plan_file(to->plan, w);
	if (w->raw != NULL && !w->optional)
		return diag_at(to->plan->build->why, w->file, w->line, "read "
		    "%s: the kernel's PMUs show no registers by their "
		    "address: --access raw", w->raw->statement);
	if (w->raw != NULL) {
		plan_note(to->plan, "%s: needs --access raw", w->name);
		return 0;
	}
	if (s != NULL)
		return read_scalar(to, s);
	if (strcmp(w->name, "ib") == 0)
		return plan_scalar(to->plan, w, 1);
	if (strcmp(w->name, "all") != 0)
		return perf_free_read_freerun(to, w->name);
	for (unsigned i = 0; rc >= 0 && (s = model_scalar(m, i)) != NULL; i++)
		rc = read_scalar(to, s);
	if (rc >= 0)
		rc = perf_free_read_freerun(to, NULL);
	ib.name = "ib";
	ib.optional = true;
	return rc < 0 ? rc : plan_scalar(to->plan, &ib, 1);
}

int
plan_perf_read(struct plan *plan, const struct want *first, unsigned n)
{
	struct search to = { .plan = plan };
	int rc = 0;

	for (unsigned i = 0; i < n && rc >= 0; i++)
		rc = read_want(&to, &first[i]);
	if (rc >= 0)
		rc = open_groups(&to);
	free(to.found);
	return rc;
}
