/*
 * tests/config/test_option_lines.c - options that stand in a configuration file, and the
 * node's own file.
 */
#include "config/lang/events.h"
#include "daemon/options.h"
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The command line, with "-c FILE" of that text before it; options_fini. */
static int
parsed(struct options *o, const char *text, const char *const *args,
    struct diag *why)
{
	const char *argv[20] = { "tallyd", "-c", test_put("a.conf", text) };
	int argc = 3;

	while (*args != NULL)
		argv[argc++] = *args++;
	return options_parse(o, argc, (char **)(uintptr_t)argv, why);
}

static void
options_of_a_file_are_taken_as_from_the_command_line(void **state)
{
	struct options o;
	struct diag why;

	(void)state;
	if (parsed(&o, "# as it is here\n"
	    "option --interval 0.25      # four a second\n"
	    "core fixed\n"
	    "option --share\r\n"
	    "\toption --output \"a b.lua\"\n"
	    "option --read remote\n"
	    "option --sim @skx-8160-2s\n", ARGS("-q"), &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(o.interval_ns, 250000000);
	assert_true(o.service.share);
	assert_true(o.quiet);
	assert_int_equal(o.read.mode, READ_REMOTE);
	assert_string_equal(o.node.machine, "@skx-8160-2s");
	assert_string_equal(o.node.method->option, "sim");
	options_fini(&o);
}

static void
options_of_a_file_that_is_included_are_taken_in_its_place(void **state)
{
	struct options o;
	struct diag why = { "" };

	(void)state;
	test_put("b.conf", "option --interval 3\noption --rotate 7\n");
	assert_int_equal(parsed(&o, "option --interval 5\ninclude \"b.conf\"\n"
	    "include \"@hpc\"\ninclude \"/dev/stdin\"\noption --rotate 9\n",
	    ARGS("-q"), &why), 0);
	assert_int_equal(o.interval_ns, 3000000000);
	assert_int_equal(o.read.rotate, 9);
	options_fini(&o);
	test_put("b.conf", "option --share yes\n");
	assert_int_equal(parsed(&o, "\ninclude \"b.conf\"\n", ARGS("-q"),
	    &why), -EINVAL);
	assert_non_null(strstr(why.text, "/b.conf:1: --share takes no value"));
	options_fini(&o);
	test_put("b.conf", "option\n");
	assert_int_equal(parsed(&o, "\ninclude \"b.conf\"\n", ARGS("-q"),
	    &why), -EINVAL);
	assert_non_null(strstr(why.text, "/b.conf:1: option is one"));
	assert_non_null(strstr(why.text, "(included at "));
	assert_non_null(strstr(why.text, "/a.conf:2)"));
	options_fini(&o);
	test_put("b.conf", "include \"a.conf\"\n");
	assert_int_equal(parsed(&o, "include \"b.conf\"\n", ARGS("-q"),
	    &why), -EINVAL);
	assert_non_null(strstr(why.text, "/a.conf includes itself"));
	options_fini(&o);
}

static void
options_of_a_file_that_is_included_twice_are_taken_once(void **state)
{
	struct options o;
	struct diag why = { "" };
	unsigned n = 0;

	(void)state;
	test_put("c.conf", "option --rotate 7\n");
	test_put("b.conf", "include \"c.conf\"\ninclude \"c.conf\"\n");
	assert_int_equal(parsed(&o, "include \"b.conf\"\ninclude \"b.conf\"\n"
	    "include \"c.conf\"\n", ARGS("-q"), &why), 0);
	for (const struct option_line *l = o.lines; l != NULL; l = l->next)
		n++;
	assert_int_equal(n, 1);
	assert_int_equal(o.read.rotate, 7);
	options_fini(&o);
}

static void
the_command_line_holds_and_in_a_file_the_last_line(void **state)
{
	struct options o;
	struct diag why;

	(void)state;
	assert_int_equal(parsed(&o, "option --interval 5\noption --rotate 7\n"
	    "option --rotate 9\noption --sim /no/such\n", ARGS("-i", "2",
	    "--sim", "@skx-8160-2s"), &why), 0);
	assert_int_equal(o.interval_ns, 2000000000);
	assert_int_equal(o.read.rotate, 9);
	assert_string_equal(o.node.machine, "@skx-8160-2s");
	assert_string_equal(o.again.text, "");
	options_fini(&o);
}

static void
an_option_that_cannot_be_taken_is_refused_with_its_line(void **state)
{
	static const struct { int line; const char *text, *words; } of[] = {
		{ __LINE__, "option", "a.conf:1: option is one of tallyd's" },
		{ __LINE__, "\noption interval 5", "a.conf:2: option is one" },
		{ __LINE__, "option --", "a.conf:1: option is one" },
		{ __LINE__, "option --bogus 5", "a.conf:1: --bogus: no such "
		    "option" },
		{ __LINE__, "option --interval", "a.conf:1: --interval needs a "
		    "value" },
		{ __LINE__, "option --share yes", "a.conf:1: --share takes no "
		    "value" },
		{ __LINE__, "option --interval 0", "a.conf:1: --interval 0: "
		    "give seconds" },
		{ __LINE__, "option --interval 1 s", "a.conf:1" },
		{ __LINE__, "option --output \"a", "a.conf:1: the closing" },
		{ __LINE__, "option --check", "a.conf:1: --check stands on the "
		    "command line alone" },
		{ __LINE__, "option --config b.conf", "a.conf:1: --config "
		    "stands" },
		{ __LINE__, "option --keep-root\noption --user x", "--user and "
		    "--keep-root" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		struct options o;
		struct diag why = { "" };
		int rc = parsed(&o, of[i].text, ARGS("-q"), &why);

		if (rc != -EINVAL || strstr(why.text, of[i].words) == NULL)
			fail_msg("line %d: %d, %s", of[i].line, rc, why.text);
		options_fini(&o);
	}
}

/* A configuration that is read again may have what was taken, and no other. */
static void
who_asks_a_daemon_needs_no_sound_file(void **state)
{
	static const char text[] = "option --nothing\noption --interval never\n"
	    "option --socket /run/other\noption\n";
	struct options o;
	struct diag why;

	(void)state;
	assert_true(parsed(&o, text, ARGS("-q"), &why) < 0);
	options_fini(&o);
	if (parsed(&o, text, ARGS("--mark", "phase=solve"), &why) < 0)
		fail_msg("%s", why.text);
	assert_string_equal(o.service.socket, "/run/other");
	options_fini(&o);
}

static void
a_line_that_was_not_there_at_the_start_is_refused_later(void **state)
{
	static const char same[] = "option --interval 5\noption --share\n";
	static const char new[] = "option --share\noption --interval 6\n";
	struct rig *r = rig_bare("@skx-8160-2s", "");
	struct options o;
	struct diag why;

	(void)state;
	assert_int_equal(parsed(&o, same, ARGS("-q"), &why), 0);
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	assert_int_equal(config_parse(&r->node.config, "a", same,
	    sizeof(same) - 1, &why), -EINVAL);
	r->node.config.options = o.lines;
	assert_int_equal(config_parse(&r->node.config, "a", same,
	    sizeof(same) - 1, &why), 0);
	assert_int_equal(config_parse(&r->node.config, "a", new,
	    sizeof(new) - 1, &why), -EINVAL);
	assert_string_equal(why.text, "a:2: --interval: an option is taken "
	    "when tallyd starts, from a file that -c names, and this was not "
	    "there");
	options_fini(&o);
	rig_close(r);
}

static void
own_file(const struct scene *s, const char *text)
{
	tree_text(s->dir, "/etc/tallyd/tallyd.conf", text);
}

static void
a_node_counts_what_its_own_file_says_unless_told_otherwise(void **state)
{
	struct scene s = scene_begin();

	(void)state;
	own_file(&s, "option --samples 3\nread tsc_no_such\n");
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-q")), 1);
	assert_true(tallyd_said(s.dir, "/etc/tallyd/tallyd.conf:2: "));
	own_file(&s, "option --samples 3\nread smi_count\n");
	scene_ended_well(&s, tallyd_run(s.dir, NULL, ARGS("-i", "0.01")),
	    "its own file");
	assert_int_equal(scene_dumped(&s), 3);
	scene_ended_well(&s, tallyd_run(s.dir, NULL, ARGS("-q", "-i", "0.01",
	    "-n", "2", "-c", "@default-skx")), "another");
	assert_int_equal(scene_dumped(&s), 2);
	scene_end(&s);
}

static void
a_file_of_options_alone_leaves_the_default_of_the_model(void **state)
{
	struct scene s = scene_begin();
	char path[512], *dump;

	(void)state;
	own_file(&s, "# nothing but this\noption --samples 2\n");
	scene_ended_well(&s, tallyd_run(s.dir, NULL, ARGS("-q", "-i", "0.01")),
	    "options");
	assert_int_equal(scene_dumped(&s), 2);
	dump = file_text(in_dir(s.dir, "dump.lua", path), NULL);
	assert_non_null(strstr(dump, "CAS_COUNT.READS"));
	free(dump);
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_of_a_file_are_taken_as_from_the_command_line),
		cmocka_unit_test(
		    options_of_a_file_that_is_included_are_taken_in_its_place),
		cmocka_unit_test(
		    options_of_a_file_that_is_included_twice_are_taken_once),
		cmocka_unit_test(the_command_line_holds_and_in_a_file_the_last_line),
		cmocka_unit_test(an_option_that_cannot_be_taken_is_refused_with_its_line),
		cmocka_unit_test(who_asks_a_daemon_needs_no_sound_file),
		cmocka_unit_test(a_line_that_was_not_there_at_the_start_is_refused_later),
		cmocka_unit_test(a_node_counts_what_its_own_file_says_unless_told_otherwise),
		cmocka_unit_test(a_file_of_options_alone_leaves_the_default_of_the_model),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
