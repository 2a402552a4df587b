/*
 * tests/daemon/test_select_mark.c - the samples of marks with names: -s @solve.
 */
#include "tests/lib/rig.h"

#include "postproc/data/select.h"

#include <errno.h>
#include <string.h>

#define MARK(k, sample, text) "mark_sample[" #k "] = " #sample "\n" \
	"mark_time[" #k "] = 1700000000.5\nmark_text[" #k "] = \"" text "\"\n"

static const char head[] = "host = \"h\"\n"
    MARK(0, 2, "phase=init")
    MARK(1, 4, "job=7 begin user=eva")
    MARK(2, 5, "phase=solve step=1")
    MARK(3, 6, "job=8.0 begin lprocs=4-7")
    MARK(4, 9, "step=2")
    MARK(5, 11, "phase=write")
    MARK(6, 12, "job=8.0 end")
    MARK(7, 14, "phase=solve step=3")
    MARK(8, 15, "dump")
    MARK(9, 17, "job=7 end")
    MARK(10, 18, "rest")
    "mark_sample[11] = 19\nmark_text[11] = \"evil \\\"; words\"\n"
    "phase_mark[0] = 3\nphase_mark[1] = 8\n";

static struct reader *
opened(const char *text)
{
	struct reader *r;
	struct diag why;

	if (read_open(&r, test_put("marks.lua", text), &why) < 0)
		fail_msg("%s", why.text);
	return r;
}

#define OPEN -1                 /* to the last there is */

static void
a_name_is_what_its_mark_begins_up_to_the_next_of_its_kind(void **state)
{
	static const struct {
		int line;
		const char *text;
		int64_t first, last;
	} t[] = {
		{ __LINE__, "@init", 2, 5 },
		{ __LINE__, "@solve", 5, 11 },
		{ __LINE__, "@phase=solve", 5, 11 },
		{ __LINE__, "@solve#1", 5, 11 },
		{ __LINE__, "@solve#2", 14, OPEN },
		{ __LINE__, "@step=1", 5, 9 },
		{ __LINE__, "@step=2", 9, 14 },
		{ __LINE__, "@write", 11, 14 },
		{ __LINE__, "@dump", 15, 18 },
		{ __LINE__, "@rest", 18, OPEN },
		{ __LINE__, "@job:7", 4, 17 },
		{ __LINE__, "@job=7", 4, 17 },
		{ __LINE__, "@job:8.0", 6, 12 },
		{ __LINE__, "@eva", 4, OPEN },
		/* as the ends of a range */
		{ __LINE__, "@init:@write", 2, 11 },
		{ __LINE__, "@solve:", 5, OPEN },
		{ __LINE__, "1:@solve#2", 1, 14 },
		{ __LINE__, "@job:7:@job:8.0", 4, 6 },
		/* and as before: phases by their number */
		{ __LINE__, "@0", 3, 8 },
		{ __LINE__, "@0:@1", 3, 8 },
		{ __LINE__, "@1:@rest", 8, 18 },
	};
	struct reader *r = opened(head);
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct select s;

		if (select_parse(&s, t[i].text, &why) < 0 ||
		    select_marks(&s, r, &why) < 0)
			fail_msg("line %d: %s", t[i].line, why.text);
		if (s.first.kind != END_SAMPLE ||
		    s.first.n != (uint64_t)t[i].first)
			fail_msg("line %d: first %llu", t[i].line,
			    (unsigned long long)s.first.n);
		if (t[i].last == OPEN ? s.last.kind != END_OPEN :
		    s.last.kind != END_SAMPLE ||
		    s.last.n != (uint64_t)t[i].last)
			fail_msg("line %d: last %llu", t[i].line,
			    (unsigned long long)s.last.n);
	}
	read_close(r);
}

static void
a_name_that_no_mark_has_is_an_error(void **state)
{
	static const struct { int line; const char *text, *words; } t[] = {
		{ __LINE__, "@solv", "no mark @solv; of 11 the first is "
		  "\"phase=init\", the last \"rest\"" },
		{ __LINE__, "@solve#3", "no mark @solve#3;" },
		{ __LINE__, "@solve#0", "no mark @solve#0;" },
		{ __LINE__, "@phase", "no mark @phase;" },
		{ __LINE__, "@job:9", "no mark @job:9;" },
		{ __LINE__, "@step=solve", "no mark @step=solve;" },
		{ __LINE__, "@evil", "no mark @evil;" },
	};
	struct reader *r = opened(head);
	struct select s;
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		assert_int_equal(select_parse(&s, t[i].text, &why), 0);
		assert_int_equal(select_marks(&s, r, &why), -EINVAL);
		if (strstr(why.text, t[i].words) == NULL)
			fail_msg("line %d: %s", t[i].line, why.text);
	}
	read_close(r);
	r = opened("host = \"h\"\n");
	assert_int_equal(select_parse(&s, "@solve", &why), 0);
	assert_int_equal(select_marks(&s, r, &why), -EINVAL);
	assert_non_null(strstr(why.text, "none with a name was set"));
	read_close(r);
}

static void
what_is_no_name_is_refused_at_once(void **state)
{
	static const char *const bad[] = { "@", "@:", "@#1", "@a b", "@a;b",
	    "@solve#", "@solve#x", "@a\"", "@\x1b[2J" };
	struct select s;
	struct diag why;
	char longer[300];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (select_parse(&s, bad[i], &why) != -EINVAL)
			fail_msg("%s", bad[i]);
	memset(longer, 'x', sizeof(longer));
	longer[0] = '@';
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(select_parse(&s, longer, &why), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_name_is_what_its_mark_begins_up_to_the_next_of_its_kind),
		cmocka_unit_test(a_name_that_no_mark_has_is_an_error),
		cmocka_unit_test(what_is_no_name_is_refused_at_once),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
