/*
 * tests/lib/stand_in.c - a node of plain files, and the daemon run on it.
 */
#include "tests/lib/stand_in.h"

#include "config/dump/store.h"
#include "tests/lib/rig.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MSRS 0x1000
#define CONFIG_SIZE 4096

static const struct { int devfn; uint16_t devid; int role; } functions[] = {
	{ PCI_DEVFN(0x1e, 3), 0x2083, 1 },      /* capabilities */
	{ PCI_DEVFN(0x0a, 2), 0x2042, 2 }, { PCI_DEVFN(0x0a, 6), 0x2046, 2 },
	{ PCI_DEVFN(0x0b, 2), 0x204a, 2 }, { PCI_DEVFN(0x0c, 2), 0x2042, 2 },
	{ PCI_DEVFN(0x0c, 6), 0x2046, 2 }, { PCI_DEVFN(0x0d, 2), 0x204a, 2 },
	{ PCI_DEVFN(0x08, 0), 0x2066, 2 }, { PCI_DEVFN(0x09, 0), 0x2066, 2 },
	{ PCI_DEVFN(0x0e, 0), 0x2058, 3 }, { PCI_DEVFN(0x0f, 0), 0x2058, 3 },
	{ PCI_DEVFN(0x10, 0), 0x2058, 3 },
};
#define NFUNCTIONS (sizeof(functions) / sizeof(functions[0]))

static const uint8_t bus[2][6] = {
	{ 0x00, 0x17, 0x3a, 0x5d, 0x70, 0x7a },
	{ 0x80, 0x85, 0xae, 0xd7, 0xe8, 0xf2 },
};

static unsigned
package_of(unsigned lproc)
{
	return lproc / 2 % 2;           /* 0 1 4 5: package 0 */
}

static void
put_lproc(const char *dir, unsigned l)
{
	static const uint32_t leaf_a[4] = { 0x07300404, 0, 0, 0x603 };
	static const uint32_t clear[] = { 0x38d, 0x38e, 0x38f, 0x390, 0x392,
	    0x700 };
	uint64_t msr[MSRS], buses = 1ull << 63;
	char path[96], text[32];
	uint8_t cpuid[0xa + sizeof(leaf_a)] = { 0 };

	for (unsigned m = 0; m < MSRS; m++)
		msr[m] = (uint64_t)l << 16 | m;
	for (size_t i = 0; i < sizeof(clear) / sizeof(clear[0]); i++)
		msr[clear[i]] = 0;
	for (int role = 0; role < 6; role++)
		buses |= (uint64_t)bus[package_of(l)][role] << 8 * role;
	msr[0x300] = buses;
	snprintf(path, sizeof(path), "/dev/cpu/%u/msr", l);
	tree_put(dir, path, msr, sizeof(msr));
	memcpy(cpuid + 0xa, leaf_a, sizeof(leaf_a));
	snprintf(path, sizeof(path), "/dev/cpu/%u/cpuid", l);
	tree_put(dir, path, cpuid, sizeof(cpuid));
#define TOPOLOGY(file, ...) do {					\
	snprintf(path, sizeof(path),					\
	    "/sys/devices/system/cpu/cpu%u/topology/" file, l);		\
	snprintf(text, sizeof(text), __VA_ARGS__);			\
	tree_text(dir, path, text);					\
} while (0)
	TOPOLOGY("physical_package_id", "%u\n", package_of(l));
	TOPOLOGY("die_id", "0\n");
	TOPOLOGY("core_id", "%u\n", l % 2);
	TOPOLOGY("thread_siblings_list", "%u,%u\n", l % 4, l % 4 + 4);
}

static void
put_function(const char *dir, unsigned pkg, unsigned i)
{
	uint32_t dword[CONFIG_SIZE / 4];
	char path[96];

	for (unsigned d = 0; d < CONFIG_SIZE / 4; d++)
		dword[d] = (pkg * (unsigned)NFUNCTIONS + i) << 16 | d * 4;
	dword[0] = (uint32_t)functions[i].devid << 16 | 0x8086;
	if (functions[i].devid == 0x2083)
		dword[0x9c / 4] = 0xf;  /* 4 CHAs */
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/0000:%02x:%02x.%x/"
	    "config", bus[pkg][functions[i].role], functions[i].devfn >> 3,
	    functions[i].devfn & 7);
	tree_put(dir, path, dword, sizeof(dword));
}

