/*
 * tests/postproc/test_jobs.c - tally jobs: a node of eight lprocs, of which lproc n retires
 * (n + 1) * 10^8 instructions a second in 10^9 cycles, at 100 W (90 and
 * 10 of DRAM) and 6.4 GB/s of
 * DRAM reads; a sample a second.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#define LPROCS 8

struct node_file {
	const char *name, *host;
	unsigned start, samples;        /* walltime of the first, how many */
	/* "SAMPLE TIME TEXT"; before them, of a daemon that was started then,
	 * "segment N of WALLTIME", N 0: of a dump that is none */
	const char *marks[8];
};

/* A dump in the tests' folder; its path. */
static void
write_dump(const struct node_file *d, char path[128])
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	unsigned n = 0, started = 0;

	assert_non_null(f);
	fprintf(f, "host = \"%s\"\nmodel = \"skx\"\nTSC_ratio = 20\n"
	    "nr_cpus = 8\nRAPL_PKG_ENERGY_UNIT = 0.5\n"
	    "RAPL_DRAM_ENERGY_UNIT = 0.5\n", d->host);
	if (d->marks[0] != NULL && sscanf(d->marks[0], "segment %u of %u", &n,
	    &started) == 2)
		fprintf(f, "Reference_WallTime = %u.0\n", started);
	if (n > 0)
		fprintf(f, "samples = %u\nsegment = %u\nsegment_of = \"%u\"\n"
		    "segment_sample = %u\nsegment_boot = \"b\"\n",
		    d->samples, n, started, d->start - started);
	for (unsigned l = 0; l < LPROCS; l++)
		fprintf(f, "lproc_package[%u] = 0\nlproc_core[%u] = %u\n"
		    "lproc_thread[%u] = 0\n", l, l, l, l);
	for (unsigned k = started > 0, m = 0; k < 8 && d->marks[k] != NULL;
	    k++, m++) {
		unsigned long sample;
		double time;
		int at;

		assert_int_equal(sscanf(d->marks[k], "%lu %lf %n", &sample,
		    &time, &at), 2);
		fprintf(f, "mark_sample[%u] = %lu\nmark_time[%u] = %.6f\n"
		    "mark_text[%u] = \"%s\"\n", m, sample, m, time, m,
		    d->marks[k] + at);
	}
	for (unsigned i = 0; i < d->samples; i++) {
		unsigned t = d->start + i;

		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\nrapl_pkg_energy[0][%u] = %u\n"
		    "rapl_dram_energy[0][%u] = %u\n"
		    "imc_counts[0][0][\"CAS_COUNT.RD\"][%u] = %llu\n"
		    "imc_counts[0][0][\"CAS_COUNT.WR\"][%u] = 5\n", i,
		    t * 2000000000ull, i, t, i, i, t * 180, i,
		    t * 20, i, t * 100000000ull, i);
		for (unsigned l = 0; l < LPROCS; l++)
			fprintf(f, "core_counts[%u][\"INST_RETIRED.ANY\"][%u] = "
			    "%llu\ncore_counts[%u][\"CPU_CLK_UNHALTED.THREAD\"]"
			    "[%u] = %llu\n", l, i, t * (l + 1) * 100000000ull,
			    l, i, t * 1000000000ull);
	}
	fclose(f);
	strcpy(path, test_put(d->name, text));
	free(text);
}

/* What tally jobs says of one or two dumps; "" where more is NULL. */
static char *
jobs_of(int want, const char *options, const struct node_file *a,
    const struct node_file *b)
{
	char words[400], one[128] = "", two[128] = "";

	write_dump(a, one);
	if (b != NULL)
		write_dump(b, two);
	snprintf(words, sizeof words, "jobs %s %s %s", options, one, two);
	return said(want, cmd_jobs, words, NULL);
}

/* The cell of a job's row of CSV, by its column. */
static const char *
cell(const char *csv, const char *job, const char *column)
{
	static char word[300];
	const char *row = csv, *head = csv, *at;
	unsigned n = 0;

	while ((at = strpbrk(head, ",\n")) != NULL &&
	    strncmp(head, column, strlen(column)) != 0) {
		if (*at == '\n')
			fail_msg("no column %s in %s", column, csv);
		head = at + 1;
		n++;
	}
	while ((row = strchr(row, '\n')) != NULL && (strncmp(row + 1, job,
	    strlen(job)) != 0 || row[1 + strlen(job)] != ','))
		row++;
	if (row == NULL)
		fail_msg("no job %s in %s", job, csv);
	for (row++; n > 0; n--)
		row = strchr(row, ',') + 1;
	snprintf(word, sizeof word, "%.*s", (int)strcspn(row, ",\r\n"), row);
	return word;
}

