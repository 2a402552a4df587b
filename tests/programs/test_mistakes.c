/*
 * tests/programs/test_mistakes.c - what was typed by mistake, and what the line says that
 * comes back.
 */
#include "tests/lib/files.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#define QUICK "--virtual-time -n 2 -q --overwrite -o x.lua"

/* What was typed, the exit status, and what is said. */
struct mistake {
	int line, status;
	const char *typed, *says;
};

/* The simulated nodes of the table's first column. */
static const struct {
	const char *name, *machine;
} nodes[] = {
	{ "hsx", "@hsx-2699-2s" }, { "skx", "@skx-8160-2s" }, { "icx", "@icx-8358-2s" },
	{ "spr", "@spr-9480-2s" }, { "gnr", "@gnr-6960p-2s" },
	{ "slm", "@c2758.machine" }, { "zen2", "@rome-7742-2s" },
	{ "zen4", "@genoa-9654-2s" }, { "grace", "@grace-2s" },
};

/* Runs it in test_dir: two lines may come back, with these words in them. */
static bool
is_told(const struct mistake *m, const char *command)
{
	char whole[2000], where[512], text[8000];
	unsigned lines = 0;
	size_t n;
	FILE *f;
	int rc;

	built("", where);
	snprintf(whole, sizeof(whole), "cd %s && PATH=%s:$PATH && SKX='--sim "
	    "@skx-8160-2s " QUICK "' && { %s; } 2>&1 </dev/null", test_dir, where,
	    command);
	assert_non_null(f = popen(whole, "r"));
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	rc = pclose(f);
	for (const char *c = text; *c != '\0'; c++)
		lines += *c == '\n';
	if (!WIFEXITED(rc) || WEXITSTATUS(rc) != m->status ||
	    strstr(text, m->says) == NULL || lines > 2) {
		print_error("line %d: %s: status %d: %s\n", m->line, m->typed,
		    WEXITSTATUS(rc), text);
		return false;
	}
	return true;
}

static void
told(const struct mistake *m, const char *command)
{
	assert_true(is_told(m, command));
}

/* The command of a row: a configuration's lines go to a file. */
static const char *
command_of(const char *node, char *typed, char *buf, size_t size)
{
	char *to = typed;
	size_t i = 0;

	if (strcmp(node, "-") == 0)
		return typed;
	while (i < sizeof(nodes) / sizeof(nodes[0]) &&
	    strcmp(nodes[i].name, node) != 0)
		i++;
	assert_true(i < sizeof(nodes) / sizeof(nodes[0]));
	snprintf(buf, size, "tallyd --sim %s " QUICK " -c bad.conf",
	    nodes[i].machine);
	for (const char *c = typed; *c != '\0'; c++)
		if (c[0] == '\\' && (c[1] == 'n' || c[1] == 't'))
			*to++ = *++c == 'n' ? '\n' : '\t';
		else
			*to++ = *c;
	*to = '\0';
	test_put("bad.conf", typed);
	return buf;
}

static void
a_mistake_is_told_what_was_meant(void **state)
{
	static const struct mistake good = { 0, 0, "tallyd --sim "
	    "@skx-8160-2s --virtual-time -n 3 -q -o good.lua && tally summarize "
	    "-o sum.txt good.lua && sed 's/^model = .*/model = \"zen9\"/' "
	    "good.lua >model.lua && echo 'a = b = c' >mine.lua && echo made",
	    "made" };
	char *table = file_text("tests/data/mistakes.tsv", NULL), buf[200];
	char *left = table, *row;
	struct mistake m = { .line = 0 };
	unsigned rows = 0, wrong = 0;

	(void)state;
	told(&good, good.typed);
	while ((row = strsep(&left, "\n")) != NULL) {
		char *node = strsep(&row, "\t"), *status = strsep(&row, "\t");
		char *typed = strsep(&row, "\t");

		m.line++;
		if (node[0] == '#' || node[0] == '\0')
			continue;
		assert_non_null(m.says = row);
		m.status = atoi(status);
		m.typed = typed;
		wrong += !is_told(&m, command_of(node, typed, buf, sizeof(buf)));
		rows++;
	}
	free(table);
	assert_int_equal(wrong, 0);
	assert_true(rows >= 150);
}

/* Only one simulated daemon of a user has the socket that is found: root has a /run of
 * this test alone, where it may mount one. */
static void
own_run(void)
{
	if (geteuid() == 0 && unshare(CLONE_NEWNS) == 0 &&
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0)
		mount("none", "/run", "tmpfs", 0, NULL);
}

static void
who_asks_finds_the_daemon_of_a_simulated_node(void **state)
{
	static const struct mistake begin = { __LINE__, 0, "tallyd --sim "
	    "@skx-8160-2s -b -q -i 0.05 -o live.lua --pidfile pid", "" };
	static const struct mistake asked[] = {
		{ __LINE__, 0, "tallyd --mark phase=a && echo set", "set" },
		{ __LINE__, 1, "tallyd --reload", "its run is not in segments "
		    "(--segment 1h, with --background or by systemd); stop it" },
		{ __LINE__, 1, "tallyd --pause 10s", "give seconds, more than 0 "
		    "and at most 604800; 10s is 10" },
		{ __LINE__, 0, "tallyd --pause 60 && tallyd --resume && echo on",
		    "on" },
		{ __LINE__, 0, "tallyd --ask | grep ^dump", "live.lua" },
	};
	const char *own = geteuid() == 0 ? "/run" : getenv("XDG_RUNTIME_DIR");
	char path[512];

	(void)state;
	own_run();
	snprintf(path, sizeof(path), "%s/tallyd-simulated.socket",
	    own != NULL ? own : "");
	if (own == NULL || access(path, F_OK) == 0 || access(own, W_OK) < 0 ||
	    access("/run/tallyd/tallyd.socket", F_OK) == 0)
		skip();
	told(&begin, begin.typed);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		told(&asked[i], asked[i].typed);
	told(&(struct mistake){ __LINE__, 0, "", "" }, "p=$(cat pid); kill $p; "
	    "while kill -0 $p; do sleep 0.1; done 2>/dev/null");
	assert_int_equal(access(path, F_OK), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mistake_is_told_what_was_meant),
		cmocka_unit_test(who_asks_finds_the_daemon_of_a_simulated_node),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
