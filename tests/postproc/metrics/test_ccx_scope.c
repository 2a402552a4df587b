/*
 * tests/postproc/metrics/test_ccx_scope.c - AMD's core complexes as a scope: what their cores count
 * and what their L3s do, and what of it is of wider and narrower units.
 */
#include "tests/lib/metric_of.h"
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#define LPROCS 8

static const char list[] =
    "metric g lproc \"M/s\" \"\" = aperf / time / 1e6\n"
    "metric n lproc \"\" \"\" = lprocs\n"
    "metric mean lproc \"M/s\" \"\" = avg(aperf) / time / 1e6\n"
    "metric busiest core \"M/s\" \"\" = max(g)\n"
    "metric misses ccx \"/s\" \"\" = l3[\"M\"] / time\n"
    "metric top ccx \"/s\" \"\" = max(misses)\n"
    "metric most package \"/s\" \"\" = max(misses)\n"
    "metric boxes package \"/s\" \"\" = max(l3[\"M\"]) / time\n"
    "metric per_cycle ccx \"\" \"\" = l3[\"M\"] / aperf * 1e6\n"
    "metric worst package \"\" \"\" = max(l3[\"M\"] / aperf) * 1e6\n"
    "metric own lproc \"/s\" \"\" = l3[\"M\"] / time\n"
    "metric by_box box \"/s\" \"\" = l3[\"M\"] / time\n"
    "metric watts package \"W\" \"\" = rapl_pkg_energy / time\n";

/*
 * A dump of two packages with four lprocs each, one a core, in which lproc l
 * counts 2^l M/s, package p 10 + p W and the L3 of complex c of package p 100 + 10
 * p + c /s.  ccx, die: of each lproc, a digit; '-': the dump has -1.  Complexes
 * are 0 and 2: 1 is offline.
 */
static const char *
dump_of(const char *ccx, const char *die)
{
	static char text[8000];
	size_t n = (size_t)sprintf(text, "host = \"n\"\nmodel = \"zen2\"\n"
	    "packages = 2\nnr_cpus = %d\nRAPL_PKG_ENERGY_UNIT = 1\n", LPROCS);

	for (unsigned l = 0; l < LPROCS; l++)
		n += (size_t)sprintf(text + n, "lproc_package[%u] = %u\n"
		    "lproc_thread[%u] = 0\nlproc_core[%u] = %u\n"
		    "lproc_ccx[%u] = %d\nlproc_die[%u] = %c\n"
		    "lproc_online[%u] = 1\n", l, l / 4, l, l, l % 4, l,
		    ccx[l] == '-' ? -1 : ccx[l] - '0', l, die[l], l);
	for (unsigned s = 0; s < 2; s++) {
		n += (size_t)sprintf(text + n, "tsc[%u] = %u000000000\n"
		    "walltime[0][%u] = %u\nwalltime[1][%u] = 0\n", s, s + 1, s,
		    s + 1, s);
		for (unsigned l = 0; l < LPROCS; l++)
			n += (size_t)sprintf(text + n, "aperf[%u][%u] = %llu\n",
			    l, s, s * (1000000ull << l));
		for (unsigned p = 0; p < 2; p++) {
			n += (size_t)sprintf(text + n, "rapl_pkg_energy[%u]"
			    "[%u] = %u\n", p, s, s * (10 + p));
			for (unsigned c = 0; c < 3; c += 2)
				n += (size_t)sprintf(text + n, "l3_counts[%u]"
				    "[%u][\"M\"][%u] = %u\n", p, c, s,
				    s * (100 + 10 * p + c));
		}
	}
	return text;
}

/* Does the table of those scopes hold all of these? */
#define FIGURES(scopes, dump, ...) metrics_table_has(__LINE__, list, scopes, \
	dump, (const char *const []){ __VA_ARGS__, NULL })

static void
a_complex_is_its_lprocs_and_its_own_l3(void **state)
{
	(void)state;
	FIGURES("ccx", dump_of("00220022", "00000000"),
	    "n,g,ccx,0/0,3.0000,M/s,0,,\r\n", "n,g,ccx,0/2,12.0000,M/s,0,,\r\n",
	    "n,g,ccx,1/0,48.0000,", "n,g,ccx,1/2,192.0000,", "n,n,ccx,1/2,2,",
	    "n,mean,ccx,0/2,6.0000,", "n,busiest,ccx,0/2,8.0000,",
	    "n,misses,ccx,0/0,100.0000,/s,0,,\r\n",
	    "n,misses,ccx,0/2,102.0000,", "n,misses,ccx,1/2,112.0000,",
	    /* 102 in 12 million cycles */
	    "n,per_cycle,ccx,0/2,8.5000,");
}

static void
wider_units_have_what_is_in_them(void **state)
{
	(void)state;
	FIGURES("package,node", dump_of("00220022", "00000000"),
	    "n,misses,package,0,202.0000,", "n,misses,package,1,222.0000,",
	    "n,misses,node,,424.0000,", "n,most,package,0,102.0000,",
	    "n,boxes,package,1,112.0000,",
	    /* 202 in 15 million; the complex that has most: 100 in 3 */
	    "n,per_cycle,package,0,13.4667,", "n,worst,package,0,33.3333,");
	/* dies that are parts of a package have the L3s that are on them */
	FIGURES("die", dump_of("00220022", "00110011"),
	    "n,misses,die,0/0,100.0000,", "n,misses,die,0/1,102.0000,",
	    "n,misses,die,1/1,112.0000,", "n,top,die,1/1,112.0000,");
}

