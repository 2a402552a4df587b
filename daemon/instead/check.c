/*
 * daemon/instead/check.c - --check: what this node has, who else uses it, what is in
 * the way.
 */
#include "daemon/instead/instead.h"

#include "daemon/node/choose.h"
#include "daemon/node/announce.h"
#include "daemon/node/journal.h"
#include "daemon/node/obstacle.h"
#include "daemon/node/soc.h"
#include "daemon/read/turn_budget.h"
#include "regs/host.h"
#include "regs/perf.h"
#include "lib/printable.h"
#include "regs/sideband.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- AMD's core complexes and their lprocs:
 *   ccx      package 0, CCD 0: 0 = 0-3,128-131, 1 = 4-7,132-135 */

static bool
in_complex(const struct topo *topo, unsigned l, unsigned pkg, unsigned ccx)
{
	return l < topo->nlproc && topo->lproc[l].online &&
	    topo->lproc[l].pkg == (int)pkg && topo->lproc[l].ccx == (int)ccx;
}

static void
complex_lprocs(const struct topo *topo, unsigned pkg, unsigned ccx)
{
	const char *comma = "";

	for (unsigned l = 0; l < topo->nlproc; l++) {
		unsigned last = l;

		if (!in_complex(topo, l, pkg, ccx))
			continue;
		while (in_complex(topo, last + 1, pkg, ccx))
			last++;
		printf(last > l ? "%s%u-%u" : "%s%u", comma, l, last);
		comma = ",";
		l = last;
	}
}

/* A line for each die; one for the package where dies are not known. */
static void
complexes_of(const struct topo *topo, unsigned pkg)
{
	bool any = false;
	int ccd = -1;

	for (unsigned c = 0; c < topo->nccx; c++) {
		int l = topo_ccx(topo, pkg, c);

		if (l < 0)
			continue;
		if (any && topo->lproc[l].ccd == ccd)
			printf(", %u = ", c);
		else {
			ccd = topo->lproc[l].ccd;
			printf("%sccx      package %u", any ? "\n" : "", pkg);
			if (ccd >= 0)
				printf(", CCD %d", ccd);
			printf(": %u = ", c);
		}
		complex_lprocs(topo, pkg, c);
		any = true;
	}
	if (any)
		putchar('\n');
}

/* "CHA: 24 of 28 in package 0, 24 of 28 in package 1 (4: fused off)". */
static void
check_print_boxes(const struct node *node)
{
	const struct inventory *inv = &node->inv;
	bool all_alike = inv->n > 0, any = false;

	for (unsigned i = 0; i < inv->n; i++)
		any |= inv->unit[i].present;
	if (inv->n > 0 && !any && node->config.perf) {
		printf("boxes    none that the kernel shows (drivers not loaded, "
		    "or a virtual machine)\n");
		return;
	}
	for (unsigned i = 0; i < inv->n; i++)
		all_alike &= !inv->unit[i].present &&
		    strcmp(inv->unit[i].reason, inv->unit[0].reason) == 0;
	if (all_alike) {
		printf("boxes    none: %s\n", inv->unit[0].reason);
		return;
	}

	for (const struct box_type *type = node->topo.model->box;
	    type->name != NULL; type++) {
		unsigned instances = inventory_instances(&node->topo, type);
		const char *reason = NULL;
		unsigned lost = 0;

		printf("%-8s", type->name);
		for (unsigned p = 0; p < node->topo.npkg; p++) {
			unsigned here = 0, absent = 0;

			for (unsigned i = 0; i < inv->n; i++) {
				const struct unit *u = &inv->unit[i];

				if (u->type != type || u->pkg != p)
					continue;
				here += u->present;
				absent += !u->present;
				if (!u->present && reason == NULL)
					reason = u->reason;
			}
			/* a type that the kernel does not show has one entry */
			lost += here + absent < instances ?
			    instances - here : absent;
			printf("%s %u of %u in package %u", p > 0 ? "," : "",
			    here, instances, p);
		}
		if (reason != NULL)
			printf(" (%u absent: %s)", lost, reason);
		putchar('\n');
	}
}