char *
stand_in_new(void)
{
	char *dir = tree_new();

	tree_text(dir, "/proc/cpuinfo", "processor\t: 0\n"
	    "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"
	    "model name\t: Stand-in\nstepping\t: 4\nflags\t\t: tsc\n\n");
	tree_text(dir, "/proc/sys/kernel/hostname", "stand-in\n");
	tree_text(dir, "/proc/sys/kernel/nmi_watchdog", "0\n");
	tree_text(dir, "/sys/devices/system/cpu/online", "0-7\n");
	tree_text(dir, "/sys/devices/system/cpu/present", "0-7\n");
	tree_text(dir, "/sys/devices/system/node/node0/cpulist", "0-1,4-5\n");
	tree_text(dir, "/sys/devices/system/node/node1/cpulist", "2-3,6-7\n");
	for (unsigned l = 0; l < STAND_IN_LPROCS; l++)
		put_lproc(dir, l);
	for (unsigned p = 0; p < 2; p++)
		for (unsigned i = 0; i < NFUNCTIONS; i++)
			put_function(dir, p, i);
	tree_text(dir, "/run/empty", "");
	/* whoever the daemon becomes writes its dump here */
	assert_int_equal(chmod(dir, 01777), 0);
	return dir;
}

static int
open_msr(const char *dir, unsigned lproc)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/dev/cpu/%u/msr", dir, lproc);
	fd = open(path, O_RDWR);
	assert_true(fd >= 0);
	return fd;
}

uint64_t
stand_in_msr(const char *dir, unsigned lproc, uint32_t msr)
{
	int fd = open_msr(dir, lproc);
	uint64_t value;

	assert_int_equal(pread(fd, &value, 8, msr * 8), 8);
	close(fd);
	return value;
}

void
stand_in_set_msr(const char *dir, unsigned lproc, uint32_t msr, uint64_t value)
{
	int fd = open_msr(dir, lproc);

	assert_int_equal(pwrite(fd, &value, 8, msr * 8), 8);
	close(fd);
}

void
stand_in_msr_gone(const char *dir, unsigned lproc, uint32_t msr)
{
	int fd = open_msr(dir, lproc);

	assert_int_equal(ftruncate(fd, msr * 8), 0);
	close(fd);
}

void
stand_in_pci(const char *dir, const char *function, uint32_t value)
{
	uint32_t dword[CONFIG_SIZE / 4];
	char path[512];
	int fd;

	for (unsigned d = 0; d < CONFIG_SIZE / 4; d++)
		dword[d] = value;
	snprintf(path, sizeof(path), "%s/sys/bus/pci/devices/%s/config", dir,
	    function);
	fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, dword, sizeof(dword)), sizeof(dword));
	close(fd);
}

#define SAVED (STAND_IN_LPROCS * MSRS * 8 + 2 * NFUNCTIONS * CONFIG_SIZE)
const size_t stand_in_saved = SAVED;

/* Name the register at a byte of what stand_in_save returns. */
static const char *
register_at(size_t at, char *buf, size_t size)
{
	size_t config = at - STAND_IN_LPROCS * MSRS * 8;
	size_t i = config / CONFIG_SIZE;

	if (at < STAND_IN_LPROCS * MSRS * 8)
		snprintf(buf, size, "msr 0x%zx of lproc %zu",
		    at / 8 % MSRS, at / 8 / MSRS);
	else
		snprintf(buf, size, "pci %02x:%02x.%x register 0x%zx",
		    bus[i / NFUNCTIONS][functions[i % NFUNCTIONS].role],
		    functions[i % NFUNCTIONS].devfn >> 3,
		    functions[i % NFUNCTIONS].devfn & 7,
		    config % CONFIG_SIZE & ~3ul);
	return buf;
}

uint8_t *
stand_in_save(const char *dir)
{
	uint8_t *all = malloc(SAVED), *at = all;
	char path[512];

	assert_non_null(all);
	for (unsigned l = 0; l < STAND_IN_LPROCS; l++, at += MSRS * 8) {
		int fd = open_msr(dir, l);

		assert_int_equal(read(fd, at, MSRS * 8), MSRS * 8);
		close(fd);
	}
	for (unsigned i = 0; i < 2 * NFUNCTIONS; i++, at += CONFIG_SIZE) {
		int devfn = functions[i % NFUNCTIONS].devfn, fd;

		snprintf(path, sizeof(path), "%s/sys/bus/pci/devices/"
		    "0000:%02x:%02x.%x/config", dir,
		    bus[i / NFUNCTIONS][functions[i % NFUNCTIONS].role],
		    devfn >> 3, devfn & 7);
		fd = open(path, O_RDONLY);
		assert_true(fd >= 0);
		assert_int_equal(read(fd, at, CONFIG_SIZE), CONFIG_SIZE);
		close(fd);
	}
	return all;
}

