/*
 * tests/postproc/pages/test_page_roofline.c - FLOPs, and the roofline of a page: ceilings, points and
 * what is left out, by hand.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#define HEAD(model) "host = \"n\"\nmodel = \"" model "\"\nTSC_ratio = 10\n" \
	"packages = 1\nnr_cpus = 1\nlproc_package[0] = 0\n" \
	"lproc_online[0] = 1\nlproc_core[0] = 0\n"
#define SECOND(i) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n"
#define FP(name, i, n) "core_counts[0][\"FP_ARITH_INST_RETIRED." name "\"][" \
	#i "] = " #n "\n"

/* 1 GHz; of AVX-512 in double precision so many instructions, lines of 64 bytes. */
#define ROW(i, fp, lines, clock) SECOND(i) \
	"aperf[0][" #i "] = " #i "000000000\nmperf[0][" #i "] = " #i \
	"000000000\n" FP("SCALAR_DOUBLE", i, 0) \
	FP("128B_PACKED_DOUBLE", i, 0) FP("256B_PACKED_DOUBLE", i, 0) \
	FP("512B_PACKED_DOUBLE", i, fp) \
	"imc_counts[0][0][\"CAS_COUNT.RD\"][" #i "] = " #lines "\n" \
	"imc_counts[0][0][\"CAS_COUNT.WR\"][" #i "] = 0\n" clock(i)
#define NO_CLOCK(i)
#define CLOCK(i) "imc_counts[0][0][\"CLOCKTICKS\"][" #i "] = " #i "000000000\n"
/* 8 GFLOP/s and 4 GB/s, then 4 and 8: together 6 and 6 */
#define TWO_SECONDS(clock) ROW(0, 0, 0, clock) \
	ROW(1, 1000000000, 62500000, clock) ROW(2, 1500000000, 187500000, clock)

static const char measured[] = HEAD("skx") "dram_max_bandwidth = 12000000000\n"
    TWO_SECONDS(CLOCK);
static const char computed[] = HEAD("skx") TWO_SECONDS(CLOCK);
static const char clockless[] = HEAD("skx") TWO_SECONDS(NO_CLOCK);

/* The section of a page that it is in. */
static char *
roofline_of(const char *dump)
{
	char *text = said(EXIT_OK, cmd_page, "page", dump), *from, *to, *part;

	from = strstr(text, "<section aria-labelledby=\"h-roof\">");
	assert_non_null(from);
	to = strstr(from, "</section>");
	assert_non_null(to);
	*to = '\0';
	part = strdup(from);
	assert_non_null(part);
	free(text);
	return part;
}

static void
an_instruction_is_as_many_flops_as_it_is_wide(void **state)
{
	static const char eight[] = HEAD("skx") SECOND(0)
	    FP("SCALAR_DOUBLE", 0, 0) FP("SCALAR_SINGLE", 0, 0)
	    FP("128B_PACKED_DOUBLE", 0, 0) FP("128B_PACKED_SINGLE", 0, 0)
	    FP("256B_PACKED_DOUBLE", 0, 0) FP("256B_PACKED_SINGLE", 0, 0)
	    FP("512B_PACKED_DOUBLE", 0, 0) FP("512B_PACKED_SINGLE", 0, 0)
	    SECOND(1)
	    FP("SCALAR_DOUBLE", 1, 1000000000)
	    FP("SCALAR_SINGLE", 1, 2000000000)
	    FP("128B_PACKED_DOUBLE", 1, 3000000000)
	    FP("128B_PACKED_SINGLE", 1, 4000000000)
	    FP("256B_PACKED_DOUBLE", 1, 5000000000)
	    FP("256B_PACKED_SINGLE", 1, 6000000000)
	    FP("512B_PACKED_DOUBLE", 1, 7000000000)
	    FP("512B_PACKED_SINGLE", 1, 8000000000);
	char *text = said(EXIT_OK, cmd_metrics, "metrics -f csv -S node",
	    eight);

	(void)state;
	/* 1 + 2 x 3 + 4 x 5 + 8 x 7; 2 + 4 x 4 + 8 x 6 + 16 x 8 */
	assert_non_null(strstr(text, "flops,node,,277.0000,GFLOP/s,"));
	assert_non_null(strstr(text, "flops_double,node,,83.0000,GFLOP/s,"));
	holds(text, "flops_single,node,,194.0000,GFLOP/s,");
}

