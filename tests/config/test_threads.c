/*
 * tests/config/test_threads.c - a dump that threads parse ahead reads as without: the same
 * samples, columns, constants and words, whatever is wrong with it; and a page whose lines
 * threads evaluate is the same.
 */
#include "tests/lib/tally_command.h"

#include "config/dump/read.h"
#include "postproc/commands.h"
#include "postproc/data/crew.h"

#include <dirent.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 700
#define UNITS 24                /* two columns each: 1.7 MB in all */

static uint64_t seed;

static unsigned
dice(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((seed >> 33) % n);
}

/* What may be the matter with a dump, in places that the dice choose. */
enum matter {
	NOTHING, WRAPS, BROKEN, TWICE, ABSENT_LINES, SHUFFLED, BACKWARDS, MORE_LATER,
	OTHER_NUMBERS, CONSTANTS, LONG_LINE, TRUNCATED, ALL_OF_IT, MATTERS
};

static bool
now(enum matter m, enum matter which, unsigned one_in)
{
	return (m == which || (m == ALL_OF_IT && which != SHUFFLED)) &&
	    dice(one_in) == 0;
}

static void
put_line(FILE *f, enum matter m, unsigned line, uint64_t sample,
    uint64_t value)
{
	const char *event = line % 2 ? "CAS_COUNT.WRITES" : "CAS_COUNT.READS";
	char name[80];

	snprintf(name, sizeof(name), "imc_counts[%u][%u][\"%s\"]",
	    line / 12, line / 2 % 6, event);
	if (now(m, ABSENT_LINES, 500))
		return;
	if (now(m, BROKEN, 3000))
		fprintf(f, "imc_counts[0][ = 17\n");
	if (now(m, CONSTANTS, 3000))
		fprintf(f, "something[%u] = \"new\"\n", dice(90));
	if (now(m, OTHER_NUMBERS, 2000))
		fprintf(f, "%s[%" PRIu64 "] = %s\n", name, sample,
		    dice(2) ? "-5" : "1.5e3");
	else if (now(m, OTHER_NUMBERS, 100))
		fprintf(f, "%s[%" PRIu64 "] = 0x%" PRIx64 "\n", name, sample,
		    value);
	else if (now(m, OTHER_NUMBERS, 2000))
		fprintf(f, "%s [ %" PRIu64 " ]  =  %" PRIu64 "  -- a word\n",
		    name, sample, value);
	else
		fprintf(f, "%s[%" PRIu64 "] = %" PRIu64 "\n", name, sample,
		    value);
	if (now(m, TWICE, 3000))
		fprintf(f, "%s[%" PRIu64 "] = 4\n", name, sample);
}

static void
put_sample(FILE *f, enum matter m, uint64_t sample, uint64_t *value)
{
	unsigned order[2 * UNITS];

	fprintf(f, "tsc[%" PRIu64 "] = %" PRIu64 "\n", sample,
	    1000000000 + sample * 2000000000);
	fprintf(f, "walltime[0][%" PRIu64 "] = %" PRIu64 "\n", sample,
	    1700000000 + sample);
	fprintf(f, "walltime[1][%" PRIu64 "] = 7\n", sample);
	for (unsigned i = 0; i < 2 * UNITS; i++)
		order[i] = i;
	for (unsigned i = 2 * UNITS; m == SHUFFLED && i > 1; i--) {
		unsigned k = dice(i), last = order[i - 1];

		order[i - 1] = order[k];
		order[k] = last;
	}
	for (unsigned i = 0; i < 2 * UNITS; i++) {
		uint64_t *v = &value[order[i]];

		*v += dice(90000000);
		if (now(m, WRAPS, 60))
			*v += (UINT64_C(1) << 48) - dice(90000000);
		*v &= (UINT64_C(1) << 48) - 1;
		put_line(f, m, order[i], sample, *v);
	}
	if (m == MORE_LATER && sample > 400)
		fprintf(f, "smi_count[%" PRIu64 "][%" PRIu64 "] = 1\n",
		    sample / 100, sample);
	if (now(m, LONG_LINE, 300))
		fprintf(f, "%*s\n", (1 << 20) + 5, "x");
}

static char *
make_dump(enum matter m)
{
	uint64_t value[2 * UNITS] = { 0 };
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	seed = 5;
	fputs("tallyd_format = 1\nmodel = \"skx\"\ninterval = 1\n"
	    "packages = 2\n", f);
	for (uint64_t s = 0; s < SAMPLES; s++) {
		uint64_t sample = s;

		if (now(m, BACKWARDS, 50))
			sample = s > 9 ? s - dice(9) : s;
		put_sample(f, m, sample, value);
	}
	fclose(f);
	if (m == TRUNCATED || m == ALL_OF_IT)
		text[n - 9] = '\0';
	return text;
}

static unsigned
threads(void)
{
	DIR *d = opendir("/proc/self/task");
	unsigned n = 0;

	assert_non_null(d);
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n - 2;
}

