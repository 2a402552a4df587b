/*
 * config/lang/default_any.c - a configuration made of what is there.
 */
#include "config/lang/default_any.h"

#include <stdio.h>
#include <string.h>

/* Files that a node may have, whatever its CPU; those of hwmon and the like have
 * texts of their own. */
static const char files[] =
    "# Files, on any node.\n"
    "optional read file=/sys/class/net/*/statistics/rx_bytes counter "
    "unit=bytes as net_rx\n"
    "optional read file=/sys/class/net/*/statistics/tx_bytes counter "
    "unit=bytes as net_tx\n"
    "optional read file=/proc/loadavg gauge as load\n"
    "optional read file=/sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq "
    "gauge scale=0.001 unit=MHz every 10 as cpu_frequency\n"
    "optional read file=/sys/class/powercap/intel-rapl:*/energy_uj counter "
    "scale=1e-6 unit=J as powercap_energy\n"
    "optional read file=/sys/class/hwmon/hwmon*/power*_input gauge scale=1e-6 "
    "unit=W as hwmon_power\n"
    "optional read file=/sys/class/hwmon/hwmon*/temp*_input gauge scale=0.001 "
    "unit=C every 10 as hwmon_temperature\n";

/* Does a fixed counter count this event of the architecture? */
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

/* As many events as there are counters, in the order of the model's list. */
static void
core_lines(FILE *out, const struct model *m, const struct cpu_id *cpu)
{
	unsigned left = cpu->gp_counters < m->core->counters ?
	    cpu->gp_counters : m->core->counters;

	if (m->fixed != NULL && cpu->fixed_counters > 0)
		fprintf(out, "optional core fixed\n");
	for (const struct event_name *e = m->core->event; e != NULL &&
	    e->name != NULL && left > 0; e++)
		if (!is_fixed(m, cpu, e)) {
			fprintf(out, "optional core %s\n", e->name);
			left--;
		}
}

static void
counter_lines(FILE *out, const struct model *m, const struct cpu_id *cpu)
{
	const struct scalar *s;

	for (unsigned n = 0; (s = model_scalar(m, n)) != NULL; n++)
		fprintf(out, "optional read %s\n", s->family);
	if (m->core != NULL)
		core_lines(out, m, cpu);
	for (const struct box_type *b = m->box; b->name != NULL; b++)
		fprintf(out, "# optional %s NAME event=0x..,umask=0x..       "
		    "(%u counters, of up to %u such boxes a package)\n",
		    b->name, b->counters, b->instances);
}

char *
default_any(const struct model *m, const struct cpu_id *cpu,
    enum default_way way)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		return NULL;
	fprintf(out, "# Made of what this node has (" DEFAULT_ANY ").\n");
	if (way == DEFAULT_COUNTERS)
		counter_lines(out, m, cpu);
	else {
		if (way == DEFAULT_SOFTWARE)
			fprintf(out, "# No counters here: what the kernel "
			    "counts by itself.\nsoftware on\n");
		fputs(files, out);
	}
	return fclose(out) == 0 ? text : NULL;
}
