/*
 * tests/config/test_dump.c - where a dump goes: into a file of its own, or into what
 * was at its path when that was chosen.
 */
#include "tests/lib/named.h"
#include "tests/lib/rig.h"
#include "tests/lib/stand_in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config/dump/dump.h"
#include "config/dump/store.h"
#include "config/folder.h"
#include "daemon/node/rights.h"

static const char *const names[] = { "tsc", "walltime[0]", "walltime[1]" };

/* A store of one row. */
static struct store *
one_row(const char *dir)
{
	static struct column column[3];
	struct store_shape shape = { .column = column, .ncolumn = 3,
	    .ncell = 3, .capacity = 4, .preamble = "host = \"h\"\n",
	    .cell_tsc = 0, .cell_real_sec = 1, .cell_real_usec = 2 };
	struct diag why;
	struct store *st;
	char path[512];
	uint64_t *row;

	for (unsigned i = 0; i < 3; i++)
		column[i] = (struct column){ .name = names[i], .cell = i,
		    .bits = 64 };
	columns_named(column, 3);
	if (store_create(&st, in_dir(dir, "store", path), &shape, &why) < 0)
		fail_msg("%s", why.text);
	row = store_row(st);
	row[0] = 1000;
	row[1] = 1700000000;
	row[2] = 0;
	store_commit(st);
	return st;
}

static bool
is_dump(const char *path)
{
	char *text = file_text(path, NULL);
	bool is = text != NULL && strstr(text, "tsc[0] = 1000\n") != NULL;

	free(text);
	return is;
}

static bool
is_link(const char *path)
{
	struct stat sb;

	return lstat(path, &sb) == 0 && S_ISLNK(sb.st_mode);
}

/* Into what is at path now, and given to uid:gid. */
static int
save_new(const struct store *st, const char *path, int uid, int gid,
    struct diag *why)
{
	struct save_place place;
	int rc = save_open(&place, path, why);

	place.overwrite = true;
	place.uid = uid;
	place.gid = gid;
	if (rc == 0)
		rc = save_dump(st, &place, why);
	save_close(&place);
	return rc;
}

static void
a_link_that_was_there_is_followed_and_stays(void **state)
{
	char *dir = tree_new(), link[512], target[512];
	struct store *st = one_row(dir);
	struct save_place chosen;
	struct diag why;

	(void)state;
	in_dir(dir, "target", target);
	assert_int_equal(symlink(target, in_dir(dir, "d.lua", link)), 0);
	assert_int_equal(save_open(&chosen, link, &why), 0);
	assert_true(chosen.in_place);
	assert_int_equal(save_dump(st, &chosen, &why), 0);
	assert_true(is_link(link));
	assert_true(is_dump(target));
	store_close(st);
	tree_free(dir);
}

static void
a_link_of_somebody_else_is_neither_followed_nor_replaced(void **state)
{
	char *dir = tree_new(), link[512], second[512], target[512], other[512];
	struct store *st = one_row(dir);
	struct save_place file, chosen;
	struct diag why;
	char *kept;

	(void)state;
	in_dir(dir, "target", target);
	tree_text(dir, "/secret", "keep me");
	in_dir(dir, "secret", other);
	assert_int_equal(save_open(&file, in_dir(dir, "d.lua", link), &why), 0);
	/* nothing yet */
	assert_false(file.in_place);
	/* a link in place of nothing; of another link, with a new number */
	assert_int_equal(symlink(other, link), 0);
	assert_int_equal(save_dump(st, &file, &why), 0);
	assert_true(is_link(link));
	assert_true(is_dump(in_dir(dir, "d.2.lua", second)));
	unlink(link);
	unlink(second);
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(save_open(&chosen, link, &why), 0);
	assert_int_equal(symlink(other, in_dir(dir, "new", target)), 0);
	assert_int_equal(rename(target, link), 0);
	assert_int_equal(save_dump(st, &chosen, &why), 0);
	assert_true(is_link(link));
	assert_true(is_dump(second));
	/* nor is what it leads to by now */
	assert_int_equal(save_open(&file, link, &why), 0);
	assert_true(save_taken(&file));
	/* to overwrite it is to replace what somebody put there */
	chosen.overwrite = true;
	chosen.mine->number = 1;
	assert_int_equal(save_dump(st, &chosen, &why), 0);
	assert_false(is_link(link));
	assert_true(is_dump(link));
	kept = file_text(other, NULL);
	assert_string_equal(kept, "keep me");
	free(kept);
	save_close(&file);
	save_close(&chosen);
	store_close(st);
	tree_free(dir);
}

