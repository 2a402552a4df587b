/*
 * postproc/live/base_unit.c - units of metrics in base units.
 */
#include "postproc/live/base_unit.h"

#include <string.h>

static const struct base_unit units[] = {
	{ "GB/s", 1e9, "bytes_per_second", "bytes" },
	{ "MB/s", 1e6, "bytes_per_second", "bytes" },
	{ "W", 1, "watts", NULL },         /* energy is a metric of its own */
	{ "G/s", 1e9, "per_second", "" },
	{ "M/s", 1e6, "per_second", "" },
	{ "MT/s", 1e6, "per_second", "" },
	{ "/s", 1, "per_second", "" },
	{ "GFLOP/s", 1e9, "flops_per_second", "flops" },
	{ "Mcycles/s", 1e6, "cycles_per_second", "cycles" },
	{ "GHz", 1e9, "hertz", NULL },
	{ "MHz", 1e6, "hertz", NULL },
	{ "Hz", 1, "hertz", NULL },
	{ "%", 0.01, "ratio", NULL },
	{ "ratio", 1, "ratio", NULL },
	{ "ns", 1e-9, "seconds", NULL },
	{ "s", 1, "seconds", NULL },
	{ "C", 1, "celsius", NULL },
	{ "J", 1, "joules", NULL },
	{ "/kinst", 0.001, "per_instruction", NULL },
	{ "inst/cycle", 1, "instructions_per_cycle", NULL },
	{ "cycles", 1, "cycles", NULL },
};
static const struct base_unit number = { "", 1, "", NULL };

const struct base_unit *
base_unit(const char *unit)
{
	for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].unit, unit) == 0)
			return &units[i];
	return &number;
}
