/*
 * tests/programs/test_hostile_files.c - forged stores, dumps and names: what is
 * printed of them is assignments only, runs nothing in Lua or Python, and has
 * no control byte for a terminal.
 */
#include "tests/lib/files.h"

#include "config/dump/head.h"
#include "config/dump/store.h"
#include "lib/diag.h"
#include "lib/printable.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As tests/vm/cases.sh checks a dump, and strings with escapes in them. */
#define STRING "\"([^\"\\]|\\\\.)*\""
#define LUAS "'([^'\\]|\\\\.)*'"
#define ASSIGNMENT "^[A-Za-z_][A-Za-z_0-9]*(\\[(" STRING "|" LUAS \
	"|[0-9]+)\\])* = (\\{\\}|-?[0-9.]+(e[-+]?[0-9]+)?|0x[0-9a-f]+|" STRING \
	"|" LUAS ")$"

/* Every character is one that may be shown. */
static void
must_be_shown(const char *text, const char *what)
{
	for (const char *p = text; *p != '\0';) {
		unsigned n = *p == '\n' ? 1 : printable_length(p);

		if (n == 0)
			fail_msg("%s: byte 0x%02x at \"%.40s\"", what,
			    (unsigned char)*p, p - (p - text < 20 ? p - text :
			    20));
		p += n;
	}
}

/* Every line is an assignment, or begins with one of these words. */
static void
must_be_assignments(const char *text, const char *but)
{
	regex_t assignment;
	char *all = strdup(text), *save = NULL;

	must_be_shown(text, "assignments");
	assert_int_equal(regcomp(&assignment, ASSIGNMENT, REG_EXTENDED), 0);
	for (char *line = strtok_r(all, "\n", &save); line != NULL;
	    line = strtok_r(NULL, "\n", &save))
		if ((but == NULL || strncmp(line, but, strlen(but)) != 0) &&
		    (but == NULL || strcmp(line, "end") != 0) &&
		    (but == NULL || strncmp(line, "function chunk_", 15)) &&
		    regexec(&assignment, line, 0, NULL, 0) != 0)
			fail_msg("%s", line);
	regfree(&assignment);
	free(all);
}

