/*
 * tests/programs/test_no_memory.c - a plan, a simulated machine and the commands of tally
 * run out of memory, wherever that is.
 *
 * malloc, calloc and realloc are this file's own: an array always moves, and the
 * Nth call finds nothing left.
 */
#include "tests/lib/named.h"
#include "tests/lib/tally_command.h"
#include "tests/lib/rig.h"

#include "config/dump/store.h"
#include "config/lang/events.h"
#include "config/lang/site.h"
#include "config/sim/machine.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned fail_at, calls;         /* 0: never */

static bool
none_left(void)
{
	calls++;
	if (fail_at == 0 || calls != fail_at)
		return false;
	errno = ENOMEM;
	return true;
}

#ifdef __SANITIZE_ADDRESS__
/* By a pointer, or the compiler makes a calloc of malloc and memset.  malloc is
 * the sanitizer's here, and finds what it needs. */
static void *(*volatile get)(size_t) = malloc;
#else
/* memalign is the one that is not ours. */
static void *
get(size_t size)
{
	return memalign(sizeof(long double), size);
}

void *
malloc(size_t size)
{
	return none_left() ? NULL : get(size);
}
#endif

void *
calloc(size_t n, size_t size)
{
	void *p = none_left() ? NULL : get(n * size);

	return p != NULL ? memset(p, 0, n * size) : NULL;
}

void *
realloc(void *p, size_t size)
{
	size_t had = p != NULL ? malloc_usable_size(p) : 0;
	void *q = none_left() ? NULL : get(size);

	if (q == NULL)
		return NULL;
	if (p != NULL)
		memcpy(q, p, had < size ? had : size);
	free(p);
	return q;
}

/* A plan of `text` with every allocation failing in turn, until none does. */
static void
fails_cleanly(const char *machine, bool perf, const char *text)
{
	struct rig *r = rig_bare(machine, "");
	struct node *node = &r->node;
	struct diag why;
	struct plan whole;
	unsigned n;
	bool done = false;
	int rc;

	assert_int_equal(config_init(&node->config, node->topo.model), 0);
	node->config.perf = perf;
	if (perf) {
		inventory_free(&node->inv);
		assert_int_equal(inventory_perf(&node->inv, &node->topo,
		    node->acc, &why), 0);
	}
	if (config_parse(&node->config, "test.conf", text, strlen(text),
	    &why) < 0)
		fail_msg("%s", why.text);
	if (plan_make(&node->plan, &node->config, &node->topo, &node->inv,
	    node->acc, &why) < 0)
		fail_msg("%s", why.text);
	whole = node->plan;             /* how many of all */
	plan_free(&node->plan);
	/* handles of perf events stay open until their node is closed */
	for (n = 1; !done; n += perf ? 17 : 1) {
		calls = 0;
		fail_at = n;
		rc = plan_make(&node->plan, &node->config, &node->topo,
		    &node->inv, node->acc, &why);
		fail_at = 0;
		if (rc == 0) {
			/* a file of the simulated kernel that had no memory
			 * is missed by name; qsort does without */
			if (perf && node->plan.absent.n > whole.absent.n) {
				plan_free(&node->plan);
				continue;
			}
			assert_int_equal(node->plan.ncolumn, whole.ncolumn);
			assert_int_equal(node->plan.nread, whole.nread);
			assert_int_equal(node->plan.nwrite, whole.nwrite);
			assert_int_equal(node->plan.sets.nrot, whole.sets.nrot);
			done = calls < n;
			plan_free(&node->plan);
			continue;
		}
		/* the simulated kernel's memory is this program's */
		if ((rc != -ENOMEM || strcmp(why.text, "out of memory") != 0) &&
		    (!perf || strstr(why.text, "Cannot allocate") == NULL))
			fail_msg("allocation %u: %d \"%s\"", n, rc, why.text);
		plan_free(&node->plan);
	}
	assert_true(n > 20);
	rig_close(r);
}

static void
a_plan_of_all_kinds_of_columns_leaves_nothing_behind(void **state)
{
	(void)state;
	fails_cleanly("@skx-8160-2s", false,
	    "core fixed\ncore A event=0x3c\ncore B event=0xc0\n"
	    "imc CAS_COUNT.READS event=0x04,umask=0x03\nimc fixed\n"
	    "read aperf rapl_pkg_energy iio_bytes\n"
	    "set one\ncha C event=0x34,filter0=0x7fe0000\n"
	    "set two\ncha D event=0x3d,umask=0x01\n");
}

static void
a_plan_of_perf_events_leaves_nothing_behind(void **state)
{
	(void)state;
	fails_cleanly("@grace-2s", true,
	    "event context-switches\ncore INST_RETIRED\nset one\nscf CYCLES\n"
	    "set two\ncore CPU_CYCLES\n");
}

