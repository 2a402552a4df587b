/*
 * tests/daemon/test_setuid.c - a copy of a program whose file has rights that its caller
 * has not: it says so in one line, and neither reads nor writes what is root's.
 */
#include "daemon/options.h"
#include "tests/lib/files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define NOBODY 65534
#define SECRET "root:$6$secret:1:0:99999:7:::\n"
#define WORDS ": not setuid: use the service or sudo\n"

/* A folder that only root can write, with what is his. */
struct rooms {
	char *dir;
	char program[512], secret[512], fresh[512];
};

static void
copy(const char *from, const char *to)
{
	size_t size;
	char *text = file_text(from, &size);
	FILE *f = fopen(to, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
	free(text);
}

static struct rooms
rooms_with(const char *program)
{
	struct rooms r = { .dir = tree_new() };
	char path[512];
	struct statvfs fs;

	if (geteuid() != 0 || statvfs(r.dir, &fs) < 0 ||
	    (fs.f_flag & ST_NOSUID) != 0) {
		print_message("a setuid file takes root, and a file system "
		    "that has such\n");
		tree_free(r.dir);
		skip();
	}
	assert_int_equal(chmod(r.dir, 0755), 0);
	snprintf(r.program, sizeof(r.program), "%s/%s", r.dir, program);
	snprintf(r.secret, sizeof(r.secret), "%s/secret", r.dir);
	snprintf(r.fresh, sizeof(r.fresh), "%s/fresh", r.dir);
	copy(built(program, path), r.program);
	assert_int_equal(chmod(r.program, 0755), 0);
	tree_text(r.dir, "/secret", SECRET);
	assert_int_equal(chmod(r.secret, 0600), 0);
	return r;
}

/* What it says to its caller, a nobody, up to its end; its exit status. */
static int
run(const char *const *argv, char said[512])
{
	int fd[2], status;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	assert_int_equal(pipe(fd), 0);
	if ((pid = fork()) == 0) {
		dup2(fd[1], 1);
		dup2(fd[1], 2);
		close(fd[0]);
		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
			_exit(99);
		execv(argv[0], (char **)(uintptr_t)argv);
		_exit(98);
	}
	close(fd[1]);
	while (n < 511 && (got = read(fd[0], said + n, 511 - n)) > 0)
		n += (size_t)got;
	said[n] = '\0';
	close(fd[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* What follows a line: nothing but what the leak sanitizer says of a process that
 * it may not look into. */
static bool
is_all(const char *rest)
{
#ifdef __SANITIZE_ADDRESS__
	if (strncmp(rest, "==", 2) == 0 && strstr(rest, "LeakSanitizer") != NULL)
		return true;
#endif
	return rest[0] == '\0';
}

static void
is_refused(const struct rooms *r, const char *const *argv)
{
	const char *name = strrchr(r->program, '/') + 1;
	char said[512], line[128], *text;
	int status = run(argv, said);

	snprintf(line, sizeof(line), "%s" WORDS, name);
	if (strncmp(said, line, strlen(line)) != 0 || status == 0 ||
	    !is_all(said + strlen(line)))
		fail_msg("%s %s: exit status %d; said: %s", name, argv[1],
		    status, said);
	text = file_text(r->secret, NULL);
	if (strcmp(text, SECRET) != 0 || access(r->fresh, F_OK) == 0)
		fail_msg("%s %s: root's folder is not as it was", name,
		    argv[1]);
	free(text);
}

/* With each option, of a value that is root's file, or one to be made there. */
static void
with_every_option(const struct rooms *r)
{
	const char *value[] = { r->secret, r->fresh };
	char word[600];

	for (unsigned v = 0; v < 2; v++) {
		for (size_t i = 0; i < OPTIONS; i++) {
			const struct option_row *row = &option_rows[i];
			bool bare = option_bare(row);

			snprintf(word, sizeof(word), "--%s%s%s", row->name,
			    bare ? "" : "=", bare ? "" : value[v]);
			is_refused(r, (const char *const []){ r->program, word,
			    NULL });
		}
		is_refused(r, (const char *const []){ r->program, "--sim",
		    value[v], "--check", NULL });
		is_refused(r, (const char *const []){ r->program, "-c",
		    value[v], "--dry-run", NULL });
		is_refused(r, (const char *const []){ r->program, "--sim",
		    "@skx-8160-2s", "--virtual-time", "-n", "3", "--overwrite",
		    "-o", value[v], NULL });
		is_refused(r, (const char *const []){ r->program, "--prove",
		    "-o", value[v], NULL });
		is_refused(r, (const char *const []){ r->program, "--sim",
		    "@skx-8160-2s", "--", "/bin/cp", value[0], value[1],
		    NULL });
	}
	is_refused(r, (const char *const []){ r->program, NULL });
}

static void
a_setuid_copy_of_tallyd_does_nothing_whatever_its_options(void **state)
{
	struct rooms r = rooms_with("tallyd");

	(void)state;
	assert_int_equal(chmod(r.program, 04755), 0);
	with_every_option(&r);
	tree_free(r.dir);
}

static void
nor_does_a_setgid_one_or_one_whose_file_has_capabilities(void **state)
{
	struct vfs_cap_data caps = { .magic_etc = VFS_CAP_REVISION_2 |
	    VFS_CAP_FLAGS_EFFECTIVE };
	struct rooms r = rooms_with("tallyd");

	(void)state;
	assert_int_equal(chmod(r.program, 02755), 0);
	is_refused(&r, (const char *const []){ r.program, "-c", r.secret,
	    "--dry-run", NULL });
	assert_int_equal(chmod(r.program, 0755), 0);
	caps.data[0].permitted = 1u << CAP_DAC_OVERRIDE;
	if (setxattr(r.program, "security.capability", &caps, sizeof(caps),
	    0) == 0)
		is_refused(&r, (const char *const []){ r.program, "-c",
		    r.secret, "--dry-run", NULL });
	else
		print_message("capabilities of files: %s\n", strerror(errno));
	tree_free(r.dir);
}

static void
a_setuid_copy_of_tally_reads_nothing(void **state)
{
	static const char *const command[] = { "report", "head", "dump",
	    "merge", "print", "live", "--version" };
	struct rooms r = rooms_with("tally");

	(void)state;
	assert_int_equal(chmod(r.program, 04755), 0);
	for (size_t i = 0; i < sizeof(command) / sizeof(command[0]); i++)
		is_refused(&r, (const char *const []){ r.program, command[i],
		    r.secret, NULL });
	tree_free(r.dir);
}

/* Rights of who starts it are his own: of root's, and of nobody's. */
static void
a_plain_copy_does_what_its_caller_may(void **state)
{
	struct rooms r = rooms_with("tallyd");
	char said[512];

	(void)state;
	assert_int_equal(run((const char *const []){ r.program, "--version",
	    NULL }, said), 0);
	assert_memory_equal(said, "tallyd ", 7);
	assert_int_equal(run((const char *const []){ r.program, "-c", r.secret,
	    "--dry-run", NULL }, said), 1);
	assert_null(strstr(said, "$6$"));
	assert_non_null(strstr(said, "Permission denied"));
	tree_free(r.dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_setuid_copy_of_tallyd_does_nothing_whatever_its_options),
		cmocka_unit_test(
		    nor_does_a_setgid_one_or_one_whose_file_has_capabilities),
		cmocka_unit_test(a_setuid_copy_of_tally_reads_nothing),
		cmocka_unit_test(a_plain_copy_does_what_its_caller_may),
	};

	return cmocka_run_group_tests_name("setuid", tests, NULL, NULL);
}
