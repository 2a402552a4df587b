/*
 * tests/programs/test_dump_name_taken.c - somebody takes the name of a dump while `tally dump`
 * writes it.
 *
 * fsync, which comes before a file gets its name, is this file's own: that is when
 * somebody does.
 */
#include "tests/lib/tally_command.h"
#include "tests/lib/sampled.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *taken;       /* the name; NULL: nobody takes it */

int
fsync(int fd)
{
	FILE *f = taken != NULL ? fopen(taken, "w") : NULL;

	(void)fd;
	if (f != NULL) {
		fputs("my notes\n", f);
		fclose(f);
	}
	return 0;
}

static void
a_name_that_somebody_took_meanwhile_is_his_and_the_next_is_told(void **state)
{
	struct sampled d = sampled_start();
	char out[128], words[600], want[400], *text;

	(void)state;
	sampled_more(&d);
	sampled_more(&d);
	snprintf(out, sizeof(out), "%s/out", test_dir);
	snprintf(words, sizeof(words), "dump %s", d.path);
	free(complained(EXIT_OK, cmd_dump, words, NULL));
	taken = out;
	snprintf(want, sizeof(want), "somebody has made %s meanwhile, which is "
	    "kept: the dump is in %s.2\n", out, out);
	holds(complained(EXIT_OK, cmd_dump, words, NULL), want);
	taken = NULL;
	text = file_text(out, NULL);
	assert_string_equal(text, "my notes\n");
	free(text);
	snprintf(out, sizeof(out), "%s/out.2", test_dir);
	holds(file_text(out, NULL), "\ntsc[1] = 4000001000\n");
	sampled_stop(&d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_name_that_somebody_took_meanwhile_is_his_and_the_next_is_told),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