static void
a_configuration_is_read_whole_or_not_at_all(void **state)
{
	static const struct { const char *machine, *config; } t[] = {
		{ "@skx-8160-2s", "@default-skx" }, { "@c2758", "@all" },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct rig *r = rig_bare(t[i].machine, "");
		struct diag why;
		int rc = -1;

		for (unsigned n = 1; rc < 0; n++) {
			struct config c = { .nwant = 0 };

			calls = 0;
			fail_at = n;
			why.text[0] = '\0';
			rc = config_init(&c, r->node.topo.model);
			if (rc == 0)
				rc = config_load(&c, t[i].config, &why);
			if (rc == 0 && r->node.topo.model->soc != NULL)
				rc = config_groups(&c, &why);
			fail_at = 0;
			if (rc == 0 && calls >= n)
				fail_msg("%s does without allocation %u",
				    t[i].config, n);
			if (rc < 0 && rc != -ENOMEM)
				fail_msg("%s, allocation %u: %d \"%s\"",
				    t[i].config, n, rc, why.text);
			config_fini(&c);
		}
		rig_close(r);
	}
}

static void
a_note_that_memory_has_no_room_for_is_missed(void **state)
{
	static char text[80000];        /* more than the arena has left */
	struct soc_group group[1];
	struct soc_groups groups = { .group = group };
	struct diag why;
	int rc = -1;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	memcpy(text, "group G\ncounters A\nnote ", 24);
	for (unsigned n = 1; rc < 0; n++) {
		struct arena *arena = arena_new();

		calls = 0;
		fail_at = n;
		rc = soc_groups_parse(&groups, arena, "g", text,
		    sizeof(text) - 1, &why);
		fail_at = 0;
		assert_true(rc == 0 || rc == -ENOMEM);
		if (rc == 0 && calls >= n)
			fail_msg("it does without allocation %u", n);
		if (rc == 0)
			assert_int_equal(strlen(groups.group[0].note[0]),
			    sizeof(text) - 1 - 24);
		arena_free(arena);
	}
}

/* MSRs, functions and memory, of boxes and alone, and more units than one. */
static const char of_all_kinds[] =
    "packages 2\ncores 2\nthreads 2\nbus 0 00 17 3a\nbus 1 80 85 ae\n"
    "cpu family=6 model=0x55 stepping=4\ncpuid 0xa 0x07300404 0 0 0x603\n"
    "phase idle 10\nphase busy\n"
    "msr 0xce pkg = 0x1500\nmsr 0x1b1 core reading idle=1 busy=2\n"
    "pci 17:1e.3 0x9c = 0x0f\nmmio 0x10010 = 5 write=0xf\n"
    "global 0x700 freeze=1\n"
    "box core scope=lproc counters=1 ctl=0x186 ctr=0xc1 alias=0x4c1\n"
    "box core nibbles=0x38d nfixed=3 fixed=0x309 global=0x38f inuse=0x392\n"
    "box cha instances=2 stride=0x10 counters=1 boxctl=0xe00 ctl=0xe01\n"
    "box cha ctr=0xe08 present=3 filter=filter0,0xe05,0x7fe1fff\n"
    "event cha 0x013d all=10\n"
    "box imc space=pci bus=2 devfn=0a.2,0a.6 instances=2 counters=1\n"
    "box imc id=0x20428086,0x20468086 boxctl=0xf4 ctl=0xd8 ctr=0xa0\n"
    "box imc fixedctl=0xf0 fixedctr=0xd0\n"
    "box mem space=mmio pkgbase=0x20000,0x30000 counters=2 ctl=0x40 ctr=8\n"
    "file /proc/version = x\nfrom 3 msr 0xce EIO\n";

static void
a_machine_is_made_whole_or_not_at_all(void **state)
{
	struct sim *s;
	struct diag why;
	int rc = -1;

	(void)state;
	for (unsigned n = 1; rc < 0; n++) {
		calls = 0;
		fail_at = n;
		why.text[0] = '\0';
		rc = machine_parse(&s, "test.machine", of_all_kinds,
		    strlen(of_all_kinds), &why);
		fail_at = 0;
		if (rc < 0 && strstr(why.text, "out of memory") == NULL)
			fail_msg("allocation %u: \"%s\"", n, why.text);
		if (rc == 0 && calls >= n)
			fail_msg("it does without allocation %u", n);
	}
	access_close(sim_access(s));
}

static void
a_store_that_is_not_made_is_told_why(void **state)
{
	static struct column column[3];
	static const char *const names[] = { "tsc", "a[0][\"X\"]", "t[0]" };
	struct store_shape shape = { .column = column, .ncolumn = 3,
	    .ncell = 3, .capacity = 5, .preamble = "" };
	char path[128];
	struct store *st;
	struct diag why;
	int rc = -1;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		column[i] = (struct column){ .name = names[i], .cell = i,
		    .bits = 48 };
	columns_named(column, 3);
	snprintf(path, sizeof(path), "%s/store", test_dir);
	for (unsigned n = 1; rc < 0; n++) {
		calls = 0;
		fail_at = n;
		why.text[0] = '\0';
		rc = store_create(&st, path, &shape, &why);
		fail_at = 0;
		if (rc < 0 && strstr(why.text, "memory") == NULL)
			fail_msg("allocation %u: \"%s\"", n, why.text);
	}
	store_unlink(st);
	store_close(st);
}