/* sh -c of a format; what it has printed, and how it ended. */
static char *
shell(int *status, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static char *
shell(int *status, const char *fmt, ...)
{
	char command[4096], path[512];
	va_list ap;
	int n;

	snprintf(path, sizeof(path), "%s/said", test_dir);
	va_start(ap, fmt);
	n = vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	snprintf(command + n, sizeof(command) - (size_t)n, " >'%s' 2>&1", path);
	*status = WEXITSTATUS(system(command));
	return file_text(path, NULL);
}

/* Whatever languages are installed load it; it has run nothing. */
static void
must_load(const char *path)
{
	static const char *const lua[] = { "lua5.1", "lua5.4", "luajit" };
	char *said;
	int status;

	for (unsigned i = 0; i < 3; i++) {
		said = shell(&status, "command -v %s >/dev/null || exit 0; "
		    "%s -e 'dofile(\"%s\")'", lua[i], lua[i], path);
		if (status != 0)
			fail_msg("%s: %s", lua[i], said);
		free(said);
	}
	said = shell(&status, "command -v python3 >/dev/null || exit 0; "
	    "python3 -c 'exec(open(\"%s\", encoding=\"utf-8\").read())'", path);
	if (status != 0)
		fail_msg("python3: %s", said);
	free(said);
	assert_int_not_equal(access("strangers.was.here", F_OK), 0);
}

/* ---- a store ---------------------------------------------------------- */

#define RUN "os.execute(\"touch strangers.was.here\")"
#define LABEL "x\"] = " RUN " --\x1b[2J\n"

static const char stranger[] =
    RUN "\n"
    "__import__('os').system('touch strangers.was.here')\n"
    "host = \"n1\"; " RUN "\n"
    "host = \"n1\\\" .. \x1b[2J\"\n"
    "cpu = \"\" .. " RUN "\n"
    "model = \"s\\107x\"\n"
    "access = 'sim'\n"
    "nr_cpus = " RUN "\n"
    "lprocs_online = 0x10\n"
    "interval = 1e3\n"
    "interval = 0x1p4\n"
    "evil = 1\n"
    "evil[\"" "\x1b]0;x\x07" "\"] = 1\n"
    "lproc_core = {}\n"
    "lproc_core[0] = {}\n"
    "lproc_core[\"a\"] = 3\n"
    "lproc_core[5] = -3\n"
    "unit_absent = {}\n"
    "unit_absent[\"C\x9bHA\"] = {}\n"
    "unit_absent['C\x1bHA'][0] = {}\n"
    "unit_absent[\"C\x07HA\"][0][1] = \"]]\\\\\\\"\xe2\x80\xae\"\n"
    "x_counts_control = {}\n"
    "x_counts_control[\"y\\\"\"] = 0x5\n"
    "x_counts_control[" RUN "] = 0x5\n"
    "function f() " RUN " end\n"
    "tamper_column = { }\n"
    "tamper_column[0] = 'a\"]'\n";

static const char kept[] =
    "host = \"n1\\\" .. ?[2J\"\nmodel = \"skx\"\naccess = \"sim\"\n"
    "lprocs_online = 16\ninterval = 1e3\nlproc_core = {}\n"
    "lproc_core[5] = -3\nunit_absent = {}\nunit_absent[\"C?HA\"] = {}\n"
    "unit_absent[\"C?HA\"][0] = {}\n"
    "unit_absent[\"C?HA\"][0][1] = \"]]\\\\\\\"\?\?\?\"\n"
    "x_counts_control = {}\nx_counts_control[\"y\\\"\"] = 0x00000005\n"
    "tamper_column = {}\ntamper_column[0] = 'a\"]'\n";

static void
store_of(const char *path, const char *family, const char *unit)
{
	struct family f = { .name = family, .unit = unit, .bits = 48,
	    .mul = 1 }, tsc = { .name = "tsc", .unit = "count", .bits = 64,
	    .mul = 1 };
	struct column column[] = {
		{ .id = { .family = &tsc }, .bits = 64 },
		{ .id = { .family = &f, .nindex = 1, .event = LABEL },
		  .cell = 1, .bits = 48 },
		{ .id = { .family = &f, .lprocs = "\\", .event = "]]" },
		  .cell = 2, .bits = 48 },
	};
	struct store_shape shape = { .column = column, .ncolumn = 3,
	    .ncell = 6, .capacity = 2, .preamble = stranger, .model = "skx",
	    .cell_real_sec = 3, .cell_real_usec = 4 };
	struct store *st;
	struct diag why;

	unlink(path);
	assert_int_equal(store_create(&st, path, &shape, &why), 0);
	assert_int_equal(store_note(st, RUN "\nphase_mark[0] = 1 " RUN
	    "\nreal_time_until = 7\n"), 0);
	for (unsigned i = 1; i < 3; i++) {
		store_row(st)[0] = i;
		assert_int_equal(store_commit(st), 0);
	}
	store_close(st);
}

static void
a_store_is_printed_as_assignments_alone(void **state)
{
	char path[300], out[300], tally[512], *said, *text;
	int status;

	(void)state;
	snprintf(path, sizeof(path), "%s/store", test_dir);
	snprintf(out, sizeof(out), "%s/store.lua", test_dir);
	store_of(path, "x_counts", "count");
	said = shell(&status, "'%s' dump -o '%s' '%s'", built("tally", tally),
	    out, path);
	assert_int_equal(status, 1);
	assert_non_null(strstr(said, "store: 14 lines of its head left out, none of "
	    "tallyd's\n"));
	free(said);
	text = file_text(out, NULL);
	assert_memory_equal(text, kept, strlen(kept));
	assert_non_null(strstr(text, "\nreal_time_until = 7\n"));
	assert_non_null(strstr(text, "\nx_counts[0][\"x\\\"] = os.execute(\\\""
	    "touch strangers.was.here\\\") --?[2J\\n\"] = {}\n"));
	assert_non_null(strstr(text, "\nx_counts[\"\\\\\"][\"]]\"][1] = 0\n"));
	must_be_assignments(text, NULL);
	must_load(out);
	free(text);
	said = shell(&status, "for c in totals check 'convert --lua-chunks 9' "
	    "'deltas -f csv'; do '%s' $c '%s'; done", tally, path);
	assert_non_null(strstr(said, "store: 14 lines of its head left out"));
	free(said);
}

static void
a_store_whose_families_are_no_words_is_refused(void **state)
{
	static const struct { const char *family, *unit; int rc; } t[] = {
		{ "x_counts", "count", 0 },
		{ RUN " x", "count", -22 },
		{ "x counts", "count", -22 },
		{ "9x", "count", -22 },
		{ "", "count", -22 },
		{ "x\x1b[2J", "count", -22 },
		{ "x_counts", "\x1b[2J", -22 },
	};
	struct store *st;
	struct diag why;
	char path[300];

	(void)state;
	snprintf(path, sizeof(path), "%s/store", test_dir);
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		store_of(path, t[i].family, t[i].unit);
		assert_int_equal(store_open(&st, path, &why), t[i].rc);
		store_close(st);
	}
}

