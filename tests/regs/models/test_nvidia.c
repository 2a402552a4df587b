/*
 * tests/regs/models/test_nvidia.c - doc/gpu/nvidia-figures.c, against a library that stands in for
 * NVIDIA's (nvml_shim.c), and the files that it writes, as @nvidia reads them.
 */
#include "tests/lib/stand_in.h"
#include "tests/lib/rig.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIGURES "figures"

/* A folder with the library under its name. */
static char *
place(void)
{
	char *dir = tree_new(), shim[512], link[512];

	assert_int_equal(symlink(built("tests/nvml_shim.so", shim),
	    in_dir(dir, "libnvidia-ml.so.1", link)), 0);
	return dir;
}

/* The program, its words in DIR/words: its exit status. */
static int
runs(const char *dir, const char *env, const char *args)
{
	char line[2048], program[512];
	int status;

	snprintf(line, sizeof(line), "cd %s && LD_LIBRARY_PATH=%s %s %s %s "
	    ">words 2>&1", dir, dir, env, built("nvidia-figures", program), args);
	status = system(line);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static bool
has(const char *dir, const char *file, const char *text)
{
	char path[512], *is = file_text(in_dir(dir, file, path), NULL);
	bool same = strncmp(is, text, strlen(text)) == 0;

	free(is);
	return same;
}

static void
each_figure_is_a_line_of_constant_length(void **state)
{
	static const struct { const char *file, *text; } t[] = {
		{ "gpu0/power", "301000 " }, { "gpu1/power", "302000 " },
		{ "gpu0/busy", "88 " }, { "gpu1/busy", "89 " },
		{ "gpu0/memory_busy", "41 " },
		{ "gpu0/memory_used", "68719476736 " },
		{ "gpu0/temperature", "55 " }, { "gpu0/pcie_sent", "1000 " },
		{ "gpu0/pcie_received", "1001 " },
		/* what this GPU has not */
		{ "gpu1/energy", "n/a " }, { "gpu1/pcie_sent", "n/a " },
	};
	char *dir = place(), path[512];
	struct stat sb;

	(void)state;
	assert_int_equal(runs(dir, "", "-n 1 " FIGURES), 0);
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		snprintf(path, sizeof(path), FIGURES "/%s", t[i].file);
		if (!has(dir, path, t[i].text))
			fail_msg("%s is not %s", t[i].file, t[i].text);
	}
	assert_int_equal(stat(in_dir(dir, FIGURES "/gpu0/stamp", path), &sb), 0);
	assert_int_equal(sb.st_size, 32);
	assert_int_equal(sb.st_mode & 0777, 0644);
	tree_free(dir);
}

static void
a_gpu_that_is_lost_has_no_figures_and_the_others_go_on(void **state)
{
	char *dir = place();

	(void)state;
	assert_int_equal(runs(dir, "NVML_LOST=0", "-i 0.01 -n 4 " FIGURES), 0);
	assert_true(has(dir, FIGURES "/gpu0/power", "n/a "));
	assert_true(has(dir, FIGURES "/gpu0/stamp", "n/a "));
	assert_true(has(dir, FIGURES "/gpu1/power", "302000 "));
	tree_free(dir);
}

static void
what_does_not_work_is_said_in_a_line(void **state)
{
	static const struct {
		const char *env, *args;
		int status;
		const char *says;
	} t[] = {
		{ "LD_LIBRARY_PATH=/nonexistent", FIGURES, 1,
		  "nvidia-figures: libnvidia-ml.so.1: " },
		{ "NVML_INIT=9", FIGURES, 1, "nvidia-figures: NVML does not "
		  "start: error 9 (no words for it)\n" },
		{ "NVML_GPUS=0", FIGURES, 1,
		  "nvidia-figures: there is no GPU\n" },
		{ "", "-n 1 no/such/folder", 1, "nvidia-figures: no/such/folder: "
		  "No such file or directory: make it for this user, or name "
		  "another folder\n" },
		{ "", "-i 0 " FIGURES, 2, "usage: " },
		{ "", "-i nan " FIGURES, 2, "usage: " },
		{ "", FIGURES " more", 2, "usage: " },
	};
	char *dir = place();

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (runs(dir, t[i].env, t[i].args) != t[i].status ||
		    !has(dir, "words", t[i].says))
			fail_msg("%s %s", t[i].env, t[i].args);
	tree_free(dir);
}

