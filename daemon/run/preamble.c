/*
 * daemon/run/preamble.c - the self-description at the head of a dump: the
 * original's constants, then the node, the topology, families and events, as
 * assignments that Lua and Python both read.
 */
#include "daemon/run/preamble.h"

#include "config/dump/column.h"
#include "daemon/node/soc.h"
#include "regs/host.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the plan's columns ------------------------------------------------- */

/* head_families - width, unit and multiplier of each family. */
static void
head_families(struct head *h, const struct plan *plan)
{
	head_put_table(h, HEAD_FAMILY_BITS, ALONE, 0);
	head_put_table(h, HEAD_FAMILY_UNIT, ALONE, 0);
	head_put_table(h, HEAD_FAMILY_VALUE, ALONE, 0);
	head_put_table(h, HEAD_FAMILY_MUL, ALONE, 0);
	for (unsigned i = 0; i < plan->families.n; i++) {
		const struct family *f = plan->families.family[i];

		if (!f->said)
			continue;
		head_put_int(h, HEAD_FAMILY_BITS, OF(f->name), f->bits);
		head_put_text(h, HEAD_FAMILY_UNIT, OF(f->name), f->unit);
		head_put_text(h, HEAD_FAMILY_VALUE, OF(f->name), f->value);
		if (f->mul > 1)
			head_put_int(h, HEAD_FAMILY_MUL, OF(f->name), f->mul);
	}
}

/* A key with an index of family and event, while it is put: each pair has one line,
 * however many lprocs and boxes count the event. */
struct by_event {
	struct head *h;
	enum head_key key;
	const struct column_id **had;
	unsigned n;
};

static bool
same_event(const struct column_id *a, const struct column_id *b)
{
	return a->family == b->family && (a->event == b->event ||
	    strcmp(a->event, b->event) == 0);
}

static void
put_word(struct by_event *t, const struct column_id *id, const char *word)
{
	struct head_at at = OF(id->family->name, id->event);
	bool first = true;

	/* columns of one event mostly stand close together: search backward */
	for (unsigned i = t->n; i-- > 0;) {
		if (same_event(t->had[i], id))
			return;
		first = first && t->had[i]->family != id->family;
	}
	if (t->n == 0)
		head_put_table(t->h, t->key, at, 0);
	if (first)
		head_put_table(t->h, t->key, at, 1);
	head_put_text(t->h, t->key, at, word);
	t->had[t->n++] = id;
}

/* Starts a key, with room for n pairs. */
static struct by_event
by_event(struct head *h, enum head_key key, unsigned n)
{
	struct by_event t = { .h = h, .key = key,
	    .had = calloc(n + 1, sizeof(t.had[0])) };

	if (t.had == NULL)
		h->error = -ENOMEM;
	return t;
}

/* head_classes - what an event counts, where that is not what its family does:
 * event_class["imc_counts"]["CAS_COUNT.READS"] = "cas". */
static void
head_classes(struct head *h, const struct plan *plan)
{
	struct by_event t = by_event(h, HEAD_EVENT_CLASS, plan->ncolumn);

	for (unsigned i = 0; t.had != NULL && i < plan->ncolumn; i++) {
		const struct column *c = &plan->column[i];

		if (c->id.event != NULL && c->cls != c->id.family->cls)
			put_word(&t, &c->id, class_word(c->cls));
	}
	free(t.had);
}

static void
head_columns_put_to(void *ctx, const char *text, size_t n)
{
	head_put_lines(ctx, text, n);
}

/* head_controls - the control value of every counter, under the counter's own
 * indices: imc_counts_control[0][3]["CAS_COUNT.READS"] = 0x00400304. */
static void
head_controls(struct head *h, const struct plan *plan)
{
	struct declared *d = declare_new(head_columns_put_to, h);
	const struct plan_control *c = plan->control;

	if (d == NULL)
		h->error = -ENOMEM;
	/* declare_tables reports its errors itself; h->error is set by a line without room */
	for (unsigned i = 0; h->error == 0 && i < plan->ncontrol; i++)
		if (declare_tables(d, &c[i].id,
		    head_row(HEAD_CONTROL)->name + 1, false) < 0)
			h->error = -ENOMEM;
	for (unsigned i = 0; i < plan->ncontrol; i++)
		if (c[i].ctl != ABSENT)
			head_put_hex(h, HEAD_CONTROL, OF_COLUMN(&c[i].id),
			    c[i].ctl);
	declare_free(d);
}

