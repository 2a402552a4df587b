/*
 * daemon/check.c - what this node has, who else uses it, what is in the way.
 */
#include "daemon/check.h"

#include "daemon/choose.h"
#include "daemon/program.h"
#include "daemon/session.h"
#include "daemon/soc.h"
#include "regs/perf.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned
first_lproc(const struct topo *topo)
{
	return topo->npkg > 0 ? topo->pkg[0].first_lproc : 0;
}

/* Whether an lproc's MSRs can be read, as far as opening its device tells: what
 * is no device can be opened, and answers nothing. */
static int
reach(const struct node *node, unsigned lproc)
{
	struct reg_addr tsc = { REG_MSR, 8, lproc, MSR_TSC };
	uint64_t raw;
	int rc = node->acc->ops->prepare(node->acc, &tsc);

	return rc < 0 ? rc : access_read(node->acc, &tsc, &raw);
}

int
check_msr(const struct node *node, struct diag *why)
{
	struct reg_addr tsc = { REG_MSR, 8, first_lproc(&node->topo), MSR_TSC };
	const struct access_ops *ops = node->acc->ops;
	uint64_t raw;
	int rc = access_read(node->acc, &tsc, &raw);

	/* Every lproc's device, while there is still the right to open it: any
	 * may have to read for its package when another goes offline. */
	for (unsigned l = 0; rc == 0 && ops->prepare != NULL &&
	    l < node->topo.nlproc; l++) {
		int met = node->topo.lproc[l].online ? reach(node, l) : 0;

		node->topo.lproc[l].mute = met < 0;
		if (met != -EMFILE)
			continue;
		tsc.unit = l;
		rc = met;
	}
	switch (rc) {
	case 0:
		return 0;
	case -ENOENT:
		return diag_set(why, rc, "/dev/cpu/%u/msr does not exist: "
		    "load the msr driver with `modprobe msr`", tsc.unit);
	case -ENXIO:
		return diag_set(why, rc, "/dev/cpu/%u/msr: no such device: "
		    "load the msr driver with `modprobe msr`", tsc.unit);
	case -EACCES:
		return diag_set(why, rc, "/dev/cpu/%u/msr: permission denied: "
		    "run tallyd as root", tsc.unit);
	case -EPERM:
		return diag_set(why, rc, "/dev/cpu/%u/msr: the kernel refuses "
		    "it: run tallyd with CAP_SYS_RAWIO (root outside a "
		    "container has it)", tsc.unit);
	case -EMFILE:
		return diag_set(why, rc, "/dev/cpu/%u/msr: too many open files:"
		    " raise the limit (ulimit -n), one is needed for each of "
		    "%u lprocs", tsc.unit, node->topo.nlproc);
	default:
		return diag_set(why, rc, "/dev/cpu/%u/msr: %s", tsc.unit,
		    strerror(-rc));
	}
}

unsigned
check_unreadable(const struct node *node, struct diag *why)
{
	const struct access_ops *ops = node->acc->ops;
	unsigned n = 0, first = 0;
	int rc, errnum = 0;

	for (unsigned l = 0; ops->prepare != NULL && l < node->topo.nlproc;
	    l++) {
		if (!node->topo.lproc[l].online || (rc = reach(node, l)) == 0)
			continue;
		if (n++ == 0) {
			first = l;
			errnum = -rc;
		}
	}
	if (n > 0)
		diag_set(why, -errnum, "%u lproc%s online without an msr "
		    "device, and what is read there is absent: "
		    "/dev/cpu/%u/msr: %s", n, n == 1 ? " is" : "s are", first,
		    strerror(errnum));
	return n;
}

int
check_refusals(const struct node *node, struct diag *why)
{
	char buf[256];

	if (access_slurp(node->acc, "/sys/kernel/security/lockdown", buf,
	    sizeof(buf)) > 0 && strstr(buf, "[none]") == NULL)
		return diag_set(why, -EPERM, "the kernel is locked down (%s), "
		    "so registers cannot be written: switch Secure Boot off, "
		    "or boot without lockdown=", buf);
	if (access_slurp(node->acc, "/sys/module/msr/parameters/allow_writes",
	    buf, sizeof(buf)) > 0 && strcmp(buf, "off") == 0)
		return diag_set(why, -EPERM, "the msr driver refuses writes: "
		    "echo on > /sys/module/msr/parameters/allow_writes (or "
		    "boot with msr.allow_writes=on)");
	return 0;
}

