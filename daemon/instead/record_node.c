/*
 * daemon/instead/record_node.c - --record-node: what is read, and in which order.
 */
#include "daemon/instead/instead.h"

#include "config/folder.h"
#include "daemon/instead/recorder.h"
#include "daemon/log.h"
#include "daemon/node/choose.h"
#include "daemon/node/obstacle.h"
#include "daemon/node/program.h"
#include "regs/host.h"
#include "regs/sideband.h"
#include "topology/devices.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what is read ------------------------------------------------------- */

/*
 * Every register of the model's tables, and the head of every PCI function.
 *
 * Left out are what only the kernel counts, and what is behind a message bus, but for the
 * one register that --check reads there.
 */

#define HEADER_BYTES 64

struct register_walk {
	struct recording *r;
	int rc;
};

/* Reads a register; bits: the width of a counter, 0 for others. */
static void
record_walk_visit(struct register_walk *w, struct reg_addr addr, unsigned bits,
    bool writable)
{
	struct recorded *e = recorder_read(w->r->kept, w->r->node->acc, &addr);

	if (e == NULL) {
		w->rc = -ENOMEM;
		return;
	}
	e->bits = (uint8_t)bits;
	e->writable |= writable;
}

/* Reads the controls and counters of a box. */
static void
walk_unit(struct register_walk *w, const struct unit *u)
{
	const struct box_type *t = u->type;
	unsigned narrow = u->space == REG_MSR ? 8 : 4;

	if (unit_box_ctl(u))
		record_walk_visit(w, unit_addr(u, t->box_ctl, narrow), 0, true);
	for (unsigned n = 0; n < u->counters; n++) {
		record_walk_visit(w,
		    unit_addr(u, u->ctl + n * u->ctl_step, narrow), 0, true);
		record_walk_visit(w, unit_addr(u, u->ctr + n * u->ctr_step, 8),
		    t->bits, true);
	}
	if (t->fixed.name != NULL) {
		record_walk_visit(w, unit_addr(u, t->fixed.ctl, narrow), 0,
		    true);
		record_walk_visit(w, unit_addr(u, t->fixed.ctr, 8),
		    t->fixed.bits, true);
	}
	for (unsigned n = 0; n < MAX_FILTERS; n++)
		if (t->filter[n].name != NULL)
			record_walk_visit(w,
			    unit_addr(u, t->filter[n].reg, narrow), 0, true);
}

/* Reads the free-running counters of a box. */
static void
record_walk_freerun(struct register_walk *w, const struct model *m,
    const struct unit *u)
{
	for (const struct freerun *f = m->freerun; f != NULL &&
	    f->family != NULL; f++) {
		struct box_type const *type = model_box(m, f->box);

		for (unsigned p = 0; type == u->type &&
		    p < (f->ports != 0 ? f->ports : 1u); p++)
			record_walk_visit(w,
			    (struct reg_addr){ f->space, 8, u->where,
			    (f->space == REG_MSR ? 0 : u->base) +
			    freerun_reg(f, u->inst, p) }, f->bits, false);
	}
}

static void
walk_core(struct register_walk *w, const struct model *m, unsigned lproc)
{
	const struct box_type *t = m->core;
	const struct cpu_id *cpu = &w->r->node->topo.cpu;
	unsigned counters = cpu->gp_counters < t->counters ? cpu->gp_counters :
	    t->counters;
	struct reg_addr a = { REG_MSR, 8, lproc, 0 };

	for (unsigned n = 0; n < 2 * counters; n++) {
		a.offset = n < counters ? box_counter_ctl(t, 0, n) :
		    box_counter_ctr(t, 0, n - counters);
		record_walk_visit(w, a, n < counters ? 0 : cpu->gp_bits, true);
	}
	for (unsigned n = 0; n < MAX_FILTERS; n++)
		if (t->filter[n].name != NULL) {
			a.offset = box_reg(t, 0, t->filter[n].reg);
			record_walk_visit(w, a, 0, true);
		}
	for (unsigned n = 0; m->fixed != NULL && m->fixed->name[n] != NULL;
	    n++) {
		a.offset = m->fixed->ctr + n;
		record_walk_visit(w, a, cpu->fixed_bits, true);
	}
	if (m->fixed != NULL) {
		a.offset = m->fixed->ctl;
		record_walk_visit(w, a, 0, true);
	}
	a.offset = model_msrs(m)->core_global;
	if (a.offset != 0)
		record_walk_visit(w, a, 0, true);
}

