/*
 * regs/access.h - the one door to the hardware: registers, the files that
 * describe the node, and its clocks.
 *
 * Methods stand behind it: linux (regs/linux/linux.h) and sim, a machine in
 * memory (regs/sim/sim.h).  Everything else in the project sees only this.
 */
#ifndef REGS_ACCESS_H
#define REGS_ACCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The value of a register that could not be read.  All ones is what the bus
 * returns for a function that is not there, and what no counter reaches. */
#define ABSENT UINT64_MAX

enum reg_space {
	REG_NONE,
	REG_MSR,        /* unit: lproc               offset: MSR number */
	REG_PCI,        /* unit: PCI_UNIT()          offset: byte in config space */
	REG_MMIO,       /* unit: 0                   offset: physical address */
	REG_SIDEBAND,   /* unit: port << 8 | opcode  offset: register */
	REG_PERF,       /* unit: handle of access_perf_open  regs/perf.h */
	REG_TEXT,       /* unit: handle of access_text: a number in a file */
};

struct reg_addr {
	uint8_t space;          /* enum reg_space */
	uint8_t bytes;          /* 4 or 8; 8 in PCI space is two dwords */
	uint32_t unit;
	uint64_t offset;
};

#define PCI_UNIT(seg, bus, devfn) \
	((uint32_t)(seg) << 16 | (uint32_t)(bus) << 8 | (uint32_t)(devfn))
#define PCI_DEVFN(dev, fn) ((uint8_t)((dev) << 3 | (fn)))

/* One instant on every clock of the node, taken together. */
struct stamp {
	uint64_t tsc;           /* TSC counts */
	uint64_t real_ns;       /* CLOCK_REALTIME */
	uint64_t mono_ns;       /* CLOCK_MONOTONIC */
};

/* How well the wall clock is kept, as adjtimex(2) has it. */
struct clock_state {
	int state;              /* TIME_OK, TIME_INS ... TIME_ERROR: 0 to 5 */
	int64_t error_us, max_error_us;         /* estimated; at most */
};

struct perf_group;              /* regs/perf.h */
struct perf_msrs;               /* regs/perf_page.h */
struct stimulus;                /* regs/stimulus.h */
struct thread_ops;              /* regs/threads.h */

/* A register and what is to be written there. */
struct reg_value {
	struct reg_addr addr;
	uint64_t raw;
};

/* Another process, which may do what this one may not: write, and read what
 * takes a write to be read (the message bus); many writes in one question are
 * no more than ACCESS_MANY. */
#define ACCESS_MANY 128
struct access_proxy {
	int (*read)(struct access_proxy *, const struct reg_addr *,
	    uint64_t *raw);
	int (*write)(struct access_proxy *, const struct reg_addr *,
	    uint64_t raw);
	unsigned (*write_many)(struct access_proxy *,
	    const struct reg_value *, unsigned n);
};

struct pollfd;

struct access {
	const struct access_ops *ops;
	struct pollfd *wake;    /* [nwake] what ends a sleep, too; .revents */
	unsigned nwake;         /* says which */
	struct access_proxy *proxy;     /* NULL: this process writes itself */
	const char *root;       /* its files are below this folder; NULL: / */
	bool sideband;          /* sideband_unlock knows this SoC */
};

/*
 * A method of access: what each must have, and behind it what it may offer,
 * NULL where it does not.  A new one is a file with these and its open, and a
 * row of daemon/node/methods.c.
 *
 * All int functions return 0 (or a count, where said) or -errno.
 */
struct access_ops {
	const char *name;

	/* One bus access: 8 bytes in MSR and MMIO space, 4 in PCI space
	 * (access_read puts 64 bits together).  Errors: -EIO no such
	 * register, -ENXIO lproc offline, -EPERM refused by the kernel,
	 * -ENODEV no such function, -ENOTSUP not a space of this method. */
	int (*read)(struct access *, const struct reg_addr *, uint64_t *raw);
	int (*write)(struct access *, const struct reg_addr *, uint64_t raw);
	void (*close)(struct access *);

