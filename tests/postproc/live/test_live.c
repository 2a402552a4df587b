/*
 * tests/postproc/live/test_live.c - the page of `tally live` while the store is
 * being written: its layout at several widths, its keys, and what it prints in
 * place of figures that are not available.
 */
#include "tests/lib/named.h"
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "config/dump/store.h"
#include "postproc/live/live_page.h"

#define CELLS 14

enum { TSC, SEC, USEC, READS0, READS1, WRITES0, WRITES1, ENERGY0, ENERGY1,
	HEAT0, HEAT1, MPERF0, MPERF1, MPERF2 };

static const char *const names[CELLS] = { "tsc", "walltime[0]", "walltime[1]",
	"imc_counts[0][1][\"CAS_COUNT.READS\"]",
	"imc_counts[1][1][\"CAS_COUNT.READS\"]",
	"imc_counts[0][1][\"CAS_COUNT.WRITES\"]",
	"imc_counts[1][1][\"CAS_COUNT.WRITES\"]",
	"rapl_pkg_energy[0]", "rapl_pkg_energy[1]",
	"pkg_temperature[0]", "pkg_temperature[1]",
	"mperf[0]", "mperf[1]", "mperf[2]" };

struct daemon {
	char *dir, path[512];
	struct store *store;
	uint64_t cell[CELLS];
	uint64_t heat;          /* of package 0 */
};

/* Every 10 s: nobody is late for half a minute.  The last of so many samples is
 * of now. */
static struct daemon
start(unsigned samples)
{
	static struct column column[CELLS];
	struct store_shape shape = { .column = column, .ncolumn = CELLS,
	    .ncell = CELLS, .capacity = 300, .model = "skx", .preamble =
	    "host = \"n1\"\nmodel = \"skx\"\ninterval = 10.0\n"
	    "tsc_hz_nominal = 2000000000\nRAPL_PKG_ENERGY_UNIT = 0.5\n"
	    "lproc_package[0] = 0\nlproc_core[0] = 0\nlproc_thread[0] = 0\n"
	    "lproc_package[1] = 0\nlproc_core[1] = 1\nlproc_thread[1] = 0\n"
	    "lproc_package[2] = 1\nlproc_core[2] = 0\nlproc_thread[2] = 0\n",
	    .cell_tsc = TSC, .cell_real_sec = SEC, .cell_real_usec = USEC };
	struct daemon d = { .dir = tree_new(), .cell = { [TSC] = 1000 },
	    .heat = 50 };
	struct timeval now;
	struct diag why;

	for (unsigned i = 0; i < CELLS; i++)
		column[i] = (struct column){ .name = names[i], .cell = i,
		    .bits = i == ENERGY0 || i == ENERGY1 ? 32 : i == HEAT0 ||
		    i == HEAT1 || i == SEC || i == USEC ? 0 : i == TSC ||
		    i >= MPERF0 ? 64 : 48 };
	columns_named(column, CELLS);
	gettimeofday(&now, NULL);
	d.cell[SEC] = (uint64_t)now.tv_sec - 10 * samples;
	if (store_create(&d.store, in_dir(d.dir, "store", d.path), &shape,
	    &why) < 0)
		fail_msg("%s", why.text);
	return d;
}

/* Ten seconds more.  Package 0 reads 6.4 GB/s, `times` of it, package 1 half as
 * much as the first; 80 W and 40 W; lprocs 0 to 2 run for 80, 20 and 50 %. */
static void
sample(struct daemon *d, unsigned times)
{
	static const uint64_t add[CELLS] = { [TSC] = 20000000000, [SEC] = 10,
	    [READS0] = 1000000000, [READS1] = 500000000,
	    [WRITES0] = 250000000, [WRITES1] = 250000000,
	    [ENERGY0] = 1600, [ENERGY1] = 800, [MPERF0] = 16000000000,
	    [MPERF1] = 4000000000, [MPERF2] = 10000000000 };
	uint64_t *row = store_row(d->store);

	assert_non_null(row);
	for (unsigned i = 0; i < CELLS; i++)
		d->cell[i] += add[i] * (i == READS0 ? times : 1);
	d->cell[ENERGY0] &= 0xffffffff;
	d->cell[ENERGY1] &= 0xffffffff;
	d->cell[HEAT0] = d->heat;
	d->cell[HEAT1] = 45;
	memcpy(row, d->cell, sizeof(d->cell));
	assert_int_equal(store_commit(d->store), 0);
}