static void
walk_scalars(struct register_walk *w, const struct model *m)
{
	const struct topo *topo = &w->r->node->topo;
	const struct scalar *s;

	for (unsigned n = 0; (s = model_scalar(m, n)) != NULL; n++)
		for (unsigned l = 0; l < topo->nlproc; l++) {
			const struct lproc *lp = &topo->lproc[l];

			if (!lp->online || s->space != REG_MSR ||
			    (s->scope == SCOPE_PKG &&
			    topo->pkg[lp->pkg].first_lproc != l) ||
			    (s->scope == SCOPE_CORE && lp->thread != 0))
				continue;
			record_walk_visit(w,
			    (struct reg_addr){ REG_MSR, 8, l, s->reg },
			    s->bits, false);
		}
}

/* Reads architectural MSRs, on the first lproc of each package. */
static void
walk_package(struct register_walk *w, const struct model *m, const struct package *pkg)
{
	static const uint32_t intel[] = { MSR_PLATFORM_INFO,
		MSR_TEMPERATURE_TARGET, MSR_RAPL_POWER_UNIT,
		MSR_PKG_POWER_INFO, MSR_PERF_GLOBAL_INUSE };
	/* reference amd-zen 6: units of energy, of a core, of a package */
	static const uint32_t amd[] = { 0xc0010299, 0xc001029a, 0xc001029b };
	const char *vendor = w->r->node->topo.cpu.vendor;
	struct reg_addr a = { REG_MSR, 8, pkg->first_lproc, 0 };

	for (unsigned i = 0; i < sizeof(intel) / sizeof(intel[0]) &&
	    vendor[0] == 'G'; i++) {
		a.offset = intel[i];
		record_walk_visit(w, a, 0, false);
	}
	for (unsigned i = 0; i < sizeof(amd) / sizeof(amd[0]) &&
	    m == NULL && vendor[0] == 'A' && vendor[1] == 'u'; i++) {
		a.offset = amd[i];
		record_walk_visit(w, a, i > 0 ? 32 : 0, false);
	}
	if (m == NULL || m->global_ctl == 0)
		return;
	a.offset = m->global_ctl;
	record_walk_visit(w, a, 0, true);
}

/* Reads the first bytes of a PCI function: ids, class, BARs.  Not those of a virtual
 * function (there may be thousands, and they have no ids of their own), nor of a segment
 * above 0xffff (behind Intel's VMD): sysfs says what these are. */
static void
walk_header(struct register_walk *w, const struct function *f)
{
	struct reg_addr a = { REG_PCI, 4, PCI_UNIT(f->seg, f->bus,
	    PCI_DEVFN(f->dev, f->fn)), 0 };
	char id[32];
	uint64_t raw;

	if (f->seg > 0xffff || function_text(w->r->node->acc, f,
	    "physfn/vendor", id, sizeof(id)) > 0)
		return;
	for (; a.offset < HEADER_BYTES; a.offset += 4)
		if (access_read(w->r->node->acc, &a, &raw) < 0)
			break;
}

/* Reads the one register of a message bus that is known to be safe, which proves that the
 * bus is there. */
static void
walk_soc(struct register_walk *w, const struct soc *soc)
{
	struct reg_addr a = { REG_SIDEBAND, 4, SIDEBAND_UNIT(soc->ecam_port,
	    soc->ecam_opcode), soc->ecam_reg };

	if (w->r->node->acc->sideband)
		record_walk_visit(w, a, 0, false);
}

