/*
 * tests/config/test_store.c - the file that rows live in, and the dump made of it.
 */
#include "tests/lib/stand_in.h"
#include "tests/lib/named.h"
#include "tests/lib/rig.h"

#include "config/dump/dump.h"
#include "config/dump/save.h"
#include "config/dump/read.h"
#include "config/dump/store.h"
#include "config/dump/store_find.h"
#include "config/dump/store_lock.h"
#include "config/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CELLS 6

static const char *const names[] = { "tsc", "walltime[0]", "walltime[1]",
	"a[0][\"X\"]", "a[1][\"X\"]", "t[0]" };

static struct store *
make(const char *path, uint64_t capacity)
{
	static struct column column[CELLS];
	struct store_shape shape = { .column = column, .ncolumn = CELLS,
	    .ncell = CELLS, .capacity = capacity, .preamble = "host = \"h\"\n",
	    .cell_tsc = 0, .cell_real_sec = 1, .cell_real_usec = 2 };
	struct store *st;
	struct diag why;

	for (unsigned i = 0; i < CELLS; i++)
		column[i] = (struct column){ .name = names[i], .cell = i,
		    .bits = 48 };
	column[4].mul = 4;
	column[5].print = PRINT_TEMP;
	column[5].base = 95;
	columns_named(column, CELLS);
	if (store_create(&st, path, &shape, &why) < 0)
		fail_msg("%s", why.text);
	return st;
}

/* Row r: TSC at 2 GHz, wall clock of a second a row. */
static void
fill_stepped(struct store *st, uint64_t r, int step)
{
	uint64_t *row = store_row(st);

	assert_non_null(row);
	row[0] = 1000 + r * 2000000000;
	row[1] = 1700000000 + r + (uint64_t)(int64_t)step;
	row[2] = 500000;
	row[3] = r;
	row[4] = r;
	row[5] = 55 << 16;
	store_commit(st);
}

static void
fill(struct store *st, uint64_t r)
{
	fill_stepped(st, r, 0);
}

static uint64_t
cell_of(const struct store *st, uint64_t row, unsigned cell)
{
	uint64_t value = 0;

	assert_int_equal(store_read(st, row, cell, 1, &value), 0);
	return value;
}

static char *
dump_text(const struct store *st)
{
	char *text = calloc(1, 1 << 21);
	FILE *f = tmpfile();

	assert_non_null(text);
	assert_non_null(f);
	assert_int_equal(dump_write(st, fileno(f), NULL), 0);
	rewind(f);
	assert_true(fread(text, 1, (1 << 21) - 1, f) > 0);
	fclose(f);
	return text;
}

static int
save_to(const struct store *st, const char *path, struct diag *why)
{
	struct save_place place;
	int rc = save_open(&place, path, why);

	place.overwrite = true;
	if (rc == 0)
		rc = save_dump(st, &place, why);
	save_close(&place);
	return rc;
}

static void
a_row_is_seen_once_it_is_committed_and_not_before(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = make(in_dir(dir, "s", path), 3), *reader;
	uint64_t *row;

	(void)state;
	assert_int_equal(store_open(&reader, path, NULL), 0);
	row = store_row(st);
	row[3] = 42;
	assert_int_equal(store_rows(reader), 0);
	/* until then it is the same row */
	assert_ptr_equal(store_row(st), row);
	store_commit(st);
	assert_int_equal(store_rows(reader), 1);
	assert_int_equal(cell_of(reader, 0, 3), 42);
	fill(st, 1);
	fill(st, 2);
	assert_null(store_row(st));
	assert_int_equal(store_rows(reader), 3);
	store_close(reader);
	store_close(st);
	tree_free(dir);
}

/* A group's times and its only event, three rows: half of the time, all of it,
 * none of it; and one whose product has no room in 64 bits. */
