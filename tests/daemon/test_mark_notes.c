/*
 * tests/daemon/test_mark_notes.c - marks with names (`tallyd --mark`): which words they
 * may have, what the store's notes have of them, and which jobs they open and end.
 */
#include "tests/lib/rig.h"

#include "config/dump/store.h"
#include "daemon/run/mark_notes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT_NS 1700000000123456789u

/* A store of 8 rows in the test's directory. */
static struct store *
make(void)
{
	struct store_shape shape = { .ncell = 4, .capacity = 8,
	    .preamble = "host = \"h\"\n" };
	struct store *st;
	struct diag why;
	char path[512];

	snprintf(path, sizeof(path), "%s/mark.store", test_dir);
	unlink(path);
	if (store_create(&st, path, &shape, &why) < 0)
		fail_msg("%s", why.text);
	return st;
}

static void
drop(struct store *st)
{
	store_unlink(st);
	store_close(st);
}

static void
a_mark_is_words_of_plain_characters_with_single_blanks(void **state)
{
	static const struct { int line, rc; const char *text; } t[] = {
		{ __LINE__, 0, "phase=solve step=3" },
		{ __LINE__, 0, "solve" },
		{ __LINE__, 0, "job=123_4.batch begin lprocs=0-3,8 user=a@b" },
		{ __LINE__, 0, "a=b=c" },
		{ __LINE__, 0, "a=" },
		{ __LINE__, -EINVAL, "" },
		{ __LINE__, -EINVAL, " a" },
		{ __LINE__, -EINVAL, "a " },
		{ __LINE__, -EINVAL, "a  b" },
		{ __LINE__, -EINVAL, "=b" },
		{ __LINE__, -EINVAL, "a\tb" },
		{ __LINE__, -EINVAL, "a\nb" },
		{ __LINE__, -EINVAL, "a\"b" },
		{ __LINE__, -EINVAL, "a'b" },
		{ __LINE__, -EINVAL, "$(reboot)" },
		{ __LINE__, -EINVAL, "a;b" },
		{ __LINE__, -EINVAL, "a\x1b[31m" },
		{ __LINE__, -EINVAL, "\xc3\xa9" },
	};
	char longest[258];
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (mark_words_check(t[i].text, &why) != t[i].rc)
			fail_msg("line %d: \"%s\": accepted or refused wrongly, "
			    "%d expected", t[i].line, t[i].text, t[i].rc);
	memset(longest, 'x', sizeof(longest));
	longest[255] = '\0';
	assert_int_equal(mark_words_check(longest, &why), 0);
	longest[255] = 'x';
	longest[256] = '\0';
	assert_int_equal(mark_words_check(longest, &why), -EINVAL);
}

static void
a_key_is_found_whole_and_with_its_value(void **state)
{
	static const char text[] = "job=7 begin user=eva x=";
	size_t n = 99;

	(void)state;
	assert_memory_equal(mark_words_value(text, "job", &n), "7", 1);
	assert_int_equal(n, 1);
	assert_non_null(mark_words_value(text, "begin", &n));
	assert_int_equal(n, 0);
	assert_memory_equal(mark_words_value(text, "user", &n), "eva", 3);
	assert_int_equal(n, 3);
	assert_non_null(mark_words_value(text, "x", &n));
	assert_int_equal(n, 0);
	assert_null(mark_words_value(text, "use", &n));
	assert_null(mark_words_value(text, "eva", &n));
	assert_null(mark_words_value(text, "7", &n));
}

static void
a_mark_is_noted_with_its_row_and_time(void **state)
{
	struct mark_notes *m = calloc(1, sizeof(*m));
	struct store *st = make();
	struct diag why;

	(void)state;
	assert_int_equal(mark_notes_set(m, st, "phase=init", AT_NS, &why), 0);
	store_commit(st);
	store_commit(st);
	assert_int_equal(mark_notes_set(m, st, "a b", AT_NS + 1000000000,
	    &why), 0);
	assert_string_equal(store_notes(st), "mark_sample = {}\n"
	    "mark_time = {}\nmark_text = {}\n"
	    "mark_sample[0] = 0\nmark_time[0] = 1700000000.123456\n"
	    "mark_text[0] = \"phase=init\"\n"
	    "mark_sample[1] = 2\nmark_time[1] = 1700000001.123456\n"
	    "mark_text[1] = \"a b\"\n");
	assert_int_equal(mark_notes_set(m, st, "a  b", AT_NS, &why), -EINVAL);
	assert_int_equal(m->n, 2);
	drop(st);
	free(m);
}

