/*
 * tests/daemon/test_faults.c - other users of the node's counters: a second
 * daemon, programs that count or overwrite our control registers, users without
 * rights; and hardware that stops answering.
 */
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include "config/dump/store.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void
a_second_daemon_is_refused_and_does_no_harm(void **state)
{
	struct scene s = scene_begin();
	char other[512], words[64];
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));
	uint8_t *programmed;

	(void)state;
	tallyd_rows(s.dir, 5);
	programmed = stand_in_save(s.dir);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1", "--store",
	    in_dir(s.dir, "other", other))), 1);
	snprintf(words, sizeof(words), "another tallyd (pid %d)", pid);
	assert_true(tallyd_said(s.dir, words));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--restore")), 1);
	stand_in_same(s.dir, programmed, "a second daemon");
	free(programmed);
	kill(pid, SIGTERM);
	scene_ended_well(&s, tallyd_wait(pid), "the first daemon");
	scene_end(&s);
}

/* In a container of its own a daemon sees neither that journal nor that process: the
 * registers alone tell, and they hold what this one would write. */
static void
a_daemon_that_counts_the_same_unseen_is_told_by_its_registers(void **state)
{
	struct scene s = scene_begin();
	char other[512], journal[512];
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS));
	uint8_t *programmed;

	(void)state;
	tallyd_rows(s.dir, 5);
	programmed = stand_in_save(s.dir);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1", "--store",
	    in_dir(s.dir, "other", other), "--journal",
	    in_dir(s.dir, "its.journal", journal))), 1);
	assert_true(tallyd_said(s.dir, "in use by somebody else: "));
	assert_true(tallyd_said(s.dir, "--force takes them"));
	stand_in_same(s.dir, programmed, "a second daemon");
	free(programmed);
	kill(pid, SIGTERM);
	scene_ended_well(&s, tallyd_wait(pid), "the first daemon");
	scene_end(&s);
}

static void
counters_that_somebody_uses_are_left_alone_without_force(void **state)
{
	struct scene s = scene_begin();

	(void)state;
	free(s.before);
	stand_in_set_msr(s.dir, 3, 0x187, 0x4300c5);
	s.before = stand_in_save(s.dir);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1")), 1);
	assert_true(tallyd_said(s.dir, "1 counter is in use by somebody else"));
	assert_true(tallyd_said(s.dir, "CORE of lproc 3 ctl1"));
	stand_in_same(s.dir, s.before, "a start with the PMU in use");
	assert_false(scene_has(&s, "store"));
	scene_ended_well(&s, tallyd_run(s.dir, NULL, ARGS("-q", "-i", "0.001", "-n",
	    "2", "--force")), "--force");
	scene_end(&s);
}

static void
values_that_stop_answering_go_missing_and_nothing_else(void **state)
{
	struct scene s = scene_begin();
	char path[512], kept[512];
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--watch", "2"));
	const struct store_shape *shape;
	struct store *st;
	uint64_t *row;

	(void)state;
	tallyd_rows(s.dir, 5);
	assert_int_equal(link(in_dir(s.dir, "store", path),
	    in_dir(s.dir, "kept", kept)), 0);
	/* every MSR of lproc 5 above 0xc4, and a memory channel */
	stand_in_msr_gone(s.dir, 5, 0xc4);
	stand_in_pci(s.dir, "0000:ae:0c.2", 0xffffffff);
	assert_int_equal(store_open(&st, kept, NULL), 0);
	tallyd_rows(s.dir, store_rows(st) + 5);
	kill(pid, SIGTERM);
	/* those registers cannot be put back, which it says */
	assert_int_equal(tallyd_wait(pid), 1);
	assert_true(tallyd_said(s.dir, "registers could not be restored"));
	assert_true(scene_has(&s, "run/tallyd.journal"));
	assert_true(scene_dumped(&s) >= 10);
	shape = store_shape(st);
	row = calloc(shape->ncell, sizeof(*row));
	scene_row(st, 2, row);
	assert_int_equal(row[scene_column(shape, "aperf[5]")->cell], 0x500e8);
	scene_row(st, store_rows(st) - 2, row);
	assert_true(row[scene_column(shape, "aperf[5]")->cell] == ABSENT);
	assert_int_equal(row[scene_column(shape,
	    "core_counts[5][\"FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE\"]")
	    ->cell], 0x500c3);
	assert_true(row[scene_column(shape, "imc_counts[1][3]"
	    "[\"CAS_COUNT.READS\"]")->cell] == ABSENT);
	assert_true(row[scene_column(shape, "imc_counts[1][2]"
	    "[\"CAS_COUNT.READS\"]")->cell] != ABSENT);
	assert_int_equal(row[scene_column(shape, "aperf[4]")->cell], 0x400e8);
	free(row);
	store_close(st);
	scene_end(&s);
}

