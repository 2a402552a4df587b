/*
 * tests/daemon/test_reload_refused.c - a reload whose configuration has a
 * mistake: sampling goes on with the old one, and the client that asked gets
 * the reason.
 */
#include "tests/lib/asker.h"
#include "tests/lib/segment_files.h"
#include "tests/lib/service.h"
#include "tests/lib/rig.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PERFEVTSEL0 0x186       /* its bit 22 enables a counter */
#define CORE PLAIN "core INST_RETIRED.ANY_P event=0xc0\n"

static void
a_configuration_that_is_refused_changes_nothing(void **state)
{
	static const struct { const char *text, *says; } t[] = {
		{ PLAIN "imc CAS_COUNT.READS event=0x04,umsk=0x03\n",
		    "tallyd.conf:3: " },
		{ PLAIN "imc CAS_COUNT.READS\n", "tallyd.conf:3: " },
		{ PLAIN "nosuch X event=1\n", "tallyd.conf:3: " },
		{ PLAIN "option --nosuch 1\n", "tallyd.conf:3: " },
		{ PLAIN "option --keep ever\n", "tallyd.conf:3: " },
		{ "core fixed\n", "--segment is not given any more" },
		{ PLAIN "option --user nobody\n", "--user has changed since "
		    "the start" },
		{ PLAIN "imc A event=1\nimc B event=2\nimc C event=3\n"
		    "imc D event=4\nimc E event=5\n", "" },
	};
	pid_t pid;
	struct scene s = service_begin(FIXED, &pid);
	uint64_t n = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char said[1024];

		service_configure(&s, t[i].text);
		asker_bytes(s.dir, "reload\n", 7, said, sizeof(said));
		if (strncmp(said, "error: ", 7) != 0 ||
		    strstr(said, t[i].says) == NULL)
			fail_msg("%s gave: %s", t[i].text, said);
		n = service_rows(&s, "store");
		wait_until(service_rows(&s, "store") > n + 1);
	}
	/* who asks is told, and no daemon where the file can tell it */
	assert_int_equal(service_reload(&s), 1);
	assert_int_equal(scene_files(&s, "store"), 1);
	service_ended(&s, pid);
	assert_true(tallyd_said(s.dir, "sampling goes on with the one before"));
	assert_false(scene_has(&s, "dump.000002.lua"));
	assert_false(service_wrote(&s, "dump.000001.lua", "pause_sample"));
	scene_end(&s);
}

static void
while_it_is_paused_there_is_no_reload(void **state)
{
	pid_t pid;
	struct scene s = service_begin(FIXED, &pid);

	(void)state;
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--pause")), 0);
	assert_int_equal(service_reload(&s), 1);
	assert_true(tallyd_said(s.dir, "tallyd --resume comes first"));
	kill(pid, SIGHUP);
	wait_until(service_says(&s, "was not taken"));
	stand_in_same(s.dir, s.before, "in a pause");
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--resume")), 0);
	assert_int_equal(service_reload(&s), 0);
	wait_until(service_rows(&s, "store") > 1);
	service_ended(&s, pid);
	scene_end(&s);
}

static void
many_that_ask_at_a_time_are_all_told(void **state)
{
	pid_t pid;
	struct scene s = service_begin(FIXED, &pid);
	struct segment_files *f = calloc(1, sizeof(*f));
	int fd[12], ok = 0;
	char said[1024];

	(void)state;
	for (int i = 0; i < 12; i++) {
		fd[i] = asker_connect(s.dir);
		assert_int_equal(send(fd[i], "reload\n", 7, MSG_NOSIGNAL), 7);
	}
	for (int i = 0; i < 12; i++) {
		asker_says(fd[i], said, sizeof(said));
		close(fd[i]);
		ok += strcmp(said, "ok\n") == 0;
		if (strcmp(said, "ok\n") != 0 && strcmp(said, "") != 0 &&
		    strncmp(said, "error: too many ask", 19) != 0)
			fail_msg("%s", said);
	}
	assert_true(ok > 0);
	service_ended(&s, pid);
	segment_files_add(f, s.dir, "dump.0");
	assert_true(segment_files_whole(f) > 3);
	assert_true(f->n > 1);
	free(f);
	scene_end(&s);
}

