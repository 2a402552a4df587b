/*
 * tests/postproc/metrics/test_scopes.c - dies and NUMA nodes as scopes: sub-NUMA clusters that take
 * the cores of a package in turn, nodes of several packages, dies whose cores
 * have the same numbers, and what is known of whole packages alone.
 */
#include "tests/lib/metric_of.h"
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#define LPROCS 8

static const char list[] =
    "metric g lproc \"M/s\" \"\" = aperf / time / 1e6\n"
    "metric n lproc \"\" \"\" = lprocs\n"
    "metric c lproc \"\" \"\" = cores\n"
    "metric mean lproc \"M/s\" \"\" = avg(aperf) / time / 1e6\n"
    "metric busiest core \"M/s\" \"\" = max(g)\n"
    "metric first_ones core \"M/s\" \"\" = thread(0, aperf) / time / 1e6\n"
    "metric watts package \"W\" \"\" = rapl_pkg_energy / time\n"
    "metric reads box \"/s\" \"\" = imc[\"R\"] / time\n"
    "metric numa_g numa \"M/s\" \"\" = aperf / time / 1e6\n"
    "metric top package \"M/s\" \"\" = max(numa_g)\n"
    "metric by_package lproc \"\" \"\" = rapl_pkg_energy / time\n";

/*
 * A dump of two packages with four lprocs each, one a core, in which lproc l
 * counts 2^l M/s and package p 10 + p W.  numa, die, core: of each lproc, a
 * digit; '-': the dump has -1.
 */
static const char *
dump_of(const char *numa, const char *die, const char *core)
{
	static char text[6000];
	size_t n = (size_t)sprintf(text, "host = \"n\"\nmodel = \"skx\"\n"
	    "TSC_ratio = 10\npackages = 2\nnr_cpus = %d\n", LPROCS);

	for (unsigned l = 0; l < LPROCS; l++) {
		const struct { const char *name, *digits; } of[] = {
			{ "node", numa }, { "die", die }, { "core", core },
		};

		n += (size_t)sprintf(text + n, "lproc_package[%u] = %u\n"
		    "lproc_thread[%u] = 0\n", l, l / 4, l);
		for (unsigned i = 0; i < 3; i++)
			if (of[i].digits != NULL)
				n += (size_t)sprintf(text + n,
				    "lproc_%s[%u] = %d\n", of[i].name, l,
				    of[i].digits[l] == '-' ? -1 :
				    of[i].digits[l] - '0');
	}
	for (unsigned s = 0; s < 2; s++) {
		n += (size_t)sprintf(text + n, "tsc[%u] = %u000000000\n"
		    "walltime[0][%u] = %u\nwalltime[1][%u] = 0\n", s, s + 1, s,
		    s + 1, s);
		for (unsigned l = 0; l < LPROCS; l++)
			n += (size_t)sprintf(text + n, "aperf[%u][%u] = %llu\n",
			    l, s, s * (1000000ull << l));
		for (unsigned p = 0; p < 2; p++)
			n += (size_t)sprintf(text + n, "rapl_pkg_energy[%u]"
			    "[%u] = %u\nimc_counts[%u][0][\"R\"][%u] = %u\n",
			    p, s, s * (10 + p), p, s, s * (100 + p));
	}
	return text;
}

/* Does the table of those scopes hold all of these? */
#define FIGURES(scopes, dump, ...) metrics_table_has(__LINE__, list, scopes, \
	dump, (const char *const []){ __VA_ARGS__, NULL })

static void
a_cluster_is_its_lprocs_wherever_their_cores_are(void **state)
{
	(void)state;
	FIGURES("numa", dump_of("01012323", "00000000", "01230123"),
	    "n,g,numa,0,5.0000,M/s,0,,\r\n", "n,g,numa,1,10.0000,M/s,0,,\r\n",
	    "n,g,numa,2,80.0000,", "n,g,numa,3,160.0000,",
	    "n,n,numa,1,2,", "n,c,numa,1,2,",
	    "n,mean,numa,1,5.0000,", "n,busiest,numa,1,8.0000,",
	    "n,busiest,numa,0,4.0000,", "n,first_ones,numa,2,80.0000,");
	FIGURES("numa,package,node", dump_of("01012323", NULL, "01230123"),
	    "n,numa_g,numa,3,160.0000,", "n,numa_g,package,1,240.0000,",
	    "n,top,package,0,10.0000,", "n,top,package,1,160.0000,",
	    "n,top,node,,160.0000,");
}

static void
what_is_of_whole_packages_is_no_clusters(void **state)
{
	static const char why[] = "counted for whole packages: what of it is "
	    "this part's is not known";
	char row[200];

	(void)state;
	snprintf(row, sizeof row, "n,watts,numa,1,,W,0,%s,\r\n", why);
	FIGURES("numa", dump_of("01012323", NULL, "01230123"), row);
	snprintf(row, sizeof row, "n,reads,numa,2,,/s,0,%s,\r\n", why);
	FIGURES("numa", dump_of("01012323", NULL, "01230123"), row,
	    /* seen from an lproc, and so from some of them, it is its package's */
	    "n,by_package,numa,1,10,", "n,by_package,numa,2,11,");
}

