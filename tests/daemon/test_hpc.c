/*
 * tests/daemon/test_hpc.c - @hpc-MODEL on the simulated nodes: the figures that people
 * look for first, worked out by hand from the rates of the machine files.
 */
#include "tests/lib/tally_command.h"
#include "tests/lib/rig.h"

#include "config/eventlist.h"
#include "config/lang/events.h"

#include <stdlib.h>
#include <string.h>

/*
 * What lproc 0 (to which the machine files add no step) counts a second while it
 * works:
 *
 * skx  STREAM: 4 slots a cycle of the core, of two threads: 4 x 2550e6 / 2 = 5100e6;
 *      310e6 uops retire, 330e6 are issued, 90e6 slots are not delivered, 4 x 1e6 / 2
 *      lost to recovery.  Loads: 57e6 hit the L1, 10.4e6 miss it, 7.5e6 the L2,
 *      7.2e6 the L3; of DRAM 7.19e6 near and 2300 far.  Waiting for loads 2350e6
 *      cycles, for stores 100e6, of 2552853551; nothing executes in 2410e6, one
 *      port in 40e6, two in 30e6.  51e6 instructions of 8 doubles, 1500 scalar
 *      ones, 31 of two, 53 of four; of singles 7, and 5 x 4, 11 x 8, 13 x 16.
 * icx  16e6 slots, 3.2e6 retire, 6.4e6 the back end's, 4.96e6 - 0.16e6 the front
 *      end's.  Waiting 0.9e6 and 0.1e6; 1.1e6, 0.2e6, 0.5e6 as above.  80e6
 *      instructions of 8 doubles, 1e6 of four, 51000 of two, 600 scalar; 300, 1e5,
 *      3e6, 13000 of 1, 4, 8, 16 singles.
 * hsx  4 x 2600e6 / 2 = 5200e6 slots, 1456e6 retire, 1560e6 issued, 520e6 not
 *      delivered, 4 x 13e6 / 2 recovery.
 * spr  STREAM: 15600e6 slots, of which 7 % retire, 1 % are lost to speculation, 87 %
 *      the back end's and 75 % memory's, 5.1 % not delivered and 0.1 % dropped.
 *      Loads: 160e6 hit the L1, 60e6 miss it, 45e6 the L2, 18e6 the L3; of DRAM
 *      17.5e6 near and 0.35e6 far.  Waiting 1950e6 and 80e6 of 2600e6 cycles.  40e6
 *      instructions of 8 doubles, 1e6 of four, 2e5 of two, 5e5 scalar; of singles
 *      300, 1e5 x 4, 3e5 x 8, 13000 x 16.  Both threads run, of which each shares
 *      12.5e6 clocks of the crystal, and none alone.
 * slm  1950e6 cycles, 1560e6 instructions, 400e6 loads: 24e6 miss the L1, 15e6 hit the
 *      L2, 9e6 miss it.  195e6 cycles nothing delivered, 585e6 nothing taken, 39e6 in
 *      the kernel; 4.2e6 branches mispredicted.
 * gnr  the same as spr, but of 22800e6 slots and 3800e6 cycles; waiting 2850e6 and 117e6.
 */
