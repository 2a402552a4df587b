/*
 * tests/config/test_store_room.c - a store, or a dump, for which there is no room: it is refused
 * at once or leaves nothing behind, and takes space as its rows come.
 */
#include "tests/lib/files.h"
#include "tests/lib/stand_in.h"
#include "tests/lib/named.h"
#include "tests/lib/store_rows.h"

#include "config/dump/store.h"
#include "config/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a process of its own: it mounts.  False where it may not. */
static bool
on_a_small_tmpfs(const char *dir, void (*what)(const char *small))
{
	char small[512];
	int status;
	pid_t pid;

	fflush(NULL);
	if ((pid = fork()) == 0) {
		if (!small_tmpfs(dir, "small", 1000))
			_exit(77);
		what(in_dir(dir, "small", small));
		umount2(small, MNT_DETACH);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		return false;
	assert_int_equal(status, 0);
	return true;
}

static void
cannot_mount(void)
{
	print_message("a full tmpfs needs the right to mount\n");
	skip();
}

static void
too_large_a_store(const char *small)
{
	static struct column c = { .name = "tsc", .bits = 64 };
	struct store_shape shape = { .column = &c, .ncolumn = 1, .ncell = 3,
	    .capacity = 1000000, .preamble = "", .cell_real_sec = 1,
	    .cell_real_usec = 2 };
	char path[512];
	struct store *st;
	struct diag why;

	columns_named(&c, 1);
	if (store_create(&st, in_dir(small, "s", path), &shape, &why) !=
	    -ENOSPC || strstr(why.text, "no room for") == NULL)
		_exit(1);
	if (access(path, F_OK) == 0)
		_exit(2);
	/* what does fit is written to the last byte: no SIGBUS */
	shape.capacity = 10000;
	if (store_create(&st, path, &shape, &why) != 0)
		_exit(3);
	for (uint64_t *row; (row = store_row(st)) != NULL; store_commit(st))
		row[0] = row[1] = row[2] = 7;
	if (store_rows(st) != 10000)
		_exit(4);
}

static void
a_store_without_room_is_refused_at_once(void **state)
{
	char *dir = tree_new();
	bool tried = on_a_small_tmpfs(dir, too_large_a_store);

	(void)state;
	tree_free(dir);
	if (!tried)
		cannot_mount();
}

static void
larger_than_half_of_memory(const char *small)
{
	static struct column c = { .name = "tsc", .bits = 64 };
	struct store_shape shape = { .column = &c, .ncolumn = 1, .ncell = 1000,
	    .preamble = "", .cell_real_sec = 1, .cell_real_usec = 2 };
	struct rlimit most = { 1 << 20, RLIM_INFINITY };
	struct memory m;
	char path[512];
	struct store *st;
	struct diag why;
	uint64_t room;

	columns_named(&c, 1);
	memory_find(&m, "");
	room = memory_room(&m, path, sizeof(path));
	if (room < 1 << 30 || room / 1024 * 2 > UINT_MAX ||
	    !small_tmpfs(small, "large", (unsigned)(room / 1024 * 2)))
		_exit(77);
	in_dir(small, "large/s", path);
	/* each row has 8000 bytes */
	shape.capacity = room / 4 * 3 / 8000;
	if (store_create(&st, path, &shape, &why) != -ENOMEM ||
	    strstr(why.text, "more than half of the") == NULL ||
	    strstr(why.text, "(-n") == NULL ||
	    strstr(why.text, "(--store)") == NULL || access(path, F_OK) == 0)
		_exit(1);
	/* as much as a user may write is refused as early */
	shape.capacity = room / 4 / 8000;
	if (setrlimit(RLIMIT_FSIZE, &most) < 0 ||
	    store_create(&st, path, &shape, &why) != -EFBIG ||
	    strstr(why.text, "no room for the") == NULL ||
	    access(path, F_OK) == 0)
		_exit(2);
	most.rlim_cur = RLIM_INFINITY;
	if (setrlimit(RLIMIT_FSIZE, &most) < 0 ||
	    store_create(&st, path, &shape, &why) != 0)
		_exit(3);
}

static void
a_store_leaves_half_of_the_memory_to_others(void **state)
{
	char *dir = tree_new();
	bool tried = on_a_small_tmpfs(dir, larger_than_half_of_memory);

	(void)state;
	tree_free(dir);
	if (!tried)
		cannot_mount();
}

static uint64_t
takes(const char *path)
{
	struct stat sb;

	assert_int_equal(stat(path, &sb), 0);
	return (uint64_t)sb.st_blocks * 512;
}

static void
a_store_takes_space_as_its_rows_come(void **state)
{
	static struct column c = { .name = "tsc", .bits = 64 };
	struct store_shape shape = { .column = &c, .ncolumn = 1, .ncell = 12500,
	    .capacity = 100, .preamble = "", .cell_real_sec = 1,
	    .cell_real_usec = 2 };
	char *dir = tree_new(), path[512];
	struct store *st, *reader;
	uint64_t before;
	struct stat sb;
	struct diag why;

	(void)state;
	columns_named(&c, 1);
	assert_int_equal(store_create(&st, in_dir(dir, "s", path), &shape,
	    &why), 0);
	/* 100 rows of 100 kB, and half a MB before them */
	assert_in_range(store_full_size(st), 10500000, 10600000);
	assert_in_range(takes(path), 1 << 20, 2 << 20);
	for (unsigned i = 0; i < 100; i++) {
		uint64_t *row = store_row(st);

		assert_non_null(row);
		row[0] = i + 1;
		assert_int_equal(store_commit(st), 0);
		assert_int_equal(store_grow(st, &why), 0);
		/* the next row has its place */
		before = takes(path);
		assert_true(i == 99 || before >= 500000 + (i + 2) * 100000);
		assert_true(before < 2500000 + (i + 2) * 100000);
		/* and whoever opens it has all that are in */
		assert_int_equal(store_open(&reader, path, &why), 0);
		assert_int_equal(store_rows(reader), i + 1);
		assert_int_equal(rows_cell(reader, i, 0), i + 1);
		store_close(reader);
	}
	assert_int_equal(stat(path, &sb), 0);
	assert_int_equal(sb.st_size, store_full_size(st));
	store_close(st);
	tree_free(dir);
}

static struct store *to_dump;

static void
dump_without_room(const char *small)
{
	char path[512];
	struct diag why;

	if (rows_save_to(to_dump, in_dir(small, "d.lua", path),
	    &why) != -ENOSPC || strstr(why.text, "No space left") == NULL)
		_exit(1);
	/* what was there stays, and no half of a dump is left beside it */
	if (rmdir(small) == 0 || errno != EBUSY)
		_exit(2);
	tree_text(small, "/d.lua", "the last one");
	if (rows_save_to(to_dump, path,
	    &why) != -ENOSPC)
		_exit(3);
	if (access(path, F_OK) < 0)
		_exit(4);
}

static void
a_dump_that_fails_leaves_the_store_and_no_litter(void **state)
{
	char *dir = tree_new(), path[512], gone[512];
	struct diag why;
	bool tried;
	int n;

	(void)state;
	to_dump = rows_store(in_dir(dir, "s", path), 60000);
	for (uint64_t r = 0; r < 60000; r++)
		rows_put(to_dump, r);
	tried = on_a_small_tmpfs(dir, dump_without_room);
	assert_int_equal(rows_save_to(to_dump, in_dir(dir, "gone/d.lua", gone),
	    &why), -ENOENT);
	/* a directory is in the way of the rename */
	tree_text(dir, "/d.lua/x", "");
	assert_true(rows_save_to(to_dump, in_dir(dir, "d.lua", gone),
	    &why) < 0);
	if (geteuid() != 0) {
		mkdir(in_dir(dir, "shut", gone), 0555);
		assert_int_equal(rows_save_to(to_dump, in_dir(dir, "shut/d.lua",
		    gone),
	    &why), -EACCES);
	}
	snprintf(gone, sizeof(gone), "ls '%s' | grep -q 'lua\\.'", dir);
	n = system(gone);
	assert_true(WIFEXITED(n) && WEXITSTATUS(n) == 1);       /* none */
	assert_int_equal(store_rows(to_dump), 60000);
	/* and where there is room it can be had */
	assert_int_equal(rows_save_to(to_dump, in_dir(dir, "ok.lua", gone),
	    &why), 0);
	store_close(to_dump);
	tree_free(dir);
	if (!tried)
		cannot_mount();
}

static void
what_has_no_room_is_counted(void **state)
{
	char *dir = tree_new(), path[512], *text, note[1025] = "x = '";
	struct store *st = rows_store(in_dir(dir, "s", path), 2);
	unsigned kept = 0;

	(void)state;
	memset(note + 5, 'a', sizeof(note) - 8);
	strcpy(note + sizeof(note) - 3, "'\n");
	assert_int_equal(strlen(note), 1024);
	for (int i = 0; i < 2000; i++)
		kept += store_note(st, note) == 0;
	/* all but the last byte, which ends them */
	assert_int_equal(kept, STORE_NOTES / 1024 - 1);
	assert_int_equal(store_notes_lost(st), 2000 - kept);
	for (int i = 0; i < STORE_MARKS; i++)
		assert_int_equal(store_mark(st), 0);
	assert_int_equal(store_mark(st), -ENOSPC);
	assert_int_equal(store_notes_lost(st), 2000 - kept + 1);
	text = rows_dump_text(st);
	assert_non_null(strstr(text, "notes_lost = 1490\n"));
	free(text);
	store_close(st);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_store_without_room_is_refused_at_once),
		cmocka_unit_test(a_store_leaves_half_of_the_memory_to_others),
		cmocka_unit_test(a_store_takes_space_as_its_rows_come),
		cmocka_unit_test(
		    a_dump_that_fails_leaves_the_store_and_no_litter),
		cmocka_unit_test(what_has_no_room_is_counted),
	};

	return cmocka_run_group_tests_name("store_room", tests, NULL, NULL);
}