static void
stop(struct daemon *d)
{
	store_unlink(d->store);
	store_close(d->store);
	tree_free(d->dir);
}

static void
watch(struct live_page *p, const char *path)
{
	live_page_init(p, path, (1u << LIVE_VIEWS) - 1);
	live_page_poll(p);
}

/* Half an hour: 3 * 6.4 GB/s in every third part of it but the last minute. */
static struct daemon
half_an_hour(struct live_page *p)
{
	struct daemon d = start(181);

	for (unsigned i = 0; i <= 180; i++)
		sample(&d, i > 174 ? (i == 180 ? 2 : 1) : i % 90 < 30 ? 3 : 1);
	watch(p, d.path);
	return d;
}

static char *
drawn(struct live_page *p, struct live_look *look)
{
	char *text, *at;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	live_draw(p, look, f);
	fclose(f);
	/* the time of day is another one each time */
	if ((at = strstr(text, " UTC")) != NULL && at - text >= 8)
		memcpy(at - 8, "HH:MM:SS", 8);
	return text;
}

/* Is it drawn as in tests/data/live/NAME.txt? */
static void
drawn_as(struct live_page *p, struct live_look look, const char *name)
{
	char path[200], *is = drawn(p, &look), *is_to_be;
	size_t size;

	snprintf(path, sizeof(path), "tests/data/live/%s.txt", name);
	is_to_be = file_text(path, &size);
	if (strcmp(is, is_to_be) != 0)
		fail_msg("%s is not:\n%s\nbut:\n%s", name, is_to_be, is);
	free(is_to_be);
	free(is);
}

static void
the_page_fits_into_any_width_from_60_columns(void **state)
{
	struct live_page p;
	struct daemon d = half_an_hour(&p);

	(void)state;
	drawn_as(&p, (struct live_look){ .width = 60, .height = 16 },
	    "packages-60-ascii");
	drawn_as(&p, (struct live_look){ .width = 60, .height = 16,
	    .utf8 = true }, "packages-60");
	drawn_as(&p, (struct live_look){ .width = 80, .height = 16 },
	    "packages-80-ascii");
	drawn_as(&p, (struct live_look){ .width = 80, .height = 16,
	    .utf8 = true }, "packages-80");
	drawn_as(&p, (struct live_look){ .width = 132, .height = 16 },
	    "packages-132-ascii");
	drawn_as(&p, (struct live_look){ .width = 132, .height = 16,
	    .utf8 = true }, "packages-132");
	drawn_as(&p, (struct live_look){ .width = 200 },
	    "packages-200-ascii");
	drawn_as(&p, (struct live_look){ .width = 200, .utf8 = true },
	    "packages-200");
	live_page_fini(&p);
	stop(&d);
}

static void
a_screen_of_100_columns_has_both_packages(void **state)
{
	struct live_page p;
	struct daemon d = half_an_hour(&p);
	char *text = drawn(&p, &(struct live_look){ .width = 100 });

	(void)state;
	assert_non_null(strstr(text, " pkg 0 "));
	assert_non_null(strstr(text, " pkg 1 "));
	free(text);
	live_page_fini(&p);
	stop(&d);
}

static void
a_view_of_ones_own_is_what_the_page_shows(void **state)
{
	struct daemon d = start(3);
	struct live_page p;
	char path[512], *text;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		sample(&d, 1);
	tree_text(d.dir, "/own.view", "heading \"Mine\"\n"
	    "row dram_read 1 \"read from DRAM\"\n");
	in_dir(d.dir, "own.view", path);
	live_page_init(&p, d.path, (1u << LIVE_VIEWS) - 1);
	p.follow.ask.view = path;
	live_page_poll(&p);
	text = drawn(&p, &(struct live_look){ .width = 100 });
	assert_non_null(strstr(text, "Mine"));
	assert_non_null(strstr(text, "read from DRAM"));
	assert_null(strstr(text, "package power"));
	free(text);
	live_page_fini(&p);
	stop(&d);
}