static void
of_job(const char *csv, const char *job, const char *column, const char *want)
{
	if (strcmp(cell(csv, job, column), want) != 0)
		fail_msg("job %s: %s is %s, not %s, of %s", job, column,
		    cell(csv, job, column), want, csv);
}

static void
a_job_has_what_its_own_lprocs_counted_between_its_marks(void **state)
{
	/* 2.75 s of lprocs 0 to 3: (1 + 2 + 3 + 4) * 10^8 a second */
	char *csv = jobs_of(EXIT_OK, "-f csv", &(struct node_file){ "a", "n1",
	    1000, 10, { "2 1001.5 job=7 begin user=ann lprocs=0-3",
	    "5 1004.25 job=7 end" } }, NULL);

	(void)state;
	of_job(csv, "7", "user", "ann");
	of_job(csv, "7", "lprocs", "4");
	of_job(csv, "7", "begin", "1970-01-01T00:16:41.500Z");
	of_job(csv, "7", "end", "1970-01-01T00:16:44.250Z");
	of_job(csv, "7", "time", "2.750");
	of_job(csv, "7", "sampled", "100.00");
	of_job(csv, "7", "instructions", "2.750");
	of_job(csv, "7", "ipc", "0.2500");
	/* alone: all that the node did */
	of_job(csv, "7", "energy", "275.0");
	of_job(csv, "7", "power", "100.00");
	of_job(csv, "7", "dram", "6.400");
	of_job(csv, "7", "share", "100.00");
	of_job(csv, "7", "shared", "alone");
	of_job(csv, "7", "note", "");
	/* not counted here */
	of_job(csv, "7", "flops", "");
	of_job(csv, "7", "upi", "");
	free(csv);
}

static void
jobs_at_once_share_the_node_by_lproc_seconds(void **state)
{
	/* from 1002 to 1004 both, 4 lprocs to 2; then 2 s of b alone */
	char *csv = jobs_of(EXIT_OK, "-f csv", &(struct node_file){ "a", "n1",
	    1000, 10, { "2 1002 job=a begin lprocs=0-3",
	    "2 1002 job=b begin lprocs=4,6", "4 1004 job=a end",
	    "6 1006 job=b end" } }, NULL);

	(void)state;
	of_job(csv, "a", "energy", "133.3");
	of_job(csv, "b", "energy", "266.7");
	of_job(csv, "a", "share", "66.67");
	of_job(csv, "b", "share", "66.67");
	of_job(csv, "a", "shared", "by lproc-seconds");
	of_job(csv, "b", "shared", "partly by lproc-seconds");
	of_job(csv, "a", "instructions", "2.000");
	of_job(csv, "b", "instructions", "4.800");
	of_job(csv, "a", "dram", "4.267");
	of_job(csv, "a", "note", "");
	free(csv);
}

static void
jobs_that_have_parts_of_one_interval_have_only_these(void **state)
{
	/* one after the other within the second from 1003: each alone */
	char *csv = jobs_of(EXIT_OK, "-f csv", &(struct node_file){ "a", "n1",
	    1000, 10, { "4 1003.25 job=a begin lprocs=0", "4 1003.5 job=a end",
	    "4 1003.5 job=b begin lprocs=0-1", "4 1004 job=b end" } }, NULL);

	(void)state;
	of_job(csv, "a", "energy", "25.0");
	of_job(csv, "b", "energy", "50.0");
	of_job(csv, "a", "shared", "alone");
	of_job(csv, "b", "instructions", "0.1500");
	of_job(csv, "b", "note", "");
	free(csv);
}

static const struct node_file first = { "first", "n1", 1000, 5,
    { "3 1002.5 job=7 begin user=ann lprocs=0-1" } };

static void
a_job_goes_on_in_the_next_segment(void **state)
{
	static const struct node_file second = { "second", "n1", 1004, 6,
	    { "0 1002.5 job=7 begin user=ann lprocs=0-1",
	    "2 1005.5 job=7 end" } };
	char *csv = jobs_of(EXIT_OK, "-f csv", &first, &second);

	(void)state;
	of_job(csv, "7", "nodes", "1");
	of_job(csv, "7", "time", "3.000");
	of_job(csv, "7", "sampled", "100.00");
	of_job(csv, "7", "instructions", "0.9000");
	of_job(csv, "7", "energy", "300.0");
	of_job(csv, "7", "note", "");
	free(csv);
	/* in whatever order they are given */
	csv = jobs_of(EXIT_OK, "-f csv", &second, &first);
	of_job(csv, "7", "time", "3.000");
	of_job(csv, "7", "instructions", "0.9000");
	of_job(csv, "7", "note", "");
	free(csv);
}