/* head_sets - the sets, and which of them an event takes turns in:
 * event_set["core_counts"]["X"] = "a". */
static void
head_sets(struct head *h, const struct plan *plan)
{
	struct by_event t;

	if (plan->sets.n < 2)
		return;
	head_put_table(h, HEAD_SET_NAME, ALONE, 0);
	for (unsigned k = 1; k < plan->sets.n; k++)
		head_put_text(h, HEAD_SET_NAME, AT(k - 1), plan->sets.name[k]);
	if (plan->sets.turns > 0) {
		head_put_count(h, HEAD_TURNS, ALONE, plan->sets.turns);
		head_put_count(h, HEAD_TURN_SEED, ALONE, plan->sets.seed);
	}
	t = by_event(h, HEAD_EVENT_SET, plan->ncontrol);
	for (unsigned i = 0; t.had != NULL && i < plan->ncontrol; i++) {
		const struct plan_control *c = &plan->control[i];

		if (c->set != 0)
			put_word(&t, &c->id, plan->sets.name[c->set]);
	}
	free(t.had);
}

/* ---- the head ----------------------------------------------------------- */

static bool
pkg_msr(struct access *acc, const struct topo *topo, uint32_t reg,
    uint64_t *raw)
{
	struct reg_addr addr = { REG_MSR, 8,
	    topo->npkg > 0 ? topo->pkg[0].first_lproc : 0, reg };

	return reg != 0 && access_read(acc, &addr, raw) == 0 && *raw != 0;
}

/* The nominal rate of the TSC.  Where the bus clock varies from part to part, the rate
 * is measured, and the measured one replaces that of the register if they differ; where
 * no register has it, as on AMD, it is measured. */
static void
tsc(struct head *h, const struct topo *topo, struct access *acc, bool measure)
{
	unsigned lproc = topo->npkg > 0 ? topo->pkg[0].first_lproc : 0;
	uint64_t raw, hz, measured = 0;

	if (pkg_msr(acc, topo, model_msrs(topo->model)->platform_info, &raw))
		head_put_int(h, HEAD_TSC_RATIO, ALONE, raw >> 8 & 0xff);
	if (bus_clock_tsc(topo->model, acc, lproc, &hz) < 0)
		hz = 0;
	if ((topo->model->bus_clock != NULL || (topo->model->msr != NULL &&
	    topo->model->msr->platform_info == 0)) && measure &&
	    (measured = bus_clock_measure(acc)) != 0)
		head_put_count(h, HEAD_TSC_HZ_MEASURED, ALONE, measured);
	if (hz == 0 || (measured != 0 && !bus_clock_agree(hz, measured)))
		hz = measured;
	if (hz != 0)
		head_put_count(h, HEAD_TSC_HZ_NOMINAL, ALONE, hz);
}

/* Puts 2^-log2 exactly; of a recording with as many digits as it has itself (nine in dumps
 * of the original). */
static void
unit_constant(struct head *h, const struct replay *replay, enum head_key key,
    unsigned log2)
{
	const char *said = replay != NULL ? replay_digits(replay, key) : NULL;
	char digits[80];

	if (said == NULL)
		snprintf(digits, sizeof(digits), "%.*f", (int)log2,
		    ldexp(1, -(int)log2));
	head_put_digits(h, key, ALONE, said != NULL ? said : digits);
}