static void
five_events_of_two_widths_do_where_they_are_those(void **state)
{
#define FIVE(umask) HEAD("icx") "core_counts_control[0][\"FP_ARITH_INST_" \
	"RETIRED.8_FLOPS\"] = 0x0043" umask "c7\n" SECOND(0) \
	FP("SCALAR", 0, 0) FP("128B_PACKED_DOUBLE", 0, 0) \
	FP("4_FLOPS", 0, 0) FP("8_FLOPS", 0, 0) \
	FP("512B_PACKED_SINGLE", 0, 0) SECOND(1) \
	FP("SCALAR", 1, 1000000000) FP("128B_PACKED_DOUBLE", 1, 2000000000) \
	FP("4_FLOPS", 1, 3000000000) FP("8_FLOPS", 1, 4000000000) \
	FP("512B_PACKED_SINGLE", 1, 5000000000)

	(void)state;
	/* 1 + 2 x 2 + 4 x 3 + 8 x 4 + 16 x 5 */
	holds(said(EXIT_OK, cmd_metrics, "metrics -f csv -S node",
	    FIVE("60")), "flops,node,,129.0000,GFLOP/s,");
	/* Intel's list of Skylake-SP has 4_FLOPS' umask for it */
	lacks(said(EXIT_OK, cmd_metrics, "metrics -f csv -S node",
	    FIVE("18")), "flops,node");
}

static void
a_roof_is_what_was_measured_before_what_is_computed(void **state)
{
	char *text = roofline_of(measured);

	(void)state;
	/* at 1 FLOP/byte DRAM is enough for 12 GFLOP/s */
	assert_non_null(strstr(text, "<tr><th scope=\"row\">All samples</th>"
	    "<td class=\"n\">1</td><td class=\"n\">6</td><td class=\"n\">12"
	    "</td><td class=\"n\">50</td></tr>"));
	assert_non_null(strstr(text, "<th scope=\"row\">DRAM</th>"
	    "<td class=\"n\">12</td><td class=\"unit\">GB/s</td>"
	    "<td class=\"note\">measured: "));
	assert_non_null(strstr(text, "<th scope=\"row\">DRAM</th>"
	    "<td class=\"n\">16</td><td class=\"unit\">GB/s</td>"
	    "<td class=\"note\">probed: 16 bytes a clock"));
	lacks(text, "left out");
}

/* What the site says is before what is computed, and a table's is not higher. */
static void
a_roof_is_what_the_site_gives(void **state)
{
	char *text = roofline_of(HEAD("skx") "peak_dram = 14000000000\n"
	    "peak_dram_source = \"STREAM\"\npeak_flops = 20000000000\n"
	    "peak_flops_source = \"HPL\"\n" TWO_SECONDS(CLOCK));

	(void)state;
	assert_non_null(strstr(text, "<th scope=\"row\">DRAM</th>"
	    "<td class=\"n\">14</td><td class=\"unit\">GB/s</td>"
	    "<td class=\"note\">given: STREAM</td>"));
	assert_non_null(strstr(text, "<th scope=\"row\">Cores</th>"
	    "<td class=\"n\">20</td><td class=\"unit\">GFLOP/s</td>"
	    "<td class=\"note\">given: HPL</td>"));
	assert_non_null(strstr(text, "<td class=\"note\">table: of FMA"));
	/* 6 of the 14 that 1 FLOP/byte allows */
	holds(text, "<td class=\"n\">1</td><td class=\"n\">6</td>"
	    "<td class=\"n\">14</td><td class=\"n\">42.86</td></tr>");
}

