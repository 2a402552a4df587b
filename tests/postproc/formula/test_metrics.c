/*
 * tests/postproc/formula/test_metrics.c - the language of metrics, on a node that fits here.
 */
#include "tests/lib/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postproc/metrics/gather.h"

/*
 * 2 packages of 2 cores of 2 threads; lproc 6 is offline, and core 1 of package
 * 1 has lproc 7 alone.  TSC 1 GHz, three samples, one second apart.
 */
static const char head[] =
"TSC_ratio = 10\nnr_cpus = 8\nPROCHOT = 90\n"
"lproc_package[0] = 0\nlproc_package[1] = 1\nlproc_package[2] = 0\n"
"lproc_package[3] = 1\nlproc_package[4] = 0\nlproc_package[5] = 1\n"
"lproc_package[6] = -1\nlproc_package[7] = 1\n"
"lproc_core[0] = 0\nlproc_core[1] = 0\nlproc_core[2] = 8\n"
"lproc_core[3] = 8\nlproc_core[4] = 0\nlproc_core[5] = 0\n"
"lproc_core[6] = -1\nlproc_core[7] = 8\n"
"lproc_thread[0] = 0\nlproc_thread[1] = 0\nlproc_thread[2] = 0\n"
"lproc_thread[3] = 0\nlproc_thread[4] = 1\nlproc_thread[5] = 1\n"
"lproc_thread[6] = -1\nlproc_thread[7] = 1\n"
"io_stack_name[0][0] = \"PCIe0\"\nio_stack_name[0][1] = \"MCP\"\n";

struct rig {
	char path[512];
	struct metrics metrics;
	struct gather gather;
	struct diag why;
	unsigned bound[64];
	const struct sums *sums;
};

static void
sample(FILE *f, unsigned i)
{
	fprintf(f, "tsc[%u] = %u000000000\n", i, 5 + i);
	fprintf(f, "walltime[0][%u] = %u\nwalltime[1][%u] = 0\n", i, 1000 + i, i);
	for (unsigned l = 0; l < 8; l++) {
		if (l == 6)
			continue;
		/* lproc l runs (l + 1) * 100 ms a second, at 2 a tick */
		fprintf(f, "mperf[%u][%u] = %u\n", l, i, i * (l + 1) * 100000000);
		fprintf(f, "aperf[%u][%u] = %u\n", l, i, i * (l + 1) * 200000000);
		fprintf(f, "lproc_tsc[%u][%u] = %u000000000\n", l, i, 6 + i);
		fprintf(f, "core_counts[%u][\"LOADS\"][%u] = %u\n", l, i,
		    7 + i * (l + 1));
		/* lproc 2 is taken over in sample 2: 100 in the first second */
		fprintf(f, "core_fixed_counts[%u][\"Inst_Retired.Any\"][%u] = "
		    "%llu\n", l, i, l == 2 && i == 2 ? 5ull :
		    100000000000000ull + i * 100);
	}
	for (unsigned p = 0; p < 2; p++) {
		fprintf(f, "pkg_temperature[%u][%u] = %u\n", p, i,
		    40 + 10 * p + i);
		fprintf(f, "pkg_core_perf_limit_reasons[%u][%u] = 0x%x\n", p, i,
		    p == 0 && i == 1 ? 0x402 : 0x2);
		fprintf(f, "rapl_pkg_energy[%u][%u] = %u\n", p, i,
		    4294967200u + (i * 100 + p * 50 * i));
		for (unsigned b = 0; b < 3; b++) {
			fprintf(f, "imc_counts[%u][%u][\"CAS_COUNT.READS\"][%u]"
			    " = %u\n", p, b, i, i * 1000 * (p * 3 + b + 1));
			fprintf(f, "imc_counts[%u][%u][\"ACT.ALL\"][%u] = 9\n",
			    p, b, i);
		}
		fprintf(f, "iio_A_port0_in_bytes[%u][%u] = %u\n", p, i, i * 4);
		fprintf(f, "iio_B_port2_in_bytes[%u][%u] = %u\n", p, i,
		    i * 40 * p);
		for (unsigned b = 0; b < 3; b++)
			fprintf(f, "iio_counts[%u][%u][\"W\"][%u] = %u\n", p,
			    b, i, i * 500 * (p * 3 + b + 1));
	}
}