/* The constants that the original tool prints, under the same names. */
static void
constants(struct head *h, const struct topo *topo, struct access *acc,
    const struct replay *replay)
{
	unsigned power, energy, dram, time;
	const struct common_msrs *msr = model_msrs(topo->model);
	uint64_t raw, unit;
	char watts[32];

	if (pkg_msr(acc, topo, msr->temperature_target, &raw))
		head_put_int(h, HEAD_PROCHOT, ALONE, raw >> 16 & 0xff);
	if (!pkg_msr(acc, topo, msr->energy_unit, &unit))
		return;
	power = unit & 0xf;
	energy = unit >> 8 & 0x1f;
	dram = topo->model->dram_unit_log2 != 0 ? topo->model->dram_unit_log2 :
	    energy;
	time = unit >> 16 & 0xf;
	unit_constant(h, replay, HEAD_RAPL_POWER_UNIT, power);
	unit_constant(h, replay, HEAD_RAPL_PKG_ENERGY_UNIT, energy);
	unit_constant(h, replay, HEAD_RAPL_DRAM_ENERGY_UNIT, dram);
	unit_constant(h, replay, HEAD_RAPL_TIME_UNIT, time);
	head_put_int(h, HEAD_RAPL_PKG_ENERGY_UNIT_LOG2, ALONE, energy);
	head_put_int(h, HEAD_RAPL_DRAM_ENERGY_UNIT_LOG2, ALONE, dram);
	head_put_int(h, HEAD_RAPL_TIME_UNIT_LOG2, ALONE, time);
	if (!pkg_msr(acc, topo, msr->power_info, &raw))
		return;
	snprintf(watts, sizeof(watts), "%f", ldexp((double)(raw & 0x7fff),
	    -(int)power));
	head_put_digits(h, HEAD_PACKAGE_TDP, ALONE, watts);
}

/* The number of an lproc's L3: how many L3s are in lower packages, or in its own
 * package with a lower first lproc. */
static int
l3_number(const struct topo *topo, const struct lproc *lp)
{
	int n = lp->l3 >= 0 ? 0 : -1;

	for (unsigned k = 0; k < topo->nlproc && lp->l3 >= 0; k++) {
		const struct lproc *other = &topo->lproc[k];

		n += other->online && other->l3 == (int)k &&
		    (other->pkg < lp->pkg || (other->pkg == lp->pkg &&
		    other->l3 < lp->l3));
	}
	return n;
}

static void
topology(struct head *h, const struct topo *topo)
{
	static const enum head_key map[] = {
		HEAD_LPROC_PACKAGE, HEAD_LPROC_DIE, HEAD_LPROC_CORE,
		HEAD_LPROC_THREAD, HEAD_LPROC_NODE, HEAD_LPROC_ONLINE,
		HEAD_LPROC_MODULE, HEAD_LPROC_L3, HEAD_LPROC_CCX, HEAD_LPROC_CCD
	};
	unsigned nmap = sizeof(map) / sizeof(map[0]), n = 0;
	bool l3s = false;

	for (unsigned i = 0; i < topo->nlproc; i++) {
		n += topo->lproc[i].online;
		l3s |= topo->lproc[i].l3 >= 0;
	}
	head_put_int(h, HEAD_NR_CPUS, ALONE, topo->nlproc);
	head_put_int(h, HEAD_LPROCS_ONLINE, ALONE, n);
	head_put_int(h, HEAD_PACKAGES, ALONE, topo->npkg);
	head_put_table(h, HEAD_PACKAGE_ID, ALONE, 0);
	head_put_table(h, HEAD_PACKAGE_NODE, ALONE, 0);
	for (unsigned p = 0; p < topo->npkg; p++) {
		head_put_int(h, HEAD_PACKAGE_ID, AT(p), topo->pkg[p].id);
		head_put_int(h, HEAD_PACKAGE_NODE, AT(p), topo->pkg[p].node);
	}
	for (unsigned m = 0; m < nmap; m++) {
		/* only AMD has core complexes */
		if (map[m] == HEAD_LPROC_L3 ? !l3s :
		    map[m] > HEAD_LPROC_L3 && topo->nccx == 0)
			continue;
		head_put_table(h, map[m], ALONE, 0);
		for (unsigned i = 0; i < topo->nlproc; i++) {
			const struct lproc *lp = &topo->lproc[i];
			int value[] = { lp->pkg, lp->die, lp->core, lp->thread,
			    lp->node, lp->online, lp->module,
			    map[m] == HEAD_LPROC_L3 ? l3_number(topo, lp) : 0,
			    lp->ccx, lp->ccd };

			if (lp->exists)
				head_put_int(h, map[m], AT(i), value[m]);
		}
	}
}

