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

enum chip { ANY, SUPERCHIP, HOPPER };

static const struct {
	enum chip chip;
	const char *pmu, *traffic, *metric;
} lines[] = {
	{ ANY, "SCF", "all CPUs read memory of this socket", "cmem_rd_bw" },
	{ ANY, "SCF", "all CPUs write memory of this socket", "cmem_wr_bw" },
	{ SUPERCHIP, "SCF", "its CPUs read the other socket's", "remote_rd_bw" },
	{ SUPERCHIP, "SCF", "its CPUs write the other socket's", "remote_wr_bw" },
	{ HOPPER, "SCF", "its CPUs read GPU memory", "gmem_rd_bw" },
	{ HOPPER, "SCF", "its CPUs write GPU memory", "gmem_wr_bw" },
	{ SUPERCHIP, "PCIe", "its devices, memory of this socket", "pcie_loc_bw" },
	{ SUPERCHIP, "PCIe", "its devices, the other socket's", "pcie_rem_bw" },
	{ HOPPER, "PCIe", "devices, CPU or GPU memory", "pcie_loc_bw" },
	{ SUPERCHIP, "C2C0", "the other socket's devices, memory here", "c2c0_bw" },
	{ HOPPER, "C2C0", "GPU, CPU memory, translated (ATS, EGM)", "c2c0_bw" },
	{ HOPPER, "C2C1", "GPU, CPU or GPU memory, not translated", "c2c1_bw" },
	{ HOPPER, "CNVLink", "remote GPUs and devices, memory here", "cnvlink_bw" },
	{ ANY, "", "memory of this socket in all, about", "dram_bw_estimate" },
};

/* A GPU has been at work, or there is no second socket that could be. */
static enum chip
chip_of(struct page *p)
{
	static const char *const gpu[] = { "gmem_rd_bw", "gmem_wr_bw",
	    "c2c1_bw" };
	unsigned m;

	for (unsigned i = 0; i < 3; i++)
		if (page_bind(p, gpu[i], &m) &&
		    page_figure(p, m, SCOPE_OF_NODE, 0).value > 0)
			return HOPPER;
	return p->gather.topo.npkg > 1 ? SUPERCHIP : HOPPER;
}

static void
put(FILE *f, struct figure x)
{
	if (isnan(x.value))
		fprintf(f, "%8s ", "n/a");
	else
		fprintf(f, "%8.3f%c", x.value, x.wrong ? '!' : x.left_out ?
		    '*' : ' ');
}

void
grace_print(struct page *p, FILE *f)
{
	unsigned npkg = p->gather.topo.npkg, m;
	unsigned shown = npkg < 2 ? 0 : npkg < SHOWN_PKGS ? npkg : SHOWN_PKGS;
	enum chip chip;

	if (strcmp(read_text(p->gather.reader, "model", ""), "grace") != 0)
		return;
	chip = chip_of(p);
	fprintf(f, "\nTraffic, GB/s: %-37s", chip == HOPPER ? "Grace Hopper" :
	    "Grace CPU Superchip");
	for (unsigned i = 0; i < shown; i++)
		fprintf(f, "%5s %-3u", "pkg", i);
	fprintf(f, "%8s\n", "node");
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		if ((lines[i].chip != ANY && lines[i].chip != chip) ||
		    !page_bind(p, lines[i].metric, &m))
			continue;
		fprintf(f, "  %-8s%-42s", lines[i].pmu, lines[i].traffic);
		for (unsigned k = 0; k < shown; k++)
			put(f, page_figure(p, m, SCOPE_OF_PACKAGE, k));
		put(f, page_figure(p, m, SCOPE_OF_NODE, 0));
		fputc('\n', f);
	}
}