/* A link that somebody has put there is not written through. */
static void
a_link_in_the_place_of_a_file_is_refused(void **state)
{
	char *dir = place(), path[512], to[512], *text;

	(void)state;
	tree_text(dir, "/mine", "untouched\n");
	assert_int_equal(runs(dir, "", "-n 1 " FIGURES), 0);
	assert_int_equal(unlink(in_dir(dir, FIGURES "/gpu0/busy", path)), 0);
	assert_int_equal(symlink(in_dir(dir, "mine", to), path), 0);
	assert_int_equal(runs(dir, "", "-n 1 " FIGURES), 1);
	text = file_text(to, NULL);
	assert_string_equal(text, "untouched\n");
	free(text);
	tree_free(dir);
}

static pid_t
begin(const char *dir, const char *into)
{
	char program[512];
	pid_t pid = fork();

	if (pid == 0) {
		setenv("LD_LIBRARY_PATH", dir, 1);
		execl(built("nvidia-figures", program), "nvidia-figures", "-i",
		    "0.02", into, (char *)NULL);
		_exit(127);
	}
	assert_true(pid > 0);
	return pid;
}

static void
end(pid_t pid)
{
	int status;

	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void
until(const char *dir, const char *file, bool number)
{
	char path[512];

	wait_until(access(in_dir(dir, file, path), R_OK) == 0 &&
	    has(dir, file, "n/a ") != number);
}

/* Has any sample of a dump this value?  Where the machine is slow, some have none.  NULL:
 * any value. */
static bool
sampled(const char *dump, const char *column, const char *value)
{
	size_t n = value != NULL ? strlen(value) : 0;

	for (const char *at = dump; (at = strstr(at, column)) != NULL; ) {
		at += strlen(column);
		if (*at != '[' || (at = strstr(at, "] = ")) == NULL)
			continue;
		if (value == NULL || (strncmp(at + 4, value, n) == 0 &&
		    at[4 + n] == '\n'))
			return true;
	}
	return false;
}

/* Beside tallyd, which samples them; when it ends nothing of it stays. */
static void
tallyd_reads_the_figures_with_their_stamps(void **state)
{
	char *lib = place(), *dir = stand_in_new(), path[512], *dump;
	pid_t pid;

	(void)state;
	tree_text(dir, "/run/here", "");
	pid = begin(lib, in_dir(dir, "run/nvidia-figures", path));
	until(dir, "run/nvidia-figures/gpu1/busy", true);
	if (tallyd_run(dir, NULL, ARGS("-c", "@nvidia", "-n", "30", "-i",
	    "0.05")) != 0)
		tallyd_failed(dir, "@nvidia", 1);
	end(pid);
	assert_true(has(dir, "run/nvidia-figures/gpu0/energy", "n/a "));
	assert_true(has(dir, "run/nvidia-figures/gpu1/stamp", "n/a "));
	dump = file_text(in_dir(dir, "dump.lua", path), NULL);
	assert_true(sampled(dump, "\nfile_nvidia_power[\"0\"]", "301000"));
	assert_true(sampled(dump, "\nfile_nvidia_power[\"1\"]", "302000"));
	assert_true(sampled(dump, "\nfile_nvidia_busy[\"1\"]", "89"));
	assert_true(sampled(dump, "\nfile_nvidia_stamp[\"0\"]", NULL));
	assert_true(sampled(dump, "\nfile_nvidia_energy[\"0\"]", NULL));
	assert_false(sampled(dump, "\nfile_nvidia_energy[\"1\"]", NULL));
	free(dump);
	tree_free(dir);
	tree_free(lib);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_figure_is_a_line_of_constant_length),
		cmocka_unit_test(
		    a_gpu_that_is_lost_has_no_figures_and_the_others_go_on),
		cmocka_unit_test(what_does_not_work_is_said_in_a_line),
		cmocka_unit_test(a_link_in_the_place_of_a_file_is_refused),
		cmocka_unit_test(tallyd_reads_the_figures_with_their_stamps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