/* An lproc sees its complex's L3; a box is what it is everywhere. */
static void
narrower_units_see_their_own_l3(void **state)
{
	(void)state;
	FIGURES("lproc,box", dump_of("00220022", "00000000"),
	    "n,own,lproc,1,100.0000,", "n,own,lproc,2,102.0000,",
	    "n,own,lproc,7,112.0000,", "n,by_box,box,0/2,102.0000,",
	    "n,by_box,box,1/0,110.0000,");
}

static void
lprocs_of_no_complex_and_what_is_of_packages_are_of_none(void **state)
{
	char *text;
	char words[300];

	(void)state;
	FIGURES("ccx", dump_of("-0220022", "00000000"),
	    "n,g,ccx,0/0,2.0000,", "n,n,ccx,0/0,1,");
	snprintf(words, sizeof words, "metrics -f csv -S ccx -M %s",
	    test_put("list.metrics", list));
	text = said(EXIT_OK, cmd_metrics, words, dump_of("00220022",
	    "00000000"));
	assert_null(strstr(text, "watts"));
	assert_null(strstr(text, "by_box"));
	free(text);
}

/* One second of a complex, by the events of its generation. */
static const char *
dump_of_l3(const char *model, const char *const event[][2])
{
	static char text[3000];
	size_t n = (size_t)sprintf(text, "host = \"n\"\nmodel = \"%s\"\n"
	    "packages = 1\nnr_cpus = 1\nlproc_package[0] = 0\n"
	    "lproc_thread[0] = 0\nlproc_core[0] = 0\nlproc_ccx[0] = 0\n"
	    "lproc_die[0] = 0\nlproc_online[0] = 1\n", model);

	for (unsigned s = 0; s < 2; s++) {
		n += (size_t)sprintf(text + n, "tsc[%u] = %u000000000\n"
		    "walltime[0][%u] = %u\nwalltime[1][%u] = 0\n"
		    "core_counts[0][\"instr_retired\"][%u] = %s\n", s, s + 1,
		    s, s + 1, s, s, s == 0 ? "0" : "4000000000");
		for (unsigned i = 0; event[i][0] != NULL; i++)
			n += (size_t)sprintf(text + n, "l3_counts[0][0][\"%s\"]"
			    "[%u] = %s\n", event[i][0], s, s == 0 ? "0" :
			    event[i][1]);
	}
	return text;
}

static void
holds_figures(const char *dump, const char *const *figure)
{
	char *text = said(EXIT_OK, cmd_metrics, "metrics -f csv -S ccx", dump);

	for (; *figure != NULL; figure++)
		if (strstr(text, *figure) == NULL)
			fail_msg("no %s in\n%s", *figure, text);
	free(text);
}

static void
metrics_of_an_l3_are_as_the_reference_has_them(void **state)
{
	static const char *const zen2[][2] = {
		{ "l3_lookups", "200000000" }, { "l3_misses", "50000000" },
		{ "l3_fill_latency16", "700000000" },
		{ "l3_fill_requests", "40000000" }, { NULL, NULL }
	}, *const zen4[][2] = {
		{ "l3_lookups", "200000000" }, { "l3_misses", "50000000" },
		{ "l3_lat10_all", "45000000" }, { "l3_latreq_all", "1000000" },
		{ "l3_lat10_dram_far", "7200000" },
		{ "l3_latreq_dram_far", "80000" }, { NULL, NULL }
	};
	char *text;

	(void)state;
	holds_figures(dump_of_l3("zen2", zen2), (const char *const []){
	    "n,l3_lookups,ccx,0/0,200.0000,M/s,", "n,l3_miss_rate,ccx,0/0,"
	    "50.0000,M/s,", "n,l3_miss_ratio,ccx,0/0,25.0000,%,",
	    "n,l3_hit_ratio,ccx,0/0,75.0000,%,",
	    /* 50 million in 4000; 64 bytes each; 16 * 700 / 40 */
	    "n,l3_misses,ccx,0/0,12.5000,/kinst,",
	    "n,l3_miss_volume,ccx,0/0,3.2000,GB/s,",
	    "n,l3_miss_latency,ccx,0/0,280.0000,cycles,", NULL });
	holds_figures(dump_of_l3("zen4", zen4), (const char *const []){
	    "n,l3_miss_ratio,ccx,0/0,25.0000,%,",
	    "n,l3_miss_latency,ccx,0/0,450.0000,cyc or ns,",
	    "n,l3_miss_latency_dram_far,ccx,0/0,900.0000,cyc or ns,", NULL });
	text = said(EXIT_OK, cmd_report, "report", dump_of_l3("zen2", zen2));
	if (strstr(text, "\nCaches ") == NULL ||
	    strstr(text, "  L3 misses, of all requests  %             25.0\n")
	    == NULL || strstr(text, "  L3, latency of a miss       cycles     "
	    "    280\n") == NULL)
		fail_msg("%s", text);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_complex_is_its_lprocs_and_its_own_l3),
		cmocka_unit_test(wider_units_have_what_is_in_them),
		cmocka_unit_test(narrower_units_see_their_own_l3),
		cmocka_unit_test(
		    lprocs_of_no_complex_and_what_is_of_packages_are_of_none),
		cmocka_unit_test(
		    metrics_of_an_l3_are_as_the_reference_has_them),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