static void
a_daemon_that_was_dead_meanwhile_leaves_a_gap_that_is_told(void **state)
{
	/* nothing from 1004 to 1006, and no mark of the begin from then on */
	char *csv = jobs_of(EXIT_OK, "-f csv", &first, &(struct node_file){
	    "second", "n1", 1006, 6, { "2 1008 job=7 end" } });

	(void)state;
	of_job(csv, "7", "time", "5.500");
	of_job(csv, "7", "sampled", "63.64");   /* 3.5 s */
	of_job(csv, "7", "instructions", "1.050");
	of_job(csv, "7", "power", "100.00");
	free(csv);
}

/* A daemon from 1000 to 1008 in two segments, and one from 1010 on in two. */
static const struct node_file segment_1 = { "s1", "n1", 1000, 5,
    { "segment 1 of 1000", "3 1002.5 job=7 begin lprocs=0-1" } };
static const struct node_file segment_2 = { "s2", "n1", 1004, 5,
    { "segment 2 of 1000", "0 1002.5 job=7 begin lprocs=0-1" } };
static const struct node_file segment_3 = { "s3", "n1", 1010, 5,
    { "segment 1 of 1010" } };

/* The same of four files, in an order of no use. */
static char *
jobs_of_four(const struct node_file *last)
{
	const struct node_file *of[4] = { &segment_3, last, &segment_2,
	    &segment_1 };
	char words[600] = "jobs -f csv", path[128];

	for (unsigned i = 0; i < 4; i++) {
		write_dump(of[i], path);
		strcat(strcat(words, " "), path);
	}
	return said(EXIT_OK, cmd_jobs, words, NULL);
}

static void
a_job_that_the_next_daemon_saw_end_ran_over_the_restart(void **state)
{
	/* 1002.5 to 1008, and 1010 to 1015.5, of 13 s */
	char *csv = jobs_of_four(&(struct node_file){ "s4", "n1", 1014, 5, {
	    "segment 2 of 1010", "2 1015.5 job=7 end" } });

	(void)state;
	of_job(csv, "7", "nodes", "1");
	of_job(csv, "7", "begin", "1970-01-01T00:16:42.500Z");
	of_job(csv, "7", "end", "1970-01-01T00:16:55.500Z");
	of_job(csv, "7", "time", "13.000");
	of_job(csv, "7", "sampled", "84.62");   /* 11 of 13 */
	of_job(csv, "7", "instructions", "3.300");
	of_job(csv, "7", "energy", "1100.0");
	of_job(csv, "7", "note", "");
	free(csv);
}

static void
a_job_whose_end_no_daemon_saw_takes_nothing_of_later_ones(void **state)
{
	/* it may have ended while nobody sampled: b is alone */
	char *csv = jobs_of_four(&(struct node_file){ "s4", "n1", 1014, 5, {
	    "segment 2 of 1010", "1 1015 job=b begin lprocs=0-1",
	    "3 1017 job=b end" } });

	(void)state;
	of_job(csv, "7", "end", "");
	of_job(csv, "7", "time", "5.500");
	of_job(csv, "7", "sampled", "100.00");
	of_job(csv, "7", "energy", "550.0");
	of_job(csv, "7", "note", "marks: no end on 1 of 1 nodes (n1): as far as "
	    "they are sampled");
	of_job(csv, "b", "energy", "200.0");
	of_job(csv, "b", "shared", "alone");
	of_job(csv, "b", "note", "");
	free(csv);
}

static void
a_job_that_begins_again_under_the_next_daemon_has_both_times(void **state)
{
	char *csv = jobs_of_four(&(struct node_file){ "s4", "n1", 1014, 5, {
	    "segment 2 of 1010", "1 1015 job=7 begin lprocs=0-1",
	    "3 1017 job=7 end" } });

	(void)state;
	of_job(csv, "7", "time", "7.500");
	of_job(csv, "7", "energy", "750.0");
	of_job(csv, "7", "note", "begun again 1 times");
	free(csv);
}

