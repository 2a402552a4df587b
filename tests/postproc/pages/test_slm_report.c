/*
 * tests/postproc/pages/test_slm_report.c - the pages of an Atom C2000: what its SoC counters
 * saw, of whichever groups a dump has.  Counts are worked out by hand.
 */
#include "tests/lib/tally_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"

/* What a command shows of a C2000 whose SoC counters count so many 10^6 a second:
 * "Mod0_Read64B=20\n...".  format NULL: it has one alone. */
static const char *
shown(int (*cmd)(int, char **), const char *name, const char *model,
    const char *events, const char *format)
{
	static char *page;
	char *dump = NULL, words[64];
	size_t size;
	FILE *f = open_memstream(&dump, &size);

	assert_non_null(f);
	fprintf(f, "host = \"s\"\nmodel = \"%s\"\nnr_cpus = 4\npackages = 1\n"
	    "soc_mux_source = \"site\"\nsoc_site_source = \"a trace\"\n"
	    "dram_base_hz = 800000000\n", model);
	for (unsigned l = 0; l < 4; l++)
		fprintf(f, "lproc_package[%u] = 0\nlproc_core[%u] = %u\n"
		    "lproc_thread[%u] = 0\nlproc_module[%u] = %u\n", l, l, l,
		    l, l, l & ~1u);
	for (unsigned s = 0; s < 3; s++) {
		fprintf(f, "tsc[%u] = %u\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", s, s * 1000000000, s, 1000 + s, s);
		for (const char *e = events; *e != '\0';
		    e += strcspn(e, "\n") + 1)
			fprintf(f, "soc_counts[\"%.*s\"][%u] = %llu\n",
			    (int)strcspn(e, "="), e, s, s * 1000000ull *
			    strtoull(e + strcspn(e, "=") + 1, NULL, 10));
	}
	fclose(f);
	snprintf(words, sizeof(words), "%s%s%s", name, format != NULL ?
	    " -f " : "", format != NULL ? format : "");
	free(page);
	page = said(-1, cmd, words, dump);
	free(dump);
	return page;
}

static const char *
report(const char *model, const char *events, const char *format)
{
	return shown(cmd_report, "report", model, events, format);
}

/* 1 x 32 + 20 x 64, 2 x 32 + 8 x 64; of 22 and 11 requests 1 and 1 are
 * neither. */
#define MODULE "Mod0_ReadPartial=22\nMod0_Read32B=1\nMod0_Read64B=20\n" \
	"Mod0_WritePartial=11\nMod0_Write32B=2\nMod0_Write64B=8\n" \
	"Clock_Counter=400\n"

static void
the_report_of_a_modules_group_has_its_figures(void **state)
{
	const char *page = report("slm", MODULE, "text");

	(void)state;
	text_has(page, "\nSoC counters           read  written     both read 32B read "
	    "64B  wr. 32B  wr. 64B  part.rd  part.wr\n");
	text_has(page, "     MB/s      M/s      M/s\n"
	    "  module 0           1312.0    576.0   1888.0     32.0   1280.0   "
	    "  64.0    512.0    1.000    1.000\n"
	    "  SoC clock                    400.0 MHz\n");
	text_has(page, "part.: requests of less than 32 bytes");
	text_has(page, "  muxes: site: a trace\n");
	text_lacks(page, "module 1");
	text_lacks(page, "channel");
	text_lacks(page, "snoops");
	text_lacks(page, "about");
	text_lacks(page, "that lack lprocs");
}

