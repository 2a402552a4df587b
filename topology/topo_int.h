/*
 * topology/topo_int.h - what the files of topology/ share.
 */
#ifndef TOPOLOGY_TOPO_INT_H
#define TOPOLOGY_TOPO_INT_H

#include "topology/topo.h"

/* cpulist_file - cpulist_parse of a file's text. */
int cpulist_file(struct access *, const char *path, unsigned max,
    void (*each)(void *ctx, unsigned n), void *ctx);

/* lprocs_load - where the online ones of lproc[] are: node, die, core, thread,
 * module and L3; and the id of the package of each.  0 or -ENOMEM. */
int lprocs_load(struct topo *, struct access *, int *pkg_id);

/* apic_load - what of that sysfs has not said, by CPUID as lproc has it: packages,
 * cores and threads, L3s.  0 or -ENOMEM. */
int apic_load(struct topo *, struct access *, unsigned lproc, int *pkg_id);

/* log2_up - how many bits n different numbers need. */
int log2_up(unsigned n);

/* cpuid - the EAX, EBX, ECX and EDX of a leaf, by the lproc's device; false where
 * that cannot be read. */
bool cpuid(struct access *, unsigned lproc, uint32_t leaf, uint32_t sub,
    uint32_t reg[4]);

/* complexes_load - lproc[].ccx and ccd, nccx and ccx_doubt, where the CPU is
 * AMD's; the packages and who shares an L3 are known.  0 or -ENOMEM. */
int complexes_load(struct topo *, struct access *);

/* cpu_id_load - identity from the files of an online lproc; unknown parts
 * stay 0 and "". */
void cpu_id_load(struct cpu_id *, struct access *, unsigned lproc);

/* cpu_id_assume - the counters that the model's table has, where leaf 0xA was
 * not to be read; of a CPU without a table, those of most servers.
 * threaded: a core has more than one lproc. */
void cpu_id_assume(struct cpu_id *, const struct model *, bool threaded);

/* made_load - topo->made and model of what CPUID announces, and of what the
 * lprocs' registers answer; lproc is an online one.  made_boxes - and of what
 * discovery tables list, once the packages are known.  0 or -ENOMEM. */
int made_load(struct topo *, struct access *, unsigned lproc);
int made_boxes(struct topo *, struct access *);

/* core_answers - what is announced may be refused all the same by a hypervisor: of its
 * guest as many counters as have registers that do not fault. */
void core_answers(struct cpu_id *, const struct model *, struct access *,
    unsigned lproc);

/* buses_load - fill pkg[].bus and seg by the model's method; what cannot be
 * found stays -1. */
void buses_load(struct topo *, struct access *);

#endif