/* Reads the registers of a model's tables. */
static void
walk_model(struct register_walk *w, const struct model *m)
{
	const struct topo *topo = &w->r->node->topo;
	const struct inventory *inv = &w->r->node->inv;
	uint64_t unused;

	for (unsigned l = 0; l < topo->nlproc; l++)
		if (topo->lproc[l].online)
			walk_core(w, m, l);
	walk_scalars(w, m);
	if (m->bus_clock != NULL)
		bus_clock_tsc(m, w->r->node->acc, topo_first(topo), &unused);
	if (m->soc != NULL)
		walk_soc(w, m->soc);
	for (unsigned i = 0; i < inv->n; i++) {
		const struct unit *u = &inv->unit[i];

		if (!u->present || u->space == REG_SIDEBAND ||
		    u->space == REG_PERF)
			continue;
		walk_unit(w, u);
		record_walk_freerun(w, m, u);
	}
}

/* Reads the heads of PCI functions, last: each takes a descriptor or a mapped page, which
 * the boxes must have first. */
static int
walk_headers(struct register_walk *w)
{
	struct functions functions;
	int rc = functions_load(&functions, w->r->node->acc);

	for (unsigned i = 0; rc == 0 && i < functions.n; i++)
		walk_header(w, &functions.f[i]);
	functions_free(&functions);
	return rc;
}

/* record_walk - read every register of the model's tables and the head of every PCI
 * function. */
static int
record_walk(struct recording *r)
{
	struct register_walk w = { .r = r };
	const struct topo *topo = &r->node->topo;
	const struct model *m = topo->model;
	int rc;

	for (unsigned l = 0; l < topo->nlproc && topo->cpu.midr == 0; l++)
		if (topo->lproc[l].online)
			record_walk_visit(&w,
			    (struct reg_addr){ REG_MSR, 8, l, MSR_TSC },
			    64, false);
	for (unsigned p = 0; p < topo->npkg && topo->cpu.midr == 0; p++)
		walk_package(&w, m, &topo->pkg[p]);
	if (m != NULL && m->core != NULL && m->core->space == REG_MSR)
		walk_model(&w, m);
	rc = walk_headers(&w);
	return rc < 0 ? rc : w.rc;
}

/* record_extra - read registers that help whoever looks at the file. */
static void
record_extra(struct recording *r)
{
	static const char *const of_lproc[] = { "microcode/version",
		"cpufreq/scaling_driver" };
	static const char *const others[] = { "/proc/sys/kernel/nmi_watchdog",
		"/proc/sys/kernel/perf_event_paranoid",
		"/sys/kernel/security/lockdown",
		"/sys/module/msr/parameters/allow_writes",
		"/sys/devices/system/cpu/smt/control" };
	const struct topo *topo = &r->node->topo;
	char path[96], buf[256];

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		access_slurp(r->node->acc, others[i], buf, sizeof(buf));
	for (unsigned p = 0; p < topo->npkg; p++)
		for (unsigned i = 0; i < 2; i++) {
			snprintf(path, sizeof(path), "/sys/devices/system/cpu/"
			    "cpu%u/%s", topo->pkg[p].first_lproc, of_lproc[i]);
			access_slurp(r->node->acc, path, buf, sizeof(buf));
		}
}

/* The clocks, and what a run reads, ten times. */

/* Keeps the value of a register that the plan reads, in sample k. */
static int
record_samples_sample(struct recording *r, const struct reg_addr *addr,
    unsigned k)
{
	struct recorded *e = recorder_read(r->kept, r->node->acc, addr);
	uint64_t raw;

	if (e == NULL || (e->series == NULL && (e->series =
	    calloc(RECORD_SAMPLES, sizeof(*e->series))) == NULL))
		return -ENOMEM;
	e->series[k] = access_read(r->node->acc, addr, &raw) < 0 ? ABSENT : raw;
	return 0;
}

