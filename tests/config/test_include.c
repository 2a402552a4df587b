/*
 * tests/config/test_include.c - configurations that include others: what belongs to which
 * set, and what a message names.
 */
#include "config/lang/events.h"
#include "config/lang/want.h"
#include "tests/lib/files.h"

#include <string.h>

/* A folder of its own for each test. */
static char *dir;

static int
begin(void **state)
{
	(void)state;
	return (dir = tree_new()) == NULL;
}

static int
end(void **state)
{
	(void)state;
	tree_free(dir);
	return 0;
}

/* "SET EVENT FILE:LINE" of each want, a line each; or the message, without the name of
 * the folder. */
static const char *
read_as(const char *model, const char *name)
{
	static char out[8192];
	struct config cfg;
	struct diag why = { "" };
	char path[512];
	size_t n = strlen(dir) + 1, used = 0;

	out[0] = '\0';
	assert_int_equal(config_init(&cfg, model_named(model)), 0);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (config_load(&cfg, path, &why) < 0) {
		for (char *p = why.text; *p != '\0'; )
			if (strncmp(p, dir, n - 1) == 0 && p[n - 1] == '/')
				p += n;
			else
				out[used++] = *p++;
		out[used] = '\0';
	}
	for (unsigned i = 0; i < cfg.nwant && why.text[0] == '\0' &&
	    used < sizeof(out); i++)
		used += (size_t)snprintf(out + used, sizeof(out) - used,
		    "%s %s %s:%u\n", cfg.set[cfg.want[i].set], cfg.want[i].name,
		    cfg.want[i].file + (cfg.want[i].file[0] == '@' ? 0 : n),
		    cfg.want[i].line);
	config_fini(&cfg);
	return out;
}

static void
what_is_included_stands_in_the_set_of_its_line(void **state)
{
	(void)state;
	tree_text(dir, "/a.conf", "core A event=1\n"
	    "set x\n"
	    "include \"parts/b.conf\"   # comment\n"
	    "core C event=3\n");
	tree_text(dir, "/parts/b.conf", "core B event=2\n"
	    "set y\n"
	    "include c.conf\n"
	    "core E event=5\n");
	tree_text(dir, "/parts/c.conf", "\ncore D event=4\n");
	assert_string_equal(read_as("skx", "a.conf"),
	    " A a.conf:1\n"
	    "x B parts/b.conf:1\n"
	    "y D parts/c.conf:2\n"
	    "y E parts/b.conf:4\n"
	    "x C a.conf:4\n");
}

static void
a_text_is_read_once_in_each_set(void **state)
{
	(void)state;
	tree_text(dir, "/a.conf", "include \"b.conf\"\ninclude \"c.conf\"\n"
	    "set x\ninclude \"b.conf\"\ninclude \"b.conf\"\n");
	tree_text(dir, "/c.conf", "include \"b.conf\"\ncore C event=3\n");
	tree_text(dir, "/b.conf", "imc B event=2\n");
	assert_string_equal(read_as("skx", "a.conf"), " B b.conf:1\n"
	    " C c.conf:2\nx B b.conf:1\n");
}

static void
a_built_in_text_is_that_of_the_cpu(void **state)
{
	(void)state;
	tree_text(dir, "/a.conf", "include \"@hpc\"\nset mine\n"
	    "core MINE event=1\n");
	assert_non_null(strstr(read_as("icx", "a.conf"), "topdown "
	    "TOPDOWN.BACKEND_BOUND_SLOTS @hpc-icx:"));
	assert_non_null(strstr(read_as("icx", "a.conf"), "mine MINE a.conf:3"));
	assert_non_null(strstr(read_as("zen4", "a.conf"), "prefetch "
	    "demand_fill_far_dram @"));
}