static void
rig_open(struct rig *r, const char *text)
{
	FILE *f;

	memset(r, 0, sizeof *r);
	f = temp_file(r->path);
	fputs(head, f);
	for (unsigned i = 0; i < 3; i++)
		sample(f, i);
	fclose(f);
	assert_int_equal(metrics_init(&r->metrics), 0);
	if (metrics_parse(&r->metrics, "t.metrics", text, strlen(text),
	    &r->why) < 0 ||
	    gather_open(&r->gather, r->path, &r->metrics, NULL, NULL,
	    &r->why) < 0)
		fail_msg("%s", r->why.text);
	for (unsigned i = 0; i < r->metrics.n; i++)
		if (binding_add(&r->gather.binding, &r->metrics.metric[i],
		    &r->bound[i], &r->why) < 0)
			return;
	assert_int_equal(gather_all(&r->gather, &r->why), 0);
	r->sums = gather_sums(&r->gather);
}

static void
rig_close(struct rig *r)
{
	gather_close(&r->gather);
	metrics_fini(&r->metrics);
	unlink(r->path);
}

static struct figure
figure(struct rig *r, enum scope scope, unsigned n)
{
	struct window w;

	assert_true(n < binding_windows(&r->gather.binding, r->bound[0],
	    scope));
	assert_true(binding_window(&r->gather.binding, r->bound[0], scope, n,
	    &w));
	return binding_eval(&r->gather.binding, r->bound[0], &w, r->sums);
}

#define M "metric x "
#define U " \"u\" \"d\" = "