/* What is shown as 0.0 is no full bar, however constant it is. */
static void
a_past_of_what_is_shown_as_0_is_low(void **state)
{
	struct metric m = { .unit = "GB/s" };
	struct bound b = { .metric = &m };
	struct live_page p = { .follow.gather.binding.bound = &b,
		.slot = LIVE_PAST - 1 };
	struct live_look look = { .width = 80 };
	struct live_cell c = { .bound = 0 };
	char text[2][LIVE_PAST + 1] = { "" };

	(void)state;
	for (unsigned i = 0; i < LIVE_PAST; i++)
		c.past[i] = 0.04f;
	for (int decimals = 1; decimals <= 2; decimals++) {
		FILE *f = fmemopen(text[decimals - 1], LIVE_PAST, "w");

		assert_non_null(f);
		past_put(f, &look, &p, &c, decimals, 10);
		fclose(f);
	}
	assert_string_equal(text[0], "__________");
	assert_string_equal(text[1], "##########");
}

static void
cores_lprocs_and_devices_have_a_view_each(void **state)
{
	struct live_page p;
	struct daemon d = half_an_hour(&p);

	(void)state;
	drawn_as(&p, (struct live_look){ .width = 60, .view = LIVE_CORES },
	    "cores-60-ascii");
	drawn_as(&p, (struct live_look){ .width = 80, .view = LIVE_LPROCS,
	    .sort = 1, .reverse = true, .utf8 = true }, "lprocs-80-sorted");
	drawn_as(&p, (struct live_look){ .width = 80, .view = LIVE_DEVICES,
	    .across = 1 }, "devices-80-across-ascii");
	drawn_as(&p, (struct live_look){ .width = 132, .view = LIVE_DEVICES,
	    .sort = 3, .utf8 = true }, "devices-132-sorted");
	live_page_fini(&p);
	stop(&d);
}

/* No line is wider than the screen, and there are just as many as it has. */
static void
fits(struct live_page *p, struct live_look look)
{
	char *text = drawn(p, &look);
	unsigned lines = 0, width = 0;

	for (const char *s = text; *s != '\0'; s++) {
		bool ends = *s == '\n';

		lines += ends;
		width = ends ? 0 : width + ((*s & 0xc0) != 0x80);
		if (width > look.width)
			fail_msg("wider than %u:\n%s", look.width, text);
	}
	if (lines > look.height || (lines < look.height && look.width >=
	    LIVE_WIDTH))
		fail_msg("%u lines, not %u:\n%s", lines, look.height, text);
	free(text);
}

static void
no_size_of_a_screen_is_too_small_or_too_large(void **state)
{
	static const unsigned size[] = { 1, 2, 3, 4, 5, 6, 20, 59, 60, 61, 75,
	    79, 80, 99, 100, 250, 999 };
	struct live_page p;
	struct daemon d = half_an_hour(&p);
	char *text;

	(void)state;
	for (size_t w = 0; w < sizeof(size) / sizeof(size[0]); w++)
		for (size_t h = 0; h < sizeof(size) / sizeof(size[0]); h++)
			for (unsigned v = 0; v < LIVE_VIEWS; v++)
				fits(&p, (struct live_look){ .view = v,
				    .width = size[w], .height = size[h],
				    .utf8 = h % 2, .down = 3, .across = v });
	text = drawn(&p, &(struct live_look){ .width = 20, .height = 9 });
	assert_string_equal(text, "20 columns: needs 60\n");
	free(text);
	live_page_fini(&p);
	stop(&d);
}

static bool
says(struct live_page *p, unsigned height, const char *words)
{
	char *text = drawn(p, &(struct live_look){ .width = 120,
	    .height = height });
	bool does = strstr(text, words) != NULL;

	if (!does)
		fprintf(stderr, "%s", text);
	free(text);
	return does;
}

