/*
 * tests/test_export.c - a store that is written meanwhile, as monitoring systems
 * see it: totals across wraps and restarts, a daemon that is gone.
 */
#include "tests/named.h"
#include "tests/scene.h"
#include "tests/test.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "config/dump/store.h"
#include "postproc/live/exporters.h"
#include "postproc/live/prometheus.h"

#define CELLS 7
#define WRAP 0xffffffffffff     /* the last value before 48 bits are over */

enum { TSC, SEC, USEC, READS, WRITES, ENERGY, HEAT };

static const char *const names[CELLS] = { "tsc", "walltime[0]", "walltime[1]",
	"imc_counts[0][1][\"CAS_COUNT.READS\"]",
	"imc_counts[0][1][\"CAS_COUNT.WRITES\"]", "rapl_pkg_energy[0]",
	"pkg_temperature[0]" };

struct daemon {
	char *dir, path[512];
	struct store *store;
	uint64_t cell[CELLS];
};

static struct daemon
start(void)
{
	static struct column column[CELLS];
	struct store_shape shape = { .column = column, .ncolumn = CELLS,
	    .ncell = CELLS, .capacity = 100, .model = "skx", .preamble =
	    "host = \"n\"\nmodel = \"skx\"\ninterval = 100.0\n"
	    "tsc_hz_nominal = 2000000000\nRAPL_PKG_ENERGY_UNIT = 0.5\n"
	    "lproc_package[0] = 0\nlproc_core[0] = 0\nlproc_thread[0] = 0\n",
	    .cell_tsc = TSC, .cell_real_sec = SEC, .cell_real_usec = USEC };
	struct daemon d = { .dir = tree_new(), .cell = { [TSC] = 1000,
	    [READS] = WRAP - 1500000, [ENERGY] = 0xffffffff - 50 } };
	struct timeval now;
	struct diag why;

	for (unsigned i = 0; i < CELLS; i++)
		column[i] = (struct column){ .name = names[i], .cell = i,
		    .bits = i == READS || i == WRITES ? 48 : i == ENERGY ? 32 :
		    0 };
	columns_named(column, CELLS);
	gettimeofday(&now, NULL);
	/* as old as ten samples will be; late after three times 100 s */
	d.cell[SEC] = (uint64_t)now.tv_sec - 10;
	if (store_create(&d.store, in_dir(d.dir, "store", d.path), &shape,
	    &why) < 0)
		fail_msg("%s", why.text);
	return d;
}

/* One second more: 1,000,000 reads of 64 bytes, 40 J, 50 degrees. */
static void
sample(struct daemon *d)
{
	uint64_t *row = store_row(d->store);

	assert_non_null(row);
	d->cell[TSC] += 2000000000;
	d->cell[SEC]++;
	d->cell[READS] = (d->cell[READS] + 1000000) & WRAP;
	d->cell[WRITES] = (d->cell[WRITES] + 250000) & WRAP;
	d->cell[ENERGY] = (d->cell[ENERGY] + 80) & 0xffffffff;
	d->cell[HEAT] = 50;
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

/* A series by name and labels, of a page; NaN: there is none. */
static double
value_of(const char *page, const char *series)
{
	size_t n = strlen(series);

	for (const char *p = page; p != NULL && *p != '\0';
	    p = strchr(p, '\n'), p += p != NULL)
		if (strncmp(p, series, n) == 0 && p[n] == ' ')
			return strtod(p + n, NULL);
	return NAN;
}

static char *
page_of(struct exposed *x)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	prometheus_put(x, PROMETHEUS_OPENMETRICS, f);
	fclose(f);
	return text;
}

/* What a page says of each, to a thousandth. */
static void
page_says(struct exposed *x, const char *const *series, const double *value)
{
	char *page = page_of(x);

	for (; *series != NULL; series++, value++) {
		double v = value_of(page, *series);

		if (isnan(*value) ? !isnan(v) :
		    !(fabs(v - *value) <= fabs(*value) / 1000))
			fail_msg("%s is %.15g, not %.15g, of:\n%s", *series, v,
			    *value, page);
	}
	free(page);
}

