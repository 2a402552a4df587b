/*
 * regs/linux/linux_pci.c - PCI config space: the ECAM window through /dev/mem, a
 * function at a time; sysfs config files where that is denied, as stock
 * kernels do without iomem=relaxed.
 */
#include "regs/linux/linux.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Looks once where the ECAM windows are. */
static void
find_windows(struct linux_access *la)
{
	if (!la->ecam_known)
		mcfg_load(&la->mcfg, &la->acc);
	la->ecam_known = true;
}

/* Opens the config file of a function, to write as well where that is allowed; *denied:
 * why it is not.  Returns the descriptor, or -errno: -ENODEV where there is no such
 * function. */
static int
open_sysfs(struct linux_access *la, uint32_t unit, int *denied)
{
	char path[128], buf[640];
	int fd;

	snprintf(path, sizeof(path),
	    "/sys/bus/pci/devices/%04x:%02x:%02x.%x/config", unit >> 16,
	    unit >> 8 & 0xff, unit >> 3 & 0x1f, unit & 7);
	host_path(&la->acc, path, buf, sizeof(buf));
	fd = open(buf, (la->sealed ? O_RDONLY : O_RDWR) | O_CLOEXEC);
	*denied = 0;
	if (fd < 0 && (errno == EACCES || errno == EROFS)) {
		*denied = errno;
		fd = open(buf, O_RDONLY | O_CLOEXEC);
	}
	return fd >= 0 ? fd : errno == ENOENT ? -ENODEV : -errno;
}

/* Maps a function's page of the ECAM window, or else opens its config file.  Returns 0 or
 * -errno. */
static int
open_function(struct linux_access *la, uint32_t unit, struct mapping *p)
{
	int err = -ENODEV;

	find_windows(la);
	for (unsigned i = 0; i < la->mcfg.n && la->mem_errno == 0; i++) {
		struct ecam *e = &la->mcfg.ecam[i];
		unsigned bus = unit >> 8 & 0xff;

		if (e->seg != unit >> 16 || bus < e->first_bus ||
		    bus > e->last_bus)
			continue;
		p->map = linux_mem_map(la, e->base +
		    ((uint64_t)(unit & 0xffff) << 12), &err);
		/* -ENODEV: this function alone */
		if (p->map == NULL && err != -ENODEV)
			la->mem_errno = -err;
	}
	if (p->map == NULL && (p->fd = open_sysfs(la, unit, &p->denied)) < 0)
		err = p->fd;
	return p->map != NULL || p->fd >= 0 ? 0 : err;
}

int
linux_pci_open(struct linux_access *la, uint32_t unit, struct mapping **page)
{
	struct mapping *p = linux_page(la, ((uint64_t)unit + 1) << 1);
	int rc;

	if (p == NULL)
		return -ENOMEM;
	*page = p;
	if (p->map != NULL || p->fd >= 0)
		return 0;
	pthread_mutex_lock(&la->opening);
	rc = open_function(la, unit, p);
	pthread_mutex_unlock(&la->opening);
	return rc;
}

/* Finds the function of an aligned dword, and opens it if need be.  Returns 0 or
 * -errno. */
static int
pci_at(struct linux_access *la, const struct reg_addr *addr, struct mapping **p)
{
	if (addr->offset % 4 != 0 || addr->offset > 4092 || addr->bytes != 4)
		return -EINVAL;
	return linux_pci_open(la, addr->unit, p);
}

int
linux_pci_read(struct linux_access *la, const struct reg_addr *addr,
    uint64_t *raw)
{
	struct mapping *p;
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

/*
 * The kernel reads a range of a config file dword by dword, each an aligned
 * access of 32 bits (drivers/pci/access.c and pci-sysfs.c, pci_read_config):
 * to the function it is the same as one read after the other.
 */
int
linux_pci_dwords(struct access *acc, const struct reg_addr *addr,
    uint32_t *value, unsigned n)
{
	struct linux_access *la = (struct linux_access *)acc;
	struct mapping *p;
	ssize_t got;
	int rc;

	if (addr->offset % 4 != 0 || addr->offset + 4ull * n > 4096)
		return -EINVAL;
	if ((rc = linux_pci_open(la, addr->unit, &p)) < 0)
		return rc;
	if (p->map != NULL)
		return -ENOTSUP;        /* a load is cheaper than a call */
	got = pread(p->fd, value, 4ul * n, (off_t)addr->offset);
	return got == (ssize_t)(4ul * n) ? 0 : got < 0 ? -errno : -EACCES;
}

int
linux_pci_write(struct linux_access *la, const struct reg_addr *addr,
    uint64_t raw)
{
	uint32_t value = (uint32_t)raw;
	struct mapping *p;
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
	/* EBADF: the descriptor is read-only */
	return n >= 0 ? -EACCES : errno != EBADF ? -errno : p->denied != 0 ?
	    -p->denied : -EACCES;
}

int
linux_pci_writable(struct linux_access *la, uint32_t unit)
{
	struct mapping *p;
	int rc = linux_pci_open(la, unit, &p);

	return rc < 0 ? rc : p->map != NULL ? 0 : -p->denied;
}

const char *
linux_pci_note(struct linux_access *la)
{
	struct mapping *page;

	find_windows(la);
	/* the kernel may deny the window: only an attempt shows it */
	if (la->mcfg.n > 0 && la->mem_errno == 0)
		linux_pci_open(la, PCI_UNIT(la->mcfg.ecam[0].seg,
		    la->mcfg.ecam[0].first_bus, 0), &page);
	if (la->mcfg.n == 0)
		snprintf(la->note, sizeof(la->note), "sysfs config files (no "
		    "ECAM window: neither an ACPI MCFG table nor /proc/iomem "
		    "has one)");
	else if (la->mem_errno != 0)
		snprintf(la->note, sizeof(la->note), "sysfs config files, two "
		    "system calls a counter: /dev/mem: %s; boot with "
		    "iomem=relaxed to map the window",
		    strerror(la->mem_errno));
	else
		snprintf(la->note, sizeof(la->note), "ECAM window at 0x%" PRIx64
		    " through /dev/mem (%s)", la->mcfg.ecam[0].base,
		    la->mcfg.source);
	return la->note;
}