static const struct {
	int line;
	const char *model, *machine, *figure;
} figures[] = {
#define SKX "skx", "skx-8160-2s"
	{ __LINE__, SKX, "flops_double,lproc,0,0.4080,GFLOP/s," },
	/* 7 + 5 x 4 + 11 x 8 + 13 x 16 */
	{ __LINE__, SKX, "flops_single,lproc,0,0.0000003230,GFLOP/s," },
	/* all but 1507 of 51001620 */
	{ __LINE__, SKX, "vectorization_ratio,lproc,0,99.9970,%," },
	/* (512 x 51000013 + 256 x 64 + 128 x 36 + 64 x 1500 + 32 x 7) / 51001620 */
	{ __LINE__, SKX, "vector_width,lproc,0,511.9862,bit," },
	{ __LINE__, SKX, "l1_hit,lproc,0,84.5697,%," },         /* 57 / 67.4 */
	{ __LINE__, SKX, "l2_hit,lproc,0,27.8846,%," },         /* 2.9 / 10.4 */
	{ __LINE__, SKX, "l3_hit,lproc,0,4.0000,%," },          /* 0.3 / 7.5 */
	/* of 299234272 instructions */
	{ __LINE__, SKX, "l3_load_misses,lproc,0,24.0614,/kinst," },
	{ __LINE__, SKX, "branch_mispredictions,lproc,0,0.1036,/kinst," },
	{ __LINE__, SKX, "remote_dram,lproc,0,0.03198,%," },    /* 2300 / 7192300 */
	{ __LINE__, SKX, "retiring,lproc,0,6.0784,%," },        /* 310 / 5100 */
	{ __LINE__, SKX, "frontend_bound,lproc,0,1.7647,%," },  /* 90 / 5100 */
	{ __LINE__, SKX, "bad_speculation,lproc,0,0.4314,%," }, /* 22 / 5100 */
	{ __LINE__, SKX, "backend_bound,lproc,0,91.7255,%," },  /* the rest */
	/* of it 2450 / (2410 + 100 + 40 + 0.060784 x 30) */
	{ __LINE__, SKX, "memory_bound,lproc,0,88.0654,%," },
	{ __LINE__, SKX, "core_bound,lproc,0,3.6601,%," },
	{ __LINE__, SKX, "memory_stalls,lproc,0,95.9710,%," },
#define ICX "icx", "icx-8358-2s"
	{ __LINE__, ICX, "flops_double,lproc,0,0.6441,GFLOP/s," },
	{ __LINE__, ICX, "flops_single,lproc,0,0.02461,GFLOP/s," },
	/* 900 scalar of 84164900 */
	{ __LINE__, ICX, "vectorization_ratio,lproc,0,99.9989,%," },
	/* (512 x 80013000 + 256 x 4e6 + 128 x 151000 + 64 x 600 + 32 x 300) / 84164900 */
	{ __LINE__, ICX, "vector_width,lproc,0,499.1396,bit," },
	{ __LINE__, ICX, "l1_hit,lproc,0,95.2381,%," },         /* 400 / 420 */
	{ __LINE__, ICX, "l2_hit,lproc,0,75.0000,%," },         /* 15 / 20 */
	{ __LINE__, ICX, "l3_hit,lproc,0,86.0000,%," },         /* 4.3 / 5 */
	{ __LINE__, ICX, "l2_load_misses,lproc,0,0.001250,/kinst," },  /* 5000 / 4e9 */
	{ __LINE__, ICX, "remote_dram,lproc,0,14.2857,%," },    /* 100 / 700 */
	{ __LINE__, ICX, "retiring,lproc,0,20.0000,%," },
	{ __LINE__, ICX, "frontend_bound,lproc,0,30.0000,%," },
	{ __LINE__, ICX, "bad_speculation,lproc,0,10.0000,%," },
	{ __LINE__, ICX, "backend_bound,lproc,0,40.0000,%," },
	/* 1 / (1.1 + 0.1 + 0.2 + 0.2 x 0.5) of it */
	{ __LINE__, ICX, "memory_bound,lproc,0,26.6667,%," },
	{ __LINE__, ICX, "core_bound,lproc,0,13.3333,%," },
#define HSX "hsx", "hsx-2699-2s"
	{ __LINE__, HSX, "l1_hit,lproc,0,93.7500,%," },         /* 300 / 320 */
	{ __LINE__, HSX, "l2_hit,lproc,0,75.0000,%," },         /* 15 / 20 */
	{ __LINE__, HSX, "l3_hit,lproc,0,88.0000,%," },         /* 4.4 / 5 */
	{ __LINE__, HSX, "avx_instructions,lproc,0,300.0000,/kinst," },
	{ __LINE__, HSX, "remote_dram,lproc,0,10.0000,%," },    /* 60 / 600 */
	{ __LINE__, HSX, "retiring,lproc,0,28.0000,%," },       /* 1456 / 5200 */
	{ __LINE__, HSX, "frontend_bound,lproc,0,10.0000,%," },
	{ __LINE__, HSX, "bad_speculation,lproc,0,2.5000,%," }, /* 130 / 5200 */
	{ __LINE__, HSX, "backend_bound,lproc,0,59.5000,%," },
	{ __LINE__, HSX, "memory_stalls,lproc,0,75.0000,%," },  /* 1950 / 2600 */
#define SPR "spr", "spr-9480-2s"
	{ __LINE__, SPR, "flops_double,lproc,0,0.3249,GFLOP/s," },
	{ __LINE__, SPR, "flops_single,lproc,0,0.003008,GFLOP/s," },
	/* all but 500300 of 42113300 */
	{ __LINE__, SPR, "vectorization_ratio,lproc,0,98.8120,%," },
	/* (512 x 40013000 + 256 x 1.3e6 + 128 x 3e5 + 64 x 5e5 + 32 x 300) / 42113300 */
	{ __LINE__, SPR, "vector_width,lproc,0,496.0396,bit," },
	{ __LINE__, SPR, "l1_hit,lproc,0,72.7273,%," },         /* 160 / 220 */
	{ __LINE__, SPR, "l2_hit,lproc,0,25.0000,%," },         /* 15 / 60 */
	{ __LINE__, SPR, "l3_hit,lproc,0,60.0000,%," },         /* 27 / 45 */
	{ __LINE__, SPR, "l3_load_misses,lproc,0,20.0000,/kinst," }, /* 18 / 900 */
	{ __LINE__, SPR, "branch_mispredictions,lproc,0,0.1000,/kinst," },
	{ __LINE__, SPR, "remote_dram,lproc,0,1.9608,%," },     /* 0.35 / 17.85 */
	{ __LINE__, SPR, "retiring,lproc,0,7.0000,%," },
	{ __LINE__, SPR, "frontend_bound,lproc,0,5.0000,%," },
	{ __LINE__, SPR, "bad_speculation,lproc,0,1.0000,%," },
	{ __LINE__, SPR, "backend_bound,lproc,0,87.0000,%," },
	{ __LINE__, SPR, "memory_bound,lproc,0,75.0000,%," },
	{ __LINE__, SPR, "core_bound,lproc,0,12.0000,%," },
	{ __LINE__, SPR, "memory_stalls,lproc,0,78.0769,%," },  /* 2030 / 2600 */
	{ __LINE__, "emr", "emr-8592-2s", "flops_double,lproc,0,0.3249,GFLOP/s," },
#define GNR "gnr", "gnr-6960p-2s"
	{ __LINE__, GNR, "flops_double,lproc,0,0.3249,GFLOP/s," },
	{ __LINE__, GNR, "vector_width,lproc,0,496.0396,bit," },
	{ __LINE__, GNR, "l3_hit,lproc,0,60.0000,%," },
	{ __LINE__, GNR, "remote_dram,lproc,0,1.9608,%," },
	{ __LINE__, GNR, "retiring,lproc,0,7.0000,%," },
	{ __LINE__, GNR, "frontend_bound,lproc,0,5.0000,%," },
	{ __LINE__, GNR, "bad_speculation,lproc,0,1.0000,%," },
	{ __LINE__, GNR, "memory_bound,lproc,0,75.0000,%," },
	{ __LINE__, GNR, "memory_stalls,lproc,0,78.0769,%," },  /* 2967 / 3800 */
#define SLM "slm", "c2758"
	{ __LINE__, SLM, "l1_hit,lproc,0,94.0000,%," },         /* 376 / 400 */
	{ __LINE__, SLM, "l2_hit,lproc,0,62.5000,%," },         /* 15 / 24 */
	{ __LINE__, SLM, "frontend_stalled_cycles,lproc,0,10.0000,%," },
	{ __LINE__, SLM, "backend_stalled_cycles,lproc,0,30.0000,%," },
	{ __LINE__, SLM, "kernel_time,lproc,0,2.0000,%," },
	{ __LINE__, SLM, "branch_mispredictions,lproc,0,2.6923,/kinst," },
};