static void
a_job_goes_on_over_a_segment_that_is_not_there(void **state)
{
	/* the one of 1004 to 1008 is gone: the difference goes over it */
	char *csv = jobs_of(EXIT_OK, "-f csv", &(struct node_file){ "s9", "n1",
	    1008, 5, { "segment 3 of 1000", "0 1002.5 job=7 begin lprocs=0-1",
	    "2 1010 job=7 end" } }, &segment_1);

	(void)state;
	of_job(csv, "7", "time", "7.500");
	of_job(csv, "7", "sampled", "100.00");
	of_job(csv, "7", "energy", "750.0");
	of_job(csv, "7", "note", "");
	free(csv);
	/* the first is: known from its later marks, and that it lacks */
	csv = jobs_of(EXIT_OK, "-f csv", &segment_2, NULL);
	of_job(csv, "7", "begin", "1970-01-01T00:16:42.500Z");
	of_job(csv, "7", "time", "5.500");
	of_job(csv, "7", "sampled", "72.73");   /* 4 of 5.5 */
	free(csv);
}

static void
dumps_that_are_no_segments_are_taken_in_the_order_of_their_daemons(void **state)
{
	char *csv = jobs_of(EXIT_OK, "-f csv", &(struct node_file){ "second",
	    "n1", 1006, 6, { "segment 0 of 1006", "2 1008 job=7 end" } },
	    &(struct node_file){ "first", "n1", 1000, 5, { "segment 0 of 1000",
	    "3 1002.5 job=7 begin lprocs=0-1" } });

	(void)state;
	of_job(csv, "7", "time", "5.500");
	of_job(csv, "7", "sampled", "63.64");
	of_job(csv, "7", "note", "");
	free(csv);
}

static void
a_job_of_two_nodes_is_one_row(void **state)
{
	char *csv = jobs_of(EXIT_OK, "-f csv", &(struct node_file){ "a", "n1",
	    1000, 10, { "1 1001 job=7 begin lprocs=0", "5 1005 job=7 end" } },
	    &(struct node_file){ "b", "n2", 1000, 10, {
	    "1 1001 job=7 begin lprocs=3", "3 1003 job=7 end" } });

	(void)state;
	of_job(csv, "7", "nodes", "2");
	of_job(csv, "7", "on", "n1 n2");
	of_job(csv, "7", "lprocs", "2");
	of_job(csv, "7", "time", "3.000");
	/* 4 s * 10^8 and 2 s * 4 * 10^8, in 6 * 10^9 cycles */
	of_job(csv, "7", "instructions", "1.200");
	of_job(csv, "7", "ipc", "0.2000");
	of_job(csv, "7", "energy", "600.0");
	of_job(csv, "7", "power", "200.00");
	free(csv);
}

static void
a_job_that_never_ended_counts_as_far_as_it_is_sampled(void **state)
{
	char *csv = jobs_of(EXIT_OK, "-f csv", &first, NULL);

	(void)state;
	of_job(csv, "7", "end", "");
	of_job(csv, "7", "time", "1.500");
	of_job(csv, "7", "instructions", "0.4500");
	of_job(csv, "7", "note", "marks: no end on 1 of 1 nodes (n1): as far as "
	    "they are sampled");
	free(csv);
}

static void
an_end_without_a_begin_has_no_figures(void **state)
{
	char *csv = jobs_of(EXIT_OK, "-f csv", &(struct node_file){ "a", "n1",
	    1000, 10, { "5 1005 job=7 end" } }, NULL);

	(void)state;
	of_job(csv, "7", "begin", "");
	of_job(csv, "7", "end", "1970-01-01T00:16:45.000Z");
	of_job(csv, "7", "instructions", "");
	of_job(csv, "7", "energy", "");
	of_job(csv, "7", "note", "marks: no begin");
	free(csv);
}

static void
the_same_samples_count_once(void **state)
{
	char *csv = jobs_of(EXIT_FINDINGS, "-f csv", &first, &first);

	(void)state;
	of_job(csv, "7", "instructions", "0.4500");
	free(csv);
}

static void
lprocs_of_two_jobs_and_of_no_node_are_told(void **state)
{
	char *csv = jobs_of(EXIT_OK, "-f csv", &(struct node_file){ "a", "n1",
	    1000, 10, { "1 1001 job=a begin lprocs=0-3",
	    "1 1001 job=b begin lprocs=3-4,4", "5 1005 job=a end",
	    "5 1005 job=b end", "5 1005 job=c begin lprocs=6-4294967295",
	    "6 1006 job=c end", "6 1006 job=d begin lprocs=x",
	    "7 1007 job=d end" } }, NULL);

	(void)state;
	of_job(csv, "a", "note", "shares lprocs with job b");
	of_job(csv, "b", "note", "shares lprocs with job a");
	of_job(csv, "b", "lprocs", "2");
	of_job(csv, "c", "note", "lprocs: some are not of the node");
	of_job(csv, "c", "instructions", "1.500");
	of_job(csv, "d", "lprocs", "0");
	free(csv);
}

