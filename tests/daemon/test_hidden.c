/*
 * tests/daemon/test_hidden.c - what tallyd says where parts of /sys are not to be seen, as
 * in a container.
 */
#include "tests/lib/rig.h"
#include "tests/lib/scene.h"

#include <stdio.h>

/* What --check says, with that exit status. */
static void
check_says(struct scene *s, int status, const char *words)
{
	if (tallyd_run(s->dir, NULL, ARGS("--check")) != status ||
	    !tallyd_said(s->dir, words))
		tallyd_failed(s->dir, words, status);
	scene_end(s);
}

static void
hidden_pci_devices_are_called_hidden(void **state)
{
	struct scene s = scene_begin();
	char from[512], to[512];

	(void)state;
	assert_int_equal(rename(in_dir(s.dir, "sys/bus/pci", from),
	    in_dir(s.dir, "sys/pci", to)), 0);
	check_says(&s, 0, "/sys/bus/pci/devices is empty or hidden here, as in "
	    "a container");
}

static void
a_list_of_no_lproc_is_told(void **state)
{
	struct scene s = scene_begin();

	(void)state;
	tree_text(s.dir, "/sys/devices/system/cpu/present", "0-7\n");
	tree_text(s.dir, "/sys/devices/system/cpu/online", "");
	check_says(&s, 1, "/sys/devices/system/cpu/online lists no CPU: is "
	    "/sys mounted whole?");
}

static void
files_alone_are_called_that(void **state)
{
	struct scene s = scene_begin();
	char path[512];

	(void)state;
	tree_text(s.dir, "/one", "1\n");
	tree_text(s.dir, "/files.conf", "read file=/one as one\n");
	if (tallyd_run(s.dir, NULL, ARGS("--check", "-c", in_dir(s.dir,
	    "files.conf", path))) != 0 || !tallyd_said(s.dir, "access   files: "
	    "all that is sampled is read from files of the kernel, and no "
	    "register is"))
		tallyd_failed(s.dir, "files alone", 1);
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hidden_pci_devices_are_called_hidden),
		cmocka_unit_test(a_list_of_no_lproc_is_told),
		cmocka_unit_test(files_alone_are_called_that),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