/* Everything that a reader returns; *most: threads that were seen beside this. */
static char *
transcript(const char *path, unsigned jobs, unsigned *most)
{
	struct reader *r;
	struct read_row row;
	struct diag why = { "" };
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	const struct read_problem *p;
	unsigned alone = threads();
	int rc;

	*most = 0;
	assert_int_equal(read_open(&r, path, &why), 0);
	read_jobs(r, jobs);
	while ((rc = read_next(r, &row, &why)) > 0) {
		unsigned beside = threads() - alone;

		*most = beside > *most ? beside : *most;
		fprintf(f, "%" PRIu64 " line %" PRIu64 " lacks %u of %u:",
		    row.sample, row.line, row.nabsent, row.ncol);
		for (unsigned c = 0; c < row.ncol; c++)
			fprintf(f, " %" PRIu64 "-%" PRIu64, row.value[c],
			    row.before != NULL ? row.before[c] : 0);
		fprintf(f, "\n");
	}
	fprintf(f, "%d %s\n", rc, why.text);
	for (unsigned i = 0; (p = read_problem(r, i)) != NULL; i++)
		fprintf(f, "%u %" PRIu64 " %s\n", p->kind, p->line, p->text);
	for (unsigned k = 0; k <= PROBLEM_KINDS; k++)
		fprintf(f, "%" PRIu64 " ", read_problems(r, k));
	fprintf(f, "lost %" PRIu64 "\n", read_lost(r));
	for (unsigned i = 0; i < read_columns(r); i++)
		fprintf(f, "%s\n", read_column(r, i)->name);
	for (unsigned i = 0; i < read_constants(r); i++)
		fprintf(f, "%s = %s\n", read_constant(r, i)->name,
		    read_constant(r, i)->text);
	read_close(r);
	fclose(f);
	/* one that was joined is seen until the kernel has put it away */
	wait_until(threads() == alone);
	return text;
}

static void
whatever_is_the_matter_threads_change_nothing(void **state)
{
	(void)state;
	for (enum matter m = 0; m < MATTERS; m++) {
		char *dump = make_dump(m), *alone, *with;
		const char *path = test_put("dump.lua", dump);
		unsigned most;

		alone = transcript(path, 1, &most);
		assert_int_equal(most, 0);
		for (unsigned jobs = 2; jobs <= 7; jobs += 5) {
			with = transcript(path, jobs, &most);
			if (strcmp(alone, with) != 0)
				fail_msg("matter %u, %u threads", m, jobs);
			free(with);
		}
		free(alone);
		free(dump);
	}
}

static void
a_large_dump_is_read_by_as_many_threads_as_asked(void **state)
{
	char *dump = make_dump(NOTHING);
	const char *path = test_put("dump.lua", dump);
	unsigned most;

	(void)state;
	free(transcript(path, 2, &most));
	assert_int_equal(most, 2);
	free(transcript(path, 7, &most));
	assert_int_equal(most, 7);
	/* more are of no use: one thread judges what they parse */
	free(transcript(path, 1000, &most));
	assert_int_equal(most, 16);
	free(dump);
}

static void
a_small_dump_is_read_by_one(void **state)
{
	char *dump = make_dump(NOTHING);
	const char *path;
	unsigned most;

	(void)state;
	dump[500000] = '\0';
	path = test_put("dump.lua", dump);
	free(transcript(path, 7, &most));
	assert_int_equal(most, 0);
	free(dump);
}

static void
a_reader_that_is_closed_early_leaves_no_thread(void **state)
{
	char *dump = make_dump(WRAPS);
	const char *path = test_put("dump.lua", dump);
	unsigned alone = threads();
	struct reader *r;
	struct read_row row;
	struct diag why;

	(void)state;
	assert_int_equal(read_open(&r, path, &why), 0);
	read_jobs(r, 3);
	for (unsigned i = 0; i < 20; i++)
		assert_int_equal(read_next(r, &row, &why), 1);
	assert_int_equal(threads(), alone + 3);
	read_close(r);
	wait_until(threads() == alone);
	free(dump);
}

/* A command's output and what it says, with so many threads. */
static void
compare(int (*cmd)(int, char **), const char *words, const char *dump)
{
	char with[80], *a, *b;

	for (unsigned jobs = 2; jobs <= 7; jobs += 5) {
		snprintf(with, sizeof(with), "%s --jobs 1", words);
		a = said(-1, cmd, with, dump);
		snprintf(with, sizeof(with), "%s --jobs %u", words, jobs);
		b = said(-1, cmd, with, dump);
		assert_string_equal(a, b);
		free(a);
		free(b);
		snprintf(with, sizeof(with), "%s --jobs 1", words);
		a = complained(-1, cmd, with, dump);
		snprintf(with, sizeof(with), "%s --jobs %u", words, jobs);
		b = complained(-1, cmd, with, dump);
		assert_string_equal(a, b);
		free(a);
		free(b);
	}
}