/* Without trying: may we write to the msr devices?  The drivers that we know
 * look at the rights when one is opened. */
static int
check_writable(const struct node *node, const struct options *o,
    struct diag *why)
{
	char path[4096];

	if (o->sim != NULL || o->replay != NULL)
		return 0;
	for (unsigned i = 0; i < node->plan.nwrite; i++) {
		const struct reg_addr *a = &node->plan.write[i].addr;

		if (a->space != REG_MSR)
			continue;
		snprintf(path, sizeof(path), "%s/dev/cpu/%u/msr", o->root,
		    a->unit);
		if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0 &&
		    errno == EACCES)
			return diag_set(why, -EACCES, "/dev/cpu/%u/msr: no "
			    "right to write; run as root", a->unit);
	}
	return 0;
}

static bool
nmi_watchdog(const struct node *node)
{
	int64_t on;

	return access_number(node->acc, "/proc/sys/kernel/nmi_watchdog",
	    &on) == 0 && on != 0;
}

int
check_in_use(const struct node *node, struct diag *why)
{
	char first[256];
	unsigned n = program_in_use(&node->plan, first, sizeof(first));

	if (n == 0)
		return 0;
	return diag_set(why, -EBUSY, "%u counter%s in use by somebody else: "
	    "%s%s; --force takes them and gives them back at the end", n,
	    n == 1 ? " is" : "s are", first, nmi_watchdog(node) ?
	    " (the NMI watchdog is on; `sysctl kernel.nmi_watchdog=0` frees "
	    "its counter, =1 afterwards)" : " (perf, another tool, or one "
	    "that died without cleaning up)");
}

/* "CHA: 24 of 28 in package 0, 24 of 28 in package 1 (4: fused off)". */
static void
print_boxes(const struct node *node)
{
	const struct inventory *inv = &node->inv;
	bool all_alike = inv->n > 0;

	for (unsigned i = 0; i < inv->n; i++)
		all_alike &= !inv->unit[i].present &&
		    strcmp(inv->unit[i].reason, inv->unit[0].reason) == 0;
	if (all_alike) {
		printf("boxes    none: %s\n", inv->unit[0].reason);
		return;
	}

	for (const struct box_type *type = node->topo.model->box;
	    type->name != NULL; type++) {
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
			/* the kernel's side tells of a missing kind once */
			lost += here + absent < type->instances ?
			    type->instances - here : absent;
			printf("%s %u of %u in package %u", p > 0 ? "," : "",
			    here, type->instances, p);
		}
		if (reason != NULL)
			printf(" (%u absent: %s)", lost, reason);
		putchar('\n');
	}
}

static void
print_pmu(const struct node *node)
{
	struct reg_addr addr = { REG_MSR, 8, first_lproc(&node->topo),
	    MSR_PERF_GLOBAL_INUSE };
	const struct cpu_id *cpu = &node->topo.cpu;
	uint64_t raw;

	if (cpu->pmu_version == 0) {
		printf("core PMU none (CPUID leaf 0xA; a virtual machine?)\n");
		return;
	}
	printf("core PMU version %u, %u general counters of %u bits, %u fixed "
	    "of %u%s\n", cpu->pmu_version, cpu->gp_counters, cpu->gp_bits,
	    cpu->fixed_counters, cpu->fixed_bits, cpu->pmu_known ? "" :
	    cpu->pmu_odd ? " (assumed: what CPUID leaf 0xA says, no CPU has)" :
	    " (assumed: load the cpuid module to be sure)");
	if (access_read(node->acc, &addr, &raw) == 0 && raw != 0)
		printf("in use   IA32_PERF_GLOBAL_INUSE of lproc %u is 0x%"
		    PRIx64 "\n", addr.unit, raw);
	if (nmi_watchdog(node))
		printf("in use   the NMI watchdog may hold a counter of each "
		    "core (sysctl kernel.nmi_watchdog=0 frees it)\n");
}