static void
a_file_that_is_gone_is_named(void **state)
{
	struct scene s = scene_begin();
	char conf[512], said[1024];
	pid_t pid;

	(void)state;
	tree_text(s.dir, "/site.conf", "core fixed\n");
	pid = tallyd_start(s.dir, SERVICE, ARGS("-q", "-i", "0.005",
	    "--segment", "1h", "-c", in_dir(s.dir, "site.conf", conf)));
	tallyd_rows(s.dir, 2);
	unlink(conf);
	asker_bytes(s.dir, "reload\n", 7, said, sizeof(said));
	if (strncmp(said, "error: ", 7) != 0 || strstr(said, conf) == NULL)
		fail_msg("%s", said);
	/* one that is no file */
	tree_text(s.dir, "/site.conf/oops", "");
	asker_bytes(s.dir, "reload\n", 7, said, sizeof(said));
	assert_true(strncmp(said, "error: ", 7) == 0);
	service_ended(&s, pid);
	assert_false(scene_has(&s, "dump.000002.lua"));
	scene_end(&s);
}

static void
without_its_file_a_service_counts_the_default(void **state)
{
	struct scene s = scene_begin();
	char conf[512];
	pid_t pid;

	(void)state;
	service_configure(&s, "core fixed\n");
	pid = tallyd_start(s.dir, SERVICE, ARGS("-q", "-i", "0.01",
	    "--segment", "1h"));
	tallyd_rows(s.dir, 2);
	unlink(in_dir(s.dir, "etc/tallyd/tallyd.conf", conf));
	assert_int_equal(service_reload(&s), 0);
	service_ended(&s, pid);
	assert_false(service_wrote(&s, "dump.000001.lua", "imc_counts["));
	assert_true(service_wrote(&s, "dump.000002.lua", "imc_counts["));
	scene_end(&s);
}

/* Somebody counts with what the new configuration wants, which shows only once
 * our own registers are back. */
static void
goes_on_after(const char *read)
{
	struct scene s = scene_begin();
	const uint64_t theirs = 0x41003c;
	char said[1024];
	uint64_t n;
	pid_t pid;

	service_configure(&s, IMC);
	stand_in_set_msr(s.dir, 3, PERFEVTSEL0, theirs);
	pid = tallyd_start(s.dir, SERVICE, ARGS("-q", "--read", read));
	tallyd_rows(s.dir, 3);
	service_configure(&s, CORE);
	asker_bytes(s.dir, "reload\n", 7, said, sizeof(said));
	if (strstr(said, "in use by somebody else") == NULL)
		fail_msg("%s", said);
	n = service_rows(&s, "store");
	wait_until(service_rows(&s, "store") > n + 4);
	assert_true(stand_in_msr(s.dir, 3, PERFEVTSEL0) == theirs);
	assert_int_equal(scene_files(&s, "store"), 1);
	/* and is asked again, once they have gone */
	stand_in_set_msr(s.dir, 3, PERFEVTSEL0, 3 << 16 | PERFEVTSEL0);
	assert_int_equal(service_reload(&s), 0);
	wait_until(service_rows(&s, "store") > 2);
	service_ended(&s, pid);
	assert_true(service_wrote(&s, "dump.000001.lua", "\npause_sample[0] = "));
	assert_true(service_wrote(&s, "dump.000002.lua", "INST_RETIRED.ANY_P"));
	scene_end(&s);
}

static void
counters_that_are_somebodys_are_left_to_him(void **state)
{
	(void)state;
	goes_on_after("visit");
}

static void
threads_go_on_as_well(void **state)
{
	(void)state;
	goes_on_after("pinned");
}

/* ---- files that others choose --------------------------------------------- */

#define NOBODY 65534
#define SECRET "root:$6$secret:1:0:99999:7:::\n"

/* A folder, a file or a link of that owner and mode, at DIR/name. */
static void
owned(const struct scene *s, const char *name, int uid, unsigned mode)
{
	char path[512];

	in_dir(s->dir, name, path);
	assert_int_equal(lchown(path, (uid_t)uid, (gid_t)uid), 0);
	if (mode != 0)
		assert_int_equal(chmod(path, mode), 0);
}

static void
linked(const struct scene *s, const char *name, const char *to)
{
	char path[512], target[512];

	unlink(in_dir(s->dir, name, path));
	assert_int_equal(symlink(in_dir(s->dir, to, target), path), 0);
}

