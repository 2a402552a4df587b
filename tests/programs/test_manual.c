/*
 * tests/programs/test_manual.c - the manual pages, --help and the tables of options say
 * the same.
 *
 * The tables are those that getopt_long gets: it is this file's own, which notes
 * them and says that the option was -h.
 */
#include "tests/lib/files.h"

#include "daemon/options.h"
#include "postproc/commands.h"

#include <ctype.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The options of a command, "-s--samples" or "--io" each. */
struct taken {
	char option[128][40];
	unsigned n;
	bool over;              /* -h has been said */
} *noted;

static void
add(struct taken *t, int letter, const char *name)
{
	char short_one[3] = { '-', (char)letter, '\0' };

	assert_true(t->n < 128);
	assert_true(snprintf(t->option[t->n++], sizeof(t->option[0]), "%s--%s",
	    letter > 0 && letter < 256 && isalnum(letter) ? short_one : "",
	    name) < (int)sizeof(t->option[0]));
}

static bool
has(const struct taken *t, const char *option)
{
	for (unsigned i = 0; i < t->n; i++)
		if (strcmp(t->option[i], option) == 0)
			return true;
	return false;
}

/* The letter of a long option.  Those of tallyd come back as other numbers than
 * their letters, and are listed here. */
static int
letter_of(const char *letters, const struct option *o)
{
	static const struct {
		char letter;
		const char *name;
	} tallyd[] = { { 'i', "interval" }, { 'n', "samples" },
		{ 'c', "config" }, { 't', "time" }, { 'o', "output" }, { 'b', "background" },
		{ 'v', "verbose" }, { 'q', "quiet" }, { 'h', "help" } };

	if (o->val > 0 && o->val < 256)
		return strchr(letters, o->val) != NULL ? o->val : 0;
	for (size_t i = 0; i < sizeof(tallyd) / sizeof(tallyd[0]); i++)
		if (strcmp(tallyd[i].name, o->name) == 0 &&
		    strchr(letters, tallyd[i].letter) != NULL)
			return tallyd[i].letter;
	return 0;
}

int
getopt_long(int argc, char *const *argv, const char *letters,
    const struct option *options, int *at)
{
	(void)argc, (void)argv, (void)at;
	if (noted->over)
		return -1;
	for (const struct option *o = options; o->name != NULL; o++)
		add(noted, letter_of(letters, o), o->name);
	/* each letter has a long name */
	for (const char *l = letters; *l != '\0'; l++) {
		unsigned n = 0;

		for (unsigned i = 0; i < noted->n; i++)
			n += noted->option[i][1] == *l;
		if (isalnum((unsigned char)*l) && n != 1)
			fail_msg("-%c stands for %u options", *l, n);
	}
	noted->over = true;
	return 'h';
}

/* Flags of one line of a page, as taken notes them: those of its Fl macros. */
static void
flags(struct taken *t, const char *text)
{
	char line[256], letter = 0;
	bool in = false;

	snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\n"), text);
	for (char *w = strtok(line + 1, " "); w != NULL; w = strtok(NULL, " ")) {
		if (isupper((unsigned char)w[0]) && islower((unsigned char)w[1]))
			in = strcmp(w, "Fl") == 0;
		else if (in && w[0] == '-') {
			add(t, letter, w + 1);
			letter = 0;
		} else if (in && isalpha((unsigned char)w[0])) {
			assert_int_equal(letter, 0);
			letter = w[0];
		}
	}
}

/* The options that `.It Fl` of tally(1) has for a command: what stands in the
 * line below it, all commands where none does. */
static void
in_tally_1(struct taken *t, const char *page, const char *command)
{
	for (const char *p = page; (p = strstr(p, "\n.It Fl ")) != NULL;) {
		const char *below = strchr(++p, '\n') + 1;
		char line[256], *word = NULL;

		snprintf(line, sizeof(line), "%.*s", (int)strcspn(below, "\n"),
		    below);
		if (strncmp(line, ".Pq Cm ", 7) == 0)
			for (word = strtok(line + 7, " ,"); word != NULL &&
			    strcmp(word, command) != 0;)
				word = strtok(NULL, " ,");
		if (word != NULL || strncmp(below, ".Pq Cm ", 7) != 0)
			flags(t, p);
	}
}

