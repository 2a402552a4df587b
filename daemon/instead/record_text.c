/*
 * daemon/instead/record_text.c - the recorded node as the text of a machine file.
 */
#include "daemon/instead/recorder.h"

#include "config/sim/machine.h"
#include "config/version.h"
#include "regs/sideband.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NS 1000000000ull
#define NAME "the recorded text"

static void
record_text_put_head(struct recording *r)
{
	fputs("# A node, as `tallyd --record-node` of tallyd " TALLYD_VERSION
	    " read it; `tallyd --sim FILE`\n"
	    "# runs on it.  Nothing was programmed.\n#\n"
	    "# Left out: host and user names, processes, the kernel's command "
	    "line, serial\n"
	    "# numbers, MAC and IP addresses, and every file that is not of a "
	    "folder below\n"
	    "# /sys/devices/system/{cpu,node} or "
	    "/sys/bus/{pci,event_source}/devices, nor one\n"
	    "# of the few of /proc and /sys that stand below under \"Files\".  "
	    "In it: what CPU\n"
	    "# and boards this is (CPUID, PCI ids), registers that count, "
	    "limit or describe,\n"
	    "# where memory and devices are mapped, and when it was "
	    "recorded.\n", r->out);
}

/* Writes the CPU as /proc/cpuinfo has it; for an Arm CPU the file itself is recorded. */
static void
put_cpu(struct recording *r)
{
	const struct cpu_id *cpu = &r->node->topo.cpu;

	fprintf(r->out, "\nhost recorded\n");
	if (cpu->midr != 0 || cpu->vendor[0] == '\0')
		return;
	fprintf(r->out, "cpu vendor=%.12s family=%u model=%u stepping=%u\n",
	    cpu->vendor, cpu->family, cpu->model, cpu->stepping);
	if (cpu->name[0] != '\0')
		fprintf(r->out, "name %.48s\n", cpu->name);
}

static void
record_text_put_packages(struct recording *r)
{
	const struct topo *topo = &r->node->topo;
	bool plain = true;
	int nodes = 0;

	for (unsigned l = 0; l < topo->nlproc; l++)
		if (topo->lproc[l].node >= nodes)
			nodes = topo->lproc[l].node + 1;
	fprintf(r->out, "packages %u", topo->npkg);
	for (unsigned p = 0; p < topo->npkg; p++)
		plain &= topo->pkg[p].id == (int)p;
	for (unsigned p = 0; p < topo->npkg && !plain; p++)
		fprintf(r->out, "%s%d", p == 0 ? " ids=" : ",",
		    topo->pkg[p].id);
	if (nodes > (int)topo->npkg)
		fprintf(r->out, "\nnodes %u", ((unsigned)nodes + topo->npkg -
		    1) / topo->npkg);
	fputs("\nnumbering explicit\n", r->out);
}

/* The place of an lproc; an offline one is given a core of its own, as its place is not
 * known. */
static void
put_lprocs(struct recording *r)
{
	const struct topo *topo = &r->node->topo;

	for (unsigned l = 0; l < topo->nlproc; l++) {
		const struct lproc *lp = &topo->lproc[l];

		if (!lp->exists)
			continue;
		fprintf(r->out, "lproc %u pkg=%d core=%d", l, lp->online ?
		    lp->pkg : 0, lp->online && lp->core >= 0 ? lp->core :
		    1000000 + (int)l);
		if (lp->thread > 0)
			fprintf(r->out, " thread=%d", lp->thread);
		if (lp->die > 0)
			fprintf(r->out, " die=%d", lp->die);
		if (lp->node > 0)
			fprintf(r->out, " node=%d", lp->node);
		fputc('\n', r->out);
	}
	for (unsigned l = 0; l < topo->nlproc; l++)
		if (topo->lproc[l].exists && !topo->lproc[l].online)
			fprintf(r->out, "from 0 lproc %u offline\n", l);
}

/* Writes the clocks, and a phase for each time between two samples. */
static void
record_text_put_clocks(struct recording *r)
{
	const struct stamp *first = &r->at[0];
	const struct stamp *last = &r->at[RECORD_SAMPLES - 1];
	double seconds = (double)(last->mono_ns - first->mono_ns) / (double)NS;
	uint64_t hz = seconds > 0 ? (uint64_t)((double)(last->tsc -
	    first->tsc) / seconds + 0.5) : 0;

	fprintf(r->out, "\nstart %" PRIu64 "\ntsc %" PRIu64 " init=%" PRIu64
	    "\n\n", (uint64_t)(first->real_ns / NS), hz > 0 ? hz : 1000000000,
	    first->tsc);
	fputs("# A phase from one sample to the next\n", r->out);
	for (unsigned k = 0; k + 1 < RECORD_SAMPLES; k++)
		fprintf(r->out, "phase s%u %" PRIu64 ".%09" PRIu64 "\n", k,
		    (uint64_t)(r->interval_ns / NS),
		    (uint64_t)(r->interval_ns % NS));
	fprintf(r->out, "phase s%u\n", RECORD_SAMPLES - 1);
}

/* Writes a message bus that has the registers which were read. */
static void
put_mailbox(struct recording *r)
{
	const struct model *m = r->node->topo.model;

	if (m != NULL && m->soc != NULL)
		fprintf(r->out, "\nmailbox 00:00.0 counters=0x%02x lane=0 "
		    "gate=0xff,0,0xffffffff\n", m->soc->counter_port);
}

/* Opens the simulated machine of the text so far. */
static int
record_text_parse(struct recording *r, char *const *text, const size_t *size,
    struct sim **sim, struct diag *why)
{
	if (fflush(r->out) != 0)
		return diag_set(why, -ENOMEM, "out of memory");
	return machine_parse(sim, NAME, *text, *size, why);
}

static int
record_text_put_all(struct recording *r, char *const *text, const size_t *size,
    struct diag *why)
{
	struct access *so_far;
	struct sim *sim;
	int rc;

	record_text_put_head(r);
	put_cpu(r);
	record_text_put_packages(r);
	put_lprocs(r);
	record_text_put_clocks(r);
	put_mailbox(r);
	record_cpuid(r);
	record_registers(r);
	record_pmus(r);
	if ((rc = record_text_parse(r, text, size, &sim, why)) < 0)
		return rc;
	so_far = sim_access(sim);
	rc = record_files(r, so_far);
	access_close(so_far);
	if (rc < 0 || r->kept->lost)
		return diag_set(why, -ENOMEM, "out of memory");
	if ((rc = record_text_parse(r, text, size, &sim, why)) == 0)
		access_close(sim_access(sim));
	return rc;
}

int
record_text(struct recording *r, char **text, size_t *size, struct diag *why)
{
	int rc;

	*text = NULL;
	if ((r->out = open_memstream(text, size)) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	rc = record_text_put_all(r, text, size, why);
	if (fclose(r->out) != 0 && rc == 0)
		rc = diag_set(why, -ENOMEM, "out of memory");
	if (rc < 0) {
		free(*text);
		*text = NULL;
	}
	return rc;
}