static void
a_metric_has_the_value_of_its_scope(void **state)
{
	static const struct {
		int line;
		const char *text;
		enum scope scope;
		unsigned n;
		double value;
	} t[] = {
		/* two seconds; lproc l: (l + 1) * 100 ms in each */
		{ __LINE__, M "lproc" U "mperf", SCOPE_OF_LPROC, 3, 8e8 },
		{ __LINE__, M "lproc" U "mperf / tsc", SCOPE_OF_LPROC, 3, .4 },
		/* core 0 of package 0: lprocs 0 and 4; core 8 of 0: 2 alone */
		{ __LINE__, M "lproc" U "mperf", SCOPE_OF_CORE, 0, 12e8 },
		{ __LINE__, M "lproc" U "mperf", SCOPE_OF_CORE, 1, 6e8 },
		{ __LINE__, M "lproc" U "mperf", SCOPE_OF_CORE, 2, 16e8 },
		{ __LINE__, M "lproc" U "mperf", SCOPE_OF_PACKAGE, 0, 18e8 },
		{ __LINE__, M "lproc" U "mperf", SCOPE_OF_PACKAGE, 1, 40e8 },
		{ __LINE__, M "lproc" U "mperf", SCOPE_OF_NODE, 0, 58e8 },
		{ __LINE__, M "lproc" U "aperf / mperf", SCOPE_OF_NODE, 0, 2 },
		{ __LINE__, M "lproc" U "mperf / (tsc * lprocs)",
		    SCOPE_OF_PACKAGE, 0, .3 },
		{ __LINE__, M "lproc" U "mperf / (tsc * lprocs)",
		    SCOPE_OF_NODE, 0, 29e8 / 7e9 },
		{ __LINE__, M "node" U "lprocs * 100 + cores * 10 + packages",
		    SCOPE_OF_NODE, 0, 742 },
		{ __LINE__, M "package" U "cores * 10 + packages",
		    SCOPE_OF_PACKAGE, 1, 21 },
		{ __LINE__, M "node" U "time * 1000 + intervals", SCOPE_OF_NODE,
		    0, 2002 },
		/* stacks count 1000 to 6000; the head names two */
		{ __LINE__, M "box" U "iio[\"W\"]", SCOPE_OF_NODE, 0, 21000 },
		{ __LINE__, M "box" U "boxes(\"PCIe*\", iio[\"W\"])",
		    SCOPE_OF_PACKAGE, 0, 4000 },
		{ __LINE__, M "box" U "boxes(\"MCP\", iio[\"W\"])",
		    SCOPE_OF_PACKAGE, 0, 2000 },
		{ __LINE__, M "box" U "boxes(\"PCIe*\", iio[\"W\"])",
		    SCOPE_OF_PACKAGE, 1, 15000 },
		{ __LINE__, M "box" U "boxes(\"PCIe*\", iio[\"W\"]) / "
		    "iio[\"W\"]", SCOPE_OF_PACKAGE, 0, 4.0 / 6 },
		{ __LINE__, M "box" U "boxes(\"PCIe*\", iio[\"W\"])",
		    SCOPE_OF_BOX, 0, 1000 },
		{ __LINE__, M "package" U "count(boxes(\"PCIe*\", "
		    "iio[\"W\"]))", SCOPE_OF_PACKAGE, 0, 2 },
		/* of other boxes no name is known */
		{ __LINE__, M "box" U "boxes(\"PCIe*\", "
		    "imc[\"CAS_COUNT.READS\"])", SCOPE_OF_PACKAGE, 0, 12000 },
		{ __LINE__, M "box" U "boxes(\"B*\", \"iio_*_in_bytes\")",
		    SCOPE_OF_NODE, 0, 80 },
		{ __LINE__, M "node" U "tsc_hz", SCOPE_OF_NODE, 0, 1e9 },
		{ __LINE__, M "node" U "threads_per_core", SCOPE_OF_NODE, 0, 2 },
		{ __LINE__, M "core" U "thread(0, mperf)", SCOPE_OF_CORE, 0,
		    2e8 },
		{ __LINE__, M "core" U "thread(1, mperf)", SCOPE_OF_CORE, 0,
		    10e8 },
		{ __LINE__, M "core" U "thread(1, mperf)", SCOPE_OF_NODE, 0,
		    (5 + 6 + 8) * 2e8 },
		{ __LINE__, M "node" U "thread(1, lprocs)", SCOPE_OF_NODE, 0,
		    3 },
		/* explicit folds: lprocs, of the node and of a package */
		{ __LINE__, M "node" U "max(mperf)", SCOPE_OF_NODE, 0, 16e8 },
		{ __LINE__, M "package" U "max(mperf)", SCOPE_OF_PACKAGE, 0,
		    10e8 },
		{ __LINE__, M "node" U "min(mperf / tsc)", SCOPE_OF_NODE, 0,
		    .1 },
		{ __LINE__, M "node" U "count(mperf)", SCOPE_OF_NODE, 0, 7 },
		{ __LINE__, M "node" U "thread(0, count(mperf))", SCOPE_OF_NODE,
		    0, 4 },
		{ __LINE__, M "node" U "avg(mperf)", SCOPE_OF_NODE, 0,
		    58e8 / 7 },
		/* boxes: (p * 3 + b + 1) * 1000 a second */
		{ __LINE__, M "box" U "imc[\"CAS_COUNT.READS\"]", SCOPE_OF_BOX,
		    4, 10000 },
		{ __LINE__, M "box" U "imc_counts[\"CAS_COUNT.READS\"]",
		    SCOPE_OF_PACKAGE, 1, 30000 },
		{ __LINE__, M "box" U "imc[\"CAS_COUNT.READS\"]", SCOPE_OF_NODE,
		    0, 42000 },
		{ __LINE__, M "package" U "max(imc[\"CAS_COUNT.READS\"])",
		    SCOPE_OF_PACKAGE, 0, 6000 },
		{ __LINE__, M "box" U "imc[\"CAS_COUNT.*\"]", SCOPE_OF_BOX, 0,
		    2000 },
		{ __LINE__, M "node" U "UNC_M_DUMMY", SCOPE_OF_NODE, 0, NAN },
		{ __LINE__, "event \"CAS_COUNT.RD\" \"CAS_COUNT.READS\"\n" M
		    "node" U "\"UNC_M_CAS_COUNT.RD\"", SCOPE_OF_NODE, 0,
		    42000 },
		{ __LINE__, "event \"INST_RETIRED.ANY\" \"Inst_Retired.Any\"\n"
		    M "lproc" U "core[\"INST_RETIRED.ANY\"]", SCOPE_OF_LPROC,
		    0, 200 },
		{ __LINE__, M "lproc" U "core[\"LOADS\"]", SCOPE_OF_LPROC, 4,
		    10 },
		/* the stamps at which the lprocs were read */
		{ __LINE__, M "lproc" U "mperf / lproc_tsc", SCOPE_OF_PACKAGE,
		    0, .3 },
		{ __LINE__, M "box" U "\"iio_*_in_bytes\"", SCOPE_OF_BOX, 3,
		    80 },
		{ __LINE__, M "box" U "\"iio_*_in_bytes\"", SCOPE_OF_NODE, 0,
		    96 },
		/* an lproc's view of its package's energy */
		{ __LINE__, M "lproc" U "rapl_pkg_energy", SCOPE_OF_LPROC, 7,
		    300 },
		/* readings: samples 1 and 2 close the intervals */
		{ __LINE__, M "package" U "pkg_temperature", SCOPE_OF_PACKAGE,
		    0, 41.5 },
		{ __LINE__, M "package" U "pkg_temperature", SCOPE_OF_NODE, 0,
		    46.5 },
		{ __LINE__, M "package" U "max(pkg_temperature)", SCOPE_OF_NODE,
		    0, 51.5 },
		{ __LINE__, M "package" U "PROCHOT - pkg_temperature",
		    SCOPE_OF_PACKAGE, 1, 38.5 },
		{ __LINE__, M "package" U "bit(pkg_core_perf_limit_reasons, 10)",
		    SCOPE_OF_PACKAGE, 0, .5 },
		{ __LINE__, M "package" U "bit(pkg_core_perf_limit_reasons, 10)",
		    SCOPE_OF_PACKAGE, 1, 0 },
		{ __LINE__, M "package" U "bit(pkg_core_perf_limit_reasons, 1)",
		    SCOPE_OF_NODE, 0, 1 },
		/* wraps at 2^32 */
		{ __LINE__, M "package" U "rapl_pkg_energy", SCOPE_OF_PACKAGE,
		    0, 200 },
		/* ACT.ALL stands still */
		{ __LINE__, M "box" U "imc[\"CAS_COUNT.READS\"] / "
		    "imc[\"ACT.ALL\"]", SCOPE_OF_NODE, 0, NAN },
		/* what is known beforehand */
		{ __LINE__, M "node" U "nothing if threads_per_core == 1 else 7",
		    SCOPE_OF_NODE, 0, 7 },
		{ __LINE__, M "node" U "first(nothing, tsc * nothing, 5) + 1",
		    SCOPE_OF_NODE, 0, 6 },
		{ __LINE__, M "node" U "if(tsc > 1, 1, 2) + 3", SCOPE_OF_NODE,
		    0, 4 },
		{ __LINE__, M "node" U "if(tsc < 1, 1, 2) + 3 + if(1, 4, 5)",
		    SCOPE_OF_NODE, 0, 9 },
		{ __LINE__, M "node" U "(1 if tsc < 1 else 0) if tsc else 9",
		    SCOPE_OF_NODE, 0, 0 },
		{ __LINE__, M "node" U "1 if (1 if tsc < 1 else 0) else 9",
		    SCOPE_OF_NODE, 0, 9 },
		/* another metric, at this one's scope; its units in a fold */
		{ __LINE__, M "lproc" U "y * 2\nmetric y lproc \"\" \"\" = mperf",
		    SCOPE_OF_PACKAGE, 0, 36e8 },
		{ __LINE__, M "node" U "max(y)\nmetric y core \"\" \"\" = mperf",
		    SCOPE_OF_NODE, 0, 24e8 },
		{ __LINE__, M "node" U "min(y)\nmetric y package \"\" \"\" = "
		    "mperf", SCOPE_OF_NODE, 0, 18e8 },
		/* inside itself its name is the column's */
		{ __LINE__, "metric mperf lproc \"\" \"\" = mperf / 2",
		    SCOPE_OF_LPROC, 0, 1e8 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct rig r;
		double v;

		rig_open(&r, t[i].text);
		if (r.why.text[0] != '\0')
			fail_msg("line %d: %s", t[i].line, r.why.text);
		v = figure(&r, t[i].scope, t[i].n).value;
		if (isnan(t[i].value) ? !isnan(v) :
		    !(fabs(v - t[i].value) <= 1e-9 * fabs(t[i].value)))
			fail_msg("line %d: %s is %.12g, not %g", t[i].line,
			    t[i].text, v, t[i].value);
		rig_close(&r);
	}
}

static void
an_input_that_is_not_there_is_named(void **state)
{
	struct rig r;
	const struct bound *b;

	(void)state;
	rig_open(&r, M "box" U "imc[\"WRITES\"] / rapl_dram_energy + tsc + "
	    "imc[\"WRITES\"]");
	b = &r.gather.binding.bound[r.bound[0]];
	assert_int_equal(b->nmissing, 2);
	assert_string_equal(b->missing[0], "imc[\"WRITES\"]");
	assert_string_equal(b->missing[1], "rapl_dram_energy");
	assert_true(isnan(figure(&r, SCOPE_OF_NODE, 0).value));
	rig_close(&r);
}

static void
a_reset_is_left_out_said_and_does_not_lower_the_rate(void **state)
{
	struct figure f;
	struct rig r;

	(void)state;
	/* lproc 2: 100 in the one second that is known, 100 a second */
	rig_open(&r, M "lproc" U "core[\"Inst_Retired.Any\"] / time");
	f = figure(&r, SCOPE_OF_LPROC, 2);
	assert_true(fabs(f.value - 100) < 1e-9);
	assert_int_equal(f.left_out, 1);
	f = figure(&r, SCOPE_OF_LPROC, 3);
	assert_true(fabs(f.value - 100) < 1e-9);
	assert_int_equal(f.left_out, 0);
	f = figure(&r, SCOPE_OF_NODE, 0);
	assert_true(fabs(f.value - 700) < 1e-6);
	assert_int_equal(f.left_out, 1);
	rig_close(&r);
	/* a total is what was counted, and no more */
	rig_open(&r, M "lproc" U "total(core[\"Inst_Retired.Any\"]) + "
	    "0 * core[\"Inst_Retired.Any\"]");
	f = figure(&r, SCOPE_OF_LPROC, 2);
	assert_true(f.value == 100);
	assert_int_equal(f.left_out, 1);        /* once, though used twice */
	rig_close(&r);
}

static void
a_value_out_of_its_range_is_flagged(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, "metric x lproc \"\" \"\" range -1 1.5 = mperf / 4e8");
	assert_false(figure(&r, SCOPE_OF_LPROC, 2).wrong);
	assert_true(figure(&r, SCOPE_OF_LPROC, 3).wrong);
	rig_close(&r);
}