/* Marks registers that the tables call readings: they go up and down. */
static void
mark_readings(struct recording *r)
{
	const struct plan *plan = &r->node->plan;

	for (unsigned i = 0; i < plan->ncolumn; i++) {
		const struct reg_addr *a = plan_cell_addr(plan,
		    plan->column[i].cell);
		struct recorded *e = a != NULL && plan->column[i].bits == 0 &&
		    a->space != REG_PERF ? recorder_read(r->kept, r->node->acc,
		    a) : NULL;

		if (e != NULL)
			e->reading = true;
	}
}

/* record_samples - the clocks, and what the plan reads, ten times. */
static int
record_samples(struct recording *r)
{
	const struct plan *plan = &r->node->plan;
	struct access *acc = r->node->acc;
	sigset_t none;
	int rc;

	sigemptyset(&none);
	mark_readings(r);
	for (unsigned k = 0; k < RECORD_SAMPLES; k++) {
		access_now(acc, &r->at[k]);
		for (unsigned i = 0; i < plan->nread; i++)
			if (plan->read[i].space != REG_PERF &&
			    plan->read[i].space != REG_SIDEBAND &&
			    (rc = record_samples_sample(r, &plan->read[i],
			    k)) < 0)
				return rc;
		if (k + 1 < RECORD_SAMPLES && (rc = access_sleep(acc,
		    r->at[0].mono_ns + (k + 1) * r->interval_ns, &none)) < 0)
			return rc;
	}
	r->nsample = RECORD_SAMPLES;
	return 0;
}

/* ---- --record-node ------------------------------------------------------ */

#define SIM_PACKAGES 16         /* as many as a machine file can have */

/* The folder and name of the file. */
struct target_file {
	const char *path;
	int dir;                /* -1: none */
	bool overwrite;
};

/* Opens the folder and refuses a file that is there, before the node is read. */
static int
find_place(struct target_file *t, const struct options *o, bool trusted,
    struct diag *why)
{
	const char *name = folder_name(o->instead.record_node);
	struct stat sb;

	t->path = o->instead.record_node;
	t->overwrite = o->dump.overwrite;
	if (name[0] == '\0' || strcmp(t->path, "-") == 0)
		return diag_set(why, -EISDIR, "--record-node %s: give the name "
		    "of a file", t->path);
	if ((t->dir = folder_open(t->path)) < 0)
		return diag_set(why, t->dir, "--record-node %s: its folder: "
		    "%s", t->path, strerror(-t->dir));
	if (fstatat(t->dir, name, &sb, AT_SYMLINK_NOFOLLOW) == 0 &&
	    (!S_ISREG(sb.st_mode) || !t->overwrite))
		return diag_set(why, -EEXIST, "--record-node %s: it exists%s",
		    t->path, S_ISREG(sb.st_mode) ? "; --overwrite replaces it" :
		    ", and is no file that could be replaced");
	return trusted ? 0 : folder_trusted(t->dir, t->path, "name another "
	    "place, as /root or /tmp", why);
}

/* Writes the file under another name and renames it. */
static int
record_node_save(const struct target_file *t, const char *text, size_t size,
    struct diag *why)
{
	const char *name = folder_name(t->path);
	char temp[256];
	int fd = folder_temp(t->dir, name, temp), rc = fd < 0 ? fd : 0;
	size_t done = 0;
	ssize_t n;

