/*
 * tests/postproc/data/test_narrow.c - metrics of which only what they need is taken
 * in: the same figures, notes and complaints as with all columns, of dumps with values
 * in them that cannot be, too.
 */
#include "tests/lib/doctorings.h"
#include "tests/lib/files.h"

#include <stdlib.h>
#include <string.h>

#include "postproc/metrics/gather.h"

#define SKYLAKE "like @skx-8160-2s\ncores 8 ids=0-5,8-9\n"
#define EPYC "like @milan-7763-2s\ncores 16\n"

/* One dump, and one set of metrics of it. */
struct narrowed {
	const char *path, *names, *range;
	bool narrow;
	bool fewer;             /* out: columns were left alone */
};

static void
put_figures(FILE *f, struct gather *g, const unsigned *bound, unsigned n,
    const struct sums *sums)
{
	const struct binding *b = &g->binding;

	for (unsigned i = 0; i < n; i++)
		for (enum scope s = 0; s < SCOPES; s++)
			for (unsigned k = 0; k < binding_windows(b, bound[i],
			    s); k++) {
				struct figure x;
				struct window w;
				char note[400];

				if (!binding_window(b, bound[i], s, k, &w))
					continue;
				x = binding_eval(b, bound[i], &w, sums);
				fprintf(f, "%u %d %u: %a %a %u %u/%u %d %s\n",
				    i, s, k, x.value, x.error, x.left_out,
				    x.have, x.of, x.wrong, figure_note(b, &x,
				    figure_why(b, &x, (char[200]){ "" }, 200),
				    note, sizeof note));
			}
}

static void
put_problems(FILE *f, const struct reader *r)
{
	const struct read_problem *p;

	for (unsigned i = 0; (p = read_problem(r, i)) != NULL; i++)
		fprintf(f, "%s\n", p->text);
	fprintf(f, "%llu problems\n", (unsigned long long)read_problems(r,
	    PROBLEM_KINDS));
}

/* All figures of each interval, and of all of them, as text. */
static char *
text_of(struct narrowed *what)
{
	struct patterns names = { .n = 0 };
	struct gather_ask ask = { .metrics = { NULL } };
	struct metrics m;
	struct gather g;
	struct diag why = { "" };
	unsigned *bound, n = 0, all;
	char *list = strdup(what->names), *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int rc;

	assert_int_equal(select_parse(&ask.select, what->range, &why), 0);
	assert_int_equal(patterns_add(&names, list, &why), 0);
	rc = gather_load(&g, &m, what->path, &ask, &why);
	bound = calloc(m.n + 1, sizeof *bound);
	for (unsigned i = 0; rc == 0 && i < m.n; i++)
		if (!metrics_at(&m, i)->hidden &&
		    patterns_match(&names, metrics_at(&m, i)->name))
			rc = binding_add(&g.binding, metrics_at(&m, i),
			    &bound[n++], &why);
	all = rc == 0 ? g.ncol : 0;
	if (rc == 0 && what->narrow)
		rc = gather_narrow(&g, &ask, 0, &why);
	what->fewer = rc == 0 && g.ncol < all;
	while (rc >= 0 && (rc = gather_next(&g, &why)) > 0) {
		fprintf(f, "%a %a\n", g.now.at, g.now.seconds);
		put_figures(f, &g, bound, n, gather_interval(&g));
	}
	if (rc == 0)
		put_figures(f, &g, bound, n, gather_sums(&g));
	fprintf(f, "%d %s\n", rc, why.text);
	put_problems(f, g.reader);
	if (rc == 0 && intervals_clock_note(g.intervals) != NULL)
		fprintf(f, "%s\n", intervals_clock_note(g.intervals));
	gather_unload(&g, &m);
	free(bound);
	free(list);
	fclose(f);
	return text;
}

/* Are they the same without columns that are not needed?  *fewer: one more, where
 * there were such. */
static bool
same_figures(const char *path, const char *names, const char *range,
    unsigned *fewer)
{
	struct narrowed what = { .path = path, .names = names,
	    .range = range };
	char *all = text_of(&what), *few;
	bool same;

	what.narrow = true;
	few = text_of(&what);
	*fewer += what.fewer;
	same = strcmp(all, few) == 0;
	free(all);
	free(few);
	return same;
}