/* DIR/conf is root's, as are DIR/roots and what is in it. */
static void
a_file_that_others_could_choose_is_neither_read_nor_quoted(void **state)
{
	static const struct {
		int line;
		const char *file;       /* that -c names */
		const char *link;       /* which is one to the secret, or NULL */
		const char *theirs;     /* is nobody's, or may be written by all */
		unsigned mode;
		const char *text;       /* of the file afterwards */
	} t[] = {
		{ __LINE__, "theirs/link", "theirs/link", "theirs", 0755, NULL },
		{ __LINE__, "open/link", "open/link", "open", 0777, NULL },
		{ __LINE__, "roots/link", "roots/link", "roots/link", 0, NULL },
		{ __LINE__, "roots/conf", NULL, "roots/conf", 0644, SECRET },
		{ __LINE__, "roots/out", "roots/out", "theirs", 0755, NULL },
		{ __LINE__, "roots/conf", NULL, "theirs", 0755,
		    "include \"../theirs/secret\"\n" },
		{ __LINE__, "roots/conf", NULL, "theirs/secret", 0644,
		    "include \"../theirs/secret\"\n" },
	};

	(void)state;
	if (geteuid() != 0)
		skip();
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct scene s = scene_begin();
		char said[1024], path[512];
		pid_t pid;

		tree_text(s.dir, "/theirs/secret", FIXED);
		tree_text(s.dir, "/theirs/x", "");
		tree_text(s.dir, "/open/x", "");
		tree_text(s.dir, "/roots/conf", FIXED);
		if (t[i].link != NULL)
			linked(&s, t[i].link, "roots/conf");
		pid = tallyd_start(s.dir, SERVICE, ARGS("-q", "-c",
		    in_dir(s.dir, t[i].file, path)));
		tallyd_rows(s.dir, 3);
		tree_text(s.dir, "/secret", SECRET);
		tree_text(s.dir, "/theirs/secret", SECRET);
		owned(&s, "secret", 0, 0600);
		if (t[i].link == NULL)
			tree_text(s.dir, "/roots/conf", t[i].text);
		else
			linked(&s, t[i].link, strcmp(t[i].theirs, "theirs") ==
			    0 && strcmp(t[i].file, "roots/out") == 0 ?
			    "theirs/secret" : "secret");
		owned(&s, t[i].theirs, strcmp(t[i].theirs, "open") == 0 ? 0 :
		    NOBODY, t[i].mode);
		asker_bytes(s.dir, "reload\n", 7, said, sizeof(said));
		if (strncmp(said, "error: ", 7) != 0 ||
		    strstr(said, "others could have chosen") == NULL ||
		    strstr(said, "$6$") != NULL || strstr(said, "root:") != NULL)
			fail_msg("line %d: %s", t[i].line, said);
		service_ended(&s, pid);
		assert_true(tallyd_kept_quiet(s.dir, "$6$"));
		scene_end(&s);
	}
}

static void
a_link_of_roots_to_a_file_of_roots_is_read(void **state)
{
	struct scene s = scene_begin();
	char path[512];
	pid_t pid;

	(void)state;
	tree_text(s.dir, "/roots/conf", FIXED);
	linked(&s, "roots/link", "roots/conf");
	pid = tallyd_start(s.dir, SERVICE, ARGS("-q", "-c",
	    in_dir(s.dir, "roots/link", path)));
	tallyd_rows(s.dir, 3);
	assert_int_equal(service_reload(&s), 0);
	service_ended(&s, pid);
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_configuration_that_is_refused_changes_nothing),
		cmocka_unit_test(a_file_that_is_gone_is_named),
		cmocka_unit_test(without_its_file_a_service_counts_the_default),
		cmocka_unit_test(while_it_is_paused_there_is_no_reload),
		cmocka_unit_test(many_that_ask_at_a_time_are_all_told),
		cmocka_unit_test(counters_that_are_somebodys_are_left_to_him),
		cmocka_unit_test(threads_go_on_as_well),
		cmocka_unit_test(
		    a_file_that_others_could_choose_is_neither_read_nor_quoted),
		cmocka_unit_test(a_link_of_roots_to_a_file_of_roots_is_read),
	};

	return cmocka_run_group_tests_name("reload, refused", tests, NULL, NULL);
}