	while (rc == 0 && done < size) {
		if ((n = write(fd, text + done, size - done)) < 0 &&
		    errno != EINTR)
			rc = -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	if (rc == 0 && fsync(fd) < 0)
		rc = -errno;
	if (fd >= 0 && close(fd) < 0 && rc == 0)
		rc = -errno;
	if (rc == 0 && t->overwrite)
		rc = renameat(t->dir, temp, t->dir, name) < 0 ? -errno : 0;
	else if (rc == 0)
		rc = folder_put(t->dir, temp, name);
	if (fd >= 0 && rc < 0)
		unlinkat(t->dir, temp, 0);
	return rc < 0 ? diag_set(why, rc, "--record-node %s: %s", t->path,
	    strerror(-rc)) : 0;
}

/* Can its registers be read at all? */
static int
can_read(const struct node *node, const struct options *o, struct diag *why)
{
	const struct model *m = node->topo.model;

	if (!node->acc->ops->simulated && strcmp(o->node.root, "/") == 0 &&
	    geteuid() != 0)
		return diag_set(why, -EPERM, "--record-node: run it as root, "
		    "who alone may read registers and config space");
	if (node->topo.npkg > SIM_PACKAGES)
		return diag_set(why, -E2BIG, "--record-node: %u packages, and a "
		    "machine file has at most %d", node->topo.npkg,
		    SIM_PACKAGES);
	return m == NULL || m->core == NULL || m->core->space != REG_MSR ? 0 :
	    obstacle_msr(node, why);
}

/* Plans a run, so that what planning reads is recorded. */
static void
plan(struct node *node, const struct options *o)
{
	struct topo *topo = &node->topo;
	struct diag why;
	int rc;

	topo->model = choose_model(node, o);
	if (topo->model == NULL)
		return;
	if ((rc = node_configure(node, o, topo->model, &why)) == 0 &&
	    (rc = choose_access(node, o, &why)) == 0 &&
	    (rc = node_plan(node, &why)) == 0)
		rc = node_save(node, &why);
	if (rc < 0)
		log_warnx("recorded without what would be sampled: %s",
		    why.text);
}

static int
read_node(struct recording *r, const struct options *o, struct diag *why)
{
	struct node *node = r->node;
	struct devices devices;
	int rc;

	if ((rc = topo_load(&node->topo, node->acc, why)) < 0 ||
	    (rc = can_read(node, o, why)) < 0 ||
	    (rc = inventory_load(&node->inv, &node->topo, node->acc,
	    why)) < 0)
		return rc;
	if ((rc = record_walk(r)) < 0)
		return diag_set(why, rc, "out of memory");
	record_extra(r);
	record_pmus_read(r);
	if ((rc = devices_load(&devices, &node->topo, node->acc, why)) < 0)
		return rc;
	devices_free(&devices);
	plan(node, o);
	if ((rc = record_samples(r)) < 0)
		return diag_set(why, rc, "sampling: %s", strerror(-rc));
	return 0;
}

static int
record(struct recording *r, const struct options *o, struct diag *why)
{
	struct node *node = r->node;
	struct target_file t = { .dir = -1 };
	char *text = NULL;
	size_t size = 0;
	int rc;

	if ((rc = find_place(&t, o, node->acc->ops->simulated, why)) == 0 &&
	    (rc = read_node(r, o, why)) == 0 &&
	    (rc = record_text(r, &text, &size, why)) == 0 &&
	    (rc = record_node_save(&t, text, size, why)) == 0)
		log_info("%s: %u registers, %u of them unreadable; files that "
		    "were read and are not in it: %u.  Look through it before "
		    "you pass it on", t.path, r->kept->nreg, r->unreadable,
		    r->left_out);
	free(text);
	if (t.dir >= 0)
		close(t.dir);
	return rc;
}

int
record_node(struct node *node, const struct options *o)
{
	struct recording r = { .node = node, .interval_ns = o->interval_ns };
	struct diag why;
	int rc;

	rc = o->node.method->open(&node->acc, o->node.machine != NULL ?
	    o->node.machine : o->node.root, &why);
	if (rc == 0 && (r.kept = recorder_start(node->acc)) == NULL)
		rc = diag_set(&why, -ENOMEM, "out of memory");
	if (rc == 0) {
		access_hurry(node->acc, o->node.virtual_time);
		rc = record(&r, o, &why);
	}
	if (node->acc != NULL)
		recorder_stop(r.kept, node->acc);
	if (rc < 0)
		log_warnx("%s", why.text);
	return rc < 0;
}