/* A command of tally, of samples 20 to 29; the caller frees it.  Who asks for the node
 * before once more gets its dump. */
static char *
told_of(const char *machine, const char *config, int (*cmd)(int, char **),
    const char *asked)
{
	static char sampled[1400];
	char tallyd[512], command[1400], words[700];

	snprintf(command, sizeof command, "%s -q --sim @%s --virtual-time -n 30 "
	    "%s --overwrite -o %s/hpc", built("tallyd", tallyd), machine, config,
	    test_dir);
	if (strcmp(command, sampled) != 0)
		assert_int_equal(system(command), 0);
	strcpy(sampled, command);
	snprintf(words, sizeof words, "%s -s 20:29 %s/hpc", asked, test_dir);
	return said(EXIT_OK, cmd, words, NULL);
}

/* A set has all of a sample. */
static char *
told(const char *machine, int (*cmd)(int, char **), const char *asked)
{
	return told_of(machine, "-c @hpc --rotate 1", cmd, asked);
}

static void
what_is_looked_for_first_is_what_the_rates_make_by_hand(void **state)
{
	const char *of = "";
	char *text = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		if (strcmp(of, figures[i].model) != 0) {
			free(text);
			of = figures[i].model;
			text = told(figures[i].machine, cmd_metrics,
			    "metrics -f csv -S lproc");
		}
		if (strstr(text, figures[i].figure) == NULL)
			fail_msg("%d: %s: no %s", figures[i].line, of,
			    figures[i].figure);
	}
	free(text);
}

