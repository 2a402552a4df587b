/*
 * postproc/pages/drawing_grace.c - a socket of NVIDIA Grace: its fabric, memory,
 * PCIe and links, by the metrics of config/metrics/grace.metrics.
 */
#include "postproc/pages/drawing.h"

#include <stdio.h>

/* Both ways of one kind of traffic, GB/s; where there is a peak, the shares. */
static const struct way {
	const char *title, *read, *write, *both;
	const char *read_share, *write_share;   /* or NULL */
} ways[] = {
	{ "Memory", "cmem_rd_bw", "cmem_wr_bw", NULL, "cmem_rd_util",
	    "cmem_wr_util" },
	{ "Remote", "remote_rd_bw", "remote_wr_bw", NULL, "remote_rd_util",
	    "remote_wr_util" },
	{ "GPU mem", "gmem_rd_bw", "gmem_wr_bw", NULL, "gmem_rd_util",
	    "gmem_wr_util" },
	{ "PCIe", "pcie_rd_bw", "pcie_wr_bw", "pcie_bw", "pcie_rd_port_util",
	    "pcie_wr_port_util" },
	{ "C2C0", "c2c0_rd_bw", "c2c0_wr_bw", "c2c0_bw", NULL, NULL },
	{ "C2C1", "c2c1_rd_bw", "c2c1_wr_bw", "c2c1_bw", NULL, NULL },
	{ "CNVLink", "cnvlink_rd_bw", "cnvlink_wr_bw", "cnvlink_bw", NULL,
	    NULL },
};

static bool
drawing_grace_counted(struct drawing *d, const char *metric)
{
	return metric != NULL && io_missing(&d->io, metric) == NULL;
}

static const char *
drawing_grace_amount(struct drawing *d, const char *metric, unsigned pkg,
    char *buf, size_t size)
{
	return draw_figure(d, buf, size, io_figure(&d->io, metric, (int)pkg,
	    -1));
}

static const char *
drawing_grace_share(struct drawing *d, const char *metric, unsigned pkg,
    char *buf, size_t size)
{
	if (!drawing_grace_counted(d, metric)) {
		buf[0] = '\0';
		return buf;
	}
	return draw_gauge(d, buf, size, io_figure(&d->io, metric, (int)pkg,
	    -1));
}

static void
draw_way(struct drawing *d, const struct way *w, unsigned pkg)
{
	bool rd = drawing_grace_counted(d, w->read),
	    wr = drawing_grace_counted(d, w->write);
	char a[24], b[24], c[40], e[40];

	if (!rd && !wr && drawing_grace_counted(d, w->both))
		draw_line(d, "%-8s both ways %s GB/s", w->title,
		    drawing_grace_amount(d, w->both, pkg, a, sizeof a));
	else if (!rd && !wr)
		draw_line(d, "%-8s not counted", w->title);
	else {
		bool shares = drawing_grace_counted(d, w->read_share) ||
		    drawing_grace_counted(d, w->write_share);

		if (!rd)
			snprintf(a, sizeof a, "%8s", "-");
		if (!wr)
			snprintf(b, sizeof b, "%8s", "-");
		draw_line(d, "%-8s read %s  write %s GB/s%s%-20s  %s", w->title,
		    rd ? drawing_grace_amount(d, w->read, pkg, a, sizeof a) : a,
		    wr ? drawing_grace_amount(d, w->write, pkg, b, sizeof b) :
		    b, shares ? "   of peak " : "",
		    drawing_grace_share(d, w->read_share, pkg, c, sizeof c),
		    drawing_grace_share(d, w->write_share, pkg, e, sizeof e));
	}
}

static void
drawing_grace_draw_fabric(struct drawing *d, unsigned pkg)
{
	char a[24], b[24], c[40];

	if (!drawing_grace_counted(d, "scf_freq") &&
	    !drawing_grace_counted(d, "scf_cache_rate")) {
		draw_line(d, "%-8s not counted", "SCF");
		return;
	}
	snprintf(a, sizeof a, "%8s", "-");
	snprintf(b, sizeof b, "%8s", "-");
	draw_line(d, "%-8s clock%s GHz   last-level cache%s G/s%s%s", "SCF",
	    drawing_grace_counted(d, "scf_freq") ?
	    drawing_grace_amount(d, "scf_freq", pkg, a, sizeof a) :
	    a, drawing_grace_counted(d, "scf_cache_rate") ?
	    drawing_grace_amount(d, "scf_cache_rate", pkg,
	    b, sizeof b) : b, drawing_grace_counted(d, "ll_hit_estimate") ?
	    "   hits, about " : "",
	    drawing_grace_share(d, "ll_hit_estimate", pkg, c, sizeof c));
}

void
draw_grace(struct drawing *d, unsigned pkg)
{
	bool shares = false;

	drawing_grace_draw_fabric(d, pkg);
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		draw_way(d, &ways[i], pkg);
		shares |= drawing_grace_counted(d, ways[i].read_share) ||
		    drawing_grace_counted(d, ways[i].write_share);
	}
	if (shares)
		draw_line(d, "         peak table: requests a cycle of the "
		    "fabric, by NVIDIA's guide");
}
