/*
 * tests/fuzz/fuzz_devfile.c - any bytes as what the device files of a node hold: an
 * msr device, a PCI function's config, a port's counter, the firmware's table
 * of windows, read through the linux method from a folder in memory.  A value or
 * an error, of the width that was asked for.  With libFuzzer; seeds in
 * seeds/devfile.
 *
 * Two or three thousand a second: the kernel has some fifty calls to do, for
 * four files that are written, opened and read.
 */
#include "regs/linux/linux.h"
#include "regs/perf.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FILES 4
static const char *const files[FILES] = {
	"/dev/cpu/0/msr", "/sys/bus/pci/devices/0000:17:00.0/config",
	"/sys/class/infiniband/a/ports/1/counters/port_rcv_data",
	"/sys/firmware/acpi/tables/MCFG",
};
static char root[] = "/dev/shm/fuzz_devfile.XXXXXX";

static void
forget(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	if (system(command) != 0)
		perror(root);
}

static void
make_files(int fd[FILES])
{
	if (mkdtemp(root) == NULL)
		abort();
	atexit(forget);
	for (unsigned i = 0; i < FILES; i++) {
		char path[256];

		snprintf(path, sizeof(path), "%s%s", root, files[i]);
		for (char *p = path + sizeof(root); (p = strchr(p, '/'));
		    p++) {
			*p = '\0';
			mkdir(path, 0700);
			*p = '/';
		}
		if ((fd[i] = open(path, O_RDWR | O_CREAT, 0600)) < 0)
			abort();
	}
}

/* A quarter of the bytes each. */
static void
fill(const int fd[FILES], const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < FILES; i++) {
		size_t from = size * i / FILES, n = size * (i + 1) / FILES -
		    from;

		if (ftruncate(fd[i], 0) < 0 || pwrite(fd[i], data + from, n,
		    0) != (ssize_t)n)
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd[FILES] = { -1 };
	const uint32_t pci = PCI_UNIT(0, 0x17, 0);
	struct reg_addr addr[] = {
		{ REG_MSR, 8, 0, 0x10 }, { REG_MSR, 8, 0, 0 },
		{ REG_MSR, 8, 1, 0x10 }, { REG_PCI, 4, pci, 0 },
		{ REG_PCI, 8, pci, 4 }, { REG_PCI, 4, pci, 4092 },
		{ REG_PCI, 4, pci, 4096 }, { REG_PCI, 4, pci, 2 },
		{ REG_PCI, 4, pci + 1, 0 }, { REG_TEXT, 8, 0, 0 },
	};
	struct access *acc;
	struct diag why;
	uint64_t raw;
	int text;

	if (fd[0] < 0)
		make_files(fd);
	fill(fd, data, size);
	if (linux_open(&acc, root, &why) < 0)
		abort();
	text = access_text(acc, files[2]);
	for (size_t i = 0; i < sizeof(addr) / sizeof(addr[0]); i++) {
		if (addr[i].space == REG_TEXT && text < 0)
			abort();
		access_map(acc, &addr[i]);
		if (access_read(acc, &addr[i], &raw) == 0 &&
		    addr[i].bytes == 4 && raw > UINT32_MAX)
			abort();
	}
	access_note(acc, REG_PCI);
	access_close(acc);
	return 0;
}