static void
a_multiplexed_figure_has_its_share_of_time_beside_it(void **state)
{
	char *text = told("icx-8358-2s", cmd_metrics,
	    "metrics -f csv -S node");

	(void)state;
	/* four sets, nine intervals: two rounds, of which nobody knows an error */
	assert_non_null(strstr(text, "\nicx-8358,flops_double,node,,"));
	assert_non_null(strstr(strstr(text, "\nicx-8358,flops_double,node,,"),
	    "counted 33.3 % of the time"));
	holds(strdup(strstr(text, "\nicx-8358,l1_hit,node,,")),
	    "counted 22.2 % of the time");
	/* the memory controllers' counters always run */
	lacks(strndup(strstr(text, "\nicx-8358,dram_read,node,,"), 60),
	    "estimate");
	free(text);
	text = told("icx-8358-2s", cmd_report, "report");
	/* 0.6687 of each of four workers, and hardly any of the others */
	assert_non_null(strstr(text, "2.8  counted 33 % of the time\n"));
	lacks(strndup(strstr(text, "read bandwidth"), 70), "of the time");
	free(text);
}

/* The original's REF_XCLK is that of all threads. */
#define ANY_THREAD (UINT64_C(1) << 21)

/* How many events of a configuration's are in the list, which has the counters of a
 * thread that shares its core; fails on one that differs. */
static unsigned
compared(const char *model, const char *config, const struct eventlist *list,
    unsigned counters)
{
	struct diag why = { "" };
	struct config cfg;
	unsigned n = 0;

	assert_int_equal(config_init(&cfg, model_named(model)), 0);
	if (config_load(&cfg, config, &why) < 0)
		fail_msg("%s", why.text);
	for (unsigned i = 0; i < cfg.nwant; i++) {
		const struct want *w = &cfg.want[i];
		const struct listed_event *e = w->kind != WANT_EVENT ||
		    w->type != model_named(model)->core ? NULL :
		    eventlist_find_in(list, w->type, w->name);

		if (e == NULL || e->fixed >= 0)
			continue;
		if (((w->ctl ^ e->ctl) & ~ANY_THREAD) != 0 ||
		    ((w->counters ^ e->counters) & counters) != 0)
			fail_msg("%s: %s is 0x%llx on 0x%x, not 0x%llx on 0x%x",
			    config, w->name, (unsigned long long)w->ctl,
			    w->counters, (unsigned long long)e->ctl, e->counters);
		n++;
	}
	config_fini(&cfg);
	return n;
}

