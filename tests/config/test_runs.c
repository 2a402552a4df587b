/*
 * tests/config/test_runs.c - the dumps of one run, its segments, are read as one: in
 * order of time, each sample once, and without a difference from before to after a
 * restart, reboot or reload, where counters start from other values.  Also packed dumps.
 */
#include "tests/lib/files.h"

#include "config/dump/head.h"
#include "postproc/data/intervals.h"
#include "postproc/data/runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HZ UINT64_C(1000000000)

/* A segment to be written.  From sample to sample, wall goes up by 1 s, tsc by 1e9 and
 * count, the value of every counter, by 1000. */
struct made {
	const char *name;               /* of the file */
	const char *host;
	const char *of, *boot;          /* segment_of, segment_boot */
	const char *text;               /* text_name: the configuration */
	double started;
	unsigned n;                     /* number of the segment, from 1 */
	unsigned sample;                /* number of its first sample in the run */
	unsigned samples;               /* how many it has */
	uint64_t wall, tsc, count;      /* at its first sample */
	const char *more;               /* lines added to its head; or NULL */
};

#define LPROCS 3                /* each has the counter */

static char said[4096];

/* Appends a line that runs_find says to `said`. */
static void
hear(const char *line)
{
	strncat(said, line, sizeof(said) - strlen(said) - 2);
	strcat(said, "\n");
}

/* Writes the segment into a file; the caller frees its path. */
static const char *
make(const struct made *m)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	const char *path;

	fprintf(f, "tallyd_format = 1\nhost = \"%s\"\nmodel = \"skx\"\n"
	    "text_name = {}\ntext_name[0] = \"%s\"\ninterval = 1.0\n"
	    "Reference_WallTime = %.1f\nsamples = %u\nsegment = %u\n"
	    "segment_of = \"%s\"\nsegment_sample = %u\n"
	    "segment_boot = \"%s\"\ntsc_hz = 1000000000\n%s", m->host,
	    m->text, m->started, m->samples, m->n, m->of, m->sample, m->boot,
	    m->more != NULL ? m->more : "");
	fputs("tsc = {}\nwalltime = {}\nwalltime[0] = {}\nwalltime[1] = {}\n"
	    "core_counts = {}\n", f);
	for (unsigned l = 0; l < LPROCS; l++)
		fprintf(f, "core_counts[%u] = {}\ncore_counts[%u][\"X\"] = {}\n",
		    l, l);
	for (unsigned i = 0; i < m->samples; i++) {
		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %llu\n"
		    "walltime[1][%u] = 0\n", i,
		    (unsigned long long)(m->tsc + i * HZ), i,
		    (unsigned long long)(m->wall + i), i);
		for (unsigned l = 0; l < LPROCS; l++)
			fprintf(f, "core_counts[%u][\"X\"][%u] = %llu\n", l, i,
			    (unsigned long long)(m->count + 1000 * i));
	}
	fclose(f);
	path = strdup(test_put(m->name, text));
	free(text);
	return path;
}

/* Three segments of one start of the daemon, with 10 samples each.  The last sample of
 * one is the first of the next. */
#define FIRST { "b.lua", "n1", "r1", "boot1", "@a", 100, 1, 0, 10, 1000, \
    5 * HZ, 7, NULL }
#define SECOND { "a.lua", "n1", "r1", "boot1", "@a", 100, 2, 9, 10, 1009, \
    14 * HZ, 9007, NULL }
#define THIRD { "c.lua", "n1", "r1", "boot1", "@a", 100, 3, 18, 10, 1018, \
    23 * HZ, 18007, NULL }

/* The segment behind FIRST after a reload; its first sample is not FIRST's last.  count:
 * of its counters then. */
#define RELOADED(count) { "d.lua", "n1", "r1", "boot1", "@a", 100, 2, 10, \
    10, 1010, 15 * HZ, count, "segment_reload = 1\n" }

struct joined {
	struct runs runs;
	const char *path[8];
	unsigned n;
	struct intervals *iv;
	struct select select;
	uint64_t sum, samples, last;
	double seconds;
};

static void
join(struct joined *j, const struct made *m, unsigned n)
{
	memset(j, 0, sizeof(*j));
	said[0] = '\0';
	for (unsigned i = 0; i < n; i++)
		j->path[j->n++] = make(&m[i]);
	assert_int_equal(runs_find(&j->runs, j->path, n, hear), 0);
	j->select.runs = &j->runs;
}

