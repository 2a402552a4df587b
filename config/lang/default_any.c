/*
 * config/lang/default_any.c - make a configuration of what a node offers.
 */
#include "config/lang/events.h"

#include "config/lang/terms.h"
#include "topology/topo.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines that read files, for any CPU: network traffic, and what registers may not
 * tell (load, idle states, frequency, power, temperature). */
static const char traffic[] =
    "# What goes in and out.\n"
    "optional read file=/sys/class/net/*/statistics/rx_bytes counter "
    "unit=bytes as net_rx\n"
    "optional read file=/sys/class/net/*/statistics/tx_bytes counter "
    "unit=bytes as net_tx\n";
static const char files[] =
    "# How busy, how fast, what it draws and how hot it is, as files say it.\n"
    "optional read file=/proc/loadavg gauge as load\n"
    "optional read file=/sys/devices/system/cpu/cpu*/cpuidle/state*/time "
    "counter scale=1e-6 unit=s as cpuidle\n"
    "optional read file=/sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq "
    "gauge scale=0.001 unit=MHz every 10 as cpu_frequency\n"
    "optional read file=/sys/class/powercap/intel-rapl:*/energy_uj counter "
    "scale=1e-6 unit=J as powercap_energy\n"
    "optional read file=/sys/class/hwmon/hwmon*/power*_input gauge scale=1e-6 "
    "unit=W as hwmon_power\n"
    "optional read file=/sys/class/hwmon/hwmon*/temp*_input gauge scale=0.001 "
    "unit=C every 10 as hwmon_temperature\n";

/* Does a fixed counter count this architectural event? */
static bool
is_fixed(const struct model *m, const struct cpu_id *cpu,
    const struct event_name *e)
{
	static const uint16_t counts[] = { 0x00c0, 0x003c, 0x013c, 0x01a4 };

	for (unsigned i = 0; m->fixed != NULL && i < 4 &&
	    i < cpu->fixed_counters; i++)
		if (counts[i] == (e->umask << 8 | e->event))
			return true;
	return false;
}

/* Write lines that read the model's scalars: the clocks of lprocs if `clocks`, else all
 * others. */
static void
scalar_lines(FILE *out, const struct model *m, bool clocks)
{
	const struct scalar *s;

	for (unsigned n = 0; (s = model_scalar(m, n)) != NULL; n++)
		if ((class_is_clock(s->cls) && s->scope == SCOPE_LPROC) ==
		    clocks)
			fprintf(out, "optional read %s\n", s->family);
}

/* Write lines for the first events of the model's list, as many as there are counters. */
static void
core_lines(FILE *out, const struct model *m, const struct cpu_id *cpu)
{
	unsigned left = cpu->gp_counters < m->core->counters ?
	    cpu->gp_counters : m->core->counters;

	if (left > 0)
		fprintf(out, "# What it does, and what it waits for.\n");
	if (m->fixed != NULL && cpu->fixed_counters > 0)
		fprintf(out, "optional core fixed\n");
	for (const struct event_name *e = m->core->event; e != NULL &&
	    e->name != NULL && left > 0; e++)
		if (!is_fixed(m, cpu, e)) {
			fprintf(out, "optional core %s\n", e->name);
			left--;
		}
}

/* Does a PMU offer an event of that name, with terms that can be encoded?  Its names in
 * sysfs are in lower case. */
static bool
offers(struct access *acc, const char *pmu, const char *event)
{
	struct pmu *of = malloc(sizeof(*of));
	char path[256], text[64];
	size_t n = (size_t)snprintf(path, sizeof(path), PMU_DIR "/%s/events/%s",
	    pmu, event);
	struct pmu_event e;
	struct diag why;
	bool can;

	for (size_t i = n < sizeof(path) ? n - strlen(event) : n; i < n; i++)
		path[i] = (char)tolower((unsigned char)path[i]);
	can = of != NULL && n < sizeof(path) &&
	    access_slurp(acc, path, text, sizeof(text)) > 0 &&
	    pmu_load(of, acc, pmu) == 0 && of->wrong[0] == '\0' &&
	    terms_encode(of, acc, (struct word){ path + n - strlen(event),
	    strlen(event) }, (struct place){ DEFAULT_ANY, 0 }, &e, &why) == 0;
	free(of);
	return can;
}