	/* Files and clocks of another node than the one that runs this. */
	const struct host_ops *host;
	/* It is made up, or recorded: nothing of this node is at stake. */
	bool simulated;

	/* n registers, each of one bus access, as read has them; ABSENT where one
	 * fails.  Returns how many did.  NULL: the same as n calls of read. */
	unsigned (*read_many)(struct access *, const struct reg_addr *,
	    unsigned n, uint64_t *raw);
	/* n aligned dwords of a PCI function's config space, from the one at
	 * addr on, in one call; NULL, or -ENOTSUP, where there is no call
	 * that is cheaper than one for each. */
	int (*dwords)(struct access *, const struct reg_addr *, uint32_t *,
	    unsigned n);
	/* Open or map whatever reading this address will need, so that the
	 * sampling loop need not. */
	int (*map)(struct access *, const struct reg_addr *);
	/* Go on without anything that could write a register: what is open or
	 * mapped is opened and mapped anew, to read; NULL: there is nothing to
	 * give up.  0, or -errno of the first that could not be. */
	int (*seal)(struct access *);
	/* Move the calling thread to an lproc, so that reads of it are local;
	 * -EINVAL where it may not run there. */
	int (*visit)(struct access *, unsigned lproc);
	/* Keep the file at path open; returns the unit of a REG_TEXT address. */
	int (*text)(struct access *, const char *path);
	/* How registers of a space are reached, and why no better way is taken,
	 * for --check; NULL where there is nothing to say. */
	const char *(*note)(struct access *, enum reg_space);
	/* Nothing is done on it: that work was done (regs/stimulus.h) is told. */
	int (*stimulate)(struct access *, const struct stimulus *);
	const struct batch_ops *batch;
	const struct perf_ops *perf;
};

/* A node's files and clocks. */
struct host_ops {
	/* The file at `path` ("/sys/..."; below the node's root), from byte
	 * `offset`: bytes read, at most size. */
	ssize_t (*file)(struct access *, const char *path, uint64_t offset,
	    void *buf, size_t size);
	/* Call each() for every entry of a directory, "." and ".." aside. */
	int (*list)(struct access *, const char *dir,
	    void (*each)(void *ctx, const char *name), void *ctx);
	/* What the symbolic link at `path` says, NUL-ended: its length; NULL:
	 * links are not known. */
	int (*link)(struct access *, const char *path, char *buf, size_t size);
	/* How well the wall clock is kept; NULL: that is not known. */
	int (*kept)(struct access *, struct clock_state *);
	/* Now, on all clocks. */
	void (*now)(struct access *, struct stamp *);
	/* Sleep until mono_ns with the signals of `unblocked` let in: 0 when
	 * the time has come, -EINTR when a signal was handled first, or one of
	 * access->wake had something to say. */
	int (*sleep)(struct access *, uint64_t mono_ns,
	    const sigset_t *unblocked);
	/* The TSC alone, at the least cost; NULL: use now. */
	uint64_t (*tsc)(struct access *);
	/* Let time pass in sleep alone, without waiting; NULL: it cannot. */
	void (*hurry)(struct access *, bool on);
	/* Many threads of one process; NULL: it knows one alone. */
	const struct thread_ops *threads;
};

/* Many MSRs in one go: say once which, then read them as often as wanted,
 * ABSENT where one fails; below 0 where none was read, as when an lproc is
 * offline.  -ENOENT: its driver is not loaded. */
struct batch_ops {
	int (*prepare)(struct access *, const struct reg_addr *, unsigned n);
	int (*read)(struct access *, uint64_t *raw);
};

struct perf_ops {
	/* Open groups of events (regs/perf.h), all of the same members, and let
	 * them count: the handle that is the unit of their PERF addresses,
	 * where their counts are added up.  On an error *bad is the member
	 * that was refused. */
	int (*open)(struct access *, const struct perf_group *, unsigned n,
	    unsigned *bad);
	/* Close the handle that was opened last. */
	void (*drop)(struct access *, unsigned handle);
	/* From now on read what is opened where its counters are, as far as
	 * the kernel says which (regs/perf_page.h); NULL: there is no way. */
	int (*direct)(struct access *, const struct perf_msrs *);
};

