/*
 * tests/config/test_json.c - the JSON reader: what is JSON is read, what is not is
 * refused with its line.
 */
#include "tests/lib/rig.h"

#include "config/json.h"

#include <stdlib.h>
#include <string.h>

static const struct json *
parse(struct arena *arena, const char *text, size_t size, struct diag *why)
{
	const struct json *root;

	why->text[0] = '\0';
	if (json_parse(arena, "f.json", text, size, &root, why) < 0) {
		assert_null(root);
		return NULL;
	}
	return root;
}

static void
a_tree_keeps_kinds_names_order_and_lines(void **state)
{
	static const char text[] = "\xef\xbb\xbf{ \"a\": [1, -2.5e+3, true,\r\n"
	    " false, null],\n\"b\": {\"c\": \"d\"}, \"e\": {}, \"f\": [] }\n";
	struct arena *arena = arena_new();
	struct diag why;
	const struct json *root = parse(arena, text, sizeof(text) - 1, &why);
	const struct json *a = json_get(root, "a"), *e;
	static const enum json_kind kinds[] = { JSON_NUMBER, JSON_NUMBER,
	    JSON_TRUE, JSON_FALSE, JSON_NULL };

	(void)state;
	assert_int_equal(root->kind, JSON_OBJECT);
	assert_int_equal(a->kind, JSON_ARRAY);
	e = a->child;
	for (unsigned i = 0; i < 5; i++, e = e->next)
		assert_int_equal(e->kind, kinds[i]);
	assert_null(e);
	assert_string_equal(a->child->text, "1");
	assert_string_equal(a->child->next->text, "-2.5e+3");
	assert_int_equal(a->child->line, 1);
	assert_int_equal(a->child->next->next->next->line, 2);
	assert_string_equal(json_text(json_get(root, "b"), "c"), "d");
	assert_int_equal(json_get(root, "b")->line, 3);
	assert_null(json_get(root, "e")->child);
	assert_null(json_get(root, "f")->child);
	assert_null(json_get(root, "g"));
	assert_null(json_text(root, "a"));
	assert_null(json_get(NULL, "a"));
	assert_null(json_get(a, "a"));
	arena_free(arena);
}

static void
escapes_become_utf8(void **state)
{
	static const struct {
		unsigned line;
		const char *text, *is;
	} cases[] = {
		{ __LINE__, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
		  "\"\\/\b\f\n\r\t" },
		{ __LINE__, "\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac" },
		{ __LINE__, "\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80" },
		/* half a pair */
		{ __LINE__, "\"\\ud83d\"", "\xef\xbf\xbd" },
		{ __LINE__, "\"\\ud83d\\u0041\"", "\xef\xbf\xbd" "A" },
		{ __LINE__, "\"\\ude00x\"", "\xef\xbf\xbdx" },
		/* the edges of what pairs are made of */
		{ __LINE__, "\"\\ud800\"", "\xef\xbf\xbd" },
		{ __LINE__, "\"\\udfff\"", "\xef\xbf\xbd" },
		{ __LINE__, "\"\\ud7ff\\ue000\"",
		  "\xed\x9f\xbf\xee\x80\x80" },
		{ __LINE__, "\"\\ud800\\udc00\"", "\xf0\x90\x80\x80" },
		{ __LINE__, "\"\\udbff\\udfff\"", "\xf4\x8f\xbf\xbf" },
		{ __LINE__, "\"\\u007f\\u0080\\u07ff\\u0800\"",
		  "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80" },
		{ __LINE__, "\"caf\xc3\xa9\"", "caf\xc3\xa9" },
		{ __LINE__, "\"\"", "" },
	};
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arena *arena = arena_new();
		const struct json *j = parse(arena, cases[i].text,
		    strlen(cases[i].text), &why);

		if (j == NULL || strcmp(j->text, cases[i].is) != 0)
			fail_msg("line %u: %s", cases[i].line, why.text);
		arena_free(arena);
	}
}