static void
boxes_are_not_invented_where_their_number_cannot_be_read(void **state)
{
	struct scene s = scene_begin();
	uint32_t id[16] = { 0x20838086 };       /* what a container shows */

	(void)state;
	tree_put(s.dir, "/sys/bus/pci/devices/0000:17:1e.3/config", id,
	    sizeof(id));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--check")), 0);
	assert_true(tallyd_said(s.dir, "0 of 28 in package 0, 4 of 28 in "
	    "package 1"));
	assert_true(tallyd_said(s.dir, "(pci 0000:17:1e.3:0x9c)"));
	assert_true(tallyd_said(s.dir, "CAP_SYS_ADMIN"));
	scene_end(&s);
}

static void
a_box_of_which_a_register_faults_is_left_out(void **state)
{
	struct scene s = scene_begin();

	(void)state;
	stand_in_msr_gone(s.dir, 0, 0xe31);     /* CHA 3 of package 0: its controls */
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--check")), 0);
	assert_true(tallyd_said(s.dir, "absent   1 box is left out"));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-q", "-i", "0.001", "-n",
	    "2")), 0);
	for (uint32_t m = 0xe31; m < 0x1000; m++)
		stand_in_set_msr(s.dir, 0, m, m);
	scene_ended_well(&s, 0, "a box that faults");
	assert_true(tallyd_said(s.dir, "CHA 3 of package 0: msr 0xe3"));
	assert_true(scene_dump_has(&s, "cha_counts[0][2][\""));
	assert_false(scene_dump_has(&s, "cha_counts[0][3][\""));
	assert_true(scene_dump_has(&s, "cha_counts[1][3][\""));
	scene_end(&s);
}

static void
where_sys_is_read_only_its_boxes_are_left_out(void **state)
{
	struct scene s = scene_begin();
	char sys[512];

	(void)state;
	in_dir(s.dir, "sys", sys);
	if (mount(sys, sys, NULL, MS_BIND, NULL) < 0 || mount(NULL, sys, NULL,
	    MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) < 0) {
		print_message("skipped: no right to mount\n");
		scene_end(&s);
		skip();
	}
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--check")), 0);
	assert_true(tallyd_said(s.dir, "/sys is mounted read-only"));
	scene_ended_well(&s, tallyd_run(s.dir, NULL, ARGS("-q", "-i", "0.001", "-n",
	    "2")), "a read-only /sys");
	assert_true(tallyd_said(s.dir, "`mount -o remount,rw /sys`"));
	assert_true(scene_dump_has(&s, "cha_counts[0][3][\""));
	assert_false(scene_dump_has(&s, "imc_counts[0][0][\""));
	umount2(sys, MNT_DETACH);
	scene_end(&s);
}

static void
whoever_changes_a_control_register_is_told_in_the_data(void **state)
{
	struct scene s = scene_begin();
	char path[512], text[1024], want[64];
	FILE *f;
	unsigned found = 0;
	pid_t pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--watch", "3"));

	(void)state;
	tallyd_rows(s.dir, 5);
	stand_in_set_msr(s.dir, 6, 0x186, 0x4300c5);    /* a core's event */
	stand_in_set_msr(s.dir, 1, 0x38d, 0);           /* fixed counters */
	stand_in_set_msr(s.dir, 0, 0xe11, 0x400000);    /* CHA 1, package 0 */
	stand_in_set_msr(s.dir, 0, 0x700, 1ull << 63);  /* freezes the uncore */
	tallyd_rows(s.dir, 15);
	kill(pid, SIGTERM);
	scene_ended_well(&s, tallyd_wait(pid), "a tampered node");
	f = fopen(in_dir(s.dir, "dump.lua", path), "r");
	assert_non_null(f);
	while (fgets(text, sizeof(text), f) != NULL) {
		found |= strstr(text, "'core_counts[6][\"FP_ARITH_INST_"
		    "RETIRED.SCALAR_DOUBLE\"]'") != NULL ? 1 : 0;
		found |= strstr(text, "'core_fixed_counts[1]'") ? 2 : 0;
		found |= strstr(text, "'cha_counts[0][1][\"XSNP_RESP."
		    "EVICT_RSP_HITFSE\"]'") ? 4 : 0;
		snprintf(want, sizeof(want), "tamper_found[");
		found |= strncmp(text, want, strlen(want)) == 0 &&
		    strstr(text, "] = 0x4300c5") != NULL ? 8 : 0;
	}
	fclose(f);
	assert_int_equal(found, 15);
	scene_end(&s);
}

static bool
status_says(pid_t pid, const char *line)
{
	char path[64], text[4096];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "r");
	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return strstr(text, line) != NULL;
}