/* Write lines for core events that the kernel counts, as many as there are counters. */
static void
kernel_core_lines(FILE *out, const struct model *m, struct access *acc)
{
	const struct box_type *core = m->core;
	char pmu[64];
	unsigned left = core->counters;

	if (pmu_core(acc, pmu, sizeof(pmu)) == NULL)
		return;
	for (const struct event_name *e = core->event; e->name != NULL; e++) {
		bool own = e->event == core->kernel.own_counter;

		if ((left == 0 && !own) || !offers(acc, pmu, e->name))
			continue;
		fprintf(out, "optional core %s\n", e->name);
		left -= !own;
	}
}

/* Events to count on PMUs outside the cores, if these offer them (reference more-cpus
 * 5.4, 5.5, 6.2). */
static const struct {
	const char *pmu, *event[5];
} asked[] = {
	{ "arm_cmn", { "hnf_mc_reqs", "hnf_cache_miss", "hnf_slc_sf_cache_access",
	    "dtc_cycles", NULL } },
	{ "arm_dmc620", { "clkdiv2_rdwr", NULL } },
	{ "arm_dsu", { "cycles", "l3d_cache", "l3d_cache_refill", NULL } },
	{ "nvidia_ucf_pmu", { "cycles", "mem_bytes_rd", "mem_bytes_wr", NULL } },
	{ "nvidia_pcie_pmu", { "rd_bytes", "wr_bytes", NULL } },
	{ "nvidia_cmem_latency_pmu", { "cycles", "rd_req", "rd_cum_outs", NULL } },
	{ "smmuv3_pmcg", { "transaction", "tlb_miss", NULL } },
	{ "power", { "energy-pkg", "energy-ram", NULL } },
};

struct pmu_lines {
	FILE *out;
	struct access *acc;
};

static void
pmu_lines(void *ctx, const char *pmu)
{
	struct pmu_lines *p = ctx;

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		size_t n = strlen(asked[i].pmu);

		if (strncmp(pmu, asked[i].pmu, n) != 0 ||
		    (pmu[n] != '\0' && pmu[n] != '_'))
			continue;
		for (const char *const *e = asked[i].event; *e != NULL; e++)
			if (offers(p->acc, pmu, *e))
				fprintf(p->out, "optional event %s/%s/\n", pmu,
				    *e);
	}
}

static const char generic[] =
    "optional event cpu-cycles,instructions\n"
    "optional event cache-references,cache-misses\n"
    "optional event branches,branch-misses\n";

static void
counter_lines(FILE *out, const struct model *m, const struct cpu_id *cpu,
    struct access *acc)
{
	struct pmu_lines p = { out, acc };

	if (m->core == NULL || m->core->space == REG_PERF) {
		fputs("software on\n", out);
		if (m->core == NULL)
			fputs(generic, out);
		else
			kernel_core_lines(out, m, acc);
		access_list(acc, PMU_DIR, pmu_lines, &p);
		fputs(files, out);
		fputs(traffic, out);
		return;
	}
	fprintf(out, "# How busy, how fast.\n");
	scalar_lines(out, m, true);
	core_lines(out, m, cpu);
	fprintf(out, "# What it draws, and how hot it is.\n");
	scalar_lines(out, m, false);
	fputs(traffic, out);
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		fprintf(out, "# optional %s NAME event=0x..,umask=0x..       "
		    "(%u counters, of up to %u such boxes a package)\n",
		    b->name, b->counters, b->instances);
}

char *
default_any(const struct model *m, const struct cpu_id *cpu,
    struct access *acc, enum default_way way)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		return NULL;
	fprintf(out, "# Made of what this node has (" DEFAULT_ANY ").\n");
	if (way == DEFAULT_COUNTERS)
		counter_lines(out, m, cpu, acc);
	else {
		if (way == DEFAULT_SOFTWARE)
			fprintf(out, "# No counters here: what the kernel "
			    "counts by itself.\nsoftware on\n");
		fputs(files, out);
		fputs(traffic, out);
	}
	return fclose(out) == 0 ? text : NULL;
}