static void
figures_that_cannot_be_had_stand_there_as_on_the_report(void **state)
{
	struct live_page p;
	struct daemon d = start(171);

	(void)state;
	for (int i = 0; i < 170; i++)
		sample(&d, 1);
	watch(&p, d.path);
	assert_true(says(&p, 20, "sound: sample 169"));
	d.cell[WRITES0] = 0;            /* somebody took it */
	d.heat = 999;
	sample(&d, 1);
	assert_true(live_page_poll(&p));
	assert_true(says(&p, 20, "NOT SOUND: 2 counts of the last 60 s"));
	assert_true(says(&p, 20, "  write bandwidth           GB/s          "
	    "1.60*    3.20*     n/a     1.60*    1.60     1.60   "
	    "#########################\n"));
	assert_true(says(&p, 20, "  temperature               C               "
	    "45*      50*     n/a       50*      45       45 "));
	assert_true(says(&p, 20, "n/a: imc[\"CAS_COUNT.WR\"]: no delta of it is "
	    "a count"));
	assert_true(says(&p, 20, "* lacks units or counts"));
	assert_true(says(&p, 0, "* lacks units or counts\n"));
	assert_true(says(&p, 0, "\nn/a: "));
	live_page_fini(&p);
	stop(&d);
}

static void
a_daemon_that_ended_is_said_and_the_next_one_found(void **state)
{
	struct live_page p;
	struct daemon d = start(2), again;
	char path[512];

	(void)state;
	sample(&d, 1);
	watch(&p, d.path);
	assert_int_equal(p.follow.state, FOLLOW_EMPTY);
	assert_true(says(&p, 12, "no interval has passed yet"));
	sample(&d, 1);
	assert_true(live_page_poll(&p));
	assert_true(says(&p, 12, "sound: sample 1,"));
	store_close(d.store);           /* dead: its store stays */
	assert_true(live_page_poll(&p));
	assert_int_equal(p.follow.state, FOLLOW_STALE);
	assert_true(says(&p, 12, "its tallyd has ended"));
	assert_true(says(&p, 12, "read bandwidth"));
	again = start(181);
	for (int i = 0; i < 181; i++)
		sample(&again, 2);
	snprintf(path, sizeof(path), "%s", d.path);
	assert_int_equal(rename(again.path, path), 0);
	assert_true(live_page_poll(&p));
	assert_int_equal(p.follow.state, FOLLOW_LIVE);
	assert_true(says(&p, 12, "sound: sample 180,"));
	assert_true(says(&p, 12, "GB/s         16.00    16.00    12.80"));
	live_page_fini(&p);
	store_close(again.store);
	unlink(path);
	tree_free(again.dir);
	tree_free(d.dir);
}

static void
there_is_one_line_of_words_where_there_is_no_store(void **state)
{
	struct live_page p;

	(void)state;
	watch(&p, "/nowhere/store");
	assert_int_equal(p.follow.state, FOLLOW_NONE);
	assert_non_null(strstr(p.follow.why.text, "/nowhere/store"));
	assert_true(says(&p, 12, "/nowhere/store"));
	live_page_fini(&p);
}

static void
the_last_minute_is_what_a_dump_of_it_says(void **state)
{
	struct live_page p;
	struct daemon d = half_an_hour(&p);
	const struct sums *sums;

	(void)state;
	sums = recent_sums(&p.recent, &p.follow.gather);
	assert_int_equal(sums->intervals, 6);
	assert_true(fabs(sums->seconds - 60) < 0.01);
	/* five times 10^9, and twice that */
	assert_true(sums->value[read_find(p.follow.gather.reader,
	    names[READS0])] == 7e9);
	assert_true(sums->value[read_find(p.follow.gather.reader,
	    names[MPERF1])] == 24e9);
	/* and what all add up to still stands */
	sums = gather_sums(&p.follow.gather);
	assert_int_equal(sums->intervals, 180);
	assert_true(sums->value[read_find(p.follow.gather.reader,
	    names[MPERF1])] == 720e9);
	live_page_fini(&p);
	stop(&d);
}