static void
preamble_units(struct head *h, const struct inventory *inv)
{
	const struct box_type *type = NULL;
	int pkg = -1;

	bool lprocs = false;

	for (unsigned i = 0; i < inv->n; i++)
		lprocs |= inv->unit[i].type->scope == SCOPE_CCX;
	head_put_table(h, HEAD_UNIT_PRESENT, ALONE, 0);
	if (lprocs)
		head_put_table(h, HEAD_UNIT_LPROC, ALONE, 0);
	head_put_table(h, HEAD_UNIT_ABSENT, ALONE, 0);
	for (unsigned i = 0; i < inv->n; i++) {
		const struct unit *u = &inv->unit[i];
		struct head_at at = { .name = { u->type->name },
		    .n = { u->pkg, u->inst } };

		for (unsigned depth = u->type != type ? 1 : 2; depth <= 2 &&
		    (u->type != type || u->pkg != pkg); depth++) {
			head_put_table(h, HEAD_UNIT_PRESENT, at, depth);
			if (u->type->scope == SCOPE_CCX)
				head_put_table(h, HEAD_UNIT_LPROC, at, depth);
			head_put_table(h, HEAD_UNIT_ABSENT, at, depth);
		}
		type = u->type;
		pkg = u->pkg;
		if (u->present && u->type->scope == SCOPE_CCX)
			head_put_int(h, HEAD_UNIT_LPROC, at, u->where);
		if (u->present)
			head_put_int(h, HEAD_UNIT_PRESENT, at, 1);
		else
			head_put_text(h, HEAD_UNIT_ABSENT, at, u->reason);
	}
}

static void
fixed_control(struct head *h, const struct plan *plan)
{
	bool declared = false;

	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		if (w->pkg >= 0 || strcmp(w->role, "fixedctl") != 0)
			continue;
		if (!declared)
			head_put_table(h, HEAD_IA32_FIXED_CTR_CTRL, ALONE, 0);
		declared = true;
		head_put_hex(h, HEAD_IA32_FIXED_CTR_CTRL, AT(w->unit_inst), w->new);
	}
}

static void
not_sampled(struct head *h, const struct plan *plan)
{
	if (plan->absent.n > 0)
		head_put_table(h, HEAD_NOT_SAMPLED, ALONE, 0);
	for (unsigned i = 0; i < plan->absent.n; i++)
		head_put_text(h, HEAD_NOT_SAMPLED, AT(i), plan->absent.line[i]);
}

/* Files of what is counted, and Intel's lists. */
static void
texts_used(struct head *h, const struct config *cfg)
{
	const struct used *of[] = { cfg->used, eventlist_used(cfg->list),
	    eventlist_used(cfg->builtin) };
	unsigned n = 0;

	if (of[0] == NULL && of[1] == NULL && of[2] == NULL)
		return;
	head_put_table(h, HEAD_TEXT_NAME, ALONE, 0);
	head_put_table(h, HEAD_TEXT_SHA256, ALONE, 0);
	head_put_table(h, HEAD_TEXT_ORIGIN, ALONE, 0);
	for (unsigned i = 0; i < 3; i++)
		for (const struct used *u = of[i]; u != NULL; u = u->next) {
			head_put_text(h, HEAD_TEXT_NAME, AT(n), u->name);
			head_put_text(h, HEAD_TEXT_SHA256, AT(n), u->sha256);
			head_put_text(h, HEAD_TEXT_ORIGIN, AT(n++),
			    u->name[0] == '@' ? "built-in" : "file");
		}
}

/* A figure of each way to read that was tried. */
static void
how_costly(struct head *h, const struct sweep *r, enum head_key key,
    size_t offset)
{
	char digits[32];
	bool any = key == HEAD_READ_US;
	double v;

	for (enum read_mode m = READ_BATCH; m < READ_MODES; m++)
		any |= r->cost[m].wall_us > 0;
	if (any)
		head_put_table(h, key, ALONE, 0);
	for (enum read_mode m = READ_BATCH; m < READ_MODES; m++) {
		if (!(r->cost[m].wall_us > 0))
			continue;
		memcpy(&v, (const char *)&r->cost[m] + offset, sizeof(v));
		snprintf(digits, sizeof(digits), "%.3f", v);
		head_put_digits(h, key, OF(read_mode_name(m)), digits);
	}
}

/* How samples are read, and what each way, and a turn of event sets, was measured to
 * take. */
