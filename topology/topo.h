/*
 * topology/topo.h - what this node is: its CPU, its logical processors and
 * packages.  Read from files below the node's root, never from the cpuid
 * instruction, and nothing is assumed about numbering.
 */
#ifndef TOPOLOGY_TOPO_H
#define TOPOLOGY_TOPO_H

#include "lib/diag.h"
#include "regs/access.h"
#include "regs/model.h"

#define MAX_PKG 64              /* in a virtual machine each lproc may be one */
#define MAX_BUS 16

struct lproc {
	bool exists;            /* present in the node, online or not */
	bool online;
	int unreadable;         /* -errno where its MSRs cannot be read, so that
	                         * nothing is sampled there; else 0 */
	int pkg;                /* index into topo.pkg; -1 unknown (offline) */
	int die, core;          /* the kernel's ids; -1 unknown */
	int thread;             /* 0 for the first of its core's lprocs, 1 ... */
	int node;               /* NUMA node; -1 unknown */
	int module;             /* lowest lproc that shares its L2; -1 unknown */
	int l3, l3_id;          /* lowest lproc that shares its L3; the kernel's
	                         * number of that L3 */
	int ccx, ccd;           /* AMD: number in the package of its core complex
	                         * (the cores of one L3) and of its die; -1 unknown */
};

struct package {
	int id;                 /* physical_package_id, which may have gaps; the
	                         * NUMA node where model.pkg_is_node */
	int node;               /* NUMA node of its first lproc, -1 unknown */
	unsigned first_lproc;   /* lowest online lproc */
	unsigned nlproc;        /* online lprocs */
	int bus[MAX_BUS];       /* its uncore buses (topology/topo.c); -1 unknown */
	unsigned seg;           /* PCI segment of those buses */
	bool bus_shared;        /* another package reports the same buses, so that
	                         * bus[] are all -1 */
	int nodeid;             /* its node id in uncore registers; -1 unknown */
};

struct cpu_id {
	char vendor[16];        /* "GenuineIntel" */
	char name[64];
	unsigned family, model, stepping;
	uint32_t midr;          /* Arm: MIDR_EL1; 0: none */
	/* CPUID leaf 0xA, reference 3.3.  All 0 where it could not be read, or
	 * where there is no PMU, as in many virtual machines. */
	unsigned pmu_version, gp_counters, gp_bits, fixed_counters, fixed_bits;
	bool pmu_known;         /* leaf 0xA was read */
	bool pmu_odd;           /* leaf 0xA has values that no CPU has */
	bool guest;             /* CPUID says that this is a virtual machine, which
	                         * may announce counters that it does not have
	                         * (amd-zen 12) */
	const char *no_counters;        /* why gp_counters is 0 although CPUID
	                         * announces some; or NULL */
	/* AMD: counters of each box by leaves 8000_0001 and 8000_0022 */
	unsigned announced[ANNOUNCED];
};

struct made_model;              /* regs/made.h */

struct topo {
	struct cpu_id cpu;
	const struct model *model;      /* NULL: an unknown CPU */
	struct made_model *made;        /* the memory of `model` where that was made of
	                                 * what the CPU announces; else NULL */
	unsigned nlproc;                /* highest number + 1 */
	struct lproc *lproc;
	unsigned npkg;
	struct package pkg[MAX_PKG];    /* by ascending id */
	unsigned nccx;                  /* highest ccx of any package + 1, or 0 */
	char ccx_doubt[200];            /* why CCX numbers may be wrong; or "" */
	char host[256];                 /* up to the first dot */
};

/*
 * topo_load - identify the CPU, the lprocs and the packages of a node.
 *
 * An unknown CPU is no error: topo->model is then made of what the CPU announces
 * (any-x86), or NULL where it announces nothing that we know.  Returns 0, or -errno
 * with words in why; call topo_free in both cases.
 */
int topo_load(struct topo *, struct access *, struct diag *why);
void topo_free(struct topo *);

/* topo_first - the lproc on which to read what all lprocs can read; 0 where there is
 * no package. */
unsigned topo_first(const struct topo *);

/* topo_ccx - the lowest lproc of a CCX that is online and readable, or -1. */
int topo_ccx(const struct topo *, unsigned pkg, unsigned ccx);

/* cpulist_parse - call each() for every number below max of a list like "0-3,8";
 * returns 0 or -EINVAL. */
int cpulist_parse(const char *list, unsigned max,
    void (*each)(void *ctx, unsigned n), void *ctx);

/* For topology/ alone. */

/* cpulist_file - cpulist_parse for the text of a file. */
int cpulist_file(struct access *, const char *path, unsigned max,
    void (*each)(void *ctx, unsigned n), void *ctx);

/* lprocs_load - fill in NUMA node, die, core, thread, module and L3 of the lprocs that
 * are online, and pkg_id[lproc], the id of the package of each.  0 or -ENOMEM. */
int lprocs_load(struct topo *, struct access *, int *pkg_id);

/* apic_load - fill in by the APIC ids of CPUID, which `lproc` explains, what sysfs did
 * not tell: packages, cores, threads and L3s.  0 or -ENOMEM. */
int apic_load(struct topo *, struct access *, unsigned lproc, int *pkg_id);

/* log2_up - how many bits are needed for n different numbers. */
int log2_up(unsigned n);

/* cpuid - read EAX, EBX, ECX and EDX of a leaf from the lproc's cpuid device; false
 * where that cannot be read. */
bool cpuid(struct access *, unsigned lproc, uint32_t leaf, uint32_t sub,
    uint32_t reg[4]);

/* complexes_load - on AMD fill in lproc[].ccx and ccd, nccx and ccx_doubt, once the
 * packages and L3s are known.  0 or -ENOMEM. */
int complexes_load(struct topo *, struct access *);

/* cpu_id_load - identify the CPU by the files of an online lproc; what is unknown
 * stays 0 or "". */
void cpu_id_load(struct cpu_id *, struct access *, unsigned lproc);

/* cpu_id_assume - where leaf 0xA could not be read, assume the counters of the model's
 * table; for a CPU without a table those of most servers.  threaded: a core has more
 * than one lproc. */
void cpu_id_assume(struct cpu_id *, const struct model *, bool threaded);

/* made_load - make topo->made and topo->model of what CPUID announces and of which
 * registers answer on `lproc`, an online one.  made_boxes - add the boxes that
 * discovery tables list, once the packages are known.  0 or -ENOMEM. */
int made_load(struct topo *, struct access *, unsigned lproc);
int made_boxes(struct topo *, struct access *);

/* core_answers - in a virtual machine, reduce the announced counters to those whose
 * registers can be read, as a hypervisor may announce more than it has. */
void core_answers(struct cpu_id *, const struct model *, struct access *,
    unsigned lproc);

#endif