static void
a_job_that_is_requeued_has_both_of_its_times(void **state)
{
	char *csv = jobs_of(EXIT_OK, "-f csv", &(struct node_file){ "a", "n1",
	    1000, 12, { "1 1001 job=7 begin lprocs=0", "3 1003 job=7 end",
	    "8 1008 job=7 begin lprocs=0", "9 1009 job=7 end" } }, NULL);

	(void)state;
	of_job(csv, "7", "time", "3.000");
	of_job(csv, "7", "sampled", "100.00");
	of_job(csv, "7", "energy", "300.0");
	of_job(csv, "7", "note", "begun again 1 times");
	free(csv);
}

static void
marks_of_hostile_text_are_left_out_and_told(void **state)
{
	static const struct node_file d = { "a", "n1", 1000, 10, {
	    "1 1001 job=7 begin", "1 1001 job=$(reboot) begin",
	    "1 1001 job=8", "1 1001 job=8 begin end", "1 1001 job= begin",
	    "1 1001 job=x/../y begin", "2 1002 job=7 end",
	    "2 1002 phase=solve" } };
	char *csv = jobs_of(EXIT_FINDINGS, "-f csv", &d, NULL), *text;

	(void)state;
	of_job(csv, "7", "energy", "50.0");     /* beside x/../y */
	lacks(csv, "reboot");
	text = jobs_of(EXIT_FINDINGS, "--comment", &d, NULL);
	assert_string_equal(text, "sacctmgr -i modify job where jobid=7 set "
	    "AdminComment='tally energy_j=50.000 power_w=50.000 "
	    "share_percent=50.000 instructions_g=3.600 ipc=0.4500 "
	    "dram_gb_s=3.200 sampled_percent=100.000'\n");
	free(text);
}

static void
a_range_has_the_jobs_that_ran_in_it(void **state)
{
	char *csv = jobs_of(EXIT_OK, "-f csv -s 4:6", &(struct node_file){
	    "a", "n1", 1000, 10, { "1 1001 job=a begin lprocs=0",
	    "2 1002 job=a end", "3 1003 job=b begin lprocs=0",
	    "5 1005 job=b end", "8 1008 job=c begin lprocs=0" } }, NULL);

	(void)state;
	of_job(csv, "b", "energy", "100.0");
	of_job(csv, "b", "note", "");
	assert_null(strstr(csv, "\na,"));
	lacks(csv, "\nc,");
}

static void
a_dump_without_marks_is_an_error(void **state)
{
	(void)state;
	free(jobs_of(EXIT_UNUSABLE, "", &(struct node_file){ "a", "n1", 1000,
	    10, { NULL } }, NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_job_has_what_its_own_lprocs_counted_between_its_marks),
		cmocka_unit_test(jobs_at_once_share_the_node_by_lproc_seconds),
		cmocka_unit_test(
		    jobs_that_have_parts_of_one_interval_have_only_these),
		cmocka_unit_test(a_job_goes_on_in_the_next_segment),
		cmocka_unit_test(
		    a_daemon_that_was_dead_meanwhile_leaves_a_gap_that_is_told),
		cmocka_unit_test(
		    a_job_that_the_next_daemon_saw_end_ran_over_the_restart),
		cmocka_unit_test(
		    a_job_whose_end_no_daemon_saw_takes_nothing_of_later_ones),
		cmocka_unit_test(
		    a_job_that_begins_again_under_the_next_daemon_has_both_times),
		cmocka_unit_test(
		    a_job_goes_on_over_a_segment_that_is_not_there),
		cmocka_unit_test(
		    dumps_that_are_no_segments_are_taken_in_the_order_of_their_daemons),
		cmocka_unit_test(a_job_of_two_nodes_is_one_row),
		cmocka_unit_test(
		    a_job_that_never_ended_counts_as_far_as_it_is_sampled),
		cmocka_unit_test(an_end_without_a_begin_has_no_figures),
		cmocka_unit_test(the_same_samples_count_once),
		cmocka_unit_test(lprocs_of_two_jobs_and_of_no_node_are_told),
		cmocka_unit_test(a_job_that_is_requeued_has_both_of_its_times),
		cmocka_unit_test(marks_of_hostile_text_are_left_out_and_told),
		cmocka_unit_test(a_range_has_the_jobs_that_ran_in_it),
		cmocka_unit_test(a_dump_without_marks_is_an_error),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