/* ---- commands ------------------------------------------------------------ */

#define TURN(set, i, n) \
	"set_enabled[\"" set "\"][" #i "] = " #i "000\n" \
	"set_running[\"" set "\"][" #i "] = " #n "\n"
#define SAMPLE(i, n) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n" \
	"mperf[0][" #i "] = " #i "00000000\nmperf[1][" #i "] = 5\n" \
	"imc_counts[0][0][\"CAS_COUNT.READS\"][" #i "] = " #n "\n" \
	"imc_counts[0][0][\"CAS_COUNT.WRITES\"][" #i "] = 5\n" \
	"cha_counts[0][1][\"C\"][" #i "] = 1" #n "\n" \
	TURN("one", i, n) TURN("two", i, n)

/* Two event sets, a column that is late, and a bit in it that is looked at. */
static const char dump[] =
    "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\ntsc_hz = 1000000000\n"
    "packages = 1\nnr_cpus = 2\nlproc_package[0] = 0\nlproc_package[1] = 0\n"
    "lproc_core[0] = 0\nlproc_core[1] = 0\n"
    "set_name[0] = \"one\"\nset_name[1] = \"two\"\n"
    "event_set[\"imc_counts\"][\"CAS_COUNT.READS\"] = \"one\"\n"
    "event_set[\"cha_counts\"][\"C\"] = \"two\"\n"
    SAMPLE(0, 1000)
    SAMPLE(1, 2000) "pkg_core_perf_limit_reasons[0][1] = 0x2\n"
    SAMPLE(2, 3000) "pkg_core_perf_limit_reasons[0][2] = 0x2\n"
    SAMPLE(3, 4000) "late[0][3] = 7\n";

struct attempt {
	int (*cmd)(int, char **);
	const char *words;
	unsigned step;          /* takes every so manieth allocation */
};

static const struct attempt *tried;
static unsigned lacking;
static int status;

/* The command, of which one allocation fails. */
static int
attempt(int argc, char **argv)
{
	calls = 0;
	fail_at = lacking;
	status = tried->cmd(argc, argv);
	fail_at = 0;
	return 0;
}

static void
says_so_or_does_without(const struct attempt *a)
{
	char *whole, *text, *err, path[128];

	tried = a;
	lacking = 0;            /* none */
	whole = said(0, attempt, a->words, dump);
	if (status > EXIT_FINDINGS)
		fail_msg("%s: %s", a->words, whole);
	do {
		lacking += a->step;
		text = said(0, attempt, a->words, dump);
		snprintf(path, sizeof(path), "%s/err", test_dir);
		err = file_text(path, NULL);
		if (status <= EXIT_FINDINGS && strcmp(text, whole) != 0)
			fail_msg("%s, allocation %u: all is well with this:\n"
			    "%s\ninstead of this:\n%s", a->words, lacking,
			    text, whole);
		if (status == EXIT_UNUSABLE && strstr(err, "memory") == NULL)
			fail_msg("%s, allocation %u: it says: %s", a->words,
			    lacking, err);
		free(err);
		free(text);
	} while (calls >= lacking);
	free(whole);
}

static void
a_command_gives_no_half_figures(void **state)
{
	static const struct attempt all[] = {
		{ cmd_report, "report", 1 }, { cmd_totals, "totals", 1 },
		{ cmd_deltas, "deltas", 1 }, { cmd_metrics, "metrics", 3 },
		{ cmd_check, "check", 1 }, { cmd_merge, "merge", 3 },
		{ cmd_page, "page", 29 },
		{ cmd_histogram, "histogram -m dram_bandwidth", 3 },
		{ cmd_report, "report --io", 7 },
		{ cmd_platform, "platform", 7 },
		{ cmd_convert, "convert --wide-csv", 1 },
		{ cmd_convert, "convert --lua-chunks 2", 1 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		says_so_or_does_without(&all[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_plan_of_all_kinds_of_columns_leaves_nothing_behind),
		cmocka_unit_test(a_plan_of_perf_events_leaves_nothing_behind),
		cmocka_unit_test(a_configuration_is_read_whole_or_not_at_all),
		cmocka_unit_test(a_note_that_memory_has_no_room_for_is_missed),
		cmocka_unit_test(a_machine_is_made_whole_or_not_at_all),
		cmocka_unit_test(a_store_that_is_not_made_is_told_why),
		cmocka_unit_test(a_command_gives_no_half_figures),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