static void
how_read(struct head *h, const struct preamble_info *info)
{
	const struct sweep *r = info->sweep;
	char us[32];

	head_put_text(h, HEAD_READ_MODE, ALONE, read_mode_name(r->mode));
	how_costly(h, r, HEAD_READ_US, offsetof(struct read_cost, wall_us));
	how_costly(h, r, HEAD_READ_CPU_US, offsetof(struct read_cost, cpu_us));
	how_costly(h, r, HEAD_READ_SWITCHES,
	    offsetof(struct read_cost, switches));
	how_costly(h, r, HEAD_READ_INTERRUPTS,
	    offsetof(struct read_cost, interrupts));
	if (r->turn.lproc_us > 0) {
		snprintf(us, sizeof(us), "%.3f", r->turn.lproc_us);
		head_put_digits(h, HEAD_TURN_US, ALONE, us);
	}
	head_put_text(h, HEAD_SCHEDULING, ALONE, info->schedule);
}

static void
preamble_run(struct head *h, const struct topo *topo,
    const struct preamble_info *info)
{
	head_put_int(h, HEAD_TALLYD_FORMAT, ALONE, 1);
	head_put_text(h, HEAD_TALLYD_VERSION, ALONE, info->version);
	head_put_text(h, HEAD_HOST, ALONE, topo->host);
	head_put_text(h, HEAD_CPU, ALONE, topo->cpu.name);
	head_put_text(h, HEAD_MODEL, ALONE, topo->model->name);
	head_put_text(h, HEAD_ACCESS, ALONE, info->access);
	texts_used(h, info->config);
	head_put_real(h, HEAD_INTERVAL, ALONE, info->interval);
	head_put_int(h, HEAD_WATCH, ALONE, info->watch);
	how_read(h, info);
}

static void
preamble_start(struct head *h, const struct stamp *start)
{
	char seconds[48];

	snprintf(seconds, sizeof(seconds), "%" PRIu64 ".%06" PRIu64,
	    start->real_ns / 1000000000, start->real_ns % 1000000000 / 1000);
	head_put_count(h, HEAD_REFERENCE_TSC, ALONE, start->tsc);
	head_put_digits(h, HEAD_REFERENCE_WALLTIME, ALONE, seconds);
}

/* The devices on each I/O stack; nothing where the model has no stacks. */
static void
io_devices(struct head *h, const struct topo *topo, struct access *acc)
{
	struct devices devices;
	struct diag why;

	if (devices_load(&devices, topo, acc, &why) == 0)
		preamble_devices(h, &devices, topo);
	devices_free(&devices);
}

/* What the site says of its node. */
static void
peaks(struct head *h, const struct config *config)
{
	static const struct { enum head_key value, source; } key[PEAKS] = {
		[PEAK_DRAM] = { HEAD_PEAK_DRAM, HEAD_PEAK_DRAM_SOURCE },
		[PEAK_FLOPS] = { HEAD_PEAK_FLOPS, HEAD_PEAK_FLOPS_SOURCE },
	};

	for (unsigned i = 0; config != NULL && i < PEAKS; i++) {
		if (!(config->peak[i].value > 0))
			continue;
		head_put_real(h, key[i].value, ALONE, config->peak[i].value);
		head_put_text(h, key[i].source, ALONE, config->peak[i].words);
	}
}

char *
preamble_make(const struct plan *plan, const struct topo *topo,
    const struct inventory *inv, struct access *acc,
    const struct preamble_info *info)
{
	struct head h = { .text = NULL };

	preamble_run(&h, topo, info);
	if (info->replay != NULL)
		replay_system(info->replay, &h);
	else
		provenance_put(&h, plan, topo, acc);
	if (info->dram_max != NULL)
		drambw_put(&h, topo, info->dram_max, MAX_PKG);
	peaks(&h, info->config);
	tsc(&h, topo, acc, info->measure_tsc);
	constants(&h, topo, acc, info->replay);
	preamble_start(&h, &info->start);
	topology(&h, topo);
	preamble_units(&h, inv);
	if (info->replay == NULL) {
		preamble_tables(&h, &inv->found);
		hbm_put(&h, topo, inv, acc);
	}
	io_devices(&h, topo, acc);
	head_families(&h, plan);
	head_classes(&h, plan);
	not_sampled(&h, plan);
	fixed_control(&h, plan);
	head_controls(&h, plan);
	head_append(&h, &plan->head);
	head_sets(&h, plan);
	soc_preamble(&h, plan, info->config);
	return head_take(&h);
}