static void
print_pmu(const struct node *node)
{
	struct reg_addr addr = { REG_MSR, 8, topo_first(&node->topo),
	    model_msrs(node->topo.model)->core_in_use };
	const struct cpu_id *cpu = &node->topo.cpu;
	uint64_t raw;

	if (cpu->pmu_version == 0) {
		printf("core PMU none by CPUID (a virtual machine?)\n");
		return;
	}
	if (cpu->no_counters != NULL) {
		printf("core PMU none: %s\n", cpu->no_counters);
		return;
	}
	printf("core PMU version %u, %u general counters of %u bits, %u fixed "
	    "of %u%s\n", cpu->pmu_version, cpu->gp_counters, cpu->gp_bits,
	    cpu->fixed_counters, cpu->fixed_bits, cpu->pmu_known ? "" :
	    cpu->pmu_odd ? " (assumed: what CPUID leaf 0xA says, no CPU has)" :
	    " (assumed: load the cpuid module to be sure)");
	if (addr.offset != 0 && access_read(node->acc, &addr, &raw) == 0 &&
	    raw != 0)
		printf("in use   IA32_PERF_GLOBAL_INUSE of lproc %u is 0x%"
		    PRIx64 "\n", addr.unit, raw);
	if (obstacle_watchdog(node))
		printf("in use   the NMI watchdog may hold a counter of each "
		    "core (sysctl kernel.nmi_watchdog=0 frees it)\n");
}

/* What one count of an energy register is. */
static void
print_energy(const struct node *node)
{
	const struct model *m = node->topo.model;
	struct reg_addr addr = { REG_MSR, 8, node->topo.pkg[0].first_lproc,
	    model_msrs(m)->energy_unit };
	unsigned unit, dram;
	uint64_t raw;

	if (addr.offset == 0 || access_read(node->acc, &addr, &raw) < 0 ||
	    raw == 0)
		return;
	unit = raw >> 8 & 0x1f;
	dram = m->dram_unit_log2 != 0 ? m->dram_unit_log2 : unit;
	if (unit < m->energy_unit_min)
		printf("energy   msr 0x%x has a unit of 2^-%u J, larger than "
		    "any known part's: it may mean 2^%u uJ; do not trust "
		    "energies\n", (unsigned)addr.offset, unit, unit);
	else if (dram != unit)
		printf("energy   2^-%u J a count (msr 0x%x); of DRAM 2^-%u J "
		    "on this CPU\n", unit, (unsigned)addr.offset, dram);
	else
		printf("energy   2^-%u J a count (msr 0x%x)\n", unit, (unsigned)addr.offset);
}

/* Where the kernel counts: its PMU of the cores. */
static void
print_core_pmu(const struct node *node)
{
	struct diag why;
	char name[64];

	if (pmu_core(node->acc, name, sizeof(name)) == NULL)
		printf("core PMU none that the kernel shows (a virtual "
		    "machine?)%s\n", perf_check(node->acc,
		    topo_first(&node->topo), &why) == 0 ?
		    "; software events work" : "");
	else
		printf("core PMU %s%s\n", name, obstacle_watchdog(node) ? "; the NMI "
		    "watchdog may hold one of its counters (sysctl "
		    "kernel.nmi_watchdog=0 frees it)" : "");
}

/* Prints one thing that is in the way; returns 1, to be counted. */
static int
problem(const struct diag *why)
{
	printf("PROBLEM  %s\n", why->text);
	return 1;
}

static void
print_node(const struct topo *topo)
{
	unsigned online = 0;

	for (unsigned i = 0; i < topo->nlproc; i++)
		online += topo->lproc[i].online;
	printf("node     %s, %s", topo->host, topo->cpu.name);
	if (topo->cpu.midr != 0)
		printf(" (MIDR 0x%" PRIx32 ")\n", topo->cpu.midr);
	else
		printf(" (family %u model 0x%x stepping %u)\n",
		    topo->cpu.family, topo->cpu.model, topo->cpu.stepping);
	printf("topology %u package%s, %u of %u lproc%s online\n", topo->npkg,
	    plural(topo->npkg), online, topo->nlproc, plural(topo->nlproc));
}

/* PCI functions that look like a discovery table's and are not used. */
static void
print_foreign(const struct discovery *found)
{
	for (unsigned i = 0; i < found->n; i++) {
		const struct discovery_site *s = &found->site[i];

		if (s->foreign)
			printf("table    %04x:%02x:%02x.%x not used: %s\n",
			    s->at.seg & 0xffff, s->at.bus, s->at.dev, s->at.fn,
			    s->no_table);
	}
}

