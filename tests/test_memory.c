/*
 * tests/test_memory.c - how much memory a store may take: the node's, or what
 * the control groups leave of it.
 */
#include "tests/stand_in.h"
#include "tests/test.h"

#include "config/memory.h"

#include <stdio.h>

#define MB (UINT64_C(1) << 20)
#define GROUP "/sys/fs/cgroup/site/tallyd"

static void
room_is(const char *dir, uint64_t bytes, const char *of)
{
	char whose[128];

	assert_int_equal(memory_room(dir, whose, sizeof(whose)), bytes);
	assert_string_equal(whose, of);
}

static void
the_nodes_where_nothing_else_is_said(void **state)
{
	char *dir = tree_new();

	(void)state;
	room_is(dir, UINT64_MAX, "the node");
	tree_text(dir, "/proc/meminfo", "MemTotal:       99999999 kB\n"
	    "MemFree:  1 kB\nMemAvailable:    2048000 kB\n");
	room_is(dir, 2000 * MB, "the node");
	/* version 1 alone; version 2, without a limit or the files of one */
	tree_text(dir, "/proc/self/cgroup", "4:memory:/site\n1:cpu:/\n");
	room_is(dir, 2000 * MB, "the node");
	tree_text(dir, "/proc/self/cgroup", "1:name=systemd:/x\n0::/site/tallyd\n");
	room_is(dir, 2000 * MB, "the node");
	tree_text(dir, GROUP "/memory.max", "max\n");
	room_is(dir, 2000 * MB, "the node");
	tree_free(dir);
}

static void
the_least_that_a_control_group_leaves(void **state)
{
	char *dir = tree_new();

	(void)state;
	tree_text(dir, "/proc/meminfo", "MemAvailable: 2048000 kB\n");
	tree_text(dir, "/proc/self/cgroup", "0::/site/tallyd\n");
	tree_text(dir, GROUP "/memory.max", "104857600\n");
	room_is(dir, 100 * MB, "memory.max of /site/tallyd");
	/* 60 MB in use, 30 of them page cache, and 10 of those tmpfs */
	tree_text(dir, GROUP "/memory.current", "62914560\n");
	tree_text(dir, GROUP "/memory.stat", "anon 31457280\nfile 31457280\n"
	    "kernel 1\nshmem 10485760\nfile_mapped 0\n");
	room_is(dir, 60 * MB, "memory.max of /site/tallyd");
	/* one above it leaves less; one that is over its limit, nothing */
	tree_text(dir, "/sys/fs/cgroup/site/memory.max", "52428800\n");
	room_is(dir, 50 * MB, "memory.max of /site");
	tree_text(dir, "/sys/fs/cgroup/site/memory.current", "62914560\n");
	room_is(dir, 0, "memory.max of /site");
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nodes_where_nothing_else_is_said),
		cmocka_unit_test(the_least_that_a_control_group_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