/* Reads a run, and adds up the differences of a counter without doubt. */
static void
add_up(struct joined *j, unsigned run)
{
	struct interval step;
	struct diag why;
	int rc, x;

	if (intervals_open(&j->iv, j->runs.first[run], &j->select, &why) < 0)
		fail_msg("%s", why.text);
	while ((rc = intervals_next(j->iv, &step, &why)) > 0) {
		x = read_find(intervals_reader(j->iv), "core_counts[0][\"X\"]");
		assert_true(x >= 0);
		if (step.kind[x] <= DELTA_WRAPPED)
			j->sum += step.delta[x];
	}
	assert_int_equal(rc, 0);
	j->samples = intervals_samples(j->iv);
	j->last = intervals_last(j->iv);
	j->seconds = intervals_seconds(j->iv);
}

static void
leave(struct joined *j)
{
	intervals_close(j->iv);
	runs_fini(&j->runs);
	for (unsigned i = 0; i < j->n; i++)
		free((char *)j->path[i]);
}

static void
segments_in_any_order_are_one_run_and_no_difference_is_lost(void **state)
{
	static const struct made m[] = { THIRD, FIRST, SECOND };
	struct joined j;

	(void)state;
	join(&j, m, 3);
	assert_int_equal(j.runs.n, 1);
	assert_string_equal(said, "");
	assert_string_equal(strrchr(j.runs.first[0], '/'), "/b.lua");
	add_up(&j, 0);
	assert_int_equal(j.sum, 27000);
	assert_int_equal(j.samples, 28);
	assert_int_equal(j.last, 27);
	assert_true(j.seconds > 26.999 && j.seconds < 27.001);
	assert_null(read_seam(intervals_reader(j.iv), 0));
	assert_int_equal((int)head_number(intervals_reader(j.iv),
	    HEAD_SAMPLES, ALONE, 0), 28);
	leave(&j);
}

static void
a_segment_that_is_there_twice_counts_once(void **state)
{
	/* a store was dumped twice: a first dump of it was cut off */
	static const struct made m[] = { FIRST, SECOND,
		{ "again.lua", "n1", "r1", "boot1", "@a", 100, 2, 9, 4, 1009,
		  14 * HZ, 9007, NULL },
		{ "none.lua", "n1", "r1", "boot1", "@a", 100, 3, 0, 0, 0, 0, 0,
		  NULL } };
	struct joined j;

	(void)state;
	join(&j, m, 4);
	assert_int_equal(j.runs.n, 1);
	assert_non_null(strstr(said, "again.lua: the same segment as "));
	assert_non_null(strstr(said, "none.lua: a segment without a sample"));
	add_up(&j, 0);
	assert_int_equal(j.sum, 18000);
	assert_int_equal(j.samples, 19);
	leave(&j);
}

static void
a_segment_that_is_missing_is_told_and_the_difference_is_exact(void **state)
{
	static const struct made m[] = { FIRST, THIRD };
	const struct seam *seam;
	struct joined j;

	(void)state;
	join(&j, m, 2);
	add_up(&j, 0);
	assert_int_equal(j.sum, 27000);
	assert_int_equal(j.samples, 20);
	assert_int_equal(j.last, 27);
	seam = read_seam(intervals_reader(j.iv), 0);
	assert_non_null(seam);
	assert_int_equal(seam->kind, SEAM_MISSING);
	assert_int_equal(seam->sample, 18);
	assert_int_equal(seam->missing, 8);
	assert_true(seam->seconds == 9);
	leave(&j);
}