/* What a method offers; -ENOTSUP where it does not.  access_map returns 0:
 * then nothing has to be prepared. */
int access_map(struct access *, const struct reg_addr *);
int access_visit(struct access *, unsigned lproc);
int access_text(struct access *, const char *path);
const char *access_note(struct access *, enum reg_space);
int access_batch_prepare(struct access *, const struct reg_addr *, unsigned n);
int access_batch_read(struct access *, uint64_t *raw);
int access_perf_open(struct access *, const struct perf_group *, unsigned n,
    unsigned *bad);
void access_perf_drop(struct access *, unsigned handle);
int access_perf_direct(struct access *, const struct perf_msrs *);

/* The node's files and clocks, as in struct host_ops. */
ssize_t access_file(struct access *, const char *path, uint64_t offset,
    void *buf, size_t size);
int access_list(struct access *, const char *dir,
    void (*each)(void *ctx, const char *name), void *ctx);
int access_link(struct access *, const char *path, char *buf, size_t size);
int access_clock(struct access *, struct clock_state *);
void access_now(struct access *, struct stamp *);
int access_sleep(struct access *, uint64_t mono_ns, const sigset_t *unblocked);
/* access_hurry - false: its time is real, and cannot be hurried. */
bool access_hurry(struct access *, bool on);

/*
 * access_read - one register, whole.
 *
 * raw    out: its value; ABSENT when it could not be read
 *
 * A 64-bit register in PCI space is read as high, low, high again, until the
 * two readings of the high half agree: the halves of a running counter are
 * two bus accesses, and the low one may wrap between them (reference:
 * intel-server-pmon.md section 1, ECAM width rule).
 *
 * Counters of one function that are near each other (access_read_block) are
 * read together where the method can: all halves, and all of them again; the
 * last low half belongs to a high half that is the same in both.
 * Returns 0 or -errno.
 */
int access_read(struct access *, const struct reg_addr *, uint64_t *raw);

/* access_write - one register, whole (64 bits in PCI space: high, then low).
 * Returns 0 or -errno. */
int access_write(struct access *, const struct reg_addr *, uint64_t raw);

/* access_write_many - n registers, in their order, at most ACCESS_MANY.  Returns
 * how many could not be written. */
unsigned access_write_many(struct access *, const struct reg_value *,
    unsigned n);

/* access_on_bus - is it in PCI config space or in memory? */
bool access_on_bus(const struct reg_addr *);

/*
 * access_read_counter - as access_read, of a counter: one of a PCI function or in memory
 * that reads all ones, or ffffffff, is read again, and fails (-ENODATA) where that
 * stays: its unit does not answer.
 */
int access_read_counter(struct access *, const struct reg_addr *addr, uint64_t *raw);

/*
 * access_read_block - n registers, one after the other, into raw[0..n-1];
 * access_read_many - the same with less ado, where none of them is on a bus.
 *
 * A register that cannot be read is ABSENT there, and so is what access_read_counter
 * takes for no count.  Returns how many were.
 * No allocation, no log: the inner loop of the sampler.
 */
unsigned access_read_block(struct access *, const struct reg_addr *addr,
    unsigned n, uint64_t *raw);
unsigned access_read_many(struct access *, const struct reg_addr *addr,
    unsigned n, uint64_t *raw);

/* access_tsc - the TSC, as cheaply as the backend can. */
uint64_t access_tsc(struct access *);

/* access_slurp - a small text file as a string, trailing newline cut off.
 * Returns its length, or -errno; buf is "" on error. */
int access_slurp(struct access *, const char *path, char *buf, size_t size);
/* access_whole - the same, but -E2BIG for a text that fills buf: it may go on. */
int access_whole(struct access *, const char *path, char *buf, size_t size);

/* access_number - the decimal or 0x number that a file holds. */
int access_number(struct access *, const char *path, int64_t *value);

/* access_close - NULL is accepted. */
void access_close(struct access *);

/* reg_addr_text - "msr 0xe31 lproc 0", "pci 0000:3a:0a.2:0xa0", for people. */
const char *reg_addr_text(const struct reg_addr *, char *buf, size_t size);

#endif