/* Where the kernel counts: its PMU of the cores. */
static void
print_core_pmu(const struct node *node)
{
	char name[64];

	if (pmu_core(node->acc, name, sizeof(name)) == NULL)
		printf("core PMU none that the kernel shows (a virtual "
		    "machine?); software events work\n");
	else
		printf("core PMU %s%s\n", name, nmi_watchdog(node) ? "; the NMI "
		    "watchdog may hold one of its counters (sysctl "
		    "kernel.nmi_watchdog=0 frees it)" : "");
}

/* One thing that is in the way. */
static int
problem(const struct diag *why)
{
	printf("PROBLEM  %s\n", why->text);
	return 1;
}

int
check_print(struct node *node, const struct options *o)
{
	const struct topo *topo = &node->topo;
	struct diag why;
	const char *note;
	unsigned online = 0;
	int bad = 0;

	for (unsigned i = 0; i < topo->nlproc; i++)
		online += topo->lproc[i].online;
	printf("node     %s, %s", topo->host, topo->cpu.name);
	if (topo->cpu.midr != 0)
		printf(" (MIDR 0x%" PRIx32 ")\n", topo->cpu.midr);
	else
		printf(" (family %u model 0x%x stepping %u)\n",
		    topo->cpu.family, topo->cpu.model, topo->cpu.stepping);
	printf("topology %u package%s, %u of %u lprocs online\n", topo->npkg,
	    topo->npkg == 1 ? "" : "s", online, topo->nlproc);
	node->topo.model = choose_model(node, o);
	if (topo->model == NULL) {
		node_plan(node, &why);
		problem(&why);
		printf("sampling would not work\n");
		return 1;
	}
	printf("model    %s (%s)\n", topo->model->name, topo->model->title);
	if (node_configure(node, o, topo->model, &why) < 0 ||
	    choose_access(node, o, &why) < 0) {
		problem(&why);
		printf("sampling would not work\n");
		return 1;
	}
	printf("access   %s\n", node->how);
	note = node->acc->ops->note != NULL ?
	    node->acc->ops->note(node->acc, REG_PCI) : NULL;
	if (note != NULL && !node->config.perf)
		printf("pci      %s\n", note);
	if (!node->config.perf && check_unreadable(node, &why) > 0)
		printf("absent   %s\n", why.text);
	if (!node->config.perf)
		print_pmu(node);
	else
		print_core_pmu(node);
	print_boxes(node);
	if (node_plan(node, &why) < 0 ||
	    program_save(&node->plan, node->acc, &why) < 0)
		bad += problem(&why);
	else {
		const struct plan *plan = &node->plan;

		for (unsigned i = 0; i < plan->nremark && i < 8; i++)
			printf("note     %s\n", plan->remark[i]);
		for (unsigned i = 0; i < plan->nnote && i < 8; i++)
			printf("absent   %s\n", plan->note[i]);
		if (plan->nnote > 8)
			printf("absent   ... and %u more\n", plan->nnote - 8);
		printf("plan     %u columns from %u registers, %u control "
		    "registers to write, %" PRIu64 " MB for %" PRIu64
		    " samples\n", plan->ncolumn, plan->nread, plan->nwrite,
		    plan->ncell * o->samples * 8 >> 20, o->samples);
		if ((plan->nwrite > 0 || soc_wanted(node)) &&
		    session_look(o, node->acc, &why) < 0)
			bad += problem(&why);
		if (plan->nwrite > 0 && check_refusals(node, &why) < 0)
			bad += problem(&why);
		if (check_writable(node, o, &why) < 0)
			bad += problem(&why);
		if (check_in_use(node, &why) < 0 && !o->force)
			bad += problem(&why);
	}
	bad += soc_check_print(node, o->interval);
	printf("sampling would %s\n", bad ? "not work" : "work");
	return bad != 0;
}
