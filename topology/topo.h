/*
 * topology/topo.h - what this node is: its CPU, its logical processors and
 * packages.  Read from files below the node's root, never from the cpuid
 * instruction, and nothing is assumed about numbering.
 */
#ifndef TOPOLOGY_TOPO_H
#define TOPOLOGY_TOPO_H

#include "regs/access.h"
#include "regs/diag.h"
#include "regs/model.h"

#define MAX_PKG 64              /* a virtual machine may have one an lproc */
#define MAX_BUS 16

struct lproc {
	bool exists;            /* present in the node, online or not */
	bool online;
	int unreadable;         /* -errno: its MSRs cannot be read, and nothing
	                         * is planned; else 0 */
	int pkg;                /* index into topo.pkg; -1 unknown (offline) */
	int die, core;          /* ids as the kernel gives them; -1 unknown */
	int thread;             /* 0 for the first of its core's lprocs, 1 ... */
	int node;               /* NUMA node; -1 unknown */
	int module;             /* lowest lproc that has its L2; -1 unknown */
	int l3, l3_id;          /* the same of its L3; the kernel's number of it */
	int ccx, ccd;           /* AMD: core complex (those of one L3) and die, by
	                         * their numbers in the package; -1 unknown */
};

struct package {
	int id;                 /* physical_package_id: may be sparse; the NUMA
	                         * node where the model says so */
	int node;               /* NUMA node of its first lproc, -1 unknown */
	unsigned first_lproc;   /* lowest online lproc */
	unsigned nlproc;        /* online ones */
	int bus[MAX_BUS];       /* by role, topology/buses.c; -1 unknown */
	unsigned seg;           /* PCI segment of those buses */
	bool bus_shared;        /* another reports the same; bus[] are all -1 */
	int nodeid;             /* as the uncore numbers it; -1 unknown */
};

struct cpu_id {
	char vendor[16];        /* "GenuineIntel" */
	char name[64];
	unsigned family, model, stepping;
	uint32_t midr;          /* Arm: MIDR_EL1; 0: none */
	/* CPUID leaf 0xA, reference 3.3; all 0 when it could not be read or
	 * there is no PMU (many virtual machines) */
	unsigned pmu_version, gp_counters, gp_bits, fixed_counters, fixed_bits;
	bool pmu_known;         /* leaf 0xA was really read */
	bool pmu_odd;           /* it was, and says what no CPU has */
	bool guest;             /* of a hypervisor, which says so; what it
	                         * announces it may not have (amd-zen 12) */
	const char *no_counters;        /* why gp_counters is 0 although CPUID
	                         * announces some; or NULL */
	/* AMD: the counters of each box that leaves 8000_0001 and 8000_0022
	 * announce */
	unsigned announced[ANNOUNCED];
};

struct made_model;              /* regs/made.h */

struct topo {
	struct cpu_id cpu;
	const struct model *model;      /* NULL: a CPU that we do not know */
	struct made_model *made;        /* what model is, where it was made of what
	                                 * the CPU announces; else NULL */
	unsigned nlproc;                /* highest number + 1 */
	struct lproc *lproc;
	unsigned npkg;
	struct package pkg[MAX_PKG];    /* by ascending id */
	unsigned nccx;                  /* highest ccx of any package + 1; 0 */
	char ccx_doubt[200];            /* why numbers of CCXs may be wrong; "" */
	char host[256];                 /* up to the first dot */
};

/*
 * topo_load - identify the CPU, the lprocs and the packages of a node.
 *
 * An unknown CPU is no error here: topo->model is any-x86 then, made of what it
 * announces, or NULL where it is none of that architecture.
 * Returns 0, or -errno with words in why; topo_free accepts either.
 */
int topo_load(struct topo *, struct access *, struct diag *why);
void topo_free(struct topo *);

/* topo_first - the lproc to read what any can read from; 0 where there is no
 * package. */
unsigned topo_first(const struct topo *);

/* topo_ccx - the lowest lproc of a CCX that is online and readable; -1: none. */
int topo_ccx(const struct topo *, unsigned pkg, unsigned ccx);

/* cpulist_parse - "0-3,8" into bits[n] = true; returns 0 or -EINVAL.
 * each() is called for every number below max. */
int cpulist_parse(const char *list, unsigned max,
    void (*each)(void *ctx, unsigned n), void *ctx);

#endif
