/*
 * tests/config/test_store_owner.c - whose a store is: who may read it, write it and lock it; dumps
 * in folders where somebody else may put links; a store that somebody changes.
 */
#include "tests/lib/files.h"
#include "tests/lib/stand_in.h"
#include "tests/lib/named.h"
#include "tests/lib/store_rows.h"

#include "config/dump/dump.h"
#include "config/dump/store.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void
a_file_that_is_there_is_never_taken(void **state)
{
	static struct column c = { .name = "tsc", .bits = 64 };
	struct store_shape shape = { .column = &c, .ncolumn = 1, .ncell = 3,
	    .capacity = 1, .preamble = "", .cell_real_sec = 1,
	    .cell_real_usec = 2 };
	char *dir = tree_new(), path[512], link[512], text[16] = "";
	struct store *st;
	struct diag why;
	int fd;

	(void)state;
	columns_named(&c, 1);
	tree_text(dir, "/s", "precious");
	assert_int_equal(store_create(&st, in_dir(dir, "s", path), &shape,
	    &why), -EEXIST);
	assert_null(st);
	assert_non_null(strstr(why.text, "tally dump"));
	/* nor through a link */
	assert_int_equal(symlink(path, in_dir(dir, "link", link)), 0);
	assert_int_equal(store_create(&st, link, &shape, &why), -EEXIST);
	assert_int_equal(symlink("nowhere", in_dir(dir, "dangling", link)), 0);
	assert_true(store_create(&st, link, &shape, &why) < 0);
	fd = open(path, O_RDONLY);
	assert_int_equal(read(fd, text, sizeof(text)), 8);
	close(fd);
	assert_string_equal(text, "precious");
	tree_free(dir);
}

static bool
unlocked(const char *path)
{
	int fd = open(path, O_RDONLY);
	bool locked = store_locked(fd, STORE_HELD);

	assert_true(fd >= 0);
	close(fd);
	return !locked;
}