/* The options that --help has lines for. */
static void
in_help(struct taken *t, const char *help)
{
	for (const char *p = help; (p = strchr(p, '\n')) != NULL;) {
		bool both = strncmp(++p, "  -", 3) == 0 && p[4] == ',';
		const char *name = p + 8;
		char word[40];

		if (!both && strncmp(p, "      --", 8) != 0 &&
		    strncmp(p, "  --", 4) != 0)
			continue;
		if (!both && p[2] == '-')
			name = p + 4;
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(name, " \n"),
		    name);
		add(t, both ? p[3] : 0, word);
	}
}

static void
same(const char *what, const struct taken *a, const char *where,
    const struct taken *b)
{
	for (unsigned i = 0; i < a->n; i++)
		if (!has(b, a->option[i]))
			fail_msg("%s: %s is not in %s", what, a->option[i],
			    where);
	for (unsigned i = 0; i < b->n; i++)
		if (!has(a, b->option[i]))
			fail_msg("%s: %s is in %s, but not taken", what,
			    b->option[i], where);
}

/* Its options, and what it says on standard output. */
static char *
asked(struct taken *t, int (*cmd)(int, char **), char **argv)
{
	const char *path = test_put("help", "");
	int was = dup(STDOUT_FILENO), to = open(path, O_WRONLY), argc = 0;

	while (argv[argc] != NULL)
		argc++;
	assert_true(was >= 0 && to >= 0);
	fflush(stdout);
	dup2(to, STDOUT_FILENO);
	close(to);
	noted = t;
	assert_int_equal(cmd(argc, argv), EXIT_OK);
	fflush(stdout);
	dup2(was, STDOUT_FILENO);
	close(was);
	return file_text(path, NULL);
}

static void
the_commands_of_tally_take_what_their_help_and_the_manual_say(void **state)
{
	static const struct {
		const char *name;
		int (*run)(int, char **);
		const char *argument;
	} t[] = {
		{ "totals", cmd_totals, "x" }, { "deltas", cmd_deltas, "x" },
		{ "metrics", cmd_metrics, "x" }, { "report", cmd_report, "x" },
		{ "report", cmd_report, "--io" },
		{ "histogram", cmd_histogram, "x" },
		{ "platform", cmd_platform, "x" }, { "merge", cmd_merge, "x" },
		{ "check", cmd_check, "x" }, { "convert", cmd_convert, "x" },
		{ "dump", cmd_dump, "x" }, { "head", cmd_head, "x" },
		{ "print", cmd_print, "x" }, { "diff", cmd_diff, "x" },
		{ "plot", cmd_plot, "x" },
		{ "export", cmd_export, "prometheus" },
		{ "page", cmd_page, "x" }, { "jobs", cmd_jobs, "x" },
		{ "jitter", cmd_jitter, "x" }, { "why", cmd_why, "x" },
	};
	char *page = file_text("doc/tally.1", NULL);
	struct taken report = { .n = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct taken table = { .n = 0 }, help = { .n = 0 },
		    manual = { .n = 0 };
		char *argv[] = { (char *)(uintptr_t)t[i].name,
		    (char *)(uintptr_t)t[i].argument, NULL }, *text;

		text = asked(&table, t[i].run, argv);
		in_help(&help, text);
		/* named there, and described by the help of report --io */
		if (strcmp(t[i].argument, "--io") == 0)
			add(&help, 0, "io");
		else if (t[i].run == cmd_report)
			add(&table, 0, "io");
		same(t[i].name, &table, "its --help", &help);
		free(text);
		/* the page has those of both reports at once */
		if (t[i].run == cmd_report) {
			for (unsigned k = 0; k < table.n; k++)
				if (!has(&report, table.option[k]))
					strcpy(report.option[report.n++],
					    table.option[k]);
			if (strcmp(t[i].argument, "--io") != 0)
				continue;
			table = report;
		}
		in_tally_1(&manual, page, t[i].name);
		same(t[i].name, &table, "tally(1)", &manual);
	}
	free(page);
}

