/*
 * tests/daemon/test_record.c - --record-node: what stands in the file, what does not, and
 * that tallyd says the same of it as of the node.
 */
#include "tests/lib/stand_in.h"
#include "tests/lib/rig.h"
#include "tests/lib/sim_compare.h"

#include "config/texts.h"
#include "daemon/instead/instead.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- tallyd, its output and its exit status ---- */

/* What `tallyd WORDS` prints, on both outputs; free() it. */
static char *
printed(int want, const char *words)
{
	char tallyd[512], command[4096], *text = NULL;
	size_t size;
	FILE *p, *f = open_memstream(&text, &size);
	int c, status;

	assert_non_null(f);
	snprintf(command, sizeof(command), "%s %s 2>&1",
	    built("tallyd", tallyd), words);
	assert_non_null(p = popen(command, "r"));
	while ((c = getc(p)) != EOF)
		putc(c, f);
	status = pclose(p);
	fclose(f);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != want)
		fail_msg("tallyd %s: status %d: %s", words, status, text);
	return text;
}

/* Record a machine; returns the path of its file, in test_dir. */
static const char *
record(const char *machine)
{
	static char path[512];
	char words[2048];

	snprintf(path, sizeof(path), "%s/node.machine", test_dir);
	unlink(path);
	snprintf(words, sizeof(words), "-q --sim %s --virtual-time "
	    "--record-node %s", machine, path);
	free(printed(0, words));
	return path;
}

/* The words of a question to a machine, its host's name and the numbers of open
 * files aside: what is the same of a node and of its recording. */
static char *
told_of(const char *machine, const char *question)
{
	char words[2048], *text, *to, *p;

	snprintf(words, sizeof(words), "--sim %s --virtual-time %s", machine,
	    question);
	text = printed(0, words);
	if (strncmp(text, "node     ", 9) == 0 &&
	    (p = strchr(text, ',')) != NULL)
		memmove(text + 9, p, strlen(p) + 1);
	for (p = text; (p = strstr(p, "read  file ")) != NULL;) {
		p += strlen("read  file ");
		for (to = p; *to >= '0' && *to <= '9'; to++)
			;
		memmove(p, to, strlen(to) + 1);
	}
	return text;
}

/* The first line in which two texts differ. */
static void
same_text(const char *a, const char *b, const char *of)
{
	while (*a != '\0' || *b != '\0') {
		size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");

		if (n != m || memcmp(a, b, n) != 0)
			fail_msg("%s:\n%.*s\n%.*s", of, (int)n, a, (int)m, b);
		a += n + (a[n] == '\n');
		b += m + (b[m] == '\n');
	}
}

/* more: options of both; instead: of the recording. */
static void
same_of_both(const char *machine, const char *more, const char *instead)
{
	static const char *const question[] = { "--check", "--list boxes",
		"--dry-run", "--list registers", "--list columns" };
	const char *path = record(machine);
	char of[256], with[256];

	for (size_t i = 0; i < sizeof(question) / sizeof(question[0]); i++) {
		char *node, *recorded;

		snprintf(of, sizeof(of), "%s %s", question[i], more);
		snprintf(with, sizeof(with), "%s %s", question[i], instead);
		node = told_of(machine, of);
		recorded = told_of(path, with);
		assert_true(i > 0 || strlen(node) > 0);
		snprintf(of, sizeof(of), "%s of %s", question[i], machine);
		same_text(node, recorded, of);
		free(node);
		free(recorded);
	}
}

static char *
machine_text(const char *like, const char *more, char *path, size_t size)
{
	char text[8192];

	snprintf(text, sizeof(text), "like %s\n%s", like, more);
	snprintf(path, size, "%s", test_put("doctored.machine", text));
	return path;
}

/* ---- what it is good for ---- */

