/*
 * regs/linux/linux_mem.c - physical memory through /dev/mem: MMIO, and the pages
 * that the PCI window is made of.
 */
#include "regs/linux/linux.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define PAGE 4096ull

/* Where the number of a key's page is, or would be: 0 there. */
static atomic_ushort *
linux_mem_slot_of(struct linux_access *la, uint64_t key)
{
	unsigned n, i = (unsigned)(key * 0x9e3779b97f4a7c15ull >> 40);

	while ((n = la->page_at[i % MAX_PAGES]) != 0 &&
	    la->page[n - 1].key != key)
		i++;
	return &la->page_at[i % MAX_PAGES];
}

struct mapping *
linux_page(struct linux_access *la, uint64_t key)
{
	atomic_ushort *at = linux_mem_slot_of(la, key);
	unsigned n = *at;

	if (n != 0)
		return &la->page[n - 1];
	pthread_mutex_lock(&la->opening);
	/* another thread may have taken it meanwhile */
	at = linux_mem_slot_of(la, key);
	if (*at == 0 && la->npage < MAX_PAGES * 3 / 4) {
		la->page[la->npage] = (struct mapping){ .key = key, .fd = -1 };
		*at = (unsigned short)++la->npage;
	}
	n = *at;
	pthread_mutex_unlock(&la->opening);
	return n != 0 ? &la->page[n - 1] : NULL;
}

volatile uint8_t *
linux_mem_map(struct linux_access *la, uint64_t phys, int *err)
{
	char buf[640];
	struct stat st;
	void *map;

	if (la->mem_fd < 0) {
		la->mem_fd = open(host_path(&la->acc, "/dev/mem", buf, sizeof(buf)),
		    (la->sealed ? O_RDONLY : O_RDWR) | O_SYNC | O_CLOEXEC);
		if (la->mem_fd < 0) {
			la->mem_errno = errno;
			*err = -errno;
			return NULL;
		}
	}
	/* A file that stands in for /dev/mem ends somewhere. */
	if (fstat(la->mem_fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (uint64_t)st.st_size < phys + PAGE) {
		*err = -ENODEV;
		return NULL;
	}
	map = mmap(NULL, PAGE, PROT_READ | (la->sealed ? 0 : PROT_WRITE),
	    MAP_SHARED, la->mem_fd, (off_t)phys);
	if (map == MAP_FAILED) {
		*err = -errno;
		return NULL;
	}
	return map;
}

/* Returns where an aligned register is mapped, and maps its page if need be; NULL, with
 * *err = -errno, where that fails.  MMIO keys are odd, PCI keys even. */
static volatile uint8_t *
mmio_at(struct linux_access *la, const struct reg_addr *addr, int *err)
{
	struct mapping *p;

	if (addr->offset % addr->bytes != 0) {
		*err = -EINVAL;
		return NULL;
	}
	if ((p = linux_page(la, (addr->offset & ~(PAGE - 1)) | 1)) == NULL) {
		*err = -ENOMEM;
		return NULL;
	}
	if (p->map == NULL) {
		pthread_mutex_lock(&la->opening);
		p->map = linux_mem_map(la, addr->offset & ~(PAGE - 1), err);
		pthread_mutex_unlock(&la->opening);
		if (p->map == NULL)
			return NULL;
	}
	return p->map + (addr->offset & (PAGE - 1));
}

int
linux_mmio_read(struct linux_access *la, const struct reg_addr *addr,
    uint64_t *raw)
{
	volatile uint8_t *at;
	int err;

	if ((at = mmio_at(la, addr, &err)) == NULL)
		return err;
	*raw = addr->bytes == 4 ? *(volatile uint32_t *)at :
	    *(volatile uint64_t *)at;
	return 0;
}

int
linux_mmio_write(struct linux_access *la, const struct reg_addr *addr,
    uint64_t raw)
{
	volatile uint8_t *at;
	int err;

	if ((at = mmio_at(la, addr, &err)) == NULL)
		return err;
	if (addr->bytes == 4)
		*(volatile uint32_t *)at = (uint32_t)raw;
	else
		*(volatile uint64_t *)at = raw;
	return 0;
}
