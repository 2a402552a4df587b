/*
 * tests/test_mistakes.c - what was typed by mistake, and what the line says that
 * comes back.
 */
#include "tests/files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define SKX "--sim @skx-8160-2s --virtual-time -n 2 -q --overwrite -o x.lua "

/* A line of a configuration. */
static const struct {
	int line;
	const char *text, *says;
} configs[] = {
	{ __LINE__, "cor INST_RETIRED.ANY_P", "bad.conf:1: \"cor\" is no box of "
	    "Skylake-SP / Cascade Lake-SP; did you mean core?" },
	{ __LINE__, "imcs CAS_COUNT.READS event=4", "did you mean imc?" },
	{ __LINE__, "opt imc CAS_COUNT.READS event=4", "\"opt\" is no box of "
	    "Skylake-SP / Cascade Lake-SP; did you mean optional?" },
	{ __LINE__, "zzzzzz X event=4", "it has core ubox pcu cha " },
	{ __LINE__, "interval = 1", "bad.conf:1: \"interval = ...\" is no "
	    "statement; an option of tallyd is written option --interval "
	    "VALUE" },
	{ __LINE__, "<Plugin \"intel_pmu\">", "\"<Plugin\" is collectd's "
	    "language; here a line says what to count" },
	{ __LINE__, "cores INST event=0xc0", "bad.conf:1: cores \"INST\": cores "
	    "says which lprocs are counted (cores \"0-3\"); an event of theirs "
	    "begins with core" },
	{ __LINE__, "imc X event=4,umsk=3", "IMC has no field \"umsk\"" },
	{ __LINE__, "core MEM_LOAD_RETIRED.L3_MIS", "bad.conf:1: CORE has no "
	    "event \"MEM_LOAD_RETIRED.L3_MIS\"; did you mean "
	    "MEM_LOAD_RETIRED.L3_MISS, MEM_LOAD_RETIRED.L3_HIT or "
	    "MEM_LOAD_RETIRED.L1_MISS?" },
};