static void
a_share_of_all_is_no_more_than_that_by_what_clocks_are_apart(void **state)
{
	static const struct { int line; const char *rest; double is; bool wrong; }
	t[] = {
		{ __LINE__, "\"%\" \"\" range 0 101 = 100.0002", 100, false },
		{ __LINE__, "\"%\" \"\" range 0 100 = 100.0002", 100, false },
		{ __LINE__, "\"%\" \"\" range -1 100 = -0.0002", 0, false },
		{ __LINE__, "\"%\" \"\" range 0 101 = 100.02", 100.02, false },
		{ __LINE__, "\"%\" \"\" range 0 100 = 100.02", 100.02, true },
		{ __LINE__, "\"%\" \"\" range 0 100 = -0.02", -0.02, true },
		{ __LINE__, "\"%\" \"\" range 0 200 = 100.0002", 100.0002, false },
		{ __LINE__, "\"W\" \"\" range 0 101 = 100.0002", 100.0002, false },
		{ __LINE__, "\"%\" \"\" = 100.0002", 100.0002, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char text[200];
		struct figure f;
		struct rig r;

		snprintf(text, sizeof(text), "metric x node %s + 0 * time",
		    t[i].rest);
		rig_open(&r, text);
		f = figure(&r, SCOPE_OF_NODE, 0);
		if (fabs(f.value - t[i].is) > 1e-9 || f.wrong != t[i].wrong)
			fail_msg("line %d: %.9g%s", t[i].line, f.value,
			    f.wrong ? ", wrong" : "");
		rig_close(&r);
	}
}

/* The first input that a metric of skx.metrics misses in a dump, "" where none
 * is missing; the dump's lines have % where the number of the sample goes. */
static const char *
skx_misses(const char *metric, const char *lines, char *buf, size_t size)
{
	struct metrics m;
	struct gather g;
	struct diag why = { "" };
	const struct bound *b;
	unsigned at;
	char path[512], *line, *copy, *save;
	FILE *f;

	f = temp_file(path);
	fputs(head, f);
	for (unsigned i = 0; i < 2; i++) {
		fprintf(f, "tsc[%u] = %u000000000\n", i, 5 + i);
		assert_non_null(copy = strdup(lines));
		for (line = strtok_r(copy, "\n", &save); line != NULL;
		    line = strtok_r(NULL, "\n", &save)) {
			char *k = strchr(line, '%');

			if (k == NULL && i == 0)
				fprintf(f, "%s\n", line);
			else if (k != NULL)
				fprintf(f, "%.*s%u%s\n", (int)(k - line), line,
				    i, k + 1);
		}
		free(copy);
	}
	fclose(f);
	assert_int_equal(metrics_init(&m), 0);
	if (metrics_load(&m, "@skx", &why) < 0 ||
	    gather_open(&g, path, &m, NULL, NULL, &why) < 0 ||
	    binding_add(&g.binding, metrics_find(&m, metric), &at, &why) < 0)
		fail_msg("%s", why.text);
	b = &g.binding.bound[at];
	snprintf(buf, size, "%s", b->nmissing > 0 ? b->missing[0] : "");
	gather_close(&g);
	metrics_fini(&m);
	unlink(path);
	return buf;
}

#define IMC(e) "imc_counts[0][0][\"" e "\"][%] = 5\n"

static void
activates_for_writes_are_not_all_activates(void **state)
{
	char buf[128];

	(void)state;
	assert_string_equal(skx_misses("page_hit", IMC("CAS_COUNT.RD")
	    IMC("CAS_COUNT.WR") IMC("ACT_COUNT.RD") IMC("ACT_COUNT.WR"), buf,
	    sizeof buf), "imc[\"ACT_COUNT.ALL\"]");
	assert_string_equal(skx_misses("page_hit", IMC("CAS_COUNT.READS")
	    IMC("CAS_COUNT.WRITES") IMC("ACT.ALL"), buf, sizeof buf), "");
}

#define XCLK(e) "core_counts[0][\"" e "\"][%] = 5\n"
#define XCLK_CONTROL(v) \
	"core_counts_control[0][\"CPU_CLK_UNHALTED.REF_XCLK\"] = " v "\n"

static void
the_crystal_of_one_thread_is_not_that_of_its_core(void **state)
{
	static const struct { int line; const char *lines, *misses; } t[] = {
		/* as the original tool records it, which tells no control */
		{ __LINE__, XCLK("CPU_CLK_UNHALTED.REF_XCLK"), "" },
		{ __LINE__, XCLK_CONTROL("0x0063013c")
		    XCLK("CPU_CLK_UNHALTED.REF_XCLK"), "" },
		{ __LINE__, XCLK_CONTROL("0x0043013c")
		    XCLK("CPU_CLK_UNHALTED.REF_XCLK"),
		    "core[\"CPU_CLK_UNHALTED.REF_XCLK_ANY\"]" },
		{ __LINE__, XCLK_CONTROL("0x0043013c")
		    XCLK("CPU_CLK_UNHALTED.REF_XCLK")
		    XCLK("CPU_CLK_UNHALTED.REF_XCLK_ANY"), "" },
	};
	char buf[128];

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++)
		if (strcmp(skx_misses("core_busy", t[i].lines, buf,
		    sizeof buf), t[i].misses) != 0)
			fail_msg("line %d: misses \"%s\"", t[i].line, buf);
}