/* ---- a dump ----------------------------------------------------------- */

#define SAMPLE(i, tsc) "tsc[" i "] = " tsc "\nwalltime[0][" i "] = 10" i "\n" \
	"walltime[1][" i "] = 0\n" \
	"core_counts[0][\"A\x1b[2J\\027[1m\x9b\xc2\x9b\xe2\x80\xae\"][" i \
	"] = " tsc "\n" \
	"imc_counts[0][0][\"]]\\\"\\\\\"][" i "] = " tsc "\n" \
	"odd_counts['\x1b[3J'][\"x\"][3][" i "] = " tsc "\n" \
	"plain[" i "] = \x1b[4J\n"

static const char dump[] =
    "host = \"n\x1b[2J\\n\\027[5m\\r\xc2\x9b\x9b\xe2\x80\xae.x\"\n"
    "cpu = 'c\\27\x07'\nmodel = \"skx\"\nnr_cpus = 1\nTSC_ratio = 10\n"
    "evil[\"\x1b[2J\"] = \"a\nevil[\"\x1b[2J\\n\"] = \"\x1b\"\n"
    "unit_absent[\"CHA\"][0][1] = \"\x1b[2J\"\nset_name[0] = \"\x1b[2J\"\n"
    "\x1b[2J = 1\n" RUN "\n"
    "tamper_first[0] = 0\ntamper_seen[0] = 1\ntamper_column[0] = 'core_counts"
    "[0][\"A\x1b[2J\"]'\ntamper_register[0] = \"\x1b[2J\"\n"
    "event_set[\"core_counts\"][\"A\x1b\"] = \"\x1b[2J\"\n"
    SAMPLE("0", "1000000000") SAMPLE("1", "2000000000")
    SAMPLE("2", "3000000000");

static void
no_command_prints_what_a_terminal_obeys(void **state)
{
	static const char *const commands[] = {
		"totals", "deltas", "metrics", "metrics -S lproc", "report",
		"report --io", "platform", "check", "totals -f csv",
		"deltas -f json", "merge", "metrics -m nosuch", "check -f csv",
		"convert --wide-csv", "convert --lua-chunks 99", "dump",
		"head", "head -a", "head -f csv", "head -k nosuch",
		"histogram core_ghz", "totals -s 9:10", "report -f json",
	};
	char path[300], tally[512];

	(void)state;
	snprintf(path, sizeof(path), "%s/d\x1b[2J", test_dir);
	assert_int_equal(rename(test_put("dump", dump), path), 0);
	built("tally", tally);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		int status;
		char *said = shell(&status, "'%s' %s '%s' 2>&1 | "
		    "tr -d '\\r'", tally, commands[i], path);

		must_be_shown(said, commands[i]);
		assert_int_not_equal(strlen(said), 0);
		free(said);
	}
}

static void
a_dump_in_chunks_is_assignments_in_functions(void **state)
{
	char out[300], tally[512], *text;
	int status;

	(void)state;
	snprintf(out, sizeof(out), "%s/chunks", test_dir);
	free(shell(&status, "'%s' convert --lua-chunks 9 -o '%s' '%s'",
	    built("tally", tally), out, test_put("dump", dump)));
	assert_int_equal(status, 0);
	text = file_text(out, NULL);
	must_be_assignments(text, "chunk_");
	assert_non_null(strstr(text, "\nhost = \"n?[2J\\n?[5m\\r\?\?\?\?\?\?.x"
	    "\"\n"));
	assert_non_null(strstr(text, "\ncore_counts[0][\"A?[2J?[1m\?\?\?\?\?\?"
	    "\"][1] = 2000000000\n"));
	assert_non_null(strstr(text, "\nimc_counts[0][0][\"]]\\\"\\\\\"][2] = "
	    "3000000000\n"));
	free(text);
	free(shell(&status, "command -v lua5.4 >/dev/null || exit 0; "
	    "lua5.4 -e 'dofile(\"%s\")'", out));
	assert_int_equal(status, 0);
	assert_int_not_equal(access("strangers.was.here", F_OK), 0);
}