/* Where less is sampled than the node may have: which user this is, and what one
 * setting would add. */
static void
print_rights(const struct node *node)
{
	char core[64];
	struct diag why;
	bool shown = pmu_core(node->acc, core, sizeof(core)) != NULL;
	int rc = perf_check(node->acc, topo_first(&node->topo), &why);

	printf("as       user %u%s\n", (unsigned)geteuid(), geteuid() == 0 ?
	    " (root)" : ", without the rights of root");
	if (rc == -EACCES || rc == -EPERM)
		printf("more     with sysctl kernel.perf_event_paranoid=0: %s%s"
		    "what the kernel counts by itself (context switches, "
		    "migrations, page faults)\n", shown ? core : "", shown ?
		    ", the cores' counters, and " : "");
	else if (rc == 0 && !shown && node->topo.cpu.guest)
		printf("more     with a virtual machine that is given a PMU (KVM: "
		    "-cpu host,pmu=on): the cores' counters\n");
}

/* Prints by what counters are read (registers, the kernel), and which PMUs and boxes the
 * node has. */
static void
print_access(const struct node *node)
{
	const char *note = access_note(node->acc, REG_PCI);
	struct diag why;

	for (unsigned i = 0; node->without[0][0] != '\0' && i < 3; i++)
		printf("without  %s\n", node->without[i]);
	if (node->without[0][0] != '\0' && !node->acc->ops->simulated)
		print_rights(node);
	printf("access   %s\n", node->how);
	if (note != NULL && (!node->config.perf || node->config.hybrid))
		printf("pci      %s\n", note);
	if ((!node->config.perf || node->config.hybrid) &&
	    obstacle_unreadable(node, &why) > 0)
		printf("absent   %s\n", why.text);
	if (!node->config.perf) {
		print_pmu(node);
		print_energy(node);
	} else
		print_core_pmu(node);
	check_print_boxes(node);
	root_ports_say(stdout, node);
	print_foreign(&node->inv.found);
}

static void
print_plan(const struct plan *plan, uint64_t samples)
{
	for (unsigned i = 0; i < plan->remarks.n && i < 8; i++)
		printf("note     %s\n", plan->remarks.line[i]);
	for (unsigned i = 0; i < plan->absent.n && i < 8; i++)
		printf("absent   %s\n", plan->absent.line[i]);
	if (plan->absent.n > 8)
		printf("absent   ... and %u more\n", plan->absent.n - 8);
	printf("plan     %u column%s from %u register%s, %u control "
	    "register%s, %.1f kB a sample", plan->ncolumn, plural(plan->ncolumn),
	    plan->nread, plural(plan->nread), plan->nwrite, plural(plan->nwrite),
	    (double)plan->ncell * 8 / 1e3);
	if (samples > 0)
		printf(", %.1f MB for %" PRIu64 " sample%s", (double)plan->ncell *
		    8 * (double)samples / 1e6, samples, plural(samples));
	putchar('\n');
}

/* Words on what is measured before a plan is sampled; "": nothing is. */
struct measured {
	char read[400], sets[256];
};

/* The turns of event sets, and what they take; with -v the ways to read, too. */
static int
check_measure(struct node *node, const struct options *o, struct measured *m,
    struct diag *why)
{
	bool sets = node->plan.sets.n > 2;
	struct sweep sweep;
	int rc;

	m->read[0] = m->sets[0] = '\0';
	if (!sets && !o->verbose)
		return 0;
	if ((rc = turn_choose(&sweep, node, o, why)) == 0) {
		if (sets)
			turn_words(node, o, &sweep.turn, m->sets,
			    sizeof(m->sets));
		if (o->verbose)
			memcpy(m->read, sweep.why, sizeof(m->read));
	}
	sweep_fini(&sweep);
	return rc;
}