static void
jobs_that_are_open_are_marked_again_in_the_next_store(void **state)
{
	struct mark_notes *m = calloc(1, sizeof(*m));
	struct store *st = make();
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		static const char *const text[] = { "job=1 begin user=x",
		    "job=2 begin", "phase=solve", "job=1 end", "job=3 begin",
		    "job=2 begin lprocs=4" };

		assert_int_equal(mark_notes_set(m, st, text[i], AT_NS + i *
		    1000000000ull, &why), 0);
	}
	drop(st);
	st = make();
	store_commit(st);
	assert_int_equal(mark_notes_again(m, st), 0);
	assert_string_equal(store_notes(st), "mark_sample = {}\n"
	    "mark_time = {}\nmark_text = {}\n"
	    "mark_sample[0] = 0\nmark_time[0] = 1700000004.123456\n"
	    "mark_text[0] = \"job=3 begin\"\n"
	    "mark_sample[1] = 0\nmark_time[1] = 1700000005.123456\n"
	    "mark_text[1] = \"job=2 begin lprocs=4\"\n");
	assert_int_equal(mark_notes_set(m, st, "job=3 end", AT_NS, &why), 0);
	drop(st);
	st = make();
	assert_int_equal(mark_notes_again(m, st), 0);
	assert_null(strstr(store_notes(st), "job=3"));
	assert_non_null(strstr(store_notes(st), "job=2"));
	drop(st);
	free(m);
}

static void
marks_leave_half_of_the_notes_to_others(void **state)
{
	struct mark_notes *m = calloc(1, sizeof(*m));
	struct store *st = make();
	struct diag why;
	unsigned n = 0;
	int rc;

	(void)state;
	while ((rc = mark_notes_set(m, st, "phase=solve", AT_NS, &why)) == 0)
		n++;
	assert_int_equal(rc, -ENOSPC);
	assert_true(n > 2000);
	assert_int_equal(strlen(store_notes(st)), m->bytes);
	assert_true(m->bytes <= STORE_NOTES / 2);
	assert_int_equal(store_notes_lost(st), 0);
	assert_int_equal(store_note(st, "tamper_first = {}\n"), 0);
	drop(st);
	free(m);
}

static void
job_257_is_refused_until_another_job_ends(void **state)
{
	struct mark_notes *m = calloc(1, sizeof(*m));
	struct store *st = make();
	char text[64];
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < 256; i++) {
		snprintf(text, sizeof(text), "job=%u begin", i);
		assert_int_equal(mark_notes_set(m, st, text, AT_NS, &why), 0);
	}
	assert_int_equal(mark_notes_set(m, st, "job=256 begin", AT_NS, &why),
	    -ENOSPC);
	assert_null(strstr(store_notes(st), "job=256"));
	assert_int_equal(mark_notes_set(m, st, "job=9 begin", AT_NS, &why), 0);
	assert_int_equal(mark_notes_set(m, st, "job=9 end", AT_NS, &why), 0);
	assert_int_equal(mark_notes_set(m, st, "job=256 begin", AT_NS, &why),
	    0);
	assert_int_equal(m->nopen, 256);
	drop(st);
	free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_mark_is_words_of_plain_characters_with_single_blanks),
		cmocka_unit_test(a_key_is_found_whole_and_with_its_value),
		cmocka_unit_test(a_mark_is_noted_with_its_row_and_time),
		cmocka_unit_test(
		    jobs_that_are_open_are_marked_again_in_the_next_store),
		cmocka_unit_test(marks_leave_half_of_the_notes_to_others),
		cmocka_unit_test(job_257_is_refused_until_another_job_ends),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
