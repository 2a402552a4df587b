/*
 * lib/release.c - memory that a start has used and what follows does not need.
 */
#include "lib/release.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Pages of a file that nobody writes to have no other contents. */
static int
unmap_constants(struct dl_phdr_info *object, size_t size, void *page_size)
{
	uintptr_t page = *(const uintptr_t *)page_size;

	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &object->dlpi_phdr[i];
		uintptr_t from = object->dlpi_addr + h->p_vaddr;
		uintptr_t to = (from + h->p_filesz) & ~(page - 1);

		from = (from + page - 1) & ~(page - 1);
		if (h->p_type == PT_LOAD && !(h->p_flags & PF_W) && to > from)
			madvise((void *)from, to - from, MADV_DONTNEED);
	}
	return 0;
}

void
memory_release(void)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

#ifdef __GLIBC__
	malloc_trim(0);
#endif
	dl_iterate_phdr(unmap_constants, &page);
}