static void
cores_can_do_their_width_at_their_clock(void **state)
{
	char *text = roofline_of(computed);

	(void)state;
	/* one core at 1 GHz: 4, 16 and 32 a cycle */
	assert_non_null(strstr(text, "Scalar</th><td class=\"n\">4</td>"));
	assert_non_null(strstr(text, "AVX2</th><td class=\"n\">16"
	    "</td>"));
	assert_non_null(strstr(text, "AVX-512</th><td class=\"n\">"
	    "32</td>"));
	/* 16 GB/s computed: 6 of 16 */
	assert_non_null(strstr(text, "<td class=\"n\">16</td><td class=\"n\">"
	    "37.5</td></tr>"));
	holds(text, "<li>DRAM, measured: not in the dump; tallyd "
	    "--measure-dram-bandwidth measures it at start.</li>");
}

static void
a_ceiling_without_its_facts_is_left_out_and_why(void **state)
{
	char *text = roofline_of(clockless);

	(void)state;
	assert_non_null(strstr(text, "<li>DRAM, computed: the dump lacks "
	    "imc[&quot;CLOCKTICKS&quot;].</li>"));
	assert_null(strstr(text, "GB/s, probed</text>"));
	/* nor is there a bound */
	holds(text, "<td class=\"n\">1</td><td class=\"n\">6</td><td "
	    "class=\"n\">n/a</td><td class=\"n\">n/a</td></tr>");
}

static void
points_stand_where_their_logarithms_do(void **state)
{
	char *text = roofline_of(measured);

	(void)state;
	assert_non_null(strstr(text, "data-x0=\"-1\" data-x1=\"1\" "
	    "data-y0=\"0\" data-y1=\"2\""));
	/* 2 FLOP/byte: 48 + 412 (1 + 0.30103) / 2; 8 GFLOP/s: 26 +
	 * 254 (2 - 0.90309) / 2 */
	assert_non_null(strstr(text, "<circle class=\"h0\" data-b=\"0\" "
	    "cx=\"316.0\" cy=\"165.3\" r=\"3.5\"/>"));
	/* 0.5 and 4 */
	holds(text, "<circle class=\"h3\" data-b=\"1\" cx=\"192.0\" "
	    "cy=\"203.5\" r=\"3.5\"/>");
}

static void
who_computes_nothing_has_no_point(void **state)
{
	static const char idle[] = HEAD("skx") ROW(0, 0, 0, CLOCK)
	    ROW(1, 0, 62500000, CLOCK) ROW(2, 0, 187500000, CLOCK);
	char *text = roofline_of(idle);

	(void)state;
	assert_non_null(strstr(text, "2 of 2 buckets have no point"));
	assert_null(strstr(text, "<circle"));
	assert_null(strstr(text, "nan"));
	lacks(text, "inf");
}

static void
without_flops_a_line_says_what_to_count(void **state)
{
	(void)state;
	holds(roofline_of(HEAD("skx") SECOND(0) "mperf[0][0] = 1\n" SECOND(1)
	    "mperf[0][1] = 2\n"), "No roofline: floating-point operations or "
	    "bytes of DRAM were not counted; tallyd --config @flops-skx.conf "
	    "counts them.</p>");
	holds(roofline_of(HEAD("hsx") SECOND(0) "mperf[0][0] = 1\n" SECOND(1)
	    "mperf[0][1] = 2\n"), "No roofline: this CPU has no event that "
	    "counts floating-point operations, or none that tally knows.</p>");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_instruction_is_as_many_flops_as_it_is_wide),
		cmocka_unit_test(
		    five_events_of_two_widths_do_where_they_are_those),
		cmocka_unit_test(
		    a_roof_is_what_was_measured_before_what_is_computed),
		cmocka_unit_test(a_roof_is_what_the_site_gives),
		cmocka_unit_test(cores_can_do_their_width_at_their_clock),
		cmocka_unit_test(
		    a_ceiling_without_its_facts_is_left_out_and_why),
		cmocka_unit_test(points_stand_where_their_logarithms_do),
		cmocka_unit_test(who_computes_nothing_has_no_point),
		cmocka_unit_test(without_flops_a_line_says_what_to_count),
	};

	return cmocka_run_group_tests_name("page_roofline", tests,
	    test_dir_new, test_dir_free);
}
