/*
 * regs/linux/linux.c - the method for real nodes: which file answers which
 * space; numbers in text files, which it keeps open.
 */
#include "regs/linux/linux.h"

#include "lib/process.h"
#include "regs/sideband.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * To go on without a descriptor or a mapping that could write a register.
 *
 * A shared mapping of a descriptor that can write can be made writable at any
 * time, so protection alone is not enough: all are opened and mapped anew, to
 * read.  What cannot be opened now (an lproc that is offline) is given up.
 */

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

/* As access_ops.seal. */
static int
linux_seal(struct access *acc)
{
	struct linux_access *la = (struct linux_access *)acc;
	int rc, first = 0;

	la->sealed = true;
	for (unsigned i = 0; i < MAX_LPROCS; i++) {
		if (la->msr_fd[i] == 0)
			continue;
		close(la->msr_fd[i] - 1);
		la->msr_fd[i] = 0;
		rc = linux_msr_open(la, i);
		if (rc < 0 && rc != -ENXIO && rc != -ENOENT && first == 0)
			first = rc;
	}
	if (la->mem_fd >= 0)
		close(la->mem_fd);
	la->mem_fd = -1;
	for (unsigned i = 0; i < la->npage; i++) {
		struct mapping *p = &la->page[i];

		if (p->map == NULL && p->fd < 0)
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

static int
linux_text(struct access *acc, const char *path)
{
	struct linux_access *la = (struct linux_access *)acc;
	char full[640];
	int fd;

	if (la->ntext == MAX_TEXT)
		return -EMFILE;
	host_path(acc, path, full, sizeof(full));
	if ((fd = open(full, O_RDONLY | O_NONBLOCK | O_CLOEXEC)) < 0)
		return -errno;
	la->text_fd[la->ntext] = fd;
	return (int)la->ntext++;
}

static int
linux_text_read(struct linux_access *la, const struct reg_addr *addr,
    uint64_t *raw)
{
	char buf[32], *end;
	ssize_t n;

	if (addr->unit >= la->ntext)
		return -EINVAL;
	n = pread(la->text_fd[addr->unit], buf, sizeof(buf) - 1, 0);
	if (n <= 0)
		return n < 0 ? -errno : -EIO;
	buf[n] = '\0';
	*raw = strtoull(buf, &end, 0);
	return end == buf ? -EIO : 0;
}

static int
linux_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	struct linux_access *la = (struct linux_access *)acc;

	switch (addr->space) {
	case REG_MSR:
		return linux_msr_read(la, addr, raw);
	case REG_PCI:
		return linux_pci_read(la, addr, raw);
	case REG_MMIO:
		return linux_mmio_read(la, addr, raw);
	case REG_SIDEBAND:
		return acc->proxy != NULL ? acc->proxy->read(acc->proxy, addr,
		    raw) : sideband_read(acc, addr, raw);
	case REG_TEXT:
		return linux_text_read(la, addr, raw);
	case REG_PERF:
		return linux_perf_read(la, addr, raw);
	default:
		return -ENOTSUP;
	}
}

static unsigned
linux_read_many(struct access *acc, const struct reg_addr *addr, unsigned n,
    uint64_t *raw)
{
	unsigned absent = 0;

	for (unsigned i = 0; i < n; i++)
		if (linux_read(acc, &addr[i], &raw[i]) < 0) {
			raw[i] = ABSENT;
			absent++;
		}
	return absent;
}

static int
linux_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	struct linux_access *la = (struct linux_access *)acc;

	switch (addr->space) {
	case REG_MSR:
		return linux_msr_write(la, addr, raw);
	case REG_PCI:
		return linux_pci_write(la, addr, raw);
	case REG_MMIO:
		return linux_mmio_write(la, addr, raw);
	case REG_SIDEBAND:
		return sideband_write(acc, addr, raw);
	default:
		return -ENOTSUP;
	}
}

