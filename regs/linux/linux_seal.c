/*
 * regs/linux/linux_seal.c - to go on without a descriptor or a mapping that
 * could write a register.
 *
 * A shared mapping of a descriptor that can write can be made writable at any
 * time, so protection alone is not enough: all are opened and mapped anew, to
 * read.  What cannot be opened now (an lproc that is offline) is given up.
 */
#include "regs/linux/linux_int.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* The page of a key, mapped or opened again as linux_page's users do. */
static int
open_page(struct linux_access *la, struct mapping *p)
{
	struct mapping *same;
	int err = 0;

	if (!(p->key & 1))
		return linux_pci_open(la, (uint32_t)((p->key >> 1) - 1), &same);
	p->map = linux_mem_map(la, p->key & ~1ull, &err);
	return p->map != NULL ? 0 : err;
}

int
linux_seal(struct access *acc)
{
	struct linux_access *la = (struct linux_access *)acc;
	int rc, first = 0;

	la->sealed = true;
	for (unsigned i = 0; i < MAX_LPROCS; i++) {
		if (la->msr_fd[i] < 0)
			continue;
		close(la->msr_fd[i]);
		la->msr_fd[i] = -1;
		rc = linux_msr_open(la, i);
		if (rc < 0 && rc != -ENXIO && rc != -ENOENT && first == 0)
			first = rc;
	}
	if (la->mem_fd >= 0)
		close(la->mem_fd);
	la->mem_fd = -1;
	for (unsigned i = 0; i < MAX_PAGES; i++) {
		struct mapping *p = &la->page[i];

		if (p->key == 0 || (p->map == NULL && p->fd < 0))
			continue;
		if (p->map != NULL)
			munmap((void *)(uintptr_t)p->map, 4096);
		if (p->fd >= 0)
			close(p->fd);
		p->map = NULL;
		p->fd = -1;
		if ((rc = open_page(la, p)) < 0 && first == 0)
			first = rc;
	}
	return first;
}