/* How many descriptors of a process its own user, 65534, can take. */
static int
descriptors_for_its_user(pid_t pid)
{
	int pidfd, n = 0;
	pid_t child;

	fflush(NULL);
	if ((child = fork()) == 0) {
		if (setgroups(0, NULL) < 0 ||
		    setresgid(65534, 65534, 65534) < 0 ||
		    setresuid(65534, 65534, 65534) < 0 ||
		    (pidfd = (int)syscall(SYS_pidfd_open, pid, 0)) < 0)
			_exit(99);
		for (int fd = 0; fd < 64; fd++)
			n += syscall(SYS_pidfd_getfd, pidfd, fd, 0) >= 0;
		_exit(n);
	}
	return tallyd_wait(child);
}

static void
a_daemon_that_became_its_user_restores_and_dumps_as_that_user(void **state)
{
	struct scene s = scene_begin();
	char path[512];
	struct stat sb;
	pid_t pid;

	(void)state;
	if (geteuid() != 0) {
		scene_end(&s);
		print_message("becoming a user needs root\n");
		skip();
	}
	pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "--user", "nobody"));
	tallyd_rows(s.dir, 2);
	/* real, effective, saved, file system; and no capability is left */
	assert_true(status_says(pid, "Uid:\t65534\t65534\t65534\t65534\n"));
	assert_true(status_says(pid, "CapEff:\t0000000000000000\n"));
	assert_true(status_says(pid, "CapPrm:\t0000000000000000\n"));
	/* or that user could write to any register */
	assert_int_equal(descriptors_for_its_user(pid), 0);
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	stand_in_same(s.dir, s.before, "--user nobody");
	assert_int_equal(stat(in_dir(s.dir, "dump.lua", path), &sb), 0);
	assert_int_equal(sb.st_uid, 65534);
	assert_true(scene_dumped(&s) >= 3);
	/* its journal is in root's directory: emptied, if not removed */
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-q", "-n", "1")), 0);
	scene_end(&s);
}

static void
a_number_of_sudo_that_is_none_is_refused(void **state)
{
	static const char *const bad[] = { "SUDO_UID=99999999999",
	    "SUDO_UID=4294967296", "SUDO_UID=12x", "SUDO_UID=", "SUDO_UID=-1" };
	struct scene s = scene_begin();

	(void)state;
	if (geteuid() != 0) {
		scene_end(&s);
		print_message("becoming a user needs root\n");
		skip();
	}
	setenv("SUDO_GID", "65534", 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(tallyd_run(s.dir, bad[i], ARGS("-n", "1")), 1);
		assert_true(tallyd_said(s.dir, bad[i]));
	}
	assert_false(scene_has(&s, "dump.lua"));
	assert_int_equal(tallyd_run(s.dir, "SUDO_UID=65534", ARGS("-q", "-n",
	    "1", "-i", "0.001")), 0);
	unsetenv("SUDO_GID");
	assert_true(scene_has(&s, "dump.lua"));
	scene_end(&s);
}

static void
check_tells_when_the_devices_may_only_be_read(void **state)
{
	struct scene s = scene_begin();
	char path[512], name[64];
	pid_t pid;

	(void)state;
	for (unsigned l = 0; l < STAND_IN_LPROCS; l++) {
		snprintf(name, sizeof(name), "dev/cpu/%u/msr", l);
		assert_int_equal(chmod(in_dir(s.dir, name, path), 0400), 0);
	}
	fflush(NULL);
	if ((pid = fork()) == 0) {
		prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
		_exit(tallyd_run(s.dir, NULL, ARGS("--check")));
	}
	assert_int_equal(tallyd_wait(pid), 1);
	assert_true(tallyd_said(s.dir, "PROBLEM  /dev/cpu/0/msr: no right to "
	    "write"));
	scene_end(&s);
}