static int
linux_map(struct access *acc, const struct reg_addr *addr)
{
	struct linux_access *la = (struct linux_access *)acc;
	struct mapping *page;
	uint64_t raw;

	switch (addr->space) {
	case REG_MSR:
		return linux_msr_open(la, addr->unit);
	case REG_PCI:
		return linux_pci_open(la, addr->unit, &page);
	case REG_MMIO:
		return linux_mmio_read(la, addr, &raw);
	default:
		return 0;
	}
}

static int
linux_writable(struct access *acc, const struct reg_addr *addr)
{
	return addr->space == REG_PCI ? linux_pci_writable((struct
	    linux_access *)acc, addr->unit) : 0;
}

static int
linux_visit(struct access *acc, unsigned lproc)
{
	struct linux_access *la = (struct linux_access *)acc;
	int rc = lproc < MAX_LPROCS ? thread_bind(lproc) : -EINVAL;

	if (rc == 0)
		la->visitor[lproc] = (uintptr_t)pthread_self();
	return rc;
}

static const char *
linux_note(struct access *acc, enum reg_space space)
{
	return space == REG_PCI ? linux_pci_note((struct linux_access *)acc) :
	    space == REG_PERF ? linux_perf_note((struct linux_access *)acc) :
	    NULL;
}

static void
linux_close(struct access *acc)
{
	struct linux_access *la = (struct linux_access *)acc;

	for (unsigned i = 0; i < MAX_LPROCS; i++)
		if (la->msr_fd[i] != 0)
			close(la->msr_fd[i] - 1);
	for (unsigned i = 0; i < la->ntext; i++)
		close(la->text_fd[i]);
	for (unsigned i = 0; i < la->npage; i++) {
		if (la->page[i].map != NULL)
			munmap((void *)(uintptr_t)la->page[i].map, 4096);
		if (la->page[i].fd >= 0)
			close(la->page[i].fd);
	}
	if (la->mem_fd >= 0)
		close(la->mem_fd);
	linux_batch_free(la->batch);
	linux_perf_close(la);
	pthread_mutex_destroy(&la->opening);
	free(la);
}

static const struct access_ops linux_ops = {
	.name = "linux", .read = linux_read, .write = linux_write,
	.close = linux_close, .read_many = linux_read_many,
	.dwords = linux_pci_dwords, .map = linux_map,
	.writable = linux_writable, .seal = linux_seal, .visit = linux_visit,
	.text = linux_text, .note = linux_note, .batch = &linux_batch,
	.perf = &linux_perf,
};

/* Descriptors for thousands of lprocs; what is refused shows at open. */
static void
raise_nofile(void)
{
	struct rlimit rl;

	if (getrlimit(RLIMIT_NOFILE, &rl) < 0 || rl.rlim_cur >= MAX_LPROCS * 2)
		return;
	rl.rlim_cur = MAX_LPROCS * 2;
	if (rl.rlim_max < rl.rlim_cur) {
		struct rlimit more = { rl.rlim_cur, rl.rlim_cur };

		if (setrlimit(RLIMIT_NOFILE, &more) == 0)
			return;
		rl.rlim_cur = rl.rlim_max;
	}
	setrlimit(RLIMIT_NOFILE, &rl);
}

int
linux_open(struct access **acc, const char *root, struct diag *why)
{
	struct linux_access *la = calloc(1, sizeof(*la));
	size_t n = strlen(root);
	struct stat st;

	if (la == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	while (n > 0 && root[n - 1] == '/')
		n--;
	if (n >= sizeof(la->root)) {
		free(la);
		return diag_set(why, -ENAMETOOLONG, "--root: path too long");
	}
	if (stat(root, &st) < 0 || !S_ISDIR(st.st_mode)) {
		free(la);
		return diag_set(why, -ENOTDIR, "--root %s: it is no folder; it "
		    "stands for /, with dev, proc and sys in it", root);
	}
	memcpy(la->root, root, n);
	la->acc.ops = &linux_ops;
	la->acc.root = la->root;
	la->mem_fd = -1;
	pthread_mutex_init(&la->opening, NULL);
	raise_nofile();
	*acc = &la->acc;
	return 0;
}
