/*
 * regs/linux_pci.c - PCI config space: the ECAM window through /dev/mem, a
 * function at a time; sysfs config files where that is denied, as stock
 * kernels do without iomem=relaxed.
 */
#include "regs/linux_int.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MCFG_DIR "/sys/firmware/acpi/tables"
#define MCFG_HEAD 44            /* ACPI header of 36 bytes, 8 reserved */
#define MCFG_RECORD 16

static void
add_ecam(struct linux_access *la, uint64_t base, unsigned seg, unsigned first,
    unsigned last)
{
	if (la->necam < MAX_SEGMENTS && base != 0 && first <= last &&
	    last <= 0xff)
		la->ecam[la->necam++] = (struct ecam){ base, seg, first, last };
}

/* Called for each ACPI table; its name can carry a suffix ("MCFG1"). */
static void
try_mcfg(void *ctx, const char *name)
{
	struct linux_access *la = ctx;
	uint8_t buf[MCFG_HEAD + MCFG_RECORD * MAX_SEGMENTS];
	char path[384];
	ssize_t n;
	uint32_t length;

	if (strncmp(name, "MCFG", 4) != 0 || la->necam > 0)
		return;
	snprintf(path, sizeof(path), MCFG_DIR "/%.255s", name);
	n = la->acc.ops->file(&la->acc, path, 0, buf, sizeof(buf));
	if (n < MCFG_HEAD || memcmp(buf, "MCFG", 4) != 0)
		return;
	memcpy(&length, buf + 4, sizeof(length));
	if (length < (uint64_t)n)
		n = length;
	for (uint8_t *r = buf + MCFG_HEAD; r + MCFG_RECORD <= buf + n;
	    r += MCFG_RECORD) {
		uint64_t base;
		uint16_t seg;

		memcpy(&base, r, sizeof(base));
		memcpy(&seg, r + 8, sizeof(seg));
		add_ecam(la, base, seg, r[10], r[11]);
	}
	snprintf(la->ecam_source, sizeof(la->ecam_source), "ACPI %.32s", name);
}

/* "b0000000-bfffffff : PCI MMCONFIG 0000 [bus 00-ff]"; kernels from 6.8 on
 * write "PCI ECAM".  The range starts at the first bus, not at bus 0. */
static void
try_iomem(struct linux_access *la)
{
	char path[640], line[256];
	FILE *f = fopen(linux_path(la, "/proc/iomem", path, sizeof(path)), "re");

	if (f == NULL)
		return;
	while (fgets(line, sizeof(line), f) != NULL) {
		uint64_t start, end;
		unsigned seg, first, last;
		char *what = strstr(line, "PCI MMCONFIG ");

		if (what == NULL && (what = strstr(line, "PCI ECAM ")) == NULL)
			continue;
		if (sscanf(line, " %" SCNx64 "-%" SCNx64, &start, &end) == 2 &&
		    sscanf(strchr(what + 4, ' '), " %x [bus %x-%x]", &seg,
		    &first, &last) == 3 && start != 0)
			add_ecam(la, start - ((uint64_t)first << 20), seg,
			    first, last);
	}
	fclose(f);
	strcpy(la->ecam_source, "/proc/iomem");
}

void
linux_ecam_find(struct linux_access *la)
{
	if (la->ecam_known)
		return;
	la->ecam_known = true;
	la->acc.ops->list(&la->acc, MCFG_DIR, try_mcfg, la);
	if (la->necam == 0)
		try_iomem(la);
}

static int
open_sysfs(struct linux_access *la, uint32_t unit)
{
	char path[128], buf[640];
	int fd;

	snprintf(path, sizeof(path),
	    "/sys/bus/pci/devices/%04x:%02x:%02x.%x/config", unit >> 16,
	    unit >> 8 & 0xff, unit >> 3 & 0x1f, unit & 7);
	linux_path(la, path, buf, sizeof(buf));
	if ((fd = open(buf, O_RDWR | O_CLOEXEC)) < 0 && errno == EACCES)
		fd = open(buf, O_RDONLY | O_CLOEXEC);
	return fd >= 0 ? fd : errno == ENOENT ? -ENODEV : -errno;
}

