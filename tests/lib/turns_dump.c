/*
 * tests/lib/turns_dump.c - a dump of two event sets that take turns, of which one counts.
 */
#include "tests/lib/turns_dump.h"

#include <stdio.h>

const char *
of_turns(unsigned odd, unsigned even)
{
	static char text[40000];
	unsigned sum = 0;
	size_t n = (size_t)sprintf(text, "host = \"n\"\nmodel = \"skx\"\n"
	    "TSC_ratio = 10\npackages = 1\nset_name[0] = \"a\"\n"
	    "set_name[1] = \"b\"\n"
	    "event_set[\"imc_counts\"][\"X\"] = \"a\"\n");

	for (unsigned i = 0; i <= 40; i++) {
		if (i % 2 == 1)
			sum += i % 4 == 1 ? odd : even;
		n += (size_t)sprintf(text + n, "tsc[%u] = %u000000000\n"
		    "walltime[0][%u] = %u\nwalltime[1][%u] = 0\n"
		    "set_enabled[\"a\"][%u] = %u000000000\n"
		    "set_running[\"a\"][%u] = %u000000000\n"
		    "imc_counts[0][0][\"X\"][%u] = %u\n", i, 100 + i, i,
		    1000 + i, i, i, i, i, (i + 1) / 2, i, sum);
	}
	return text;
}
