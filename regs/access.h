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

/* Numbers of lprocs are below this: what Linux can be built for on x86. */
#define MAX_LPROCS 8192

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

/* How well the wall clock is synchronised, as adjtimex(2) reports it. */
struct clock_state {
	int state;              /* TIME_OK, TIME_INS ... TIME_ERROR: 0 to 5 */
	int64_t error_us, max_error_us;         /* estimated; at most */
};

struct perf_group;              /* regs/perf.h */
struct perf_msrs;               /* regs/perf.h */
struct stimulus;                /* regs/stimulus.h */
struct thread_ops;              /* regs/host.h */

/* A register and what is to be written there. */
struct reg_value {
	struct reg_addr addr;
	uint64_t raw;
};

/* Another process that has the rights this one gave up: it writes registers, and
 * reads those that cannot be read without a write (the message bus).  write_many
 * takes at most ACCESS_MANY registers a call. */
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
	struct pollfd *wake;    /* [nwake] descriptors that also end a sleep; */
	unsigned nwake;         /* revents says which of them did */
	struct access_proxy *proxy;     /* NULL: this process writes itself */
	const char *root;       /* its files are below this folder; NULL: / */
	bool sideband;          /* sideband_unlock knows this SoC */
};

/*
 * A method of access.  read, write, close and host are required; every other
 * pointer may be NULL where the method has no such thing.  A new method is a file
 * with this table and a function that opens it, and a row of daemon/node/node.c.
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
	/* The node is simulated or recorded: no real register can be changed. */
	bool simulated;

	/* Reads n registers, each with one bus access, as n calls of read would;
	 * one that fails is ABSENT.  Returns how many failed. */
	unsigned (*read_many)(struct access *, const struct reg_addr *,
	    unsigned n, uint64_t *raw);
	/* Reads n aligned dwords of a PCI function's config space in one call,
	 * beginning at addr.  NULL or -ENOTSUP where one call is no cheaper than
	 * n. */
	int (*dwords)(struct access *, const struct reg_addr *, uint32_t *,
	    unsigned n);
	/* Opens or maps what reading this address needs, so that the sampling
	 * loop does not have to. */
	int (*map)(struct access *, const struct reg_addr *);
	/* Whether the file of this address was opened to write as well: 0, or
	 * -errno, why it was not.  NULL: only writing tells. */
	int (*writable)(struct access *, const struct reg_addr *);
	/* Gives up the right to write registers: replaces each descriptor and
	 * mapping by one that can only read.  0, or -errno of the first that could
	 * not be replaced. */
	int (*seal)(struct access *);
	/* Migrates the calling thread to an lproc, so that reads of its registers
	 * need no interrupt; -EINVAL where the thread may not run there. */
	int (*visit)(struct access *, unsigned lproc);
	/* Opens the file at path and keeps it open; returns the unit of its
	 * REG_TEXT address. */
	int (*text)(struct access *, const char *path);
	/* A line for --check: how registers of a space are reached, and why not
	 * in a better way.  Returns NULL where there is nothing to say. */
	const char *(*note)(struct access *, enum reg_space);
	/* Tells a simulated node which work its lprocs have done, as no program
	 * runs there (regs/stimulus.h). */
	int (*stimulate)(struct access *, const struct stimulus *);
	const struct batch_ops *batch;
	const struct perf_ops *perf;
};

/* A node's files and clocks. */
struct host_ops {
	/* Reads the file at `path` ("/sys/...", below the node's root) from byte
	 * `offset` on; returns how many bytes, at most size. */
	ssize_t (*file)(struct access *, const char *path, uint64_t offset,
	    void *buf, size_t size);
	/* Calls each() for every entry of a directory but "." and "..". */
	int (*list)(struct access *, const char *dir,
	    void (*each)(void *ctx, const char *name), void *ctx);
	/* Reads the target of the symbolic link at `path`, NUL-terminated; returns
	 * its length.  NULL where the node's files have no links. */
	int (*link)(struct access *, const char *path, char *buf, size_t size);
	/* How well the wall clock is synchronised; NULL where nobody knows. */
	int (*kept)(struct access *, struct clock_state *);
	/* Reads all clocks at one instant. */
	void (*now)(struct access *, struct stamp *);
	/* Sleeps until mono_ns with the signal mask `unblocked`.  0 when the time
	 * has come, -EINTR when a signal was handled or a descriptor of
	 * access->wake became ready first. */
	int (*sleep)(struct access *, uint64_t mono_ns,
	    const sigset_t *unblocked);
	/* Reads the TSC alone, which is cheaper than `now`; NULL: use now. */
	uint64_t (*tsc)(struct access *);
	/* With on, a sleep returns at once and moves the clocks to its end.  NULL
	 * where time is real. */
	void (*hurry)(struct access *, bool on);
	/* Threads that read side by side; NULL where one thread alone may read. */
	const struct thread_ops *threads;
};

/* Many MSRs in one call (msr-safe).  prepare takes the list of registers
 * once, and read reads them as often as needed; a register that fails is ABSENT.
 * read returns -errno where it read none (an lproc is offline, say); prepare
 * returns -ENOENT where the driver is not loaded. */
struct batch_ops {
	int (*prepare)(struct access *, const struct reg_addr *, unsigned n);
	int (*read)(struct access *, uint64_t *raw);
};

