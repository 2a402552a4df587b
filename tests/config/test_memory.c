/*
 * tests/config/test_memory.c - how much memory a store may take: the node's, or what
 * the control groups leave of it.
 */
#include "tests/lib/rig.h"

#include "config/memory.h"

#include <stdio.h>

#define MB (UINT64_C(1) << 20)
#define GROUP "/sys/fs/cgroup/site/tallyd"
#define MEMORY "/sys/fs/cgroup/memory"

static void
room_is(const char *dir, uint64_t bytes, const char *of)
{
	struct memory m;
	char whose[128];

	memory_find(&m, dir);
	assert_int_equal(memory_room(&m, whose, sizeof(whose)), bytes);
	assert_string_equal(whose, of);
}

/* Where version 2 is mounted, as systemd does. */
static void
version_2(const char *dir, const char *group)
{
	char text[256];

	tree_text(dir, "/proc/meminfo", "MemAvailable: 2048000 kB\n");
	tree_text(dir, "/proc/self/mountinfo",
	    "21 1 254:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n"
	    "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2"
	    " rw,nsdelegate\n");
	snprintf(text, sizeof(text), "1:name=systemd:/x\n0::%s\n", group);
	tree_text(dir, "/proc/self/cgroup", text);
}

/* And version 1, a mount for each controller. */
static void
version_1(const char *dir, const char *group)
{
	char text[256];

	tree_text(dir, "/proc/meminfo", "MemAvailable: 2048000 kB\n");
	tree_text(dir, "/proc/self/mountinfo",
	    "31 23 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n"
	    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,"
	    "cpu,cpuacct\n"
	    "35 31 0:32 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,"
	    "memory\n"
	    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
	snprintf(text, sizeof(text), "9:name=systemd:/x\n5:cpu,cpuacct:/y\n"
	    "4:memory:%s\n0::/\n", group);
	tree_text(dir, "/proc/self/cgroup", text);
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
	/* groups, and no mount that shows them */
	tree_text(dir, "/proc/self/cgroup", "4:memory:/site\n1:cpu:/\n0::/x\n");
	room_is(dir, 2000 * MB, "the node");
	/* shown, without a limit or the files of one */
	version_2(dir, "/site/tallyd");
	room_is(dir, 2000 * MB, "the node");
	tree_text(dir, GROUP "/memory.max", "max\n");
	tree_text(dir, GROUP "/memory.high", "max\n");
	room_is(dir, 2000 * MB, "the node");
	version_1(dir, "/site");
	tree_text(dir, MEMORY "/site/memory.limit_in_bytes",
	    "9223372036854771712\n");
	tree_text(dir, MEMORY "/site/memory.stat",
	    "hierarchical_memory_limit 9223372036854771712\n");
	room_is(dir, 2000 * MB, "the node");
	tree_free(dir);
}

static void
the_least_that_a_control_group_leaves(void **state)
{
	char *dir = tree_new();

	(void)state;
	version_2(dir, "/site/tallyd");
	tree_text(dir, GROUP "/memory.max", "104857600\n");
	room_is(dir, 100 * MB, "memory.max of /site/tallyd");
	/* 60 MB in use, 20 of them page cache of files; tmpfs is not */
	tree_text(dir, GROUP "/memory.current", "62914560\n");
	tree_text(dir, GROUP "/memory.stat", "anon 31457280\nfile 31457280\n"
	    "kernel 1\nshmem 10485760\nfile_mapped 0\ninactive_anon 10485760\n"
	    "active_anon 31457280\ninactive_file 15728640\n"
	    "active_file 5242880\n");
	room_is(dir, 60 * MB, "memory.max of /site/tallyd");
	/* what it is slowed down beyond is a limit, too */
	tree_text(dir, GROUP "/memory.high", "94371840\n");
	room_is(dir, 50 * MB, "memory.high of /site/tallyd");
	/* one above it leaves less; one that is over its limit, nothing */
	tree_text(dir, "/sys/fs/cgroup/site/memory.max", "41943040\n");
	room_is(dir, 40 * MB, "memory.max of /site");
	tree_text(dir, "/sys/fs/cgroup/site/memory.current", "62914560\n");
	room_is(dir, 0, "memory.max of /site");
	tree_text(dir, "/sys/fs/cgroup/site/memory.max", "0\n");
	room_is(dir, 0, "memory.max of /site");
	tree_free(dir);
}

static void
version_1_has_limits_of_its_own(void **state)
{
	char *dir = tree_new();

	(void)state;
	version_1(dir, "/slurm/job_7");
	tree_text(dir, MEMORY "/slurm/job_7/memory.limit_in_bytes",
	    "104857600\n");
	room_is(dir, 100 * MB, "memory.limit_in_bytes of /slurm/job_7");
	tree_text(dir, MEMORY "/slurm/job_7/memory.usage_in_bytes",
	    "62914560\n");
	tree_text(dir, MEMORY "/slurm/job_7/memory.stat", "cache 31457280\n"
	    "inactive_file 1\ntotal_cache 31457280\n"
	    "total_inactive_file 10485760\ntotal_active_file 10485760\n");
	room_is(dir, 60 * MB, "memory.limit_in_bytes of /slurm/job_7");
	/* of one above it, which is shown or is not */
	tree_text(dir, MEMORY "/slurm/job_7/memory.stat",
	    "hierarchical_memory_limit 83886080\n");
	room_is(dir, 20 * MB, "hierarchical_memory_limit of /slurm/job_7");
	tree_text(dir, MEMORY "/slurm/memory.limit_in_bytes", "83886080\n");
	tree_text(dir, MEMORY "/slurm/memory.usage_in_bytes", "73400320\n");
	room_is(dir, 10 * MB, "memory.limit_in_bytes of /slurm");
	tree_free(dir);
}

/* The folder that a container sees its group at. */
static void
a_mount_may_begin_at_our_own_group(void **state)
{
	static const struct { int line; const char *from, *path, *at; } cases[] = {
		{ __LINE__, "/", "/", "/" },
		{ __LINE__, "/docker/a b", "/docker/a b", "/" },
		{ __LINE__, "/docker", "/docker/c", "/c" },
		{ __LINE__, "/..", "/", "/" },
		/* another's: nothing of ours is there */
		{ __LINE__, "/docker/c", "/docker/ca", NULL },
		{ __LINE__, "/docker/ca", "/docker/c", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *dir = tree_new(), text[512], whose[64];
		const char *at = cases[i].at;
		struct memory m;

		tree_text(dir, "/proc/meminfo", "MemAvailable: 2048000 kB\n");
		snprintf(text, sizeof(text), "30 23 0:26 %s /cg\\040x\\100\\377 rw "
		    "- cgroup2 cgroup2 rw\n",
		    i == 1 ? "/docker/a\\040b" : cases[i].from);
		tree_text(dir, "/proc/self/mountinfo", text);
		snprintf(text, sizeof(text), "0::%s\n", cases[i].path);
		tree_text(dir, "/proc/self/cgroup", text);
		snprintf(text, sizeof(text), "/cg x@\377%s/memory.max",
		    at == NULL || at[1] == '\0' ? "" : at);
		tree_text(dir, text, "1048576\n");
		memory_find(&m, dir);
		if (memory_room(&m, whose, sizeof(whose)) !=
		    (at != NULL ? MB : 2000 * MB))
			fail_msg("line %d: %s", cases[i].line, whose);
		snprintf(text, sizeof(text), "memory.max of %s",
		    at != NULL ? at : "");
		assert_string_equal(whose, at != NULL ? text : "the node");
		tree_free(dir);
	}
}

static void
what_is_no_number_is_no_limit(void **state)
{
	static const char *const junk[] = { "", "x 5\n", "\n", "max", "maximal\n", "-5\n",
		"+5\n", "0x100\n", "1e3\n",
		"99999999999999999999999\n", "\xff\xfe\n", "12MB\n" };
	char *dir = tree_new();

	(void)state;
	for (size_t i = 0; i < sizeof(junk) / sizeof(junk[0]); i++) {
		version_2(dir, "/site/tallyd");
		tree_text(dir, GROUP "/memory.max", junk[i]);
		tree_text(dir, GROUP "/memory.current", junk[i]);
		room_is(dir, 2000 * MB, "the node");
		version_1(dir, "/site");
		tree_text(dir, MEMORY "/site/memory.limit_in_bytes",
		    junk[i]);
		room_is(dir, 2000 * MB, "the node");
		/* more page cache than there is in use */
		tree_text(dir, MEMORY "/site/memory.stat",
		    "total_inactive_file 99999999999\n");
		room_is(dir, 2000 * MB, "the node");
	}
	for (size_t i = 0; i < sizeof(junk) / sizeof(junk[0]); i++) {
		tree_text(dir, "/proc/self/cgroup", junk[i]);
		room_is(dir, 2000 * MB, "the node");
		version_2(dir, "/site/tallyd");
		tree_text(dir, "/proc/self/mountinfo", junk[i]);
		room_is(dir, 2000 * MB, "the node");
	}
	/* and cut anywhere */
	for (size_t n = 0; n < 40; n++) {
		char line[] = "30 23 0:26 / /cg rw - cgroup2 cgroup2 rw";

		line[n] = '\0';
		tree_text(dir, "/proc/self/mountinfo", line);
		room_is(dir, 2000 * MB, "the node");
	}
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nodes_where_nothing_else_is_said),
		cmocka_unit_test(the_least_that_a_control_group_leaves),
		cmocka_unit_test(version_1_has_limits_of_its_own),
		cmocka_unit_test(a_mount_may_begin_at_our_own_group),
		cmocka_unit_test(what_is_no_number_is_no_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
