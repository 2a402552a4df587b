/*
 * topology/topo_int.h - what the files of topology/ share.
 */
#ifndef TOPOLOGY_TOPO_INT_H
#define TOPOLOGY_TOPO_INT_H

#include "topology/topo.h"

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

/* buses_load - fill in pkg[].bus and seg by the model's method; a bus that is not
 * found stays -1. */
void buses_load(struct topo *, struct access *);

#endif