struct perf_ops {
	/* Opens n groups of the same events (regs/perf.h) and starts them.  Returns
	 * a handle, which is the unit of their PERF addresses: a read there adds up
	 * all groups.  On an error *bad is the member that the kernel refused. */
	int (*open)(struct access *, const struct perf_group *, unsigned n,
	    unsigned *bad);
	/* Closes a handle, which must be the last one that was opened. */
	void (*drop)(struct access *, unsigned handle);
	/* From now on reads open events directly from their counters where the
	 * kernel says which counters those are (regs/perf.h). */
	int (*direct)(struct access *, const struct perf_msrs *);
};

/* The optional calls of a method.  Where the method has none, access_map and
 * access_writable return 0, access_note NULL, and the others -ENOTSUP;
 * access_perf_drop then does nothing. */
int access_map(struct access *, const struct reg_addr *);
int access_writable(struct access *, const struct reg_addr *);
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
uint64_t access_mono(struct access *);          /* the monotonic clock alone */
int access_sleep(struct access *, uint64_t mono_ns, const sigset_t *unblocked);
/* access_hurry - see host_ops.hurry.  False where time is real. */
bool access_hurry(struct access *, bool on);

/*
 * access_read - one register, whole.
 *
 * raw    out: its value; ABSENT when it could not be read
 *
 * A 64-bit register in PCI space is read as high, low, high again, until the
 * two readings of the high half agree: the halves of a running counter are
 * two bus accesses, and the low one may wrap between them (reference:
 * intel-server-pmon.md section 1, ECAM width rule).  Returns 0 or -errno.
 */
int access_read(struct access *, const struct reg_addr *, uint64_t *raw);

/* access_write - one register, whole (64 bits in PCI space: high, then low).
 * Returns 0 or -errno. */
int access_write(struct access *, const struct reg_addr *, uint64_t raw);

/* access_write_many - write n registers in the order given; n is at most
 * ACCESS_MANY.  Returns how many could not be written. */
unsigned access_write_many(struct access *, const struct reg_value *,
    unsigned n);

/* access_on_bus - does the address lie in PCI config space or in MMIO? */
bool access_on_bus(const struct reg_addr *);

/*
 * access_read_counter - as access_read, for a counter.  Where PCI config space or
 * MMIO returns all ones (64 or 32 bits) it reads once more; all ones again mean that
 * the unit does not answer: -ENODATA.
 */
int access_read_counter(struct access *, const struct reg_addr *addr, uint64_t *raw);

/*
 * access_read_block - read n counters into raw[0..n-1].
 * access_read_many - the same, faster, where access_on_bus is false for all of them.
 *
 * A register that cannot be read is ABSENT, as is one that access_read_counter
 * would refuse.  Returns how many are ABSENT.
 * Where the method can, access_read_block reads counters of one PCI function that
 * lie near each other together: all halves, then all halves again.  It takes the
 * second low half where the high half was the same both times.
 * No allocation, no log: the inner loop of the sampler.
 */
unsigned access_read_block(struct access *, const struct reg_addr *addr,
    unsigned n, uint64_t *raw);
unsigned access_read_many(struct access *, const struct reg_addr *addr,
    unsigned n, uint64_t *raw);

/* access_tsc - the TSC now, in the cheapest way that the method has. */
uint64_t access_tsc(struct access *);

/* access_slurp - read a small text file as a string, without newlines and spaces at
 * its end; what does not fit is cut off.  Returns its length, or -errno; buf is ""
 * on error. */
int access_slurp(struct access *, const char *path, char *buf, size_t size);
/* access_whole - the same, but -E2BIG where the text fills buf and may go on. */
int access_whole(struct access *, const char *path, char *buf, size_t size);

/* access_number - read the number that a file holds, decimal or 0x. */
int access_number(struct access *, const char *path, int64_t *value);

/* access_close - NULL is accepted. */
void access_close(struct access *);

/* reg_addr_same - the same register, however wide it is read? */
bool reg_addr_same(const struct reg_addr *, const struct reg_addr *);
/* reg_addr_text - "msr 0xe31 lproc 0", "pci 0000:3a:0a.2:0xa0", for people. */
const char *reg_addr_text(const struct reg_addr *, char *buf, size_t size);

/* A file of the node that is kept open, and read again and again from its beginning. */
struct held_file {
	const char *path;       /* of the node; its owner's */
	int fd;                 /* -1: it is not open, or not a file of here */
	bool here;              /* of the node that runs this: fd is used */
};

/* held_open - open the file.  Returns 0 or -errno; -EINVAL: it is no plain file, and
 * reading it might never end.  Some files only root may read: open them before the
 * process gives up its rights. */
int held_open(struct held_file *, struct access *, const char *path);

/* held_read - read up to `size` bytes as pread(2) does; returns how many, or -errno.
 * A file that has gone (its device was taken out) is opened again, so that the file
 * of a new device is read.  May take long, as the kernel asks a device for some. */
ssize_t held_read(struct held_file *, struct access *, uint64_t offset,
    void *buf, size_t size);

void held_close(struct held_file *);    /* NULL accepted */

/* A method of access that notes which MSRs are read one by one; read_many and
 * batches are not noted. */
struct noting {
	struct access_ops ops;          /* first; the method's but for read */
	const struct access_ops *own;
	uint32_t *msr;                  /* those that could be read, ascending */
	unsigned n, room;
	bool lost;                      /* out of memory: some are missing */
};

/* noting_start - put a struct noting in front of the method of `access`; NULL when
 * out of memory.  noting_stop - give `access` its method back and free the struct;
 * NULL is accepted. */
struct noting *noting_start(struct access *);
void noting_stop(struct noting *, struct access *);

#endif
