/*
 * tests/daemon/test_folder_sync.c - once a dump has its name its folder is synced, so that
 * a crash of the node does not lose that; what --pipe made of it is synced before it goes.
 */
#include "daemon/run/output.h"
#include "daemon/run/segments.h"
#include "tests/lib/files.h"
#include "tests/lib/stand_in.h"
#include "tests/lib/store_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned synced;         /* folders, in which the dump has its name */
static int refuses;             /* what the file system says to that */
static int refuses_file;        /* what it says to fsync of a file */

int
fsync(int fd)
{
	struct stat sb;

	if (fstat(fd, &sb) == 0 && S_ISDIR(sb.st_mode)) {
		synced += faccessat(fd, "d.lua", F_OK, 0) == 0;
		errno = refuses;
		return refuses != 0 ? -1 : 0;
	}
	errno = refuses_file;
	return refuses_file != 0 ? -1 : 0;
}

/* What output_save logs, of a dump that is written. */
static char *
logged(const struct store *st, const char *dump)
{
	struct output out = { .claim = -1, .had = -1 };
	char path[512];
	struct diag why;
	int rc, log, old = dup(2);

	log = open(in_dir(test_dir, "log", path), O_WRONLY | O_CREAT | O_TRUNC,
	    0600);
	synced = 0;
	assert_int_equal(save_open(&out.place, dump, &why), 0);
	assert_true(log >= 0 && dup2(log, 2) == 2);
	rc = output_save(&out, st, &why);
	assert_int_equal(dup2(old, 2), 2);
	close(old);
	close(log);
	if (rc < 0)
		fail_msg("%s", why.text);
	save_close(&out.place);
	assert_int_equal(unlink(dump), 0);
	return file_text(path, NULL);
}

static void
a_dumps_folder_is_synced_and_what_is_not_is_a_warning(void **state)
{
	static const struct { int refuses; const char *words; } row[] = {
		{ 0, NULL }, { EINVAL, NULL }, { ENOTSUP, NULL },
		{ EIO, "d.lua: it is written, but its folder cannot be synced "
		  "(Input/output error): a crash of the node may lose it\n" },
	};
	char store[512], dump[512], *text;
	struct store *st = rows_store(in_dir(test_dir, "s", store), 1);

	(void)state;
	rows_put(st, 0);
	in_dir(test_dir, "d.lua", dump);
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		refuses = row[i].refuses;
		text = logged(st, dump);
		assert_int_equal(synced, 1);
		if (row[i].words != NULL)
			text_has(text, row[i].words);
		else
			assert_string_equal(text, "");
		free(text);
	}
	store_close(st);
}

static void
leave_nothing(void *ctx)
{
	(void)ctx;
}

/* What --pipe's process logs of a dump whose copy it makes. */
static char *
piped(const char *dump)
{
	struct segment_pipe p = { .leave = leave_nothing };
	const struct amount keep = { .kind = AMOUNT_NONE };
	struct save_place place;
	char path[512];
	struct diag why;
	int log, old = dup(2);

	log = open(in_dir(test_dir, "log", path), O_WRONLY | O_CREAT | O_TRUNC,
	    0600);
	test_put("d.lua", "x = 1\n");
	assert_int_equal(save_open(&place, dump, &why), 0);
	assert_true(log >= 0 && dup2(log, 2) == 2);
	if (segment_pipe_start(&p, "sh -c 'cat >\"%s.copy\"'", &place, &keep,
	    &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(segment_pipe_put(&p, "d.lua", 0, true), 0);
	segment_pipe_stop(&p, true);
	assert_int_equal(dup2(old, 2), 2);
	close(old);
	close(log);
	save_close(&place);
	return file_text(path, NULL);
}

static void
a_dump_stays_where_what_pipe_made_of_it_cannot_be_synced(void **state)
{
	static const struct { int refuses; const char *words; } row[] = {
		{ 0, NULL }, { EINVAL, NULL },
		{ EIO, "--pipe: d.lua.copy: it cannot be synced (Input/output "
		  "error): d.lua stays as it is\n" },
	};
	char dump[512], copy[512], *text;

	(void)state;
	in_dir(test_dir, "d.lua", dump);
	in_dir(test_dir, "d.lua.copy", copy);
	refuses = 0;
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		refuses_file = row[i].refuses;
		text = piped(dump);
		assert_int_equal(unlink(copy), 0);
		assert_int_equal(unlink(dump), row[i].words != NULL ? 0 : -1);
		if (row[i].words != NULL)
			text_has(text, row[i].words);
		else
			assert_string_equal(text, "");
		free(text);
	}
	refuses_file = 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_dumps_folder_is_synced_and_what_is_not_is_a_warning),
		cmocka_unit_test(
		    a_dump_stays_where_what_pipe_made_of_it_cannot_be_synced),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