static void
a_scaled_count_is_there_where_its_group_took_turns(void **state)
{
	static const uint64_t rows[][3] = { { 1000, 500, 333 },
		{ 1000, 1000, 333 }, { 1000, 0, 0 }, { 3, 2, 1ull << 63 },
		{ 3000000000, 1000000001, 7000000000000000000 } };
	static const char *const kinds[] = { "core_enabled[0][\"g\"]",
		"core_running[0][\"g\"]", "core_counts[0][\"X\"]",
		"core_scaled[0][\"X\"]" };
	struct column column[4];
	struct store_shape shape = { .column = column, .ncolumn = 4,
	    .ncell = 6, .capacity = 5, .preamble = "", .cell_tsc = 0,
	    .cell_real_sec = 1, .cell_real_usec = 2 };
	char *dir = tree_new(), path[512], *text;
	struct store *st;
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		column[i] = (struct column){ .name = kinds[i],
		    .cell = i < 3 ? 3 + i : 5, .bits = 64 };
	column[3].print = PRINT_SCALED;
	column[3].base = 2;
	columns_named(column, 4);
	if (store_create(&st, in_dir(dir, "s", path), &shape, &why) < 0)
		fail_msg("%s", why.text);
	for (unsigned r = 0; r < 5; r++) {
		memcpy(store_row(st) + 3, rows[r], sizeof(rows[r]));
		store_commit(st);
	}
	text = dump_text(st);
	assert_non_null(strstr(text, "\ncore_scaled[0][\"X\"][0] = 666\n"));
	assert_null(strstr(text, "core_scaled[0][\"X\"][1]"));
	assert_null(strstr(text, "core_scaled[0][\"X\"][2]"));
	assert_non_null(strstr(text,
	    "core_scaled[0][\"X\"][3] = 13835058055282163712\n"));
	assert_null(strstr(text, "core_scaled[0][\"X\"][4]"));
	assert_non_null(strstr(text, "core_counts[0][\"X\"][4] = 7"));
	free(text);
	store_close(st);

	/* times before the first cell: a damaged store */
	column[3].base = 6;
	if (store_create(&st, in_dir(dir, "t", path), &shape, &why) < 0)
		fail_msg("%s", why.text);
	store_close(st);
	assert_true(store_open(&st, path, &why) < 0);
	tree_free(dir);
}

/* 4.1: bits 22:16 count down from TjMax, bit 31 says that they are valid; the
 * package's register has no such bit. */
