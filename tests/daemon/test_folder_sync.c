/*
 * tests/daemon/test_folder_sync.c - once a dump has its name its folder is synced, so that
 * a crash of the node does not lose that.
 */
#include "daemon/run/output.h"
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

int
fsync(int fd)
{
	struct stat sb;

	if (fstat(fd, &sb) == 0 && S_ISDIR(sb.st_mode)) {
		synced += faccessat(fd, "d.lua", F_OK, 0) == 0;
		errno = refuses;
		return refuses != 0 ? -1 : 0;
	}
	return 0;
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_dumps_folder_is_synced_and_what_is_not_is_a_warning),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
