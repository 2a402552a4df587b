/*
 * tests/postproc/pages/test_plot.c - metrics over time as they are drawn.
 */
#include "tests/lib/files.h"
#include "tests/lib/tally_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"

/* Package energy so that power is 40 W, 40, 80 with one of 160, 40. */
static char *
steps(void)
{
	static const unsigned joule[] = { 40, 40, 80, 80, 160, 80, 40, 40 };
	char *text = calloc(1, 8000), *p = text;
	unsigned sum = 0;

	p += sprintf(p, "host = \"n\"\nmodel = \"skx\"\ninterval = 1.0\n"
	    "tsc_hz_nominal = 2000000000\nRAPL_PKG_ENERGY_UNIT = 0.5\n");
	for (unsigned i = 0; i <= 8; i++) {
		p += sprintf(p, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\nrapl_pkg_energy[0][%u] = %u\n", i,
		    1000 + i * 2000000000ull, i, 1700000000 + i, i, i, sum);
		sum += i < 8 ? 2 * joule[i] : 0;
	}
	return text;
}

static void
a_spike_stands_out(void **state)
{
	char *dump = steps();

	(void)state;
	unsetenv("LC_ALL");
	holds(said(EXIT_OK, cmd_plot, "plot -m package_power --ascii "
	    "--width 16 --height 4", dump),
	    "package_power in W, node\n"
	    "    160.00 |        ***     \n"
	    "           |    ***** ***   \n"
	    "           |*****       ****\n"
	    "      0.00 |                \n"
	    "           +0.0         8.0 s after the first sample\n");
	/* of one column all that is in it: from the least to the most */
	holds(said(EXIT_OK, cmd_plot, "plot -m package_power --ascii "
	    "--width 2 --height 4", dump),
	    "    160.00 | *\n"
	    "           |**\n"
	    "           |**\n"
	    "      0.00 |  \n");
	free(dump);
}

/* Of 8 s the last 3 are a point, as tally metrics has them; and so is 1 s of 5. */
static void
what_is_left_behind_whole_points_is_one(void **state)
{
	char *dump = steps();

	(void)state;
	holds(said(EXIT_OK, cmd_plot, "plot -m package_power --ascii --every 5 "
	    "--width 16 --height 2", dump),
	    "           +0.0         8.0 s after the first sample\n");
	holds(said(EXIT_OK, cmd_plot, "plot -m package_power --ascii --every 5 "
	    "-s -2 --width 2 --height 2", dump), "s after the first sample\n");
	free(dump);
}

static void
braille_has_eight_dots(void **state)
{
	char *dump = steps();

	(void)state;
	setenv("LC_ALL", "C.UTF-8", 1);
	holds(said(EXIT_OK, cmd_plot, "plot -m package_power --width 8 "
	    "--height 1", dump), "    160.00 |\xe2");
	unsetenv("LC_ALL");
	free(dump);
}

static void
what_cannot_be_drawn_says_why(void **state)
{
	char *dump = steps();

	(void)state;
	holds(complained(EXIT_UNUSABLE, cmd_plot, "plot -m nothing", dump),
	    "no metric \"nothing\" (");
	holds(complained(EXIT_UNUSABLE, cmd_plot, "plot -m package_power "
	    "-w 7", dump), "is not had of that scope and place");
	holds(complained(EXIT_USAGE, cmd_plot, "plot", dump),
	    "which metric?");
	holds(complained(EXIT_USAGE, cmd_plot, "plot -m ipc --width 0",
	    dump), "expected a number");
	holds(complained(EXIT_UNUSABLE, cmd_plot, "plot -m package_power "
	    "-s 3:3", dump), "makes no interval");
	holds(said(EXIT_OK, cmd_plot, "plot -m ipc --ascii", dump),
	    "ipc in inst/cycle, node (n/a in 8 of 8)\n  nothing to draw\n");
	free(dump);
}

static void
an_interval_without_a_value_is_a_gap(void **state)
{
	char path[512], words[800];

	(void)state;
	recording(path);
	snprintf(words, sizeof(words), "plot -m core_idle --ascii --width 29 "
	    "--height 2 %s", path);
	holds(said(EXIT_OK, cmd_plot, words, NULL), "(n/a in 12 of 29)\n");
}

/* An event of one IIO box, 4 million in each of three seconds, and clocks. */
static char *
lookups(void)
{
	char *text = calloc(1, 8000), *p = text;

	p += sprintf(p, "host = \"n\"\nmodel = \"icx\"\npackages = 1\n"
	    "interval = 1.0\ntsc_hz_nominal = 2000000000\n");
	for (unsigned i = 0; i <= 3; i++)
		p += sprintf(p, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n"
		    "iio_counts[0][2][\"IOMMU0.FIRST_LOOKUPS\"][%u] = %u\n"
		    "iio_counts[0][2][\"CLOCKTICKS\"][%u] = %u\n"
		    "irp_counts[0][2][\"CLOCKTICKS\"][%u] = %u\n", i,
		    1000 + i * 2000000000ull, i, 1700000000 + i, i, i,
		    i * 4000000, i, i * 500000000, i, i * 625000000);
	return text;
}

static void
an_event_is_drawn_and_printed_like_a_metric(void **state)
{
	char *dump = lookups();

	(void)state;
	holds(said(EXIT_OK, cmd_plot, "plot -m IOMMU0.FIRST_LOOKUPS -S box "
	    "--ascii --width 3 --height 3", dump),
	    "IOMMU0.FIRST_LOOKUPS in M/s, box 0/2\n"
	    "      6.00 |   \n"
	    "           |***\n"
	    "      2.00 |   \n");
	holds(said(EXIT_OK, cmd_metrics, "metrics -f csv -S package -m "
	    "IOMMU0.*", dump),
	    "n,IOMMU0.FIRST_LOOKUPS,package,0,4.0000,M/s,");
	/* two boxes have clocks */
	holds(said(EXIT_OK, cmd_metrics, "metrics -f csv -S package -m "
	    "irp/CLOCKTICKS", dump), "n,irp/CLOCKTICKS,package,0,625.0000,M/s,");
	holds(complained(EXIT_UNUSABLE, cmd_metrics, "metrics -m CLOCKTICKS",
	    dump), "did you mean iio/CLOCKTICKS");
	holds(said(EXIT_OK, cmd_page, "page --events IOMMU0.*", dump),
	    "\"name\":\"IOMMU0.FIRST_LOOKUPS\",\"unit\":\"M/s\"");
	lacks(said(EXIT_OK, cmd_page, "page", dump),
	    "\"name\":\"IOMMU0.FIRST_LOOKUPS\"");
	free(dump);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_spike_stands_out),
		cmocka_unit_test(what_is_left_behind_whole_points_is_one),
		cmocka_unit_test(braille_has_eight_dots),
		cmocka_unit_test(what_cannot_be_drawn_says_why),
		cmocka_unit_test(an_interval_without_a_value_is_a_gap),
		cmocka_unit_test(an_event_is_drawn_and_printed_like_a_metric),
	};

	return cmocka_run_group_tests_name("plot", tests, test_dir_new,
	    test_dir_free);
}