static void
each_text_is_noted_once_with_its_digest(void **state)
{
	struct config cfg;
	struct diag why;
	char path[512];

	(void)state;
	tree_text(dir, "/a.conf", "include \"b.conf\"\nset x\n"
	    "include \"b.conf\"\n");
	tree_text(dir, "/b.conf", "imc B event=2\n");
	snprintf(path, sizeof(path), "%s/a.conf", dir);
	assert_int_equal(config_init(&cfg, model_named("skx")), 0);
	assert_int_equal(config_load(&cfg, path, &why), 0);
	assert_string_equal(cfg.used->name, path);
	assert_non_null(strstr(cfg.used->next->name, "/b.conf"));
	/* printf 'imc B event=2\n' | sha256sum */
	assert_string_equal(cfg.used->next->sha256, "2ad17a1a34aac6bc7271963f9"
	    "1f761d0099283ee3644201f04961a8157c8eacc");
	assert_null(cfg.used->next->next);
	config_fini(&cfg);
}

static void
a_mistake_is_told_with_its_place_and_how_one_came_there(void **state)
{
	static const struct {
		unsigned line;
		const char *c;          /* of c.conf, which b.conf includes */
		const char *says;
	} t[] = {
		{ __LINE__, "core C evnt=3\n", "parts/c.conf:1: CORE has no "
		    "field \"evnt\"; its fields are " },
		{ __LINE__, "\ninclude \"none.conf\"\n", "parts/c.conf:2: "
		    "parts/none.conf: no such file" },
		{ __LINE__, "include \"none.conf\n", "parts/c.conf:1: the "
		    "closing \" is missing" },
		{ __LINE__, "include\n", "parts/c.conf:1: include what?" },
		{ __LINE__, "include \"\"\n", "parts/c.conf:1: include what?" },
		{ __LINE__, "include a b\n", "parts/c.conf:1: \"b\" is one "
		    "word too many" },
		{ __LINE__, "include \"..\"\n", "parts/c.conf:1: parts/..: a "
		    "directory" },
		{ __LINE__, "include \"@hpc-icx\"\n", "@hpc-icx is of another "
		    "CPU; that of Skylake-SP / Cascade Lake-SP is @hpc-skx" },
		{ __LINE__, "include \"@skx\"\n", "parts/c.conf:1: @skx is a "
		    "list of metrics" },
		{ __LINE__, "include \"c.conf\"\n", "parts/c.conf:1: "
		    "parts/c.conf includes itself" },
		{ __LINE__, "include \"../a.conf\"\n", "parts/c.conf:1: "
		    "parts/../a.conf includes itself" },
	};

	(void)state;
	tree_text(dir, "/a.conf", "\ninclude \"parts/b.conf\"\n");
	tree_text(dir, "/parts/b.conf", "\n\ninclude \"c.conf\"\n");
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const char *says, *way;

		tree_text(dir, "/parts/c.conf", t[i].c);
		says = read_as("skx", "a.conf");
		way = strstr(says, " (included at ");
		if (strncmp(says, t[i].says, strlen(t[i].says)) != 0 ||
		    way == NULL)
			fail_msg("line %u: %s", t[i].line, says);
		if (says[0] != '@')
			assert_string_equal(way,
			    " (included at parts/b.conf:3, a.conf:2)");
		else
			assert_string_equal(way, " (included at parts/c.conf:1, "
			    "parts/b.conf:3, a.conf:2)");
	}
}

static void
eight_texts_are_nested_and_no_more(void **state)
{
	char name[16], text[40];

	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), "/%u.conf", i);
		snprintf(text, sizeof(text), i < 9 ? "include \"%u.conf\"\n" :
		    "imc A event=%u\n", i + 1);
		tree_text(dir, name, text);
	}
	assert_string_equal(read_as("skx", "1.conf"), " A 9.conf:1\n");
	assert_non_null(strstr(read_as("skx", "0.conf"), "8.conf:1: 9.conf: "
	    "more than 8 texts include one another (included at 7.conf:1, "));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    what_is_included_stands_in_the_set_of_its_line, begin, end),
		cmocka_unit_test_setup_teardown(a_text_is_read_once_in_each_set,
		    begin, end),
		cmocka_unit_test_setup_teardown(
		    a_built_in_text_is_that_of_the_cpu, begin, end),
		cmocka_unit_test_setup_teardown(
		    each_text_is_noted_once_with_its_digest, begin, end),
		cmocka_unit_test_setup_teardown(
		    a_mistake_is_told_with_its_place_and_how_one_came_there,
		    begin, end),
		cmocka_unit_test_setup_teardown(
		    eight_texts_are_nested_and_no_more, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