static void
the_manual_has_the_formats_that_there_are(void **state)
{
	char *page = file_text("doc/tally.1", NULL), text[200] = "";
	const char *p = strstr(page, "\n.It Fl f , -format Ar format\n");
	const char *end = p != NULL ? strstr(p, "\n.Cm metrics -e\n") : NULL;

	(void)state;
	assert_non_null(end);
	for (; (p = strstr(p, "\n.Cm ")) < end; p++)
		snprintf(text + strlen(text), 20, " %.*s",
		    (int)strcspn(p + 5, " \n"), p + 5);
	assert_string_equal(text, OUT_FORMAT_NAMES);
	free(page);
}

static void
tallyd_takes_what_its_help_and_the_manual_say(void **state)
{
	char *page = file_text("doc/tallyd.8", NULL);
	struct taken table = { .n = 0 }, manual = { .n = 0 };
	struct options o;
	struct diag why;
	char *argv[] = { (char[]){ "tallyd" }, NULL }, word[44];

	(void)state;
	noted = &table;
	assert_int_equal(options_parse(&o, 1, argv, &why), 0);
	assert_true(o.instead.help);
	/* described in a list, some within what another one says */
	for (const char *p = page; (p = strchr(p, '\n')) != NULL; p++)
		if (strncmp(p, "\n.It Fl ", 8) == 0 ||
		    strncmp(p, "\n.Fl ", 5) == 0)
			flags(&manual, p + 1);
	for (unsigned i = 0; i < manual.n; i++)
		if (!has(&table, manual.option[i]) &&
		    strstr(manual.option[i], "--") == manual.option[i]) {
			bool is = false;        /* without its letter, in text */

			for (unsigned k = 0; k < table.n; k++)
				is |= strcmp(strstr(table.option[k], "--"),
				    manual.option[i]) == 0;
			if (!is)
				fail_msg("tallyd(8): there is no %s",
				    manual.option[i]);
		}
	for (unsigned i = 0; i < table.n; i++) {
		if (!has(&manual, table.option[i]))
			fail_msg("%s is not in tallyd(8)", table.option[i]);
		snprintf(word, sizeof(word), "%s", strstr(table.option[i],
		    "--"));
		if (strstr(options_usage, word) == NULL)
			fail_msg("%s is not in --help", word);
	}
	for (const char *p = options_usage; (p = strstr(p, " --")) != NULL;
	    p++) {
		bool is = false;

		snprintf(word, sizeof(word), "%.*s", (int)strspn(p + 3,
		    "abcdefghijklmnopqrstuvwxyz-"), p + 3);
		for (unsigned k = 0; k < table.n; k++)
			is |= strcmp(strstr(table.option[k], "--") + 2,
			    word) == 0;
		if (!is)
			fail_msg("--help: there is no --%s", word);
	}
	options_fini(&o);
	free(page);
}

static void
help_has_fifteen_options_and_help_all_has_them_too(void **state)
{
	unsigned n = 0;

	(void)state;
	for (const char *p = options_help; (p = strstr(p, "\n  ")) != NULL; p++) {
		const char *name = strstr(p, "--");
		char word[64];

		if (p[1 + strspn(p + 1, " ")] != '-')
			continue;
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(name, " \n"),
		    name);
		if (strstr(options_usage, word) == NULL)
			fail_msg("%s is not in --help all", word);
		n++;
	}
	assert_int_equal(n, 15);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    the_commands_of_tally_take_what_their_help_and_the_manual_say),
		cmocka_unit_test(the_manual_has_the_formats_that_there_are),
		cmocka_unit_test(tallyd_takes_what_its_help_and_the_manual_say),
		cmocka_unit_test(
		    help_has_fifteen_options_and_help_all_has_them_too),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
