/*
 * tests/postproc/live/test_export.c - a store that is written meanwhile, as monitoring systems
 * see it: totals across wraps and restarts, a daemon that is gone.
 */
#include "tests/lib/sampled.h"
#include "tests/lib/scene.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "postproc/live/exporters.h"

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
	struct sampled d = sampled_start();
	struct exposed x;

	(void)state;
	exposed_init(&x, d.path, SAMPLED_SCOPES);
	sampled_more(&d);
	sampled_more(&d);             /* not yet: 500,000 below the wrap */
	sampled_says(&x, usual, (const double[]){ 1, 2, 0, 64e6, 64e6, 16e6, 40,
	    40, 50, 1e6, 80 });
	sampled_more(&d);
	sampled_more(&d);
	sampled_says(&x, usual, (const double[]){ 1, 4, 0, 192e6, 64e6, 48e6, 120,
	    40, 50, 3e6, 240 });
	exposed_fini(&x);
	/* whoever comes later finds the same: totals begin with the daemon */
	exposed_init(&x, d.path, SAMPLED_SCOPES);
	sampled_says(&x, usual, (const double[]){ 1, 4, 0, 192e6, 64e6, 48e6, 120,
	    40, 50, 3e6, 240 });
	exposed_fini(&x);
	sampled_stop(&d);
}

static void
a_counter_that_was_restarted_adds_nothing_and_is_counted(void **state)
{
	struct sampled d = sampled_start();
	struct exposed x;

	(void)state;
	exposed_init(&x, d.path, SAMPLED_SCOPES);
	sampled_more(&d);
	sampled_more(&d);
	sampled_more(&d);
	d.cell[SAMPLED_WRITES] = 0;
	sampled_more(&d);
	sampled_says(&x, (const char *const[]){ "tallyd_counts_left_out_total",
	    "tallyd_node_dram_write_bytes_total",
	    "tallyd_node_dram_write_bytes_per_second",
	    "tallyd_node_dram_read_bytes_total", NULL },
	    (const double[]){ 1, 32e6, NAN, 192e6 });
	exposed_fini(&x);
	sampled_stop(&d);
}

/* 500,000,000 x 64 bytes in a second are more than one channel moves at 2933 MT/s:
 * no rate.  They were counted none the less, and a total that stood still would say
 * that nothing was. */
static void
a_rate_that_cannot_be_is_left_out_and_its_total_goes_on(void **state)
{
	struct sampled d = sampled_start();
	struct exposed x;

	(void)state;
	exposed_init(&x, d.path, SAMPLED_SCOPES);
	sampled_more(&d);
	d.cell[SAMPLED_READS] += 299000000;
	d.cell[SAMPLED_WRITES] += 199750000;
	sampled_more(&d);
	sampled_says(&x, (const char *const[]){ "tallyd_figures_left_out",
	    "tallyd_node_dram_bandwidth_bytes_per_second",
	    "tallyd_node_dram_bandwidth_bytes_total",
	    "tallyd_node_dram_read_bytes_total", NULL },
	    (const double[]){ 2, NAN, 32e9, 19.2e9 });
	sampled_more(&d);
	sampled_says(&x, (const char *const[]){ "tallyd_figures_left_out",
	    "tallyd_node_dram_bandwidth_bytes_per_second",
	    "tallyd_node_dram_bandwidth_bytes_total", NULL },
	    (const double[]){ 0, 80e6, 32.08e9 });
	exposed_fini(&x);
	sampled_stop(&d);
}

static void
a_temperature_that_no_package_has_is_left_out(void **state)
{
	struct sampled d = sampled_start();
	struct exposed x;
	uint64_t *row;

	(void)state;
	exposed_init(&x, d.path, SAMPLED_SCOPES);
	sampled_more(&d);
	sampled_more(&d);
	row = store_row(d.store);
	memcpy(row, d.cell, sizeof(d.cell));
	row[SAMPLED_TSC] += 2000000000;
	row[SAMPLED_SEC]++;
	row[SAMPLED_HEAT] = 999;
	assert_int_equal(store_commit(d.store), 0);
	sampled_says(&x, (const char *const[]){ "tallyd_up",
	    "tallyd_package_temperature_celsius{package=\"0\"}", NULL },
	    (const double[]){ 1, NAN });
	exposed_fini(&x);
	sampled_stop(&d);
}