static void
windows_are_named_as_the_dump_numbers_them(void **state)
{
	static const struct {
		enum scope scope;
		unsigned n;
		const char *name;
	} t[] = {
		{ SCOPE_OF_CORE, 3, "1/8" }, { SCOPE_OF_LPROC, 7, "7" },
		{ SCOPE_OF_PACKAGE, 1, "1" }, { SCOPE_OF_NODE, 0, "" },
	};
	struct rig r;
	struct window w;
	char name[64];

	(void)state;
	rig_open(&r, M "lproc" U "mperf");
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		assert_true(binding_window(&r.gather.binding, r.bound[0],
		    t[i].scope, t[i].n, &w));
		window_name(&r.gather.binding, &w, name, sizeof name);
		assert_string_equal(name, t[i].name);
	}
	assert_false(binding_window(&r.gather.binding, r.bound[0],
	    SCOPE_OF_LPROC, 6, &w));    /* offline */
	rig_close(&r);
	rig_open(&r, M "box" U "\"iio_*_in_bytes\"");
	assert_true(binding_window(&r.gather.binding, r.bound[0], SCOPE_OF_BOX,
	    3, &w));
	window_name(&r.gather.binding, &w, name, sizeof name);
	assert_string_equal(name, "1/B_port2");
	rig_close(&r);
}

