/*
 * postproc/grace_report.c - which PMU of a Grace node saw which traffic.
 *
 * What a PMU sees depends on the kind of chip: NVIDIA's guide, as in the
 * project's reference grace-arm 7.4.  The figures are metrics of
 * config/metrics/grace.metrics.
 */
#include "postproc/grace_report.h"

#include <math.h>
#include <string.h>

#define SHOWN_PKGS 4

/* Which kinds of node a line is for. */
enum { SUPERCHIP = 1, HOPPER = 2, HOPPERS = 4, ANY = 7 };

static const struct {
	unsigned chip;
	const char *pmu, *traffic, *metric;
} lines[] = {
	{ ANY, "SCF", "all CPUs read memory of this socket", "cmem_rd_bw" },
	{ ANY, "SCF", "all CPUs write memory of this socket", "cmem_wr_bw" },
	{ SUPERCHIP | HOPPERS, "SCF", "its CPUs read other sockets' memory", "remote_rd_bw" },
	{ SUPERCHIP | HOPPERS, "SCF", "its CPUs write other sockets' memory", "remote_wr_bw" },
	{ HOPPER | HOPPERS, "SCF", "its CPUs read its GPU's memory", "gmem_rd_bw" },
	{ HOPPER | HOPPERS, "SCF", "its CPUs write its GPU's memory", "gmem_wr_bw" },
	{ SUPERCHIP, "PCIe", "its devices, memory of this socket", "pcie_loc_bw" },
	{ HOPPER | HOPPERS, "PCIe", "its devices, CPU or GPU memory here", "pcie_loc_bw" },
	{ SUPERCHIP | HOPPERS, "PCIe", "its devices, other sockets' memory", "pcie_rem_bw" },
	{ SUPERCHIP, "C2C0", "other socket's devices, memory here (1)", "c2c0_bw" },
	{ HOPPER | HOPPERS, "C2C0", "GPU, CPU memory, translated (ATS, EGM)", "c2c0_bw" },
	{ HOPPER | HOPPERS, "C2C1", "GPU, CPU or GPU memory, not translated", "c2c1_bw" },
	{ HOPPERS, "CNVLink", "remote GPUs and devices, memory here", "cnvlink_bw" },
	{ SUPERCHIP, "", "memory of this socket in all, about", "dram_bw_estimate" },
};

static const struct {
	unsigned chip;
	const char *words;
} remarks[] = {
	{ SUPERCHIP, "(1) strongly ordered writes are not in it: SCF has them" },
	{ SUPERCHIP, "Two sockets and no GPU's traffic: taken for a CPU Superchip, where C2C1 and CNVLink see none" },
	{ HOPPER, "CNVLink sees traffic only where there are several sockets" },
};

/* A GPU has been at work, or there are not the two sockets of a CPU Superchip.
 * No dump tells more: either kind of chip has all of these PMUs. */
static unsigned
chip_of(struct page *p)
{
	static const char *const gpu[] = { "gmem_rd_bw", "gmem_wr_bw",
	    "c2c1_bw" };
	unsigned m;

	if (p->gather.topo.npkg < 2)
		return HOPPER;
	if (p->gather.topo.npkg > 2)
		return HOPPERS;
	for (unsigned i = 0; i < 3; i++)
		if (page_bind(p, gpu[i], &m) &&
		    page_figure(p, m, SCOPE_OF_NODE, 0).value > 0)
			return HOPPERS;
	return SUPERCHIP;
}

/* Where not all root ports are counted. */
static void
put_ports(struct page *p, FILE *f)
{
	unsigned m;

	for (unsigned k = 0; k < p->gather.topo.npkg &&
	    page_bind(p, "pcie_root_ports", &m); k++) {
		double n = page_figure(p, m, SCOPE_OF_PACKAGE, k).value;

		if (n == 0)
			fprintf(f, "  PCIe of package %u: not the same root "
			    "ports for all events\n", k);
		else if (n < 10)
			fprintf(f, "  PCIe of package %u: %.0f of 10 root ports "
			    "are counted\n", k, n);
	}
}

static void
put(struct page *p, FILE *f, struct figure x)
{
	if (isnan(x.value))
		fprintf(f, "%8s ", "n/a");
	else
		fprintf(f, "%8.3f%c", x.value, figure_mark(&x));
	p->incomplete |= !isnan(x.value) && x.of > 0;
}

void
grace_print(struct page *p, FILE *f)
{
	unsigned npkg = p->gather.topo.npkg, m;
	unsigned shown = npkg < 2 ? 0 : npkg < SHOWN_PKGS ? npkg : SHOWN_PKGS;
	unsigned chip;

	if (strcmp(read_text(p->gather.reader, "model", ""), "grace") != 0)
		return;
	chip = chip_of(p);
	fprintf(f, "\nTraffic, GB/s: %-37s", chip == SUPERCHIP ?
	    "Grace CPU Superchip" : "Grace Hopper");
	for (unsigned i = 0; i < shown; i++)
		fprintf(f, "%5s %-3u", "pkg", i);
	fprintf(f, "%8s\n", "node");
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		const char *note;

		if (!(lines[i].chip & chip) ||
		    !page_bind(p, lines[i].metric, &m))
			continue;
		fprintf(f, "  %-8s%-42s", lines[i].pmu, lines[i].traffic);
		for (unsigned k = 0; k < shown; k++)
			put(p, f, page_figure(p, m, SCOPE_OF_PACKAGE, k));
		put(p, f, page_figure(p, m, SCOPE_OF_NODE, 0));
		note = p->gather.binding.bound[m].metric->note;
		fprintf(f, "%s\n", note != NULL && strcmp(note, "derived") ==
		    0 ? note : "");
	}
	for (size_t i = 0; i < sizeof remarks / sizeof remarks[0]; i++)
		if (remarks[i].chip & chip)
			fprintf(f, "  %s\n", remarks[i].words);
	put_ports(p, f);
}