int
linux_pci_open(struct linux_access *la, uint32_t unit, struct page **page)
{
	struct page *p = linux_page(la, ((uint64_t)unit + 1) << 1);
	int err = -ENODEV;

	if (p == NULL)
		return -ENOMEM;
	*page = p;
	if (p->map != NULL || p->fd >= 0)
		return 0;
	linux_ecam_find(la);
	for (unsigned i = 0; i < la->necam && la->mem_errno == 0; i++) {
		struct ecam *e = &la->ecam[i];
		unsigned bus = unit >> 8 & 0xff;

		if (e->seg == unit >> 16 && bus >= e->first_bus &&
		    bus <= e->last_bus)
			p->map = linux_mem_map(la, e->base +
			    ((uint64_t)(unit & 0xffff) << 12), &err);
	}
	if (p->map == NULL && (p->fd = open_sysfs(la, unit)) < 0)
		err = p->fd;
	return p->map != NULL || p->fd >= 0 ? 0 : err;
}

/* The function that holds an aligned dword. */
static int
pci_at(struct linux_access *la, const struct reg_addr *addr, struct page **p)
{
	if (addr->offset % 4 != 0 || addr->offset > 4092 || addr->bytes != 4)
		return -EINVAL;
	return linux_pci_open(la, addr->unit, p);
}

int
linux_pci_read(struct linux_access *la, const struct reg_addr *addr,
    uint64_t *raw)
{
	struct page *p;
	uint32_t value;
	ssize_t n;
	int rc;

	if ((rc = pci_at(la, addr, &p)) < 0)
		return rc;
	if (p->map != NULL) {
		*raw = *(volatile uint32_t *)(p->map + addr->offset);
		return 0;
	}
	n = pread(p->fd, &value, sizeof(value), (off_t)addr->offset);
	if (n != sizeof(value))         /* 0: only the first 64 or 256 bytes */
		return n < 0 ? -errno : -EACCES;
	*raw = value;
	return 0;
}

int
linux_pci_write(struct linux_access *la, const struct reg_addr *addr,
    uint64_t raw)
{
	uint32_t value = (uint32_t)raw;
	struct page *p;
	ssize_t n;
	int rc;

	if ((rc = pci_at(la, addr, &p)) < 0)
		return rc;
	if (p->map != NULL) {
		*(volatile uint32_t *)(p->map + addr->offset) = value;
		return 0;
	}
	n = pwrite(p->fd, &value, sizeof(value), (off_t)addr->offset);
	if (n == sizeof(value))
		return 0;
	return n < 0 ? (errno == EBADF ? -EACCES : -errno) : -EACCES;
}

const char *
linux_pci_note(struct linux_access *la)
{
	struct page *page;

	linux_ecam_find(la);
	/* the kernel may deny the window: only trying tells */
	if (la->necam > 0 && la->mem_errno == 0)
		linux_pci_open(la, PCI_UNIT(la->ecam[0].seg,
		    la->ecam[0].first_bus, 0), &page);
	if (la->necam == 0)
		snprintf(la->note, sizeof(la->note), "sysfs config files (no "
		    "ECAM window: neither an ACPI MCFG table nor /proc/iomem "
		    "tells one)");
	else if (la->mem_errno != 0)
		snprintf(la->note, sizeof(la->note), "sysfs config files, two "
		    "system calls a counter: /dev/mem: %s; boot with "
		    "iomem=relaxed to map the window",
		    strerror(la->mem_errno));
	else
		snprintf(la->note, sizeof(la->note), "ECAM window at 0x%" PRIx64
		    " through /dev/mem (%s)", la->ecam[0].base,
		    la->ecam_source);
	return la->note;
}