static void
a_metric_defined_by_itself_is_an_error(void **state)
{
	struct rig r;

	(void)state;
	rig_open(&r, M "node" U "y + 1\nmetric y node \"\" \"\" =\n  x");
	assert_string_equal(r.why.text, "t.metrics:3:3: metric x is defined by "
	    "itself");
	rig_close(&r);
}

static void
metrics_that_double_each_other_end_in_an_error(void **state)
{
	char text[2048] = "metric a node \"\" \"\" = tsc + tsc\n";
	struct rig r;

	(void)state;
	for (char c = 'b'; c <= 'z'; c++)
		sprintf(text + strlen(text), "metric %c node \"\" \"\" = "
		    "%c+%c+%c+%c+%c+%c\n", c, c - 1, c - 1, c - 1, c - 1,
		    c - 1, c - 1);
	rig_open(&r, text);
	assert_non_null(strstr(r.why.text, "with all that they use"));
	rig_close(&r);
}

static void
a_mistake_in_a_file_has_its_place(void **state)
{
	static const struct { int line; const char *text, *say; } t[] = {
		{ __LINE__, "metrik", "f:1:1: `metric` or `event` expected" },
		{ __LINE__, "metric", "f:1:7: the metric's name" },
		{ __LINE__, "metric x cpu", "f:1:10: a scope expected (lproc" },
		{ __LINE__, "metric x node u", "f:1:15: the unit, in quotes" },
		{ __LINE__, M "node" U "1 1", "f:1:27: an operator or the end" },
		{ __LINE__, M "node" U "\nmetric y", "f:1:24: a number" },
		{ __LINE__, M "node" U "1\n" M "node" U "2",
		    "f:2:8: a second metric of that name (the first is on "
		    "line 1" },
		{ __LINE__, "event x", "f:1:7: the name of an event" },
		{ __LINE__, "event \"1\" \"2\" \"3\" \"4\" \"5\" \"6\" \"7\" "
		    "\"8\" \"9\" \"10\" \"11\" \"12\" \"13\" \"14\" "
		    "\"15\" \"16\" \"17\"", "f:1:78: at most 16 names of" },
		{ __LINE__, "event \"x\" \"y\" bits", "f:1:19: bits of a" },
		{ __LINE__, "event \"x\" bits 1 \"y\"",
		    "f:1:18: the end of the statement" },
		{ __LINE__, "metric x node \"\" \"\" range 1 = 1",
		    "f:1:29: a number expected (range" },
		{ __LINE__, "metric x node \"\" \"\" range 5 1 = 1",
		    "f:1:27: a range that runs backwards, at '5'" },
		{ __LINE__, " " M, "f:1:10: a scope" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct metrics m;
		struct diag why = { "" };

		assert_int_equal(metrics_init(&m), 0);
		assert_true(metrics_parse(&m, "f", t[i].text,
		    strlen(t[i].text), &why) < 0);
		if (strncmp(why.text, t[i].say, strlen(t[i].say)) != 0)
			fail_msg("line %d: %s", t[i].line, why.text);
		metrics_fini(&m);
	}
}

static void
topologies_by_rule_and_by_file(void **state)
{
	struct lproc_place p[8];
	struct diag why;

	(void)state;
	assert_int_equal(topology_rule(p, 8, 2, "block", &why), 0);
	assert_int_equal(p[1].pkg, 0);
	assert_int_equal(p[2].pkg, 1);
	assert_int_equal(p[5].pkg, 0);
	assert_int_equal(p[5].core, 1);
	assert_int_equal(p[5].thread, 1);
	assert_int_equal(topology_rule(p, 8, 2, "interleaved", &why), 0);
	assert_int_equal(p[1].pkg, 1);
	assert_int_equal(p[2].pkg, 0);
	assert_int_equal(p[2].core, 1);
	assert_true(topology_rule(p, 7, 2, "block", &why) < 0);
	assert_true(topology_rule(p, 8, 2, "/no/such", &why) < 0);
	assert_int_equal(topology_rule(p, 1, 2, test_put("places", "0 1 0\n"),
	    &why), 0);
	assert_int_equal(p[0].pkg, 1);
	assert_true(topology_rule(p, 2, 2, test_put("places", "0 1 0\n"),
	    &why) < 0);
#define PARSE(words) topology_parse(p, 2, 2, &(struct text){ "t", words, \
	&(words)[strlen(words)] }, &why)
	assert_int_equal(PARSE("# a\n0 1 0\n1,0,3,1\n"), 0);
	assert_int_equal(p[0].pkg, 1);
	assert_int_equal(p[1].core, 3);
	assert_true(PARSE("0 1 0\n") < 0);
	assert_string_equal(why.text, "t: lproc 1 is not there; the dump has 2");
	assert_true(PARSE("0 1 0\n0 1 0\n") < 0);
	assert_string_equal(why.text, "t:2: lproc 0 again");
	assert_true(PARSE("0 2 0\n") < 0);
	assert_true(PARSE("0 x\n") < 0);
	assert_true(PARSE("0 1 2 3 4\n") < 0);
	assert_true(PARSE("99999999999999999999 1 2\n") < 0);
}