static void
commands_print_the_same_with_any_number_of_threads(void **state)
{
	static const enum matter some[] = { WRAPS, BROKEN, SHUFFLED, ALL_OF_IT };

	(void)state;
	for (unsigned i = 0; i < sizeof(some) / sizeof(*some); i++) {
		char *dump = make_dump(some[i]);

		compare(cmd_report, "report", dump);
		compare(cmd_totals, "totals", dump);
		compare(cmd_check, "check", dump);
		compare(cmd_metrics, "metrics -S node", dump);
		compare(cmd_deltas, "deltas -s 300:310", dump);
		compare(cmd_report, "report -s -20:", dump);
		free(dump);
	}
}

static void
the_recording_reads_the_same_with_threads(void **state)
{
	char path[512], *alone, *with;
	unsigned most;

	(void)state;
	alone = transcript(recording(path), 1, &most);
	with = transcript(recording(path), 5, &most);
	assert_string_equal(alone, with);
	free(alone);
	free(with);
}

/* The page of 30 samples, of which 16 are evaluated at once, and of a dump of more. */
static void
a_page_is_the_same_with_any_number_of_threads(void **state)
{
	char path[512], words[600], *dump = make_dump(WRAPS), *page[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		for (unsigned jobs = 1; jobs <= 3; jobs++) {
			snprintf(words, sizeof(words), "page --jobs %u %s", jobs,
			    i == 0 ? recording(path) : "");
			page[jobs > 1] = said(-1, cmd_page, words,
			    i == 0 ? NULL : dump);
			assert_true(strlen(page[jobs > 1]) > 100000);
			assert_string_equal(page[0], page[jobs > 1]);
			if (jobs > 1)
				free(page[1]);
			if (jobs == 3)
				free(page[0]);
		}
	free(dump);
}

struct pieces {
	pthread_mutex_t lock;
	unsigned begun, done[1000];
};

/* The first pieces wait for each other, so that each is another thread's. */
static void
do_piece(void *ctx, unsigned i, unsigned thread)
{
	struct pieces *p = ctx;

	pthread_mutex_lock(&p->lock);
	p->begun++;
	p->done[i] += thread < 4;
	pthread_mutex_unlock(&p->lock);
	while (i < 4) {
		pthread_mutex_lock(&p->lock);
		i = p->begun;
		pthread_mutex_unlock(&p->lock);
	}
}

static void
a_crew_does_each_piece_once_and_leaves_no_thread(void **state)
{
	struct pieces p = { .lock = PTHREAD_MUTEX_INITIALIZER };
	unsigned alone = threads();
	struct crew *c = crew_new(4);

	(void)state;
	assert_null(crew_new(1));
	assert_non_null(c);
	p.begun = 4;
	crew_do(c, do_piece, &p, 1);
	assert_int_equal(threads(), alone);
	for (unsigned work = 0; work < 50; work++) {
		p.begun = 0;
		crew_do(c, do_piece, &p, 20 * work);
		assert_int_equal(p.begun, 20 * work);
	}
	assert_int_equal(threads(), alone + 3);
	crew_free(c);
	wait_until(threads() == alone);
	for (unsigned i = 0; i < 980; i++)
		assert_int_equal(p.done[i], (i == 0) + 49 - i / 20);
	p.begun = 4;
	crew_do(NULL, do_piece, &p, 5);
	assert_int_equal(p.begun, 9);
}

static void
a_number_of_threads_that_is_none_is_refused(void **state)
{
	(void)state;
	holds(complained(EXIT_USAGE, cmd_totals, "totals --jobs 0", "tsc[0] = 1\n"),
	    "--jobs 0: expected a number of threads");
	holds(complained(EXIT_USAGE, cmd_totals, "totals --jobs two",
	    "tsc[0] = 1\n"), "--jobs two: expected a number of threads");
	holds(complained(EXIT_USAGE, cmd_totals, "totals --jobs -1",
	    "tsc[0] = 1\n"), "--jobs -1: expected a number of threads");
}

static void *
nothing(void *arg)
{
	return arg;
}

int
main(void)
{
	pthread_t first;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_is_the_matter_threads_change_nothing),
		cmocka_unit_test(
		    a_large_dump_is_read_by_as_many_threads_as_asked),
		cmocka_unit_test(a_small_dump_is_read_by_one),
		cmocka_unit_test(
		    a_reader_that_is_closed_early_leaves_no_thread),
		cmocka_unit_test(
		    commands_print_the_same_with_any_number_of_threads),
		cmocka_unit_test(the_recording_reads_the_same_with_threads),
		cmocka_unit_test(a_page_is_the_same_with_any_number_of_threads),
		cmocka_unit_test(
		    a_crew_does_each_piece_once_and_leaves_no_thread),
		cmocka_unit_test(a_number_of_threads_that_is_none_is_refused),
	};

	/* a sanitizer adds one of its own to the first, and keeps it */
	if (pthread_create(&first, NULL, nothing, NULL) != 0 ||
	    pthread_join(first, NULL) != 0)
		return 1;
	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