static void
a_daemon_that_is_gone_has_no_figures(void **state)
{
	struct sampled d = sampled_start();
	struct exposed x;
	const char *const series[] = { "tallyd_up", "tallyd_samples_total",
	    "tallyd_node_dram_read_bytes_total",
	    "tallyd_node_dram_read_bytes_per_second",
	    "tallyd_raw_rapl_pkg_energy_total{package=\"0\"}", NULL };

	(void)state;
	exposed_init(&x, d.path, SAMPLED_SCOPES);
	sampled_more(&d);
	sampled_more(&d);
	sampled_says(&x, series, (const double[]){ 1, 2, 64e6, 64e6, 80 });
	store_close(d.store);           /* dead: its store stays */
	sampled_says(&x, series, (const double[]){ 0, 2, NAN, NAN, NAN });
	assert_non_null(strstr(x.follow.why.text, "has ended"));
	exposed_fini(&x);
	unlink(d.path);
	exposed_init(&x, d.path, SAMPLED_SCOPES);
	sampled_says(&x, series, (const double[]){ 0, NAN, NAN, NAN, NAN });
	assert_int_equal(x.follow.state, FOLLOW_NONE);
	exposed_fini(&x);
	tree_free(d.dir);
}

static void
samples_that_stay_away_make_a_store_stale(void **state)
{
	struct sampled d = sampled_start();
	struct exposed x;

	(void)state;
	d.cell[SAMPLED_SEC] -= 1000;
	exposed_init(&x, d.path, SAMPLED_SCOPES);
	sampled_more(&d);
	sampled_more(&d);
	sampled_says(&x, (const char *const[]){ "tallyd_up",
	    "tallyd_node_dram_read_bytes_total", NULL },
	    (const double[]){ 0, NAN });
	assert_int_equal(x.follow.state, FOLLOW_STALE);
	exposed_fini(&x);
	sampled_stop(&d);
}

static void
a_daemon_that_starts_again_goes_on_with_the_totals(void **state)
{
	struct sampled d = sampled_start(), again;
	struct exposed x;
	char path[512];

	(void)state;
	exposed_init(&x, d.path, SAMPLED_SCOPES);
	for (int i = 0; i < 4; i++)
		sampled_more(&d);
	sampled_says(&x, (const char *const[]){
	    "tallyd_node_dram_read_bytes_total", NULL },
	    (const double[]){ 192e6 });
	/* which nobody has looked at when it is killed */
	sampled_more(&d);
	again = sampled_start();
	sampled_more(&again);
	sampled_more(&again);
	store_close(d.store);
	snprintf(path, sizeof(path), "%s", d.path);
	assert_int_equal(rename(again.path, path), 0);
	sampled_says(&x, (const char *const[]){ "tallyd_up",
	    "tallyd_node_dram_read_bytes_total", "tallyd_samples_total", NULL },
	    (const double[]){ 1, 5 * 64e6, 7 });
	exposed_fini(&x);
	store_close(again.store);
	unlink(path);
	tree_free(again.dir);
	tree_free(d.dir);
}