static void
a_core_temperature_that_is_not_valid_is_not_there(void **state)
{
	static const char *const kinds[] = { "core_temperature[0]",
		"core_therm_status[0]", "pkg_temperature[0]" };
	struct column column[3];
	struct store_shape shape = { .column = column, .ncolumn = 3,
	    .ncell = 4, .capacity = 2, .preamble = "", .cell_tsc = 0,
	    .cell_real_sec = 1, .cell_real_usec = 2 };
	char *dir = tree_new(), path[512], *text;
	struct read_row row;
	struct reader *r;
	struct store *st;
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		column[i] = (struct column){ .name = kinds[i], .cell = 3,
		    .base = 95, .print = PRINT_CORE_TEMP };
	column[1].print = PRINT_HEX;
	column[2].print = PRINT_TEMP;
	columns_named(column, 3);
	if (store_create(&st, in_dir(dir, "s", path), &shape, &why) < 0)
		fail_msg("%s", why.text);
	store_row(st)[3] = 0x88390000;
	store_commit(st);
	store_row(st)[3] = 0x08390000;
	store_commit(st);
	text = dump_text(st);
	assert_non_null(strstr(text, "\ncore_temperature[0][0] = 38\n"));
	assert_null(strstr(text, "core_temperature[0][1]"));
	assert_non_null(strstr(text, "core_therm_status[0][1] = 0x8390000\n"));
	assert_non_null(strstr(text, "pkg_temperature[0][1] = 38\n"));
	free(text);
	if (read_open(&r, path, &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(read_next(r, &row, &why), 1);
	assert_int_equal(row.value[0], 38);
	assert_int_equal(read_next(r, &row, &why), 1);
	assert_int_equal(row.value[0], ABSENT);
	assert_int_equal(row.value[2], 38);
	read_close(r);
	store_close(st);
	tree_free(dir);
}

static void
a_reader_never_sees_a_row_or_a_note_by_halves(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = make(in_dir(dir, "s", path), 200000), *reader;
	static const char note[] = "note_of_some_length = 123456789\n";
	const volatile char *at;
	unsigned opened = 0, notes = 0;
	int status;
	pid_t pid;

	(void)state;
	if ((pid = fork()) == 0) {
		for (uint64_t r = 0; r < 200000; r++) {
			uint64_t *row = store_row(st);

			for (unsigned i = 0; i < CELLS; i++)
				row[i] = r + 1;
			store_commit(st);
			if (r % 40 == 0 && store_note(st, note) < 0)
				_exit(1);
		}
		_exit(0);
	}
	assert_int_equal(store_open(&reader, path, NULL), 0);
	at = store_notes(reader);
	while (notes < 5000) {
		struct store *again;
		uint64_t n = store_rows(reader);

		for (unsigned i = 0; n > 0 && i < CELLS; i++)
			assert_int_equal(cell_of(reader, n - 1, i), n);
		/* the moment that a note begins it is there */
		if (*at != '\0') {
			if (memcmp((const char *)(uintptr_t)at, note,
			    sizeof(note) - 1) != 0)
				fail_msg("half a note: %.40s",
				    (const char *)(uintptr_t)at);
			at += sizeof(note) - 1;
			notes++;
		}
		if (notes % 64 != 0)
			continue;
		/* a store that grows is no damaged one */
		if (store_open(&again, path, NULL) < 0)
			fail_msg("refused while it grows");
		opened++;
		store_close(again);
	}
	store_close(reader);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(opened > 20);
	assert_int_equal(store_open(&reader, path, NULL), 0);
	assert_int_equal(store_rows(reader), 200000);
	store_close(reader);
	store_close(st);
	tree_free(dir);
}

/* Whoever may write to the file can cut it at any time. */
static void
a_store_that_is_cut_while_it_is_read_is_an_error_and_no_signal(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = make(in_dir(dir, "s", path), 2000), *reader;
	struct read_row row;
	struct reader *r;
	struct diag why;
	off_t size;
	int out;

	(void)state;
	for (unsigned i = 0; i < 2000; i++)
		fill(st, i);
	store_close(st);
	out = open(path, O_RDWR);
	size = lseek(out, 0, SEEK_END);
	assert_int_equal(store_open(&reader, path, &why), 0);
	assert_int_equal(read_open(&r, path, &why), 0);
	assert_int_equal(read_next(r, &row, &why), 1);
	assert_int_equal(ftruncate(out, size - 1000 * CELLS * 8), 0);
	close(out);
	out = open("/dev/null", O_WRONLY);
	assert_int_equal(dump_write(reader, out, NULL), -ENODATA);
	assert_int_equal(save_to(reader, in_dir(dir, "dump", path), &why), -ENODATA);
	assert_non_null(strstr(why.text, "cut short while it was read"));
	assert_int_equal(access(path, F_OK), -1);
	/* all that is there still, and then the error */
	for (unsigned i = 1; i < 1000; i++)
		assert_int_equal(read_next(r, &row, &why), 1);
	assert_int_equal(read_next(r, &row, &why), -ENODATA);
	/* all of it, header and notes */
	assert_int_equal(truncate(in_dir(dir, "s", path), 0), 0);
	assert_int_equal(store_rows(reader), 2000);
	assert_string_equal(store_notes(reader), "");
	assert_int_equal(dump_write(reader, out, NULL), -ENODATA);
	close(out);
	read_close(r);
	store_close(reader);
	tree_free(dir);
}

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
		assert_int_equal(cell_of(reader, i, 0), i + 1);
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

	if (save_to(to_dump, in_dir(small, "d.lua", path),
	    &why) != -ENOSPC || strstr(why.text, "No space left") == NULL)
		_exit(1);
	/* what was there stays, and no half of a dump is left beside it */
	if (rmdir(small) == 0 || errno != EBUSY)
		_exit(2);
	tree_text(small, "/d.lua", "the last one");
	if (save_to(to_dump, path,
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
	to_dump = make(in_dir(dir, "s", path), 60000);
	for (uint64_t r = 0; r < 60000; r++)
		fill(to_dump, r);
	tried = on_a_small_tmpfs(dir, dump_without_room);
	assert_int_equal(save_to(to_dump, in_dir(dir, "gone/d.lua", gone),
	    &why), -ENOENT);
	/* a directory is in the way of the rename */
	tree_text(dir, "/d.lua/x", "");
	assert_true(save_to(to_dump, in_dir(dir, "d.lua", gone),
	    &why) < 0);
	if (geteuid() != 0) {
		mkdir(in_dir(dir, "shut", gone), 0555);
		assert_int_equal(save_to(to_dump, in_dir(dir, "shut/d.lua",
		    gone),
	    &why), -EACCES);
	}
	snprintf(gone, sizeof(gone), "ls '%s' | grep -q 'lua\\.'", dir);
	n = system(gone);
	assert_true(WIFEXITED(n) && WEXITSTATUS(n) == 1);       /* none */
	assert_int_equal(store_rows(to_dump), 60000);
	/* and where there is room it can be had */
	assert_int_equal(save_to(to_dump, in_dir(dir, "ok.lua", gone),
	    &why), 0);
	store_close(to_dump);
	tree_free(dir);
	if (!tried)
		cannot_mount();
}

/* Use everything that a store offers; a lie in its header must not lead
 * outside of it. */
static void
use_all(const struct store *st)
{
	const struct store_shape *s = store_shape(st);
	const uint64_t *mark;
	size_t sum = strlen(s->preamble) + strlen(store_notes(st));
	unsigned n = store_marks(st, &mark);
	int fd = open("/dev/null", O_WRONLY);

	while (n > 0)
		sum += mark[--n];
	for (unsigned i = 0; i < s->ncolumn; i++) {
		sum += column_text(&s->column[i].id, "", NULL, 0);
		assert_true(s->column[i].bits <= 64);
	}
	assert_true(sum > 0 || sum == 0);
	dump_write(st, fd, NULL);
	close(fd);
}

static void
damage_is_refused_or_does_no_harm(void **state)
{
	char *dir = tree_new(), path[512];
	struct store *st = make(in_dir(dir, "s", path), 10);
	unsigned refused = 0, taken = 0;
	uint8_t *good;
	struct stat sb;
	size_t size, columns, names_at, rows;
	int fd;

	(void)state;
	for (uint64_t r = 0; r < 10; r++)
		fill(st, r);
	store_mark(st);
	store_note(st, "n = 1\n");
	store_close(st);
	fd = open(path, O_RDWR);
	assert_int_equal(fstat(fd, &sb), 0);
	size = (size_t)sb.st_size;
	good = malloc(size);
	assert_non_null(good);
	assert_int_equal(pread(fd, good, size, 0), size);
	/* columns, then families, come after the header: offsets of theirs */
	memcpy(&columns, good + 56, 8);
	memcpy(&names_at, good + 72, 8);
	assert_true(columns > 1 << 19 && names_at > columns && names_at < size);
	for (size_t at = 0; at < names_at; at +=
	    at == 4096 ? columns - 4096 : 4)
		for (int k = 0; k < 11; k++) {
			uint64_t value;
			size_t n = k % 2 ? 8 : 4;

			memcpy(&value, good + at, 8);
			value = k / 2 == 0 ? 0 : k / 2 == 1 ? ~0ull :
			    k / 2 == 2 ? value + 1 : k / 2 == 3 ? value - 1 :
			    k / 2 == 4 ? 0x8000000000000000 | value :
			    value ^ 0x10000;
			assert_int_equal(pwrite(fd, &value, n, (off_t)at), n);
			if (store_open(&st, path, NULL) == 0) {
				taken++;
				use_all(st);
				store_close(st);
			} else
				refused++;
			assert_int_equal(pwrite(fd, good + at, 8, (off_t)at),
			    8);
		}
	assert_true(refused > 100);
	/* from the magic to the count of marks, each field by itself; the
	 * 15th counts missed deadlines and can be anything */
	for (size_t at = 0; at <= 120; at += 8) {
		uint64_t huge = ~0ull >> 1;

		if (at == 112)
			continue;
		assert_int_equal(pwrite(fd, &huge, 8, (off_t)at), 8);
		if (store_open(&st, path, NULL) == 0)
			fail_msg("field at %zu can be anything", at);
		assert_int_equal(pwrite(fd, good + at, 8, (off_t)at), 8);
	}
	/* cut short before the rows: none; among them: those that are whole */
	memcpy(&rows, good + 88, 8);
	assert_true(rows > names_at && rows + 10 * CELLS * 8 == size);
	for (size_t n = 0; n < size; n += n < 4096 ? 97 :
	    n < rows - 40961 ? 40961 : 1) {
		assert_int_equal(ftruncate(fd, (off_t)n), 0);
		if (n < rows) {
			assert_true(store_open(&st, path, NULL) < 0);
		} else {
			assert_int_equal(store_open(&st, path, NULL), 0);
			assert_int_equal(store_rows(st), (n - rows) / 8 / CELLS);
			assert_int_equal(store_cut(st), 10 - store_rows(st));
			use_all(st);
			store_close(st);
		}
		assert_int_equal(pwrite(fd, good, size, 0), size);
	}
	assert_int_equal(store_open(&st, path, NULL), 0);
	use_all(st);
	store_close(st);
	close(fd);
	free(good);
	tree_free(dir);
}

static void
notes_and_marks_stand_at_the_head_of_the_dump(void **state)
{
	char *dir = tree_new(), path[512], *text;
	struct store *st = make(in_dir(dir, "s", path), 10);

	(void)state;
	fill(st, 0);
	assert_int_equal(store_mark(st), 0);
	assert_int_equal(store_note(st, "tamper_first = {}\n"), 0);
	assert_int_equal(store_note(st, "tamper_first[0] = 3\n"), 0);
	store_missed(st, 7);
	fill(st, 1);
	fill(st, 2);
	assert_int_equal(store_mark(st), 0);
	text = dump_text(st);
	assert_non_null(strstr(text, "host = \"h\"\nsamples = 3\n"
	    "missed_deadlines = 7\ntsc_hz = 2000000000\n"
	    "tamper_first = {}\ntamper_first[0] = 3\n"
	    "phase_mark = {}\nphase_mark[0] = 1\nphase_mark[1] = 3\n"));
	assert_non_null(strstr(text, "\na[1][\"X\"][2] = 8\n"));
	assert_non_null(strstr(text, "\nt[0][2] = 40\n"));
	assert_null(strstr(text, "notes_lost"));
	free(text);
	store_close(st);
	tree_free(dir);
}

static void
numbers_of_every_length_are_printed_to_the_digit(void **state)
{
	static const struct { uint64_t raw; const char *text; } rows[] = {
		{ 0, "0" }, { 9, "9" }, { 10, "10" }, { 99, "99" },
		{ 100, "100" }, { 1000, "1000" }, { 9999, "9999" },
		{ 10000, "10000" }, { 99999, "99999" }, { 123456, "123456" },
		{ 1000000, "1000000" }, { 99999999, "99999999" },
		{ 100000000, "100000000" }, { 100000001, "100000001" },
		{ 4294967296, "4294967296" },
		{ 281474976710655, "281474976710655" },
		{ 9999999999999999, "9999999999999999" },
		{ 10000000000000000, "10000000000000000" },
		{ 10000000100000000, "10000000100000000" },
		{ 18446744073709551614u, "18446744073709551614" },
	};
	enum { N = sizeof(rows) / sizeof(rows[0]) };
	char *dir = tree_new(), path[512], want[64], *text;
	struct store *st = make(in_dir(dir, "s", path), N + 100000);

	(void)state;
	for (unsigned i = 0; i < N; i++) {
		store_row(st)[3] = rows[i].raw;
		store_commit(st);
	}
	text = dump_text(st);
	for (unsigned i = 0; i < N; i++) {
		snprintf(want, sizeof(want), "\na[0][\"X\"][%u] = %s\n", i,
		    rows[i].text);
		if (strstr(text, want) == NULL)
			fail_msg("%s is not there", want);
	}
	free(text);
	store_close(st);
	tree_free(dir);
}

static void
the_rate_of_the_tsc_is_not_by_a_clock_that_somebody_sets(void **state)
{
	static struct column column = { .name = "tsc", .bits = 64 };
	struct store_shape shape = { .column = &column, .ncolumn = 1,
	    .ncell = 4, .capacity = 2, .preamble = "", .cell_real_sec = 1,
	    .cell_real_usec = 2, .cell_mono = 3 };
	char *dir = tree_new(), path[512], *text;
	struct store *st;
	struct diag why;

	(void)state;
	columns_named(&column, 1);
	assert_int_equal(store_create(&st, in_dir(dir, "s", path), &shape,
	    &why), 0);
	for (uint64_t r = 0; r < 2; r++) {
		uint64_t *row = store_row(st);

		row[0] = 1000 + r * 2100000000;
		row[1] = 1700000000 + r * 3601;         /* an hour ahead */
		row[2] = 0;
		row[3] = 77 + r * 1000000000;
		store_commit(st);
	}
	text = dump_text(st);
	assert_non_null(strstr(text, "tsc_hz = 2100000000\n"));
	free(text);
	store_close(st);
	tree_free(dir);
}

static void
what_has_no_room_is_counted(void **state)
{
	char *dir = tree_new(), path[512], *text, note[1025] = "x = '";
	struct store *st = make(in_dir(dir, "s", path), 2);
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
	text = dump_text(st);
	assert_non_null(strstr(text, "notes_lost = 1490\n"));
	free(text);
	store_close(st);
	tree_free(dir);
}

static void
a_wall_clock_that_is_set_does_not_spoil_the_tsc_frequency(void **state)
{
	(void)state;
	for (int step = -3600; step <= 3600; step += 7200) {
		char *dir = tree_new(), path[512], *text;
		struct store *st = make(in_dir(dir, "s", path), 10);

		for (uint64_t r = 0; r < 10; r++) {
			fill_stepped(st, r, r >= 6 ? step : 0);
		}
		text = dump_text(st);
		assert_non_null(strstr(text, "tsc_hz = 2000000000\n"));
		free(text);
		store_close(st);
		tree_free(dir);
	}
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
		st = make(path, 2);
		fill(st, 0);
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
	assert_int_equal(cell_of(reader, 0, 1), 1700000000);
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
	struct store *st = make(in_dir(dir, "s", path), 2);
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
	struct store *st = make(in_dir(dir, "s", path), 1);
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
	struct store *st = make(in_dir(dir, "s", path), 3);
	struct save_place place;
	struct diag why;
	struct stat sb;
	pid_t pid;
	int fd;

	(void)state;
	if (geteuid() != 0)
		skip();
	fill(st, 0);
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
	struct store *st = make(in_dir(dir, "s", path), 3);
	struct save_place place;
	struct diag why;

	(void)state;
	fill(st, 0);
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
	struct store *st = make(in_dir(dir, "s", path), 100);
	uint8_t junk[4096];
	int fd = open(path, O_WRONLY);

	(void)state;
	memset(junk, 0xa5, sizeof(junk));
	for (uint64_t r = 0; r < 50; r++) {
		fill(st, r);
		assert_int_equal(pwrite(fd, junk, sizeof(junk), 0),
		    sizeof(junk));
	}
	assert_int_equal(store_mark(st), 0);
	assert_int_equal(store_note(st, "real_time_until = 1\n"), 0);
	assert_int_equal(store_rows(st), 50);
	for (uint64_t r = 0; r < 50; r++)
		assert_int_equal(cell_of(st, r, 3), r);
	text = dump_text(st);
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
	struct store *st = make(in_dir(dir, "s", path), 100);

	(void)state;
	fill(st, 0);
	assert_int_equal(truncate(path, 0), 0);
	for (uint64_t r = 1; r < 100; r++)
		fill(st, r);
	/* what came after it is there */
	assert_int_equal(cell_of(st, 99, 3), 99);
	assert_int_equal(store_rows(st), 100);
	store_close(st);
	tree_free(dir);
}

static void
the_user_that_it_is_for_reads_it_and_cannot_write_it(void **state)
{
	const int nobody = 65534;
	char *dir = tree_new(), path[512];
	struct store *st = make(in_dir(dir, "s", path), 3);
	int status;
	pid_t pid;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chmod(dir, 0755), 0);
	assert_int_equal(store_give(st, nobody, false), 0);
	fill(st, 0);
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
		cmocka_unit_test(
		    a_row_is_seen_once_it_is_committed_and_not_before),
		cmocka_unit_test(
		    a_scaled_count_is_there_where_its_group_took_turns),
		cmocka_unit_test(
		    a_core_temperature_that_is_not_valid_is_not_there),
		cmocka_unit_test(a_reader_never_sees_a_row_or_a_note_by_halves),
		cmocka_unit_test(
		a_store_that_is_cut_while_it_is_read_is_an_error_and_no_signal),
		cmocka_unit_test(a_file_that_is_there_is_never_taken),
		cmocka_unit_test(a_store_without_room_is_refused_at_once),
		cmocka_unit_test(a_store_leaves_half_of_the_memory_to_others),
		cmocka_unit_test(a_store_takes_space_as_its_rows_come),
		cmocka_unit_test(
		    a_dump_that_fails_leaves_the_store_and_no_litter),
		cmocka_unit_test(damage_is_refused_or_does_no_harm),
		cmocka_unit_test(notes_and_marks_stand_at_the_head_of_the_dump),
		cmocka_unit_test(
		    numbers_of_every_length_are_printed_to_the_digit),
		cmocka_unit_test(
		    the_rate_of_the_tsc_is_not_by_a_clock_that_somebody_sets),
		cmocka_unit_test(what_has_no_room_is_counted),
		cmocka_unit_test(
		    a_wall_clock_that_is_set_does_not_spoil_the_tsc_frequency),
		cmocka_unit_test(a_store_is_locked_while_its_daemon_lives),
		cmocka_unit_test(a_readers_locks_make_no_dead_store_alive),
		cmocka_unit_test(a_store_is_its_owners_alone_unless_shared),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