static void
every_simulated_nodes_recording_says_of_it_what_the_node_does(void **state)
{
	unsigned seen = 0;

	(void)state;
	for (const struct text *t = texts; t->name != NULL; t++) {
		char name[64];

		snprintf(name, sizeof(name), "@%.*s", text_base(t), t->name);
		/* c2758 is the one that comes next */
		if (strcmp(text_kind(t), TEXT_MACHINE) != 0 ||
		    strcmp(name, "@c2758") == 0)
			continue;
		same_of_both(name, "", "");
		seen++;
	}
	assert_true(seen >= 8);
}

/* What a site knows of its muxes is its own, and is not in the file. */
static void
an_atom_c2000s_needs_its_sites_file_again(void **state)
{
	char site[640], with[700], *text;

	(void)state;
	text = printed(0, "--print @c2758.site");
	snprintf(site, sizeof(site), "%s", test_put("c2758.site", text));
	free(text);
	snprintf(with, sizeof(with), "--site %s", site);
	same_of_both("@c2758", with, with);
	text = file_text(record("@c2758"), NULL);
	assert_null(strstr(text, "rangeley.site"));
	free(text);
}

static void
lprocs_that_are_offline_are_so_in_the_recording(void **state)
{
	char path[640];

	(void)state;
	same_of_both(machine_text("@skx-8160-2s", "from 0 lproc 5 offline\n"
	    "from 0 lproc 95 offline\n", path, sizeof(path)), "", "");
}

static void
a_package_without_numbers_from_0_on_and_a_second_die_are_kept(void **state)
{
	char path[640];

	(void)state;
	same_of_both(machine_text("@icx-8358-2s", "packages 2 ids=0,3\n"
	    "dies 2\nnodes 2\n", path, sizeof(path)), "", "");
}

static void
registers_that_cannot_be_read_are_noted_and_stay_so(void **state)
{
	char path[640], *text;

	(void)state;
	machine_text("@skx-8160-2s", "msr 0x619 none\nmsr 0xe8 none lproc=7\n",
	    path, sizeof(path));
	same_of_both(path, "", "");
	text = file_text(record(path), NULL);
	assert_non_null(strstr(text,
	    "\n# msr 0x619 unreadable on 2 of 2: no such register\n"));
	assert_non_null(strstr(text,
	    "\n# msr 0xe8 unreadable on 1 of 96: no such register\n"));
	assert_non_null(strstr(text, "\nmsr 0xe8 none lproc=7\n"));
	free(text);
}

/* Behind Intel's VMD, in another segment, a virtual one: as files. */
static void
functions_that_the_language_lacks_are_their_files(void **state)
{
	char path[640], *text;

	(void)state;
	machine_text("@skx-8160-2s", "pci 17:00.0 0 words 0x101b15b3 0x100406 "
	    "0x02070000\npci 17:00.1 0 words 0xffffffff\n"
	    "file /sys/bus/pci/devices/0000:17:00.1/vendor = 0x15b3\n"
	    "file /sys/bus/pci/devices/0000:17:00.1/device = 0x101c\n"
	    "file /sys/bus/pci/devices/0000:17:00.1/class = 0x020700\n"
	    "file /sys/bus/pci/devices/0000:17:00.1/physfn/vendor = 0x15b3\n"
	    "file /sys/bus/pci/devices/10000:3a:0a.2/vendor = 0x8086\n"
	    "file /sys/bus/pci/devices/10000:3a:0a.2/device = 0x0a54\n"
	    "file /sys/bus/pci/devices/10000:3a:0a.2/class = 0x010802\n"
	    "file /sys/bus/pci/devices/0001:3a:0a.2/vendor = 0x8086\n"
	    "file /sys/bus/pci/devices/0001:3a:0a.2/device = 0x0a55\n"
	    "file /sys/bus/pci/devices/0001:3a:0a.2/class = 0x010802\n",
	    path, sizeof(path));
	same_of_both(path, "", "");
	text = file_text(record(path), NULL);
	assert_non_null(strstr(text, "\npci 17:00.0 0x0 words 0x101b15b3 "
	    "0x100406 0x2070000\n"));
	assert_null(strstr(text, "\npci 17:00.1"));
	assert_non_null(strstr(text, "\nfile /sys/bus/pci/devices/"
	    "0000:17:00.1/device = 0x101c\n"));
	assert_non_null(strstr(text, "\nfile /sys/bus/pci/devices/"
	    "10000:3a:0a.2/device = 0x0a54\n"));
	assert_non_null(strstr(text, "\nfile /sys/bus/pci/devices/"
	    "0001:3a:0a.2/device = 0x0a55\n"));
	free(text);
}