void
stand_in_same(const char *dir, const uint8_t *before, const char *what)
{
	uint8_t *now = stand_in_save(dir);
	char text[64];

	for (size_t i = 0; i < SAVED; i++)
		if (now[i] != before[i])
			fail_msg("%s: %s is not as found", what,
			    register_at(i, text, sizeof(text)));
	free(now);
}

const char *
in_dir(const char *dir, const char *name, char *buf)
{
	snprintf(buf, 512, "%s/%s", dir, name);
	return buf;
}

void
with_shim(void)
{
	char shim[512];

	setenv("LD_PRELOAD", built("tests/msr_shim.so", shim), 1);
	/* the shim is no part of the sanitized program; nor may the
	 * sanitizer's own exit code pass for the daemon's, nor can it look
	 * for leaks behind the filter of system calls */
	setenv("ASAN_OPTIONS", "verify_asan_link_order=0:exitcode=99:"
	    "detect_leaks=0", 1);
}

_Noreturn void
tallyd_exec(const char *dir, const char *env, const char *const *args)
{
	char tallyd[512], dump[512], store[512];
	const char *argv[40] = { "tallyd", "--root", dir, "--overwrite", "-o",
	    in_dir(dir, "dump.lua", dump), "--store",
	    in_dir(dir, "store", store) };
	unsigned n = 8;
	int fd;

	while (*args != NULL && n < 39)
		argv[n++] = *args++;
	argv[n] = NULL;
	with_shim();
	if (env != NULL)
		putenv((char *)(uintptr_t)env);
	fd = open(in_dir(dir, "log", (char[512]){ 0 }), O_WRONLY | O_CREAT |
	    O_APPEND, 0666);
	dup2(fd, 1);
	dup2(fd, 2);
	signal(SIGHUP, SIG_DFL);        /* the tests may run under nohup */
	execv(built("tallyd", tallyd), (char **)(uintptr_t)argv);
	_exit(127);
}

pid_t
tallyd_start(const char *dir, const char *env, const char *const *args)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		/* however the test ends */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		tallyd_exec(dir, env, args);
	}
	return pid;
}

int
tallyd_wait(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int
tallyd_run(const char *dir, const char *env, const char *const *args)
{
	return tallyd_wait(tallyd_start(dir, env, args));
}

static uint64_t
rows_of(const char *dir)
{
	struct store *st;
	char path[512];
	uint64_t rows;

	if (store_open(&st, in_dir(dir, "store", path), NULL) < 0)
		return 0;
	rows = store_rows(st);
	store_close(st);
	return rows;
}

/* A child of this process that has ended, and that nobody has waited for. */
static bool
somebody_ended(void)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    info.si_pid != 0;
}

void
tallyd_rows(const char *dir, uint64_t n)
{
	bool ended = false;

	wait_until(rows_of(dir) >= n || (ended = somebody_ended()));
	if (ended && rows_of(dir) < n)
		tallyd_failed(dir, "a daemon that was to sample", 0);
}

static char *
log_text(const char *dir, char *text, size_t size)
{
	char path[512];
	int fd = open(in_dir(dir, "log", path), O_RDONLY);
	ssize_t n = fd >= 0 ? read(fd, text, size - 1) : -1;

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

bool
tallyd_kept_quiet(const char *dir, const char *words)
{
	char text[65536];

	if (strstr(log_text(dir, text, sizeof(text)), words) == NULL)
		return true;
	print_message("said: \"%s\"; all of it:\n%s", words, text);
	return false;
}

bool
tallyd_said(const char *dir, const char *words)
{
	char text[65536];

	if (strstr(log_text(dir, text, sizeof(text)), words) != NULL)
		return true;
	print_message("not said: \"%s\"; said was:\n%s", words, text);
	return false;
}

void
tallyd_failed(const char *dir, const char *what, int status)
{
	char text[65536];

	fail_msg("%s: exit status %d; tallyd said:\n%s", what, status,
	    log_text(dir, text, sizeof(text)));
}

static void
write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd >= 0 && write(fd, text, strlen(text)) < 0)
		print_message("%s: %s\n", path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

bool
small_tmpfs(const char *dir, const char *name, unsigned kib)
{
	char path[512], size[32], map[32];
	unsigned uid = getuid(), gid = getgid();

	mkdir(in_dir(dir, name, path), 0777);
	snprintf(size, sizeof(size), "size=%uk", kib);
	if (mount("none", path, "tmpfs", 0, size) == 0)
		return true;
	/* without root: root of a user namespace of one's own */
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return false;
	write_to("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "0 %u 1", uid);
	write_to("/proc/self/uid_map", map);
	snprintf(map, sizeof(map), "0 %u 1", gid);
	write_to("/proc/self/gid_map", map);
	return mount("none", path, "tmpfs", 0, size) == 0;
}