#define BOTH (1u << SCOPE_OF_PACKAGE | 1u << SCOPE_OF_NODE)
static const char *const usual[] = {
	"tallyd_up", "tallyd_samples_total", "tallyd_counts_left_out_total",
	"tallyd_package_dram_read_bytes_total{package=\"0\"}",
	"tallyd_package_dram_read_bytes_per_second{package=\"0\"}",
	"tallyd_node_dram_write_bytes_total",
	"tallyd_package_energy_joules_total{package=\"0\"}",
	"tallyd_package_power_watts{package=\"0\"}",
	"tallyd_package_temperature_celsius{package=\"0\"}",
	"tallyd_raw_imc_counts_total{package=\"0\",event=\"CAS_COUNT.READS\"}",
	"tallyd_raw_rapl_pkg_energy_total{package=\"0\"}", NULL };

static void
a_wrap_is_no_restart(void **state)
{
	struct daemon d = start();
	struct exposed x;

	(void)state;
	exposed_init(&x, d.path, BOTH);
	sample(&d);
	sample(&d);             /* not yet: 500,000 below the wrap */
	page_says(&x, usual, (const double[]){ 1, 2, 0, 64e6, 64e6, 16e6, 40,
	    40, 50, 1e6, 80 });
	sample(&d);
	sample(&d);
	page_says(&x, usual, (const double[]){ 1, 4, 0, 192e6, 64e6, 48e6, 120,
	    40, 50, 3e6, 240 });
	exposed_fini(&x);
	/* whoever comes later finds the same: totals begin with the daemon */
	exposed_init(&x, d.path, BOTH);
	page_says(&x, usual, (const double[]){ 1, 4, 0, 192e6, 64e6, 48e6, 120,
	    40, 50, 3e6, 240 });
	exposed_fini(&x);
	stop(&d);
}

static void
a_counter_that_was_restarted_adds_nothing_and_is_counted(void **state)
{
	struct daemon d = start();
	struct exposed x;

	(void)state;
	exposed_init(&x, d.path, BOTH);
	sample(&d);
	sample(&d);
	sample(&d);
	d.cell[WRITES] = 0;
	sample(&d);
	page_says(&x, (const char *const[]){ "tallyd_counts_left_out_total",
	    "tallyd_node_dram_write_bytes_total",
	    "tallyd_node_dram_write_bytes_per_second",
	    "tallyd_node_dram_read_bytes_total", NULL },
	    (const double[]){ 1, 32e6, NAN, 192e6 });
	exposed_fini(&x);
	stop(&d);
}

static void
a_temperature_that_no_package_has_is_left_out(void **state)
{
	struct daemon d = start();
	struct exposed x;
	uint64_t *row;

	(void)state;
	exposed_init(&x, d.path, BOTH);
	sample(&d);
	sample(&d);
	row = store_row(d.store);
	memcpy(row, d.cell, sizeof(d.cell));
	row[TSC] += 2000000000;
	row[SEC]++;
	row[HEAT] = 999;
	assert_int_equal(store_commit(d.store), 0);
	page_says(&x, (const char *const[]){ "tallyd_up",
	    "tallyd_package_temperature_celsius{package=\"0\"}", NULL },
	    (const double[]){ 1, NAN });
	exposed_fini(&x);
	stop(&d);
}

static void
a_daemon_that_is_gone_has_no_figures(void **state)
{
	struct daemon d = start();
	struct exposed x;
	const char *const series[] = { "tallyd_up", "tallyd_samples_total",
	    "tallyd_node_dram_read_bytes_total",
	    "tallyd_node_dram_read_bytes_per_second",
	    "tallyd_raw_rapl_pkg_energy_total{package=\"0\"}", NULL };

	(void)state;
	exposed_init(&x, d.path, BOTH);
	sample(&d);
	sample(&d);
	page_says(&x, series, (const double[]){ 1, 2, 64e6, 64e6, 80 });
	store_close(d.store);           /* dead: its store stays */
	page_says(&x, series, (const double[]){ 0, 2, NAN, NAN, NAN });
	assert_non_null(strstr(x.follow.why.text, "has ended"));
	exposed_fini(&x);
	unlink(d.path);
	exposed_init(&x, d.path, BOTH);
	page_says(&x, series, (const double[]){ 0, NAN, NAN, NAN, NAN });
	assert_int_equal(x.follow.state, FOLLOW_NONE);
	exposed_fini(&x);
	tree_free(d.dir);
}