static void
who_counts_with_registers_and_the_kernel_keeps_the_right_to(void **state)
{
	struct scene s = scene_begin();
	char conf[512], path[512], rights[64];
	bool known;
	pid_t pid;

	(void)state;
	tree_text(s.dir, "/mix.conf", "core E0 event=0xc0\ncores \"0\"\n"
	    "event context-switches\n");
	in_dir(s.dir, "mix.conf", conf);
	if (geteuid() != 0 || tallyd_run(s.dir, NULL, ARGS("-n", "1", "-c",
	    conf)) != 0) {
		scene_end(&s);
		print_message("needs root, and perf events\n");
		skip();
	}
	/* root's, in a folder like /tmp: nobody else may replace it */
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1", "-c", conf,
	    "--user", "nobody")), 1);
	assert_true(tallyd_said(s.dir, "cannot write the dump "));
	unlink(in_dir(s.dir, "dump.lua", path));
	pid = tallyd_start(s.dir, NULL, ARGS(ENDLESS, "-c", conf, "--user",
	    "nobody"));
	tallyd_rows(s.dir, 2);
	/* or the event of an lproc that comes back could not be opened */
	snprintf(rights, sizeof(rights), "CapPrm:\t%016llx\n",
	    1ull << CAP_PERFMON);
	known = status_says(pid, rights);
	/* before Linux 5.8 */
	snprintf(rights, sizeof(rights), "CapPrm:\t%016llx\n",
	    1ull << CAP_SYS_ADMIN);
	assert_true(known || status_says(pid, rights));
	kill(pid, SIGTERM);
	assert_int_equal(tallyd_wait(pid), 0);
	scene_end(&s);
}

static void
ports_that_are_too_many_are_told(void **state)
{
	struct scene s = scene_begin();
	char path[512], name[96];

	(void)state;
	for (unsigned n = 1; n <= 34; n++) {
		snprintf(name, sizeof(name), "/sys/class/infiniband/mlx5_0/"
		    "ports/%u/counters/port_rcv_data", n);
		tree_text(s.dir, name, "1\n");
	}
	tree_text(s.dir, "/ib.conf", "read ib\n");
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-v", "-n", "1", "-c",
	    in_dir(s.dir, "ib.conf", path))), 0);
	assert_true(tallyd_said(s.dir,
	    "not sampled: ib: 2 ports more than the 32 that are read"));
	scene_end(&s);
}

static void
packages_that_tell_the_same_buses_are_not_counted_twice(void **state)
{
	struct scene s = scene_begin();
	uint64_t buses = stand_in_msr(s.dir, 0, 0x300);
	char path[512], *dump;

	(void)state;
	stand_in_set_msr(s.dir, 2, 0x300, buses);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("--check")), 0);
	assert_true(tallyd_said(s.dir, "IMC      0 of 6 in package 0, 0 of 6 in "
	    "package 1 (12 absent: another package reports the same PCI bus"));
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-q", "-n", "1")), 0);
	dump = file_text(in_dir(s.dir, "dump.lua", path), NULL);
	assert_null(strstr(dump, "imc_counts[0][0]["));
	assert_null(strstr(dump, "imc_counts[1][0]["));
	assert_non_null(strstr(dump, "core_counts[0]["));
	free(dump);
	scene_end(&s);
}

static void
the_dram_sweep_runs_on_all_cores_of_a_node(void **state)
{
	struct scene s = scene_begin();
	char words[64];
	cpu_set_t set;
	int n;

	(void)state;
	/* lprocs 0 and 1 are the cores of node 0, as far as there are any */
	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	n = CPU_ISSET(0, &set) + CPU_ISSET(1, &set);
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1",
	    "--measure-dram-bandwidth")), 0);
	snprintf(words, sizeof(words), n == 0 ?
	    "NUMA node 0 has no core that may be used" :
	    "GB/s of DRAM with %d core%s\n", n, n == 1 ? "" : "s");
	assert_true(tallyd_said(s.dir, words));
	if (!CPU_ISSET(2, &set) && !CPU_ISSET(3, &set))
		assert_true(tallyd_said(s.dir,
		    "NUMA node 1 has no core that may be used"));
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_second_daemon_is_refused_and_does_no_harm),
		cmocka_unit_test(a_daemon_that_counts_the_same_unseen_is_told_by_its_registers),
		cmocka_unit_test(
		    counters_that_somebody_uses_are_left_alone_without_force),
		cmocka_unit_test(
		    values_that_stop_answering_go_missing_and_nothing_else),
		cmocka_unit_test(
		    boxes_are_not_invented_where_their_number_cannot_be_read),
		cmocka_unit_test(a_box_of_which_a_register_faults_is_left_out),
		cmocka_unit_test(where_sys_is_read_only_its_boxes_are_left_out),
		cmocka_unit_test(
		    whoever_changes_a_control_register_is_told_in_the_data),
		cmocka_unit_test(
		    a_daemon_that_became_its_user_restores_and_dumps_as_that_user),
		cmocka_unit_test(a_number_of_sudo_that_is_none_is_refused),
		cmocka_unit_test(check_tells_when_the_devices_may_only_be_read),
		cmocka_unit_test(
		    who_counts_with_registers_and_the_kernel_keeps_the_right_to),
		cmocka_unit_test(ports_that_are_too_many_are_told),
		cmocka_unit_test(
		    packages_that_tell_the_same_buses_are_not_counted_twice),
		cmocka_unit_test(the_dram_sweep_runs_on_all_cores_of_a_node),
	};

	return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