static void
a_run_replaces_its_own_dump_and_nobody_elses(void **state)
{
	char *dir = tree_new(), path[512], name[4096], *text;
	struct store *st = one_row(dir);
	struct save_place place;
	struct diag why;
	struct stat first, again;

	(void)state;
	assert_int_equal(save_open(&place, in_dir(dir, "d.lua", path), &why),
	    0);
	assert_false(save_taken(&place));
	assert_int_equal(save_dump(st, &place, &why), 0);
	assert_int_equal(stat(path, &first), 0);
	assert_false(save_taken(&place));
	assert_int_equal(save_dump(st, &place, &why), 0);
	assert_int_equal(stat(path, &again), 0);
	assert_true(first.st_ino != again.st_ino);
	/* somebody has written notes into it */
	tree_text(dir, "/d.lua", "my notes\n");
	assert_true(save_taken(&place));
	tree_text(dir, "/d.2.lua", "");
	assert_int_equal(save_dump(st, &place, &why), 0);
	assert_string_equal(folder_name(save_path(&place, name)), "d.3.lua");
	assert_true(is_dump(name));
	text = file_text(path, NULL);
	assert_string_equal(text, "my notes\n");
	free(text);
	/* and that is its own from now on */
	assert_int_equal(save_dump(st, &place, &why), 0);
	assert_string_equal(folder_name(save_path(&place, name)), "d.3.lua");
	save_close(&place);
	store_close(st);
	tree_free(dir);
}

static void
a_descriptor_of_proc_is_the_same_place_at_any_time(void **state)
{
	char *dir = tree_new(), path[64], text[4096];
	struct store *st = one_row(dir);
	struct save_place chosen;
	struct diag why;
	ssize_t n;
	int fd[2];

	(void)state;
	assert_int_equal(pipe(fd), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd[1]);
	assert_int_equal(save_open(&chosen, path, &why), 0);
	assert_true(chosen.in_place);
	assert_int_equal(save_dump(st, &chosen, &why), 0);
	n = read(fd[0], text, sizeof(text) - 1);
	assert_true(n > 0);
	text[n] = '\0';
	assert_non_null(strstr(text, "tsc[0] = 1000\n"));
	close(fd[0]);
	close(fd[1]);
	store_close(st);
	tree_free(dir);
}

static void
a_pipe_that_nobody_reads_is_not_waited_for(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = one_row(dir);
	struct diag why;

	(void)state;
	assert_int_equal(mkfifo(in_dir(dir, "fifo", path), 0600), 0);
	assert_int_equal(save_new(st, path, -1, -1, &why),
	    -ENXIO);
	assert_non_null(strstr(why.text, "a pipe that nobody reads"));
	store_close(st);
	tree_free(dir);
}

static void
a_dump_has_the_mode_and_the_owner_that_were_asked_for(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = one_row(dir);
	struct diag why;
	struct stat sb;
	mode_t mask = umask(027);

	(void)state;
	assert_int_equal(save_new(st, in_dir(dir, "d.lua", path), -1,
	    -1, &why), 0);
	assert_int_equal(stat(path, &sb), 0);
	assert_int_equal(sb.st_mode & 07777, 0640);
	assert_int_equal(umask(mask), 027);
	if (geteuid() == 0) {
		assert_int_equal(save_new(st, path, 65534,
	    -1, &why), 0);
		assert_int_equal(stat(path, &sb), 0);
		assert_int_equal(sb.st_uid, 65534);
		assert_int_equal(sb.st_gid, getegid());
		assert_int_equal(save_new(st, path, -1,
	    65534, &why), 0);
		assert_int_equal(stat(path, &sb), 0);
		assert_int_equal(sb.st_uid, 0);
		assert_int_equal(sb.st_gid, 65534);
	}
	store_close(st);
	tree_free(dir);
}