static void
what_is_no_json_is_refused_with_its_line(void **state)
{
	static const struct {
		unsigned line;
		const char *text, *words;
	} cases[] = {
		{ __LINE__, "", "f.json:1: the file ends where a value" },
		{ __LINE__, "\n\n", "f.json:3: the file ends" },
		{ __LINE__, "{\"a\": 1,\n}", "f.json:2: '}' where a member's" },
		{ __LINE__, "{\"a\" 1}", "f.json:1: '1' where ':'" },
		{ __LINE__, "{a: 1}", "f.json:1: 'a' where a member's name" },
		{ __LINE__, "[1\n2]", "f.json:2: '2' where ',' or ']'" },
		{ __LINE__, "[1,]", "f.json:1: ']' where a value" },
		{ __LINE__, "[1", "f.json:1: the file ends where ',' or ']'" },
		{ __LINE__, "01", "f.json:1: '0' where a number that does not" },
		{ __LINE__, "1.", "f.json:1: the file ends where a digit" },
		{ __LINE__, "1e", "f.json:1: the file ends where a digit" },
		{ __LINE__, "-", "f.json:1: the file ends where a digit" },
		{ __LINE__, "+1", "f.json:1: '+' where a value" },
		{ __LINE__, "tru", "f.json:1: 't' where a value" },
		{ __LINE__, "truely", "f.json:1: 'l' where the end" },
		{ __LINE__, "\n\"a", "f.json:2: a string without its closing" },
		{ __LINE__, "\"a\\\"", "f.json:1: a string without its closing" },
		{ __LINE__, "\"a\nb\"", "f.json:1: byte 0x0a where the rest of" },
		{ __LINE__, "\"\\x\"", "f.json:1: 'x' where the rest of an esc" },
		{ __LINE__, "\"\\u12\"", "f.json:1: '\"' where a hexadecimal" },
		{ __LINE__, "\"\\u0000\"", "f.json:1: a NUL in a string" },
		{ __LINE__, "{} {}", "f.json:1: '{' where the end" },
		{ __LINE__, "\x01", "f.json:1: byte 0x01 where a value" },
	};
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arena *arena = arena_new();

		if (parse(arena, cases[i].text, strlen(cases[i].text),
		    &why) != NULL ||
		    strstr(why.text, cases[i].words) != why.text)
			fail_msg("line %u: %s", cases[i].line, why.text);
		arena_free(arena);
	}
}

static void
a_nul_is_no_end_of_the_text(void **state)
{
	struct arena *arena = arena_new();
	struct diag why;

	(void)state;
	assert_null(parse(arena, "1\0", 2, &why));
	assert_string_equal(why.text, "f.json:1: byte 0x00 where the end "
	    "should be");
	assert_null(parse(arena, "\"a\0b\"", 5, &why));
	arena_free(arena);
}

static void
what_stands_behind_the_text_is_none_of_it(void **state)
{
	static const char *const whole[] = { "[1]", "[1, 2]", "{\"a\": 1}",
	    "\"a\"", "true", "\"\\u0041\"" };
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++) {
		struct arena *arena = arena_new();

		assert_non_null(parse(arena, whole[i], strlen(whole[i]), &why));
		if (parse(arena, whole[i], strlen(whole[i]) - 1, &why) != NULL)
			fail_msg("%s", whole[i]);
		arena_free(arena);
	}
}

static void
nesting_is_bounded(void **state)
{
	struct arena *arena = arena_new();
	char text[130];
	struct diag why;

	(void)state;
	memset(text, '[', 64);
	memset(text + 64, ']', 64);
	assert_non_null(parse(arena, text, 128, &why));
	memset(text, '[', 65);
	memset(text + 65, ']', 65);
	assert_null(parse(arena, text, 130, &why));
	assert_string_equal(why.text, "f.json:1: nested deeper than 64");
	arena_free(arena);
}

static void
intels_metric_list_is_json(void **state)
{
	struct arena *arena = arena_new();
	const struct json *root, *m;
	struct diag why;
	char path[512], *text;
	size_t size;

	(void)state;
	text = file_text(perfmon("SKX/metrics/skylakex_metrics.json", path),
	    &size);
	if (json_parse(arena, path, text, size, &root, &why) < 0)
		fail_msg("%s", why.text);
	free(text);
	m = json_get(root, "Metrics")->child;
	assert_non_null(json_text(m, "MetricName"));
	assert_non_null(json_text(m, "Formula"));
	arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_keeps_kinds_names_order_and_lines),
		cmocka_unit_test(escapes_become_utf8),
		cmocka_unit_test(what_is_no_json_is_refused_with_its_line),
		cmocka_unit_test(a_nul_is_no_end_of_the_text),
		cmocka_unit_test(what_stands_behind_the_text_is_none_of_it),
		cmocka_unit_test(nesting_is_bounded),
		cmocka_unit_test(intels_metric_list_is_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