/* A sample's cells that nothing programs: they run as on the node. */
static void
what_runs_by_itself_runs_in_the_recording_at_the_same_rate(void **state)
{
	static const char config[] = "read rapl_pkg_energy\n"
	    "read aperf\nread iio_bytes\nread pkg_temperature\n";
	const char *path = test_put("config", config);
	struct rig *node = rig_open("@skx-8160-2s", path);
	struct rig *again = rig_open(record("@skx-8160-2s"), path);
	unsigned seen = 0;

	(void)state;
	assert_int_equal(node->node.plan.ncolumn, again->node.plan.ncolumn);
	rig_sample(node);
	rig_sample(again);
	for (unsigned k = 0; k < 5; k++) {
		sim_advance(rig_sim(node), 1000000000);
		sim_advance(rig_sim(again), 1000000000);
		rig_sample(node);
		rig_sample(again);
	}
	for (unsigned i = 0; i < node->node.plan.ncolumn; i++) {
		const struct column *c = &node->node.plan.column[i];

		if (plan_cell_addr(&node->node.plan, c->cell) == NULL)
			continue;
		assert_int_equal(node->row[c->cell], again->row[
		    again->node.plan.column[i].cell]);
		seen++;
	}
	assert_int_equal(seen, 196);
	rig_close(node);
	rig_close(again);
}

static void
nothing_is_written_to_the_node(void **state)
{
	static const char *const machine[] = { "@skx-8160-2s", "@spr-9480-2s",
		"@grace-2s" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		char path[512];
		struct diag why;
		struct options o;
		struct node node = { .acc = NULL };
		char *argv[] = { (char[]){ "tallyd" }, (char[]){ "--sim" },
			strdup(machine[i]), (char[]){ "--virtual-time" },
			(char[]){ "--record-node" }, path, NULL };

		snprintf(path, sizeof(path), "%s/quiet", test_dir);
		unlink(path);
		assert_int_equal(options_parse(&o, 6, argv, &why), 0);
		assert_int_equal(record_node(&node, &o), 0);
		assert_int_equal(sim_writes((struct sim *)(void *)node.acc),
		    0);
		node_close(&node);
		options_fini(&o);
		free(argv[2]);
	}
}

/* ---- what must not be in it ---- */

static void
nothing_in_it_says_whose_node_it_is(void **state)
{
	static const char *const secret[] = { "login3", "cluster", "alice",
		"52-54-00", "52:54:00", "10.1.2.3", "fd00", "SN12345",
		"0ddba11", "c0ffee", "deadbeef", "Crash kernel" };
	char path[640], *text;

	(void)state;
	machine_text("@skx-8160-2s", "host login3.cluster\n"
	    "cpuid 3 0 0 0x0ddba11 0x0ddba11\n"
	    "msr 0x4f pkg = 0xc0ffee\n"
	    "file /proc/cmdline = root=/dev/alice ip=10.1.2.3 ipv6=fd00::1\n"
	    "file /proc/self/status = Name: alice\n"
	    "file /proc/77/comm = alice\nfile /proc/77/fd/3 = "
	    "anon_inode:[perf_event]\n"
	    "file /proc/iomem = 00001000-0009ffff : System RAM\\n"
	    "000a0000-000fffff : Crash kernel\\n\n"
	    "file /sys/class/net/eth0/address = 52:54:00:12:34:56\n"
	    "file /sys/class/dmi/id/product_serial = SN12345\n"
	    "file /sys/bus/pci/devices/0000:17:00.0/serial = 52-54-00-ff-ff\n"
	    "file /etc/machine-id = deadbeef\n"
	    "file /etc/tallyd/tallyd.conf = # alice\n"
	    "file /proc/sys/kernel/random/boot_id = deadbeef\n", path,
	    sizeof(path));
	text = file_text(record(path), NULL);
	for (size_t i = 0; i < sizeof(secret) / sizeof(secret[0]); i++)
		if (strstr(text, secret[i]) != NULL)
			fail_msg("\"%s\" is in it", secret[i]);
	assert_memory_equal(text, "# A node, as `tallyd --record-node` of ",
	    39);
	assert_non_null(strstr(text, "\n# Left out: host and user names, "));
	free(text);
}