/* Every metric of a dump, bound. */
static void
take_in(struct gather *g, struct metrics *m, const char *path,
    const struct gather_ask *ask)
{
	struct diag why;
	unsigned bound;

	if (gather_load(g, m, path, ask, &why) < 0)
		fail_msg("%s", why.text);
	for (unsigned i = 0; i < m->n; i++)
		assert_int_equal(binding_add(&g->binding, metrics_at(m, i),
		    &bound, &why), 0);
}

static bool
alike(const struct figure *x, const struct figure *y)
{
	return isnan(x->value) == isnan(y->value) && (isnan(x->value) ||
	    fabs(x->value - y->value) <= 1e-9 * fabs(y->value) + 1e-12) &&
	    x->left_out == y->left_out && x->have == y->have &&
	    fabs(x->ran - y->ran) < 1e-9;
}

/* Every figure of the last minute is that of `-s -N`; how many there are. */
static unsigned
same_minute(const char *path)
{
	struct gather_ask all = { .nmetrics = 0 }, part = all;
	struct gather g, h;
	struct metrics m, n;
	struct recent r;
	const struct sums *is, *be;
	struct diag why;
	unsigned figures = 0;

	assert_int_equal(recent_init(&r, LIVE_MINUTE), 0);
	take_in(&g, &m, path, &all);
	while (gather_next(&g, &why) > 0)
		assert_int_equal(recent_take(&r, &g), 0);
	is = recent_sums(&r, &g);
	part.select.first = (struct select_end){ .kind = END_LAST,
	    .n = is->intervals + 1 };
	take_in(&h, &n, path, &part);
	assert_int_equal(gather_all(&h, &why), 0);
	be = gather_sums(&h);
	assert_int_equal(is->intervals, be->intervals);
	for (unsigned i = 0; i < g.binding.nbound * SCOPES; i++)
		for (unsigned k = 0; k < binding_windows(&g.binding,
		    i / SCOPES, (enum scope)(i % SCOPES)); k++) {
			struct figure x, y;
			struct window w;

			if (!binding_window(&g.binding, i / SCOPES,
			    (enum scope)(i % SCOPES), k, &w))
				continue;
			x = binding_eval(&g.binding, i / SCOPES, &w, is);
			y = binding_eval(&h.binding, i / SCOPES, &w, be);
			if (!alike(&x, &y))
				fail_msg("%s: %.15g is not %.15g",
				    x.metric->name, x.value, y.value);
			figures += !isnan(x.value);
		}
	recent_fini(&r);
	gather_unload(&g, &m);
	gather_unload(&h, &n);
	return figures;
}

static void
the_last_minute_is_that_of_a_dump_where_sets_take_turns_too(void **state)
{
	static const struct {
		const char *run;
		unsigned figures;
	} say[] = {
		{ "@skx-8160-2s -i 1 -n 100", 1000 },
		{ "@icx-8358-2s -c @io-icx -i 0.5 -n 190", 1000 },
	};
	char *dir = tree_new(), tallyd[512], command[1200], path[512];

	(void)state;
	in_dir(dir, "dump", path);
	for (size_t i = 0; i < sizeof(say) / sizeof(say[0]); i++) {
		snprintf(command, sizeof(command), "%s -q --sim %s "
		    "--virtual-time --overwrite -o %s", built("tallyd",
		    tallyd), say[i].run, path);
		assert_int_equal(system(command), 0);
		assert_true(same_minute(path) > say[i].figures);
	}
	tree_free(dir);
}