/* What a shell is told, and its exit status. */
static const struct {
	int line, status;
	const char *command, *says;
} commands[] = {
	{ __LINE__, 1, "tallyd " SKX "-c @default-spr", "@default-spr is of "
	    "another CPU; that of Skylake-SP / Cascade Lake-SP is @default-skx" },
	{ __LINE__, 1, "tallyd " SKX "-c @hpc-zen4", "@hpc-zen4 is of another "
	    "CPU; that of Skylake-SP / Cascade Lake-SP is @hpc-skx" },
	{ __LINE__, 1, "tallyd " SKX "--cpu 999", "--cpu 999: no lproc of that "
	    "number is online; this node has 0 to 95" },
	{ __LINE__, 1, "tallyd --model icx --list events MEM_LOAD_RETIRED.L3_MIZZ",
	    "--list events: none of Ice Lake-SP is called "
	    "MEM_LOAD_RETIRED.L3_MIZZ; did you mean MEM_LOAD_RETIRED.L3_MISS, "
	    "MEM_LOAD_RETIRED.L3_HIT or MEM_LOAD_RETIRED.L1_MISS?" },
	{ __LINE__, 64, "tallyd --model icx --list boxes imc", "--list boxes imc: "
	    "only `events` takes a pattern" },
	{ __LINE__, 1, "tallyd --print hpc", "no file hpc; the built-in is "
	    "@hpc" },
	{ __LINE__, 1, "tallyd --print @defualt-skx", "@defualt-skx: no such "
	    "built-in text; did you mean @default-skx?" },
	{ __LINE__, 64, "tallyd --intervall 3", "--intervall: no such option; did "
	    "you mean --interval? (see tallyd --help)" },
	{ __LINE__, 64, "tallyd --frobnicate", "--frobnicate: no such option (see "
	    "tallyd --help)" },
	{ __LINE__, 64, "tallyd --segment 10min --pipe 'gzip > %s.gz'", "--pipe "
	    "'gzip > %s.gz': there is no shell here; name a program that makes "
	    "a file" },
	{ __LINE__, 127, "tallyd " SKX "-- nosuchapp", "nosuchapp: there is no "
	    "such program in PATH" },
	{ __LINE__, 64, "tally reprot x.lua", "no command \"reprot\"; did you "
	    "mean report? (tally --help lists them)" },
	{ __LINE__, 64, "tally frobnicate x.lua", "no command \"frobnicate\" "
	    "(tally --help lists them)" },
	{ __LINE__, 64, "tally report", "which FILE?  usage: tally report " },
	{ __LINE__, 64, "tally metrics -m ipc", "which FILE?  usage: tally "
	    "metrics " },
	{ __LINE__, 64, "tally metrics --only-lists good.lua", "--only-lists: of "
	    "no list; name one with --metrics" },
	{ __LINE__, 64, "tally report --metric foo good.lua", "tally: no "
	    "option --metric; --metrics FILE reads a list, and tally "
	    "metrics -m NAME has figures by name" },
	{ __LINE__, 64, "tally report --metric=foo good.lua", "no option "
	    "--metric" },
	{ __LINE__, 64, "tally check --sampels 1:2 good.lua", "tally: did you "
	    "mean --samples?" },
	{ __LINE__, 64, "tally check --frobnicate good.lua", "usage: tally "
	    "check " },
	{ __LINE__, 2, "tally totals sum.txt", "sum.txt: a summary of dumps, "
	    "which has no samples: tally merge reads it" },
	{ __LINE__, 64, "tally histogram -n 1000 -m ipc good.lua", "--bins 1000: "
	    "1 to 100" },
	{ __LINE__, 64, "tally histogram --low 3 --high 2 -m ipc good.lua",
	    "--low 3 is more than --high 2" },
	{ __LINE__, 2, "tally metrics -m dram_raed good.lua", "no metric "
	    "\"dram_raed\"; did you mean dram_read" },
};

/* Runs it in test_dir; one line has to come back, with these words. */
static void
told(int line, const char *command, int status, const char *says)
{
	char whole[2000], where[512], text[4000];
	const char *end;
	size_t n;
	FILE *f;
	int rc;

	built("", where);
	snprintf(whole, sizeof(whole), "cd %s && PATH=%s:$PATH && { %s; } 2>&1 "
	    "</dev/null", test_dir, where, command);
	assert_non_null(f = popen(whole, "r"));
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	rc = pclose(f);
	if (!WIFEXITED(rc) || WEXITSTATUS(rc) != status ||
	    strstr(text, says) == NULL || (end = strchr(text, '\n')) == NULL)
		fail_msg("line %d: %s: status %d: %s", line, command,
		    WEXITSTATUS(rc), text);
	/* getopt has a line of its own */
	if (strstr(text, "unrecognized option") != NULL)
		end = strchr(end + 1, '\n');
	if (end == NULL || end[1] != '\0')
		fail_msg("line %d: %s: status %d: %s", line, command,
		    WEXITSTATUS(rc), text);
}

static void
a_line_that_is_no_statement_says_what_was_meant(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
		test_put("bad.conf", configs[i].text);
		told(configs[i].line, "tallyd " SKX "-c bad.conf", 1,
		    configs[i].says);
	}
}

static void
a_command_that_is_none_says_what_was_meant(void **state)
{
	(void)state;
	told(__LINE__, "tallyd --sim @skx-8160-2s --virtual-time -n 3 -q -o "
	    "good.lua && tally summarize -o sum.txt good.lua && echo made", 0,
	    "made");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		told(commands[i].line, commands[i].command, commands[i].status,
		    commands[i].says);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_line_that_is_no_statement_says_what_was_meant),
		cmocka_unit_test(a_command_that_is_none_says_what_was_meant),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