/* What cannot be a dump's file is said, and nothing is left beside it. */
static void
a_dump_that_cannot_be_put_there_is_an_error_and_no_litter(void **state)
{
	char *dir = tree_new(), path[512], long_path[5000];
	struct store *st = one_row(dir);
	struct diag why;

	(void)state;
	tree_text(dir, "/full/d.lua/x", "");
	assert_int_equal(save_new(st, in_dir(dir, "full/d.lua", path), -1,
	    -1, &why), -EISDIR);
	assert_non_null(strstr(why.text, "full/d.lua: Is a directory"));
	unlink(in_dir(dir, "full/d.lua/x", path));
	assert_int_equal(rmdir(in_dir(dir, "full/d.lua", path)), 0);
	assert_int_equal(rmdir(in_dir(dir, "full", path)), 0);
	assert_int_equal(save_new(st, in_dir(dir, "full/d.lua", path), -1,
	    -1, &why), -ENOENT);
	memset(long_path, 'x', sizeof(long_path));
	long_path[4089] = '\0';
	assert_int_equal(save_new(st, long_path, -1,
	    -1, &why),
	    -ENAMETOOLONG);
	store_close(st);
	tree_free(dir);
}

static void
what_is_no_store_is_called_so(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st;
	struct diag why;

	(void)state;
	tree_text(dir, "/text", "tsc[0] = 1\n");
	assert_int_equal(store_open(&st, in_dir(dir, "text", path), &why),
	    -EINVAL);
	assert_null(st);
	assert_non_null(strstr(why.text, "/text: not a store of tallyd, or a "
	    "damaged one"));
	tree_text(dir, "/nothing", "");
	assert_int_equal(store_open(&st, in_dir(dir, "nothing", path), &why),
	    -EINVAL);
	assert_non_null(strstr(why.text, "not a store of tallyd"));
	assert_int_equal(store_open(&st, in_dir(dir, "nowhere", path), &why),
	    -ENOENT);
	assert_non_null(strstr(why.text, "nowhere: No such file or directory"));
	tree_free(dir);
}

/* What tallyd says of a dump of so many samples, and which Lua loads it. */
static char *
said_of(const char *dir, unsigned samples, const char *lua, bool *loads)
{
	static char text[2000];
	char tallyd[512], command[1500];
	size_t n;
	FILE *f;

	snprintf(command, sizeof(command), "cd %s && %s --sim @c2758 "
	    "--virtual-time -n %u --overwrite -o large.lua 2>&1", dir,
	    built("tallyd", tallyd), samples);
	assert_non_null(f = popen(command, "r"));
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	assert_int_equal(pclose(f), 0);
	snprintf(command, sizeof(command), "command -v %s >/dev/null && cd %s "
	    "&& %s -e 'assert(loadfile(\"large.lua\"))' 2>/dev/null", lua,
	    dir, lua);
	*loads = system(command) == 0;
	return text;
}

/* 80 different numbers a sample. */
static void
what_lua_cannot_load_is_said(void **state)
{
	bool loads;
	char *dir = tree_new(), *text = said_of(dir, 750, "luajit", &loads);

	(void)state;
	assert_null(strstr(text, "different numbers"));
	text = said_of(dir, 950, "luajit", &loads);
	assert_false(loads);
	assert_non_null(strstr(text, ",000 different numbers: LuaJIT (65,536) "
	    "cannot load it, Lua 5.2 to 5.4 and tally do; tally convert "
	    "--lua-chunks 30000 makes one that all load\n"));
	text = said_of(dir, 3600, "lua5.1", &loads);
	assert_false(loads);
	assert_non_null(strstr(text, ": neither LuaJIT (65,536) nor Lua 5.1 "
	    "(262,141) can load it, "));
	tree_free(dir);
}

static void
put_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* tallyd with these options: what it says where it refuses them, and the first dump. */
static char *
given(const char *dir, const char *options, struct stat *sb)
{
	static char text[500];
	char tallyd[512], command[1500], path[512];
	size_t n;
	FILE *f;

	snprintf(command, sizeof(command), "cd %s && umask 027 && rm -f d.* && %s -q --sim "
	    "@c2758 --virtual-time -n 10 -c run.conf --segment 5s --overwrite "
	    "-o d.lua %s 2>&1", dir, built("tallyd", tallyd), options);
	assert_non_null(f = popen(command, "r"));
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	pclose(f);
	*sb = (struct stat){ .st_mode = 0 };
	stat(in_dir(dir, "d.000001.lua", path), sb);
	return text;
}