static void
no_difference_goes_over_a_restart_or_a_boot(void **state)
{
	static const struct made m[] = {
		/* another start in the same boot: counters are programmed anew */
		{ "r.lua", "n1", "r2", "boot1", "@a", 2000, 1, 0, 5, 2010,
		  900 * HZ, 50, NULL },
		FIRST,
		/* after a boot, where the TSC starts at 0, too */
		{ "s.lua", "n1", "r3", "boot2", "@a", 3000, 1, 0, 5, 3010,
		  2 * HZ, 1000000, NULL } };
	const struct seam *seam;
	struct joined j;

	(void)state;
	join(&j, m, 3);
	assert_int_equal(j.runs.n, 1);
	add_up(&j, 0);
	assert_int_equal(j.sum, 9000 + 4000 + 4000);
	assert_int_equal(j.samples, 20);
	assert_true(j.seconds > 16.999 && j.seconds < 17.001);
	seam = read_seam(intervals_reader(j.iv), 0);
	assert_int_equal(seam->kind, SEAM_RESTART);
	assert_int_equal(seam->sample, 10);
	assert_true(seam->seconds == 2010 - 1009);
	seam = read_seam(intervals_reader(j.iv), 1);
	assert_int_equal(seam->kind, SEAM_REBOOT);
	assert_int_equal(seam->sample, 15);
	assert_null(read_seam(intervals_reader(j.iv), 2));
	leave(&j);
}

static void
a_counter_that_something_else_writes_is_doubted_behind_a_restart_too(
    void **state)
{
	static const struct made m[] = {
		FIRST,
		{ "e.lua", "n1", "r2", "boot1", "@a", 200, 1, 0, 10, 1100,
		  105 * HZ, 7, NULL },
		/* its first sample should have count 9007: something else has
		 * written the counter, so that the segment's values are doubted */
		{ "f.lua", "n1", "r2", "boot1", "@a", 200, 2, 9, 10, 1109,
		  114 * HZ, 1, NULL } };
	struct joined j;

	(void)state;
	join(&j, m, 3);
	assert_int_equal(j.runs.n, 1);
	add_up(&j, 0);
	assert_int_equal(j.sum, 9000 + 9000);
	assert_int_equal(j.samples, 29);
	leave(&j);
}

static void
a_reload_loses_the_one_difference_over_its_seam(
    void **state)
{
	/* what the counters hold after the reload */
	static const uint64_t count[] = { 0, 8500, 1000000000 };

	(void)state;
	for (size_t i = 0; i < sizeof(count) / sizeof(count[0]); i++) {
		const struct made m[] = { RELOADED(count[i]), FIRST };
		struct joined j;

		join(&j, m, 2);
		assert_int_equal(j.runs.n, 1);
		assert_string_equal(said, "");
		add_up(&j, 0);
		assert_int_equal(j.sum, 18000);
		assert_int_equal(j.samples, 20);
		assert_int_equal(j.last, 19);
		assert_true(j.seconds > 17.999 && j.seconds < 18.001);
		assert_int_equal(read_seam(intervals_reader(j.iv), 0)->kind,
		    SEAM_RELOAD);
		assert_int_equal(read_seam(intervals_reader(j.iv), 0)->sample,
		    10);
		leave(&j);
	}
}

static void
other_nodes_and_other_configurations_are_runs_of_their_own(void **state)
{
	static const struct made m[] = { FIRST,
		{ "n2.lua", "n2", "r9", "boot9", "@a", 100, 1, 0, 3, 1000, HZ,
		  0, NULL },
		{ "new.lua", "n1", "r1", "boot1", "@b", 100, 3, 18, 10, 1018,
		  23 * HZ, 18007, NULL },
		SECOND };
	struct joined j;

	(void)state;
	join(&j, m, 4);
	assert_int_equal(j.runs.n, 3);
	assert_int_equal(j.runs.run[0].n, 2);
	assert_int_equal(j.runs.run[1].n, 1);
	assert_string_equal(strrchr(j.runs.first[1], '/'), "/new.lua");
	assert_string_equal(strrchr(j.runs.first[2], '/'), "/n2.lua");
	assert_non_null(strstr(said, "new.lua: something else is counted from "
	    "here on, or another way (another configuration): told apart"));
	leave(&j);
}