static void
what_the_groups_have_not_in_common_is_left_open(void **state)
{
	const char *page = report("slm", "DDR_Chan0_Read32B=0\n"
	    "DDR_Chan0_Read64B=10\nDDR_Chan0_Write32B=0\n"
	    "DDR_Chan0_Write64B=5\nDDR_Chan1_Read32B=0\nDDR_Chan1_Read64B=0\n"
	    "DDR_Chan1_Write32B=0\nDDR_Chan1_Write64B=0\n"
	    "HighSpeedPF_Reqs=3\nMod1_Snoop_Reqs=7\nMod1_Snoop_Replies=6\n"
	    "DDR_Chan0_Self_Refresh=80\n", "text");

	(void)state;
	text_has(page, "\n  memory, in all      640.0    320.0    960.0 ");
	text_has(page, "\n  channel 0           640.0    320.0    960.0 ");
	text_has(page, "\n  channel 1             0.0      0.0      0.0 ");
	text_has(page, "\n  module 1                -        -        -    7.000    "
	    "6.000        -        -\n");
	text_has(page, "\n  high-speed fabric       -        -        -        -    "
	    "    -    3.000    192.0\n");
	text_has(page, "\n  channel 0 in self-refresh     10.0 %, of a DRAM clock of "
	    "800 MHz as configured\n");
	text_has(page, "channel 1 is 0 where one channel alone is fitted");
	text_has(page, "about: 64 bytes a request");
	text_has(page, "tally metrics has requests of 32 and of 64 bytes apart");
	text_lacks(page, "read 32B");
}

static void
a_dump_without_soc_counters_has_no_such_page(void **state)
{
	(void)state;
	text_lacks(report("slm", "", "text"), "SoC counters");
	text_lacks(report("skx", MODULE, "text"), "SoC counters");
	text_has(report("slm", "DDR_Chan1_Self_Refresh=40\n", "text"),
	    "\nSoC counters\n  channel 1 in self-refresh      5.0 %");
}

static void
the_rows_of_a_table_say_it_in_words(void **state)
{
	const char *rows = report("slm", MODULE, "csv");

	(void)state;
	text_has(rows, "\ns,SoC: Module 0: both ways,mod0,node,,1888.0000,MB/s,0,");
	text_has(rows, "\ns,SoC: Module 0: reads smaller than 32 bytes,"
	    "mod0_partial_reads,node,,1.0000,M/s,0,the Partial event is a "
	    "total: 32 and 64 bytes taken off");
}

/* Two modules of two cores by the head; what is not counted is no "n/a". */
static void
the_platform_has_modules_fabrics_and_channels(void **state)
{
	const char *page = shown(cmd_platform, "platform", "slm", MODULE
	    "HighSpeedPF_Reqs=3\nMod1_Snoop_Reqs=7\nMod1_Snoop_Replies=6\n"
	    "DDR_Chan1_Read32B=0\nDDR_Chan1_Read64B=40\n"
	    "DDR_Chan1_Write32B=0\nDDR_Chan1_Write64B=60\n"
	    "DDR_Chan1_Self_Refresh=80\n", NULL);

	(void)state;
	text_has(page, "| Module 0 lprocs 0 1 read  1312.0 write   576.0 MB/s   ");
	text_has(page, "| Module 1 lprocs 2 3 snoops    7.00 M/s   ");
	text_has(page, "| High-speed fabric   about   192.0 MB/s requests    3.00 "
	    "M/s ");
	text_has(page, "| Low-speed fabric    not counted ");
	text_has(page, "| Channel 0           not counted ");
	/* 6,400 of two times 8 bytes of 800 MHz */
	text_has(page, "| Channel 1           read  2560.0 write  3840.0 MB/s "
	    "[#####.....]  50.0 % self-refresh    10.0 %  |\n");
	text_has(page, "of 12800 MB/s each, by dram_base_hz as configured");
	text_lacks(page, "Module 2");
	text_lacks(page, "UPI");
	text_lacks(page, "I/O");
	text_lacks(page, "DRAM");
	for (const char *l = strchr(page, '+'); l != NULL && *l != '\0';
	    l += strcspn(l, "\n") + 1)
		if ((*l == '|' || *l == '+') && strcspn(l, "\n") != 100)
			fail_msg("%.*s", (int)strcspn(l, "\n"), l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_report_of_a_modules_group_has_its_figures),
		cmocka_unit_test(
		    what_the_groups_have_not_in_common_is_left_open),
		cmocka_unit_test(a_dump_without_soc_counters_has_no_such_page),
		cmocka_unit_test(the_platform_has_modules_fabrics_and_channels),
		cmocka_unit_test(the_rows_of_a_table_say_it_in_words),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