static void
an_lproc_of_a_package_that_is_not_there_has_no_place(void **state)
{
	const struct lproc_place p[] = {
		{ .pkg = 1 }, { .pkg = -1 }, { .pkg = 2 }, { .pkg = 0 },
	};
	struct topology t;
	struct diag why;

	(void)state;
	assert_int_equal(topology_init(&t, p, 4, 2, &why), 0);
	assert_int_equal(t.nlproc, 2);
	assert_int_equal(t.rank_of[0], 1);
	assert_int_equal(t.rank_of[1], NO_RANK);
	assert_int_equal(t.rank_of[2], NO_RANK);
	assert_int_equal(t.rank_of[3], 0);
	topology_fini(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_metric_has_the_value_of_its_scope),
		cmocka_unit_test(an_input_that_is_not_there_is_named),
		cmocka_unit_test(
		    a_reset_is_left_out_said_and_does_not_lower_the_rate),
		cmocka_unit_test(a_value_out_of_its_range_is_flagged),
		cmocka_unit_test(
		    a_share_of_all_is_no_more_than_that_by_what_clocks_are_apart),
		cmocka_unit_test(activates_for_writes_are_not_all_activates),
		cmocka_unit_test(
		    the_crystal_of_one_thread_is_not_that_of_its_core),
		cmocka_unit_test(windows_are_named_as_the_dump_numbers_them),
		cmocka_unit_test(a_metric_defined_by_itself_is_an_error),
		cmocka_unit_test(metrics_that_double_each_other_end_in_an_error),
		cmocka_unit_test(a_mistake_in_a_file_has_its_place),
		cmocka_unit_test(topologies_by_rule_and_by_file),
		cmocka_unit_test(
		    an_lproc_of_a_package_that_is_not_there_has_no_place),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