static void
hpc_is_that_of_the_cpu(void **state)
{
	char tallyd[512], command[1400];

	(void)state;
	/* there is no analysis of I/O for an Atom, and so it is said */
	snprintf(command, sizeof command, "%s -q --sim @c2758 -c @io -o "
	    "%s/none 2>%s/err", built("tallyd", tallyd), test_dir, test_dir);
	assert_int_not_equal(system(command), 0);
	snprintf(command, sizeof command, "%s/err", test_dir);
	holds(file_text(command, NULL), "@io: none is built in for "
	    "this CPU (slm), only ");
	/* Emerald Rapids has the default of Sapphire Rapids, and the rest of it */
	free(told("emr-8592-2s", cmd_report, "report"));
	snprintf(command, sizeof command, "%s/hpc", test_dir);
	holds(file_text(command, NULL), "text_name[0] = \"@hpc-spr\"");
}

/* GFLOP/s and FLOP a byte in what is counted without being asked for, all of the
 * time: the rates above, of all precisions together. */
static void
flops_are_in_the_default(void **state)
{
	static const struct {
		const char *machine, *figure;
	} rows[] = {
		/* 0.3249 + 0.0030083 */
		{ "spr-9480-2s", "flops,lproc,0,0.3279,GFLOP/s,0,,\r\n" },
		{ "emr-8592-2s", "flops,lproc,0,0.3279,GFLOP/s,0,,\r\n" },
		{ "gnr-6960p-2s", "flops,lproc,0,0.3279,GFLOP/s,0,,\r\n" },
		/* 900 + 2 x 51000 + 4 x 1.1e6 + 8 x 83e6 + 16 x 13000 */
		{ "icx-8358-2s", "flops,lproc,0,0.6687,GFLOP/s,0,,\r\n" },
		{ "spr-9480-2s", "vectorization_ratio,lproc,0,98.8120,%,0,,\r\n" },
		/* 420 of 480 */
		{ "bdx-2699v4-2s", "vectorization_ratio,lproc,0,87.5000,%,0,,\r\n" },
		/* four counters: 8 x 51e6 + 4 x 53 + 2 x 31 + 1500 */
#define DOUBLES ",0,\"without core[\"\"FP_ARITH_INST_RETIRED.SCALAR_SINGLE\"\"], "
		{ "skx-8160-2s", "flops,lproc,0,0.4080,GFLOP/s" DOUBLES },
		{ "skx-8160-2s", "flops_double,lproc,0,0.4080,GFLOP/s,0,,\r\n" },
		/* all but 1500 of 51001584 */
		{ "skx-8160-2s", "vectorization_ratio,lproc,0,99.9971,%" ",0,double precision alone,\r\n" },
		/* (512 x 51e6 + 256 x 53 + 128 x 31 + 64 x 1500) / 51001584 */
		{ "skx-8160-2s", "vector_width,lproc,0,511.9863,bit" ",0,double precision alone,\r\n" },
		{ "skx-locked", "flops,lproc,0,0.4080,GFLOP/s" DOUBLES },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		holds(told_of(rows[i].machine, "", cmd_metrics,
		    "metrics -f csv -S lproc"), rows[i].figure);
}

/* Of the node: 24 x 2 x (0.408001774e9 FLOPs, and some steps from core to core); and
 * a byte of its twelve channels' 150818380 x 64 and 99279606 x 64, about. */
static void
a_report_of_skylakes_default_has_gflops_and_says_of_what(void **state)
{
	char *text = told_of("skx-8160-2s", "", cmd_report, "report");

	(void)state;
	assert_non_null(strstr(text, "  floating point              GFLOP/s   "
	    "     9.8      9.8     19.6\n"));
	assert_non_null(strstr(text, "    double precision          GFLOP/s   "
	    "     9.8      9.8     19.6\n"));
	assert_non_null(strstr(text, "  FLOP for a byte of memory   FLOP/byte "
	    "   0.102    0.102    0.102\n"));
	free(text);
	/* where single precision is counted, too, nothing has to be said */
	lacks(told_of("skx-8160-2s", "-c @flops", cmd_report, "report"), "alone");
}

/* 2500000 of 2552853551 cycles, 1400000 of 299234272 instructions. */
static void
what_the_original_counts_on_skylake_is_a_text_of_its_own(void **state)
{
	char *text = told_of("skx-8160-2s", "-c @original", cmd_metrics,
	    "metrics -f csv -S lproc");

	(void)state;
	assert_non_null(strstr(text, "kernel_time,lproc,0,0.09793,%,0,,\r\n"));
	assert_non_null(strstr(text,
	    "kernel_instructions,lproc,0,0.4679,%,0,,\r\n"));
	free(text);
}

/* 112 x 0.327908e9 FLOPs of a package, some steps from lproc to lproc, a byte of
 * 8 x 1.5e6 x 64 and of 32 x 450e6 x 32: the HBM's as well. */
static void
a_byte_of_hbm_is_a_byte_of_memory(void **state)
{
	(void)state;
	holds(told_of("spr-9480-2s", "", cmd_metrics, "metrics -f csv -S package"),
	    "arithmetic_intensity,package,0,0.07957,FLOP/byte,");
}

/* How long both threads of a core run, one of them, none: idle, a tenth of a
 * percent of the time, of which four fifths alone. */
static void
threads_of_a_core_are_told_apart_by_the_crystal(void **state)
{
	char *text = told("spr-9480-2s", cmd_metrics, "metrics -f csv -S core");

	(void)state;
	assert_non_null(strstr(text, "core_busy,core,0/0,100.0000,%,"));
	assert_non_null(strstr(text, "core_both,core,0/0,100.0000,%,"));
	assert_non_null(strstr(text, "core_t0_only,core,0/0,0.0000,%,"));
	free(text);
}

/*
 * Every event of cores in a configuration of ours that Intel's list of that CPU has:
 * its control value, and the counters that can count it, are those of the list.
 * Names of our own (KERNEL) are in none.
 */
static void
lines_of_ours_are_the_events_of_intels_lists(void **state)
{
	static const struct {
		const char *model, *list, *config[5];
		unsigned counters;
	} rows[] = {
		{ "hsx", "HSX/events/haswellx_core.json",
		  { "@default", "@hpc", NULL }, 0xf },
		{ "skx", "SKX/events/skylakex_core.json",
		  { "@default", "@hpc", "@flops", "@original", NULL }, 0xf },
		{ "icx", "ICX/events/icelakex_core.json",
		  { "@default", "@hpc", "@flops", NULL }, 0xff },
		{ "spr", "SPR/events/sapphirerapids_core.json",
		  { "@default", "@hpc", "@hpc-gnr", NULL }, 0xff },
		{ "slm", "SLM/events/Silvermont_core.json",
		  { "@default", "@hpc", NULL }, 0x3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct eventlist *list = lists_of(rows[i].model,
		    (const char *[]){ rows[i].list, NULL });
		unsigned found = 0;

		for (const char *const *c = rows[i].config; *c != NULL; c++)
			found += compared(rows[i].model, *c, list,
			    rows[i].counters);
		assert_true(found >= 12);
		eventlist_free(list);
	}
}

#define LPROC(n, core) "lproc_package[" #n "] = 0\nlproc_core[" #n "] = " \
	#core "\nlproc_online[" #n "] = 1\n"
#define SECOND(i) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n"
#define RAN(n, i, cycles) "mperf[" #n "][" #i "] = " #cycles "\n" \
	"core_counts[" #n "][\"INST_RETIRED.ANY\"][" #i "] = " #cycles "\n"
static const char four_cores[] = "host = \"n\"\nmodel = \"skx\"\n"
    "TSC_ratio = 10\npackages = 1\nnr_cpus = 4\n"
    LPROC(0, 0) LPROC(1, 1) LPROC(2, 2) LPROC(3, 3)
    SECOND(0) RAN(0, 0, 0) RAN(1, 0, 0) RAN(2, 0, 0) RAN(3, 0, 0)
    SECOND(1) RAN(0, 1, 900000000) RAN(1, 1, 300000000) RAN(2, 1, 300000000)
    RAN(3, 1, 5000000);

/* Two cores, whose threads share the work as they like. */
static const char two_cores[] = "host = \"n\"\nmodel = \"skx\"\n"
    "TSC_ratio = 10\npackages = 1\nnr_cpus = 4\n"
    LPROC(0, 0) LPROC(1, 0) LPROC(2, 1) LPROC(3, 1)
    SECOND(0) RAN(0, 0, 0) RAN(1, 0, 0) RAN(2, 0, 0) RAN(3, 0, 0)
    SECOND(1) RAN(0, 1, 600000000) RAN(1, 1, 200000000)
    RAN(2, 1, 200000000) RAN(3, 1, 200000000);

static void
imbalance_is_of_the_cores_that_ran(void **state)
{
	(void)state;
	/* 90 %, 30 %, 30 %, mean 50 %; the fourth's half a percent is no work */
	holds(said(EXIT_OK, cmd_metrics, "metrics -f csv -S package", four_cores),
	    "load_imbalance,package,0,1.8000,ratio,");
	holds(said(EXIT_OK, cmd_metrics, "metrics -f csv -S package", four_cores),
	    "work_imbalance,package,0,1.8000,ratio,");
	/* 80 % and 40 %, both threads together */
	holds(said(EXIT_OK, cmd_metrics, "metrics -f csv -S package", two_cores),
	    "load_imbalance,package,0,1.3333,ratio,");
}

/* Every sample has every figure, and none is of a part of the time.  Of twenty turns a
 * second, where it takes a hundred by itself, which simulated nodes are slow at. */
static void
the_default_has_all_figures_of_each_sample(void **state)
{
	static const char turns[] = "-c @hpc --turn 0.05";
	static const struct {
		const char *machine, *metric;
	} nodes[] = {
		{ "skx-8160-2s", "memory_stalls" }, { "spr-9480-2s", "l3_hit" },
		{ "genoa-9654-2s", "l2_hit_ratio" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
		char *text = told_of(nodes[i].machine, turns, cmd_report,
		    "report"), words[64];
		unsigned n = 0;

		lacks(text, "% of the time");
		snprintf(words, sizeof words, "metrics -e -f csv -S node -m %s",
		    nodes[i].metric);
		text = told_of(nodes[i].machine, turns, cmd_metrics, words);
		for (const char *at = text; (at = strchr(at, '\n')) != NULL &&
		    at[1] != '\0'; at++)
			n++;
		assert_int_equal(n, 9);
		free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_looked_for_first_is_what_the_rates_make_by_hand),
		cmocka_unit_test(a_multiplexed_figure_has_its_share_of_time_beside_it),
		cmocka_unit_test(the_default_has_all_figures_of_each_sample),
		cmocka_unit_test(hpc_is_that_of_the_cpu),
		cmocka_unit_test(flops_are_in_the_default),
		cmocka_unit_test(
		    a_report_of_skylakes_default_has_gflops_and_says_of_what),
		cmocka_unit_test(
		    what_the_original_counts_on_skylake_is_a_text_of_its_own),
		cmocka_unit_test(a_byte_of_hbm_is_a_byte_of_memory),
		cmocka_unit_test(threads_of_a_core_are_told_apart_by_the_crystal),
		cmocka_unit_test(lines_of_ours_are_the_events_of_intels_lists),
		cmocka_unit_test(imbalance_is_of_the_cores_that_ran),
	};

	return cmocka_run_group_tests_name("hpc", tests, test_dir_new,
	    test_dir_free);
}