static void
samples_that_stay_away_make_a_store_stale(void **state)
{
	struct daemon d = start();
	struct exposed x;

	(void)state;
	d.cell[SEC] -= 1000;
	exposed_init(&x, d.path, BOTH);
	sample(&d);
	sample(&d);
	page_says(&x, (const char *const[]){ "tallyd_up",
	    "tallyd_node_dram_read_bytes_total", NULL },
	    (const double[]){ 0, NAN });
	assert_int_equal(x.follow.state, FOLLOW_STALE);
	exposed_fini(&x);
	stop(&d);
}

static void
a_daemon_that_starts_again_starts_its_totals_again(void **state)
{
	struct daemon d = start(), again;
	struct exposed x;
	char path[512];

	(void)state;
	exposed_init(&x, d.path, BOTH);
	for (int i = 0; i < 4; i++)
		sample(&d);
	page_says(&x, (const char *const[]){
	    "tallyd_node_dram_read_bytes_total", NULL },
	    (const double[]){ 192e6 });
	again = start();
	sample(&again);
	sample(&again);
	store_close(d.store);
	snprintf(path, sizeof(path), "%s", d.path);
	assert_int_equal(rename(again.path, path), 0);
	page_says(&x, (const char *const[]){ "tallyd_up",
	    "tallyd_node_dram_read_bytes_total", NULL },
	    (const double[]){ 1, 64e6 });
	exposed_fini(&x);
	store_close(again.store);
	unlink(path);
	tree_free(again.dir);
	tree_free(d.dir);
}

/* ---- many who ask ------------------------------------------------------- */

/* What a server at a socket answers to one request. */
static void
scrape(const char *socket_path, char *buf, size_t size)
{
	static const char request[] = "GET /metrics HTTP/1.1\r\n\r\n";
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	size_t got = 0;
	ssize_t n;

	memcpy(un.sun_path, socket_path, strnlen(socket_path,
	    sizeof(un.sun_path) - 1));
	buf[0] = '\0';
	if (connect(fd, (struct sockaddr *)&un, sizeof(un)) == 0 &&
	    write(fd, request, sizeof(request) - 1) > 0) {
		while (got < size - 1 && (n = read(fd, buf + got,
		    size - 1 - got)) > 0)
			got += (size_t)n;
		buf[got] = '\0';
	}
	close(fd);
}

static double
clock_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
a_flood_of_scrapes_has_one_page_a_moment(void **state)
{
	static char page[200000];
	struct daemon d = start();
	struct export_ask ask = { .once = false };
	char path[512];
	double before, age, last = -1;
	unsigned pages = 0;
	int status;
	pid_t pid;

	(void)state;
	sample(&d);
	sample(&d);
	ask.listen = in_dir(d.dir, "socket", path);
	exposed_init(&ask.x, d.path, BOTH);
	fflush(NULL);
	if ((pid = fork()) == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(export_prometheus.run(&ask));
	}
	do
		scrape(path, page, sizeof(page));
	while (page[0] == '\0');
	before = clock_s();
	for (unsigned i = 0; i < 500; i++) {
		scrape(path, page, sizeof(page));
		age = value_of(page, "tallyd_sample_age_seconds");
		assert_false(isnan(age));
		/* each look at the store has an age of its own */
		pages += age != last;
		last = age;
	}
	/* at most one each 0.1 s, and the one that was there */
	assert_true(pages <= (clock_s() - before) / 0.1 + 2);
	kill(pid, SIGTERM);
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	exposed_fini(&ask.x);
	stop(&d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wrap_is_no_restart),
		cmocka_unit_test(
		    a_counter_that_was_restarted_adds_nothing_and_is_counted),
		cmocka_unit_test(a_temperature_that_no_package_has_is_left_out),
		cmocka_unit_test(a_daemon_that_is_gone_has_no_figures),
		cmocka_unit_test(samples_that_stay_away_make_a_store_stale),
		cmocka_unit_test(
		    a_daemon_that_starts_again_starts_its_totals_again),
		cmocka_unit_test(a_flood_of_scrapes_has_one_page_a_moment),
	};

	return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