static void
a_numa_node_that_is_a_package_has_its_boxes(void **state)
{
	(void)state;
	FIGURES("numa,die", dump_of("00001111", "00000000", "01230123"),
	    "n,g,numa,1,240.0000,", "n,watts,numa,0,10.0000,",
	    "n,watts,numa,1,11.0000,", "n,reads,numa,1,101.0000,",
	    "n,watts,die,1/0,11.0000,", "n,g,die,0/0,15.0000,");
	/* all memory in turn: one NUMA node has both packages */
	FIGURES("numa", dump_of("00000000", NULL, "01230123"),
	    "n,g,numa,0,255.0000,", "n,watts,numa,0,21.0000,",
	    "n,reads,numa,0,201.0000,");
}

static void
a_numa_node_may_have_parts_of_two_packages(void **state)
{
	(void)state;
	FIGURES("numa", dump_of("00110011", NULL, "01230123"),
	    "n,g,numa,0,51.0000,", "n,g,numa,1,204.0000,", "n,n,numa,1,4,",
	    "n,busiest,numa,0,32.0000,", "n,watts,numa,0,,W,0,counted for");
}

static void
who_is_in_no_known_node_is_in_none(void **state)
{
	char *text, words[500];

	(void)state;
	FIGURES("numa", dump_of("000-1111", NULL, "01230123"),
	    "n,g,numa,0,7.0000,", "n,watts,numa,0,,W,0,counted for",
	    "n,g,numa,1,240.0000,", "n,watts,numa,1,11.0000,");
	snprintf(words, sizeof words, "metrics -S numa -M %s",
	    test_put("list.metrics", list));
	text = complained(EXIT_UNUSABLE, cmd_metrics, words, dump_of(NULL, NULL,
	    "01230123"));
	holds(text, "dump: g is given for --scope lproc,core,package,node\n");
}

static void
dies_may_number_their_cores_alike(void **state)
{
	(void)state;
	FIGURES("die,core,package", dump_of(NULL, "00110011", "01010101"),
	    "n,g,die,0/0,3.0000,", "n,g,die,0/1,12.0000,",
	    "n,g,die,1/0,48.0000,", "n,c,die,1/1,2,", "n,c,package,1,4,",
	    "n,g,core,1/1,128.0000,", "n,watts,die,1/1,,W,0,counted for");
}

static void
a_histogram_and_the_report_have_them(void **state)
{
	char words[500], *text;

	(void)state;
	snprintf(words, sizeof words, "histogram -f csv -n 1 -m g -S numa -w 3 "
	    "-M %s", test_put("list.metrics", list));
	holds(said(EXIT_OK, cmd_histogram, words, dump_of("01012323", NULL,
	    "01230123")), "n,g,numa,3,0.0000,160.0000,M/s,1.000,100.00,");
	text = said(EXIT_OK, cmd_report, "report", dump_of("01012323", NULL,
	    "01230123"));
	lacks(text, "dies");
	holds(said(EXIT_OK, cmd_report, "report", dump_of("01012323", NULL,
	    "01230123")), "8 lprocs, 4 NUMA nodes\n");
	lacks(said(EXIT_OK, cmd_report, "report", dump_of("00001111",
	    "00000000", "01230123")), "NUMA");
}

/* Clusters of two, and dies of two, of a simulated node: instructions by the
 * rates of skx-8160-2s.machine, 12 cores a cluster. */
static void
a_simulated_node_with_sub_numa_clusters(void **state)
{
	char tallyd[512], command[1200], *text;

	(void)state;
	snprintf(command, sizeof command, "{ %s --print @skx-8160-2s; echo "
	    "nodes 2; echo dies 2; } >%s/snc && %s -q --sim %s/snc "
	    "--virtual-time -n 4 --overwrite -o %s/dump",
	    built("tallyd", tallyd), test_dir, tallyd, test_dir, test_dir);
	assert_int_equal(system(command), 0);
	snprintf(command, sizeof command, "%s/dump", test_dir);
	text = file_text(command, NULL);
	assert_non_null(strstr(text, "\nlproc_node[11] = 0\n"));
	assert_non_null(strstr(text, "\nlproc_node[12] = 1\n"));
	assert_non_null(strstr(text, "\nlproc_node[95] = 3\n"));
	assert_non_null(strstr(text, "\nlproc_die[95] = 1\n"));
	free(text);
	snprintf(command, sizeof command, "metrics -f csv -S numa,die -m "
	    "instructions,dram_bandwidth %s/dump", test_dir);
	text = said(EXIT_OK, cmd_metrics, command, NULL);
	holds(strdup(text), "c591-803,instructions,numa,0,0.009436,G/s,0,,\r\n");
	holds(strdup(text), "c591-803,instructions,die,1/1,0.002242,");
	holds(text, "c591-803,dram_bandwidth,numa,3,,GB/s,0,counted for");
	snprintf(command, sizeof command, "report %s/dump", test_dir);
	text = said(EXIT_OK, cmd_report, command, NULL);
	holds(strdup(text), "96 lprocs, 4 dies, 4 NUMA nodes\n");
	holds(strdup(text), "\nDies   ");
	holds(text, "\n  3     package 1    24 lprocs ");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_cluster_is_its_lprocs_wherever_their_cores_are),
		cmocka_unit_test(what_is_of_whole_packages_is_no_clusters),
		cmocka_unit_test(a_numa_node_that_is_a_package_has_its_boxes),
		cmocka_unit_test(a_numa_node_may_have_parts_of_two_packages),
		cmocka_unit_test(who_is_in_no_known_node_is_in_none),
		cmocka_unit_test(dies_may_number_their_cores_alike),
		cmocka_unit_test(a_histogram_and_the_report_have_them),
		cmocka_unit_test(a_simulated_node_with_sub_numa_clusters),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