static void
a_dump_is_readable_to_whom_the_site_says_and_writable_to_nobody(void **state)
{
	static const struct { const char *mode; unsigned is; } cases[] = {
		{ "0600", 0600 }, { "0640", 0640 }, { "644", 0644 },
		{ "0666", 0 }, { "0660", 0 }, { "0755", 0 }, { "04644", 0 },
		{ "0440", 0 }, { "rw", 0 }, { "-1", 0 }, { "", 0 },
		{ "99", 0 }, { "0644 ", 0 },
	};
	char *dir = tree_new(), options[80], path[512], *text;
	struct stat sb;

	(void)state;
	put_text(in_dir(dir, "run.conf", path), "read aperf mperf\n");
	text = given(dir, "", &sb);
	assert_int_equal(sb.st_mode & 07777, 0640);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(options, sizeof(options), "--dump-mode '%s'",
		    cases[i].mode);
		text = given(dir, options, &sb);
		if ((sb.st_mode & 07777) != cases[i].is)
			fail_msg("%s: %o", options, sb.st_mode);
		if (cases[i].is == 0 && (strstr(text, ": choose 0600, 0640 (its "
		    "group reads it) or 0644 (everybody does): ") == NULL ||
		    strchr(text, '\n') != strrchr(text, '\n')))
			fail_msg("%s: %s", options, text);
	}
	/* as a service has it */
	put_text(path, "option --dump-mode 0644\nread aperf mperf\n");
	given(dir, "", &sb);
	assert_int_equal(sb.st_mode & 07777, 0644);
	text = given(dir, "--dump-group no-such-group", &sb);
	assert_string_equal(text, "tallyd: --dump-group no-such-group: no such "
	    "group\n");
	text = given(dir, "--dump-group 0", &sb);
	assert_non_null(strstr(text, "name another\n"));
	if (geteuid() == 0) {
		given(dir, "--dump-group 65534", &sb);
		assert_int_equal(sb.st_gid, 65534);
	}
	tree_free(dir);
}

/* Who is not root gives a file to a group of its own alone. */
static void
who_becomes_a_user_stays_in_the_group_of_dumps_and_in_no_other(void **state)
{
	struct owner o = { 65534, 65534, 0 };
	struct diag why;
	gid_t list[8];
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(rights_group(&o, "4711", &why), 0);
	if ((pid = fork()) == 0)
		_exit(rights_become(&o) == 0 && getgroups(8, list) == 1 &&
		    list[0] == 4711 && getegid() == 65534 ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
different_numbers_are_counted_within_a_hundredth(void **state)
{
	uint64_t *word = calloc(1u << (NUMBERS_BITS - 6), sizeof(uint64_t));
	struct number_map map = { .word = word };

	(void)state;
	assert_non_null(word);
	for (uint64_t i = 0; i < 2 * 65536; i++)
		numbers_take(&map, 281474976585332 + i / 2 * 977);
	assert_in_range(numbers_seen(&map), 64881, 66191);
	for (uint64_t i = 0; i < 300000; i++)
		numbers_take(&map, i * 3);
	assert_in_range(numbers_seen(&map), 361881, 369191);
	free(word);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_that_was_there_is_followed_and_stays),
		cmocka_unit_test(
		    a_link_of_somebody_else_is_neither_followed_nor_replaced),
		cmocka_unit_test(a_run_replaces_its_own_dump_and_nobody_elses),
		cmocka_unit_test(
		    a_descriptor_of_proc_is_the_same_place_at_any_time),
		cmocka_unit_test(a_pipe_that_nobody_reads_is_not_waited_for),
		cmocka_unit_test(
		    a_dump_has_the_mode_and_the_owner_that_were_asked_for),
		cmocka_unit_test(
		    a_dump_that_cannot_be_put_there_is_an_error_and_no_litter),
		cmocka_unit_test(what_is_no_store_is_called_so),
		cmocka_unit_test(what_lua_cannot_load_is_said),
		cmocka_unit_test(
		    a_dump_is_readable_to_whom_the_site_says_and_writable_to_nobody),
		cmocka_unit_test(
		    who_becomes_a_user_stays_in_the_group_of_dumps_and_in_no_other),
		cmocka_unit_test(different_numbers_are_counted_within_a_hundredth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