/* ---- the file ---- */

static void
a_file_that_is_there_is_kept_unless_it_is_to_be_overwritten(void **state)
{
	char words[1024], *text;
	const char *path = test_put("there", "mine\n");

	(void)state;
	snprintf(words, sizeof(words), "--sim @c2758 --virtual-time "
	    "--record-node %s", path);
	text = printed(1, words);
	assert_non_null(strstr(text, "it exists; --overwrite replaces it\n"));
	free(text);
	text = file_text(path, NULL);
	assert_string_equal(text, "mine\n");
	free(text);
	strcat(words, " --overwrite");
	free(printed(0, words));
	text = file_text(path, NULL);
	assert_memory_equal(text, "# A node", 8);
	free(text);
}

static void
where_no_file_can_be_that_is_said_before_the_node_is_read(void **state)
{
	static const struct { const char *place, *said; } t[] = {
		{ "/nowhere/x", "/nowhere/x: its folder: No such file or "
		    "directory\n" },
		{ "/dev/null --overwrite", "/dev/null: it exists, and is no "
		    "file that could be replaced\n" },
		{ "/tmp/", "--record-node /tmp/: give the name of a file\n" },
		{ "-", "--record-node -: give the name of a file\n" },
	};
	char words[1024];

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char *text;

		snprintf(words, sizeof(words), "--sim @c2758 --record-node %s",
		    t[i].place);
		text = printed(1, words);
		if (strstr(text, t[i].said) == NULL)
			fail_msg("%s: %s", t[i].place, text);
		free(text);
	}
}