struct looked {
	const char *const *names;
	unsigned copies, fewer;
};

static bool
narrowed_alike(void *arg, const struct doctored_copy *copy)
{
	struct looked *l = arg;
	bool same = true;

	for (unsigned i = 0; l->names[i] != NULL; i++) {
		const char *range = l->copies % 2 == 0 ? "" : "4:13";
		bool alike = same_figures(copy->path, l->names[i], range,
		    &l->fewer);

		if (!alike)
			print_message("line %d, %s\n", copy->line,
			    l->names[i]);
		same = same && alike;
	}
	l->copies++;
	return same;
}

static void
doctored(const char *path, const char *const *names, unsigned sets)
{
	struct looked l = { .names = names };
	struct doctored clean;
	unsigned n;

	doctored_load(&clean, path);
	assert_int_equal(doctorings_each(&clean, true, narrowed_alike, &l, &n),
	    0);
	assert_true(n > 40);
	/* of hardly any copy nothing is left alone */
	assert_true(l.fewer > n * sets * 3 / 4);
	doctored_free(&clean);
}

static void
of_a_recording_figures_need_what_they_are_judged_by_alone(void **state)
{
	static const char *const names[] = { "ipc,frequency", "dram_*",
	    "package_power,mean_frequency", "cha_*", "l3_miss_reads", NULL };
	char path[512];

	(void)state;
	doctored(recording(path), names, 5);
}

static void
so_do_those_of_a_node_whose_caches_are_judged_by_its_cores(void **state)
{
	static const char *const names[] = { "l3_*", "ipc", NULL };
	char path[512], more[600];

	(void)state;
	/* without event sets: where these take turns all columns are needed */
	snprintf(more, sizeof more, "-c %s", test_put("l3.conf",
	    "read rapl_pkg_energy\ncore instr_retired\n"
	    "core cycles_unhalted\ncore l2_miss_ic_dc\ncore flops_all\n"
	    "l3 l3_lookups\nl3 l3_misses\ndf dram_ch_0\ndf dram_ch_1\n"));
	doctored(simulated_dump(EPYC, more, path), names, 2);
}

static void
and_of_a_node_whose_head_says_all(void **state)
{
	static const char *const names[] = { "ipc", "dram_*,page_*",
	    "upi_*", NULL };
	char path[512];

	(void)state;
	doctored(simulated_dump(SKYLAKE, "", path), names, 3);
}

static void
a_line_that_is_wrong_is_complained_of_whoever_it_is_of(void **state)
{
	static const char head[] = "model = \"skx\"\npackages = 1\n"
	    "tsc_hz = 1000000000\n";
	unsigned fewer = 0;
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	fputs(head, f);
	for (unsigned i = 0; i < 8; i++) {
		fprintf(f, "tsc[%u] = %u000000000\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", i, i + 1, i, i + 10, i);
		for (unsigned box = 0; box < 6; box++)
			fprintf(f, "imc_counts[0][%u][\"CAS_COUNT.RD\"][%u] = "
			    "%u\ncha_counts[0][%u][\"LLC_LOOKUP\"][%u] = %s%u\n"
			    , box, i, 1000 + i * 100, box, i,
			    i == 4 && box == 2 ? "x" : "", i);
		/* given twice; one that was not there so far */
		if (i == 5)
			fputs("cha_counts[0][1][\"LLC_LOOKUP\"][5] = 9\n"
			    "cha_counts[0][6][\"LLC_LOOKUP\"][5] = 1\n", f);
	}
	fclose(f);
	assert_true(same_figures(test_put("wrong", text), "dram_read", "",
	    &fewer));
	assert_int_equal(fewer, 1);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    of_a_recording_figures_need_what_they_are_judged_by_alone),
		cmocka_unit_test(
		    so_do_those_of_a_node_whose_caches_are_judged_by_its_cores),
		cmocka_unit_test(and_of_a_node_whose_head_says_all),
		cmocka_unit_test(
		    a_line_that_is_wrong_is_complained_of_whoever_it_is_of),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