static void
keys_change_view_order_and_place(void **state)
{
	struct live_page p;
	struct daemon d = half_an_hour(&p);
	struct live_look look = { .width = 80, .height = 24 };

	(void)state;
	assert_true(live_key(&p, &look, 's'));          /* metrics have an order */
	assert_int_equal(look.sort, 0);
	assert_true(live_key(&p, &look, 'd'));
	assert_int_equal(look.view, LIVE_DEVICES);
	for (unsigned i = 1; i <= 3; i++) {
		assert_true(live_key(&p, &look, 's'));
		assert_int_equal(look.sort, i);
	}
	assert_true(live_key(&p, &look, 's'));
	assert_int_equal(look.sort, 0);
	for (unsigned i = 0; i < 9; i++)
		assert_true(live_key(&p, &look, KEY_RIGHT));
	assert_int_equal(look.across, 2);
	for (unsigned i = 0; i < 9; i++)
		assert_true(live_key(&p, &look, KEY_LEFT));
	assert_int_equal(look.across, 0);
	assert_true(live_key(&p, &look, KEY_UP));
	assert_int_equal(look.down, 0);
	assert_true(live_key(&p, &look, KEY_END));
	free(drawn(&p, &look));
	assert_int_equal(look.down, 0);                 /* all of it is there */
	look.height = 6;
	assert_true(live_key(&p, &look, KEY_PAGE_DOWN));
	free(drawn(&p, &look));
	assert_int_equal(look.down, 1);
	assert_true(live_key(&p, &look, 'r') && look.reverse);
	assert_true(live_key(&p, &look, 'n'));          /* there is none */
	assert_int_equal(look.view, LIVE_DEVICES);
	assert_true(live_key(&p, &look, ' ') && look.frozen);
	assert_true(live_key(&p, &look, 'f') && !look.frozen);
	assert_true(live_key(&p, &look, 'x'));
	assert_false(live_key(&p, &look, 'q'));
	assert_false(live_key(&p, &look, KEY_GONE));
	live_page_fini(&p);
	stop(&d);
}

static void
a_figure_takes_no_more_than_eight_characters(void **state)
{
	static const struct {
		unsigned line;
		double v;
		int decimals;
		const char *text;
	} say[] = {
		{ __LINE__, 12.345, 1, "12.3" },
		{ __LINE__, 123456.789, 3, "123456.8" },
		{ __LINE__, 99999999.4, 2, "99999999" },
		{ __LINE__, 1234567890, 0, "1.23e+09" },
		{ __LINE__, -12345678, 2, "-1.2e+07" },
		{ __LINE__, 1e300, 2, "1.0e+300" },
		{ __LINE__, 0.00012, -1, "0.00012" },
		{ __LINE__, 0.5, -1, "0.5000" },
		{ __LINE__, 12, -1, "12.000" },
		{ __LINE__, 0, 2, "0.00" },
		{ __LINE__, NAN, 2, "n/a" },
	};
	char buf[32];

	(void)state;
	for (size_t i = 0; i < sizeof(say) / sizeof(say[0]); i++)
		if (strcmp(figure_fit(buf, sizeof(buf), say[i].v,
		    say[i].decimals), say[i].text) != 0)
			fail_msg("line %u: %s", say[i].line, buf);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_fits_into_any_width_from_60_columns),
		cmocka_unit_test(a_screen_of_100_columns_has_both_packages),
		cmocka_unit_test(a_view_of_ones_own_is_what_the_page_shows),
		cmocka_unit_test(a_past_of_what_is_shown_as_0_is_low),
		cmocka_unit_test(cores_lprocs_and_devices_have_a_view_each),
		cmocka_unit_test(no_size_of_a_screen_is_too_small_or_too_large),
		cmocka_unit_test(
		    figures_that_cannot_be_had_stand_there_as_on_the_report),
		cmocka_unit_test(
		    a_daemon_that_ended_is_said_and_the_next_one_found),
		cmocka_unit_test(
		    there_is_one_line_of_words_where_there_is_no_store),
		cmocka_unit_test(the_last_minute_is_what_a_dump_of_it_says),
		cmocka_unit_test(
		    the_last_minute_is_that_of_a_dump_where_sets_take_turns_too),
		cmocka_unit_test(keys_change_view_order_and_place),
		cmocka_unit_test(a_figure_takes_no_more_than_eight_characters),
	};

	return cmocka_run_group_tests_name("live", tests, NULL, NULL);
}