/* What is left of a file that did not fit: as where a disk is full. */
static void
a_full_disk_leaves_no_half_of_a_file(void **state)
{
	struct rlimit small = { 4096, RLIM_INFINITY }, was;
	char words[1024], pattern[600], *text;
	glob_t found;

	(void)state;
	snprintf(words, sizeof(words), "--sim @skx-8160-2s --virtual-time "
	    "--record-node %s/full", test_dir);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	text = printed(1, words);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	assert_non_null(strstr(text, "/full: File too large\n"));
	free(text);
	snprintf(pattern, sizeof(pattern), "%s/full*", test_dir);
	assert_int_equal(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
	globfree(&found);
}

/* ---- nodes that cannot be read ---- */

static void
without_the_msr_driver_it_says_what_to_load(void **state)
{
	char *dir = tree_new(), words[1024], *text;

	(void)state;
	tree_text(dir, "/proc/cpuinfo", "processor\t: 0\nvendor_id\t: "
	    "GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: x\n"
	    "stepping\t: 4\n");
	tree_text(dir, "/sys/devices/system/cpu/online", "0\n");
	snprintf(words, sizeof(words), "--root %s --record-node %s/x", dir,
	    dir);
	text = printed(1, words);
	assert_string_equal(text, "tallyd: /dev/cpu/0/msr does not exist: load "
	    "the msr driver with `modprobe msr`\n");
	free(text);
	tree_free(dir);
}

static void
without_the_right_it_says_so_in_a_line(void **state)
{
	char tallyd[512], out[512];
	int status;
	char *text;
	pid_t pid;

	(void)state;
	snprintf(out, sizeof(out), "%s/said", test_dir);
	if ((pid = fork()) == 0) {
		if (freopen(out, "w", stderr) == NULL ||
		    (geteuid() == 0 && setuid(65534) < 0))
			_exit(99);
		execl(built("tallyd", tallyd), "tallyd", "--record-node",
		    "/tmp/tallyd-never", (char *)NULL);
		_exit(98);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 98)
		skip();         /* nobody may not run what is in this folder */
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	text = file_text(out, NULL);
	assert_string_equal(text, "tallyd: --record-node: run it as root, who "
	    "alone may read registers and config space\n");
	free(text);
}

/* Through the files of a real node: its registers stay as they are, and of those
 * that do not answer there is a note. */
static void
a_nodes_own_files_are_read_and_nothing_changes(void **state)
{
	char *dir = stand_in_new(), path[512], words[1024], *text;
	uint8_t *before;

	(void)state;
	before = stand_in_save(dir);
	in_dir(dir, "node.machine", path);
	assert_int_equal(tallyd_run(dir, NULL, ARGS("-i", "0.01",
	    "--record-node", path)), 0);
	stand_in_same(dir, before, "a node that was recorded");
	text = file_text(path, NULL);
	assert_non_null(strstr(text, "\nmsr 0x186 lproc = 0x30186 "
	    "write=0xffffffffffffffff lproc=3\n"));
	assert_non_null(strstr(text, "\nmsr 0xe01 pkg = 0x20e01 "
	    "write=0xffffffffffffffff pkg=1\n"));
	free(text);
	snprintf(words, sizeof(words), "--sim %s --virtual-time --check",
	    path);
	text = printed(0, words);
	assert_non_null(strstr(text, "\ntopology 2 packages, 8 of 8 lprocs "
	    "online\nmodel    skx "));
	assert_non_null(strstr(text, "\nCHA      4 of 28 in package 0, 4 of 28 "
	    "in package 1 "));
	assert_non_null(strstr(text, "\nIMC      6 of 6 in package 0, 6 of 6 "
	    "in package 1\n"));
	free(text);
	stand_in_msr_gone(dir, 3, 0x186);
	assert_int_equal(tallyd_run(dir, NULL, ARGS("-i", "0.01", "--overwrite",
	    "--record-node", path)), 0);
	text = file_text(path, NULL);
	assert_non_null(strstr(text, "\n# msr 0x186 unreadable on 1 of 8: no "
	    "such register\n"));
	assert_non_null(strstr(text, "\nmsr 0x186 none lproc=3\n"));
	free(text);
	free(before);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    every_simulated_nodes_recording_says_of_it_what_the_node_does),
		cmocka_unit_test(an_atom_c2000s_needs_its_sites_file_again),
		cmocka_unit_test(
		    lprocs_that_are_offline_are_so_in_the_recording),
		cmocka_unit_test(
		    a_package_without_numbers_from_0_on_and_a_second_die_are_kept),
		cmocka_unit_test(
		    registers_that_cannot_be_read_are_noted_and_stay_so),
		cmocka_unit_test(
		    functions_that_the_language_lacks_are_their_files),
		cmocka_unit_test(
		    what_runs_by_itself_runs_in_the_recording_at_the_same_rate),
		cmocka_unit_test(nothing_is_written_to_the_node),
		cmocka_unit_test(nothing_in_it_says_whose_node_it_is),
		cmocka_unit_test(
		    a_file_that_is_there_is_kept_unless_it_is_to_be_overwritten),
		cmocka_unit_test(
		    where_no_file_can_be_that_is_said_before_the_node_is_read),
		cmocka_unit_test(a_full_disk_leaves_no_half_of_a_file),
		cmocka_unit_test(
		    a_nodes_own_files_are_read_and_nothing_changes),
		cmocka_unit_test(without_the_msr_driver_it_says_what_to_load),
		cmocka_unit_test(without_the_right_it_says_so_in_a_line),
	};

	return cmocka_run_group_tests_name("record", tests, test_dir_new,
	    test_dir_free);
}
