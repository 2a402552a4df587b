/*
 * postproc/charts/glance.c - the six timelines that are looked at first.
 */
#include "postproc/charts/glance.h"

#include <math.h>
#include <string.h>

#include "postproc/charts/markup.h"

#define CHOICES 6
#define SERIES 2

/* Of the choices the first is taken of which there is a value: what stands on one
 * axis, and what to call each. */
static const struct {
	const char *of;         /* what is asked */
	struct {
		const char *title, *metric[SERIES], *label[SERIES];
	} choice[CHOICES];
} glances[GLANCES] = {
	{ "Busy", { { "Busy", { "utilisation" }, { "" } },
	    { "Busy", { "core_busy" }, { "" } },
	    { "Instructions", { "instructions" }, { "" } } } },
	{ "Floating point", { { "Floating point", { "flops" }, { "" } },
	    { "IPC", { "ipc" }, { "" } } } },
	{ "Memory", { { "Memory", { "dram_bandwidth", "hbm_bandwidth" },
	    { "DRAM ", "HBM " } },
	    { "DRAM", { "dram_bandwidth" }, { "" } },
	    { "Memory", { "cmem_rd_bw", "cmem_wr_bw" },
	    { "read ", "write " } },
	    { "DRAM", { "ddr" }, { "" } },
	    { "Traffic of L2 misses", { "l2_miss_traffic" }, { "" } } } },
	{ "Power", { { "Power", { "package_power" }, { "" } },
	    { "Power", { "soc_power" }, { "" } },
	    { "Power", { "socket_power" }, { "" } },
	    { "Power", { "node_power" }, { "" } } } },
	{ "Frequency", { { "Frequency", { "frequency" }, { "" } },
	    { "Clock", { "mean_frequency" }, { "" } },
	    { "Frequency", { "cpu_clock" }, { "" } } } },
	{ "I/O", { { "I/O", { "io_in", "io_out" }, { "in ", "out " } },
	    { "I/O", { "dma_write", "dma_read" },
	    { "written ", "read " } },
	    { "PCIe", { "pcie_in", "pcie_out" }, { "in ", "out " } },
	    { "PCIe", { "pcie_rd_bw", "pcie_wr_bw" }, { "read ", "write " } },
	    { "Links between packages", { "upi_out" }, { "" } },
	    { "Links between packages", { "xgmi_out" }, { "" } } } },
};

/* What else has a picture where there are no scripts. */
static const char *const shown[] = { "utilisation", "frequency", "ipc",
	"instructions", "dram_read", "dram_write", "package_power",
	"temperature", "upi_out", "pcie_in", "scf_freq", "cmem_rd_util",
	"soc_power", "cpu_clock" };

/* The first choice that the dump has; known: and of which there is a value. */
static void
choose(struct still_chart *s, const struct timeline *t, unsigned i, bool known)
{
	for (unsigned c = 0; s->n == 0 && c < CHOICES &&
	    glances[i].choice[c].title != NULL; c++) {
		bool all = true;

		for (unsigned k = 0; all && k < SERIES &&
		    glances[i].choice[c].metric[k] != NULL; k++)
			all = still_add(s, t, glances[i].choice[c].metric[k],
			    glances[i].choice[c].label[k]);
		s->title = glances[i].choice[c].title;
		if (!all || (known && !still_known(s)))
			s->n = 0;
	}
}

void
glance_find(struct glance *g, const struct timeline *t)
{
	*g = (struct glance){ .still[0].n = 0 };
	for (unsigned i = 0; i < GLANCES; i++) {
		choose(&g->still[i], t, i, true);
		choose(&g->still[i], t, i, false);
		if (g->still[i].n == 0)
			g->still[i].title = glances[i].of;
	}
}

static bool
has(const struct glance *g, const struct timeline *t, const char *metric)
{
	for (unsigned i = 0; i < GLANCES; i++)
		for (unsigned k = 0; k < g->still[i].n; k++)
			if (strcmp(t->metric[g->still[i].line[k]->metric]
			    .metric->name, metric) == 0)
				return true;
	return false;
}

void
glance_put(const struct glance *g, const struct timeline *t,
    const struct phases *phases, FILE *f)
{
	fputs("<div id=\"glance\">\n", f);
	for (unsigned i = 0; i < GLANCES; i++)
		if (g->still[i].n > 0)
			still_put(t, phases, &g->still[i], f);
		else
			fprintf(f, "<figure><figcaption><strong>%s</strong> <span>not "
			    "counted here</span></figcaption></figure>\n",
			    g->still[i].title);
	fputs("</div>\n", f);
}

static bool
is_always_0(const struct timeline *t, const struct still_chart *s)
{
	for (unsigned k = 0; k < s->n; k++)
		for (unsigned i = 0; i < t->n; i++)
			if (s->line[k]->in[i].lo != 0 ||
			    s->line[k]->in[i].hi != 0)
				return false;
	return true;
}

void
glance_put_others(const struct glance *g, const struct timeline *t,
    const struct phases *phases, FILE *f)
{
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		struct still_chart s = { .n = 0 };

		if (has(g, t, shown[i]) ||
		    !still_add(&s, t, shown[i], "") || is_always_0(t, &s))
			continue;
		s.title = t->metric[s.line[0]->metric].metric->text;
		still_put(t, phases, &s, f);
	}
}

void
glance_json(const struct glance *g, const struct timeline *t, FILE *f)
{
	fputs("\"glance\":[", f);
	for (unsigned i = 0; i < GLANCES; i++) {
		const struct still_chart *s = &g->still[i];

		fprintf(f, "%s{\"title\":", i > 0 ? "," : "");
		markup_json(f, s->title);
		fputs(",\"lines\":[", f);
		for (unsigned k = 0; k < s->n; k++) {
			fprintf(f, "%s[%td,", k > 0 ? "," : "",
			    s->line[k] - t->line);
			markup_json(f, s->name[k]);
			putc(']', f);
		}
		fputs("]}", f);
	}
	putc(']', f);
}