static void
marks_have_the_numbers_that_they_have_in_the_run(void **state)
{
	struct made m[] = { FIRST, SECOND };
	struct joined j;
	const struct reader *r;

	(void)state;
	m[0].more = "phase_mark = {}\nphase_mark[0] = 2\n"
	    "missed_deadlines = 1\nmark_sample = {}\nmark_time = {}\n"
	    "mark_text = {}\nmark_sample[0] = 3\nmark_time[0] = 1003.5\n"
	    "mark_text[0] = \"job=7 begin\"\n";
	m[1].more = "phase_mark = {}\nphase_mark[0] = 4\n"
	    "missed_deadlines = 2\nmark_sample = {}\nmark_time = {}\n"
	    "mark_text = {}\nmark_sample[0] = 0\nmark_time[0] = 1003.5\n"
	    "mark_text[0] = \"job=7 begin\"\nmark_sample[1] = 5\n"
	    "mark_time[1] = 1014.5\nmark_text[1] = \"job=7 end\"\n";
	join(&j, m, 2);
	add_up(&j, 0);
	r = intervals_reader(j.iv);
	assert_int_equal((int)head_number(r, HEAD_PHASE_MARK, AT(1), 0), 13);
	assert_int_equal((int)head_number(r, HEAD_MISSED_DEADLINES, ALONE, 0),
	    3);
	/* the job is open in both, and begins once */
	assert_int_equal((int)head_number(r, HEAD_MARK_SAMPLE, AT(1), 0), 14);
	assert_string_equal(head_text(r, HEAD_MARK_TEXT, AT(1), ""),
	    "job=7 end");
	assert_null(head_constant(r, HEAD_MARK_TEXT, AT(2)));
	leave(&j);
}

/* ---- packed files ---------------------------------------------------------- */

static void
packed_files_are_read_through_the_programs_that_made_them(void **state)
{
	static const char *const programs[] = { "gzip", "xz", "zstd" };
	static const struct made first = FIRST;
	char command[1024], path[600];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const char *plain = make(&first);
		struct reader *r;
		struct read_row row;
		struct diag why;
		uint64_t n = 0;

		/* a file name with a command in it, which must not be run */
		snprintf(path, sizeof(path), "%s/-$(touch bad);%zu", test_dir,
		    i);
		snprintf(command, sizeof(command), "%s -c <'%s' >'%s' "
		    "2>/dev/null", programs[i], plain, path);
		free((char *)plain);
		if (system(command) != 0) {
			print_message("%s is not installed\n", programs[i]);
			continue;
		}
		if (read_open(&r, path, &why) < 0)
			fail_msg("%s", why.text);
		while (read_next(r, &row, &why) > 0)
			n++;
		assert_int_equal(n, 10);
		assert_int_equal(read_problems(r, PROBLEM_KINDS), 0);
		read_close(r);
		/* a packed file that was cut off is reported, and read as far
		 * as it can be */
		assert_int_equal(truncate(path, 120), 0);
		if (read_open(&r, path, &why) == 0) {
			while (read_next(r, &row, &why) > 0)
				continue;
			assert_true(read_problems(r, PROBLEM_TRUNCATED) > 0);
			read_close(r);
		} else
			assert_non_null(strstr(why.text, "damaged"));
	}
	assert_int_equal(access("bad", F_OK), -1);
}

static void
a_program_that_is_not_there_is_named(void **state)
{
	const char *path = test_put("x.zst", "\x28\xb5\x2f\xfd and more");
	char *was = strdup(getenv("PATH"));
	struct reader *r;
	struct diag why;

	(void)state;
	setenv("PATH", "/nowhere", 1);
	assert_true(read_open(&r, path, &why) < 0);
	setenv("PATH", was, 1);
	free(was);
	assert_non_null(strstr(why.text, "zstd has made it, and is not "
	    "installed here"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    segments_in_any_order_are_one_run_and_no_difference_is_lost),
		cmocka_unit_test(a_segment_that_is_there_twice_counts_once),
		cmocka_unit_test(
		    a_segment_that_is_missing_is_told_and_the_difference_is_exact),
		cmocka_unit_test(no_difference_goes_over_a_restart_or_a_boot),
		cmocka_unit_test(
		    a_counter_that_something_else_writes_is_doubted_behind_a_restart_too),
		cmocka_unit_test(
		    a_reload_loses_the_one_difference_over_its_seam),
		cmocka_unit_test(
		    other_nodes_and_other_configurations_are_runs_of_their_own),
		cmocka_unit_test(
		    marks_have_the_numbers_that_they_have_in_the_run),
		cmocka_unit_test(
		    packed_files_are_read_through_the_programs_that_made_them),
		cmocka_unit_test(a_program_that_is_not_there_is_named),
	};

	return cmocka_run_group_tests_name("runs", tests, test_dir_new,
	    test_dir_free);
}