static void
a_store_is_locked_while_its_daemon_lives(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st, *reader;
	int ready[2];
	pid_t pid;
	char c;

	(void)state;
	in_dir(dir, "s", path);
	assert_int_equal(pipe(ready), 0);
	if ((pid = fork()) == 0) {
		st = rows_store(path, 2);
		rows_put(st, 0);
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	assert_int_equal(read(ready[0], &c, 1), 1);
	assert_int_equal(store_open(&reader, path, NULL), 0);
	assert_false(unlocked(path));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_true(unlocked(path));
	assert_int_equal(store_rows(reader), 1);
	assert_int_equal(rows_cell(reader, 0, 1), 1700000000);
	store_close(reader);
	close(ready[0]);
	close(ready[1]);
	tree_free(dir);
}

/* As anybody may who can read it. */
static void
a_readers_locks_make_no_dead_store_alive(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = rows_store(in_dir(dir, "s", path), 2);
	struct flock all = { .l_type = F_RDLCK, .l_whence = SEEK_SET };
	int fd = open(path, O_RDONLY);

	(void)state;
	assert_true(store_alive(path));
	store_sampled(st, false);
	assert_false(store_alive(path));
	assert_false(unlocked(path));
	store_sampled(st, true);
	assert_true(store_alive(path));
	store_close(st);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(fcntl(fd, F_OFD_SETLK, &all), 0);
	assert_false(store_alive(path));
	assert_true(unlocked(path));
	all.l_type = F_WRLCK;
	assert_int_equal(fcntl(fd, F_OFD_SETLK, &all), -1);
	assert_int_equal(errno, EBADF);
	close(fd);
	tree_free(dir);
}

static void
a_store_is_its_owners_alone_unless_shared(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = rows_store(in_dir(dir, "s", path), 1);
	struct stat sb;

	(void)state;
	assert_int_equal(stat(path, &sb), 0);
	assert_int_equal(sb.st_mode & 0777, 0600);
	assert_int_equal(store_give(st, -1, true), 0);
	assert_int_equal(stat(path, &sb), 0);
	assert_int_equal(sb.st_mode & 0777, 0644);
	store_close(st);
	tree_free(dir);
}

/*
 * In a folder like /tmp somebody else has time to plant links to root's files
 * under the name of the dump, to swap them and to take them away again.
 */
static void
five_hundred_dumps_follow_no_link_of_somebody_else(void **state)
{
	char *dir = tree_new(), path[512], out[512], precious[512], text[64];
	struct store *st = rows_store(in_dir(dir, "s", path), 3);
	struct save_place place;
	struct diag why;
	struct stat sb;
	pid_t pid;
	int fd;

	(void)state;
	if (geteuid() != 0)
		skip();
	rows_put(st, 0);
	tree_text(dir, "/precious", "all my keys");
	in_dir(dir, "precious", precious);
	assert_int_equal(chmod(precious, 0600), 0);
	assert_int_equal(chmod(dir, 01777), 0);
	in_dir(dir, "d.lua", out);
	if ((pid = fork()) == 0) {
		if (setgid(65534) < 0 || setuid(65534) < 0)
			_exit(1);
		for (;;) {
			if (symlink(precious, out) < 0 && errno == EEXIST)
				unlink(out);
			if (link(out, path) == 0 && rename(path, out) < 0)
				unlink(path);
			unlink(out);
		}
	}
	for (int i = 0; i < 500; i++) {
		assert_int_equal(save_open(&place, out, &why), 0);
		if (save_trusted(&place, &why) == 0)
			save_dump(st, &place, &why);
		save_close(&place);
		unlink(out);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(lstat(precious, &sb), 0);
	assert_int_equal(sb.st_mode & 0777, 0600);
	fd = open(precious, O_RDONLY);
	assert_int_equal(read(fd, text, sizeof(text)), 11);
	assert_memory_equal(text, "all my keys", 11);
	close(fd);
	store_close(st);
	tree_free(dir);
}

static void
a_link_of_somebody_else_is_not_forgotten_while_it_is_away(void **state)
{
	char *dir = tree_new(), out[512], precious[512];
	struct save_place place;
	struct diag why;

	(void)state;
	if (geteuid() != 0)
		skip();
	tree_text(dir, "/precious", "all my keys");
	assert_int_equal(chmod(dir, 01777), 0);
	assert_int_equal(symlink(in_dir(dir, "precious", precious),
	    in_dir(dir, "d.lua", out)), 0);
	assert_int_equal(lchown(out, 65534, 65534), 0);
	assert_int_equal(save_open(&place, out, &why), 0);
	assert_int_equal(unlink(out), 0);
	assert_int_equal(save_trusted(&place, &why), -EACCES);
	assert_non_null(strstr(why.text, "it is user 65534's, and no file"));
	save_close(&place);
	tree_free(dir);
}

static void
a_folder_that_is_swapped_while_we_sample_gets_nothing(void **state)
{
	char *dir = tree_new(), path[512], mine[512], away[512], his[512];
	struct store *st = rows_store(in_dir(dir, "s", path), 3);
	struct save_place place;
	struct diag why;

	(void)state;
	rows_put(st, 0);
	mkdir(in_dir(dir, "mine", mine), 0755);
	mkdir(in_dir(dir, "his", his), 0755);
	assert_int_equal(save_open(&place, in_dir(dir, "mine/d.lua", path),
	    &why), 0);
	assert_int_equal(rename(mine, in_dir(dir, "away", away)), 0);
	assert_int_equal(symlink(his, mine), 0);
	assert_int_equal(save_dump(st, &place, &why), 0);
	assert_int_equal(access(in_dir(dir, "away/d.lua", path), F_OK), 0);
	assert_int_equal(access(in_dir(dir, "his/d.lua", path), F_OK), -1);
	save_close(&place);
	store_close(st);
	tree_free(dir);
}

static void
root_writes_in_no_folder_where_others_could_swap_files(void **state)
{
	char *dir = tree_new(), path[512], out[512];
	struct save_place place;
	struct diag why;

	(void)state;
	if (geteuid() != 0)
		skip();
	mkdir(in_dir(dir, "x", path), 0755);
	in_dir(dir, "x/d.lua", out);
	assert_int_equal(save_open(&place, out, &why), 0);
	assert_int_equal(save_trusted(&place, &why), 0);
	assert_int_equal(chmod(path, 0775), 0);
	assert_int_equal(save_trusted(&place, &why), -EACCES);
	assert_int_equal(chmod(path, 01777), 0);
	assert_int_equal(save_trusted(&place, &why), 0);
	assert_int_equal(chown(path, 65534, 65534), 0);
	assert_int_equal(save_trusted(&place, &why), -EACCES);
	assert_non_null(strstr(why.text, "--user"));
	save_close(&place);
	tree_free(dir);
}

/* The attack of old: a layout that sends the daemon's writes elsewhere. */
static void
a_header_that_somebody_rewrites_moves_no_row(void **state)
{
	char *dir = tree_new(), path[512], *text;
	struct store *st = rows_store(in_dir(dir, "s", path), 100);
	uint8_t junk[4096];
	int fd = open(path, O_WRONLY);

	(void)state;
	memset(junk, 0xa5, sizeof(junk));
	for (uint64_t r = 0; r < 50; r++) {
		rows_put(st, r);
		assert_int_equal(pwrite(fd, junk, sizeof(junk), 0),
		    sizeof(junk));
	}
	assert_int_equal(store_mark(st), 0);
	assert_int_equal(store_note(st, "real_time_until = 1\n"), 0);
	assert_int_equal(store_rows(st), 50);
	for (uint64_t r = 0; r < 50; r++)
		assert_int_equal(rows_cell(st, r, 3), r);
	text = rows_dump_text(st);
	assert_non_null(strstr(text, "real_time_until = 1\n"));
	assert_non_null(strstr(text, "samples = 50\n"));
	free(text);
	close(fd);
	store_close(st);
	tree_free(dir);
}

static void
a_file_that_is_cut_under_the_writer_ends_nobody(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = rows_store(in_dir(dir, "s", path), 100);

	(void)state;
	rows_put(st, 0);
	assert_int_equal(truncate(path, 0), 0);
	for (uint64_t r = 1; r < 100; r++)
		rows_put(st, r);
	/* what came after it is there */
	assert_int_equal(rows_cell(st, 99, 3), 99);
	assert_int_equal(store_rows(st), 100);
	store_close(st);
	tree_free(dir);
}

static void
the_user_that_it_is_for_reads_it_and_cannot_write_it(void **state)
{
	const int nobody = 65534;
	char *dir = tree_new(), path[512];
	struct store *st = rows_store(in_dir(dir, "s", path), 3);
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(dir, 0755), 0);
	assert_int_equal(store_give(st, nobody, false), 0);
	rows_put(st, 0);
	if ((pid = fork()) == 0) {
		struct store *reader;

		if (setgroups(0, NULL) < 0 || setgid(65534) < 0 ||
		    setuid(65534) < 0)
			_exit(1);
		if (open(path, O_RDWR) >= 0 || errno != EACCES)
			_exit(2);
		if (chmod(path, 0666) == 0 || truncate(path, 0) == 0)
			_exit(3);
		_exit(store_open(&reader, path, NULL) == 0 &&
		    store_rows(reader) == 1 ? 0 : 4);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 0);
	store_close(st);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    five_hundred_dumps_follow_no_link_of_somebody_else),
		cmocka_unit_test(
		    a_link_of_somebody_else_is_not_forgotten_while_it_is_away),
		cmocka_unit_test(
		    a_folder_that_is_swapped_while_we_sample_gets_nothing),
		cmocka_unit_test(
		    root_writes_in_no_folder_where_others_could_swap_files),
		cmocka_unit_test(a_header_that_somebody_rewrites_moves_no_row),
		cmocka_unit_test(
		    a_file_that_is_cut_under_the_writer_ends_nobody),
		cmocka_unit_test(
		    the_user_that_it_is_for_reads_it_and_cannot_write_it),
		cmocka_unit_test(a_file_that_is_there_is_never_taken),
		cmocka_unit_test(a_store_is_locked_while_its_daemon_lives),
		cmocka_unit_test(a_readers_locks_make_no_dead_store_alive),
		cmocka_unit_test(a_store_is_its_owners_alone_unless_shared),
	};

	return cmocka_run_group_tests_name("store_owner", tests, NULL, NULL);
}