/* ---- names and messages ----------------------------------------------- */

static void
what_is_printable_stays(void **state)
{
	static const struct { int line; const char *text, *shown; } t[] = {
		{ __LINE__, "", "" },
		{ __LINE__, "plain ~!", "plain ~!" },
		{ __LINE__, "a\tb\nc\rd", "a b c d" },
		{ __LINE__, "\x01\x1b\x7f", "???" },
		{ __LINE__, "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
		  "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80" },
		/* C1: U+0080, U+009B, U+009F; U+00A0 is none */
		{ __LINE__, "\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0",
		  "\?\?\?\?\?\?\xc2\xa0" },
		/* U+202E and U+2066 turn the line, U+2028 ends it, U+200B
		 * and U+FEFF cannot be seen, U+E0041 is a tag */
		{ __LINE__, "\xe2\x80\xae\xe2\x81\xa6", "??????" },
		{ __LINE__, "\xe2\x80\xa8\xe2\x80\x8b\xef\xbb\xbf",
		  "?????????" },
		{ __LINE__, "\xf3\xa0\x81\x81", "????" },
		/* no UTF-8: alone, cut short, overlong, half a pair, too large */
		{ __LINE__, "\x9b\xe9t", "??t" },
		{ __LINE__, "\xe2\x82", "??" },
		{ __LINE__, "\xc0\x80\xe0\x80\x80", "?????" },
		{ __LINE__, "\xed\xa0\x80\xf4\x90\x80\x80", "???????" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char text[64];

		strcpy(text, t[i].text);
		if (strcmp(printable(text), t[i].shown) != 0)
			fail_msg("line %d: %s", t[i].line, text);
	}
}

static void
a_message_is_one_line_that_may_be_shown(void **state)
{
	struct diag why;

	(void)state;
	diag_set(&why, 0, "%s: no such event", "a\x1b[2J\nb\xc2\x9b");
	assert_string_equal(why.text, "a?[2J b??: no such event");
	diag_at(&why, "f\x1b", 3, "\"%s\"", "\xe2\x80\xae");
	assert_string_equal(why.text, "f?:3: \"???\"");
}

static void
the_daemon_says_nothing_that_a_terminal_obeys(void **state)
{
	char *said, tallyd[512], conf[300];
	int status;

	(void)state;
	strcpy(conf, test_put("c\x1b[2J", "core \x9b\xc2\x9b event=0xc0\n"));
	said = shell(&status, "'%s' --sim @skx-8160-2s -n 2 -c '%s'",
	    built("tallyd", tallyd), conf);
	assert_int_not_equal(status, 0);
	assert_non_null(strstr(said, "/c?[2J:1: "));
	must_be_shown(said, "tallyd");
	free(said);
}

static void
a_head_is_put_again_as_it_was(void **state)
{
	static const char ours[] = "host = \"a\\\"b\\\\c\\nd\"\n"
	    "interval = 0.25\nRAPL_TIME_UNIT = 0.0009765625\n"
	    "Reference_TSC = 18446744073709551615\n"
	    "lproc_package[7] = -1\nIA32_FIXED_CTR_CTRL[0] = 0x333\n"
	    "imc_counts_control = {}\nimc_counts_control[0] = {}\n"
	    "imc_counts_control[0][3] = {}\n"
	    "imc_counts_control[0][3][\"X.Y\"] = 0x00000304\n"
	    "tamper_column[2] = 'imc_counts[0][\"X\"]'\n"
	    "event_set[\"core_counts\"] = {}\n"
	    "event_set[\"core_counts\"][\"A\"] = \"s1\"\n";
	struct head h = { .text = NULL };

	(void)state;
	assert_int_equal(head_put_again(&h, ours), 0);
	assert_string_equal(h.text, ours);
	head_fini(&h);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_store_is_printed_as_assignments_alone),
		cmocka_unit_test(
		    a_store_whose_families_are_no_words_is_refused),
		cmocka_unit_test(no_command_prints_what_a_terminal_obeys),
		cmocka_unit_test(a_dump_in_chunks_is_assignments_in_functions),
		cmocka_unit_test(what_is_printable_stays),
		cmocka_unit_test(a_message_is_one_line_that_may_be_shown),
		cmocka_unit_test(
		    the_daemon_says_nothing_that_a_terminal_obeys),
		cmocka_unit_test(a_head_is_put_again_as_it_was),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