/* Prints what is in the way of the plan; returns how many problems. */
static int
print_obstacles(const struct node *node, const struct options *o)
{
	const struct plan *plan = &node->plan;
	struct diag why;
	char path[4096];
	int bad = 0;

	if ((plan->nwrite > 0 || soc_wanted(node)) &&
	    journal_place(o, node->acc, path, sizeof(path)) &&
	    journal_look(path, node->acc, &why) < 0)
		bad += problem(&why);
	if (plan->nwrite > 0 && obstacle_refusals(node, &why) < 0)
		bad += problem(&why);
	if (obstacle_rights(node, &why) < 0)
		bad += problem(&why);
	if (obstacle_in_use(node, &why) < 0 && !o->node.force)
		bad += problem(&why);
	return bad;
}

static void
print_clock(const struct node *node)
{
	const struct model *m = node->topo.model;
	uint64_t computed, measured;

	if (m->bus_clock == NULL || node->replay != NULL)
		return;
	measured = bus_clock_measure(node->acc);
	if (bus_clock_tsc(m, node->acc, node->topo.pkg[0].first_lproc,
	    &computed) < 0)
		printf("tsc      %.1f MHz measured; the bus clock is unknown\n",
		    (double)measured / 1e6);
	else
		printf("tsc      %.1f MHz by bus clock and ratio, %.1f MHz "
		    "measured%s\n", (double)computed / 1e6,
		    (double)measured / 1e6, bus_clock_agree(computed, measured) ? "" :
		    ": they differ, the measured one is used");
}

/* Prints the state of the SoC counters; returns how many problems. */
static int
print_soc(const struct node *node, double interval)
{
	const struct site *site = node->config.site;
	const struct unit *u = soc_unit(node);
	struct diag why;

	if (node->topo.model->soc == NULL)
		return 0;
	print_clock(node);
	if (u == NULL || site == NULL)
		return 0;
	if (!u->present)
		printf("soc      no SoC counters: %s\n", u->reason);
	else if (site->preprogrammed)
		printf("soc      message bus proven; counters at port 0x%02x are "
		    "sampled as another tool has set them up\n",
		    site->counter_port);
	else if (site->n == 0)
		printf("soc      message bus proven, but what routes events to "
		    "the counters is not public and %s %s: no SoC counters, "
		    "everything else is sampled (doc/rangeley.md says how a "
		    "site gets the values)\n", node->topo.model->soc->site,
		    site->file == NULL ? "is not there" : "has no group");
	else
		printf("soc      message bus proven; %s programs %u group%s%s; "
		    "counters at port 0x%02x, tested at start\n", site->file,
		    site->n, plural(site->n), site->simulation ? " (the simulation's stand-in)" :
		    "", site->counter_port);
	return soc_interval(&node->plan, interval, &why) == 0 ? 0 :
	    problem(&why);
}

/* The model is unknown, or the configuration cannot be followed. */
static int
check_give_up(const struct diag *why)
{
	problem(why);
	printf("sampling would not work\n");
	return 1;
}

int
check_print(struct node *node, const struct options *o)
{
	struct topo *topo = &node->topo;
	struct measured found;
	char words[512];
	struct diag why;
	int bad = 0;

	print_node(topo);
	topo->model = choose_model(node, o);
	if (topo->model == NULL) {
		node_plan(node, &why);
		return check_give_up(&why);
	}
	printf("model    %s (%s)\n", topo->model->name, topo->model->title);
	for (unsigned p = 0; p < topo->npkg; p++)
		complexes_of(topo, p);
	if (node_configure(node, o, topo->model, &why) < 0 ||
	    choose_access(node, o, &why) < 0)
		return check_give_up(&why);
	print_access(node);
	if (node_plan(node, &why) < 0 ||
	    check_measure(node, o, &found, &why) < 0 ||
	    node_save(node, &why) < 0)
		bad += problem(&why);
	else {
		if (!node->config.perf && obstacle_unseen(node, &why) > 0)
			printf("absent   %s\n", why.text);
		if (obstacle_frozen(node, &why) > 0)
			printf("absent   %s\n", why.text);
		print_plan(&node->plan, o->samples);
		if (found.read[0] != '\0')
			printf("read     %s\n", found.read);
		if (found.sets[0] != '\0')
			printf("sets     %s\n", found.sets);
		printf("writes   %s\n", announce_text(node, words,
		    sizeof(words)));
		bad += print_obstacles(node, o);
	}
	bad += print_soc(node, o->interval);
	printf("sampling would %s\n", bad ? "not work" : "work");
	return bad != 0;
}