/* Whenever in each somebody looks: what was counted so far. */
static void
totals_of_ten_segments_are_the_sum_of_all_that_was_counted(void **state)
{
	static const unsigned rows[] = { 3, 2, 5, 2, 7, 2, 4, 2, 5, 2 };
	const char *const series[] = { "tallyd_up", "tallyd_samples_total",
	    "tallyd_node_dram_read_bytes_total",
	    "tallyd_raw_rapl_pkg_energy_total{package=\"0\"}",
	    "tallyd_raw_imc_counts_total{package=\"0\","
	    "event=\"CAS_COUNT.READS\"}", NULL };
	struct sampled d = sampled_start();
	unsigned intervals = 0;
	struct exposed x;

	(void)state;
	exposed_init(&x, d.path, SAMPLED_SCOPES);
	sampled_more(&d);
	for (unsigned s = 0; s < 10; s++) {
		for (unsigned i = 0; i < rows[s]; i++, intervals++) {
			if (i == 1 + s % (rows[s] - 1) ||
			    (i == 0 && s % 2 == 1))
				sampled_says(&x, series, (const double[]){ 1,
				    intervals + 1, intervals * 64e6,
				    intervals * 80, intervals * 1e6 });
			sampled_more(&d);
		}
		sampled_next(&d);
	}
	/* the last one has no interval yet */
	sampled_says(&x, series, (const double[]){ 1, 35, 34 * 64e6, 34 * 80,
	    34e6 });
	sampled_more(&d);
	sampled_says(&x, series, (const double[]){ 1, 36, 35 * 64e6, 35 * 80,
	    35e6 });
	exposed_fini(&x);
	sampled_stop(&d);
}

/* ---- many who ask ------------------------------------------------------- */

/* What a server at a socket answers to one request. */
static const char *
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
	return buf;
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
	struct sampled d = sampled_start();
	struct export_ask ask = { .once = false };
	char path[512];
	double before, age, last = -1;
	unsigned pages = 0;
	int status;
	pid_t pid;

	(void)state;
	sampled_more(&d);
	sampled_more(&d);
	ask.listen = in_dir(d.dir, "socket", path);
	exposed_init(&ask.x, d.path, SAMPLED_SCOPES);
	fflush(NULL);
	if ((pid = fork()) == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(export_prometheus.run(&ask));
	}
	wait_until(*scrape(path, page, sizeof(page)) != '\0');
	before = clock_s();
	for (unsigned i = 0; i < 500; i++) {
		scrape(path, page, sizeof(page));
		age = sampled_value(page, "tallyd_sample_age_seconds");
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
	sampled_stop(&d);
}

/* A process' state, as /proc has it. */
static char
state_of(pid_t pid)
{
	char path[64], *text, state;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	text = file_text(path, NULL);
	state = strrchr(text, ')')[2];
	free(text);
	return state;
}

static void
who_follows_sleeps_between_samples(void **state)
{
	static const struct exporter *const all[] = { &export_influx,
	    &export_collectd };

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct sampled d = sampled_start();
		struct export_ask ask = { .once = false };
		unsigned asleep = 0;
		int status;
		pid_t pid;

		sampled_more(&d);
		sampled_more(&d);
		exposed_init(&ask.x, d.path, SAMPLED_SCOPES);
		fflush(NULL);
		if ((pid = fork()) == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (freopen("/dev/null", "w", stdout) == NULL)
				_exit(3);
			_exit(all[i]->run(&ask));
		}
		/* at every look, and not by chance */
		wait_until((asleep = state_of(pid) == 'S' ? asleep + 1 : 0) ==
		    20);
		kill(pid, SIGTERM);
		waitpid(pid, &status, 0);
		assert_int_equal(status, 0);
		exposed_fini(&ask.x);
		sampled_stop(&d);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wrap_is_no_restart),
		cmocka_unit_test(
		    a_counter_that_was_restarted_adds_nothing_and_is_counted),
		cmocka_unit_test(a_rate_that_cannot_be_is_left_out_and_its_total_goes_on),
		cmocka_unit_test(a_temperature_that_no_package_has_is_left_out),
		cmocka_unit_test(a_daemon_that_is_gone_has_no_figures),
		cmocka_unit_test(samples_that_stay_away_make_a_store_stale),
		cmocka_unit_test(
		    
		    a_daemon_that_starts_again_goes_on_with_the_totals),
		cmocka_unit_test(
		    totals_of_ten_segments_are_the_sum_of_all_that_was_counted),
		cmocka_unit_test(a_flood_of_scrapes_has_one_page_a_moment),
		cmocka_unit_test(who_follows_sleeps_between_samples),
	};

	return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
