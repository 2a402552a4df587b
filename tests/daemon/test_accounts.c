/*
 * tests/daemon/test_accounts.c - users and groups: libc's, and in a static program those
 * of /etc/passwd and /etc/group, without a library of the node's.
 */
#include "daemon/node/rights.h"
#include "lib/accounts.h"
#include "tests/lib/files.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The libc of this test knows a user whom /etc/passwd does not have. */
struct passwd *
getpwnam(const char *name)
{
	static struct passwd far = { .pw_name = "far", .pw_uid = 4331,
	    .pw_gid = 4332 };

	return strcmp(name, "far") == 0 ? &far : NULL;
}

static void
a_shared_libc_is_asked_for_users(void **state)
{
	struct owner o;
	struct diag why;

	(void)state;
	assert_false(account_files_alone());
	assert_int_equal(rights_owner(&o, "far", false, &why), 0);
	assert_int_equal(o.uid, 4331);
	assert_int_equal(o.gid, 4332);
	assert_int_equal(rights_owner(&o, "further", false, &why), -EINVAL);
	assert_string_equal(why.text, "--user further: no such user");
}

static void
a_user_is_given_by_number_too(void **state)
{
	struct owner o;
	struct diag why;

	(void)state;
	assert_int_equal(rights_owner(&o, "2000000001", false, &why), 0);
	assert_int_equal(o.uid, 2000000001);
	assert_int_equal(o.gid, 2000000001);
	assert_int_equal(rights_owner(&o, "0", false, &why), 0);
	assert_int_equal(o.uid, 0);
	assert_int_equal(o.gid, 0);
	assert_int_equal(rights_owner(&o, "-1", false, &why), -EINVAL);
	assert_int_equal(rights_owner(&o, "1x", false, &why), -EINVAL);
	assert_int_equal(rights_owner(&o, "99999999999", false, &why),
	    -EINVAL);
}

/* A node with a user of our own, and the static tallyd on it, called by root, or with an
 * environment as sudo makes it; ends with exec. */
static _Noreturn void
static_exec(const char *env, const char *words)
{
	char program[512], passwd[512], group[512], line[2048];

	strcpy(passwd, test_put("passwd", "root:x:0:0:root:/root:/bin/sh\n"
	    "sampled:x:4321:4322::/home/sampled:/bin/sh\n"));
	strcpy(group, test_put("group", "root:x:0:\nother:x:4325:root\n"
	    "sampled:x:4322:sampled\none:x:4323:root,sampled\n"
	    "two:x:4324:sampled\n"));
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC |
	    MS_PRIVATE, NULL) < 0 ||
	    mount(passwd, "/etc/passwd", NULL, MS_BIND, NULL) < 0 ||
	    mount(group, "/etc/group", NULL, MS_BIND, NULL) < 0 ||
	    chmod(test_dir, 0755) < 0 || chdir(test_dir) < 0)
		_exit(77);
	snprintf(line, sizeof(line), "exec env -u SUDO_UID %s %s -q --sim "
	    "@skx-8160-2s -n 2 --virtual-time --store store %s >said 2>&1",
	    env, built("static/tallyd", program), words);
	execl("/bin/sh", "sh", "-c", line, NULL);
	_exit(127);
}

/* Its exit status, or minus the signal that ended it; its words in `said`. */
static int
static_run(const char *env, const char *words, char said[1024])
{
	char path[512], *text;
	int status;
	pid_t pid;

	if (access(built("static/tallyd", path), X_OK) < 0 || geteuid() != 0) {
		print_message("this needs root, and a static libc\n");
		skip();
	}
	if ((pid = fork()) == 0)
		static_exec(env, words);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("this needs the right to mount\n");
		skip();
	}
	snprintf(path, sizeof(path), "%s/said", test_dir);
	text = file_text(path, NULL);
	snprintf(said, 1024, "%s", text);
	free(text);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void
a_static_program_says_that_it_reads_two_files_alone(void **state)
{
	char said[1024];

	(void)state;
	assert_int_equal(static_run("", "--user nosuch -o d.lua", said), 1);
	assert_string_equal(said, "tallyd: --user nosuch: no such user in "
	    "/etc/passwd, all that a static tallyd reads: give the number "
	    "(id -u)\n");
	assert_int_equal(static_run("", "--dump-group nosuch -o d.lua", said), 1);
	assert_string_equal(said, "tallyd: --dump-group nosuch: no such group "
	    "in /etc/group, all that a static tallyd reads: give the number "
	    "(getent group)\n");
}

static void
a_static_program_finds_what_stands_in_these_files(void **state)
{
	static const struct { int line; const char *words; uid_t uid; gid_t gid; }
	    row[] = {
		{ __LINE__, "--user sampled", 4321, 4322 },
		{ __LINE__, "--user 4321", 4321, 4322 },
		{ __LINE__, "--user 4329", 4329, 4329 },
		{ __LINE__, "--user sampled --dump-group two", 4321, 4324 },
		{ __LINE__, "--keep-root --dump-group 4328", 0, 4328 },
	};
	char words[256], path[512], said[1024];
	struct stat st;

	(void)state;
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		snprintf(words, sizeof(words), "%s -o d%u.lua", row[i].words,
		    i);
		if (static_run("", words, said) != 0)
			fail_msg("%d: %s", row[i].line, said);
		snprintf(path, sizeof(path), "%s/d%u.lua", test_dir, i);
		assert_int_equal(stat(path, &st), 0);
		if (st.st_uid != row[i].uid || st.st_gid != row[i].gid)
			fail_msg("%d: of %u:%u", row[i].line, st.st_uid,
			    st.st_gid);
	}
}

static void
a_program_run_by_a_static_one_has_its_users_groups(void **state)
{
	char said[1024];

	(void)state;
	assert_int_equal(static_run("SUDO_UID=4321 SUDO_GID=4322 HOME=/root",
	    "-o g.lua -- sh -c 'echo $(id -G) $HOME'", said), 0);
	text_has(said, "4322 4323 4324 /home/sampled\n");
	text_lacks(said, "static");
	assert_int_equal(static_run("SUDO_UID=4329 SUDO_GID=4322 HOME=/root",
	    "-o h.lua -- sh -c 'echo $(id -G) $HOME'", said), 0);
	text_has(said, "tallyd: sh: user 4329 is not in /etc/passwd, all that "
	    "a static tallyd reads: it runs without his other groups\n");
	text_has(said, "4322 /root\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shared_libc_is_asked_for_users),
		cmocka_unit_test(a_user_is_given_by_number_too),
		cmocka_unit_test(a_static_program_says_that_it_reads_two_files_alone),
		cmocka_unit_test(a_static_program_finds_what_stands_in_these_files),
		cmocka_unit_test(a_program_run_by_a_static_one_has_its_users_groups),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
