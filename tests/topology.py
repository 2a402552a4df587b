#!/usr/bin/env python3
"""Makes a simulated machine of the CPUID of a real node's lprocs.

   tests/topology.py [--cpuid] FILE OUT.machine

FILE (tests/data/README.md) has rows `cpuid LPROC LEAF SUBLEAF EAX EBX ECX EDX`, and
`pu LPROC PACKAGE NUMA L3 CORE`, of which the NUMA node alone is taken: CPUID does not
tell it.  The machine's sysfs has packages, cores and L3s as Linux finds them by the
fields of APIC ids; with --cpuid it has none of them, only CPUID.
"""
import os, sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from readings import AMD, GENERATIONS

EAX, EBX, ECX, EDX = range(4)
HIDDEN = ['topology/' + f for f in (
    'physical_package_id', 'package_cpus_list', 'core_siblings_list', 'die_id', 'core_id',
    'thread_siblings_list', 'core_cpus_list')] + [
    'cache/index3/' + f for f in ('id', 'level', 'type', 'shared_cpu_list')]


class Node:
    def __init__(self, name):
        self.leaf, self.numa = {}, {}           # leaf[lproc][leaf, sub]
        for line in open(name):
            w = line.split()
            if w[:1] == ['cpuid']:
                n = [int(x, 16) for x in w[2:]]
                self.leaf.setdefault(int(w[1]), {})[n[0], n[1]] = n[2:]
            elif w[:1] == ['pu']:
                self.numa[int(w[1])] = int(w[3]) if w[3] != '-' else 0
        v = self.of(0, 1)[EAX]
        self.family = v >> 8 & 0xf
        if self.family == 15:
            self.family += v >> 20 & 0xff
        self.model, self.stepping = v >> 4 & 0xf | v >> 12 & 0xf0, v & 0xf
        text = [x.to_bytes(4, 'little') for x in self.of(0, 0)]
        self.vendor = (text[EBX] + text[EDX] + text[ECX]).decode()
        self.brand = b''.join(x.to_bytes(4, 'little') for l in (2, 3, 4) for x in
                              self.of(0, 0x80000000 + l)).decode().strip('\0 ')
        self.amd = self.vendor != 'GenuineIntel'
        self.fields()

    def of(self, lproc, leaf, sub=0):
        """As lproc 0 has it, where the lproc has no row of its own."""
        return self.leaf.get(lproc, {}).get((leaf, sub)) or \
            self.leaf[0].get((leaf, sub)) or [0, 0, 0, 0]

    def fields(self):
        """Bits of an APIC id below its core's, its L3's and its package's fields."""
        self.id = next((l for l in (0x1f, 0xb) if self.of(0, l)[EBX]), None)
        if self.id:
            levels = [self.of(0, self.id, s) for s in range(8)]
            levels = [x for x in levels if x[ECX] >> 8 & 0xff]
            self.core, self.pkg = levels[0][EAX] & 0x1f, levels[-1][EAX] & 0x1f
        elif self.amd and self.of(0, 0x80000001)[ECX] >> 22 & 1:
            self.id = 0x8000001e
            self.core = (self.of(0, self.id)[EBX] >> 8 & 0xff).bit_length()
            sizes = self.of(0, 0x80000008)[ECX]
            self.pkg = sizes >> 12 & 0xf or (sizes & 0xff).bit_length()
        else:
            ids = max(1, self.of(0, 1)[EBX] >> 16 & 0xff)
            cores = (self.of(0, 4)[EAX] >> 26) + 1
            self.pkg = (ids - 1).bit_length()
            self.core = (ids // cores - 1).bit_length() if ids > cores else 0
        self.l3 = self.pkg
        for sub in range(8):
            cache = self.of(0, 0x8000001d if self.amd else 4, sub)[EAX]
            if cache & 0x1f and cache >> 5 & 7 == 3:
                self.l3 = min(self.pkg, (cache >> 14 & 0xfff).bit_length())

    def apic(self, lproc):
        if self.id == 0x8000001e:
            return self.of(lproc, self.id)[EAX]
        return self.of(lproc, self.id)[EDX] if self.id else self.of(lproc, 1)[EBX] >> 24

    def core_of(self, lproc):
        """AMD numbers cores beside their APIC ids, which have gaps."""
        if self.amd and self.family >= 0x17:
            return self.of(lproc, 0x8000001e)[EBX] & 0xff
        return (self.apic(lproc) & (1 << self.pkg) - 1) >> self.core


def machine(node, hide, put):
    lprocs = sorted(set(node.leaf) | set(node.numa))
    pkgs = sorted({node.apic(l) >> node.pkg for l in lprocs})
    lines = next((row[1] for row in GENERATIONS.get((node.vendor, node.family), [])
                  if node.model in row[0]), AMD if node.amd else '')
    put(f'# {node.brand}: CPUID as others read it; see tests/topology.py.')
    put(f'host bare\nname {node.brand}\ncpu vendor={node.vendor} family={node.family} '
        f'model=0x{node.model:x} stepping={node.stepping}')
    put(f'packages {len(pkgs)} ids={",".join(map(str, pkgs))}')
    put(f'numbering explicit\nthreads {1 << node.core}')
    put(f'apic pkg={max(node.pkg, 1)} ccx={node.l3}')
    for l in lprocs:
        apic = node.apic(l)
        put(f'lproc {l} pkg={pkgs.index(apic >> node.pkg)} core={node.core_of(l)} '
            f'thread={apic & (1 << node.core) - 1} node={node.numa.get(l, 0)} '
            f'apic={apic}')
    put('start 1700000000\ntsc 2000000000\nphase rest\nmsr 0x10 lproc counter tsc')
    put('msr 0xce pkg = 0x1400\n' * (not node.amd) + ''.join(
        f'msr 0x{n:x} lproc counter all=1000000000\n' for n in
        (0xe7, 0xe8, 0xc00000e7, 0xc00000e8)))
    l3 = '0xff0f00000040ffff' if node.family < 0x19 else '0xff0fc0000040ffff'
    put('\n'.join(x for x in lines.replace('{l3}', l3).split('\n')
                  if not x.startswith('cpuid')))
    for l in lprocs:
        for (leaf, sub), r in node.leaf.get(l, {}).items():
            put(f'cpuid 0x{leaf:x}.{sub} ' + ' '.join(f'0x{x:x}' for x in r) +
                (f' lproc={l}' if l else ''))
    if hide:
        for l in lprocs:
            for f in HIDDEN:
                put(f'file /sys/devices/system/cpu/cpu{l}/{f} none')


if __name__ == '__main__':
    words = [w for w in sys.argv[1:] if w != '--cpuid']
    if len(words) != 2:
        sys.exit('usage: topology.py [--cpuid] FILE OUT.machine')
    with open(words[1], 'w') as out:
        machine(Node(words[0]), '--cpuid' in sys.argv, lambda line: print(line, file=out))
