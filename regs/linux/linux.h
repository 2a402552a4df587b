/*
 * regs/linux/linux.h - the backend for real nodes.
 */
#ifndef REGS_LINUX_LINUX_H
#define REGS_LINUX_LINUX_H

#include "lib/diag.h"
#include "regs/access.h"
#include "regs/host.h"
#include "regs/mcfg.h"
#include "regs/perf.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/*
 * linux_open - registers through /dev/cpu/N/msr, /dev/mem and sysfs, all below
 * `root` ("/" for the node itself; a directory tree can stand in for one).
 *
 * Opens nothing yet but raises RLIMIT_NOFILE as far as it may go, since every
 * lproc's msr device stays open.  Returns 0 or -errno.
 */
int linux_open(struct access **, const char *root, struct diag *why);

/*
 * What follows is for regs/linux/ alone.  A file calls those above it in this list,
 * never one below.
 *
 * linux_mem.c   physical memory
 * linux_msr.c   MSRs, one or many in a call
 * linux_pci.c   PCI config space
 * linux_perf.c  events that the kernel counts; their counters, read directly
 * linux.c       the method of access: dispatches reads and writes; text files;
 *               giving up everything that could write a register
 */

#define MAX_TEXT 256
#define MAX_PAGES 4096          /* power of two; PCI functions and MMIO pages */

/* A PCI function or a page of MMIO. */
struct mapping {
	uint64_t key;
	volatile uint8_t *map;          /* through /dev/mem, or NULL: */
	int fd;                         /* the function's sysfs config file */
	int denied;                     /* why that is open to read alone: an errno; 0 */
};

struct batch;
struct perf_handle;
struct perf_group;

/* Large, and nearly all of it 0: what is not used takes no memory. */
struct linux_access {
	struct access acc;
	char root[512];
	/* Around what opens and maps: all of that is done before threads read,
	 * but what could not be is tried again. */
	pthread_mutex_t opening;
	bool sealed;                    /* from now on opened to read alone */
	atomic_int msr_fd[MAX_LPROCS];  /* descriptor + 1; 0: not opened */
	int text_fd[MAX_TEXT];
	unsigned ntext;
	struct mapping page[MAX_PAGES * 3 / 4];
	unsigned npage;
	atomic_ushort page_at[MAX_PAGES];       /* by hash of the key: into page, + 1;
	                                         * 0: free */
	int mem_fd;                     /* /dev/mem; -1 not opened */
	int mem_errno;                  /* why /dev/mem or the PCI window is denied */
	bool ecam_known;                /* the MCFG was looked for */
	struct mcfg mcfg;
	char note[256];
	struct batch *batch;            /* linux_msr.c; NULL: not prepared */
	struct perf_handle **perf;      /* linux_perf.c */
	unsigned nperf;
	bool direct;                    /* pages of events are mapped, and */
	struct perf_msrs msrs;          /* their counters are these registers */
	/* The thread that was moved to each lproc last, and is there alone. */
	atomic_uintptr_t visitor[MAX_LPROCS];
};

int linux_msr_read(struct linux_access *, const struct reg_addr *, uint64_t *);
int linux_msr_write(struct linux_access *, const struct reg_addr *, uint64_t);
int linux_msr_open(struct linux_access *, unsigned lproc);

int linux_pci_read(struct linux_access *, const struct reg_addr *, uint64_t *);
int linux_pci_write(struct linux_access *, const struct reg_addr *, uint64_t);
int linux_pci_dwords(struct access *, const struct reg_addr *, uint32_t *,
    unsigned n);
int linux_pci_open(struct linux_access *, uint32_t unit, struct mapping **);
int linux_pci_writable(struct linux_access *, uint32_t unit);
const char *linux_pci_note(struct linux_access *);

int linux_mmio_read(struct linux_access *, const struct reg_addr *, uint64_t *);
int linux_mmio_write(struct linux_access *, const struct reg_addr *, uint64_t);
/* linux_mem_map - 4 KiB of physical memory at phys; or NULL, *err = -errno. */
volatile uint8_t *linux_mem_map(struct linux_access *, uint64_t phys, int *err);

extern const struct batch_ops linux_batch;
void linux_batch_free(struct batch *);

extern const struct perf_ops linux_perf;
int linux_perf_read(struct linux_access *, const struct reg_addr *, uint64_t *);
/* linux_perf_note - how many groups are read where their counters are, once they
 * have been read; NULL: none is meant to be. */
const char *linux_perf_note(struct linux_access *);
void linux_perf_close(struct linux_access *);

/* linux_page - the slot of a key, taken if new; NULL when the table is full. */
struct mapping *linux_page(struct linux_access *, uint64_t key);

#endif
